//! Strict libraries accept the built-in suites, but for what `edge` marks.

#[path = "../../examples/find_faults/strict.rs"]
mod rule;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::Position;
use rand::SeedableRng;
use rule::is_strict;
use testkit::positions::{thrown_position, wander};

/// What is called strict is accepted by two libraries that check positions.
#[test]
fn strict_libraries_accept_strict_positions() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let (mut strict, mut others) = (0, 0);
    for _ in 0..testkit::scale(20_000, 1_000_000) {
        let position = wander(thrown_position(&mut rng), 1, &mut rng);
        if !is_strict(&position) {
            others += 1;
            continue;
        }
        strict += 1;
        assert_accepted(&position);
    }
    assert!(strict > 1_000 && others > 1_000, "{strict}, {others}");
}

fn assert_accepted(position: &Position) {
    let text = fen::write(position);
    let parsed: shakmaty::fen::Fen = text.parse().expect("a FEN");
    let mode = shakmaty::CastlingMode::Chess960;
    let accepted = parsed.into_position::<shakmaty::Chess>(mode);
    assert!(accepted.is_ok(), "{text}: {accepted:?}");
    let style = fen::FenStyle {
        castling: fen::CastlingText::Shredder,
        ..fen::FenStyle::default()
    };
    let text = fen::write_with(position, style);
    let accepted = cozy_chess::Board::from_fen(&text, true);
    assert!(accepted.is_ok(), "{text}: {accepted:?}");
}

#[test]
fn the_suites_but_edge_are_strict() {
    for suite in epd::suites::ALL.iter().filter(|suite| suite.name != "edge") {
        for entry in suite.parse().entries {
            let position = entry.record.position();
            assert!(is_strict(position), "{}:{}", suite.name, entry.line);
            assert_accepted(position);
        }
    }
}

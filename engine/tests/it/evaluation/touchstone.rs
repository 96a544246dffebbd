//! The evaluation of profile `Touchstone`: what its parts must have in common.

use chess::notation::fen;
use chess::rules::{Color, Position};
use engine::eval::{Cache, Evaluation, LIMIT, Touchstone};

use super::SEED;
use super::visit::{check_mirror, mirrored, position, visit};
use testkit::scale;

#[test]
fn the_mirrored_position_has_the_same_value() {
    check_mirror(&Touchstone, SEED + 5);
}

#[test]
fn the_rows_of_a_trace_add_up_to_the_value() {
    visit(scale(5_000, 50_000), SEED + 6, |position| {
        let trace = Touchstone.trace(position);
        let text = fen::write(position);
        let value = Touchstone.evaluate(position);
        assert_eq!(trace.value(), value, "{text}");
        let white = trace.rows().iter().fold((0, 0), |sum, row| {
            let balance = row.balance();
            (sum.0 + balance.middle_game, sum.1 + balance.end_game)
        });
        let scale = i32::from(trace.scale());
        assert_eq!(for_mover(position, white, scale), value, "{text}");
        assert!(value.abs() < LIMIT, "{text}");
        let table = trace.to_string();
        assert!(
            table.is_ascii() && table.lines().all(|line| line.len() < 80),
            "{table}"
        );
    });
}

/// The counts that a tuner sees, with the weights it starts from, are the value.
#[test]
fn weights_times_counts_are_the_value() {
    let weights = Touchstone::weights();
    let (mut scaled, mut whole) = (0, 0);
    visit(scale(5_000, 50_000), SEED + 4, |position| {
        let counted = Touchstone::coefficients(position);
        let mut white = (0, 0);
        for &(place, count) in &counted.counts {
            let (weight, count) = (weights[usize::from(place)], i32::from(count));
            white.0 += weight.middle_game * count;
            white.1 += weight.end_game * count;
        }
        let scale = i32::from(counted.scale);
        let value = Touchstone.evaluate(position);
        let text = fen::write(position);
        assert_eq!(for_mover(position, white, scale), value, "{text}");
        assert_eq!(
            i32::from(counted.middle_game_parts),
            parts(position),
            "{text}"
        );
        assert!(counted.counts.is_sorted_by(|a, b| a.0 < b.0), "{text}");
        assert!(counted.counts.iter().all(|&(_, count)| count != 0));
        if scale == 64 {
            whole += 1;
        } else {
            scaled += 1;
        }
    });
    assert!(scaled > 100 && whole > 100, "{scaled}, {whole}");
}

/// Positions of many games share one cache, so that places are used again and again; pawns and kings
/// are mixed up by asking for the mirrored position between.
#[test]
fn the_cache_of_pawns_changes_no_value() {
    let mut cache = Cache::new();
    visit(scale(10_000, 100_000), SEED + 8, |position| {
        let mirror = mirrored(position);
        for position in [position, &mirror, position] {
            assert_eq!(
                Touchstone.evaluate_cached(position, 0, &mut cache),
                Touchstone.evaluate(position),
                "{}",
                fen::write(position)
            );
        }
    });
}

#[test]
fn the_fields_name_every_weight_once() {
    let mut next = 0;
    for field in Touchstone::fields() {
        assert_eq!(field.offset, next, "{}", field.name);
        next += field.len;
    }
    assert_eq!(Touchstone::weights().len(), next);
}

/// As many queens as there can be stay within the limit, for either phase.
#[test]
fn the_most_pieces_stay_within_the_limit() {
    for text in [
        "6rk/6pp/8/QQQQ4/QQQQQ3/8/8/RNB1KBNR w - - 0 1",
        "6rk/6pp/8/8/1Q1Q1Q2/Q1Q1Q3/2BB4/RQNQK1NR b - - 0 1",
        "4k3/8/8/qqqq4/qqqqq3/8/6PP/rnb2bRK b - - 0 1",
    ] {
        let value = Touchstone.evaluate(&position(text));
        assert!((8_000..LIMIT).contains(&value.abs()), "{text}: {value}");
    }
}

/// Both phases blended, the end game scaled before, as the side to move sees it.
fn for_mover(position: &Position, white: (i32, i32), scale: i32) -> i32 {
    let parts = parts(position);
    let end_game = white.1 * scale / 64;
    let blended = (white.0 * parts + end_game * (24 - parts)) / 24;
    match position.side_to_move() {
        Color::White => blended,
        Color::Black => -blended,
    }
}

/// How much of the middle game is left, in 24ths, read from the FEN.
fn parts(position: &Position) -> i32 {
    let text = fen::write(position);
    let board = text.split(' ').next().expect("the first field");
    let weigh = |letter: char| match letter.to_ascii_lowercase() {
        'n' | 'b' => 1,
        'r' => 2,
        'q' => 4,
        _ => 0,
    };
    board.chars().map(weigh).sum::<i32>().min(24)
}

#[test]
fn the_middle_game_fades_with_the_pieces() {
    #[rustfmt::skip]
    let rows = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "middle game"),
        ("r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1", "middle game 20/24, end game 4/24"),
        ("4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1", "middle game 6/24, end game 18/24"),
        ("4k1n1/8/8/8/8/8/8/B3K3 w - - 0 1", "middle game 2/24, end game 22/24"),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "end game"),
        // More than all is all.
        ("1qqqk3/8/8/8/8/8/8/4KQQQ w - - 0 1", "middle game"),
        ("qqqqk3/8/8/8/8/8/8/4KQQQ w - - 0 1", "middle game"),
    ];
    for (text, expected) in rows {
        let taper = Touchstone.trace(&position(text)).taper();
        assert_eq!(taper.to_string(), expected, "{text}");
    }
}

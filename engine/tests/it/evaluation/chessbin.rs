//! The evaluation of profile `ChessBin`.

use chess::notation::fen;
use chess::rules::Color;
use engine::eval::{ChessBin, Evaluation, LIMIT, Phase, Phased};

use super::visit::{mirrored, position, visit};
use super::{SEED, reference};
use testkit::scale;

#[test]
fn values_are_those_of_the_reference_and_of_the_trace() {
    let mut phases = [0; Phase::ALL.len()];
    let mut checks = 0;
    visit(scale(10_000, 100_000), SEED, |position| {
        let text = fen::write(position);
        let value = ChessBin.evaluate(position);
        assert_eq!(value, reference::evaluate(&position.to_setup()), "{text}");
        assert!(value.abs() < LIMIT, "{text}");
        let trace = ChessBin.trace(position);
        let phase = trace.taper().phase().expect("one phase counts alone");
        let white: i32 = trace.rows().iter().map(|row| row.balance().at(phase)).sum();
        let rows = match position.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        };
        assert_eq!((trace.value(), rows), (value, value), "{text}");
        phases[phase as usize] += 1;
        checks += u32::from(position.is_check());
    });
    // Both phases and checks were among them.
    let counts = [phases[0], phases[1], checks];
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// One row and more of each term: FEN, term, and what it gives White and Black, as `middle game/end game` or one
/// value for both, each a sum; the sums are those of the reference.
#[test]
fn terms_are_named_for_what_they_count() {
    let sum = |text: &str| -> i32 {
        let parts = text.split('+').map(|part| part.trim().parse::<i32>());
        parts.sum::<Result<_, _>>().expect("numbers")
    };
    let phased = |text: &str| {
        let (middle_game, end_game) = text.split_once('/').unwrap_or((text, text));
        Phased::new(sum(middle_game), sum(end_game))
    };
    let rows = "
        # Castled, to either side; with a right left nothing has been decided (Chess960).
        r4rk1/8/8/8/8/8/8/2KR3R w - - 0 1 | castled | 40/0 | 40/0
        1k5r/8/8/8/8/8/8/R5KR w Hh - 0 1 | castled | 0 | 0
        # The rook is shut in behind the king, which has walked.
        rk6/8/8/8/8/8/8/5RKR w - - 0 1 | king moved, not castled | -30/0 | -30/0
        r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1 | rooks moved before castling | -10 | 0
        q3k3/8/8/8/8/Q7/8/2Q1K3 w - - 0 1 | queens moved | -10/0 | 0
        # A promotion is one move, and one for each capture; a pinned piece keeps its moves.
        n3k3/1P6/8/8/8/8/8/4K3 w - - 0 1 | mobility | 2 + 5 | 2 + 5
        4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1 | mobility | 8 + 5 | 11 + 4
        7k/2p5/3n4/8/8/3N4/2P5/7K w - - 0 1 | defended pieces | 6 | 6
        7k/8/8/3p4/4P3/8/8/7K w - - 0 1 | attacked pieces | -6 | -6
        7k/8/8/3p4/4P3/8/8/7K w - - 0 1 | hanging pieces | -60 | -60
        7k/8/8/p7/8/7P/P7/K7 w - - 0 1 | pawns on a and h | -30 | -15
        7k/1p6/8/1p6/1p6/P7/P7/K7 w - - 0 1 | doubled pawns | -16 | -32
        7k/1p1p1p1p/8/8/8/8/P1P1P1P1/K7 w - - 0 1 | isolated pawns | -62 | -62
        7k/8/P7/1P6/8/8/8/7K w - - 0 1 | passed pawns | 10 + 125 + 10 | 0
        7k/8/8/8/8/1p6/p7/7K w - - 0 1 | passed pawns | 0 | 10 + 250 + 10 + 100
        4kb2/8/8/8/8/8/8/2B1KBB1 w - - 0 1 | bishop pair | 20 | 0
        4kb2/8/8/8/8/8/8/2B1KBB1 w - - 0 1 | bishops in the end game | 0/30 | 0/10
        1n2k1n1/8/8/8/8/8/8/4KN2 w - - 0 1 | knights in the end game | 0/-10 | 0/-20
        k7/8/1Q6/8/8/8/8/7K b - - 0 1 | king with 0 or 1 moves | 0 | -5
        4k3/8/8/8/8/8/8/r3K3 w - - 0 1 | in check | -75/-85 | 0
        4k3/8/8/8/8/8/8/r3K3 w - - 0 1 | tempo | 10 | 0
        ";
    let rows = rows.lines().map(str::trim);
    for row in rows.filter(|row| !row.is_empty() && !row.starts_with('#')) {
        let [text, name, white, black] = row.splitn(4, " | ").collect::<Vec<_>>()[..] else {
            panic!("four columns: {row}");
        };
        let trace = ChessBin.trace(&position(text));
        let found = trace.rows().iter().find(|row| row.name == name);
        let sides = found.unwrap_or_else(|| panic!("no term {name}")).sides;
        assert_eq!(sides.0, [white, black].map(phased), "{row}");
    }
}

/// Found by climbing from position to position, they are the most that was found. More than 13,600
/// cannot be: with nine queens and all pieces a side has 11,065 of material; a queen gives at most
/// 27 moves and 8 actions on others, each of which counts up to 11, so 115 beside its value, and a
/// promoted queen more than any other piece or pawn; the rest, computed alike, comes to 1,500.
#[test]
fn wild_positions_stay_within_the_limit() {
    for (text, value) in [
        (
            "4Q3/1Q2p2R/8/2BN1NB1/Qp2R2p/3Qpk2/1Q5Q/1KQ1Q1Q1 w - - 0 1",
            11_669,
        ),
        (
            "3Q4/2Q1p1Q1/7Q/2BN1NB1/1Q2R2p/3kp2R/Q7/1KQ1Q1Q1 w - - 0 1",
            11_659,
        ),
    ] {
        let white = position(text);
        let black = ChessBin.trace(&mirrored(&white)).value_for(Color::White);
        assert_eq!(
            (ChessBin.evaluate(&white), black),
            (value, -value),
            "{text}"
        );
        assert!(value < LIMIT, "{text}");
    }
}

//! The evaluation of profile `Touchstone`.

use engine::eval::{Evaluation, LIMIT, Touchstone};
use engine::notation::fen;
use engine::rules::{Color, Position};

use crate::common::wanted_positions;
use crate::visit::{position, visit};
use crate::{SEED, twin};

#[test]
fn the_twin_on_64_squares_agrees() {
    let (mut alone, mut blended, mut checks) = (0, 0, 0);
    visit(wanted_positions(100_000), SEED + 4, |position| {
        let expected = twin::evaluate_tapered(&position.to_setup());
        let text = fen::write(position);
        assert_eq!(Touchstone.evaluate(position), expected, "{text}");
        match Touchstone.trace(position).taper().phase() {
            Some(_) => alone += 1,
            None => blended += 1,
        }
        checks += u32::from(position.is_check());
    });
    // Phases alone, both at once, and checks were among them.
    assert!(
        [alone, blended, checks]
            .into_iter()
            .all(|count| count > 100),
        "{alone}, {blended}, {checks}"
    );
}

#[test]
fn the_mirrored_position_has_the_same_value() {
    visit(wanted_positions(100_000), SEED + 5, |position| {
        let mirror = Position::from_setup(position.to_setup().mirrored()).expect("legal too");
        assert_eq!(
            Touchstone.evaluate(position),
            Touchstone.evaluate(&mirror),
            "{}",
            fen::write(position)
        );
    });
}

#[test]
fn the_rows_of_a_trace_add_up_to_the_value() {
    visit(wanted_positions(100_000) / 2, SEED + 6, |position| {
        let trace = Touchstone.trace(position);
        let text = fen::write(position);
        let value = Touchstone.evaluate(position);
        assert_eq!(trace.value(), value, "{text}");
        let white = trace.rows().iter().fold((0, 0), |sum, row| {
            let balance = row.balance();
            (sum.0 + balance.middle_game, sum.1 + balance.end_game)
        });
        let parts = parts(position);
        let sign = match position.side_to_move() {
            Color::White => 1,
            Color::Black => -1,
        };
        let blended = (white.0 * parts + white.1 * (24 - parts)) / 24;
        assert_eq!(sign * blended, value, "{text}");
        assert!(value.abs() < LIMIT, "{text}");
        let table = trace.to_string();
        assert!(
            table.is_ascii() && table.lines().all(|line| line.len() < 80),
            "{table}"
        );
    });
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
    for (text, expected) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "middle game",
        ),
        (
            "r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1",
            "middle game 20/24, end game 4/24",
        ),
        (
            "4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1",
            "middle game 6/24, end game 18/24",
        ),
        (
            "4k1n1/8/8/8/8/8/8/B3K3 w - - 0 1",
            "middle game 2/24, end game 22/24",
        ),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "end game"),
        // More than all is all.
        ("1qqqk3/8/8/8/8/8/8/4KQQQ w - - 0 1", "middle game"),
        ("qqqqk3/8/8/8/8/8/8/4KQQQ w - - 0 1", "middle game"),
    ] {
        let taper = Touchstone.trace(&position(text)).taper();
        assert_eq!(taper.to_string(), expected, "{text}");
    }
}

#[test]
fn king_and_knight_by_hand() {
    let both = 320 - 40 + 3 // the knight, on b1: a3 c3 d2
        + 5                 // the king: f1 h1 f2 g2 h2
        + 10; // to move
    let white = (both + 30 + 40, both - 30 - 10); // the king on g1, castled; a knight in the end game
    let black = (-30 + 5, -30 + 5); // the king, moved, on e8 in the end game; d8 d7 e7 f7 f8
    let value = Touchstone.evaluate(&position("4k3/8/8/8/8/8/8/1N4K1 w - - 0 1"));
    assert_eq!(value, (white.0 - black.0 + 23 * (white.1 - black.1)) / 24);
    assert_eq!(value, 287);
}

//! En passant squares: accepted where the double step can have been the last move, and nowhere else.
//! The judge takes the step back and plays it with the slow generator.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Color, File, Move, Piece, PieceType, Position, Rank, Setup, Square, mailbox};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::positions::thrown_position;
#[cfg(feature = "oracles")]
use testkit::python::ask;
use testkit::scale;

use crate::walk::visit_by;

const SEED: u64 = 20_261_128;

/// The double step over the en passant square, which is on the sixth rank of the side to move.
fn double_step(setup: &Setup) -> Option<Move> {
    let square = setup.ep_square?;
    let [from, to] = match setup.side_to_move {
        Color::White => [Rank::R7, Rank::R5],
        Color::Black => [Rank::R2, Rank::R4],
    };
    let [from, to] = [from, to].map(|rank| Square::new(square.file(), rank));
    Some(Move::new(from, to))
}

/// Whether the double step leads from a sound position to this one.
fn can_have_been_played(setup: &Setup) -> bool {
    let step = double_step(setup).expect("a square");
    let mut before = setup.clone();
    before.side_to_move = !setup.side_to_move;
    before.ep_square = None;
    before.board[step.from().index()] = before.board[step.to().index()].take();
    !mailbox::in_check(&before, setup.side_to_move)
        && mailbox::legal_moves(&before).contains(&step)
        && mailbox::play(&before, step).board == setup.board
}

/// The position with each en passant square that has a pawn of the right colour before it.
fn candidates(position: &Position) -> impl Iterator<Item = Setup> {
    let color = position.side_to_move();
    let pawn = Some(Piece::new(!color, PieceType::Pawn));
    File::ALL.into_iter().filter_map(move |file| {
        let mut setup = position.to_setup();
        setup.ep_square = Some(Square::new(file, Rank::R6.relative_to(color)));
        let step = double_step(&setup)?;
        (setup.piece_at(step.to()) == pawn).then_some(setup)
    })
}

/// The FEN of a position without an en passant square, with this one.
fn text_of(position: &Position, square: Square) -> String {
    let fields = fen::write_epd(position, fen::FenStyle::default());
    let fields = fields.strip_suffix('-').expect("there was no square");
    format!("{fields}{square} 0 1")
}

#[test]
fn a_square_is_kept_where_the_double_step_is_possible_and_dropped_elsewhere() {
    let count = scale(20_000, 200_000);
    println!("seed {SEED}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let [
        mut kept,
        mut kept_in_check,
        mut dropped,
        mut dropped_for_check,
    ] = [0; 4];
    for _ in 0..count {
        let position = thrown_position(&mut rng);
        for setup in candidates(&position) {
            let square = setup.ep_square.expect("a candidate");
            let text = text_of(&position, square);
            let expected = can_have_been_played(&setup);
            assert_eq!(fen::parse(&text).is_ok(), expected, "{text}");
            let read = fen::parse_lenient(&text).expect("nothing else is wrong");
            assert_eq!(read.position.ep_square().is_some(), expected, "{text}");
            assert_eq!(read.tolerated.is_empty(), expected, "{text}");
            assert_eq!(fen::parse(&fen::write(&read.position)), Ok(read.position));
            let is_check = read
                .tolerated
                .iter()
                .any(|it| it.to_string().contains("check"));
            kept += usize::from(expected);
            kept_in_check += usize::from(expected && position.is_check());
            dropped += usize::from(!expected);
            dropped_for_check += usize::from(is_check);
        }
    }
    let counts = [kept, kept_in_check, dropped, dropped_for_check];
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

#[test]
fn no_game_loses_a_square() {
    let [mut squares, mut in_check] = [0; 2];
    // More double steps than in other games, above all with check.
    let choose = |position: &Position, rng: &mut ChaCha8Rng| {
        let moves = position.legal_moves();
        let next = |m: &Move| position.play_unchecked(*m);
        let steps = moves.iter().filter(|m| next(m).ep_square().is_some());
        let step = steps.max_by_key(|m| next(m).is_check());
        let step = step.filter(|m| next(m).is_check() || rng.random_ratio(1, 4));
        step.or(moves.choose(rng)).copied()
    };
    visit_by(choose, scale(100_000, 1_000_000), SEED + 1, |position| {
        if position.ep_square().is_some() {
            let text = fen::write(position);
            let read = fen::parse_lenient(&text).expect("it was reached");
            assert_eq!((&read.position, &read.tolerated[..]), (position, &[][..]));
            squares += 1;
            in_check += usize::from(position.is_check());
        }
    });
    assert!(squares > 1_000 && in_check > 20, "{squares}, {in_check}");
}

/// What python-chess finds impossible is dropped. It does not look for checks that the pawn has
/// stopped, so that the converse does not hold.
#[cfg(feature = "oracles")]
#[test]
fn no_square_is_kept_that_python_chess_rejects() {
    const JUDGE: &str = r"
import sys, chess
bad = chess.STATUS_INVALID_EP_SQUARE | chess.STATUS_IMPOSSIBLE_CHECK
for line in sys.stdin:
    print(int(bool(chess.Board(line.strip()).status() & bad)))
";
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 2);
    let mut texts = Vec::new();
    while (texts.len() as u64) < scale(2_000, 20_000) {
        let position = thrown_position(&mut rng);
        let squares = candidates(&position).filter_map(|setup| setup.ep_square);
        texts.extend(squares.map(|square| text_of(&position, square)));
    }
    let judged = ask(JUDGE, texts.join("\n"));
    assert_eq!(judged.lines().count(), texts.len());
    let mut rejected = 0;
    for (text, judged) in texts.iter().zip(judged.lines()) {
        if judged == "1" {
            assert!(fen::parse(text).is_err(), "{text}");
            rejected += 1;
        }
    }
    assert!(rejected > 100, "{rejected}");
}

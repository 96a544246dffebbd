//! Faulty subjects: generators with faults of the bank, and other misbehaviour.

use std::num::NonZeroU32;
use std::time::Duration;

use chess::rules::explain::explain;
use chess::rules::{CastlingSide, Color, Move, PieceType, Position};

use super::fault::leaves_king_in_check;
use crate::count::subject::{Answer, DivideRow, Failure, MoveMeaning, Route, Subject};
use crate::suite::faults::{self, Faulty};

/// A subject that answers by a function.
pub(crate) struct Toy<F>(pub(crate) F);

impl<F: FnMut(&Route, NonZeroU32) -> Result<Answer, Failure>> Subject for Toy<F> {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        (self.0)(route, depth)
    }
}

/// A generator with the faults of a pattern.
pub(crate) fn breaks(pattern: &str) -> Faulty {
    Faulty::new(faults::find(pattern).expect("faults have such names"))
}

pub(crate) fn sound() -> Faulty {
    Faulty::sound()
}

fn answer(route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
    Subject::perft(&mut sound(), route, depth)
}

/// Changes the answers of another subject.
pub(crate) fn changing(
    mut subject: impl Subject,
    mut change: impl FnMut(&Position, &mut Answer),
) -> impl Subject {
    Toy(move |route: &Route, depth: NonZeroU32| {
        let mut answer = subject.perft(route, depth)?;
        change(route.position(), &mut answer);
        Ok(answer)
    })
}

pub(crate) fn total_only(pattern: &str) -> impl Subject {
    changing(breaks(pattern), |_, answer| answer.rows = None)
}

/// Counts every move that only leaves the king in check.
pub(crate) fn pseudo_legal() -> impl Subject {
    Toy(|route: &Route, depth: NonZeroU32| {
        let mut answer = answer(route, depth)?;
        let position = route.position();
        let of_check = |m: &Move| leaves_king_in_check(explain(position, *m).rule());
        let extra = super::candidates::pseudo_legal(position).into_iter();
        for m in extra.filter(of_check).filter(|_| depth.get() == 1) {
            let row = DivideRow {
                text: m.to_string(),
                meaning: MoveMeaning::Illegal(m),
                nodes: 1,
            };
            answer
                .rows
                .iter_mut()
                .for_each(|rows| rows.push(row.clone()));
            answer.total = answer.total.map(|total| total + 1);
        }
        Ok(answer)
    })
}

/// Leaves the rook behind when it castles by a move after a position.
pub(crate) fn leaves_rook() -> impl Subject {
    Toy(|route: &Route, depth: NonZeroU32| {
        let mut position = *route.root();
        for &m in route.moves() {
            let castled = position.is_castling(m);
            let us = position.side_to_move();
            position = position.play_unchecked(m);
            if castled {
                let mut setup = position.to_setup();
                let side = CastlingSide::new(m.from(), m.to());
                setup.board[m.to().index()] = setup.board[side.rook_target(us).index()].take();
                position = Position::from_setup(setup).expect("legal");
            }
        }
        let mut left = answer(&Route::by_fen(position), depth)?;
        for row in left.rows.iter_mut().flatten() {
            if let MoveMeaning::Legal(m) = row.meaning
                && !route.position().is_legal(m)
            {
                row.meaning = MoveMeaning::Illegal(m);
            }
        }
        Ok(left)
    })
}

/// Prints rows from depth 2 on.
pub(crate) fn rows_from_two(pattern: &str) -> impl Subject {
    let mut subject = breaks(pattern);
    Toy(move |route: &Route, depth: NonZeroU32| {
        let mut answer = Subject::perft(&mut subject, route, depth)?;
        answer.rows = answer.rows.filter(|_| depth.get() > 1);
        Ok(answer)
    })
}

/// Counts a stalemate as one leaf node, but not in the root position.
pub(crate) fn counts_ends_below() -> impl Subject {
    changing(breaks("counts/ended/stalemate"), |_, answer| {
        if answer.rows.as_deref() == Some(&[]) {
            answer.total = Some(0);
        }
    })
}

/// Adds one to the total if the side to move has a queen.
pub(crate) fn wrong_sum() -> impl Subject {
    changing(sound(), |position, answer| {
        let us = position.side_to_move();
        let has_queen = !position.pieces(us, PieceType::Queen).is_empty();
        answer.total = answer.total.map(|total| total + u64::from(has_queen));
    })
}

/// Writes 0 for the rows that count 1.
pub(crate) fn empty_rows() -> impl Subject {
    changing(sound(), |_, answer| {
        for row in answer.rows.iter_mut().flatten() {
            row.nodes = if row.nodes == 1 { 0 } else { row.nodes };
        }
    })
}

/// Gives no count for positions with a black knight.
pub(crate) fn silent() -> impl Subject {
    changing(sound(), |position, answer| {
        if !position.pieces(Color::Black, PieceType::Knight).is_empty() {
            *answer = Answer::default();
        }
    })
}

/// Every third answer is one too high.
pub(crate) fn flaky() -> impl Subject {
    let mut asked = 0;
    changing(sound(), move |_, answer| {
        asked += 1;
        answer.total = answer.total.map(|total| total + u64::from(asked % 3 == 1));
    })
}

/// Prints garbage when White is in check.
pub(crate) fn mumbles() -> impl Subject {
    Toy(|route: &Route, depth: NonZeroU32| {
        let position = route.position();
        if position.side_to_move() == Color::White && position.is_check() {
            return Err(Failure::Unreadable {
                excerpt: "check!".to_owned(),
            });
        }
        answer(route, depth)
    })
}

/// Fails as soon as it meets such a position above the leaves.
fn failing(failure: Failure, fails: impl Fn(&Position) -> bool) -> impl Subject {
    fn meets(position: &Position, depth: u32, fails: &impl Fn(&Position) -> bool) -> bool {
        let moves = position.legal_moves();
        let below = |&m| meets(&position.play_unchecked(m), depth - 1, fails);
        fails(position) || depth > 1 && moves.iter().any(below)
    }
    Toy(move |route: &Route, depth: NonZeroU32| {
        if meets(route.position(), depth.get(), &fails) {
            return Err(failure.clone());
        }
        answer(route, depth)
    })
}

/// Crashes where it may capture en passant.
pub(crate) fn crashes_on_en_passant() -> impl Subject {
    failing(crash("signal 11"), |position| {
        let moves = position.legal_moves();
        moves.iter().any(|&m| position.is_en_passant(m))
    })
}

/// Hangs where it may castle.
pub(crate) fn hangs_on_castling() -> impl Subject {
    failing(TIMEOUT, |position| {
        let moves = position.legal_moves();
        moves.iter().any(|&m| position.is_castling(m))
    })
}

/// Crashes when it receives moves with a capture.
pub(crate) fn crashes_on_capture() -> impl Subject {
    Toy(|route: &Route, depth: NonZeroU32| {
        let mut position = *route.root();
        for &m in route.moves() {
            if position.is_capture(m) {
                return Err(crash("signal 6"));
            }
            position = position.play_unchecked(m);
        }
        answer(route, depth)
    })
}

/// Hangs from this depth on, whatever the position.
pub(crate) fn hangs_at(least: u32) -> impl Subject {
    Toy(move |route: &Route, depth: NonZeroU32| {
        if depth.get() < least {
            answer(route, depth)
        } else {
            Err(TIMEOUT)
        }
    })
}

const TIMEOUT: Failure = Failure::TimedOut {
    after: Duration::from_secs(5),
};

fn crash(how: &str) -> Failure {
    Failure::Crashed {
        how: how.to_owned(),
    }
}

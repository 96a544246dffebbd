//! The evaluation of the `ChessBin` articles ("Chess Board Evaluation", "Piece Square Table",
//! "Chess Piece Representation"), on bitboards.
//!
//! The numbers are those of the articles. Their mistakes are fixed; `docs/log/chessbin.md` lists
//! each of them with its replacement. One walk over the position passes every term to a [`TermSink`];
//! summing and tracing differ only in the sink, so they always agree.

mod actions;
mod pieces;
mod tables;
mod term;

use actions::ActionValues;
use term::{Sum, Term, TermLedger, TermSink};

use super::{EvalTrace, Evaluation, Phase, Phased, Taper, TraceRow};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{self, Multiversioned};
use chess::rules::{Color, PieceType, Position};

/// The evaluation of the `ChessBin` articles.
///
/// ```
/// use engine::eval::{ChessBin, Evaluation};
/// use chess::rules::Position;
///
/// // All is equal except the right to move, which is worth 10.
/// let position = Position::startpos();
/// assert_eq!(ChessBin.evaluate(&position), 10);
/// println!("{}", ChessBin.trace(&position));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChessBin;

/// With fewer pieces than this on the board, kings and pawns included, it is the end game.
const END_GAME_BELOW: u32 = 10;
/// Bonus for the side to move.
const TEMPO: Phased = Phased::both(10);
/// Penalty for being in check.
const CHECK: Phased = Phased::new(-75, -85);

impl ChessBin {
    /// Piece values in centipawns. The king's value only needs to exceed all others together: it
    /// orders captures, and evaluations omit it, since both sides have one.
    pub const fn piece_value(kind: PieceType) -> i32 {
        match kind {
            PieceType::Pawn => 100,
            PieceType::Knight => 320,
            PieceType::Bishop => 325,
            PieceType::Rook => 500,
            PieceType::Queen => 975,
            PieceType::King => 32_767,
        }
    }

    /// The bonus for being defended by a piece of this kind, and the penalty for being attacked by
    /// one: the cheaper the attacker, the higher.
    pub const fn action_value(kind: PieceType) -> i32 {
        match kind {
            PieceType::Pawn => 6,
            PieceType::Knight | PieceType::Bishop => 3,
            PieceType::Rook => 2,
            PieceType::Queen | PieceType::King => 1,
        }
    }

    /// The balance for White, in both phases.
    #[inline(always)]
    pub(super) fn sum(position: &Position) -> Phased {
        cpu::with_sliders(Walk(position, Sum::default())).0
    }

    /// The terms of a trace.
    pub(super) fn rows(position: &Position) -> Vec<TraceRow> {
        cpu::with_sliders(Walk(position, TermLedger::default())).into_rows()
    }
}

impl Evaluation for ChessBin {
    fn evaluate(&self, position: &Position) -> i32 {
        let white = Self::sum(position).at(phase(position));
        match position.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        }
    }

    fn trace(&self, position: &Position) -> EvalTrace {
        EvalTrace::new(
            "ChessBin",
            Self::rows(position),
            Taper::only(phase(position)),
            position.side_to_move(),
        )
    }
}

/// The phase depends on the position alone, so it is known before any term is computed.
#[inline(always)]
fn phase(position: &Position) -> Phase {
    if position.occupied().count() < END_GAME_BELOW {
        Phase::EndGame
    } else {
        Phase::MiddleGame
    }
}

/// A walk over a position that passes every term to a sink and returns the sink.
struct Walk<'a, K>(&'a Position, K);

impl<K: TermSink> Multiversioned for Walk<'_, K> {
    type Output = K;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> K {
        let Self(position, mut sink) = self;
        let actions = ActionValues::new(position, sliders, &mut sink);
        for color in Color::ALL {
            pieces::value(position, color, &actions, &mut sink);
            pieces::value_pawns(position, color, &actions, &mut sink);
            pieces::value_king(position, color, &mut sink);
        }
        let mover = position.side_to_move();
        sink.add(Term::Tempo, mover, TEMPO);
        if actions.on(position.king(mover), !mover) != 0 {
            sink.add(Term::Check, mover, CHECK);
        }
        sink
    }
}

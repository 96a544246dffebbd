//! Checks that an announced mate is on the board at the end of the PV.

use std::num::NonZeroU32;

use chess::rules::{CastlingMode, Outcome, Position};
use uci::grammar::{Bound, ScoreValue};

use super::line::{IllegalPv, play_out};
use super::search::Observation;
use crate::goal::MateGoal;

/// Why a mate does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MateFault {
    /// None was announced.
    #[error("no mate announced")]
    NotAnnounced,
    /// It is longer than asked for.
    #[error("{announced} announced, {wanted} wanted")]
    TooLong {
        /// The mate announced.
        announced: MateGoal,
        /// The mate asked for.
        wanted: MateGoal,
    },
    /// The PV has an illegal move.
    #[error("{announced} announced, but {fault}")]
    Illegal {
        /// The mate announced.
        announced: MateGoal,
        /// The move.
        fault: IllegalPv,
    },
    /// The PV does not end in mate.
    #[error("{announced} announced, but after the {plies} plies of the PV there is none")]
    NoMate {
        /// The mate announced.
        announced: MateGoal,
        /// Length of the PV, in plies.
        plies: usize,
    },
    /// The PV ends in mate, but later than announced.
    #[error("{announced} announced, but the PV mates in {mates}")]
    Later {
        /// The mate announced.
        announced: MateGoal,
        /// The moves to mate in the PV.
        mates: u32,
    },
}

/// Returns the moves to mate that a PV announces, provided that its moves are legal and end in mate
/// in time. That the opponent has no better defence is the engine's claim and not checked.
///
/// # Errors
///
/// When no mate of the side in `wanted` is announced, or only a longer one; when the moves are not
/// legal, or do not mate, or not as soon as announced.
pub fn prove(
    observation: &Observation,
    position: &Position,
    mode: CastlingMode,
    wanted: MateGoal,
) -> Result<u32, MateFault> {
    let moves = announced(observation, wanted).ok_or(MateFault::NotAnnounced)?;
    let announced = wanted.with_moves(moves);
    if moves > wanted.moves() {
        return Err(MateFault::TooLong { announced, wanted });
    }
    let line = play_out(position, &observation.pv, mode);
    if let Some(fault) = line.fault {
        return Err(MateFault::Illegal { announced, fault });
    }
    let plies = line.moves.len();
    let winner = match wanted {
        MateGoal::Mates(_) => position.side_to_move(),
        MateGoal::Mated(_) => !position.side_to_move(),
    };
    if line.end.outcome() != Some(Outcome::Checkmate { winner }) {
        return Err(MateFault::NoMate { announced, plies });
    }
    let mates = u32::try_from(plies.div_ceil(2)).unwrap_or(u32::MAX);
    if mates > moves.get() {
        return Err(MateFault::Later { announced, mates });
    }
    Ok(moves.get())
}

/// The moves to mate that a PV announces for the wanted side. A bound that leaves room for a better
/// score of the mated side does not count.
fn announced(observation: &Observation, wanted: MateGoal) -> Option<NonZeroU32> {
    let score = observation.score?;
    let ScoreValue::Mate(moves) = score.value else {
        return None;
    };
    let (is_wanted_side, open_bound) = match wanted {
        MateGoal::Mates(_) => (moves > 0, Bound::Upper),
        MateGoal::Mated(_) => (moves < 0, Bound::Lower),
    };
    let moves = NonZeroU32::new(moves.unsigned_abs())?;
    (is_wanted_side && score.bound != Some(open_bound)).then_some(moves)
}

//! Whether a mate that is announced is on the board at the end of the variation.

use std::num::NonZeroU32;

use engine::rules::{CastlingMode, Outcome, Position};
use engine::uci::ScoreValue;

use super::line::{IllegalPv, play_out};
use super::search::Observation;

/// Why a mate does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MateFault {
    /// None was announced.
    #[error("no mate announced")]
    NotAnnounced,
    /// It takes too long.
    #[error("mate in {announced} announced, mate in {wanted} wanted")]
    TooLong {
        /// The moves it takes.
        announced: u32,
        /// The moves it may take.
        wanted: NonZeroU32,
    },
    /// The variation has a move that is not legal.
    #[error("mate in {announced} announced, but {fault}")]
    Illegal {
        /// The moves that the mate was to take.
        announced: u32,
        /// The move.
        fault: IllegalPv,
    },
    /// The variation does not end in mate.
    #[error("mate in {announced} announced, but after the {plies} plies of the PV there is none")]
    NoMate {
        /// The moves that the mate was to take.
        announced: u32,
        /// How long the variation is.
        plies: usize,
    },
    /// The variation ends in mate, but later than was announced.
    #[error("mate in {announced} announced, but the PV mates in {mates}")]
    Later {
        /// The moves that the mate was to take.
        announced: u32,
        /// The moves it takes.
        mates: u32,
    },
}

/// The moves to mate that a variation announces, when its moves, played one after the other, end
/// in mate in time. That the opponent has no better defence is the engine's word.
///
/// # Errors
///
/// When no mate is announced for the side to move, or only a longer one than `wanted`; when the
/// moves are not legal, or do not mate, or not as soon as announced.
pub fn prove(
    observation: &Observation,
    position: &Position,
    mode: CastlingMode,
    wanted: NonZeroU32,
) -> Result<u32, MateFault> {
    let announced = announced(observation).ok_or(MateFault::NotAnnounced)?;
    if announced > wanted.get() {
        return Err(MateFault::TooLong { announced, wanted });
    }
    let line = play_out(position, &observation.pv, mode);
    if let Some(fault) = line.fault {
        return Err(MateFault::Illegal { announced, fault });
    }
    let plies = line.moves.len();
    let winner = position.side_to_move();
    if line.end.outcome() != Some(Outcome::Checkmate { winner }) {
        return Err(MateFault::NoMate { announced, plies });
    }
    let mates = u32::try_from(plies.div_ceil(2)).unwrap_or(u32::MAX);
    if mates > announced {
        return Err(MateFault::Later { announced, mates });
    }
    Ok(announced)
}

/// The moves to mate that a variation announces for the side to move. An upper bound promises
/// nothing.
fn announced(observation: &Observation) -> Option<u32> {
    let score = observation.score?;
    match score.value {
        ScoreValue::Mate(moves) if score.bound != Some(engine::uci::Bound::Upper) => {
            u32::try_from(moves).ok().filter(|&moves| moves > 0)
        }
        _ => None,
    }
}

//! Plays out PVs on the board.

use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Position};

/// A PV that has an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal PV: move {number}, {text}, is not legal in {fen}")]
pub struct IllegalPv {
    /// The number of the move, from 1.
    pub number: usize,
    /// The move.
    pub text: UciMove,
    /// The position in which it is not legal.
    pub fen: String,
}

/// The legal part of a PV.
#[derive(Clone, Debug)]
pub struct Line {
    /// The moves that are legal.
    pub moves: Vec<Move>,
    /// The position after them.
    pub end: Position,
    /// The first move that is not legal.
    pub fault: Option<IllegalPv>,
}

/// Plays the moves of a PV up to the first illegal one.
pub fn play_out(position: &Position, pv: &[UciMove], mode: CastlingMode) -> Line {
    let mut line = Line {
        moves: Vec::with_capacity(pv.len()),
        end: *position,
        fault: None,
    };
    for &text in pv {
        let Some(m) = text.to_move(&line.end, mode) else {
            line.fault = Some(IllegalPv {
                number: line.moves.len() + 1,
                text,
                fen: fen::write(&line.end),
            });
            break;
        };
        line.end = line.end.play_unchecked(m);
        line.moves.push(m);
    }
    line
}

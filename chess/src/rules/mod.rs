//! The rules of chess, standard and Chess960.
//!
//! [`Setup`] holds anything a FEN can express; only [`Position::from_setup`] makes a [`Position`],
//! which is legal by construction and needs no further checks. Two generators list its legal moves:
//! [`Position::legal_moves`] on bitboards, and [`mailbox`], the slow, independent oracle;
//! [`explain`] gives the reason why a move is legal or not.

pub mod attacks;
mod bitboard;
mod bmi2;
mod chess960;
pub mod cpu;
mod cycle;
pub mod explain;
mod game;
pub mod mailbox;
mod movegen;
mod moves;
mod outcome;
mod piece;
mod play;
mod position;
mod see;
mod setup;
mod square;
mod validate;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use chess960::{CHESS960_POSITIONS, chess960_back_rank};
pub use game::Game;
pub use movegen::{MAX_MOVES, MoveList, king_danger, may_castle};
pub use moves::{CastlingMode, CastlingSide, Move};
pub use outcome::{ClaimableDraw, Outcome};
pub use piece::{ByColor, ByPieceType, Color, Piece, PieceType};
pub use play::IllegalMoveError;
pub use position::Position;
pub use setup::Setup;
pub use square::{File, ParseSquareError, Rank, Square};
pub use validate::{PositionError, PositionFault};

pub(crate) use validate::FaultyPart;

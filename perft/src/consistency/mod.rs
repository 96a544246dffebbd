//! Checking what an engine knows of its position besides the moves: the FEN, the checkers and the
//! hash key that it prints on `d`, after every move of random games.
//!
//! Perft cannot see these faults: an engine counts correctly with a key that castling leaves behind.
//! [`run`] plays the games and owns the result ([`outcome`]); a [`question`] says what is asked,
//! [`judge`] compares the answer with ours, [`keys`] remembers every key and the position it stands
//! for, [`moves`] draws the moves, [`shrink`] makes the example of a fault as short as it can be. [`process`] is the edge.
//!
//! Nothing that two sound engines may do differently is a fault: when an en passant square is set, how
//! castling rights are written, whether the halfmove clock is hashed, how wide a key is.

mod display;
mod fen_fields;
mod judge;
mod keys;
mod moves;
pub(crate) mod outcome;
pub(crate) mod process;
pub(crate) mod question;
pub(crate) mod run;
mod shrink;

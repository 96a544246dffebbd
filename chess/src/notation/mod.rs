//! Conversion between text and types.
//!
//! Every parser is strict unless its name says lenient; a lenient parser documents what it
//! tolerates.

pub mod fen;
pub mod move_list;
pub mod pgn;
pub mod polyglot;
pub mod san;
pub mod uci_move;

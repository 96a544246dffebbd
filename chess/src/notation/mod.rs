//! Text to types and back.
//!
//! Every reader is strict unless its name says lenient; a lenient reader lists what it tolerates.

pub mod fen;
pub mod move_list;
pub mod pgn;
pub mod san;
pub mod uci_move;

//! Forced mates, by exhaustive search.
//!
//! [`MateSearch`] answers one question exactly: does the side to move mate in at most N of its own
//! moves, against any defence? All moves of both sides are searched, checks or not, including
//! underpromotions; nothing is pruned that could change the answer. Mates in four are fast enough
//! thanks to move ordering (refutations first), a mask of checking moves for the last ply, where no
//! other move mates, and a transposition table.
//!
//! The history of the game is ignored: repetition and the fifty- and seventy-five-move rules do not
//! end a line. A shortest mate repeats no position.
//!
//! Moves are counted as in `dm`: the attacker's own. Every call has a node budget; when it is
//! exhausted, the result is [`OutOfNodes`], never a guess.
//!
//! ```
//! use chess::notation::{fen, san};
//! use epd::mate::MateSearch;
//!
//! // . . . . . . k .
//! // . . . . . p p p
//! // . . . . . . . .
//! // . . . . . . . .   and a rook for each side: a back rank.
//! let position = fen::parse("3r2k1/5ppp/8/8/8/8/3R1PPP/3R2K1 w - - 0 1")?;
//! let mut search = MateSearch::new(1_000_000);
//! let mates = search.first_moves(&position, 3)?;
//! assert_eq!(mates.len(), 1);
//! assert_eq!(san::write(mates[0].first, &position), "Rxd8#");
//! assert_eq!(mates[0].moves, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checks;
mod search;
mod table;

pub use search::{ForcedMate, MateSearch, OutOfNodes};

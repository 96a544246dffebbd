//! Forced mates, by exhaustive search.
//!
//! [`MateSearch`] answers one kind of question exactly: does the side to move mate in at most so
//! many moves of its own, whatever the defender does? Every move of both sides is looked at,
//! checks or not, underpromotions too; nothing is pruned that could change the answer. What makes
//! it fast enough for mates in four is the order (the replies that refuted another move first), a
//! mask of the moves that give check for the last ply, where no other move mates, and a table of
//! what is known already.
//!
//! It knows the rules of movement and nothing of the history: repetition and the counts of fifty
//! and seventy-five moves do not end a line. A shortest mate repeats no position.
//!
//! Moves are counted as in `dm`: the attacker's own. A budget of nodes bounds every call; when it
//! is used up, the answer is [`OutOfNodes`], never a guess.
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

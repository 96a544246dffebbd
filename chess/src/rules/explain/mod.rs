//! Why a move is legal or not: one sentence that names the rule, the piece and the squares.
//!
//! The reasoning proceeds step by step, as a player's would: whose piece it is, how it moves, what
//! blocks its way, and finally whether the king would be attacked after the move. It is slow and
//! shares no mask with the generator for play; a test checks that both agree on every conceivable
//! move. If several rules forbid a move, the first of these steps is reported.
//!
//! [`Sight`] holds the accompanying diagrams as data.
//!
//! ```
//! use chess::notation::fen;
//! use chess::rules::{Move, Square, explain};
//!
//! let position = fen::parse("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1")?;
//! let explanation = explain::explain(&position, Move::new(Square::E5, Square::D6));
//! assert!(!explanation.is_legal());
//! assert_eq!(explanation.rule().as_str(), "en-passant-discovers-check");
//! assert_eq!(
//!     explanation.to_string(),
//!     "e5d6 is illegal: capturing en passant takes both pawns off the fifth rank \
//!      and the rook on h5 attacks the king on a5"
//! );
//! # Ok::<(), fen::ParseFenError>(())
//! ```

mod allowed;
mod castling;
mod explanation;
mod movement;
mod pawn;
mod reason;
mod rule;
mod safety;
mod sight;
mod view;

pub use explanation::{Explanation, explain};
pub use rule::Rule;
pub use sight::{Pin, Sight, line_of_sight};

use reason::Reason;

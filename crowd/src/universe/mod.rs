//! The conceivable moves of a position: what people are asked about, fixed before anybody answers.
//!
//! Each (position, candidate) is one yes/no question, so the questions must be the same for everybody and must say
//! nothing of the answers. A candidate is what the diagram alone allows: where a piece of the side to move could go
//! on a board that is empty but for it. Its own comrades and the opponent's pieces are not looked at, nor checks, pins,
//! and the right to castle. Squares of one's own pieces are targets too.
//!
//! | piece | squares |
//! |---|---|
//! | queen, rook, bishop | every square of its rays |
//! | knight, king | every square it reaches |
//! | pawn | one ahead, two ahead from where it starts, both aslant; on the last rank four promotions of each |
//! | castling, standard | `e1g1` and `e1c1` for a king on e1, `e8g8` and `e8c8` for one on e8 |
//! | castling, Chess960 | the king takes each of its own rooks on its first rank |
//!
//! Which of the two forms castling has is [`chess::rules::Position::castling_mode`], plain from the FEN that people
//! are shown. The en passant square is that field of the FEN, and only sorts a candidate into its class.
//!
//! `legal_texts`, `move_of` and `why` are the other side, for when a position is closed; nothing in them is
//! for the eyes of one who still lists.

mod canonical;
mod diagram;
mod geometry;
mod legal;
mod why;

pub use canonical::{ListedMoveError, canonical};
pub use geometry::{Candidate, class_of, universe};
pub(crate) use legal::text_of;
pub use legal::{legal_texts, move_of};
pub use why::why;

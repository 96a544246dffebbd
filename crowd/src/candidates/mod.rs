//! The candidate moves of a position: the questions that people are asked, fixed before anybody
//! answers.
//!
//! Each (position, candidate) is one yes/no question. The questions must be the same for everybody
//! and must not hint at the answers, so a candidate depends on the diagram alone: where a piece of
//! the side to move could go on an otherwise empty board. Other pieces, checks, pins and castling
//! rights are ignored. Squares of one's own pieces are targets too.
//!
//! | piece | squares |
//! |---|---|
//! | queen, rook, bishop | every square of its rays |
//! | knight, king | every square it reaches |
//! | pawn | one ahead, two ahead from where it starts, both aslant; on the last rank four promotions of each |
//! | castling, standard | `e1g1` and `e1c1` for a king on e1, `e8g8` and `e8c8` for one on e8 |
//! | castling, Chess960 | the king takes each of its own rooks on its first rank |
//!
//! Which form castling has depends on [`chess::rules::Position::castling_mode`], visible from the
//! FEN that people are shown. The en passant field of the FEN only sorts a candidate into its
//! class.
//!
//! `legal_texts`, `move_of` and `why` are the other side, for closed positions; they must not be
//! shown to anyone who still lists.

mod geometry;
mod legal;

pub use geometry::{Candidate, ListedMoveError, candidates, canonical, class_of};
pub use legal::{legal_texts, move_of, san_of, why};
pub(crate) use legal::{plain_move, text_of};

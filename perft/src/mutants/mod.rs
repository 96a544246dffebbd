//! Deliberately broken move generators, with which perft suites are judged.
//!
//! [`Mutant`] is a third generator, written as many engines write theirs: a mailbox, moves made and
//! taken back, pseudo-legal moves tested for legality. It shares only types with the two of
//! `engine`. Unbroken it agrees with them; a [`Mutation`] breaks one rule of it. [`detect`]
//! tells which of them a suite notices, and at which cost; [`report`] says it.

mod attacks;
mod board;
mod count;
pub mod detect;
mod generate;
mod legality;
mod make;
mod mutation;
pub mod report;

pub use board::Mutant;
pub use count::Budget;
pub use mutation::Mutation;

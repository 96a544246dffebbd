//! Deliberately broken move generators, used to judge perft suites.
//!
//! [`Mutant`] is a third generator, written as many engines write theirs: mailbox board, make and
//! unmake, pseudo-legal moves tested for legality. It shares only types with the two generators of
//! `chess`. Unbroken, it agrees with them; a [`Mutation`] breaks one rule. `detect` finds which
//! mutants a suite catches and at what cost.

mod attacks;
mod board;
mod count;
pub(crate) mod detect;
mod generate;
mod legality;
mod make;
mod mutation;

pub use board::Mutant;
pub use count::Budget;
pub use mutation::Mutation;

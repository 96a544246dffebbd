//! Faults of move generators: one model of how a generator can be wrong.
//!
//! A [`Fault`] is a condition with an effect: where the condition holds, a legal move is not listed, an
//! illegal one is, a move leaves something else behind than it should, and so on. `families` has the tables
//! from which faults are made. A suite catches a fault if a count that is made with it differs: [`Faulty`] is
//! the generator with a fault, [`Shown`] finds all faults that a count shows at once.

mod bank;
mod board;
mod caught;
mod cover;
mod families;
mod fault;
mod features;
mod generator;
mod scene;
mod shown;
#[cfg(test)]
mod tests;

pub use bank::{FaultExample, Scope, bank, examples};
pub(crate) use caught::caught;
pub use cover::{Cover, Offer, cover, cover_from};
pub use fault::{Fault, FaultSet, family_ranges, find};
pub use generator::Faulty;
pub use shown::Shown;

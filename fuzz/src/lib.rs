//! Seeded mutations of texts and bytes against the parsers of the workspace.
//!
//! A [`Target`] is one grammar: a corpus, the words of the grammar, and a check that reads an input and
//! asks of it what holds of every input. [`Mutator`] makes inputs of the corpus; number `n` of seed `s` is
//! the same on every machine. [`run`] reads inputs, measures each, and keeps those that fail.
//!
//! What is asked of every input: no panic; an end within [`DEADLINE`]; what is read can be written, and
//! is read again as the same; an error has a text, and a place that lies within the input.
//!
//! Deliberately absent: coverage, which would need another toolchain, and programs: `engine/tests/it/uci_fuzz` holds
//! dialogues with `touchstone`, `crowd/tests/it/hostile` sends requests.

#[macro_use]
mod target;

mod corpus;
mod mutator;
pub mod run;
pub mod targets;

pub use mutator::Mutator;
pub use run::DEADLINE;
pub use target::{Checked, Target};

//! Mutations of texts and bytes against the parsers of the workspace, by `proptest`.
//!
//! A [`FuzzTarget`] is one grammar: a corpus, and a check that reads an input and asks of it what holds of every input.
//! [`inputs`] makes inputs of the corpus; `tests/targets.rs` reads them.
//!
//! What is asked of every input: no panic; an end in time, in little memory; what is read can be written, and
//! is read again as the same; an error has a text, and a place that lies within the input.
//!
//! Deliberately absent: coverage, which would need another toolchain, and programs: `engine/tests/it/uci_fuzz` holds
//! dialogues with `touchstone`, `crowd/tests/it/hostile` sends requests.

#[macro_use]
mod target;

mod corpus;
mod inputs;
pub mod targets;

pub use corpus::entries;
pub use inputs::inputs;
pub use target::FuzzTarget;

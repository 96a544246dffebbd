//! The search of profile `Touchstone`: a selective principal variation search. Its features besides
//! plain alpha-beta are listed in [`Features`]; their value in games is documented in
//! `docs/strength.md`. The techniques and their names are those of the chessprogramming wiki; the
//! parameters are our own.

mod checks;
mod config;
mod correction;
mod features;
mod history;
mod learning;
mod moves;
mod node;
mod path;
mod picker;
pub(super) mod pool;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod trend;
mod worker;

pub use config::Config;
pub use features::{Features, UnknownFeatureError};
pub(super) use pool::Team;
pub(super) use worker::Memory;

//! The search of profile `Touchstone`: a selective principal variation search. Its features besides
//! plain alpha-beta are listed in [`Features`]; their value in games is documented in
//! `docs/strength.md`. The techniques and their names are those of the chessprogramming wiki; the
//! parameters are our own.

mod correction;
mod features;
mod history;
mod history_update;
mod mate_search;
mod moves;
mod node;
mod parameters;
mod path;
mod picker;
pub(super) mod pool;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod trend;
mod worker;

pub use features::{Config, Features, UnknownFeatureError};
pub use parameters::{Parameters, SearchParameter};
pub(super) use pool::Team;
pub(super) use worker::ThreadHistories;

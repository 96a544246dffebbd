//! The search of profile `Touchstone`: principal variation search that cuts away whatever is not
//! worth looking at. What it does besides the plain search is listed in [`Features`]; what each was
//! worth in games, in `docs/strength.md`. The ideas are the field's, by their names of the
//! chessprogramming wiki; the numbers are our own.

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

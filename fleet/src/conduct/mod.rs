//! Tests, from a submission to a verdict.

pub use selfplay::lab::{spec, summary};

//! The node count of an engine's `bench`: a signature that changes with its search or evaluation.
//!
//! [`signature`] and [`expectation`] are pure; [`run`] starts the engine.

pub(crate) mod expectation;
pub(crate) mod run;
pub(crate) mod signature;

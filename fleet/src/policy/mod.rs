//! Scheduling, verification and the finality of verdicts: pure decisions, without a clock, a database
//! or chance of their own.

pub mod confirm;
pub mod schedule;
pub mod verify;

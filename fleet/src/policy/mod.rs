//! Who gets what, and whom to believe: pure decisions, without a clock, a database or chance of
//! their own.

pub mod confirm;
pub mod schedule;
pub mod verify;

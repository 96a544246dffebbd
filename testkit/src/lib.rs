//! What the tests of several crates share: random positions and games, the scale of a test, processes
//! and programs, pages whose commands are run, and python-chess as a judge. Only tests depend on it.
//!
//! `examples/scripted_engine` is an engine that misbehaves on demand, for the tests of every crate that drives engines.

pub mod console;
pub mod games;
pub mod positions;
pub mod processes;
pub mod programs;
pub mod python;
mod setting;

use std::time::Duration;

pub use positions::random_start;
pub use setting::{number, scale, setting, some};

/// What a test waits for has this time. Only a process that hangs takes it, on a busy machine too: no test
/// depends on speed.
pub const HANG: Duration = Duration::from_mins(5);

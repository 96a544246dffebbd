//! What a machine of a lab does: `fleet worker URL`.
//!
//! One loop ([`queue::work::WorkerLoop`]) does work of all kinds. `machine` finds out what the
//! machine can do, `speed` how fast it is, `builds` makes engines from their source in a
//! `sandbox` (by `bubblewrap`, or by `confine`), and `programs` is how tasks find them. `run` is the command.
//!
//! Deliberately absent: what a result means. Workers decide nothing.

mod builds;
#[cfg(target_os = "linux")]
mod confine;
mod fetch;
mod machine;
mod programs;
mod proxy;
mod run;
mod sandbox;
mod speed;
mod step;
#[cfg(all(test, target_os = "linux"))]
mod tests;

#[cfg(target_os = "linux")]
pub use confine::{ConfineArgs, run as confine};
pub use run::{WorkerArgs, run};

//! The program as its users see it, and the generators, mutants and hunts behind it.

mod cli;
mod common;
mod consistency;
mod coverage;
mod dialects;
mod engine_check;
mod explain;
#[cfg(feature = "fleet")]
mod fleet;
mod generate;
mod hunt_mutants;
mod mutants;
mod mutants_agree;
mod resume;
#[cfg(unix)]
mod tutorial;
#[cfg(unix)]
mod watch;

//! The program as its users see it, and the generators and hunts behind it.

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
mod generator_agrees;
mod hunt_faults;
mod perftcheck;
mod random;
mod resume;
mod stages;
mod strict;
#[cfg(unix)]
mod tutorial;
#[cfg(unix)]
mod watch;

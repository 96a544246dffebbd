//! The program as its users see it, and the generators and hunts behind it.

mod cli;
mod common;
mod consistency;
mod coverage;
mod dialects;
mod engine_check;
mod explain;
mod generate;
mod generator_agrees;
mod hunt_faults;
#[cfg(feature = "fleet")]
mod lab;
mod perftcheck;
mod random;
mod resume;
mod stages;
mod strict;
#[cfg(unix)]
mod tutorial;
#[cfg(unix)]
mod watch;

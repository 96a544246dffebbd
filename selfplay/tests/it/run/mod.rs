//! Whole runs of the program, with engines that are processes: what is recorded, what is reported, what is
//! left when it is killed.

#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, wait for them, and look at what they leave"
)]

mod control;
mod ends;
mod errors;
mod log;
#[cfg(target_os = "linux")]
mod pinning;
mod resume;
#[cfg(unix)]
mod revisions;
#[cfg(unix)]
mod stalls;
#[cfg(unix)]
mod stopped;

//! Whole runs of the program, with engines that are processes: what is recorded, what is told, what is
//! left when it is killed.

#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, wait for them, and look at what they leave"
)]

mod bed;
#[path = "../common/mod.rs"]
mod common;
mod ends;
mod errors;
#[path = "../common/repository.rs"]
mod repository;
mod resume;
mod revisions;
mod stopped;

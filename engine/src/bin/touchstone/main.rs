//! The engine `touchstone`: plays chess by UCI.
//!
//! This is the edge of the crate: threads, clock, files and standard streams are here and nowhere
//! else. [`session`] obeys the lines of the user one after the other; [`worker`] is the thread that
//! searches; [`control`] is what both know of a piece of work. The rest turns words into values
//! and values into words.

mod bench;
mod board;
mod cli;
mod control;
mod count;
mod display;
mod endings;
mod file;
mod go;
mod input;
mod network;
mod opening;
mod options;
mod output;
mod report;
mod request;
mod session;
mod stopwatch;
mod worker;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}

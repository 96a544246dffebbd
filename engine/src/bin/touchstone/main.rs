//! The UCI chess engine `touchstone`.
//!
//! Threads, clock, files and standard streams are used only in this binary, not in the library.
//! [`session`] executes the commands one after the other; [`worker`] is the search thread;
//! [`control`] synchronises the two. The other modules parse commands and format answers.

mod bench;
mod board;
mod cli;
mod control;
mod count;
mod display;
mod file;
mod go;
mod input;
mod opening;
mod options;
mod output;
mod report;
mod request;
mod session;
mod worker;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}

//! A UCI or `XBoard` engine for tests: it plays, counts and answers as its flags say, and misbehaves on demand.
//!
//! Without flags it plays legal moves that depend on nothing but the position, and counts correctly
//! by `go perft N`, printed as Stockfish prints it. `--help` lists the flags.

mod answers;
mod board;
mod breach;
mod display;
mod engine;
mod flags;
mod process;
mod script;
mod tunable;
mod wording;
mod wrap;
mod xboard;

use std::process::ExitCode;

use clap::Parser as _;
use engine::Engine;
use flags::Flags;

fn main() -> ExitCode {
    process::register();
    // An error of I/O means that nobody reads any more: then there is nothing left to do.
    Engine::new(Flags::parse())
        .run()
        .unwrap_or(ExitCode::SUCCESS)
}

//! A UCI or `XBoard` engine for tests: it plays, counts and answers as its flags say, and misbehaves on demand.
//!
//! Without flags it plays legal moves that depend on nothing but the position, and counts correctly
//! by `go perft N`, printed as Stockfish prints it. `--help` lists the flags. How it is asked for counts, how it prints
//! them and what is wrong with them is said in `bank.toml`; how it misbehaves otherwise, in `misbehaviours.txt`.
//! Nothing of how `perft check` asks or reads is used here: what an engine says follows from how real engines print.

/// An enum of one kind of flag, with what each value is like.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident $($variant:ident $(as $text:literal)? $what:literal)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
        pub(crate) enum $name {
            $(#[doc = $what] $(#[value(name = $text)])? $variant,)*
        }
    };
}

mod answer;
#[expect(
    dead_code,
    reason = "the whole bank, and what a check must come to, is read by a test of perft"
)]
mod bank;
mod board;
mod breach;
mod count;
mod display;
mod engine;
mod flags;
mod misbehaviour;
mod output;
mod process;
mod script;
mod search;
mod spell;
mod stages;
mod steps;
mod template;
mod tunable;
mod wrap;
mod xboard;

use std::process::ExitCode;

use clap::Parser as _;
use engine::Engine;
use flags::Flags;

fn main() -> ExitCode {
    process::register();
    process::panic_without_backtrace();
    // An error of I/O means that nobody reads any more: then there is nothing left to do.
    Engine::new(Flags::parse())
        .run()
        .unwrap_or(ExitCode::SUCCESS)
}

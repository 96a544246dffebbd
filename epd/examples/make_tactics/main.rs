//! Makes the tactical suites of `epd/suites/tactics`, and proves them again.
//!
//! Games are played by a Stockfish of few nodes that blunders at random; their positions are
//! searched for mates that one first move alone forces, and for moves that alone win. A mate is
//! proved by exhaustive search ([`epd::mate`]), a tactic by Stockfish with two lines at several node
//! counts. The games depend on the seed and the version of Stockfish alone, and so do the suites.
//!
//! With `--verify` nothing is made: every record of the files is proved anew.
//!
//! Exits with 0 when all is proved or made, 1 when a record fails or too few were found, 2 on bad
//! usage or input, 3 when Stockfish or the disk fails, 4 without a record, 130 when interrupted.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program with a report"
)]

mod find;
mod games;
mod judge;
mod stockfish;
mod themes;
mod variety;
mod verify;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use kit::{BadInput, Exit, Interrupt};
use stockfish::Stockfish;
use uci::{Cancel, EngineError};

/// Makes the tactical suites, or proves them again.
#[derive(Parser)]
struct Args {
    /// Prove the records of these files instead of making any
    #[arg(long, value_name = "FILE", num_args = 1..)]
    verify: Vec<PathBuf>,
    /// The node counts at which Stockfish must agree on a tactic
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "50000,200000,2000000"
    )]
    nodes: Vec<u64>,
    /// Where the games begin; another seed gives other suites
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most games that are played
    #[arg(long, value_name = "N", default_value_t = 2000)]
    games: u64,
    /// The folder the suites are written to
    #[arg(long, value_name = "FOLDER", default_value = "epd/suites/tactics")]
    out: PathBuf,
    /// The Stockfish to play and to ask
    #[arg(long, value_name = "PATH", default_value = "stockfish")]
    stockfish: PathBuf,
}

fn main() -> ExitCode {
    let exit = run(&Args::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        match error.downcast_ref::<EngineError>() {
            Some(EngineError::Cancelled) => Exit::Interrupted,
            _ if error.is::<BadInput>() => Exit::BadInput,
            _ => Exit::Failed,
        }
    });
    exit.into()
}

fn run(args: &Args) -> Result<Exit> {
    let cancel = Cancel::from(Interrupt::listen()?.shared());
    let mut stockfish = Stockfish::start(&args.stockfish, cancel)?;
    if args.verify.is_empty() {
        find::make(args, &mut stockfish)
    } else {
        verify::verify(&args.verify, &args.nodes, &mut stockfish)
    }
}

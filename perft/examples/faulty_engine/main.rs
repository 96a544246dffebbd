//! An engine that counts, in any dialect and wording, and misbehaves on demand: for testing those
//! who put questions to engines.
//!
//! Without flags it answers `go perft N` rightly, as Stockfish prints it. `--help` lists the flags.

mod counts;
mod flags;
mod print;
mod session;

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use counts::Board;
use flags::{Dialect, Flags};
use session::{Next, Session};

fn main() -> ExitCode {
    let flags = Flags::parse();
    let ended = if flags.dialect == Dialect::Script {
        script(&flags)
    } else {
        converse(&flags)
    };
    // Nobody reads any more: then there is nothing left to do.
    ended.unwrap_or(ExitCode::SUCCESS)
}

/// One question, on the command line.
fn script(flags: &Flags) -> io::Result<ExitCode> {
    let Some((depth, board)) = Board::of_words(&flags.words) else {
        writeln!(io::stderr(), "expected DEPTH FEN [MOVES]")?;
        return Ok(ExitCode::from(2));
    };
    let mut session = Session::new(flags);
    session.set(board);
    match session.count(depth)? {
        Next::Read => Ok(ExitCode::SUCCESS),
        Next::End(code) => Ok(code),
    }
}

/// Questions on standard input, one after the other.
fn converse(flags: &Flags) -> io::Result<ExitCode> {
    let mut session = Session::new(flags);
    for line in io::stdin().lock().lines() {
        if let Next::End(code) = session.obey(&line?)? {
            return Ok(code);
        }
    }
    if flags.ignore_quit {
        session::hang();
    }
    Ok(ExitCode::SUCCESS)
}

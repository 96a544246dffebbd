//! An engine put together from a description: a dialect times a bug, both named in a TOML file.
//!
//! `dialect_engine --bank FILE --dialect NAME [--bug NAME]`, and for dialects of programs that are
//! called for each question `-- WORDS`. Nothing of how `perft check` asks or reads is used here: what
//! an engine says follows from the description and from how real engines print.

mod answer;
#[expect(
    dead_code,
    reason = "the whole bank, and what a check must come to, is read by the test"
)]
mod bank;
mod count;
mod line;
mod output;
mod pattern;
mod session;
mod spell;

use std::io::{self, BufRead as _};
use std::path::PathBuf;
use std::process::ExitCode;

use bank::{Bank, Does, Protocol};
use clap::Parser;
use session::{Next, Session};

/// An engine made of a dialect and a bug.
#[derive(Debug, Parser)]
struct Flags {
    /// The file that describes dialects and bugs.
    #[arg(long)]
    bank: PathBuf,
    /// The dialect to speak.
    #[arg(long)]
    dialect: String,
    /// The bug to have.
    #[arg(long)]
    bug: Option<String>,
    /// The question, for dialects of programs that are called for each.
    #[arg(last = true)]
    words: Vec<String>,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    match run(&flags) {
        Ok(code) => code,
        // Nobody reads any more: then there is nothing left to do.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn run(flags: &Flags) -> io::Result<ExitCode> {
    let names: Vec<&str> = [Some(flags.dialect.as_str()), flags.bug.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let bank = Bank::read_named(&flags.bank, &names).map_err(io::Error::other)?;
    let missing = |what: &str, name: &str| io::Error::other(format!("no {what} is called {name}"));
    let dialect = bank.dialect(&flags.dialect);
    let dialect = dialect.ok_or_else(|| missing("dialect", &flags.dialect))?;
    let bug = match &flags.bug {
        None => None,
        Some(name) => Some(bank.bug(name).ok_or_else(|| missing("bug", name))?),
    };
    let does = bug.map_or(Does::Nothing, |bug| bug.does.clone());
    let called = dialect.protocol == Protocol::Program;
    let mut session = Session::new(dialect.clone(), does);
    if called {
        return session.call(&flags.words);
    }
    session.greet()?;
    for line in io::stdin().lock().lines() {
        if let Next::End(code) = session.obey(&line?)? {
            session.close()?;
            return Ok(code);
        }
    }
    session.close()?;
    Ok(ExitCode::SUCCESS)
}

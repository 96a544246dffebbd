//! Fits the evaluation weights of profile `Touchstone` to games, after Peter Österlund's "Texel's
//! tuning method" (chessprogramming wiki): the weights are chosen so that the scores of quiet
//! positions predict the results of their games best.
//!
//! Each of the commands writes the same file for the same arguments, regardless of the number of
//! threads; `docs/texel.md` has the details:
//!
//! ```console
//! $ cargo run --release -p touchstone-trainer -- openings --out openings.epd
//! $ cargo run --release -p touchstone-trainer -- positions GAMES.pgn --out positions.txt
//! $ cargo run --release -p touchstone-trainer -- fit positions.txt --out weights.rs
//! ```

mod arguments;
mod error;
mod files;
mod fit;
mod line;
mod network;
mod openings;
mod play;
mod positions;

use std::process::ExitCode;

use arguments::Arguments;
use error::TrainerError;

const USAGE: &str = "\
trainer openings --out FILE [--count N] [--plies N] [--seed N]
trainer play --out FILE [--games N] [--nodes N] [--sidelines N] [--network FILE|none]
trainer positions GAMES.pgn... --out FILE [--per-game N] [--skip PLIES] [--quiet CP] [--decided CP]
trainer fit POSITIONS... --out WEIGHTS.rs [--epochs N] [--lambda L] [--hold-out SHARE] [--rate CP]
    [--batch N] [--spread CP]
trainer network POSITIONS... --out FILE.net [--epochs N] [--lambda L] [--rate R] [--decay D]
    [--batch N] [--scale CP]
each also: [--seed N] [--threads N]";

#[expect(clippy::print_stderr, reason = "errors")]
fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(TrainerError::Usage(text)) => {
            eprintln!("error: {text}\n\n{USAGE}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(mut words: impl Iterator<Item = String>) -> Result<(), TrainerError> {
    let name = words.next().unwrap_or_default();
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        return Err(TrainerError::Usage(format!("there is no command '{name}'")));
    };
    let arguments = Arguments::parse(words, command.options)?;
    let threads = arguments.number("threads", 0, 0..=1024)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build()?.install(|| (command.run)(&arguments))
}

/// A command of the trainer.
struct Command {
    name: &'static str,
    /// Its options besides the common ones.
    options: &'static [&'static str],
    run: fn(&Arguments) -> Result<(), TrainerError>,
}

const COMMANDS: [Command; 5] = [
    Command {
        name: "openings",
        options: openings::OPTIONS,
        run: openings::run,
    },
    Command {
        name: "play",
        options: play::OPTIONS,
        run: play::run,
    },
    Command {
        name: "positions",
        options: positions::OPTIONS,
        run: positions::run,
    },
    Command {
        name: "fit",
        options: fit::OPTIONS,
        run: fit::run,
    },
    Command {
        name: "network",
        options: network::OPTIONS,
        run: network::run,
    },
];

/// Reports progress on standard error.
#[expect(clippy::print_stderr, reason = "progress")]
fn say(text: &str) {
    eprintln!("{text}");
}

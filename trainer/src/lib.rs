//! Trains the network of `touchstone` by games of the engine with itself.
//!
//! Each of the commands writes the same file for the same arguments, regardless of the number of
//! threads; `docs/network.md` has the details.

mod convert;
mod cycle;
pub mod distributed;
mod evaluator;
mod files;
mod game;
#[cfg(feature = "fleet")]
mod lab;
mod label;
mod line;
mod network;
mod openings;
mod packed;
mod play;

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Parser, Subcommand};
use kit::cli::EXIT_CODES;
use kit::{Exit, SelfDescription};

use files::TrainerError;

/// Train the evaluation of touchstone from games
#[derive(Debug, Parser)]
#[command(
    name = "trainer",
    version,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct TrainerArgs {
    #[command(flatten)]
    common: kit::cli::Common,

    /// Number of threads; 0 for one per CPU
    #[arg(long, global = true, value_name = "N", default_value_t = 0, value_parser = within(0..=1024_usize))]
    threads: usize,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write balanced positions after random moves, one FEN per line
    Openings(openings::OpeningsOptions),
    /// Play games against itself and write quiet positions of them
    Play(play::PlayOptions),
    /// Convert positions from text to the binary format, 32 bytes each
    Pack(convert::ConvertOptions),
    /// Convert positions from the binary format to text
    Unpack(convert::ConvertOptions),
    /// Search positions anew and replace their scores
    Rescore(label::RescoreOptions),
    /// Train a network to predict results and scores
    Network(network::TrainOptions),
    /// Print the error of a network's static scores
    Measure(label::MeasureOptions),
    /// Run a round: self-play, training, a match against the current network
    Loop(cycle::CycleOptions),
    #[command(flatten)]
    SelfDescription(SelfDescription),
}

/// Prints progress on standard error.
type Say<'a> = &'a (dyn Fn(&str) + Sync);

/// Runs the program.
pub fn main() -> ExitCode {
    kit::cli::run(try_main, |error| match error.downcast_ref()? {
        TrainerError::Hash(_) | TrainerError::Threads(_) | TrainerError::Program { .. } => {
            Some(Exit::Failed)
        }
        _ => Some(Exit::BadInput),
    })
}

#[expect(clippy::print_stderr, reason = "progress")]
fn try_main() -> anyhow::Result<Exit> {
    let args: TrainerArgs = kit::cli::parse(EXIT_CODES, |args: &TrainerArgs| args.common);
    let output = match &args.command {
        Command::Openings(options) => Some(&options.output),
        Command::Play(options) => Some(&options.output),
        Command::Pack(options) | Command::Unpack(options) => Some(&options.output),
        Command::Rescore(options) => Some(&options.output),
        Command::Network(options) => Some(&options.output),
        Command::Measure(_) | Command::Loop(_) => None,
        Command::SelfDescription(asked) => {
            return asked.run(kit::cli::command::<TrainerArgs>(EXIT_CODES));
        }
    };
    // Before hours of work whose result could not be written.
    kit::output::check_writable(&[output.map(Path::new)])?;
    let say = |text: &str| {
        if !args.common.quiet {
            eprintln!("{text}");
        }
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        // The threads run searches, and this is the stack that those ask for.
        .stack_size(engine::search::STACK_BYTES);
    let pool = pool.build().map_err(TrainerError::Threads)?;
    pool.install(|| {
        match &args.command {
            Command::Openings(options) => openings::run(options, &say),
            Command::Play(options) => return play::run(options, &say).map(|()| Exit::Agreed),
            Command::Pack(options) => convert::pack(options, &say),
            Command::Unpack(options) => convert::unpack(options, &say),
            Command::Rescore(options) => label::rescore(options, &say),
            Command::Network(options) => network::run(options, &say),
            Command::Measure(options) => label::measure(options),
            Command::Loop(options) => return cycle::run(options, &say),
            Command::SelfDescription(_) => Ok(()),
        }?;
        Ok(Exit::Agreed)
    })
}

/// A parser of numbers within a range.
fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a number from {least} to {most}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::command::<TrainerArgs>(EXIT_CODES));
    }

    fn parse(line: &str) -> Result<TrainerArgs, String> {
        let args = TrainerArgs::try_parse_from(line.split_whitespace());
        args.map_err(|error| error.to_string())
    }

    #[test]
    fn files_and_options_in_any_order() {
        for output in ["-o", "--output", "--out"] {
            let line = format!("trainer network a b {output} c --lambda 0.5 --threads 3");
            let args = parse(&line).unwrap();
            let Command::Network(network) = args.command else {
                panic!("another command");
            };
            assert_eq!(
                (network.files.join(" "), network.output.as_str()),
                ("a b".to_owned(), "c")
            );
            assert_eq!(args.threads, 3);
        }
        let args = parse("trainer pack a.txt -o x -q").unwrap();
        assert!(args.common.quiet && matches!(args.command, Command::Pack(_)));
        let args = parse("trainer openings -o x").unwrap();
        let Command::Openings(options) = args.command else {
            panic!("another command");
        };
        assert_eq!((options.seed, options.count, options.plies), (1, 1000, 8));
    }

    #[test]
    fn usage_errors_are_explained() {
        #[rustfmt::skip]
        let rows = [
            ("trainer network a -o b --lambda 2", "expected a number from 0 to 1"),
            ("trainer play -o b --seed -1", "unexpected argument '-1'"),
            ("trainer network -o b", "<POSITIONS>..."),
            ("trainer network a", "--output <FILE>"),
        ];
        for (line, expected) in rows {
            let error = parse(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}

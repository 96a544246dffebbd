//! `epd bench`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use kit::{BadInput, Exit, Interrupt, output};
use serde::Serialize;
use uci::Cancel;

use super::documents::say;
use super::eval::{command_line, seconds};
use super::input::{self, Input};
use crate::bench::expectation::{Said, from_file, from_message};
use crate::bench::run::{Job, Ran, Way, bench};

/// Run an engine's bench and compare its node count, the signature of its search
///
/// The count is found in what engines print: `Nodes searched  : 4463545`, `Bench: 4463545`,
/// `Nodes : 4463545`, `4463545 nodes 1234567 nps`; of several, the last of the clearest form.
/// Without an expectation the count alone is printed.
///
/// Examples: `epd bench --engine stockfish`, `epd bench --engine ./my-engine --expect 4463545`,
/// `epd bench --engine ./my-engine --from-commit`.
///
/// Exit codes: 0 as expected, or nothing was expected, 1 another count, 2 bad input, 3 the engine
/// gave no count, failed, or took too long.
#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// The engine: a command line, cut into words as a shell does
    #[arg(long, value_name = "COMMAND")]
    engine: String,

    /// What asks for the bench
    #[arg(long, value_name = "WORDS", default_value = "bench")]
    args: String,

    /// Where the words go [default: argument, then input where that gave no count]. Where it is
    /// named, an engine may be silent for as long as it likes
    #[arg(long, value_enum)]
    way: Option<Way>,

    #[command(flatten)]
    expected: ExpectedArgs,

    /// With --from-commit: the repository
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = ".",
        requires = "from_commit"
    )]
    repository: PathBuf,

    /// Seconds that the bench may take
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0, value_parser = seconds)]
    timeout: f64,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct ExpectedArgs {
    /// The count expected
    #[arg(long, value_name = "N")]
    expect: Option<u64>,

    /// A file with the count expected: a number, or `Bench: N`
    #[arg(long, value_name = "FILE")]
    expect_file: Option<PathBuf>,

    /// The count that the message of a git commit tells: the last `Bench: N` or `bench N`. Where it
    /// says `No functional change` instead, that of the first parent counts
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD")]
    from_commit: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object
    Json,
}

/// A count and where it was read.
struct Expected {
    nodes: u64,
    source: String,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    engine: &'a str,
    nodes: u64,
    expected: Option<u64>,
    source: Option<&'a str>,
    agrees: Option<bool>,
}

pub(super) fn run(args: &BenchArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let expected = args.expected(&args.repository)?;
    let ran = run_bench(args, interrupt)?;
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    let nodes = match ran {
        Ran {
            nodes: Some(nodes),
            error: None,
            ..
        } => nodes,
        Ran {
            error, transcript, ..
        } => {
            if !transcript.is_empty() {
                say(transcript.trim_end());
            }
            let error = error.unwrap_or_else(|| "no node count in what it printed".to_owned());
            say(&format!("error: {}: {error}", args.engine));
            return Ok(Exit::Failed);
        }
    };
    output::to_stdout(&args.report(nodes, expected.as_ref())?)?;
    Ok(match expected {
        Some(expected) if expected.nodes != nodes => Exit::Differs,
        _ => Exit::Agreed,
    })
}

fn run_bench(args: &BenchArgs, interrupt: &Interrupt) -> Result<Ran, BadInput> {
    let command = command_line(&args.engine)?;
    let words: Vec<String> = args.args.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return Err(BadInput("--args: no words".to_owned()));
    }
    let cancel = Cancel::from(interrupt.shared());
    let timeout = Duration::from_secs_f64(args.timeout);
    let bench = |way| {
        bench(&Job {
            command: &command,
            words: &words,
            way,
            may_be_unknown: args.way.is_none(),
            timeout,
            cancel: &cancel,
        })
    };
    if let Some(way) = args.way {
        return Ok(bench(way));
    }
    let by_argument = bench(Way::Argument);
    if by_argument.nodes.is_some() || interrupt.has_come() {
        return Ok(by_argument);
    }
    let by_input = bench(Way::Input);
    // Where neither counts, the one that failed says more than the one that was silent.
    Ok(if by_input.nodes.is_none() && by_argument.error.is_some() {
        by_argument
    } else {
        by_input
    })
}

impl BenchArgs {
    fn expected(&self, repository: &Path) -> anyhow::Result<Option<Expected>> {
        if let Some(nodes) = self.expected.expect {
            let source = "--expect".to_owned();
            return Ok(Some(Expected { nodes, source }));
        }
        if let Some(path) = &self.expected.expect_file {
            let Input {
                name: source,
                bytes,
            } = input::read_one(path)?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let nodes = from_file(&text).map_err(|error| BadInput(format!("{source}: {error}")))?;
            return Ok(Some(Expected { nodes, source }));
        }
        match &self.expected.from_commit {
            Some(revision) => Ok(Some(from_commit(repository, revision)?)),
            None => Ok(None),
        }
    }

    fn report(&self, nodes: u64, expected: Option<&Expected>) -> anyhow::Result<String> {
        if self.format == Format::Json {
            let report = Report {
                schema: "touchstone/epd-bench/1",
                engine: &self.engine,
                nodes,
                expected: expected.map(|one| one.nodes),
                source: expected.map(|one| one.source.as_str()),
                agrees: expected.map(|one| one.nodes == nodes),
            };
            return Ok(serde_json::to_string_pretty(&report)? + "\n");
        }
        Ok(match expected {
            None => format!("{nodes}\n"),
            Some(one) if one.nodes == nodes => format!("{nodes}, as {} says\n", one.source),
            Some(one) => format!("{nodes}, but {} says {}\n", one.source, one.nodes),
        })
    }
}

/// How many commits that change nothing are gone back.
const MOST_COMMITS: &str = "-n1000";

/// The signature that a commit message tells.
#[expect(clippy::disallowed_methods, reason = "the edge starts git")]
fn from_commit(repository: &Path, revision: &str) -> anyhow::Result<Expected> {
    let output = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args([
            "log",
            "-z",
            "--first-parent",
            MOST_COMMITS,
            "--format=%h %B",
        ])
        .args(["--end-of-options", revision, "--"])
        .output()
        .map_err(|error| anyhow::anyhow!("cannot run git: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(BadInput(format!("--from-commit {revision}: {said}")).into());
    }
    let log = String::from_utf8_lossy(&output.stdout);
    for commit in log.split('\0') {
        let (hash, message) = commit.split_once(' ').unwrap_or((commit, ""));
        match from_message(message) {
            Said::Nodes(nodes) => {
                let source = format!("commit {hash}");
                return Ok(Expected { nodes, source });
            }
            Said::Unchanged => {}
            Said::Nothing => {
                let error = format!(
                    "--from-commit {revision}: commit {hash} says neither 'Bench: N' nor 'No functional change'"
                );
                return Err(BadInput(error).into());
            }
        }
    }
    Err(BadInput(format!("--from-commit {revision}: no commit tells a bench")).into())
}

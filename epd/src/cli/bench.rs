//! `epd bench`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use kit::report::{Format, Formats as _, TextFormats};
use kit::values::time;
use kit::{BadInput, Exit, Interrupt, output};
use serde::Serialize;
use uci::Cancel;

use super::input::{self, InputFile, report};
use crate::bench::signature::{Stated, from_file, from_message};
use crate::bench::{BenchBy, BenchJob, BenchResult, bench};

/// Run an engine's bench and compare its node count, the signature of its search
///
/// The count is taken from the engine's output: `Nodes searched  : 4463545`, `Bench: 4463545`,
/// `Nodes : 4463545`, `4463545 nodes 1234567 nps`; if there are several, the last one of the most
/// specific form. The command is passed as an argument, then on standard input if that gave no count.
/// Without an expected count, the count is only printed.
///
/// Examples: `epd bench --engine stockfish`, `epd bench --engine ./my-engine --expect 4463545`,
/// `epd bench --engine ./my-engine --expect HEAD`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 as expected, or nothing was expected, 1 another count, 2 bad input, 3 the engine printed no count, failed, or timed out."
)]
pub(super) struct EngineBenchArgs {
    /// Engine: a command line, or KEY=VALUE words
    ///
    /// Engine: a command line, split into words as in a shell, or words such as `cmd=./my-engine
    /// dir=... env.X=...`
    #[arg(long, value_name = "ENGINE")]
    engine: String,

    /// Bench command and its parameters
    #[arg(long, value_name = "WORDS", default_value = "bench")]
    args: String,

    /// Expected node count: a number, file, or commit
    ///
    /// A number; a file that contains a number, or `Bench: N`; or a git commit, such as HEAD, whose
    /// message has it: its last `Bench: N` or `bench N`. With `No functional change` instead, the first
    /// parent's count is used.
    #[arg(long, value_name = "N|FILE|REV")]
    expect: Option<String>,

    /// Time limit for the bench, such as 300s or 5m
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "300s", value_parser = time)]
    timeout: Duration,

    /// Output format
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

struct ExpectedBench {
    nodes: u64,
    source: String,
}

#[derive(Serialize)]
struct BenchReport<'a> {
    schema: &'static str,
    engine: &'a str,
    nodes: u64,
    expected: Option<u64>,
    source: Option<&'a str>,
    agrees: Option<bool>,
}

pub(super) fn run(args: &EngineBenchArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let expected = args.expected()?;
    let command = input::engine(&args.engine, &[])?.command;
    let words: Vec<String> = args.args.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return Err(BadInput("--args: no words".to_owned()).into());
    }
    let cancel = Cancel::from(interrupt.shared());
    let bench = |bench_by| {
        bench(&BenchJob {
            command: &command,
            words: &words,
            bench_by,
            may_be_unknown: true,
            timeout: args.timeout,
            cancel: &cancel,
        })
    };
    let mut result = bench(BenchBy::Argument);
    if result.nodes.is_none() && !interrupt.has_come() {
        let by_input = bench(BenchBy::Input);
        // If neither run gave a count, an error is more informative than silence.
        if by_input.nodes.is_some() || result.error.is_none() {
            result = by_input;
        }
    }
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    let BenchResult {
        nodes: Some(nodes),
        error: None,
        ..
    } = result
    else {
        if !result.transcript.is_empty() {
            report(result.transcript.trim_end());
        }
        let error = result
            .error
            .unwrap_or_else(|| "no node count in its output".to_owned());
        report(&format!("error: {}: {error}", args.engine));
        return Ok(Exit::Failed);
    };
    output::to_stdout(&args.report(nodes, expected.as_ref())?)?;
    Ok(match expected {
        Some(expected) if expected.nodes != nodes => Exit::Differs,
        _ => Exit::Agreed,
    })
}

impl EngineBenchArgs {
    fn expected(&self) -> anyhow::Result<Option<ExpectedBench>> {
        let Some(text) = &self.expect else {
            return Ok(None);
        };
        if let Ok(nodes) = text.parse() {
            let source = "--expect".to_owned();
            return Ok(Some(ExpectedBench { nodes, source }));
        }
        if !Path::new(text).exists() {
            return of_commit(text).map(Some);
        }
        let InputFile {
            name: source,
            bytes,
        } = input::read_one(Path::new(text))?;
        let text = String::from_utf8_lossy(&bytes);
        let nodes = from_file(&text).map_err(|error| BadInput(format!("{source}: {error}")))?;
        Ok(Some(ExpectedBench { nodes, source }))
    }

    fn report(&self, nodes: u64, expected: Option<&ExpectedBench>) -> anyhow::Result<String> {
        if self.format == Format::Json {
            let report = BenchReport {
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

/// Maximum number of `No functional change` commits to walk back.
const MOST_COMMITS: &str = "-n1000";

#[expect(clippy::disallowed_methods, reason = "the edge starts git")]
fn of_commit(revision: &str) -> anyhow::Result<ExpectedBench> {
    let fail = |problem: &str| BadInput(format!("--expect {revision}: {problem}"));
    let mut git = Command::new("git");
    git.args([
        "log",
        "-z",
        "--first-parent",
        MOST_COMMITS,
        "--format=%h %B",
    ]);
    git.args(["--end-of-options", revision, "--"]);
    let output = git.output();
    let output = output.map_err(|error| anyhow::anyhow!("cannot run git: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(fail(&format!("neither a file nor a commit: {}", stderr.trim())).into());
    }
    let log = String::from_utf8_lossy(&output.stdout);
    for commit in log.split('\0') {
        let (hash, message) = commit.split_once(' ').unwrap_or((commit, ""));
        match from_message(message) {
            Stated::Nodes(nodes) => {
                let source = format!("commit {hash}");
                return Ok(ExpectedBench { nodes, source });
            }
            Stated::Unchanged => {}
            Stated::Nothing => {
                let nothing = "has neither 'Bench: N' nor 'No functional change'";
                return Err(fail(&format!("commit {hash} {nothing}")).into());
            }
        }
    }
    Err(fail("no commit has a bench").into())
}

//! `epd bench`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use kit::output::to_stderr;
use kit::report::{Case, CaseFormats, CaseSuite, Format, Formats as _, Report, Status, Verdict};
use kit::values::time;
use kit::{BadInput, Exit, Interrupt};
use serde_json::{Value, json};
use uci::Cancel;

use super::input::{self, InputFile};
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
    #[arg(long, value_parser = Format::parser(CaseFormats::ALL), default_value = "human")]
    format: Format,
}

struct ExpectedBench {
    nodes: u64,
    source: String,
}

struct BenchReport<'a> {
    engine: &'a str,
    nodes: u64,
    expected: Option<ExpectedBench>,
}

impl Report for BenchReport<'_> {
    fn command(&self) -> &'static str {
        "epd bench"
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let Verdict { exit, text } = self.verdict();
        let case = match exit {
            Exit::Agreed => Case::passed("bench"),
            _ => Case::not_passed(Status::Failed, "bench", "", text),
        };
        vec![CaseSuite::new(self.engine, [case])]
    }

    fn verdict(&self) -> Verdict {
        let nodes = self.nodes;
        let (exit, text) = match &self.expected {
            None => (Exit::Agreed, nodes.to_string()),
            Some(one) if one.nodes == nodes => {
                (Exit::Agreed, format!("{nodes}, as {} says", one.source))
            }
            Some(one) => {
                let text = format!("{nodes}, but {} says {}", one.source, one.nodes);
                (Exit::Differs, text)
            }
        };
        Verdict { exit, text }
    }

    fn facts(&self) -> Value {
        let expected = self.expected.as_ref();
        json!({
            "engine": self.engine,
            "nodes": self.nodes,
            "expected": expected.map(|one| one.nodes),
            "source": expected.map(|one| &one.source),
        })
    }
}

pub(super) fn run(args: &EngineBenchArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let expected = args.expected()?;
    let engine = input::engine(&args.engine, &[])?;
    // `bench` runs before or without the commands that set options.
    if let Some((name, _)) = engine.options.first() {
        let message = format!("--engine: option.{name}: options are not set for a bench");
        return Err(BadInput(message).into());
    }
    let command = engine.command;
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
            to_stderr(result.transcript.trim_end());
        }
        let error = result
            .error
            .unwrap_or_else(|| "no node count in its output".to_owned());
        to_stderr(&format!("error: {}: {error}", args.engine));
        return Ok(Exit::Failed);
    };
    let report = BenchReport {
        engine: &args.engine,
        nodes,
        expected,
    };
    kit::report::print(&report, args.format)
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

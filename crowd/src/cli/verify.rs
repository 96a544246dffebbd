//! `crowd verify` and `crowd check`: an engine's lists and written lists.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chess::rules::CastlingMode;
use kit::options::OutputArgs;
use kit::report::CaseFormats;
use kit::values::{name_and_value, time};
use kit::{BadInput, Exit, Interrupt};
use uci::perft::{DetectedEngine, Detection, Driver, Failure, KnownPositions, Route, detect};
use uci::{Cancel, EngineSpec, Start};

use super::input;
use crate::verify::{
    CaseSource, ListReport, VerifyCase, VerifyReport, compare, read_cases, read_list,
    read_position, thesis_cases,
};

/// Verify an engine's move lists against trusted ones
///
/// The engine's moves in each position come from perft at depth 1, in whatever dialect the engine
/// supports. Trusted lists are given by the opcode `lm` in the file of cases, as written by
/// `crowd export`; for records without `lm`, and for the thesis's 26 positions, which are the
/// default, they come from our move generator.
///
/// Examples: `crowd verify --engine stockfish`, `crowd verify --engine './mine --uci' --cases crowd.epd`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every list agrees, 1 one differs, 2 bad input, 3 the engine does not start, its answers are not understood, or it gives no list for a position, 4 the file has no position, 130 interrupted."
)]
pub(super) struct VerifyArgs {
    /// Engine: a command line, or KEY=VALUE words
    ///
    /// Engine: a command, or words such as `cmd=./engine name=New option.Hash=16`
    #[arg(long, value_name = "ENGINE")]
    engine: String,

    /// EPD records with the opcode lm; - for stdin
    ///
    /// EPD records with the opcode `lm`; `-` is standard input [default: the thesis's positions].
    #[arg(long, value_name = "FILE.epd")]
    cases: Option<PathBuf>,

    /// Set a UCI option; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,

    /// Time limit per position, such as `10s` or `500ms`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    timeout: Duration,

    #[command(flatten)]
    output: OutputArgs<CaseFormats>,
}

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let inputs: Vec<PathBuf> = args.cases.iter().cloned().collect();
    args.output.check(&[], &inputs)?;
    let cases = match &args.cases {
        None => thesis_cases(),
        Some(path) => read_cases(&input::read(path)?)
            .map_err(|error| BadInput(format!("{}: {error}", input::name(path))))?,
    };
    if cases.is_empty() {
        let name = args.cases.as_deref().map_or_else(String::new, input::name);
        kit::output::to_stderr(&format!("{name} has no position"));
        return Ok(Exit::Nothing);
    }
    let interrupt = Interrupt::listen()?;
    let spec = EngineSpec::from_argument(&args.engine);
    let spec = spec.map_err(|error| BadInput(format!("--engine: {error}")))?;
    let options = options(&spec, args).into_iter();
    let start = Start {
        options: options.map(|(name, value)| (name, Some(value))).collect(),
        cancel: Cancel::from(interrupt.shared()),
        ..Start::new(spec.command)
    };
    let timeout = args.timeout;
    let known = KnownPositions::EveryRule;
    let detected = match detect(&start, None, timeout, known, &|_, _| {}) {
        Ok(detected) => detected,
        // An interrupted engine looks like one that fails.
        Err(_) if interrupt.has_come() => return Ok(Exit::Interrupted),
        Err(meeting) => anyhow::bail!("--engine: {}", not_met(&meeting)),
    };
    if !detected.dialect.calibration().rows {
        // It prints totals alone, or shows only its replies.
        let mut faults = vec!["it prints no list of moves that can be read".to_owned()];
        faults.extend(detected.dialect.calibration().limits.iter().cloned());
        anyhow::bail!("--engine: {}", faults.join("; "));
    }
    let mut report = hold(&start, &detected, timeout, &cases);
    report.engine = spec.given_name.or(report.engine);
    args.output.report(&report)
}

/// The options of the engine's words, then those of the command line.
fn options(spec: &EngineSpec, args: &VerifyArgs) -> Vec<(String, String)> {
    let of_spec = spec.options.iter().cloned();
    let of_spec = of_spec.map(|(name, value)| (name, value.unwrap_or_default()));
    of_spec.chain(args.option.iter().cloned()).collect()
}

/// Why an engine cannot be queried.
fn not_met(meeting: &Detection) -> String {
    match meeting {
        Detection::Understood(_) => String::new(),
        Detection::Failed { reason } => reason.clone(),
        Detection::NotUnderstood { tried, .. } => {
            let lines = tried.iter().flat_map(|attempt| {
                let first = format!("  {}: {}", attempt.ask, attempt.reason);
                let raw = attempt.raw.iter().map(|line| format!("      {line}"));
                std::iter::once(first).chain(raw).collect::<Vec<_>>()
            });
            let lines: Vec<String> = lines.collect();
            format!("its answers are not understood\n{}", lines.join("\n"))
        }
    }
}

fn hold(
    start: &Start,
    detected: &DetectedEngine,
    timeout: Duration,
    cases: &[VerifyCase],
) -> VerifyReport {
    let mut report = VerifyReport {
        engine: detected.name.clone(),
        ..VerifyReport::default()
    };
    let mut driver = Driver::new(start, detected);
    driver.allow_each(timeout);
    for case in cases {
        // Only what calibration has proved is used, so that nobody is accused for a notation (ADR
        // 5).
        let takes_it = case.position.castling_mode() == CastlingMode::Standard
            || detected.dialect.calibration().chess960;
        let rows = if takes_it {
            match driver.ask(&Route::by_fen(case.position), NonZeroU32::MIN) {
                Err(Failure::Cancelled) => {
                    report.is_interrupted = true;
                    break;
                }
                Err(failure) => Err(failure.to_string()),
                Ok(answer) => (answer.rows).ok_or("its rows cannot be read as moves".to_owned()),
            }
        } else {
            Err("the engine has no Chess960".to_owned())
        };
        report
            .cases
            .push(case.judge(rows.as_deref().map_err(Clone::clone)));
        report.by_generator += usize::from(case.source == CaseSource::Generator);
    }
    report
}

/// Compare a written list of moves with the legal moves of a position
///
/// FEN.txt has one FEN, with or without counters, optionally in round brackets. MOVES.txt has moves
/// of four characters as in the thesis (rows and columns from a8: `6444` is e2e4, `PQ34` promotes,
/// `7476` castles), or in UCI notation (`e2e4`, `e7e8q`), separated by white space, commas or
/// semicolons.
///
/// Example: `crowd check FEN.txt MOVES.txt`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 the list is correct and complete, 1 it is not, 2 an item or file cannot be read."
)]
pub(super) struct ListCheckArgs {
    /// File with the position; `-` is standard input
    #[arg(value_name = "FEN.txt")]
    fen: PathBuf,

    /// File with the list of moves; `-` is standard input
    #[arg(value_name = "MOVES.txt")]
    moves: PathBuf,

    #[command(flatten)]
    output: OutputArgs<CaseFormats>,
}

pub(super) fn run_check(args: &ListCheckArgs) -> anyhow::Result<Exit> {
    let inputs = [args.fen.clone(), args.moves.clone()];
    args.output.check(&[], &inputs)?;
    let stdin = Path::new("-");
    if args.fen == stdin && args.moves == stdin {
        let message = "position and list cannot both be standard input";
        return Err(BadInput(message.to_owned()).into());
    }
    let position = read_position(&input::read_text(&args.fen)?)
        .map_err(|error| BadInput(format!("{}: {error}", input::name(&args.fen))))?;
    let items = read_list(&input::read_text(&args.moves)?, position.side_to_move());
    let listed = compare(&position, items);
    args.output.report(&ListReport {
        name: input::name(&args.moves),
        listed: &listed,
    })
}

//! `crowd verify`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::client::{Cancel, CommandLine, EngineError};
use terminal::{BadInput, Exit, Interrupt};

use super::check::Format;
use super::input;
use crate::verify::{
    Against, AskError, Asker, Case, Checked, Outcome, Start, Verdict, read_cases, thesis_cases,
    verify_human, verify_json,
};

/// Hold an engine's move lists against trusted ones
///
/// The engine is asked by `go perft 1` for the moves of each position. Trusted lists are those of the opcode `lm` in
/// the file of cases, as `crowd export` writes it; for a record without `lm`, and for the thesis's 26
/// positions, which are asked where no file is named, they are our generator's.
///
/// Examples: `crowd verify --engine stockfish`, `crowd verify --engine './mine --uci' --cases crowd.epd`.
///
/// Exit codes: 0 every list agrees, 1 one differs, 2 bad input, 3 the engine does not start, answers no `go perft 1`
/// or gives no list for a position, 4 the file has no position, 130 interrupted.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// The engine: a command line, cut into words as a shell does
    #[arg(long, value_name = "COMMAND")]
    engine: String,

    /// EPD records with the opcode `lm`; `-` is standard input [default: the thesis's positions]
    #[arg(long, value_name = "FILE.epd")]
    cases: Option<PathBuf>,

    /// Set a UCI option; may be given several times. Example: `--option 'Hash=16'`
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,

    /// Seconds that the engine may take for a position
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,

    /// How the report is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected NAME=VALUE, such as Hash=16")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.01 to 1000000".to_owned()),
    }
}

/// Starts in a row that fail before an engine that has run is given up.
const MOST_STARTS: usize = 3;

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let cases = match &args.cases {
        None => thesis_cases(),
        Some(path) => read_cases(&input::read(path)?)
            .map_err(|error| BadInput(format!("{}: {error}", input::name(path))))?,
    };
    if cases.is_empty() {
        let name = args.cases.as_deref().map_or_else(String::new, input::name);
        input::say(&format!("{name} has no position"));
        return Ok(Exit::Nothing);
    }
    let interrupt = Interrupt::listen()?;
    let start = Start {
        command: command_line(&args.engine)?,
        options: args.option.clone(),
        timeout: Duration::from_secs_f64(args.timeout),
        cancel: Cancel::from(interrupt.shared()),
    };
    let verdict = match Asker::start(&start) {
        Ok(asker) => hold(&start, asker, cases),
        Err(AskError::Engine(EngineError::Cancelled)) => return Ok(Exit::Interrupted),
        Err(error) => anyhow::bail!("--engine: {error}"),
    };
    terminal::output::to_stdout(match args.format {
        Format::Human => verify_human(&verdict),
        Format::Json => verify_json(&verdict),
    })?;
    Ok(exit(&verdict, &interrupt))
}

fn command_line(text: &str) -> Result<CommandLine, BadInput> {
    if Path::new(text).is_file() {
        return Ok(CommandLine::new(text));
    }
    text.parse()
        .map_err(|error| BadInput(format!("--engine: {error}")))
}

fn exit(verdict: &Verdict, interrupt: &Interrupt) -> Exit {
    if interrupt.has_come() {
        Exit::Interrupted
    } else if verdict.differing() > 0 {
        Exit::Differs
    } else if verdict.failed() > 0 || verdict.stopped.is_some() {
        Exit::Failed
    } else {
        Exit::Agreed
    }
}

/// Asks for every position; an engine that fails is started anew for the next.
fn hold<'a>(start: &'a Start, asker: Asker<'a>, cases: Vec<Case>) -> Verdict {
    let mut verdict = Verdict {
        engine: asker.name().map(str::to_owned),
        ..Verdict::default()
    };
    let mut running = Some(asker);
    for case in cases {
        let mut asker = match running.take().map_or_else(|| restart(start), Ok) {
            Ok(asker) => asker,
            Err(error) => {
                verdict.stopped = Some(error.to_string());
                break;
            }
        };
        let answer = asker.list(&case.position);
        // One that failed to answer is not asked again: dropping it kills and reaps it.
        if matches!(answer, Ok(_) | Err(AskError::NoChess960)) {
            running = Some(asker);
        }
        let outcome = match answer {
            Ok(rows) => Outcome::Listed {
                moves: rows.len(),
                against: Against::of(&case.position, &case.moves, &rows),
            },
            Err(AskError::Engine(EngineError::Cancelled)) => {
                verdict.stopped = Some("interrupted".to_owned());
                break;
            }
            Err(error) => Outcome::Failed(error.to_string()),
        };
        verdict.checked.push(Checked { case, outcome });
    }
    if let Some(asker) = running {
        asker.quit();
    }
    verdict
}

fn restart(start: &Start) -> Result<Asker<'_>, AskError> {
    let mut attempt = Asker::start(start);
    for _ in 1..MOST_STARTS {
        match attempt {
            Ok(_) | Err(AskError::Engine(EngineError::Cancelled)) => break,
            Err(_) => attempt = Asker::start(start),
        }
    }
    attempt
}

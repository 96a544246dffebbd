//! `crowd import`.

use std::fmt::Write as _;
use std::path::PathBuf;

use kit::{BadInput, Exit};

use super::database::{self, DatabaseArgs};
use super::input;
use crate::clock;
use crate::service::{
    ImportError, ImportPlan, ImportProblem, ImportReport, Service, import_problems,
};

/// Import positions into a campaign
///
/// Files are EPD suites, or have one FEN per line; the two may be mixed. Positions that are already
/// in the database are reported and skipped. If a line of any file is bad, nothing is imported,
/// unless with `--keep-good`.
///
/// Example: `crowd import suite.epd --campaign endgames --title "Rook endgames"`.
///
/// Exit codes: 0 every position was imported or already present, 1 some lines were skipped, 2 a
/// line or file is bad, 4 the files have no position.
#[derive(Debug, clap::Args)]
pub(super) struct ImportArgs {
    /// Files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Name of the campaign: lower-case letters, digits and hyphens; created if missing
    #[arg(long)]
    campaign: String,

    /// Title of a new campaign, shown to people
    #[arg(long)]
    title: Option<String>,

    /// The answers are known (gold): contributors are measured by these positions. `D1`, if given,
    /// must be correct
    #[arg(long)]
    gold: bool,

    /// Import the good lines even if others are bad
    #[arg(long)]
    keep_good: bool,

    #[command(flatten)]
    database: DatabaseArgs,
}

struct File {
    name: String,
    text: Vec<u8>,
}

pub(super) fn run(args: &ImportArgs) -> anyhow::Result<Exit> {
    let mut files = Vec::new();
    for path in &args.files {
        files.push(File {
            name: input::name(path),
            text: input::read(path)?,
        });
    }
    let bad: usize = files.iter().map(|file| check(file, args.gold)).sum();
    if bad > 0 && !args.keep_good {
        let message = format!("{bad} lines cannot be taken; nothing was imported");
        return Err(BadInput(message).into());
    }
    let total = database::run(import(args, &files))?;
    Ok(match total {
        None => Exit::Nothing,
        Some(_) if bad > 0 => Exit::Differs,
        Some(_) => Exit::Agreed,
    })
}

/// Reports the faults of a file; returns the number of bad lines.
fn check(file: &File, gold: bool) -> usize {
    let problems = import_problems(&file.text, gold);
    say(&told(&file.name, "error", &problems));
    problems.len()
}

async fn import(args: &ImportArgs, files: &[File]) -> anyhow::Result<Option<ImportReport>> {
    let service = args.database.open().await?;
    let mut total: Option<ImportReport> = None;
    for file in files {
        let Some(report) = import_one(args, &service, file).await? else {
            continue;
        };
        let sum = total.get_or_insert_default();
        sum.added += report.added;
        sum.duplicates += report.duplicates;
    }
    service.store().clone().close().await?;
    match &total {
        Some(sum) => kit::output::to_stdout(format!(
            "{} positions added to {}, {} were there already\n",
            sum.added, args.campaign, sum.duplicates
        ))?,
        None => say("there is no position in the files\n"),
    }
    Ok(total)
}

async fn import_one(
    args: &ImportArgs,
    service: &Service,
    file: &File,
) -> anyhow::Result<Option<ImportReport>> {
    let plan = ImportPlan {
        campaign: &args.campaign,
        title: args.title.as_deref(),
        gold: args.gold,
        keep_good: args.keep_good,
    };
    match service.import(&file.text, plan, clock::now()).await {
        Ok(report) => {
            let is_there = |problem: &&ImportProblem| problem.is_duplicate();
            let there: Vec<ImportProblem> =
                report.problems.iter().filter(is_there).cloned().collect();
            say(&told(&file.name, "note", &there));
            Ok(Some(report))
        }
        Err(ImportError::Empty) => Ok(None),
        Err(ImportError::Service(error)) => Err(error.into()),
        Err(error) => Err(BadInput(format!("{}: {error}", file.name)).into()),
    }
}

fn told(name: &str, severity: &str, problems: &[ImportProblem]) -> String {
    let mut text = String::new();
    for problem in problems {
        let (line, column, reason) = (problem.line, problem.column, &problem.reason);
        writeln!(text, "{name}:{line}:{column}: {severity}: {reason}").expect("a string takes all");
    }
    text
}

fn say(text: &str) {
    use std::io::Write as _;
    // If standard error is closed, the message is lost; there is no other place for it.
    let _ = write!(std::io::stderr(), "{text}");
}

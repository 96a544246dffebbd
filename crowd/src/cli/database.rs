//! `crowd import` and `crowd export`, and the database that commands work on.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use kit::output::counted;
use kit::{BadInput, Exit};

use super::input;
use crate::service::{
    ByDifficulty, CaseFormat, ImportError, ImportPlan, ImportProblem, ImportReport, Service,
    ServiceError, Settings, import_problems, write_cases,
};
use crate::store::{Store, StoreError};
use crate::web::now;

#[derive(Debug, clap::Args)]
pub(super) struct DatabaseArgs {
    /// Database: `sqlite://FILE` or `postgres://...`
    ///
    /// Database: `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/NAME`
    #[arg(
        long = "db",
        value_name = "URL",
        env = "CROWD_DB",
        // The address may have a password, which a help text must not show.
        hide_env_values = true,
        default_value = "sqlite://crowd.sqlite"
    )]
    pub(super) url: String,
}

impl DatabaseArgs {
    /// Opens it with the default settings; a missing `SQLite` file is created.
    pub(super) async fn open(&self) -> anyhow::Result<Service> {
        let store = open(&self.url).await?;
        Ok(Service::new(store, Settings::default()).await?)
    }

    /// Does something with an existing database.
    pub(super) fn with<T>(
        &self,
        work: impl AsyncFnOnce(&Service) -> Result<T, ServiceError>,
    ) -> anyhow::Result<T> {
        block_on(async {
            let service = self.open_existing().await?;
            let done = work(&service).await?;
            // The last connection that closes writes the log back into the file.
            service.store().clone().close().await?;
            Ok(done)
        })
    }

    async fn open_existing(&self) -> anyhow::Result<Service> {
        match file_of(&self.url) {
            // An encoded path reads differently from the file that it names; opening it decides.
            Some(file) if !file.exists() && !self.url.contains('%') => {
                let message = format!("there is no database {}", file.display());
                Err(BadInput(message).into())
            }
            _ => self.open().await,
        }
    }
}

/// Opens a database and migrates its tables; a missing `SQLite` file is created, unless the address
/// has a mode that says otherwise.
pub(super) async fn open(url: &str) -> anyhow::Result<Store> {
    match Store::open(&made_if_missing(url)).await {
        Err(StoreError::Address(_)) => {
            let error = StoreError::Address(without_password(url));
            Err(BadInput(format!("--db, or CROWD_DB: {error}")).into())
        }
        opened => opened.with_context(|| format!("cannot open {}", without_password(url))),
    }
}

fn made_if_missing(url: &str) -> String {
    if file_of(url).is_some() && !url.contains('?') {
        // sqlx does not create a missing file by itself.
        format!("{url}?mode=rwc")
    } else {
        url.to_owned()
    }
}

/// The path of an `SQLite` database, if it is a file.
fn file_of(url: &str) -> Option<&Path> {
    let place = url.strip_prefix("sqlite:")?;
    let place = place.strip_prefix("//").unwrap_or(place);
    let (place, options) = place.split_once('?').unwrap_or((place, ""));
    let is_file = !place.is_empty() && place != ":memory:" && !options.contains("mode=memory");
    is_file.then_some(Path::new(place))
}

/// The address of a database without user and password, for messages.
pub(super) fn without_password(url: &str) -> String {
    // A password may contain @, so that the last one ends it.
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://…@{place}"),
        _ => url.to_owned(),
    }
}

fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    // A command does one thing after the other.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.context("cannot start")?.block_on(work)
}

/// Export the trusted test cases, with their provenance
///
/// These are the positions on whose legal moves the crowd and the generators agree.
///
/// Examples: `crowd export --format epd -o crowd.epd`, `crowd export --harder-than 0.1`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 written, 2 there is no such database, 4 no such test case.")]
pub(super) struct ExportArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = CaseFormat::Epd)]
    format: CaseFormat,

    #[command(flatten)]
    difficulty: ByDifficulty,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) fn run_export(args: &ExportArgs) -> anyhow::Result<Exit> {
    let cases = async |service: &Service| service.test_cases().await;
    let mut cases = args.database.with(cases)?;
    args.difficulty.apply(&mut cases);
    let text = write_cases(&cases, args.format);
    match &args.output {
        Some(path) => kit::output::to_file(path, text)?,
        None => kit::output::to_stdout(text)?,
    }
    if cases.is_empty() {
        kit::output::to_stderr("there is no such test case yet");
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Agreed)
}

/// Import positions into a campaign
///
/// Files are EPD suites, or have one FEN per line; the two may be mixed. Positions that are already
/// in the database are reported and skipped. If a line of any file is bad, nothing is imported.
///
/// Example: `crowd import suite.epd --campaign endgames --title "Rook endgames"`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every position was imported or already present, 2 a line or file is bad, 4 the files have no position."
)]
pub(super) struct ImportArgs {
    /// Files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Name of the campaign; created if missing
    ///
    /// Name of the campaign: lower-case letters, digits and hyphens; created if missing.
    #[arg(long)]
    campaign: String,

    /// Title of a new campaign, shown to people
    #[arg(long)]
    title: Option<String>,

    /// The answers are known: people are measured by them
    ///
    /// The answers are known (gold): contributors are measured by these positions. `D1`, if given,
    /// must be correct.
    #[arg(long)]
    gold: bool,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) fn run_import(args: &ImportArgs, quiet: bool) -> anyhow::Result<Exit> {
    let files = args.files.iter();
    let files = files.map(|path| Ok((input::name(path), input::read(path)?)));
    let files = files.collect::<anyhow::Result<Vec<(String, Vec<u8>)>>>()?;
    block_on(import(args, &files, quiet))
}

/// Imports files, each given by its name and text.
async fn import(
    args: &ImportArgs,
    files: &[(String, Vec<u8>)],
    quiet: bool,
) -> anyhow::Result<Exit> {
    let campaign = args.campaign.as_str();
    let service = args.database.open().await?;
    // All files are checked before the first is imported: one bad line, and nothing changes.
    let mut bad = 0;
    for (name, text) in files {
        let problems = import_problems(text, args.gold);
        show(name, "error", &problems);
        bad += problems.len();
    }
    if bad > 0 {
        let lines = counted(bad, "invalid line");
        return Err(BadInput(format!("{lines}; nothing was imported")).into());
    }
    let mut total: Option<ImportReport> = None;
    for (name, text) in files {
        let plan = ImportPlan {
            campaign,
            title: args.title.as_deref(),
            gold: args.gold,
        };
        let report = match service.import(text, plan, now()).await {
            Ok(report) => report,
            // One of several files may be empty; only all of them together are nothing.
            Err(ImportError::Empty) => continue,
            Err(ImportError::Service(error)) => return Err(error.into()),
            Err(error) => return Err(BadInput(format!("{name}: {error}")).into()),
        };
        if !quiet {
            let duplicates = report.problems.iter().filter(|p| p.is_duplicate());
            show(name, "note", duplicates);
        }
        let sum = total.get_or_insert_default();
        sum.added += report.added;
        sum.duplicates += report.duplicates;
    }
    service.store().clone().close().await?;
    let Some(sum) = total else {
        kit::output::to_stderr("there is no position in the files");
        return Ok(Exit::Nothing);
    };
    kit::output::to_stdout(format!(
        "{} added to {campaign}, {} there already\n",
        counted(sum.added, "position"),
        sum.duplicates
    ))?;
    Ok(Exit::Agreed)
}

fn show<'a>(name: &str, severity: &str, problems: impl IntoIterator<Item = &'a ImportProblem>) {
    for problem in problems {
        let (line, column, reason) = (problem.line, problem.column, &problem.reason);
        kit::output::to_stderr(&format!("{name}:{line}:{column}: {severity}: {reason}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let check = |url, shown| assert_eq!(without_password(url), shown);
        check("sqlite://crowd.sqlite", "sqlite://crowd.sqlite");
        check(
            "postgres://me:secret@db:5432/crowd",
            "postgres://…@db:5432/crowd",
        );
        check("postgres://me:p@ss@db/crowd", "postgres://…@db/crowd");
    }

    #[test]
    fn a_file_is_made_unless_the_address_says_otherwise() {
        let check = |url, opened| assert_eq!(made_if_missing(url), opened);
        check("sqlite://a.db", "sqlite://a.db?mode=rwc");
        check("sqlite:a.db", "sqlite:a.db?mode=rwc");
        check("sqlite://a.db?mode=rw", "sqlite://a.db?mode=rw");
        check("sqlite::memory:", "sqlite::memory:");
        check("postgres://db/crowd", "postgres://db/crowd");
    }
}

//! `selfplay report` and `selfplay watch`.

use std::io::IsTerminal as _;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kit::output::to_stderr;
use kit::report::Format;
use kit::{Exit, Interrupt, output};

use super::chosen::{ChosenArgs, GameDetail};
use crate::model::RunConfig;
use crate::play::ledger::{Follower, Stored};
use crate::report::run::{Collector, GameTable, PageGames, RunReport};

/// Report on a run from its directory: running, interrupted or complete
///
/// Strength is computed from the complete pairs in the order of the schedule, up to where a test
/// stopped. The HTML page is a single file; its links to transcripts lead to the run directory,
/// relative to FILE, or to the run directory itself if the page goes to standard output. JSON is
/// touchstone/selfplay-report/1; csv has a line for each game; svg is one picture; fastchess is for
/// scripts that parse the output of that program; pgn and transcript are of chosen games.
///
/// Examples: `selfplay report run`, `selfplay report run --format html -o run/report.html`,
/// `selfplay report run --format pgn --game 17`, `selfplay report run --format transcript --faults`.
#[derive(Debug, clap::Args)]
pub(super) struct ReportArgs {
    /// Run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    format: ReportFormat,

    /// Write to a file, which is replaced
    ///
    /// Output file, which is replaced [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    chosen: ChosenArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReportFormat {
    /// Text for people
    Human,
    /// A single page
    Html,
    /// For a pull request
    Markdown,
    /// One JSON object
    Json,
    /// One line for each game, with a header
    Csv,
    /// One picture: the LLR of a test, Elo, or pairs by points
    Svg,
    /// Results as printed by fastchess
    Fastchess,
    /// Games, by number
    Pgn,
    /// What engines and program sent each other, of games with a fault
    Transcript,
}

pub(super) fn run_report(args: &ReportArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if let Some(output) = &args.output {
        let files = ["config.json", "ledger.jsonl", "games.pgn", "lock"];
        let files = files.map(|name| args.directory.join(name));
        output::refuse_to_replace(&[Some(output)], &files)?;
        output::check_writable(&[Some(output)])?;
    }
    let game_text = match args.format {
        ReportFormat::Pgn => Some(GameDetail::Pgn),
        ReportFormat::Transcript => Some(GameDetail::Transcript),
        ReportFormat::Csv => None,
        _ if args.chosen.is_all() => None,
        _ => {
            return Err(super::bad(
                "--game and --faults are for --format csv, pgn and transcript",
            ));
        }
    };
    let (stored, mut follower) = Follower::open(&args.directory).map_err(super::bad)?;
    let config = &stored.config;
    let mut page = (args.format == ReportFormat::Html).then(|| PageGames::new(&links(args)));
    let mut chosen = args.chosen.of(config)?;
    let mut collector = Collector::new(config).map_err(super::bad)?;
    let mut table = match args.format {
        ReportFormat::Csv => Some(GameTable::new(config, Vec::new())?),
        _ => None,
    };
    while let Some(record) = follower.next_record().map_err(super::bad)? {
        collector.record(&record).map_err(super::bad)?;
        if let Some(page) = &mut page {
            page.record(&record);
        }
        if chosen.has(&record) {
            if let Some(table) = &mut table {
                table.write(&record)?;
            }
            if let Some(text) = game_text {
                chosen.add(&record, text, &args.directory)?;
            }
        }
        if interrupt.has_come() {
            return Ok(Exit::Interrupted);
        }
    }
    let needs_games = args.format == ReportFormat::Svg || game_text.is_some();
    if needs_games && collector.games() == 0 {
        return Ok(super::games_or_none(0));
    }
    chosen.check()?;
    if chosen.chosen == 0 && !args.chosen.is_all() {
        to_stderr("error: none of the games is chosen");
        return Ok(Exit::Nothing);
    }
    collector.set_quarantined(follower.quarantined().map_err(super::bad)?);
    let text = if let Some(table) = table {
        table.finish()?
    } else if game_text.is_some() {
        chosen.into_text().into_bytes()
    } else {
        let is_running = follower.is_running().map_err(super::bad)?;
        let summary = collector.summary();
        let directory = args.directory.to_string_lossy();
        let report = RunReport::new(config, &summary).at(&directory, is_running);
        let report = report.on(stored.host.as_ref());
        match page {
            Some(games) => report.html(&links(args), &games),
            None => text(args.format, &report)?,
        }
        .into_bytes()
    };
    match &args.output {
        Some(path) => output::to_file(path, text)?,
        None => output::to_stdout(text)?,
    }
    Ok(super::games_or_none(collector.games()))
}

/// A report in a format that needs no single games.
fn text(format: ReportFormat, report: &RunReport<'_>) -> anyhow::Result<String> {
    Ok(match format {
        ReportFormat::Human
        | ReportFormat::Csv
        | ReportFormat::Html
        | ReportFormat::Pgn
        | ReportFormat::Transcript => report.human(),
        ReportFormat::Markdown => report.markdown(),
        ReportFormat::Json => report.json(),
        ReportFormat::Svg => report
            .svg()
            .ok_or_else(|| super::bad("no picture: it needs two engines and a game"))?,
        ReportFormat::Fastchess => report.fastchess(),
    })
}

/// Relative path from the folder of the page to the run directory, with a trailing slash.
fn links(args: &ReportArgs) -> String {
    let Some(page) = &args.output else {
        return String::new();
    };
    let folder = page
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, args.directory.canonicalize()) {
        (Ok(folder), Ok(directory)) => relative(&folder, &directory),
        _ => String::new(),
    }
}

/// Relative path between two folders, both without links and dots.
fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (from.components().collect(), to.components().collect());
    let shared = from
        .iter()
        .zip(&to)
        .take_while(|(one, other)| one == other)
        .count();
    let up = from[shared..].iter().map(|_| "../".to_owned());
    let down = to[shared..]
        .iter()
        .map(|one| format!("{}/", one.as_os_str().to_string_lossy()));
    up.chain(down).collect()
}

// `selfplay watch`.

/// Watch a run from its directory, until it ends or Ctrl-C comes
///
/// On a terminal, shows a summary that is updated in place, and the report at the end; otherwise
/// prints a line from time to time if something was played. Nothing is written to the directory,
/// and the run is not affected.
///
/// Example: `selfplay watch run`.
#[derive(Debug, clap::Args)]
pub(super) struct WatchArgs {
    /// Run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Time between two lines, if standard error is not a terminal.
const EVERY: Duration = Duration::from_secs(10);
/// Polling interval of the directory.
const LOOK: Duration = Duration::from_millis(200);

pub(super) fn run_watch(args: &WatchArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let (Stored { config, .. }, follower) = Follower::open(&args.directory).map_err(super::bad)?;
    let mut watch = RunWatch {
        collector: fresh(&config, &follower)?,
        follower,
        config: &config,
        directory: args.directory.to_string_lossy().into_owned(),
    };
    let mut screen = Screen::new();
    loop {
        // Checked before reading, so that games written until the lock is released are still read.
        let is_over = !watch.follower.is_running().map_err(super::bad)?;
        let has_news = watch.look(Some(interrupt))?;
        if interrupt.has_come() {
            screen.clear();
            return Ok(Exit::Interrupted);
        }
        if is_over {
            screen.end(&watch)?;
            return Ok(super::games_or_none(watch.collector.games()));
        }
        screen.show(&watch, has_news)?;
        std::thread::sleep(LOOK);
    }
}

/// The standing of a run, as of now: as JSON, or for people. Without an interrupt it is that of all games.
pub(super) fn standing(
    directory: &Path,
    interrupt: Option<&Interrupt>,
    format: Format,
) -> anyhow::Result<String> {
    let (Stored { config, .. }, follower) = Follower::open(directory).map_err(super::bad)?;
    let is_running = follower.is_running().map_err(super::bad)?;
    let mut watch = RunWatch {
        collector: fresh(&config, &follower)?,
        follower,
        config: &config,
        directory: directory.to_string_lossy().into_owned(),
    };
    watch.look(interrupt)?;
    let summary = watch.collector.summary();
    let report = RunReport::new(watch.config, &summary);
    let report = report.at(&watch.directory, is_running);
    Ok(match format {
        Format::Json => report.json(),
        _ => report.live(),
    })
}

/// A collector without games yet.
fn fresh(config: &RunConfig, follower: &Follower) -> anyhow::Result<Collector> {
    let mut collector = Collector::new(config).map_err(super::bad)?;
    collector.set_quarantined(follower.quarantined().map_err(super::bad)?);
    Ok(collector)
}

/// A run that is being watched.
struct RunWatch<'a> {
    config: &'a RunConfig,
    directory: String,
    follower: Follower,
    collector: Collector,
}

impl RunWatch<'_> {
    /// Reads what was added to the ledger; returns whether there was anything.
    fn look(&mut self, interrupt: Option<&Interrupt>) -> anyhow::Result<bool> {
        let before = self.collector.games();
        while let Some(record) = self.follower.next_record().map_err(super::bad)? {
            self.collector.record(&record).map_err(super::bad)?;
            if interrupt.is_some_and(Interrupt::has_come) {
                break;
            }
        }
        Ok(self.collector.games() > before)
    }
}

/// Where progress is shown.
enum Screen {
    /// A terminal, with text updated in place.
    Live(ProgressBar),
    /// Anything else, with at most one line per interval.
    Lines { last: Option<Instant>, is_due: bool },
}

impl Screen {
    fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines {
                last: None,
                is_due: false,
            };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        bar.set_style(style);
        Self::Live(bar)
    }

    fn show(&mut self, watch: &RunWatch<'_>, has_news: bool) -> anyhow::Result<()> {
        match self {
            Self::Live(bar) => {
                if has_news || bar.message().is_empty() {
                    let summary = watch.collector.summary();
                    let report = RunReport::new(watch.config, &summary);
                    let text = report.at(&watch.directory, true).live();
                    bar.set_message(text.trim_end().to_owned());
                }
                Ok(())
            }
            Self::Lines { last, is_due } => {
                *is_due |= has_news;
                let now = now();
                let is_time = last.is_none_or(|last| now - last >= EVERY);
                if !(*is_due && is_time) {
                    return Ok(());
                }
                (*is_due, *last) = (false, Some(now));
                let summary = watch.collector.summary();
                output::to_stdout(RunReport::new(watch.config, &summary).line() + "\n")
            }
        }
    }

    /// Prints the end of the run.
    fn end(&self, watch: &RunWatch<'_>) -> anyhow::Result<()> {
        self.clear();
        let summary = watch.collector.summary();
        let report = RunReport::new(watch.config, &summary).at(&watch.directory, false);
        output::to_stdout(match self {
            Self::Live(_) => report.human(),
            Self::Lines { .. } => report.line() + "\n",
        })
    }

    fn clear(&self) {
        if let Self::Live(bar) = self {
            bar.finish_and_clear();
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the edge writes lines at most so often"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        let rows = [
            ("/a/run", "/a/run", ""),
            ("/a", "/a/run", "run/"),
            ("/a/run/pages", "/a/run", "../"),
            ("/a/pages", "/a/run", "../run/"),
            ("/", "/a/run", "a/run/"),
        ];
        for (from, to, expected) in rows {
            assert_eq!(relative(Path::new(from), Path::new(to)), expected, "{from}");
        }
    }
}

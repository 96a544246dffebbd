//! `selfplay report`.

use std::path::{Component, Path, PathBuf};

use kit::{Exit, Interrupt, output};

use crate::ledger::{Follower, Stored};
use crate::model::RunConfig;
use crate::report::run::{Collector, GameTable, RunReport};

/// What a run has come to, from its directory: running, broken off or at its end
///
/// Strength is computed from the complete pairs in the order of the schedule, up to where a test
/// stopped. The HTML page is a single file; its links to transcripts lead to the run directory,
/// relative to FILE, or to the run directory itself if the page goes to standard output. JSON is
/// touchstone/selfplay-report/1; csv has a line for each game; svg is one picture; fastchess is for
/// scripts that parse the output of that program.
///
/// Examples: `selfplay report run`, `selfplay report run --format html -o run/report.html`,
/// `selfplay report run --format markdown`.
#[derive(Debug, clap::Args)]
pub(super) struct ReportArgs {
    /// Run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Output file, which is replaced [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
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
    /// One picture: the LLR of a test between its bounds, or Elo
    Svg,
    /// Results as printed by fastchess
    Fastchess,
}

pub(super) fn run(args: &ReportArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if let Some(output) = &args.output {
        let files = ["config.json", "ledger.jsonl", "games.pgn", "lock"];
        let files = files.map(|name| args.directory.join(name));
        output::refuse_to_replace(&[Some(output)], &files)?;
        output::check_writable(&[Some(output)])?;
    }
    let (Stored { config, .. }, mut follower) =
        Follower::open(&args.directory).map_err(super::bad)?;
    let mut collector = Collector::new(&config).map_err(super::bad)?;
    let mut table = match args.format {
        Format::Csv => Some(GameTable::new(&config, Vec::new())?),
        _ => None,
    };
    while let Some(record) = follower.next_record().map_err(super::bad)? {
        collector.record(&record).map_err(super::bad)?;
        if let Some(table) = &mut table {
            table.write(&record)?;
        }
        if interrupt.has_come() {
            return Ok(Exit::Interrupted);
        }
    }
    if args.format == Format::Svg && collector.games() == 0 {
        return Ok(super::games_or_none(0));
    }
    collector.set_aside(follower.set_aside().map_err(super::bad)?);
    let text = if let Some(table) = table {
        table.finish()?
    } else {
        let is_running = follower.is_running().map_err(super::bad)?;
        text(args, &config, &collector, is_running)?.into_bytes()
    };
    match &args.output {
        Some(path) => output::to_file(path, text)?,
        None => output::to_stdout(text)?,
    }
    Ok(super::games_or_none(collector.games()))
}

fn text(
    args: &ReportArgs,
    config: &RunConfig,
    collector: &Collector,
    is_running: bool,
) -> anyhow::Result<String> {
    let summary = collector.summary();
    let directory = super::shell_word(&args.directory.to_string_lossy());
    let report = RunReport::new(config, &summary).at(&directory, is_running);
    Ok(match args.format {
        Format::Human | Format::Csv => report.human(),
        Format::Html => report.html(&links(args)),
        Format::Markdown => report.markdown(),
        Format::Json => report.json(),
        Format::Svg => report.svg().ok_or_else(no_picture)?,
        Format::Fastchess => report.fastchess(),
    })
}

fn no_picture() -> anyhow::Error {
    super::bad("no picture: that takes two engines and some pairs that did not all end alike")
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

//! `epd stats`.

use kit::{Exit, output};
use serde::Serialize;

use super::documents::{Documents, InputArgs, say};
use crate::files::stats::{Stats, stats};

/// Print statistics of files: positions, phases, pieces, opcodes, tags, duplicates
///
/// An endgame has at most 8 points of material (knight, bishop 1, rook 2, queen 4; 24 at the start
/// of a game); an opening at least 20, and at least five knights, bishops and queens of both sides
/// together on their own back rank; everything else is a middlegame.
///
/// Examples: `epd stats wac.epd`, `cat *.epd | epd stats - --format json`.
#[derive(Debug, clap::Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// One JSON object
    Json,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    files: Vec<FileReport<'a>>,
    total: Stats,
}

#[derive(Serialize)]
struct FileReport<'a> {
    name: &'a str,
    #[serde(flatten)]
    stats: Stats,
}

pub(super) fn run(args: &StatsArgs) -> anyhow::Result<Exit> {
    let Documents { names, documents } = args.input.read()?;
    let items = || documents.iter().flat_map(|document| &document.items);
    let total = stats(items());
    if total.records == 0 {
        say("error: there are no records");
        return Ok(Exit::Nothing);
    }
    let text = match args.format {
        Format::Human => total.to_string(),
        Format::Json => {
            let file = |(name, document): (_, &crate::files::Document)| FileReport {
                name,
                stats: stats(document.items.iter()),
            };
            let names = names.iter().map(String::as_str);
            let report = Report {
                schema: "touchstone/epd-stats/1",
                files: names.zip(&documents).map(file).collect(),
                total,
            };
            serde_json::to_string_pretty(&report)? + "\n"
        }
    };
    output::to_stdout(&text)?;
    Ok(Exit::Agreed)
}

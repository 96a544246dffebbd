//! `epd mates-history`.

use std::path::PathBuf;

use kit::output::to_stderr;
use kit::{BadInput, Exit, output};

use super::input;
use crate::mates::{history, plot};

/// Print and plot the mates that an engine's versions found
///
/// The file is that of `epd mates --history`. Results with the same suites, number of positions and
/// limits are one table, oldest first. A file that ends in .svg gets the plot of the newest table;
/// one that ends in .html a page with all.
///
/// Examples: `epd mates-history mates.jsonl`, `epd mates-history mates.jsonl -o mates.svg`.
#[derive(Debug, clap::Args)]
pub(super) struct MatesHistoryArgs {
    /// History of `epd mates --history`
    #[arg(value_name = "FILE")]
    history: PathBuf,

    /// Write a plot (.svg) or a page (.html)
    ///
    /// Instead of tables to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &MatesHistoryArgs) -> anyhow::Result<Exit> {
    let name = args.history.display();
    let kind = args.output.as_ref().map(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("svg") => Ok(HistoryKind::Svg),
            Some("html" | "htm") => Ok(HistoryKind::Html),
            _ => Err(BadInput(format!(
                "--output {}: expected a name that ends in .svg or .html",
                path.display()
            ))),
        }
    });
    let kind = kind.transpose()?;
    output::refuse_to_replace(
        &[args.output.as_deref()],
        std::slice::from_ref(&args.history),
    )?;
    output::check_writable(&[args.output.as_deref()])?;
    let text = input::text(&args.history)
        .map_err(|error| BadInput(format!("cannot read {name}: {error}")))?;
    let series = history::read(&text).map_err(|error| BadInput(format!("{name}: {error}")))?;
    let Some(newest) = series.last() else {
        to_stderr(&format!("error: {name} has no result"));
        return Ok(Exit::Nothing);
    };
    let written = match kind {
        None => {
            let tables: Vec<String> = series.iter().map(history::Series::to_text).collect();
            tables.join("\n")
        }
        Some(HistoryKind::Svg) => plot::svg(newest),
        Some(HistoryKind::Html) => plot::page(&series),
    };
    input::write(args.output.as_deref(), written)?;
    Ok(Exit::Agreed)
}

#[derive(Clone, Copy)]
enum HistoryKind {
    Svg,
    Html,
}

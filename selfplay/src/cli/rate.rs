//! `selfplay rate`.

use std::path::PathBuf;

use kit::{Exit, Interrupt, output};

use super::pgn::Games;
use crate::rating::{Table, rate};
use crate::report::rate::RateReport;

/// Rate many engines from their games
///
/// Maximum-likelihood ratings (Bradley-Terry, with draws and an advantage for White), in Elo
/// relative to the mean. ± is half of a 95% interval; LOS is the likelihood that an engine is
/// stronger than the next one.
///
/// Engines are rated within groups. Within a group, every engine is connected to every other by
/// games that were not lost; without that, the difference has no bound. An engine that won (or
/// lost) all its games is a group by itself, without a rating, and engines that never met are in
/// different groups. Groups are listed from the top: none lost a half point to a later one. With
/// --prior all engines that are connected by games are in one group.
///
/// Examples: `selfplay rate tournament.pgn`, `selfplay rate *.pgn --prior 2 --format csv`.
#[derive(Debug, clap::Args)]
pub(super) struct RateArgs {
    /// PGN files; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Give each engine this number of virtual draws, spread over its opponents
    #[arg(long, value_name = "DRAWS", default_value_t = 0.0)]
    prior: f64,

    /// Skip games that cannot be read
    #[arg(long)]
    skip_bad: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// One line for each engine, with a header
    Csv,
    /// One JSON object
    Json,
}

pub(super) fn run(args: &RateArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if !(0.0..=1e6).contains(&args.prior) {
        let message = format!("the prior is {}, expected 0 to 1000000 draws", args.prior);
        return Err(super::bad(message));
    }
    let games = Games::read(&args.files, args.skip_bad, interrupt)?;
    if games.interrupted {
        return Ok(Exit::Interrupted);
    }
    let table = Table::of(&games.records).with_prior(args.prior);
    if table.names.is_empty() {
        super::say("error: there are no finished games between two engines");
        return Ok(Exit::Nothing);
    }
    let ratings = rate(&table);
    let report = RateReport::new(&table, &ratings, games.unfinished);
    output::to_stdout(match args.format {
        Format::Human => report.human(),
        Format::Csv => report.csv()?,
        Format::Json => report.json(),
    })?;
    Ok(Exit::Agreed)
}

//! `selfplay stats`.

use std::path::PathBuf;

use kit::{Exit, Interrupt, output};

use super::Format;
use super::pgn::Games;
use super::test::TestArgs;
use crate::games;
use crate::report::stats::StatsReport;
use crate::stats::{Counts, Pentanomial, Wdl};

/// What the results of a match tell: Elo, normalised Elo, LOS, and the state of a sequential test
///
/// Intervals are 95%. With --elo0 and --elo1, also the log-likelihood ratio, the decision of the
/// test by Wald's bounds, and the median-unbiased Elo after its stop. `selfplay sprt` stops at
/// bounds that are corrected for overshoot, and are slightly closer. Numbers in JSON have 12
/// digits; infinite or unknown ones are null.
///
/// Examples: `selfplay stats --pentanomial 1187,7410,13475,7378,1164`,
/// `selfplay stats --wdl 716,2163,591 --elo0 0 --elo1 5`,
/// `selfplay stats --pgn match.pgn --elo0 0 --elo1 2 --model normalized --format json`.
///
/// Games of a PGN file are a pair if they have swapped colours and are the only two of their Round;
/// otherwise if they start from the same set-up position (tag FEN). Unless most games can be
/// paired this way, every game counts by itself.
#[derive(Debug, clap::Args)]
#[command(group(
    clap::ArgGroup::new("results").args(["pentanomial", "wdl", "pgn"]).multiple(true).required(true)
))]
pub(super) struct StatsArgs {
    /// Pairs of games by points of the first engine, worst first: 0, 1/2, 1, 3/2, 2
    #[arg(long, value_name = "LL,LD,DD,WD,WW")]
    pentanomial: Option<Pentanomial>,

    /// Games won, drawn, lost; together with --pentanomial the games of those pairs, which the
    /// bayesian model needs
    #[arg(long, value_name = "W,D,L")]
    wdl: Option<Wdl>,

    /// PGN file with games of two engines; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pentanomial", "wdl"])]
    pgn: Option<PathBuf>,

    /// Engine of --pgn to report on [default: White of the game with the lowest number, or Round]
    #[arg(long, value_name = "NAME", requires = "pgn")]
    player: Option<String>,

    /// Skip games of --pgn that cannot be read
    #[arg(long, requires = "pgn")]
    skip_bad: bool,

    /// H0: the first engine is no better than this
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo1",
        allow_negative_numbers = true
    )]
    elo0: Option<f64>,

    /// H1: it is at least as good as this
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo0",
        allow_negative_numbers = true
    )]
    elo1: Option<f64>,

    #[command(flatten)]
    test: TestArgs,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &StatsArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let bounds = args.elo0.zip(args.elo1);
    let design = bounds
        .map(|(elo0, elo1)| args.test.design(elo0, elo1))
        .transpose()?;
    let (counts, found, unfinished) = match &args.pgn {
        None => (counts(args)?, None, 0),
        Some(file) => {
            let games = Games::read(std::slice::from_ref(file), args.skip_bad, interrupt)?;
            if games.interrupted {
                return Ok(Exit::Interrupted);
            }
            let found = games::pair(&games.records, args.player.as_deref()).map_err(super::bad)?;
            if let Some(found) = found.as_ref().filter(|_| args.player.is_none()) {
                super::say(&format!(
                    "note: the results are those of {} against {}; --player says whose",
                    found.first, found.second
                ));
            }
            let counts = found.as_ref().map(|found| found.counts);
            (
                counts.unwrap_or(Counts::Games(Wdl::default())),
                found,
                games.unfinished,
            )
        }
    };
    let report = StatsReport::new(counts, design).map_err(super::bad)?;
    let report = report.with_games(found, unfinished);
    output::to_stdout(match args.format {
        Format::Human => report.human(),
        Format::Json => report.json(),
    })?;
    if counts.samples() == 0 {
        super::say("error: there are no games");
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Agreed)
}

fn counts(args: &StatsArgs) -> anyhow::Result<Counts> {
    let Some(pairs) = args.pentanomial else {
        return Ok(Counts::Games(args.wdl.unwrap_or_default()));
    };
    if let Some(games) = args.wdl.filter(|&games| !pairs.can_be_made_of(games)) {
        let message = format!("pairs {pairs} cannot be made of the games {games} (W,D,L)");
        return Err(super::bad(message));
    }
    let games = args.wdl;
    Ok(Counts::Pairs { pairs, games })
}

//! `crowd overlooked`.

use std::fmt::Write as _;

use kit::Exit;

use super::database::DatabaseArgs;
use crate::insight::{Insight, Share};
use crate::service::{OverlookedFormat, Service, overlooked_csv};

/// Report which moves people overlook, and which illegal ones they list
///
/// Evaluates the whole lists of positions whose answer is known, without those of suspended people, flagged ones, and
/// those that were finished after the answer became public. Gold positions are included, so keep the files to yourself
/// while people are measured by them.
///
/// Examples: `crowd overlooked`, `crowd overlooked --format csv > overlooked.csv`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 written, 2 there is no such database, 4 no list yet.")]
pub(super) struct OverlookedArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = OverlookedFormat::Human)]
    format: OverlookedFormat,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) fn run(args: &OverlookedArgs) -> anyhow::Result<Exit> {
    let overlooked = async |service: &Service| service.overlooked_with_gold().await;
    let overlooked = args.database.with(overlooked)?;
    let text = match args.format {
        OverlookedFormat::Human => report(&overlooked),
        OverlookedFormat::Csv => overlooked_csv(&overlooked),
    };
    kit::output::to_stdout(text)?;
    Ok(if overlooked.lists == 0 {
        Exit::Nothing
    } else {
        Exit::Agreed
    })
}

/// Positions that the report for people shows.
const HARDEST: usize = 10;

fn report(overlooked: &Insight) -> String {
    let mut text = format!(
        "{} lists by {} people\n",
        overlooked.lists, overlooked.people
    );
    let mut section = |title: &str, rows: Vec<(&str, Share)>| {
        if rows.is_empty() {
            return;
        }
        let in_memory = "a string takes all";
        writeln!(text, "\n{title}").expect(in_memory);
        for (name, share) in rows {
            let (count, shown) = (share.shown - share.found, share.shown);
            let [middle, low, high] =
                [share.overlooked, share.low, share.high].map(|share| share * 100.0);
            writeln!(
                text,
                "  {name:<46} {count:>6} of {shown:<6} {middle:5.1} %  ({low:.1} to {high:.1})"
            )
            .expect(in_memory);
        }
    };
    let kinds = overlooked.kinds.iter();
    let kinds = kinds.map(|one| (one.kind.title(), one.share));
    section("Kinds of moves: overlooked", kinds.collect());
    let rules = overlooked.rules.iter();
    let rules = rules.map(|one| (one.rule.as_str(), one.share));
    section(
        "Illegal moves: lists that have one, by the rule",
        rules.collect(),
    );
    let positions = overlooked.positions.iter().take(HARDEST);
    let positions = positions.map(|one| (one.about.name.as_str(), one.share));
    section(
        "The hardest positions: moves overlooked",
        positions.collect(),
    );
    text
}

//! `perft count`: one plan from the command line, one run, one report.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use chess::perft::{MAX_DEPTH, UniqueError};
use chess::rules::Position;
use kit::output::{self, grouped, remark};
use kit::report::{Format, Formats as _, TableFormats};
use kit::{BadInput, Exit, Progress};

use super::CommandContext;
use super::effort::Effort;
use crate::count::journal::{CountHeader, CountJournal};
use crate::count::result::{CompletionStatus, CountMode, CountResult};
use crate::count::run::{self, CountContext};
use crate::count::units::{Cut, CutError, Units};
use crate::report::count::write_count;

/// A ply with this many positions keeps every core busy, and a kill loses little.
const RESUMABLE: Cut = Cut::Enough {
    units: 2000,
    below: 1,
};

/// Count the leaf nodes below one position
///
/// Examples: `perft count 6`, `perft count kiwipete 5 --divide`,
/// `perft count 4k3/8/8/8/8/8/8/4K2R w K - 0 1 7`, `perft count 6 --unique`,
/// `perft count 9 --hash 1024 --resume nine.jsonl`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct CountArgs {
    /// Position (FEN or name, with moves), then depth
    ///
    /// Position, then depth in plies. The position is a FEN of four or six fields, with or without
    /// quotes, or a name: startpos (the default), kiwipete, position-3 to position-6, or an id of the
    /// built-in suites.
    #[arg(value_name = "[FEN|NAME] DEPTH", required = true, num_args = 1..)]
    position_and_depth: Vec<String>,

    /// Show the count below each legal move
    #[arg(long, conflicts_with = "breakdown")]
    divide: bool,

    /// Show captures, castles, checks and so on
    ///
    /// Show how many of the last moves are captures, castles, checks and so on.
    #[arg(long, conflicts_with_all = ["no_bulk", "hash"])]
    breakdown: bool,

    /// Disable bulk counting: make the last moves
    ///
    /// Disable bulk counting: make every move of the last ply.
    #[arg(hide_short_help = true, long, conflicts_with = "hash")]
    no_bulk: bool,

    /// Count the unique positions at each ply
    ///
    /// And the move sequences that lead to them.
    #[arg(long, conflicts_with_all = ["divide", "breakdown", "no_bulk"])]
    unique: bool,

    /// Record counts in a journal, and resume from it
    ///
    /// Record counts in a journal; the same command resumes from it, even after a crash.
    #[arg(long, value_name = "FILE", group = "cuts",
          conflicts_with_all = ["divide", "breakdown", "no_bulk", "unique"])]
    resume: Option<PathBuf>,

    /// Number of parts that are counted one by one
    ///
    /// Cut the tree at the first ply with at least this many unique positions, which are counted one
    /// by one [default: 2000].
    #[arg(hide_short_help = true, long, value_name = "N", requires = "cuts",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    units: Option<u32>,

    /// How to print the result
    #[arg(long, value_parser = Format::parser(TableFormats::ALL), default_value = "human")]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) effort: Effort,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    pub(super) lab: queue::lab::LabArgs,

    /// Exit with code 0 though nobody verified the sum
    ///
    /// Exit with code 0 even if no second worker of the lab verified the sum.
    #[cfg(feature = "fleet")]
    #[arg(hide_short_help = true, long, requires = "lab")]
    pub(super) unverified_ok: bool,
}

/// What the command line asks to be counted.
pub(super) struct CountPlan {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) mode: CountMode,
    /// Where the tree is cut into units; `None` to count it as a whole.
    pub(super) cut: Option<Cut>,
}

impl CountPlan {
    /// Cuts the tree; for a divide at ply 1 or later, so that every unit is below a root move, and
    /// for a breakdown above the leaves, so that the last moves are made below the units.
    pub(super) fn units(&self, cut: Cut, cancel: &AtomicBool) -> Result<Units, CutError> {
        let cut = match (self.mode, cut) {
            (CountMode::Breakdown, Cut::Ply(ply)) => {
                Cut::Ply(ply.min(self.depth.saturating_sub(1)))
            }
            _ => cut,
        };
        let units = Units::new(&self.position, self.depth, cut, cancel)?;
        if self.mode == CountMode::Divide && units.ply == 0 {
            return Units::new(&self.position, self.depth, Cut::Ply(1), cancel);
        }
        Ok(units)
    }
}

pub(super) fn explain_cut(error: CutError) -> anyhow::Error {
    match error {
        CutError::Unique(UniqueError::Count(error)) => error.into(),
        CutError::Unique(error) => error.into(),
        CutError::TooMany { .. } => BadInput(error.to_string()).into(),
    }
}

/// The whole of `perft count`: a plan, the threads that count, what they count into, the report.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn count(args: &CountArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    let start = Instant::now();
    let plan = args.plan(session)?;
    let pool = session.threads.pool()?;
    let mut result = CountResult::new(plan.position, plan.depth, plan.mode);
    // Only a count that is to survive a kill is cut into units; any other is one tree.
    let units = plan
        .cut
        .map(|cut| pool.install(|| plan.units(cut, interrupt.flag())));
    let units = units.transpose().map_err(explain_cut)?;
    let parts = match plan.mode {
        CountMode::Unique { .. } => "positions",
        _ if units.is_some() => "units",
        _ => "subtrees",
    };
    let is_shown = args.format == Format::Human && !session.quiet;
    let progress = Progress::new(0, parts, is_shown);
    let context = CountContext {
        pool: &pool,
        interrupt,
        progress: &progress,
    };
    let table = args.effort.table_of_count(plan.depth, plan.mode)?;
    let counter = Effort::counter(table.as_ref())?.bulk(!args.no_bulk);
    let mut journal = match (&args.resume, &units) {
        (Some(path), Some(units)) => Some(CountJournal::open(path, &CountHeader::new(units))?),
        _ => None,
    };
    if let (Some(units), Some(journal)) = (&units, &journal) {
        result.resumed = units.sum(&journal.counts);
    }
    let cut = units.as_ref().zip(journal.as_mut());
    let counted = run::count(&mut result, counter, cut, context);
    progress.finish();
    result.time = start.elapsed();
    // The finished plies of unique positions are worth showing even if the next one failed.
    if counted.is_ok() || matches!(plan.mode, CountMode::Unique { .. }) {
        output::stdout_with(|out| write_count(&result, args.format, out))?;
    }
    counted?;
    if let Some(journal) = journal.filter(|_| result.status == CompletionStatus::Interrupted) {
        remark(session.quiet, &how_to_resume(&journal));
    }
    Ok(result.status.exit())
}

impl CountArgs {
    /// Rejects options that only a count on this machine has.
    #[cfg(feature = "fleet")]
    pub(super) fn check_lab(&self) -> Result<(), BadInput> {
        let rows = [
            (self.unique, "unique", "a lab sums counts up"),
            (self.no_bulk, "no-bulk", "workers count as fast as they can"),
            (
                self.resume.is_some(),
                "resume",
                "the lab keeps what is counted",
            ),
            (
                self.effort.has_table(),
                "hash",
                "workers choose their tables",
            ),
        ];
        let found = rows.into_iter().find(|(is_given, ..)| *is_given);
        found.map_or(Ok(()), |(_, option, why)| {
            Err(BadInput(format!(
                "--{option}: not possible on a lab: {why}"
            )))
        })
    }

    pub(super) fn plan(&self, session: &CommandContext) -> anyhow::Result<CountPlan> {
        let (position, depth) = self.position_and_depth(session)?;
        let mode = if self.unique {
            CountMode::Unique {
                mebibytes: self.effort.mebibytes_of_positions()?,
            }
        } else if self.divide {
            CountMode::Divide
        } else if self.breakdown {
            CountMode::Breakdown
        } else {
            CountMode::Nodes
        };
        let default_cut = self.resume.as_ref().map(|_| RESUMABLE);
        let enough = |units: u32| Cut::Enough {
            units: units as usize,
            below: 1,
        };
        let cut = self.units.map(enough);
        Ok(CountPlan {
            position,
            depth,
            mode,
            cut: cut.or(default_cut),
        })
    }

    fn position_and_depth(&self, session: &CommandContext) -> Result<(Position, u32), BadInput> {
        let words = &self.position_and_depth;
        if words.iter().any(|word| word.trim().is_empty()) {
            let message = "an argument is empty, expected a position and a depth";
            return Err(BadInput(message.to_owned()));
        }
        let all = words.join(" ");
        let (text, depth) = all
            .trim()
            .rsplit_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or(("startpos", all.trim()));
        let depth = match depth.parse() {
            Ok(depth) if depth <= MAX_DEPTH => depth,
            _ => {
                return Err(BadInput(format!(
                    "'{depth}' is not a depth, expected a number of plies from 0 to {MAX_DEPTH} \
                     after the position"
                )));
            }
        };
        Ok((*session.route(text)?.position(), depth))
    }
}

fn how_to_resume(journal: &CountJournal) -> String {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let command = uci::join_words(words.iter().map(String::as_str));
    format!(
        "{} of {} units are in {}; to resume: {}",
        grouped(journal.counts.iter().flatten().count() as u64),
        grouped(journal.counts.len() as u64),
        journal.file.path().display(),
        command
    )
}

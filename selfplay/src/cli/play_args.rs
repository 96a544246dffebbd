//! The options of a run, as they are typed.

use std::path::PathBuf;

use clap::Args;

use crate::config::{
    AdjudicationDraft, BuildDraft, Clock, Draft, DrawText, EngineDraft, OnOff, OpeningsDraft,
    ResignText, Seconds, Side, Variant, number,
};
use crate::model::{BookFormat, BookOrder};

/// Engines by their part in a match.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct PairArgs {
    /// The new engine: a command with its arguments, rev:REF, or, if the first word is one of its keys,
    /// words as for --engine. Without name= it is called by its program, or by REF and its commit; "new"
    /// where the other engine is called so too
    #[arg(long, value_name = "CMD", value_parser = EngineDraft::from_command)]
    new: Option<EngineDraft>,

    /// The engine that it is to be compared with; "base" where its name would be that of the other
    #[arg(long, value_name = "CMD", value_parser = EngineDraft::from_command)]
    base: Option<EngineDraft>,
}

/// A run, but for the contest.
#[derive(Clone, Debug, Args)]
pub(super) struct PlayArgs {
    /// A configuration in TOML; what is said on the command line lies over it
    #[arg(long, value_name = "FILE", help_heading = RUN)]
    pub(super) config: Option<PathBuf>,

    /// An engine: 'cmd=… name=… args=… dir=… env.X=… option.Hash=16 tc=10+0.1 st=… nodes=… depth=…
    /// timemargin=… move-timeout=… send-stop=on ponder=on restart=on startup=…', quoted as for a shell; or a command with its
    /// arguments; once for each engine
    #[arg(long, value_name = "WORDS", value_parser = EngineDraft::from_command, help_heading = "Engines")]
    engine: Vec<EngineDraft>,

    /// What holds for every engine that does not say otherwise, as for --engine
    #[arg(long, value_name = "WORDS", help_heading = "Engines")]
    each: Option<EngineDraft>,

    /// The clock of each engine: 10+0.1, 40/60+0.6, 40/60:20/30, inf
    #[arg(long, value_name = "TC", help_heading = "Engines")]
    tc: Option<Clock>,

    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", help_heading = "Engines")]
    st: Option<Seconds>,

    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = "Engines")]
    nodes: Option<u64>,

    /// Plies for each move; of several limits every one holds
    #[arg(long, value_name = "N", value_parser = number::<u32>, help_heading = "Engines")]
    depth: Option<u32>,

    /// By how many milliseconds a clock or --st may be overstepped [default: 0]
    #[arg(long, value_name = "MS", value_parser = number::<u64>, help_heading = "Engines")]
    timemargin: Option<u64>,

    /// The longest time for one move in seconds, whatever else limits it: an engine that has not moved by then
    /// loses the game [default: with a clock or --st none; else 2 minutes without a line, 10 minutes in all]
    #[arg(long, value_name = "SECONDS", help_heading = "Engines")]
    move_timeout: Option<Seconds>,

    /// Send stop once the info lines of an engine pass --nodes or --depth: for engines that ignore these
    /// limits, which are otherwise refused before the first game
    #[arg(long, help_heading = "Engines")]
    send_stop: bool,

    /// How many pairs those who meet play; rounds of a Swiss; of a test, how many pairs at most [default: sprt:
    /// until it is decided; tournament: 1; swiss: as many as it takes; match: must be given]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN)]
    rounds: Option<u64>,

    #[command(flatten)]
    openings: OpeningsArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    #[command(flatten)]
    build: BuildArgs,

    /// Games at once [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<usize>, help_heading = RUN)]
    concurrency: Option<usize>,

    /// Give each game CPUs of its own, not siblings of one core while there are others
    #[arg(long, help_heading = RUN)]
    pin: bool,

    /// What all chance depends on [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN)]
    seed: Option<u64>,

    /// The tag Event of the games
    #[arg(long, value_name = "TEXT", help_heading = RUN)]
    event: Option<String>,

    /// The tag Site of the games
    #[arg(long, value_name = "TEXT", help_heading = RUN)]
    site: Option<String>,

    /// The run directory, which must not exist or be empty [default: a new one here, named by time and
    /// engines]
    #[arg(long, value_name = "DIR", help_heading = RUN)]
    pub(super) out: Option<PathBuf>,

    #[command(flatten, next_help_heading = RUN)]
    pub(super) show: ShowArgs,
}

/// The heading of what is said of the run as a whole.
const RUN: &str = "Run";

/// How a run is shown, and what it may do.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ShowArgs {
    /// Begin though memory or CPUs are too few, go on though programs have changed
    #[arg(long)]
    pub(super) force: bool,

    /// End with exit code 3 once more than N games were lost by faults: 0 for none at all; the run can be
    /// resumed [default: any number, but never 20 in a row of one engine, or 3 that it does not start]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(super) max_faults: Option<u64>,

    /// No progress: one line at the beginning, and the summary. Without it progress is a line that
    /// changes, or, where standard error is no terminal, one every 30 seconds
    #[arg(long)]
    pub(super) quiet: bool,

    /// How to print the summary
    #[arg(long, value_enum, default_value_t = super::Format::Human)]
    pub(super) format: super::Format,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Openings")]
pub(super) struct OpeningsArgs {
    /// A book: .epd, .fen or .pgn, packed by gzip or not
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// What is in it [default: as it is named]
    #[arg(long, value_enum, value_name = "FORMAT")]
    book_format: Option<Book>,

    /// In which order [default: random]
    #[arg(long, value_enum)]
    order: Option<Order>,

    /// How many openings of the order are passed over [default: 0]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    start: Option<u64>,

    /// How many plies of each game of a PGN book are played [default: all]
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    plies: Option<u32>,

    /// Which chess [default: standard]
    #[arg(long, value_enum)]
    variant: Option<Variant>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Book {
    /// Positions, one a line
    Epd,
    /// Games
    Pgn,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Order {
    /// As it stands
    Sequential,
    /// Shuffled by the seed
    Random,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Adjudication (all off unless given)")]
pub(super) struct AdjudicationArgs {
    /// A side is lost: 'moves=3 score=400 two-sided=on', the score in centipawns
    #[arg(long, value_name = "WORDS")]
    resign: Option<ResignText>,

    /// A game is drawn: 'from=40 moves=8 score=10'
    #[arg(long, value_name = "WORDS")]
    draw: Option<DrawText>,

    /// A game is drawn after so many moves of each side
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    max_moves: Option<u32>,

    /// A folder of Syzygy tables, which decide; once for each folder
    #[arg(long, value_name = "DIR")]
    tablebases: Vec<PathBuf>,

    /// Ask the tables only about so many pieces or less
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    tablebase_pieces: Option<u32>,

    /// Take the tables' wins that the fifty-move rule spoils for wins
    #[arg(long)]
    tablebase_ignore_fifty: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Revisions (cmd=rev:REF)")]
struct BuildArgs {
    /// The repository of revisions [default: the one here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,

    /// How a revision is built: a command for the shell
    #[arg(long, value_name = "CMD")]
    build: Option<String>,

    /// What the build makes, from the root of the repository
    #[arg(long, value_name = "PATH")]
    artifact: Option<PathBuf>,

    /// Where builds are kept [default: touchstone in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl PlayArgs {
    /// What was typed.
    pub(super) fn draft(&self, pair: Option<&PairArgs>) -> Draft {
        let of_side = |engine: Option<&EngineDraft>, side| {
            let engine = engine?.clone();
            let side = Some(side);
            Some(EngineDraft { side, ..engine })
        };
        let new = pair.and_then(|pair| of_side(pair.new.as_ref(), Side::New));
        let base = pair.and_then(|pair| of_side(pair.base.as_ref(), Side::Base));
        let engines = new.into_iter().chain(base).chain(self.engine.clone());
        let limits = EngineDraft {
            tc: self.tc.clone(),
            st: self.st,
            nodes: self.nodes,
            depth: self.depth,
            timemargin: self.timemargin,
            move_timeout: self.move_timeout,
            send_stop: self.send_stop.then_some(OnOff(true)),
            ..EngineDraft::default()
        };
        Draft {
            rounds: self.rounds,
            concurrency: self.concurrency,
            pin: self.pin.then_some(true),
            seed: self.seed,
            event: self.event.clone(),
            site: self.site.clone(),
            each: limits.over(self.each.clone().unwrap_or_default()),
            engines: engines.collect(),
            openings: self.openings.draft(),
            adjudication: self.adjudication.draft(),
            build: self.build.draft(),
            ..Draft::default()
        }
    }
}

impl OpeningsArgs {
    pub(super) fn draft(&self) -> OpeningsDraft {
        OpeningsDraft {
            file: self.openings.clone(),
            format: self.book_format.map(|format| match format {
                Book::Epd => BookFormat::Epd,
                Book::Pgn => BookFormat::Pgn,
            }),
            order: self.order.map(|order| match order {
                Order::Sequential => BookOrder::Sequential,
                Order::Random => BookOrder::Random,
            }),
            start: self.start,
            plies: self.plies,
            variant: self.variant,
        }
    }
}

impl AdjudicationArgs {
    pub(super) fn draft(&self) -> AdjudicationDraft {
        AdjudicationDraft {
            resign: self.resign,
            draw: self.draw,
            max_moves: self.max_moves,
            tablebases: self.tablebases.clone(),
            tablebase_pieces: self.tablebase_pieces,
            tablebase_ignore_fifty: self.tablebase_ignore_fifty.then_some(true),
        }
    }
}

impl BuildArgs {
    fn draft(&self) -> BuildDraft {
        BuildDraft {
            repo: self.repo.clone(),
            command: self.build.clone(),
            artifact: self.artifact.clone(),
            cache: self.cache.clone(),
        }
    }
}

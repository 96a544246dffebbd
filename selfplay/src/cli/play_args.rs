//! Options of a run, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::config::{
    AdjudicationDraft, BuildDraft, Clock, Draft, DrawText, EngineDraft, OnOff, OpeningsDraft,
    ResignText, Seconds, Side, Variant, number,
};
use crate::model::{BookFormat, BookOrder};

/// The two engines of a match.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct PairArgs {
    /// The new engine: a command with its arguments, rev:REF, or, if the first word is one of its
    /// keys, words as for --engine. Without name=, its name is that of the program, or REF and its
    /// commit; "new" if the other engine has the same name
    #[arg(long, value_name = "CMD", value_parser = EngineDraft::from_command)]
    new: Option<EngineDraft>,

    /// The engine to compare with; "base" if it would have the name of the other
    #[arg(long, value_name = "CMD", value_parser = EngineDraft::from_command)]
    base: Option<EngineDraft>,
}

/// Options of a run, except those of the contest.
#[derive(Clone, Debug, Args)]
pub(super) struct PlayArgs {
    /// Read a configuration in TOML; the command line overrides it
    #[arg(long, value_name = "FILE", help_heading = RUN)]
    pub(super) config: Option<PathBuf>,

    /// An engine: 'cmd=… name=… args=… dir=… env.X=… option.Hash=16 tc=10+0.1 st=… nodes=… depth=…
    /// timemargin=… move-timeout=… send-stop=on ponder=on restart=on startup=…', quoted as for a
    /// shell; or a command with its arguments; once for each engine
    #[arg(long, value_name = "WORDS", value_parser = EngineDraft::from_command, help_heading = "Engines")]
    engine: Vec<EngineDraft>,

    /// Defaults for every engine, as for --engine
    #[arg(long, value_name = "WORDS", help_heading = "Engines")]
    each: Option<EngineDraft>,

    /// Time control of each engine: 10+0.1, 40/60+0.6, 40/60:20/30, inf
    #[arg(long, value_name = "TC", help_heading = "Engines")]
    tc: Option<Clock>,

    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", help_heading = "Engines")]
    st: Option<Seconds>,

    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = "Engines")]
    nodes: Option<u64>,

    /// Plies for each move; if several limits are given, all apply
    #[arg(long, value_name = "N", value_parser = number::<u32>, help_heading = "Engines")]
    depth: Option<u32>,

    /// Time margin: milliseconds by which a clock or --st may be exceeded [default: 0]
    #[arg(long, value_name = "MS", value_parser = number::<u64>, help_heading = "Engines")]
    timemargin: Option<u64>,

    /// Maximum seconds for one move, whatever the other limits: an engine that exceeds it loses the
    /// game [default: with a clock or --st none; else 2 minutes without a line, 10 minutes in all]
    #[arg(long, value_name = "SECONDS", help_heading = "Engines")]
    move_timeout: Option<Seconds>,

    /// Send stop once the info lines of an engine exceed --nodes or --depth: for engines that
    /// ignore these limits, which are otherwise rejected before the first game
    #[arg(long, help_heading = "Engines")]
    send_stop: bool,

    /// Number of pairs for each pairing; rounds of a Swiss; maximum number of pairs of a test
    /// [default: sprt: until it is decided; tournament: 1; swiss: as many as needed; match:
    /// required]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN)]
    rounds: Option<u64>,

    #[command(flatten)]
    openings: OpeningsArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    #[command(flatten)]
    build: BuildArgs,

    /// Number of games played at once [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<usize>, help_heading = RUN)]
    concurrency: Option<usize>,

    /// Pin each game to its own CPUs, one per core first, then hyperthread siblings (Linux)
    #[arg(long, help_heading = RUN)]
    pin: bool,

    /// Random seed [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN)]
    seed: Option<u64>,

    /// PGN tag Event of the games
    #[arg(long, value_name = "TEXT", help_heading = RUN)]
    event: Option<String>,

    /// PGN tag Site of the games
    #[arg(long, value_name = "TEXT", help_heading = RUN)]
    site: Option<String>,

    /// Run directory, which must be new or empty [default: a new one in the current directory,
    /// named by time and engines]
    #[arg(long, value_name = "DIR", help_heading = RUN)]
    pub(super) out: Option<PathBuf>,

    #[command(flatten, next_help_heading = RUN)]
    pub(super) show: ShowArgs,
}

/// Help heading of the options of the run as a whole.
const RUN: &str = "Run";

/// How a run is shown, and which faults it tolerates.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ShowArgs {
    /// Start even if memory or CPUs are too few, resume even if programs have changed
    #[arg(long)]
    pub(super) force: bool,

    /// Stop with exit code 3 once more than N games were lost by faults: 0 allows none; the run can
    /// be resumed [default: no limit on the total; in any case, stop when one engine loses 20
    /// games in a row by faults, or 3 in a row because it does not start]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(super) max_faults: Option<u64>,

    /// Print no progress, only one line at the start and the summary. Without this option, progress
    /// is a line that is updated in place or, if standard error is not a terminal, one every 30
    /// seconds
    #[arg(long)]
    pub(super) quiet: bool,

    /// Output format of the summary
    #[arg(long, value_enum, default_value_t = crate::cli::Format::Human)]
    pub(super) format: crate::cli::Format,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Openings")]
pub(super) struct OpeningsArgs {
    /// Opening book: .epd, .fen or .pgn, gzipped or not
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Format of the book [default: by file name]
    #[arg(long, value_enum, value_name = "FORMAT")]
    book_format: Option<Book>,

    /// Order of the openings [default: random]
    #[arg(long, value_enum)]
    order: Option<Order>,

    /// Number of openings to skip in that order [default: 0]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    start: Option<u64>,

    /// Number of plies to play of each game of a PGN book [default: all]
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    plies: Option<u32>,

    /// Chess variant [default: standard]
    #[arg(long, value_enum)]
    variant: Option<Variant>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Book {
    /// Positions, one per line
    Epd,
    /// Games
    Pgn,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Order {
    /// In the order of the file
    Sequential,
    /// Shuffled by the random seed
    Random,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Adjudication (all off unless given)")]
pub(super) struct AdjudicationArgs {
    /// Adjudicate a loss: 'moves=3 score=400 two-sided=on', the score in centipawns
    #[arg(long, value_name = "WORDS")]
    resign: Option<ResignText>,

    /// Adjudicate a draw: 'from=40 moves=8 score=10'
    #[arg(long, value_name = "WORDS")]
    draw: Option<DrawText>,

    /// Adjudicate a draw after this number of moves by each side
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    max_moves: Option<u32>,

    /// Folder of Syzygy tablebases for adjudication; once for each folder
    #[arg(long, value_name = "DIR")]
    tablebases: Vec<PathBuf>,

    /// Probe only positions with at most this number of pieces
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    tablebase_pieces: Option<u32>,

    /// Count cursed wins (which the fifty-move rule turns into draws) as wins
    #[arg(long)]
    tablebase_ignore_fifty: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Revisions (cmd=rev:REF)")]
struct BuildArgs {
    /// Repository of the revisions [default: the one of the current directory]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,

    /// Build command for a revision, run by the shell
    #[arg(long, value_name = "CMD")]
    build: Option<String>,

    /// File that the build makes, relative to the root of the repository
    #[arg(long, value_name = "PATH")]
    artifact: Option<PathBuf>,

    /// Directory that keeps the builds [default: touchstone in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl PlayArgs {
    /// The options as a draft of the configuration.
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

//! Options of a run, as typed.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use clap::Args;
use kit::Interrupt;

use crate::config::{
    AdjudicationDraft, BuildDraft, Clock, CpuList, Draft, EngineDraft, Margin, OnOff,
    OpeningsDraft, PgnText, Side, Time, TimeoutsDraft, number,
};
use crate::model::{GamesPerOpening, Pinning};

/// Which CPUs games are played on.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = RUN)]
pub(super) struct PinningArgs {
    /// Pin each game to CPUs of its own, one per core first, then hyperthread siblings (Linux,
    /// Windows) [default: if so many are idle, and no other run has them (Linux)]
    #[arg(long)]
    pin: bool,

    /// Leave it to the operating system on which CPUs games are played
    #[arg(long, conflicts_with_all = ["pin", "cpus"])]
    no_pin: bool,

    /// Pin games to these CPUs only, such as 0,2,4-6
    #[arg(long, value_name = "LIST")]
    pub(super) cpus: Option<CpuList>,
}

impl PinningArgs {
    /// Whether games are to be pinned, if that is given.
    pub(super) fn pin(&self) -> Option<bool> {
        if self.no_pin {
            return Some(false);
        }
        self.pin.then_some(true)
    }

    /// The change for a run that is resumed, if one is given.
    pub(super) fn change(&self) -> Option<Pinning> {
        match (self.pin(), &self.cpus) {
            (_, Some(CpuList(cpus))) => Some(Pinning::Cpus(cpus.clone())),
            (Some(true), None) => Some(Pinning::On),
            (Some(false), None) => Some(Pinning::Off),
            (None, None) => None,
        }
    }
}

/// The two engines of a match.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct PairArgs {
    /// The new engine: a command with its arguments, rev:REF, or, if the first word is one of its
    /// keys, words as for --engine. Without name=, its name is that of the program, or REF and its
    /// commit; "new" if the other engine has the same name
    #[arg(long, value_name = "CMD", value_parser = EngineDraft::from_argument)]
    new: Option<EngineDraft>,

    /// The engine to compare with; "base" if it would have the name of the other
    #[arg(long, value_name = "CMD", value_parser = EngineDraft::from_argument)]
    base: Option<EngineDraft>,
}

/// Options of a run, except those of the contest.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct PlayArgs {
    /// Read a configuration in TOML; the command line overrides it
    #[arg(long, value_name = "FILE", help_heading = RUN)]
    pub(super) config: Option<PathBuf>,

    /// An engine: 'cmd=… name=… args=… dir=… env.X=… option.Hash=16 tc=10+0.1 movetime=… nodes=…
    /// depth=… margin=… move-timeout=… send-stop=on ponder=on restart=on startup=…', quoted as for
    /// a shell; or a command with its arguments; once for each engine
    #[arg(long, value_name = "WORDS", value_parser = EngineDraft::from_argument, help_heading = "Engines")]
    engine: Vec<EngineDraft>,

    /// Defaults for every engine, as words for --engine
    #[arg(long, value_name = "WORDS", help_heading = "Engines")]
    each: Option<EngineDraft>,

    /// A UCI option of every engine, as --each option.NAME=VALUE; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = kit::values::name_and_value,
          help_heading = "Engines")]
    options: Vec<(String, String)>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    timeouts: TimeoutsDraft,

    /// Number of pairs for each pairing; rounds of a Swiss; maximum number of pairs of a test
    /// [default: sprt: until it is decided; tournament: 1; swiss: as many as needed; match:
    /// required]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN)]
    rounds: Option<u64>,

    /// Number of games from each opening: 2, with colours swapped, or 1 with colours alternating
    /// from round to round; --rounds then counts games [default: 2]
    #[arg(long, value_name = "N", value_parser = games_per_opening, help_heading = RUN)]
    games: Option<GamesPerOpening>,

    /// Play both games from an opening with the same colours: the first engine has White
    #[arg(long, help_heading = RUN)]
    no_swap: bool,

    /// Let the second engine of a pairing begin with White
    #[arg(long, help_heading = RUN)]
    reverse: bool,

    /// Pause between two games of each of the games played at once, such as 500ms [default: 0]
    #[arg(long, value_name = "TIME", help_heading = RUN)]
    wait: Option<Margin>,

    #[command(flatten)]
    openings: OpeningsDraft,

    #[command(flatten)]
    adjudication: AdjudicationDraft,

    #[command(flatten)]
    build: BuildDraft,

    /// Number of games played at once [default: 1]
    #[arg(short = 'j', long, value_name = "N", value_parser = number::<usize>, help_heading = RUN)]
    concurrency: Option<usize>,

    #[command(flatten)]
    pub(super) pinning: PinningArgs,

    /// Random seed [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN)]
    seed: Option<u64>,

    /// PGN tag Event of the games
    #[arg(long, value_name = "TEXT", help_heading = RUN)]
    event: Option<String>,

    /// PGN tag Site of the games
    #[arg(long, value_name = "TEXT", help_heading = RUN)]
    site: Option<String>,

    /// Check the PV of each move's mate score: legal, ending in mate, of that length. A wrong one is an
    /// incident, bad-mate-pv, that costs no game
    #[arg(long, help_heading = RUN)]
    check_mate_pvs: bool,

    /// Form of games.pgn: 'notation=san|lan|uci min=on timeleft=off nodes=off seldepth=off nps=on
    /// hashfull=on tbhits=on latency=on pv=on file=PATH append=on'. min: no comments, few tags; file:
    /// write the games to this file too, which must be new unless append=on
    #[arg(long, value_name = "WORDS", help_heading = RUN)]
    pgn: Option<PgnText>,

    /// Write the last position of each game to this new file, as EPD
    #[arg(long, value_name = "FILE", help_heading = RUN)]
    epd_output: Option<PathBuf>,

    /// Add to the file of --epd-output if it exists
    #[arg(long, help_heading = RUN)]
    epd_append: bool,

    /// Run directory, which must be new or empty [default: a new one in the current directory,
    /// named by time and engines]
    #[arg(short, long, alias = "out", value_name = "DIR", help_heading = RUN)]
    pub(super) output: Option<PathBuf>,

    #[command(flatten, next_help_heading = RUN)]
    pub(super) log: LogArgs,

    #[command(flatten, next_help_heading = RUN)]
    pub(super) show: ShowArgs,
}

fn games_per_opening(text: &str) -> Result<GamesPerOpening, String> {
    number::<u64>(text)?.try_into()
}

/// Help heading of the options of the run as a whole.
const RUN: &str = "Run";

/// Search limits of every engine; if several are given, all apply.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Time control of each engine: 10+0.1, 40/60+0.6, 40/60:20/30, inf
    #[arg(long, value_name = "TC")]
    tc: Option<Clock>,

    /// Time for each move: 500ms, 1.5s
    #[arg(long, alias = "st", value_name = "TIME")]
    movetime: Option<Time>,

    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    nodes: Option<u64>,

    /// Plies for each move
    #[arg(long, value_name = "PLIES", value_parser = number::<u32>)]
    depth: Option<u32>,

    /// Time margin: how far a clock or --movetime may be exceeded, such as 50ms [default: 0]
    #[arg(long, value_name = "TIME")]
    margin: Option<Margin>,

    /// The time margin in milliseconds
    #[arg(long, value_name = "MS", value_parser = number::<u64>, conflicts_with = "margin", hide = true)]
    timemargin: Option<u64>,

    /// Maximum time for one move, whatever the other limits: an engine that exceeds it loses the
    /// game [default: with a clock or --movetime none; else 2m without a line, 10m in all]
    #[arg(long, value_name = "TIME")]
    move_timeout: Option<Time>,

    /// Send stop once the info lines of an engine exceed --nodes or --depth: for engines that
    /// ignore these limits, which are otherwise rejected before the first game
    #[arg(long)]
    send_stop: bool,
}

impl LimitArgs {
    pub(super) fn draft(&self) -> EngineDraft {
        EngineDraft {
            tc: self.tc.clone(),
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            margin: self.margin,
            timemargin: self.timemargin,
            move_timeout: self.move_timeout,
            send_stop: self.send_stop.then_some(OnOff(true)),
            ..EngineDraft::default()
        }
    }
}

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

    /// Set from --quiet, an option of every command. Progress is a line that is updated in place
    /// or, if standard error is not a terminal, one every 30 seconds.
    #[arg(skip)]
    pub(super) quiet: bool,

    /// Output format of the summary
    #[arg(long, value_enum, default_value_t = crate::cli::TextFormat::Human)]
    pub(super) format: crate::cli::TextFormat,
}

/// A log of the dialogue with engines.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct LogArgs {
    /// Write every line from and to engines to a file, after the seconds since the start, the engine's
    /// process and < or >; of a game with a fault, the run directory has a transcript in any case
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Add to the file of --log if it exists, which is an error otherwise
    #[arg(long, requires = "log")]
    log_append: bool,
}

fn exists(path: &Path) -> String {
    let name = path.display();
    format!("--log: {name} exists, expected a new file, or --log-append to add to it")
}

/// A log that has begun, or none.
#[derive(Clone, Debug, Default)]
pub(super) struct LogState {
    /// Why it ended early.
    failure: Arc<OnceLock<String>>,
    /// The file, if it is new.
    created: Option<PathBuf>,
}

impl LogState {
    /// Why the log ended early.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Removes the file of a run that could not start, if it was new: the next run may have the name.
    pub(super) fn discard(&self) {
        if let Some(path) = &self.created {
            // It is in the way at worst.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl LogArgs {
    pub(super) fn is_given(&self) -> bool {
        self.log.is_some()
    }

    /// Rejects a log that there cannot be, before anything is built.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        match &self.log {
            Some(path) if !self.log_append && path.exists() => Err(super::bad(exists(path))),
            _ => Ok(()),
        }
    }

    /// Begins the log, if there is to be one. If it cannot be written, the run is interrupted.
    pub(super) fn start(&self, interrupt: &Interrupt) -> anyhow::Result<LogState> {
        let mut state = LogState::default();
        let Some(path) = &self.log else {
            return Ok(state);
        };
        let name = path.display().to_string();
        state.created = (!path.exists()).then(|| path.clone());
        let mut options = OpenOptions::new();
        let options = options.append(true).create(self.log_append);
        let opened = options.create_new(!self.log_append).open(path);
        let file = opened.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => super::bad(exists(path)),
            _ => super::bad(format!("--log: cannot write {name}: {error}")),
        })?;
        let (ended, interrupted) = (state.clone(), interrupt.shared());
        kit::log_to(file, move |error| {
            // Only the first error is of use.
            let _ = ended
                .failure
                .set(format!("cannot write the log {name}: {error}"));
            interrupted.store(true, Ordering::Relaxed);
        });
        Ok(state)
    }
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
        let each = EngineDraft {
            option: self.options.clone(),
            ..self.limits.draft()
        };
        Draft {
            rounds: self.rounds,
            games: self.games,
            no_swap: self.no_swap.then_some(true),
            reverse: self.reverse.then_some(true),
            wait: self.wait,
            concurrency: self.concurrency,
            pin: self.pinning.pin(),
            cpus: self.pinning.cpus.clone(),
            seed: self.seed,
            event: self.event.clone(),
            site: self.site.clone(),
            check_mate_pvs: self.check_mate_pvs.then_some(true),
            pgn: self.pgn.clone(),
            epd_output: self.epd_output.clone(),
            epd_append: self.epd_append.then_some(true),
            each: each.over(self.each.clone().unwrap_or_default()),
            engines: engines.collect(),
            timeouts: self.timeouts,
            openings: self.openings.clone(),
            adjudication: self.adjudication.clone(),
            build: self.build.clone(),
            ..Draft::default()
        }
    }
}

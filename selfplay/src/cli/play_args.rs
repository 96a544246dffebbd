//! Options of a run, as typed.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use clap::Args;
use kit::Interrupt;
use kit::report::{Format, Formats as _, TextFormats};

use crate::config::{
    AdjudicationDraft, AtOnce, BuildDraft, ClockSetting, Draft, EngineDraft, EngineSide, Margin,
    MoveTime, OpeningsDraft, PgnText, PinSetting, number,
};
use crate::model::{GamesPerOpening, Pinning};

/// Which CPUs games are played on.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = RUN)]
pub(super) struct PinningArgs {
    /// CPUs of games: auto, on, off, or such as 0,2,4-6
    ///
    /// `on` pins each game to CPUs of its own, one per core first, then hyperthread siblings (Linux,
    /// Windows); a list pins games to these CPUs only; `off` leaves it to the operating system; `auto`
    /// pins if so many CPUs are idle, and no other run has them (Linux) [default: auto].
    #[arg(long, value_name = "CPUS", hide_short_help = true)]
    pub(super) pin: Option<PinSetting>,
}

impl PinningArgs {
    /// The change for a run that is resumed, if one is given.
    pub(super) fn change(&self) -> Option<Pinning> {
        self.pin.clone().map(|pin| pin.0)
    }
}

/// Options of a run, except those of the contest.
#[derive(Clone, Debug, Args)]
pub(super) struct PlayArgs {
    /// Engines: commands, rev:REF, or 'cmd=... KEY=...'
    ///
    /// An engine is a command with its arguments, quoted as one word; `rev:REF`, a revision that is
    /// built; or, if its first word is one of these keys, words quoted as for a shell: 'cmd=... name=...
    /// args=... dir=... env.X=... option.Hash=16 tc=10+0.1 movetime=... nodes=... depth=... margin=...
    /// move-timeout=... send-stop=on ponder=on restart=on startup=...'. Of two engines, the first is the
    /// new one, the second the base it is compared with. Without name=, an engine has the name of its
    /// program, or of REF and its commit; if both are the same, `new` and `base`. One with the name of an
    /// engine in the file of --config overrides that.
    #[arg(value_name = "ENGINE", value_parser = EngineDraft::from_argument)]
    engines: Vec<EngineDraft>,

    #[command(flatten)]
    limits: ClockArgs,

    /// Pairs to play; a tournament: of each pairing
    ///
    /// Rounds of a Swiss system; the maximum number of pairs of a test [default: of a test: until it is
    /// decided; match: 10 between two engines, 1 for each pairing of more; swiss: as many as needed].
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN)]
    rounds: Option<u64>,

    /// Games played at once [default: 1]
    ///
    /// -1: as many as there are CPUs, but one; -2: but two.
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, help_heading = RUN)]
    concurrency: Option<AtOnce>,

    #[command(flatten)]
    openings: OpeningsDraft,

    #[command(flatten)]
    adjudication: AdjudicationDraft,

    /// Set a UCI option of every engine
    ///
    /// May be given several times; as --each option.NAME=VALUE.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = kit::values::name_and_value,
          help_heading = "Engines")]
    options: Vec<(String, String)>,

    /// Defaults for every engine: 'KEY=VALUE ...'
    ///
    /// Words as of an engine, such as 'proto=xboard send-stop=on move-timeout=1m'.
    #[arg(
        long,
        value_name = "WORDS",
        help_heading = "Engines",
        hide_short_help = true
    )]
    each: Option<EngineDraft>,

    #[command(flatten)]
    build: BuildDraft,

    /// Read a configuration in TOML
    ///
    /// The command line overrides it. It has all that the command line has, and more: see the page
    /// about selfplay. `-` is standard input.
    #[arg(long, value_name = "FILE", help_heading = RUN)]
    pub(super) config: Option<PathBuf>,

    /// Games from each opening: 2, or 1 [default: 2]
    ///
    /// 2 with colours swapped, or 1 with colours alternating from round to round; --rounds then counts
    /// games.
    #[arg(long, value_name = "N", value_parser = games_per_opening, help_heading = RUN, hide_short_help = true)]
    games: Option<GamesPerOpening>,

    #[command(flatten)]
    pub(super) pinning: PinningArgs,

    /// Random seed [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>, help_heading = RUN, hide_short_help = true)]
    seed: Option<u64>,

    /// PGN tag Event; the title of a test at a lab
    #[arg(long, value_name = "TEXT", help_heading = RUN, hide_short_help = true)]
    event: Option<String>,

    /// Form of games.pgn: 'notation=san min=on ...'
    ///
    /// notation=san|lan|uci; what comments have, on or off: timeleft, nodes, seldepth (on by default), nps,
    /// hashfull, tbhits, latency, pv; min=on: no comments, few tags; file=PATH: write the games to this
    /// file too, which must be new unless append=on or overwrite=on [default: notation=san].
    #[arg(long, value_name = "WORDS", help_heading = RUN, hide_short_help = true)]
    pgn: Option<PgnText>,

    /// Run directory, new or empty [default: by time]
    ///
    /// By default, a new one in the current directory, named by time and engines.
    #[arg(short, long, alias = "out", value_name = "DIR", help_heading = RUN)]
    pub(super) output: Option<PathBuf>,

    #[command(flatten, next_help_heading = RUN)]
    pub(super) show: ShowArgs,

    /// Settings that stand in no option, below those of the command line.
    #[arg(skip)]
    pub(super) settings: Draft,
}

fn games_per_opening(text: &str) -> Result<GamesPerOpening, String> {
    number::<u64>(text)?.try_into()
}

/// Help heading of the options of the run as a whole.
const RUN: &str = "Run";

/// Search limits of every engine; if several are given, all apply.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct ClockArgs {
    /// Time control: 10+0.1, 40/60+0.6, inf
    ///
    /// Seconds, or moves in seconds, and the increment; stages are separated by colons: 40/60:20/30.
    #[arg(long, value_name = "TC")]
    tc: Option<ClockSetting>,

    #[command(flatten)]
    search: kit::options::LimitArgs,

    /// Time margin [default: 0; 50ms with --movetime]
    ///
    /// How far a clock or --movetime may be exceeded, such as 20ms [default: 0, and 50ms with --movetime alone, since
    /// engines move when that time is over].
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    margin: Option<Margin>,

    /// The time margin in milliseconds
    #[arg(long, value_name = "MS", value_parser = number::<u64>, conflicts_with = "margin", hide = true)]
    timemargin: Option<u64>,
}

impl ClockArgs {
    pub(super) fn draft(&self) -> EngineDraft {
        let search = self.search;
        EngineDraft {
            tc: self.tc.clone(),
            movetime: search.movetime.map(MoveTime::from),
            nodes: search.nodes,
            depth: search.depth,
            margin: self.margin.or(self.timemargin.map(|ms| Margin { ms })),
            ..EngineDraft::default()
        }
    }
}

/// How a run is shown, and which faults it tolerates.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ShowArgs {
    /// Start although memory or CPUs are too few
    #[arg(long, hide_short_help = true)]
    pub(super) force: bool,

    /// Stop after more than N games lost by faults
    ///
    /// With exit code 3; 0 allows none, and the run can be resumed [default: no limit on the total; in
    /// any case, stop when one engine loses 20 games in a row by faults, or 3 in a row because it does not
    /// start].
    #[arg(long, value_name = "N", value_parser = number::<u64>, hide_short_help = true)]
    pub(super) max_faults: Option<u64>,

    /// Make any warning an error at the end
    ///
    /// Exit code 3 if games were lost by faults, an engine did something that ended no game (an
    /// incident), too many games are copies, or a warning was printed.
    #[arg(long, hide_short_help = true)]
    pub(super) strict: bool,

    /// Print a line for each game
    ///
    /// On standard error, in place of the line that changes.
    #[arg(long, hide_short_help = true)]
    pub(super) each_game: bool,

    /// Whether a warning was printed.
    #[arg(skip)]
    pub(super) is_warned: bool,

    /// Set from --quiet, an option of every command. Progress is a line that is updated in place
    /// or, if standard error is not a terminal, one every 30 seconds.
    #[arg(skip)]
    pub(super) quiet: bool,

    /// Output format: human or json
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    pub(super) format: Format,
}

/// Lab options.
#[cfg(feature = "fleet")]
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Lab")]
pub(super) struct LabArgs {
    /// Let the workers of this lab play, and wait
    ///
    /// Submits the test to this lab and waits for its result. The token of your account is read from
    /// `FLEET_TOKEN`. Engines are revisions, `rev:REF` of --repo, or programs that workers have.
    /// Example: `--lab https://lab.example --repo my-engine`.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub(super) lab: Option<String>,

    /// Print the name and the address, and do not wait
    #[arg(long, requires = "lab", conflicts_with_all = ["output", "format"], hide_short_help = true)]
    pub(super) no_wait: bool,
}

/// A log of the dialogue with engines that has begun, or none.
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

impl LogState {
    /// Begins the log, if there is to be one. If it cannot be written, the run is interrupted.
    pub(super) fn start(log: Option<&Path>, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let mut state = Self::default();
        let Some(path) = log else {
            return Ok(state);
        };
        let name = path.display().to_string();
        state.created = (!path.exists()).then(|| path.to_owned());
        let opened = OpenOptions::new().append(true).create(true).open(path);
        let file =
            opened.map_err(|error| super::bad(format!("log: cannot write {name}: {error}")))?;
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

/// Reads a file for `--config`; `-` is standard input.
pub(super) fn read_config(path: &Path) -> anyhow::Result<Draft> {
    let name = path.display();
    let read = if path.as_os_str() == "-" {
        kit::read::text_of(std::io::stdin(), kit::read::SETTINGS)
    } else {
        kit::read::text(path, kit::read::SETTINGS)
    };
    let text = read.map_err(|error| super::bad(format!("cannot read {name}: {error}")))?;
    crate::config::parse(&text, &name.to_string()).map_err(super::bad)
}

impl PlayArgs {
    /// The options as a draft of the configuration, over that of the file.
    pub(super) fn draft(&self) -> anyhow::Result<Draft> {
        let mut others = self.engines.iter().cloned();
        // The engines of a match have sides, by their order.
        let [new, base] = if self.engines.len() <= 2 {
            [others.next(), others.next()]
        } else {
            [None, None]
        };
        let of_side = |engine: EngineDraft, side| EngineDraft {
            side: Some(side),
            ..engine
        };
        let new = new.map(|engine| of_side(engine, EngineSide::New));
        let base = base.map(|engine| of_side(engine, EngineSide::Base));
        let engines = new.into_iter().chain(base).chain(others);
        let each = EngineDraft {
            option: self.options.clone(),
            ..self.limits.draft()
        };
        let draft = Draft {
            rounds: self.rounds,
            games: self.games,
            concurrency: self.concurrency,
            pin: self.pinning.pin.clone(),
            seed: self.seed,
            event: self.event.clone(),
            pgn: self.pgn.clone(),
            each: each.over(self.each.clone().unwrap_or_default()),
            engines: engines.collect(),
            openings: self.openings.clone(),
            adjudication: self.adjudication.clone(),
            build: self.build.clone(),
            ..Draft::default()
        };
        let draft = draft.over(self.settings.clone());
        Ok(match &self.config {
            Some(path) => draft.over(read_config(path)?),
            None => draft,
        })
    }
}

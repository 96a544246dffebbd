//! `selfplay stats`, `plan`, `simulate` and `rate`: statistics without games.

use std::io::{self, BufRead, BufReader};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use chess::notation::pgn::{PgnReader, ReadPgnError};
use clap::Args;
use kit::cli::Common;
use kit::output::{remark, to_stderr};
use kit::report::{Format, Formats as _, TableFormats, TextFormats};
use kit::{Exit, Interrupt, Progress, output};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::report;
use crate::report::rate::RateReport;
use crate::report::simulate::SimulateReport;
use crate::report::stats::StatsReport;
use crate::stats::games::{self, FinishedGame, Match};
use crate::stats::rating::{Table, rate};
use crate::stats::simulate::{Simulation, SimulationTally};
use crate::stats::{Counts, EloModel, Hypotheses, PairModel, Pentanomial, SprtDesign, Wdl, plan};

/// Print the statistics of a match: Elo, normalised Elo, LOS, and the state of a sequential test
///
/// Intervals are 95%. With --elo0 and --elo1, also the log-likelihood ratio, the decision of the
/// test by Wald's bounds, and the median-unbiased Elo after its stop. `selfplay sprt` stops at
/// bounds that are corrected for overshoot, and are slightly closer. Numbers in JSON have 12
/// digits; infinite or unknown ones are null.
///
/// Examples: `selfplay stats 1187,7410,13475,7378,1164`,
/// `selfplay stats 716,2163,591 --elo0 0 --elo1 5`,
/// `selfplay stats match.pgn --elo0 0 --elo1 2 --model normalized --format json`.
///
/// Games of a PGN file are a pair if they have swapped colours and are the only two of their Round;
/// otherwise if they start from the same set-up position (tag FEN). Unless most games can be
/// paired this way, every game counts by itself.
#[derive(Debug, clap::Args)]
pub(super) struct StatsArgs {
    /// LL,LD,DD,WD,WW or W,D,L, or a PGN file
    ///
    /// Five numbers are pairs of games by points of the first engine, worst first: 0, 1/2, 1, 3/2, 2.
    /// Three are games won, drawn, lost; with both, the games of those pairs, which the bayesian model
    /// needs. Anything else is a PGN file with games of two engines; - is standard input.
    #[arg(value_name = "RESULTS", required = true, num_args = 1..=2)]
    results: Vec<CountedResults>,

    /// Engine of a PGN file to report on
    ///
    /// By default White of the game with the lowest number, or Round.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Skip games of a PGN file that cannot be read
    #[arg(long)]
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
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

pub(super) fn run_stats(
    args: &StatsArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let bounds = args.elo0.zip(args.elo1);
    let design = bounds
        .map(|(elo0, elo1)| args.test.design(elo0, elo1))
        .transpose()?;
    let (counts, found, unfinished) = match &args.results[..] {
        [CountedResults::Pgn(file)] => {
            let games = PgnGames::read(std::slice::from_ref(file), args.skip_bad, interrupt)?;
            if games.interrupted {
                return Ok(Exit::Interrupted);
            }
            let found = games::pair(&games.records, args.player.as_deref()).map_err(super::bad)?;
            if let Some(found) = found.as_ref().filter(|_| args.player.is_none()) {
                let Match { first, second, .. } = found;
                remark(
                    common.quiet,
                    &format!(
                        "note: the results are those of {first} against {second}; choose with --player"
                    ),
                );
            }
            let counts = found.as_ref().map(|found| found.counts);
            (
                counts.unwrap_or(Counts::Games(Wdl::default())),
                found,
                games.unfinished,
            )
        }
        results => {
            let of_files = [
                (args.player.is_some(), "--player"),
                (args.skip_bad, "--skip-bad"),
            ];
            if let Some((_, option)) = of_files.into_iter().find(|(is_given, _)| *is_given) {
                return Err(super::bad(format!(
                    "{option}: of a PGN file, but the results are counts"
                )));
            }
            (counts(results)?, None, 0)
        }
    };
    let report = StatsReport::new(counts, design).map_err(super::bad)?;
    let report = report.with_games(found, unfinished);
    output::to_stdout(match args.format {
        Format::Json => report.json(),
        _ => report.human(),
    })?;
    Ok(super::games_or_none(counts.samples()))
}

/// What is counted.
#[derive(Clone, Debug)]
enum CountedResults {
    Pairs(Pentanomial),
    Games(Wdl),
    Pgn(PathBuf),
}

impl FromStr for CountedResults {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.contains(',') || Path::new(text).exists() {
            return Ok(Self::Pgn(text.into()));
        }
        if text.matches(',').count() == 2 {
            let games = text.parse::<Wdl>().map_err(|error| error.to_string())?;
            return Ok(Self::Games(games));
        }
        let pairs = text.parse::<Pentanomial>();
        Ok(Self::Pairs(pairs.map_err(|error| error.to_string())?))
    }
}

fn counts(results: &[CountedResults]) -> anyhow::Result<Counts> {
    match results {
        [CountedResults::Games(games)] => Ok(Counts::Games(*games)),
        [CountedResults::Pairs(pairs)] => Ok(Counts::Pairs {
            pairs: *pairs,
            games: None,
        }),
        [CountedResults::Pairs(pairs), CountedResults::Games(games)]
        | [CountedResults::Games(games), CountedResults::Pairs(pairs)] => {
            if !pairs.can_be_made_of(*games) {
                let message = format!("pairs {pairs} cannot be made of the games {games} (W,D,L)");
                return Err(super::bad(message));
            }
            Ok(Counts::Pairs {
                pairs: *pairs,
                games: Some(*games),
            })
        }
        _ => Err(super::bad(
            "expected LL,LD,DD,WD,WW, or W,D,L, or both, or one PGN file",
        )),
    }
}

// Options of tests that are yet to be played.

/// A test and a model of its pairs.
#[derive(Clone, Debug, Args)]
pub(super) struct FutureArgs {
    /// H0: the new engine is no better than this
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,

    /// H1: it is at least as good as this
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,

    #[command(flatten)]
    test: TestArgs,

    /// Expected draw ratio of games
    #[arg(
        long,
        value_name = "PART",
        default_value_t = 0.5,
        conflicts_with = "like"
    )]
    draw_ratio: f64,

    /// Expect pairs as in an earlier test, worst first
    ///
    /// Expect pairs distributed as in an earlier test: LL,LD,DD,WD,WW, worst first.
    #[arg(long, value_name = "LL,LD,DD,WD,WW")]
    like: Option<Pentanomial>,

    /// True differences to evaluate, such as 0,2.5,5
    ///
    /// True differences to evaluate, in the units of elo0 and elo1, separated by commas [default: see
    /// above].
    #[arg(
        long,
        value_name = "ELO,…",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    elo: Vec<f64>,
}

impl FutureArgs {
    pub(super) fn design(&self) -> anyhow::Result<SprtDesign> {
        let design = self.test.design(self.elo0, self.elo1)?;
        if design.hypotheses().model == EloModel::Bayesian {
            let message = "the model bayesian depends on the games themselves, expected logistic or \
                           normalized";
            return Err(super::bad(message));
        }
        Ok(design)
    }

    pub(super) fn pairs(&self) -> anyhow::Result<PairModel> {
        if let Some(pairs) = self.like {
            if pairs.pairs() == 0 {
                return Err(super::bad("--like has no pairs"));
            }
            return Ok(PairModel::like(&Counts::of_pairs(pairs)));
        }
        if !(0.0..1.0).contains(&self.draw_ratio) {
            let found = self.draw_ratio;
            let message = format!("the draw ratio is {found}, expected 0 or more and less than 1");
            return Err(super::bad(message));
        }
        Ok(PairModel::Games {
            draw_ratio: self.draw_ratio,
            // Openings that favour one side change the pairs: --like has those of an earlier test.
            bias: 0.0,
        })
    }

    /// The true differences requested; by default the bounds and points between and beyond them,
    /// one for each of `parts`, in units of the distance between the bounds.
    pub(super) fn elos(&self, parts: &[f64]) -> anyhow::Result<Vec<f64>> {
        if let Some(elo) = self
            .elo
            .iter()
            .find(|elo| !(-1000.0..=1000.0).contains(*elo))
        {
            let message = format!("{elo} is out of range, expected -1000 to 1000 Elo");
            return Err(super::bad(message));
        }
        if !self.elo.is_empty() {
            return Ok(self.elo.clone());
        }
        let width = self.elo1 - self.elo0;
        Ok(parts.iter().map(|part| self.elo0 + part * width).collect())
    }
}

// Options of a sequential test.

/// Error probabilities of a test, and the units of its bounds.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TestArgs {
    /// Probability of a false pass
    ///
    /// Probability of accepting H1 if the true difference is elo0.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "elo0")]
    alpha: f64,

    /// Probability of a false fail
    ///
    /// Probability of accepting H0 if the true difference is elo1.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "elo0")]
    beta: f64,

    /// Units of elo0 and elo1
    #[arg(long, value_enum, default_value_t, requires = "elo0")]
    model: EloModel,
}

impl TestArgs {
    /// The test with these bounds.
    pub(super) fn design(&self, elo0: f64, elo1: f64) -> anyhow::Result<SprtDesign> {
        let hypotheses = Hypotheses {
            elo0,
            elo1,
            model: self.model,
        };
        SprtDesign::new(hypotheses, self.alpha, self.beta).map_err(super::bad)
    }
}

// Reads the games of PGN files.

/// The contents of PGN files.
#[derive(Debug, Default)]
pub(super) struct PgnGames {
    /// The finished games, in order.
    pub(super) records: Vec<FinishedGame>,
    /// Number of games without a result.
    pub(super) unfinished: u64,
    /// Number of games that cannot be read.
    bad: u64,
    /// Whether the user cancelled.
    pub(super) interrupted: bool,
}

impl PgnGames {
    /// Reads files by name; `-` is standard input. Faults are reported on standard error; unless
    /// `skip_bad`, an unreadable game is an error.
    pub(super) fn read(
        files: &[PathBuf],
        skip_bad: bool,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        let mut games = Self::default();
        for file in files {
            let name = file.display().to_string();
            games.add(open(file)?, &name, interrupt)?;
        }
        if games.bad > 0 && !skip_bad {
            let bad = games.bad;
            let message = format!("games that cannot be read: {bad}; --skip-bad leaves them out");
            return Err(super::bad(message));
        }
        Ok(games)
    }

    fn add(
        &mut self,
        input: Box<dyn BufRead>,
        name: &str,
        interrupt: &Interrupt,
    ) -> anyhow::Result<()> {
        for game in PgnReader::new(input) {
            if interrupt.has_come() {
                self.interrupted = true;
                break;
            }
            match game {
                Ok(game) => match FinishedGame::from_game(&game) {
                    Some(record) => self.records.push(record),
                    None => self.unfinished += 1,
                },
                Err(ReadPgnError::Game(error)) => {
                    self.bad += 1;
                    let (place, reason) = (error.place, error.reason);
                    let (line, column) = (place.line, place.column);
                    to_stderr(&format!("{name}:{line}:{column}: error: {reason}"));
                }
                Err(ReadPgnError::Io(error)) => {
                    return Err(super::bad(format!("cannot read {name}: {error}")));
                }
            }
        }
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    match std::fs::File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(error) => Err(super::bad(format!(
            "cannot read {}: {error}",
            path.display()
        ))),
    }
}

// `selfplay plan`.

/// Predict how many games a sequential test takes, and how likely it is to pass
///
/// For each true difference: the probability that H1 is accepted; the mean number of games of all
/// tests, of those that pass and of those that fail; and the number of games by which 50% and 95%
/// of the tests have ended. Without --elo the true differences are elo0, elo1 and seven others
/// between and beyond them. Lengths are those of a random walk without overshoot; --simulate runs the
/// test itself.
///
/// Examples: `selfplay plan --elo0 0 --elo1 5`,
/// `selfplay plan --elo0 0 --elo1 2 --model normalized --draw-ratio 0.6 --elo 0,1,2`,
/// `selfplay plan --elo0 0 --elo1 5 --simulate 10000`.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    future: FutureArgs,

    /// Simulate N tests at each true difference
    ///
    /// By Monte Carlo, instead of computing. Without --elo the true differences are elo0, where passing is
    /// a type I error, and elo1, where failing to pass is a type II error.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    simulate: Option<u64>,

    /// Output format
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

/// Random seed of simulations: the same numbers on every machine.
const SEED: u64 = 1;

const PARTS: [f64; 9] = [-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];

pub(super) fn run_plan(
    args: &PlanArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    if let Some(tests) = args.simulate {
        return simulate(args, tests, common, interrupt);
    }
    let design = args.future.design()?;
    let pairs = args.future.pairs()?;
    let plans = args.future.elos(&PARTS)?;
    let plans = plans.into_iter().map(|elo| plan(&pairs, &design, elo));
    let plans = plans.collect::<Result<Vec<_>, _>>().map_err(super::bad)?;
    output::to_stdout(match args.format {
        Format::Json => report::plan::json(&design, &plans),
        _ => report::plan::human(&plans),
    })?;
    Ok(Exit::Agreed)
}

/// Most games of a simulated test, far more than any takes.
const MOST_GAMES: u64 = 10_000_000;

fn simulate(
    args: &PlanArgs,
    tests: u64,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let design = args.future.design()?;
    let model = args.future.pairs()?;
    let elos = args.future.elos(&[0.0, 1.0])?;
    let pool = rayon::ThreadPoolBuilder::new()
        .build()
        .context("cannot start threads")?;
    let progress = Progress::new(tests * elos.len() as u64, "tests", !common.quiet);
    let mut tallies = Vec::new();
    for elo in elos {
        let pairs = model
            .at_elo(elo, design.hypotheses().model)
            .map_err(super::bad)?;
        let simulation = Simulation {
            design,
            pairs,
            batch: NonZeroU64::MIN,
            max_pairs: MOST_GAMES / 2,
            correction: true,
            seed: SEED,
        };
        let Some(tally) = play(&simulation, tests, &pool, interrupt, &progress) else {
            return Ok(Exit::Interrupted);
        };
        tallies.push((elo, tally));
    }
    progress.finish();
    let report = SimulateReport {
        design,
        seed: SEED,
        batch: NonZeroU64::MIN.get(),
        correction: true,
        tallies,
    };
    output::to_stdout(match args.format {
        Format::Json => report.json(),
        _ => report.human(),
    })?;
    Ok(Exit::Agreed)
}

/// Runs the simulation; `None` if it was cancelled.
fn play(
    simulation: &Simulation,
    tests: u64,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Option<SimulationTally> {
    let run = |index| {
        if interrupt.has_come() {
            return None;
        }
        let run = simulation.run(index);
        progress.advance(1);
        Some(run)
    };
    let runs: Option<Vec<_>> = pool.install(|| (0..tests).into_par_iter().map(run).collect());
    SimulationTally::from_runs(&runs?)
}

// `selfplay rate`.

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

    /// Virtual draws to give each engine
    ///
    /// Give each engine this number of virtual draws, spread over its opponents.
    #[arg(long, value_name = "DRAWS", default_value_t = 0.0)]
    prior: f64,

    /// Skip games that cannot be read
    #[arg(long)]
    skip_bad: bool,

    /// Output format
    #[arg(long, value_parser = Format::parser(TableFormats::ALL), default_value = "human")]
    format: Format,
}

pub(super) fn run_rate(args: &RateArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if !(0.0..=1e6).contains(&args.prior) {
        let message = format!("the prior is {}, expected 0 to 1000000 draws", args.prior);
        return Err(super::bad(message));
    }
    let games = PgnGames::read(&args.files, args.skip_bad, interrupt)?;
    if games.interrupted {
        return Ok(Exit::Interrupted);
    }
    let table = Table::from_records(&games.records).with_prior(args.prior);
    if table.names.is_empty() {
        to_stderr("error: there are no finished games between two engines");
        return Ok(Exit::Nothing);
    }
    let ratings = rate(&table);
    let report = RateReport::new(&table, &ratings, games.unfinished);
    output::to_stdout(match args.format {
        Format::Csv => report.csv()?,
        Format::Json => report.json(),
        _ => report.human(),
    })?;
    Ok(Exit::Agreed)
}

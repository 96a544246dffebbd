//! `epd eval label`.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chess::notation::pgn::{PgnReader, ReadPgnError};
use chess::rules::Position;
use kit::options::{ConcurrencyArgs, EngineOptionArgs, LimitArgs};
use kit::output::{remark, to_stderr};
use kit::{BadInput, DraftFile, Exit, Interrupt, Progress, output};
#[cfg(feature = "fleet")]
use queue::lab::LabArgs;

#[cfg(feature = "fleet")]
use super::label_lab::LabelTest;
use crate::cli::input::{self, StreamedFile, cannot_read};
use crate::eval::ask::{EvalFailure, EvalQuery, EvalReply, EvaluatorPool, find_ignored_by};
use crate::eval::data::{DataFormat, hash_of};
use crate::eval::label::{GameId, LabelSample, SampleRules, header, sample, write_line};
use crate::run::plan::PositionLimits;

/// Positions that are sent to an engine together.
const CHUNK: usize = 4096;

/// Make data for `epd eval score` from games: positions with result and score
///
/// Takes one quiet position, as of `epd from-pgn`, of every few plies of each game that ended on the board
/// or by adjudication, unless a capture or promotion was played from it. Scores are those of the players, in the comments of the moves (`+0.31/12`,
/// `[%eval 0.31]`), or those of a reference engine (--engine). A mate is 30000 centipawns. No
/// position is written twice, and none stands in both --output and --test.
///
/// Examples: `epd eval label games.pgn -o data.epd`,
/// `epd eval label games.pgn --engine stockfish --nodes 20000 --every 16 -o train.epd --test test.epd`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 done, 2 bad usage, or unreadable games without --skip-bad, 3 the engine failed on some positions, 4 no position."
)]
pub(super) struct LabelArgs {
    /// PGN files, or `-` for standard input
    #[arg(value_name = "PGN", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    sampling: SamplingArgs,

    #[command(flatten)]
    reference: ReferenceArgs,

    /// Set from --skip-bad, an option of every command.
    #[arg(skip)]
    pub(super) skip_bad: bool,

    /// Format of the lines
    #[arg(long, value_enum, default_value = "epd")]
    format: DataFormat,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the positions of some games to this file
    ///
    /// Instead, to test what is fitted to the others.
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    test: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which positions")]
struct SamplingArgs {
    /// Take one position of every N plies
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    every: u16,

    /// Plies to skip at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    skip: u16,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reference engine")]
struct ReferenceArgs {
    /// Engine that scores the positions
    ///
    /// In place of the scores in the comments.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    options: EngineOptionArgs,

    #[command(flatten)]
    concurrency: ConcurrencyArgs,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    lab: LabArgs,
}

/// Random seed of the choice of positions, and of the games for --test.
const SEED: u64 = 1;
/// How long the engine may take for a position.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Share of the games that go to --test.
const TEST_SHARE: f64 = 0.1;

pub(super) fn run(args: &LabelArgs, interrupt: &Interrupt, is_quiet: bool) -> anyhow::Result<Exit> {
    let outputs = [args.output.as_deref(), args.test.as_deref()];
    output::refuse_to_replace(&outputs, &args.files)?;
    output::check_writable(&outputs)?;
    let reference = Reference::start(&args.reference, interrupt, is_quiet)?;
    let progress = Progress::new(0, "positions", !is_quiet).with_lines(!is_quiet);
    let mut labeller = Labeller {
        args,
        reference,
        progress: &progress,
        seen: HashSet::new(),
        waiting: Vec::with_capacity(CHUNK),
        counts: LabelCounts::default(),
        train: begin(args.output.as_deref(), args.format)?,
        test: match &args.test {
            Some(path) => Some(begin(Some(path), args.format)?),
            None => None,
        },
    };
    let exit = labeller.read_all(interrupt);
    progress.finish();
    let Labeller {
        counts,
        train,
        test,
        ..
    } = labeller;
    let exit = match input::or_interrupted(exit) {
        Err(error) if error.is::<Submitted>() => return Ok(Exit::Agreed),
        exit => exit?,
    };
    // No file is replaced by an unfinished or an empty one.
    if matches!(exit, Exit::Agreed | Exit::Failed) {
        if counts.train > 0 {
            train.commit()?;
        }
        if let Some(test) = test.filter(|_| counts.test > 0) {
            test.commit()?;
        }
    }
    remark(is_quiet, &counts.to_string());
    Ok(exit)
}

/// The lab has the test, and nobody is to wait for it.
#[derive(Debug, thiserror::Error)]
#[error("the test was submitted")]
struct Submitted;

fn begin(path: Option<&Path>, format: DataFormat) -> anyhow::Result<DraftFile> {
    let mut draft = DraftFile::new(path)?;
    draft.write_all(header(format).as_bytes())?;
    Ok(draft)
}

/// Searches positions for White's scores: here, or by the workers of a lab.
type LabelSearch<'a> = Box<dyn Fn(&[Position], &Progress) -> anyhow::Result<Vec<EvalReply>> + 'a>;

/// An engine that scores positions.
struct Reference<'a> {
    search: LabelSearch<'a>,
    /// Whether all positions are to be known before the first is searched: they are one test.
    takes_all_at_once: bool,
}

impl<'a> Reference<'a> {
    #[cfg_attr(
        not(feature = "fleet"),
        expect(unused_variables, reason = "only a lab is reported on")
    )]
    fn start(
        args: &'a ReferenceArgs,
        interrupt: &'a Interrupt,
        is_quiet: bool,
    ) -> anyhow::Result<Option<Self>> {
        let limits = PositionLimits::from(args.limits);
        let Some(engine) = &args.engine else {
            if !limits.is_empty() {
                let message = "--nodes, --depth and --movetime need --engine, which searches";
                return Err(BadInput(message.to_owned()).into());
            }
            return Ok(None);
        };
        if limits.is_empty() {
            let message = "--engine needs a limit, such as --nodes 20000 or --depth 10";
            return Err(BadInput(message.to_owned()).into());
        }
        let start = super::start(engine, &args.options, interrupt)?;
        let concurrency = args.concurrency.or_cores(1);
        #[cfg(feature = "fleet")]
        if let Some(url) = &args.lab.lab {
            let test = LabelTest {
                engine,
                start,
                timeout: TIMEOUT,
                limits,
                args: &args.lab,
                url,
                interrupt,
                is_quiet,
            };
            return Ok(Some(Self {
                search: Box::new(move |positions, _| Ok(test.run(positions)?.ok_or(Submitted)?)),
                takes_all_at_once: true,
            }));
        }
        let query = EvalQuery::Search(limits);
        if let Some(ignored) = find_ignored_by(&start, &query, TIMEOUT) {
            anyhow::bail!("{engine}: {}", ignored.with_remedy());
        }
        let pool = EvaluatorPool::new(&start, &query, TIMEOUT, concurrency);
        Ok(Some(Self {
            search: Box::new(move |positions, progress| Ok(pool.evaluate(positions, progress))),
            takes_all_at_once: false,
        }))
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct LabelCounts {
    games: u64,
    bad: u64,
    without_position: u64,
    repeated: u64,
    without_score: u64,
    failed: u64,
    train: u64,
    test: u64,
}

impl std::fmt::Display for LabelCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            games,
            train,
            test,
            repeated,
            without_position,
            ..
        } = self;
        write!(f, "{} positions of {games} games", train + test)?;
        if *test > 0 {
            write!(f, ", {test} of them for the test")?;
        }
        write!(
            f,
            "; {repeated} repeated, {without_position} games without a position"
        )?;
        let others = [
            (self.bad, "games unreadable"),
            (self.without_score, "without a score"),
            (self.failed, "not scored by the engine"),
        ];
        for (count, what) in others.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        Ok(())
    }
}

struct Labeller<'a> {
    args: &'a LabelArgs,
    reference: Option<Reference<'a>>,
    progress: &'a Progress,
    /// Keys of the positions taken.
    seen: HashSet<u64>,
    waiting: Vec<(LabelSample, GameId)>,
    counts: LabelCounts,
    train: DraftFile,
    /// The positions of the games that are set apart.
    test: Option<DraftFile>,
}

impl Labeller<'_> {
    fn read_all(&mut self, interrupt: &Interrupt) -> anyhow::Result<Exit> {
        for path in &self.args.files {
            if !self.read(path, interrupt)? {
                return Ok(Exit::Interrupted);
            }
        }
        self.flush()?;
        if interrupt.has_come() {
            return Ok(Exit::Interrupted);
        }
        if self.counts.bad > 0 && !self.args.skip_bad {
            let message = "some games cannot be read; --skip-bad leaves them out";
            return Err(BadInput(message.to_owned()).into());
        }
        Ok(match self.counts {
            LabelCounts {
                train: 0,
                test: 0,
                failed: 0,
                ..
            } => {
                to_stderr("error: no position was taken");
                Exit::Nothing
            }
            LabelCounts { failed: 0, .. } => Exit::Agreed,
            _ => Exit::Failed,
        })
    }

    /// Reads one file; false if the run was interrupted.
    fn read(&mut self, path: &Path, interrupt: &Interrupt) -> anyhow::Result<bool> {
        let SamplingArgs { every, skip } = self.args.sampling;
        let rules = SampleRules {
            skip: usize::from(skip),
            every: usize::from(every),
            seed: SEED,
        };
        let StreamedFile { name, text, .. } = StreamedFile::open(path)?;
        for (game, number) in PgnReader::new(text).zip(1..) {
            if interrupt.has_come() {
                return Ok(false);
            }
            let game = match game {
                Ok(game) => game,
                Err(ReadPgnError::Game(error)) => {
                    self.counts.bad += 1;
                    let (line, column) = (error.place.line, error.place.column);
                    to_stderr(&format!("{name}:{line}:{column}: error: {}", error.reason));
                    continue;
                }
                Err(ReadPgnError::Io(error)) => {
                    return Err(cannot_read(&name, &error).into());
                }
            };
            self.counts.games += 1;
            let samples = sample(&game, number, &rules);
            self.counts.without_position += u64::from(samples.is_empty());
            for sample in samples {
                if self.seen.insert(sample.position.key()) {
                    let file = name.clone();
                    let running = self.counts.games;
                    self.waiting.push((
                        sample,
                        GameId {
                            file,
                            number,
                            running,
                        },
                    ));
                } else {
                    self.counts.repeated += 1;
                }
            }
            let is_one_job = self
                .reference
                .as_ref()
                .is_some_and(|reference| reference.takes_all_at_once);
            if self.waiting.len() >= CHUNK && !is_one_job {
                self.flush()?;
            }
        }
        Ok(true)
    }

    /// Scores the waiting positions, and writes them.
    fn flush(&mut self) -> anyhow::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let scored = if let Some(reference) = &self.reference {
            let positions: Vec<Position> = waiting.iter().map(|(one, _)| one.position).collect();
            let searched = (reference.search)(&positions, self.progress)?;
            self.scored(waiting, &searched)
        } else {
            self.progress.advance(waiting.len() as u64);
            waiting
        };
        for (sample, game) in scored {
            if self.args.format == DataFormat::Bullet && sample.score_cp.is_none() {
                // The format has no way to say that there is none.
                self.counts.without_score += 1;
                continue;
            }
            let line = write_line(&sample, &game, self.args.format);
            let is_for_test = Self::is_for_test(&game);
            match &mut self.test {
                Some(test) if is_for_test => {
                    self.counts.test += 1;
                    test.write_all(line.as_bytes())?;
                }
                _ => {
                    self.counts.train += 1;
                    self.train.write_all(line.as_bytes())?;
                }
            }
        }
        Ok(())
    }

    /// The positions with the scores of the reference engine.
    fn scored(
        &mut self,
        waiting: Vec<(LabelSample, GameId)>,
        searched: &[EvalReply],
    ) -> Vec<(LabelSample, GameId)> {
        let mut kept = Vec::with_capacity(waiting.len());
        for (index, (sample, game)) in waiting.into_iter().enumerate() {
            let score = match &searched[index] {
                Some(Ok(found)) => found.score,
                Some(Err(EvalFailure { reason, .. })) => {
                    self.counts.failed += 1;
                    to_stderr(&format!(
                        "{} {} {}: {reason}",
                        game.file, game.number, sample.ply
                    ));
                    continue;
                }
                None => continue,
            };
            let side = sample.position.side_to_move();
            let Some(score_cp) = score.limited_cp(side) else {
                continue;
            };
            let score_cp = Some(score_cp);
            kept.push((LabelSample { score_cp, ..sample }, game));
        }
        kept
    }

    /// Whether a game is one of those for the test; all its positions are.
    fn is_for_test(game: &GameId) -> bool {
        let GameId { file, number, .. } = game;
        let hash = hash_of(&format!("{SEED} {file} {number}"));
        #[expect(clippy::cast_precision_loss, reason = "a share of the range")]
        let place = (hash >> 32) as f64 / (1_u64 << 32) as f64;
        place < TEST_SHARE
    }
}

//! `epd eval score`.

use std::collections::HashMap;
use std::io::{self, BufReader, Seek as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chess::rules::Position;
use kit::options::{EngineArgs, OutputArgs};
use kit::output::{remark, to_stderr};
use kit::{BadInput, Exit, Interrupt, Progress};

use super::QueryArgs;
use crate::cli::input::{self, StreamedFile, cannot_read};
use crate::eval::ask::{EvalFailure, EvalQuery, EvalReply, EvaluatorPool};
use crate::eval::data::{DataReader, GameResult, Labelled, ReadDataError, hash_of};
use crate::eval::pattern::MATE_CP;
use crate::eval::score::features::PositionFeatures;
use crate::eval::score::judge::{JudgeRules, Judgement, ScoreVerdict, ThemeSets, judge};
use crate::eval::score::model::ModelKind;
use crate::eval::score::report::{EvalScoreReport, ScoreFormats, WorstPosition};
use crate::eval::score::rows::{RowWriter, ScoredRow};
use crate::run::statistics::to_f64;

/// Positions that are sent to the engines together.
const CHUNK: usize = 8192;

/// Judge evaluations by the results of games: is the new one better than the old?
///
/// Reads positions with the results of their games, queries each engine for its static evaluation
/// of them, and prints how well it predicts the results: log loss, squared error, calibration, by
/// phase, material, king safety and theme. With two engines, the first is the new one, the second
/// the old one: the difference is printed with a 95% interval, by a bootstrap over games.
///
/// The scale of each engine (Texel's K) is fitted on games that are left out of everything else, so
/// that units make no difference. `epd eval label` makes such data from games.
///
/// Formats of DATA, one position per line, recognised by the first line: EPD with `c9 "1-0"`, `FEN
/// [0.5]`, `FEN; 1-0`, bullet's `FEN | centipawns | 0.5`, the trainer's `GAME;FEN;RESULT;CP`, CSV with
/// a header. Results and scores are White's; those of `ce` are the side to move's.
///
/// Examples: `epd eval score quiet.epd --engine ./new --engine ./old`,
/// `epd eval score data.csv --engine ./my-engine --format html -o report.html`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 not worse (or a single engine), 1 worse (--fail-on), 2 bad input, 3 an engine failed on some positions, 4 nothing could be judged."
)]
pub(super) struct EvalScoreArgs {
    /// Positions with results; - for standard input
    ///
    /// Files of positions with results; `-` for standard input.
    #[arg(value_name = "DATA", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    engines: EngineArgs,

    #[command(flatten)]
    query: QueryArgs,

    /// Set from --skip-bad, an option of every command.
    #[arg(skip)]
    pub(super) skip_bad: bool,

    /// Model of results: expected points, or WDL
    ///
    /// Model of results: expected points, or wins, draws and losses.
    #[arg(long, value_enum, default_value = "logistic")]
    model: ModelKind,

    /// Scale of all engines in centipawns
    ///
    /// Instead of fitted ones: 400 / (K ln 10)
    #[arg(hide_short_help = true, long, value_name = "CP", value_parser = scale, conflicts_with = "model")]
    scale: Option<f64>,

    /// When the exit code is 1
    #[arg(long, value_enum, value_name = "WHEN", default_value = "worse")]
    fail_on: ScoreFailOn,

    #[command(flatten)]
    output: OutputArgs<ScoreFormats>,
}

/// Share of the games that scales are fitted on; they are not judged.
const FIT_SHARE: f64 = 0.2;
/// Random seed of the bootstrap.
const SEED: u64 = 1;
/// Number of bootstrap resamples.
const RESAMPLES: usize = 2000;
/// Number of positions of greatest loss to list; the text shows ten of them.
const WORST: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ScoreFailOn {
    /// The new evaluation is worse, by the whole 95% interval
    Worse,
    /// The new evaluation is not better, by the whole 95% interval
    NotBetter,
    /// Never
    None,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if (1.0..=1e5).contains(&scale) => Ok(scale),
        _ => Err("expected centipawns from 1 to 100000".to_owned()),
    }
}

pub(super) fn run(
    args: &EvalScoreArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    if args.engines.engines.len() > 2 {
        let message = "--engine: expected the new version, and the old one if there is one";
        return Err(BadInput(message.to_owned()).into());
    }
    if args.fail_on == ScoreFailOn::NotBetter && args.engines.engines.len() == 1 {
        let message = "--fail-on not-better needs a second --engine, the old version";
        return Err(BadInput(message.to_owned()).into());
    }
    args.output.check(&[], &args.files)?;
    let mut sources = args
        .files
        .iter()
        .map(|path| DataFile::open(path))
        .collect::<Result<Vec<_>, _>>()?;
    let mut engines = Vec::new();
    for text in &args.engines.engines {
        let start = super::start(text, &args.engines.options, interrupt)?;
        let query = args.query.query(text, &start)?;
        let given = input::engine(text, &[])?.given_name;
        engines.push((given.unwrap_or_else(|| text.clone()), start, query));
    }
    let concurrency = args.engines.processes();
    let pools = engines
        .iter()
        .map(|(_, start, query)| EvaluatorPool::new(start, query, super::TIMEOUT, concurrency));
    let mut evaluation = GatheredScores {
        pools: pools.collect(),
        progress: Progress::new(0, "evaluations", !is_quiet).with_lines(!is_quiet),
        rows: RowWriter::new()?,
        themes: ThemeSets::default(),
        failed: 0,
        without_game: 0,
    };
    let names: Vec<String> = { engines.iter() }
        .map(|(name, _, query)| format!("{name} (by {query})"))
        .collect();
    evaluation.announce(&mut sources, &names, concurrency, is_quiet)?;
    let mut bad = 0;
    for (number, source) in sources.iter_mut().enumerate() {
        bad += evaluation.read(number, source, args.skip_bad, interrupt)?;
        if interrupt.has_come() {
            return Ok(Exit::Interrupted);
        }
    }
    let GatheredScores {
        progress,
        rows,
        themes,
        failed,
        without_game,
        pools,
    } = evaluation;
    progress.finish();
    drop(pools);
    if bad > 0 {
        remark(is_quiet, &format!("{bad} lines skipped"));
    }
    if without_game > 0 {
        remark(
            is_quiet,
            &format!(
                "note: {without_game} positions do not name their game; each is taken as a game of its own, which makes intervals too narrow"
            ),
        );
    }
    let rules = rules(args);
    let mut rows = rows.finish()?;
    let judgement = match judge(&mut rows, engines.len(), &themes, &rules)? {
        Ok(judgement) => judgement,
        Err(nothing) => {
            to_stderr(&format!("error: {nothing}"));
            return Ok(if failed > 0 {
                Exit::Failed
            } else {
                Exit::Nothing
            });
        }
    };
    let score = EvalScoreReport {
        files: sources.iter().map(|source| source.name.clone()).collect(),
        engines: engines.iter().map(|(name, ..)| name.clone()).collect(),
        queries: engines
            .iter()
            .map(|(.., query): &(_, _, EvalQuery)| query.to_string())
            .collect(),
        rules: &rules,
        worst: find_worst(&judgement, &mut sources)?,
        judgement: &judgement,
        failed,
    };
    args.output.write(|format, out| {
        let text = score.write(format)?;
        Ok(out.write_all(text.as_bytes())?)
    })?;
    Ok(exit(args.fail_on, &judgement, failed))
}

fn exit(fail_on: ScoreFailOn, judgement: &Judgement, failed: u64) -> Exit {
    let is_failure = match fail_on {
        ScoreFailOn::Worse => judgement.verdict == Some(ScoreVerdict::Worse),
        ScoreFailOn::NotBetter => judgement.verdict != Some(ScoreVerdict::Better),
        ScoreFailOn::None => false,
    };
    match (is_failure, failed) {
        (true, _) => Exit::Differs,
        (false, 0) => Exit::Agreed,
        (false, _) => Exit::Failed,
    }
}

fn rules(args: &EvalScoreArgs) -> JudgeRules {
    JudgeRules {
        model: args.model,
        scale_cp: args.scale,
        fit_share: FIT_SHARE,
        resamples: RESAMPLES,
        seed: SEED,
        worst: WORST,
    }
}

/// A file that is read twice: once to be evaluated, once for the worst positions.
struct DataFile {
    name: String,
    kind: DataFileKind,
}

enum DataFileKind {
    Path(PathBuf),
    /// What came from standard input.
    Spooled(std::fs::File),
}

impl DataFile {
    fn open(path: &Path) -> anyhow::Result<Self> {
        // Files that do not exist are found before the engines start.
        let StreamedFile { name, mut text, .. } = StreamedFile::open(path)?;
        // A pipe can be read once.
        let kind = if path == Path::new("-") || !path.is_file() {
            let mut file = tempfile::tempfile()?;
            io::copy(&mut text, &mut file).map_err(|error| cannot_read(&name, &error))?;
            DataFileKind::Spooled(file)
        } else {
            DataFileKind::Path(path.to_owned())
        };
        Ok(Self { name, kind })
    }

    fn read(&mut self) -> anyhow::Result<DataReader<'static>> {
        Ok(DataReader::new(self.text()?))
    }

    fn text(&mut self) -> anyhow::Result<Box<dyn io::BufRead>> {
        Ok(match &mut self.kind {
            DataFileKind::Path(path) => StreamedFile::open(path)?.text,
            DataFileKind::Spooled(file) => {
                file.rewind()?;
                Box::new(BufReader::new(file.try_clone()?))
            }
        })
    }

    /// The number of its lines, about that of its positions.
    fn count_lines(&mut self) -> anyhow::Result<u64> {
        let mut text = self.text()?;
        let mut lines = 0;
        loop {
            let bytes = text.fill_buf();
            let bytes = bytes.map_err(|error| cannot_read(&self.name, &error))?;
            let length = bytes.len();
            if length == 0 {
                return Ok(lines);
            }
            lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
            text.consume(length);
        }
    }

    fn fail(&self, error: &ReadDataError) -> BadInput {
        match error {
            ReadDataError::Io(error) => cannot_read(&self.name, error),
            ReadDataError::Line(fault) => BadInput(format!("{}:{fault}", self.name)),
        }
    }
}

/// A sample that takes this long predicts the time of all.
const SAMPLE_TIME: Duration = Duration::from_millis(500);

/// The time of each evaluation, predicted by larger and larger samples, until one takes [`SAMPLE_TIME`].
/// That one alone counts: not the start of the engine, and hardly the time until a busy machine wakes a
/// process that waits.
fn time_of_each(
    positions: &[Position],
    first: usize,
    mut time_of: impl FnMut(&[Position]) -> Duration,
) -> Duration {
    let (mut rest, mut size, mut each) = (positions, first, Duration::ZERO);
    while !rest.is_empty() {
        // Nothing is left for a last sample that is smaller.
        let is_last = rest.len() < 3 * size;
        let (sample, later) = rest.split_at(if is_last { rest.len() } else { size });
        let time = time_of(sample);
        each = time.div_f64(to_f64(sample.len() as u64));
        // The first one waits until the engine is started.
        if rest.len() < positions.len() {
            if time >= SAMPLE_TIME {
                break;
            }
            size *= 2;
        }
        rest = later;
    }
    each
}

/// A time that is predicted, with no more figures than are known.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{} s", seconds.max(1)),
        seconds @ 100..6000 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}

/// Everything that is gathered while positions are evaluated.
struct GatheredScores {
    pools: Vec<EvaluatorPool>,
    progress: Progress,
    rows: RowWriter,
    themes: ThemeSets,
    /// Queries that an engine failed.
    failed: u64,
    without_game: u64,
}

impl GatheredScores {
    /// Reports what is to be done and, from a few positions, how long it takes.
    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
    fn announce(
        &mut self,
        sources: &mut [DataFile],
        names: &[String],
        concurrency: usize,
        is_quiet: bool,
    ) -> anyhow::Result<()> {
        let mut lines = 0;
        for source in &mut *sources {
            lines += source.count_lines()?;
        }
        self.progress.set_length(lines * self.pools.len() as u64);
        let Some(first) = sources.first_mut().filter(|_| !is_quiet) else {
            return Ok(());
        };
        let sample = first.read()?.filter_map(Result::ok).take(CHUNK);
        let sample: Vec<Position> = sample.map(|one| one.position).collect();
        let silent = Progress::new(0, "evaluations", false);
        let mut time = Duration::ZERO;
        for pool in &self.pools {
            let each = time_of_each(&sample, concurrency, |positions| {
                let began = Instant::now();
                pool.evaluate(positions, &silent);
                began.elapsed()
            });
            time += each.mul_f64(to_f64(lines));
        }
        let (names, time) = (names.join(" and "), rough(time));
        to_stderr(&format!("{lines} positions for {names}: about {time}"));
        Ok(())
    }

    /// Evaluates all positions of a file; returns the number of lines that were skipped.
    fn read(
        &mut self,
        number: usize,
        source: &mut DataFile,
        skip_bad: bool,
        interrupt: &Interrupt,
    ) -> anyhow::Result<u64> {
        let (mut chunk, mut bad) = (Vec::with_capacity(CHUNK), 0);
        for labelled in source.read()? {
            match labelled {
                Ok(labelled) => chunk.push(labelled),
                Err(error @ ReadDataError::Line(_)) if skip_bad => {
                    bad += 1;
                    to_stderr(&source.fail(&error).0);
                }
                Err(error) => return Err(source.fail(&error).into()),
            }
            if chunk.len() == CHUNK {
                self.evaluate(number, &source.name, &chunk)?;
                chunk.clear();
            }
            if interrupt.has_come() {
                return Ok(bad);
            }
        }
        self.evaluate(number, &source.name, &chunk)?;
        Ok(bad)
    }

    fn evaluate(&mut self, file: usize, name: &str, chunk: &[Labelled]) -> anyhow::Result<()> {
        let positions: Vec<Position> = chunk.iter().map(|one| one.position).collect();
        let ask = |pool: &EvaluatorPool| pool.evaluate(&positions, &self.progress);
        let answers: Vec<Vec<EvalReply>> = self.pools.iter().map(ask).collect();
        for (index, labelled) in chunk.iter().enumerate() {
            let mut scores = [None; 2];
            for (score, answers) in scores.iter_mut().zip(&answers) {
                match &answers[index] {
                    Some(Ok(found)) => {
                        *score = found
                            .score
                            .limited_cp(labelled.position.side_to_move())
                            .map(limited);
                    }
                    Some(Err(EvalFailure { reason, .. })) => {
                        self.failed += 1;
                        to_stderr(&format!("{name}:{}: {reason}", labelled.line));
                    }
                    None => return Ok(()),
                }
            }
            let groups = PositionFeatures::from_position(&labelled.position).groups();
            self.without_game += u64::from(labelled.game.is_none());
            self.rows.push(ScoredRow {
                scores,
                result: labelled.result,
                reference: labelled.score_cp.map(limited),
                groups: groups.map(|group| u8::try_from(group).expect("there are few groups")),
                themes: self.themes.index(&labelled.themes),
                game: game_number(file, labelled),
            })?;
        }
        Ok(())
    }
}

/// Positions of one game share a number; two files have no game in common.
fn game_number(file: usize, labelled: &Labelled) -> u32 {
    let own = labelled.game.unwrap_or_else(|| labelled.position.key());
    let mixed = own ^ hash_of(&file.to_string());
    u32::try_from((mixed ^ (mixed >> 32)) & u64::from(u32::MAX)).expect("it was cut")
}

fn limited(cp: i32) -> i16 {
    let most = MATE_CP;
    i16::try_from(cp.clamp(-most, most)).expect("it is limited")
}

/// Reads the worst positions again: the rows do not hold them.
fn find_worst(
    judgement: &Judgement,
    sources: &mut [DataFile],
) -> anyhow::Result<Vec<WorstPosition>> {
    let wanted = judgement.worst.iter().enumerate();
    let wanted: HashMap<usize, usize> = wanted.map(|(place, worst)| (worst.row, place)).collect();
    let mut found: Vec<Option<WorstPosition>> = vec![None; wanted.len()];
    let mut row = 0;
    let mut missing = wanted.len();
    'files: for source in sources {
        if missing == 0 {
            break;
        }
        for labelled in source.read()? {
            let labelled = match labelled {
                Ok(labelled) => labelled,
                Err(error @ ReadDataError::Io(_)) => return Err(source.fail(&error).into()),
                // It was skipped before.
                Err(ReadDataError::Line(_)) => continue,
            };
            if let Some(&place) = wanted.get(&row) {
                found[place] = Some(WorstPosition {
                    file: source.name.clone(),
                    line: labelled.line,
                    position: labelled.position,
                    result: labelled.result.unwrap_or(GameResult::Draw),
                });
                missing -= 1;
                if missing == 0 {
                    break 'files;
                }
            }
            row += 1;
        }
    }
    let changed = || anyhow::anyhow!("the data were changed while they were read");
    found
        .into_iter()
        .map(|one| one.ok_or_else(changed))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicted_times_have_few_figures() {
        let rows = [
            (0, "1 s"),
            (99, "99 s"),
            (100, "2 min"),
            (5999, "100 min"),
            (6000, "2 h"),
        ];
        for (seconds, expected) in rows {
            assert_eq!(rough(Duration::from_secs(seconds)), expected, "{seconds}");
        }
    }

    /// An engine that takes 3 s to start, and 20 ms to be woken, whatever it is then asked.
    #[test]
    fn what_is_waited_for_once_is_not_predicted_for_each() {
        let rows = [(1, 3_021_000), (2, 1_511_000), (64, 1_625), (8192, 1_039)];
        for (count, expected) in rows {
            let positions = vec![Position::startpos(); count];
            let mut start = Duration::from_secs(3);
            let mut asked = 0;
            let each = time_of_each(&positions, 1, |sample| {
                asked += sample.len();
                let woken = std::mem::take(&mut start) + Duration::from_millis(20);
                woken + Duration::from_millis(sample.len() as u64)
            });
            assert_eq!(each.as_micros(), expected, "{count}");
            assert!(asked <= count);
        }
    }
}

//! The report of `epd eval score` as text and as JSON.

use std::fmt::Write as _;

use chess::notation::fen;
use chess::rules::Position;
use kit::output::three_figures;
use kit::report::{Format, Formats};
use serde::Serialize;

use super::judge::{EngineJudgement, FEWEST_GAMES, JudgeRules, Judgement, ScoreVerdict};
use super::model::ModelKind;
use super::statistics::ScoreInterval;
use crate::eval::data::GameResult;
use crate::run::statistics::to_f64;

/// The formats of `epd eval score`: among them a page with curves and the boards of the worst positions, and
/// a picture of the calibration and of the differences by kind of position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreFormats;

impl Formats for ScoreFormats {
    const ALL: &'static [Format] = &[Format::Human, Format::Json, Format::Html, Format::Svg];
}

/// A position that was predicted badly, as it stands in the data.
#[derive(Clone, Debug)]
pub(crate) struct WorstPosition {
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) position: Position,
    pub(crate) result: GameResult,
}

/// Everything that a report shows.
pub(crate) struct EvalScoreReport<'a> {
    pub(crate) files: Vec<String>,
    /// Names of the engines, the new one first.
    pub(crate) engines: Vec<String>,
    /// How they were queried.
    pub(crate) queries: Vec<String>,
    pub(crate) rules: &'a JudgeRules,
    pub(crate) judgement: &'a Judgement,
    /// The positions of [`Judgement::worst`], in the same order.
    pub(crate) worst: Vec<WorstPosition>,
    /// Positions on which an engine failed.
    pub(crate) failed: u64,
}

/// What a verdict is worth: measured 5 of 60 with engines that differ by chance alone, and 47 of 600 in a
/// simulation of 400 games each. It is more than the 5% of the interval, which takes the scales as known.
const FALSE_ALARMS: &str = "Of two equally good evaluations, 1 comparison in 12 calls one better.";

/// The width of an interval in a table.
const INTERVAL_WIDTH: usize = 26;

/// Number of positions of great loss in the text.
const WORST_IN_TEXT: usize = 10;

#[derive(Serialize)]
struct WorstObject<'a> {
    file: &'a str,
    line: usize,
    fen: String,
    result: String,
    loss: f64,
    expected: f64,
    scores_cp: Vec<i16>,
}

#[derive(Serialize)]
struct ReportObject<'a> {
    schema: &'static str,
    files: &'a [String],
    engines: Vec<ScoreEngineObject<'a>>,
    model: ModelKind,
    loss: &'static str,
    fit_share: f64,
    resamples: usize,
    seed: u64,
    positions: u64,
    games: u64,
    fitted_on: u64,
    fitted_games: u64,
    without_result: u64,
    without_score: u64,
    failed: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    constant: super::judge::Losses<f64>,
    difference: Option<super::judge::Losses<ScoreInterval>>,
    verdict: Option<ScoreVerdict>,
    evaluated_differently: Option<u64>,
    groups: &'a [super::judge::GroupJudgement],
    worst: Vec<WorstObject<'a>>,
}

#[derive(Serialize)]
struct ScoreEngineObject<'a> {
    engine: &'a str,
    way: &'a str,
    #[serde(flatten)]
    judgement: &'a EngineJudgement,
}

impl EvalScoreReport<'_> {
    pub(crate) fn write(&self, format: Format) -> anyhow::Result<String> {
        match format {
            Format::Json => Ok(serde_json::to_string_pretty(&self.object())? + "\n"),
            Format::Html => Ok(self.page()),
            Format::Svg => Ok(self.svg()),
            _ => {
                let mut text = String::new();
                self.write_human(&mut text)?;
                Ok(text)
            }
        }
    }

    /// What the difference means, in one sentence.
    pub(crate) fn verdict(&self) -> Option<String> {
        let difference = self.judgement.difference.as_ref()?.log;
        let [new, old] = self.engines.as_slice() else {
            return None;
        };
        if self.judgement.differing == 0 {
            return Some("the evaluations are equal: wrong binary or option?".to_owned());
        }
        let verdict = match self.judgement.verdict? {
            ScoreVerdict::Better => format!("{new} predicts better than {old}"),
            ScoreVerdict::Worse => format!("{new} predicts worse than {old}"),
            ScoreVerdict::Undecided if self.judgement.games < FEWEST_GAMES => {
                let games = self.judgement.games;
                format!("no verdict: {games} games, expected at least {FEWEST_GAMES}")
            }
            ScoreVerdict::Undecided => format!("no difference between {new} and {old} is shown"),
        };
        Some(format!("{verdict}: {}", signed(difference)))
    }

    /// What the losses of two engines are subtracted to: `./new - ./old`.
    pub(crate) fn difference_name(&self) -> String {
        self.engines.join(" - ")
    }

    /// How far chance may have made the verdict, and what would tell more.
    pub(crate) fn chance(&self) -> Option<String> {
        let difference = self.judgement.difference.as_ref()?.log;
        if self.judgement.differing == 0 {
            return None;
        }
        let mut text = FALSE_ALARMS.to_owned();
        if self.judgement.verdict? == ScoreVerdict::Undecided {
            let all = self.judgement.games + self.judgement.fitted_games;
            let games = games_needed(difference, all);
            write!(text, " A difference of this size takes {games} games.")
                .expect("a string takes all");
        }
        Some(text)
    }

    /// The share of the constant prediction's loss that an evaluation removes.
    pub(crate) fn skill(&self, engine: &EngineJudgement) -> f64 {
        1.0 - engine.losses.log.mean / self.judgement.constant.log
    }

    /// How many positions were judged, and why others were not.
    pub(crate) fn counts(&self) -> String {
        let judgement = self.judgement;
        let mut text = format!(
            "{} of {} games judged (+{} ={} -{} for White); {} of {} other games fit the model",
            judgement.positions,
            judgement.games,
            judgement.white_wins,
            judgement.draws,
            judgement.black_wins,
            judgement.fitted_on,
            judgement.fitted_games
        );
        let others = [
            (judgement.without_result, "without a result"),
            (
                judgement.without_score,
                "without an evaluation, as in check",
            ),
        ];
        for (count, what) in others.into_iter().filter(|(count, _)| *count > 0) {
            write!(text, ", {count} {what}").expect("a string takes all");
        }
        if self.failed > 0 {
            let failed = self.failed;
            write!(text, " ({failed} engine failures)").expect("a string takes all");
        }
        text
    }

    fn write_human(&self, text: &mut String) -> std::fmt::Result {
        let judgement = self.judgement;
        writeln!(text, "data         {}", self.files.join(" "))?;
        writeln!(text, "positions    {}", self.counts())?;
        self.write_losses(text)?;
        self.write_groups(text)?;
        for (name, engine) in self.engines.iter().zip(&judgement.engines) {
            writeln!(
                text,
                "\ncalibration of {name}\n{:>9} {:>9}  actual",
                "positions", "expected"
            )?;
            for bin in &engine.calibration {
                let (positions, expected) = (bin.positions, bin.expected);
                writeln!(
                    text,
                    "{positions:>9} {expected:>9.3}  {}",
                    short_interval(bin.actual)
                )?;
            }
            if let Some(agreement) = engine.agreement {
                writeln!(
                    text,
                    "agreement of {name} with the scores of {} positions: Pearson {:.4}, Spearman {:.4}, Kendall {:.4}",
                    agreement.positions, agreement.pearson, agreement.spearman, agreement.kendall
                )?;
            }
        }
        if !self.worst.is_empty() {
            writeln!(text, "\nworst predictions of {}", self.engines[0])?;
            writeln!(text, "{:>6} {:>7} {:>9}  result", "loss", "cp", "expected")?;
        }
        for (row, at) in judgement.worst.iter().zip(&self.worst).take(WORST_IN_TEXT) {
            let cp = row.scores_cp[0].unwrap_or_default();
            let WorstPosition {
                file,
                line,
                position,
                result,
            } = at;
            let (loss, expected, fen) = (row.loss, row.expected, fen::write(position));
            writeln!(
                text,
                "{loss:>6.3} {cp:>+7} {expected:>9.3}  {result:<7}  {file}:{line}  {fen}"
            )?;
        }
        Ok(())
    }

    /// The losses of each engine, of a constant prediction, and their difference.
    fn write_losses(&self, text: &mut String) -> std::fmt::Result {
        let judgement = self.judgement;
        let constant = judgement.constant;
        let mut rows = [
            vec![String::new()],
            vec!["log loss".to_owned()],
            vec!["squared error".to_owned()],
            vec!["skill".to_owned()],
            vec!["calibration".to_owned()],
        ];
        for (name, engine) in self.engines.iter().zip(&judgement.engines) {
            let column = [
                ending(name, INTERVAL_WIDTH),
                interval(engine.losses.log),
                interval(engine.losses.squared),
                format!("{:.1}%", 100.0 * self.skill(engine)),
                format!("{:.4}", engine.calibration_error),
            ];
            for (row, cell) in rows.iter_mut().zip(column) {
                row.push(cell);
            }
        }
        let [log, squared] = [constant.log, constant.squared].map(|loss| format!("{loss:.5}"));
        for (row, cell) in rows.iter_mut().zip(["constant".to_owned(), log, squared]) {
            row.push(cell);
        }
        writeln!(text)?;
        for row in rows {
            let mut line = format!("{:<13}", row[0]);
            for cell in &row[1..] {
                write!(line, "  {cell:<INTERVAL_WIDTH$}")?;
            }
            writeln!(text, "{}", line.trim_end())?;
        }
        if let Some(difference) = &judgement.difference {
            writeln!(text, "\n{}", self.difference_name())?;
            writeln!(text, "log loss       {}", signed(difference.log))?;
            writeln!(text, "squared error  {}", signed(difference.squared))?;
        }
        writeln!(text)?;
        for (name, engine) in self.engines.iter().zip(&judgement.engines) {
            writeln!(text, "{name}: {}", scale(engine))?;
        }
        if let Some(verdict) = self.verdict() {
            writeln!(text, "\n{verdict}")?;
        }
        if let Some(chance) = self.chance() {
            writeln!(text, "{chance}")?;
        }
        Ok(())
    }

    /// The loss that decides, by kind of position.
    fn write_groups(&self, text: &mut String) -> std::fmt::Result {
        let mut split = None;
        if !self.judgement.groups.is_empty() {
            let mut columns = self.engines.clone();
            columns.extend(
                self.judgement
                    .difference
                    .map(|_| "their difference".to_owned()),
            );
            writeln!(text, "\nlog loss of {}", columns.join(", "))?;
        }
        for group in &self.judgement.groups {
            if split != Some(group.split) {
                let title = group.split.to_string();
                writeln!(text, "\n{title:<20} {:>9}", "positions")?;
                split = Some(group.split);
            }
            write!(text, "  {:<18} {:>9}", group.name, group.positions)?;
            for loss in &group.losses {
                write!(text, "  {:.4}", loss.mean)?;
            }
            match group.difference {
                Some(difference) => writeln!(text, "  {}", signed(difference))?,
                None => writeln!(text)?,
            }
        }
        Ok(())
    }

    fn object(&self) -> ReportObject<'_> {
        let judgement = self.judgement;
        let engines = self
            .engines
            .iter()
            .zip(&self.queries)
            .zip(&judgement.engines);
        let engines = engines.map(|((engine, way), judgement)| ScoreEngineObject {
            engine,
            way,
            judgement,
        });
        let worst = judgement
            .worst
            .iter()
            .zip(&self.worst)
            .map(|(row, at)| WorstObject {
                file: &at.file,
                line: at.line,
                fen: fen::write(&at.position),
                result: at.result.to_string(),
                loss: row.loss,
                expected: row.expected,
                scores_cp: row.scores_cp.into_iter().flatten().collect(),
            });
        ReportObject {
            schema: "touchstone/epd-eval-score/1",
            files: &self.files,
            engines: engines.collect(),
            model: self.rules.model,
            loss: "log",
            fit_share: self.rules.fit_share,
            resamples: self.rules.resamples,
            seed: self.rules.seed,
            positions: judgement.positions,
            games: judgement.games,
            fitted_on: judgement.fitted_on,
            fitted_games: judgement.fitted_games,
            without_result: judgement.without_result,
            without_score: judgement.without_score,
            failed: self.failed,
            white_wins: judgement.white_wins,
            draws: judgement.draws,
            black_wins: judgement.black_wins,
            constant: judgement.constant,
            difference: judgement.difference,
            verdict: judgement.verdict,
            evaluated_differently: judgement.difference.map(|_| judgement.differing),
            groups: &judgement.groups,
            worst: worst.collect(),
        }
    }
}

/// The end of a name, in at most so many characters: engines' paths differ there.
fn ending(name: &str, most: usize) -> String {
    match name.chars().count().checked_sub(most) {
        None | Some(0) => name.to_owned(),
        Some(over) => format!("…{}", name.chars().skip(over + 1).collect::<String>()),
    }
}

/// The number of games with which a difference like this one is found in 4 of 5 comparisons, in words.
/// The width of an interval goes down with the root of their number.
fn games_needed(difference: ScoreInterval, games: u64) -> String {
    // A normal variable is beyond 1.96 standard deviations of 0 that often if its mean is 2.80 of them.
    let deviation = (difference.high - difference.low) / (2.0 * 1.96);
    let needed = to_f64(games) * (2.80 * deviation / difference.mean).powi(2);
    if needed < 1e7 {
        format!("about {}", three_figures(needed.max(1.0)))
    } else {
        "more than 10 million".to_owned()
    }
}

/// How the scale of an engine was found.
pub(crate) fn scale(engine: &EngineJudgement) -> String {
    let scale = match engine.scale_cp {
        Some(scale) if engine.is_at_bound => {
            format!("scale {scale:.1} cp, the least possible: too few positions, or no centipawns")
        }
        Some(scale) => format!("scale {scale:.1} cp (K {:.3})", engine.k),
        None => "the scores do not go with the results (wrong sign?)".to_owned(),
    };
    match engine.draw_margin_cp {
        Some(margin) => format!("{scale}, draw margin {margin:.1} cp"),
        None => scale,
    }
}

/// `0.53412 [0.53100, 0.53700]`.
pub(crate) fn interval(estimate: ScoreInterval) -> String {
    let ScoreInterval { mean, low, high } = estimate;
    format!("{mean:.5} [{low:.5}, {high:.5}]")
}

/// `0.534 [0.531, 0.537]`.
pub(crate) fn short_interval(estimate: ScoreInterval) -> String {
    let ScoreInterval { mean, low, high } = estimate;
    format!("{mean:.3} [{low:.3}, {high:.3}]")
}

/// `-0.00120 [-0.00200, -0.00040]`.
pub(crate) fn signed(estimate: ScoreInterval) -> String {
    let ScoreInterval { mean, low, high } = estimate;
    format!("{mean:+.5} [{low:+.5}, {high:+.5}]")
}

/// A share of all positions, in percent.
pub(crate) fn percent(count: u64, of: u64) -> f64 {
    100.0 * to_f64(count) / to_f64(of.max(1))
}

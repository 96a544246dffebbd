//! The report of `epd eval score` as text and as JSON.

use std::fmt::Write as _;

use chess::notation::fen;
use chess::rules::Position;
use serde::Serialize;

use super::judge::{EngineJudgement, FEWEST_GAMES, JudgeRules, Judgement, Verdict};
use super::model::ModelKind;
use super::statistics::Estimate;
use crate::eval::data::GameResult;
use crate::run::statistics::to_f64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ScoreFormat {
    /// Text for people
    Human,
    /// One JSON object
    Json,
    /// A self-contained page with curves and the boards of the worst positions
    Html,
    /// A picture of the calibration and of the differences by kind of position
    Svg,
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
pub(crate) struct ScoreReport<'a> {
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
    engines: Vec<EngineObject<'a>>,
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
    difference: Option<super::judge::Losses<Estimate>>,
    verdict: Option<Verdict>,
    groups: &'a [super::judge::GroupJudgement],
    worst: Vec<WorstObject<'a>>,
}

#[derive(Serialize)]
struct EngineObject<'a> {
    engine: &'a str,
    way: &'a str,
    #[serde(flatten)]
    judgement: &'a EngineJudgement,
}

impl ScoreReport<'_> {
    pub(crate) fn write(&self, format: ScoreFormat) -> anyhow::Result<String> {
        match format {
            ScoreFormat::Human => {
                let mut text = String::new();
                self.write_human(&mut text)?;
                Ok(text)
            }
            ScoreFormat::Json => Ok(serde_json::to_string_pretty(&self.object())? + "\n"),
            ScoreFormat::Html => self.page(),
            ScoreFormat::Svg => Ok(self.svg()),
        }
    }

    /// What the difference means, in one sentence.
    pub(crate) fn verdict(&self) -> Option<String> {
        let difference = self.judgement.difference.as_ref()?.log;
        let [new, old] = self.engines.as_slice() else {
            return None;
        };
        let verdict = match self.judgement.verdict? {
            Verdict::Better => format!("{new} predicts better than {old}"),
            Verdict::Worse => format!("{new} predicts worse than {old}"),
            Verdict::Undecided if self.judgement.games < FEWEST_GAMES => {
                let games = self.judgement.games;
                format!("no verdict: {games} games, expected at least {FEWEST_GAMES}")
            }
            Verdict::Undecided => format!("no difference between {new} and {old} is shown"),
        };
        Some(format!("{verdict}: {}", signed(difference)))
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
        let names = self.engines.iter().map(String::as_str).chain(["new - old"]);
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let head = ["log loss", "squared error", "skill", "calibration"];
        let [log, squared, skill, off] = head;
        writeln!(
            text,
            "\n{:width$}  {log:<30}  {squared:<30}  {skill:>6}  {off:>11}",
            ""
        )?;
        for (name, engine) in self.engines.iter().zip(&judgement.engines) {
            let (log, squared) = (interval(engine.losses.log), interval(engine.losses.squared));
            let (skill, off) = (100.0 * self.skill(engine), engine.calibration_error);
            writeln!(
                text,
                "{name:<width$}  {log:<30}  {squared:<30}  {skill:>5.1}%  {off:>11.4}"
            )?;
        }
        let constant = judgement.constant;
        let [log, squared] = [constant.log, constant.squared].map(|loss| format!("{loss:.5}"));
        writeln!(text, "{:<width$}  {log:<30}  {squared}", "constant")?;
        if let Some(difference) = &judgement.difference {
            let (log, squared) = (signed(difference.log), signed(difference.squared));
            writeln!(text, "{:<width$}  {log:<30}  {squared}", "new - old")?;
        }
        writeln!(text)?;
        for (name, engine) in self.engines.iter().zip(&judgement.engines) {
            writeln!(text, "{name}: {}", scale(engine))?;
        }
        if let Some(verdict) = self.verdict() {
            writeln!(text, "\n{verdict}")?;
        }
        Ok(())
    }

    /// The loss that decides, by kind of position.
    fn write_groups(&self, text: &mut String) -> std::fmt::Result {
        let width = |name: &str| name.chars().count().max(7);
        let mut split = None;
        for group in &self.judgement.groups {
            if split != Some(group.split) {
                let title = group.split.to_string();
                write!(text, "\n{title:<22} {:>9}", "positions")?;
                for name in &self.engines {
                    write!(text, "  {name:>0$}", width(name))?;
                }
                let last = group.difference.map_or("", |_| "  new - old");
                writeln!(text, "{last}")?;
                split = Some(group.split);
            }
            write!(text, "  {:<20} {:>9}", group.name, group.positions)?;
            for (loss, name) in group.losses.iter().zip(&self.engines) {
                write!(text, "  {:>1$.4}", loss.mean, width(name))?;
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
        let engines = engines.map(|((engine, way), judgement)| EngineObject {
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
            groups: &judgement.groups,
            worst: worst.collect(),
        }
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
pub(crate) fn interval(estimate: Estimate) -> String {
    let Estimate { mean, low, high } = estimate;
    format!("{mean:.5} [{low:.5}, {high:.5}]")
}

/// `0.534 [0.531, 0.537]`.
pub(crate) fn short_interval(estimate: Estimate) -> String {
    let Estimate { mean, low, high } = estimate;
    format!("{mean:.3} [{low:.3}, {high:.3}]")
}

/// `-0.00120 [-0.00200, -0.00040]`.
pub(crate) fn signed(estimate: Estimate) -> String {
    let Estimate { mean, low, high } = estimate;
    format!("{mean:+.5} [{low:+.5}, {high:+.5}]")
}

/// A share of all positions, in percent.
pub(crate) fn percent(count: u64, of: u64) -> f64 {
    100.0 * to_f64(count) / to_f64(of.max(1))
}

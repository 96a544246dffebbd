//! Reports of `epd eval diff` and `epd eval check`, in each format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use chess::notation::fen;
use kit::Exit;
use kit::report::{Case, CaseSuite, Format, Report, Section, Status, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::ask::EvalFailure;
use super::check::{EvalCheck, JudgedScore, Violation};
use super::diff::{Bin, Diff, ScoreChange, ScorePair};

pub(crate) fn write_diff(diff: &Diff, format: Format) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct Object<'a> {
        schema: &'static str,
        #[serde(flatten)]
        diff: &'a Diff,
    }
    if format == Format::Json {
        let schema = "touchstone/epd-eval-diff/1";
        return Ok(serde_json::to_string_pretty(&Object { schema, diff })? + "\n");
    }
    let mut text = String::new();
    write_human_diff(&mut text, diff)?;
    Ok(text)
}

fn write_human_diff(text: &mut String, diff: &Diff) -> std::fmt::Result {
    writeln!(
        text,
        "{} positions compared: {} differ, {} by more than {} cp; {} missing, {} new",
        diff.compared,
        diff.differing,
        diff.exceeding,
        diff.threshold_cp,
        diff.missing.len(),
        diff.new.len()
    )?;
    writeln!(
        text,
        "B - A: mean {:+.2} cp; without sign: mean {:.2}, median {:.1}, root mean square {:.2}",
        diff.mean_cp, diff.mean_absolute_cp, diff.median_absolute_cp, diff.rms_cp
    )?;
    write_histogram(text, &diff.histogram)?;
    write_pairs(text, "largest differences", &diff.worst)?;
    write_pairs(text, "sign flips", &diff.sign_flips)?;
    if !diff.changes.is_empty() {
        writeln!(text, "\nno difference, but not the same")?;
    }
    for change in &diff.changes {
        let ScoreChange {
            file,
            line,
            fen,
            a,
            b,
        } = change;
        writeln!(text, "  {file}:{line}: {a} -> {b}  {fen}")?;
    }
    for (name, fens) in [("missing in B", &diff.missing), ("new in B", &diff.new)] {
        if !fens.is_empty() {
            writeln!(text, "\n{name}")?;
        }
        for fen in fens {
            writeln!(text, "  {fen}")?;
        }
    }
    Ok(())
}

/// Number of transcript lines shown in the human-readable report.
const TRANSCRIPT: usize = 12;
/// The widest bar, in characters.
const BAR: usize = 50;

fn write_histogram(text: &mut String, bins: &[Bin]) -> std::fmt::Result {
    let is_met = |bin: &Bin| bin.count > 0;
    let (Some(first), Some(last)) = (bins.iter().position(is_met), bins.iter().rposition(is_met))
    else {
        return Ok(());
    };
    let bins = &bins[first..=last];
    let largest = bins.iter().map(|bin| bin.count).max().unwrap_or(1);
    writeln!(text, "\n      B - A, cp")?;
    for bin in bins {
        let range = match (bin.least, bin.most) {
            (Some(least), Some(most)) if least == most => format!("{least}"),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("{least} and more"),
            (None, Some(most)) => format!("{most} and less"),
            (None, None) => "all".to_owned(),
        };
        // Nonempty bins get at least one character.
        let length = (bin.count * BAR).div_ceil(largest);
        let bar = "#".repeat(length);
        let row = format!("{range:>15} {:>7} {bar}", bin.count);
        writeln!(text, "{}", row.trim_end())?;
    }
    Ok(())
}

fn write_pairs(text: &mut String, title: &str, pairs: &[ScorePair]) -> std::fmt::Result {
    if pairs.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n{title}\n{:>7} {:>7} {:>7}", "A", "B", "B - A")?;
    for pair in pairs {
        let ScorePair {
            file,
            line,
            fen,
            a_cp,
            b_cp,
            difference_cp,
            ..
        } = pair;
        writeln!(
            text,
            "{a_cp:>+7} {b_cp:>+7} {difference_cp:>+7}  {file}:{line}  {fen}"
        )?;
    }
    Ok(())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScoreOrigin {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) id: Option<String>,
    pub(crate) fen: String,
}

pub(crate) struct EvalCheckReport<'a> {
    pub(crate) engine: &'a str,
    pub(crate) way: String,
    pub(crate) origins: &'a [ScoreOrigin],
    pub(crate) judged: &'a JudgedScore,
}

#[derive(Serialize)]
struct MadeObject {
    check: EvalCheck,
    made: usize,
    violated: usize,
}

impl Report for EvalCheckReport<'_> {
    fn command(&self) -> &'static str {
        "epd eval check"
    }

    /// A case for each position, which fails with all its violations together; a suite for each file.
    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let origins = self.origins.iter().enumerate();
        let origins: Vec<(usize, &ScoreOrigin)> = origins.collect();
        let violations = by_origin(self.judged.violations.iter().map(|one| (one.of, one)));
        let failures = self.judged.failures.iter();
        let failures = by_origin(failures.map(|(of, failure)| (*of, failure)));
        let files = origins.chunk_by(|(_, one), (_, other)| one.file == other.file);
        let suites = files.map(|of_file| {
            let cases: Vec<Case<'_>> = of_file
                .iter()
                .map(|&(of, one)| {
                    let violations = violations.get(&of).map_or(&[][..], Vec::as_slice);
                    let failures = failures.get(&of).map_or(&[][..], Vec::as_slice);
                    self.case(one, violations, failures)
                })
                .collect();
            CaseSuite::new(of_file[0].1.file.as_str(), cases)
        });
        suites.collect()
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let (mut cases, mut made) = (String::new(), String::new());
        self.write_cases(&mut cases)
            .and_then(|()| self.write_made(&mut made))
            .expect("a string can be written to");
        vec![Section::cases(cases), Section::text(made)]
    }

    fn verdict(&self) -> Verdict {
        let judged = self.judged;
        let exit = if judged.is_interrupted {
            Exit::Interrupted
        } else if !judged.violations.is_empty() {
            // A violation stands, even if other questions have no answer.
            Exit::Differs
        } else if !judged.failures.is_empty() {
            Exit::Failed
        } else if judged.made.is_empty() {
            Exit::Nothing
        } else {
            Exit::Agreed
        };
        let text = match exit {
            Exit::Interrupted => "INTERRUPTED: not every question was asked".to_owned(),
            Exit::Nothing => "NOTHING: no check was made".to_owned(),
            Exit::Failed => format!(
                "FAILED: {} questions without an answer",
                judged.failures.len()
            ),
            Exit::Agreed => "OK: no check is violated".to_owned(),
            _ => format!("VIOLATED: {} times", judged.violations.len()),
        };
        Verdict { exit, text }
    }

    fn facts(&self) -> Value {
        json!({
            "engine": self.engine,
            "way": self.way,
            "positions": self.origins.len(),
            "checks": self.made(),
        })
    }
}

impl EvalCheckReport<'_> {
    fn write_cases(&self, text: &mut String) -> std::fmt::Result {
        for violation in &self.judged.violations {
            let ScoreOrigin {
                file, line, fen, ..
            } = &self.origins[violation.of];
            let (check, message) = (violation.check, &violation.message);
            writeln!(text, "{file}:{line}: {check}: {message}\n  {fen}")?;
            if matches!(check, EvalCheck::Colours | EvalCheck::Sides) {
                writeln!(text, "  {}", fen::write(&violation.counterpart))?;
            }
        }
        for (of, EvalFailure { reason, transcript }) in &self.judged.failures {
            let ScoreOrigin {
                file, line, fen, ..
            } = &self.origins[*of];
            writeln!(text, "{file}:{line}: no evaluation: {reason}\n  {fen}")?;
            let lines: Vec<&str> = transcript.lines().collect();
            for line in &lines[lines.len().saturating_sub(TRANSCRIPT)..] {
                writeln!(text, "  | {line}")?;
            }
        }
        Ok(())
    }

    fn write_made(&self, text: &mut String) -> std::fmt::Result {
        let (engine, way, count) = (self.engine, &self.way, self.origins.len());
        writeln!(text, "{engine}, asked by {way}, {count} positions")?;
        for MadeObject {
            check,
            made,
            violated,
        } in self.made()
        {
            writeln!(text, "  {check:<12} {made:>7} made, {violated} violated")?;
        }
        match self.judged.failures.len() {
            0 => Ok(()),
            failures => writeln!(text, "  {failures} questions without an answer"),
        }
    }

    fn made(&self) -> Vec<MadeObject> {
        let violated = |check| {
            let violations = self.judged.violations.iter();
            violations.filter(|one| one.check == check).count()
        };
        let made = self.judged.made.iter();
        let object = |&(check, made)| {
            let violated = violated(check);
            MadeObject {
                check,
                made,
                violated,
            }
        };
        made.map(object).collect()
    }

    fn case<'a>(
        &self,
        origin: &'a ScoreOrigin,
        violations: &[&Violation],
        failures: &[&EvalFailure],
    ) -> Case<'a> {
        let line = || format!("line {}", origin.line);
        let name = origin.id.clone().unwrap_or_else(line);
        let facts = json!({
            "fen": origin.fen,
            "violations": violations.iter().copied().map(violation_facts).collect::<Vec<_>>(),
            "failures": failures,
        });
        let case = match (violations, failures.first()) {
            ([one], _) => {
                let (rule, text) = (one.check.to_string(), one.message.clone());
                Case::not_passed(Status::Failed, name, rule, text).details(origin.fen.as_str())
            }
            ([_, ..], _) => {
                let all = violations
                    .iter()
                    .map(|one| format!("{}: {}", one.check, one.message));
                let text = all.collect::<Vec<_>>().join("; ");
                Case::not_passed(Status::Failed, name, "", text).details(origin.fen.as_str())
            }
            ([], Some(EvalFailure { reason, transcript })) => {
                let case = Case::not_passed(Status::Error, name, "no evaluation", reason.clone());
                case.details(transcript.clone())
            }
            ([], None) if self.judged.is_interrupted => Case::open(name),
            ([], None) => Case::passed(name),
        };
        case.at(origin.file.as_str(), origin.line).facts(facts)
    }
}

/// What was found, by the index of the position; there may be as many of both.
fn by_origin<T>(found: impl Iterator<Item = (usize, T)>) -> BTreeMap<usize, Vec<T>> {
    let mut all = BTreeMap::<usize, Vec<T>>::new();
    for (of, one) in found {
        all.entry(of).or_default().push(one);
    }
    all
}

/// The scores in centipawns are from White's view, and null for a mate or none.
fn violation_facts(violation: &Violation) -> Value {
    let other = violation.other.as_ref();
    json!({
        "check": violation.check,
        "message": violation.message,
        "counterpart": fen::write(&violation.counterpart),
        "score_cp": violation.found.score.cp(),
        "counterpart_score_cp": other.and_then(|other| other.score.cp()),
        "raw": violation.found.raw,
        "counterpart_raw": other.map(|other| &other.raw),
    })
}

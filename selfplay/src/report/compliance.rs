//! The report of `selfplay compliance`: a case for each check.

use std::fmt::{self, Write as _};
use std::time::Duration;

use kit::Exit;
use kit::report::{self, AnnotationLevel, Case, CaseSuite, Section, Status};
use serde_json::{Value, json};
use uci::{LineDirection, Transcript, TranscriptLine};

use crate::compliance::{self, Check, CheckOutcome, CheckTally, FinishedCheck};

#[derive(Clone, Copy, Debug)]
pub(crate) struct ComplianceReport<'a> {
    pub engine: &'a str,
    pub results: &'a [FinishedCheck],
    /// Whether people read the dialogues of notes, too.
    pub shows_notes: bool,
}

impl report::Report for ComplianceReport<'_> {
    fn command(&self) -> &'static str {
        "selfplay compliance"
    }

    fn time(&self) -> Option<Duration> {
        Some(self.results.iter().map(|checked| checked.took).sum())
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        // Jenkins and GitLab group cases by their class, and split it at dots.
        let engine = self.engine.trim_start_matches("./").replace('.', "_");
        let cases = self.results.iter().map(move |checked| {
            let mut case = case(checked).took(checked.took);
            let Check {
                asks, why, level, ..
            } = checked.check;
            let group = checked.check.group();
            case.class = Some(format!("{engine}.{group}").into());
            case.facts(json!({
                "group": group,
                "level": level.name(),
                "outcome": word(checked).to_lowercase(),
                "asks": asks,
                "why": why,
            }))
        });
        let mut suite = CaseSuite::new(self.engine, cases);
        suite.time = self.time();
        vec![suite]
    }

    /// A line for each check; for each failed one also the requirement, the reason, and the dialogue.
    fn sections(&self) -> Vec<Section<'_>> {
        let mut text = format!("{}\n\n", self.engine);
        for (index, checked) in self.results.iter().enumerate() {
            let (number, word, name) = (index + 1, word(checked), checked.check.name);
            let more = match &checked.outcome {
                CheckOutcome::Passed => String::new(),
                CheckOutcome::Failed { what, .. } => format!(": {what}"),
                CheckOutcome::Skipped { why } => format!(": {why}"),
                CheckOutcome::NotRun => continue,
            };
            let _ = writeln!(text, "{number:3} {word} {name}{more}");
            if let CheckOutcome::Failed { dialogue, .. } = &checked.outcome {
                let _ = writeln!(text, "         {}", explanation(checked.check));
                if self.shows_notes || checked.check.level == compliance::CheckLevel::Required {
                    for line in shortened(dialogue) {
                        let _ = writeln!(text, "         | {line}");
                    }
                }
            }
        }
        text.push('\n');
        vec![Section::cases(text)]
    }

    fn verdict(&self) -> report::Verdict {
        let tally = CheckTally::from_results(self.results);
        let CheckTally {
            passed,
            failed,
            notes,
            skipped,
            not_run,
        } = tally;
        let (exit, word) = match tally {
            CheckTally { not_run: 1.., .. } => (Exit::Interrupted, "interrupted"),
            CheckTally { failed: 1.., .. } => (Exit::Differs, "not compliant"),
            CheckTally {
                passed: 0,
                notes: 0,
                ..
            } => (Exit::Nothing, "nothing was checked"),
            CheckTally { .. } => (Exit::Agreed, "compliant"),
        };
        let rest = match not_run {
            0 => String::new(),
            _ => format!(", {not_run} not run"),
        };
        let text = format!(
            "{word}: {passed} passed, {failed} failed, {notes} notes, {skipped} skipped{rest}"
        );
        report::Verdict { exit, text }
    }

    fn facts(&self) -> Value {
        json!({"engine": self.engine})
    }
}

fn case(checked: &FinishedCheck) -> Case<'_> {
    let name = checked.check.name;
    match &checked.outcome {
        CheckOutcome::Passed => Case::passed(name),
        CheckOutcome::Skipped { why } => Case::skipped(name, why),
        CheckOutcome::NotRun => Case::open(name),
        CheckOutcome::Failed { what, dialogue, .. } => {
            let (status, level) = match checked.check.level {
                compliance::CheckLevel::Required => (Status::Failed, AnnotationLevel::Error),
                compliance::CheckLevel::Recommended => (Status::Skipped, AnnotationLevel::Notice),
            };
            let lines = shortened(dialogue).join("\n");
            let details = format!("{}\n{lines}", explanation(checked.check));
            let mut case = Case::not_passed(status, name, "", what);
            case.output = dialogue.to_string().into();
            case.details(details).annotated(Some(level))
        }
    }
}

fn word(checked: &FinishedCheck) -> &'static str {
    match (&checked.outcome, checked.check.level) {
        (CheckOutcome::Passed, _) => "pass",
        (CheckOutcome::Failed { .. }, compliance::CheckLevel::Required) => "FAIL",
        (CheckOutcome::Failed { .. }, compliance::CheckLevel::Recommended) => "note",
        (CheckOutcome::Skipped { .. }, _) => "skip",
        (CheckOutcome::NotRun, _) => "none",
    }
}

/// Maximum length of a line of a dialogue for people, in characters.
const WIDTH: usize = 200;
/// Number of consecutive engine lines shown before a gap (and below, after it).
const BEFORE_GAP: usize = 2;
const AFTER_GAP: usize = 3;

/// A dialogue without the middle of long engine output.
fn shortened(dialogue: &Transcript) -> Vec<String> {
    let entries: Vec<&TranscriptLine> = dialogue.entries().collect();
    let same_side = |one: &&TranscriptLine, other: &&TranscriptLine| {
        (one.direction == LineDirection::Sent) == (other.direction == LineDirection::Sent)
    };
    let mut lines = Vec::new();
    for speech in entries.chunk_by(same_side) {
        let gap = speech.len().saturating_sub(BEFORE_GAP + AFTER_GAP);
        // The marker of a gap takes a line itself.
        if gap < 2 || speech[0].direction == LineDirection::Sent {
            lines.extend(speech.iter().map(shortened_line));
            continue;
        }
        lines.extend(speech[..BEFORE_GAP].iter().map(shortened_line));
        lines.push(format!("        … {gap} lines"));
        lines.extend(speech[BEFORE_GAP + gap..].iter().map(shortened_line));
    }
    lines
}

fn shortened_line(entry: impl fmt::Display) -> String {
    let line = entry.to_string();
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The requirement and its reason, as sentences.
fn explanation(check: &Check) -> String {
    format!("A sound engine {}. {}.", check.asks, capitalised(check.why))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// The checks and what they demand, a line each.
pub(crate) fn list(checks: &[&Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let (name, group, level) = (check.name, check.group(), check.level.name());
        let asks = check.asks;
        writeln!(text, "{name:29} {group:11} {level:12} {asks}").expect("a string grows");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeches_are_shortened() {
        let entry = |ms, direction, text: &str| TranscriptLine {
            since_start: Duration::from_millis(ms),
            direction,
            text: text.to_owned(),
        };
        let received = (1..=7).map(|ms| entry(ms, LineDirection::Received, &ms.to_string()));
        let mut dialogue = vec![entry(0, LineDirection::Sent, "uci")];
        dialogue.extend(received);
        dialogue.push(entry(9, LineDirection::Sent, &"m".repeat(300)));
        let dialogue: Transcript = dialogue.into_iter().collect();
        let lines = shortened(&dialogue);
        let expected = "  0.000 > uci\n  0.001 < 1\n  0.002 < 2\n        … 2 lines\n  0.005 < 5\n  0.006 < 6\n  0.007 < 7";
        assert_eq!(lines[..7].join("\n"), expected);
        assert_eq!(lines[7].chars().count(), WIDTH + 1);
        assert_eq!(lines.len(), 8);
    }
}

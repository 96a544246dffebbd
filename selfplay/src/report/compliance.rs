//! Formats the checks of an engine as text.

use std::fmt::{self, Write as _};

use kit::github::{self, Annotation};
use kit::junit::{
    NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite, non_success, skipped, to_text,
};
use serde::Serialize;
use uci::{Direction, Entry, Transcript};

use crate::compliance::{Check, CheckOutcome, CheckTally, Checked, Level};

#[derive(Clone, Copy, Debug)]
pub(crate) struct ComplianceReport<'a> {
    pub engine: &'a str,
    pub results: &'a [Checked],
}

fn word(checked: &Checked) -> &'static str {
    match (&checked.outcome, checked.check.level) {
        (CheckOutcome::Passed, _) => "pass",
        (CheckOutcome::Failed { .. }, Level::Required) => "FAIL",
        (CheckOutcome::Failed { .. }, Level::Recommended) => "note",
        (CheckOutcome::Skipped { .. }, _) => "skip",
        (CheckOutcome::NotRun, _) => "none",
    }
}

fn verdict(tally: &CheckTally) -> String {
    let CheckTally {
        passed,
        failed,
        notes,
        skipped,
        not_run,
    } = tally;
    let rest = match not_run {
        0 => String::new(),
        _ => format!(", {not_run} not run"),
    };
    let verdict = match tally {
        CheckTally { not_run: 1.., .. } => "interrupted",
        CheckTally { failed: 1.., .. } => "not compliant",
        CheckTally { passed: 0, .. } => "nothing was checked",
        CheckTally { .. } => "compliant",
    };
    format!("{verdict}: {passed} passed, {failed} failed, {notes} notes, {skipped} skipped{rest}")
}

/// Maximum length of a line of a dialogue for people, in characters.
const WIDTH: usize = 200;
/// Number of consecutive engine lines shown before a gap (and below, after it).
const BEFORE_GAP: usize = 2;
const AFTER_GAP: usize = 3;

/// A dialogue without the middle of long engine output.
fn shortened(dialogue: &Transcript) -> Vec<String> {
    let entries: Vec<&Entry> = dialogue.entries().collect();
    let same_side = |one: &&Entry, other: &&Entry| {
        (one.direction == Direction::Sent) == (other.direction == Direction::Sent)
    };
    let mut lines = Vec::new();
    for speech in entries.chunk_by(same_side) {
        let gap = speech.len().saturating_sub(BEFORE_GAP + AFTER_GAP);
        // The marker of a gap takes a line itself.
        if gap < 2 || speech[0].direction == Direction::Sent {
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

// Report for people: one line for each check; for each failed one also the requirement, the
// reason, and the dialogue.

/// Formats the report. Dialogues of notes are shown only if `verbose`.
pub(crate) fn human(report: &ComplianceReport<'_>, verbose: bool) -> String {
    let mut text = format!("{}\n\n", report.engine);
    for (index, checked) in report.results.iter().enumerate() {
        let (number, word, name) = (index + 1, word(checked), checked.check.name);
        let more = match &checked.outcome {
            CheckOutcome::Passed => String::new(),
            CheckOutcome::Failed { what, .. } => format!(": {what}"),
            CheckOutcome::Skipped { why } => format!(": {why}"),
            CheckOutcome::NotRun => continue,
        };
        writeln!(text, "{number:3} {word} {name}{more}").expect("a string grows");
        if let CheckOutcome::Failed { dialogue, .. } = &checked.outcome {
            writeln!(text, "         {}", explanation(checked.check)).expect("a string grows");
            if verbose || checked.check.level == Level::Required {
                for line in shortened(dialogue) {
                    writeln!(text, "         | {line}").expect("a string grows");
                }
            }
        }
    }
    format!("{text}\n{}\n", verdict(&CheckTally::of(report.results)))
}

pub(crate) fn list(checks: &[&Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let (name, group, level) = (check.name, check.group(), check.level.name());
        let asks = check.asks;
        writeln!(text, "{name:29} {group:11} {level:12} {asks}").expect("a string grows");
    }
    text
}

// Report as JSON: `touchstone/compliance/1`.

pub const SCHEMA: &str = "touchstone/compliance/1";

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    engine: &'a str,
    passed: usize,
    failed: usize,
    notes: usize,
    skipped: usize,
    /// Checks that an interrupted run did not get to; they are not listed.
    not_run: usize,
    checks: Vec<JsonCheck<'a>>,
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    name: &'a str,
    group: &'a str,
    level: &'a str,
    outcome: String,
    asks: &'a str,
    why: &'a str,
    /// The fault of the engine, or why the check was skipped.
    what: Option<&'a str>,
    /// Lines as in transcripts: seconds, `>` for us, `<` for the engine, `!` for its standard
    /// error.
    dialogue: Option<Vec<String>>,
}

pub(crate) fn json(report: &ComplianceReport<'_>) -> String {
    let tally = CheckTally::of(report.results);
    let json = Json {
        schema: SCHEMA,
        engine: report.engine,
        passed: tally.passed,
        failed: tally.failed,
        notes: tally.notes,
        skipped: tally.skipped,
        not_run: tally.not_run,
        checks: report.results.iter().filter_map(json_check).collect(),
    };
    serde_json::to_string_pretty(&json).expect("numbers and texts") + "\n"
}

fn json_check(checked: &Checked) -> Option<JsonCheck<'_>> {
    let (what, dialogue) = match &checked.outcome {
        CheckOutcome::Passed => (None, None),
        CheckOutcome::Failed { what, dialogue } => (Some(&**what), Some(dialogue)),
        CheckOutcome::Skipped { why } => (Some(&**why), None),
        CheckOutcome::NotRun => return None,
    };
    Some(JsonCheck {
        name: checked.check.name,
        group: checked.check.group(),
        level: checked.check.level.name(),
        outcome: word(checked).to_lowercase(),
        asks: checked.check.asks,
        why: checked.check.why,
        what,
        dialogue: dialogue.map(|dialogue| {
            let lines = dialogue.to_string();
            lines.lines().map(str::to_owned).collect()
        }),
    })
}

// Report for continuous integration: `JUnit` XML, one test case for each check. A note is a
// skipped test case with a message. The class is what Jenkins and GitLab group cases by: engine and
// group, with a dot only between them.

pub(crate) fn junit(report: &ComplianceReport<'_>) -> anyhow::Result<String> {
    let mut suite = TestSuite::new(report.engine);
    let engine = report.engine.trim_start_matches("./").replace('.', "_");
    for checked in report.results {
        let mut case = TestCase::new(checked.check.name, status(checked));
        let group = checked.check.group();
        case.set_classname(format!("{engine}.{group}"));
        case.set_time(checked.took);
        if let CheckOutcome::Failed { dialogue, .. } = &checked.outcome {
            case.set_system_out(dialogue.to_string());
        }
        suite.add_test_case(case);
    }
    let mut xml = Report::new("selfplay compliance");
    let took = report.results.iter().map(|checked| checked.took).sum();
    suite.set_time(took);
    xml.set_time(took);
    xml.add_test_suite(suite);
    to_text(&xml)
}

fn status(checked: &Checked) -> TestCaseStatus {
    match &checked.outcome {
        CheckOutcome::Passed => TestCaseStatus::success(),
        CheckOutcome::Skipped { why } => skipped(why.as_str()),
        CheckOutcome::NotRun => skipped("the run was interrupted"),
        CheckOutcome::Failed { what, dialogue } => {
            let mut status = match checked.check.level {
                Level::Required => non_success(NonSuccessKind::Failure, what.as_str()),
                Level::Recommended => skipped(what.as_str()),
            };
            let explanation = explanation(checked.check);
            let dialogue = shortened(dialogue).join("\n");
            status.set_description(format!("{explanation}\n{dialogue}"));
            status
        }
    }
}

// Report for GitHub Actions: an annotation for each failed check, and a summary in Markdown.

pub(crate) fn github(report: &ComplianceReport<'_>) -> String {
    let mut text = String::new();
    for checked in report.results {
        if let CheckOutcome::Failed { what, .. } = &checked.outcome {
            let message = format!("{}: {what}\n{}", report.engine, explanation(checked.check));
            let annotation = Annotation {
                level: match checked.check.level {
                    Level::Required => github::Level::Error,
                    Level::Recommended => github::Level::Notice,
                },
                title: checked.check.name,
                place: None,
                message: &message,
            };
            writeln!(text, "{annotation}").expect("a string grows");
        }
    }
    text
}

pub(crate) fn markdown(report: &ComplianceReport<'_>) -> String {
    let tally = CheckTally::of(report.results);
    let mut text = format!(
        "## selfplay compliance\n\n`{}`: {}\n\n",
        report.engine,
        verdict(&tally)
    );
    for checked in report.results {
        if let CheckOutcome::Failed { what, .. } = &checked.outcome {
            let (word, name) = (word(checked), checked.check.name);
            let explanation = explanation(checked.check);
            writeln!(text, "- {word} `{name}`: {what}. {explanation}").expect("a string grows");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn speeches_are_shortened() {
        let entry = |ms, direction, text: &str| Entry {
            since_start: Duration::from_millis(ms),
            direction,
            text: text.to_owned(),
        };
        let received = (1..=7).map(|ms| entry(ms, Direction::Received, &ms.to_string()));
        let mut dialogue = vec![entry(0, Direction::Sent, "uci")];
        dialogue.extend(received);
        dialogue.push(entry(9, Direction::Sent, &"m".repeat(300)));
        let dialogue: Transcript = dialogue.into_iter().collect();
        let lines = shortened(&dialogue);
        assert_eq!(
            lines[..7],
            [
                "  0.000 > uci",
                "  0.001 < 1",
                "  0.002 < 2",
                "        … 2 lines",
                "  0.005 < 5",
                "  0.006 < 6",
                "  0.007 < 7",
            ]
        );
        assert_eq!(lines[7].chars().count(), WIDTH + 1);
        assert_eq!(lines.len(), 8);
    }
}

//! Report as JSON: `touchstone/compliance/1`.

use serde::Serialize;

use super::{ComplianceReport, word};
use crate::compliance::{Checked, Outcome, Tally};

/// The schema of the JSON.
pub const SCHEMA: &str = "touchstone/compliance/1";

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    engine: &'a str,
    passed: usize,
    failed: usize,
    notes: usize,
    skipped: usize,
    checks: Vec<JsonCheck<'a>>,
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    name: &'a str,
    level: &'a str,
    /// `pass`, `fail`, `note` or `skip`.
    outcome: String,
    asks: &'a str,
    why: &'a str,
    /// The fault of the engine, or why the check was skipped.
    what: Option<&'a str>,
    /// Lines as in transcripts: seconds, `>` for us, `<` for the engine, `!` for its standard
    /// error.
    dialogue: Option<Vec<String>>,
}

/// Formats the report as one JSON object.
pub fn json(report: &ComplianceReport<'_>) -> String {
    let tally = Tally::of(report.results);
    let json = Json {
        schema: SCHEMA,
        engine: report.engine,
        passed: tally.passed,
        failed: tally.failed,
        notes: tally.notes,
        skipped: tally.skipped,
        checks: report.results.iter().map(json_check).collect(),
    };
    serde_json::to_string_pretty(&json).expect("numbers and texts") + "\n"
}

fn json_check(checked: &Checked) -> JsonCheck<'_> {
    let (what, dialogue) = match &checked.outcome {
        Outcome::Passed => (None, None),
        Outcome::Failed { what, dialogue } => (Some(&**what), Some(dialogue)),
        Outcome::Skipped { why } => (Some(&**why), None),
    };
    JsonCheck {
        name: checked.check.name,
        level: checked.check.level.name(),
        outcome: word(checked).to_lowercase(),
        asks: checked.check.asks,
        why: checked.check.why,
        what,
        dialogue: dialogue.map(|dialogue| {
            let lines = dialogue.to_string();
            lines.lines().map(str::to_owned).collect()
        }),
    }
}

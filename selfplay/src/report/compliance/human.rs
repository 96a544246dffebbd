//! Report for people: one line for each check; for each failed one also the requirement, the
//! reason, and the dialogue.

use std::fmt::Write as _;

use super::{ComplianceReport, explanation, shortened, summary, word};
use crate::compliance::{Check, Checked, Level, Outcome, Tally};

/// Formats the report. Dialogues of notes are shown only if `verbose`.
pub fn human(report: &ComplianceReport<'_>, verbose: bool) -> String {
    let mut text = format!("{}\n\n", report.engine);
    for (index, checked) in report.results.iter().enumerate() {
        write_line(&mut text, index + 1, checked);
        if let Outcome::Failed { dialogue, .. } = &checked.outcome {
            writeln!(text, "         {}", explanation(checked.check)).expect("a string grows");
            if verbose || checked.check.level == Level::Required {
                for line in shortened(dialogue) {
                    writeln!(text, "         | {line}").expect("a string grows");
                }
            }
        }
    }
    let tally = Tally::of(report.results);
    text + "\n" + &verdict(&tally) + ": " + &summary(&tally) + "\n"
}

fn write_line(text: &mut String, number: usize, checked: &Checked) {
    let (word, name) = (word(checked), checked.check.name);
    let more = match &checked.outcome {
        Outcome::Passed => String::new(),
        Outcome::Failed { what, .. } => format!(": {what}"),
        Outcome::Skipped { why } => format!(": {why}"),
    };
    writeln!(text, "{number:3} {word} {name}{more}").expect("a string grows");
}

fn verdict(tally: &Tally) -> String {
    if tally.failed > 0 {
        "not compliant".to_owned()
    } else if tally.passed == 0 {
        "nothing was checked".to_owned()
    } else {
        "compliant".to_owned()
    }
}

/// Lists the available checks.
pub fn list(checks: &[&Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let (name, level, asks) = (check.name, check.level.name(), check.asks);
        writeln!(text, "{name:29} {level:12} {asks}").expect("a string grows");
    }
    text
}

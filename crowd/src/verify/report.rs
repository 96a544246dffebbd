//! Reports for people and programs.

use std::fmt::Write as _;
use std::io::Write;

use chess::notation::fen;
use kit::report::{self, Case, CaseSuite, Report, Section, Status};
use serde_json::{Value, json};

use super::{Against, CaseSource, Checked, Listed, VerifyOutcome, VerifyVerdict};

/// "1 task", "2 tasks".
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

pub fn check_human(listed: &Listed) -> String {
    let items = count(listed.items, "item", "items");
    let legal = count(listed.legal, "legal move", "legal moves");
    let mut text = format!("{}\n{legal}, {items} listed\n", listed.fen);
    section(&mut text, "missing", &listed.missing, |named| {
        format!(
            "{:<6} {:<6} {:<8} {}",
            named.thesis, named.uci, named.san, named.why
        )
    });
    section(&mut text, "wrong", &listed.wrong, |item| {
        format!("{}: '{}': {}", item.place, item.text, item.why)
    });
    section(&mut text, "repeated", &listed.repeated, |item| {
        format!(
            "{}: '{}': {} stands at {} already",
            item.place, item.text, item.squares, item.first
        )
    });
    section(&mut text, "unreadable", &listed.unreadable, |item| {
        format!("{}: '{}': {}", item.0, item.1, item.2)
    });
    if listed.agrees() {
        text.push_str("agrees\n");
    }
    text
}

/// A heading with a count and a line per entry; nothing if there are none.
fn section<T>(text: &mut String, name: &str, items: &[T], line: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "{name}: {}", items.len());
    for item in items {
        let _ = writeln!(text, "  {}", line(item));
    }
}

/// The report of `crowd verify`: a case for each position.
pub struct VerifyReport<'a> {
    pub verdict: &'a VerifyVerdict,
    /// Whether the user ended the run.
    pub is_interrupted: bool,
}

impl Report for VerifyReport<'_> {
    fn command(&self) -> &'static str {
        "crowd verify"
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let cases = self.verdict.checked.iter().map(|checked| {
            let name = clean(&checked.case.name);
            let fen = fen::write(&checked.case.position);
            match &checked.outcome {
                VerifyOutcome::Listed { against, .. } if against.agrees() => Case::passed(name),
                VerifyOutcome::Listed { moves, against } => {
                    let mut lines = String::new();
                    differs(&mut lines, checked, *moves, against);
                    let (missing, superfluous) = (against.missing.len(), against.superfluous.len());
                    let text = format!("{missing} missing, {superfluous} superfluous");
                    Case::not_passed(Status::Failed, name, "", text).details(lines)
                }
                VerifyOutcome::Failed(why) => {
                    Case::not_passed(Status::Error, name, "no list", why.as_str()).details(fen)
                }
            }
        });
        vec![CaseSuite::new(engine_name(self.verdict), cases)]
    }

    /// Each position that does not agree.
    fn sections(&self) -> Vec<Section<'_>> {
        let mut text = String::new();
        for checked in &self.verdict.checked {
            match &checked.outcome {
                VerifyOutcome::Listed { against, .. } if against.agrees() => {}
                VerifyOutcome::Listed { moves, against } => {
                    differs(&mut text, checked, *moves, against);
                }
                VerifyOutcome::Failed(why) => {
                    let _ = writeln!(text, "{}: no list: {why}", clean(&checked.case.name));
                }
            }
        }
        vec![Section::cases(text)]
    }

    fn verdict(&self) -> report::Verdict {
        let statuses = self
            .verdict
            .checked
            .iter()
            .map(|checked| match &checked.outcome {
                VerifyOutcome::Listed { against, .. } if against.agrees() => Status::Passed,
                VerifyOutcome::Listed { .. } => Status::Failed,
                VerifyOutcome::Failed(_) => Status::Error,
            });
        let stopped = self.verdict.stopped.as_ref();
        let ended = stopped.map(|_| {
            if self.is_interrupted {
                Status::Open
            } else {
                Status::Error
            }
        });
        let stopped = stopped.map_or_else(String::new, |why| format!("stopped: {why}\n"));
        report::Verdict {
            exit: Status::exit(statuses.chain(ended)),
            text: format!("{stopped}{}", sum(self.verdict)),
        }
    }

    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let verdict = self.verdict;
        let document = json!({
            "schema": "touchstone/crowd-verify/1",
            "engine": verdict.engine,
            "agreed": verdict.agreed(),
            "differing": verdict.differing(),
            "failed": verdict.failed(),
            "stopped": verdict.stopped,
            "positions": verdict.checked.iter().map(position).collect::<Vec<_>>(),
        });
        report::json(&document, out)
    }
}

fn engine_name(verdict: &VerifyVerdict) -> String {
    verdict.engine.as_deref().map_or("the engine".into(), clean)
}

fn differs(text: &mut String, checked: &Checked, moves: usize, against: &Against) {
    let case = &checked.case;
    let fen = chess::notation::fen::write(&case.position);
    let trusted = case.moves.len();
    let _ = writeln!(
        text,
        "{}: {moves} listed, {trusted} trusted: {fen}",
        clean(&case.name)
    );
    for named in &against.missing {
        let _ = writeln!(text, "  missing {} {}: {}", named.uci, named.san, named.why);
    }
    for row in &against.superfluous {
        let _ = writeln!(text, "  superfluous {}: {}", row.text, row.why);
    }
}

fn sum(verdict: &VerifyVerdict) -> String {
    let name = engine_name(verdict);
    let mut text = format!(
        "{name}: {}, {} agreed, {} differ, {} without a list",
        count(verdict.checked.len(), "position", "positions"),
        verdict.agreed(),
        verdict.differing(),
        verdict.failed()
    );
    let generator = verdict.by_generator();
    if generator > 0 {
        let _ = write!(
            text,
            "; {} from our generator",
            count(generator, "trusted list is", "trusted lists are")
        );
    }
    text
}

/// Foreign text, without characters that would move the cursor.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

pub fn check_json(listed: &Listed) -> String {
    let repeated = listed.repeated.iter().map(|item| {
        json!({
            "line": item.place.line,
            "column": item.place.column,
            "text": item.text,
            "move": item.squares,
            "first_line": item.first.line,
            "first_column": item.first.column,
        })
    });
    let unreadable = listed.unreadable.iter().map(|(place, text, reason)| {
        json!({
            "line": place.line,
            "column": place.column,
            "text": text,
            "why": reason.to_string(),
        })
    });
    pretty(&json!({
        "schema": "touchstone/crowd-check/1",
        "fen": listed.fen,
        "agrees": listed.agrees(),
        "legal": listed.legal,
        "items": listed.items,
        "missing": listed.missing,
        "wrong": listed.wrong,
        "repeated": repeated.collect::<Vec<_>>(),
        "unreadable": unreadable.collect::<Vec<_>>(),
    }))
}

fn position(checked: &Checked) -> Value {
    let case = &checked.case;
    let mut value = json!({
        "name": case.name,
        "fen": fen::write(&case.position),
        "trusted": case.moves.len(),
        "source": match case.source {
            CaseSource::File => "file",
            CaseSource::Generator => "generator",
        },
    });
    let rest = match &checked.outcome {
        VerifyOutcome::Failed(why) => json!({"outcome": "failed", "why": why}),
        VerifyOutcome::Listed { moves, against } => json!({
            "outcome": if against.agrees() { "agreed" } else { "differs" },
            "listed": moves,
            "missing": against.missing,
            "superfluous": against.superfluous,
        }),
    };
    if let (Value::Object(fields), Value::Object(rest)) = (&mut value, rest) {
        fields.extend(rest);
    }
    value
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("plain values can be written") + "\n"
}

//! Reports for people and programs.

use std::fmt::Write as _;

use chess::notation::fen;
use serde_json::{Value, json};

use super::{Against, Checked, Listed, Outcome, Source, Verdict};

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

/// Human-readable report of a run: each position that does not agree, and the totals.
pub fn verify_human(verdict: &Verdict) -> String {
    let mut text = String::new();
    for checked in &verdict.checked {
        match &checked.outcome {
            Outcome::Listed { against, .. } if against.agrees() => {}
            Outcome::Listed { moves, against } => differs(&mut text, checked, *moves, against),
            Outcome::Failed(why) => {
                let _ = writeln!(text, "{}: no list: {why}", clean(&checked.case.name));
            }
        }
    }
    if let Some(why) = &verdict.stopped {
        let _ = writeln!(text, "stopped: {why}");
    }
    text.push_str(&sum(verdict));
    text
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

fn sum(verdict: &Verdict) -> String {
    let name = verdict.engine.as_deref().map_or("the engine".into(), clean);
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
    text.push('\n');
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

pub fn verify_json(verdict: &Verdict) -> String {
    pretty(&json!({
        "schema": "touchstone/crowd-verify/1",
        "engine": verdict.engine,
        "agreed": verdict.agreed(),
        "differing": verdict.differing(),
        "failed": verdict.failed(),
        "stopped": verdict.stopped,
        "positions": verdict.checked.iter().map(position).collect::<Vec<_>>(),
    }))
}

fn position(checked: &Checked) -> Value {
    let case = &checked.case;
    let mut value = json!({
        "name": case.name,
        "fen": fen::write(&case.position),
        "trusted": case.moves.len(),
        "source": match case.source {
            Source::File => "file",
            Source::Generator => "generator",
        },
    });
    let rest = match &checked.outcome {
        Outcome::Failed(why) => json!({"outcome": "failed", "why": why}),
        Outcome::Listed { moves, against } => json!({
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

use chess::notation::fen;
use serde_json::{Value, json};

use crate::verify::{Checked, Listed, Named, Outcome, Source, Verdict};

/// JSON report of a comparison with a written list.
pub fn check_json(listed: &Listed) -> String {
    let wrong = listed.wrong.iter().map(|item| {
        json!({
            "line": item.place.line,
            "column": item.place.column,
            "text": item.text,
            "move": item.squares,
            "why": item.why,
        })
    });
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
        "missing": listed.missing.iter().map(named).collect::<Vec<_>>(),
        "wrong": wrong.collect::<Vec<_>>(),
        "repeated": repeated.collect::<Vec<_>>(),
        "unreadable": unreadable.collect::<Vec<_>>(),
    }))
}

/// JSON report of a run.
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
        Outcome::Listed { moves, against } => {
            let superfluous = against.superfluous.iter();
            let superfluous = superfluous.map(|row| json!({"text": row.text, "why": row.why}));
            json!({
                "outcome": if against.agrees() { "agreed" } else { "differs" },
                "listed": moves,
                "missing": against.missing.iter().map(named).collect::<Vec<_>>(),
                "superfluous": superfluous.collect::<Vec<_>>(),
            })
        }
    };
    if let (Value::Object(fields), Value::Object(rest)) = (&mut value, rest) {
        fields.extend(rest);
    }
    value
}

fn named(named: &Named) -> Value {
    json!({"thesis": named.thesis, "move": named.uci, "san": named.san, "why": named.why})
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("plain values can be written") + "\n"
}

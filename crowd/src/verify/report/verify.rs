use std::fmt::Write as _;

use super::count;
use crate::verify::{Against, Checked, Outcome, Verdict};

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

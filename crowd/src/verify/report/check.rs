use std::fmt::Write as _;

use super::count;
use crate::verify::Listed;

/// Human-readable report of a comparison with a written list.
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

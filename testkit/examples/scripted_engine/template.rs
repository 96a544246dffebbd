//! Lines made from templates, and read by forms: words and places for a depth, a FEN, moves, one move.

/// Fills in `{key}`, padded by `{key:<8}` or `{key:>8}`; braces around anything that is no such word
/// stay as they are, so that JSON can be written.
///
/// # Errors
///
/// The key that has no value.
pub(crate) fn fill(
    template: &str,
    value: &dyn Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        match after.split_once('}') {
            Some((place, behind)) if is_place(place) => {
                let (key, width) = place.split_once(':').unwrap_or((place, ""));
                let value = value(key).ok_or_else(|| key.to_owned())?;
                text.push_str(&padded(&value, width));
                rest = behind;
            }
            _ => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    Ok(text)
}

fn is_place(place: &str) -> bool {
    let (key, width) = place.split_once(':').unwrap_or((place, "<0"));
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    let number = width.strip_prefix(['<', '>']);
    is_key && number.is_some_and(|number| number.parse::<usize>().is_ok())
}

fn padded(value: &str, width: &str) -> String {
    let (side, number) = width.split_at_checked(1).unwrap_or(("<", "0"));
    let width = number.parse().unwrap_or(0);
    if side == ">" {
        format!("{value:>width$}")
    } else {
        format!("{value:<width$}")
    }
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

/// The parts of a line that its form has places for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) depth: Option<u32>,
    pub(crate) fen: Option<String>,
    pub(crate) moves: Vec<String>,
}

/// Matches a line with a form: words as they stand, `{depth}`, `{fen}` (four to six words),
/// `{moves}` (none or more) and `{move}`, which may have something around them, as `--fen={fen}`.
pub(crate) fn read(form: &str, line: &str) -> Option<Fields> {
    let form: Vec<&str> = form.split_whitespace().collect();
    let words: Vec<&str> = line.split_whitespace().collect();
    fit(&form, &words)
}

fn fit(form: &[&str], words: &[&str]) -> Option<Fields> {
    let Some((&first, form)) = form.split_first() else {
        return words.is_empty().then(Fields::default);
    };
    let Some((before, key, after)) = placeholder(first) else {
        let (&word, words) = words.split_first()?;
        return (word == first).then(|| fit(form, words)).flatten();
    };
    let lengths: Vec<usize> = match key {
        "fen" => vec![6, 5, 4],
        "moves" => (0..=words.len()).rev().collect(),
        _ => vec![1],
    };
    lengths.into_iter().find_map(|length| {
        let (taken, rest) = words.split_at_checked(length)?;
        let text = taken.join(" ");
        let text = text.strip_prefix(before)?.strip_suffix(after)?;
        let fields = fit(form, rest)?;
        enter(fields, key, text)
    })
}

/// Enters what stands at a place; nothing when it cannot stand there.
fn enter(mut fields: Fields, key: &str, text: &str) -> Option<Fields> {
    match key {
        "depth" => fields.depth = Some(text.parse().ok()?),
        "fen" => {
            let board = text.split_whitespace().next()?;
            if board.matches('/').count() != 7 {
                return None;
            }
            fields.fen = Some(text.to_owned());
        }
        _ => {
            let moves = text.split_whitespace().map(str::to_owned);
            fields.moves = moves.chain(fields.moves).collect();
        }
    }
    Some(fields)
}

/// What stands before, in and after the braces of a word.
fn placeholder(word: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = word.split_once('{')?;
    let (key, after) = rest.split_once('}')?;
    matches!(key, "depth" | "fen" | "moves" | "move").then_some((before, key, after))
}

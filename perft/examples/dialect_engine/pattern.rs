//! Forms of lines and command lines: words and places for a depth, a FEN, moves, one move.

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

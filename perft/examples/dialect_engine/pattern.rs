//! Forms of lines and command lines: words and places for a depth, a FEN, moves, one move.

/// What a line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) depth: Option<u32>,
    pub(crate) fen: Option<String>,
    pub(crate) moves: Vec<String>,
}

/// What a line of this form says: words as they stand, `{depth}`, `{fen}` (four to six words),
/// `{moves}` (none or more) and `{move}`, which may have something around them, as `--fen={fen}`.
pub(crate) fn read(form: &str, line: &str) -> Option<Said> {
    let form: Vec<&str> = form.split_whitespace().collect();
    let words: Vec<&str> = line.split_whitespace().collect();
    fit(&form, &words)
}

fn fit(form: &[&str], words: &[&str]) -> Option<Said> {
    let Some((&first, form)) = form.split_first() else {
        return words.is_empty().then(Said::default);
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
        let said = fit(form, rest)?;
        enter(said, key, text)
    })
}

/// Enters what stands at a place; nothing when it cannot stand there.
fn enter(mut said: Said, key: &str, text: &str) -> Option<Said> {
    match key {
        "depth" => said.depth = Some(text.parse().ok()?),
        "fen" => {
            let board = text.split_whitespace().next()?;
            if board.matches('/').count() != 7 {
                return None;
            }
            said.fen = Some(text.to_owned());
        }
        _ => {
            let moves = text.split_whitespace().map(str::to_owned);
            said.moves = moves.chain(said.moves).collect();
        }
    }
    Some(said)
}

/// What stands before, in and after the braces of a word.
fn placeholder(word: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = word.split_once('{')?;
    let (key, after) = rest.split_once('}')?;
    matches!(key, "depth" | "fen" | "moves" | "move").then_some((before, key, after))
}

//! Positions by name.

use engine::notation::fen::{self, ParseFenError};
use engine::rules::Position;
use epd::suites;

/// A text that is neither a name nor a FEN.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PositionError {
    #[error(
        "'{text}' is neither a known position nor the FEN of a legal one: {source}\n  {text}\n  {marks}"
    )]
    Fen {
        text: String,
        marks: String,
        source: ParseFenError,
    },
    #[error(
        "no position is called '{text}'; known are startpos, kiwipete, position-3 to position-6, \
         and the ids of the built-in suites, such as edge.many-moves-218 or many-moves-218"
    )]
    Name { text: String },
}

/// Finds a position: by its FEN, by the id of a record of the built-in suites, or by the id
/// without the suite's name where that is unique.
pub(crate) fn find(text: &str) -> Result<Position, PositionError> {
    if !text.contains(['/', ' ']) {
        return by_name(text).ok_or_else(|| PositionError::Name {
            text: text.to_owned(),
        });
    }
    fen::parse(text).map_err(|source| PositionError::Fen {
        text: text.to_owned(),
        marks: marks(text, &source),
        source,
    })
}

fn by_name(name: &str) -> Option<Position> {
    let mut found = None;
    for suite in suites::ALL {
        for entry in suite.parse().entries {
            let id = entry.record.id().unwrap_or_default();
            if id == name {
                return Some(*entry.record.position());
            }
            if id.split_once('.').is_some_and(|(_, short)| short == name) {
                found.get_or_insert(*entry.record.position());
            }
        }
    }
    found
}

/// A line with a caret below each place at fault.
fn marks(text: &str, error: &ParseFenError) -> String {
    let mut marks = String::new();
    for (offset, _) in text.char_indices() {
        let here = error.faults.iter().any(|fault| fault.offset == offset);
        marks.push(if here { '^' } else { ' ' });
    }
    marks.truncate(marks.trim_end().len());
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_fens() {
        let start = Position::startpos();
        assert_eq!(find("startpos").expect("a name"), start);
        assert_eq!(find("standard.startpos").expect("an id"), start);
        assert_eq!(find(&fen::write(&start)).expect("a FEN"), start);
        for name in [
            "kiwipete",
            "position-3",
            "position-4",
            "position-5",
            "position-6",
        ] {
            assert!(find(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_is_marked() {
        let error = find("4k3/8/8/8/8/8/8/4K3 x - e9")
            .expect_err("two faults")
            .to_string();
        assert!(
            error.ends_with("4k3/8/8/8/8/8/8/4K3 x - e9\n                      ^   ^"),
            "{error}"
        );
        assert!(find("nowhere").is_err());
    }
}

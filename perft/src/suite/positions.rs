//! Positions by name or FEN.

use std::collections::BTreeSet;

use chess::notation::fen::{self, FenFault, ParseFenError};
use chess::rules::Position;
use epd::suites;
use epd::{Suite, SuiteEntry};

/// The records of the built-in suites in whose line a name stands: all lines take longer to read than many a count.
fn mentioning(name: &str) -> impl Iterator<Item = SuiteEntry> {
    let suites = suites::ALL.iter().chain([&suites::STAGES]);
    suites.flat_map(move |suite| {
        let lines: Vec<&str> = { suite.text.lines() }
            .filter(|line| line.contains(name))
            .collect();
        Suite::parse(suite.name, lines.join("\n").as_bytes()).entries
    })
}

/// A text that is neither a name nor a FEN.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnknownPosition {
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
         and the ids of the built-in suites, such as edge.many-moves-218 or many-moves-218{meant}"
    )]
    Name { text: String, meant: String },
    #[error("'{text}' is the id of several positions, expected one of {ids}")]
    SeveralNamed { text: String, ids: String },
}

/// The position with this id, or with the id that this is a part of.
fn by_name(name: &str) -> Result<Position, UnknownPosition> {
    let text = name.to_owned();
    let mut found: Vec<(String, Position)> = Vec::new();
    for entry in mentioning(name) {
        let id = entry.record.id().unwrap_or_default();
        let position = *entry.record.position();
        // A whole id decides, even if it is a part of another one.
        if id == name {
            return Ok(position);
        }
        if short(id) == name {
            found.push((id.to_owned(), position));
        }
    }
    let Some(&(_, first)) = found.first() else {
        let all: Vec<SuiteEntry> = mentioning("").collect();
        let ids = all.iter().filter_map(|entry| entry.record.id()).map(short);
        let ids: BTreeSet<&str> = ids.collect();
        let meant = kit::spelling::did_you_mean(name, ids);
        return Err(UnknownPosition::Name { text, meant });
    };
    if found.iter().all(|(_, other)| *other == first) {
        return Ok(first);
    }
    let ids: Vec<&str> = found.iter().map(|(id, _)| &**id).collect();
    let ids = ids.join(", ");
    Err(UnknownPosition::SeveralNamed { text, ids })
}

/// An id without the name of its suite.
fn short(id: &str) -> &str {
    id.split_once('.').map_or(id, |(_, short)| short)
}

/// The position found, and the faults that were tolerated.
#[derive(Debug)]
pub(crate) struct FoundPosition {
    pub(crate) position: Position,
    /// The FEN faults that a strict parser would have rejected.
    pub(crate) tolerated: Vec<FenFault>,
}

/// Finds a position by its FEN, by the id of a record of the built-in suites, or by the id without
/// the suite's name if all records that have it are of one position.
///
/// The FEN may deviate as other programs' do: castling rights in any order, fullmove number 0,
/// several blanks or tabs, an en passant square that no pawn has passed. See
/// [`fen::parse_lenient`].
pub(crate) fn find(text: &str) -> Result<FoundPosition, UnknownPosition> {
    let sound = |position| FoundPosition {
        position,
        tolerated: Vec::new(),
    };
    // Names have neither slashes nor blanks; a FEN has both.
    if !text.contains(|c: char| c == '/' || c.is_ascii_whitespace()) {
        return by_name(text).map(sound);
    }
    let source = match fen::parse(text) {
        Ok(position) => return Ok(sound(position)),
        Err(source) => source,
    };
    // Missing fields are still rejected: in a FEN of five fields, the depth may have been taken for
    // the last counter. So are checks that no single move can give.
    let has_all_fields = matches!(text.split_ascii_whitespace().count(), 4 | 6);
    let lenient = fen::parse_lenient(text).ok().filter(|_| has_all_fields);
    let tolerated = lenient.and_then(|lenient| {
        Some(FoundPosition {
            // Written and read again, it has to pass the strict rules.
            position: fen::parse(&fen::write(&lenient.position)).ok()?,
            tolerated: lenient.tolerated,
        })
    });
    tolerated.ok_or_else(|| UnknownPosition::Fen {
        text: text.to_owned(),
        marks: marks(text, &source),
        source,
    })
}

/// The FEN, and a caret below each fault.
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
        assert_eq!(find("startpos").expect("a name").position, start);
        assert_eq!(find("standard.startpos").expect("an id").position, start);
        let found = find(&fen::write(&start)).expect("a FEN");
        assert_eq!((found.position, found.tolerated.len()), (start, 0));
        for name in [
            "kiwipete",
            "position-3",
            "position-4",
            "position-5",
            "position-6",
            "stages.6-pins.1",
        ] {
            assert!(find(name).is_ok(), "{name}");
        }
        let error = find("kiwipet").expect_err("it is misspelt").to_string();
        assert!(error.ends_with(": did you mean kiwipete?"), "{error}");
    }

    /// Suites that are generated number their positions, each for itself.
    #[test]
    fn an_id_that_several_positions_have_without_their_suites_is_an_error() {
        let short = "lists-attack-beyond-pieces-bishop-8-white";
        let [quick, full] = ["quick", "full"].map(|suite| format!("{suite}.{short}"));
        let position = |id: &str| find(id).expect("an id").position;
        assert_ne!(position(&quick), position(&full));
        let error = find(short).expect_err("two positions").to_string();
        let expected = format!("expected one of {quick}, {full}");
        assert!(error.ends_with(&expected), "{error}");
    }

    #[test]
    fn fens_of_other_programs_are_read_and_what_is_odd_is_named() {
        let board = "r3k2r/8/8/8/8/8/8/R3K2R";
        let rows = [
            (" w kqKQ - 0 1", " w KQkq - 0 1", 2),
            (" w KQkq - 0 0", " w KQkq - 0 1", 1),
            (" w KQkq c6 0 1", " w KQkq - 0 1", 1),
            ("\tw  KQkq\t-  3 9 ", " w KQkq - 3 9", 1),
        ];
        // The queen on a8 would have given check before d7-d5.
        let found = find("q6k/8/8/3pP3/8/8/8/7K w - d6 0 1").expect("the square is dropped");
        assert_eq!(found.position.ep_square(), None);
        assert_eq!(found.tolerated.len(), 1);
        for (rest, expected, faults) in rows {
            let found = find(&format!("{board}{rest}")).expect(rest);
            assert_eq!(fen::write(&found.position), format!("{board}{expected}"));
            assert_eq!(found.tolerated.len(), faults, "{rest}");
        }
        for rest in [
            " w",
            " w KQkq",
            " w KQkq - 0",
            " w KQkq - 0 -1",
            " x KQkq - 0 1",
        ] {
            assert!(find(&format!("{board}{rest}")).is_err(), "{rest}");
        }
        // No single move can give these checks.
        assert!(find("4k3/8/8/8/1b2r3/8/8/r3K3 w - - 0 0").is_err());
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

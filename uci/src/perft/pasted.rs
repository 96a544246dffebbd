//! Parses output that a person has pasted: no engine is there to calibrate, so the most plausible
//! reading is taken.

use chess::rules::Position;

use super::answer::{DivideRow, MoveMeaning};
use super::line::{AnswerLine, Grouping, LineReading, RawRow, parse};
use super::spelling::meaning;

/// A row of a divide, and the line it stands on, from 1.
pub type PastedRow = (usize, DivideRow);

/// The rows of a divide in a text, among other output; empty if there is none. Of all ways to parse
/// it, the one with most legal moves counts; the first number of a row is its count.
pub fn pasted_rows(text: &str, position: &Position) -> Vec<PastedRow> {
    let readings = LineReading::all().filter(|reading| reading.grouping == Grouping::Usual);
    let mut best = (0, Vec::new());
    for reading in readings {
        let rows = rows(text, position, reading);
        let is_legal = |(_, row): &&PastedRow| matches!(row.meaning, MoveMeaning::Legal(_));
        let legal = rows.iter().filter(is_legal).count();
        // The most usual reading comes first, and wins a tie.
        if best.1.is_empty() || legal > best.0 {
            best = (legal, rows);
        }
    }
    best.1
}

fn rows(text: &str, position: &Position, reading: LineReading) -> Vec<PastedRow> {
    let lines = (1..).zip(text.lines());
    let rows = lines.flat_map(|(number, text)| {
        let found = parse(text, reading).into_iter();
        found.filter_map(move |line| match line {
            AnswerLine::Row(RawRow { text, numbers }) => Some((
                number,
                DivideRow {
                    meaning: meaning(&text, position, position.castling_mode()),
                    nodes: *numbers.first()?,
                    text,
                },
            )),
            AnswerLine::Numbers(_) | AnswerLine::Search | AnswerLine::Other => None,
        })
    });
    rows.collect()
}

/// The interpretation of a single move, in coordinates or SAN, in any of the usual notations.
pub fn pasted_move(text: &str, position: &Position) -> MoveMeaning {
    meaning(text, position, position.castling_mode())
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    #[test]
    fn usual_outputs_are_read() {
        let position = fen::parse("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1").expect("legal");
        let read = |text: &str| -> Vec<String> {
            let show = |(line, row): PastedRow| {
                let kind = match row.meaning {
                    MoveMeaning::Legal(m) => format!("{m}"),
                    MoveMeaning::Illegal(m) => format!("!{m}"),
                    MoveMeaning::Unreadable => "?".to_owned(),
                };
                format!("{line} {kind} {}", row.nodes)
            };
            pasted_rows(text, &position).into_iter().map(show).collect()
        };
        let expected = ["1 e2e4 5", "2 e1h1 4", "4 !e2e5 1"];
        for text in [
            "e2e4: 5\ne1g1: 4\n\ne2e5: 1\nNodes searched: 10\n",
            "info string e2e4 5\nO-O - 4\r\n\ne2-e5 = 1\nbestmove e2e4",
            "1. e4 5\n 2. O-O 4\n\n 3. e2e5 1",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read("e2e3: 4 e2e4: 5"), ["1 e2e3 4", "1 e2e4 5"]);
        for text in ["", "e2e4 e1g1", "6444 7476", "nonsense 5"] {
            assert_eq!(read(text), Vec::<String>::new(), "{text}");
        }
        assert!(matches!(
            pasted_move("Kd1", &position),
            MoveMeaning::Legal(_)
        ));
        assert_eq!(pasted_move("Kd8", &position), MoveMeaning::Unreadable);
    }
}

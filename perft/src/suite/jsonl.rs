//! Reads the suites of perftcheck: JSON Lines, one object for each position.
//!
//! `{"fen": "…", "d1": 20, "d2": 400, "tags": ["castling"]}`: leaf nodes by depth, 0 where they are not
//! known. All other fields, such as sources and divides, are skipped. A FEN is read as leniently as that
//! of an EPD record.

use std::fmt::Write as _;
use std::io::{self, BufRead};

use epd::{Diagnostic, LenientRecord, Operand, Operation, Record, RecordProblem, SuiteEntry};
use serde_json::{Map, Value};

/// Why a line is not a position with counts.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error("no JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("no field \"fen\" with a text")]
    NoFen,
    #[error("\"{field}\" is {found}, expected {expected}")]
    Field {
        field: String,
        found: String,
        expected: &'static str,
    },
}

/// Whether a file has the form of perftcheck, by its beginning; no EPD record begins so.
pub(crate) fn looks_like_json(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    start.trim_ascii_start().starts_with(b"{")
}

/// Hands each record to a function, in order. The problems of FENs are reported; such a line gives a
/// record only if the FEN can be read.
///
/// # Errors
///
/// When reading fails, at the first line that is not such an object, which the error names, and when
/// `take` fails.
pub(crate) fn read(
    input: impl BufRead,
    mut report: impl FnMut(Diagnostic),
    mut take: impl FnMut(SuiteEntry) -> anyhow::Result<()>,
    fail: impl Fn(String) -> anyhow::Error,
) -> anyhow::Result<()> {
    for (line, text) in (1..).zip(input.split(b'\n')) {
        let text = text.map_err(|error: io::Error| fail(format!(" {error}")))?;
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        if text.trim_ascii().is_empty() {
            continue;
        }
        let read = read_line(text).map_err(|error| fail(format!("{line}: {error}")))?;
        let (record, problems) = match read {
            Ok(LenientRecord { record, tolerated }) => (Some(record), tolerated),
            Err(faults) => (None, faults),
        };
        // Columns would be those of the FEN, not of the line.
        let problems = problems.into_iter();
        problems.for_each(|problem| report(Diagnostic { line, ..problem }));
        if let Some(record) = record {
            take(SuiteEntry { line, record })?;
        }
    }
    Ok(())
}

/// The record of a line, or what is wrong with its FEN.
fn read_line(text: &[u8]) -> Result<Result<LenientRecord, Vec<Diagnostic>>, LineError> {
    let object: Map<String, Value> = serde_json::from_slice(text)?;
    let fen = object
        .get("fen")
        .and_then(Value::as_str)
        .ok_or(LineError::NoFen)?;
    // As an EPD record, a FEN is read as far as it goes, and the rest is reported.
    let mut ignored = None;
    let mut words = fen.split_whitespace();
    let mut epd = words.by_ref().take(4).collect::<Vec<_>>().join(" ");
    // EPD has the clocks as operations; FEN, as its fifth and sixth field.
    for (opcode, word) in ["hmvc", "fmvn"].into_iter().zip(words.by_ref()) {
        if word.parse::<u32>().is_err() {
            ignored = Some(word.to_owned());
            break;
        }
        write!(epd, " {opcode} {word};").expect("a string can be written to");
    }
    let ignored = ignored.or_else(|| words.next().map(str::to_owned));
    let mut read = match Record::parse_lenient(&epd) {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.diagnostics)),
    };
    read.tolerated.extend(ignored.map(|found| Diagnostic {
        line: 1,
        column: 1,
        problem: RecordProblem::NotAnOperation { found },
    }));
    let mut add = |opcode: &str, operands: Vec<Operand>, field: &str| {
        let operation = Operation::new(opcode, operands).map_err(|error| LineError::Field {
            field: field.to_owned(),
            found: error.to_string(),
            expected: "plain words",
        })?;
        let repeated = "a depth that is not in the FEN";
        read.record
            .push(operation)
            .map_err(|error| LineError::Field {
                field: field.to_owned(),
                found: error.to_string(),
                expected: repeated,
            })
    };
    for (field, value) in &object {
        let is_depth =
            |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // Another letter's count would never be compared.
        if field.strip_prefix('D').is_some_and(|text| is_depth(&text)) {
            return Err(LineError::Field {
                field: field.clone(),
                found: format!("'{field}'"),
                expected: "a small letter, such as d1",
            });
        }
        let depth = field.strip_prefix('d').filter(is_depth);
        let depth = depth.and_then(|depth| depth.parse::<u32>().ok());
        // A field such as `divide` begins with `d` as well.
        let Some(depth) = depth.filter(|&depth| depth > 0) else {
            continue;
        };
        let nodes = value.as_u64().ok_or_else(|| LineError::Field {
            field: field.clone(),
            found: value.to_string(),
            expected: "a number of leaf nodes",
        })?;
        if nodes > 0 {
            add(
                &format!("D{depth}"),
                vec![Operand::Word(nodes.to_string())],
                field,
            )?;
        }
    }
    if let Some(tags) = object.get("tags").filter(|tags| !tags.is_null()) {
        let wrong = || LineError::Field {
            field: "tags".to_owned(),
            found: tags.to_string(),
            expected: "a list of texts",
        };
        let tags = tags.as_array().ok_or_else(wrong)?.iter();
        let tags = tags.map(|tag| tag.as_str().map(|tag| Operand::Text(tag.to_owned())));
        let tags: Vec<Operand> = tags.collect::<Option<_>>().ok_or_else(wrong)?;
        if !tags.is_empty() {
            add("tag", tags, "tags")?;
        }
    }
    Ok(Ok(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn read_all(text: &str) -> (Vec<SuiteEntry>, Vec<String>, Option<String>) {
        let (mut entries, mut problems) = (Vec::new(), Vec::new());
        let result = read(
            text.as_bytes(),
            |problem| problems.push(problem.display("f").to_string()),
            |entry| {
                entries.push(entry);
                Ok(())
            },
            |text| anyhow::anyhow!("f:{text}"),
        );
        (
            entries,
            problems,
            result.err().map(|error| error.to_string()),
        )
    }

    #[test]
    fn positions_with_their_counts() {
        let text = format!(
            "{{\"fen\": \"{START} 3 9\", \"d1\": 20, \"d2\": 400, \"d3\": 0, \"divide_d1\": {{\"e2e4\": 1}}, \
             \"tags\": [\"a_b\", \"c\"], \"source_urls\": null, \"depth\": \"x\", \"d\": null}}\r\n\
             \n\
             {{\"d1\": 5, \"fen\": \"4k3/8/8/8/8/8/8/4K3 w - -\", \"tags\": []}}"
        );
        let (entries, problems, error) = read_all(&text);
        assert_eq!((problems, error), (vec![], None));
        let found = entries.iter().map(|entry| {
            let tags: Vec<&str> = entry.record.tags().collect();
            (entry.line, entry.record.perft_counts(), tags)
        });
        let expected = [
            (1, vec![(1, 20), (2, 400)], vec!["a_b", "c"]),
            (3, vec![(1, 5)], vec![]),
        ];
        assert!(found.eq(expected));
        let position = entries[0].record.position();
        assert_eq!(
            (position.halfmove_clock(), position.fullmove_number()),
            (3, 9)
        );
    }

    #[test]
    fn broken_lines_are_named() {
        let fine = format!("{{\"fen\": \"{START} 0 1\", \"d1\": 20}}\n");
        let rows = [
            (
                "{\"fen\": \"4k3/8",
                "f:2: no JSON: EOF while parsing a string at line 1 column 14",
            ),
            (
                "[1]",
                "f:2: no JSON: invalid type: sequence, expected a map at line 1 column 0",
            ),
            ("{}", "f:2: no field \"fen\" with a text"),
            (
                "{\"fen\": \"START 0 1\", \"D2\": 401}",
                "f:2: \"D2\" is 'D2', expected a small letter, such as d1",
            ),
            ("{\"fen\": 7}", "f:2: no field \"fen\" with a text"),
            (
                "{\"fen\": \"START\", \"d1\": \"20\"}",
                "f:2: \"d1\" is \"20\", expected a number of leaf nodes",
            ),
            (
                "{\"fen\": \"START\", \"d2\": -1}",
                "f:2: \"d2\" is -1, expected a number of leaf nodes",
            ),
            (
                "{\"fen\": \"START\", \"d2\": 1.5}",
                "f:2: \"d2\" is 1.5, expected a number of leaf nodes",
            ),
            (
                "{\"fen\": \"START\", \"tags\": [1]}",
                "f:2: \"tags\" is [1], expected a list of texts",
            ),
            (
                "{\"fen\": \"START\", \"tags\": \"a\"}",
                "f:2: \"tags\" is \"a\", expected a list of texts",
            ),
        ];
        for (line, expected) in rows {
            let text = format!("{fine}{}\n", line.replace("START", START));
            let (entries, _, error) = read_all(&text);
            assert_eq!(entries.len(), 1, "{line}");
            assert_eq!(error.as_deref(), Some(expected), "{line}");
        }
        // The FEN may contain operations; they count nothing twice.
        let (_, _, error) = read_all(&format!(
            "{{\"fen\": \"{START} 0 1\", \"d1\": 20, \"d01\": 20}}"
        ));
        assert!(error.is_some_and(|error| error.starts_with("f:1: \"d1\" is ")));
    }

    /// As in EPD, a FEN that cannot be read is reported, and the other lines are read.
    #[test]
    fn fens_are_read_leniently() {
        let text = "{\"fen\": \"4k3/8/8/8/8/8/8/8 w - - 0 1\", \"d1\": 5}\n\
                    {\"fen\": \"4k3/8/8/8/8/8/8/4K3 w - - x 1\", \"d1\": 5}\n\
                    {\"fen\": \"4k3/8/8/8/8/8/8/4K3  w - - 0 0\", \"d1\": 5}\n\
                    {\"fen\": \"4k3/8/8/8/8/8/8/4K3 w - - 0 1 junk\", \"d1\": 5}\n";
        let (entries, problems, error) = read_all(text);
        assert_eq!(error, None);
        assert_eq!(entries.last().map(|entry| entry.line), Some(4));
        for (line, found) in [(2, "x"), (4, "junk")] {
            let start = format!("f:{line}:");
            let reported = problems.iter().any(|problem| {
                problem.starts_with(&start) && problem.contains(&format!("text from '{found}' on"))
            });
            assert!(reported, "{problems:?}");
        }
        assert!(
            problems[0].starts_with("f:1:") && problems[0].contains("error"),
            "{problems:?}"
        );
    }

    #[test]
    fn the_form_is_told_by_the_beginning() {
        for (text, expected) in [
            ("{\"fen\"", true),
            ("\u{feff}\n {", true),
            ("# {", false),
            ("", false),
            (START, false),
        ] {
            assert_eq!(looks_like_json(text.as_bytes()), expected, "{text}");
        }
    }
}

//! Parses input lines: UCI commands and the engine's own.

use uci::grammar::{Command, CommandFault, ParseCommandError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// A UCI command, including `go perft`.
    Uci(Command),
    Draw,
    /// `list`: prints some of the legal moves.
    List(MoveSet),
    Flip,
    /// `eval`: prints a trace of the evaluation.
    Evaluate,
    /// `bench`: searches fixed positions, to this depth, and prints the node count.
    Bench(Option<u32>),
    Help,
}

/// The moves that `list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveSet {
    Legal,
    /// En passant included.
    Captures,
    /// All legal moves in check, none otherwise.
    Evasions,
    /// Moves that give check.
    Checks,
}

/// The kind of a command by its first word, even if the rest is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// A search, which requires a `bestmove`.
    Search,
    Position,
    Other,
}

impl Intent {
    /// Determines the intent of `line`.
    pub(crate) fn from_line(line: &str) -> Self {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            // `go perft` has no `bestmove`.
            Some("go") if words.all(|word| word != "perft") => Self::Search,
            Some("position") => Self::Position,
            _ => Self::Other,
        }
    }
}

impl Request {
    /// Parses a line; with remarks about what was read otherwise than it is written.
    pub(crate) fn read(line: &str) -> Result<(Self, Vec<String>), ParseCommandError> {
        let (word, rest) = split_word(line);
        let alone = |request| expect_end(line, rest).map(|()| request);
        let request = match word {
            "d" => alone(Self::Draw),
            "flip" => alone(Self::Flip),
            "eval" => alone(Self::Evaluate),
            "help" => alone(Self::Help),
            "bench" => read_bench(line, rest),
            "list" => read_list(line, rest),
            _ => {
                let (command, remarks) = Command::parse_lenient(line)?;
                return Ok((Self::Uci(command), remarks));
            }
        };
        Ok((request?, Vec::new()))
    }
}

fn read_bench(line: &str, rest: &str) -> Result<Request, ParseCommandError> {
    let (word, rest) = split_word(rest);
    if word.is_empty() {
        return Ok(Request::Bench(None));
    }
    let depth = word.parse().ok().filter(|&depth| depth > 0);
    let depth = depth.ok_or_else(|| {
        let fault = CommandFault::NotANumber {
            found: word.to_owned(),
            what: "depth",
            least: 1,
            most: u64::from(u32::MAX),
        };
        fault_at(line, word, fault)
    })?;
    expect_end(line, rest)?;
    Ok(Request::Bench(Some(depth)))
}

fn read_list(line: &str, rest: &str) -> Result<Request, ParseCommandError> {
    let (word, rest) = split_word(rest);
    let moves = match word {
        "legal" => MoveSet::Legal,
        "captures" => MoveSet::Captures,
        "evasions" => MoveSet::Evasions,
        "checks" => MoveSet::Checks,
        _ => {
            let expected = "legal, captures, evasions or checks";
            let found = word.to_owned();
            let fault = match word {
                "" => CommandFault::Missing { expected },
                _ => CommandFault::Unexpected { found, expected },
            };
            return Err(fault_at(line, word, fault));
        }
    };
    expect_end(line, rest)?;
    Ok(Request::List(moves))
}

/// Splits off the first word, which may be empty.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    let end = text.find(|letter: char| letter.is_ascii_whitespace());
    text.split_at(end.unwrap_or(text.len()))
}

fn expect_end(line: &str, rest: &str) -> Result<(), ParseCommandError> {
    let (word, _) = split_word(rest);
    if word.is_empty() {
        return Ok(());
    }
    let fault = CommandFault::Unexpected {
        found: word.to_owned(),
        expected: "the end of the line",
    };
    Err(fault_at(line, word, fault))
}

/// An error at `word`, which is a slice of `line`.
fn fault_at(line: &str, word: &str, fault: CommandFault) -> ParseCommandError {
    ParseCommandError {
        line: line.to_owned(),
        column: word.as_ptr() as usize - line.as_ptr() as usize + 1,
        fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        let rows = [
            ("d", Request::Draw),
            ("  flip\r", Request::Flip),
            ("eval ", Request::Evaluate),
            ("help", Request::Help),
            ("list captures", Request::List(MoveSet::Captures)),
            ("bench", Request::Bench(None)),
            ("bench 12", Request::Bench(Some(12))),
            ("isready", Request::Uci(Command::IsReady)),
        ];
        for (line, expected) in rows {
            assert_eq!(Request::read(line), Ok((expected, Vec::new())), "{line:?}");
        }
    }

    #[test]
    fn errors_have_a_reason_and_a_column() {
        #[rustfmt::skip]
        let rows = [
            (" d  now", "column 5: unexpected 'now', expected the end of the line"),
            ("bench deep", "column 7: 'deep' is not a depth, expected a number from 1 to 4294967295"),
            ("list", "column 5: the line ends, expected legal, captures, evasions or checks"),
            ("list all", "column 6: unexpected 'all', expected legal, captures, evasions or checks"),
            ("list checks 2", "column 13: unexpected '2', expected the end of the line"),
            ("bench 0", "column 7: '0' is not a depth, expected a number from 1 to 4294967295"),
            ("bench 3 4", "column 9: unexpected '4', expected the end of the line"),
            ("debug", "column 6: the line ends, expected on or off"),
        ];
        for (line, expected) in rows {
            let error = Request::read(line).expect_err(line);
            assert_eq!(error.to_string(), expected, "{line:?}");
        }
    }

    #[test]
    fn intents_are_known_from_broken_lines() {
        let rows = [
            ("go dpeth 3", Intent::Search),
            (" go", Intent::Search),
            ("go perft x", Intent::Other),
            ("position fen", Intent::Position),
            ("gone", Intent::Other),
            ("", Intent::Other),
        ];
        for (line, expected) in rows {
            assert_eq!(Intent::from_line(line), expected, "{line:?}");
        }
    }
}

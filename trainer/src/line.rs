//! The text format of positions passed between the commands: `GAME;FEN;RESULT;SCORE`.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use chess::notation::fen::{self, ParseFenError};
use chess::notation::pgn::PgnResult;
use chess::rules::Position;

/// A position with the result of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrainingLine {
    /// The number of its game, unique within a file.
    pub(crate) game: u64,
    pub(crate) position: Position,
    /// The result of the game; unknown for sideline positions, which have only a score.
    pub(crate) result: PgnResult,
    /// The engine's score in centipawns for White, if known.
    pub(crate) score: Option<i32>,
}

/// Why a line is invalid.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParseLineError {
    #[error("{found} fields, expected 4: game, FEN, result, score")]
    Fields { found: usize },
    #[error("{field} '{found}': {source}")]
    Number {
        field: &'static str,
        found: String,
        source: ParseIntError,
    },
    #[error("FEN: {0}")]
    Fen(#[from] ParseFenError),
    #[error("'{found}' is not a result, expected 1-0, 0-1, 1/2-1/2 or *")]
    Result { found: String },
}

impl TrainingLine {
    /// White's points, if the result is known.
    pub(crate) fn points(&self) -> Option<f32> {
        match self.result {
            PgnResult::WhiteWins => Some(1.0),
            PgnResult::BlackWins => Some(0.0),
            PgnResult::Draw => Some(0.5),
            PgnResult::Unknown => None,
        }
    }
}

impl fmt::Display for TrainingLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = fen::write(&self.position);
        write!(f, "{};{fen};{};", self.game, self.result)?;
        match self.score {
            Some(score) => score.fmt(f),
            None => Ok(()),
        }
    }
}

impl FromStr for TrainingLine {
    type Err = ParseLineError;

    fn from_str(text: &str) -> Result<Self, ParseLineError> {
        let fields: Vec<&str> = text.split(';').collect();
        let &[game, fen, result, score] = fields.as_slice() else {
            let found = fields.len();
            return Err(ParseLineError::Fields { found });
        };
        Ok(Self {
            game: number("game", game)?,
            position: fen::parse(fen)?,
            result: PgnResult::ALL
                .into_iter()
                .find(|end| end.to_string() == result)
                .ok_or_else(|| ParseLineError::Result {
                    found: result.to_owned(),
                })?,
            score: match score {
                "" => None,
                score => Some(number("score", score)?),
            },
        })
    }
}

fn number<T>(field: &'static str, text: &str) -> Result<T, ParseLineError>
where
    T: FromStr<Err = ParseIntError>,
{
    text.parse().map_err(|source| ParseLineError::Number {
        field,
        found: text.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn written_and_read_back() {
        for (result, score) in [("1-0", "-35"), ("0-1", ""), ("1/2-1/2", "0"), ("*", "7")] {
            let text = format!("17;{START};{result};{score}");
            let line: TrainingLine = text.parse().unwrap();
            assert_eq!(line.game, 17);
            assert_eq!(line.position, Position::startpos());
            assert_eq!(line.score, score.parse().ok());
            assert_eq!(line.to_string(), text);
        }
    }

    #[test]
    fn a_fault_is_named() {
        #[rustfmt::skip]
        let rows = [
            ("", "1 fields, expected 4: game, FEN, result, score"),
            ("x;START;1-0;", "game 'x': invalid digit found in string"),
            ("1;START;0-0;", "'0-0' is not a result, expected 1-0, 0-1, 1/2-1/2 or *"),
            ("1;START;1-0;0.3", "score '0.3': invalid digit found in string"),
        ];
        for (text, expected) in rows {
            let parsed: Result<TrainingLine, _> = text.replace("START", START).parse();
            assert_eq!(parsed.unwrap_err().to_string(), expected);
        }
        let parsed: Result<TrainingLine, _> = "1;8/8 w - - 0 1;1-0;".parse();
        let error = parsed.unwrap_err().to_string();
        assert!(error.starts_with("FEN: placement"), "{error}");
    }
}

//! Adjudication rules as text: `moves=3 score=400`.

use std::str::FromStr;

use serde::Deserialize;

use super::value::{OnOff, ValueError};
use super::words::{self, number};
use crate::model::{DrawRule, ResignRule};

/// When a game is adjudicated as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResignText {
    /// Number of consecutive moves.
    pub moves: u32,
    /// Score deficit in centipawns, as a positive number.
    pub score: u32,
    /// Whether the opponent must report an equally high score.
    #[serde(default)]
    pub two_sided: bool,
}

/// When a game is adjudicated as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DrawText {
    /// First move number to which the rule applies.
    #[serde(default)]
    pub from: u32,
    /// Number of consecutive moves by each side.
    pub moves: u32,
    /// Maximum distance of the score from zero, in centipawns.
    pub score: u32,
}

impl From<ResignText> for ResignRule {
    fn from(text: ResignText) -> Self {
        Self {
            moves: text.moves,
            score_cp: text.score,
            two_sided: text.two_sided,
        }
    }
}

impl From<DrawText> for DrawRule {
    fn from(text: DrawText) -> Self {
        Self {
            from_move: text.from,
            moves: text.moves,
            score_cp: text.score,
        }
    }
}

impl FromStr for ResignText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [mut moves, mut score] = [None; 2];
        let mut two_sided = OnOff(false);
        let read = words::for_each(text, |key, value| {
            match key {
                "moves" => moves = Some(number(value)?),
                "score" => score = Some(number(value)?),
                "two-sided" => two_sided = value.parse()?,
                "movecount" => {
                    return Err(words::unknown("moves (not movecount), score or two-sided"));
                }
                "twosided" => return Err(words::unknown("two-sided (not twosided)")),
                _ => return Err(words::unknown("moves, score or two-sided")),
            }
            Ok(())
        });
        read.map_err(|error| error.to_string())?;
        Ok(Self {
            moves: moves.ok_or_else(missing("moves"))?,
            score: score.ok_or_else(missing("score"))?,
            two_sided: two_sided.0,
        })
    }
}

impl FromStr for DrawText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [mut moves, mut score] = [None; 2];
        let mut from = 0;
        let read = words::for_each(text, |key, value| {
            let value = number(value)?;
            match key {
                "moves" => moves = Some(value),
                "score" => score = Some(value),
                "from" => from = value,
                _ => return Err(words::unknown("from, moves or score")),
            }
            Ok(())
        });
        read.map_err(|error| error.to_string())?;
        Ok(Self {
            from,
            moves: moves.ok_or_else(missing("moves"))?,
            score: score.ok_or_else(missing("score"))?,
        })
    }
}

fn missing(key: &str) -> impl Fn() -> String {
    move || ValueError(format!("{key} is missing")).to_string()
}

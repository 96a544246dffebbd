//! The notation of time controls.

use std::fmt;
use std::str::FromStr;

use super::MAX_TIME_MS;
use crate::model::{Stage, TimeControl};

/// An invalid time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time control '{text}', column {column}: {reason}")]
pub struct ParseTimeControlError {
    /// The text.
    pub text: String,
    /// The position of the fault, in characters, from 1.
    pub column: usize,
    /// The reason.
    pub reason: TimeControlReason,
}

/// What is wrong with a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlReason {
    /// Not a number of seconds.
    #[error("'{found}' is not a time, expected seconds such as 10 or 0.05")]
    NotATime {
        /// The text found.
        found: String,
    },
    /// More than three decimals.
    #[error("'{found}' is finer than a millisecond, expected at most three decimals")]
    TooFine {
        /// The text found.
        found: String,
    },
    /// More than engines can parse.
    #[error("'{found}' is too long, expected at most {}.{:03} seconds", MAX_TIME_MS / 1000, MAX_TIME_MS % 1000)]
    TooLong {
        /// The text found.
        found: String,
    },
    /// Not a number of moves.
    #[error("'{found}' is not a number of moves, expected 1 to {}", u32::MAX)]
    NotMoves {
        /// The text found.
        found: String,
    },
    /// Not a whole number of minutes.
    #[error("'{found}' is not a number of minutes, expected a whole number before ':'")]
    NotMinutes {
        /// The text found.
        found: String,
    },
    /// Sixty or more seconds after minutes.
    #[error("'{found}' seconds after minutes, expected less than 60")]
    FullMinute {
        /// The text found.
        found: String,
    },
    /// A stage without any time.
    #[error("no time to think, expected more than 0 seconds")]
    NoTime,
    /// A stage without a number of moves that is not the last.
    #[error("a stage without a number of moves never ends, expected MOVES/SECONDS before ':'")]
    EndlessStage,
    /// Either minutes and seconds or two stages.
    #[error(
        "'{minutes}:{seconds}' may be minutes and seconds or the end of a stage, expected \
         seconds alone, or '+0' before ':' for two stages"
    )]
    Ambiguous {
        /// The text before the colon.
        minutes: String,
        /// The text after the colon.
        seconds: String,
    },
}

/// A fault and its byte offset.
type Fault = (usize, TimeControlReason);

/// A part of the text and its byte offset.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    offset: usize,
}

impl Piece<'_> {
    /// The parts before and after the first `separator`.
    fn split(self, separator: char) -> Option<(Self, Self)> {
        let (before, after) = self.text.split_once(separator)?;
        let offset = self.offset + before.len() + separator.len_utf8();
        let before = Piece {
            text: before,
            ..self
        };
        Some((
            before,
            Piece {
                text: after,
                offset,
            },
        ))
    }

    fn fault(self, reason: impl FnOnce(String) -> TimeControlReason) -> Fault {
        (self.offset, reason(self.text.to_owned()))
    }
}

/// Parses a time control; `None` for `inf`, no clock.
///
/// # Errors
///
/// If the text is neither.
pub fn parse_clock(text: &str) -> Result<Option<TimeControl>, ParseTimeControlError> {
    if text == "inf" {
        return Ok(None);
    }
    text.parse().map(Some)
}

/// Formats a clock so that [`parse_clock`] can read it.
pub fn write_clock(clock: Option<&TimeControl>) -> String {
    clock.map_or_else(|| "inf".to_owned(), ToString::to_string)
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        match stages(text) {
            Ok(stages) => Ok(Self { stages }),
            Err((offset, reason)) => Err(ParseTimeControlError {
                text: text.to_owned(),
                column: text[..offset].chars().count() + 1,
                reason,
            }),
        }
    }
}

fn stages(text: &str) -> Result<Vec<Stage>, Fault> {
    let whole = Piece { text, offset: 0 };
    if let Some((before, after)) = whole.split(':')
        && !after.text.contains(':')
    {
        if !before.text.contains(['/', '+']) {
            return Ok(vec![with_minutes(before, after)?]);
        }
        refuse_ambiguity(before, after)?;
    }
    let mut stages = Vec::new();
    let mut rest = whole;
    while let Some((before, after)) = rest.split(':') {
        let one = stage(before, stages.is_empty())?;
        if one.moves.is_none() {
            return Err((before.offset, TimeControlReason::EndlessStage));
        }
        stages.push(one);
        rest = after;
    }
    stages.push(stage(rest, stages.is_empty())?);
    Ok(stages)
}

/// Rejects `40/1:30`, and `40/1:30+0.5`.
fn refuse_ambiguity(before: Piece<'_>, after: Piece<'_>) -> Result<(), Fault> {
    let Some((_, minutes)) = before.split('/') else {
        return Ok(());
    };
    let seconds = after.split('+').map_or(after, |(seconds, _)| seconds);
    let may_be_seconds = milliseconds(seconds).is_ok_and(|time| time < MINUTE_MS);
    if minutes.text.contains('+') || !may_be_seconds {
        return Ok(());
    }
    let reason = TimeControlReason::Ambiguous {
        minutes: minutes.text.to_owned(),
        seconds: seconds.text.to_owned(),
    };
    Err((minutes.offset, reason))
}

const MINUTE_MS: u64 = 60_000;

/// `1:30+0.5`: the minutes, and the text after the colon.
fn with_minutes(minutes: Piece<'_>, rest: Piece<'_>) -> Result<Stage, Fault> {
    let whole = digits(minutes.text)
        .ok_or_else(|| minutes.fault(|found| TimeControlReason::NotMinutes { found }))?;
    let (time, increment) = time_and_increment(rest)?;
    if time >= MINUTE_MS {
        return Err(rest.fault(|found| TimeControlReason::FullMinute { found }));
    }
    let time_ms = whole.saturating_mul(MINUTE_MS).saturating_add(time);
    if time_ms > MAX_TIME_MS {
        return Err(minutes.fault(|found| TimeControlReason::TooLong { found }));
    }
    let stage = Stage {
        moves: None,
        time_ms,
        increment_ms: increment,
    };
    with_time(stage, minutes, true)
}

fn stage(piece: Piece<'_>, is_first: bool) -> Result<Stage, Fault> {
    let (moves, rest) = match piece.split('/') {
        Some((moves, rest)) => (Some(number_of_moves(moves)?), rest),
        None => (None, piece),
    };
    let (time_ms, increment_ms) = time_and_increment(rest)?;
    let stage = Stage {
        moves,
        time_ms,
        increment_ms,
    };
    with_time(stage, rest, is_first)
}

/// Rejects a game that is lost on time before it begins, and a stage without any time.
fn with_time(stage: Stage, piece: Piece<'_>, is_first: bool) -> Result<Stage, Fault> {
    if stage.time_ms == 0 && (is_first || stage.increment_ms == 0) {
        return Err((piece.offset, TimeControlReason::NoTime));
    }
    Ok(stage)
}

fn number_of_moves(piece: Piece<'_>) -> Result<u32, Fault> {
    let moves = digits(piece.text).and_then(|moves| u32::try_from(moves).ok());
    moves
        .filter(|&moves| moves > 0)
        .ok_or_else(|| piece.fault(|found| TimeControlReason::NotMoves { found }))
}

fn time_and_increment(piece: Piece<'_>) -> Result<(u64, u64), Fault> {
    match piece.split('+') {
        Some((time, increment)) => Ok((milliseconds(time)?, milliseconds(increment)?)),
        None => Ok((milliseconds(piece)?, 0)),
    }
}

/// Seconds with up to three decimals, parsed digit by digit: times are never floats.
fn milliseconds(piece: Piece<'_>) -> Result<u64, Fault> {
    let not_a_time = || piece.fault(|found| TimeControlReason::NotATime { found });
    let (whole, decimals) = match piece.split('.') {
        Some((whole, decimals)) => (whole.text, decimals.text),
        None => (piece.text, "0"),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.is_empty() || !are_digits(whole) || !are_digits(decimals) || piece.text.is_empty() {
        return Err(not_a_time());
    }
    if decimals.len() > 3 {
        return Err(piece.fault(|found| TimeControlReason::TooFine { found }));
    }
    let too_long = || piece.fault(|found| TimeControlReason::TooLong { found });
    // `.5` has no whole seconds.
    let digits_of_ms = format!("0{whole}{decimals:0<3}");
    let time = digits(&digits_of_ms).ok_or_else(too_long)?;
    if time > MAX_TIME_MS {
        return Err(too_long());
    }
    Ok(time)
}

/// A number of digits only, unlike `parse`, which accepts a sign.
fn digits(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Formats what [`FromStr`] can read back.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.stages.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = stage.moves {
                write!(f, "{moves}/")?;
            }
            write_seconds(f, stage.time_ms)?;
            if stage.increment_ms > 0 || index == 0 && self.looks_like_minutes() {
                f.write_str("+")?;
                write_seconds(f, stage.increment_ms)?;
            }
        }
        Ok(())
    }
}

impl TimeControl {
    /// Returns true if the first colon could be taken for that of minutes and seconds.
    fn looks_like_minutes(&self) -> bool {
        let [_, last] = &self.stages[..] else {
            return false;
        };
        last.moves.is_none() && last.time_ms < MINUTE_MS
    }
}

fn write_seconds(f: &mut fmt::Formatter<'_>, time_ms: u64) -> fmt::Result {
    write!(f, "{}", time_ms / 1000)?;
    match time_ms % 1000 {
        0 => Ok(()),
        rest => write!(f, ".{}", format!("{rest:03}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests;

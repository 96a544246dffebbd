//! Time controls: their notation, and the clock of one player.
//!
//! A time control is one or more stages, `[MOVES/]SECONDS[+INCREMENT]`, separated by colons as in
//! the PGN tag `TimeControl` (standard, 9.6.1). Seconds have up to three decimals and are parsed
//! exactly.
//!
//! | text | meaning |
//! |---|---|
//! | `10+0.1` | ten seconds for the game, 0.1 more after each move |
//! | `60` | sixty seconds for the game |
//! | `40/60+0.6` | sixty seconds for every 40 moves, 0.6 more after each move |
//! | `40/60:20/30:10+0.5` | 40 moves in 60 seconds, 20 in 30, then 10 for the rest with an increment |
//! | `1:30+1` | minutes and seconds, as cutechess and fastchess read them |
//! | `inf` | no clock, see [`parse_clock`] |
//!
//! A last stage with a number of moves repeats forever. Time left over from one stage is added to
//! the next.
//!
//! A colon after a single number can only mean minutes, since a stage without a number of moves
//! never ends. `40/1:30` could mean 40 moves in a minute and a half, or 40 moves in a second and
//! then half a minute; it is rejected. Write `40/90` for the former, `40/1+0:30` for the latter.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{ClockStage, TimeControl};

/// Maximum time and increment, in milliseconds: the range of the 32-bit integers engines parse
/// into.
pub const MAX_TIME_MS: u64 = i32::MAX as u64;

// The notation of time controls.

/// An invalid time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time control '{text}', column {column}: {reason}")]
pub struct ParseTimeControlError {
    /// The text.
    pub text: String,
    /// The position of the fault, in characters, from 1.
    pub column: usize,
    /// What is wrong there, and what was expected.
    pub reason: String,
}

/// The byte offset of a fault, and what is wrong there.
type TextFault = (usize, String);

/// A part of the text and its byte offset.
#[derive(Clone, Copy)]
struct TextPart<'a> {
    text: &'a str,
    offset: usize,
}

impl TextPart<'_> {
    /// The parts before and after the first `separator`.
    fn split(self, separator: char) -> Option<(Self, Self)> {
        let (before, after) = self.text.split_once(separator)?;
        let offset = self.offset + before.len() + separator.len_utf8();
        let before = TextPart {
            text: before,
            ..self
        };
        Some((
            before,
            TextPart {
                text: after,
                offset,
            },
        ))
    }

    /// The text is `wrong`, such as "is not a time, expected seconds".
    fn fault(self, wrong: &str) -> TextFault {
        (self.offset, format!("'{}' {wrong}", self.text))
    }

    fn too_long(self) -> TextFault {
        let (seconds, rest) = (MAX_TIME_MS / 1000, MAX_TIME_MS % 1000);
        self.fault(&format!(
            "is too long, expected at most {seconds}.{rest:03} seconds"
        ))
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

fn stages(text: &str) -> Result<Vec<ClockStage>, TextFault> {
    let whole = TextPart { text, offset: 0 };
    if let Some((before, after)) = whole.split(':')
        && !after.text.contains(':')
    {
        if !before.text.contains(['/', '+']) {
            return Ok(vec![with_minutes(before, after)?]);
        }
        reject_ambiguity(before, after)?;
    }
    let mut stages = Vec::new();
    let mut rest = whole;
    while let Some((before, after)) = rest.split(':') {
        let one = stage(before, stages.is_empty())?;
        if one.moves.is_none() {
            let reason = "a stage without a number of moves never ends, expected MOVES/SECONDS \
                          before ':'";
            return Err((before.offset, reason.to_owned()));
        }
        stages.push(one);
        rest = after;
    }
    stages.push(stage(rest, stages.is_empty())?);
    Ok(stages)
}

/// Rejects `40/1:30`, and `40/1:30+0.5`.
fn reject_ambiguity(before: TextPart<'_>, after: TextPart<'_>) -> Result<(), TextFault> {
    let Some((moves, minutes)) = before.split('/') else {
        return Ok(());
    };
    let seconds = after.split('+').map_or(after, |(seconds, _)| seconds);
    let (Ok(of_minutes), Ok(of_seconds)) = (milliseconds(minutes), milliseconds(seconds)) else {
        return Ok(());
    };
    if of_seconds >= MINUTE_MS {
        return Ok(());
    }
    let whole = ClockStage {
        moves: None,
        time_ms: of_minutes.saturating_mul(60).saturating_add(of_seconds),
        increment_ms: 0,
    };
    let whole = TimeControl {
        stages: vec![whole],
    };
    let increment = after.text.strip_prefix(seconds.text).unwrap_or_default();
    let (moves, minutes) = (moves.text, minutes.text);
    let reason = format!(
        "'{minutes}:{}' may be minutes and seconds or the end of a stage, expected \
         '{moves}/{whole}{increment}', or '{moves}/{minutes}+0:{}' for two stages",
        seconds.text, after.text
    );
    Err((before.offset + moves.len() + 1, reason))
}

const MINUTE_MS: u64 = 60_000;

/// `1:30+0.5`: the minutes, and the text after the colon.
fn with_minutes(minutes: TextPart<'_>, rest: TextPart<'_>) -> Result<ClockStage, TextFault> {
    let whole = digits(minutes.text).ok_or_else(|| {
        minutes.fault("is not a number of minutes, expected a whole number before ':'")
    })?;
    let (time, increment) = time_and_increment(rest)?;
    if time >= MINUTE_MS {
        return Err(rest.fault("seconds after minutes, expected less than 60"));
    }
    let time_ms = whole.saturating_mul(MINUTE_MS).saturating_add(time);
    if time_ms > MAX_TIME_MS {
        return Err(minutes.too_long());
    }
    let stage = ClockStage {
        moves: None,
        time_ms,
        increment_ms: increment,
    };
    with_time(stage, minutes, true)
}

fn stage(piece: TextPart<'_>, is_first: bool) -> Result<ClockStage, TextFault> {
    let (moves, rest) = match piece.split('/') {
        Some((moves, rest)) => (Some(number_of_moves(moves)?), rest),
        None => (None, piece),
    };
    let (time_ms, increment_ms) = time_and_increment(rest)?;
    let stage = ClockStage {
        moves,
        time_ms,
        increment_ms,
    };
    with_time(stage, rest, is_first)
}

/// Rejects a game that is lost on time before it begins, and a stage without any time.
fn with_time(
    stage: ClockStage,
    piece: TextPart<'_>,
    is_first: bool,
) -> Result<ClockStage, TextFault> {
    // An increment comes only after a move, so the first move needs other time.
    if stage.time_ms == 0 && (is_first || stage.increment_ms == 0) {
        let reason = "no time to think, expected more than 0 seconds";
        return Err((piece.offset, reason.to_owned()));
    }
    Ok(stage)
}

fn number_of_moves(piece: TextPart<'_>) -> Result<u32, TextFault> {
    let moves = digits(piece.text).and_then(|moves| u32::try_from(moves).ok());
    moves.filter(|&moves| moves > 0).ok_or_else(|| {
        piece.fault(&format!(
            "is not a number of moves, expected 1 to {}",
            u32::MAX
        ))
    })
}

fn time_and_increment(piece: TextPart<'_>) -> Result<(u64, u64), TextFault> {
    match piece.split('+') {
        Some((time, increment)) => Ok((milliseconds(time)?, milliseconds(increment)?)),
        None => Ok((milliseconds(piece)?, 0)),
    }
}

/// Seconds with up to three decimals, parsed digit by digit: times are never floats.
fn milliseconds(piece: TextPart<'_>) -> Result<u64, TextFault> {
    let (whole, decimals) = match piece.split('.') {
        Some((whole, decimals)) => (whole.text, decimals.text),
        None => (piece.text, "0"),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.is_empty() || !are_digits(whole) || !are_digits(decimals) || piece.text.is_empty() {
        return Err(piece.fault("is not a time, expected seconds such as 10 or 0.05"));
    }
    if decimals.len() > 3 {
        return Err(piece.fault("is finer than a millisecond, expected at most three decimals"));
    }
    // `.5` has no whole seconds.
    let digits_of_ms = format!("0{whole}{decimals:0<3}");
    let time = digits(&digits_of_ms).filter(|&time| time <= MAX_TIME_MS);
    time.ok_or_else(|| piece.too_long())
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
            // `40/1:30` would be rejected as ambiguous; `40/1+0:30` is not.
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

// The clock of one player: a pure counter that receives the time of each move.
//
// The clock starts with the time of the first stage; an increment is added after each move, the
// time of the next stage after the last move of a stage. A move may overstep the clock by the
// margin; only the increment and the time of a new stage are left then.

/// The clock of one player in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    margin: Duration,
    /// The current stage, from 0.
    stage: usize,
    /// Number of moves made in the stage.
    moves: u32,
    left: Duration,
}

/// The parameters of `go` for one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// `wtime` or `btime`, in milliseconds: rounded down, but at least 1, since some engines
    /// misbehave at 0.
    pub time_ms: u64,
    /// `winc` or `binc`, in milliseconds.
    pub increment_ms: u64,
    /// `movestogo`; `None` if the stage lasts for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The flag has fallen: a move took longer than clock and margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the clock was overstepped by {} ms", overstepped.as_millis())]
pub struct Flag {
    /// Time by which the clock was overstepped; the margin is not deducted from it.
    pub overstepped: Duration,
}

impl Clock {
    /// The clock at the start of a game.
    ///
    /// # Panics
    ///
    /// If the time control has no stages, which violates the invariant of [`TimeControl`].
    pub fn new(control: &TimeControl, margin: Duration) -> Self {
        let first = control.stages.first().expect("a time control has a stage");
        Self {
            control: control.clone(),
            margin,
            stage: 0,
            moves: 0,
            left: Duration::from_millis(first.time_ms),
        }
    }

    /// The time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Maximum time for the next move: the time left plus the margin.
    pub fn until_flag(&self) -> Duration {
        self.left.saturating_add(self.margin)
    }

    /// The parameters of `go`.
    pub fn remaining(&self) -> Remaining {
        let stage = self.current();
        let time_ms = u64::try_from(self.left.as_millis()).unwrap_or(u64::MAX);
        Remaining {
            time_ms: time_ms.max(1),
            increment_ms: stage.increment_ms,
            moves_to_go: stage.moves.map(|moves| moves - self.moves),
        }
    }

    /// Deducts a move that took `elapsed`, and returns the time left after it, including the
    /// increment and the time of a new stage.
    ///
    /// # Errors
    ///
    /// If it took longer than [`Self::until_flag`]; the clock is unchanged.
    pub fn spend(&mut self, elapsed: Duration) -> Result<Duration, Flag> {
        if elapsed > self.until_flag() {
            let overstepped = elapsed.saturating_sub(self.left);
            return Err(Flag { overstepped });
        }
        let stage = self.current();
        self.left = self.left.saturating_sub(elapsed);
        self.add(stage.increment_ms);
        self.moves += 1;
        if stage.moves == Some(self.moves) {
            self.begin_next_stage();
        }
        Ok(self.left)
    }

    fn current(&self) -> ClockStage {
        self.control.stages[self.stage]
    }

    fn begin_next_stage(&mut self) {
        self.stage = (self.stage + 1).min(self.control.stages.len() - 1);
        self.moves = 0;
        self.add(self.current().time_ms);
    }

    fn add(&mut self, time_ms: u64) {
        self.left = self.left.saturating_add(Duration::from_millis(time_ms));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn clock(text: &str, margin: u64) -> Clock {
        Clock::new(&text.parse().expect("a time control"), ms(margin))
    }

    fn remaining(clock: &Clock) -> (u64, u64, Option<u32>) {
        let left = clock.remaining();
        (left.time_ms, left.increment_ms, left.moves_to_go)
    }

    #[test]
    fn stages_follow_one_another_and_the_last_is_repeated() {
        let mut clock = clock("2/10:3/5+1", 0);
        assert_eq!(remaining(&clock), (10_000, 0, Some(2)));
        assert_eq!(clock.spend(ms(4000)), Ok(ms(6000)));
        assert_eq!(remaining(&clock), (6000, 0, Some(1)));
        assert_eq!(clock.spend(ms(4000)), Ok(ms(7000)));
        assert_eq!(remaining(&clock), (7000, 1000, Some(3)));
        for _ in 0..2 {
            clock.spend(ms(1000)).expect("in time");
        }
        assert_eq!(remaining(&clock), (7000, 1000, Some(1)));
        assert_eq!(clock.spend(ms(1000)), Ok(ms(12_000)));
        assert_eq!(remaining(&clock), (12_000, 1000, Some(3)));
    }

    #[test]
    fn the_flag_falls_past_the_margin_only() {
        let mut clock = clock("1+0.5", 20);
        assert_eq!(clock.until_flag(), ms(1020));
        let before = clock.clone();
        let late = clock.spend(Duration::from_micros(1_020_001));
        let overstepped = Duration::from_micros(20_001);
        assert_eq!(late, Err(Flag { overstepped }));
        let expected = "the clock was overstepped by 20 ms";
        assert_eq!(late.unwrap_err().to_string(), expected);
        assert_eq!(clock, before);
        // Time covered by the margin is not deducted later.
        assert_eq!(clock.spend(ms(1020)), Ok(ms(500)));
    }

    #[test]
    fn remaining_time_is_never_zero() {
        let mut clock = clock("1", 0);
        let expected = Ok(Duration::from_micros(100));
        assert_eq!(clock.spend(Duration::from_micros(999_900)), expected);
        assert_eq!(remaining(&clock), (1, 0, None));
    }

    /// The reference: the time left after `moves`, added up from the start.
    fn added_up(control: &TimeControl, moves: &[u64]) -> i128 {
        let mut left = i128::from(control.stages[0].time_ms) * 1000;
        let (mut stage, mut in_stage) = (0, 0);
        for &elapsed in moves {
            left += i128::from(control.stages[stage].increment_ms) * 1000 - i128::from(elapsed);
            in_stage += 1;
            if control.stages[stage].moves == Some(in_stage) {
                in_stage = 0;
                stage = (stage + 1).min(control.stages.len() - 1);
                left += i128::from(control.stages[stage].time_ms) * 1000;
            }
        }
        left
    }

    proptest! {
        #[test]
        fn the_clock_is_what_was_given_less_what_was_spent(
            stages in prop::collection::vec((1..9_u32, 1..9000_u64, 0..900_u64), 1..4),
            moves in prop::collection::vec(0..1_500_000_u64, 0..60),
        ) {
            let stages = stages.into_iter().map(|(moves, time_ms, increment_ms)| ClockStage {
                moves: Some(moves),
                time_ms,
                increment_ms,
            });
            let control = TimeControl { stages: stages.collect() };
            let mut clock = Clock::new(&control, Duration::ZERO);
            for (index, &elapsed) in moves.iter().enumerate() {
                let before = added_up(&control, &moves[..index]);
                let spent = clock.spend(Duration::from_micros(elapsed));
                prop_assert_eq!(spent.is_ok(), i128::from(elapsed) <= before);
                let Ok(left) = spent else { break };
                let expected = added_up(&control, &moves[..=index]);
                prop_assert_eq!(i128::try_from(left.as_micros()).unwrap(), expected);
            }
        }
    }

    fn stage(moves: u32, time_ms: u64, increment_ms: u64) -> ClockStage {
        ClockStage {
            moves: (moves > 0).then_some(moves),
            time_ms,
            increment_ms,
        }
    }

    #[test]
    fn texts_and_their_stages() {
        let rows: &[(&str, &[ClockStage], &str)] = &rows![
            "40/60+0.6", &[stage(40, 60_000, 600)] => "40/60+0.6";
            "10+0.1", &[stage(0, 10_000, 100)] => "10+0.1";
            "60", &[stage(0, 60_000, 0)] => "60";
            "060.500", &[stage(0, 60_500, 0)] => "60.5";
            ".1+.05", &[stage(0, 100, 50)] => "0.1+0.05";
            "8.002+0.001", &[stage(0, 8002, 1)] => "8.002+0.001";
            "1:30", &[stage(0, 90_000, 0)] => "90";
            "1:30.5+1", &[stage(0, 90_500, 1000)] => "90.5+1";
            "0:05", &[stage(0, 5000, 0)] => "5";
            "40/60:20/30:10+0.5", &[stage(40, 60_000, 0), stage(20, 30_000, 0), stage(0, 10_000, 500)] =>
                "40/60:20/30:10+0.5";
            "40/60:20/30+0.5", &[stage(40, 60_000, 0), stage(20, 30_000, 500)] => "40/60:20/30+0.5";
            "40/1+0:30", &[stage(40, 1000, 0), stage(0, 30_000, 0)] => "40/1+0:30";
            "40/7200:3600", &[stage(40, 7_200_000, 0), stage(0, 3_600_000, 0)] => "40/7200:3600";
            "40/60+1:0+2", &[stage(40, 60_000, 1000), stage(0, 0, 2000)] => "40/60+1:0+2";
        ];
        for (text, stages, written) in rows {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.stages, *stages, "{text}");
            assert_eq!(control.to_string(), *written);
        }
    }

    #[test]
    fn faults_say_where_and_what_was_expected() {
        let rows: Vec<&str> = include_str!("time_control/faults.txt")
            .lines()
            .skip(1)
            .collect();
        for row in rows.chunks(2) {
            let (text, fault) = (row[0], row[1].trim_start());
            let error = text.parse::<TimeControl>().expect_err(text);
            let expected = format!("time control '{text}', column {fault}");
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn no_clock() {
        assert_eq!(parse_clock("inf"), Ok(None));
        assert_eq!(write_clock(None), "inf");
        let clock = parse_clock("5").expect("a time control");
        assert_eq!(write_clock(clock.as_ref()), "5");
        assert!(parse_clock("infinite").is_err());
    }

    fn any_control() -> impl Strategy<Value = TimeControl> {
        let stage = (
            1..200_u32,
            1..4_000_000_u64,
            prop_oneof![Just(0), 0..5000_u64],
        )
            .prop_map(|(moves, time, increment)| stage(moves, time, increment));
        (prop::collection::vec(stage, 1..4), any::<bool>()).prop_map(|(mut stages, ends)| {
            if ends {
                stages.last_mut().expect("one at least").moves = None;
            }
            TimeControl { stages }
        })
    }

    proptest! {
        #[test]
        fn written_controls_read_back(control in any_control()) {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[0-9/:+.é]{0,12}") {
            if let Ok(control) = text.parse::<TimeControl>() {
                prop_assert_eq!(control.to_string().parse(), Ok(control));
            }
        }
    }
}

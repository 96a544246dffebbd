//! A game of the ledger as PGN. Pure.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use chess::notation::pgn::{self, PgnGame, PgnMove, PgnResult};
use chess::rules::{CastlingMode, Game};

use super::error::PgnError;
use super::replay::replay;
use crate::model::{
    EngineIndex, FaultKind, GameRecord, GameResult, Limits, MoveRecord, RunConfig, Termination,
    TournamentFormat,
};

/// Writes a game with clocks, scores, depths, nodes and times in its comments, and a blank line
/// after it.
///
/// A comment reads `[%clk 0:00:09.870] +0.31/12 0.451s 12345n 20sd`: the time left on the clock,
/// the score from the mover's point of view (`#5` is mate in five, `#-5` being mated in five),
/// depth, time, nodes and selective depth. Items that the engine did not report are omitted.
///
/// The tag `Termination` has one of the standard's values (9.8.1); our tag `Ending` is more
/// specific.
///
/// # Panics
///
/// If the engines are not those of the configuration.
pub fn game(config: &RunConfig, record: &GameRecord) -> Result<String, PgnError> {
    write(config, record, &replay(record)?)
}

/// Writes a game that has been replayed.
pub(super) fn write(
    config: &RunConfig,
    record: &GameRecord,
    game: &Game,
) -> Result<String, PgnError> {
    let mode = if record.opening.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let mut pgn = PgnGame::from_game(game, mode);
    comment(&mut pgn.mainline.moves, record);
    pgn.result = Some(match record.result {
        GameResult::WhiteWins => PgnResult::WhiteWins,
        GameResult::BlackWins => PgnResult::BlackWins,
        GameResult::Draw => PgnResult::Draw,
    });
    tags(&mut pgn, config, record);
    Ok(pgn::write(&pgn)?)
}

fn comment(moves: &mut [PgnMove], record: &GameRecord) {
    let (book, played) = moves.split_at_mut(record.opening.moves.len());
    for one in book {
        one.comments.push("book".to_owned());
    }
    for (one, said) in played.iter_mut().zip(&record.moves) {
        one.comments.push(comment_text(said));
    }
}

fn comment_text(one: &MoveRecord) -> String {
    let mut parts = Vec::new();
    parts.extend(one.clock_ms.map(clock));
    let depth = one.depth.map(|depth| format!("/{depth}"));
    let score = one.score.as_deref().map(score);
    if score.is_some() || depth.is_some() {
        parts.push(score.unwrap_or_default() + &depth.unwrap_or_default());
    }
    let milliseconds = one.elapsed_us / 1000;
    parts.push(format!(
        "{}.{:03}s",
        milliseconds / 1000,
        milliseconds % 1000
    ));
    parts.extend(one.nodes.map(|nodes| format!("{nodes}n")));
    parts.extend(one.seldepth.map(|depth| format!("{depth}sd")));
    parts.join(" ")
}

/// `[%clk h:mm:ss.mmm]`, as in the supplement to the standard by A. Cowderoy.
fn clock(left_ms: i64) -> String {
    let left = left_ms.max(0);
    let (seconds, rest) = (left / 1000, left % 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("[%clk {hours}:{minutes:02}:{:02}.{rest:03}]", seconds % 60)
}

/// `cp 31` as `+0.31`, `mate -3` as `#-3`; anything else unchanged.
fn score(text: &str) -> String {
    let (kind, number) = text.split_once(' ').unwrap_or((text, ""));
    match (kind, number.parse::<i64>()) {
        ("cp", Ok(cp)) => {
            let sign = if cp < 0 { '-' } else { '+' };
            let cp = cp.unsigned_abs();
            format!("{sign}{}.{:02}", cp / 100, cp % 100)
        }
        ("mate", Ok(moves)) => format!("#{moves}"),
        _ => text.to_owned(),
    }
}

fn tags(pgn: &mut PgnGame, config: &RunConfig, record: &GameRecord) {
    let plan = &record.plan;
    let name = |engine: EngineIndex| config.engines[engine.0].name.clone();
    let began = UtcTime::of_milliseconds(record.started_ms);
    let round = u64::from(plan.pairing.round) + 1;
    let round = match config.format {
        TournamentFormat::Match => round.to_string(),
        // Unique to the pair, so that programs can match its two games.
        _ => format!("{round}.{}", plan.pairing.number.0.saturating_add(1)),
    };
    pgn.set_tag("Event", config.event.clone());
    pgn.set_tag("Site", config.site.clone());
    pgn.set_tag("Date", began.date());
    pgn.set_tag("Round", round);
    pgn.set_tag("White", name(plan.white));
    pgn.set_tag("Black", name(plan.black));
    pgn.set_tag("Result", record.result.as_str());
    pgn.set_tag("GameNumber", plan.game.saturating_add(1).to_string());
    pgn.set_tag("UTCDate", began.date());
    pgn.set_tag("UTCTime", began.time());
    let duration = record.duration_ms;
    pgn.set_tag(
        "Duration",
        format!("{}.{:03}", duration / 1000, duration % 1000),
    );
    pgn.set_tag("Book", one_line(&record.opening.label));
    let [white, black] = [plan.white, plan.black].map(|one| limits(&config.engines[one.0].limits));
    if white == black {
        pgn.set_tag("TimeControl", white);
    } else {
        pgn.set_tag("WhiteTimeControl", white);
        pgn.set_tag("BlackTimeControl", black);
    }
    if let Some(machine) = &record.machine {
        pgn.set_tag("Worker", one_line(&machine.worker));
        if let Some(scale) = machine.time_scale {
            pgn.set_tag("TimeScale", scale.to_string());
        }
    }
    pgn.set_tag("PlyCount", pgn.mainline.moves.len().to_string());
    pgn.set_tag("Termination", termination(record));
    pgn.set_tag("Ending", record.termination.as_str());
    if let Some(fault) = record
        .fault
        .as_ref()
        .filter(|_| record.termination == Termination::Fault)
    {
        let (kind, detail) = (fault.kind.as_str(), one_line(&fault.detail));
        pgn.set_tag("Fault", format!("{}: {kind}: {detail}", name(fault.engine)));
    }
}

fn termination(record: &GameRecord) -> &'static str {
    use Termination as T;
    match record.termination {
        T::Checkmate | T::Stalemate | T::InsufficientMaterial | T::Threefold | T::FiftyMoves => {
            "normal"
        }
        T::ResignAdjudication | T::DrawAdjudication | T::MaxMoves | T::Tablebase => "adjudication",
        T::Fault => match record.fault.as_ref().map(|fault| fault.kind) {
            Some(FaultKind::TimeForfeit) => "time forfeit",
            Some(FaultKind::IllegalMove | FaultKind::NoMove | FaultKind::Unreadable) => {
                "rules infraction"
            }
            _ => "abandoned",
        },
    }
}

/// The limits of a side in short form: `10+0.1`, `nodes 5000`.
fn limits(limits: &Limits) -> String {
    let mut text = limits
        .clock
        .as_ref()
        .map_or_else(String::new, ToString::to_string);
    let mut add = |name: &str, number: Option<u64>| {
        if let Some(number) = number {
            let blank = if text.is_empty() { "" } else { " " };
            write!(text, "{blank}{name} {number}").expect("a text takes any text");
        }
    };
    add("movetime", limits.movetime_ms);
    add("nodes", limits.nodes);
    add("depth", limits.depth.map(u64::from));
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// Replaces control characters, which an engine may print but a tag must not contain.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

// Calendar dates from milliseconds since 1970. Pure.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcTime {
    /// Year, such as 2009.
    pub year: u64,
    /// Month, from 1.
    pub month: u64,
    /// Day of the month, from 1.
    pub day: u64,
    /// Hour, 0 to 23.
    pub hour: u64,
    /// Minute, 0 to 59.
    pub minute: u64,
    /// Second, 0 to 59.
    pub second: u64,
}

const DAYS_OF_MONTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

impl UtcTime {
    /// Converts milliseconds since 1970; as in Unix time, leap seconds are not counted.
    pub fn of_milliseconds(since_1970: u64) -> Self {
        let seconds = since_1970 / 1000;
        let (year, day_of_year) = year_and_day(seconds / 86_400);
        let (month, day) = month_and_day(year, day_of_year);
        Self {
            year,
            month,
            day,
            hour: seconds / 3600 % 24,
            minute: seconds / 60 % 60,
            second: seconds % 60,
        }
    }

    /// The value of the PGN tags `Date` and `UTCDate`.
    pub fn date(&self) -> String {
        format!("{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }

    /// The value of the PGN tag `UTCTime`.
    pub fn time(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

const fn is_leap(year: u64) -> bool {
    (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
}

/// The year and the day of the year, from 0. Every 400 years have the same number of days.
fn year_and_day(days: u64) -> (u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let mut year = 1970 + days / DAYS_OF_400_YEARS * 400;
    let mut rest = days % DAYS_OF_400_YEARS;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if rest < length {
            return (year, rest);
        }
        rest -= length;
        year += 1;
    }
}

fn month_and_day(year: u64, day_of_year: u64) -> (u64, u64) {
    let mut rest = day_of_year;
    for (month, days) in (1..).zip(DAYS_OF_MONTHS) {
        let days = days + u64::from(month == 2 && is_leap(year));
        if rest < days {
            return (month, rest + 1);
        }
        rest -= days;
    }
    unreachable!("a year has no more days than its months")
}

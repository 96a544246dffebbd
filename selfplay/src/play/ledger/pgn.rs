//! A game of the ledger as PGN. Pure.

#[cfg(test)]
mod tests;

use std::fmt::{self, Write as _};

use chess::notation::fen::{self, CastlingText, FenStyle};
use chess::notation::pgn::{self, MoveNotation, PgnGame, PgnMove, PgnResult};
use chess::rules::{CastlingMode, Game};
use uci::grammar::{Score, ScoreValue};

use super::error::RecordFault;
use super::replay::replay;
use crate::model::{
    ClockStage, EngineIndex, FaultKind, GameRecord, GameResult, Limits, MoveRecord, PgnField,
    PgnForm, PgnNotation, RunConfig, Termination, TournamentFormat,
};

/// Writes a game with clocks, scores, depths, nodes and times in its comments, and a blank line
/// after it.
///
/// A comment reads `[%clk 0:00:09.870] +0.31/12 0.451s 12345n 20sd`: the time left on the clock,
/// the score from the mover's point of view (`#5` is mate in five, `#-5` being mated in five),
/// depth, time, nodes and selective depth; then what else the form of the run asks for, and what the
/// engine has printed for the PGN: `line="info string pgncomment ..."`. Items that the engine did not
/// report are omitted.
///
/// The tag `Termination` has one of the standard's values (9.8.1); our tag `Ending` is more
/// specific.
///
/// # Panics
///
/// If the engines are not those of the configuration.
pub fn game(config: &RunConfig, record: &GameRecord) -> Result<String, RecordFault> {
    write(config, record, &replay(record)?)
}

/// The last position of a game as an EPD record with its move counters, on a line of its own.
pub(super) fn last_position(record: &GameRecord, game: &Game) -> String {
    let position = game.position();
    let style = FenStyle {
        castling: match record.opening.castling_mode() {
            CastlingMode::Standard => CastlingText::XFen,
            CastlingMode::Chess960 => CastlingText::Shredder,
        },
        ..FenStyle::default()
    };
    // EPD has four fields of a FEN; `hmvc` and `fmvn` carry the other two (PGN standard, 16.2).
    let (fields, clock) = (fen::write_epd(position, style), position.halfmove_clock());
    let number = position.fullmove_number();
    format!("{fields} hmvc {clock}; fmvn {number};\n")
}

/// Writes a game that has been replayed.
pub(super) fn write(
    config: &RunConfig,
    record: &GameRecord,
    game: &Game,
) -> Result<String, RecordFault> {
    let mut pgn = PgnGame::from_game(game, record.opening.castling_mode());
    let form = &config.output.pgn;
    if !form.min {
        comment(&mut pgn.mainline.moves, record, form);
    }
    pgn.result = Some(match record.result {
        GameResult::WhiteWins => PgnResult::WhiteWins,
        GameResult::BlackWins => PgnResult::BlackWins,
        GameResult::Draw => PgnResult::Draw,
    });
    tags(&mut pgn, config, record);
    let notation = match form.notation {
        PgnNotation::San => MoveNotation::San,
        PgnNotation::Lan => MoveNotation::Lan,
        PgnNotation::Uci => MoveNotation::Uci,
    };
    pgn::write_in(&pgn, notation)
        .map_err(|error| RecordFault(format!("the game cannot be written as PGN: {error}")))
}

fn comment(moves: &mut [PgnMove], record: &GameRecord, form: &PgnForm) {
    let (book, played) = moves.split_at_mut(record.opening.moves.len());
    for one in book {
        // The word of cutechess and fastchess.
        one.comments.push("book".to_owned());
    }
    for (one, search) in played.iter_mut().zip(&record.moves) {
        one.comments.push(comment_text(search, form));
    }
}

fn comment_text(one: &MoveRecord, form: &PgnForm) -> String {
    let has = |field| form.has(field);
    let mut text = String::with_capacity(USUAL_COMMENT);
    let mut item = |item: fmt::Arguments<'_>| {
        let blank = if text.is_empty() { "" } else { " " };
        write!(text, "{blank}{item}").expect("a string takes all");
    };
    if let Some(left) = one.clock_ms.filter(|_| has(PgnField::Timeleft)) {
        item(format_args!("{}", clock(left)));
    }
    let score = one.score.as_deref().map(score).unwrap_or_default();
    match one.depth {
        Some(depth) => item(format_args!("{score}/{depth}")),
        None if score.is_empty() => {}
        None => item(format_args!("{score}")),
    }
    item(format_args!("{}s", seconds(one.elapsed_us / 1000)));
    if let Some(nodes) = one.nodes.filter(|_| has(PgnField::Nodes)) {
        item(format_args!("{nodes}n"));
    }
    if let Some(depth) = one.seldepth.filter(|_| has(PgnField::Seldepth)) {
        item(format_args!("{depth}sd"));
    }
    let mut named = |field: PgnField, value: Option<&dyn fmt::Display>| {
        if let Some(value) = value.filter(|_| has(field)) {
            item(format_args!("{}={value}", field.as_str()));
        }
    };
    named(PgnField::Nps, one.nps.as_ref().map(|nps| nps as _));
    named(
        PgnField::Hashfull,
        one.hashfull.as_ref().map(|full| full as _),
    );
    named(PgnField::Tbhits, one.tbhits.as_ref().map(|hits| hits as _));
    let latency = one.latency_us.map(signed_seconds);
    named(PgnField::Latency, latency.as_ref().map(|time| time as _));
    let pv = one.pv.as_ref().map(|pv| format!("\"{pv}\""));
    named(PgnField::Pv, pv.as_ref().map(|pv| pv as _));
    if let Some(comment) = &one.comment {
        // As fastchess writes it for OpenBench, which reads it back.
        let comment = one_line(comment).replace('}', ")").replace('"', "'");
        item(format_args!("line=\"info string pgncomment {comment}\""));
    }
    text
}

/// Bytes of most comments.
const USUAL_COMMENT: usize = 64;

/// `-0.001s`, from microseconds.
fn signed_seconds(us: i64) -> String {
    // Less than a millisecond is written as 0.000, which has no sign.
    let sign = if us <= -1000 { "-" } else { "" };
    format!("{sign}{}s", seconds(us.unsigned_abs() / 1000))
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
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
    let read: Option<Score> = text.parse().ok();
    match read
        .filter(|score| score.bound.is_none())
        .map(|score| score.value)
    {
        Some(ScoreValue::Cp(cp)) => {
            let sign = if cp < 0 { '-' } else { '+' };
            let cp = cp.unsigned_abs();
            format!("{sign}{}.{:02}", cp / 100, cp % 100)
        }
        Some(ScoreValue::Mate(moves)) => format!("#{moves}"),
        None => text.to_owned(),
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
    // The Seven Tag Roster comes first, in this order (PGN standard, 8.1.1).
    pgn.set_tag("Event", config.event.clone());
    pgn.set_tag("Site", config.site.clone());
    pgn.set_tag("Date", began.date());
    pgn.set_tag("Round", round);
    pgn.set_tag("White", name(plan.white));
    pgn.set_tag("Black", name(plan.black));
    pgn.set_tag("Result", record.result.as_str());
    let ids = record.ids.iter().filter(|_| !config.output.pgn.min);
    for (side, id) in ["White", "Black"].into_iter().zip(ids) {
        for (what, text) in [("Name", &id.name), ("Author", &id.author)] {
            if let Some(text) = text {
                pgn.set_tag(&format!("Engine{side}{what}"), one_line(text));
            }
        }
    }
    if config.output.pgn.min {
        return;
    }
    pgn.set_tag("GameNumber", plan.game.saturating_add(1).to_string());
    pgn.set_tag("UTCDate", began.date());
    pgn.set_tag("UTCTime", began.time());
    pgn.set_tag("Duration", seconds(record.duration_ms));
    pgn.set_tag("Book", one_line(&record.opening.label));
    let of_both = [plan.white, plan.black].map(|one| &config.engines[one.0].limits);
    set_of_both(pgn, "TimeControl", of_both.map(time_control));
    // What that tag cannot say.
    if of_both.map(time_control) != of_both.map(limits) {
        set_of_both(pgn, "Limits", of_both.map(limits));
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
        T::Checkmate
        | T::Stalemate
        | T::InsufficientMaterial
        | T::Threefold
        | T::FiftyMoves
        | T::Resignation => "normal",
        T::ResignAdjudication | T::DrawAdjudication | T::MaxMoves | T::Tablebase => "adjudication",
        T::Fault => match record.fault.as_ref().map(|fault| fault.kind) {
            Some(FaultKind::TimeForfeit) => "time forfeit",
            Some(
                FaultKind::IllegalMove
                | FaultKind::NoMove
                | FaultKind::Unreadable
                | FaultKind::WrongClaim,
            ) => "rules infraction",
            // The standard has no word for a crash.
            _ => "abandoned",
        },
    }
}

/// Sets one tag for both sides, or one for each if they differ.
fn set_of_both(pgn: &mut PgnGame, name: &str, [white, black]: [String; 2]) {
    if white == black {
        pgn.set_tag(name, white);
    } else {
        pgn.set_tag(&format!("White{name}"), white);
        pgn.set_tag(&format!("Black{name}"), black);
    }
}

/// The clock of a side as the standard has it (9.6.1): `300+2`, `40/9000:300`; `-` without one, and `?` for
/// a time that is no whole number of seconds, which other programs cannot read. They all read fractions of an
/// increment.
fn time_control(limits: &Limits) -> String {
    let Some(clock) = &limits.clock else {
        return "-".to_owned();
    };
    let is_whole = |stage: &ClockStage| stage.time_ms.is_multiple_of(1000);
    if clock.stages.iter().all(is_whole) {
        clock.to_string()
    } else {
        "?".to_owned()
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

impl UtcTime {
    /// Converts milliseconds since 1970; as in Unix time, leap seconds are not counted.
    pub fn of_milliseconds(since_1970: u64) -> Self {
        let seconds = since_1970 / 1000;
        let (year, month, day) = date(seconds / 86_400);
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

/// The year, month and day of a number of days since 1970: H. Hinnant's `civil_from_days`. Years begin
/// in March here, so that the leap day is the last of its year; every 400 years have as many days.
const fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    // From 1 March of the year 0.
    let days = days + 719_468;
    let day = days % DAYS_OF_400_YEARS;
    // Without the leap days until then: one in 4 years, none in 100, one in 400.
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    // The months from March on have 153 days in every five.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let is_next_year = month >= 10;
    let year = days / DAYS_OF_400_YEARS * 400 + year + is_next_year as u64;
    (year, if is_next_year { month - 9 } else { month + 3 }, day)
}

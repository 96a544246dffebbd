//! One game: two players and a referee.
//!
//! White and Black prepare at the same time, then move in turn until the referee ends the game or a
//! side is at fault. The side at fault loses, whatever the position; if neither is ready to start,
//! White loses. A cancelled game leaves neither a record nor a process.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chess::notation::uci_move::UciMove;
use chess::rules::{ByColor, Color};
use uci::grammar::{Go, ScoreValue};

use super::now;
use super::player::{Incident, MoveResult, Player, PlayerError, ThinkTask};
use super::referee::{Endgames, Ending, Referee, UnplayableOpening};
use crate::model::time_control::{Clock, Flag};
use crate::model::{
    Adjudication, Fault, FaultKind, GamePlan, GameRecord, Limits, MoveRecord, Opening,
};

#[derive(Debug)]
pub struct Players<'a> {
    pub white: &'a mut Player,
    pub black: &'a mut Player,
}

/// The rules common to all games of a run.
#[derive(Clone, Copy)]
pub struct GameRules<'a> {
    pub adjudication: &'a Adjudication,
    pub endgames: Option<&'a dyn Endgames>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FinishedPlay {
    pub record: GameRecord,
    /// The transcripts of both engines, if the game ended by a fault.
    pub transcript: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum GameError {
    #[error("cancelled")]
    Cancelled,
    #[error(transparent)]
    Opening(#[from] UnplayableOpening),
    /// A player cannot continue, through no fault of its engine.
    #[error("{engine}: {source}")]
    Player { engine: String, source: PlayerError },
}

/// Plays a game. Engines are started if necessary and stay running for the next game; an engine at
/// fault is killed.
///
/// # Errors
///
/// If it is cancelled, or cannot be played through no fault of an engine. Both engines have been
/// killed then, unless the opening is to blame.
pub fn play(
    plan: &GamePlan,
    opening: &Opening,
    players: Players<'_>,
    rules: GameRules<'_>,
) -> Result<FinishedPlay, GameError> {
    // 0 if the clock is set before 1970.
    let started_ms = milliseconds(wall_clock().duration_since(UNIX_EPOCH).unwrap_or_default());
    let started = now();
    let referee = Referee::new(opening, rules.adjudication, rules.endgames)?;
    let mut game = GameInPlay::new(plan, opening, referee, players);
    let end = match game.run() {
        Ok(end) => end,
        Err(error) => {
            game.players.white.kill();
            game.players.black.kill();
            return Err(error);
        }
    };
    let duration_ms = milliseconds(now() - started);
    Ok(FinishedPlay {
        record: GameRecord {
            plan: *plan,
            opening: opening.clone(),
            result: end.ending.result,
            termination: end.ending.termination,
            fault: end.fault,
            moves: game.moves,
            started_ms,
            duration_ms,
            incidents: game.incidents,
            machine: None,
            ids: [game.players.white.id(), game.players.black.id()],
        },
        transcript: end.transcript,
    })
}

/// Room for the moves of most games.
const USUAL_PLIES: usize = 256;

struct GameInPlay<'a> {
    /// Its number in the run, from 0.
    number: u64,
    chess960: bool,
    referee: Referee<'a>,
    players: Players<'a>,
    clocks: Clocks,
    last_move: Option<UciMove>,
    moves: Vec<MoveRecord>,
    incidents: Vec<Fault>,
    /// The side, besides the one that loses, that was not ready to start either.
    unready: Option<Color>,
}

struct GameEnd {
    ending: Ending,
    fault: Option<Fault>,
    transcript: Option<String>,
}

enum GameStop {
    Fault {
        side: Color,
        kind: FaultKind,
        detail: String,
    },
    Error(GameError),
}

impl Players<'_> {
    fn player(&mut self, side: Color) -> &mut Player {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

impl<'a> GameInPlay<'a> {
    fn new(plan: &GamePlan, opening: &Opening, referee: Referee<'a>, players: Players<'a>) -> Self {
        debug_assert_eq!(plan.white, players.white.index(), "White is another engine");
        debug_assert_eq!(plan.black, players.black.index(), "Black is another engine");
        let clocks = Clocks::new(
            &players.white.config().limits,
            &players.black.config().limits,
        );
        // No engine can have pondered on the last move of the book.
        Self {
            number: plan.game,
            chess960: opening.chess960,
            referee,
            players,
            clocks,
            last_move: None,
            moves: Vec::with_capacity(USUAL_PLIES),
            incidents: Vec::new(),
            unready: None,
        }
    }

    /// Plays to the end, including one by a fault.
    fn run(&mut self) -> Result<GameEnd, GameError> {
        match self.moves_to_the_end() {
            Ok(ending) => {
                self.dismiss(ending)?;
                Ok(GameEnd {
                    ending,
                    fault: None,
                    transcript: None,
                })
            }
            Err(GameStop::Fault { side, kind, detail }) => self.lose(side, kind, detail),
            Err(GameStop::Error(error)) => Err(error),
        }
    }

    fn moves_to_the_end(&mut self) -> Result<Ending, GameStop> {
        if let Some(ending) = self.referee.ending() {
            return Ok(ending);
        }
        self.prepare()?;
        loop {
            if let Some(ending) = self.move_once()? {
                return Ok(ending);
            }
        }
    }

    /// Prepares both engines for the game at the same time. Both are waited for, so that the one
    /// without fault can play the next game.
    fn prepare(&mut self) -> Result<(), GameStop> {
        let chess960 = self.chess960;
        let announced = Color::ALL.map(|side| self.players.player(side).announce(chess960));
        let mut failures = Vec::new();
        for (side, announced) in Color::ALL.into_iter().zip(announced) {
            let player = self.players.player(side);
            let ready = announced.and_then(|incident| {
                let later = player.wait_until_ready(chess960)?;
                Ok(incident.or(later))
            });
            match ready {
                Ok(incident) => {
                    self.players.player(side).remark_game(self.number, side);
                    self.note(side, incident);
                }
                Err(error) => failures.push(self.stop(side, error)),
            }
        }
        self.worst(failures).map_or(Ok(()), Err)
    }

    /// Selects the failure that stops the game: one that is not an engine's fault first, then
    /// White's, then Black's. A second fault becomes an incident.
    fn worst(&mut self, failures: Vec<GameStop>) -> Option<GameStop> {
        let is_error = |stop: &GameStop| matches!(stop, GameStop::Error(_));
        let (errors, faults): (Vec<GameStop>, Vec<GameStop>) =
            failures.into_iter().partition(is_error);
        if let Some(error) = errors.into_iter().next() {
            return Some(error);
        }
        let mut faults = faults.into_iter();
        let first = faults.next();
        for stop in faults {
            if let GameStop::Fault { side, kind, detail } = stop {
                self.unready = Some(side);
                self.note(side, Some(Incident { kind, detail }));
            }
        }
        first
    }

    /// Lets the side to move play a move, while a pondering opponent's output is read.
    fn move_once(&mut self) -> Result<Option<Ending>, GameStop> {
        let side = self.referee.side_to_move();
        let (mover, other) = match side {
            Color::White => (&mut *self.players.white, &mut *self.players.black),
            Color::Black => (&mut *self.players.black, &mut *self.players.white),
        };
        let (clocks, referee) = (&self.clocks, &self.referee);
        let task = ThinkTask {
            position: referee.position_line(),
            go: &|gone| clocks.go(side, gone),
            clock: clocks.0[side].until_flag(),
            last_move: self.last_move,
            is_legal: &|m| referee.is_legal(m),
        };
        // An opponent that ponders must be read, or it would block on a full pipe.
        let thought = match mover.think(&task, &mut || other.read_along()) {
            Ok(thought) => thought,
            Err(PlayerError::Resigned) => return Ok(Some(Referee::resigned_by(side))),
            Err(error) => return Err(self.stop(side, error)),
        };
        if let Err(flag) = self.clocks.spend(side, thought.elapsed) {
            return Err(fault(side, FaultKind::TimeForfeit, flag.to_string()));
        }
        // Before the move is played, since the PV begins with it.
        self.check_mate_pv(side, &thought);
        let reply = &thought.best_move.reply;
        let ending = match self.referee.answer(reply, thought.search_info.score) {
            Ok(ending) => ending,
            Err(bad) => return Err(fault(side, bad.kind, bad.detail)),
        };
        self.last_move = reply.as_move();
        self.check_limits(side, &thought);
        let left = self.clocks.left(side);
        self.moves.push(move_record(&thought, left));
        if ending.is_none() {
            self.ponder(side, thought.best_move.ponder);
        }
        Ok(ending)
    }

    /// Notes the first mate score of a side in this game whose PV is wrong, if that is checked.
    fn check_mate_pv(&mut self, side: Color, thought: &MoveResult) {
        let player = self.players.player(side);
        let (is_wanted, engine) = (player.checks_mate_pvs(), player.index());
        let is_known = |one: &Fault| one.engine == engine && one.kind == FaultKind::BadMatePv;
        let search_info = &thought.search_info;
        let (Some(ScoreValue::Mate(moves)), true) = (search_info.score, is_wanted) else {
            return;
        };
        if self.incidents.iter().any(is_known) {
            return;
        }
        let pv = search_info.pv.as_deref();
        let detail = self.referee.bad_mate_pv(moves.into(), pv);
        let incident = detail.map(|detail| Incident {
            kind: FaultKind::BadMatePv,
            detail: format!("{detail}, before its move {}", thought.best_move.reply),
        });
        self.note(side, incident);
    }

    /// Notes the first search of a side in this game that went far beyond its limits.
    fn check_limits(&mut self, side: Color, thought: &MoveResult) {
        let player = self.players.player(side);
        let engine = player.index();
        let is_known = |one: &Fault| one.engine == engine && one.kind == FaultKind::IgnoredLimit;
        let detail = player.ignored_limit(&thought.search_info);
        let incident = detail
            .filter(|_| !self.incidents.iter().any(is_known))
            .map(|detail| Incident {
                kind: FaultKind::IgnoredLimit,
                detail: format!("{detail}, before its move {}", thought.best_move.reply),
            });
        self.note(side, incident);
    }

    /// Starts pondering for a side that may ponder, on the move it expects.
    fn ponder(&mut self, side: Color, expected: Option<UciMove>) {
        let Some(expected) = expected.filter(|_| self.players.player(side).config().ponder) else {
            return;
        };
        // An expected move may be illegal: then there is nothing to ponder on.
        if let Some(position) = self.referee.position_line_after(expected) {
            let go = self.clocks.go_ponder(side);
            self.players.player(side).ponder(&position, expected, &go);
        }
    }

    fn lose(&mut self, side: Color, kind: FaultKind, detail: String) -> Result<GameEnd, GameError> {
        let fault = Incident { kind, detail }.by(self.players.player(side).index());
        let white = self.players.white.transcript();
        let black = self.players.black.transcript();
        // Last, since a killed engine has no transcript.
        for side in [Some(side), self.unready].into_iter().flatten() {
            self.players.player(side).kill();
        }
        let name = &self.players.player(side).config().name;
        let transcript = format!(
            "{white}\n{black}\n== the game was lost by {name}\n{}: {}\n",
            fault.kind.as_str(),
            fault.detail
        );
        let ending = Referee::lost_by(side);
        self.dismiss(ending)?;
        Ok(GameEnd {
            ending,
            fault: Some(fault),
            transcript: Some(transcript),
        })
    }

    /// Ends the game for both engines.
    fn dismiss(&mut self, ending: Ending) -> Result<(), GameError> {
        let Ending {
            result,
            termination,
        } = ending;
        // The argument of XBoard's command `result RESULT {COMMENT}`.
        let result = format!("{} {{{}}}", result.as_str(), termination.as_str());
        for side in Color::ALL {
            let player = self.players.player(side);
            let ended = player.end_game(&result);
            let extra = player.take_extra_bestmoves();
            let changes = player.take_changes();
            match ended {
                Ok(incident) => self.note(side, incident),
                Err(error) => return Err(game_error(player, error)),
            }
            for incident in changes.into_iter().chain(extra) {
                self.note(side, Some(incident));
            }
        }
        Ok(())
    }

    fn note(&mut self, side: Color, incident: Option<Incident>) {
        let engine = self.players.player(side).index();
        self.incidents
            .extend(incident.map(|incident| incident.by(engine)));
    }

    /// Converts a player's error into what stops the game.
    fn stop(&mut self, side: Color, error: PlayerError) -> GameStop {
        match error {
            PlayerError::Fault { kind, detail } => fault(side, kind, detail),
            error => GameStop::Error(game_error(self.players.player(side), error)),
        }
    }
}

fn fault(side: Color, kind: FaultKind, detail: String) -> GameStop {
    GameStop::Fault { side, kind, detail }
}

fn game_error(player: &Player, source: PlayerError) -> GameError {
    match source {
        PlayerError::Cancelled => GameError::Cancelled,
        source => GameError::Player {
            engine: player.config().name.clone(),
            source,
        },
    }
}

#[expect(clippy::disallowed_methods, reason = "records say when a game began")]
fn wall_clock() -> SystemTime {
    SystemTime::now()
}

/// The record of a move, with everything that the engine printed, and the time left on the clock
/// after it.
fn move_record(thought: &MoveResult, left: Option<Duration>) -> MoveRecord {
    let search_info = &thought.search_info;
    let score = search_info.score.map(|value| {
        // Bounds are not taken for scores, so the score is exact.
        let bound = None;
        uci::grammar::Score { value, bound }.to_string()
    });
    MoveRecord {
        uci: thought.best_move.reply.to_string(),
        score,
        depth: search_info.depth,
        seldepth: search_info.seldepth,
        nodes: search_info.nodes,
        elapsed_us: u64::try_from(thought.elapsed.as_micros()).unwrap_or(u64::MAX),
        clock_ms: left.map(|left| i64::try_from(left.as_millis()).unwrap_or(i64::MAX)),
        nps: search_info.nps,
        hashfull: search_info.hashfull,
        tbhits: search_info.tbhits,
        latency_us: search_info.time_ms.and_then(|ms| {
            let own = i64::try_from(ms).ok()?.checked_mul(1000)?;
            i64::try_from(thought.elapsed.as_micros())
                .ok()?
                .checked_sub(own)
        }),
        pv: search_info.pv.clone(),
        comment: search_info.comment.clone(),
    }
}

// The clocks and search limits of both sides: the parameters of `go` and the deadlines. Pure.

#[derive(Clone, Debug, Default)]
struct GameSide {
    clock: Option<Clock>,
    movetime: Option<Duration>,
    margin: Duration,
    nodes: Option<u64>,
    depth: Option<u32>,
}

/// The clocks and search limits of both sides.
#[derive(Clone, Debug, Default)]
struct Clocks(ByColor<GameSide>);

impl GameSide {
    fn new(limits: &Limits) -> Self {
        let margin = Duration::from_millis(limits.margin_ms);
        Self {
            clock: limits.clock.as_ref().map(|clock| Clock::new(clock, margin)),
            movetime: limits.movetime_ms.map(Duration::from_millis),
            margin,
            nodes: limits.nodes,
            depth: limits.depth,
        }
    }

    /// Maximum time for the next move; `None` without a clock.
    fn until_flag(&self) -> Option<Duration> {
        let clock = self.clock.as_ref().map(Clock::until_flag);
        let movetime = self.movetime.map(|time| time.saturating_add(self.margin));
        clock.into_iter().chain(movetime).min()
    }

    /// Time left and increment as in UCI, in milliseconds.
    fn times(&self, gone: Duration) -> (Option<i64>, Option<u64>) {
        let Some(remaining) = self.clock.as_ref().map(Clock::remaining) else {
            return (None, None);
        };
        let left = remaining.time_ms.saturating_sub(milliseconds(gone)).max(1);
        let left = i64::try_from(left).unwrap_or(i64::MAX);
        (Some(left), Some(remaining.increment_ms))
    }
}

impl Clocks {
    fn new(white: &Limits, black: &Limits) -> Self {
        let mut sides = ByColor::default();
        sides[Color::White] = GameSide::new(white);
        sides[Color::Black] = GameSide::new(black);
        Self(sides)
    }

    /// The `go` command for one side; `gone` is the time that this move has already used.
    ///
    /// A side without a clock receives none: an engine that sees only its opponent's takes its own
    /// time for 0. A side with a clock receives that of its opponent if there is one, as in fastchess
    /// (cutechess writes 0 then); an `XBoard` engine receives its own as `otim` in its place.
    fn go(&self, side: Color, gone: Duration) -> Go {
        let own = &self.0[side];
        let [(wtime_ms, winc_ms), (btime_ms, binc_ms)] = [Color::White, Color::Black].map(|one| {
            let gone = if one == side { gone } else { Duration::ZERO };
            if own.clock.is_some() {
                self.0[one].times(gone)
            } else {
                (None, None)
            }
        });
        let clock = own.clock.as_ref();
        let movetime = own.movetime.map(|time| time.saturating_sub(gone));
        Go {
            wtime_ms,
            btime_ms,
            // UCI has increments "if x > 0".
            winc_ms: winc_ms.filter(|&ms| ms > 0),
            binc_ms: binc_ms.filter(|&ms| ms > 0),
            movestogo: clock.and_then(|clock| clock.remaining().moves_to_go),
            depth: own.depth,
            nodes: own.nodes,
            // As of a clock, some engines misbehave at 0 ms.
            movetime_ms: movetime.map(|time| milliseconds(time).max(1)),
            ..Go::default()
        }
    }

    /// The `go` command for one side that ponders.
    fn go_ponder(&self, side: Color) -> Go {
        Go {
            ponder: true,
            ..self.go(side, Duration::ZERO)
        }
    }

    /// Deducts the time that a side's move took.
    fn spend(&mut self, side: Color, elapsed: Duration) -> Result<(), Flag> {
        match &mut self.0[side].clock {
            Some(clock) => clock.spend(elapsed).map(|_| ()),
            None => Ok(()),
        }
    }

    fn left(&self, side: Color) -> Option<Duration> {
        self.0[side].clock.as_ref().map(Clock::left)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use uci::grammar::Command;
    use uci::xboard::XboardSession;

    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn clocked(text: &str) -> Limits {
        Limits {
            clock: Some(text.parse().expect("a time control")),
            ..Limits::default()
        }
    }

    #[test]
    fn go_has_both_clocks_and_the_limits_of_the_mover() {
        let both = Limits {
            nodes: Some(5000),
            depth: Some(9),
            movetime_ms: Some(300),
            ..clocked("40/60+0.6")
        };
        let mut clocks = Clocks::new(&both, &clocked("10"));
        let go = clocks.go(Color::White, Duration::ZERO);
        assert_eq!(
            go.to_string(),
            " wtime 60000 btime 10000 winc 600 movestogo 40 depth 9 nodes 5000 movetime 300"
        );
        clocks.spend(Color::White, ms(200)).expect("in time");
        assert_eq!(clocks.left(Color::White), Some(ms(60_400)));
        let go = clocks.go(Color::Black, ms(400));
        assert_eq!(go.to_string(), " wtime 60400 btime 9600 winc 600");
        let go = clocks.go(Color::White, ms(100));
        assert_eq!(
            go.to_string(),
            " wtime 60300 btime 10000 winc 600 movestogo 39 depth 9 nodes 5000 movetime 200"
        );
    }

    /// What an engine receives for its first move: in UCI, in UCI while it ponders, and in `XBoard`
    /// from the announcement of the game on.
    fn lines(side: Color, own: &Limits, other: &Limits) -> [String; 3] {
        let clocks = match side {
            Color::White => Clocks::new(own, other),
            Color::Black => Clocks::new(other, own),
        };
        let go = clocks.go(side, Duration::ZERO);
        let position = match side {
            Color::White => "position startpos",
            Color::Black => "position startpos moves e2e4",
        };
        let Ok(Command::Position(position)) = position.parse() else {
            panic!("{position}");
        };
        let mut session = XboardSession::default();
        let at = now();
        session.handshake(at, ms(0), ms(0)).expect("it is new");
        session.line("feature nps=1 setboard=1 done=1", at);
        session.take_replies();
        let sent = session.announce_game(false, true, at, ms(0));
        let sent = sent.expect("it is idle").into_iter().skip(2);
        let limits = session.go(&position, &go, at, ms(0)).expect("it is idle");
        let commands: Vec<String> = sent.chain(limits).map(|one| one.to_string()).collect();
        let ponder = clocks.go_ponder(side);
        [go.to_string(), ponder.to_string(), commands.join(", ")]
    }

    /// An engine is sent clocks only if it has one itself.
    #[test]
    fn what_each_side_is_sent_for_its_limits_and_those_of_its_opponent() {
        use Color::{Black, White};
        let with = |nodes, depth, movetime_ms, clock: &str| Limits {
            nodes,
            depth,
            movetime_ms,
            clock: clock.parse().ok(),
            ..Limits::default()
        };
        let clock = clocked("2+0.02");
        let without_clock = [
            with(Some(9), None, None, ""),
            with(None, Some(9), None, ""),
            with(None, None, Some(90), ""),
            Limits::default(),
        ];
        // The side, its limits, and what it is sent if its opponent has a clock.
        let against_a_clock = rows![
            White, with(None, None, None, "10+0.1") =>
                [" wtime 10000 btime 2000 winc 100 binc 20", "level 0 0:10 0.1, time 1000, otim 200, go"];
            Black, with(None, None, None, "10+0.1") =>
                [" wtime 2000 btime 10000 winc 20 binc 100", "level 0 0:10 0.1, e2e4, time 1000, otim 200, go"];
            White, with(None, None, None, "40/60") =>
                [" wtime 60000 btime 2000 binc 20 movestogo 40", "level 40 1 0, time 6000, otim 200, go"];
            White, with(Some(5000), Some(6), None, "10+0.1") =>
                [" wtime 10000 btime 2000 winc 100 binc 20 depth 6 nodes 5000",
                 "level 0 0:10 0.1, sd 6, time 1000, otim 200, go"];
            White, with(None, None, Some(3000), "10") =>
                [" wtime 10000 btime 2000 binc 20 movetime 3000", "st 3, time 1000, otim 200, go"];
        ];
        // The same if it has none.
        let against_none = rows![
            White, with(None, None, None, "10+0.1") =>
                [" wtime 10000 winc 100", "level 0 0:10 0.1, time 1000, otim 1000, go"];
            Black, with(None, None, None, "10+0.1") =>
                [" btime 10000 binc 100", "level 0 0:10 0.1, e2e4, time 1000, otim 1000, go"];
            White, with(None, None, None, "40/60") =>
                [" wtime 60000 movestogo 40", "level 40 1 0, time 6000, otim 6000, go"];
            White, with(Some(5000), Some(6), None, "10+0.1") =>
                [" wtime 10000 winc 100 depth 6 nodes 5000", "level 0 0:10 0.1, sd 6, time 1000, otim 1000, go"];
            White, with(None, None, Some(3000), "10") =>
                [" wtime 10000 movetime 3000", "st 3, time 1000, otim 1000, go"];
        ];
        // What it is sent against any opponent.
        let against_any = rows![
            White, with(Some(5000), None, None, "") => [" nodes 5000", "nps 5000, st 1, time 100, otim 100, go"];
            Black, with(Some(5000), None, None, "") => [" nodes 5000", "nps 5000, st 1, e2e4, time 100, otim 100, go"];
            White, with(None, Some(6), None, "") => [" depth 6", "level 0 600 0, sd 6, time 3600000, otim 3600000, go"];
            White, with(None, None, Some(3000), "") => [" movetime 3000", "st 3, time 300, otim 300, go"];
            Black, with(None, None, Some(300), "") => [" movetime 300", "st 1, e2e4, time 30, otim 30, go"];
            White, with(Some(5000), Some(6), Some(3000), "") =>
                [" depth 6 nodes 5000 movetime 3000", "st 3, sd 6, time 300, otim 300, go"];
            White, Limits::default() => ["", "level 0 600 0, time 3600000, otim 3600000, go"];
        ];
        let both = without_clock.iter().chain([&clock]).flat_map(|other| {
            let rows = against_any.iter();
            rows.map(move |row| (row, other))
        });
        let none = without_clock.iter().flat_map(|other| {
            let rows = against_none.iter();
            rows.map(move |row| (row, other))
        });
        let clocks = against_a_clock.iter().map(|row| (row, &clock));
        for ((side, own, [uci, xboard]), other) in both.chain(none).chain(clocks) {
            let expected = [
                (*uci).to_owned(),
                format!(" ponder{uci}"),
                format!("post, hard, {xboard}"),
            ];
            assert_eq!(lines(*side, own, other), expected, "{own:?} {other:?}");
        }
    }

    #[test]
    fn the_shorter_limit_holds_with_its_margin() {
        let limits = Limits {
            movetime_ms: Some(300),
            margin_ms: 20,
            ..clocked("0.5")
        };
        let mut clocks = Clocks::new(&limits, &Limits::default());
        assert_eq!(clocks.0[Color::White].until_flag(), Some(ms(320)));
        assert_eq!(clocks.0[Color::Black].until_flag(), None);
        clocks.spend(Color::White, ms(300)).expect("in time");
        assert_eq!(clocks.0[Color::White].until_flag(), Some(ms(220)));
        assert!(clocks.spend(Color::White, ms(221)).is_err());
        assert!(clocks.spend(Color::Black, ms(99_999)).is_ok());
        assert_eq!(clocks.left(Color::Black), None);
        // However late it is, an engine never receives a time of zero.
        let go = clocks.go(Color::White, ms(9000));
        assert_eq!(go.to_string(), " wtime 1 movetime 1");
    }
}

//! One game: two players and a referee.
//!
//! White and Black prepare at the same time, then move in turn until the referee ends the game or a
//! side is at fault. The side at fault loses, whatever the position; if neither is ready to start,
//! White loses. A cancelled game leaves neither a record nor a process.

mod clocks;
mod record;

use std::time::{Duration, Instant, SystemTime};

use chess::notation::uci_move::UciMove;
use chess::rules::Color;

use crate::model::{Adjudication, Fault, FaultKind, GamePlan, GameRecord, MoveRecord, Opening};
use crate::player::{Incident, Player, PlayerError, Task};
use crate::referee::{Endgames, Ending, OpeningError, Referee};
use clocks::Clocks;

/// The two players of a game.
#[derive(Debug)]
pub struct Players<'a> {
    /// The player of the white pieces.
    pub white: &'a mut Player,
    /// The player of the black pieces.
    pub black: &'a mut Player,
}

/// The rules common to all games of a run.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// When to adjudicate.
    pub adjudication: &'a Adjudication,
    /// Tablebases, if adjudication uses them.
    pub endgames: Option<&'a dyn Endgames>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its record.
    pub record: GameRecord,
    /// The transcripts of both engines, if the game ended by a fault.
    pub transcript: Option<String>,
}

/// Why a game was not finished.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A player cannot continue, through no fault of its engine.
    #[error("{engine}: {source}")]
    Player {
        /// The name of the engine in the configuration.
        engine: String,
        /// The reason.
        source: PlayerError,
    },
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
    rules: Rules<'_>,
) -> Result<Played, GameError> {
    let started_ms = record::milliseconds_since_1970(wall_clock());
    let started = now();
    let referee = Referee::new(opening, rules.adjudication, rules.endgames)?;
    let mut game = Game::new(plan, opening, referee, players);
    let end = match game.run() {
        Ok(end) => end,
        Err(error) => {
            game.players.white.kill();
            game.players.black.kill();
            return Err(error);
        }
    };
    let duration_ms = record::whole_milliseconds(now() - started);
    Ok(Played {
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
        },
        transcript: end.transcript,
    })
}

/// A game in progress.
struct Game<'a> {
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

/// How a game ended.
struct End {
    ending: Ending,
    fault: Option<Fault>,
    transcript: Option<String>,
}

/// What stops a game before its end.
enum Stop {
    /// A side is at fault.
    Fault {
        side: Color,
        kind: FaultKind,
        detail: String,
    },
    /// The game cannot be played.
    Error(GameError),
}

impl Players<'_> {
    fn of(&mut self, side: Color) -> &mut Player {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

impl<'a> Game<'a> {
    fn new(plan: &GamePlan, opening: &Opening, referee: Referee<'a>, players: Players<'a>) -> Self {
        debug_assert_eq!(plan.white, players.white.index(), "White is another engine");
        debug_assert_eq!(plan.black, players.black.index(), "Black is another engine");
        let clocks = Clocks::new(
            &players.white.config().limits,
            &players.black.config().limits,
        );
        // No engine can have pondered on the last move of the book.
        Self {
            chess960: opening.chess960,
            referee,
            players,
            clocks,
            last_move: None,
            moves: Vec::new(),
            incidents: Vec::new(),
            unready: None,
        }
    }

    /// Plays to the end, including one by a fault.
    fn run(&mut self) -> Result<End, GameError> {
        match self.moves_to_the_end() {
            Ok(ending) => {
                self.dismiss()?;
                Ok(End {
                    ending,
                    fault: None,
                    transcript: None,
                })
            }
            Err(Stop::Fault { side, kind, detail }) => self.lose(side, kind, detail),
            Err(Stop::Error(error)) => Err(error),
        }
    }

    fn moves_to_the_end(&mut self) -> Result<Ending, Stop> {
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
    fn prepare(&mut self) -> Result<(), Stop> {
        let chess960 = self.chess960;
        let announced = Color::ALL.map(|side| self.players.of(side).announce(chess960));
        let mut failures = Vec::new();
        for (side, announced) in Color::ALL.into_iter().zip(announced) {
            let player = self.players.of(side);
            let ready = announced.and_then(|incident| {
                let later = player.wait_until_ready(chess960)?;
                Ok(incident.or(later))
            });
            match ready {
                Ok(incident) => self.note(side, incident),
                Err(error) => failures.push(self.stop(side, error)),
            }
        }
        self.worst(failures).map_or(Ok(()), Err)
    }

    /// Selects the failure that stops the game: one that is not an engine's fault first, then
    /// White's, then Black's. A second fault becomes an incident.
    fn worst(&mut self, failures: Vec<Stop>) -> Option<Stop> {
        let is_error = |stop: &Stop| matches!(stop, Stop::Error(_));
        let (errors, faults): (Vec<Stop>, Vec<Stop>) = failures.into_iter().partition(is_error);
        if let Some(error) = errors.into_iter().next() {
            return Some(error);
        }
        let mut faults = faults.into_iter();
        let first = faults.next();
        for stop in faults {
            if let Stop::Fault { side, kind, detail } = stop {
                self.unready = Some(side);
                self.note(side, Some(Incident { kind, detail }));
            }
        }
        first
    }

    /// Lets the side to move play a move, while a pondering opponent's output is read.
    fn move_once(&mut self) -> Result<Option<Ending>, Stop> {
        let side = self.referee.side_to_move();
        let (mover, other) = match side {
            Color::White => (&mut *self.players.white, &mut *self.players.black),
            Color::Black => (&mut *self.players.black, &mut *self.players.white),
        };
        let (clocks, referee) = (&self.clocks, &self.referee);
        let task = Task {
            position: referee.position_line(),
            go: &|gone| clocks.go(side, gone),
            clock: clocks.until_flag(side),
            last_move: self.last_move,
            is_legal: &|m| referee.is_legal(m),
        };
        let thought = match mover.think(&task, &mut || other.read_along()) {
            Ok(thought) => thought,
            Err(error) => return Err(self.stop(side, error)),
        };
        if let Err(flag) = self.clocks.spend(side, thought.elapsed) {
            return Err(fault(side, FaultKind::TimeForfeit, flag.to_string()));
        }
        let reply = &thought.best_move.reply;
        let ending = match self.referee.answer(reply, thought.insight.score) {
            Ok(ending) => ending,
            Err(bad) => return Err(fault(side, bad.kind, bad.detail)),
        };
        self.last_move = reply.as_move();
        let left = self.clocks.left(side);
        self.moves.push(record::move_record(&thought, left));
        if ending.is_none() {
            self.ponder(side, thought.best_move.ponder);
        }
        Ok(ending)
    }

    /// Starts pondering for a side that may ponder, on the move it expects.
    fn ponder(&mut self, side: Color, expected: Option<UciMove>) {
        let Some(expected) = expected.filter(|_| self.players.of(side).config().ponder) else {
            return;
        };
        // An expected move may be illegal: then there is nothing to ponder on.
        if let Some(position) = self.referee.position_line_after(expected) {
            let mut go = self.clocks.go(side, Duration::ZERO);
            go.ponder = true;
            self.players.of(side).ponder(&position, expected, &go);
        }
    }

    /// Ends the game by a fault.
    fn lose(&mut self, side: Color, kind: FaultKind, detail: String) -> Result<End, GameError> {
        let fault = Fault {
            engine: self.players.of(side).index(),
            kind,
            detail,
            transcript: None,
        };
        let white = self.players.white.transcript();
        let black = self.players.black.transcript();
        // Last, since a killed engine has no transcript.
        for side in [Some(side), self.unready].into_iter().flatten() {
            self.players.of(side).kill();
        }
        self.dismiss()?;
        Ok(End {
            ending: Referee::lost_by(side),
            fault: Some(fault),
            transcript: Some(format!("{white}\n{black}")),
        })
    }

    /// Ends the game for both engines.
    fn dismiss(&mut self) -> Result<(), GameError> {
        for side in Color::ALL {
            let player = self.players.of(side);
            let ended = player.end_game();
            let extra = player.take_extra_bestmoves();
            match ended {
                Ok(incident) => self.note(side, incident),
                Err(error) => return Err(game_error(player, error)),
            }
            self.note(side, extra);
        }
        Ok(())
    }

    fn note(&mut self, side: Color, incident: Option<Incident>) {
        if let Some(Incident { kind, detail }) = incident {
            self.incidents.push(Fault {
                engine: self.players.of(side).index(),
                kind,
                detail,
                transcript: None,
            });
        }
    }

    /// Converts a player's error into what stops the game.
    fn stop(&mut self, side: Color, error: PlayerError) -> Stop {
        match error {
            PlayerError::Fault { kind, detail } => fault(side, kind, detail),
            error => Stop::Error(game_error(self.players.of(side), error)),
        }
    }
}

fn fault(side: Color, kind: FaultKind, detail: String) -> Stop {
    Stop::Fault { side, kind, detail }
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

#[expect(clippy::disallowed_methods, reason = "games are timed here")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "records say when a game began")]
fn wall_clock() -> SystemTime {
    SystemTime::now()
}

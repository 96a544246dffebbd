//! One engine process: started when it is first asked, and again after it has failed.

use std::time::Duration;

use chess::rules::CastlingMode;
use uci::grammar::{FenText, PositionCommand};
use uci::{Client, Direction, EngineError, Entry, Event, Transcript, Wait};

use super::{Rules, Start, now};
use crate::score::{Answer, Recorder, assess};
use crate::trial::case::Case;
use crate::trial::ledger::{Fault, Meeting, Outcome};
use crate::trial::limits::Limits;

/// How long an engine may take to start, and to prepare for another game.
const PATIENCE: Duration = Duration::from_secs(30);
/// After so many failed starts in a row an engine that has run before is given up: each may take
/// as long as [`PATIENCE`].
const MOST_STARTS: u32 = 3;
/// How long it may take to quit.
const FAREWELL: Duration = Duration::from_secs(1);

/// An engine that searches position after position.
pub(super) struct Searcher<'a> {
    start: &'a Start,
    rules: Rules,
    client: Option<Client>,
    /// What the running engine was told of Chess960.
    mode: CastlingMode,
    /// Starts in a row that have failed.
    failed_starts: u32,
}

/// Why there is no best move.
enum NoAnswer {
    Cancelled,
    Fault(Fault),
}

impl<'a> Searcher<'a> {
    /// An engine that is not running yet.
    pub(super) fn new(start: &'a Start, rules: Rules) -> Self {
        Self {
            start,
            rules,
            client: None,
            mode: CastlingMode::Standard,
            failed_starts: 0,
        }
    }

    pub(super) fn repeat(&self) -> usize {
        self.rules.repeat
    }

    /// Starts the engine, to see whether it starts, and who it is.
    pub(super) fn meet(mut self) -> Meeting {
        match self.restart() {
            Ok(client) => {
                let name = client.id().name.clone();
                let chess960 = client.option("UCI_Chess960").is_some();
                client.quit(FAREWELL);
                Meeting::Ready { name, chess960 }
            }
            Err((EngineError::Session(error), _)) => Meeting::Refused {
                reason: error.to_string(),
            },
            Err((error, transcript)) => Meeting::Failed {
                reason: error.to_string(),
                transcript,
            },
        }
    }

    /// Searches a position; nothing when the run was cancelled.
    pub(super) fn search(&mut self, case: &Case, chess960: bool) -> Option<Outcome> {
        if self.start.cancel.is_set() {
            return None;
        }
        if self.failed_starts >= MOST_STARTS {
            return Some(Outcome::Failed {
                fault: Fault::Crashed {
                    how: format!("not started again: {MOST_STARTS} starts in a row have failed"),
                },
                transcript: String::new(),
            });
        }
        let mode = case.record.position().castling_mode();
        if mode == CastlingMode::Chess960 && !chess960 {
            return Some(Outcome::NeedsChess960);
        }
        let mut client = match self.running(mode) {
            Ok(client) => client,
            Err((EngineError::Cancelled, _)) => return None,
            Err((error, transcript)) => {
                let fault = fault(&error);
                return Some(Outcome::Failed { fault, transcript });
            }
        };
        let fault = match self.ask(&mut client, case, mode) {
            Err(NoAnswer::Cancelled) => return None,
            Err(NoAnswer::Fault(fault)) => fault,
            Ok(answer) => {
                self.client = Some(client);
                return Some(Outcome::Answered(Box::new(answer)));
            }
        };
        let transcript = since_new_game(&client.transcript());
        // One that crashed or hangs is not asked again: dropping it kills and reaps it.
        if matches!(fault, Fault::Overdue { .. } | Fault::Illegal { .. }) {
            self.client = Some(client);
        }
        Some(Outcome::Failed { fault, transcript })
    }

    fn ask(
        &self,
        client: &mut Client,
        case: &Case,
        mode: CastlingMode,
    ) -> Result<Answer, NoAnswer> {
        client.new_game(PATIENCE)?;
        let position = PositionCommand::from(FenText::from(case.record.position()));
        let allowed = self.allowed(&case.limits);
        let mut recorder = Recorder::default();
        let began = now();
        let searched = client.go(position, case.limits.to_go(), allowed, |at, event| {
            if let Event::Info(info) = event {
                recorder.info(at.saturating_duration_since(began), info);
            }
        });
        let searched = match searched {
            Err(EngineError::TimedOut {
                wait: Wait::BestMove,
                after,
            }) => return Err(self.stop(client, after)),
            searched => searched?,
        };
        // One that ends over this position, if only after its answer, fails here and not in the next.
        client.synchronise(PATIENCE)?;
        let time = searched.ended.saturating_duration_since(began);
        let search = recorder.finish(time, searched.best_move.reply);
        assess(&search, &case.goal, case.record.position(), mode).map_err(|error| {
            NoAnswer::Fault(Fault::Illegal {
                what: error.to_string(),
            })
        })
    }

    /// An engine that is late is told to stop: one that does can be asked again.
    fn stop(&self, client: &mut Client, after: Duration) -> NoAnswer {
        let mut answered = || {
            client.stop(self.rules.margin)?;
            let deadline = now() + self.rules.margin;
            while let Some((_, event)) = client.next_event(deadline)? {
                if matches!(event, Event::BestMove { .. }) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        match answered() {
            Ok(true) => NoAnswer::Fault(Fault::Overdue { after }),
            Ok(false) | Err(EngineError::TimedOut { .. }) => {
                let what = format!(
                    "no bestmove within {} s, nor after stop",
                    after.as_secs_f64()
                );
                NoAnswer::Fault(Fault::Hung { what })
            }
            Err(error) => error.into(),
        }
    }

    /// How long a search may take.
    fn allowed(&self, limits: &Limits) -> Duration {
        match limits.time {
            Some(time) => time.saturating_add(self.rules.margin),
            None => self.rules.timeout,
        }
    }

    /// The engine, told whether the castling rights are those of Chess960.
    fn running(&mut self, mode: CastlingMode) -> Result<Client, (EngineError, String)> {
        let mut client = if let Some(client) = self.client.take() {
            client
        } else {
            self.failed_starts += 1;
            let client = self.restart()?;
            self.failed_starts = 0;
            client
        };
        if self.mode != mode {
            let value = mode == CastlingMode::Chess960;
            set(&mut client, "UCI_Chess960", Some(&value.to_string()))?;
            self.mode = mode;
        }
        Ok(client)
    }

    /// Starts the engine and sets its options.
    fn restart(&mut self) -> Result<Client, (EngineError, String)> {
        self.mode = CastlingMode::Standard;
        let cancel = self.start.cancel.clone();
        let mut client =
            Client::start(&self.start.command, cancel).map_err(|error| (error, String::new()))?;
        if let Err(error) = client.handshake(PATIENCE) {
            return Err((error, client.transcript().to_string()));
        }
        for (name, value) in &self.start.options {
            set(&mut client, name, value.as_deref())?;
        }
        match client.synchronise(PATIENCE) {
            Ok(()) => Ok(client),
            Err(error) => Err((error, client.transcript().to_string())),
        }
    }
}

fn set(client: &mut Client, name: &str, value: Option<&str>) -> Result<(), (EngineError, String)> {
    let set = client.set_option(name, value);
    set.map_err(|error| (error, client.transcript().to_string()))
}

fn fault(error: &EngineError) -> Fault {
    let text = error.to_string();
    match error {
        EngineError::TimedOut { .. } => Fault::Hung { what: text },
        _ => Fault::Crashed { how: text },
    }
}

impl From<EngineError> for NoAnswer {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Cancelled => Self::Cancelled,
            error => Self::Fault(fault(&error)),
        }
    }
}

/// What was said about the last position.
fn since_new_game(transcript: &Transcript) -> String {
    let entries: Vec<&Entry> = transcript.entries().collect();
    let is_new_game =
        |entry: &&Entry| entry.direction == Direction::Sent && entry.text == "ucinewgame";
    let first = entries.iter().rposition(is_new_game).unwrap_or(0);
    let lines: Vec<String> = entries[first..].iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

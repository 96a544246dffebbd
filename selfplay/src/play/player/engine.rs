//! One running engine, whatever protocol it speaks: the narrow interface between a player and
//! [`uci::Client`] or [`XboardClient`].

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use uci::grammar::{BestMove, EngineOption, Go};
use uci::xboard::XboardClient;
use uci::{
    Cancel, Client, CommandLine, Direction, EngineError, Entry, Exit, Identity, News, Process,
    SessionError, State, Transcript,
};

use super::Patience;
use crate::model::{Limits, Protocol};

const CHESS960: &str = "UCI_Chess960";
const PONDER: &str = "Ponder";

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each process")]
pub(super) enum Engine {
    Uci {
        client: Client,
        /// The buffer for `go …`.
        go_line: String,
        /// Whether `UCI_Chess960` is set.
        chess960: bool,
    },
    Xboard {
        client: XboardClient,
        ponder: bool,
    },
}

impl Engine {
    pub(super) fn start(
        protocol: Protocol,
        command: &CommandLine,
        cancel: Cancel,
    ) -> Result<Self, EngineError> {
        Ok(match protocol {
            Protocol::Uci => Self::Uci {
                client: Client::start(command, cancel)?,
                go_line: String::new(),
                chess960: false,
            },
            Protocol::Xboard => Self::Xboard {
                client: XboardClient::start(command, cancel)?,
                ponder: false,
            },
        })
    }

    /// The process and the transcript.
    fn client(&self) -> &Client {
        match self {
            Self::Uci { client, .. } => client,
            Self::Xboard { client, .. } => client.client(),
        }
    }

    /// The same, for lines past the protocol.
    pub(super) fn client_mut(&mut self) -> &mut Client {
        match self {
            Self::Uci { client, .. } => client,
            Self::Xboard { client, .. } => client.client_mut(),
        }
    }

    pub(super) fn process(&self) -> &Process {
        self.client().process()
    }

    pub(super) fn remark(&self, text: &str) {
        self.client().remark(text);
    }

    pub(super) fn transcript(&self) -> Transcript {
        self.client().transcript()
    }

    /// Whether it has printed a line that begins like this.
    pub(super) fn has_said(&self, begin: &str) -> bool {
        let is_said =
            |entry: &Entry| entry.direction == Direction::Received && entry.text.starts_with(begin);
        self.transcript().entries().any(is_said)
    }

    pub(super) fn kill(&mut self) -> Exit {
        self.client_mut().kill()
    }

    /// Sends `quit`, and kills the engine if it does not exit.
    pub(super) fn quit(self, grace: Duration) {
        match self {
            Self::Uci { client, .. } => client.quit(grace),
            Self::Xboard { client, .. } => client.quit(grace),
        };
    }

    pub(super) fn id(&self) -> &Identity {
        match self {
            Self::Uci { client, .. } => client.id(),
            Self::Xboard { client, .. } => client.session().identity(),
        }
    }

    pub(super) fn options(&self) -> &[EngineOption] {
        match self {
            Self::Uci { client, .. } => client.options(),
            Self::Xboard { client, .. } => client.session().options(),
        }
    }

    pub(super) fn option(&self, name: &str) -> Option<&EngineOption> {
        match self {
            Self::Uci { client, .. } => client.option(name),
            Self::Xboard { client, .. } => client.session().option(name),
        }
    }

    pub(super) fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), EngineError> {
        match self {
            Self::Uci { client, .. } => client.set_option(name, value),
            Self::Xboard { client, .. } => client.set_option(name, value),
        }
    }

    pub(super) fn handshake(&mut self, patience: &Patience) -> Result<(), EngineError> {
        match self {
            Self::Uci { client, .. } => client.handshake(patience.uciok),
            Self::Xboard { client, .. } => client.handshake(patience.features, patience.uciok),
        }
    }

    /// Lets the engine ponder.
    pub(super) fn ponder(&mut self) -> Result<(), EngineError> {
        match self {
            Self::Uci { client, .. } => client.set_option(PONDER, Some("true")),
            Self::Xboard { ponder, .. } => {
                *ponder = true;
                Ok(())
            }
        }
    }

    /// Prepares for games of standard chess or Chess960.
    pub(super) fn set_chess960(&mut self, on: bool, limits: &Limits) -> Result<(), EngineError> {
        match self {
            Self::Uci {
                client, chess960, ..
            } => {
                if *chess960 != on {
                    client.set_option(CHESS960, Some(if on { "true" } else { "false" }))?;
                    *chess960 = on;
                }
                Ok(())
            }
            Self::Xboard { client, .. } => {
                let needs_nps = limits.nodes.is_some() && !limits.send_stop;
                Ok(client.session().check(on, needs_nps)?)
            }
        }
    }

    /// Whether the engine must be restarted for the next game.
    pub(super) fn plays_once(&self) -> bool {
        match self {
            Self::Uci { .. } => false,
            Self::Xboard { client, .. } => !client.session().can_be_reused(),
        }
    }

    /// Whether the engine ponders without being asked for it move by move.
    pub(super) fn ponders_by_itself(&self) -> bool {
        matches!(self, Self::Xboard { ponder: true, .. })
    }

    pub(super) fn announce_game(
        &mut self,
        chess960: bool,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        match self {
            Self::Uci { client, .. } => client.announce_game(timeout),
            Self::Xboard { client, ponder } => client.announce_game(chess960, *ponder, timeout),
        }
    }

    pub(super) fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        match self {
            Self::Uci { client, .. } => client.wait_until_ready(),
            Self::Xboard { client, .. } => client.wait_until_ready(),
        }
    }

    /// Starts a search of a position, given as the line `position …`.
    pub(super) fn search(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<Instant, EngineError> {
        match self {
            Self::Uci {
                client, go_line, ..
            } => {
                go_line.clear();
                write!(go_line, "go{go}").expect("a text takes any text");
                client.start_written_search(position, go_line, timeout)
            }
            Self::Xboard { client, .. } => client.start_search(position, go, timeout),
        }
    }

    /// The moves that the start of a search has discarded since the last call.
    pub(super) fn take_passed_over(&mut self) -> Vec<BestMove> {
        match self {
            Self::Uci { client, .. } => client.take_passed_over(),
            Self::Xboard { client, .. } => client.take_passed_over(),
        }
    }

    pub(super) fn is_searching(&self) -> bool {
        let state = match self {
            Self::Uci { client, .. } => client.state(),
            Self::Xboard { client, .. } => client.session().state(),
        };
        state == State::Searching
    }

    pub(super) fn next_news(&mut self, deadline: Instant) -> Result<Option<News>, EngineError> {
        match self {
            Self::Uci { client, .. } => client.next_news(deadline),
            Self::Xboard { client, .. } => client.next_news(deadline),
        }
    }

    pub(super) fn stop(&mut self, grace: Duration) -> Result<Instant, EngineError> {
        match self {
            Self::Uci { client, .. } => client.stop(grace),
            Self::Xboard { client, .. } => client.stop(grace),
        }
    }

    pub(super) fn ponderhit(&mut self, timeout: Duration) -> Result<Instant, EngineError> {
        match self {
            Self::Uci { client, .. } => client.ponderhit(timeout),
            // It has never been asked to ponder.
            Self::Xboard { client, .. } => Err(EngineError::Session(SessionError::OutOfTurn {
                command: "ponderhit",
                state: client.session().state(),
            })),
        }
    }

    /// Tells the engine the result of the game.
    pub(super) fn end_game(&mut self, result: &str) -> Result<(), EngineError> {
        match self {
            Self::Uci { .. } => Ok(()),
            Self::Xboard { client, .. } => client.end_game(result),
        }
    }
}

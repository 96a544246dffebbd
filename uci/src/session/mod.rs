//! The protocol as a state machine: lines and times in, commands and events out.
//!
//! Each request returns the commands to send and sets the expected answer with its deadline; each
//! line results in one [`SessionEvent`]. Unexpected messages are reported as [`SessionEvent::Surprise`] and
//! change nothing:
//!
//! | message | when | result |
//! |---|---|---|
//! | `bestmove` | during a search, stopped or not | the end of the search |
//! | `bestmove` | at any other time: late, duplicate, without `go` | a surprise |
//! | `uciok` | a second time, or before `uci` | a surprise |
//! | `readyok` | without `isready` | a surprise |
//! | `id`, `option` | outside the handshake | a surprise, discarded |
//!
//! A second `bestmove` that is read only after the next `go` is indistinguishable from its answer.
//! A call of [`Session::synchronise`] before each `go` makes it arrive earlier, as a surprise.
#![expect(
    clippy::missing_errors_doc,
    reason = "`SessionError::OutOfTurn` names the command and the state"
)]

mod event;
#[cfg(test)]
mod tests;

pub use event::{Claim, ClaimKind, SessionError, SessionEvent, SessionState, Wait};

use std::time::{Duration, Instant};

use crate::grammar::{Command, EngineOption, Go, Message, OptionKind, PositionCommand};

/// The engine's description of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The engine's name.
    pub name: Option<String>,
    /// The engine's author.
    pub author: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    pub(crate) at: Instant,
    pub(crate) after: Duration,
}

/// The state of the conversation with an engine; by default, nothing has been sent.
#[derive(Clone, Debug, Default)]
pub struct Session {
    state: SessionState,
    deadline: Option<Deadline>,
    identity: Identity,
    options: Vec<EngineOption>,
}

impl Session {
    /// The current state.
    pub fn state(&self) -> SessionState {
        self.state
    }

    /// The engine's name and author; complete after the handshake.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The engine's options, in its order; complete after the handshake.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// When to call [`Session::tick`] if no line has come.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.map(|deadline| deadline.at)
    }

    /// The awaited answer.
    pub fn waiting(&self) -> Option<Wait> {
        match self.state {
            SessionState::Handshaking => Some(Wait::UciOk),
            SessionState::Synchronising => Some(Wait::ReadyOk),
            SessionState::Searching => Some(Wait::BestMove),
            SessionState::Stopping => Some(Wait::BestMoveAfterStop),
            SessionState::Quitting => Some(Wait::Exit),
            SessionState::New | SessionState::Idle | SessionState::Failed | SessionState::Ended => {
                None
            }
        }
    }

    /// Starts the handshake.
    pub fn handshake(&mut self, now: Instant, timeout: Duration) -> Result<Command, SessionError> {
        self.require(&[SessionState::New], "uci")?;
        self.enter(SessionState::Handshaking, now, timeout);
        Ok(Command::Uci)
    }

    /// Asks the engine for `readyok` once everything sent has been processed.
    pub fn synchronise(
        &mut self,
        now: Instant,
        timeout: Duration,
    ) -> Result<Command, SessionError> {
        self.require(&[SessionState::Idle], "isready")?;
        self.enter(SessionState::Synchronising, now, timeout);
        Ok(Command::IsReady)
    }

    /// Announces that the next position is from another game. UCI requires [`Session::synchronise`]
    /// to follow, because an engine may need some time for this.
    pub fn new_game(&mut self) -> Result<Command, SessionError> {
        self.require(&[SessionState::Idle], "ucinewgame")?;
        Ok(Command::UciNewGame)
    }

    /// Starts a search, which should end within `timeout`. After that, [`Session::stop`] is still
    /// possible.
    ///
    /// # Errors
    ///
    /// When the engine is not idle, or `go` asks for perft.
    pub fn go(
        &mut self,
        position: PositionCommand,
        go: Go,
        now: Instant,
        timeout: Duration,
    ) -> Result<[Command; 2], SessionError> {
        self.require(&[SessionState::Idle], "go")?;
        if go.perft.is_some() {
            return Err(SessionError::Perft);
        }
        self.enter(SessionState::Searching, now, timeout);
        Ok([Command::Position(position), Command::Go(go)])
    }

    /// Records the start of a search whose commands the caller writes, in place of [`Session::go`].
    pub fn begin_search(&mut self, now: Instant, timeout: Duration) -> Result<(), SessionError> {
        self.require(&[SessionState::Idle], "go")?;
        self.enter(SessionState::Searching, now, timeout);
        Ok(())
    }

    /// Reports that the expected move was played: `timeout` counts from now on.
    pub fn ponderhit(&mut self, now: Instant, timeout: Duration) -> Result<Command, SessionError> {
        self.require(&[SessionState::Searching], "ponderhit")?;
        self.enter(SessionState::Searching, now, timeout);
        Ok(Command::PonderHit)
    }

    /// Stops the search; the best move is due within `grace`.
    ///
    /// # Errors
    ///
    /// When no search is running, or it has been stopped already.
    pub fn stop(&mut self, now: Instant, grace: Duration) -> Result<Command, SessionError> {
        self.require(&[SessionState::Searching], "stop")?;
        self.enter(SessionState::Stopping, now, grace);
        Ok(Command::Stop)
    }

    /// Ends the engine in any state. Its output is due to end within `grace`.
    pub fn quit(&mut self, now: Instant, grace: Duration) -> Command {
        if self.state != SessionState::Ended {
            self.enter(SessionState::Quitting, now, grace);
        }
        Command::Quit
    }

    /// Processes a line from the engine.
    pub fn line(&mut self, line: &str) -> SessionEvent {
        let is_handshaking = self.state == SessionState::Handshaking;
        match Message::parse(line) {
            Message::Info(info) => SessionEvent::Info(info),
            Message::BestMove(best_move)
                if matches!(self.state, SessionState::Searching | SessionState::Stopping) =>
            {
                let stopped = self.state == SessionState::Stopping;
                self.rest();
                SessionEvent::BestMove { best_move, stopped }
            }
            Message::UciOk if is_handshaking => {
                self.rest();
                SessionEvent::HandshakeDone
            }
            Message::ReadyOk if self.state == SessionState::Synchronising => {
                self.rest();
                SessionEvent::Ready
            }
            Message::IdName(name) if is_handshaking => {
                self.identity.name = Some(name);
                SessionEvent::Declared
            }
            Message::IdAuthor(author) if is_handshaking => {
                self.identity.author = Some(author);
                SessionEvent::Declared
            }
            Message::Option(option) if is_handshaking => {
                self.options.push(option);
                SessionEvent::Declared
            }
            // UCI has these come after `uciok`, at no certain time.
            message @ (Message::CopyProtection(_)
            | Message::Registration(_)
            | Message::Other(_)) => SessionEvent::Other(message),
            message => SessionEvent::Surprise(message),
        }
    }

    /// Postpones the deadline after a time in which nobody read the engine's output: the answer may
    /// already be there. The new deadline is at least `grace` from now, or the whole time limit if
    /// that is less.
    pub fn put_off(&mut self, now: Instant, grace: Duration) {
        if let Some(deadline) = &mut self.deadline {
            deadline.at = deadline.at.max(now + grace.min(deadline.after));
        }
    }

    /// Returns the awaited answer and its time limit if it is overdue.
    pub fn tick(&mut self, now: Instant) -> Option<(Wait, Duration)> {
        let deadline = self.deadline.filter(|deadline| deadline.at <= now)?;
        let wait = self.waiting()?;
        self.deadline = None;
        // A search can still be stopped; after any other silence, what comes could answer anything.
        if wait != Wait::BestMove {
            self.state = SessionState::Failed;
        }
        Some((wait, deadline.after))
    }

    /// Records the end of the engine's output, and returns the answer that was awaited.
    pub fn eof(&mut self) -> Option<Wait> {
        let waiting = self.waiting();
        self.state = SessionState::Ended;
        self.deadline = None;
        waiting
    }

    fn enter(&mut self, state: SessionState, now: Instant, after: Duration) {
        self.state = state;
        // A time that cannot be represented is no limit.
        let at = now.checked_add(after);
        self.deadline = at.map(|at| Deadline { at, after });
    }

    fn rest(&mut self) {
        self.state = SessionState::Idle;
        self.deadline = None;
    }

    fn require(&self, states: &[SessionState], command: &'static str) -> Result<(), SessionError> {
        if states.contains(&self.state) {
            return Ok(());
        }
        let state = self.state;
        Err(SessionError::OutOfTurn { command, state })
    }
}

impl Session {
    /// Finds an option by name, ignoring case; the first if there are several.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        let mut options = self.options.iter();
        // UCI: names of options are not case-sensitive.
        options.find(|option| option.name.to_lowercase() == name.to_lowercase())
    }

    /// Sets an option; a button takes no value, or an empty one or `true` from callers with a text for
    /// each option. The name is sent as the engine spells it. If it has an equals sign, the value may
    /// begin with a part of it: the longest name that fits counts.
    ///
    /// # Errors
    ///
    /// When the engine is not idle, has no such option, or the value is outside the range that the
    /// engine has declared.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Command, SessionError> {
        self.require(&[SessionState::Idle], "setoption")?;
        let (name, value) = longest_name(name, value, |name| self.option(name).is_some());
        let Some(option) = self.option(&name) else {
            return Err(SessionError::UnknownOption { name });
        };
        match option.kind.accept(value) {
            Ok(value) => Ok(Command::SetOption {
                name: option.name.clone(),
                value,
            }),
            Err(expected) => Err(SessionError::BadValue {
                name: option.name.clone(),
                value: value.unwrap_or_default().to_owned(),
                expected,
            }),
        }
    }
}

/// The name of an option and its value from `name=value`: the longest name that is declared, since names
/// may have an equals sign; else the name as given.
pub(crate) fn longest_name<'v>(
    name: &str,
    value: Option<&'v str>,
    is_declared: impl Fn(&str) -> bool,
) -> (String, Option<&'v str>) {
    let text = value.unwrap_or_default();
    for (end, sign) in text.rmatch_indices('=') {
        let longer = format!("{name}={}", &text[..end]);
        if is_declared(&longer) {
            return (longer, Some(&text[end + sign.len()..]));
        }
    }
    (name.to_owned(), value)
}

impl OptionKind {
    /// The value to send, or a description of the expected values.
    pub(crate) fn accept(&self, value: Option<&str>) -> Result<Option<String>, String> {
        let accepted = match (self, value) {
            (Self::Button, None | Some("" | "true")) => return Ok(None),
            (Self::Check { .. }, Some(value)) => ["true", "false"]
                .into_iter()
                .find(|known| known.eq_ignore_ascii_case(value))
                .map(str::to_owned),
            (Self::Spin { min, max, .. }, Some(value)) => value
                .parse::<i128>()
                .ok()
                .filter(|number| min.is_none_or(|min| min <= *number))
                .filter(|number| max.is_none_or(|max| *number <= max))
                .map(|number| number.to_string()),
            (Self::Combo { vars, .. }, Some(value)) => vars
                .iter()
                .find(|var| var.to_lowercase() == value.to_lowercase())
                .cloned(),
            (Self::String { .. }, Some(value)) => {
                // A line break would begin another command.
                (!value.contains(['\n', '\r'])).then(|| value.to_owned())
            }
            _ => None,
        };
        accepted.map(Some).ok_or_else(|| self.expected())
    }

    fn expected(&self) -> String {
        match self {
            Self::Button => "no value".to_owned(),
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => {
                let bound = |word: &str, bound: &Option<i128>| {
                    bound.map_or(String::new(), |bound| format!(" {word} {bound}"))
                };
                format!("a number{}{}", bound("from", min), bound("to", max))
            }
            Self::Combo { vars, .. } => format!("one of {}", vars.join(", ")),
            Self::String { .. } => "a text of one line".to_owned(),
        }
    }
}

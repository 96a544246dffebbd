//! The protocol as a state machine: lines and times in, commands and events out.
//!
//! Each request gives the commands to send and notes what must come of it and by when; each line
//! gives one [`Event`]. What comes unasked for is a [`Event::Surprise`] and changes nothing:
//!
//! | what comes | when | what it is |
//! |---|---|---|
//! | `bestmove` | during a search, stopped or not | the end of it |
//! | `bestmove` | at any other time: late, double, without `go` | [`Surprise::BestMove`] |
//! | `uciok` | a second time, or before `uci` | [`Surprise::UciOk`] |
//! | `readyok` | without `isready` | [`Surprise::ReadyOk`] |
//! | `id`, `option` | outside the handshake | [`Surprise::Declaration`], not kept |
//!
//! A second `bestmove` that is read only after the next `go` cannot be told from its answer.
//! [`Session::synchronise`] before each `go` makes it come sooner, as a surprise.

mod error;
mod event;
mod options;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use crate::grammar::{Command, EngineOption, Go, Message, PositionCommand};
pub use error::SessionError;
pub use event::{Event, State, Surprise, Wait};

/// What an engine says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: Option<String>,
    /// Who made it.
    pub author: Option<String>,
}

/// The time for an answer.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    at: Instant,
    after: Duration,
}

/// A talk with an engine.
#[derive(Clone, Debug)]
pub struct Session {
    state: State,
    deadline: Option<Deadline>,
    identity: Identity,
    options: Vec<EngineOption>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session in which nothing has been said.
    pub fn new() -> Self {
        Self {
            state: State::New,
            deadline: None,
            identity: Identity::default(),
            options: Vec::new(),
        }
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        self.state
    }

    /// What the engine says about itself; whole once the handshake is done.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The options the engine has, in its order; whole once the handshake is done.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// When to call [`Session::tick`] if no line has come.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.map(|deadline| deadline.at)
    }

    /// What it waits for.
    pub fn waiting(&self) -> Option<Wait> {
        match self.state {
            State::Handshaking => Some(Wait::UciOk),
            State::Synchronising => Some(Wait::ReadyOk),
            State::Searching => Some(Wait::BestMove),
            State::Stopping => Some(Wait::BestMoveAfterStop),
            State::Quitting => Some(Wait::Exit),
            State::New | State::Idle | State::Failed | State::Ended => None,
        }
    }

    /// Begins the handshake.
    ///
    /// # Errors
    ///
    /// When anything has been said before.
    pub fn handshake(&mut self, now: Instant, timeout: Duration) -> Result<Command, SessionError> {
        self.require(&[State::New], "uci")?;
        self.enter(State::Handshaking, now, timeout);
        Ok(Command::Uci)
    }

    /// Asks the engine to say when it has dealt with all that was sent.
    ///
    /// # Errors
    ///
    /// When it is not idle.
    pub fn synchronise(
        &mut self,
        now: Instant,
        timeout: Duration,
    ) -> Result<Command, SessionError> {
        self.require(&[State::Idle], "isready")?;
        self.enter(State::Synchronising, now, timeout);
        Ok(Command::IsReady)
    }

    /// Announces that the next position is of another game. UCI wants [`Session::synchronise`] to
    /// follow, since this may take an engine some time.
    ///
    /// # Errors
    ///
    /// When it is not idle.
    pub fn new_game(&mut self) -> Result<Command, SessionError> {
        self.require(&[State::Idle], "ucinewgame")?;
        Ok(Command::UciNewGame)
    }

    /// Begins a search, which should end within `timeout`. If it does not, it is still possible to
    /// [`Session::stop`] it.
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
        self.require(&[State::Idle], "go")?;
        if go.perft.is_some() {
            return Err(SessionError::Perft);
        }
        self.enter(State::Searching, now, timeout);
        Ok([Command::Position(position), Command::Go(go)])
    }

    /// Notes that a search begins whose commands the caller writes, in place of [`Session::go`].
    ///
    /// # Errors
    ///
    /// When the engine is not idle.
    pub fn begin_search(&mut self, now: Instant, timeout: Duration) -> Result<(), SessionError> {
        self.require(&[State::Idle], "go")?;
        self.enter(State::Searching, now, timeout);
        Ok(())
    }

    /// Tells that the move pondered on was played: from now on `timeout` counts.
    ///
    /// # Errors
    ///
    /// When there is no search.
    pub fn ponderhit(&mut self, now: Instant, timeout: Duration) -> Result<Command, SessionError> {
        self.require(&[State::Searching], "ponderhit")?;
        self.enter(State::Searching, now, timeout);
        Ok(Command::PonderHit)
    }

    /// Stops the search; the best move is due within `grace`.
    ///
    /// # Errors
    ///
    /// When there is no search, or it has been stopped.
    pub fn stop(&mut self, now: Instant, grace: Duration) -> Result<Command, SessionError> {
        self.require(&[State::Searching], "stop")?;
        self.enter(State::Stopping, now, grace);
        Ok(Command::Stop)
    }

    /// Ends the engine, whatever it does. Its output is due to end within `grace`.
    pub fn quit(&mut self, now: Instant, grace: Duration) -> Command {
        if self.state != State::Ended {
            self.enter(State::Quitting, now, grace);
        }
        Command::Quit
    }

    /// Takes a line of the engine.
    pub fn line(&mut self, line: &str) -> Event {
        let message = Message::parse(line);
        match message {
            Message::Info(info) => Event::Info(info),
            Message::BestMove(best_move) if self.is_searching() => {
                let stopped = self.state == State::Stopping;
                self.rest();
                Event::BestMove { best_move, stopped }
            }
            Message::BestMove(_) => surprise(Surprise::BestMove, message),
            Message::UciOk if self.state == State::Handshaking => {
                self.rest();
                Event::HandshakeDone
            }
            Message::UciOk => surprise(Surprise::UciOk, message),
            Message::ReadyOk if self.state == State::Synchronising => {
                self.rest();
                Event::Ready
            }
            Message::ReadyOk => surprise(Surprise::ReadyOk, message),
            Message::IdName(_) | Message::IdAuthor(_) | Message::Option(_)
                if self.state != State::Handshaking =>
            {
                surprise(Surprise::Declaration, message)
            }
            Message::IdName(name) => {
                self.identity.name = Some(name);
                Event::Declared
            }
            Message::IdAuthor(author) => {
                self.identity.author = Some(author);
                Event::Declared
            }
            Message::Option(option) => {
                self.options.push(option);
                Event::Declared
            }
            Message::CopyProtection(_) | Message::Registration(_) | Message::Other(_) => {
                Event::Other(message)
            }
        }
    }

    /// Puts off what is due, for whom has not looked at the engine for a while: an answer may lie
    /// there unread. It is due no earlier than `grace` from now, or than its whole time if that is
    /// less.
    pub fn put_off(&mut self, now: Instant, grace: Duration) {
        if let Some(deadline) = &mut self.deadline {
            deadline.at = deadline.at.max(now + grace.min(deadline.after));
        }
    }

    /// Looks whether what is waited for is overdue.
    pub fn tick(&mut self, now: Instant) -> Option<Event> {
        let deadline = self.deadline.filter(|deadline| deadline.at <= now)?;
        let wait = self.waiting()?;
        self.deadline = None;
        if wait != Wait::BestMove {
            self.state = State::Failed;
        }
        let after = deadline.after;
        Some(Event::TimedOut { wait, after })
    }

    /// Takes the end of the engine's output.
    pub fn eof(&mut self) -> Event {
        let waiting = self.waiting();
        self.state = State::Ended;
        self.deadline = None;
        Event::Ended { waiting }
    }

    fn is_searching(&self) -> bool {
        matches!(self.state, State::Searching | State::Stopping)
    }

    fn enter(&mut self, state: State, now: Instant, after: Duration) {
        self.state = state;
        // A time beyond what can be told is no limit.
        let at = now.checked_add(after);
        self.deadline = at.map(|at| Deadline { at, after });
    }

    fn rest(&mut self) {
        self.state = State::Idle;
        self.deadline = None;
    }

    fn require(&self, states: &[State], command: &'static str) -> Result<(), SessionError> {
        if states.contains(&self.state) {
            return Ok(());
        }
        let state = self.state;
        Err(SessionError::OutOfTurn { command, state })
    }
}

fn surprise(surprise: Surprise, message: Message) -> Event {
    Event::Surprise { surprise, message }
}

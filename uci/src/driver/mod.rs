//! Driving an engine: process, protocol and transcript combined.

mod uci;

use std::time::{Duration, Instant};

use super::process::{now, now_plus};
use super::{
    Cancel, CommandLine, Direction, EngineError, Event, Exit, Identity, Process, Received,
    SendError, Session, State, Transcript,
};
use crate::grammar::{BestMove, EngineOption};
use crate::transcript::log_line;
pub use uci::{Farewell, News, Searched};

/// Default time for an engine to read a line: it has nothing else to do.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for an engine to exit after it has closed a pipe.
const DEATH_THROES: Duration = Duration::from_millis(500);

/// A running engine, driven by UCI or line by line.
///
/// ```no_run
/// # #[cfg(unix)]
/// # fn example() -> Result<(), uci::EngineError> {
/// use std::time::Duration;
/// use uci::{Cancel, Client, CommandLine};
/// use uci::grammar::{Go, PositionCommand, StartPosition};
///
/// let mut client = Client::start(&CommandLine::new("my-engine"), Cancel::new())?;
/// client.handshake(Duration::from_secs(10))?;
/// client.set_option("Hash", Some("16"))?;
/// client.synchronise(Duration::from_secs(10))?;
/// let position = PositionCommand { start: StartPosition::Startpos, moves: Vec::new() };
/// let go = Go { depth: Some(5), ..Go::default() };
/// let searched = client.go(position, go, Duration::from_secs(60), |_, _| {})?;
/// println!("{} after {:?}", searched.best_move, searched.ended - searched.started);
/// client.quit(Duration::from_secs(1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Client {
    process: Process,
    session: Session,
    transcript: Transcript,
    send_timeout: Duration,
    /// Best moves that were discarded.
    passed_over: Vec<BestMove>,
}

impl Client {
    /// Starts an engine and sends nothing to it. `cancel` ends every wait for it.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(command: &CommandLine, cancel: Cancel) -> Result<Self, EngineError> {
        let start = now();
        let process = Process::start(command, cancel).map_err(|source| EngineError::Start {
            command: command.to_string(),
            source,
        })?;
        Ok(Self {
            process,
            session: Session::new(),
            transcript: Transcript::new(start),
            send_timeout: SEND_TIMEOUT,
            passed_over: Vec::new(),
        })
    }

    /// Sets how long the engine may take to read a line; 10 s by default.
    pub fn set_send_timeout(&mut self, timeout: Duration) {
        self.send_timeout = timeout;
    }

    /// Sets whether to yield the CPU to an engine that has begun to answer before we sleep. See
    /// [`Process::take_turns`].
    pub fn take_turns(&mut self, on: bool) {
        self.process.take_turns(on);
    }

    /// The engine's process.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// The engine's name and author; complete after the handshake.
    pub fn id(&self) -> &Identity {
        self.session.identity()
    }

    /// The engine's options; complete after the handshake.
    pub fn options(&self) -> &[EngineOption] {
        self.session.options()
    }

    /// Finds an option by name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        self.session.option(name)
    }

    /// The state of the UCI session.
    pub fn state(&self) -> State {
        self.session.state()
    }

    /// The transcript so far, standard error included.
    pub fn transcript(&self) -> Transcript {
        let mut transcript = self.transcript.clone();
        for line in self.process.stderr() {
            transcript.push(Direction::Stderr, line.at, &line.text);
        }
        transcript
    }

    /// Sends a line, bypassing the session, and returns the time at which its last byte was
    /// written.
    ///
    /// # Errors
    ///
    /// When the engine has ended or does not read, or the text is more than one line.
    pub fn send_line(&mut self, line: &str) -> Result<Instant, EngineError> {
        self.send_lines(&[line])
    }

    /// Sends several lines in one go, bypassing the session. See [`Client::send_line`].
    ///
    /// # Errors
    ///
    /// As for [`Client::send_line`].
    pub fn send_lines(&mut self, lines: &[&str]) -> Result<Instant, EngineError> {
        let sent = self.process.send_lines(lines, self.send_timeout);
        let at = sent.map_err(|error| self.not_sent(error))?;
        for line in lines {
            self.record(Direction::Sent, at, line);
        }
        Ok(at)
    }

    /// Sends text verbatim, bypassing the session: part of a line, or other line ends.
    ///
    /// # Errors
    ///
    /// As for [`Client::send_line`], but line breaks are allowed.
    pub fn send_text(&mut self, text: &str) -> Result<Instant, EngineError> {
        let sent = self.process.send_text(text, self.send_timeout);
        let at = sent.map_err(|error| self.not_sent(error))?;
        self.record(Direction::Sent, at, text);
        Ok(at)
    }

    /// Adds a line to the transcript and, for `--verbose`, to the log.
    fn record(&mut self, direction: Direction, at: Instant, text: &str) {
        log_line(self.process.id(), direction, text);
        self.transcript.push(direction, at, text);
    }

    fn not_sent(&mut self, error: SendError) -> EngineError {
        match error {
            SendError::Closed => match self.wait_for_death() {
                Some(ended) => ended,
                None => EngineError::Send(SendError::Closed),
            },
            SendError::Cancelled => EngineError::Cancelled,
            error => EngineError::Send(error),
        }
    }

    /// Waits for a line and hides it from the session, for engines that do not speak UCI. See
    /// [`Process::next_line`] for the deadline.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be read.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Received, EngineError> {
        let received = self
            .process
            .next_line(deadline)
            .map_err(EngineError::Read)?;
        if let Received::Line(line) = &received {
            self.record(Direction::Received, line.at, &line.text);
        }
        Ok(received)
    }

    /// The error behind the end of the output ([`Received::Eof`]): the engine has ended, and how,
    /// or it has closed its output and is still running.
    pub fn ended(&mut self) -> EngineError {
        let death = self.wait_for_death();
        let waiting = match self.session.eof() {
            Event::Ended { waiting } => waiting,
            _ => None,
        };
        death.unwrap_or(EngineError::ClosedStdout { waiting })
    }

    /// Closes the engine's input: nothing more can be sent.
    pub fn close_stdin(&mut self) {
        self.process.close_stdin();
    }

    /// Waits until the engine exits by itself, and returns how; `None` if it still runs at
    /// `deadline`.
    pub fn wait(&mut self, deadline: Instant) -> Option<Exit> {
        self.process.wait(deadline)
    }

    /// Kills the engine with its children, and returns how it ended.
    pub fn kill(&mut self) -> Exit {
        self.process.kill()
    }

    fn wait_for_death(&mut self) -> Option<EngineError> {
        let waiting = self.session.waiting();
        let exit = self.process.wait(now_plus(DEATH_THROES))?;
        Some(EngineError::Ended { exit, waiting })
    }
}

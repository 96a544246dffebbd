//! Driving an engine: process, protocol and transcript combined.
#![expect(
    clippy::missing_errors_doc,
    reason = "`EngineError` says how a call can fail; what is special is said"
)]

use std::io;
use std::time::{Duration, Instant};

use crate::grammar::{BestMove, Command, EngineOption, Go, Message, PositionCommand};
use crate::process::{now, now_plus};
use crate::transcript::{Recorder, log_line, log_remark};
use crate::{
    Cancel, CommandLine, Direction, Event, Exit, Identity, Line, Process, Received, SendError,
    Session, SessionError, State, Transcript, Wait,
};

/// Default time for an engine to read a line: it has nothing else to do.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for an engine to exit after it has closed a pipe.
const DEATH_THROES: Duration = Duration::from_secs(3);

/// Time to read output that arrived while nobody was waiting.
const UNREAD: Duration = Duration::from_secs(1);

/// A finished search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// Its `bestmove`.
    pub best_move: BestMove,
    /// When the last byte of `go` was written.
    pub started: Instant,
    /// When `bestmove` was read.
    pub ended: Instant,
}

/// The next output of an engine driven by [`Client::next_news`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A line with `info`, not parsed.
    Info(Line),
    /// Any other line, with the time when it was read and its meaning.
    Event(Instant, Event),
}

/// How an engine ended after `quit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Farewell {
    /// Exit code or signal.
    pub exit: Exit,
    /// Whether it had to be killed.
    pub was_killed: bool,
}

/// A failure of an engine, or of driving it. See [`crate::Client::transcript`] for the context.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum EngineError {
    #[error("cannot start {command}: {source}")]
    Start { command: String, source: io::Error },
    #[error("the engine {exit}{}", before(*.waiting))]
    Ended { exit: Exit, waiting: Option<Wait> },
    /// The engine has closed its standard output, but lives on.
    #[error("the engine closed its standard output{}, but lives on", before(*.waiting))]
    ClosedStdout { waiting: Option<Wait> },
    #[error("no {wait} within {} s", .after.as_secs_f64())]
    TimedOut { wait: Wait, after: Duration },
    #[error("cancelled")]
    Cancelled,
    /// A line could not be sent.
    #[error(transparent)]
    Send(SendError),
    /// The request is invalid in the current state of the session.
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error("cannot read from the engine: {0}")]
    Read(#[source] io::Error),
}

fn before(waiting: Option<Wait>) -> String {
    waiting.map_or(String::new(), |wait| format!(" before {wait}"))
}

/// A running engine, driven by UCI or line by line.
///
/// ```no_run
/// # fn example() -> Result<(), uci::EngineError> {
/// use std::time::Duration;
/// use uci::{Cancel, Client, CommandLine};
/// use uci::grammar::{Go, PositionCommand};
///
/// let mut client = Client::start(&CommandLine::new("my-engine"), Cancel::new())?;
/// client.handshake(Duration::from_secs(10))?;
/// client.set_option("Hash", Some("16"))?;
/// client.synchronise(Duration::from_secs(10))?;
/// let go = Go { depth: Some(5), ..Go::default() };
/// let position = PositionCommand::default();
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
    recorder: Recorder,
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
            session: Session::default(),
            recorder: Recorder::new(start),
            send_timeout: SEND_TIMEOUT,
            passed_over: Vec::new(),
        })
    }

    /// Sets how long the engine may take to read a line; 10 s by default.
    pub fn set_send_timeout(&mut self, timeout: Duration) {
        self.send_timeout = timeout;
    }

    /// Sets whether to yield the CPU to an engine that has begun to answer before we read. See
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
        let mut transcript = self.recorder.transcript();
        for line in self.process.stderr() {
            transcript.insert_stderr(self.recorder.since_start(line.at), &line.text);
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
    pub fn send_lines(&mut self, lines: &[&str]) -> Result<Instant, EngineError> {
        let sent = self.process.send_lines(lines, self.send_timeout);
        let at = sent.map_err(|error| self.not_sent(error))?;
        for line in lines {
            self.record(Direction::Sent, at, line);
        }
        Ok(at)
    }

    /// Sends text verbatim, bypassing the session: part of a line, or other line ends.
    pub fn send_text(&mut self, text: &str) -> Result<Instant, EngineError> {
        let sent = self.process.send_text(text, self.send_timeout);
        let at = sent.map_err(|error| self.not_sent(error))?;
        self.record(Direction::Sent, at, text);
        Ok(at)
    }

    /// Adds a remark about this engine to the log, which is no line of the dialogue.
    pub fn remark(&self, text: &str) {
        log_remark(self.process.id(), text);
    }

    /// Adds a line to the transcript and, for `--verbose`, to the log.
    fn record(&mut self, direction: Direction, at: Instant, text: &str) {
        log_line(self.process.id(), direction, text);
        self.recorder.push(direction, at, text);
    }

    fn not_sent(&mut self, error: SendError) -> EngineError {
        match error {
            SendError::Closed => self.wait_for_death().unwrap_or(EngineError::Send(error)),
            SendError::Cancelled => EngineError::Cancelled,
            _ => EngineError::Send(error),
        }
    }

    /// Waits for a line and hides it from the session, for engines that do not speak UCI. See
    /// [`Process::next_line`] for the deadline.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be read.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Received, EngineError> {
        let received = self.process.next_line(deadline);
        let received = received.map_err(EngineError::Read)?;
        if let Received::Line(line) = &received {
            self.record(Direction::Received, line.at, &line.text);
        }
        Ok(received)
    }

    /// Returns a line that has already arrived and hides it from the session, like
    /// [`Client::next_line`].
    pub fn ready_line(&mut self) -> Result<Option<Line>, EngineError> {
        let mut line = self.process.pop_line();
        if line.is_none() {
            self.process.read_ready().map_err(EngineError::Read)?;
            line = self.process.pop_line();
        }
        if let Some(line) = &line {
            self.record(Direction::Received, line.at, &line.text);
        }
        Ok(line)
    }

    /// The error behind the end of the output ([`Received::Eof`]): the engine has ended, and how,
    /// or it has closed its output and is still running.
    pub fn ended(&mut self) -> EngineError {
        let death = self.wait_for_death();
        let waiting = self.session.eof();
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

    /// Sends `uci`, and waits for `uciok`.
    ///
    /// # Errors
    ///
    /// As for every wait: when the engine ends, closes its output, or is late; when the work is
    /// cancelled; when the session is in the wrong state.
    pub fn handshake(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let command = self.session.handshake(now(), timeout)?;
        self.send(&command)?;
        self.wait_for(|event| matches!(event, Event::HandshakeDone))
    }

    /// Sets an option; a button takes no value.
    ///
    /// # Errors
    ///
    /// When there is no such option, it rejects this value, or the engine does not read.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let command = self.session.set_option(name, value)?;
        self.send(&command)?;
        Ok(())
    }

    /// Sends `isready`, and waits for `readyok`: then the engine has processed everything sent
    /// before, and all its earlier output has been discarded.
    pub fn synchronise(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let command = self.session.synchronise(now(), timeout)?;
        self.send(&command)?;
        self.wait_for(|event| matches!(event, Event::Ready))
    }

    /// Sends `ucinewgame`, and waits until the engine is ready.
    pub fn new_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.announce_game(timeout)?;
        self.wait_until_ready()
    }

    /// Sends `ucinewgame` without waiting; [`Client::wait_until_ready`] does that. This lets two
    /// engines prepare at the same time.
    pub fn announce_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let new_game = self.session.new_game()?.to_string();
        let is_ready = self.session.synchronise(now(), timeout)?.to_string();
        self.send_lines(&[&new_game, &is_ready])?;
        Ok(())
    }

    /// Waits for `readyok`, if `isready` has not been answered yet. An answer that arrived in time
    /// counts, however late it is read.
    pub fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        if self.session.state() == State::Synchronising {
            self.session.put_off(now(), UNREAD);
            self.wait_for(|event| matches!(event, Event::Ready))?;
        }
        Ok(())
    }

    /// Searches, and waits for the best move. All other output is passed to `observe`, with the
    /// time when it was read. If the best move is late, [`Client::stop`] can still be called.
    pub fn go(
        &mut self,
        position: PositionCommand,
        go: Go,
        timeout: Duration,
        mut observe: impl FnMut(Instant, &Event),
    ) -> Result<Searched, EngineError> {
        let started = self.start_search(position, go, timeout)?;
        loop {
            let (ended, event) = self.next_session_event()?;
            match event {
                Event::BestMove { best_move, .. } => {
                    return Ok(Searched {
                        best_move,
                        started,
                        ended,
                    });
                }
                event => observe(ended, &event),
            }
        }
    }

    /// Starts a search, and returns the time at which the last byte of `go` was written. The best
    /// move, due within `timeout`, is returned by [`Client::next_event`].
    pub fn start_search(
        &mut self,
        position: PositionCommand,
        go: Go,
        timeout: Duration,
    ) -> Result<Instant, EngineError> {
        let [position, go] = self.session.go(position, go, now(), timeout)?;
        self.send(&position)?;
        self.send(&go)
    }

    /// Starts a search with lines written by the caller, `position …` and `go …`, sent in one go.
    /// Like [`Client::start_search`], for callers that play many moves: in a long game, the
    /// position's text can be extended move by move.
    ///
    /// Earlier output is discarded: a second `bestmove` of the previous search is no answer to this
    /// one.
    pub fn start_written_search(
        &mut self,
        position: &str,
        go: &str,
        timeout: Duration,
    ) -> Result<Instant, EngineError> {
        self.pass_over()?;
        self.session.begin_search(now(), timeout)?;
        self.send_lines(&[position, go])
    }

    /// Discards output that arrived while nobody was waiting.
    fn pass_over(&mut self) -> Result<(), EngineError> {
        self.process.read_ready().map_err(EngineError::Read)?;
        while let Some(line) = self.process.pop_line() {
            self.record(Direction::Received, line.at, &line.text);
            if !is_info(&line.text)
                && let Event::Surprise(Message::BestMove(best_move)) = self.session.line(&line.text)
            {
                self.passed_over.push(best_move);
            }
        }
        Ok(())
    }

    /// The best moves that [`Client::start_written_search`] has discarded since the last call.
    pub fn take_passed_over(&mut self) -> Vec<BestMove> {
        std::mem::take(&mut self.passed_over)
    }

    /// Sends `ponderhit`. The best move is due within `timeout`.
    pub fn ponderhit(&mut self, timeout: Duration) -> Result<Instant, EngineError> {
        let command = self.session.ponderhit(now(), timeout)?;
        self.send(&command)
    }

    /// Sends `stop`. The best move, due within `grace`, is returned by [`Client::next_event`].
    pub fn stop(&mut self, grace: Duration) -> Result<Instant, EngineError> {
        let command = self.session.stop(now(), grace)?;
        self.send(&command)
    }

    /// Waits for the next event, and returns it with the time when its line was read; `None` if
    /// there is none by `deadline`.
    ///
    /// # Errors
    ///
    /// When the engine ends or closes its output, an answer is overdue, or the work is cancelled.
    pub fn next_event(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<(Instant, Event)>, EngineError> {
        Ok(self.next_news(deadline)?.map(|news| match news {
            News::Event(at, event) => (at, event),
            News::Info(line) => (line.at, self.session.line(&line.text)),
        }))
    }

    /// Like [`Client::next_event`], but returns a line with `info` unparsed: parsing is
    /// the largest cost, and few of these lines are used.
    pub fn next_news(&mut self, deadline: Instant) -> Result<Option<News>, EngineError> {
        let due = self.session.deadline();
        let wake = due.map_or(deadline, |due| due.min(deadline));
        match self.next_line(wake)? {
            Received::Line(line) if is_info(&line.text) => Ok(Some(News::Info(line))),
            Received::Line(line) => Ok(Some(match self.session.line(&line.text) {
                // It stands behind unknown words.
                Event::Info(_) => News::Info(line),
                event => {
                    let at = line.at;
                    self.recycle(line);
                    News::Event(at, event)
                }
            })),
            Received::Cancelled => Err(EngineError::Cancelled),
            Received::Eof => Err(self.ended()),
            Received::TimedOut => match self.session.tick(wake) {
                Some((wait, after)) => Err(EngineError::TimedOut { wait, after }),
                None => Ok(None),
            },
        }
    }

    /// Takes back the memory of a line that is no longer needed, for later ones.
    pub fn recycle(&mut self, line: Line) {
        self.process.recycle(line);
    }

    /// Sends `quit`, waits for the engine's exit, and kills it if it still runs after `grace`.
    pub fn quit(mut self, grace: Duration) -> Farewell {
        let deadline = now_plus(grace);
        let command = self.session.quit(now(), grace);
        // The engine may have ended or may not read: then there is nothing to wait for, or it is
        // killed.
        let line = command.to_string();
        if let Ok(at) = self.process.send_line(&line, grace) {
            self.record(Direction::Sent, at, &line);
        }
        // An engine may have to flush its last output before it can exit.
        while let Ok(Received::Line(_)) = self.next_line(deadline) {}
        let exit = self.process.wait(deadline);
        Farewell {
            exit: exit.unwrap_or_else(|| self.process.kill()),
            was_killed: exit.is_none(),
        }
    }

    fn send(&mut self, command: &Command) -> Result<Instant, EngineError> {
        self.send_line(&command.to_string())
    }

    fn wait_for(&mut self, wanted: impl Fn(&Event) -> bool) -> Result<(), EngineError> {
        while !wanted(&self.next_session_event()?.1) {}
        Ok(())
    }

    /// Waits for the next event until the session's deadline.
    fn next_session_event(&mut self) -> Result<(Instant, Event), EngineError> {
        loop {
            // A session without a deadline waits forever: poll now and then.
            let deadline = self.session.deadline();
            let deadline = deadline.unwrap_or_else(|| now_plus(Duration::from_hours(1)));
            if let Some(event) = self.next_event(deadline)? {
                return Ok(event);
            }
        }
    }
}

fn is_info(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("info")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_and_when() {
        let wait = Wait::BestMoveAfterStop;
        let after = Duration::from_millis(1500);
        let waiting = Some(Wait::ReadyOk);
        let line = "a\nb".to_owned();
        let rows = rows![
            EngineError::Start {command: "nothing".to_owned(), source: io::ErrorKind::NotFound.into(),} =>
                "cannot start nothing: entity not found";
            EngineError::ClosedStdout { waiting } =>
                "the engine closed its standard output before readyok, but lives on";
            EngineError::ClosedStdout { waiting: None } =>
                "the engine closed its standard output, but lives on";
            EngineError::TimedOut { wait, after } => "no bestmove after stop within 1.5 s";
            EngineError::Cancelled => "cancelled";
            EngineError::Send(SendError::TimedOut { after }) =>
                "the engine did not read its standard input for 1.5 s";
            EngineError::Send(SendError::Closed) => "the engine has closed its standard input";
            EngineError::Send(SendError::LineBreak { line }) => "\"a\\nb\" is more than one line";
            EngineError::Read(io::ErrorKind::Other.into()) => "cannot read from the engine: other error";
        ];
        for (error, expected) in rows {
            assert_eq!(error.to_string(), expected);
        }
    }
}

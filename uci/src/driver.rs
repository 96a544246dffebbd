//! Driving an engine: process, protocol and transcript combined.
//!
//! [`Client`] is one running process, whichever protocol it speaks; [`crate::Engine`] starts it when it
//! is needed, and again after it has failed.
#![expect(
    clippy::missing_errors_doc,
    reason = "`EngineError` says how a call can fail; what is special is said"
)]

use std::io;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use regex_lite::Regex;

use crate::grammar::{BestMove, Command, EngineOption, Go, Message, PositionCommand};
use crate::process::{now, now_plus};
use crate::start::{EngineProtocol, Start};
use crate::transcript::{Recorder, log_line, log_remark};
use crate::xboard::{XboardCommand, XboardSession};
use crate::{
    Identity, Line, LineDirection, Process, ProcessExit, Received, SendError, Session,
    SessionError, SessionEvent, SessionState, Transcript, TranscriptLine, Wait, why_not_started,
};

/// Default time for an engine to read a line: it has nothing else to do.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// After so long without an answer to the greeting, an engine may be one of the other protocol.
const DOUBT: Duration = Duration::from_secs(10);
/// Time for an engine to exit after it has closed a pipe.
const DEATH_THROES: Duration = Duration::from_secs(3);

/// Time to read output that arrived while nobody was waiting.
const UNREAD: Duration = Duration::from_secs(1);
/// From a `feature` of an `XBoard` engine to the next, if neither `done=1` nor `done=0` has come.
const FEATURE_SILENCE: Duration = Duration::from_secs(2);

/// The option that switches a UCI engine to Chess960.
const CHESS960: &str = "UCI_Chess960";
/// The option by which a UCI engine learns that it will ponder.
const PONDER: &str = "Ponder";

/// More lines than any answer has, see [`Client::ask`].
const MOST_LINES: usize = 100_000;

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
pub enum EngineEvent {
    /// A line with `info`, not parsed.
    Info(Line),
    /// Any other line, with the time when it was read and its meaning.
    Event(Instant, SessionEvent),
}

/// How an engine ended after `quit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitReport {
    /// Exit code or signal.
    pub exit: ProcessExit,
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
    /// The reason is what the file shows, or the system's message.
    #[error("cannot start {command}: {reason}")]
    Start {
        command: String,
        reason: String,
        source: io::Error,
    },
    /// With its last words on standard error if it was being set up: a library or a file may be missing.
    #[error("the engine {exit}{}{}", before(*.waiting), behind(.last_words.as_ref()))]
    Ended {
        exit: ProcessExit,
        waiting: Option<Wait>,
        last_words: Option<String>,
    },
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
    #[error("more lines than an answer can have")]
    Endless,
    /// It does not answer the greeting of its protocol, but that of the other one.
    #[error("{}", wrong_protocol(*.speaks))]
    WrongProtocol { speaks: EngineProtocol },
    /// The engine is not started again, see [`crate::Engine`].
    #[error("not started again: {} failed", in_a_row(*.starts))]
    GivenUp { starts: u32 },
}

/// The line that ends the answer to [`Client::ask`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// `readyok`: the engine is sent `isready` behind the question.
    Ready,
    /// The `bestmove` of a search that the question starts; it is part of the answer.
    BestMove,
}

fn before(waiting: Option<Wait>) -> String {
    waiting.map_or(String::new(), |wait| format!(" before {wait}"))
}

fn in_a_row(starts: u32) -> String {
    match starts {
        1 => "its start has".to_owned(),
        starts => format!("{starts} starts in a row have"),
    }
}

fn behind(last_words: Option<&String>) -> String {
    last_words.map_or(String::new(), |words| format!(": {words}"))
}

const fn wrong_protocol(speaks: EngineProtocol) -> &'static str {
    match speaks {
        EngineProtocol::Xboard => "it speaks XBoard's protocol, not UCI",
        EngineProtocol::Uci | EngineProtocol::Lines => "it speaks UCI, not XBoard's protocol",
    }
}

/// The state machine of the protocol that an engine speaks.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each process")]
enum ProtocolSession {
    /// Also of engines that are only sent lines: their session stays in its first state.
    Uci(Session),
    Xboard(XboardSession),
}

/// Evaluates the same expression for the session of either protocol.
macro_rules! either {
    ($session:expr, $name:ident => $value:expr) => {
        match $session {
            ProtocolSession::Uci($name) => $value,
            ProtocolSession::Xboard($name) => $value,
        }
    };
}

/// A running engine, driven by its protocol or line by line.
///
/// ```no_run
/// # fn example() -> Result<(), uci::EngineError> {
/// use std::time::Duration;
/// use uci::{Client, CommandLine, Start};
/// use uci::grammar::{Go, PositionCommand};
///
/// let mut client = Client::start(&Start::new(CommandLine::new("my-engine")))?;
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
    session: ProtocolSession,
    recorder: Recorder,
    send_timeout: Duration,
    feature_silence: Duration,
    /// Whether the engine is prepared for Chess960; UCI: the value of `UCI_Chess960` that we have set.
    chess960: bool,
    ponders: bool,
    /// Best moves that were discarded.
    passed_over: Vec<BestMove>,
}

impl Client {
    /// Starts an engine and sends nothing to it.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(start: &Start) -> Result<Self, EngineError> {
        let recorder = Recorder::new(now());
        let process = Process::start(&start.command, start.cancel.clone());
        Ok(Self {
            process: process.map_err(|source| EngineError::Start {
                command: start.command.to_string(),
                reason: why_not_started(&start.command, &source),
                source,
            })?,
            session: match start.protocol {
                EngineProtocol::Uci | EngineProtocol::Lines => {
                    ProtocolSession::Uci(Session::default())
                }
                EngineProtocol::Xboard => ProtocolSession::Xboard(XboardSession::default()),
            },
            recorder,
            send_timeout: SEND_TIMEOUT,
            feature_silence: FEATURE_SILENCE,
            chess960: false,
            ponders: false,
            passed_over: Vec::new(),
        })
    }

    /// Sets how long the engine may take to read a line; 10 s by default.
    pub fn set_send_timeout(&mut self, timeout: Duration) {
        self.send_timeout = timeout;
    }

    /// Sets how long an `XBoard` engine may be silent between two features until it has no more, see
    /// [`XboardSession::handshake`]; 2 s by default.
    pub fn set_feature_silence(&mut self, silence: Duration) {
        self.feature_silence = silence;
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
        either!(&self.session, session => session.identity())
    }

    /// The engine's options; complete after the handshake.
    pub fn options(&self) -> &[EngineOption] {
        either!(&self.session, session => session.options())
    }

    /// Finds an option by name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        either!(&self.session, session => session.option(name))
    }

    /// Whether the engine can play Chess960, by its options or features.
    pub fn has_chess960(&self) -> bool {
        match &self.session {
            ProtocolSession::Uci(session) => session.option(CHESS960).is_some(),
            ProtocolSession::Xboard(session) => session.check(true, false).is_ok(),
        }
    }

    /// The state of the protocol.
    pub fn state(&self) -> SessionState {
        either!(&self.session, session => session.state())
    }

    /// Whether the engine can play another game without being restarted.
    pub fn can_be_reused(&self) -> bool {
        match &self.session {
            ProtocolSession::Uci(_) => true,
            ProtocolSession::Xboard(session) => session.can_be_reused(),
        }
    }

    /// Whether the engine ponders without being asked for it move by move.
    pub fn ponders_by_itself(&self) -> bool {
        self.ponders && matches!(self.session, ProtocolSession::Xboard(_))
    }

    /// Whether it has printed a line that begins like this, as far as the transcript is kept.
    pub fn has_printed(&self, begin: &str) -> bool {
        let is_printed = |entry: &TranscriptLine| {
            entry.direction == LineDirection::Received && entry.text.starts_with(begin)
        };
        self.transcript().entries().any(is_printed)
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
        self.sent(sent, lines)
    }

    /// Sends text verbatim, bypassing the session: part of a line, or other line ends.
    pub fn send_text(&mut self, text: &str) -> Result<Instant, EngineError> {
        let sent = self.process.send_text(text, self.send_timeout);
        self.sent(sent, &[text])
    }

    /// Records what was sent, also to an engine that has ended meanwhile: whether that is noticed
    /// before the last line or behind it is chance, and a transcript should not depend on it.
    fn sent(
        &mut self,
        sent: Result<Instant, SendError>,
        lines: &[&str],
    ) -> Result<Instant, EngineError> {
        let at = match &sent {
            Ok(at) => Some(*at),
            Err(SendError::Closed) => Some(now()),
            Err(_) => None,
        };
        if let Some(at) = at {
            for line in lines {
                self.record(LineDirection::Sent, at, line);
            }
        }
        sent.map_err(|error| self.not_sent(error))
    }

    /// Adds a remark about this engine to the log, which is no line of the dialogue.
    pub fn remark(&self, text: &str) {
        log_remark(self.process.id(), text);
    }

    /// Adds a line to the transcript and, for `--verbose`, to the log.
    fn record(&mut self, direction: LineDirection, at: Instant, text: &str) {
        log_line(self.process.id(), direction, text);
        self.recorder.push(direction, at, text);
    }

    /// The time from the start of the engine until now.
    pub(crate) fn age(&self) -> Duration {
        self.recorder.since_start(now())
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
            self.record(LineDirection::Received, line.at, &line.text);
        }
        Ok(received)
    }

    /// The error behind the end of the output ([`Received::Eof`]): the engine has ended, and how,
    /// or it has closed its output and is still running.
    pub fn ended(&mut self) -> EngineError {
        let waiting = either!(&self.session, session => session.waiting());
        let death = self.wait_for_death();
        if let ProtocolSession::Uci(session) = &mut self.session {
            session.eof();
        }
        death.unwrap_or(EngineError::ClosedStdout { waiting })
    }

    /// Closes the engine's input: nothing more can be sent.
    pub fn close_stdin(&mut self) {
        self.process.close_stdin();
    }

    /// Waits until the engine exits by itself, and returns how; `None` if it still runs at
    /// `deadline`.
    pub fn wait(&mut self, deadline: Instant) -> Option<ProcessExit> {
        self.process.wait(deadline)
    }

    /// Kills the engine with its children, and returns how it ended.
    pub fn kill(&mut self) -> ProcessExit {
        self.process.kill()
    }

    fn wait_for_death(&mut self) -> Option<EngineError> {
        let waiting = either!(&self.session, session => session.waiting());
        let exit = self.process.wait(now_plus(DEATH_THROES))?;
        // Of a search, the transcript has them; before the first there is often nothing else.
        // Or an engine that is driven line by line has printed nothing.
        let is_set_up = matches!(
            waiting,
            Some(Wait::UciOk | Wait::Features | Wait::ReadyOk | Wait::Pong)
        ) || waiting.is_none() && !self.has_printed("");
        Some(EngineError::Ended {
            exit,
            waiting,
            last_words: self.last_words().filter(|_| is_set_up),
        })
    }

    /// Its last line on standard error, except stack traces.
    pub(crate) fn last_words(&self) -> Option<String> {
        let stderr = self.process.stderr();
        let lines: Vec<&str> = stderr.iter().map(|line| line.text.as_str()).collect();
        last_words(&lines)
    }

    /// Sends `uci`, and waits for `uciok`; or `xboard` and `protover 2`, and waits for the features.
    ///
    /// # Errors
    ///
    /// As for every wait: when the engine ends, closes its output, or is late; when the work is
    /// cancelled; when the session is in the wrong state.
    pub fn handshake(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.greet(timeout)?;
        self.wait_while(SessionState::Handshaking)
    }

    /// Like [`Client::handshake`], for a program that may speak the other protocol: when ten seconds have
    /// gone by without an answer, it is started once more and asked. Otherwise the wait goes on, since a
    /// busy machine or a large network delays the first answer, too.
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`], and when the engine answers the greeting of the other protocol.
    pub fn first_handshake(&mut self, start: &Start, timeout: Duration) -> Result<(), EngineError> {
        self.greet(timeout)?;
        let greeted = self.wait_while_until(SessionState::Handshaking, now_plus(DOUBT));
        let is_silent = match &greeted {
            Ok(()) => self.state() == SessionState::Handshaking,
            Err(error) => matches!(error, EngineError::TimedOut { .. }),
        };
        if is_silent && let Some(speaks) = start.other_protocol() {
            return Err(EngineError::WrongProtocol { speaks });
        }
        greeted?;
        self.wait_while(SessionState::Handshaking)
    }

    fn greet(&mut self, timeout: Duration) -> Result<(), EngineError> {
        match &mut self.session {
            ProtocolSession::Uci(session) => {
                let command = session.handshake(now(), timeout)?;
                self.send(&command)?;
            }
            ProtocolSession::Xboard(session) => {
                let commands = session.handshake(now(), self.feature_silence, timeout)?;
                self.send_xboard(&commands)?;
            }
        }
        Ok(())
    }

    /// Sets an option; a button takes no value, or an empty one.
    ///
    /// # Errors
    ///
    /// When there is no such option, it rejects this value, or the engine does not read.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let line =
            either!(&mut self.session, session => session.set_option(name, value)?.to_string());
        self.send_line(&line)?;
        Ok(())
    }

    /// Prepares for standard chess or Chess960, if that changes: a UCI engine is sent the option
    /// `UCI_Chess960`, any other learns it with the next game.
    ///
    /// # Errors
    ///
    /// When the engine lacks the option or the feature, or does not read.
    pub fn set_chess960(&mut self, on: bool) -> Result<(), EngineError> {
        if self.chess960 != on {
            match &self.session {
                ProtocolSession::Uci(_) => {
                    self.set_option(CHESS960, Some(if on { "true" } else { "false" }))?;
                }
                ProtocolSession::Xboard(session) => session.check(on, false)?,
            }
            self.chess960 = on;
        }
        Ok(())
    }

    /// Checks that the engine can be given a node limit.
    ///
    /// # Errors
    ///
    /// When an `XBoard` engine lacks the feature `nps`.
    pub fn require_node_limit(&self) -> Result<(), EngineError> {
        match &self.session {
            ProtocolSession::Uci(_) => Ok(()),
            ProtocolSession::Xboard(session) => Ok(session.check(false, true)?),
        }
    }

    /// Lets the engine ponder in all following games.
    ///
    /// # Errors
    ///
    /// When a UCI engine lacks the option `Ponder`, or does not read.
    pub fn ponder(&mut self) -> Result<(), EngineError> {
        if matches!(self.session, ProtocolSession::Uci(_)) {
            self.set_option(PONDER, Some("true"))?;
        }
        self.ponders = true;
        Ok(())
    }

    /// Sends `isready`, and waits for `readyok`: then the engine has processed everything sent
    /// before, and all its earlier output has been discarded. For UCI.
    pub fn synchronise(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let command = self.uci("isready")?.synchronise(now(), timeout)?;
        self.send(&command)?;
        self.wait_while(SessionState::Synchronising)
    }

    /// Announces a game, and waits until the engine is ready.
    pub fn new_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.announce_game(timeout)?;
        self.wait_until_ready()
    }

    /// Announces a game without waiting; [`Client::wait_until_ready`] does that. This lets two
    /// engines prepare at the same time.
    pub fn announce_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        match &mut self.session {
            ProtocolSession::Uci(session) => {
                let new_game = session.new_game()?.to_string();
                let is_ready = session.synchronise(now(), timeout)?.to_string();
                self.send_lines(&[&new_game, &is_ready])?;
            }
            ProtocolSession::Xboard(session) => {
                let commands =
                    session.announce_game(self.chess960, self.ponders, now(), timeout)?;
                self.send_xboard(&commands)?;
            }
        }
        Ok(())
    }

    /// Waits for `readyok` or `pong`, if it is due. An answer that arrived in time counts, however
    /// late it is read.
    pub fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        either!(&mut self.session, session => session.put_off(now(), UNREAD));
        self.wait_while(SessionState::Synchronising)
    }

    /// Tells an `XBoard` engine that plays how the game has ended.
    pub fn end_game(&mut self, result: &str) -> Result<(), EngineError> {
        if let ProtocolSession::Xboard(session) = &mut self.session {
            let commands = session.end_game(result);
            if !commands.is_empty() {
                self.send_xboard(&commands)?;
            }
        }
        Ok(())
    }

    /// Sends a question line by line past the session, and returns the lines of its answer. A question
    /// may leave out what only some engines answer: `bestmove` must be sure to come.
    ///
    /// # Errors
    ///
    /// When the answer does not end within `timeout`, which counts from the last byte sent; when it has
    /// more than 100,000 lines; as for every wait.
    pub fn ask(
        &mut self,
        question: &[&str],
        until: Until,
        timeout: Duration,
    ) -> Result<Vec<String>, EngineError> {
        let mut lines = question.to_vec();
        let wait = match until {
            Until::Ready => Wait::ReadyOk,
            Until::BestMove => Wait::BestMove,
        };
        if until == Until::Ready {
            lines.push("isready");
        }
        let sent = self.send_lines(&lines)?;
        let deadline = sent + timeout;
        let mut answer = Vec::new();
        loop {
            match self.next_line(deadline)? {
                Received::Line(_) if answer.len() >= MOST_LINES => {
                    return Err(EngineError::Endless);
                }
                Received::Line(line) => match (until, Message::parse(&line.text)) {
                    (Until::Ready, Message::ReadyOk) => return Ok(answer),
                    (Until::BestMove, Message::BestMove(_)) => {
                        answer.push(line.text);
                        return Ok(answer);
                    }
                    _ => answer.push(line.text),
                },
                Received::Eof => return Err(self.ended()),
                Received::Cancelled => return Err(EngineError::Cancelled),
                Received::TimedOut => {
                    return Err(EngineError::TimedOut {
                        wait,
                        after: timeout,
                    });
                }
            }
        }
    }

    /// Searches, and waits for the best move. All other output is passed to `observe`, with the
    /// time when it was read. If the best move is late, [`Client::stop`] can still be called.
    pub fn go(
        &mut self,
        position: PositionCommand,
        go: Go,
        timeout: Duration,
        mut observe: impl FnMut(Instant, &SessionEvent),
    ) -> Result<Searched, EngineError> {
        let started = self.start_search(position, go, timeout)?;
        loop {
            let (ended, event) = self.next_session_event()?;
            match event {
                SessionEvent::BestMove { best_move, .. } => {
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
    /// move, due within `timeout`, is returned by [`Client::next_event`]. For UCI.
    pub fn start_search(
        &mut self,
        position: PositionCommand,
        go: Go,
        timeout: Duration,
    ) -> Result<Instant, EngineError> {
        let [position, go] = self.uci("go")?.go(position, go, now(), timeout)?;
        self.send(&position)?;
        self.send(&go)
    }

    /// Starts a search of a position given as the line `position …` of UCI, in whichever protocol.
    /// Like [`Client::start_search`], for callers that play many moves: in a long game, the
    /// position's text can be extended move by move.
    ///
    /// Earlier output is discarded, but claims count: a second `bestmove` of the previous search is no
    /// answer to this one.
    pub fn start_written_search(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<Instant, EngineError> {
        self.process.read_ready().map_err(EngineError::Read)?;
        while let Some(line) = self.process.pop_line() {
            self.record(LineDirection::Received, line.at, &line.text);
            if let EngineEvent::Event(_, SessionEvent::Surprise(Message::BestMove(best_move))) =
                self.read(line)?
            {
                self.passed_over.push(best_move);
            }
        }
        let sent = match &mut self.session {
            ProtocolSession::Uci(session) => {
                session.begin_search(now(), timeout)?;
                self.send_lines(&[position, &format!("go{go}")])?
            }
            ProtocolSession::Xboard(session) => {
                let Ok(Command::Position(position)) = position.parse() else {
                    let text = position.to_owned();
                    return Err(EngineError::Session(SessionError::NoPosition { text }));
                };
                let commands = session.go(&position, go, now(), timeout)?;
                self.send_xboard(&commands)?
            }
        };
        // The time counts from the last byte: we may have been stopped before it.
        either!(&mut self.session, session => session.put_off(sent, timeout));
        Ok(sent)
    }

    /// The best moves that [`Client::start_written_search`] has discarded since the last call.
    pub fn take_passed_over(&mut self) -> Vec<BestMove> {
        std::mem::take(&mut self.passed_over)
    }

    /// Sends `ponderhit`. The best move is due within `timeout`. For UCI.
    pub fn ponderhit(&mut self, timeout: Duration) -> Result<Instant, EngineError> {
        let command = self.uci("ponderhit")?.ponderhit(now(), timeout)?;
        self.send(&command)
    }

    /// Sends `stop`, or `?`. The best move, due within `grace`, is returned by [`Client::next_event`].
    pub fn stop(&mut self, grace: Duration) -> Result<Instant, EngineError> {
        let line = either!(&mut self.session, session => session.stop(now(), grace)?.to_string());
        self.send_line(&line)
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
    ) -> Result<Option<(Instant, SessionEvent)>, EngineError> {
        Ok(self.next_news(deadline)?.map(|news| match news {
            EngineEvent::Event(at, event) => (at, event),
            EngineEvent::Info(line) => match Message::parse(&line.text) {
                Message::Info(info) => (line.at, SessionEvent::Info(info)),
                message => (line.at, SessionEvent::Other(message)),
            },
        }))
    }

    /// Like [`Client::next_event`], but returns a line with `info` unparsed: parsing is
    /// the largest cost, and few of these lines are used. Thinking output of an `XBoard` engine comes as
    /// such a line, too.
    pub fn next_news(&mut self, deadline: Instant) -> Result<Option<EngineEvent>, EngineError> {
        let due = self.deadline();
        let wake = due.map_or(deadline, |due| due.min(deadline));
        match self.next_line(wake)? {
            Received::Line(line) => self.read(line).map(Some),
            Received::Cancelled => Err(EngineError::Cancelled),
            Received::Eof => Err(self.ended()),
            Received::TimedOut => {
                let overdue = match &mut self.session {
                    ProtocolSession::Uci(session) => session.tick(wake).map_or(Ok(None), Err),
                    ProtocolSession::Xboard(session) => session.tick(wake),
                };
                match overdue {
                    Ok(event) => Ok(event.map(|event| EngineEvent::Event(wake, event))),
                    Err((wait, after)) => Err(EngineError::TimedOut { wait, after }),
                }
            }
        }
    }

    /// Processes a line, and sends what it makes necessary.
    fn read(&mut self, mut line: Line) -> Result<EngineEvent, EngineError> {
        let event = match &mut self.session {
            ProtocolSession::Uci(_) if is_info(&line.text) => return Ok(EngineEvent::Info(line)),
            ProtocolSession::Uci(session) => match session.line(&line.text) {
                // It stands behind unknown words.
                SessionEvent::Info(_) => return Ok(EngineEvent::Info(line)),
                event => event,
            },
            ProtocolSession::Xboard(session) => {
                let event = session.line(&line.text, line.at);
                let replies = session.take_replies();
                if !replies.is_empty() {
                    self.send_xboard(&replies)?;
                }
                if let SessionEvent::Info(info) = event {
                    line.text = format!("info{info}");
                    return Ok(EngineEvent::Info(line));
                }
                event
            }
        };
        let at = line.at;
        self.recycle(line);
        Ok(EngineEvent::Event(at, event))
    }

    /// Takes back the memory of a line that is no longer needed, for later ones.
    pub fn recycle(&mut self, line: Line) {
        self.process.recycle(line);
    }

    /// Sends `quit`, waits for the engine's exit, and kills it if it still runs after `grace`.
    pub fn quit(mut self, grace: Duration) -> ExitReport {
        let deadline = now_plus(grace);
        if let ProtocolSession::Uci(session) = &mut self.session {
            session.quit(now(), grace);
        }
        // The engine may have ended or may not read: then there is nothing to wait for, or it is
        // killed.
        if let Ok(at) = self.process.send_line("quit", grace) {
            self.record(LineDirection::Sent, at, "quit");
        }
        // An engine may have to flush its last output before it can exit.
        while let Ok(Received::Line(_)) = self.next_line(deadline) {}
        let exit = self.process.wait(deadline);
        ExitReport {
            exit: exit.unwrap_or_else(|| self.process.kill()),
            was_killed: exit.is_none(),
        }
    }

    fn send(&mut self, command: &Command) -> Result<Instant, EngineError> {
        self.send_line(&command.to_string())
    }

    fn send_xboard(&mut self, commands: &[XboardCommand]) -> Result<Instant, EngineError> {
        let lines: Vec<String> = commands.iter().map(ToString::to_string).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        self.send_lines(&lines)
    }

    /// The session of UCI, for a command that `XBoard`'s protocol does not have.
    fn uci(&mut self, command: &'static str) -> Result<&mut Session, SessionError> {
        match &mut self.session {
            ProtocolSession::Uci(session) => Ok(session),
            ProtocolSession::Xboard(session) => {
                let state = session.state();
                Err(SessionError::OutOfTurn { command, state })
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        either!(&self.session, session => session.deadline())
    }

    fn wait_while(&mut self, state: SessionState) -> Result<(), EngineError> {
        while self.state() == state {
            let deadline = self.deadline().unwrap_or_else(in_an_hour);
            self.next_news(deadline)?;
        }
        Ok(())
    }

    fn wait_while_until(&mut self, state: SessionState, end: Instant) -> Result<(), EngineError> {
        while self.state() == state && now() < end {
            let deadline = self.deadline().map_or(end, |deadline| deadline.min(end));
            self.next_news(deadline)?;
        }
        Ok(())
    }

    /// Waits for the next event until the session's deadline.
    fn next_session_event(&mut self) -> Result<(Instant, SessionEvent), EngineError> {
        loop {
            let deadline = self.deadline().unwrap_or_else(in_an_hour);
            if let Some(event) = self.next_event(deadline)? {
                return Ok(event);
            }
        }
    }
}

/// When to look again at a session without a deadline, which waits forever.
fn in_an_hour() -> Instant {
    now_plus(Duration::from_hours(1))
}

/// The last line that says something, fit for a terminal.
fn last_words(lines: &[&str]) -> Option<String> {
    let says_something = |line: &&&str| !line.trim().is_empty() && !TRACE.is_match(line);
    let last = lines.iter().rev().find(says_something)?.trim();
    let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    Some(last.chars().map(printable).take(MOST_WORDS).collect())
}

/// Longest quotation of standard error, in characters.
const MOST_WORDS: usize = 300;

/// Lines that follow the error messages of Rust and Java.
static TRACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:note: |stack backtrace:|\s+\d+: |\s+at )").expect("the pattern is well formed")
});

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
            EngineError::Start {
                command: "nothing".to_owned(), reason: "gone".to_owned(), source: io::ErrorKind::NotFound.into(),
            } => "cannot start nothing: gone";
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

    #[test]
    fn last_words_come_before_the_trace() {
        let words = |text: &str| last_words(&text.lines().collect::<Vec<_>>());
        for (text, expected) in rows![
            "thread 'main' panicked at a.rs:1:1:\nno king\nnote: run with `RUST_BACKTRACE=1`\n" => "no king";
            "thread 'main' panicked at a.rs:1:1:\nno king\nstack backtrace:\n   0: std::panic\n             at /a.rs:3\n" =>
                "no king";
            "terminate called\n  what():  no king\n\n" => "what():  no king";
            "Exception in thread \"main\" NoKing\n\tat A.main(A.java:3)" =>
                "Exception in thread \"main\" NoKing";
            "  File \"a.py\", line 1\nKeyError: 'k'" => "KeyError: 'k'";
        ] {
            assert_eq!(words(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(words("\n"), None);
    }
}

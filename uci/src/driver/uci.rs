//! Driving an engine by UCI.

use std::time::{Duration, Instant};

use super::Client;
use crate::grammar::{BestMove, Command, Go, Message, PositionCommand};
use crate::process::{now, now_plus};
use crate::{Direction, EngineError, Event, Exit, Line, Received, State};

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
    /// A line that begins with `info`, not parsed.
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

impl Client {
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
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`].
    pub fn synchronise(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let command = self.session.synchronise(now(), timeout)?;
        self.send(&command)?;
        self.wait_for(|event| matches!(event, Event::Ready))
    }

    /// Sends `ucinewgame`, and waits until the engine is ready.
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`].
    pub fn new_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.announce_game(timeout)?;
        self.wait_until_ready()
    }

    /// Sends `ucinewgame` without waiting; [`Client::wait_until_ready`] does that. This lets two
    /// engines prepare at the same time.
    ///
    /// # Errors
    ///
    /// When the engine has ended, does not read, or is not idle.
    pub fn announce_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let new_game = self.session.new_game()?.to_string();
        let is_ready = self.session.synchronise(now(), timeout)?.to_string();
        self.send_lines(&[&new_game, &is_ready])?;
        Ok(())
    }

    /// Waits for `readyok`, if `isready` has not been answered yet. An answer that arrived in time
    /// counts, however late it is read.
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`].
    pub fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        if self.session.state() == State::Synchronising {
            self.session.put_off(now(), UNREAD);
            self.wait_for(|event| matches!(event, Event::Ready))?;
        }
        Ok(())
    }

    /// Searches, and waits for the best move. All other output is passed to `observe`, with the
    /// time when it was read. If the best move is late, [`Client::stop`] can still be called.
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`].
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
    ///
    /// # Errors
    ///
    /// When the engine has ended, does not read, or is not idle.
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
    ///
    /// # Errors
    ///
    /// As for [`Client::start_search`].
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
            self.transcript
                .push(Direction::Received, line.at, &line.text);
            if !is_info(&line.text)
                && let Event::Surprise {
                    message: Message::BestMove(best_move),
                    ..
                } = self.session.line(&line.text)
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
    ///
    /// # Errors
    ///
    /// When the engine has ended, does not read, or is not searching.
    pub fn ponderhit(&mut self, timeout: Duration) -> Result<Instant, EngineError> {
        let command = self.session.ponderhit(now(), timeout)?;
        self.send(&command)
    }

    /// Sends `stop`. The best move, due within `grace`, is returned by [`Client::next_event`].
    ///
    /// # Errors
    ///
    /// When the engine has ended, does not read, or is not searching.
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

    /// Like [`Client::next_event`], but returns a line that begins with `info` unparsed: parsing is
    /// the largest cost, and few of these lines are used.
    ///
    /// # Errors
    ///
    /// As for [`Client::next_event`].
    pub fn next_news(&mut self, deadline: Instant) -> Result<Option<News>, EngineError> {
        let due = self.session.deadline();
        let wake = due.map_or(deadline, |due| due.min(deadline));
        match self.next_line(wake)? {
            Received::Line(line) if is_info(&line.text) => Ok(Some(News::Info(line))),
            Received::Line(line) => {
                let event = self.session.line(&line.text);
                Ok(Some(News::Event(line.at, event)))
            }
            Received::Cancelled => Err(EngineError::Cancelled),
            Received::Eof => Err(self.ended()),
            Received::TimedOut => match self.session.tick(wake) {
                Some(Event::TimedOut { wait, after }) => Err(EngineError::TimedOut { wait, after }),
                _ => Ok(None),
            },
        }
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
        match self.process.wait(deadline) {
            Some(exit) => Farewell {
                exit,
                was_killed: false,
            },
            None => Farewell {
                exit: self.process.kill(),
                was_killed: true,
            },
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

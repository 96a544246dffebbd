//! Driving an engine by UCI.

use std::time::{Duration, Instant};

use super::Client;
use crate::grammar::{BestMove, Command, Go, Message, PositionCommand};
use crate::process::{now, now_plus};
use crate::{Direction, EngineError, Event, Exit, Line, Received, State};

/// How long it may take to read what has come while nobody looked.
const UNREAD: Duration = Duration::from_secs(1);

/// A search that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// What it found.
    pub best_move: BestMove,
    /// When the last byte of `go` went out.
    pub started: Instant,
    /// When `bestmove` was read.
    pub ended: Instant,
}

/// What comes from an engine that is driven by [`Client::next_news`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A line that begins with `info`, unread.
    Info(Line),
    /// Any other, with the time when it was read and what it means.
    Event(Instant, Event),
}

/// How an engine ended that was asked to quit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Farewell {
    /// How it ended.
    pub exit: Exit,
    /// Whether it had to be killed.
    pub was_killed: bool,
}

impl Client {
    /// Says `uci`, and waits for `uciok`.
    ///
    /// # Errors
    ///
    /// As for every wait: when the engine ends, closes its output, or is late; when the work is
    /// cancelled; when this is not the time for it.
    pub fn handshake(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let command = self.session.handshake(now(), timeout)?;
        self.send(&command)?;
        self.wait_for(|event| matches!(event, Event::HandshakeDone))
    }

    /// Sets an option; a button takes no value.
    ///
    /// # Errors
    ///
    /// When there is no such option, it does not take this value, or the engine does not read.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let command = self.session.set_option(name, value)?;
        self.send(&command)?;
        Ok(())
    }

    /// Says `isready`, and waits for `readyok`: then all that was sent before has been dealt with,
    /// and whatever else the engine had printed has been passed over.
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`].
    pub fn synchronise(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let command = self.session.synchronise(now(), timeout)?;
        self.send(&command)?;
        self.wait_for(|event| matches!(event, Event::Ready))
    }

    /// Announces another game, and waits until the engine has prepared for it.
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`].
    pub fn new_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.announce_game(timeout)?;
        self.wait_until_ready()
    }

    /// Announces another game, and waits for nothing: [`Client::wait_until_ready`] does. So two
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

    /// Waits for `readyok`, if `isready` has been sent and not been answered. An answer that has come
    /// in time counts, however late it is looked for.
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

    /// Searches, and waits for the best move. All else that comes meanwhile is shown to `observe`,
    /// with the time when it was read. When the best move is late, [`Client::stop`] can still be
    /// called.
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

    /// Begins a search, and gives the time at which the last byte of `go` went out. The best
    /// move, due within `timeout`, comes out of [`Client::next_event`].
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

    /// Begins a search by lines the caller has written, `position …` and `go …`, sent at once. As
    /// [`Client::start_search`], for those who play many moves: of a long game the text of the
    /// position is made a move at a time.
    ///
    /// What has come by then is passed over: a second `bestmove` of the search before is no answer to
    /// this one.
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

    /// Takes what has come while nothing was waited for.
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

    /// The best moves that [`Client::start_written_search`] has passed over since this was last asked.
    pub fn take_passed_over(&mut self) -> Vec<BestMove> {
        std::mem::take(&mut self.passed_over)
    }

    /// Says that the move pondered on was played. The best move is due within `timeout`.
    ///
    /// # Errors
    ///
    /// When the engine has ended, does not read, or does not search.
    pub fn ponderhit(&mut self, timeout: Duration) -> Result<Instant, EngineError> {
        let command = self.session.ponderhit(now(), timeout)?;
        self.send(&command)
    }

    /// Says `stop`. The best move, due within `grace`, comes out of [`Client::next_event`].
    ///
    /// # Errors
    ///
    /// When the engine has ended, does not read, or does not search.
    pub fn stop(&mut self, grace: Duration) -> Result<Instant, EngineError> {
        let command = self.session.stop(now(), grace)?;
        self.send(&command)
    }

    /// Waits for the next event, and gives it with the time when its line was read; nothing if none
    /// has come by `deadline`.
    ///
    /// # Errors
    ///
    /// When the engine ends or closes its output, what is waited for is overdue, or the work is
    /// cancelled.
    pub fn next_event(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<(Instant, Event)>, EngineError> {
        Ok(self.next_news(deadline)?.map(|news| match news {
            News::Event(at, event) => (at, event),
            News::Info(line) => (line.at, self.session.line(&line.text)),
        }))
    }

    /// As [`Client::next_event`], but gives a line that begins with `info` as it is: to read one
    /// costs more than all else, and few are wanted.
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

    /// Asks the engine to quit, waits for its end, and kills it if it lives on after `grace`.
    pub fn quit(mut self, grace: Duration) -> Farewell {
        let deadline = now_plus(grace);
        let command = self.session.quit(now(), grace);
        // It may be dead or deaf: then there is nothing to wait for, or it will be killed.
        let line = command.to_string();
        if let Ok(at) = self.process.send_line(&line, grace) {
            self.transcript.push(Direction::Sent, at, &line);
        }
        // An engine may have to get rid of its last words before it can end.
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

    /// Waits for the next event as long as the session does.
    fn next_session_event(&mut self) -> Result<(Instant, Event), EngineError> {
        loop {
            // A session without a deadline waits for ever: look again now and then.
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

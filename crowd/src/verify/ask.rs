//! The edge: an engine that is asked for its moves by `go perft 1`.

use std::time::{Duration, Instant};

use engine::client::{Cancel, Client, CommandLine, EngineError, Received};
use engine::notation::fen;
use engine::rules::{CastlingMode, Position};

use super::divide::{Divide, Row};

/// How long an engine may take to start, and to prepare.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to quit.
const FAREWELL: Duration = Duration::from_secs(1);
/// An engine whose answers have no end of their own has said all when it has been silent for so long.
const SILENCE: Duration = Duration::from_secs(1);
/// More lines than any answer has.
const MOST_LINES: usize = 10_000;

/// How an engine is started.
#[derive(Clone, Debug)]
pub struct Start {
    /// What to run.
    pub command: CommandLine,
    /// UCI options to set, with their values.
    pub options: Vec<(String, String)>,
    /// How long it may take for a position.
    pub timeout: Duration,
    /// Ends every wait.
    pub cancel: Cancel,
}

/// Why there is no list.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// It ended, was late, or could not be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It did not come to the end of its list.
    #[error("no answer to go perft 1 within {} s", .0.as_secs_f64())]
    Late(Duration),
    /// It searched instead, or said nothing with moves.
    #[error("the engine answers no go perft 1: {0}")]
    NoPerft(&'static str),
    /// It says more than an answer can be.
    #[error("the engine printed more than {MOST_LINES} lines in answer to go perft 1")]
    Endless,
    /// It has no option for Chess960.
    #[error("the engine has no option UCI_Chess960")]
    NoChess960,
}

/// An engine that lists moves.
pub struct Asker<'a> {
    start: &'a Start,
    client: Client,
    mode: CastlingMode,
    style: Style,
}

/// How it is known that an answer is whole. `readyok` does not tell: Stockfish, for one, counts in a thread, and may
/// say it first or last.
enum Style {
    /// It is not known yet.
    Unknown,
    /// It ends with a total in these words.
    Total(String),
    /// The engine falls silent.
    Silence,
}

/// An answer as far as it has come.
#[derive(Default)]
struct Answer {
    rows: Vec<Row>,
    lines: usize,
    /// The words of the total, where no row came behind it.
    total: Option<String>,
    is_ready: bool,
}

impl<'a> Asker<'a> {
    /// Starts an engine, and sees whether it lists the moves of the start position.
    ///
    /// # Errors
    ///
    /// When it does not start, does not take an option, or does not know `go perft 1`.
    pub fn start(start: &'a Start) -> Result<Self, AskError> {
        let mut client = Client::start(&start.command, start.cancel.clone())?;
        client.handshake(PATIENCE)?;
        for (name, value) in &start.options {
            client.set_option(name, Some(value))?;
        }
        client.new_game(PATIENCE)?;
        let mut asker = Self {
            start,
            client,
            mode: CastlingMode::Standard,
            style: Style::Unknown,
        };
        let answer = asker.divide("startpos")?;
        if answer.rows.is_empty() {
            let instead = "it printed no line such as e2e4: 1";
            return Err(AskError::NoPerft(instead));
        }
        asker.style = answer.total.map_or(Style::Silence, Style::Total);
        Ok(asker)
    }

    /// What the engine calls itself.
    pub fn name(&self) -> Option<&str> {
        self.client.id().name.as_deref()
    }

    /// The engine's list for a position.
    ///
    /// # Errors
    ///
    /// When it ends, is late or says too much. It should be started anew then.
    pub fn list(&mut self, position: &Position) -> Result<Vec<Row>, AskError> {
        self.set_mode(position.castling_mode())?;
        let answer = self.divide(&format!("fen {}", fen::write(position)))?;
        Ok(answer.rows)
    }

    /// Tells it to quit.
    pub fn quit(self) {
        self.client.quit(FAREWELL);
    }

    fn set_mode(&mut self, mode: CastlingMode) -> Result<(), AskError> {
        if self.mode == mode {
            return Ok(());
        }
        if self.client.option("UCI_Chess960").is_none() {
            return Err(AskError::NoChess960);
        }
        let value = (mode == CastlingMode::Chess960).to_string();
        self.client.set_option("UCI_Chess960", Some(&value))?;
        self.client.synchronise(PATIENCE)?;
        self.mode = mode;
        Ok(())
    }

    /// Asks, and listens until all is said or the time is over.
    fn divide(&mut self, position: &str) -> Result<Answer, AskError> {
        let position = format!("position {position}");
        self.client
            .send_lines(&[&position, "go perft 1", "isready"])?;
        let deadline = now() + self.start.timeout;
        let mut answer = Answer::default();
        loop {
            let end = self.end_of(&answer);
            let until = match end {
                End::Now => return Ok(answer),
                End::AfterSilence => deadline.min(now() + SILENCE),
                End::Later => deadline,
            };
            match self.client.next_line(until)? {
                Received::Line(line) => answer.take(&line.text)?,
                Received::TimedOut if self.is_enough(&answer, end) => return Ok(answer),
                Received::TimedOut => return Err(AskError::Late(self.start.timeout)),
                Received::Cancelled => return Err(EngineError::Cancelled.into()),
                Received::Eof => return Err(self.client.ended().into()),
            }
        }
    }

    /// Whether an engine that says no more has said all: so it has too where it does not know the question.
    fn is_enough(&self, answer: &Answer, end: End) -> bool {
        end == End::AfterSilence || matches!(self.style, Style::Unknown) && answer.is_ready
    }

    fn end_of(&self, answer: &Answer) -> End {
        match &self.style {
            _ if !answer.is_ready => End::Later,
            Style::Unknown if answer.rows.is_empty() => End::Later,
            Style::Unknown | Style::Silence => End::AfterSilence,
            Style::Total(words) if answer.total.as_ref() == Some(words) => End::Now,
            Style::Total(_) => End::Later,
        }
    }
}

impl Answer {
    fn take(&mut self, line: &str) -> Result<(), AskError> {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Err(AskError::Endless);
        }
        match Divide::parse(line) {
            Divide::Row(row) => {
                self.rows.push(row);
                self.total = None;
            }
            Divide::Total(words) => self.total = Some(words),
            Divide::Search => return Err(AskError::NoPerft("it searches instead")),
            Divide::Ready => self.is_ready = true,
            Divide::Other => {}
        }
        Ok(())
    }
}

/// When an answer is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Now,
    AfterSilence,
    Later,
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}

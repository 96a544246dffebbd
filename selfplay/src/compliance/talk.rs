//! Talking with one process of the engine: every wait has a deadline, and what is heard is bounded.

use std::time::{Duration, Instant};

use uci::grammar::EngineOption;
use uci::{Client, Direction, EngineError, Exit, Line, Received, Transcript};

use super::finding::{Finding, Objection, demand, finding};
use super::judge::answer::{self, Answer};
use super::judge::options;
use super::question::Question;
use super::subject::{Patience, Subject};

/// The most that is listened to before one answer, in bytes.
const MOST_OUTPUT: usize = 64 << 20;

/// A talk with a fresh process.
pub(super) struct Talk<'a> {
    client: Client,
    subject: &'a Subject,
    /// What was said between `uci` and `uciok`.
    introduction: Vec<String>,
}

/// What was heard up to a line that was waited for.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) before: Vec<Line>,
    pub(super) line: Line,
}

/// A search that was answered rightly.
#[derive(Debug)]
pub(super) struct Searched {
    /// Its lines of `info`, and whatever else came before the answer.
    pub(super) before: Vec<Line>,
    pub(super) answer: Answer,
    /// From our last byte to the answer.
    pub(super) took: Duration,
}

impl Searched {
    /// The lines of `info`.
    pub(super) fn infos(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.before.iter().filter(|line| is(line, "info"))
    }
}

impl<'a> Talk<'a> {
    /// Starts the engine, and says nothing to it.
    pub(super) fn start(subject: &'a Subject) -> Result<Self, EngineError> {
        let mut client = Client::start(&subject.command, subject.cancel.clone())?;
        client.set_send_timeout(subject.patience.answer);
        Ok(Self {
            client,
            subject,
            introduction: Vec::new(),
        })
    }

    /// How long is waited for what.
    pub(super) fn patience(&self) -> Patience {
        self.subject.patience
    }

    /// All that was said.
    pub(super) fn transcript(&self) -> Transcript {
        self.client.transcript()
    }

    /// The engine's process and its group.
    pub(super) fn process_id(&self) -> u32 {
        self.client.process().id()
    }

    /// What the engine has written to standard error.
    pub(super) fn stderr(&self) -> Vec<String> {
        let transcript = self.client.transcript();
        let complaints = transcript
            .entries()
            .filter(|entry| entry.direction == Direction::Stderr);
        complaints.map(|entry| entry.text.clone()).collect()
    }

    // What is said.

    pub(super) fn say(&mut self, line: &str) -> Result<Instant, Objection> {
        Ok(self.client.send_line(line)?)
    }

    /// Says lines in one write.
    pub(super) fn say_at_once(&mut self, lines: &[&str]) -> Result<Instant, Objection> {
        Ok(self.client.send_lines(lines)?)
    }

    /// Says a text that has its line ends in it.
    pub(super) fn say_as_it_is(&mut self, text: &str) -> Result<Instant, Objection> {
        Ok(self.client.send_text(text)?)
    }

    pub(super) fn close_stdin(&mut self) {
        self.client.close_stdin();
    }

    /// Ends the engine.
    pub(super) fn kill(&mut self) {
        self.client.kill();
    }

    // What is heard.

    /// Listens until a line comes that begins with `word`.
    pub(super) fn hear(&mut self, word: &str, within: Duration) -> Result<Heard, Objection> {
        let deadline = now() + within;
        let mut before = Vec::new();
        let mut bytes = 0;
        while let Some(line) = self.next(deadline)? {
            if is(&line, word) {
                return Ok(Heard { before, line });
            }
            bytes += line.text.len() + line.cut;
            demand(bytes <= MOST_OUTPUT, || {
                format!("no {word}, but more than 64 MiB of other output")
            })?;
            before.push(line);
        }
        let within = within.as_secs_f64();
        Err(Objection::Fault(format!("no {word} within {within} s")))
    }

    /// Listens for a time, and gives all that came.
    pub(super) fn listen(&mut self, time: Duration) -> Result<Vec<Line>, Objection> {
        let deadline = now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.next(deadline)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// The next line; nothing if none has come by the deadline.
    fn next(&mut self, deadline: Instant) -> Result<Option<Line>, Objection> {
        match self.client.next_line(deadline)? {
            Received::Line(line) => Ok(Some(line)),
            Received::TimedOut => Ok(None),
            Received::Cancelled => Err(Objection::Cancelled),
            Received::Eof => Err(self.client.ended().into()),
        }
    }

    // The steps that most checks are made of.

    /// Says `uci`, sets the options that the user has asked for, and waits until all is done.
    pub(super) fn greet(&mut self) -> Finding {
        self.introduce()?;
        for (name, value) in &self.subject.options {
            if self.option(name).is_none() {
                let what = format!("the engine has no option '{name}'");
                return Err(Objection::Misuse(what));
            }
            self.say(&set_option(name, value.as_deref()))?;
        }
        self.ready()?;
        Ok(())
    }

    /// Says `uci` and hears the introduction.
    pub(super) fn introduce(&mut self) -> Result<&[String], Objection> {
        self.say("uci")?;
        let heard = self.hear("uciok", self.patience().answer)?;
        self.introduction = heard.before.into_iter().map(|line| line.text).collect();
        Ok(&self.introduction)
    }

    /// What was said between `uci` and `uciok`.
    pub(super) fn introduction(&self) -> &[String] {
        &self.introduction
    }

    /// The option of this name, whatever its case.
    pub(super) fn option(&self, name: &str) -> Option<EngineOption> {
        options::declared(&self.introduction)
            .into_iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    pub(super) fn set(&mut self, name: &str, value: &str) -> Finding {
        self.say(&set_option(name, Some(value)))?;
        Ok(())
    }

    /// Says `isready`, waits for `readyok`, and gives what came before.
    pub(super) fn ready(&mut self) -> Result<Vec<Line>, Objection> {
        self.say("isready")?;
        let heard = self.hear("readyok", self.patience().answer)?;
        Ok(heard.before)
    }

    /// The engine lives, and has not said `bestmove` meanwhile.
    pub(super) fn ready_without_bestmove(&mut self) -> Finding {
        no_bestmove(&self.ready()?)
    }

    pub(super) fn new_game(&mut self) -> Finding {
        self.say("ucinewgame")?;
        self.ready_without_bestmove()
    }

    /// Begins a search.
    pub(super) fn begin(&mut self, question: &Question, go: &str) -> Result<Instant, Objection> {
        self.say(question.line())?;
        self.say(go)
    }

    /// Waits for the one legal answer to what was begun at `since`.
    pub(super) fn answer(
        &mut self,
        question: &Question,
        since: Instant,
    ) -> Result<Searched, Objection> {
        let heard = self.hear("bestmove", self.patience().answer)?;
        let took = heard.line.at.saturating_duration_since(since);
        Ok(Searched {
            before: heard.before,
            answer: finding(answer::read(question, &heard.line.text))?,
            took,
        })
    }

    /// Searches: one legal answer, and no second one.
    pub(super) fn search(&mut self, question: &Question, go: &str) -> Result<Searched, Objection> {
        let since = self.begin(question, go)?;
        let searched = self.answer(question, since)?;
        self.ready_without_bestmove()?;
        Ok(searched)
    }

    /// Reads on until the engine has ended, and says how; nothing if it lives on after `within`.
    pub(super) fn wait_for_end(&mut self, within: Duration) -> Result<Option<Exit>, Objection> {
        let deadline = now() + within;
        loop {
            match self.client.next_line(deadline)? {
                Received::Line(_) => {}
                Received::Cancelled => return Err(Objection::Cancelled),
                Received::TimedOut | Received::Eof => return Ok(self.client.wait(deadline)),
            }
        }
    }
}

/// `setoption`; a button takes no value.
pub(super) fn set_option(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

/// Whether the line begins with this word.
pub(super) fn is(line: &Line, word: &str) -> bool {
    line.text.split_ascii_whitespace().next() == Some(word)
}

/// None of the lines is a `bestmove`.
pub(super) fn no_bestmove(lines: &[Line]) -> Finding {
    let bestmove = lines.iter().find(|line| is(line, "bestmove"));
    demand(bestmove.is_none(), || {
        let text = bestmove.map_or("", |line| &line.text);
        format!("'{text}' came unasked for")
    })
}

#[expect(clippy::disallowed_methods, reason = "deadlines are met here")]
pub(super) fn now() -> Instant {
    Instant::now()
}

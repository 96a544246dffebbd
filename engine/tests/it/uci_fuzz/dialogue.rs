//! One dialogue from start to end.

use std::time::Duration;

use chacha20::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use uci::grammar::{Command, EngineOption, Message};

use super::crowd::Crowd;
use super::dirt::soil;
use super::lines::random_line;
use super::model::{Answer, Expected, Model, Work};
use crate::talk::{Fault, Heard, Talk};

/// Time for what must come.
const PATIENCE: Duration = testkit::HANG;
/// Time for what may come.
const GLANCE: Duration = Duration::from_millis(15);
/// More than this of a resource is not asked for: the test must fit into any machine.
const MOST: [(&str, u32); 2] = [("hash", 16), ("threads", 4)];

/// A dialogue under way.
pub(crate) struct Dialogue {
    talk: Talk,
    model: Model,
    rng: ChaCha8Rng,
}

/// The options that an engine declares.
pub(crate) fn declared_options(talk: &mut Talk) -> Result<Vec<EngineOption>, Fault> {
    talk.send(b"uci\n");
    let mut options = Vec::new();
    loop {
        match Message::parse(&must_hear(talk)?) {
            Message::Option(option) => options.push(option),
            Message::UciOk => return Ok(options),
            _ => {}
        }
    }
}

fn must_hear(talk: &mut Talk) -> Result<String, Fault> {
    match talk.listen(PATIENCE)? {
        Heard::Line(line) => Ok(line),
        Heard::Silence => Err(format!("silence for {PATIENCE:?}")),
        Heard::End => Err("the output has ended".to_owned()),
    }
}

impl Dialogue {
    /// An engine that has just started, and what it will be sent, which `seed` decides.
    pub(crate) fn new(talk: Talk, options: Vec<EngineOption>, seed: u64) -> Self {
        Self {
            talk,
            model: Model::new(options),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// All that was said.
    pub(crate) fn text(&mut self) -> &str {
        self.talk.dialogue()
    }

    /// Sends line after line, each answered before the next, and ends.
    pub(crate) fn step_by_step(&mut self) -> Result<(), Fault> {
        for _ in 0..self.rng.random_range(1..40) {
            let line = self.next_line();
            let expected = self.model.expect(&line);
            if let Expected::Quit = expected {
                self.talk.send(&[&line, &b"\n"[..]].concat());
                return self.leave(false);
            }
            let end: &[u8] = pick(&[b"\nisready\n", b"\nisready\n", b"\r\nisready\r\n"], self);
            self.talk.send(&[&line, end].concat());
            let asked = 1 + usize::from(parse(&line) == Some(Command::IsReady));
            let answer = self.listen_until_ready(asked)?;
            self.model.settle(&expected, &answer)?;
            self.listen_at_random()?;
        }
        self.take_leave()
    }

    /// Sends many lines at once, in pieces of any length, and ends. What came first is
    /// then uncertain, and less can be held against the engine.
    pub(crate) fn all_at_once(&mut self) -> Result<(), Fault> {
        let mut crowd = Crowd::default();
        let mut bytes = Vec::new();
        for _ in 0..self.rng.random_range(1..40) {
            let line = self.next_line();
            if let Expected::Quit = self.model.expect(&line) {
                continue;
            }
            self.model.works.clear();
            crowd.note(&line, &self.model);
            bytes.extend(line);
            bytes.push(b'\n');
        }
        bytes.extend(b"stop\nisready\n");
        crowd.note(b"isready", &self.model);
        self.talk
            .send_in_pieces(&bytes, |left| self.rng.random_range(1..=left));
        while crowd.waits() {
            crowd.hear(&must_hear(&mut self.talk)?)?;
        }
        self.talk.send(b"quit\n");
        while let Heard::Line(line) = self.talk.listen(PATIENCE)? {
            crowd.hear(&line)?;
        }
        crowd.settle()?;
        self.expect_exit()
    }

    /// A line, every fourth of them dirty.
    fn next_line(&mut self) -> Vec<u8> {
        loop {
            let line = random_line(&self.model, &mut self.rng);
            let line = match self.rng.random_range(0..4) {
                0 => soil(&line, &mut self.rng),
                _ => line.into_bytes(),
            };
            if !is_greedy(&line) {
                return line;
            }
        }
    }

    /// Hears all up to as many `readyok` as were asked for.
    fn listen_until_ready(&mut self, mut asked: usize) -> Result<Answer, Fault> {
        let mut answer = Answer::default();
        while asked > 0 {
            let line = must_hear(&mut self.talk)?;
            match Message::parse(&line) {
                Message::ReadyOk => asked -= 1,
                _ => self.model.hear(&line, &mut answer)?,
            }
        }
        Ok(answer)
    }

    /// Hears what comes in between: nothing, a little, or the end of all work.
    fn listen_at_random(&mut self) -> Result<(), Fault> {
        match self.rng.random_range(0..4) {
            0 => Ok(()),
            1 => self.listen_for(GLANCE),
            _ if self.ends_soon() => self.listen_for(PATIENCE),
            _ => self.listen_for(GLANCE),
        }
    }

    fn ends_soon(&self) -> bool {
        self.model.works.iter().all(|work| match work {
            Work::Search(search) => search.ends_soon(),
            Work::Perft(_, depth) => *depth <= 3,
            Work::NoMove => true,
            Work::Bench => false,
        })
    }

    /// Hears what comes until all work is done, or nothing comes for `patience`.
    fn listen_for(&mut self, patience: Duration) -> Result<(), Fault> {
        let mut unasked = Answer::default();
        while !self.model.works.is_empty() {
            match self.talk.listen(patience)? {
                Heard::Line(line) => self.model.hear(&line, &mut unasked)?,
                Heard::Silence if patience == PATIENCE => {
                    return Err(format!("no answer for {PATIENCE:?}"));
                }
                Heard::Silence => break,
                Heard::End => return Err("the output has ended".to_owned()),
            }
        }
        self.model.settle_unasked(&unasked)
    }

    /// Ends in one of several ways.
    fn take_leave(&mut self) -> Result<(), Fault> {
        if self.rng.random_range(0..4) == 0 {
            self.talk.send(b"quit\n");
            return self.leave(false);
        }
        if !self.ends_soon() || self.rng.random() {
            self.model.expect(b"stop");
            self.talk.send(b"stop\n");
        }
        if self.rng.random() {
            self.listen_for(PATIENCE)?;
            // The last line need not be ended.
            self.talk.send(b"quit");
        }
        self.talk.close();
        self.leave(true)
    }

    /// Hears the last words. After `quit` a search need not be answered.
    fn leave(&mut self, answers_all: bool) -> Result<(), Fault> {
        self.model.expect(b"stop");
        let mut last = Answer::default();
        loop {
            match self.talk.listen(PATIENCE)? {
                Heard::Line(line) => self.model.hear(&line, &mut last)?,
                Heard::Silence => return Err(format!("it lives on for {PATIENCE:?}")),
                Heard::End => break,
            }
        }
        self.model.settle_unasked(&last)?;
        if answers_all && !self.model.works.is_empty() {
            return Err("a search was not answered".to_owned());
        }
        self.expect_exit()
    }

    fn expect_exit(&mut self) -> Result<(), Fault> {
        let Some((status, stderr)) = self.talk.exit(PATIENCE) else {
            return Err("it has closed its output, but lives on".to_owned());
        };
        // A bench prints its positions there.
        let complaint = stderr.lines().find(|line| !line.starts_with("Position "));
        match complaint {
            None if status.success() => Ok(()),
            None => Err(format!("{status}")),
            Some(complaint) => Err(format!("{status}, standard error: {complaint}")),
        }
    }
}

fn parse(line: &[u8]) -> Option<Command> {
    std::str::from_utf8(line).ok()?.parse().ok()
}

/// Whether a line asks for much memory or many threads.
fn is_greedy(line: &[u8]) -> bool {
    let Some(Command::SetOption { name, value }) = parse(line) else {
        return false;
    };
    let wanted: u32 = value.and_then(|value| value.parse().ok()).unwrap_or(0);
    MOST.iter()
        .any(|&(what, most)| name.eq_ignore_ascii_case(what) && wanted > most)
}

fn pick<'a>(these: &[&'a [u8]], dialogue: &mut Dialogue) -> &'a [u8] {
    these.choose(&mut dialogue.rng).expect("there are some")
}

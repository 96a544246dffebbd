//! A UCI engine that plays legal moves, and misbehaves on demand: for testing those who run games.
//!
//! `--help` lists the flags.
#![cfg_attr(not(unix), expect(unused, reason = "needs the pipes of Unix"))]

mod board;
mod flags;
mod misbehaviours;
mod tunable;

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use uci::grammar::{Command, Go};

use board::Board;
use flags::{Aloud, Flags, Misbehaviour};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "help and usage")]
fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--help") {
        println!("A UCI engine that misbehaves on demand.\n\n{}", flags::HELP);
        return ExitCode::SUCCESS;
    }
    match Flags::parse(std::env::args().skip(1)) {
        // Nobody reads any more: then there is nothing left to do.
        Ok(flags) => Engine::new(flags).run().unwrap_or(ExitCode::SUCCESS),
        Err(error) => {
            eprintln!("{error}\n\n{}", flags::HELP);
            ExitCode::from(2)
        }
    }
}

/// What to do after a command.
pub(crate) enum Next {
    Read,
    End(ExitCode),
}

struct Engine {
    flags: Flags,
    board: Board,
    /// Moves it has been asked for.
    asked: u64,
    /// Whether it thinks until it is told otherwise.
    pondering: bool,
    /// Its last answer.
    answered: String,
}

impl Engine {
    fn new(flags: Flags) -> Self {
        Self {
            board: Board::new(flags.seed, flags.optimum),
            flags,
            asked: 0,
            pondering: false,
            answered: String::new(),
        }
    }

    fn run(&mut self) -> io::Result<ExitCode> {
        let misbehaviour = self
            .flags
            .misbehaviour
            .filter(|misbehaviour| misbehaviour.is_at_start());
        let misbehaviour =
            misbehaviour.filter(|_| misbehaviours::is_due(self.flags.once.as_deref()));
        match misbehaviour {
            Some(Misbehaviour::CrashAtStart) => return Ok(ExitCode::from(3)),
            Some(Misbehaviour::Deaf) => misbehaviours::hang(),
            _ => {}
        }
        for line in io::stdin().lock().lines() {
            if let Next::End(code) = self.obey(&line?, misbehaviour)? {
                return Ok(code);
            }
        }
        if self.flags.misbehaviour == Some(Misbehaviour::IgnoreQuit) {
            misbehaviours::hang();
        }
        Ok(ExitCode::SUCCESS)
    }

    fn obey(&mut self, line: &str, at_start: Option<Misbehaviour>) -> io::Result<Next> {
        match line.parse() {
            Ok(Command::Uci) => self.introduce(at_start)?,
            Ok(Command::IsReady) if at_start == Some(Misbehaviour::NoReadyok) => {}
            Ok(Command::IsReady) => say(b"readyok\n")?,
            Ok(Command::SetOption { name, value }) if name == "UCI_Chess960" => {
                self.board.set_mode(value.as_deref() == Some("true"));
            }
            Ok(command @ Command::SetOption { .. }) => self.board.set_option(&command),
            Ok(Command::Position(position)) => self.board.set_up(&position),
            Ok(Command::Go(go)) => return self.go(&go),
            Ok(Command::Stop) if self.flags.misbehaviour == Some(Misbehaviour::IgnoreStop) => {}
            Ok(Command::Stop)
                if self.pondering && self.flags.misbehaviour == Some(Misbehaviour::Double) =>
            {
                self.pondering = false;
                self.answer()?;
                return self.answer();
            }
            Ok(Command::Stop | Command::PonderHit) if self.pondering => {
                self.pondering = false;
                return self.find_move();
            }
            Ok(Command::Quit) if self.flags.misbehaviour != Some(Misbehaviour::IgnoreQuit) => {
                return Ok(Next::End(ExitCode::SUCCESS));
            }
            Ok(_) => {}
            Err(error) => say(format!("info string {error}\n").as_bytes())?,
        }
        Ok(Next::Read)
    }

    fn introduce(&self, at_start: Option<Misbehaviour>) -> io::Result<()> {
        say(b"id name Unruly Engine\nid author Touchstone\n\
              option name Hash type spin default 16 min 1 max 1024\n\
              option name Clear Hash type button\n\
              option name Ponder type check default false\n\
              option name UCI_Chess960 type check default false\n")?;
        if self.flags.optimum.is_some() {
            say(tunable::OPTIONS)?;
        }
        if at_start == Some(Misbehaviour::NoUciok) {
            return Ok(());
        }
        say(b"uciok\n")
    }

    fn go(&mut self, go: &Go) -> io::Result<Next> {
        if self.flags.misbehaviour == Some(Misbehaviour::RepeatLate) && !self.answered.is_empty() {
            say(self.answered.as_bytes())?;
        }
        if let Some(Misbehaviour::IgnoreLimits(aloud)) = self.flags.misbehaviour {
            self.pondering = true;
            if aloud == Aloud::Yes {
                say(b"info depth 1 score cp 1 nodes 20 pv e2e4\n\
                      info depth 30 score cp 1 nodes 5000000 pv e2e4\n")?;
            }
            return Ok(Next::Read);
        }
        if !go.ponder {
            return self.find_move();
        }
        if self.flags.misbehaviour == Some(Misbehaviour::Early) {
            return self.answer();
        }
        self.pondering = true;
        say(b"info depth 1 score cp 1 nodes 1\n")?;
        Ok(Next::Read)
    }

    /// Thinks, and answers, or does what it does instead.
    fn find_move(&mut self) -> io::Result<Next> {
        self.asked += 1;
        std::thread::sleep(self.flags.sleep);
        let misbehaviour = self
            .flags
            .misbehaviour
            .filter(|misbehaviour| !misbehaviour.is_at_start());
        match misbehaviour {
            Some(misbehaviour)
                if self.asked == self.flags.at
                    && misbehaviours::is_due(self.flags.once.as_deref()) =>
            {
                if misbehaviours::indulge(misbehaviour, &self.answer_text())? {
                    return self.answer_and(misbehaviour);
                }
                Ok(Next::End(ExitCode::from(3)))
            }
            _ => self.answer(),
        }
    }

    /// Answers, and does what comes after the answer.
    fn answer_and(&mut self, misbehaviour: Misbehaviour) -> io::Result<Next> {
        match misbehaviour {
            Misbehaviour::Answer(text) => say(text).map(|()| Next::Read),
            Misbehaviour::ExitAfterMove => self.answer().map(|_| Next::End(ExitCode::SUCCESS)),
            Misbehaviour::CloseStdin => {
                misbehaviours::close_stdin()?;
                self.answer()?;
                misbehaviours::hang()
            }
            _ => self.answer(),
        }
    }

    fn answer(&mut self) -> io::Result<Next> {
        let times = if self.flags.misbehaviour == Some(Misbehaviour::Repeat) {
            2
        } else {
            1
        };
        self.answered = self.answer_text() + "\n";
        // In one write: the second comes before anybody could move.
        say(self.answered.repeat(times).as_bytes())?;
        Ok(Next::Read)
    }

    fn answer_text(&self) -> String {
        let score = self.board.score().unwrap_or(self.flags.score);
        let best_move = self.board.best_move(self.flags.ponder);
        format!("info depth 2 seldepth 3 score cp {score} nodes 20 pv e2e4\nbestmove {best_move}")
    }
}

/// Prints bytes at once.
pub(crate) fn say(text: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text)?;
    stdout.flush()
}

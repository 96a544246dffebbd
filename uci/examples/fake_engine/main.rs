//! A tiny UCI engine that misbehaves on demand, for testing those who drive engines.
//!
//! Without flags it is well-behaved: it plays the first legal move, and counts by `go perft N`.
//! `--help` lists the flags; each is one misbehaviour.

mod faults;
mod search;

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use faults::{Crash, Faults};
use search::Board;
use uci::grammar::{Command, EngineOption, Message, OptionKind};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "help and usage")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help") {
        println!(
            "A UCI engine that misbehaves on demand.\n\n{}",
            faults::HELP
        );
        return ExitCode::SUCCESS;
    }
    let faults = match Faults::parse(&arguments) {
        Ok(faults) => faults,
        Err(error) => {
            eprintln!("{error}\n\n{}", faults::HELP);
            return ExitCode::from(2);
        }
    };
    // Nobody reads any more: then there is nothing left to do.
    Engine::new(faults).run().unwrap_or(ExitCode::SUCCESS)
}

/// What to do after a command.
enum Next {
    Read,
    End(ExitCode),
}

struct Engine {
    faults: Faults,
    board: Board,
    /// A search that goes on until `stop`.
    searching: bool,
}

impl Engine {
    fn new(faults: Faults) -> Self {
        Self {
            faults,
            board: Board::default(),
            searching: false,
        }
    }

    fn run(&mut self) -> io::Result<ExitCode> {
        if self.faults.crash_at_start {
            return Ok(ExitCode::FAILURE);
        }
        if self.faults.deaf {
            hang();
        }
        for line in io::stdin().lock().lines() {
            let line = line?;
            if self.faults.silent {
                continue;
            }
            if let Next::End(code) = self.obey(&line)? {
                return Ok(code);
            }
        }
        if self.faults.ignore_quit {
            hang();
        }
        Ok(ExitCode::SUCCESS)
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        match line.parse() {
            Ok(Command::Uci) => self.introduce()?,
            Ok(Command::IsReady) if self.faults.hang_on_isready => hang(),
            Ok(Command::IsReady) => self.say(&Message::ReadyOk)?,
            Ok(Command::Position(position)) => self.board = Board::new(&position),
            Ok(Command::Go(go)) => {
                self.misbehave_on_go()?;
                if let Some(crash) = self.faults.crash_on_go {
                    return Ok(Next::End(crash_now(crash)));
                }
                if let Some(depth) = go.perft {
                    self.say_lines(&self.board.perft(depth))?;
                } else if go.infinite || go.ponder {
                    self.searching = true;
                } else {
                    self.say_lines(&self.board.search(go.depth.unwrap_or(1)))?;
                    return self.answer();
                }
            }
            Ok(Command::Stop | Command::PonderHit) if self.searching => {
                if !self.faults.ignore_stop {
                    self.searching = false;
                    return self.answer();
                }
            }
            Ok(Command::Quit) if !self.faults.ignore_quit => {
                return Ok(Next::End(ExitCode::SUCCESS));
            }
            Ok(_) => {}
            Err(error) => self.say(&Message::Other(format!("error: {error}")))?,
        }
        Ok(Next::Read)
    }

    fn introduce(&self) -> io::Result<()> {
        std::thread::sleep(self.faults.slow_uciok);
        self.say(&Message::IdName("Fake Engine".to_owned()))?;
        self.say(&Message::IdAuthor("Touchstone".to_owned()))?;
        let hash = OptionKind::Spin {
            default: Some(16),
            min: Some(1),
            max: Some(1024),
        };
        for (name, kind) in [("Hash", hash), ("Clear Hash", OptionKind::Button)] {
            let name = name.to_owned();
            self.say(&Message::Option(EngineOption { name, kind }))?;
        }
        if !self.faults.no_uciok {
            self.say(&Message::UciOk)?;
        }
        if self.faults.close_stdout {
            faults::close_stdout()?;
        }
        if self.faults.close_stdin {
            faults::close_stdin()?;
            self.say_lines(&["info string closed".to_owned()])?;
            hang();
        }
        if self.faults.leave_child {
            let child = faults::leave_child()?;
            self.say_lines(&[format!("info string child {child}")])?;
        }
        Ok(())
    }

    fn misbehave_on_go(&self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if self.faults.hang_on_go {
            hang();
        }
        if self.faults.flood_stdout {
            loop {
                stdout.write_all(b"info string flood\n")?;
            }
        }
        if self.faults.garbage {
            stdout.write_all(b"\xff\xfe\0\x1b[31m\x80garbage\0\r\n\r\n\n")?;
        }
        if let Some(bytes) = self.faults.flood_stderr {
            faults::write_in_pieces(&mut io::stderr().lock(), bytes)?;
        }
        if let Some(bytes) = self.faults.long_line {
            faults::write_in_pieces(&mut stdout, bytes)?;
            stdout.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Ends a search.
    fn answer(&self) -> io::Result<Next> {
        std::thread::sleep(self.faults.late_bestmove);
        let answer = if self.faults.illegal_bestmove {
            "bestmove a1a1".to_owned()
        } else {
            self.board.best_move().to_string()
        };
        if self.faults.no_final_newline {
            io::stdout().lock().write_all(answer.as_bytes())?;
            return Ok(Next::End(ExitCode::SUCCESS));
        }
        let times = if self.faults.double_bestmove { 2 } else { 1 };
        self.say_lines(&vec![answer; times])?;
        Ok(Next::Read)
    }

    fn say(&self, message: &Message) -> io::Result<()> {
        self.say_lines(&[message.to_string()])
    }

    /// Prints lines, all in one write.
    fn say_lines(&self, lines: &[String]) -> io::Result<()> {
        let end = if self.faults.garbage { "\r\n" } else { "\n" };
        let text = lines.join(end) + end;
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }
}

fn crash_now(crash: Crash) -> ExitCode {
    match crash {
        Crash::Panic => panic!("as asked"),
        Crash::Abort => std::process::abort(),
        Crash::Exit(code) => ExitCode::from(code),
    }
}

/// Does nothing for ever.
fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

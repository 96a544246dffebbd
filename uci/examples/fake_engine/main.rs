//! A tiny UCI engine that misbehaves on demand, for testing those who drive engines.
//!
//! Without flags it is well-behaved: it plays the first legal move, and counts by `go perft N`.
//! `--help` lists the flags; each is one misbehaviour.

mod faults;

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use chess::notation::uci_move::UciMove;
use chess::perft::Counter;
use chess::rules::{CastlingMode, Position};
use faults::Faults;
use uci::grammar::{
    BestMove, Command, EngineOption, Info, Message, OptionKind, PositionCommand, Reply, Score,
    ScoreValue, StartPosition,
};

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
    let mut engine = Engine {
        faults,
        board: Board::default(),
        searching: false,
    };
    engine.run().unwrap_or(ExitCode::SUCCESS)
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
    fn run(&mut self) -> io::Result<ExitCode> {
        if self.faults.has("--crash-at-start") {
            return Ok(ExitCode::FAILURE);
        }
        if self.faults.has("--deaf") {
            hang();
        }
        for line in io::stdin().lock().lines() {
            let line = line?;
            if self.faults.has("--silent") {
                continue;
            }
            if let Next::End(code) = self.obey(&line)? {
                return Ok(code);
            }
        }
        if self.faults.has("--ignore-quit") {
            hang();
        }
        Ok(ExitCode::SUCCESS)
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        match line.parse() {
            Ok(Command::Uci) => self.introduce()?,
            Ok(Command::IsReady) if self.faults.has("--hang-on-isready") => hang(),
            Ok(Command::IsReady) => self.say(&Message::ReadyOk)?,
            Ok(Command::Position(position)) => self.board = Board::new(&position),
            Ok(Command::Go(go)) => {
                self.misbehave_on_go()?;
                match self.faults.value("--crash-on-go") {
                    None => {}
                    Some("panic") => panic!("as asked"),
                    Some("abort") => std::process::abort(),
                    Some(code) => {
                        let code: u8 = code.parse().expect("an exit code");
                        return Ok(Next::End(ExitCode::from(code)));
                    }
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
                if !self.faults.has("--ignore-stop") {
                    self.searching = false;
                    return self.answer();
                }
            }
            Ok(Command::Quit) if !self.faults.has("--ignore-quit") => {
                return Ok(Next::End(ExitCode::SUCCESS));
            }
            Ok(_) => {}
            Err(error) => self.say(&Message::Other(format!("error: {error}")))?,
        }
        Ok(Next::Read)
    }

    fn introduce(&self) -> io::Result<()> {
        std::thread::sleep(self.faults.time("--slow-uciok"));
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
        if !self.faults.has("--no-uciok") {
            self.say(&Message::UciOk)?;
        }
        if self.faults.has("--close-stdout") {
            faults::close_stdout()?;
        }
        if self.faults.has("--close-stdin") {
            faults::close_stdin()?;
            self.say_lines(&["info string closed".to_owned()])?;
            hang();
        }
        if self.faults.has("--leave-child") {
            let child = faults::leave_child()?;
            self.say_lines(&[format!("info string child {child}")])?;
        }
        Ok(())
    }

    fn misbehave_on_go(&self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if self.faults.has("--hang-on-go") {
            hang();
        }
        if self.faults.has("--flood-stdout") {
            loop {
                stdout.write_all(b"info string flood\n")?;
            }
        }
        if self.faults.has("--garbage") {
            stdout.write_all(b"\xff\xfe\0\x1b[31m\x80garbage\0\r\n\r\n\n")?;
        }
        if let Some(bytes) = self.faults.number("--flood-stderr") {
            faults::write_in_pieces(&mut io::stderr().lock(), bytes)?;
        }
        if let Some(bytes) = self.faults.number("--long-line") {
            faults::write_in_pieces(&mut stdout, bytes)?;
            stdout.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Ends a search.
    fn answer(&self) -> io::Result<Next> {
        std::thread::sleep(self.faults.time("--late-bestmove"));
        let answer = if self.faults.has("--illegal-bestmove") {
            "bestmove a1a1".to_owned()
        } else {
            self.board.best_move().to_string()
        };
        if self.faults.has("--no-final-newline") {
            io::stdout().lock().write_all(answer.as_bytes())?;
            return Ok(Next::End(ExitCode::SUCCESS));
        }
        let times = if self.faults.has("--double-bestmove") {
            2
        } else {
            1
        };
        self.say_lines(&vec![answer; times])?;
        Ok(Next::Read)
    }

    fn say(&self, message: &Message) -> io::Result<()> {
        self.say_lines(&[message.to_string()])
    }

    /// Prints lines, all in one write.
    fn say_lines(&self, lines: &[String]) -> io::Result<()> {
        let end = if self.faults.has("--garbage") {
            "\r\n"
        } else {
            "\n"
        };
        let text = lines.join(end) + end;
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }
}

/// What is on the board.
struct Board(Position);

const MODE: CastlingMode = CastlingMode::Standard;

impl Default for Board {
    fn default() -> Self {
        Self(Position::startpos())
    }
}

impl Board {
    /// Plays the moves of a command, up to the first that is not legal.
    fn new(command: &PositionCommand) -> Self {
        let mut position = match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        };
        for text in &command.moves {
            let Some(m) = text.to_move(&position, MODE) else {
                break;
            };
            position = position.play_unchecked(m);
        }
        Self(position)
    }

    /// The lines that answer `go perft`.
    fn perft(&self, depth: u32) -> Vec<String> {
        let counted = match Counter::new().divide(&self.0, depth) {
            Ok(counted) => counted,
            Err(error) => return vec![format!("error: {error}")],
        };
        let total: u64 = counted.iter().map(|(_, nodes)| nodes).sum();
        let name = |m| UciMove::from_move(m, &self.0, MODE);
        let mut lines: Vec<String> = counted
            .iter()
            .map(|&(m, nodes)| format!("{}: {nodes}", name(m)))
            .collect();
        lines.extend([
            String::new(),
            format!("Nodes searched: {total}"),
            String::new(),
        ]);
        lines
    }

    /// The lines before `bestmove`.
    fn search(&self, depth: u32) -> Vec<String> {
        let info = Info {
            depth: Some(depth),
            score: Some(Score {
                value: ScoreValue::Cp(0),
                bound: None,
            }),
            nodes: Some(1),
            pv: self.first_move().into_iter().collect(),
            ..Info::default()
        };
        vec![Message::Info(Box::new(info)).to_string()]
    }

    /// The first legal move.
    fn best_move(&self) -> Message {
        let reply = self.first_move().map_or(Reply::NoMove, Reply::Move);
        let ponder = None;
        Message::BestMove(BestMove { reply, ponder })
    }

    fn first_move(&self) -> Option<UciMove> {
        let m = *self.0.legal_moves().first()?;
        Some(UciMove::from_move(m, &self.0, MODE))
    }
}

/// Does nothing forever.
fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

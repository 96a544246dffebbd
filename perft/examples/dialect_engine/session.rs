//! What is done at each line, or at each call.

use std::io;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use chess::notation::fen;
use chess::rules::Position;
use perft::subject::Route;

use crate::answer::{self, Question};
use crate::bank::{Castling, Dialect, Does, Protocol, Search, Spelling, Stream, UnreadableMove};
use crate::count;
use crate::output::Output;
use crate::pattern::{self, Fields};
use crate::spell;

/// What to do after a line.
pub(crate) enum Next {
    Read,
    End(ExitCode),
}

/// A conversation.
pub(crate) struct Session {
    dialect: Dialect,
    does: Does,
    output: Arc<Mutex<Output>>,
    route: Route,
    chess960: bool,
    /// Whether an xboard engine only takes moves.
    forced: bool,
    /// Whether a search waits for `stop`.
    searching: bool,
    questions: u32,
    counting: Option<JoinHandle<io::Result<()>>>,
}

const POSITION_FORMS: [&str; 4] = [
    "position startpos",
    "position startpos moves {moves}",
    "position fen {fen}",
    "position fen {fen} moves {moves}",
];

impl Session {
    pub(crate) fn new(dialect: Dialect, does: Does) -> Self {
        let forms = |some: &[&str]| some.iter().map(|&form| form.to_owned()).collect();
        let mut dialect = dialect;
        let is_xboard = dialect.protocol == Protocol::Xboard;
        if dialect.set.is_empty() {
            dialect.set = match dialect.protocol {
                Protocol::Xboard => forms(&["setboard {fen}", "new"]),
                Protocol::Program => Vec::new(),
                Protocol::Uci | Protocol::Console => forms(&POSITION_FORMS),
            };
        }
        if dialect.play.is_empty() && is_xboard {
            dialect.play = forms(&["usermove {move}", "{move}"]);
        }
        let output = Output::new(&dialect);
        Self {
            dialect,
            does,
            output: Arc::new(Mutex::new(output)),
            route: Route::by_fen(Position::startpos()),
            chess960: false,
            forced: false,
            searching: false,
            questions: 0,
            counting: None,
        }
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lines of the protocol, which are not held back and go to standard output, whatever the
    /// dialect does with answers.
    fn say(&self, lines: &[&str]) -> io::Result<()> {
        let mut plain = Output::plain(&self.dialect);
        // What waits in the answer's buffer was printed before.
        let mut output = self.output();
        if self.dialect.output == Stream::Out {
            output.write()?;
        }
        lines.iter().try_for_each(|line| plain.line(line))?;
        plain.write()
    }

    /// What is printed before anything is read.
    pub(crate) fn greet(&mut self) -> io::Result<()> {
        if self.dialect.protocol != Protocol::Uci {
            std::thread::sleep(Duration::from_millis(self.dialect.startup_ms));
        }
        let banner: Vec<&str> = self.dialect.banner.iter().map(String::as_str).collect();
        self.say(&banner)?;
        self.prompt()
    }

    fn prompt(&self) -> io::Result<()> {
        if self.dialect.prompt.is_empty() {
            return Ok(());
        }
        let mut output = self.output();
        output.text(&self.dialect.prompt)?;
        output.end_answer()
    }

    /// The end of the conversation.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        self.await_count()?;
        self.output().write()
    }

    /// A call with a question on the command line.
    pub(crate) fn call(&mut self, words: &[String]) -> io::Result<ExitCode> {
        std::thread::sleep(Duration::from_millis(self.dialect.startup_ms));
        let Some(fields) = first_match(&self.dialect.ask, &words.join(" ")) else {
            let forms = self.dialect.ask.join(" | ");
            crate::output::complain(&format!("usage: {forms}"));
            return Ok(ExitCode::from(2));
        };
        let next = self.answer(&fields, true)?;
        self.output().write()?;
        Ok(match next {
            Next::Read => ExitCode::from(self.dialect.exit_code),
            Next::End(code) => code,
        })
    }

    pub(crate) fn obey(&mut self, line: &str) -> io::Result<Next> {
        let line = line.trim();
        if self.dialect.echo {
            self.say(&[line])?;
        }
        let next = self.obey_line(line)?;
        if matches!(next, Next::Read) {
            self.prompt()?;
        }
        Ok(next)
    }

    fn obey_line(&mut self, line: &str) -> io::Result<Next> {
        let word = line.split_whitespace().next().unwrap_or_default();
        if matches!(word, "quit" | "exit") {
            return Ok(Next::End(ExitCode::from(self.dialect.exit_code)));
        }
        if let Some(fields) = first_match(&self.dialect.ask, line) {
            return self.answer(&fields, true);
        }
        if let Some(fields) = first_match(&self.dialect.ask_total, line) {
            return self.answer(&fields, false);
        }
        if let Some(fields) = first_match(&self.dialect.set, line) {
            self.set(&fields)?;
            let fen = fen::write(self.route.position());
            return self.say_all(&self.dialect.after_set, "{fen}", &fen);
        }
        if self.obey_protocol(word, line)? || line.is_empty() {
            return Ok(Next::Read);
        }
        if let Some(fields) = first_match(&self.dialect.play, line) {
            let before = self.route.moves().len();
            self.play(&fields.moves)?;
            if self.route.moves().len() > before {
                self.reply_to_move()?;
                return Ok(Next::Read);
            }
        }
        let next = self.say_all(&self.dialect.unknown, "{line}", line)?;
        Ok(match self.dialect.ends_at_unknown {
            0 => next,
            code => Next::End(ExitCode::from(code)),
        })
    }

    /// Prints lines, with a text for a place in them.
    fn say_all(&self, lines: &[String], place: &str, text: &str) -> io::Result<Next> {
        let lines = lines.iter().map(|line| line.replace(place, text));
        let lines: Vec<String> = lines.collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        self.say(&lines)?;
        Ok(Next::Read)
    }

    /// Obeys what belongs to the protocol; whether it does.
    fn obey_protocol(&mut self, word: &str, line: &str) -> io::Result<bool> {
        match (self.dialect.protocol, word) {
            (Protocol::Uci, "uci") => self.introduce()?,
            (Protocol::Uci, "isready") => self.say(&["readyok"])?,
            (Protocol::Uci, "setoption") => {
                let on = ["value true", "value True"];
                if self.dialect.chess960 && line.contains("UCI_Chess960") {
                    self.chess960 = on.iter().any(|on| line.ends_with(on));
                }
            }
            (Protocol::Uci, "stop") => {
                if std::mem::take(&mut self.searching) {
                    self.say(&["bestmove e2e4"])?;
                }
            }
            (Protocol::Uci, "go") => match self.dialect.search {
                Search::Unknown => return Ok(false),
                Search::Endless => {
                    self.searching = true;
                    self.say(&["info depth 1 seldepth 1 score cp 20 nodes 21 pv e2e4"])?;
                }
                Search::Short => self.say(&[
                    "info depth 1 seldepth 1 score cp 20 nodes 21 nps 21000 time 1 pv e2e4",
                    "bestmove e2e4 ponder e7e5",
                ])?,
            },
            (Protocol::Uci, "ucinewgame" | "debug" | "ponderhit")
            | (
                Protocol::Xboard,
                "xboard" | "accepted" | "rejected" | "random" | "post" | "nopost" | "hard" | "easy"
                | "level" | "st" | "sd" | "time" | "otim" | "computer" | "variant",
            ) => {}
            (Protocol::Xboard, "protover") => self.say(&[
                "feature myname=\"Dialect 1.0\" setboard=1 usermove=0 ping=1 sigint=0",
                "feature variants=\"normal\" done=1",
            ])?,
            (Protocol::Xboard, "ping") => self.say(&[&line.replacen("ping", "pong", 1)])?,
            (Protocol::Xboard, "force") => self.forced = true,
            (Protocol::Xboard, "go") => {
                self.forced = false;
                self.reply_to_move()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn introduce(&mut self) -> io::Result<()> {
        std::thread::sleep(Duration::from_millis(self.dialect.startup_ms));
        let name = format!("id name Dialect {}", self.dialect.name);
        self.say(&[&name, "id author Touchstone"])?;
        self.say(&["option name Hash type spin default 16 min 1 max 1024"])?;
        if self.dialect.chess960 {
            self.say(&["option name UCI_Chess960 type check default false"])?;
        }
        self.say(&["uciok"])
    }

    fn ignores(&self, what: &str) -> bool {
        self.dialect.ignores.iter().any(|ignored| ignored == what)
    }

    fn set(&mut self, fields: &Fields) -> io::Result<()> {
        // `new` sets an xboard engine to play Black.
        self.forced &= fields.fen.is_some();
        match &fields.fen {
            Some(fen) if !self.ignores("fen") => match fen::parse(fen) {
                Ok(position) => self.route = Route::by_fen(position),
                Err(_) => return self.say(&["Error: invalid FEN"]),
            },
            None if self.ignores("startpos") => {}
            Some(_) | None => self.route = Route::by_fen(Position::startpos()),
        }
        self.play(&fields.moves)
    }

    fn play(&mut self, moves: &[String]) -> io::Result<()> {
        if self.ignores("moves") {
            return Ok(());
        }
        let mut spellings = self.dialect.reads.clone();
        if self.chess960 {
            spellings.push(Spelling {
                castling: Castling::Rook,
                ..Spelling::default()
            });
        }
        for text in moves {
            let read = spell::read(text, self.route.position(), &spellings);
            match (read, self.dialect.unreadable_move) {
                (Some(m), _) => self.route = self.route.then(m),
                (None, UnreadableMove::Drop) => {}
                (None, UnreadableMove::Stop) => break,
                (None, UnreadableMove::Say) => {
                    return self.say(&[&format!("Illegal move: {text}")]);
                }
            }
        }
        Ok(())
    }

    /// An xboard engine that is not in force mode answers a move by one of its own.
    fn reply_to_move(&mut self) -> io::Result<()> {
        if self.dialect.protocol != Protocol::Xboard || self.forced {
            return Ok(());
        }
        let Some(&m) = self.route.position().legal_moves().first() else {
            return Ok(());
        };
        let text = spell::write(m, self.route.position(), &Spelling::default());
        self.route = self.route.then(m);
        self.say(&[&format!("move {text}")])
    }

    fn await_count(&mut self) -> io::Result<()> {
        match self.counting.take() {
            Some(counting) => counting.join().expect("counting does not panic"),
            None => Ok(()),
        }
    }

    /// Answers a question about its own position, else about the one on the board.
    fn answer(&mut self, fields: &Fields, rows: bool) -> io::Result<Next> {
        self.await_count()?;
        if fields.fen.is_some() {
            self.set(fields)?;
        } else if self.dialect.protocol == Protocol::Program {
            self.play(&fields.moves)?;
        }
        self.questions += 1;
        let depth = fields.depth.filter(|&depth| depth > 0);
        let Some(depth) = depth else {
            self.say(&["error: depth"])?;
            return Ok(Next::Read);
        };
        if count::breaks_down(&self.does, self.route.position()) {
            return Ok(break_down(&self.does));
        }
        let question = Question {
            route: self.route.clone(),
            depth: depth + self.dialect.extra_depth,
            number: self.questions,
            rows,
            chess960: self.chess960,
        };
        let (dialect, does) = (self.dialect.clone(), self.does.clone());
        let output = Arc::clone(&self.output);
        let give = move || answer::give(&dialect, &does, &question, &output);
        if self.dialect.asynchronous {
            self.counting = Some(std::thread::spawn(give));
        } else {
            give()?;
        }
        Ok(if self.dialect.ends_after_answer {
            Next::End(ExitCode::from(self.dialect.exit_code))
        } else {
            Next::Read
        })
    }
}

/// Matches a line with the first of these forms that fits.
fn first_match(forms: &[String], line: &str) -> Option<Fields> {
    forms.iter().find_map(|form| pattern::read(form, line))
}

/// What happens in place of an answer.
fn break_down(does: &Does) -> Next {
    match does {
        #[cfg(unix)]
        Does::CrashesOnEp => loop {
            // The first one only takes the handler of Rust's runtime away.
            let raised = nix::sys::signal::raise(nix::sys::signal::Signal::SIGSEGV);
            raised.expect("a process may raise signals in itself");
        },
        #[cfg(not(unix))]
        Does::CrashesOnEp => std::process::abort(),
        Does::AbortsOnPromotion => std::process::abort(),
        Does::ExitsOnCastling => Next::End(ExitCode::from(1)),
        Does::HangsOnPromotion => loop {
            std::thread::sleep(Duration::from_hours(1));
        },
        _ => Next::Read,
    }
}

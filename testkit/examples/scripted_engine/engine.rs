//! The loop that answers UCI.

use std::io::{self, Read as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use chess::notation::fen;
use chess::rules::{Color, Position};
use uci::grammar::{Command, Go};

use crate::answer::{self, Question};
use crate::bank::{Buffer, Dialect, Does, Protocol, Search, Spelling};
use crate::board::Board;
use crate::breach::Breach;
use crate::count;
use crate::display::{self, Display, List};
use crate::flags::{Always, Flags, Refuse};
use crate::output::Output;
use crate::process::{self, Done, Next, hang, is_due};
use crate::script::Script;
use crate::spell;
use crate::template::{self, Fields};
use crate::tunable;
use crate::wrap;

#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(crate) struct Engine {
    pub(crate) flags: Flags,
    pub(crate) dialect: Dialect,
    pub(crate) does: Does,
    /// Whether `stop` was the last command of a search.
    pub(crate) is_ending: bool,
    /// How the last position was refused.
    refused: Option<Refuse>,
    pub(crate) output: Arc<Output>,
    pub(crate) board: Board,
    script: Option<Script>,
    /// Counts asked for so far.
    questions: u32,
    /// A count in a thread.
    counting: Option<JoinHandle<io::Result<()>>>,
    pub(crate) multipv: usize,
    /// The value of the option Margin.
    pub(crate) margin: u64,
    /// The side that it plays, if it speaks `XBoard`'s protocol and is not in force mode.
    pub(crate) color: Option<Color>,
    /// Moves asked for so far.
    pub(crate) asked: u64,
    /// Whether it misbehaves at this move.
    pub(crate) is_due: bool,
    /// A search that ends only by `stop` or `ponderhit`, and when it began.
    pub(crate) waiting: Option<Instant>,
    /// A search in place of a count, which ends only by `stop`.
    pub(crate) is_searching: bool,
    /// The last answer.
    pub(crate) answered: String,
    /// Whether the last command was `ucinewgame`.
    is_new: bool,
    has_position: bool,
    /// Whether `ucinewgame` has come.
    pub(crate) has_new_game: bool,
    /// Whether a move was found since the last position.
    pub(crate) has_searched: bool,
    /// Whether the last position had an illegal move.
    pub(crate) is_lost: bool,
    /// Whether `uci` has come.
    is_awake: bool,
}

/// What a crash by a breach is.
pub(crate) const DEAD: Next = Next::End(ExitCode::FAILURE);

impl Engine {
    pub(crate) fn new(flags: Flags) -> Self {
        let dialect = Dialect::find(&flags.count.dialect, &flags.count.with);
        let mut dialect = dialect.unwrap_or_else(|error| panic!("{error}"));
        let no_option = &flags.play.no_option;
        dialect.chess960 &= !no_option.iter().any(|no| no == "UCI_Chess960");
        if flags.misbehaviours.has("!garbage") {
            "\r\n".clone_into(&mut dialect.newline);
        }
        if flags.xboard.is_some() {
            dialect.protocol = Protocol::Xboard;
            dialect.unknown.clear();
        }
        let file = flags.words.first();
        let file = file.filter(|_| dialect.protocol != Protocol::Program);
        Self {
            script: file.map(|file| Script::read(Path::new(file))),
            does: flags.count.bug.clone().unwrap_or_default(),
            is_ending: false,
            refused: None,
            output: Arc::new(Output::new(dialect.clone())),
            dialect,
            board: Board::startpos(),
            questions: 0,
            counting: None,
            multipv: 1,
            margin: tunable::MARGIN,
            color: None,
            asked: 0,
            is_due: false,
            waiting: None,
            is_searching: false,
            answered: String::new(),
            is_new: false,
            has_position: false,
            has_new_game: false,
            has_searched: false,
            is_lost: false,
            is_awake: false,
            flags,
        }
    }

    pub(crate) fn has(&self, breach: Breach) -> bool {
        self.flags.has(breach)
    }

    /// Lines of the protocol.
    pub(crate) fn say(&self, lines: &[impl AsRef<str>]) -> io::Result<Next> {
        self.output.say(lines)?;
        Ok(Next::Read)
    }

    pub(crate) fn run(&mut self) -> io::Result<ExitCode> {
        if let Some(variable) = &self.flags.print_surroundings {
            process::print_surroundings(variable)?;
        }
        if let Some(engine) = &self.flags.wrap {
            return wrap::run(engine, self.flags.wrap_faults);
        }
        let once = self.flags.once.clone();
        let misbehaviours = &mut self.flags.misbehaviours;
        misbehaviours.forget_start(|| is_due(once.as_deref()));
        if let Next::End(code) = self.misbehave("start")? {
            return Ok(code);
        }
        let code = match self.dialect.protocol {
            Protocol::Program => self.call()?,
            _ => self.converse()?,
        };
        self.await_count()?;
        self.output.write()?;
        Ok(code)
    }

    /// Does what is due at a moment.
    pub(crate) fn misbehave(&mut self, moment: &str) -> io::Result<Next> {
        self.take(&self.flags.misbehaviours.at(moment))
    }

    fn take(&mut self, steps: &[String]) -> io::Result<Next> {
        Ok(match self.perform(steps, &Go::default())? {
            Done::End(code) => Next::End(code),
            Done::Answered | Done::Usual => Next::Read,
        })
    }

    /// A call with a question on the command line.
    fn call(&mut self) -> io::Result<ExitCode> {
        let Some(fields) = first_match(&self.dialect.ask, &self.flags.words.join(" ")) else {
            process::usage(&self.dialect.ask)?;
            return Ok(ExitCode::from(2));
        };
        Ok(match self.count(&fields, true)? {
            Next::Read => ExitCode::from(self.dialect.exit_code),
            Next::End(code) => code,
        })
    }

    fn converse(&mut self) -> io::Result<ExitCode> {
        if self.dialect.protocol != Protocol::Uci {
            std::thread::sleep(Duration::from_millis(self.dialect.startup_ms));
        }
        self.say(&self.dialect.banner)?;
        self.prompt()?;
        // Lines are not read by the standard library: some breaches depend on the borders of reads.
        let mut unread = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            let count = io::stdin().lock().read(&mut chunk)?;
            if count == 0 {
                if self.has(Breach::Tenacious) || self.flags.always.ignore_quit {
                    hang();
                }
                return Ok(ExitCode::SUCCESS);
            }
            unread.extend_from_slice(&chunk[..count]);
            if self.has(Breach::HalfLines) && unread.last() != Some(&b'\n') {
                unread.push(b'\n');
            }
            while let Some(end) = unread.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = unread.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line[..end]).into_owned();
                if self.dialect.echo {
                    self.say(&[line.trim()])?;
                }
                if let Next::End(code) = self.obey(&line)? {
                    return Ok(code);
                }
                self.prompt()?;
                if self.has(Breach::FirstLineOnly) {
                    unread.clear();
                }
            }
        }
    }

    fn prompt(&self) -> io::Result<()> {
        if self.dialect.prompt.is_empty() {
            return Ok(());
        }
        self.output.text(&self.dialect.prompt)?;
        self.output.end_answer()
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        let line = match line.char_indices().nth(1024) {
            Some((end, _)) if self.has(Breach::ShortLines) => &line[..end],
            _ => line,
        };
        let is_dirty = line.trim() != line || line.contains("  ");
        if self.has(Breach::ExactWords) && is_dirty
            || self.has(Breach::NoCarriageReturn) && line.ends_with('\r')
        {
            return Ok(Next::Read);
        }
        if line.trim().is_empty() {
            return Ok(if self.has(Breach::NoEmptyLines) {
                DEAD
            } else {
                Next::Read
            });
        }
        self.is_awake |= line == "uci";
        if self.has(Breach::UciFirst) && !self.is_awake {
            return Ok(Next::Read);
        }
        let was_new = std::mem::replace(&mut self.is_new, false);
        if self.waiting.is_some() && self.has(Breach::AnyStop) {
            return self.stop(&Always::default());
        }
        if let Some(steps) = self.script.as_mut().and_then(|script| script.answer(line)) {
            return self.take(&steps);
        }
        let line = line.trim();
        let dialect = &self.dialect;
        if let Some(fields) = first_match(&dialect.ask, line) {
            return self.count(&fields, true);
        }
        if let Some(fields) = first_match(&dialect.ask_total, line) {
            return self.count(&fields, false);
        }
        if let Some(how) = self.xboard() {
            let next = self.obey_xboard(how, line);
            return next.unwrap_or_else(|| self.fail_to_understand(line));
        }
        if let Some(fields) = first_match(&dialect.set, line) {
            return self.set_up(&fields);
        }
        if let Some(fields) = first_match(&dialect.play, line) {
            self.play(&fields.moves);
            return Ok(Next::Read);
        }
        if let Some(answer) = self.show(line) {
            return answer;
        }
        if dialect.protocol == Protocol::Console {
            return match line {
                "quit" | "exit" => Ok(Next::End(ExitCode::from(dialect.exit_code))),
                _ => self.fail_to_understand(line),
            };
        }
        self.obey_uci(line, was_new)
    }

    fn obey_uci(&mut self, line: &str, was_new: bool) -> io::Result<Next> {
        match line.parse() {
            Ok(Command::Quit)
                if self.flags.always.ignore_quit
                    || self.waiting.is_some() && self.has(Breach::Tenacious) => {}
            Ok(Command::Quit) if self.has(Breach::Failing) => {
                return Ok(Next::End(ExitCode::from(3)));
            }
            Ok(Command::Quit) => return Ok(Next::End(ExitCode::from(self.dialect.exit_code))),
            Ok(Command::Uci) => return self.introduce(),
            Ok(Command::IsReady) => {
                self.is_new = was_new;
                return self.get_ready();
            }
            Ok(Command::Debug(_)) if self.has(Breach::NoDebug) => return Ok(DEAD),
            Ok(Command::UciNewGame) if was_new && self.has(Breach::SecondNewGame) => {
                return Ok(DEAD);
            }
            Ok(Command::UciNewGame) => {
                self.is_new = true;
                self.has_new_game = true;
                self.has_position = false;
            }
            Ok(Command::SetOption { name, value }) => {
                return Ok(self.set(&name, value.as_deref()));
            }
            Ok(Command::Go(_)) if self.waiting.is_some() && self.has(Breach::NoSecondGo) => {
                return Ok(DEAD);
            }
            Ok(Command::Go(_)) if self.waiting.is_some() => {}
            Ok(Command::Go(go)) if go.perft.is_none() => return self.go(&go),
            Ok(Command::Stop) => return self.stop(&self.flags.always.clone()),
            Ok(Command::PonderHit) if self.waiting.is_some() => {
                return self.stop(&Always::default());
            }
            Ok(Command::PonderHit) if self.has(Breach::IdlePonderhit) => {
                return self.say(&["bestmove e2e4"]);
            }
            Ok(Command::Debug(_) | Command::Register(_) | Command::PonderHit) => {}
            Err(_) if self.has(Breach::Strict) => return Ok(DEAD),
            Err(_) if self.has(Breach::Prefixes) && line.starts_with("go") => {
                return self.go(&Go::default());
            }
            // Like Stockfish, of which no complaint comes.
            _ if line.starts_with("position ") => {}
            _ if line.starts_with("go ") && self.dialect.search != Search::Unknown => {
                let lines = ["info depth 1 score cp 20 nodes 20 pv e2e4", "bestmove e2e4"];
                self.is_searching = self.dialect.search == Search::Endless;
                let printed = if self.is_searching { 1 } else { 2 };
                return self.say(&lines[..printed]);
            }
            _ => return self.fail_to_understand(line),
        }
        Ok(Next::Read)
    }

    fn fail_to_understand(&self, line: &str) -> io::Result<Next> {
        let lines = self.dialect.unknown.iter();
        let lines: Vec<String> = lines.map(|said| said.replace("{line}", line)).collect();
        self.say(&lines)?;
        Ok(match self.dialect.ends_at_unknown {
            0 => Next::Read,
            code => Next::End(ExitCode::from(code)),
        })
    }

    /// Answers a question about its own position, else about the one on the board.
    fn count(&mut self, fields: &Fields, rows: bool) -> io::Result<Next> {
        self.await_count()?;
        if fields.fen.is_some() {
            self.set_up(fields)?;
        }
        self.questions += 1;
        let Some(depth) = fields.depth.filter(|&depth| depth > 0) else {
            return self.say(&["error: depth"]);
        };
        match self.refused {
            Some(Refuse::Zero) => return self.say(&["Nodes searched: 0"]),
            Some(Refuse::Say) => return self.say(&["info string error: invalid clock"]),
            Some(Refuse::Keep) | None => {}
        }
        if let Some(how) = count::breakdown(&self.does, self.board.game()) {
            return Ok(Next::End(process::crash(how)));
        }
        if self.flags.misbehaviours.has("!garbage") {
            process::say(process::GARBAGE)?;
        }
        let question = Question {
            route: self.board.route(),
            depth: depth + self.dialect.extra_depth,
            number: self.questions,
            rows,
            chess960: self.dialect.chess960 && self.board.is_chess960(),
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

    fn await_count(&mut self) -> io::Result<()> {
        match self.counting.take() {
            Some(counting) => counting.join().expect("counting does not panic"),
            None => Ok(()),
        }
    }

    /// Answers `d` and `list …`, if the flags ask for it.
    fn show(&self, line: &str) -> Option<io::Result<Next>> {
        let show = &self.flags.show;
        let is_check = self.board.position().is_check();
        let lines = match (line, show.display, show.list) {
            ("d", Some(_), _) if show.on_position => Vec::new(),
            ("d", Some(Display::CrashInCheck), _) if is_check => {
                return Some(Ok(Next::End(process::crash("abort"))));
            }
            ("d", Some(Display::HangInCheck), _) if is_check => hang(),
            ("d", Some(how), _) => {
                let first = || self.board.moves(None).into_iter().next();
                let found = self.has_searched.then(first).flatten();
                display::lines(how, self.board.game(), found.as_deref())
            }
            (line, _, Some(how)) => match line.strip_prefix("list ") {
                Some(_) if how == List::Crash => {
                    return Some(Ok(Next::End(process::crash("abort"))));
                }
                Some(set) => vec![display::list(how, set, self.board.position())?],
                None => return None,
            },
            _ => return None,
        };
        Some(self.say(&lines))
    }

    fn introduce(&mut self) -> io::Result<Next> {
        if let Next::End(code) = self.misbehave("uci")? {
            return Ok(Next::End(code));
        }
        std::thread::sleep(Duration::from_millis(self.dialect.startup_ms));
        let mut lines = Vec::new();
        if !self.has(Breach::NoName) {
            lines.push("id name Faulty Engine");
        }
        if !self.has(Breach::NoAuthor) {
            lines.push("id author Touchstone");
        }
        let hash = if self.has(Breach::DefaultOutOfRange) {
            "type spin default 0 min 1 max 1024"
        } else {
            "type spin default 16 min 1 max 1024"
        };
        let multipv = self.flags.count.lists.unwrap_or(5);
        let multipv = format!("type spin default 1 min 1 max {multipv}");
        let options = [
            ("Threads", "type spin default 1 min 1 max 8"),
            ("Hash", hash),
            ("Clear Hash", "type button"),
            ("Ponder", "type check default false"),
            ("MultiPV", &multipv),
            ("UCI_Chess960", "type check default false"),
        ];
        let is_declared = |name: &str| {
            !self.flags.play.no_option.iter().any(|no| no == name)
                && (name != "Threads" || !self.has(Breach::NoThreads))
                && (name != "UCI_Chess960" || self.dialect.chess960)
        };
        let options = options.iter().filter(|(name, _)| is_declared(name));
        let options: Vec<String> = options
            .map(|(name, what)| format!("option name {name} {what}"))
            .collect();
        lines.extend(options.iter().map(String::as_str));
        if self.flags.play.optimum.is_some() {
            lines.extend(tunable::OPTIONS.lines());
        }
        if self.has(Breach::OddType) {
            lines.push("option name Style type slider default 3");
        }
        if let Some(script) = &self.script {
            lines = script.head.lines().collect();
        }
        if !self.flags.misbehaviours.has("!no-uciok") {
            lines.push("uciok");
        }
        self.say(&lines)?;
        self.misbehave("uciok")
    }

    fn get_ready(&mut self) -> io::Result<Next> {
        self.misbehave("ready")?;
        // The search hears until it has ended, and not only until `stop`.
        let is_ending = std::mem::take(&mut self.is_ending);
        let is_searching = self.is_searching || is_ending || self.waiting.is_some();
        let is_busy = self.has(Breach::Busy) && is_searching;
        if self.flags.misbehaviours.has("!no-readyok") || is_busy {
            return Ok(Next::Read);
        }
        let times = if self.has(Breach::DoubleReadyok) {
            2
        } else {
            1
        };
        self.say(&["readyok"; 2][..times])?;
        if self.dialect.buffer == Buffer::Ready {
            self.output.write()?;
        }
        Ok(Next::Read)
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Next {
        let value = value.unwrap_or("");
        let lower = name.to_lowercase();
        let breach = match &*lower {
            "hash" if !value.parse().is_ok_and(|value: u32| value > 0) => Some(Breach::Trusting),
            "hash" => Some(Breach::NoResize),
            "threads" => Some(Breach::OneThread),
            "clear hash" => Some(Breach::NoButton),
            "ponder" if value == "false" => Some(Breach::NoDefault),
            "uci_chess960" => Some(Breach::NoChess960),
            "multipv" | "ponder" => None,
            _ => Some(Breach::OnlyItsOptions),
        };
        if breach.is_some() && breach == self.flags.breach {
            return DEAD;
        }
        match &*lower {
            "multipv" if self.has(Breach::ExactOptions) && name != "MultiPV" => {}
            "multipv" if !self.has(Breach::NoMultipv) => self.multipv = value.parse().unwrap_or(1),
            "uci_chess960" => self.board.set_chess960(value.eq_ignore_ascii_case("true")),
            "margin" if self.flags.play.optimum.is_some() => {
                self.margin = value.parse().expect("only whole numbers are sent");
            }
            _ => {}
        }
        Next::Read
    }

    fn set_up(&mut self, fields: &Fields) -> io::Result<Next> {
        let refuse = self.flags.count.refuse;
        self.refused = None;
        let before = self.board.game().moves().len();
        if !(self.has(Breach::FirstPosition) && self.has_position) {
            let ignores = |what: &str| self.dialect.ignores.iter().any(|ignored| ignored == what);
            match &fields.fen {
                Some(fen) if !ignores("fen") => match fen::parse(fen) {
                    Ok(position) if refuse.is_some() && position.halfmove_clock() >= 100 => {
                        self.refused = refuse;
                        return Ok(Next::Read);
                    }
                    Ok(position) => self.board.start_from(position),
                    // Like Stockfish, of which no complaint comes.
                    Err(_) => return Ok(Next::Read),
                },
                None if ignores("startpos") => {}
                _ => self.board.start_from(Position::startpos()),
            }
            if !ignores("moves") {
                self.is_lost = !self.play(&fields.moves);
            }
        }
        self.has_position = true;
        self.has_searched = false;
        let game = self.board.game();
        let position = game.position();
        let is_too_much = match self.flags.breach {
            Some(Breach::NoDoubleCheck) => position.checkers().count() > 1,
            Some(Breach::NoTakeback) => game.moves().len() < before,
            Some(Breach::NoRepetition) => game.repetitions() > 1,
            Some(Breach::NoFiftyMoves) => position.halfmove_clock() >= 98,
            Some(Breach::NoBareKings) => position.is_insufficient_material(),
            Some(Breach::ShortList) => position.legal_move_count() > 100,
            _ => false,
        };
        if is_too_much {
            return Ok(DEAD);
        }
        let fen = fen::write(position);
        let lines = self.dialect.after_set.iter();
        let mut lines: Vec<String> = lines.map(|line| line.replace("{fen}", &fen)).collect();
        let show = &self.flags.show;
        if let Some(how) = show.display.filter(|_| show.on_position) {
            lines.extend(display::lines(how, game, None));
        }
        self.say(&lines)
    }

    /// Plays moves up to one that it cannot read. Whether it can read all.
    fn play(&mut self, moves: &[String]) -> bool {
        let mut spellings = self.dialect.reads.clone();
        if self.dialect.chess960 && self.board.is_chess960() {
            spellings.push(Spelling::by_rook());
        }
        for text in moves {
            let position = self.board.position();
            let read = match &spellings[..] {
                [usual] if *usual == Spelling::default() => self.board.read(text),
                _ => spell::read(text, position, &spellings),
            };
            match read {
                Some(m) => self.board.play(m, self.flags.has(Breach::LeftRook)),
                None if self.dialect.drops_unreadable_moves => {}
                None => return false,
            }
        }
        true
    }
}

/// Matches a line with the first of these forms that fits.
fn first_match(forms: &[String], line: &str) -> Option<Fields> {
    forms.iter().find_map(|form| template::read(form, line))
}

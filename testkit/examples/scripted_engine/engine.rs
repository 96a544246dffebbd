//! The loop that answers UCI.

use std::io::{self, Read as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use chess::rules::{Color, Position};
use uci::grammar::{Command, Go, PositionCommand};

use crate::answers::{self, Counts, GARBAGE};
use crate::board::Board;
use crate::breach::Breach;
use crate::display::{self, Display, List};
use crate::flags::{Always, AtStart, AtTurn, Crash, Dialect, Flags, IgnoreLimits};
use crate::process::{self, Next, hang, is_due, say};
use crate::script::Script;
use crate::tunable;
use crate::wrap;

#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(crate) struct Engine {
    pub(crate) flags: Flags,
    pub(crate) board: Board,
    counts: Counts,
    script: Option<Script>,
    multipv: usize,
    /// The value of the option Margin.
    pub(crate) margin: u64,
    /// The side that it plays, if it speaks `XBoard`'s protocol and is not in force mode.
    pub(crate) color: Option<Color>,
    /// Moves asked for so far.
    asked: u64,
    /// A search that ends only by `stop` or `ponderhit`, and when it began.
    pub(crate) waiting: Option<Instant>,
    /// A search in place of a count, which ends only by `stop`.
    is_searching: bool,
    /// The last answer.
    answered: String,
    /// Whether the last command was `ucinewgame`.
    is_new: bool,
    has_position: bool,
    /// Whether `ucinewgame` has come.
    has_new_game: bool,
    /// Whether a move was found since the last position.
    has_searched: bool,
    /// Whether the last position had an illegal move.
    is_lost: bool,
    /// Whether `uci` has come.
    is_awake: bool,
}

/// What a crash by a breach is.
const DEAD: Next = Next::End(ExitCode::FAILURE);

impl Engine {
    pub(crate) fn new(flags: Flags) -> Self {
        let file = flags.words.first();
        let file = file.filter(|_| flags.count.dialect != Dialect::Script);
        Self {
            script: file.map(|file| Script::read(Path::new(file))),
            board: Board::startpos(),
            counts: Counts::default(),
            multipv: 1,
            margin: tunable::MARGIN,
            color: None,
            asked: 0,
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

    fn has(&self, breach: Breach) -> bool {
        self.flags.has(breach)
    }

    pub(crate) fn run(&mut self) -> io::Result<ExitCode> {
        if let Some(variable) = &self.flags.start.print_surroundings {
            process::print_surroundings(variable)?;
        }
        if let Some(engine) = &self.flags.wrap {
            return wrap::run(engine, self.flags.wrap_faults);
        }
        if self.flags.count.dialect == Dialect::Script {
            return self.count_once();
        }
        if self.flags.start != AtStart::default() && !is_due(self.flags.once.as_deref()) {
            self.flags.start = AtStart::default();
        }
        if let Some(how) = self.flags.start.crash_at_start
            && let Next::End(code) = process::crash(how)
        {
            return Ok(code);
        }
        if self.flags.start.deaf {
            hang();
        }
        if self.flags.start.stderr_lines > 0 {
            return process::complain(self.flags.start.stderr_lines);
        }
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
            if self.flags.start.silent {
                continue;
            }
            unread.extend_from_slice(&chunk[..count]);
            if self.has(Breach::HalfLines) && unread.last() != Some(&b'\n') {
                unread.push(b'\n');
            }
            while let Some(end) = unread.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = unread.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line[..end]).into_owned();
                if let Next::End(code) = self.obey(&line)? {
                    return Ok(code);
                }
                if self.has(Breach::FirstLineOnly) {
                    unread.clear();
                }
            }
        }
    }

    /// Answers the question on the command line.
    fn count_once(&mut self) -> io::Result<ExitCode> {
        let question = match &*self.flags.words {
            [depth, fen, moves @ ..] => {
                let position = format!("position fen {fen} moves {}", moves.join(" "));
                let position = position.trim_end_matches(" moves ").parse();
                depth.parse().ok().zip(position.ok())
            }
            _ => None,
        };
        if let Some((depth, Command::Position(position))) = question
            && self.board.set_up(&position, false, false).is_some()
        {
            return match self.counts.count(&self.flags, &self.board, depth)? {
                Next::Read => Ok(ExitCode::SUCCESS),
                Next::End(code) => Ok(code),
            };
        }
        io::Write::write_all(&mut io::stderr(), b"expected DEPTH FEN [MOVES]\n")?;
        Ok(ExitCode::from(2))
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        if let Some(how) = self.flags.xboard {
            return self.obey_xboard(how, line.trim());
        }
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
        if let Some(answer) = self.script.as_mut().and_then(|script| script.answer(line)) {
            return answer;
        }

        let count = &self.flags.count;
        let word = line.split_whitespace().next().unwrap_or("");
        let knows = match word {
            "quit" => true,
            "position" => count.dialect != Dialect::PerftFen,
            _ => !count.console,
        };
        let searches = (count.search || count.search_until_stop) && word == "go" && knows;
        if searches {
            return self.search_in_place_of_count();
        }
        if !count.no_perft
            && let Some(depth) = answers::question(&self.flags, line.trim(), &mut self.board)
        {
            return self.counts.count(&self.flags, &self.board, depth);
        }
        if let Some(answer) = self.show(line.trim()) {
            return answer;
        }
        match line.parse() {
            Ok(Command::Quit)
                if self.flags.always.ignore_quit
                    || self.waiting.is_some() && self.has(Breach::Tenacious) => {}
            Ok(Command::Quit) if self.has(Breach::Failing) => {
                return Ok(Next::End(ExitCode::from(3)));
            }
            Ok(Command::Quit) => return Ok(Next::End(ExitCode::SUCCESS)),
            Ok(Command::Uci) if knows => return self.introduce(),
            Ok(Command::IsReady) if knows => {
                self.is_new = was_new;
                return self.get_ready();
            }
            Ok(Command::Debug(_)) if self.has(Breach::NoDebug) => return Ok(DEAD),
            Ok(Command::UciNewGame) if was_new && self.has(Breach::SecondNewGame) => {
                return Ok(DEAD);
            }
            Ok(Command::UciNewGame) if knows => {
                self.is_new = true;
                self.has_new_game = true;
                self.has_position = false;
            }
            Ok(Command::SetOption { name, value }) if knows => {
                return Ok(self.set(&name, value.as_deref()));
            }
            Ok(Command::Position(position)) if knows => return self.set_up(&position),
            Ok(Command::Go(_)) if self.waiting.is_some() && self.has(Breach::NoSecondGo) => {
                return Ok(DEAD);
            }
            Ok(Command::Go(_)) if self.waiting.is_some() => {}
            Ok(Command::Go(go)) if knows && go.perft.is_none() => return self.go(&go),
            Ok(Command::Stop) if knows => return self.stop(&self.flags.always.clone()),
            Ok(Command::PonderHit) if self.waiting.is_some() => {
                return self.stop(&Always::default());
            }
            Ok(Command::PonderHit) if self.has(Breach::IdlePonderhit) => {
                self.flags.say_lines(&["bestmove e2e4"])?;
            }
            Ok(Command::Debug(_) | Command::Register(_) | Command::PonderHit) if knows => {}
            Err(_) if self.has(Breach::Strict) => return Ok(DEAD),
            Err(_) if self.has(Breach::Prefixes) && line.starts_with("go") => {
                return self.go(&Go::default());
            }
            // Like Stockfish, of which no complaint comes.
            Err(_) if knows && word == "position" => {}
            _ => {
                let unknown = format!("Unknown command: '{}'", line.trim());
                self.flags.say_lines(&[unknown])?;
            }
        }
        Ok(Next::Read)
    }

    /// Answers `d` and `list …`, if the flags ask for it.
    fn show(&self, line: &str) -> Option<io::Result<Next>> {
        let show = &self.flags.show;
        let is_check = self.board.position().is_check();
        let lines = match (line, show.display, show.list) {
            ("d", Some(Display::CrashInCheck), _) if is_check => {
                return Some(Ok(process::crash(Crash::Abort)));
            }
            ("d", Some(Display::HangInCheck), _) if is_check => hang(),
            ("d", Some(how), _) => {
                let first = || self.board.moves(None).into_iter().next();
                let found = self.has_searched.then(first).flatten();
                display::lines(how, self.board.game(), found.as_deref())
            }
            (line, _, Some(how)) => match line.strip_prefix("list ") {
                Some(_) if how == List::Crash => return Some(Ok(process::crash(Crash::Abort))),
                Some(set) => vec![display::list(how, set, self.board.position())?],
                None => return None,
            },
            _ => return None,
        };
        Some(self.flags.say_lines(&lines).map(|()| Next::Read))
    }

    fn introduce(&self) -> io::Result<Next> {
        let start = &self.flags.start;
        if let Some(how) = start.crash_on_uci {
            return Ok(process::crash(how));
        }
        std::thread::sleep(start.slow_uciok);
        if let Some(greeting) = &start.greet {
            say(&process::unescape(greeting))?;
        }
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
        let options = [
            ("Threads", "type spin default 1 min 1 max 8"),
            ("Hash", hash),
            ("Clear Hash", "type button"),
            ("Ponder", "type check default false"),
            ("MultiPV", "type spin default 1 min 1 max 5"),
            ("UCI_Chess960", "type check default false"),
        ];
        let is_declared = |name: &str| {
            !self.flags.play.no_option.iter().any(|no| no == name)
                && (name != "Threads" || !self.has(Breach::NoThreads))
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
        if !start.no_uciok {
            lines.push("uciok");
        }
        self.flags.say_lines(&lines)?;
        if start.close_stdout_at_start {
            process::close_stdout()?;
        }
        if start.close_stdin_at_start {
            process::close_stdin()?;
            self.flags.say_lines(&["info string closed"])?;
            hang();
        }
        if start.leave_child_at_start {
            self.flags.say_lines(&[process::leave_child()?])?;
        }
        Ok(Next::Read)
    }

    fn get_ready(&mut self) -> io::Result<Next> {
        if self.flags.start.hang_on_isready {
            hang();
        }
        if self.flags.start.no_readyok || self.has(Breach::Busy) && self.waiting.is_some() {
            return Ok(Next::Read);
        }
        let mut lines = vec!["readyok".to_owned()];
        if self.has(Breach::DoubleReadyok) {
            lines.push("readyok".to_owned());
        }
        lines.append(&mut self.counts.late);
        self.flags.say_lines(&lines)?;
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
            "uci_chess960" => self.board.set_chess960(value == "true"),
            "margin" if self.flags.play.optimum.is_some() => {
                self.margin = value.parse().expect("only whole numbers are sent");
            }
            _ => {}
        }
        Next::Read
    }

    fn set_up(&mut self, position: &PositionCommand) -> io::Result<Next> {
        let before = self.board.game().moves().len();
        if !(self.has(Breach::FirstPosition) && self.has_position) {
            let by_text = self.flags.count.castling_by_text;
            let leaves_rook = self.has(Breach::LeftRook);
            let set_up = self.board.set_up(position, by_text, leaves_rook);
            self.is_lost = set_up.is_none();
            if self.is_lost {
                self.flags
                    .say_lines(&[format!("cannot set up {position}")])?;
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
        Ok(if is_too_much { DEAD } else { Next::Read })
    }

    fn search_in_place_of_count(&mut self) -> io::Result<Next> {
        let lines = ["info depth 1 score cp 20 nodes 20 pv e2e4", "bestmove e2e4"];
        self.is_searching = self.flags.count.search_until_stop;
        let printed = if self.is_searching { 1 } else { 2 };
        self.flags.say_lines(&lines[..printed])?;
        Ok(Next::Read)
    }

    fn go(&mut self, go: &Go) -> io::Result<Next> {
        assert!(!self.is_lost, "only legal moves are sent before a search");
        if self.flags.always.repeat_late {
            say(self.answered.as_bytes())?;
        }
        if self.has(Breach::NeedsNewGame) && !self.has_new_game {
            return Ok(Next::Read);
        }
        if let Some(how) = self.flags.always.ignore_limits {
            self.waiting = Some(now());
            if how == IgnoreLimits::Loud {
                self.flags.say_lines(&[
                    "info depth 1 score cp 1 nodes 20 pv e2e4",
                    "info depth 30 score cp 1 nodes 5000000 pv e2e4",
                ])?;
            }
            return Ok(Next::Read);
        }
        if go.ponder && self.flags.always.early {
            return self.answer(go, &AtTurn::default());
        }
        let is_deaf = match self.flags.breach {
            Some(Breach::DeafToDepth) => go.depth.is_some(),
            Some(Breach::Slow) => go.depth.is_some_and(|depth| depth > 4),
            Some(Breach::DeafToNodes) => go.nodes.is_some(),
            Some(Breach::DeafToMovetime) => go.movetime_ms.is_some(),
            Some(Breach::DeafToWtime) => go.wtime_ms.is_some(),
            Some(Breach::DeafToWinc) => go.winc_ms.is_some(),
            Some(Breach::DeafToMovestogo) => go.movestogo.is_some(),
            Some(Breach::DeafToMate) => go.mate.is_some(),
            _ => false,
        };
        if go.wtime_ms.is_none() && self.has(Breach::ClockOnly) {
            hang();
        }
        let is_hasty = match self.flags.breach {
            Some(Breach::Impatient) => true,
            Some(Breach::ImpatientIfForced) => self.board.position().legal_move_count() == 1,
            Some(Breach::ImpatientPonderer) => go.ponder,
            _ => false,
        };
        if is_deaf || (go.infinite || go.ponder) && !is_hasty {
            self.waiting = Some(now());
            if !self.flags.play.first_move {
                self.flags.say_lines(&["info depth 1 score cp 1 nodes 1"])?;
            }
            return Ok(Next::Read);
        }
        if go.nodes == Some(1) && self.has(Breach::NoOneNode)
            || self.has(Breach::BookOnly) && *self.board.position() != Position::startpos()
        {
            return Ok(DEAD);
        }
        let has_little = go.wtime_ms.is_some_and(|clock| clock <= 100);
        let has_few = go.movetime_ms.is_some_and(|time| time <= 100);
        if has_little && self.has(Breach::NoMoveYet)
            || (has_little || has_few) && self.has(Breach::NoMoveInTime)
        {
            self.flags.say_lines(&["bestmove a8a8"])?;
            return Ok(Next::Read);
        }
        let has_clock = go.wtime_ms.is_some() || go.movetime_ms.is_some();
        if has_clock && self.has(Breach::Unpunctual) {
            let clock = go.wtime_ms.and_then(|time| u64::try_from(time).ok());
            let time = go.movetime_ms.max(clock).unwrap_or(0);
            std::thread::sleep(Duration::from_millis(time + 400));
        }
        if let (Some(clock), Some(increment)) = (go.wtime_ms, go.winc_ms)
            && self.has(Breach::SpendsIncrement)
        {
            let clock = u64::try_from(clock).unwrap_or(0);
            std::thread::sleep(Duration::from_millis(clock / 30 + increment));
        }
        self.find_move(go)
    }

    /// Ends a search that waits for `stop` or `ponderhit`, if there is one.
    fn stop(&mut self, always: &Always) -> io::Result<Next> {
        if std::mem::take(&mut self.is_searching) {
            self.flags.say_lines(&["bestmove e2e4"])?;
        }
        match self.waiting {
            None if self.has(Breach::IdleStop) => self.flags.say_lines(&["bestmove e2e4"])?,
            None => {}
            Some(_) if always.ignore_stop => {}
            Some(since)
                if self.has(Breach::LostStop) && since.elapsed() < Duration::from_millis(20) => {}
            Some(since)
                if self.has(Breach::NoMoveYet) && since.elapsed() < Duration::from_millis(20) =>
            {
                self.waiting = None;
                self.flags.say_lines(&["bestmove a8a8"])?;
            }
            Some(_) => {
                self.waiting = None;
                if self.has(Breach::SlowStop) {
                    std::thread::sleep(Duration::from_millis(400));
                }
                if always.double {
                    self.answer(&Go::default(), &AtTurn::default())?;
                    return self.answer(&Go::default(), &AtTurn::default());
                }
                return self.find_move(&Go::default());
            }
        }
        Ok(Next::Read)
    }

    /// Searches and answers, or misbehaves instead.
    pub(crate) fn find_move(&mut self, go: &Go) -> io::Result<Next> {
        self.asked += 1;
        self.has_searched = true;
        std::thread::sleep(self.flags.play.sleep);
        let misbehaves = self.flags.turn != AtTurn::default() || self.flags.xboard.is_some();
        let is_due =
            self.asked == self.flags.at && misbehaves && is_due(self.flags.once.as_deref());
        let turn = if is_due {
            self.flags.turn.clone()
        } else {
            AtTurn::default()
        };
        if let Some(how) = turn.crash {
            return Ok(process::crash(how));
        }
        if turn.hang {
            hang();
        }
        for _ in 0..turn.flood.unwrap_or(0) {
            say(&b"info depth 1 score cp 1 nodes 1 pv e2e4\n".repeat(100))?;
        }
        if turn.endless_line {
            loop {
                say(&[b'x'; 4096])?;
            }
        }
        if turn.long_line > 0 {
            process::write_in_pieces(&mut io::stdout().lock(), turn.long_line)?;
            say(b"\n")?;
        }
        process::write_in_pieces(&mut io::stderr().lock(), turn.stderr)?;
        if turn.garbage {
            say(GARBAGE)?;
        }
        if turn.close_stdin {
            process::close_stdin()?;
        }
        if turn.close_stdout {
            process::close_stdout()?;
            hang();
        }
        if turn.leave_group {
            process::leave_group()?;
            hang();
        }
        if turn.leave_child {
            self.flags.say_lines(&[process::leave_child()?])?;
        }
        std::thread::sleep(turn.late);
        if let Some(how) = self.flags.xboard {
            return self.answer_xboard(how, is_due, &turn);
        }
        if let Some(answer) = turn.answer() {
            say(answer)?;
            return Ok(Next::Read);
        }
        let next = self.answer(go, &turn)?;
        if turn.no_newline || turn.close_stdin {
            hang();
        }
        if turn.exit_after_move || turn.no_final_newline {
            return Ok(Next::End(ExitCode::SUCCESS));
        }
        Ok(next)
    }

    /// Prints the move, after what the search finds.
    fn answer(&mut self, go: &Go, turn: &AtTurn) -> io::Result<Next> {
        let mut text = String::new();
        let best = if self.flags.play.first_move {
            self.think(go)?;
            let game = self.board.game();
            let is_drawn = self.has(Breach::NoDraws) && game.claimable_draw().is_some();
            let best = self.moves(go).into_iter().next().filter(|_| !is_drawn);
            best.map(|best| (best, None))
        } else {
            let score = self.flags.play.optimum.map_or(self.flags.play.score, |_| {
                let position = self.board.position();
                tunable::balance(position, position.side_to_move())
            });
            let score = match self.flags.play.mate {
                Some(moves) => format!("mate {moves}"),
                None => format!("cp {score}"),
            };
            text = format!("info depth 2 seldepth 3 score {score} nodes 20 pv e2e4\n");
            self.board.choose(&self.flags.play, self.margin)
        };
        self.answered = match best {
            None if self.has(Breach::NoEnd) => return Ok(DEAD),
            None => "bestmove (none)\n".to_owned(),
            Some((mut best, expected)) => {
                if self.has(Breach::CapitalPromotion) && best.len() == 5 {
                    best = format!("{}{}", &best[..4], best[4..].to_uppercase());
                }
                let expected =
                    expected.or(self.has(Breach::IllegalPonder).then(|| "a1a1".to_owned()));
                let ponder = expected.map_or_else(String::new, |m| format!(" ponder {m}"));
                format!("bestmove {best}{ponder}\n")
            }
        };
        if let Some(template) = &turn.answer_with {
            let best = self.answered.split_whitespace().nth(1).unwrap_or_default();
            say(&process::unescape(&template.replace("{move}", best)))?;
            return Ok(Next::Read);
        }
        // In one write: the second comes before anybody can move.
        let times = if self.flags.always.repeat { 2 } else { 1 };
        text += &self.answered.repeat(times);
        if turn.no_newline || turn.no_final_newline {
            text.pop();
        }
        say(text.as_bytes())?;
        if self.has(Breach::Afterthought) {
            say(b"info string that was hard\n")?;
        }
        if self.has(Breach::DoubleBestmove) {
            std::thread::sleep(Duration::from_millis(100));
            say(self.answered.as_bytes())?;
        }
        Ok(Next::Read)
    }

    /// Prints infos for each depth and PV, and takes its time.
    #[expect(clippy::print_stderr, reason = "as asked")]
    fn think(&self, go: &Go) -> io::Result<()> {
        let time = go.movetime_ms.filter(|_| !self.has(Breach::Hasty));
        let time = Duration::from_millis(time.unwrap_or(0) * 3 / 4);
        if self.has(Breach::HeldBack) {
            std::thread::sleep(time);
        }
        let is_wasteful = self.has(Breach::Wasteful);
        let depth = go.depth.unwrap_or(3) * if is_wasteful { 3 } else { 1 };
        let nodes = go.nodes.unwrap_or(100) * if is_wasteful { 400 } else { 1 };
        let score = match self.flags.breach {
            Some(Breach::NoScore) => String::new(),
            Some(Breach::Moody) => format!(" score cp {}", self.asked),
            _ => format!(" score cp {}", self.flags.play.score),
        };
        let more = match self.flags.breach {
            Some(Breach::DecimalTime) => " time 0.5",
            Some(Breach::OddInfo) => " temperature 40",
            _ => " time 0",
        };
        let mut pvs = self.moves(go);
        if self.has(Breach::OtherPv) {
            pvs.reverse();
        }
        pvs.truncate(self.multipv);
        let end = if self.has(Breach::IllegalPv) {
            " a1a1"
        } else {
            ""
        };
        for depth in 1..=depth {
            for (rank, pv) in (1..).zip(&pvs) {
                self.flags.say_lines(&[format!(
                    "info depth {depth} multipv {rank}{score} nodes {nodes}{more} pv {pv}{end}"
                )])?;
            }
        }
        if self.has(Breach::Chatty) {
            say(b"I think I am winning\n")?;
        }
        if self.has(Breach::Complaining) {
            eprintln!("I think I am losing");
        }
        if !self.has(Breach::HeldBack) {
            std::thread::sleep(time);
        }
        Ok(())
    }

    fn moves(&self, go: &Go) -> Vec<String> {
        let mut moves = self.board.moves(self.flags.breach);
        let only: Vec<String> = go.searchmoves.iter().map(ToString::to_string).collect();
        if !only.is_empty() && !self.has(Breach::NoSearchmoves) {
            moves.retain(|m| only.contains(m));
        }
        moves
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a stop that comes at once is recognised"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

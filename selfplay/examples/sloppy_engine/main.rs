//! A UCI engine with small misbehaviours: for testing those who check engines.
//!
//! Without a misbehaviour it is sound, though it plays the first legal move where it does not mate.
//! `--help` lists the misbehaviours; the only argument is the name of one.

mod board;
mod misbehaviours;

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use uci::grammar::{Command, Go, PositionCommand};

use board::Board;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "help and usage")]
fn main() -> ExitCode {
    let misbehaviour = std::env::args().nth(1).unwrap_or_default();
    if misbehaviour == "--help" {
        for (name, what) in misbehaviours::MISBEHAVIOURS {
            println!("{name:22}{what}");
        }
        return ExitCode::SUCCESS;
    }
    if !misbehaviour.is_empty()
        && misbehaviours::MISBEHAVIOURS
            .iter()
            .all(|(name, _)| *name != misbehaviour)
    {
        eprintln!("there is no misbehaviour '{misbehaviour}'");
        return ExitCode::from(2);
    }
    // Nobody reads any more: then there is nothing left to do.
    Engine::new(misbehaviour).run().unwrap_or(ExitCode::SUCCESS)
}

/// What to do after a command.
enum Next {
    Read,
    End(ExitCode),
}

struct Engine {
    misbehaviour: String,
    board: Board,
    multipv: usize,
    /// A search that goes on until `stop`, and when it began.
    waiting: Option<Instant>,
    /// Whether the last command was `ucinewgame`.
    is_new: bool,
    has_position: bool,
    searches: u32,
    /// Whether `uci` has come.
    is_awake: bool,
}

const DEAD: Next = Next::End(ExitCode::FAILURE);

impl Engine {
    fn new(misbehaviour: String) -> Self {
        Self {
            misbehaviour,
            board: Board::default(),
            multipv: 1,
            waiting: None,
            is_new: false,
            has_position: false,
            searches: 0,
            is_awake: false,
        }
    }

    fn has(&self, misbehaviour: &str) -> bool {
        self.misbehaviour == misbehaviour
    }

    fn run(&mut self) -> io::Result<ExitCode> {
        let mut unread = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            let count = io::stdin().lock().read(&mut chunk)?;
            if count == 0 {
                if self.has("tenacious") {
                    hang();
                }
                return Ok(ExitCode::SUCCESS);
            }
            unread.extend_from_slice(&chunk[..count]);
            if self.has("half-lines") && unread.last() != Some(&b'\n') {
                unread.push(b'\n');
            }
            while let Some(end) = unread.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = unread.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line[..end]).into_owned();
                if let Next::End(code) = self.obey(&line)? {
                    return Ok(code);
                }
                if self.has("first-line-only") {
                    unread.clear();
                }
            }
        }
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        let line = match line.char_indices().nth(1024) {
            Some((end, _)) if self.has("short-lines") => &line[..end],
            _ => line,
        };
        let is_dirty = line.trim() != line || line.contains("  ");
        if self.has("exact-words") && is_dirty
            || self.has("no-carriage-return") && line.ends_with('\r')
        {
            return Ok(Next::Read);
        }
        if self.has("no-empty-lines") && line.trim().is_empty() {
            return Ok(DEAD);
        }
        self.is_awake |= line == "uci";
        if self.has("uci-first") && !self.is_awake {
            return Ok(Next::Read);
        }
        let was_new = std::mem::replace(&mut self.is_new, false);
        match line.parse() {
            Ok(Command::Uci) => self.introduce()?,
            Ok(Command::IsReady) if self.has("busy") && self.waiting.is_some() => {}
            Ok(Command::IsReady) => {
                self.is_new = was_new;
                say("readyok")?;
                if self.has("double-readyok") {
                    say("readyok")?;
                }
            }
            Ok(Command::Debug(_)) if self.has("no-debug") => return Ok(DEAD),
            Ok(Command::UciNewGame) if was_new && self.has("second-new-game") => return Ok(DEAD),
            Ok(Command::UciNewGame) => {
                self.is_new = true;
                self.has_position = false;
            }
            Ok(Command::SetOption { name, value }) => return Ok(self.set(&name, value.as_deref())),
            Ok(Command::Position(position)) => return Ok(self.set_up(&position)),
            Ok(Command::Go(_)) if self.waiting.is_some() && self.has("no-second-go") => {
                return Ok(DEAD);
            }
            Ok(Command::Go(_)) if self.waiting.is_some() => {}
            Ok(Command::Go(go)) => return self.go(&go),
            Ok(Command::Stop) => return self.stop(),
            Ok(Command::PonderHit) if self.waiting.is_some() => return self.stop(),
            Ok(Command::PonderHit) if self.has("idle-ponderhit") => say("bestmove e2e4")?,
            Ok(Command::Quit) if self.waiting.is_some() && self.has("tenacious") => {}
            Ok(Command::Quit) if self.has("failing") => return Ok(Next::End(ExitCode::from(3))),
            Ok(Command::Quit) => return Ok(Next::End(ExitCode::SUCCESS)),
            Err(_) if self.has("strict") => return Ok(DEAD),
            Err(_) if self.has("prefixes") && line.starts_with("go") => {
                return self.go(&Go::default());
            }
            _ => {}
        }
        Ok(Next::Read)
    }

    fn introduce(&self) -> io::Result<()> {
        let default = if self.has("default-out-of-range") {
            0
        } else {
            16
        };
        let lines = [
            ("no-name", "id name Sloppy Engine"),
            ("no-author", "id author Touchstone"),
            (
                "no-threads",
                "option name Threads type spin default 1 min 1 max 8",
            ),
            (
                "",
                &format!("option name Hash type spin default {default} min 1 max 1024"),
            ),
            ("", "option name Clear Hash type button"),
            ("", "option name Ponder type check default false"),
            ("", "option name MultiPV type spin default 1 min 1 max 5"),
            ("", "option name UCI_Chess960 type check default false"),
        ];
        for (misbehaviour, line) in lines {
            if misbehaviour.is_empty() || !self.has(misbehaviour) {
                say(line)?;
            }
        }
        if self.has("odd-type") {
            say("option name Style type slider default 3")?;
        }
        say("uciok")
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Next {
        let value = value.unwrap_or("");
        let lower = name.to_lowercase();
        let misbehaviour = match &*lower {
            "hash" if !value.parse().is_ok_and(|value: u32| value > 0) => "trusting",
            "hash" => "no-resize",
            "threads" => "one-thread",
            "clear hash" => "no-button",
            "ponder" if value == "false" => "no-default",
            "uci_chess960" => "no-chess960",
            "multipv" | "ponder" => "",
            _ => "only-its-options",
        };
        if !misbehaviour.is_empty() && self.has(misbehaviour) {
            return DEAD;
        }
        match &*lower {
            "multipv" if self.has("exact-options") && name != "MultiPV" => {}
            "multipv" if !self.has("no-multipv") => self.multipv = value.parse().unwrap_or(1),
            "uci_chess960" => self.board.set_chess960(value == "true"),
            _ => {}
        }
        Next::Read
    }

    fn set_up(&mut self, position: &PositionCommand) -> Next {
        let before = self.board.game().moves().len();
        if !(self.has("first-position") && self.has_position) {
            self.board.set_up(position, self.has("left-rook"));
        }
        self.has_position = true;
        let game = self.board.game();
        let position = game.position();
        let is_too_much = match &*self.misbehaviour {
            "no-double-check" => position.checkers().count() > 1,
            "no-takeback" => game.moves().len() < before,
            "no-repetition" => game.repetitions() > 1,
            "no-fifty-moves" => position.halfmove_clock() >= 98,
            "no-bare-kings" => position.is_insufficient_material(),
            "short-list" => position.legal_move_count() > 100,
            _ => false,
        };
        if is_too_much { DEAD } else { Next::Read }
    }

    fn go(&mut self, go: &Go) -> io::Result<Next> {
        let is_given = [
            ("deaf-to-depth", go.depth.is_some()),
            ("deaf-to-nodes", go.nodes.is_some()),
            ("deaf-to-movetime", go.movetime_ms.is_some()),
            ("deaf-to-wtime", go.wtime_ms.is_some()),
            ("deaf-to-winc", go.winc_ms.is_some()),
            ("deaf-to-movestogo", go.movestogo.is_some()),
            ("deaf-to-mate", go.mate.is_some()),
        ];
        let is_deaf = is_given
            .iter()
            .any(|&(misbehaviour, is_given)| is_given && self.has(misbehaviour));
        let is_hasty = self.has("impatient")
            || self.has("impatient-if-forced")
                && self.board.game().position().legal_move_count() == 1
            || go.ponder && self.has("impatient-ponderer");
        if is_deaf || (go.infinite || go.ponder) && !is_hasty {
            self.waiting = Some(now());
            return Ok(Next::Read);
        }
        if go.nodes == Some(1) && self.has("no-one-node") {
            return Ok(DEAD);
        }
        let has_clock = go.wtime_ms.is_some() || go.movetime_ms.is_some();
        if has_clock && self.has("unpunctual") {
            let time = go.movetime_ms.unwrap_or(0).max(positive(go.wtime_ms));
            std::thread::sleep(Duration::from_millis(time + 400));
        }
        self.think(go)?;
        self.answer(go)
    }

    fn stop(&mut self) -> io::Result<Next> {
        match self.waiting {
            None if self.has("idle-stop") => say("bestmove e2e4")?,
            None => {}
            Some(since) if self.has("lost-stop") && since.elapsed() < Duration::from_millis(20) => {
            }
            Some(_) => {
                self.waiting = None;
                if self.has("slow-stop") {
                    std::thread::sleep(Duration::from_millis(400));
                }
                self.think(&Go::default())?;
                return self.answer(&Go::default());
            }
        }
        Ok(Next::Read)
    }

    /// Thinks as long as it is told, and prints what it found.
    #[expect(clippy::print_stderr, reason = "as asked")]
    fn think(&mut self, go: &Go) -> io::Result<()> {
        self.searches += 1;
        let time = go.movetime_ms.filter(|_| !self.has("hasty")).unwrap_or(0);
        let time = Duration::from_millis(time * 3 / 4);
        if self.has("held-back") {
            std::thread::sleep(time);
        }
        let depth = go.depth.unwrap_or(3) + if self.has("wasteful") { 2 } else { 0 };
        let nodes = go.nodes.unwrap_or(100) * if self.has("wasteful") { 10 } else { 1 };
        let score = if self.has("moody") { self.searches } else { 0 };
        let score = if self.has("no-score") {
            String::new()
        } else {
            format!(" score cp {score}")
        };
        let more = match &*self.misbehaviour {
            "decimal-time" => " time 0.5",
            "odd-info" => " temperature 40",
            _ => " time 0",
        };
        for depth in 1..=depth {
            for (rank, pv) in self.lines(go).into_iter().enumerate() {
                let rank = rank + 1;
                say(&format!(
                    "info depth {depth} multipv {rank}{score} nodes {nodes}{more} pv {pv}"
                ))?;
            }
        }
        if self.has("chatty") {
            say("I think I am winning")?;
        }
        if self.has("complaining") {
            eprintln!("I think I am losing");
        }
        if !self.has("held-back") {
            std::thread::sleep(time);
        }
        Ok(())
    }

    /// The principal variations.
    fn lines(&self, go: &Go) -> Vec<String> {
        let mut moves = self.moves(go);
        if self.has("other-pv") {
            moves.reverse();
        }
        moves.truncate(self.multipv);
        let more = if self.has("illegal-pv") { " a1a1" } else { "" };
        moves.into_iter().map(|m| m + more).collect()
    }

    fn moves(&self, go: &Go) -> Vec<String> {
        let all = self.board.moves(&self.misbehaviour);
        let only: Vec<String> = go.searchmoves.iter().map(ToString::to_string).collect();
        let is_wanted =
            |m: &String| only.is_empty() || self.has("no-searchmoves") || only.contains(m);
        all.into_iter().filter(is_wanted).collect()
    }

    fn answer(&self, go: &Go) -> io::Result<Next> {
        let is_drawn = self.has("no-draws") && self.board.game().claimable_draw().is_some();
        let moves = if is_drawn { Vec::new() } else { self.moves(go) };
        let Some(best) = moves.first() else {
            if self.has("no-end") {
                return Ok(DEAD);
            }
            say("bestmove (none)")?;
            return Ok(Next::Read);
        };
        let best = if self.has("capital-promotion") && best.len() == 5 {
            format!("{}{}", &best[..4], best[4..].to_uppercase())
        } else {
            best.clone()
        };
        let ponder = if self.has("illegal-ponder") {
            " ponder a1a1"
        } else {
            ""
        };
        say(&format!("bestmove {best}{ponder}"))?;
        if self.has("afterthought") {
            say("info string that was hard")?;
        }
        if self.has("double-bestmove") {
            std::thread::sleep(Duration::from_millis(100));
            say(&format!("bestmove {best}"))?;
        }
        Ok(Next::Read)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "it tells a stop that comes at once"
)]
fn now() -> Instant {
    Instant::now()
}

fn say(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(line.as_bytes())?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// A time left in milliseconds.
fn positive(time: Option<i64>) -> u64 {
    time.and_then(|time| u64::try_from(time).ok()).unwrap_or(0)
}

/// Does nothing for ever.
fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

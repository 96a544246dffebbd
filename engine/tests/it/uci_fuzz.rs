//! Random dialogues with `touchstone`, of which the judge knows only what is on the board.
//!
//! A dialogue is a seed. Lines are sound commands in any order, a part of them soiled: words
//! dropped, doubled, swapped, bytes that are no text, numbers out of every range, lines of any
//! length. What is tested: no end before `quit` and none but exit code 0; `readyok` to each
//! `isready`; exactly one `bestmove` to each `go` that comes when nothing is searched, never before
//! `stop` when it is infinite; moves and lines that are legal; a reason where there is no move, and
//! for each line that cannot be read; nothing on the output that is no UCI.
//!
//! A dialogue that fails prints its seed and all that was said. `TOUCHSTONE_SEED` repeats
//! it.

mod board;
mod dirt;
mod lines;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chacha20::ChaCha8Rng;
use chess::notation::uci_move::UciMove;
use rand::{RngExt, SeedableRng};
use testkit::scale;
use uci::grammar::{Command, EngineOption, Go, Message, Reply};

use self::board::Board;
use self::dirt::soil;
use self::lines::random_line;
use crate::program::driver::{Touchstone, count};
use crate::program::handshake::declared;

/// Dialogues held at a time: they mostly wait.
const LANES: usize = 3;
/// Time for what may come.
const GLANCE: Duration = Duration::from_millis(15);
/// More than this of a resource is not asked for: the test must fit into any machine.
const MOST: [(&str, u32); 2] = [("hash", 16), ("threads", 4)];
/// What a line begins with that is no UCI.
const OWN_WORDS: [&str; 7] = ["", "d", "flip", "eval", "help", "list", "bench"];
/// Limits up to these end a search soon.
const FEW_NODES: u64 = 50_000;
const SHORT_MS: u64 = 2_000;

/// A dialogue under way.
struct Dialogue<'a> {
    program: Touchstone,
    options: &'a [EngineOption],
    rng: ChaCha8Rng,
    /// What may be on the board: the last is what the engine knows of.
    boards: Vec<Board>,
    /// What has been answered.
    ready: usize,
    best_moves: usize,
    strings: usize,
    /// The first moves of the best line of the search that goes on.
    reported: Vec<UciMove>,
    /// Whether the last best move was one.
    has_move: bool,
    /// Whether text for people has been asked for.
    may_print: bool,
}

impl<'a> Dialogue<'a> {
    /// An engine that has just started, and what it will be sent, which `seed` decides.
    fn new(seed: u64, options: &'a [EngineOption]) -> Self {
        Self {
            // Its book chooses by the seed.
            program: Touchstone::with(&["--seed", &seed.to_string()]),
            options,
            rng: ChaCha8Rng::seed_from_u64(seed),
            boards: vec![Board::start()],
            ready: 0,
            best_moves: 0,
            strings: 0,
            reported: Vec::new(),
            has_move: false,
            may_print: false,
        }
    }

    fn expect(&self, holds: bool, fault: &str) {
        if !holds {
            self.program.fail(fault);
        }
    }

    fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    /// A line, every fourth of them dirty.
    fn next_line(&mut self) -> Vec<u8> {
        let board = self.board().clone();
        loop {
            let line = random_line(&board, self.options, &mut self.rng);
            let line = match self.rng.random_range(0..4) {
                0 => soil(&line, &mut self.rng),
                _ => line.into_bytes(),
            };
            if parse(&line) != Some(Command::Quit) && !is_greedy(&line) {
                return line;
            }
        }
    }

    fn note(&mut self, line: &[u8]) {
        let mut board = self.board().clone();
        board.note(line);
        self.boards.push(board);
        let word = first_word(line);
        self.may_print |= word == "go" || OWN_WORDS.contains(&word.as_str());
    }

    /// Sends line after line, each answered before the next.
    fn step_by_step(&mut self) {
        for _ in 0..self.rng.random_range(1..30) {
            let line = self.next_line();
            self.boards.drain(..self.boards.len() - 1);
            let before = (self.best_moves, self.strings);
            let stopped = self.exchange(&line);
            if is_search(&line) {
                self.finish_search(&line, before, stopped);
            } else {
                let unasked = self.best_moves - before.0;
                self.expect(unasked == 0, "a best move without a search");
            }
        }
        self.leave(self.best_moves);
    }

    /// Sends a line and hears all up to the `readyok` after it; says whether it is `stop`.
    fn exchange(&mut self, line: &[u8]) -> bool {
        self.note(line);
        let strings = self.strings;
        let asked = 1 + usize::from(parse(line) == Some(Command::IsReady));
        let end = if self.rng.random() { "\n" } else { "\r\n" };
        let end = format!("{end}isready{end}");
        self.program.write(&[line, end.as_bytes()].concat());
        let ready = self.ready + asked;
        while self.ready < ready {
            self.hear_line();
        }
        let is_uci = !OWN_WORDS.contains(&first_word(line).as_str());
        let is_rejected = is_uci && lenient(line).is_none();
        self.expect(
            !is_rejected || self.strings > strings,
            "a line is rejected without a reason",
        );
        lenient(line) == Some(Command::Stop)
    }

    /// Waits for the end of a search, and in some way brings it about.
    fn finish_search(&mut self, line: &[u8], (best_moves, strings): (usize, usize), stop: bool) {
        let go = match lenient(line) {
            Some(Command::Go(go)) => go,
            _ => Go::default(),
        };
        let position = self.board().position;
        let mut stopped = stop;
        for _ in 0..self.rng.random_range(0..4) {
            let next = self.next_line();
            // How many moves are owed would depend on how fast the engine is.
            if !["go", "bench"].contains(&first_word(&next).as_str()) {
                stopped |= self.exchange(&next);
            }
        }
        if self.rng.random() {
            while self.best_moves == best_moves
                && let Some(next) = self.program.line_soon(GLANCE)
            {
                self.hear(&next);
            }
        }
        let is_held = go.infinite && !stopped && self.strings == strings;
        self.expect(
            !is_held || self.best_moves == best_moves,
            "a best move before stop",
        );
        let ends = go.nodes.is_some_and(|nodes| nodes <= FEW_NODES)
            || go.movetime_ms.is_some_and(|time| time <= SHORT_MS);
        if !ends || go.infinite || go.ponder || self.rng.random() {
            self.exchange(b"stop");
        }
        while self.best_moves == best_moves {
            self.hear_line();
        }
        let has_moves = position.is_some_and(|position| position.legal_move_count() > 0);
        let has_reason = !has_moves || self.strings > strings;
        self.expect(self.has_move || has_reason, "neither a move nor a reason");
        self.expect(
            self.best_moves == best_moves + 1,
            "two best moves for one search",
        );
    }

    /// Sends many lines at once, in pieces of any length. What came first is then uncertain, and
    /// less can be held against the engine.
    fn all_at_once(&mut self) {
        let (mut bytes, mut searches, mut asked) = (Vec::new(), 0, 1);
        for _ in 0..self.rng.random_range(1..40) {
            let line = self.next_line();
            self.note(&line);
            searches += usize::from(first_word(&line) == "go");
            asked += usize::from(parse(&line) == Some(Command::IsReady));
            bytes.extend([&line, &b"\n"[..]].concat());
        }
        bytes.extend(b"stop\nisready\n");
        let rng = &mut self.rng;
        self.program
            .write_in_pieces(&bytes, |left| rng.random_range(1..=left));
        while self.ready < asked {
            self.hear_line();
        }
        self.leave(searches);
    }

    fn hear_line(&mut self) {
        let line = self.program.line();
        self.hear(&line);
    }

    /// Hears a line of the engine: its moves must be legal on one of the boards.
    fn hear(&mut self, line: &str) {
        match Message::parse(line) {
            Message::ReadyOk => self.ready += 1,
            Message::Info(info) if info.string.is_some() => self.strings += 1,
            Message::Info(info) => {
                let is_legal = self.boards.iter().any(|board| board.is_line(&info.pv));
                self.expect(is_legal, "moves that are legal on no board");
                if info.multipv == Some(1) {
                    self.reported = info.pv.iter().copied().take(2).collect();
                }
            }
            Message::BestMove(best) => {
                self.best_moves += 1;
                let moves: Vec<UciMove> = match best.reply {
                    Reply::Move(m) => std::iter::once(m).chain(best.ponder).collect(),
                    Reply::NoMove => Vec::new(),
                    _ => self.program.fail("a best move that is no move"),
                };
                let is_legal = self.boards.iter().any(|board| board.is_line(&moves));
                self.expect(is_legal, "a best move that is legal on no board");
                let reported = std::mem::take(&mut self.reported);
                self.has_move = !moves.is_empty();
                self.expect(
                    !self.has_move || moves.starts_with(&reported),
                    "best move and answer are not those of the best line",
                );
            }
            Message::Other(text) => {
                let is_asked_for = text.is_empty() || self.may_print;
                self.expect(is_asked_for, "text that nobody asked for");
            }
            Message::IdName(_) | Message::IdAuthor(_) | Message::Option(_) | Message::UciOk => {}
            _ => self
                .program
                .fail("a message that this engine has no use for"),
        }
    }

    /// Ends the engine, by `quit` or by the end of its input.
    fn leave(&mut self, most_best_moves: usize) {
        let rest = if self.rng.random() {
            self.program.quit()
        } else {
            self.program.end()
        };
        // A bench prints its positions there.
        let mut complaints = rest.stderr.lines();
        let is_silent = complaints.all(|line| line.starts_with("Position "));
        let best_moves = self.best_moves + count(&rest.lines, "bestmove");
        self.expect(rest.code == Some(0) && is_silent, &format!("{rest:?}"));
        self.expect(best_moves <= most_best_moves, "too many best moves");
    }
}

/// A line as the engine reads it, if it is a UCI command.
fn lenient(line: &[u8]) -> Option<Command> {
    Command::parse_lenient(str::from_utf8(line).ok()?)
        .ok()
        .map(|(command, _)| command)
}

fn parse(line: &[u8]) -> Option<Command> {
    str::from_utf8(line).ok()?.parse().ok()
}

fn first_word(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.split_ascii_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Whether a line is owed a best move, even if it cannot be read.
fn is_search(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    first_word(line) == "go" && !text.split_ascii_whitespace().any(|word| word == "perft")
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

#[test]
fn every_line_is_answered_as_it_must_be() {
    let (first, count) = match testkit::number("TOUCHSTONE_SEED") {
        Some(seed) => (seed, 1),
        None => (1, scale(60, 400)),
    };
    let options = declared();
    let next = AtomicU64::new(first);
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                let seeds = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                for seed in seeds.take_while(|&seed| seed < first + count) {
                    let mut dialogue = Dialogue::new(seed, &options);
                    match seed % 4 {
                        0 => dialogue.all_at_once(),
                        _ => dialogue.step_by_step(),
                    }
                }
            });
        }
    });
}

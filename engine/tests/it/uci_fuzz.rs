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

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::positions::{thrown_position, wander};
use testkit::{random_start, scale};
use uci::grammar::{Command, EngineOption, Go, Message, OptionKind, Reply, StartPosition};

use crate::program::driver::{Touchstone, count, declared};

/// Dialogues held at a time: they mostly wait.
const LANES: usize = 3;
/// Time for what may come.
const GLANCE: Duration = Duration::from_millis(15);
/// What a line begins with that is no UCI.
const OWN_WORDS: [&str; 7] = ["", "d", "flip", "eval", "help", "list", "bench"];
/// Limits up to these end a search soon.
const FEW_NODES: u64 = 50_000;
const SHORT_MS: u64 = 2_000;

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
            if parse(&line) != Some(Command::Quit) {
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
        let ready = self.ready + 1 + usize::from(parse(line) == Some(Command::IsReady));
        let end = if self.rng.random() { "\n" } else { "\r\n" };
        let end = format!("{end}isready{end}");
        self.program.write(&[line, end.as_bytes()].concat());
        while self.ready < ready {
            self.hear_line();
        }
        let is_uci = !OWN_WORDS.contains(&first_word(line).as_str());
        let has_reason = !is_uci || lenient(line).is_some() || self.strings > strings;
        self.expect(has_reason, "a line is rejected without a reason");
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
        let is_early = is_held && self.best_moves > best_moves;
        self.expect(!is_early, "a best move before stop");
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
        let is_one = self.best_moves == best_moves + 1;
        self.expect(is_one, "two best moves for one search");
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
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(self.rng.random_range(1..=rest.len()));
            self.program.write(piece);
            rest = after;
        }
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
        let is_legal = |moves: &[UciMove]| self.boards.iter().any(|board| board.is_line(moves));
        match Message::parse(line) {
            Message::ReadyOk => self.ready += 1,
            Message::Info(info) if info.string.is_some() => self.strings += 1,
            Message::Info(info) => {
                self.expect(is_legal(&info.pv), "moves that are legal on no board");
                if info.multipv == Some(1) {
                    self.reported = info.pv.iter().copied().take(2).collect();
                }
            }
            Message::BestMove(best) => {
                let moves: Vec<UciMove> = match best.reply {
                    Reply::Move(m) => std::iter::once(m).chain(best.ponder).collect(),
                    Reply::NoMove => Vec::new(),
                    _ => self.program.fail("a best move that is no move"),
                };
                self.expect(is_legal(&moves), "a best move that is legal on no board");
                self.best_moves += 1;
                self.has_move = !moves.is_empty();
                let reported = std::mem::take(&mut self.reported);
                let is_best = !self.has_move || moves.starts_with(&reported);
                self.expect(is_best, "best move and answer are not of the best line");
            }
            Message::Other(text) => {
                let is_asked_for = text.is_empty() || self.may_print;
                self.expect(is_asked_for, "text that nobody asked for");
            }
            Message::IdName(_) | Message::IdAuthor(_) | Message::Option(_) | Message::UciOk => {}
            _ => self.program.fail("a message of no use for this engine"),
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
    let read = Command::parse_lenient(str::from_utf8(line).ok()?).ok();
    read.map(|(command, _)| command)
}

fn parse(line: &[u8]) -> Option<Command> {
    str::from_utf8(line).ok()?.parse().ok()
}

fn first_word(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let word = text.split_ascii_whitespace().next();
    word.unwrap_or_default().to_owned()
}

/// Whether a line is owed a best move, even if it cannot be read.
fn is_search(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    first_word(line) == "go" && !text.split_ascii_whitespace().any(|word| word == "perft")
}

/// What is on the board of the engine after each line.
#[derive(Clone)]
struct Board {
    /// `None` after a position that was rejected.
    position: Option<Position>,
    /// The form of castling that the first position of the game needs.
    needed: CastlingMode,
    /// The option `UCI_Chess960`.
    is_chess960: bool,
}

impl Board {
    /// That of an engine that has just started.
    fn start() -> Self {
        Self {
            position: Some(Position::startpos()),
            needed: CastlingMode::Standard,
            is_chess960: false,
        }
    }

    /// The same engine with another first position.
    fn with(&self, first: Position) -> Self {
        Self {
            position: Some(first),
            needed: first.castling_mode(),
            ..*self
        }
    }

    /// How castling is written.
    fn mode(&self) -> CastlingMode {
        if self.is_chess960 {
            CastlingMode::Chess960
        } else {
            self.needed
        }
    }

    /// What a line changes.
    fn note(&mut self, line: &[u8]) {
        match (first_word(line).as_str(), lenient(line)) {
            (_, Some(Command::Position(command))) => {
                *self = self.with(match &command.start {
                    StartPosition::Startpos => Position::startpos(),
                    StartPosition::Fen(fen) => *fen.position(),
                });
                for &text in &command.moves {
                    self.position = self.after(self.position, text, true);
                }
            }
            ("position", _) => self.position = None,
            (_, Some(Command::SetOption { name, value }))
                if name.eq_ignore_ascii_case("UCI_Chess960") =>
            {
                let on = value.unwrap_or_default().to_ascii_lowercase().parse();
                self.is_chess960 = on.unwrap_or(self.is_chess960);
            }
            ("flip", _) if line.trim_ascii() == b"flip" => {
                let mirrored = |position: Position| position.to_setup().mirrored();
                let setup = self.position.map(mirrored);
                self.position = setup.map(|setup| Position::from_setup(setup).expect("as legal"));
            }
            _ => {}
        }
    }

    /// The position after a legal move, which is written as it must be, or `leniently` in the other form.
    fn after(&self, before: Option<Position>, text: UciMove, leniently: bool) -> Option<Position> {
        let position = before?;
        let modes = [self.mode(), CastlingMode::Standard, CastlingMode::Chess960];
        let modes = &modes[..if leniently { 3 } else { 1 }];
        let m = modes
            .iter()
            .find_map(|&mode| text.to_move(&position, mode))?;
        Some(position.play_unchecked(m))
    }

    /// Whether the moves can be played one after the other, and are written as they must be.
    fn is_line(&self, line: &[UciMove]) -> bool {
        let play = |position, &text: &UciMove| self.after(position, text, false);
        line.is_empty() || line.iter().fold(self.position, play).is_some()
    }
}

/// Mates, stalemates, dead positions, nine queens a side, the 218 moves of Petrović (1964), clocks at
/// their ends, castling of every kind, en passant that is pinned, pawns about to promote.
const REMARKABLE: [&str; 14] = [
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "R3k3/8/4K3/8/8/8/8/8 b - - 150 90",
    "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
    "k7/8/1Q6/8/8/8/8/K7 b - - 149 1",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/8/3KB3/8/8 w - - 99 300",
    "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "6k1/8/8/8/8/8/4R3/4K3 w - - 149 100",
    "4k3/8/8/8/8/8/4R3/4K3 b - - 4000 4294967295",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 98 60",
    "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1",
    "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
    "8/PPPPPPPP/k7/8/8/7K/pppppppp/8 w - - 0 1",
];

/// What is no position, or not written as one; some can be read all the same.
const WRONG: [&str; 7] = [
    "q6k/8/8/3pP3/8/8/8/7K w - d6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 0",
    "4k3/8/8/8/8/8/8/4K2R b K e3 0 1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    "KKKKKKKK/8/8/8/8/8/8/4k3 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 99999999999",
    "startpos",
];

/// Commands without parameters, and how often of a hundred each is sent.
#[rustfmt::skip]
const PLAIN: [(&str, usize); 15] = [
    ("stop", 10), ("ponderhit", 6), ("isready", 8), ("ucinewgame", 4), ("uci", 1), ("debug on", 1),
    ("debug off", 2), ("register later", 1), ("register name a b code 12", 1), ("d", 1), ("eval", 1),
    ("flip", 1), ("help", 1), ("bench 1", 1), ("", 1),
];

fn pick<T: Copy>(these: &[T], rng: &mut ChaCha8Rng) -> T {
    *these.choose(rng).expect("there are some")
}

/// A command that the engine can obey, most of the time.
fn random_line(board: &Board, options: &[EngineOption], rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..100) {
        0..20 => random_position(board, rng),
        20..48 => {
            let limits = (0..pick(&[0, 1, 1, 1, 2, 4], rng)).map(|_| random_limit(board, rng));
            limits.fold("go".to_owned(), |go, limit| format!("{go} {limit}"))
        }
        48..60 => random_option(options, rng),
        _ => {
            let command = PLAIN.choose_weighted(rng, |&(_, often)| often);
            command.expect("there are some").0.to_owned()
        }
    }
}

fn random_position(board: &Board, rng: &mut ChaCha8Rng) -> String {
    let start = match rng.random_range(0..7) {
        0 => Position::startpos(),
        1 => random_start(rng, false),
        2 => random_start(rng, true),
        3 => thrown_position(rng),
        4 if rng.random() => return format!("position fen {}", pick(&WRONG, rng)),
        _ => fen::parse(pick(&REMARKABLE, rng)).expect("they are legal"),
    };
    let plies = pick(&[0, 0, 10, 100], rng);
    let mut position = wander(start, plies, rng);
    let mut words = match fen::write(&position) {
        _ if position == Position::startpos() => vec!["position startpos".to_owned()],
        text => vec![format!("position fen {text}")],
    };
    let mode = board.with(position).mode();
    let plies = pick(&[0, 0, 1, 4, 60, 200], rng);
    if plies > 0 {
        words.push("moves".to_owned());
    }
    for _ in 0..plies {
        let Some(&m) = position.legal_moves().choose(rng) else {
            break;
        };
        words.push(UciMove::from_move(m, &position, mode).to_string());
        position = position.play_unchecked(m);
    }
    if plies > 0 && rng.random_range(0..20) == 0 {
        words.push(pick(&["a1a1", "e2e4", "e1g1", "e7e8k", "0000"], rng).to_owned());
    }
    words.join(" ")
}

fn random_limit(board: &Board, rng: &mut ChaCha8Rng) -> String {
    let times = [-50, 0, 1, 10, 100, 1_000, 60_000];
    let [white, black] = [(); 2].map(|()| pick(&times, rng));
    let clock = format!("wtime {white} btime {black}");
    match rng.random_range(0..12) {
        0 => format!("depth {}", rng.random_range(-1..6)),
        1 | 2 => format!("nodes {}", pick(&[-1, 0, 1, 2, 50, 1_000, 10_000], rng)),
        3 => format!("movetime {}", pick(&[-1, 0, 1, 5, 20, 50], rng)),
        4 => clock,
        5 => format!("{clock} winc {0} binc {0}", pick(&[0, 1, 10, 100], rng)),
        6 => format!("{clock} movestogo {}", rng.random_range(0..41)),
        7 => "infinite".to_owned(),
        8 => format!("ponder {clock}"),
        9 => {
            let mut words = vec!["searchmoves".to_owned()];
            if let Some(position) = board.position {
                let (moves, count) = (position.legal_moves(), rng.random_range(0..4));
                let write = |&m| UciMove::from_move(m, &position, board.mode()).to_string();
                words.extend(moves.sample(rng, count).map(write));
            }
            if rng.random_range(0..8) == 0 {
                words.push("a1h8".to_owned());
            }
            words.join(" ")
        }
        10 => format!("mate {}", rng.random_range(0..4)),
        _ => format!("perft {}", rng.random_range(0..4)),
    }
}

fn random_option(options: &[EngineOption], rng: &mut ChaCha8Rng) -> String {
    let option = options.choose(rng).expect("there are options");
    let value = match &option.kind {
        OptionKind::Button => return format!("setoption name {}", option.name),
        OptionKind::Check { .. } => pick(&["true", "false", "True", "yes"], rng).to_owned(),
        // More of these is not asked for: the test must fit into any machine.
        OptionKind::Spin { .. } if ["Hash", "Threads"].contains(&option.name.as_str()) => {
            rng.random_range(0..=4).to_string()
        }
        OptionKind::Spin { min, max, .. } => match (min, max, rng.random_range(0..4)) {
            (Some(min), _, 0) => min.to_string(),
            (_, Some(max), 1) => max.to_string(),
            _ => rng.random_range(-1..=10).to_string(),
        },
        OptionKind::Combo { vars, .. } => vars.choose(rng).cloned().unwrap_or_default(),
        OptionKind::String { .. } => pick(&["", "<empty>", "/no/such/file", "/"], rng).to_owned(),
    };
    format!("setoption name {} value {value}", option.name)
}

/// Words that some command knows, where they do not belong, and numbers of every range.
const ODD_WORDS: &str = "go stop position fen moves startpos value name depth nodes infinite ponder 0000 e1e1 \
    (none) é -1 0 1 99999999999999999999999 -99999999999999999999999 9223372036854775807 \
    -9223372036854775808 4294967296 1e3 +5";

/// Changes a line in one way or several. What comes of it may still be sound.
fn soil(line: &str, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=rng.random_range(0..3) {
        let (before, after) = bytes.split_at(rng.random_range(0..=bytes.len()));
        let mut words: Vec<&[u8]> = bytes.split(|&byte| byte == b' ').collect();
        let [one, other] = [(); 2].map(|()| rng.random_range(0..words.len()));
        let odd = pick(&ODD_WORDS.split(' ').collect::<Vec<_>>(), rng).as_bytes();
        let blank = pick(&["\t", "  ", " \r ", "\u{b}"], rng).as_bytes();
        let changed = match rng.random_range(0..12) {
            0 => before.to_vec(),
            1 => [before, &[rng.random()], after].concat(),
            2 => [before, &[0xff, 0x00, 0xc3], after].concat(),
            3 => bytes.to_ascii_uppercase(),
            4 => [before, &vec![b'a'; rng.random_range(1..100_000)]].concat(),
            5 => [blank, &bytes].concat(),
            6 => [&bytes, blank].concat(),
            7 => words.join(blank),
            8 => words.concat(),
            _ => {
                match rng.random_range(0..6) {
                    0 => drop(words.remove(one)),
                    1 => words.insert(one, words[other]),
                    2 => words.swap(one, other),
                    3 => words[one] = odd,
                    4 => words.insert(one, odd),
                    _ => words.extend(vec![words[one]; rng.random_range(1..2_000)]),
                }
                words.join(&b' ')
            }
        };
        bytes = changed;
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

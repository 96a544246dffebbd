//! What the engine must do: its state as far as the dialogue makes it certain.

mod hearing;

use chess::perft;
use chess::rules::{CastlingMode, Position};
use engine::search::Profile;
use engine::search::touchstone::Features;
use uci::grammar::{Command, EngineOption, Go, OptionKind, PositionCommand, StartPosition};

pub(crate) use hearing::Answer;

use super::search::{Search, read_move};

/// The game on the board.
#[derive(Clone)]
pub(crate) struct Board {
    /// The form of castling that the first position needs.
    needed: CastlingMode,
    pub(crate) mode: CastlingMode,
    pub(crate) position: Position,
}

/// What keeps the engine busy.
pub(crate) enum Work {
    /// `go`.
    Search(Box<Search>),
    /// `bestmove (none)`, after the search before it.
    NoMove,
    /// `go perft`, with position and depth.
    Perft(Box<Position>, u32),
    Bench,
}

/// Whether a new search can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Busy {
    No,
    Yes,
    /// It depends on how fast the engine is.
    Maybe,
    /// It waits for a search that ends by itself, if that has not ended.
    Queue,
}

/// What a line must be answered with, apart from what was begun earlier.
pub(crate) enum Expected {
    /// From so many to so many info strings.
    Strings(usize, usize),
    /// Text of any kind.
    Text,
    /// `id`, the options, `uciok`.
    Handshake,
    /// Work that has been noted; if the engine may be busy, it may be rejected.
    Begun { go: Go, busy: Busy },
    /// One info string, and `bestmove (none)` as the flag says; `None`: either way.
    NoSearch(Option<bool>),
    /// The end.
    Quit,
}

/// The state.
pub(crate) struct Model {
    options: Vec<EngineOption>,
    pub(crate) board: Option<Board>,
    chess960: bool,
    multipv: usize,
    own_book: bool,
    profile: Profile,
    /// The depth of the level, which only profile `ChessBin` has.
    level: Option<u32>,
    debug: bool,
    /// Remarks on parts of the last line that were not read as they are written.
    tolerated: usize,
    /// Begun and not ended, in the order in which they are answered. While a line is being answered
    /// the last one may yet be rejected.
    pub(crate) works: Vec<Work>,
}

impl Board {
    pub(crate) fn new(start: Position, mode: CastlingMode) -> Self {
        let needed = start.castling_mode();
        Self {
            needed,
            mode: stricter(needed, mode),
            position: start,
        }
    }
}

fn stricter(needed: CastlingMode, wanted: CastlingMode) -> CastlingMode {
    match needed {
        CastlingMode::Chess960 => needed,
        CastlingMode::Standard => wanted,
    }
}

impl Model {
    /// An engine that has just started and has these options.
    pub(crate) fn new(options: Vec<EngineOption>) -> Self {
        Self {
            options,
            board: Some(Board::new(Position::startpos(), CastlingMode::Standard)),
            chess960: false,
            multipv: 1,
            own_book: false,
            profile: Profile::default(),
            level: None,
            debug: false,
            tolerated: 0,
            works: Vec::new(),
        }
    }

    pub(crate) fn options(&self) -> &[EngineOption] {
        &self.options
    }

    fn busy(&self) -> Busy {
        match self.works.last() {
            None => Busy::No,
            Some(Work::Search(search)) if search.stopped => Busy::No,
            Some(Work::Search(search)) if search.is_held() => Busy::Yes,
            Some(Work::Search(search)) if search.ends_by_itself() => Busy::Queue,
            Some(Work::NoMove) => Busy::Queue,
            Some(_) => Busy::Maybe,
        }
    }

    /// What must come of a line. The state is then that after the line.
    pub(crate) fn expect(&mut self, line: &[u8]) -> Expected {
        self.tolerated = 0;
        let Ok(text) = std::str::from_utf8(line) else {
            return self.rejected(&String::from_utf8_lossy(line));
        };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            [] => Expected::Strings(0, 0),
            ["d" | "eval"] if self.board.is_none() => Expected::Strings(1, 1),
            ["d" | "eval" | "help"] => Expected::Text,
            ["flip"] => self.flip(),
            ["bench"] => self.bench(),
            ["bench", depth] if depth.parse().is_ok_and(|depth: u32| depth > 0) => self.bench(),
            _ => match Command::parse_lenient(text) {
                Ok((command, remarks)) => {
                    self.tolerated = remarks.len();
                    self.command(command)
                }
                Err(_) => self.rejected(text),
            },
        }
    }

    /// A line that cannot be read.
    fn rejected(&mut self, text: &str) -> Expected {
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("go") if words.all(|word| word != "perft") => self.no_search(),
            Some("position") => {
                self.board = None;
                Expected::Strings(1, 1)
            }
            _ => Expected::Strings(1, 1),
        }
    }

    fn no_search(&mut self) -> Expected {
        let is_chore = |work: &Work| matches!(work, Work::Perft(..) | Work::Bench);
        Expected::NoSearch(match self.busy() {
            Busy::Queue => {
                self.works.push(Work::NoMove);
                Some(false)
            }
            // Only a search owes a move.
            _ if self.works.iter().all(is_chore) => Some(true),
            _ if self.works.last().is_some_and(is_chore) => {
                self.works.push(Work::NoMove);
                None
            }
            Busy::No => Some(true),
            Busy::Yes => Some(false),
            Busy::Maybe => None,
        })
    }

    fn command(&mut self, command: Command) -> Expected {
        match command {
            Command::Uci => Expected::Handshake,
            Command::Debug(on) => {
                self.debug = on;
                Expected::Strings(0, 0)
            }
            Command::IsReady => Expected::Strings(0, 0),
            Command::UciNewGame => self.not_while_busy(),
            Command::Register(_) => Expected::Strings(1, 1),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(go),
            Command::Stop => {
                self.stop();
                Expected::Strings(0, 0)
            }
            Command::PonderHit => self.ponderhit(),
            Command::Quit => Expected::Quit,
        }
    }

    fn not_while_busy(&self) -> Expected {
        match self.busy() {
            Busy::No => Expected::Strings(0, 0),
            Busy::Yes => Expected::Strings(1, 1),
            Busy::Maybe | Busy::Queue => Expected::Strings(0, 1),
        }
    }

    fn stop(&mut self) {
        for work in &mut self.works {
            if let Work::Search(search) = work {
                search.stopped = true;
            }
        }
    }

    fn ponderhit(&mut self) -> Expected {
        match self.works.last_mut() {
            Some(Work::Search(search)) if search.pondering => {
                search.pondering = false;
                Expected::Strings(0, usize::from(search.stopped))
            }
            _ => Expected::Strings(1, 1),
        }
    }

    fn flip(&mut self) -> Expected {
        if let Some(board) = &mut self.board {
            let setup = board.position.to_setup().mirrored();
            let mirror = Position::from_setup(setup).expect("mirrored, it is as legal");
            *board = Board::new(mirror, board.mode);
        }
        Expected::Strings(1, 1)
    }

    fn bench(&mut self) -> Expected {
        // It waits for nothing.
        let busy = match self.busy() {
            Busy::Queue => Busy::Maybe,
            busy => busy,
        };
        self.begin(Work::Bench, Go::default(), busy)
    }

    fn begin(&mut self, work: Work, go: Go, busy: Busy) -> Expected {
        if busy == Busy::Yes {
            return Expected::Strings(1, 1);
        }
        self.works.push(work);
        Expected::Begun { go, busy }
    }

    fn set_position(&mut self, command: &PositionCommand) -> Expected {
        let start = match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        };
        let mut board = Board::new(start, self.mode());
        for &text in &command.moves {
            let Some(m) = read_move(text, &board.position, board.mode) else {
                self.board = None;
                return Expected::Strings(1, 1);
            };
            board.position = board.position.play_unchecked(m);
        }
        let remarks = usize::from(board.mode != self.mode());
        self.board = Some(board);
        Expected::Strings(remarks, remarks)
    }

    /// How castling is written in a game that leaves the choice.
    pub(crate) fn mode(&self) -> CastlingMode {
        if self.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    fn go(&mut self, mut go: Go) -> Expected {
        let level = self.level.filter(|_| self.profile == Profile::ChessBin);
        go.depth = go.depth.into_iter().chain(level).min();
        let Some(board) = self.board.clone() else {
            return match go.perft {
                Some(_) => Expected::Strings(1, 1),
                None => self.no_search(),
            };
        };
        if let Some(depth) = go.perft {
            if depth > perft::MAX_DEPTH {
                return Expected::Strings(1, 1);
            }
            let work = Work::Perft(Box::new(board.position), depth);
            return self.begin(work, go, self.busy());
        }
        let clocks = [go.wtime_ms, go.btime_ms];
        let others = go.depth.is_some()
            || go.nodes.is_some()
            || go.mate.is_some()
            || go.movetime_ms.is_some()
            || go.infinite;
        let ours = clocks[board.position.side_to_move().index()].is_some();
        let wrong_clock = !ours && !others && clocks != [None, None];
        match Search::new(&go, board.position, board.mode, self.multipv) {
            Some(search) if !wrong_clock => {
                self.begin(Work::Search(Box::new(search)), go, self.busy())
            }
            _ => self.no_search(),
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Expected {
        let named = |option: &&EngineOption| option.name.eq_ignore_ascii_case(name);
        let Some(option) = self.options.iter().find(named) else {
            return Expected::Strings(1, 1);
        };
        if !takes(&option.kind, value) {
            return Expected::Strings(1, 1);
        }
        let value = value.unwrap_or_default();
        match option.name.as_str() {
            "Hash" | "Clear Hash" => self.not_while_busy(),
            "MultiPV" => {
                self.multipv = value.parse().expect("it takes a number");
                Expected::Strings(0, 0)
            }
            "UCI_Chess960" => {
                self.chess960 = value.eq_ignore_ascii_case("true");
                let mode = self.mode();
                if let Some(board) = &mut self.board {
                    board.mode = stricter(board.needed, mode);
                }
                Expected::Strings(0, 0)
            }
            "OwnBook" => {
                self.own_book = value.eq_ignore_ascii_case("true");
                let seed = usize::from(self.own_book);
                Expected::Strings(seed, seed)
            }
            "Profile" => {
                self.profile = value.parse().expect("it takes a profile");
                Expected::Strings(0, 0)
            }
            "Level" => {
                self.level = match value.to_ascii_lowercase().as_str() {
                    "medium" => Some(6),
                    "hard" => Some(7),
                    _ => None,
                };
                Expected::Strings(0, 0)
            }
            // What cannot be read is an error, and during a search too soon.
            "Book" | "SyzygyPath" | "EvalFile" => Expected::Strings(0, 1),
            "Without" => {
                let is_feature = |name| Features::NAMES.contains(&name);
                let rejected = usize::from(!value.split_whitespace().all(is_feature));
                Expected::Strings(rejected, rejected)
            }
            _ => Expected::Strings(0, 0),
        }
    }
}

/// Whether an option can take a value.
fn takes(kind: &OptionKind, value: Option<&str>) -> bool {
    let Some(value) = value else {
        // A text without a value is empty.
        return matches!(kind, OptionKind::Button | OptionKind::String { .. });
    };
    let is = |text: &str| text.eq_ignore_ascii_case(value);
    match kind {
        OptionKind::Check { .. } => is("true") || is("false"),
        OptionKind::Spin { min, max, .. } => {
            let number = value
                .parse::<i128>()
                .ok()
                .filter(|_| !value.starts_with('+'));
            number.is_some_and(|number| Some(number) >= *min && max.is_none_or(|max| number <= max))
        }
        OptionKind::Combo { vars, .. } => vars.iter().any(|var| is(var)),
        OptionKind::Button | OptionKind::String { .. } => true,
    }
}

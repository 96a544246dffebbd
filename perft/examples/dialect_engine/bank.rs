//! What the file says: dialects, bugs, and what a check of them must come to.
//!
//! Everything has a default, which is how Stockfish does it; a dialect names what it does otherwise.

use std::path::Path;

use perft::faults::{self, FaultSet};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Dialects and bugs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bank {
    #[serde(default, rename = "dialect")]
    pub(crate) dialects: Vec<Dialect>,
    #[serde(default, rename = "bug")]
    pub(crate) bugs: Vec<Bug>,
}

impl Bank {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        Self::parse(path, &read_text(path)?)
    }

    /// The tables with one of these names alone: an engine that is started for each question would spend
    /// two thirds of its time on reading the others.
    pub(crate) fn read_named(path: &Path, names: &[&str]) -> Result<Self, String> {
        let text = read_text(path)?;
        let names: Vec<String> = names
            .iter()
            .map(|name| format!("\nname = \"{name}\"\n"))
            .collect();
        let tables = text.split("\n[[").skip(1);
        let tables = tables.filter(|table| names.iter().any(|name| table.contains(name)));
        let tables: Vec<String> = tables.map(|table| format!("[[{table}\n")).collect();
        Self::parse(path, &tables.concat())
    }

    fn parse(path: &Path, text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The dialect of this name.
    pub(crate) fn dialect(&self, name: &str) -> Option<&Dialect> {
        self.dialects.iter().find(|dialect| dialect.name == name)
    }

    /// The bug of this name.
    pub(crate) fn bug(&self, name: &str) -> Option<&Bug> {
        self.bugs.iter().find(|bug| bug.name == name)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "an example reads the file it is given"
)]
fn read_text(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path);
    text.map_err(|error| format!("cannot open '{}': {error}", path.display()))
}

/// How an engine is asked and how it prints.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a habit of its own that real engines have or lack"
)]
pub(crate) struct Dialect {
    pub(crate) name: String,
    /// Which engines do so, or why one might.
    pub(crate) about: String,
    pub(crate) protocol: Protocol,

    // What it understands.
    /// The forms of a question: words, `{depth}`, `{fen}`, `{moves}`.
    pub(crate) ask: Vec<String>,
    /// The forms of a question that is answered without rows.
    pub(crate) ask_total: Vec<String>,
    /// The forms that set the board up; empty for those that fit the protocol.
    pub(crate) set: Vec<String>,
    /// The forms of one move on a line; empty for those that fit the protocol.
    pub(crate) play: Vec<String>,
    /// What it reads over, though it accepts the line: `fen`, `moves`, `startpos`.
    pub(crate) ignores: Vec<String>,
    /// The kind of fault that this is in UCI, though it counts rightly; none if empty.
    pub(crate) fault: String,
    /// The spellings of moves that it reads.
    pub(crate) reads: Vec<Spelling>,
    /// What it does with a move that it cannot read.
    pub(crate) unreadable_move: UnreadableMove,
    /// Whether it has the option `UCI_Chess960`; if set, castling is written king takes rook.
    pub(crate) chess960: bool,
    /// Plies that it counts more than it is asked for.
    pub(crate) extra_depth: u32,
    /// What it does at `go` when that is no question.
    pub(crate) search: Search,
    /// What it prints at a line that it does not understand; nothing if empty. Has `{line}`.
    pub(crate) unknown: Vec<String>,
    /// The exit code with which it ends there; 0 if it does not end.
    pub(crate) ends_at_unknown: u8,
    /// What it prints when a position has been set. Has `{fen}`.
    pub(crate) after_set: Vec<String>,

    // How it prints moves and numbers.
    /// The spelling of moves that it prints.
    pub(crate) writes: Spelling,
    /// A row; no rows if empty. Has `{move}`, `{nodes}`, `{index}`, `{rows}`, `{percent}`, `{depth}`,
    /// `{replies}`, `{code}`.
    pub(crate) row: String,
    /// The least depth at which rows are printed.
    pub(crate) rows_from_depth: u32,
    pub(crate) order: Order,
    /// How many rows share a line.
    pub(crate) columns: usize,
    /// What stands between rows on one line.
    pub(crate) gap: String,
    /// Whether the last row gets lost when the line is not full.
    pub(crate) loses_short_line: bool,
    /// What groups the digits of totals.
    pub(crate) group: String,
    /// What groups the digits of rows.
    pub(crate) row_group: String,

    // What else it prints.
    /// At the start, before anything is asked.
    pub(crate) banner: Vec<String>,
    /// Before it reads a line; no line of its own.
    pub(crate) prompt: String,
    /// Whether it prints each line that it reads.
    pub(crate) echo: bool,
    /// Before the rows. All lines have `{total}`, `{depth}`, `{moves}`, `{fen}`, `{ms}`, `{seconds}`,
    /// `{nps}`, `{captures}`, `{ep}`, `{castles}`, `{promotions}`, `{checks}`, `{mates}`.
    pub(crate) head: Vec<String>,
    /// Once for each move before it is counted; no line of its own. Has what a row has.
    pub(crate) progress: String,
    /// After the rows, for each depth from 1.
    pub(crate) each_depth: Vec<String>,
    /// After the rows.
    pub(crate) total: Vec<String>,
    /// At the end of an answer.
    pub(crate) foot: Vec<String>,
    /// In place of an answer where there is no legal move; empty for an answer as any other.
    pub(crate) ended: Vec<String>,
    /// Before each line.
    pub(crate) prefix: String,
    pub(crate) newline: String,
    /// Whether the last line of an answer has no end; only with `buffer = "answer"`.
    pub(crate) no_last_newline: bool,
    /// Whether it prints Latin-1 in place of UTF-8.
    pub(crate) latin_one: bool,
    pub(crate) output: Stream,
    pub(crate) buffer: Buffer,

    // When it answers, and how long it lives.
    /// Milliseconds before `uciok`, or before the banner without UCI.
    pub(crate) startup_ms: u64,
    /// Milliseconds before an answer.
    pub(crate) answer_ms: u64,
    /// Milliseconds before each row.
    pub(crate) row_ms: u64,
    /// Whether it counts in a thread, and obeys meanwhile.
    pub(crate) asynchronous: bool,
    /// Whether it ends after an answer.
    pub(crate) ends_after_answer: bool,
    pub(crate) exit_code: u8,

    // What a check must come to.
    /// What is understood of it.
    pub(crate) understood: Vec<Understood>,
    /// What the calibration must deny: `castling`, `promotions`, `totals`.
    pub(crate) lacks: Vec<String>,
    /// A regular expression that the reason fits when it is not understood, or a limit when it is
    /// understood in part.
    pub(crate) reason: String,
    /// Arguments of `perft check` in place of `--engine`; `{engine}` is the engine's command.
    pub(crate) arguments: Vec<String>,
    /// Whether broken engines speak it as well.
    pub(crate) with_bugs: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        let lines = |some: &[&str]| some.iter().map(|&line| line.to_owned()).collect();
        Self {
            name: String::new(),
            about: String::new(),
            protocol: Protocol::Uci,
            ask: lines(&["go perft {depth}"]),
            ask_total: Vec::new(),
            set: Vec::new(),
            play: Vec::new(),
            ignores: Vec::new(),
            fault: String::new(),
            reads: vec![Spelling::default()],
            unreadable_move: UnreadableMove::Stop,
            chess960: false,
            extra_depth: 0,
            search: Search::Short,
            unknown: lines(&["Unknown command: '{line}'."]),
            ends_at_unknown: 0,
            after_set: Vec::new(),
            writes: Spelling::default(),
            row: "{move}: {nodes}".to_owned(),
            rows_from_depth: 1,
            order: Order::Generated,
            columns: 1,
            gap: "  ".to_owned(),
            loses_short_line: false,
            group: String::new(),
            row_group: String::new(),
            banner: Vec::new(),
            prompt: String::new(),
            echo: false,
            head: Vec::new(),
            progress: String::new(),
            each_depth: Vec::new(),
            total: lines(&["", "Nodes searched: {total}", ""]),
            foot: Vec::new(),
            ended: Vec::new(),
            prefix: String::new(),
            newline: "\n".to_owned(),
            no_last_newline: false,
            latin_one: false,
            output: Stream::Out,
            buffer: Buffer::Line,
            startup_ms: 0,
            answer_ms: 0,
            row_ms: 0,
            asynchronous: false,
            ends_after_answer: false,
            exit_code: 0,
            understood: vec![Understood::Full],
            lacks: Vec::new(),
            reason: String::new(),
            arguments: lines(&["--engine", "{engine}"]),
            with_bugs: true,
        }
    }
}

/// How an engine is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Protocol {
    /// `uci`, `isready`, `position`.
    Uci,
    /// Lines, but nothing of UCI beyond `position`, unless `set` says otherwise.
    Console,
    /// `xboard`, `protover 2`, `setboard`, moves one at a time.
    Xboard,
    /// Called for each question.
    Program,
}

/// How a move is written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Spelling {
    /// `{from}`, `{to}`, `{promo}`, `{FROM}`, `{TO}`, `{piece}` (`P` too), `{small}`, `{letter}` (none for pawns), `{x}`,
    /// `{dash}` (`x` or `-`), `{san}`, `{figure}`, `{from_index}`, `{to_index}`, `{ep}`.
    pub(crate) text: String,
    /// What a promotion adds: `{p}`, `{P}`.
    pub(crate) promotion: String,
    pub(crate) castling: Castling,
}

impl Default for Spelling {
    fn default() -> Self {
        Self {
            text: "{from}{to}{promo}".to_owned(),
            promotion: "{p}".to_owned(),
            castling: Castling::King,
        }
    }
}

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Castling {
    /// `e1g1`.
    King,
    /// `e1h1`.
    Rook,
    /// `O-O`.
    Letters,
    /// `0-0`.
    Zeros,
    /// `o-o`.
    SmallLetters,
}

/// What is done with a move that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UnreadableMove {
    /// It and all that follow are left out.
    Stop,
    /// It is left out.
    Drop,
    /// As `stop`, and a line says so.
    Say,
}

/// What is done at `go` when that is no question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Search {
    /// A search that ends by itself.
    Short,
    /// A search until `stop`.
    Endless,
    /// Nothing that any other unknown line does not get.
    Unknown,
}

/// The order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    /// As they are generated.
    Generated,
    /// By the move's text.
    Alphabetical,
    /// The largest count first.
    Nodes,
    /// As threads or a hash map would have it: another order at each depth.
    Shuffled,
}

/// Where it prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stream {
    Out,
    Err,
}

/// When what is printed is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Buffer {
    /// Each character by itself, as standard error is.
    None,
    Line,
    Answer,
    /// As a pipe is by default: when 4 KiB are full, and at the end.
    Block,
}

/// What a check may understand of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Understood {
    /// FEN, moves, rows.
    Full,
    /// FEN and moves, but no rows.
    Totals,
    /// No moves; with or without rows.
    FenOnly,
    /// Nothing that can be judged: exit code 3.
    No,
    /// Some positions get no answer, the others a right one: exit code 3.
    Failed,
}

/// What is wrong with an engine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bug {
    pub(crate) name: String,
    /// Where it was seen, or how it comes about.
    #[serde(default)]
    pub(crate) about: String,
    pub(crate) does: Does,

    // What a check must come to.
    /// The verdicts that are right.
    #[serde(default = "wrong")]
    pub(crate) verdicts: Vec<String>,
    /// The kinds of fault of which one must be found.
    pub(crate) kinds: Vec<String>,
    /// The rules of which one must be named with it; empty where no rule is broken.
    #[serde(default)]
    pub(crate) rules: Vec<String>,
    /// A regular expression that the report fits.
    #[serde(default)]
    pub(crate) report: String,
    /// What is checked in place of the suite: FENs or `startpos`, with moves.
    #[serde(default)]
    pub(crate) positions: Vec<String>,
    #[serde(default = "two")]
    pub(crate) depth: u32,
    /// What a dialect must let through for it to be seen: `rows`, `total`, `moves`, `process` (not
    /// called for each question).
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    /// More arguments of `perft check`.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
}

fn wrong() -> Vec<String> {
    vec!["wrong".to_owned()]
}

fn two() -> u32 {
    2
}

/// A kind of bug.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Does {
    Nothing,
    /// Has faults, by a pattern of names that `perft coverage` prints.
    Breaks(#[serde(deserialize_with = "pattern")] FaultSet),

    // Lists of moves.
    /// No list is longer than this.
    ListEndsAt(usize),
    /// Only so many knights move; a list of pieces is full.
    KnightsAtMost(usize),
    /// Only so many queens move.
    QueensAtMost(usize),
    /// A pawn pinned on a diagonal never takes en passant, not even along it.
    ForbidsEpAlongPin,
    /// Where either of two pawns may take en passant on the king's rank, neither does.
    ForbidsEpByTwoOnKingsRank,
    /// A promotion that takes the piece giving check makes a queen only.
    TakesCheckerByQueenOnly,
    /// A promotion that blocks a check makes a queen only.
    BlocksCheckByQueenOnly,
    /// A pawn on b7 takes on a8 where nothing stands.
    TakesNothingInCorner,
    /// There are no moves at this halfmove clock.
    EndsAtClock(u32),
    /// There are no moves when a position is there for the third time.
    EndsAtThirdRepetition,
    /// There are no moves with one minor piece besides the kings.
    EndsWithoutMaterial,

    // Positions after moves, right when given by FEN.
    /// Moves set no en passant square.
    ForgetsEpAfterMoves,
    /// Moves keep all castling rights whose king and rook stand at home.
    KeepsRightsAfterMoves,

    // Counting and printing.
    /// Counts found before are taken over without regard to en passant and castling.
    HashIgnoresState,
    /// The total is one more.
    TotalOneMore,
    /// The total is one more in check.
    TotalOneMoreInCheck,
    /// The row of an en passant capture is printed twice; the total is right.
    PrintsEpRowTwice,
    /// Every answer of this number has a wrong count.
    Flickers(u32),

    // Breaking down.
    /// Segmentation fault where en passant is possible.
    CrashesOnEp,
    /// Abort where a pawn can be promoted.
    AbortsOnPromotion,
    /// Ends with exit code 1 where castling is possible.
    ExitsOnCastling,
    /// Counts for ever where a pawn can be promoted.
    HangsOnPromotion,
}

/// Reads faults by a pattern of their names.
fn pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaultSet, D::Error> {
    let pattern = String::deserialize(deserializer)?;
    faults::find(&pattern).map_err(D::Error::custom)
}

//! What `bank.toml` says: dialects, bugs, and what a check of them must come to.
//!
//! Everything has a default, which is how Stockfish does it; a dialect names what it does otherwise.

use perft::faults::{self, FaultSet};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Table;

const TEXT: &str = include_str!("bank.toml");

/// Dialects and bugs.
pub(crate) struct Bank {
    pub(crate) dialects: Vec<Dialect>,
    pub(crate) bugs: Vec<Bug>,
}

impl Bank {
    pub(crate) fn read() -> Self {
        let bank: Table = TEXT.parse().expect("the bank is TOML");
        let tables = |kind: &str| {
            let tables = bank[kind].as_array().expect("tables").iter();
            tables.map(|table| table.as_table().expect("a table").clone())
        };
        let bug = |table: Table| table.try_into().expect("a bug");
        Self {
            dialects: tables("dialect").map(Dialect::from_table).collect(),
            bugs: tables("bug").map(bug).collect(),
        }
    }

    /// The table with this name alone: an engine that is started for each question would spend two thirds of its time
    /// on reading the others.
    fn find(kind: &str, name: &str) -> Option<Table> {
        let (kind, name) = (format!("{kind}]]"), format!("\nname = \"{name}\"\n"));
        let mut tables = TEXT.split("\n[[").map(|table| table.to_owned() + "\n");
        let table = tables.find(|table| table.starts_with(&kind) && table.contains(&name))?;
        Some(table[kind.len()..].parse().expect("a table"))
    }
}

/// How an engine is asked and how it prints.
#[derive(Clone, Debug, Default, Deserialize)]
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
    /// The forms that set the board up.
    pub(crate) set: Vec<String>,
    /// The forms of one move on a line.
    pub(crate) play: Vec<String>,
    /// What it reads over, though it accepts the line: `fen`, `moves`, `startpos`.
    pub(crate) ignores: Vec<String>,
    /// The kind of fault that this is in UCI, though it counts rightly; none if empty.
    pub(crate) fault: String,
    /// The spellings of moves that it reads.
    pub(crate) reads: Vec<Spelling>,
    /// Whether it leaves out a move that it cannot read; else all that follow as well.
    pub(crate) drops_unreadable_moves: bool,
    /// Whether it has the option `UCI_Chess960`; if set, castling is written king takes rook.
    pub(crate) chess960: bool,
    /// Plies that it counts more than it is asked for.
    pub(crate) extra_depth: u32,
    /// What it does at a `go` that is neither a question nor in UCI.
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
    /// So many lines of a log, before all else.
    pub(crate) log: u64,
    /// A line of the log. Has `{number}`.
    pub(crate) log_line: String,
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

impl Dialect {
    /// The dialect of this name, with some of it said otherwise: `KEY = VALUE` as in the bank.
    pub(crate) fn find(name: &str, otherwise: &[String]) -> Result<Self, String> {
        let table = Bank::find("dialect", name);
        let mut table = table.ok_or_else(|| format!("no dialect is called {name}"))?;
        for other in otherwise {
            let other: Table = other.parse().map_err(|error| format!("{other}: {error}"))?;
            table.extend(other);
        }
        Ok(Self::from_table(table))
    }

    fn from_table(table: Table) -> Self {
        // The defaults come before the first dialect.
        let (defaults, _) = TEXT.split_once("\n[[").expect("a dialect");
        let mut all: Table = defaults.parse().expect("the defaults are TOML");
        all.extend(table);
        all.try_into().unwrap_or_else(|error| panic!("{error}"))
    }
}

/// How an engine is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Protocol {
    /// `uci`, `isready`, `position`.
    #[default]
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

impl Spelling {
    pub(crate) fn by_rook() -> Self {
        Self {
            castling: Castling::Rook,
            ..Self::default()
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

/// What is done at a `go` that is neither a question nor in UCI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Search {
    /// A search that ends by itself.
    #[default]
    Short,
    /// A search until `stop`.
    Endless,
    /// Nothing that any other unknown line does not get.
    Unknown,
}

/// The order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    /// As they are generated.
    #[default]
    Generated,
    /// By the move's text.
    Alphabetical,
    /// The largest count first.
    Nodes,
    /// As threads or a hash map would have it: another order at each depth.
    Shuffled,
}

/// Where it prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stream {
    #[default]
    Out,
    Err,
}

/// When what is printed is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Buffer {
    /// Each character by itself, as standard error is.
    None,
    #[default]
    Line,
    Answer,
    /// As a pipe is by default: when 4 KiB are full, and at the end.
    Block,
    /// Behind the next `readyok`, but for an answer about the start position.
    Ready,
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Does {
    #[default]
    Nothing,
    /// Has faults, by a pattern of names that `perft coverage` prints.
    Breaks(#[serde(deserialize_with = "pattern")] FaultSet),

    /// Knows the rules of the stages up to this one, as `perft check stages` counts them.
    KnowsStages(u32),

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
    /// There are no moves when a position is there for this time, be it in the game before.
    EndsAtRepetition(usize),
    /// There are no moves with one minor piece besides the kings.
    EndsWithoutMaterial,

    // Positions after moves, right when given by FEN.
    /// Moves set no en passant square.
    ForgetsEpAfterMoves,
    /// Moves keep all castling rights whose king and rook stand at home.
    KeepsRightsAfterMoves,

    /// A move from e1 or e8 two files aside is castling, whatever piece it is.
    CastlesByText,

    // Counting and printing.
    /// Counts found before are taken over without regard to en passant and castling.
    HashIgnoresState,
    /// The total is one more.
    TotalOneMore,
    /// This move is listed where a1b1 comes first of all.
    Adds(String),
    /// The total is one more in check.
    TotalOneMoreInCheck,
    /// The row of an en passant capture is printed twice; the total is right.
    PrintsEpRowTwice,
    /// Every answer of this number has a wrong count.
    Flickers(u32),

    /// Breaks down somewhere, in some way: `PLACE:HOW`. The places are `en-passant`, `promotion` and `castling`, where
    /// such a move is legal; `bare-king`; `anywhere`; `later`, behind the start position; and a number of moves played. The ways
    /// are `hang`, `segfault` and those in which `--crash` ends.
    BreaksDown(String),
}

impl Does {
    /// A bug by its name in the bank, `KIND` or `KIND=VALUE`, or a pattern of names as `perft coverage` prints them.
    pub(crate) fn find(text: &str) -> Result<Self, String> {
        if let Some(table) = Bank::find("bug", text) {
            let bug: Bug = table.try_into().expect("a bug");
            return Ok(bug.does);
        }
        let Some((kind, value)) = text.split_once('=') else {
            let kind = toml::Value::from(text).try_into();
            return kind.or_else(|_| faults::find(text).map(Self::Breaks));
        };
        let mut table = Table::new();
        let number = value.parse().map(toml::Value::Integer);
        table.insert(kind.to_owned(), number.unwrap_or_else(|_| value.into()));
        table.try_into().map_err(|error| error.to_string())
    }
}

/// Reads faults by a pattern of their names.
fn pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaultSet, D::Error> {
    let pattern = String::deserialize(deserializer)?;
    faults::find(&pattern).map_err(D::Error::custom)
}

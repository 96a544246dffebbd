//! The flags.

use std::str::FromStr;

use clap::{Parser, ValueEnum};
use perft::mutants::Mutation;

/// An engine that counts, in any dialect and wording, and misbehaves on demand.
#[derive(Clone, Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Flags {
    /// Break this rule of chess, by a name that `perft mutants` prints.
    #[arg(long, value_parser = mutation)]
    pub(crate) mutation: Option<Mutation>,
    /// Find no moves where a position stands on the board for this time, the ones before counted.
    #[arg(long, value_name = "TIMES", conflicts_with = "mutation")]
    pub(crate) repetition_ends: Option<usize>,
    /// Take a move from e1 or e8 two files aside for castling, whatever piece it is.
    #[arg(long, conflicts_with = "mutation")]
    pub(crate) castling_by_text: bool,
    /// Crash over a game of more moves than this.
    #[arg(long, value_name = "PLIES")]
    pub(crate) most_plies: Option<usize>,
    /// How it wants to be asked.
    #[arg(long, value_enum, default_value = "go-perft")]
    pub(crate) dialect: Dialect,
    /// How it prints the count below each move.
    #[arg(long, value_enum, default_value = "colon")]
    pub(crate) rows: Rows,
    /// How it prints the total.
    #[arg(long, value_enum, default_value = "stockfish")]
    pub(crate) total: Total,
    /// Print the total before the rows.
    #[arg(long)]
    pub(crate) total_first: bool,
    /// How it writes castling.
    #[arg(long, value_enum, default_value = "by-mode")]
    pub(crate) castling: Castling,
    /// Do not know UCI: say what any other unknown command gets.
    #[arg(long)]
    pub(crate) console: bool,
    /// Do not have the option `UCI_Chess960`.
    #[arg(long)]
    pub(crate) no_chess960: bool,
    /// Count in a thread, and answer `isready` meanwhile.
    #[arg(long)]
    pub(crate) asynchronous: bool,
    /// Print each row by itself, this many milliseconds after the last.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub(crate) slow_rows: u64,

    /// Crash when an en passant square is set: `panic`, `abort` or an exit code.
    #[arg(long, value_name = "HOW")]
    pub(crate) crash_on_ep: Option<Crash>,
    /// Crash over every question.
    #[arg(long, value_name = "HOW")]
    pub(crate) crash: Option<Crash>,
    /// Count for ever where castling is possible.
    #[arg(long)]
    pub(crate) hang_on_castling: bool,
    /// Count for ever over every question but those about the first position.
    #[arg(long)]
    pub(crate) hang: bool,
    /// Print a total that is one more than the sum of the rows.
    #[arg(long)]
    pub(crate) wrong_total: bool,
    /// Add one to the first row of every third answer.
    #[arg(long)]
    pub(crate) flaky: bool,
    /// End after each answer.
    #[arg(long)]
    pub(crate) end_after_answer: bool,
    /// Print other lines, with numbers and moves in them, around each answer.
    #[arg(long)]
    pub(crate) chatter: bool,
    /// Print the last row twice.
    #[arg(long)]
    pub(crate) duplicate_row: bool,
    /// Print bytes that are no text before each answer, and end lines by CR LF.
    #[arg(long)]
    pub(crate) garbage: bool,
    /// Print this many lines of a log before each answer.
    #[arg(long, value_name = "LINES", default_value_t = 0)]
    pub(crate) log: u64,
    /// Print lines without end in place of an answer.
    #[arg(long)]
    pub(crate) flood: bool,
    /// Go on after `quit`, and after the end of the input.
    #[arg(long)]
    pub(crate) ignore_quit: bool,
    /// End when it is said `uci`.
    #[arg(long, value_name = "HOW")]
    pub(crate) crash_on_uci: Option<Crash>,
    /// Take `go perft N` for a search, and end it.
    #[arg(long)]
    pub(crate) search: bool,
    /// Take `go perft N` for a search that ends only when it is stopped.
    #[arg(long)]
    pub(crate) search_until_stop: bool,
    /// Say nothing to any question.
    #[arg(long)]
    pub(crate) mute: bool,

    /// As a script: DEPTH FEN [MOVES].
    pub(crate) words: Vec<String>,
}

/// How it wants to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// `position …`, then `go perft N`.
    GoPerft,
    /// `position …`, then `perft N`.
    Perft,
    /// `perft N FEN`.
    PerftFen,
    /// Called with DEPTH FEN [MOVES].
    Script,
}

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// `e2e4: 600`
    Colon,
    /// `e2e4 600`
    Space,
    /// `e2e4 - 600`
    Dash,
    /// `e2e4 -> 600`
    Arrow,
    /// `1. e2e4 600`
    Numbered,
    /// `e2e4 20 600`: the replies, then the count.
    TwoNumbers,
    /// `e2e4: 1,234`
    Grouped,
    /// `a7a8Q: 600`
    Upper,
    /// `Nf3 600`
    San,
    /// `Ng1-f3 = 600`
    Long,
    /// `info string e2e4: 600`
    InfoString,
    /// No rows.
    None,
}

/// How the total is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Total {
    /// `Nodes searched: 8902`
    Stockfish,
    /// `Total: 8902`
    Word,
    /// `8902`
    Bare,
    /// `perft(3) = 8902`
    PerftEq,
    /// `8902 nodes, 5ms`
    NodesFirst,
    /// `Nodes: 8,902 in 0.005 s`
    Grouped,
    /// `perft(1) = 20` and so on, one line for each depth.
    PerDepth,
    /// `info depth 3 nodes 8902 time 5`
    Info,
    /// No total.
    None,
}

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Castling {
    /// By where the king goes in standard chess, by the rook in Chess960.
    ByMode,
    /// King takes rook, always.
    Rook,
    /// From and to where the king goes, always.
    King,
}

/// How to crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crash {
    Panic,
    Abort,
    Exit(u8),
}

impl FromStr for Crash {
    type Err = String;

    fn from_str(how: &str) -> Result<Self, String> {
        match how {
            "panic" => Ok(Self::Panic),
            "abort" => Ok(Self::Abort),
            code => code
                .parse()
                .map(Self::Exit)
                .map_err(|_| "expected panic, abort or an exit code".to_owned()),
        }
    }
}

fn mutation(name: &str) -> Result<Mutation, String> {
    Mutation::from_name(name).ok_or_else(|| "no mutation has this name".to_owned())
}

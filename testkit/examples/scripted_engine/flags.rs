//! The flags. Those of one kind are a struct of their own, so that all of a kind can be given up at once.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};
use perft::faults::{self, FaultSet};

use crate::breach::Breach;
use crate::display::{Display, List};

/// A UCI engine for tests that misbehaves on demand.
#[derive(Clone, Debug, Parser)]
pub(crate) struct Flags {
    #[command(flatten)]
    pub(crate) play: Play,
    #[command(flatten)]
    pub(crate) start: AtStart,
    /// Misbehave at the N-th move asked for, as the flags under "Instead of a move" say
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) at: u64,
    /// Misbehave at the start, or instead of a move, only if FILE does not exist; then write the process id to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) once: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) turn: AtTurn,
    #[command(flatten)]
    pub(crate) always: Always,
    /// Speak `XBoard`'s protocol instead of UCI, in this way
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_missing_value = "sound")]
    pub(crate) xboard: Option<Xboard>,
    #[command(flatten)]
    pub(crate) count: Count,
    #[command(flatten)]
    pub(crate) show: Show,
    /// Break one rule of UCI or of chess
    #[arg(long, value_name = "NAME", help_heading = "Small breaches")]
    pub(crate) breach: Option<Breach>,
    /// Let this engine answer, apart from faults at some positions
    #[arg(
        long,
        value_name = "ENGINE",
        help_heading = "Another engine behind this one"
    )]
    pub(crate) wrap: Option<uci::CommandLine>,
    /// Of N positions to search, crash at one, hang at one, and leave a child behind at one
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(3..),
        help_heading = "Another engine behind this one"
    )]
    pub(crate) wrap_faults: u64,
    /// A script FILE to answer from; with `--dialect script`: DEPTH FEN [MOVES]
    ///
    /// Lines of the script before the first `on` are printed after `uci`. A line `on FEN`, with as many fields as
    /// needed, starts a block: what is printed on `go` in positions whose FEN starts like this. Several such blocks
    /// take turns. Besides lines to print there are `!crash`, `!hang`, `!sleep MS` and `!await-stop`. A `#` starts a
    /// comment. The limits of each `go` are printed as an `info string`.
    pub(crate) words: Vec<String>,
}

impl Flags {
    pub(crate) fn has(&self, breach: Breach) -> bool {
        self.breach == Some(breach)
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How it plays")]
pub(crate) struct Play {
    /// Seed of the choice among the legal moves
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Play a mate in one, or else the first legal move; print an info line for each depth and PV
    #[arg(long)]
    pub(crate) first_move: bool,
    /// Think this many milliseconds about each move
    #[arg(long, value_name = "MS", default_value = "0", value_parser = milliseconds)]
    pub(crate) sleep: Duration,
    /// Report this score, in centipawns
    #[arg(
        long,
        value_name = "CP",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) score: i32,
    /// Report a mate in this many moves instead of a score in centipawns
    #[arg(long, value_name = "MOVES", allow_negative_numbers = true)]
    pub(crate) mate: Option<i32>,
    /// Give the expected reply with each move
    #[arg(long)]
    pub(crate) ponder: bool,
    /// Have an option Margin, from 0 to 100, that is best at N: play for material, blunder more often the farther the
    /// option is from N, and report the balance of material as the score
    #[arg(long, value_name = "N")]
    pub(crate) optimum: Option<u64>,
    /// Do not declare this option
    #[arg(long, value_name = "NAME")]
    pub(crate) no_option: Vec<String>,
}

#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "At the start")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[expect(clippy::struct_field_names, reason = "fields are named after flags")]
pub(crate) struct AtStart {
    /// Crash before printing anything: `panic`, `abort` or an exit code
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_missing_value = "3")]
    pub(crate) crash_at_start: Option<Crash>,
    /// Crash on `uci`
    #[arg(long, value_name = "HOW")]
    pub(crate) crash_on_uci: Option<Crash>,
    /// Read nothing and print nothing
    #[arg(long)]
    pub(crate) deaf: bool,
    /// Read everything and print nothing
    #[arg(long)]
    pub(crate) silent: bool,
    /// Answer `uci` with TEXT, as `--answer-with` writes it, before all else
    #[arg(long, value_name = "TEXT")]
    pub(crate) greet: Option<String>,
    /// Never print `uciok`
    #[arg(long)]
    pub(crate) no_uciok: bool,
    /// Print `uciok` this many milliseconds late
    #[arg(long, value_name = "MS", default_value = "0", value_parser = milliseconds)]
    pub(crate) slow_uciok: Duration,
    /// Never print `readyok`
    #[arg(long)]
    pub(crate) no_readyok: bool,
    /// Hang on `isready`
    #[arg(long)]
    pub(crate) hang_on_isready: bool,
    /// Close standard output after `uciok`, and keep running
    #[arg(long)]
    pub(crate) close_stdout_at_start: bool,
    /// Close standard input after `uciok`, print `info string closed`, and hang
    #[arg(long)]
    pub(crate) close_stdin_at_start: bool,
    /// Start a child process after `uciok` that outlives the engine, and print `info string child
    /// CHILD of ENGINE`, the ids of both
    #[arg(long)]
    pub(crate) leave_child_at_start: bool,
    /// Print the working directory and this environment variable first
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) print_surroundings: Option<String>,
    /// Print this many numbered lines on standard error, then end
    #[arg(long, value_name = "LINES", default_value_t = 0)]
    pub(crate) stderr_lines: usize,
}

#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Instead of a move")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct AtTurn {
    /// Crash, also when asked for a count: `panic`, `abort` or an exit code
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_missing_value = "3")]
    pub(crate) crash: Option<Crash>,
    /// Hang, also when asked for a count of any position but the first
    #[arg(long)]
    pub(crate) hang: bool,
    /// Print this many lines, or lines without end, also in place of a count
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "18446744073709551615")]
    pub(crate) flood: Option<u64>,
    /// Print one line without end
    #[arg(long)]
    pub(crate) endless_line: bool,
    /// Print one line of this many bytes, then answer
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) long_line: usize,
    /// Print this many bytes on standard error, then answer
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) stderr: usize,
    /// Print bytes that are not text, then answer, also before each count; end all lines with CR LF
    #[arg(long)]
    pub(crate) garbage: bool,
    /// Answer this many milliseconds late
    #[arg(long, value_name = "MS", default_value = "0", value_parser = milliseconds)]
    pub(crate) late: Duration,
    /// Answer `a1a1`
    #[arg(long)]
    pub(crate) illegal_move: bool,
    /// Answer `0000`
    #[arg(long)]
    pub(crate) null_move: bool,
    /// Answer `(none)`
    #[arg(long)]
    pub(crate) no_move: bool,
    /// Answer `bestmove` without a move
    #[arg(long)]
    pub(crate) empty_move: bool,
    /// Answer `bestmove` with bytes that are not text
    #[arg(long)]
    pub(crate) garbage_move: bool,
    /// Answer TEXT; `{move}` in it is the move, `\r`, `\n`, `\0` and `\xff` are bytes
    #[arg(long, value_name = "TEXT")]
    pub(crate) answer_with: Option<String>,
    /// Answer without an end of line, and hang
    #[arg(long)]
    pub(crate) no_newline: bool,
    /// Answer without an end of line, and exit
    #[arg(long)]
    pub(crate) no_final_newline: bool,
    /// Answer, and exit
    #[arg(long)]
    pub(crate) exit_after_move: bool,
    /// Close standard input, answer, and hang
    #[arg(long)]
    pub(crate) close_stdin: bool,
    /// Close standard output, and hang
    #[arg(long)]
    pub(crate) close_stdout: bool,
    /// Join the process group of the parent, and hang
    #[arg(long)]
    pub(crate) leave_group: bool,
    /// Start a child process that outlives the engine, then answer
    #[arg(long)]
    pub(crate) leave_child: bool,
}

impl AtTurn {
    /// What is answered in place of a move.
    pub(crate) fn answer(&self) -> Option<&'static [u8]> {
        let answers: [(bool, &[u8]); 5] = [
            (self.illegal_move, b"bestmove a1a1\n"),
            (self.null_move, b"bestmove 0000\n"),
            (self.no_move, b"bestmove (none)\n"),
            (self.empty_move, b"bestmove\n"),
            (self.garbage_move, b"bestmove \xff\xfe\0\x80\n"),
        ];
        let mut given = answers.into_iter().filter(|(is_given, _)| *is_given);
        given.next().map(|(_, answer)| answer)
    }
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "All the time")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Always {
    /// Search until stopped, whatever the limit, and print infos; with `quiet`, print none
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_missing_value = "loud")]
    pub(crate) ignore_limits: Option<IgnoreLimits>,
    /// Ignore `stop`
    #[arg(long)]
    pub(crate) ignore_stop: bool,
    /// Ignore `quit` and the end of the input
    #[arg(long)]
    pub(crate) ignore_quit: bool,
    /// Answer `go ponder` at once
    #[arg(long)]
    pub(crate) early: bool,
    /// Answer `stop` twice
    #[arg(long)]
    pub(crate) double: bool,
    /// Answer every `go` twice
    #[arg(long)]
    pub(crate) repeat: bool,
    /// Repeat the last answer as soon as the next move is asked for
    #[arg(long)]
    pub(crate) repeat_late: bool,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How it shows its position")]
pub(crate) struct Show {
    /// Answer `d` with the lines Fen, Key and Checkers, in this way
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_missing_value = "sound")]
    pub(crate) display: Option<Display>,
    /// Answer `list legal`, `list captures`, `list evasions` and `list checks`, in this way
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_missing_value = "sound")]
    pub(crate) list: Option<List>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How it counts")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Count {
    /// Count with these faults, by a pattern of names as `perft coverage` prints them
    #[arg(long, value_name = "PATTERN", value_parser = faults::find)]
    pub(crate) bug: Option<FaultSet>,
    /// Find no moves where a position occurs for this time, counting its earlier occurrences in the game
    #[arg(long, value_name = "TIMES", conflicts_with = "bug")]
    pub(crate) repetition_ends: Option<usize>,
    /// Take a move from e1 or e8 two files aside for castling, whatever piece it is
    #[arg(long, conflicts_with = "bug")]
    pub(crate) castling_by_text: bool,
    /// Crash in games of more moves than this
    #[arg(long, value_name = "PLIES")]
    pub(crate) most_plies: Option<usize>,
    /// Command that asks for a count
    #[arg(long, value_enum, default_value = "go-perft")]
    pub(crate) dialect: Dialect,
    /// Format of the count below each move
    #[arg(long, value_enum, default_value = "colon")]
    pub(crate) rows: Rows,
    /// Format of the total
    #[arg(long, value_enum, default_value = "stockfish")]
    pub(crate) total: Total,
    /// Print the total before the rows
    #[arg(long)]
    pub(crate) total_first: bool,
    /// Notation of castling
    #[arg(long, value_enum, default_value = "by-mode")]
    pub(crate) castling: Castling,
    /// Know no UCI: answer it as any unknown command
    #[arg(long)]
    pub(crate) console: bool,
    /// Count in a thread, and answer `isready` meanwhile
    #[arg(long)]
    pub(crate) asynchronous: bool,
    /// Answer `isready` before printing a count, except of the start position
    #[arg(long)]
    pub(crate) ready_first: bool,
    /// Print each row by itself, this many milliseconds after the last
    #[arg(long, value_name = "MS", default_value = "0", value_parser = milliseconds)]
    pub(crate) slow_rows: Duration,
    /// Crash when an en passant square is set: `panic`, `abort` or an exit code
    #[arg(long, value_name = "HOW")]
    pub(crate) crash_on_ep: Option<Crash>,
    /// Abort when Black has a bare king against two men and is to move
    #[arg(long)]
    pub(crate) crash_on_bare_king: bool,
    /// Hang when Black has a bare king against two men and is to move
    #[arg(long)]
    pub(crate) hang_on_bare_king: bool,
    /// Hang when castling is legal
    #[arg(long)]
    pub(crate) hang_on_castling: bool,
    /// Print a total that is one more than the sum of the rows
    #[arg(long)]
    pub(crate) wrong_total: bool,
    /// Add one to the first row of every third answer
    #[arg(long)]
    pub(crate) flaky: bool,
    /// Leave out this move
    #[arg(long, value_name = "MOVE")]
    pub(crate) leave_out: Option<String>,
    /// List this text as a move, where a1b1 is legal and the first move in the alphabet
    #[arg(long, value_name = "TEXT")]
    pub(crate) add: Option<String>,
    /// List the last move in the alphabet twice, and include it in the total twice
    #[arg(long)]
    pub(crate) twice: bool,
    /// Print the last row twice
    #[arg(long)]
    pub(crate) duplicate_row: bool,
    /// Exit after each count
    #[arg(long)]
    pub(crate) end_after_answer: bool,
    /// Print other lines, with numbers and moves in them, around each count
    #[arg(long)]
    pub(crate) chatter: bool,
    /// Print this many lines of a log before each count
    #[arg(long, value_name = "LINES", default_value_t = 0)]
    pub(crate) log: u64,
    /// Take a request for a count for a search, and end it
    #[arg(long)]
    pub(crate) search: bool,
    /// Take a request for a count for a search that ends only by `stop`
    #[arg(long)]
    pub(crate) search_until_stop: bool,
    /// Know no command that counts
    #[arg(long)]
    pub(crate) no_perft: bool,
    /// Do not answer a request for a count
    #[arg(long)]
    pub(crate) mute: bool,
}

/// How it speaks `XBoard`'s protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Xboard {
    /// With `ping`, `setboard` and `usermove`
    Sound,
    /// Without features, and moves as `1. ... e2e4`
    Old,
    /// Send `done=0` and never `done=1`
    Busy,
    /// Never answer `ping`
    NoPong,
    /// With `san=1`
    San,
    /// Do not play a second game in one process
    Once,
    /// Print thinking output in odd forms
    Odd,
    /// Resign instead of the move
    Resign,
    /// Claim the own loss instead of the move
    Lose,
    /// Claim a win instead of the move
    ClaimWin,
    /// Claim a draw after the move
    ClaimDraw,
    /// Claim a result as soon as a game is over, and be right
    ClaimRight,
    /// Reject the move of the opponent
    Reject,
    /// Move in SAN, illegally
    IllegalSan,
    /// Declare `nps`, and options
    Nps,
}

/// Whether a search that ignores its limits prints infos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IgnoreLimits {
    Loud,
    Quiet,
}

/// Command that asks for a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// `position …`, then `go perft N`
    GoPerft,
    /// `position …`, then `perft N`
    Perft,
    /// `perft N FEN`
    PerftFen,
    /// Called with DEPTH FEN [MOVES]
    Script,
}

/// Format of the rows.
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
    /// `e2e4 20 600`: the replies, then the count
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
    /// No rows
    None,
}

/// Format of the total.
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
    /// `perft(1) = 20` and so on, a line for each depth
    PerDepth,
    /// `info depth 3 nodes 8902 time 5`
    Info,
    /// No total
    None,
}

/// Notation of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Castling {
    /// By the king's target in standard chess, by the rook in Chess960
    ByMode,
    /// King takes rook, always
    Rook,
    /// By the king's target, always
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

fn milliseconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis)
}

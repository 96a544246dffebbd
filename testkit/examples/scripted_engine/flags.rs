//! The flags. Those of one kind are a struct of their own, so that all of a kind can be given up at once.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};

use crate::bank::Does;
use crate::breach::Breach;
use crate::display::{Display, List};
use crate::misbehaviour::Misbehaviours;

/// A UCI engine for tests that misbehaves on demand.
#[derive(Clone, Debug, Parser)]
pub(crate) struct Flags {
    #[command(flatten)]
    pub(crate) play: Play,
    /// Misbehave at the N-th move asked for, as the flags under "Instead of a move" say
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) at: u64,
    /// Misbehave at the start, or instead of a move, only if FILE does not exist; then write the process id to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) once: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) misbehaviours: Misbehaviours,
    /// Print the working directory and this environment variable first
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) print_surroundings: Option<String>,
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
    /// A script FILE to answer from; a question if the dialect is that of a program called for each
    ///
    /// Lines of the script before the first `on` are printed after `uci`. A line `on FEN`, with as many fields as
    /// needed, starts a block: what is printed on `go` in positions whose FEN starts like this. Several such blocks
    /// take turns. Besides lines to print there are steps as in `misbehaviours.txt`, and `!await-stop`. A `#` starts a
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
    /// Print these lines on `position`, and nothing on `d`
    #[arg(long, requires = "display")]
    pub(crate) on_position: bool,
    /// Answer `list legal`, `list captures`, `list evasions` and `list checks`, in this way
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_missing_value = "sound")]
    pub(crate) list: Option<List>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How it counts")]
pub(crate) struct Count {
    /// Count with this bug: a name of the bank, KIND=VALUE as the bank writes what a bug does, or a pattern of faults as
    /// `perft coverage` prints them
    #[arg(long, value_name = "BUG", value_parser = Does::find)]
    pub(crate) bug: Option<Does>,
    /// Show the moves that it takes for legal in each search, at most so many of them by `MultiPV`
    #[arg(long, value_name = "LINES")]
    pub(crate) lists: Option<usize>,
    /// Refuse positions with a halfmove clock of 100 and more, in this way
    #[arg(long, value_name = "HOW")]
    pub(crate) refuse: Option<Refuse>,
    /// The dialect of the bank in which it is asked for counts, and prints them
    #[arg(long, value_name = "NAME", default_value = "stockfish")]
    pub(crate) dialect: String,
    /// Something that is otherwise in this dialect, in TOML as in the bank
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) with: Vec<String>,
}

names! {
    /// How it refuses a position.
    Refuse
    Keep "Keep the position before"
    Zero "Count 0, without a move"
    Say "Print an error in place of a count"
}

names! {
    /// How it speaks `XBoard`'s protocol.
    Xboard
    Sound "With `ping`, `setboard` and `usermove`"
    Old "Without features, and moves as `1. ... e2e4`"
    Busy "Send `done=0` and never `done=1`"
    NoPong "Never answer `ping`"
    San "With `san=1`"
    Once "Do not play a second game in one process"
    Odd "Print thinking output in odd forms"
    Resign "Resign instead of the move"
    Lose "Claim the own loss instead of the move"
    ClaimWin "Claim a win instead of the move"
    ClaimDraw "Claim a draw after the move"
    ClaimRight "Claim a result as soon as a game is over, and be right"
    Reject "Reject the move of the opponent"
    IllegalSan "Move in SAN, illegally"
    Nps "Declare `nps`, and options"
}

/// Whether a search that ignores its limits prints infos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IgnoreLimits {
    Loud,
    Quiet,
}

fn milliseconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis)
}

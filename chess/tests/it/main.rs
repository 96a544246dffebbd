//! The rules, the notations and the kernels, each against something that shares no code with it.

/// Rows of a test table: what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

mod breakdown;
mod clocks_saturate;
mod cycle;
mod ep_squares;
mod explain;
mod explain_agrees;
mod generators_agree;
mod kernels;
mod pgn_round_trip;
mod published_counts;
#[cfg(feature = "oracles")]
mod python_chess;
#[cfg(feature = "oracles")]
mod python_chess_pgn;
mod see;
mod selected_moves;
mod walk;

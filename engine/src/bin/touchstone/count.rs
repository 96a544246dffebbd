//! `go perft`: counts leaf nodes on the number of threads set by the option.

use std::fmt::Write;

use chess::notation::uci_move;
use chess::perft::{CountError, Counter};
use chess::rules::{Move, Position};
use rayon::ThreadPoolBuilder;

use crate::board::SessionBoard;
use crate::control::JobControl;

/// Counts `depth` plies below the board: a line per move and the total, in Stockfish's format; or
/// the reason of a failure.
pub(crate) fn perft(
    board: &SessionBoard,
    depth: u32,
    threads: usize,
    control: &JobControl,
) -> Result<String, String> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| format!("go perft: {error}"))?;
    let counter = Counter::new().cancel(control.cancel());
    let counted = pool.install(|| count(&counter, board.position(), depth));
    let (divide, total) = counted.map_err(|error| format!("go perft: {error}"))?;
    Ok(write(board, &divide, total))
}

/// The counts below each move, and their total.
fn count(
    counter: &Counter<'_>,
    position: &Position,
    depth: u32,
) -> Result<(Vec<(Move, u64)>, u64), CountError> {
    // At depth 0 there are no moves to divide by.
    if depth == 0 {
        return Ok((Vec::new(), counter.count(position, 0)?));
    }
    let divide = counter.divide_parallel(position, depth)?;
    let total = divide
        .iter()
        .try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count));
    Ok((divide, total.ok_or(CountError::Overflow)?))
}

fn write(board: &SessionBoard, divide: &[(Move, u64)], total: u64) -> String {
    let mut text = String::new();
    for &(m, count) in divide {
        let m = uci_move::write(m, board.position(), board.mode());
        writeln!(text, "{m}: {count}").expect("a string takes any text");
    }
    write!(text, "\nNodes searched: {total}\n").expect("a string takes any text");
    text
}

#[cfg(test)]
mod tests {
    use chess::rules::CastlingMode;

    use super::*;

    #[test]
    fn the_format_is_stockfish_s() {
        let board = SessionBoard::new(Position::startpos(), CastlingMode::Standard);
        let counted = |depth| perft(&board, depth, 1, &JobControl::of_chore());
        let text = counted(2).expect("a small count");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 22, "{text}");
        assert!(lines[..20].contains(&"e2e4: 20"), "{text}");
        assert_eq!(lines[20..], ["", "Nodes searched: 400"]);
        assert_eq!(counted(0), Ok("\nNodes searched: 1\n".to_owned()));
    }
}

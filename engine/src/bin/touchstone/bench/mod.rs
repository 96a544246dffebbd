//! `bench`: searches fixed positions to a fixed depth. The total node count is a signature: it
//! changes only if the behaviour of search or evaluation changes.

mod positions;

use std::io::{self, Write};
use std::time::Duration;

use chess::notation::fen;
use chess::rules::CastlingMode;
use engine::search::{
    HashError, Profile, RunningClock, SearchLimits, SearchRequest, SearchResult, Searcher,
};

use crate::board::SessionBoard;
use crate::control::JobControl;
use crate::report::{ReportWriter, nps};
use crate::worker::SinceLine;
use positions::POSITIONS;

/// The default depth: a few seconds of search.
const fn usual_depth(profile: Profile) -> u32 {
    match profile {
        Profile::Touchstone => 12,
        Profile::ChessBin => 5,
    }
}
/// Hash size of a bench in MiB, regardless of the option.
const HASH_MIB: usize = 16;

/// Searches the positions, each with an empty transposition table and default options except for
/// the profile. Prints its progress to standard error, and returns the summary or the reason of a
/// failure.
pub(crate) fn run(
    profile: Profile,
    depth: Option<u32>,
    control: &JobControl,
) -> Result<String, String> {
    match search_all(profile, depth.unwrap_or(usual_depth(profile)), control) {
        Ok(_) if control.is_stopped() => Err("bench: cancelled".to_owned()),
        Ok((nodes, time)) => Ok(summary(nodes, time)),
        Err(error) => Err(format!("bench: {error}")),
    }
}

/// The total nodes and search time, without the time to clear the table.
fn search_all(
    profile: Profile,
    depth: u32,
    control: &JobControl,
) -> Result<(u64, Duration), HashError> {
    let mut searcher = Searcher::new(HASH_MIB)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, text) in POSITIONS.iter().enumerate() {
        if control.is_stopped() {
            break;
        }
        searcher.clear();
        let board = board(text);
        let stopwatch = SinceLine::start();
        let found = search(&mut searcher, profile, depth, &board, control);
        time += stopwatch.elapsed();
        nodes += found.nodes;
        let writer = ReportWriter {
            board: &board,
            shows_wdl: false,
        };
        // Errors on progress output are ignored.
        let _ = writeln!(
            io::stderr(),
            "Position {}/{}: {text}: {} nodes, {}",
            index + 1,
            POSITIONS.len(),
            found.nodes,
            writer.best_move(&found),
        );
    }
    Ok((nodes, time))
}

fn board(text: &str) -> SessionBoard {
    let position = fen::parse(text).expect("the positions of the bench are legal");
    SessionBoard::new(position, CastlingMode::Standard)
}

fn search(
    searcher: &mut Searcher,
    profile: Profile,
    depth: u32,
    board: &SessionBoard,
    control: &JobControl,
) -> SearchResult {
    let limits = SearchLimits::to_depth(depth);
    let request = SearchRequest {
        signals: control.signals(),
        ..SearchRequest::new(board.game(), &limits)
    };
    searcher.search(profile, request, &mut |_| {})
}

/// Stockfish's format, with a last line in that of `OpenBench`.
fn summary(nodes: u64, time: Duration) -> String {
    let milliseconds = time.as_millis();
    let rate = nps(nodes, milliseconds);
    format!(
        "===========================\n\
         Total time (ms) : {milliseconds}\n\
         Nodes searched  : {nodes}\n\
         Nodes/second    : {rate}\n\
         {nodes} nodes {rate} nps"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_positions_are_legal_and_differ() {
        let keys: BTreeSet<u64> = POSITIONS
            .iter()
            .map(|text| board(text).position().key())
            .collect();
        assert_eq!(keys.len(), POSITIONS.len());
        let chess960 = |text: &&&str| board(text).mode() == CastlingMode::Chess960;
        assert!(POSITIONS.iter().filter(chess960).count() >= 3);
    }

    /// The second signature changes whenever the evaluation or the search of profile `Touchstone`
    /// does; the first one never.
    #[test]
    fn the_signatures_are_known() {
        let control = JobControl::of_chore();
        for (profile, expected) in [
            (Profile::ChessBin, 1_712_764),
            (Profile::Touchstone, 989_511),
        ] {
            let (nodes, _) = search_all(profile, usual_depth(profile), &control).expect("memory");
            assert_eq!(nodes, expected, "{profile}");
        }
    }

    #[test]
    fn the_summary_has_the_format_of_stockfish_and_openbench() {
        let said = summary(3000, Duration::from_millis(1500));
        let lines: Vec<&str> = said.lines().collect();
        let expected = [
            "===========================",
            "Total time (ms) : 1500",
            "Nodes searched  : 3000",
            "Nodes/second    : 2000",
            "3000 nodes 2000 nps",
        ];
        assert_eq!(lines, expected);
    }
}

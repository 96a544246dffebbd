//! Converts `go` commands to search limits, and restricts them by tablebases.

use std::time::Duration;

use chess::rules::Color;
use chess::rules::explain::Explanation;
use engine::search::{PlayerClock, SearchLimits};
use tablebase::{Probing, TablebaseWdl};
use uci::grammar::Go;

use crate::board::SessionBoard;
use crate::control::JobEnd;
use crate::options::Options;

/// A search ready to start.
#[derive(Debug)]
pub(crate) struct SearchPlan {
    pub(crate) limits: SearchLimits,
    pub(crate) end: JobEnd,
    /// Whether it starts by pondering.
    pub(crate) pondering: bool,
    /// Messages about parameters that are not applied as given.
    pub(crate) remarks: Vec<&'static str>,
}

/// A well-formed `go` that is invalid on this board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GoFault {
    #[error("searchmoves: {0}")]
    SearchMove(Explanation),
    /// A clock is given, but not for the side to move, and no other limit ends the search.
    #[error("{color} is to move, but {key} is not given")]
    NoClock { color: Color, key: &'static str },
}

impl SearchPlan {
    /// Derives the limits from the command, the board and the options.
    pub(crate) fn new(go: &Go, board: &SessionBoard, options: &Options) -> Result<Self, GoFault> {
        let searchmoves = go.searchmoves.iter().map(|&text| board.read_move(text));
        let searchmoves = searchmoves.collect::<Result<_, _>>();
        let limits = SearchLimits {
            // A level is a limit like `depth`, and the tighter one counts.
            depth: go
                .depth
                .into_iter()
                .chain(options.level_depth())
                .min()
                .map(|depth| depth.max(1)),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            mate: go.mate.map(|moves| moves.max(1)),
            movetime: go.movetime_ms.map(Duration::from_millis),
            clock: clock(go, board.position().side_to_move()),
            overhead: options.move_overhead(),
            searchmoves: searchmoves.map_err(GoFault::SearchMove)?,
            multipv: options.multipv(),
            threads: options.threads(),
            strength: options.strength(),
        };
        let end = end(go, &limits, board.position().side_to_move())?;
        // UCI: `go infinite` does not end before `stop`, whatever else it says.
        let is_timed = end != JobEnd::Stop;
        Ok(Self {
            limits: SearchLimits {
                movetime: limits.movetime.filter(|_| is_timed),
                clock: limits.clock.filter(|_| is_timed),
                ..limits
            },
            end,
            pondering: go.ponder,
            remarks: remarks(go),
        })
    }
}

/// A limit of zero would leave no move to answer with.
fn remarks(go: &Go) -> Vec<&'static str> {
    let zeros = [
        (go.depth == Some(0), "depth 0 is replaced by 1"),
        (go.nodes == Some(0), "nodes 0 is replaced by 1"),
        (go.mate == Some(0), "mate 0 is replaced by 1"),
        (go.movestogo == Some(0), "movestogo 0 is ignored"),
    ];
    let given = zeros.into_iter().filter(|(is_given, _)| *is_given);
    given.map(|(_, remark)| remark).collect()
}

/// Whether the book may answer: not if the command asks for a specific kind of search.
pub(crate) fn may_use_book(go: &Go) -> bool {
    !go.infinite && !go.ponder && go.mate.is_none() && go.searchmoves.is_empty()
}

fn clock(go: &Go, color: Color) -> Option<PlayerClock> {
    let (time, increment) = match color {
        Color::White => (go.wtime_ms, go.winc_ms),
        Color::Black => (go.btime_ms, go.binc_ms),
    };
    time.map(|remaining_ms| PlayerClock {
        remaining_ms,
        increment_ms: increment.unwrap_or(0),
        moves_to_go: go.movestogo.filter(|&moves| moves > 0),
    })
}

fn end(go: &Go, limits: &SearchLimits, color: Color) -> Result<JobEnd, GoFault> {
    if go.infinite {
        return Ok(JobEnd::Stop);
    }
    let is_limited = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.movetime.is_some()
        || limits.mate.is_some()
        || limits.clock.is_some();
    if is_limited {
        Ok(JobEnd::Itself)
    } else if go.wtime_ms.is_some() || go.btime_ms.is_some() {
        let key = match color {
            Color::White => "wtime",
            Color::Black => "btime",
        };
        Err(GoFault::NoClock { color, key })
    } else {
        Ok(JobEnd::MayNeedStop)
    }
}

/// Restricts a search to root moves that preserve the tablebase result, if the position is in the
/// tablebases. Returns a message for the user.
pub(crate) fn keep_tablebase_result(
    limits: &mut SearchLimits,
    probing: Option<&Probing>,
    board: &SessionBoard,
) -> Option<String> {
    let (mut kept, value) = probing?.root_moves(board.game())?;
    let count = board.position().legal_moves().len();
    if !limits.searchmoves.is_empty() {
        kept.retain(|m| limits.searchmoves.contains(m));
    }
    // None of the `searchmoves` keeps the result: they are searched as they are.
    if kept.is_empty() {
        return None;
    }
    let result = match value {
        TablebaseWdl::Win | TablebaseWdl::CursedWin => "win",
        TablebaseWdl::Draw => "draw",
        TablebaseWdl::Loss | TablebaseWdl::BlessedLoss => "loss",
    };
    let text = format!(
        "endgame tables: {result}, {} of {count} moves searched",
        kept.len()
    );
    limits.searchmoves = kept;
    Some(text)
}

#[cfg(test)]
mod tests {
    use chess::rules::{CastlingMode, Position};
    use uci::grammar::Command;

    use super::*;
    use crate::options::Setting;

    fn read(line: &str) -> Go {
        match line.parse() {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn plan(line: &str) -> Result<SearchPlan, String> {
        let board = SessionBoard::new(Position::startpos(), CastlingMode::Standard);
        SearchPlan::new(&read(line), &board, &Options::new()).map_err(|error| error.to_string())
    }

    #[test]
    fn each_limit_determines_the_end() {
        let rows = [
            ("go", JobEnd::MayNeedStop),
            ("go mate 3", JobEnd::Itself),
            ("go searchmoves e2e4", JobEnd::MayNeedStop),
            ("go depth 3", JobEnd::Itself),
            ("go nodes 3", JobEnd::Itself),
            ("go movetime 3", JobEnd::Itself),
            ("go wtime 3", JobEnd::Itself),
            ("go wtime -3 btime 1", JobEnd::Itself),
            ("go btime 3 depth 3", JobEnd::Itself),
            ("go infinite", JobEnd::Stop),
            ("go infinite depth 3", JobEnd::Stop),
        ];
        for (line, expected) in rows {
            assert_eq!(plan(line).expect(line).end, expected, "{line}");
        }
    }

    #[test]
    fn clocks_are_those_of_the_side_to_move_and_of_no_infinite_search() {
        let limits = plan("go wtime 1 btime 2 winc 3 binc 4 movestogo 5")
            .expect("a plan")
            .limits;
        let clock = limits.clock.expect("a clock");
        let numbers = (clock.remaining_ms, clock.increment_ms, clock.moves_to_go);
        assert_eq!(numbers, (1, 3, Some(5)));
        let limits = plan("go infinite wtime 1 btime 1 movetime 5 depth 7")
            .expect("a plan")
            .limits;
        assert!(limits.clock.is_none() && limits.movetime.is_none());
        assert_eq!(limits.depth, Some(7));
    }

    #[test]
    fn the_tighter_of_level_and_depth_counts() {
        #[rustfmt::skip]
        let rows = [
            ("ChessBin", "None", [None, Some(4), Some(9), None, None], JobEnd::MayNeedStop),
            // A level ends a search that would otherwise wait for `stop`.
            ("ChessBin", "Medium", [Some(6), Some(4), Some(6), Some(6), Some(6)], JobEnd::Itself),
            ("ChessBin", "Hard", [Some(7), Some(4), Some(7), Some(7), Some(7)], JobEnd::Itself),
            ("Touchstone", "Hard", [None, Some(4), Some(9), None, None], JobEnd::MayNeedStop),
        ];
        let lines = [
            "go",
            "go depth 4",
            "go depth 9",
            "go infinite",
            "go wtime 9 nodes 5",
        ];
        let board = SessionBoard::new(Position::startpos(), CastlingMode::Standard);
        for (profile, level, expected, end) in rows {
            let mut options = Options::new();
            for (name, value) in [("Profile", profile), ("Level", level)] {
                let setting = Setting::read(name, Some(value)).expect("a name");
                setting.store(&mut options);
            }
            let plan = |line| SearchPlan::new(&read(line), &board, &options).expect("a plan");
            assert_eq!(lines.map(|line| plan(line).limits.depth), expected);
            assert_eq!(plan("go").end, end, "{profile} {level}");
        }
    }

    #[test]
    fn the_book_answers_plain_searches_only() {
        for line in ["go", "go depth 1", "go wtime 1 btime 1", "go movetime 5"] {
            assert!(may_use_book(&read(line)), "{line}");
        }
        for line in [
            "go infinite",
            "go ponder wtime 1",
            "go mate 2",
            "go searchmoves e2e4",
        ] {
            assert!(!may_use_book(&read(line)), "{line}");
        }
    }
}

//! The first K lines of a search with `MultiPV`: whether one of them is a solution. Pure.

use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Position};
use uci::grammar::Info;

use super::goal::Goal;
use super::moment::SearchMoment;

/// The first moves of the K best lines of a complete depth, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TopMoves {
    pub(crate) moment: SearchMoment,
    pub(crate) moves: Vec<UciMove>,
}

/// Collects the lines of each depth.
#[derive(Clone, Debug)]
pub(crate) struct TopRecorder {
    /// The latest line of each rank: its depth and its first move.
    lines: Vec<Option<(u32, UciMove)>>,
    complete: Vec<TopMoves>,
}

impl TopRecorder {
    /// Expects `count` lines; fewer where there are fewer legal moves.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            lines: vec![None; count],
            complete: Vec::new(),
        }
    }

    /// Records a line that came at `moment`. Bounds are no result of a depth.
    pub(crate) fn info(&mut self, moment: SearchMoment, info: &Info) {
        let (Some(depth), Some(&first)) = (info.depth, info.pv.first()) else {
            return;
        };
        if info.score.is_some_and(|score| score.bound.is_some()) {
            return;
        }
        let rank = info.multipv.unwrap_or(1) as usize;
        let Some(line) = rank
            .checked_sub(1)
            .and_then(|rank| self.lines.get_mut(rank))
        else {
            return;
        };
        *line = Some((depth, first));
        let of_depth = |line: &Option<(u32, UciMove)>| {
            let (of_depth, first) = (*line)?;
            (of_depth == depth).then_some(first)
        };
        let moves: Option<Vec<UciMove>> = self.lines.iter().map(of_depth).collect();
        if let Some(moves) = moves {
            let moment = SearchMoment {
                depth: Some(depth),
                ..moment
            };
            self.complete.push(TopMoves { moment, moves });
        }
    }

    pub(crate) fn finish(self) -> Vec<TopMoves> {
        self.complete
    }
}

/// The rank of the solution among the lines of the last complete depth, from 1, and since when it
/// has been among them for good.
///
/// Only moves to find have a rank; moves to avoid and mates are judged by the best move alone: among
/// several lines there is nearly always one that avoids a move.
pub(crate) fn rank(
    tops: &[TopMoves],
    goal: &Goal,
    position: &Position,
    mode: CastlingMode,
) -> Option<(u32, SearchMoment)> {
    if goal.mate.is_some() || !goal.can_be_found() {
        return None;
    }
    let meets = |text: &UciMove| {
        let m: Option<Move> = text.to_move(position, mode);
        m.is_some_and(|m| goal.is_met_by(m))
    };
    let place = |top: &TopMoves| top.moves.iter().position(meets);
    let rank = u32::try_from(place(tops.last()?)? + 1).ok()?;
    let stable = tops.iter().rev().take_while(|top| place(top).is_some());
    Some((rank, stable.last()?.moment))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uci::grammar::Message;

    use super::*;
    use crate::text::Record;

    /// Rank and depth of the solution.
    fn found(operations: &str, lines: &[&str]) -> Option<(u32, u32)> {
        let record = format!("6k1/5ppp/8/8/8/8/8/R3K3 w - - {operations}");
        let record: Record = record.parse().expect("a record");
        let goal = Goal::read(&record).expect("readable").expect("a goal");
        let mut recorder = TopRecorder::new(3);
        for (ms, line) in (1..).zip(lines) {
            let Message::Info(info) = Message::parse(&format!("info {line}")) else {
                panic!("{line}");
            };
            let moment = SearchMoment {
                time: Duration::from_millis(ms),
                ..SearchMoment::default()
            };
            recorder.info(moment, &info);
        }
        let tops = recorder.finish();
        let found = rank(&tops, &goal, record.position(), CastlingMode::Standard);
        found.map(|(rank, moment)| (rank, moment.depth.expect("it has one")))
    }

    #[test]
    fn the_last_complete_depth_counts() {
        let lines = [
            "depth 1 multipv 1 pv e1d2",
            "depth 1 multipv 2 pv a1a8",
            "depth 1 multipv 3 pv e1e2",
            "depth 2 multipv 1 pv a1a8",
            // As Stockfish prints them while depth 2 is under way.
            "depth 1 multipv 2 pv e1d2",
            "depth 1 multipv 3 pv e1e2",
            "depth 2 multipv 2 score cp 3 lowerbound pv a1a2",
            "depth 2 multipv 2 score cp 3 pv e1d2",
            "depth 2 multipv 3 pv e1e2",
            "depth 3 multipv 1 pv e1f2",
            "depth 3 multipv 2 pv e1f1",
        ];
        for (operations, expected) in [
            ("bm Ra8#;", Some((1, 1))),
            ("bm Kd2;", Some((2, 1))),
            ("bm Ke2 Kd2;", Some((2, 1))),
            // Only in the depth that was not finished.
            ("bm Kf2;", None),
            ("bm Ra2;", None),
            ("c0 \"Ke2=10, Ra8#=4\";", Some((3, 1))),
            ("am Ra8#;", None),
            ("bm Ra8#; dm 1;", None),
        ] {
            assert_eq!(found(operations, &lines), expected, "{operations}");
        }
        assert_eq!(found("bm Ra8#;", &lines[..2]), None);
        // It went away and came back.
        let lines = [
            "depth 1 multipv 1 pv a1a8",
            "depth 1 multipv 2 pv e1d2",
            "depth 1 multipv 3 pv e1e2",
            "depth 2 multipv 1 pv e1d2",
            "depth 2 multipv 2 pv e1f2",
            "depth 2 multipv 3 pv e1e2",
            "depth 3 multipv 1 pv e1d2",
            "depth 3 multipv 2 pv e1f2",
            "depth 3 multipv 3 pv a1a8",
        ];
        assert_eq!(found("bm Ra8#;", &lines), Some((3, 3)));
    }
}

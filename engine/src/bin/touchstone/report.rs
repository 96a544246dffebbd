//! Converts search reports to UCI messages.

use chess::rules::Position;
use engine::search::{PvLine, ScoreBound, SearchResult, SearchUpdate, mate_distance};
use uci::grammar::{BestMove, Bound, Info, Reply, Score, ScoreValue, WinDrawLoss};

use crate::board::SessionBoard;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportWriter<'a> {
    pub(crate) board: &'a SessionBoard,
    /// Whether to report WDL statistics with scores.
    pub(crate) shows_wdl: bool,
}

impl ReportWriter<'_> {
    /// Converts a report to `info`.
    pub(crate) fn info(&self, report: &SearchUpdate) -> Info {
        match report {
            SearchUpdate::Line(line) => self.line(line),
            SearchUpdate::CurrentMove {
                depth,
                m,
                number,
                nodes,
                elapsed,
            } => Info {
                depth: Some(*depth),
                nodes: Some(*nodes),
                nps: Some(nps(*nodes, elapsed.as_millis())),
                time_ms: Some(saturate(elapsed.as_millis())),
                currmove: Some(self.board.write_move(*m)),
                currmovenumber: u32::try_from(*number).ok(),
                ..Info::default()
            },
        }
    }

    fn line(&self, line: &PvLine) -> Info {
        let milliseconds = line.elapsed.as_millis();
        Info {
            depth: Some(line.depth),
            seldepth: Some(line.seldepth),
            multipv: u32::try_from(line.multipv).ok(),
            score: Some(score(line)),
            wdl: self.shows_wdl.then(|| chances(line.value)),
            nodes: Some(line.nodes),
            nps: Some(nps(line.nodes, milliseconds)),
            hashfull: Some(line.hashfull),
            tbhits: (line.table_hits > 0).then_some(line.table_hits),
            time_ms: Some(saturate(milliseconds)),
            pv: self.board.write_line(&line.pv),
            ..Info::default()
        }
    }

    /// Converts a search result to `bestmove`.
    pub(crate) fn best_move(&self, found: &SearchResult) -> BestMove {
        let Some(best) = found.best else {
            return NO_MOVE;
        };
        let line: Vec<_> = std::iter::once(best).chain(found.ponder).collect();
        BestMove {
            reply: Reply::Move(self.board.write_move(best)),
            ponder: self.board.write_line(&line).get(1).copied(),
        }
    }
}

/// The answer if there is no legal move or no valid position.
pub(crate) const NO_MOVE: BestMove = BestMove {
    reply: Reply::NoMove,
    ponder: None,
};

/// The `info` for a position without legal moves.
pub(crate) fn end_of_game(position: &Position) -> Info {
    let value = if position.is_check() {
        ScoreValue::Mate(0)
    } else {
        ScoreValue::Cp(0)
    };
    Info {
        depth: Some(0),
        score: Some(Score { value, bound: None }),
        ..Info::default()
    }
}

fn score(line: &PvLine) -> Score {
    Score {
        value: mate_distance(line.value).map_or(ScoreValue::Cp(line.value), ScoreValue::Mate),
        bound: line.bound.map(|bound| match bound {
            ScoreBound::Lower => Bound::Lower,
            ScoreBound::Upper => Bound::Upper,
        }),
    }
}

/// The score for a win rate of one half, in centipawns.
const EVEN_WIN: f64 = 200.0;
/// The scale of the logistic curve, in centipawns.
const SLOPE: f64 = 100.0;

/// WDL statistics of the side to move, in permill: win and loss are logistic curves, win at `value`
/// 1000 / (1 + exp((200 - value) / 100)), loss the same for the negated value, and the rest are
/// draws. A mate score counts as certain. Both constants are a convention, not fitted to games.
pub(crate) fn chances(value: i32) -> WinDrawLoss {
    let (win, loss) = match mate_distance(value) {
        Some(_) if value > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => (winning(value), winning(-value)),
    };
    WinDrawLoss {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number lies between 0 and 1000"
)]
fn winning(value: i32) -> u32 {
    (1000.0 / (1.0 + ((EVEN_WIN - f64::from(value)) / SLOPE).exp())).round() as u32
}

/// Nodes per second; times below a millisecond count as one.
pub(crate) fn nps(nodes: u64, milliseconds: u128) -> u64 {
    saturate(u128::from(nodes) * 1000 / milliseconds.max(1))
}

fn saturate(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chess::rules::{CastlingMode, Move, Square};
    use engine::search::MATE;
    use uci::grammar::Message;

    use super::*;

    /// What is written of a report in the start position.
    fn written(report: &SearchUpdate, shows_wdl: bool) -> String {
        let board = SessionBoard::new(Position::startpos(), CastlingMode::Standard);
        let writer = ReportWriter {
            board: &board,
            shows_wdl,
        };
        Message::Info(Box::new(writer.info(report))).to_string()
    }

    #[test]
    fn lines_are_reported_as_guis_expect_them() {
        let (lower, upper) = (Some(ScoreBound::Lower), Some(ScoreBound::Upper));
        #[rustfmt::skip]
        let rows = [
            (25, None, false, "score cp 25 nodes "),
            (-25, None, true, "score cp -25 wdl 95 757 148 nodes "),
            (MATE - 1, None, true, "score mate 1 wdl 1000 0 0 nodes "),
            (MATE - 4, None, true, "score mate 2 wdl 1000 0 0 nodes "),
            (MATE - 5, None, true, "score mate 3 wdl 1000 0 0 nodes "),
            (2 - MATE, None, true, "score mate -1 wdl 0 0 1000 nodes "),
            (4 - MATE, None, true, "score mate -2 wdl 0 0 1000 nodes "),
            (25, lower, false, "score cp 25 lowerbound nodes "),
            (-25, upper, false, "score cp -25 upperbound nodes "),
            (MATE - 3, upper, false, "score mate 2 upperbound nodes "),
        ];
        for (value, bound, shows_wdl, expected) in rows {
            let line = PvLine {
                depth: 3,
                seldepth: 7,
                multipv: 1,
                value,
                bound,
                nodes: 5000,
                elapsed: Duration::from_millis(10),
                hashfull: 12,
                table_hits: 0,
                pv: vec![
                    Move::new(Square::E2, Square::E4),
                    Move::new(Square::E7, Square::E5),
                ],
            };
            let expected = format!(
                "info depth 3 seldepth 7 multipv 1 {expected}5000 nps 500000 hashfull 12 time 10 pv e2e4 e7e5"
            );
            assert_eq!(written(&SearchUpdate::Line(line), shows_wdl), expected);
        }
    }

    #[test]
    fn current_moves_are_reported() {
        let report = SearchUpdate::CurrentMove {
            depth: 9,
            m: Move::new(Square::G1, Square::F3),
            number: 2,
            nodes: 6000,
            elapsed: Duration::from_secs(3),
        };
        let expected = "info depth 9 nodes 6000 nps 2000 time 3000 currmove g1f3 currmovenumber 2";
        assert_eq!(written(&report, true), expected);
    }

    #[test]
    fn chances_sum_up_and_follow_the_score() {
        let mut last = 0;
        for value in -2000..=2000 {
            let at = chances(value);
            assert_eq!(at.win + at.draw + at.loss, 1000, "{value}");
            let mirrored = chances(-value);
            assert_eq!((mirrored.win, mirrored.loss), (at.loss, at.win), "{value}");
            assert!(at.win >= last, "{value}");
            last = at.win;
        }
        assert_eq!(chances(200).win, 500);
        assert_eq!(chances(0).win, 119);
        assert_eq!(chances(2000).loss, 0);
    }

    #[test]
    fn rates_are_sane() {
        assert_eq!(nps(20, 0), 20_000);
        assert_eq!(nps(u64::MAX, 0), u64::MAX);
        assert_eq!(nps(0, 0), 0);
        assert_eq!(nps(1, u128::MAX), 0);
    }
}

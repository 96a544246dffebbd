//! The search information of an engine that game records keep.

use std::str::SplitAsciiWhitespace;

use uci::grammar::ScoreValue;

/// The last complete `info` of a search: for the principal variation, with an exact score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Insight {
    /// The score from the mover's point of view.
    pub score: Option<ScoreValue>,
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Selective depth, in plies.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

impl Insight {
    /// Updates from an `info` line. Ignores lines that have no score or only a bound, that are not
    /// for the first PV, or that cannot be parsed.
    pub fn note(&mut self, line: &str) {
        if let Some(read) = read(line) {
            *self = read;
        }
    }
}

fn read(line: &str) -> Option<Insight> {
    let mut words = line.split_ascii_whitespace();
    let mut insight = Insight::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => insight.depth = number(&mut words),
            "seldepth" => insight.seldepth = number(&mut words),
            "nodes" => insight.nodes = number(&mut words),
            "cp" => insight.score = number(&mut words).map(ScoreValue::Cp),
            "mate" => insight.score = number(&mut words).map(ScoreValue::Mate),
            "multipv" if words.next() != Some("1") => return None,
            "lowerbound" | "upperbound" => return None,
            // These run to the end of the line, and no field of interest follows them.
            "pv" | "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    insight.score.is_some().then_some(insight)
}

/// Search progress, as far as one line reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Depth, in plies.
    pub(super) depth: Option<u32>,
    /// Nodes searched.
    pub(super) nodes: Option<u64>,
}

impl Progress {
    /// The progress in an `info` line, whatever else it contains.
    pub(super) fn of(line: &str) -> Self {
        let mut words = line.split_ascii_whitespace();
        let mut progress = Self::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => progress.depth = number(&mut words),
                "nodes" => progress.nodes = number(&mut words),
                "pv" | "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        progress
    }
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&str]) -> Insight {
        let mut insight = Insight::default();
        for line in lines {
            insight.note(line);
        }
        insight
    }

    #[test]
    fn progress_is_read_of_lines_without_a_score_too() {
        let rows = [
            ("info depth 7", Some(7), None),
            (
                "info time 1000 nodes 870000 nps 870000",
                None,
                Some(870_000),
            ),
            (
                "info depth 3 score cp 1 lowerbound nodes 5 pv e2e4",
                Some(3),
                Some(5),
            ),
            ("info string depth 9 nodes 9", None, None),
            ("info nodes x", None, None),
        ];
        for (line, depth, nodes) in rows {
            assert_eq!(Progress::of(line), Progress { depth, nodes }, "{line}");
        }
    }

    #[test]
    fn the_last_whole_statement_counts() {
        let whole = "info depth 9 seldepth 14 multipv 1 score cp -31 nodes 4096 nps 1 pv e2e4 e7e5";
        let expected = Insight {
            score: Some(ScoreValue::Cp(-31)),
            depth: Some(9),
            seldepth: Some(14),
            nodes: Some(4096),
        };
        let passed_over = [
            "info depth 10 currmove e2e4 currmovenumber 1",
            "info depth 10 multipv 2 score cp 90 nodes 5 pv d2d4",
            "info depth 10 score cp 90 lowerbound nodes 5 pv d2d4",
            "info depth 10 score mate 3 upperbound nodes 5",
            "info string depth 77 score cp 5",
            "info depth x score cp 1.5",
            "info pv score cp 99",
            "info",
            "info score cp 99999999999",
        ];
        for line in passed_over {
            assert_eq!(after(&[whole, line]), expected, "{line}");
        }
        let mate = after(&[whole, " info\tscore mate -3 depth 1"]);
        assert_eq!(mate.score, Some(ScoreValue::Mate(-3)));
        assert_eq!((mate.depth, mate.nodes), (Some(1), None));
    }
}

//! Stops a search early, once its solution has been stable for long enough. Pure.

use chess::rules::{CastlingMode, Position};

use super::goal::Goal;
use super::moment::SearchMoment;
use super::score::{Observation, meets};

/// For how long a solution must be stable before the engine is stopped. By default it is never
/// stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct EarlyStop {
    /// Stop once the solution is stable for N plies
    ///
    /// Stop a search once its solution has been stable for so many more plies. Example: `--movetime
    /// 60s --extra-plies 3`
    #[arg(hide_short_help = true, long, value_name = "PLIES", conflicts_with = "url", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub(crate) extra_plies: Option<u32>,
}

impl EarlyStop {
    /// The rule in words; none if searches are never stopped early.
    pub(crate) fn describe(self) -> Option<String> {
        self.extra_plies.map(|plies| format!("extra plies {plies}"))
    }
}

/// Watches a search for the moment to stop it.
#[derive(Clone, Debug)]
pub(crate) struct EarlyStopWatch<'a> {
    rule: EarlyStop,
    goal: &'a Goal,
    position: &'a Position,
    mode: CastlingMode,
    /// The first of the latest PVs, all of which meet the goal.
    stable_since: Option<SearchMoment>,
    has_extra_plies: bool,
}

impl<'a> EarlyStopWatch<'a> {
    pub(crate) fn new(
        rule: EarlyStop,
        goal: &'a Goal,
        position: &'a Position,
        mode: CastlingMode,
    ) -> Self {
        Self {
            rule,
            goal,
            position,
            mode,
            stable_since: None,
            has_extra_plies: false,
        }
    }

    /// Takes note of a PV of the best move.
    pub(crate) fn see(&mut self, observation: &Observation) {
        // A move to avoid alone is nothing that can be found: any first move would end the search.
        if !self.goal.can_be_found() || !meets(observation, self.goal, self.position, self.mode) {
            self.stable_since = None;
            self.has_extra_plies = false;
            return;
        }
        let since = *self.stable_since.get_or_insert(observation.moment);
        // A bound is no result of a depth: the engine searches on.
        let is_exact = observation.score.is_none_or(|score| score.bound.is_none());
        if let (Some(plies), true) = (self.rule.extra_plies, is_exact) {
            let depth = observation.moment.depth.unwrap_or(0);
            let wanted = since.depth.unwrap_or(0).saturating_add(plies);
            self.has_extra_plies |= depth >= wanted;
        }
    }

    /// Whether the search is to be stopped.
    pub(crate) const fn is_over(&self) -> bool {
        self.has_extra_plies
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uci::grammar::Message;

    use super::*;
    use crate::run::score::OutputRecorder;
    use crate::text::Record;

    /// The number of the line, from 1, after which the search is over, one line per second.
    fn over(rule: EarlyStop, operations: &str, lines: &[&str]) -> Option<u64> {
        let record = format!("6k1/5ppp/8/8/8/8/8/R3K3 w - - {operations}");
        let record: Record = record.parse().expect("a record");
        let goal = Goal::read(&record).expect("readable").expect("a goal");
        let position = record.position();
        let mut watch = EarlyStopWatch::new(rule, &goal, position, CastlingMode::Standard);
        let mut recorder = OutputRecorder::default();
        for (second, line) in (1..).zip(lines) {
            let at = Duration::from_secs(second);
            let Message::Info(info) = Message::parse(&format!("info {line}")) else {
                panic!("{line}");
            };
            if let Some(observation) = recorder.info(at, &info) {
                watch.see(observation);
            }
            if watch.is_over() {
                return Some(second);
            }
        }
        None
    }

    #[test]
    fn a_search_ends_once_its_solution_has_been_stable() {
        let plies = |plies| EarlyStop {
            extra_plies: Some(plies),
        };
        let right = ["depth 1 pv a1a8", "depth 2 pv a1a8", "depth 3 pv a1a8"];
        let wavers = [
            "depth 1 pv a1a8",
            "depth 2 pv e1d2",
            "depth 3 pv a1a8",
            "depth 4 pv a1a8",
        ];
        let fails_low = [
            "depth 1 pv a1a8",
            "depth 2 score cp -9 upperbound pv a1a8",
            "depth 2 score cp 5 pv a1a8",
        ];
        let mate = [
            "depth 1 pv e1d2 g8h8 a1a8",
            "depth 2 score mate 2 pv e1d2 g8h8 a1a8",
            "depth 3 score mate 2 pv e1d2 g8h8 a1a8",
        ];
        for (rule, operations, lines, expected) in [
            (plies(1), "bm Ra8#;", &right[..], Some(2)),
            (plies(2), "bm Ra8#;", &right, Some(3)),
            (plies(3), "bm Ra8#;", &right, None),
            (plies(1), "bm Kd2;", &right, None),
            (plies(1), "bm Ra8#;", &wavers, Some(4)),
            (plies(1), "bm Ra8#;", &fails_low, Some(3)),
            // The mate is announced a depth after the move.
            (plies(1), "dm 2;", &mate, Some(3)),
            // There is nothing to find.
            (plies(1), "am Kd2;", &right, None),
            (plies(1), "bm Ra8#; am Kd2;", &right, Some(2)),
            (plies(1), "c0 \"Ra8#=10, Kd2=4\";", &right, Some(2)),
            (EarlyStop::default(), "bm Ra8#;", &right, None),
        ] {
            assert_eq!(
                over(rule, operations, lines),
                expected,
                "{rule:?} {operations}"
            );
        }
    }
}

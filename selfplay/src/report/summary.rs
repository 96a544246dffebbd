//! The summary at the end of a run, for people.

use std::fmt::Write as _;
use std::path::Path;

use super::stats::StatsReport;
use super::{count, tournament};
use crate::model::{EngineIndex, FaultKind};
use crate::play::MatchResult;
use crate::stats::duplicates;

#[derive(Debug)]
pub struct EndSummary<'a> {
    results: &'a MatchResult,
    directory: &'a Path,
    stats: Option<StatsReport>,
}

impl<'a> EndSummary<'a> {
    /// Summary of a run that ended with these results, stored in this directory.
    pub fn new(results: &'a MatchResult, directory: &'a Path) -> Self {
        let test = results.test.as_ref();
        let stats = results.counts.map(|counts| {
            let report = StatsReport::new(counts, test.map(|test| test.design));
            let report = report.expect("the games are known by result").as_played();
            match test {
                Some(test) => report.as_tested(test.state, test.bounds),
                None => report,
            }
        });
        Self {
            results,
            directory,
            stats,
        }
    }

    fn name(&self, engine: EngineIndex) -> &'a str {
        &self.results.engines[engine.0]
    }

    pub fn human(&self) -> String {
        let mut text = String::new();
        if let Some(stats) = &self.stats {
            let [new, base] = [0, 1].map(|index| self.name(EngineIndex(index)));
            writeln!(text, "{:<12} {new} against {base}", "match").expect("a string takes all");
            text += &stats.human();
        } else {
            let standings = &self.results.standings;
            let (ratings, _) = tournament::ratings(standings);
            text += &tournament::text(standings, &ratings, |engine| self.name(engine));
            text += "\n";
            if let Some(winner) = self.results.champion {
                writeln!(text, "{:<12} {}", "winner", self.name(winner))
                    .expect("a string takes all");
            }
        }
        let mut line = |label: &str, value: String| {
            writeln!(text, "{label:<12} {value}").expect("a string takes all");
        };
        let results = self.results;
        let (distinct, games) = (results.distinct, results.games);
        let all = count(games, "game");
        line("distinct", format!("{distinct} of {all}"));
        let test = results.test.as_ref();
        if let Some(why) = test.and_then(|test| test.invalid.clone()) {
            line("INVALID", why);
        } else if let Some(copies) = duplicates::warning(distinct, games).filter(|_| test.is_none())
        {
            line("WARNING", copies);
        }
        if let Some(failure) = failure(self.results) {
            line("FAILED", failure);
        }
        line("ended by", self.terminations());
        for (&(engine, kind), games) in &results.faults {
            let (name, kind) = (self.name(engine), kind.as_str());
            line("failures", format!("{name}: {kind} {games}"));
        }
        if let Some(advice) = advice_on_time(results) {
            line("time margin", advice);
        }
        for (&(engine, kind), times) in &results.incidents {
            let (name, kind) = (self.name(engine), kind.as_str());
            line(
                "incidents",
                format!("{name}: {kind} {times} (no game lost: failures/incidents.txt)"),
            );
        }
        for entry in &self.results.quarantined {
            line("quarantined", crate::report::quarantine(entry));
        }
        let mut recorded = all;
        if let Some(incomplete) = results.in_incomplete_pairs.filter(|&games| games > 0) {
            recorded = format!("{recorded}, {incomplete} in incomplete pairs");
        }
        let directory = self.directory.display();
        line("recorded", format!("{recorded}, in {directory}"));
        text
    }

    /// How games ended, the most frequent ending first.
    fn terminations(&self) -> String {
        let mut all: Vec<_> = self.results.terminations.iter().collect();
        all.sort_by_key(|(_, games)| std::cmp::Reverse(**games));
        let all = all
            .iter()
            .map(|(one, games)| format!("{} {games}", one.as_str()));
        all.collect::<Vec<_>>().join(", ")
    }
}

/// What to do where games were lost on time, which a busy machine may have caused.
fn advice_on_time(results: &MatchResult) -> Option<String> {
    let mut faults = results.faults.keys();
    let is_late = faults.any(|(_, kind)| *kind == FaultKind::TimeForfeit);
    is_late.then(|| {
        "on a busy machine, moves come late: allow for it by --margin 50ms, or margin= of one engine \
         (docs/selfplay-faults.md, How move time is measured)"
            .to_owned()
    })
}

/// Error message of a run in which an engine failed in every game.
pub fn failure(results: &MatchResult) -> Option<String> {
    if !results.is_void() {
        return None;
    }
    let faults = results.faults.iter().map(|(&(engine, kind), games)| {
        let name = &results.engines[engine.0];
        format!("{name}: {} {games}", kind.as_str())
    });
    let faults: Vec<String> = faults.collect();
    let games = count(results.games, "game");
    Some(format!(
        "an engine failed in all {games} ({}), so nothing was compared",
        faults.join(", ")
    ))
}

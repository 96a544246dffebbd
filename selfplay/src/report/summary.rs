//! The summary at the end of a run: for people, and as `touchstone/summary/1`.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::stats::StatsReport;
use super::{count, quarters, tournament};
use crate::model::{EngineIndex, FaultKind, Quarantine, Termination};
use crate::play::MatchResult;
use crate::play::event::RunEnd;
use crate::stats::{Estimate, SprtState, duplicates};

pub const SCHEMA: &str = "touchstone/summary/1";

#[derive(Debug)]
pub struct EndSummary<'a> {
    results: &'a MatchResult,
    end: RunEnd,
    directory: &'a Path,
    stats: Option<StatsReport>,
}

#[derive(Serialize)]
struct SummaryJson<'a> {
    schema: &'static str,
    end: &'static str,
    directory: std::borrow::Cow<'a, str>,
    engines: Vec<&'a str>,
    games: u64,
    distinct: u64,
    in_incomplete_pairs: Option<u64>,
    verdict: Option<&'static str>,
    invalid: Option<String>,
    failure: Option<String>,
    stats: Option<Value>,
    /// Of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'a str>,
    standings: Vec<JsonRow<'a>>,
    terminations: Vec<JsonTermination>,
    faults: Vec<JsonFault<'a>>,
    incidents: Vec<JsonFault<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[serde(rename = "set_aside")]
    quarantined: &'a [Quarantine],
}

#[derive(Serialize)]
struct JsonRow<'a> {
    rank: usize,
    engine: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    byes: u64,
    points: f64,
    sonneborn_berger: f64,
    rating: Option<Estimate>,
}

#[derive(Serialize)]
struct JsonTermination {
    name: &'static str,
    games: u64,
}

#[derive(Serialize)]
struct JsonFault<'a> {
    engine: &'a str,
    kind: &'static str,
    games: u64,
}

impl<'a> EndSummary<'a> {
    /// Summary of a run that ended with these results, stored in this directory.
    pub fn new(results: &'a MatchResult, end: RunEnd, directory: &'a Path) -> Self {
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
            end,
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

    /// State of the test; one without games left is not running.
    fn verdict(&self) -> Option<&'static str> {
        match (self.end, self.results.test.as_ref()?.state) {
            (RunEnd::Done, SprtState::Running) => Some("undecided"),
            (_, verdict) => Some(verdict.name()),
        }
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

    /// Formats the summary as JSON, with a final newline.
    pub fn json(&self) -> String {
        let results = self.results;
        let fault = |(&(engine, kind), &games): (&(EngineIndex, FaultKind), &u64)| JsonFault {
            engine: self.name(engine),
            kind: kind.as_str(),
            games,
        };
        let termination = |(one, &games): (&Termination, &u64)| JsonTermination {
            name: one.as_str(),
            games,
        };
        let (ratings, _) = tournament::ratings(&results.standings);
        let standings = results.standings.table().into_iter().map(|row| JsonRow {
            rank: row.rank,
            engine: self.name(row.engine),
            games: row.score.games(),
            wins: row.score.wins,
            draws: row.score.draws,
            losses: row.score.losses,
            byes: row.byes,
            points: quarters(2 * row.half_points),
            sonneborn_berger: quarters(row.sonneborn_berger_quarters),
            rating: ratings.get(&row.engine).and_then(|rating| rating.elo),
        });
        let stats = self.stats.as_ref().map(StatsReport::json);
        let json = SummaryJson {
            schema: SCHEMA,
            end: match self.end {
                RunEnd::Done => "done",
                RunEnd::Decided => "decided",
                RunEnd::Interrupted => "interrupted",
            },
            directory: self.directory.to_string_lossy(),
            engines: results.engines.iter().map(String::as_str).collect(),
            games: results.games,
            distinct: results.distinct,
            in_incomplete_pairs: results.in_incomplete_pairs,
            verdict: self.verdict(),
            invalid: { results.test.as_ref() }.and_then(|test| test.invalid.clone()),
            failure: failure(self.results),
            stats: stats.map(|text| serde_json::from_str(&text).expect("it is JSON")),
            winner: results.champion.map(|engine| self.name(engine)),
            standings: standings.collect(),
            terminations: results.terminations.iter().map(termination).collect(),
            faults: results.faults.iter().map(fault).collect(),
            incidents: results.incidents.iter().map(fault).collect(),
            quarantined: &self.results.quarantined,
        };
        serde_json::to_string_pretty(&json).expect("names are text") + "\n"
    }
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

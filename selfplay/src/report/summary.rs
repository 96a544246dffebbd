//! The summary at the end of a run: for people, and as `touchstone/summary/1`.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::stats::StatsReport;
use super::{count, quarters, standings};
use crate::model::{EngineIndex, FaultKind, Quarantine, Termination};
use crate::play::run::{End, State};
use crate::play::schedule::Row;
use crate::stats::pair_test::PairTest;
use crate::stats::{SprtState, duplicates};

pub const SCHEMA: &str = "touchstone/summary/1";

#[derive(Debug)]
pub struct EndSummary<'a> {
    state: &'a State,
    end: End,
    directory: &'a Path,
    stats: Option<StatsReport>,
}

#[derive(Serialize)]
struct Json<'a> {
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
    /// Summary of a run that ended in this state, stored in this directory.
    pub fn new(state: &'a State, end: End, directory: &'a Path) -> Self {
        let test = state.tally.test();
        let counts = state.tally.counts(&state.schedule);
        let stats = counts.map(|counts| {
            let design = test.map(|test| *test.sprt().design());
            let report = StatsReport::new(counts, design).expect("the games are known by result");
            let report = report.as_played();
            match test {
                Some(test) => {
                    let verdict = state.verdict().unwrap_or(test.state());
                    report.as_tested(verdict, test.sprt().bounds())
                }
                None => report,
            }
        });
        Self {
            state,
            end,
            directory,
            stats,
        }
    }

    fn name(&self, engine: EngineIndex) -> &'a str {
        &self.state.config.engines[engine.0].name
    }

    pub fn human(&self) -> String {
        let mut text = String::new();
        if let Some(stats) = &self.stats {
            let [new, base] = [0, 1].map(|index| self.name(EngineIndex(index)));
            writeln!(text, "{:<12} {new} against {base}", "match").expect("a string takes all");
            text += &stats.human();
        } else {
            text += &self.table();
        }
        let mut line = |label: &str, value: String| {
            writeln!(text, "{label:<12} {value}").expect("a string takes all");
        };
        let tally = &self.state.tally;
        let (distinct, games) = (tally.distinct(), tally.games());
        let all = count(games, "game");
        line("distinct", format!("{distinct} of {all}"));
        if let Some(why) = self.invalid() {
            line("INVALID", why);
        } else if let Some(copies) =
            duplicates::warning(distinct, games).filter(|_| tally.test().is_none())
        {
            line("WARNING", copies);
        }
        if let Some(failure) = failure(self.state) {
            line("FAILED", failure);
        }
        line("ended by", self.terminations());
        for (&(engine, kind), games) in tally.faults() {
            let (name, kind) = (self.name(engine), kind.as_str());
            line("failures", format!("{name}: {kind} {games}"));
        }
        for (&(engine, kind), times) in tally.incidents() {
            let (name, kind) = (self.name(engine), kind.as_str());
            line(
                "incidents",
                format!("{name}: {kind} {times} (no game lost: failures/incidents.txt)"),
            );
        }
        for entry in &self.state.quarantined {
            line("quarantined", crate::report::quarantine(entry));
        }
        let mut recorded = all;
        if let Some(incomplete) = self.in_incomplete_pairs().filter(|&games| games > 0) {
            recorded = format!("{recorded}, {incomplete} in incomplete pairs");
        }
        let directory = self.directory.display();
        line("recorded", format!("{recorded}, in {directory}"));
        text
    }

    /// Number of games in incomplete pairs of two engines.
    fn in_incomplete_pairs(&self) -> Option<u64> {
        let pairs = self.state.schedule.pairs(EngineIndex(0), EngineIndex(1));
        self.stats.as_ref()?;
        let complete: u64 = pairs.map_or(0, |pairs| pairs.all().iter().sum());
        Some(self.state.tally.games() - 2 * complete)
    }

    fn invalid(&self) -> Option<String> {
        let is_invalid = self.state.verdict() == Some(SprtState::Invalid);
        let test = self.state.tally.test().filter(|_| is_invalid);
        test.and_then(PairTest::why_invalid)
    }

    /// State of the test; one without games left is not running.
    fn verdict(&self) -> Option<&'static str> {
        match (self.end, self.state.verdict()?) {
            (End::Done, SprtState::Running) => Some("undecided"),
            (_, verdict) => Some(verdict.name()),
        }
    }

    /// How games ended, the most frequent ending first.
    fn terminations(&self) -> String {
        let mut all: Vec<_> = self.state.tally.terminations().iter().collect();
        all.sort_by_key(|(_, games)| std::cmp::Reverse(**games));
        let all = all
            .iter()
            .map(|(one, games)| format!("{} {games}", one.as_str()));
        all.collect::<Vec<_>>().join(", ")
    }

    fn table(&self) -> String {
        let head = [
            "engine", "rank", "points", "games", "won", "drawn", "lost", "byes", "SB",
        ];
        let rows = self.state.schedule.standings().table();
        let rows = rows.iter().map(|row| {
            [
                self.name(row.engine).to_owned(),
                row.rank.to_string(),
                quarters(2 * row.half_points).to_string(),
                row.score.games().to_string(),
                row.score.wins.to_string(),
                row.score.draws.to_string(),
                row.score.losses.to_string(),
                row.byes.to_string(),
                quarters(row.sonneborn_berger_quarters).to_string(),
            ]
        });
        standings(head, rows)
    }

    fn row(&self, row: &Row) -> JsonRow<'a> {
        JsonRow {
            rank: row.rank,
            engine: self.name(row.engine),
            games: row.score.games(),
            wins: row.score.wins,
            draws: row.score.draws,
            losses: row.score.losses,
            byes: row.byes,
            points: quarters(2 * row.half_points),
            sonneborn_berger: quarters(row.sonneborn_berger_quarters),
        }
    }

    /// Formats the summary as JSON, with a final newline.
    pub fn json(&self) -> String {
        let tally = &self.state.tally;
        let standings = self.state.schedule.standings().table();
        let fault = |(&(engine, kind), &games): (&(EngineIndex, FaultKind), &u64)| JsonFault {
            engine: self.name(engine),
            kind: kind.as_str(),
            games,
        };
        let termination = |(one, &games): (&Termination, &u64)| JsonTermination {
            name: one.as_str(),
            games,
        };
        let engines = self.state.config.engines.iter();
        let stats = self.stats.as_ref().map(StatsReport::json);
        let json = Json {
            schema: SCHEMA,
            end: match self.end {
                End::Done => "done",
                End::Decided => "decided",
                End::Interrupted => "interrupted",
            },
            directory: self.directory.to_string_lossy(),
            engines: engines.map(|one| &*one.name).collect(),
            games: tally.games(),
            distinct: tally.distinct(),
            in_incomplete_pairs: self.in_incomplete_pairs(),
            verdict: self.verdict(),
            invalid: self.invalid(),
            failure: failure(self.state),
            stats: stats.map(|text| serde_json::from_str(&text).expect("it is JSON")),
            standings: standings.iter().map(|row| self.row(row)).collect(),
            terminations: tally.terminations().iter().map(termination).collect(),
            faults: tally.faults().iter().map(fault).collect(),
            incidents: tally.incidents().iter().map(fault).collect(),
            quarantined: &self.state.quarantined,
        };
        serde_json::to_string_pretty(&json).expect("names are text") + "\n"
    }
}

/// Error message of a run in which an engine failed in every game.
pub fn failure(state: &State) -> Option<String> {
    let tally = &state.tally;
    if !tally.is_void() {
        return None;
    }
    let faults = tally.faults().iter().map(|(&(engine, kind), games)| {
        let name = &state.config.engines[engine.0].name;
        format!("{name}: {} {games}", kind.as_str())
    });
    let faults: Vec<String> = faults.collect();
    let games = count(tally.games(), "game");
    Some(format!(
        "an engine failed in all {games} ({}), so nothing was compared",
        faults.join(", ")
    ))
}

//! The journal of a resumable run as text: a header, then one line per finished search. Pure.
//!
//! A search is written as soon as it is finished; after a kill, the same run makes the missing ones.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::ledger::SearchOutcome;
use super::plan::RunPlan;
use super::wire::CaseResult;

/// The schema name of journals.
pub(crate) const SCHEMA: &str = "touchstone/epd-resume/1";

/// The first line: what is run. Names of suites and the number of processes may differ between
/// runs; everything here may not.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Header {
    /// [`SCHEMA`].
    pub(crate) schema: String,
    pub(crate) suites: Vec<SuiteText>,
    pub(crate) engines: Vec<JournaledEngine>,
    /// The limits of the command line.
    pub(crate) limits: String,
    /// Number of searches of each position.
    pub(crate) repeat: usize,
    /// The other options that decide how is searched, each in words.
    pub(crate) rules: Vec<String>,
}

/// A suite by its content.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SuiteText {
    /// For people: it may have been renamed.
    name: String,
    positions: usize,
    /// Of its positions, goals and limits.
    sha256: String,
}

/// An engine as the command line has it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JournaledEngine {
    pub(crate) command: String,
    /// Working directory and environment, where they are given.
    pub(crate) surroundings: Vec<String>,
    /// The UCI options that are set, as `NAME=VALUE`.
    pub(crate) options: Vec<String>,
    /// The SHA-256 of the program; `None` if its file was not found.
    pub(crate) program: Option<String>,
}

/// A line after the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) enum JournalLine {
    /// An engine was started; it reports this name.
    Started(Started),
    /// A search was finished.
    Result(ResultLine),
}

/// What an engine reports of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Started {
    /// Number of the engine, from 0.
    pub(crate) engine: usize,
    pub(crate) name: Option<String>,
    pub(crate) chess960: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultLine {
    /// Number of the engine, from 0.
    pub(crate) engine: usize,
    /// Number of the position in the run, from 0.
    pub(crate) position: usize,
    /// Number of the search of this position, from 0.
    pub(crate) search: usize,
    /// Milliseconds since the engine was started, earlier runs included.
    pub(crate) elapsed_ms: u64,
    pub(crate) outcome: CaseResult,
}

/// The finished searches of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineJournal {
    pub(crate) started: Option<Started>,
    /// The time of earlier runs, in milliseconds.
    pub(crate) elapsed_ms: u64,
    /// By position and search.
    pub(crate) outcomes: Vec<Vec<Option<SearchOutcome>>>,
}

impl EngineJournal {
    pub(crate) fn empty(cases: usize, repeat: usize) -> Self {
        Self {
            outcomes: vec![vec![None; repeat]; cases],
            ..Self::default()
        }
    }

    /// Number of finished searches.
    pub(crate) fn finished(&self) -> usize {
        self.outcomes.iter().flatten().flatten().count()
    }
}

impl SuiteText {
    /// The suites of a plan.
    pub(crate) fn of_plan(plan: &RunPlan) -> Vec<Self> {
        let suite = |index: usize, name: &str| {
            let cases = plan.cases.iter().filter(|case| case.suite == index);
            let (mut sum, mut positions) = (Sha256::new(), 0);
            for case in cases {
                // A record is one line, so lines cannot be confused.
                sum.update(format!(
                    "{}\n{}\n{}\n",
                    case.record, case.asked, case.limits
                ));
                positions += 1;
            }
            Self {
                name: name.to_owned(),
                positions,
                sha256: hex(&sum.finalize()),
            }
        };
        let suites = plan.suites.iter().enumerate();
        suites.map(|(index, one)| suite(index, &one.name)).collect()
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digit = |digit| char::from_digit(u32::from(digit), 16).expect("it is below 16");
    digits.map(digit).collect()
}

impl JournalLine {
    /// Adds what the line says to what the engines have done. A result is judged by the goals of the
    /// plan, as if the engine had just answered.
    ///
    /// # Errors
    ///
    /// When it is not of this run, or was read before.
    pub(crate) fn read(self, engines: &mut [EngineJournal], plan: &RunPlan) -> Result<(), String> {
        let out_of_range = |what, number, count| {
            format!("{what} {number} does not exist, expected one below {count}")
        };
        let count = engines.len();
        let (Self::Started(Started { engine, .. }) | Self::Result(ResultLine { engine, .. })) =
            &self;
        let journal = engines.get_mut(*engine);
        let journal = journal.ok_or_else(|| out_of_range("engine", *engine, count))?;
        let result = match self {
            Self::Started(started) => {
                journal.started = Some(started);
                return Ok(());
            }
            Self::Result(result) => result,
        };
        let (position, search) = (result.position, result.search);
        let Some(case) = plan.cases.get(position) else {
            return Err(out_of_range("position", position, plan.cases.len()));
        };
        let searches = &mut journal.outcomes[position];
        let count = searches.len();
        let place = searches.get_mut(search);
        let place = place.ok_or_else(|| out_of_range("search", search, count))?;
        // A run that is resumed makes no search again, also not one that failed.
        if place.is_some() {
            return Err(format!(
                "search {search} of position {position} is recorded twice"
            ));
        }
        let outcome = result.outcome.judge(case);
        *place = Some(outcome.map_err(|error| error.to_string())?);
        journal.elapsed_ms = journal.elapsed_ms.max(result.elapsed_ms);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uci::grammar::Message;

    use super::*;
    use crate::run::ledger::SearchFault;
    use crate::run::plan::PositionLimits;
    use crate::run::score::{OutputRecorder, Search, judge};
    use crate::text::Suite;

    const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1;\n\
                         4k3/8/8/3q4/8/2N5/8/4K3 w - - bm Nxd5;\n";

    fn plan() -> RunPlan {
        let given = PositionLimits {
            depth: Some(7),
            ..PositionLimits::default()
        };
        let suite = Suite::parse("suite", SUITE.as_bytes());
        RunPlan::new(vec![suite], given)
    }

    /// A search of the first position, with a time that does not fit milliseconds.
    fn search() -> Search {
        let mut recorder = OutputRecorder::default();
        for (ns, line) in (1_234_567..).zip([
            "info depth 1 score cp 500 upperbound nodes 20 pv a1a8",
            "info depth 2 nodes 90 pv e1d2 g7g6",
            "info depth 3 seldepth 4 score mate 1 nodes 400 nps 5 pv a1a8",
            "info nodes 401",
        ]) {
            let Message::Info(info) = Message::parse(line) else {
                panic!("{line}");
            };
            recorder.info(Duration::from_nanos(ns), &info);
        }
        let Message::BestMove(best_move) = Message::parse("bestmove a1a8 ponder g7g6") else {
            panic!("it is one");
        };
        recorder.finish(Duration::from_nanos(9_876_543), best_move.reply)
    }

    fn outcomes() -> [(SearchOutcome, Vec<Search>); 5] {
        let plan = plan();
        let (case, search) = (&plan.cases[0], search());
        let answer = judge(case, std::slice::from_ref(&search)).expect("legal");
        let failed = |fault| {
            let transcript = "> go\n< \"?\u{fffd}\n".to_owned();
            (SearchOutcome::Failed { fault, transcript }, Vec::new())
        };
        let (how, what) = ("so".to_owned(), "that".to_owned());
        let after = Duration::from_nanos(1_000_000_001);
        [
            (SearchOutcome::Answered(Box::new(answer)), vec![search]),
            failed(SearchFault::Crashed { how }),
            failed(SearchFault::Hung { what: what.clone() }),
            failed(SearchFault::Illegal { what }),
            failed(SearchFault::Overdue { after }),
        ]
    }

    fn line(outcome: &SearchOutcome, search: &[Search], place: (usize, usize)) -> JournalLine {
        let outcome = CaseResult::new(outcome, search);
        result(place, outcome.expect("it was asked"))
    }

    fn result((position, search): (usize, usize), outcome: CaseResult) -> JournalLine {
        JournalLine::Result(ResultLine {
            engine: 0,
            position,
            search,
            elapsed_ms: 42,
            outcome,
        })
    }

    /// Reads a line of a run with two searches of each position by one engine.
    fn read(line: JournalLine) -> Result<EngineJournal, String> {
        let mut engines = [EngineJournal::empty(2, 2)];
        line.read(&mut engines, &plan())?;
        let [engine] = engines;
        Ok(engine)
    }

    #[test]
    fn results_are_judged_as_when_they_came() {
        for (outcome, search) in outcomes() {
            let text = kit::journal::to_line(&line(&outcome, &search, (0, 1)));
            let engine = read(serde_json::from_str(&text).expect("just written")).expect("good");
            assert_eq!(engine.outcomes[0][1], Some(outcome));
            assert_eq!((engine.finished(), engine.elapsed_ms), (1, 42));
        }
        assert_eq!(CaseResult::new(&SearchOutcome::NeedsChess960, &[]), None);
    }

    #[test]
    fn what_is_not_of_the_run_is_rejected() {
        let crashed = |place| line(&outcomes()[1].0, &[], place);
        let text = kit::journal::to_line(&line(&outcomes()[0].0, &[search()], (0, 0)));
        let illegal = text.replace("\"a1a8\"", "\"a1b2\"");
        let illegal = illegal.replace("nodes 90 pv e1d2 g7g6", "nodes 90 pv e1d2");
        let started = Started {
            engine: 1,
            name: None,
            chess960: false,
        };
        let unsearched = result((1, 1), CaseResult::Searched(Vec::new()));
        let illegal = serde_json::from_str(&illegal).expect("a line");
        let bad_move = "bestmove a1b2 is not a legal move in 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        let range = "does not exist, expected one below";
        for (line, expected) in [
            (JournalLine::Started(started), format!("engine 1 {range} 1")),
            (crashed((2, 0)), format!("position 2 {range} 2")),
            (crashed((1, 2)), format!("search 2 {range} 2")),
            (illegal, bad_move.to_owned()),
            (
                unsearched,
                "0 searches of the position, expected 1".to_owned(),
            ),
        ] {
            assert_eq!(read(line).expect_err("a fault"), expected);
        }
        let mut engines = [EngineJournal::empty(2, 2)];
        let mut add = |line: JournalLine| line.read(&mut engines, &plan());
        assert_eq!(add(crashed((1, 0))), Ok(()));
        let twice = "search 0 of position 1 is recorded twice".to_owned();
        assert_eq!(add(crashed((1, 0))), Err(twice));
        assert_eq!(add(crashed((1, 1))), Ok(()));
    }
}

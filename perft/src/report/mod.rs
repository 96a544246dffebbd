//! Reports on finished counts ([`count`]) and checks: of suites by our own generator (`suites`), of engines
//! (`engines`, [`consistency`]), and the text on a hunt's finding ([`finding`]).

pub(crate) mod consistency;
pub(crate) mod count;
pub(crate) mod coverage;
mod engines;
pub(crate) mod finding;
mod json;
mod stages;
mod suites;
mod words;

use std::time::Duration;

use chess::notation::fen;

use crate::engine_check::case::{CheckCase, CountedCases};
use crate::engine_check::ledger::EngineCheck;
use crate::engine_check::random::StreamSpan;
use crate::event::SuiteCountResult;
use crate::suite::check::ledger::{CountLedger, SuiteCountState};
use crate::suite::check::plan::{CheckPlan, PlannedRecord, SuiteCount};

/// Columns of a position's name in a sentence.
const NAME: usize = 60;

/// A finished check of suites by our own generator. It may have millions of counts.
#[derive(Clone, Copy)]
pub(crate) struct CheckReport<'a> {
    pub(crate) plan: &'a CheckPlan,
    pub(crate) ledger: &'a CountLedger,
    /// Wall-clock time of the run.
    pub(crate) time: Duration,
    /// Number of threads used.
    pub(crate) threads: usize,
}

impl CheckReport<'_> {
    /// Every count with its suite's name and its state.
    fn counts(&self) -> impl Iterator<Item = (&str, SuiteCount<'_>, SuiteCountState)> {
        let counts = self.plan.counts().enumerate();
        counts.map(|(index, count)| (self.suite_name(count), count, self.ledger.state(index)))
    }

    fn suite_name(&self, count: SuiteCount<'_>) -> &str {
        &self.plan.suites[count.record.suite()].name
    }
}

/// A count in one word; ours, and that of the second generator; the seconds it took.
fn described(
    count: SuiteCount<'_>,
    state: SuiteCountState,
) -> (&'static str, Option<u64>, Option<u64>, Option<f64>) {
    let SuiteCountState::Done { result, time } = state else {
        return ("open", None, None, None);
    };
    let (word, counted, oracle) = match result {
        SuiteCountResult::Agrees => ("agrees", Some(count.expected), None),
        SuiteCountResult::Uncountable(_) => ("uncountable", None, None),
        SuiteCountResult::Differs { counted, oracle } => ("differs", Some(counted), oracle),
    };
    (word, counted, oracle, Some(time.as_secs_f64()))
}

/// The FEN of each count, written once for all counts of a record.
#[derive(Default)]
struct Fens<'a>(Option<(PlannedRecord<'a>, String)>);

impl<'a> Fens<'a> {
    fn of(&mut self, count: SuiteCount<'a>) -> String {
        let record = count.record;
        let last = self.0.take().filter(|&(last, _)| last == record);
        let (_, fen) = last.unwrap_or_else(|| (record, fen::write(&record.position())));
        self.0 = Some((record, fen.clone()));
        fen
    }
}

/// Finished checks of engines on the same cases.
#[derive(Clone, Copy)]
pub(crate) struct EngineReport<'a> {
    /// Our own generator's check of the suites.
    pub(crate) check: CheckReport<'a>,
    /// The tested positions.
    pub(crate) cases: &'a CountedCases<'a>,
    /// In the order of the command line.
    pub(crate) engines: &'a [EngineCheck],
    /// The random positions among those that were asked.
    pub(crate) random: Option<StreamSpan>,
    /// Whether all that was tried with an engine that is not understood is listed.
    pub(crate) is_verbose: bool,
}

impl EngineReport<'_> {
    fn suite_name(&self, case: CheckCase<'_>) -> &str {
        &self.check.plan.suites[case.suite()].name
    }

    /// `edge:12 ep-plain`, in at most [`NAME`] columns: an id may be a sentence.
    fn place(&self, case: usize) -> String {
        let case = self.cases.get(case);
        let suite = self.suite_name(case);
        let place = format!("{suite}:{}", case.line());
        let Some(id) = case.id() else {
            return place;
        };
        let own = id.strip_prefix(suite).and_then(|id| id.strip_prefix('.'));
        let name = format!("{place} {}", own.unwrap_or(id));
        if name.chars().count() <= NAME {
            return name;
        }
        let cut: String = name.chars().take(NAME - 3).collect();
        let end = cut.rfind('-').filter(|&end| end > place.len());
        format!("{}...", &cut[..end.unwrap_or(cut.len())])
    }

    /// The names of the first cases, and the number of the others.
    fn places(&self, cases: &[usize]) -> String {
        const SHOWN: usize = 3;
        let shown = cases.iter().take(SHOWN).map(|&case| self.place(case));
        let shown = shown.collect::<Vec<_>>().join(", ");
        match cases.len().saturating_sub(SHOWN) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }
}

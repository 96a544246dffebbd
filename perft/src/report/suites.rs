//! The report of `perft check` without an engine: a case for each count of the suites.

use std::io::Write;
use std::time::Duration;

use chess::notation::fen;
use epd::Severity;
use kit::output::{counted, grouped, rate};
use kit::report::{AnnotationLevel, Case, CaseSuite, Report, Rows, Section, Status, Verdict};

use super::words::Difference;
use super::{CheckReport, Fens, described, json};
use crate::engine_check::case::{BY_MOVES, COMMAND_LINE};
use crate::event::SuiteCountResult;
use crate::suite::check::ledger::{SuiteCountState, SuiteVerdict};
use crate::suite::check::plan::{SuiteCount, SuitePlan};

impl Report for CheckReport<'_> {
    fn command(&self) -> &'static str {
        "perft check (no engine was tested)"
    }

    fn time(&self) -> Option<Duration> {
        Some(self.time)
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let suites = self.plan.suites.iter().enumerate();
        let suites = suites.map(|(index, plan)| {
            let counts = self.counts();
            let counts = counts.filter(move |(_, count, _)| count.record.suite() == index);
            let cases = counts.map(|(suite, count, state)| case_of_count(suite, count, state));
            CaseSuite::new(plan.name.as_str(), diagnostics(plan).chain(cases))
        });
        suites.collect()
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let head = [
            "suite",
            "positions",
            "counts agreed",
            &format!("{:>16}", "nodes"),
        ];
        let suites = self.plan.suites.iter().enumerate();
        let rows = suites.map(|(index, suite)| {
            let totals = self.ledger.totals(self.plan, Some(index));
            let all = totals.agreed + totals.differing + totals.open;
            vec![
                suite.name.clone(),
                suite.positions.to_string(),
                format!("{} of {all}", totals.agreed),
                grouped(totals.nodes),
            ]
        });
        vec![Section::table(head, rows), Section::cases(self.faults())]
    }

    fn verdict(&self) -> Verdict {
        let verdict = self.ledger.verdict(self.plan);
        let totals = self.ledger.totals(self.plan, None);
        let (agreed, differing, open) = (totals.agreed, totals.differing, totals.open);
        let all = agreed + differing + open;
        let result = match verdict {
            SuiteVerdict::Agree => {
                let positions: usize = self.plan.suites.iter().map(|suite| suite.positions).sum();
                format!(
                    "NO ENGINE WAS TESTED (--engine): all {all} counts of {positions} positions agree \
                     with our own generator"
                )
            }
            SuiteVerdict::Differ => {
                let not_made = match open {
                    0 => String::new(),
                    _ => format!(", {open} not made"),
                };
                format!("DIFFERENT: {differing} of {all} counts differ{not_made}")
            }
            SuiteVerdict::BrokenSuite => format!(
                "BROKEN SUITE: some lines cannot be read; the {agreed} counts of the others agree"
            ),
            SuiteVerdict::Nothing => {
                return Verdict {
                    exit: verdict.exit(),
                    text: "NOTHING: no count was selected".to_owned(),
                };
            }
            SuiteVerdict::Interrupted => {
                format!("INTERRUPTED: {agreed} counts agree, {differing} differ, {open} not made")
            }
        };
        let (seconds, threads) = (self.time.as_secs_f64(), counted(self.threads, "thread"));
        let (nodes, rate) = (grouped(totals.nodes), rate(totals.nodes, seconds));
        Verdict {
            exit: verdict.exit(),
            text: format!("{result}; {nodes} nodes in {seconds:.2} s, {rate}, {threads}"),
        }
    }

    fn rows(&self) -> Rows<'_> {
        let mut fens = Fens::default();
        let rows = self.counts().map(move |(suite, count, state)| {
            let (word, counted, _, seconds) = described(count, state);
            vec![
                suite.to_owned(),
                count.record.line().to_string(),
                count.record.id().unwrap_or_default().to_owned(),
                fens.of(count),
                count.depth.to_string(),
                count.expected.to_string(),
                counted.map_or_else(String::new, |counted| counted.to_string()),
                word.to_owned(),
                seconds.map_or_else(String::new, |seconds| format!("{seconds:.6}")),
            ]
        });
        Rows::new(
            "suite,line,id,fen,depth,expected,counted,state,seconds",
            rows,
        )
    }

    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        json::check(self, out)
    }
}

impl CheckReport<'_> {
    /// The lines that cannot be read, and the counts that differ, for people.
    pub(super) fn faults(&self) -> String {
        let diagnostics = self.plan.suites.iter().flat_map(|suite| {
            let lines = suite.diagnostics.iter();
            lines.map(|one| format!("{}\n", one.display(&suite.name)))
        });
        let differing = self.ledger.differing().map(|(index, result)| {
            let count = self.plan.count(index);
            let (suite, record) = (self.suite_name(count), count.record);
            let (line, fen) = (record.line(), fen::write(&record.position()));
            let id = record.id().map_or_else(String::new, |id| format!(" {id}"));
            format!(
                "{suite}:{line}:{id} {}\n    {fen}\n",
                Difference(count, result)
            )
        });
        diagnostics.chain(differing).collect()
    }

    /// What is wrong with the suites rather than with the engines that are checked by them.
    pub(super) fn wrong_suites(&self) -> Vec<CaseSuite<'_>> {
        let suites = self.plan.suites.iter().enumerate();
        let suites = suites.filter_map(|(index, plan)| {
            let differing = self.ledger.differing();
            let differing = differing.map(|(index, result)| (self.plan.count(index), result));
            let cases = differing.filter(move |(count, _)| count.record.suite() == index);
            let cases = cases.map(|(count, result)| {
                let text = Difference(count, result).to_string();
                let rule = "count differs";
                let case = Case::not_passed(Status::BadInput, name(count), rule, text);
                in_file(case, &plan.name, count.record.line())
                    .details(fen::write(&count.record.position()))
            });
            let cases: Vec<_> = diagnostics(plan).chain(cases).collect();
            (!cases.is_empty()).then(|| CaseSuite::new(plan.name.as_str(), cases))
        });
        suites.collect()
    }
}

/// The name of the case of a count.
fn name(count: SuiteCount<'_>) -> String {
    let line = || format!("line {}", count.record.line());
    let record = count.record.id().map_or_else(line, str::to_owned);
    format!("{record} depth {}", count.depth)
}

fn case_of_count<'a>(suite: &'a str, count: SuiteCount<'a>, state: SuiteCountState) -> Case<'a> {
    match state {
        SuiteCountState::Open => Case::open(name(count)),
        SuiteCountState::Done {
            result: SuiteCountResult::Agrees,
            time,
        } => Case::passed(name(count)).took(time),
        SuiteCountState::Done { result, time } => {
            let text = Difference(count, result).to_string();
            let case = Case::not_passed(Status::Failed, name(count), "count differs", text);
            in_file(case, suite, count.record.line())
                .details(fen::write(&count.record.position()))
                .took(time)
        }
    }
}

/// A case for each line of a suite that has a fault, which is bad input only where it cannot be read.
fn diagnostics(plan: &SuitePlan) -> impl Iterator<Item = Case<'_>> {
    plan.diagnostics.iter().map(|one| {
        let (status, level) = match one.severity() {
            Severity::Error => (Status::BadInput, AnnotationLevel::Error),
            Severity::Warning => (Status::Skipped, AnnotationLevel::Warning),
            Severity::Note => (Status::Skipped, AnnotationLevel::Notice),
        };
        let name = format!("line {}", one.line);
        let case = Case::not_passed(status, name, "suite", one.problem.to_string());
        in_file(case, &plan.name, one.line).annotated(Some(level))
    })
}

/// A case with its place, unless the suite is no file of the user.
pub(super) fn in_file<'a>(case: Case<'a>, suite: &'a str, line: usize) -> Case<'a> {
    let is_file = epd::suites::find(suite).is_none() && ![BY_MOVES, COMMAND_LINE].contains(&suite);
    if is_file { case.at(suite, line) } else { case }
}

//! The report of `perft check --engine`: a case for each engine and position.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::io::Write;
use std::time::Duration;

use chess::notation::fen;
use kit::Exit;
use kit::output::{counted, grouped};
use kit::report::{
    AnnotationLevel, Case as ReportCase, CaseSuite, Report, Rows, Section, Status, Verdict,
};
use uci::perft::Detection;

use super::suites::in_file;
use super::words::{Portrait, WrongCase, last_lines, verdict_line};
use super::{EngineReport, finding, json};
use crate::engine_check::case::CheckCase;
use crate::engine_check::common::CommonFault;
use crate::engine_check::hunt::HuntResult;
use crate::engine_check::ledger::{CaseOutcome, EngineCheck, TagCount};
use crate::suite::check::ledger::SuiteVerdict;

/// Maximum number of listed cases without a finding; the rest are only counted.
const LISTED: usize = 10;
/// Width of the bars of a histogram.
const BAR: usize = 20;

impl Report for EngineReport<'_> {
    fn command(&self) -> &'static str {
        "perft check"
    }

    fn time(&self) -> Option<Duration> {
        Some(self.check.time)
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let mut suites = self.check.wrong_suites();
        for engine in self.engines {
            if !matches!(engine.detection, Detection::Understood(_)) {
                let text = verdict_line(self, engine);
                let details = self.portrait(engine).to_string();
                let case = ReportCase::not_passed(Status::Error, "speaks perft", "", text);
                suites.push(CaseSuite::new(
                    engine.command.as_str(),
                    [case.details(details)],
                ));
            }
            if let Some(what) = engine.never_asked() {
                let case = ReportCase::skipped(what, "not asked of any position");
                suites.push(CaseSuite::new(engine.command.as_str(), [case]));
            }
            // A fault is annotated once, at the first position in which it shows; what was not traced and
            // what was not asked, at the last position.
            let faults = engine.faults().into_iter();
            let faults = faults.map(|fault| (fault.cases[0], self.places(&fault.cases)));
            let first: BTreeMap<usize, String> = faults.collect();
            let is_unasked = |outcome: &CaseOutcome| {
                matches!(
                    outcome,
                    CaseOutcome::NeedsMoves
                        | CaseOutcome::NotAccepted(_)
                        | CaseOutcome::NotListed { .. }
                )
            };
            let unasked =
                (0..self.cases.len()).filter(|&case| engine.outcome(case).is_some_and(is_unasked));
            let summaries = [
                (
                    AnnotationLevel::Notice,
                    "not asked",
                    unasked.collect::<Vec<_>>(),
                ),
                (
                    AnnotationLevel::Error,
                    "not traced",
                    engine.unhunted().map(|(case, _)| case).collect(),
                ),
            ];
            for (index, plan) in self.check.plan.suites.iter().enumerate() {
                let cases = self.cases.iter().enumerate();
                let cases = cases.filter(move |(_, case)| case.suite() == index);
                let (first, summaries) = (first.clone(), summaries.clone());
                let cases = cases.map(move |(number, case)| {
                    let mut of_case = self.case(engine, number, case);
                    if let Some(places) = first.get(&number) {
                        let _ = writeln!(of_case.details.to_mut(), "in {places}");
                        return of_case;
                    }
                    of_case.level = None;
                    let is_last =
                        |(_, _, cases): &&(_, _, Vec<usize>)| cases.last() == Some(&number);
                    if let Some((level, what, cases)) = summaries.iter().find(is_last) {
                        of_case.level = Some(*level);
                        if let more @ 1.. = cases.len() - 1 {
                            let more = counted(more, "more position");
                            let _ = write!(of_case.text.to_mut(), "; {more} {what}");
                        }
                    }
                    of_case
                });
                // Those of a stream are not kept one by one.
                let streamed = engine.streamed.get(index).map_or(0, |totals| totals.right);
                let others =
                    (streamed > 0).then(|| ReportCase::passed(counted(streamed, "right position")));
                suites.push(CaseSuite::new(
                    format!("{} {}", engine.command, plan.name),
                    cases.chain(others),
                ));
            }
        }
        suites
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let mut sections = vec![Section::cases(self.check.faults())];
        for engine in self.engines {
            let portrait = self.portrait(engine);
            sections.push(Section::text(format!("{}: {portrait}\n", engine.command)));
            if matches!(engine.detection, Detection::Understood(_)) {
                sections.push(self.totals(engine));
                sections.push(Section::cases(self.faults(engine)));
                sections.push(Section::text(self.tags(engine)));
            }
        }
        sections
    }

    /// The exit code is the worst of all engines and suites.
    fn verdict(&self) -> Verdict {
        let lines = self.engines.iter().map(|engine| {
            let line = verdict_line(self, engine);
            match self.engines.len() {
                1 => line,
                _ => format!("{}: {line}", engine.command),
            }
        });
        let mut lines: Vec<String> = lines.collect();
        lines.extend(self.random.map(|span| span.to_string()));
        let engines = self.engines.iter();
        let mut earned: Vec<Exit> = engines
            .map(|engine| engine.verdict(self.cases).exit())
            .collect();
        match self.check.ledger.verdict(self.check.plan) {
            SuiteVerdict::Agree | SuiteVerdict::Nothing => {}
            SuiteVerdict::Interrupted => earned.push(Exit::Interrupted),
            // A wrong count in a suite is not the engine's fault.
            SuiteVerdict::BrokenSuite => {
                earned.push(Exit::BadInput);
                lines.push("BROKEN SUITE: some lines cannot be read, see above".to_owned());
            }
            SuiteVerdict::Differ => {
                earned.push(Exit::BadInput);
                lines.push(
                    "WRONG SUITE: some of its counts differ from ours, see above; engines were \
                     compared with ours"
                        .to_owned(),
                );
            }
        }
        Verdict {
            exit: Exit::worst(earned).unwrap_or(Exit::Agreed),
            text: lines.join("\n"),
        }
    }

    fn rows(&self) -> Rows<'_> {
        let rows = self.engines.iter().flat_map(move |engine| {
            let cases = self.cases.iter().enumerate();
            cases.map(move |(index, case)| self.row(engine, index, case))
        });
        Rows::new(
            "engine,suite,line,id,fen,state,depth,right,counted,fault,seconds",
            rows,
        )
    }

    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        json::engines(self, out)
    }
}

impl EngineReport<'_> {
    fn portrait<'a>(&self, engine: &'a EngineCheck) -> Portrait<'a> {
        Portrait {
            detection: &engine.detection,
            is_verbose: self.is_verbose,
        }
    }

    fn case<'a>(
        &'a self,
        engine: &'a EngineCheck,
        number: usize,
        case: CheckCase<'a>,
    ) -> ReportCase<'a> {
        let name = case.name();
        let outcome = match engine.outcome(number) {
            Some(CaseOutcome::Right) => {
                return ReportCase::passed(name).took(engine.time_of(number));
            }
            None if engine.interrupted => return ReportCase::open(name),
            None => return ReportCase::skipped(name, "not asked"),
            Some(
                outcome @ (CaseOutcome::NeedsChess960
                | CaseOutcome::NeedsMoves
                | CaseOutcome::NotAccepted(_)
                | CaseOutcome::NotListed { .. }),
            ) => {
                return ReportCase::skipped(name, WrongCase(outcome).to_string());
            }
            Some(outcome) => outcome,
        };
        let (status, rule) = match outcome {
            CaseOutcome::Failed { .. } => (Status::Error, "no answer"),
            _ => (Status::Failed, "wrong count"),
        };
        let found = engine.finding(number);
        let rule = found.map_or_else(|| rule.to_owned(), HuntResult::form);
        let details = found.map_or_else(
            || fen::write(case.route().position()),
            |found| {
                let text = finding::write(found, engine.dialect());
                format!("{text}again: {}\n", engine.again(found))
            },
        );
        let text = WrongCase(outcome).to_string();
        let wrong = ReportCase::not_passed(status, name, rule, text);
        in_file(wrong, self.suite_name(case), case.line())
            .details(details)
            .took(engine.time_of(number))
    }

    fn row(&self, engine: &EngineCheck, index: usize, case: CheckCase<'_>) -> Vec<String> {
        fn text(value: Option<impl ToString>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        let outcome = engine.outcome(index);
        let counts = outcome.and_then(CaseOutcome::counts);
        let time = engine.time_of(index);
        vec![
            engine.command.clone(),
            self.suite_name(case).to_owned(),
            case.line().to_string(),
            case.id().unwrap_or_default().to_owned(),
            fen::write(case.route().position()),
            outcome.map_or("open", CaseOutcome::as_str).to_owned(),
            text(engine.failing_depth(index)),
            text(counts.map(|counts| counts.ours)),
            text(counts.and_then(|counts| counts.theirs)),
            text(engine.finding(index).map(|finding| finding.fault.kind())),
            text(time.map(|time| format!("{:.6}", time.as_secs_f64()))),
        ]
    }

    /// A row for each suite.
    fn totals(&self, engine: &EngineCheck) -> Section<'static> {
        let nodes = format!("{:>16}", "nodes");
        let head = ["suite", "right", "wrong", "failed", "not asked", &nodes];
        let suites = self.check.plan.suites.iter().enumerate();
        let rows = suites.map(|(index, suite)| {
            let totals = engine.totals(self.cases, Some(index));
            vec![
                suite.name.clone(),
                totals.right.to_string(),
                totals.wrong.to_string(),
                totals.failed.to_string(),
                totals.not_asked().to_string(),
                grouped(totals.nodes),
            ]
        });
        Section::table(head, rows)
    }

    /// A histogram of the failing positions by tag.
    fn tags(&self, engine: &EngineCheck) -> String {
        let tags = engine.by_tag(self.cases);
        if tags.is_empty() {
            return String::new();
        }
        let widths = tags.iter().map(|count| count.tag.chars().count());
        let width = widths.max().unwrap_or(0).max("tag".len());
        let mut text = format!("{:<width$}  positions that fail\n", "tag");
        for TagCount { tag, fail, of } in tags {
            let bar = "#".repeat((fail * BAR).div_ceil(of));
            let _ = writeln!(text, "{tag:<width$}  {bar:<BAR$}  {fail} of {of}");
        }
        text
    }

    /// The findings of the hunts, and the failing cases that no finding covers.
    fn faults(&self, engine: &EngineCheck) -> String {
        let mut text = String::new();
        self.write_faults(engine, &mut text)
            .expect("a string can be written to");
        text
    }

    fn write_faults(&self, engine: &EngineCheck, out: &mut String) -> fmt::Result {
        let faults = engine.faults();
        for (number, fault) in (1..).zip(&faults) {
            self.write_fault(engine, &format!("FAULT {number}"), fault, out)?;
        }
        if !faults.is_empty() {
            writeln!(out)?;
        }
        for (case, outcome) in engine.unhunted().take(LISTED) {
            write!(out, "{}: {}", self.place(case), WrongCase(outcome))?;
            match self.cases.get(case).source() {
                Some(source) => writeln!(out, "; this broke before: {source}")?,
                None => writeln!(out)?,
            }
            if let CaseOutcome::Failed { transcript, .. } = outcome {
                for line in last_lines(transcript) {
                    writeln!(out, "    {line}")?;
                }
            }
        }
        match engine.unhunted().count().saturating_sub(LISTED) {
            0 => Ok(()),
            more => writeln!(out, "and {more} more positions"),
        }
    }

    fn write_fault(
        &self,
        engine: &EngineCheck,
        name: &str,
        fault: &CommonFault<'_>,
        out: &mut String,
    ) -> fmt::Result {
        let positions = counted(fault.cases.len(), "position");
        let (traced, failing) = (engine.traced(), engine.failing().count());
        let of = if traced == failing {
            String::new()
        } else {
            format!(" ({failing} are wrong, {traced} of them were traced)")
        };
        let places = self.places(&fault.cases);
        writeln!(out, "\n{name} in {positions}{of}: {places}")?;
        if fault.is_pseudo_legal {
            writeln!(
                out,
                "  it counts moves that leave the king in check; for example:"
            )?;
        }
        for line in finding::write(fault.finding, engine.dialect()).lines() {
            writeln!(out, "  {line}")?;
        }
        if !fault.also.is_empty() && !fault.is_pseudo_legal {
            let also: Vec<&str> = fault.also.iter().map(String::as_str).collect();
            writeln!(out, "  the same cause shows as {}", also.join(", "))?;
        }
        let sources: BTreeSet<&str> = (fault.cases.iter())
            .filter_map(|&case| self.cases.get(case).source())
            .collect();
        for source in sources.into_iter().take(LISTED) {
            writeln!(out, "  this broke before: {source}")?;
        }
        writeln!(out, "  again: {}", engine.again(fault.finding))
    }

    /// What has changed since the check before: the first engine's cases that fail newly, pass newly, and
    /// still fail, and its new kinds of fault.
    pub(crate) fn write_changes(
        &self,
        before: &EngineCheck,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        for engine in self.engines {
            if matches!(engine.detection, Detection::Understood(_)) {
                let old: BTreeSet<usize> = before.failing().map(|(case, _)| case).collect();
                let failing = engine.failing();
                let new: Vec<_> = failing.filter(|(case, _)| !old.contains(case)).collect();
                for &(case, outcome) in new.iter().take(LISTED) {
                    let found = engine.finding(case).map(HuntResult::form);
                    let rule = found.map_or_else(String::new, |found| format!("{found}; "));
                    let place = self.place(case);
                    writeln!(out, "newly failing: {place}: {rule}{}", WrongCase(outcome))?;
                }
                if let more @ 1.. = new.len().saturating_sub(LISTED) {
                    writeln!(out, "newly failing: {more} more")?;
                }
                let passes = |case: &&usize| engine.outcome(**case) == Some(&CaseOutcome::Right);
                let passing: Vec<_> = old.iter().filter(passes).collect();
                for &&case in passing.iter().take(LISTED) {
                    writeln!(out, "newly passing: {}", self.place(case))?;
                }
                if let more @ 1.. = passing.len().saturating_sub(LISTED) {
                    writeln!(out, "newly passing: {more} more")?;
                }
                let known = before.faults();
                let known = known.iter().map(|fault| fault.finding.form());
                let known: BTreeSet<String> = known.collect();
                let mut blocks = String::new();
                for fault in engine.faults() {
                    if !known.contains(&fault.finding.form()) {
                        let written = self.write_fault(engine, "NEW FAULT", &fault, &mut blocks);
                        written.expect("a string can be written to");
                    }
                }
                write!(out, "{blocks}")?;
                let still = engine.failing().count() - new.len();
                let (new, passing) = (new.len(), passing.len());
                writeln!(
                    out,
                    "{new} newly failing, {passing} newly passing, {still} still failing"
                )?;
            } else {
                writeln!(out, "{}", self.portrait(engine))?;
            }
            writeln!(out, "{}", verdict_line(self, engine))?;
        }
        Ok(())
    }
}

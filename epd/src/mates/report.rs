//! Reports on mate suites: text, JSON, CSV and `JUnit`.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::time::Duration;

use chess::notation::fen;
use kit::junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite, skipped, to_text};
use kit::output::grouped;
use kit::{Exit, table};
use serde::Serialize;

use super::tally::{IssueCount, LengthTally, MateTally, claims, wanted};
use crate::report::table as csv_table;
use crate::run::claims::{MateIssue, MateIssueKind, readable_pv};
use crate::run::ledger::{Handshake, State, Trial};
use crate::run::plan::{Case, Plan};
use crate::run::verdict::{Standing, Verdict};

/// Report format of a run of mate suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MateFormat {
    /// Text for people: issues, and a table
    Human,
    /// JSON: one object, schema `touchstone/epd-mates/1`
    Json,
    /// CSV: one row per engine and position
    Csv,
    /// `JUnit` XML, one test case per position
    Junit,
    /// The records whose mate no engine found
    Epd,
}

/// Column of the totals that only a run with tables has.
const AFTER_BAD_PVS: usize = 9;

pub(crate) struct MateReport<'a> {
    pub(crate) plan: &'a Plan,
    /// The results of each engine, in the order of the command line.
    pub(crate) trials: &'a [Trial],
    pub(crate) tallies: &'a [MateTally],
    /// Whether there are endgame tables to judge by.
    pub(crate) has_tables: bool,
    pub(crate) limits: &'a str,
    pub(crate) time: Duration,
    pub(crate) allow_unreadable: bool,
    pub(crate) verdict: &'a Verdict,
}

impl MateReport<'_> {
    pub(crate) fn write(&self, format: MateFormat) -> anyhow::Result<String> {
        match format {
            MateFormat::Human => Ok(self.human()),
            MateFormat::Json => self.json(),
            MateFormat::Csv => self.csv(),
            MateFormat::Junit => self.junit(),
            MateFormat::Epd => Ok(self.missed()),
        }
    }

    fn place(&self, case: &Case) -> String {
        let id = case.record.id().map(|id| format!(" {id}"));
        let suite = &self.plan.suites[case.suite].name;
        format!("{suite}:{}{}", case.line, id.unwrap_or_default())
    }

    /// The issues of a position that are listed.
    fn listed(trial: &Trial, case: usize) -> Vec<&MateIssue> {
        let mut seen = HashSet::new();
        let issues = claims(trial, case).map_or(&[][..], |claims| &claims.issues);
        let is_listed = |issue: &&MateIssue| seen.insert(issue.kind);
        issues.iter().filter(is_listed).collect()
    }

    fn human(&self) -> String {
        let mut text = String::new();
        self.human_to(&mut text)
            .expect("a string can be written to");
        text
    }

    fn human_to(&self, text: &mut String) -> fmt::Result {
        for suite in &self.plan.suites {
            for (line, fault) in suite.faults() {
                writeln!(text, "NOT RUN {}:{line}: {fault}", suite.name)?;
            }
            if suite.without_goal > 0 {
                let count = suite.without_goal;
                let s = if count == 1 { "" } else { "s" };
                writeln!(text, "{}: {count} record{s} left out", suite.name)?;
            }
        }
        for trial in self.trials {
            writeln!(text, "{}: {}", trial.command, engine_name(trial))?;
            for (index, case) in self.plan.cases.iter().enumerate() {
                let place = self.place(case);
                if let Some((fault, _)) = trial.fault(index) {
                    writeln!(text, "  ERROR      {place}: {fault}")?;
                }
                for issue in Self::listed(trial, index) {
                    let position = case.record.position();
                    let pv = readable_pv(issue, position, position.castling_mode());
                    let (kind, reason) = (issue.kind.as_str(), &issue.reason);
                    writeln!(text, "  {kind:<10} {place}: {reason}; PV: {pv}")?;
                }
            }
        }
        if self.trials.iter().any(is_ready) {
            write!(text, "{}\n{}", self.limits, self.totals())?;
        }
        let tallies = self.trials.iter().zip(self.tallies);
        for (trial, tally) in tallies.filter(|(trial, _)| is_ready(trial)) {
            write!(text, "{} by length\n{}", trial.command, lengths(tally))?;
        }
        for engine in 0..self.trials.len() {
            let name = &self.trials[engine].command;
            writeln!(text, "{name}: {}", self.verdict_line(engine))?;
        }
        Ok(())
    }

    /// A row per engine.
    fn totals(&self) -> String {
        let mut head = vec![
            "engine",
            "positions",
            "found",
            "part",
            "best",
            "part",
            "better",
            "wrong sign",
            "bad PVs",
            "depth",
            "nodes",
            "seconds",
        ];
        if self.has_tables {
            head.insert(AFTER_BAD_PVS, "tables");
        }
        let rows = self.trials.iter().zip(self.tallies);
        let rows = rows.filter(|(trial, _)| is_ready(trial));
        let rows = rows.map(|(trial, tally)| {
            let depth = tally.mean_depth;
            let mut row = vec![
                trial.command.clone(),
                tally.positions.to_string(),
                tally.found.to_string(),
                percent(tally.found, tally.positions),
                tally.best.to_string(),
                percent(tally.best, tally.positions),
                issues(tally.better),
                issues(tally.wrong_sign),
                issues(tally.bad_pvs),
                depth.map_or_else(|| "-".to_owned(), |depth| format!("{depth:.1}")),
                grouped(tally.nodes),
                format!("{:.2}", tally.search_seconds),
            ];
            if self.has_tables {
                row.insert(AFTER_BAD_PVS, issues(tally.tables));
            }
            row
        });
        table::text(&head, 1.., rows)
    }

    fn verdict_line(&self, engine: usize) -> String {
        let (trial, tally) = (&self.trials[engine], &self.tallies[engine]);
        let complaints = self.verdict.complaints[engine].iter();
        let complaints: Vec<&str> = complaints.map(|one| &*one.text).collect();
        let complaints = complaints.join("; ");
        let MateTally {
            positions,
            found,
            best,
            proved,
            ..
        } = tally;
        let mut counts =
            format!("{found} of {positions} mates found, {best} best, {proved} proved by the PV");
        if tally.tablebase_wins > 0 {
            write!(counts, ", {} tablebase wins", tally.tablebase_wins).expect("a string");
        }
        let summary = match &trial.handshake {
            Handshake::Refused { why, .. } => why.describe().to_owned(),
            Handshake::Failed { .. } => "NOT RUN: the engine does not start".to_owned(),
            Handshake::Ready { .. } if trial.interrupted => {
                format!("INTERRUPTED: {counts}, {} open", tally.open)
            }
            Handshake::Ready { .. } if tally.failed > 0 => {
                let and = if complaints.is_empty() { "" } else { "; " };
                let failed = tally.failed;
                format!(
                    "ENGINE FAILED in {failed} of {positions} positions; {counts}{and}{complaints}"
                )
            }
            Handshake::Ready { .. } if !complaints.is_empty() => format!("FAIL: {complaints}"),
            Handshake::Ready { .. } if *positions == 0 => "NOTHING: no position was run".to_owned(),
            Handshake::Ready { .. } => format!("OK: {counts}"),
        };
        let not_asked = match tally.needs_chess960 {
            0 => String::new(),
            n => format!(", {n} not asked: the engine has no UCI_Chess960"),
        };
        format!("{summary}{not_asked}; in {:.2} s", trial.time.as_secs_f64())
    }

    /// The records that were searched and whose mate no engine found, as EPD.
    fn missed(&self) -> String {
        // Positions that were not searched, as the run was cancelled, are not missed.
        let is_missed = |index: usize| {
            let found =
                |trial: &Trial| claims(trial, index).is_some_and(|claims| claims.found.is_some());
            let is_searched = |trial: &Trial| trial.outcomes(index).next().is_some();
            self.trials.iter().any(is_searched) && !self.trials.iter().any(found)
        };
        let cases = self.plan.cases.iter().enumerate();
        let missed = cases.filter(|&(index, _)| is_missed(index));
        let lines: Vec<String> = missed
            .map(|(_, case)| case.record.to_string() + "\n")
            .collect();
        lines.concat()
    }

    fn csv(&self) -> anyhow::Result<String> {
        let head = "engine,suite,line,id,fen,mate,state,announced,proved,depth,nodes,seconds,\
                    wrong_sign,better,bad_pvs,tables,issue,fault,verdict,rules";
        let mut rows = Vec::new();
        for (engine, trial) in self.trials.iter().enumerate() {
            for (index, case) in self.plan.cases.iter().enumerate() {
                let standing = &self.verdict.standings[engine][index];
                let row = self.csv_row(trial, index, case);
                let verdict = [standing.as_str().to_owned(), standing.rules().join(" ")];
                rows.push(row.into_iter().chain(verdict));
            }
        }
        csv_table(head, rows)
    }

    fn csv_row(&self, trial: &Trial, index: usize, case: &Case) -> Vec<String> {
        let claims = claims(trial, index);
        let found = claims.and_then(|claims| claims.found.as_ref());
        let issues = |kind| {
            let issues = claims.into_iter().flat_map(|claims| &claims.issues);
            issues.filter(|issue| issue.kind == kind).count()
        };
        let answer = trial.answers(index).next();
        let end = answer.map(|answer| answer.end);
        let text = |value: Option<String>| value.unwrap_or_default();
        let first = claims.and_then(|claims| claims.issues.first());
        vec![
            trial.command.clone(),
            self.plan.suites[case.suite].name.clone(),
            case.line.to_string(),
            text(case.record.id().map(str::to_owned)),
            fen::write(case.record.position()),
            known(case).to_string(),
            state(trial, index, case).to_owned(),
            text(found.map(|found| found.moves.to_string())),
            text(found.map(|found| found.proved.to_string())),
            text(
                found
                    .and_then(|found| found.depth)
                    .map(|depth| depth.to_string()),
            ),
            text(end.and_then(|end| end.nodes).map(|nodes| nodes.to_string())),
            text(end.map(|end| format!("{:.6}", end.time.as_secs_f64()))),
            issues(MateIssueKind::WrongSign).to_string(),
            issues(MateIssueKind::Better).to_string(),
            issues(MateIssueKind::BadPv).to_string(),
            issues(MateIssueKind::Tables).to_string(),
            text(first.map(|issue| issue.reason.clone())),
            text(trial.fault(index).map(|(fault, _)| fault.to_string())),
        ]
    }

    fn json(&self) -> anyhow::Result<String> {
        let engines = 0..self.trials.len();
        let suites = self.plan.suites.iter().map(|suite| SuiteObject {
            name: &suite.name,
            left_out: suite.without_goal,
            not_run: suite
                .faults()
                .into_iter()
                .map(|(line, reason)| NotRun { line, reason })
                .collect(),
        });
        let object = Object {
            schema: "touchstone/epd-mates/1",
            limits: self.limits,
            exit_code: self.verdict.exit as u8,
            seconds: self.time.as_secs_f64(),
            suites: suites.collect(),
            engines: engines.map(|engine| self.engine_object(engine)).collect(),
        };
        Ok(serde_json::to_string_pretty(&object)? + "\n")
    }

    fn engine_object(&self, engine: usize) -> EngineObject<'_> {
        let trial = &self.trials[engine];
        let (name, reason) = match &trial.handshake {
            Handshake::Ready { name, .. } => (name.as_deref(), None),
            Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } => {
                (None, Some(reason.as_str()))
            }
        };
        let complaints = &self.verdict.complaints[engine];
        let positions = self.plan.cases.iter().enumerate().map(|(index, case)| {
            let claims = claims(trial, index);
            let found = claims.and_then(|claims| claims.found.as_ref());
            let standing = &self.verdict.standings[engine][index];
            let answer = trial.answers(index).next();
            PositionObject {
                suite: &self.plan.suites[case.suite].name,
                line: case.line,
                id: case.record.id(),
                fen: fen::write(case.record.position()),
                mate: known(case),
                state: state(trial, index, case),
                announced: found.map(|found| found.moves),
                proved: found.map(|found| found.proved),
                depth: found.and_then(|found| found.depth),
                nodes: answer.and_then(|answer| answer.end.nodes),
                seconds: answer.map(|answer| answer.end.time.as_secs_f64()),
                issues: claims.map_or(&[], |claims| &claims.issues),
                fault: trial.fault(index).map(|(fault, _)| fault.to_string()),
                verdict: standing.as_str(),
                rules: standing.rules(),
            }
        });
        EngineObject {
            command: &trial.command,
            name,
            reason,
            interrupted: trial.interrupted,
            verdict: self.verdict_line(engine),
            rules: complaints.iter().map(|one| one.rule).collect(),
            complaints: complaints.iter().map(|one| &*one.text).collect(),
            totals: &self.tallies[engine],
            positions: positions.collect(),
            seconds: trial.time.as_secs_f64(),
        }
    }

    /// A `<failure>` for what makes the exit code 1, an `<error>` for 2, 3 and 4; mates that are
    /// not found or too long are skipped.
    fn junit(&self) -> anyhow::Result<String> {
        let mut xml = Report::new("epd mates");
        xml.set_time(self.time);
        for (engine, trial) in self.trials.iter().enumerate() {
            for (index, suite) in self.plan.suites.iter().enumerate() {
                let mut tests = TestSuite::new(format!("{} {}", trial.command, suite.name));
                for (line, fault) in suite.faults() {
                    let status = if self.allow_unreadable {
                        skipped(format!("unreadable, as --skip-bad allows: {fault}"))
                    } else {
                        non_success(NonSuccessKind::Error, "unreadable", &fault)
                    };
                    tests.add_test_case(TestCase::new(format!("line {line}"), status));
                }
                let cases = self.plan.cases.iter().enumerate();
                for (number, case) in cases.filter(|(_, case)| case.suite == index) {
                    let status = self.junit_status(engine, number, case);
                    let mut test = TestCase::new(case.name(), status);
                    if let Some(answer) = trial.answers(number).next() {
                        test.set_time(answer.end.time);
                    }
                    tests.add_test_case(test);
                }
                xml.add_test_suite(tests);
            }
            xml.add_test_suite(self.junit_verdict(engine));
        }
        if self.verdict.exit == Exit::Nothing {
            let status = non_success(NonSuccessKind::Error, "nothing", "no mate was searched for");
            let mut tests = TestSuite::new("epd mates");
            tests.add_test_case(TestCase::new("something was run", status));
            xml.add_test_suite(tests);
        }
        to_text(&xml)
    }

    fn junit_status(&self, engine: usize, index: usize, case: &Case) -> TestCaseStatus {
        let trial = &self.trials[engine];
        let what = || {
            let issues = claims(trial, index).map_or(&[][..], |claims| &claims.issues);
            let reasons = issues.iter().map(|issue| issue.reason.as_str());
            let mut parts = vec![format!("{}: {}", case.asked, state(trial, index, case))];
            parts.extend(reasons.map(str::to_owned));
            parts.join("; ")
        };
        match &self.verdict.standings[engine][index] {
            Standing::Passed => TestCaseStatus::success(),
            Standing::Failed(rules) => {
                non_success(NonSuccessKind::Failure, &rules.join(", "), &what())
            }
            Standing::Error => {
                let fault = trial.fault(index).map(|(fault, _)| fault);
                let kind = fault.map_or("error", |fault| fault.kind());
                let text = fault.map(ToString::to_string).unwrap_or_default();
                non_success(NonSuccessKind::Error, kind, &text)
            }
            Standing::Open => skipped("not searched: the run was cancelled"),
            Standing::NeedsChess960 => skipped("not asked: the engine has no UCI_Chess960"),
            Standing::Unsolved | Standing::KnownFailure => skipped(what()),
        }
    }

    /// What the engine as a whole breaks: one case per rule.
    fn junit_verdict(&self, engine: usize) -> TestSuite {
        let trial = &self.trials[engine];
        let mut tests = TestSuite::new(format!("{} demands", trial.command));
        let kind = NonSuccessKind::Failure;
        for complaint in &self.verdict.complaints[engine] {
            let status = non_success(kind, complaint.rule, &complaint.text);
            tests.add_test_case(TestCase::new(complaint.rule, status));
        }
        let not_run = match &trial.handshake {
            Handshake::Ready { .. } if trial.interrupted => Some(("interrupted", String::new())),
            Handshake::Ready { .. } => None,
            Handshake::Refused { why, reason } => Some((why.as_str(), reason.clone())),
            Handshake::Failed { reason, .. } => Some(("start", reason.clone())),
        };
        if let Some((rule, reason)) = not_run {
            let status = non_success(NonSuccessKind::Error, rule, &reason);
            tests.add_test_case(TestCase::new(rule, status));
        }
        tests
    }
}

fn non_success(kind: NonSuccessKind, rule: &str, what: &str) -> TestCaseStatus {
    let mut status = kit::junit::non_success(kind, format!("{rule}: {what}"));
    status.set_type(rule);
    status
}

fn is_ready(trial: &Trial) -> bool {
    matches!(trial.handshake, Handshake::Ready { .. })
}

fn engine_name(trial: &Trial) -> &str {
    match &trial.handshake {
        Handshake::Ready { name, .. } => name.as_deref().unwrap_or("no name"),
        Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } => reason,
    }
}

/// The known mate as in the suite: negative if the side to move is mated.
fn known(case: &Case) -> i64 {
    let moves = i64::from(wanted(case));
    match case.goal.mate {
        Some(crate::run::goal::MateGoal::Mated(_)) => -moves,
        _ => moves,
    }
}

/// `best`, `longer`, `missed`, or why there is no answer.
fn state(trial: &Trial, index: usize, case: &Case) -> &'static str {
    match trial.state(index) {
        State::Open => return "open",
        State::NeedsChess960 => return "needs-chess960",
        State::Solved | State::Unsolved => {}
    }
    if let Some((fault, _)) = trial.fault(index) {
        return fault.kind();
    }
    let claims = claims(trial, index);
    match claims.and_then(|claims| claims.found.as_ref()) {
        None => "missed",
        Some(found) if found.moves <= wanted(case) => "best",
        Some(_) => "longer",
    }
}

fn issues(count: IssueCount) -> String {
    match count.announcements {
        0 => "0".to_owned(),
        announcements => format!("{announcements} in {}", count.positions),
    }
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "a percentage is rounded anyway")]
    let percent = part as f64 * 100.0 / of as f64;
    format!("{percent:.1}%")
}

fn lengths(tally: &MateTally) -> String {
    let head = [
        "mate in",
        "positions",
        "found",
        "best",
        "part",
        "nodes to best",
    ];
    let rows = tally.lengths.iter().map(|length: &LengthTally| {
        let nodes = length.best_mean_nodes;
        vec![
            length.moves.to_string(),
            length.positions.to_string(),
            length.found.to_string(),
            length.best.to_string(),
            percent(length.best, length.positions),
            nodes.map_or_else(|| "-".to_owned(), grouped),
        ]
    });
    table::text(&head, 0.., rows)
}

#[derive(Serialize)]
struct Object<'a> {
    schema: &'static str,
    limits: &'a str,
    exit_code: u8,
    seconds: f64,
    suites: Vec<SuiteObject<'a>>,
    engines: Vec<EngineObject<'a>>,
}

#[derive(Serialize)]
struct SuiteObject<'a> {
    name: &'a str,
    /// Records without a mate, or with one that was not selected.
    left_out: usize,
    not_run: Vec<NotRun>,
}

#[derive(Serialize)]
struct NotRun {
    line: usize,
    reason: String,
}

#[derive(Serialize)]
struct EngineObject<'a> {
    command: &'a str,
    name: Option<&'a str>,
    /// Why the engine could not be run.
    reason: Option<&'a str>,
    interrupted: bool,
    verdict: String,
    rules: Vec<&'static str>,
    complaints: Vec<&'a str>,
    totals: &'a MateTally,
    positions: Vec<PositionObject<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct PositionObject<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
    fen: String,
    /// The known mate, negative if the side to move is mated.
    mate: i64,
    /// `best`, `longer`, `missed`, `crashed`, `hung`, `overdue`, `illegal`, `needs-chess960`, `open`.
    state: &'static str,
    /// The number of moves announced last, without a sign.
    announced: Option<u32>,
    proved: Option<bool>,
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    issues: &'a [MateIssue],
    fault: Option<String>,
    verdict: &'static str,
    rules: &'a [&'static str],
}

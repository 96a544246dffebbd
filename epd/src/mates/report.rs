//! The report on mate suites.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::time::Duration;

use chess::notation::fen;
use kit::output::{counted, grouped};
use kit::report::{self, CaseSuite, Format, Formats, Report, Rows, Section};
use serde::Serialize;

use super::tally::{IssueCount, LengthTally, MateTally, claims, wanted};
use crate::report::cases::JudgedRun;
use crate::report::percent;
use crate::run::claims::{MateIssue, MateIssueKind, readable_pv};
use crate::run::ledger::{Handshake, PositionState, Trial};
use crate::run::plan::{RunCase, RunPlan};
use crate::run::verdict::RunVerdict;

/// The formats of a run of mate suites: those of all cases, and the records whose mate no engine found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MateFormats;

impl Formats for MateFormats {
    const ALL: &'static [Format] = &[
        Format::Human,
        Format::Json,
        Format::Csv,
        Format::Junit,
        Format::Github,
        Format::Markdown,
        Format::Epd,
    ];
}

/// Column of the totals that only a run with tables has.
// It is the same place in the head and in the rows of `totals`, and moves with their columns.
const AFTER_BAD_PVS: usize = 9;

pub(crate) struct MateReport<'a> {
    pub(crate) plan: &'a RunPlan,
    /// The results of each engine, in the order of the command line.
    pub(crate) trials: &'a [Trial],
    pub(crate) tallies: &'a [MateTally],
    /// Whether there are endgame tables to judge by.
    pub(crate) has_tables: bool,
    pub(crate) limits: &'a str,
    pub(crate) time: Duration,
    pub(crate) allow_unreadable: bool,
    pub(crate) verdict: &'a RunVerdict,
    /// Why nothing was run.
    pub(crate) nothing: Option<&'static str>,
}

impl Report for MateReport<'_> {
    fn command(&self) -> &'static str {
        "epd mates"
    }

    fn time(&self) -> Option<Duration> {
        Some(self.time)
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let judged = JudgedRun {
            plan: self.plan,
            trials: self.trials,
            verdict: self.verdict,
            allow_unreadable: self.allow_unreadable,
            // Mate suites have no baseline: their results over versions are in the history.
            regressions: Vec::new(),
        };
        let describe = |engine, case| self.describe(engine, case);
        judged.suites(describe, |engine| self.verdict_line(engine))
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let mut cases = String::new();
        self.write_positions(&mut cases)
            .expect("a string can be written to");
        let mut sections = vec![Section::cases(cases)];
        if self.trials.iter().any(is_ready) {
            sections.push(Section::text(format!("{}\n", self.limits)));
            sections.push(self.totals());
        }
        let tallies = self.trials.iter().zip(self.tallies);
        for (trial, tally) in tallies.filter(|(trial, _)| is_ready(trial)) {
            sections.push(Section::text(format!("{} by length\n", trial.command)));
            sections.push(lengths(tally));
        }
        sections
    }

    fn verdict(&self) -> report::Verdict {
        let engines = self.trials.iter().enumerate();
        let lines = engines
            .map(|(index, trial)| format!("{}: {}", trial.command, self.verdict_line(index)));
        let nothing = self.nothing.map(|why| format!("NOTHING: {why}"));
        report::Verdict {
            exit: self.verdict.exit,
            text: lines.chain(nothing).collect::<Vec<String>>().join("\n"),
        }
    }

    fn rows(&self) -> Rows<'_> {
        let head = "engine,suite,line,id,fen,mate,state,announced,proved,depth,nodes,seconds,\
                    wrong_sign,better,bad_pvs,tables,issue,fault,verdict,rules";
        let rows = self
            .trials
            .iter()
            .enumerate()
            .flat_map(move |(engine, trial)| {
                let cases = self.plan.cases.iter().enumerate();
                cases.map(move |(index, case)| {
                    let standing = &self.verdict.standings[engine][index];
                    let mut row = self.csv_row(trial, index, case);
                    row.extend([standing.as_str().to_owned(), standing.rules().join(" ")]);
                    row
                })
            });
        Rows::new(head, rows)
    }

    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.json(out)
    }

    fn write_other(&self, _: Format, out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(out.write_all(self.missed().as_bytes())?)
    }
}

impl MateReport<'_> {
    fn place(&self, case: &RunCase) -> String {
        let id = case.record.id().map(|id| format!(" {id}"));
        let suite = &self.plan.suites[case.suite].name;
        format!("{suite}:{}{}", case.line, id.unwrap_or_default())
    }

    /// The issues of a position that are listed.
    fn listed(trial: &Trial, case: usize) -> Vec<&MateIssue> {
        let mut seen = HashSet::new();
        let issues = claims(trial, case).map_or(&[][..], |claims| &claims.issues);
        // An engine repeats a wrong announcement at every depth, and the first one shows what is
        // wrong.
        let is_listed = |issue: &&MateIssue| seen.insert(issue.kind);
        issues.iter().filter(is_listed).collect()
    }

    fn write_positions(&self, text: &mut String) -> fmt::Result {
        for suite in &self.plan.suites {
            for (line, fault) in suite.faults() {
                writeln!(text, "NOT RUN {}:{line}: {fault}", suite.name)?;
            }
            if suite.without_goal > 0 {
                let records = counted(suite.without_goal, "record");
                writeln!(text, "{}: {records} left out", suite.name)?;
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
        Ok(())
    }

    /// A row per engine.
    fn totals(&self) -> Section<'static> {
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
        Section::table(head, rows)
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
            // A crash comes before complaints: they may only be what follows from it.
            Handshake::Ready { .. } if tally.failed > 0 => {
                let and = if complaints.is_empty() { "" } else { "; " };
                let failed = tally.failed;
                format!(
                    "ENGINE FAILED in {failed} of {positions} positions; {counts}{and}{complaints}"
                )
            }
            Handshake::Ready { .. } if !complaints.is_empty() => format!("FAIL: {complaints}"),
            // Without this arm, a run of nothing would be reported as OK.
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

    fn csv_row(&self, trial: &Trial, index: usize, case: &RunCase) -> Vec<String> {
        let claims = claims(trial, index);
        let found = claims.and_then(|claims| claims.found.as_ref());
        let issues = |kind| {
            let issues = claims.into_iter().flat_map(|claims| &claims.issues);
            issues.filter(|issue| issue.kind == kind).count()
        };
        // A mate suite is searched once, so the first answer is the only one.
        let answer = trial.answers(index).next();
        let end = answer.map(|answer| answer.end);
        let text = |value: Option<String>| value.unwrap_or_default();
        // A row has one cell for the reason; JSON has all issues.
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

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let engines = 0..self.trials.len();
        let suites = self.plan.suites.iter().map(|suite| MateSuiteObject {
            name: &suite.name,
            left_out: suite.without_goal,
            not_run: suite
                .faults()
                .into_iter()
                .map(|(line, reason)| NotRunMate { line, reason })
                .collect(),
        });
        let object = Object {
            schema: "touchstone/epd-mates/1",
            limits: self.limits,
            exit_code: self.verdict.exit as u8,
            nothing: self.nothing,
            seconds: self.time.as_secs_f64(),
            suites: suites.collect(),
            engines: engines.map(|engine| self.engine_object(engine)).collect(),
        };
        report::json(&object, out)
    }

    fn engine_object(&self, engine: usize) -> MateEngineObject<'_> {
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
        MateEngineObject {
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

    /// The mate that was asked for, what came of it, and what is wrong with announcements.
    fn describe(&self, engine: usize, index: usize) -> String {
        let (trial, case) = (&self.trials[engine], &self.plan.cases[index]);
        if let Some((fault, _)) = trial.fault(index) {
            return fault.to_string();
        }
        let issues = claims(trial, index).map_or(&[][..], |claims| &claims.issues);
        let reasons = issues.iter().map(|issue| issue.reason.as_str());
        let mut parts = vec![format!("{}: {}", case.asked, state(trial, index, case))];
        parts.extend(reasons.map(str::to_owned));
        parts.join("; ")
    }
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
fn known(case: &RunCase) -> i64 {
    let moves = i64::from(wanted(case));
    match case.goal.mate {
        Some(crate::run::goal::MateGoal::Mated(_)) => -moves,
        _ => moves,
    }
}

/// `best`, `longer`, `missed`, or why there is no answer.
fn state(trial: &Trial, index: usize, case: &RunCase) -> &'static str {
    match trial.state(index) {
        PositionState::Open => return "open",
        PositionState::NeedsChess960 => return "needs-chess960",
        PositionState::Solved | PositionState::Unsolved => {}
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

fn lengths(tally: &MateTally) -> Section<'static> {
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
    Section::table(head, rows)
}

#[derive(Serialize)]
struct Object<'a> {
    schema: &'static str,
    limits: &'a str,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing: Option<&'static str>,
    seconds: f64,
    suites: Vec<MateSuiteObject<'a>>,
    engines: Vec<MateEngineObject<'a>>,
}

#[derive(Serialize)]
struct MateSuiteObject<'a> {
    name: &'a str,
    /// Records without a mate, or with one that was not selected.
    left_out: usize,
    not_run: Vec<NotRunMate>,
}

#[derive(Serialize)]
struct NotRunMate {
    line: usize,
    reason: String,
}

#[derive(Serialize)]
struct MateEngineObject<'a> {
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

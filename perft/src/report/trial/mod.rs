//! Reports on tested engines: one file per format.

mod csv;
mod github;
mod human;
mod json;
mod junit;
mod markdown;

use std::fmt;

use kit::{Exit, output::grouped};
use uci::perft::{Attempt, Meeting, Speech};

use super::{CheckReport, Format};
use crate::check::Verdict as SuiteVerdict;
use crate::hunt::Finding;
use crate::trial::ledger::{Outcome, State, Trial, Verdict};
use crate::trial::{self, case::Case};

/// Finished trials of engines on the same cases.
pub struct TrialReport<'a> {
    /// Our own generator's check of the suites.
    pub check: CheckReport<'a>,
    /// The tested positions.
    pub cases: &'a [Case],
    /// One trial per engine, in the order of the command line.
    pub trials: &'a [Trial],
}

impl TrialReport<'_> {
    /// Renders the report in a format.
    ///
    /// # Errors
    ///
    /// When a library cannot write the format.
    pub fn write(&self, format: Format) -> anyhow::Result<String> {
        match format {
            Format::Human => Ok(human::write(self)),
            Format::Json => json::write(self),
            Format::Csv => csv::write(self),
            Format::Junit => junit::write(self),
            Format::Github => Ok(github::write(self)),
        }
    }

    /// The verdicts in Markdown, for a job summary.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// The exit code: the worst of all engines and suites.
    pub fn exit(&self) -> Exit {
        const WORST_FIRST: [Exit; 5] = [
            Exit::Interrupted,
            Exit::Differs,
            Exit::Failed,
            Exit::BadInput,
            Exit::Nothing,
        ];
        let engines = self
            .trials
            .iter()
            .map(|trial| trial.verdict(self.cases).exit());
        let suites = match self.check.ledger.verdict(self.check.plan) {
            // A wrong count in a suite is not the engine's fault.
            SuiteVerdict::Differ | SuiteVerdict::BrokenSuite => Exit::BadInput,
            SuiteVerdict::Interrupted => Exit::Interrupted,
            SuiteVerdict::Agree | SuiteVerdict::Nothing => Exit::Agreed,
        };
        let earned: Vec<Exit> = engines.chain([suites]).collect();
        let worst = WORST_FIRST.into_iter().find(|exit| earned.contains(exit));
        worst.unwrap_or(Exit::Agreed)
    }

    fn suite_name(&self, case: &Case) -> &str {
        &self.check.plan.suites[case.suite].name
    }

    /// `edge:12 edge.ep-plain`.
    fn place(&self, case: usize) -> String {
        let case = &self.cases[case];
        let id = case
            .id
            .as_deref()
            .map_or_else(String::new, |id| format!(" {id}"));
        format!("{}:{}{id}", self.suite_name(case), case.line)
    }

    /// The names of the first cases, and the number of the others.
    fn places(&self, cases: &[usize]) -> String {
        const SHOWN: usize = 3;
        let shown: Vec<String> = cases
            .iter()
            .take(SHOWN)
            .map(|&case| self.place(case))
            .collect();
        let more = cases.len().saturating_sub(SHOWN);
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!("{}{rest}", shown.join(", "))
    }
}

/// An engine, described in words.
struct Portrait<'a>(&'a Meeting);

impl fmt::Display for Portrait<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "no name".to_owned());
        match self.0 {
            Meeting::Speaks(speaker) => {
                let proved = speaker.speech.calibration();
                let divide = if proved.rows {
                    "with divide"
                } else {
                    "totals only"
                };
                let moves = if proved.moves { "" } else { ", FEN only" };
                let chess960 = if proved.chess960 { ", Chess960" } else { "" };
                let ask = speaker.speech.ask().name();
                let name = name(&speaker.name);
                write!(f, "{name}; {ask}, {divide}{moves}{chess960}")?;
                let mut limits = proved.limits.iter();
                limits.try_for_each(|limit| write!(f, "\n  note: {limit}"))
            }
            Meeting::NotUnderstood { name: own, tried } => {
                write!(f, "{}", name(own))?;
                let mut lines = tried_lines(tried).into_iter();
                lines.try_for_each(|line| write!(f, "\n  {line}"))
            }
            Meeting::Failed { reason } => write!(f, "{reason}"),
        }
    }
}

/// The fault in one case, in one line.
struct Wrong<'a>(&'a Outcome);

impl fmt::Display for Wrong<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Outcome::Right => write!(f, "right"),
            Outcome::NeedsChess960 => write!(f, "not asked: it needs Chess960"),
            Outcome::Failed { depth, failure, .. } => write!(f, "depth {depth}: {failure}"),
            Outcome::Wrong { depth, counts } => {
                write!(f, "depth {depth}: ")?;
                match counts.theirs {
                    None => write!(f, "no count, right is {}", grouped(counts.ours)),
                    Some(theirs) if theirs == counts.ours => {
                        write!(f, "{} is right, but not its divide", grouped(theirs))
                    }
                    Some(theirs) => {
                        let sign = if theirs > counts.ours { '+' } else { '-' };
                        let by = grouped(theirs.abs_diff(counts.ours));
                        let (theirs, ours) = (grouped(theirs), grouped(counts.ours));
                        write!(f, "{theirs} counted, right is {ours} ({sign}{by})")
                    }
                }
            }
        }
    }
}

/// The failed attempts of an engine that answered in no dialect.
fn tried_lines(tried: &[Attempt]) -> Vec<String> {
    let lines = |attempt: &Attempt| {
        let first = format!("{}: {}", attempt.ask, attempt.reason);
        // A question without output has no lines to show.
        let shown = if attempt.raw.len() > 1 {
            &attempt.raw[..]
        } else {
            &[]
        };
        let raw = shown.iter().map(|line| format!("    {line}"));
        std::iter::once(first).chain(raw).collect::<Vec<_>>()
    };
    tried.iter().flat_map(lines).collect()
}

/// The engine's dialect, if it was detected.
fn speech(trial: &Trial) -> Option<&Speech> {
    trial.speaker().map(|speaker| &speaker.speech)
}

/// The verdict on an engine, in one line.
fn verdict_line(report: &TrialReport<'_>, trial: &Trial) -> String {
    let totals = trial.totals(report.cases, None);
    let faults = trial.faults().len();
    let kinds = if faults == 1 {
        "kind of fault"
    } else {
        "kinds of fault"
    };
    let hunted = if faults > 0 {
        format!(", {faults} {kinds}")
    } else {
        String::new()
    };
    let asked = totals.asked();
    let says = match trial.verdict(report.cases) {
        Verdict::Right if asked == 1 => "OK: the position is counted rightly".to_owned(),
        Verdict::Right => format!("OK: all {asked} positions are counted rightly"),
        Verdict::Wrong => format!(
            "WRONG: {} of {asked} positions are counted wrongly{hunted}",
            totals.wrong
        ),
        Verdict::Failed => format!(
            "FAILED: {} of {asked} positions have no answer{hunted}",
            totals.failed
        ),
        Verdict::NotUnderstood if asked == 0 => {
            return "NOT UNDERSTOOD: no way to ask the engine for perft was found".to_owned();
        }
        Verdict::NotUnderstood => format!(
            "NOT UNDERSTOOD: {} of {asked} answers have another form than the known ones",
            totals.unreadable
        ),
        Verdict::DoesNotStart => return "NO ENGINE: it could not be asked".to_owned(),
        Verdict::Nothing => "NOTHING: no position could be asked".to_owned(),
        Verdict::Interrupted => format!(
            "INTERRUPTED: {asked} positions asked, {} wrong",
            totals.wrong
        ),
    };
    let failed = match trial.verdict(report.cases) {
        Verdict::Wrong if totals.failed > 0 => format!(", {} have no answer", totals.failed),
        _ => String::new(),
    };
    let not_asked = match (totals.needs_chess960, &trial.meeting) {
        (0, _) => String::new(),
        (n, Meeting::Speaks(speaker)) if speaker.chess960 => {
            format!(", {n} not asked: Chess960 is not used")
        }
        (n, _) => format!(", {n} not asked: the engine has no UCI_Chess960"),
    };
    let seconds = trial.time.as_secs_f64();
    format!(
        "{says}{failed}{not_asked}; {} nodes in {seconds:.2} s",
        grouped(totals.nodes)
    )
}

/// The wrong or failed cases that no finding covers.
fn unhunted(trial: &Trial) -> impl Iterator<Item = (usize, &Outcome)> {
    trial
        .states()
        .iter()
        .enumerate()
        .filter_map(|(case, state)| match state {
            State::Done { outcome, .. }
                if trial.failing_depth(case).is_some() && trial.finding(case).is_none() =>
            {
                Some((case, outcome))
            }
            _ => None,
        })
}

/// The kind of a fault and the broken rule: `missing-move: castling`.
fn kind_and_rule(finding: &Finding) -> String {
    let kind = finding.fault.kind();
    trial::rule(finding).map_or_else(|| kind.to_owned(), |rule| format!("{kind}: {rule}"))
}

/// The command that reproduces the fault.
fn again(trial: &Trial, finding: &Finding) -> String {
    trial::again(trial, finding)
}

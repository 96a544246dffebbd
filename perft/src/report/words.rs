//! Sentences that several formats show.

use std::fmt;

use chess::notation::fen;
use kit::output::grouped;
use uci::perft::{Detection, FailedAttempt};

use super::EngineReport;
use crate::engine_check::ledger::{CaseOutcome, EngineCheck, EngineVerdict};
use crate::event::SuiteCountResult;
use crate::suite::check::plan::SuiteCount;

/// A count that differs, described in one line.
pub(super) struct Difference<'a>(pub(super) SuiteCount<'a>, pub(super) SuiteCountResult);

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, result) = *self;
        let (depth, expected) = (count.depth, grouped(count.expected));
        write!(f, "depth {depth}: the suite has {expected}")?;
        match result {
            SuiteCountResult::Agrees => write!(f, ", and so do we"),
            SuiteCountResult::Uncountable(error) => write!(f, ", but {error}"),
            SuiteCountResult::Differs { counted, oracle } => {
                let sign = if counted > count.expected { '+' } else { '-' };
                let by = grouped(counted.abs_diff(count.expected));
                write!(f, ", we count {} ({sign}{by})", grouped(counted))?;
                match oracle.map(|oracle| (oracle == counted, grouped(oracle))) {
                    Some((true, _)) => {
                        f.write_str("; the mailbox generator counts the same: the suite is wrong")
                    }
                    Some((false, oracle)) => write!(
                        f,
                        "; the mailbox generator counts {oracle}: our own count is in doubt"
                    ),
                    None => Ok(()),
                }
            }
        }
    }
}

/// An engine, described in words.
pub(super) struct Portrait<'a>(pub(super) &'a Detection);

impl fmt::Display for Portrait<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "no name".to_owned());
        match self.0 {
            Detection::Understood(detected) => {
                let proved = detected.dialect.calibration();
                let divide = if proved.rows {
                    "with divide"
                } else {
                    "totals only"
                };
                let moves = if proved.moves { "" } else { ", FEN only" };
                let chess960 = if proved.chess960 { ", Chess960" } else { "" };
                let ask = detected.dialect.ask().name();
                let name = name(&detected.name);
                write!(f, "{name}; {ask}, {divide}{moves}{chess960}")?;
                let mut limits = proved.limits.iter();
                limits.try_for_each(|limit| write!(f, "\n  note: {limit}"))
            }
            Detection::NotUnderstood { name: own, tried } => {
                write!(f, "{}", name(own))?;
                let mut lines = tried_lines(tried).into_iter();
                lines.try_for_each(|line| write!(f, "\n  {line}"))
            }
            Detection::Failed { reason } => write!(f, "{reason}"),
        }
    }
}

/// The failed attempts of an engine that answered in no dialect.
pub(super) fn tried_lines(tried: &[FailedAttempt]) -> Vec<String> {
    let mut lines = Vec::new();
    for FailedAttempt { ask, reason, raw } in tried {
        lines.push(format!("{ask}: {reason}"));
        // A question without output has no lines to show.
        if raw.len() > 1 {
            lines.extend(raw.iter().map(|line| format!("    {line}")));
        }
    }
    lines
}

/// The last lines of a transcript, as many as a report shows.
pub(super) fn last_lines(transcript: &str) -> Vec<&str> {
    /// Number of transcript lines to print.
    const SHOWN: usize = 12;
    let mut lines: Vec<&str> = transcript.lines().collect();
    lines.drain(..lines.len().saturating_sub(SHOWN));
    lines
}

/// The fault in one case, in one line.
pub(super) struct WrongCase<'a>(pub(super) &'a CaseOutcome);

impl fmt::Display for WrongCase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            CaseOutcome::Right => write!(f, "right"),
            CaseOutcome::NeedsChess960 => write!(f, "not asked: it needs Chess960"),
            CaseOutcome::NeedsMoves => write!(f, "not asked: it needs moves after a position"),
            CaseOutcome::Failed { depth, failure, .. } => write!(f, "depth {depth}: {failure}"),
            CaseOutcome::Wrong { depth, counts } => {
                write!(f, "depth {depth}: ")?;
                let ours = grouped(counts.ours);
                match counts.theirs {
                    None => write!(f, "no count, right is {ours}"),
                    Some(theirs) if theirs == counts.ours => {
                        write!(f, "{ours} is right, but not its divide")
                    }
                    Some(theirs) => {
                        let sign = if theirs > counts.ours { '+' } else { '-' };
                        let by = grouped(theirs.abs_diff(counts.ours));
                        let theirs = grouped(theirs);
                        write!(f, "{theirs} counted, right is {ours} ({sign}{by})")
                    }
                }
            }
        }
    }
}

/// The verdict on an engine, in one line.
pub(super) fn verdict_line(report: &EngineReport<'_>, engine: &EngineCheck) -> String {
    let verdict = engine.verdict(report.cases);
    let totals = engine.totals(report.cases, None);
    let (asked, wrong, failed) = (totals.asked(), totals.wrong, totals.failed);
    let traced = match (engine.traced(), wrong + failed) {
        (0, _) => String::new(),
        (traced, failing) if traced == failing => String::new(),
        (traced, _) => format!(", {traced} were traced"),
    };
    let faults = match engine.faults().len() {
        0 => String::new(),
        1 => ", 1 kind of fault".to_owned(),
        more => format!(", {more} kinds of fault"),
    };
    let faults = format!("{traced}{faults}");
    let result = match verdict {
        EngineVerdict::Right if asked == 1 => "OK: the position is counted correctly".to_owned(),
        EngineVerdict::Right => format!("OK: all {asked} positions are counted correctly"),
        EngineVerdict::Wrong => {
            format!("WRONG: {wrong} of {asked} positions are counted wrongly{faults}")
        }
        EngineVerdict::Failed => {
            format!("FAILED: {failed} of {asked} positions have no answer{faults}")
        }
        EngineVerdict::NotUnderstood if asked == 0 => {
            return "NOT UNDERSTOOD: no way to ask the engine for perft was found".to_owned();
        }
        EngineVerdict::NotUnderstood => format!(
            "NOT UNDERSTOOD: {} of {asked} answers have another form than the known ones",
            totals.unreadable
        ),
        EngineVerdict::DoesNotStart => return "NO ENGINE: it could not be asked".to_owned(),
        EngineVerdict::Nothing => {
            let cases = report.cases.iter().enumerate();
            let mut by_moves =
                cases.filter(|&(case, _)| engine.outcome(case) == Some(&CaseOutcome::NeedsMoves));
            let fen = by_moves.next().map_or_else(String::new, |(_, case)| {
                let fen = fen::write(case.route().position());
                format!("; the engine takes no moves, ask by --fen '{fen}'")
            });
            format!("NOTHING: no position could be asked{fen}")
        }
        EngineVerdict::Interrupted => {
            format!("INTERRUPTED: {asked} positions asked, {wrong} wrong")
        }
    };
    let unanswered = if verdict == EngineVerdict::Wrong && failed > 0 {
        format!(", {failed} have no answer")
    } else {
        String::new()
    };
    let not_asked = match (totals.needs_chess960, &engine.detection) {
        (0, _) => String::new(),
        (n, Detection::Understood(detected)) if detected.chess960 => {
            format!(", {n} not asked: Chess960 is not used")
        }
        (n, _) => format!(", {n} not asked: the engine has no UCI_Chess960"),
    };
    let without_moves = match totals.needs_moves {
        0 => String::new(),
        n => format!(", {n} not asked: moves after a position are not used"),
    };
    let (nodes, seconds) = (grouped(totals.nodes), engine.time.as_secs_f64());
    format!("{result}{unanswered}{not_asked}{without_moves}; {nodes} nodes in {seconds:.2} s")
}

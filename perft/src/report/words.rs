//! Sentences that several formats show.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use chess::notation::fen;
use kit::output::grouped;
use uci::perft::{Detection, Dialect, FailedAttempt, MoveSource};

use super::EngineReport;
use super::stages::ProgressWords;
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
pub(super) struct Portrait<'a> {
    pub(super) detection: &'a Detection,
    /// Whether every way to ask that has failed is listed.
    pub(super) is_verbose: bool,
}

/// What the author of an engine without perft can do.
const NEXT: &str = include_str!("next.txt");

impl fmt::Display for Portrait<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "no name".to_owned());
        match self.detection {
            Detection::Understood(detected) => {
                let proved = detected.dialect.calibration();
                let divide = match detected.dialect.moves_by() {
                    Some(MoveSource::MultiPv) => "no perft, moves by MultiPV",
                    Some(MoveSource::SearchMoves) => "no perft, moves by searchmoves",
                    Some(MoveSource::Replies) => "no perft, replies only",
                    None if proved.rows => "with divide",
                    None => "totals only",
                };
                let moves = if proved.moves { "" } else { ", FEN only" };
                let chess960 = if proved.chess960 { ", Chess960" } else { "" };
                let ask = detected.dialect.ask().name();
                let name = name(&detected.name);
                write!(f, "{name}; {ask}, {divide}{moves}{chess960}")?;
                let mut limits = proved.limits.iter();
                limits.try_for_each(|limit| write!(f, "\n  note: {limit}"))?;
                if detected.dialect.moves_by() == Some(MoveSource::Replies) {
                    write!(f, "\n\n{NEXT}")?;
                }
                Ok(())
            }
            Detection::NotUnderstood { name: own, tried } => {
                write!(f, "{}", name(own))?;
                // The most usual way is what the author will look at first.
                let shown = if self.is_verbose { tried.len() } else { 1 };
                for line in tried_lines(&tried[..shown.min(tried.len())]) {
                    write!(f, "\n  {line}")?;
                }
                let more: BTreeSet<&str> =
                    tried.iter().skip(shown).map(|one| one.ask.name()).collect();
                if !more.is_empty() {
                    let more: Vec<&str> = more.into_iter().collect();
                    write!(f, "\n  and in vain: {}", more.join(", "))?;
                }
                write!(f, "\n\n{NEXT}")
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
            CaseOutcome::NotAccepted(refusal) => {
                write!(f, "not accepted: {}", refusal.as_str())
            }
            CaseOutcome::NotListed { depth, why } => write!(f, "not asked, depth {depth}: {why}"),
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
    let by_moves = engine.dialect().and_then(Dialect::moves_by);
    let never_asked = engine.never_asked();
    let never_asked = never_asked.map_or_else(String::new, |what| format!("; {what} not asked"));
    let result = match verdict {
        EngineVerdict::Right if by_moves.is_some() => {
            format!("OK by lists: the moves of all {asked} positions are right{never_asked}")
        }
        EngineVerdict::Wrong if wrong == 0 => {
            format!("NOT ACCEPTED: {asked} positions are asked, and none is wrong")
        }
        EngineVerdict::Wrong if by_moves.is_some() => {
            format!("WRONG: {wrong} of {asked} positions have wrong moves{faults}")
        }
        EngineVerdict::Right if engine.only_shallowest => format!(
            "OK by the shallowest counts: those of all {asked} positions are right{never_asked}"
        ),
        EngineVerdict::Right if asked == 1 => "OK: the position is counted correctly".to_owned(),
        EngineVerdict::Right => format!("OK: all {asked} positions are counted correctly"),
        EngineVerdict::Wrong => {
            format!("WRONG: {wrong} of {asked} positions are counted wrongly{faults}")
        }
        EngineVerdict::Failed => {
            format!("FAILED: {failed} of {asked} positions have no answer{faults}")
        }
        EngineVerdict::NotUnderstood if asked == 0 => {
            return "NOT UNDERSTOOD: no way to ask the engine for perft, or for its moves, was found"
                .to_owned();
        }
        EngineVerdict::NotUnderstood => format!(
            "NOT UNDERSTOOD: {} of {asked} answers have another form than the known ones",
            totals.unreadable
        ),
        EngineVerdict::DoesNotStart => return "NO ENGINE: it could not be asked".to_owned(),
        EngineVerdict::Nothing if asked > 0 => {
            format!("REPLIES ONLY: the replies in all {asked} positions are legal{never_asked}")
        }
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
    // How far a growing generator has come is said first.
    let progress = matches!(
        verdict,
        EngineVerdict::Right | EngineVerdict::Wrong | EngineVerdict::Failed
    );
    // Replies do not show that a move is missing.
    let progress = progress && by_moves != Some(MoveSource::Replies);
    let progress = progress.then(|| engine.progress(report.cases)).flatten();
    let result = match (progress.map(ProgressWords), result.split_once(": ")) {
        (Some(progress), Some((word, result))) => format!("{word}: {progress}; {result}"),
        _ => result,
    };
    let unanswered = if verdict == EngineVerdict::Wrong && failed > 0 {
        format!(", {failed} have no answer")
    } else {
        String::new()
    };
    let (nodes, seconds) = (grouped(totals.nodes), engine.time.as_secs_f64());
    let effort = match by_moves {
        None => format!("{nodes} nodes in {seconds:.2} s"),
        Some(_) => format!("asked in {seconds:.2} s"),
    };
    let unasked = unasked(report, engine);
    format!("{result}{unanswered}{unasked}; {effort}")
}

/// How many positions were not asked or not accepted, and why.
fn unasked(report: &EngineReport<'_>, engine: &EngineCheck) -> String {
    let totals = engine.totals(report.cases, None);
    let needs_chess960 = match &engine.detection {
        Detection::Understood(detected) if detected.chess960 => "Chess960 is not used",
        _ => "the engine has no UCI_Chess960",
    };
    let reasons = [
        (totals.needs_chess960, needs_chess960),
        (totals.needs_moves, "moves after a position are not used"),
        (totals.not_listed, "the search lists no moves there"),
    ];
    let mut text = String::new();
    for (count, why) in reasons.into_iter().filter(|&(count, _)| count > 0) {
        let _ = write!(text, ", {count} not asked: {why}");
    }
    if totals.not_accepted > 0 {
        let _ = write!(text, ", {} not accepted", totals.not_accepted);
        // Of random positions, only those that fail are kept to learn reasons from.
        let reasons = engine.reasons_of_refusal(report.cases).join(", ");
        if !reasons.is_empty() {
            let _ = write!(text, ": {reasons}");
        }
    }
    text
}

//! The report of `perft consistency`.

use std::fmt::{self, Write as _};
use std::time::Duration;

use kit::output::grouped;
use kit::report::{Case, CaseSuite, Report, Section, Status, Verdict};
use serde_json::{Value, json};

use super::words::last_lines;
use crate::consistency::outcome::{
    Aspect, ConsistencyFinding, ConsistencyOutcome, ConsistencySymptom, FirstDisplay, Reproduction,
};
use crate::consistency::question::MoveFeature;
use crate::count::subject::Failure;
use crate::engine_check::ledger::EngineVerdict;

/// A finished check of an engine.
pub(crate) struct ConsistencyReport<'a>(pub(crate) &'a ConsistencyOutcome);

impl Report for ConsistencyReport<'_> {
    fn command(&self) -> &'static str {
        "perft consistency"
    }

    fn time(&self) -> Option<Duration> {
        Some(self.0.time)
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let outcome = self.0;
        // An engine without an answer is a case of its own.
        let transcript = match &outcome.start {
            FirstDisplay::Displays => None,
            FirstDisplay::NoDisplay { transcript } | FirstDisplay::Failed { transcript, .. } => {
                Some(transcript)
            }
        };
        let no_answer = |name: String, what: String, transcript: &str| {
            let case = Case::not_passed(Status::Error, name, "", what);
            let case = case.details(last_lines(transcript).join("\n"));
            case.facts(json!({"transcript": transcript}))
        };
        let start = transcript
            .map(|transcript| no_answer(outcome.ask.clone(), self.verdict_line(), transcript));
        let incidents = outcome.incidents.iter().map(|incident| {
            let name = incident.lines.join(", ");
            no_answer(name, incident.failure.to_string(), &incident.transcript)
        });
        let aspects = match &outcome.start {
            FirstDisplay::Displays => &Aspect::ALL[..],
            _ => &[],
        };
        let aspects = aspects.iter().map(|&aspect| self.case(aspect));
        let cases: Vec<Case<'_>> = start.into_iter().chain(incidents).chain(aspects).collect();
        vec![CaseSuite::new(outcome.command.as_str(), cases)]
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let mut text = String::new();
        self.write_human(&mut text)
            .expect("a string can be written to");
        vec![Section::text(text)]
    }

    fn verdict(&self) -> Verdict {
        Verdict {
            exit: self.0.verdict().exit(),
            text: self.verdict_line(),
        }
    }

    fn facts(&self) -> Value {
        let outcome = self.0;
        json!({
            "engine": outcome.command,
            "name": outcome.name,
            "seed": outcome.seed,
            "verdict": outcome.verdict(),
            "games": outcome.games,
            "planned_games": outcome.planned,
            "positions": outcome.positions,
            "questions": outcome.questions,
            "notes": outcome.notes,
        })
    }
}

impl ConsistencyReport<'_> {
    /// What was found of one thing that is checked.
    fn case(&self, aspect: Aspect) -> Case<'_> {
        let findings: Vec<&ConsistencyFinding> = self.0.of_aspect(aspect).collect();
        let facts = json!({
            "compared": self.0.checked(aspect),
            "faults": findings.iter().copied().map(fault_facts).collect::<Vec<_>>(),
        });
        let case = match (self.0.why_not(aspect), findings.as_slice()) {
            (Some(why), []) => Case::skipped(aspect.as_str(), why),
            (None, []) => Case::passed(aspect.as_str()),
            (_, [first, ..]) => {
                let mut text = String::new();
                for finding in &findings {
                    let _ = writeln!(text, "{}", headline(&finding.symptom));
                    let _ = write_finding(&mut text, finding, "    ");
                }
                let (rule, headline) = (first.symptom.kind.as_str(), headline(&first.symptom));
                let what = headline
                    .trim_start_matches(rule)
                    .trim_start_matches([':', ' ']);
                let name = aspect.as_str();
                Case::not_passed(Status::Failed, name, rule, what.to_owned()).details(text)
            }
        };
        case.facts(facts)
    }

    fn write_human(&self, text: &mut String) -> fmt::Result {
        let outcome = self.0;
        let name = outcome.name.as_deref().unwrap_or("no name");
        writeln!(text, "{}: {name}; seed {}", outcome.command, outcome.seed)?;
        match &outcome.start {
            FirstDisplay::Displays => {
                writeln!(text, "{:<18}  {:>9}  {:>6}", "check", "compared", "faults")?;
                let is_unknown = |aspect: &Aspect| {
                    matches!(aspect, Aspect::List(_)) && outcome.checked(*aspect) == 0
                };
                for aspect in Aspect::ALL.into_iter().filter(|one| !is_unknown(one)) {
                    write!(text, "{:<18}  ", aspect.as_str())?;
                    if let Some(why) = outcome.why_not(aspect) {
                        writeln!(text, "not checked: {why}")?;
                    } else {
                        let compared = grouped(outcome.checked(aspect));
                        let faults = outcome.of_aspect(aspect).count();
                        writeln!(text, "{compared:>9}  {faults:>6}")?;
                    }
                }
                if let Some(list) = Aspect::ALL.iter().find(|one| is_unknown(one)) {
                    let why = outcome.why_not(*list).unwrap_or_default();
                    writeln!(text, "{:<18}  not checked: {why}", "lists")?;
                }
                for (number, finding) in (1..).zip(&outcome.findings) {
                    writeln!(text, "\nFAULT {number} {}", headline(&finding.symptom))?;
                    write_finding(text, finding, "    ")?;
                }
                for incident in &outcome.incidents {
                    writeln!(text, "\nNO ANSWER: the engine {}, asked", incident.failure)?;
                    write_lines(text, incident.lines.iter().map(String::as_str))?;
                    write_lines(text, last_lines(&incident.transcript))?;
                }
                for note in &outcome.notes {
                    writeln!(text, "note: {note}")?;
                }
                let has_details = !outcome.findings.is_empty() || !outcome.incidents.is_empty();
                if has_details {
                    writeln!(text)?;
                }
            }
            FirstDisplay::NoDisplay { transcript } | FirstDisplay::Failed { transcript, .. } => {
                write_lines(text, last_lines(transcript))?;
            }
        }
        Ok(())
    }

    fn verdict_line(&self) -> String {
        let outcome = self.0;
        let faults = match outcome.findings.len() {
            1 => "1 kind of fault".to_owned(),
            more => format!("{more} kinds of fault"),
        };
        let unanswered = match outcome.incidents.len() {
            1 => "1 question without an answer".to_owned(),
            more => format!("{more} questions without an answer"),
        };
        let result = match outcome.verdict() {
            EngineVerdict::Right => "OK: what the engine prints is consistent".to_owned(),
            EngineVerdict::Wrong if outcome.incidents.is_empty() => format!("WRONG: {faults}"),
            EngineVerdict::Wrong => format!("WRONG: {faults}, {unanswered}"),
            EngineVerdict::Failed => format!("FAILED: {unanswered}"),
            EngineVerdict::NotUnderstood => {
                let ask = &outcome.ask;
                return format!(
                    "NOT UNDERSTOOD: no answer to '{ask}': the engine should print a line 'Fen: …', 'Key: …' or \
                     'Checkers: …', as Stockfish does; --ask names another command"
                );
            }
            EngineVerdict::DoesNotStart => {
                return match &outcome.start {
                    FirstDisplay::Failed {
                        failure: Failure::Crashed { how },
                        ..
                    } => format!("NO ENGINE: {how}"),
                    FirstDisplay::Failed { failure, .. } => format!("NO ENGINE: it {failure}"),
                    _ => "NO ENGINE: it could not be asked".to_owned(),
                };
            }
            EngineVerdict::Nothing => "NOTHING: nothing was checked".to_owned(),
            EngineVerdict::Interrupted => format!("INTERRUPTED: {faults} so far"),
        };
        let (positions, games) = (grouped(outcome.positions as u64), outcome.games);
        let (questions, seconds) = (grouped(outcome.questions), outcome.time.as_secs_f64());
        format!(
            "{result}; {positions} positions of {games} games, {questions} questions in {seconds:.2} s"
        )
    }
}

/// The fault in one line: `incremental-key after a capture: …`.
fn headline(symptom: &ConsistencySymptom) -> String {
    // Who castles loses a right in any case.
    let castles = symptom.cause.contains(&MoveFeature::Castling);
    let is_worth_a_word = |one: &&MoveFeature| !(castles && **one == MoveFeature::LostRight);
    let cause = symptom
        .cause
        .iter()
        .filter(is_worth_a_word)
        .map(ToString::to_string);
    let cause: Vec<String> = cause.collect();
    let cause = match cause.as_slice() {
        [] => String::new(),
        cause => format!(" after {}", cause.join(", which is also ")),
    };
    format!(
        "{}{cause}: {}",
        symptom.kind.as_str(),
        symptom.kind.sentence()
    )
}

fn write_finding(text: &mut String, finding: &ConsistencyFinding, indent: &str) -> fmt::Result {
    let symptom = &finding.symptom;
    for Reproduction { lines, printed } in &symptom.evidence {
        for line in lines {
            writeln!(text, "{indent}{line}")?;
        }
        writeln!(text, "{indent}  prints    {printed}")?;
    }
    writeln!(text, "{indent}  expected  {}", symptom.expected)?;
    if !finding.is_steady {
        writeln!(
            text,
            "{indent}the fault did not show again: it depends on what was asked before"
        )?;
    }
    Ok(())
}

fn write_lines<'a>(text: &mut String, lines: impl IntoIterator<Item = &'a str>) -> fmt::Result {
    lines
        .into_iter()
        .try_for_each(|line| writeln!(text, "    {line}"))
}

fn fault_facts(finding: &ConsistencyFinding) -> Value {
    let ConsistencySymptom {
        kind,
        cause,
        expected,
        evidence,
    } = &finding.symptom;
    json!({
        "kind": kind.as_str(),
        "cause": cause.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
        "description": kind.sentence(),
        "evidence": evidence,
        "expected": expected,
        "steady": finding.is_steady,
    })
}

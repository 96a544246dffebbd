//! A hunt from start to end.

use std::num::NonZeroU32;

use chess::perft::Counter;
use chess::rules::{Move, Position, Square, mailbox};

use super::candidates::candidates;
use super::descend::{Node, descend};
use super::fault::{Breakdown, Counts, End, Fault, Finding, HuntError};
use super::judge::{Asker, HuntLimits, Judged, Symptom};
use super::question::{Question, Reply};
use super::shrink::shrink;
use super::trace::{Sighting, Trace};
use crate::count::subject::{Route, Subject};

/// Timeouts at greater depths are not shrunk: such a count may just be slow.
const DEEPEST_STUCK: u32 = 3;

/// Traces a wrong or missing answer to its cause.
///
/// # Errors
///
/// When we cannot count that far, or no question could be asked.
pub fn hunt(
    subject: &mut dyn Subject,
    asked: &Question,
    limits: HuntLimits,
) -> Result<Finding, HuntError> {
    hunt_with(subject, asked, limits, Counter::new())
}

/// Like [`hunt`], with a `counter` that can be cancelled.
pub(crate) fn hunt_with(
    subject: &mut dyn Subject,
    asked: &Question,
    limits: HuntLimits,
    counter: Counter<'_>,
) -> Result<Finding, HuntError> {
    let ours = counter.count(asked.position(), asked.depth.get())?;
    let mut asker = Asker::new(subject, limits, counter);
    let start = ask_first(&mut asker, asked).map_err(HuntError::Unanswered)?;
    let quarry = match start {
        Start::Flaky(answers) => Quarry::flaky(asked, ours, answers),
        Start::Ended(judged, end) => Quarry::unexplained(asked, &judged, end),
        Start::Wrong(judged) => {
            let (path, question) = (asked.route.clone(), asked.clone());
            pursue(
                &mut asker,
                Node {
                    path,
                    question,
                    judged,
                },
            )
        }
    };
    Ok(quarry.into_finding(asked, asker.questions()))
}

/// The outcome of the first question.
enum Start {
    Wrong(Judged),
    Flaky(Vec<Option<u64>>),
    /// One wrong answer, before a limit was reached.
    Ended(Judged, End),
}

/// Asks the question twice to detect flaky answers. A question that timed out is not repeated.
fn ask_first(asker: &mut Asker<'_>, asked: &Question) -> Result<Start, End> {
    let first = asker.reply(asked)?;
    let judged = asker.judge(asked, &first);
    if let Some(judged) = judged.clone().filter(is_timeout) {
        return Ok(Start::Wrong(judged));
    }
    let second = match asker.reply(asked) {
        Ok(second) => second,
        Err(end) => return judged.map(|judged| Start::Ended(judged, end)).ok_or(end),
    };
    let again = asker.judge(asked, &second);
    Ok(match (judged, again) {
        (Some(judged), Some(again)) if is_alike(&judged, &again) => Start::Wrong(judged),
        // A crash that depends on earlier questions is still a crash, not a flaky answer.
        (Some(judged), _) | (_, Some(judged)) if is_crash(&judged) => {
            Start::Ended(judged, End::Complete)
        }
        (_, Some(judged)) if is_crash(&judged) => Start::Ended(judged, End::Complete),
        _ => Start::Flaky(vec![count(&first), count(&second)]),
    })
}

fn is_crash(judged: &Judged) -> bool {
    matches!(&judged.symptom, Symptom::Failed(failure) if Breakdown::of(failure) == Breakdown::Crash)
}

fn count(reply: &Reply) -> Option<u64> {
    reply.as_ref().ok()?.count()
}

fn is_timeout(judged: &Judged) -> bool {
    matches!(&judged.symptom, Symptom::Failed(failure) if Breakdown::of(failure) == Breakdown::NoAnswer)
}

/// Compares two faults, ignoring the error text.
fn is_alike(one: &Judged, other: &Judged) -> bool {
    match (&one.symptom, &other.symptom) {
        (Symptom::Failed(one), Symptom::Failed(other)) => {
            Breakdown::of(one) == Breakdown::of(other)
        }
        _ => one == other,
    }
}

/// The state of the fault when the hunt ends.
struct Quarry {
    path: Route,
    found: Question,
    sighting: Sighting,
    end: End,
}

/// Descends, shrinks, and checks once more.
fn pursue(asker: &mut Asker<'_>, start: Node) -> Quarry {
    let descent = descend(asker, start);
    let node = descent.node;
    let mut quarry = Quarry {
        path: node.path,
        ..Quarry::unexplained(&node.question, &node.judged, End::Complete)
    };
    let closed_in = descent
        .outcome
        .and_then(|trace| close_in(asker, &trace, &node.judged, &mut quarry.sighting));
    if let Err(end) = closed_in {
        quarry.end = end;
    }
    quarry
}

fn close_in(
    asker: &mut Asker<'_>,
    trace: &Trace,
    judged: &Judged,
    sighting: &mut Sighting,
) -> Result<(), End> {
    *sighting = trace
        .sighting(&sighting.question, judged)
        .expect("a trail fits the reply it was made from");
    if *trace == Trace::Failed(Breakdown::NoAnswer) {
        // A deep count that times out although each part of it is answered is slow, not stuck.
        let may_be_stuck = sighting.question.depth.get() <= DEEPEST_STUCK;
        return if may_be_stuck {
            shrink(asker, trace, sighting)
        } else {
            Ok(())
        };
    }
    shrink(asker, trace, sighting)?;
    confirm(asker, trace, sighting)?;
    // A list that is wrong in only a move or two is not that of another position.
    let is_of_another = !(1..=2).contains(&sighting.fault.wrong_moves().len());
    if is_of_another && let Some(ignored) = ignored_moves(asker, &sighting.question)? {
        sighting.fault = Fault::IgnoredMoves(ignored);
        return Ok(());
    }
    let unknown = match &mut sighting.fault {
        Fault::StateAfterMoves(inner) => inner.as_mut(),
        fault => fault,
    };
    if let Fault::UnknownMove(moves) = unknown {
        *moves = candidates(asker, &sighting.question, sighting.counts)?;
    }
    Ok(())
}

/// The last moves of a route that an engine seems to have ignored: its counts at depths 1 and 2 are
/// right without them, and wrong with them.
fn ignored_moves(asker: &mut Asker<'_>, question: &Question) -> Result<Option<Vec<Move>>, End> {
    let moves = question.route.moves();
    if moves.is_empty() {
        return Ok(None);
    }
    let mut counted = Vec::new();
    for depth in [1, 2].into_iter().filter_map(NonZeroU32::new) {
        let asked = Question {
            route: question.route.clone(),
            depth,
        };
        let Some(count) = count(&asker.reply(&asked)?) else {
            return Ok(None);
        };
        counted.push((depth.get(), count));
    }
    let counts = |position: &Position| {
        let is_it = |&(depth, theirs): &(u32, u64)| asker.truth(position, depth) == Some(theirs);
        counted.iter().all(is_it)
    };
    if counts(question.position()) {
        return Ok(None);
    }
    let mut position = *question.route.root();
    for (played, &m) in moves.iter().enumerate() {
        // With the same pieces on the same squares, the castling or en passant rights are wrong.
        if is_another_board(&position, question.position()) && counts(&position) {
            return Ok(Some(moves[played..].to_vec()));
        }
        position = position.play_unchecked(m);
    }
    Ok(None)
}

fn is_another_board(one: &Position, other: &Position) -> bool {
    Square::ALL
        .into_iter()
        .any(|square| one.piece_at(square) != other.piece_at(square))
        || one.side_to_move() != other.side_to_move()
}

/// Marks the fault as flaky if it does not show again.
fn confirm(asker: &mut Asker<'_>, trace: &Trace, sighting: &mut Sighting) -> Result<(), End> {
    let again = asker.reply(&sighting.question)?;
    let shows = asker
        .judge(&sighting.question, &again)
        .and_then(|judged| trace.sighting(&sighting.question, &judged));
    // A crash remains a crash, even if it depends on earlier questions.
    if shows.is_none() && *trace != Trace::Failed(Breakdown::Crash) {
        sighting.fault = Fault::Flaky(vec![sighting.counts.theirs, count(&again)]);
    }
    Ok(())
}

/// A sighting of which only one reply is known.
fn unexplained(question: &Question, judged: &Judged) -> Sighting {
    let fault = match &judged.symptom {
        Symptom::Failed(failure) => Fault::Failed(failure.clone()),
        Symptom::Rows(rows) => Fault::WrongCount(rows.clone()),
        _ => Fault::WrongCount(Vec::new()),
    };
    Sighting {
        question: question.clone(),
        counts: judged.counts,
        fault,
    }
}

impl Quarry {
    fn unexplained(asked: &Question, judged: &Judged, end: End) -> Self {
        Self {
            path: asked.route.clone(),
            found: asked.clone(),
            sighting: unexplained(asked, judged),
            end,
        }
    }

    fn flaky(asked: &Question, ours: u64, answers: Vec<Option<u64>>) -> Self {
        let counts = Counts {
            ours,
            theirs: answers.first().copied().flatten(),
        };
        Self {
            path: asked.route.clone(),
            found: asked.clone(),
            sighting: Sighting {
                question: asked.clone(),
                counts,
                fault: Fault::Flaky(answers),
            },
            end: End::Complete,
        }
    }

    fn into_finding(self, asked: &Question, questions: u32) -> Finding {
        let Sighting {
            question,
            counts,
            fault,
        } = self.sighting;
        Finding {
            asked: asked.clone(),
            path: self.path,
            found: self.found,
            oracle_agrees: oracle_agrees(&question),
            shown: question,
            fault,
            counts,
            questions,
            end: self.end,
        }
    }
}

/// Whether our two generators list the same moves.
fn oracle_agrees(question: &Question) -> bool {
    let position = question.position();
    let mut ours: Vec<Move> = position.legal_moves().to_vec();
    let mut theirs = mailbox::legal_moves(&position.to_setup());
    ours.sort_unstable();
    theirs.sort_unstable();
    ours == theirs
}

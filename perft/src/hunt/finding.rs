//! The hunt from end to end, and what it has found.

use engine::perft::{self, CountError};
use engine::rules::{Move, mailbox};

use super::ask::{Asker, Limits, Question, Reply};
use super::candidates::candidates;
use super::descend::{Node, descend};
use super::fault::{Breakdown, Fault};
use super::judge::{Judged, Symptom, judge};
use super::shrink::shrink;
use super::trace::{Sighting, Trace};
use crate::subject::{Route, Subject};

/// What a hunt has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The question with which the hunt began.
    pub asked: Question,
    /// From there, through all moves, to the first position that is wrong by itself.
    pub path: Route,
    /// The shortest question that shows the fault at that position.
    pub found: Question,
    /// The smallest question that shows the fault.
    pub shown: Question,
    /// What is wrong there.
    pub fault: Fault,
    /// The counts there.
    pub counts: Counts,
    /// How many questions were put.
    pub questions: u32,
    /// Whether the mailbox generator lists the same moves there as we do. When not, we are in
    /// doubt, not the subject.
    pub witness_agrees: bool,
    /// Whether the hunt came to its own end.
    pub end: End,
}

/// The truth and what the subject says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// What we count.
    pub ours: u64,
    /// What the subject counts; `None` when it gave no count.
    pub theirs: Option<u64>,
}

/// Why a hunt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to try.
    Complete,
    /// As many questions were put as were allowed.
    Questions,
    /// As many questions stayed without an answer as were allowed.
    Timeouts,
    /// The user ended the run.
    Cancelled,
}

impl End {
    /// A stable word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Questions => "questions",
            Self::Timeouts => "timeouts",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Why a hunt found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HuntError {
    /// We cannot count so far ourselves.
    #[error("cannot tell what is right: {0}")]
    Uncountable(#[from] CountError),
    /// It ended before the first answer.
    #[error("the hunt ended before the first answer ({})", .0.as_str())]
    Unanswered(End),
}

/// Hunts down what is behind a wrong answer, or none.
///
/// # Errors
///
/// When we cannot count as far, or no question could be put.
pub fn hunt(
    subject: &mut dyn Subject,
    asked: &Question,
    limits: Limits,
) -> Result<Finding, HuntError> {
    perft::count(asked.position(), asked.depth.get())?;
    let mut asker = Asker::new(subject, limits);
    let start = ask_first(&mut asker, asked).map_err(HuntError::Unanswered)?;
    let quarry = match start {
        Start::Flaky(answers) => Quarry::flaky(asked, answers),
        Start::Wrong(judged) => pursue(
            &mut asker,
            Node {
                path: asked.route.clone(),
                question: asked.clone(),
                judged,
            },
        ),
    };
    Ok(quarry.into_finding(asked, asker.questions()))
}

enum Start {
    Wrong(Judged),
    Flaky(Vec<Option<u64>>),
}

/// Puts the question until the answer is known to stay the same. One that is not answered in time
/// is not asked twice.
fn ask_first(asker: &mut Asker<'_>, asked: &Question) -> Result<Start, End> {
    let first = asker.reply(asked)?;
    let judged = judge(asked, &first);
    if let Some(judged) = &judged
        && is_timeout(judged)
    {
        return Ok(Start::Wrong(judged.clone()));
    }
    let second = asker.reply(asked)?;
    Ok(match judged {
        Some(judged) if judge(asked, &second).is_some_and(|again| is_alike(&judged, &again)) => {
            Start::Wrong(judged)
        }
        _ => Start::Flaky(vec![count(&first), count(&second)]),
    })
}

fn count(reply: &Reply) -> Option<u64> {
    reply.as_ref().ok()?.count()
}

fn is_timeout(judged: &Judged) -> bool {
    matches!(&judged.symptom, Symptom::Failed(failure) if Breakdown::of(failure) == Breakdown::NoAnswer)
}

/// Whether two replies are wrong in the same way; what a failure says may differ.
fn is_alike(one: &Judged, other: &Judged) -> bool {
    match (&one.symptom, &other.symptom) {
        (Symptom::Failed(one), Symptom::Failed(other)) => {
            Breakdown::of(one) == Breakdown::of(other)
        }
        _ => one == other,
    }
}

/// What is known of the fault when the hunt ends.
struct Quarry {
    path: Route,
    found: Question,
    sighting: Sighting,
    end: End,
}

/// Descends, shrinks, and looks once more.
fn pursue(asker: &mut Asker<'_>, start: Node) -> Quarry {
    let descent = descend(asker, start);
    let node = descent.node;
    let mut quarry = Quarry {
        path: node.path,
        found: node.question.clone(),
        sighting: unexplained(&node.question, &node.judged),
        end: End::Complete,
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
    shrink(asker, trace, sighting)?;
    if *trace != Trace::Failed(Breakdown::NoAnswer) {
        confirm(asker, trace, sighting)?;
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

/// Calls the fault flaky when it does not show again.
fn confirm(asker: &mut Asker<'_>, trace: &Trace, sighting: &mut Sighting) -> Result<(), End> {
    let again = asker.reply(&sighting.question)?;
    let shows = judge(&sighting.question, &again)
        .and_then(|judged| trace.sighting(&sighting.question, &judged));
    if shows.is_none() {
        sighting.fault = Fault::Flaky(vec![sighting.counts.theirs, count(&again)]);
    }
    Ok(())
}

/// A sighting of which no more is known than one reply.
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
    fn flaky(asked: &Question, answers: Vec<Option<u64>>) -> Self {
        let ours = perft::count(asked.position(), asked.depth.get());
        let counts = Counts {
            ours: ours.expect("it was counted before"),
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
            witness_agrees: witness_agrees(&question),
            shown: question,
            fault,
            counts,
            questions,
            end: self.end,
        }
    }
}

/// Whether our two generators list the same moves.
fn witness_agrees(question: &Question) -> bool {
    let position = question.position();
    let mut ours: Vec<Move> = position.legal_moves().to_vec();
    let mut theirs = mailbox::legal_moves(&position.to_setup());
    ours.sort_unstable();
    theirs.sort_unstable();
    ours == theirs
}

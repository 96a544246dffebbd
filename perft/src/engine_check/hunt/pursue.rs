//! A hunt from start to end.

use std::num::NonZeroU32;

use chess::perft::Counter;
use chess::rules::{CastlingSide, Move, Position, Square, mailbox};

use super::candidates::candidates;
use super::cause;
use super::descend::{WrongNode, descend};
use super::effect::Cause;
use super::fault::{CountPair, HuntEnd, HuntError, HuntFault, HuntResult, NoReply};
use super::judge::{Asker, HuntLimits, JudgedReply, Symptom};
use super::question::{CountQuestion, CountReply};
use super::shrink::shrink;
use super::trace::{Sighting, Trace};
use crate::count::subject::{Answer, MoveMeaning, Route, Subject};

/// Timeouts at greater depths are not shrunk: such a count may just be slow.
const DEEPEST_STUCK: u32 = 3;

/// A wrong piece on the board explains totals if it explains them at these depths.
const FIRST_DEPTHS: [u32; 3] = [1, 2, 3];

/// Traces a wrong or missing answer to its cause.
///
/// # Errors
///
/// When we cannot count that far, or no question could be asked.
pub fn hunt(
    subject: &mut dyn Subject,
    asked: &CountQuestion,
    limits: HuntLimits,
) -> Result<HuntResult, HuntError> {
    hunt_with(subject, asked, limits, Counter::new())
}

/// Like [`hunt`], with a `counter` that can be cancelled.
///
/// The question is asked twice to detect flaky answers, except after a timeout. Then the hunt
/// descends, shrinks, and checks once more.
pub(crate) fn hunt_with(
    subject: &mut dyn Subject,
    asked: &CountQuestion,
    limits: HuntLimits,
    counter: Counter<'_>,
) -> Result<HuntResult, HuntError> {
    let ours = counter.count(asked.position(), asked.depth.get())?;
    let mut asker = Asker::new(subject, limits, counter);
    let first = asker.reply(asked).map_err(HuntError::Unanswered)?;
    let judged = asker.judge(asked, &first);
    let quarry = match judged.clone().filter(|judged| judged.is(NoReply::NoAnswer)) {
        Some(judged) => pursue(&mut asker, asked, judged),
        None => match (asker.reply(asked), judged) {
            (Err(end), Some(judged)) => Quarry::unexplained(asked, &judged, end),
            (Err(end), None) => return Err(HuntError::Unanswered(end)),
            (Ok(second), judged) => match (judged, asker.judge(asked, &second)) {
                (Some(judged), Some(again)) if judged.is_like(&again) => {
                    pursue(&mut asker, asked, judged)
                }
                // A crash that depends on earlier questions is still a crash, not a flaky answer.
                (Some(judged), _) | (_, Some(judged)) if judged.is(NoReply::Crash) => {
                    Quarry::unexplained(asked, &judged, HuntEnd::Complete)
                }
                _ => {
                    let (theirs, again) = (count(&first), count(&second));
                    let fault = HuntFault::Flaky(vec![theirs, again]);
                    Quarry::at(asked, CountPair { ours, theirs }, fault, HuntEnd::Complete)
                }
            },
        },
    };
    let Sighting {
        question,
        counts,
        fault,
    } = quarry.sighting;
    let position = question.position();
    let mut our_moves: Vec<Move> = position.legal_moves().to_vec();
    let mut oracle_moves = mailbox::legal_moves(&position.to_setup());
    our_moves.sort_unstable();
    oracle_moves.sort_unstable();
    Ok(HuntResult {
        asked: asked.clone(),
        path: quarry.path,
        found: quarry.found,
        oracle_agrees: our_moves == oracle_moves,
        shown: question,
        fault,
        cause: quarry.cause,
        counts,
        questions: asker.questions(),
        end: quarry.end,
    })
}

fn count(reply: &CountReply) -> Option<u64> {
    reply.as_ref().ok()?.count()
}

/// The state of the fault when the hunt ends.
struct Quarry {
    path: Route,
    found: CountQuestion,
    sighting: Sighting,
    cause: Option<Cause>,
    end: HuntEnd,
}

/// Descends, shrinks, and checks once more.
fn pursue(asker: &mut Asker<'_>, asked: &CountQuestion, judged: JudgedReply) -> Quarry {
    let start = WrongNode {
        path: asked.route.clone(),
        question: asked.clone(),
        judged,
    };
    let (node, trace) = descend(asker, start);
    let mut quarry = Quarry {
        path: node.path,
        ..Quarry::unexplained(&node.question, &node.judged, HuntEnd::Complete)
    };
    let closed_in =
        trace.and_then(|trace| close_in(asker, &trace, &node.judged, &mut quarry.sighting));
    match closed_in {
        Ok(cause) => quarry.cause = cause,
        Err(end) => quarry.end = end,
    }
    quarry
}

/// Makes the sighting as small as possible, and returns its cause if a move is known to be it.
fn close_in(
    asker: &mut Asker<'_>,
    trace: &Trace,
    judged: &JudgedReply,
    sighting: &mut Sighting,
) -> Result<Option<Cause>, HuntEnd> {
    *sighting = trace
        .sighting(&sighting.question, judged)
        .expect("a trace fits the reply it was made from");
    if *trace == Trace::Failed(NoReply::NoAnswer) {
        // A deep count that times out although each part of it is answered is slow, not stuck.
        let may_be_stuck = sighting.question.depth.get() <= DEEPEST_STUCK;
        if may_be_stuck {
            shrink(asker, trace, sighting)?;
        }
        return Ok(None);
    }
    shrink(asker, trace, sighting)?;
    // The fault is flaky if it does not show again. But a crash remains a crash, even if it depends on
    // earlier questions.
    let again = asker.reply(&sighting.question)?;
    let judged = asker.judge(&sighting.question, &again);
    let shows = judged.and_then(|judged| trace.sighting(&sighting.question, &judged));
    if shows.is_none() && *trace != Trace::Failed(NoReply::Crash) {
        sighting.fault = HuntFault::Flaky(vec![sighting.counts.theirs, count(&again)]);
    }
    // A list that is wrong in only a move or two is not that of another position.
    let is_of_another = !(1..=2).contains(&sighting.fault.wrong_moves().len());
    if is_of_another && let Some(ignored) = ignored_moves(asker, &sighting.question)? {
        sighting.fault = HuntFault::IgnoredMoves(ignored);
        return Ok(None);
    }
    let unknown = match &mut sighting.fault {
        HuntFault::StateAfterMoves(inner) => inner.as_mut(),
        fault => fault,
    };
    if matches!(unknown, HuntFault::UnknownMove(_)) {
        *unknown = candidates(asker, &sighting.question, sighting.counts)?;
    }
    cause(asker, sighting, &again)
}

/// The move that leaves something behind wrong, if that explains the fault.
fn cause(
    asker: &mut Asker<'_>,
    sighting: &Sighting,
    reply: &CountReply,
) -> Result<Option<Cause>, HuntEnd> {
    let question = &sighting.question;
    let route = &question.route;
    match &sighting.fault {
        HuntFault::StateAfterMoves(inner) => match &**inner {
            HuntFault::Moves(wrong) => Ok(cause::of_moves(route, wrong)),
            HuntFault::UnknownMove(wrong) if wrong.len() == 1 => Ok(cause::of_moves(route, wrong)),
            HuntFault::UnknownMove(_) | HuntFault::WrongCount(_) => {
                let mut counts = Vec::new();
                for depth in FIRST_DEPTHS.into_iter().filter_map(NonZeroU32::new) {
                    counts.extend(count(&asker.reply(&question.at_depth(depth))?));
                }
                Ok(cause::of_counts(route, &counts).filter(|_| counts.len() == FIRST_DEPTHS.len()))
            }
            _ => Ok(None),
        },
        HuntFault::Undo(_) => Ok(reply.as_ref().ok().and_then(|answer| {
            let divide = asker.divide(question)?;
            cause::of_rows(route, &divide, answer)
        })),
        _ => Ok(None),
    }
}

/// The moves of a route that an engine seems to have ignored, all from one on, or one with what cannot be
/// played without it: its counts at depths 1 and 2 are right without them, and wrong with them.
fn ignored_moves(
    asker: &mut Asker<'_>,
    question: &CountQuestion,
) -> Result<Option<Vec<Move>>, HuntEnd> {
    let moves = question.route.moves();
    if moves.is_empty() {
        return Ok(None);
    }
    let mut counted = Vec::new();
    let mut listed = None;
    for depth in [1, 2].into_iter().filter_map(NonZeroU32::new) {
        let asked = CountQuestion {
            route: question.route.clone(),
            depth,
        };
        let reply = asker.reply(&asked)?;
        let Some(count) = count(&reply) else {
            return Ok(None);
        };
        counted.push((depth.get(), count));
        listed = listed.or_else(|| reply.ok().and_then(|answer| moves_of(&answer)));
    }
    let counts = |position: &Position| {
        let is_it = |&(depth, theirs): &(u32, u64)| asker.truth(position, depth) == Some(theirs);
        counted.iter().all(is_it)
    };
    // With few pieces, counts may be right by chance; the moves tell.
    let lists = |position: &Position| {
        let is_listed = |m: &Move| {
            let is_it = |listed: &Move| listed == m || Some(*listed) == king_step(position, *m);
            listed
                .as_ref()
                .is_none_or(|all: &Vec<Move>| all.iter().any(is_it))
        };
        position.legal_moves().iter().all(is_listed)
    };
    if counts(question.position()) && lists(question.position()) {
        return Ok(None);
    }
    let board = |position: &Position| {
        let pieces = Square::ALL.map(|square| position.piece_at(square));
        (pieces, position.side_to_move())
    };
    let fits = |position: &Position| {
        // With the same pieces on the same squares, the castling or en passant rights are wrong.
        board(position) != board(question.position()) && counts(position) && lists(position)
    };
    let mut position = *question.route.root();
    for (played, &m) in moves.iter().enumerate() {
        if fits(&position) {
            return Ok(Some(moves[played..].to_vec()));
        }
        let (others, ignored) = without_first(position, &moves[played..]);
        if fits(&others) {
            return Ok(Some(ignored));
        }
        position = position.play_unchecked(m);
    }
    Ok(None)
}

/// The moves that an answer lists, if it lists them.
fn moves_of(answer: &Answer) -> Option<Vec<Move>> {
    let moves = answer.rows.as_ref()?.iter().map(|row| match row.meaning {
        MoveMeaning::Legal(m) | MoveMeaning::Illegal(m) => Some(m),
        MoveMeaning::Unreadable => None,
    });
    moves.collect()
}

/// Castling as a step of the king, which is how it reads where it is not legal.
fn king_step(position: &Position, m: Move) -> Option<Move> {
    let target = CastlingSide::new(m.from(), m.to()).king_target(position.side_to_move());
    position.is_castling(m).then(|| Move::new(m.from(), target))
}

/// Where an engine comes that ignores the first of these moves, castling as well if that is castling, and
/// what is then illegal; and the moves that it ignores.
fn without_first(mut position: Position, moves: &[Move]) -> (Position, Vec<Move>) {
    let is_castling = position.is_castling(moves[0]);
    let mut ignored = vec![moves[0]];
    for &m in &moves[1..] {
        let is_legal = position.legal_moves().contains(&m);
        if is_legal && !(is_castling && position.is_castling(m)) {
            position = position.play_unchecked(m);
        } else {
            ignored.push(m);
        }
    }
    (position, ignored)
}

impl Quarry {
    /// A fault of the position that was asked about, and of none before it.
    fn at(asked: &CountQuestion, counts: CountPair, fault: HuntFault, end: HuntEnd) -> Self {
        Self {
            path: asked.route.clone(),
            found: asked.clone(),
            sighting: Sighting {
                question: asked.clone(),
                counts,
                fault,
            },
            cause: None,
            end,
        }
    }

    /// A fault of which only one reply is known.
    fn unexplained(asked: &CountQuestion, judged: &JudgedReply, end: HuntEnd) -> Self {
        let fault = match &judged.symptom {
            Symptom::Failed(failure) => HuntFault::Failed(failure.clone()),
            Symptom::Rows(rows) => HuntFault::WrongCount(rows.clone()),
            _ => HuntFault::WrongCount(Vec::new()),
        };
        Self::at(asked, judged.counts, fault, end)
    }
}

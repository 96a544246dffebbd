//! Descends the tree to the first position that is wrong by itself.

use chess::rules::Move;

use super::fault::HuntEnd;
use super::judge::{Asker, JudgedReply, Symptom};
use super::question::CountQuestion;
use super::trace::{Trace, mated_below};
use crate::count::subject::Route;

/// A wrong reply during the descent.
#[derive(Clone, Debug)]
pub(super) struct WrongNode {
    /// The moves from the initial question to here.
    pub(super) path: Route,
    /// The shortest known question for which the subject miscounts this position.
    pub(super) question: CountQuestion,
    pub(super) judged: JudgedReply,
}

/// Descends from a wrong reply as long as a position below is wrong when asked about directly. Returns the
/// last wrong reply, and the trace to follow from there, unless asking ended before it was known.
pub(super) fn descend(
    asker: &mut Asker<'_>,
    mut node: WrongNode,
) -> (WrongNode, Result<Trace, HuntEnd>) {
    let trace = descend_to_trace(asker, &mut node);
    (node, trace)
}

fn descend_to_trace(asker: &mut Asker<'_>, node: &mut WrongNode) -> Result<Trace, HuntEnd> {
    // The route is cut to the last moves that still produce the wrong reply.
    for length in 0..node.question.route.moves().len() {
        let question = node.question.by_last_moves(length);
        if let Some(judged) = wrong_alike(asker, &question, &node.judged)? {
            (node.question, node.judged) = (question, judged);
            break;
        }
    }
    while let Some(next) = wrong_below(asker, node)? {
        *node = next;
    }
    // A subject that counts 1 in a position without moves may count the position itself, or an
    // illegal move: in the second case its count one ply deeper is not 1.
    if let Symptom::Mated(_) = node.judged.symptom {
        let deeper = node.question.depth.saturating_add(1);
        let reply = asker.reply(&node.question.at_depth(deeper))?;
        if reply.is_ok_and(|answer| answer.count() != Some(1)) {
            node.judged.symptom = Symptom::Count;
        }
    }
    Ok(Trace::new(&node.question, &node.judged))
}

/// The next wrong reply below; `None` if this position is wrong by itself.
fn wrong_below(asker: &mut Asker<'_>, node: &WrongNode) -> Result<Option<WrongNode>, HuntEnd> {
    match &node.judged.symptom {
        Symptom::Moves(_) | Symptom::Total | Symptom::Mated(_) => Ok(None),
        Symptom::Rows(rows) => {
            // In a position without moves, the total is the whole fault; other rows would lead away
            // from it.
            let position = node.question.position();
            let mated = rows.iter().find(|row| mated_below(position, row).is_some());
            let rows = mated.map_or(rows.as_slice(), std::slice::from_ref);
            wrong_child(asker, node, rows.iter().map(|row| row.m))
        }
        Symptom::Failed(_) | Symptom::Count => {
            // The same position at the smallest depth at which it is still wrong comes first.
            for depth in node.question.smaller_depths() {
                let question = node.question.at_depth(depth);
                if let Some(judged) = wrong_alike(asker, &question, &node.judged)? {
                    let path = node.path.clone();
                    return Ok(Some(WrongNode {
                        path,
                        question,
                        judged,
                    }));
                }
            }
            let moves = node.question.position().legal_moves();
            wrong_child(asker, node, moves.into_iter())
        }
    }
}

/// The first child that is wrong when asked about: by FEN first, then by moves.
fn wrong_child(
    asker: &mut Asker<'_>,
    node: &WrongNode,
    moves: impl Iterator<Item = Move>,
) -> Result<Option<WrongNode>, HuntEnd> {
    let children: Vec<(Move, CountQuestion)> = moves
        .filter_map(|m| Some((m, node.question.child(m)?)))
        .collect();
    let longest = node.question.route.moves().len() + 1;
    for by_moves in [false, true] {
        let lengths = if by_moves { 1..=longest } else { 0..=0 };
        for (m, child) in &children {
            for length in lengths.clone() {
                let question = child.by_last_moves(length);
                if let Some(judged) = wrong_alike(asker, &question, &node.judged)? {
                    let path = node.path.then(*m);
                    return Ok(Some(WrongNode {
                        path,
                        question,
                        judged,
                    }));
                }
            }
        }
    }
    Ok(None)
}

/// The fault in a reply, if both replies are answers, or both failures of the same kind.
fn wrong_alike(
    asker: &mut Asker<'_>,
    question: &CountQuestion,
    other: &JudgedReply,
) -> Result<Option<JudgedReply>, HuntEnd> {
    let judged = asker.judged(question)?;
    Ok(judged.filter(|judged| judged.breakdown() == other.breakdown()))
}

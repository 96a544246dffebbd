//! Which move is wrong, when the subject says only how many there are.

use std::num::NonZeroU32;

use engine::rules::{Move, Piece, PieceType, Position, mailbox};

use super::ask::{Asker, Question};
use super::fault::WrongMove;
use super::finding::{Counts, End};

/// A single fault that explains the number of moves.
struct Candidate {
    wrong: WrongMove,
    /// How many more, or fewer, leaf nodes it makes at depth 2.
    nodes: u64,
}

/// What the subject counts at depth 1 below each legal move, in the order of squares.
type Children = Vec<(Move, u64)>;

/// The single faults that explain a wrong count at depth 1, and at depth 2 too if any does: a move
/// that is missing, extra or listed twice, or a pawn that is promoted to a queen only.
///
/// # Errors
///
/// When asking came to its end.
pub(super) fn candidates(
    asker: &mut Asker<'_>,
    question: &Question,
    counts: Counts,
) -> Result<Vec<WrongMove>, End> {
    let Some(children) = children(asker, question)? else {
        return Ok(Vec::new());
    };
    let off = i128::from(counts.theirs.unwrap_or(0)) - i128::from(counts.ours);
    let mut fitting = explanations(question.position(), &children, off);
    if let Some(total) = count(asker, &question.at_depth(TWO))? {
        let sum: i128 = children.iter().map(|&(_, nodes)| i128::from(nodes)).sum();
        let added = (i128::from(total) - sum).unsigned_abs();
        let fits = |candidate: &Candidate| added == u128::from(candidate.nodes);
        if fitting.iter().any(fits) {
            fitting.retain(fits);
        }
    }
    let wrong = fitting.into_iter().map(|candidate| candidate.wrong);
    Ok(wrong.collect())
}

const ONE: NonZeroU32 = NonZeroU32::MIN;
const TWO: NonZeroU32 = ONE.saturating_add(1);

/// `None` when the subject has no answer for one of them.
fn children(asker: &mut Asker<'_>, question: &Question) -> Result<Option<Children>, End> {
    let mut moves: Vec<Move> = question.position().legal_moves().to_vec();
    moves.sort_unstable();
    let mut children = Vec::new();
    for m in moves {
        let child = question.position().play_unchecked(m);
        match count(asker, &Question::by_fen(child, ONE))? {
            Some(nodes) => children.push((m, nodes)),
            None => return Ok(None),
        }
    }
    Ok(Some(children))
}

fn count(asker: &mut Asker<'_>, question: &Question) -> Result<Option<u64>, End> {
    let reply = asker.reply(question)?;
    Ok(reply.ok().and_then(|answer| answer.count()))
}

fn explanations(position: &Position, children: &Children, off: i128) -> Vec<Candidate> {
    match off {
        -1 => each(children, WrongMove::Missing),
        1 => {
            let mut found = each(children, |m| WrongMove::Duplicate { m, times: 2 });
            found.extend(extras(position));
            found
        }
        -3 => only_queens(children),
        _ => Vec::new(),
    }
}

fn each(children: &Children, wrong: impl Fn(Move) -> WrongMove) -> Vec<Candidate> {
    let candidate = |&(m, nodes): &(Move, u64)| Candidate {
        wrong: wrong(m),
        nodes,
    };
    children.iter().map(candidate).collect()
}

fn only_queens(children: &Children) -> Vec<Candidate> {
    let queens = children
        .iter()
        .filter(|(m, _)| m.promotion() == Some(PieceType::Queen));
    queens
        .map(|&(queen, _)| {
            let (from, to) = (queen.from(), queen.to());
            let others = children
                .iter()
                .filter(|(m, _)| *m != queen && (m.from(), m.to()) == (from, to));
            Candidate {
                wrong: WrongMove::Promotions {
                    from,
                    to,
                    listed: vec![Some(PieceType::Queen)],
                },
                nodes: others.map(|&(_, nodes)| nodes).sum(),
            }
        })
        .collect()
}

/// Moves that only the safety of the king, or the rules of castling, forbid.
fn extras(position: &Position) -> Vec<Candidate> {
    let setup = position.to_setup();
    let mut moves = pseudo_legal(position);
    moves.retain(|&m| !position.is_legal(m));
    moves.sort_unstable();
    let candidate = |m| Candidate {
        wrong: WrongMove::Extra {
            m,
            text: String::new(),
        },
        nodes: mailbox::legal_moves(&mailbox::play(&setup, m)).len() as u64,
    };
    moves.into_iter().map(candidate).collect()
}

fn pseudo_legal(position: &Position) -> Vec<Move> {
    let us = position.side_to_move();
    let king = position.king(us);
    // A side without a king is never in check: a knight in its stead leaves every way as it was.
    let mut kingless = position.to_setup();
    kingless.board[king.index()] = Some(Piece::new(us, PieceType::Knight));
    let mut moves = mailbox::legal_moves(&kingless);
    moves.retain(|m| m.from() != king);
    for (files, ranks) in [
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, -1),
        (0, 1),
        (1, -1),
        (1, 0),
        (1, 1),
    ] {
        let step = king.offset(files, ranks);
        let step = step.filter(|&to| !position.by_color(us).contains(to));
        moves.extend(step.map(|to| Move::new(king, to)));
    }
    let beside = position.pieces(us, PieceType::Rook) & king.rank().bitboard();
    moves.extend(beside.into_iter().map(|rook| Move::new(king, rook)));
    moves
}

//! Finds the wrong move when the subject reports only the number of moves.

use std::num::NonZeroU32;

use chess::rules::{Move, Piece, PieceType, Position, Setup, mailbox};

use super::fault::{CountPair, HuntEnd, WrongMove};
use super::judge::Asker;
use super::question::CountQuestion;
use super::trace::{MoveCategory, MoveClass};

/// A single fault that explains the number of moves.
struct FaultCandidate {
    wrong: WrongMove,
    /// The subtrees of these moves are counted too often, or not at all.
    moves: Vec<Move>,
}

/// The subject's count below each legal move, in the order of squares.
type Children = Vec<(Move, u64)>;

/// The single faults that explain a wrong count at depth 1, and at depths 2 and 3 too: a move that
/// is missing, extra or listed twice, or a pawn that promotes only to a queen. The question must
/// have been shrunk.
///
/// # Errors
///
/// When a limit was reached or the run was cancelled.
pub(super) fn candidates(
    asker: &mut Asker<'_>,
    question: &CountQuestion,
    counts: CountPair,
) -> Result<Vec<WrongMove>, HuntEnd> {
    let position = question.position();
    let off = i128::from(counts.theirs.unwrap_or(0)) - i128::from(counts.ours);
    let legal = legal_moves(position);
    let mut fitting = match off {
        -1 => each(legal, WrongMove::Missing),
        1 => {
            let mut found = each(legal, |m| WrongMove::Duplicate { m, times: 2 });
            let mut illegal = pseudo_legal(position);
            illegal.retain(|&m| !position.is_legal(m));
            illegal.sort_unstable();
            found.extend(each(illegal, |m| WrongMove::Extra {
                m,
                text: String::new(),
            }));
            found
        }
        -3 => only_queens(&legal),
        _ => Vec::new(),
    };
    for depth in [2, 3].into_iter().filter_map(NonZeroU32::new) {
        if !fitting.is_empty() {
            keep_fitting(asker, question, depth, &mut fitting)?;
        }
    }
    // Without its remaining en passant square or castling right, a shrunk position would not show
    // the fault.
    let own = position.by_color(position.side_to_move());
    let may_castle = position.castling_rooks().intersects(own);
    let kind = match position.ep_square() {
        Some(_) => Some(MoveCategory::EnPassant),
        None => may_castle.then_some(MoveCategory::Castling),
    };
    if let Some(kind) = kind {
        let is_of_kind = |candidate: &FaultCandidate| {
            let mut moves = candidate.moves.iter();
            moves.any(|&m| MoveClass::new(m, position).kind() == kind)
        };
        keep_if_any(&mut fitting, is_of_kind);
    }
    let wrong = fitting.into_iter().map(|candidate| candidate.wrong);
    Ok(wrong.collect())
}

/// Keeps the candidates that also explain the count at this depth. The subject itself is asked
/// below the legal moves, as it may be wrong there as well.
fn keep_fitting(
    asker: &mut Asker<'_>,
    question: &CountQuestion,
    depth: NonZeroU32,
    fitting: &mut Vec<FaultCandidate>,
) -> Result<(), HuntEnd> {
    let Some(below) = NonZeroU32::new(depth.get() - 1) else {
        return Ok(());
    };
    let Some(total) = count(asker, &question.at_depth(depth))? else {
        return Ok(());
    };
    let Some(children) = children(asker, question.position(), below)? else {
        return Ok(());
    };
    let sum: i128 = children.iter().map(|&(_, nodes)| i128::from(nodes)).sum();
    let added = (i128::from(total) - sum).unsigned_abs();
    let setup = question.position().to_setup();
    let fits = |candidate: &FaultCandidate| {
        let moves = candidate.moves.iter();
        let nodes = moves.map(|&m| u128::from(nodes(m, &setup, &children, below)));
        nodes.sum::<u128>() == added
    };
    // The subject's count below an illegal move is only a guess: such a candidate is dropped when
    // another fits, not because it does not fit itself.
    if !fitting.iter().any(fits) {
        fitting.retain(|candidate| matches!(candidate.wrong, WrongMove::Extra { .. }));
    }
    keep_if_any(fitting, fits);
    Ok(())
}

/// The subject's count below a move, or the mailbox generator's if the subject cannot be asked.
fn nodes(m: Move, setup: &Setup, children: &Children, depth: NonZeroU32) -> u64 {
    match children.iter().find(|(legal, _)| *legal == m) {
        Some(&(_, nodes)) => nodes,
        None => mailbox::perft(&mailbox::play(setup, m), depth.get()),
    }
}

fn keep_if_any(fitting: &mut Vec<FaultCandidate>, keep: impl Fn(&FaultCandidate) -> bool) {
    if fitting.iter().any(&keep) {
        fitting.retain(&keep);
    }
}

/// `None` if the subject has no answer for one of them.
fn children(
    asker: &mut Asker<'_>,
    position: &Position,
    depth: NonZeroU32,
) -> Result<Option<Children>, HuntEnd> {
    let mut children = Vec::new();
    for m in legal_moves(position) {
        let child = position.play_unchecked(m);
        match count(asker, &CountQuestion::by_fen(child, depth))? {
            Some(nodes) => children.push((m, nodes)),
            None => return Ok(None),
        }
    }
    Ok(Some(children))
}

fn count(asker: &mut Asker<'_>, question: &CountQuestion) -> Result<Option<u64>, HuntEnd> {
    let reply = asker.reply(question)?;
    Ok(reply.ok().and_then(|answer| answer.count()))
}

fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable();
    moves
}

fn each(moves: Vec<Move>, wrong: impl Fn(Move) -> WrongMove) -> Vec<FaultCandidate> {
    let candidate = |m| FaultCandidate {
        wrong: wrong(m),
        moves: vec![m],
    };
    moves.into_iter().map(candidate).collect()
}

fn only_queens(legal: &[Move]) -> Vec<FaultCandidate> {
    let is_queen = |m: &&Move| m.promotion() == Some(PieceType::Queen);
    let candidate = |queen: &Move| {
        let (from, to) = (queen.from(), queen.to());
        let others = legal
            .iter()
            .filter(|&m| m != queen && (m.from(), m.to()) == (from, to));
        FaultCandidate {
            wrong: WrongMove::Promotions {
                from,
                to,
                listed: vec![Some(PieceType::Queen)],
            },
            moves: others.copied().collect(),
        }
    };
    legal.iter().filter(is_queen).map(candidate).collect()
}

/// Moves that are legal but for king safety and the castling rules.
fn pseudo_legal(position: &Position) -> Vec<Move> {
    let us = position.side_to_move();
    let king = position.king(us);
    // A side without a king is never in check; the knight in its place keeps all lines as they
    // were.
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

//! Finds the wrong move when the subject reports only the number of moves.

use std::num::NonZeroU32;

use chess::rules::explain::explain;
use chess::rules::{
    CastlingMode, CastlingSide, File, Move, Piece, PieceType, Position, Rank, Setup, Square,
    mailbox,
};

use super::fault::{CountPair, HuntEnd, HuntFault, WrongMove, leaves_king_in_check};
use super::judge::{Asker, Symptom};
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

/// The fault of a wrong count at depth 1. The rows of depth 2 name it, if there are rows there. Otherwise
/// it is each single fault that explains depth 1, and depths 2 and 3 too: a move that is missing, extra
/// or listed twice, or a pawn that promotes only to a queen; or that all moves are counted which leave
/// the king in check. The question must have been shrunk.
///
/// # Errors
///
/// When a limit was reached or the run was cancelled.
pub(super) fn candidates(
    asker: &mut Asker<'_>,
    question: &CountQuestion,
    counts: CountPair,
) -> Result<HuntFault, HuntEnd> {
    let position = question.position();
    let two = question.depth.saturating_add(1);
    if let Some(judged) = asker.judged(&question.at_depth(two))?
        && let Symptom::Moves(moves) = judged.symptom
    {
        return Ok(HuntFault::Moves(moves));
    }
    let off = i128::from(counts.theirs.unwrap_or(0)) - i128::from(counts.ours);
    let legal = legal_moves(position);
    let mut fitting = match off {
        -1 => each(legal, WrongMove::Missing),
        1 => {
            let mut found = each(legal, |m| WrongMove::Duplicate { m, times: 2 });
            found.extend(each(illegal(position), counted));
            found
        }
        2.. => {
            let mut moves = illegal(position);
            moves.retain(|&m| leaves_king_in_check(explain(position, m).rule()));
            if i128::try_from(moves.len()) == Ok(off) {
                return Ok(HuntFault::Moves(moves.into_iter().map(counted).collect()));
            }
            Vec::new()
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
    let root = question.route.root();
    let us = position.side_to_move();
    let rights = root.castling_rooks() & root.by_color(us);
    let is_en_passant = position.ep_square().is_some();
    let is_of_part = |candidate: &FaultCandidate| {
        candidate
            .moves
            .iter()
            .any(|&m| match MoveClass::new(m, position).kind() {
                MoveCategory::EnPassant => is_en_passant,
                MoveCategory::Castling => {
                    let side = CastlingSide::new(m.from(), m.to());
                    let mut rights = rights.into_iter();
                    !is_en_passant
                        && rights.any(|rook| CastlingSide::new(root.king(us), rook) == side)
                }
                _ => false,
            })
    };
    keep_if_any(&mut fitting, is_of_part);
    let wrong = fitting.into_iter().map(|candidate| candidate.wrong);
    Ok(HuntFault::UnknownMove(wrong.collect()))
}

/// A move that is counted, and so not named.
fn counted(m: Move) -> WrongMove {
    let text = String::new();
    WrongMove::Extra { m, text }
}

fn illegal(position: &Position) -> Vec<Move> {
    let mut moves = pseudo_legal(position);
    moves.retain(|&m| !explain(position, m).is_legal());
    moves.sort_unstable();
    moves.dedup();
    moves
}

const TWO: NonZeroU32 = NonZeroU32::new(2).expect("not 0");

/// Keeps the candidates that also explain the count at this depth. The subject itself is asked
/// below the legal moves, and by them if the position is given by moves, as it may be wrong there as well.
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
    let Some(children) = children(asker, question, below)? else {
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
    // another fits, not because it does not fit itself. From depth 3 on, a right that is lost changes more
    // than the first move.
    if depth == TWO && !fitting.iter().any(fits) {
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
    question: &CountQuestion,
    depth: NonZeroU32,
) -> Result<Option<Children>, HuntEnd> {
    let length = question.route.moves().len();
    let mut children = Vec::new();
    for m in legal_moves(question.position()) {
        let route = question.route.then(m);
        // A position given by FEN has children given by FEN.
        let route = route.by_last_moves(if length == 0 { 0 } else { length + 1 });
        match count(asker, &CountQuestion { route, depth })? {
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
pub(crate) fn pseudo_legal(position: &Position) -> Vec<Move> {
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
    let home = Rank::R1.relative_to(us);
    let castling: Vec<Move> = match position.castling_mode() {
        // Without a rook too: a right may outlive it.
        CastlingMode::Standard if king == Square::new(File::E, home) => {
            let rooks = position.pieces(us, PieceType::Rook);
            let castling = |(side, file): (CastlingSide, File)| {
                let corner = Square::new(file, home);
                let has_rook = rooks.contains(corner);
                Move::new(
                    king,
                    if has_rook {
                        corner
                    } else {
                        side.king_target(us)
                    },
                )
            };
            let sides = [
                (CastlingSide::King, File::H),
                (CastlingSide::Queen, File::A),
            ];
            sides.into_iter().map(castling).collect()
        }
        CastlingMode::Chess960 if king.rank() == home => {
            let beside = position.pieces(us, PieceType::Rook) & home.bitboard();
            beside
                .into_iter()
                .map(|rook| Move::new(king, rook))
                .collect()
        }
        _ => Vec::new(),
    };
    moves.extend(castling);
    moves
}

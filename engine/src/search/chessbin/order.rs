//! Move ordering: the earlier the best move, the more cutoffs.

use arrayvec::ArrayVec;

use super::ChessBinFeatures;
use crate::eval::ChessBin;
use crate::search::MAX_PLY;
use chess::rules::{MAX_MOVES, Move, PieceType, Position};

/// Killer moves: the two latest quiet moves per ply that caused a beta cutoff.
pub(super) struct Killers(Box<[[Option<Move>; 2]]>);

impl Killers {
    pub(super) fn new() -> Self {
        Self(vec![[None; 2]; MAX_PLY + 1].into())
    }

    pub(super) fn at(&self, ply: usize) -> [Option<Move>; 2] {
        self.0[ply]
    }

    pub(super) fn add(&mut self, ply: usize, m: Move) {
        let [first, second] = &mut self.0[ply];
        if *first != Some(m) {
            *second = first.replace(m);
        }
    }
}

#[derive(Clone, Copy, Default)]
pub(super) struct OrderingHints {
    pub(super) tt_move: Option<Move>,
    /// The killer moves of this ply.
    pub(super) killers: [Option<Move>; 2],
}

/// Yields moves best first; equal ones in generation order.
pub(super) struct Ordered {
    moves: ArrayVec<(i16, Move), MAX_MOVES>,
    next: usize,
}

const TT_MOVE: i16 = i16::MAX;
/// Above all scores of quiet moves, below every capture.
const KILLERS: [i16; 2] = [60, 59];

impl Ordered {
    pub(super) fn new(
        moves: impl IntoIterator<Item = Move>,
        position: &Position,
        hints: OrderingHints,
        features: ChessBinFeatures,
    ) -> Self {
        let rank = |m| {
            if hints.tt_move == Some(m) {
                TT_MOVE
            } else if let Some(rank) = killer_rank(position, m, hints.killers) {
                rank
            } else if features.mvv_lva {
                published_score(position, m)
            } else {
                0
            }
        };
        Self {
            moves: moves.into_iter().map(|m| (rank(m), m)).collect(),
            next: 0,
        }
    }
}

impl Iterator for Ordered {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let rest = &mut self.moves[self.next..];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].0 > rest[best].0 {
                best = index;
            }
        }
        let &(_, m) = rest.get(best)?;
        // The other moves keep their order, so that ties are resolved in generation order.
        rest[..=best].rotate_right(1);
        self.next += 1;
        Some(m)
    }
}

/// The rank of a killer move. If it captures something in this position, it is not quiet and not a
/// killer.
fn killer_rank(position: &Position, m: Move, killers: [Option<Move>; 2]) -> Option<i16> {
    let index = killers.iter().position(|&killer| killer == Some(m))?;
    (!is_noisy(position, m)).then_some(KILLERS[index])
}

/// Whether a move is noisy: a capture or a queen promotion.
pub(super) fn is_noisy(position: &Position, m: Move) -> bool {
    m.promotion() == Some(PieceType::Queen) || position.is_capture(m)
}

/// The score of the articles' `EvaluateMoves`: the value of the victim, plus its surplus over the
/// attacker's value; the action value of the moving piece; bonuses for castling and penalties for
/// losing the right. A queen promotion, which the articles do not score, counts as its material
/// gain.
fn published_score(position: &Position, m: Move) -> i16 {
    let value = |kind| ChessBin::piece_value(kind);
    let kind = position
        .piece_type_at(m.from())
        .expect("a legal move starts from a piece");
    let mut score = ChessBin::action_value(kind);
    if position.is_castling(m) {
        score += 40;
    } else if may_castle(position) && matches!(kind, PieceType::King | PieceType::Rook) {
        score -= 40;
    }
    if position.is_capture(m) && !position.is_castling(m) {
        let victim = position.piece_type_at(m.to()).unwrap_or(PieceType::Pawn);
        score += value(victim) + (value(victim) - value(kind)).max(0);
    }
    if m.promotion() == Some(PieceType::Queen) {
        score += value(PieceType::Queen) - value(PieceType::Pawn);
    }
    i16::try_from(score).expect("no victim is a king")
}

/// Whether the side to move still has castling rights.
fn may_castle(position: &Position) -> bool {
    position
        .castling_rooks()
        .intersects(position.by_color(position.side_to_move()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;
    use chess::rules::Square;

    #[test]
    fn scores_are_the_published_ones() {
        let board = fen::parse("4k3/P6q/8/2r3N1/3P4/1n6/8/R3K2R w KQ - 0 1").expect("legal");
        #[rustfmt::skip]
        let rows = [
            // Pawn takes rook: 500 + (500 - 100) + 6.
            (Move::new(Square::D4, Square::C5), 906),
            // Knight takes queen: 975 + (975 - 320) + 3.
            (Move::new(Square::G5, Square::H7), 1633),
            // Rook takes queen, spoiling castling: 975 + (975 - 500) + 2 - 40.
            (Move::new(Square::H1, Square::H7), 1412),
            (Move::new(Square::E1, Square::H1), 41),
            (Move::new(Square::E1, Square::E2), -39),
            (Move::new(Square::D4, Square::D5), 6),
            (Move::new_promotion(Square::A7, Square::A8, PieceType::Queen), 881),
            (Move::new_promotion(Square::A7, Square::A8, PieceType::Rook), 6),
        ];
        for (m, expected) in rows {
            assert_eq!(published_score(&board, m), expected, "{m}");
        }
    }
}

//! Attacks, defences and mobility; the attacks of each piece are computed once.
//!
//! Pins are ignored, as in the articles. The king comes last, because it acts only on squares that
//! the enemy does not attack.

use super::{ChessBin, Term, TermSink};
use crate::eval::Phased;
use chess::rules::attacks::{self, Sliders};
use chess::rules::{
    Bitboard, ByColor, Color, PieceType, Position, Rank, Square, king_danger, may_castle,
};

/// A king with fewer than two moves is close to being mated.
const FEW_MOVES: Phased = Phased::both(-5);

/// For each piece on the board, the action values of its defenders and attackers.
pub(super) struct ActionValues {
    /// By acting side: sums of action values, 0 on empty squares. At most 16 pieces act, with a
    /// value of at most 6 each.
    on: ByColor<[u8; Square::COUNT]>,
    /// All squares attacked by each side's pieces, except its king.
    reach: ByColor<Bitboard>,
}

impl ActionValues {
    /// Computes all actions, and adds each side's mobility and king mobility to the sink.
    #[inline(always)]
    pub(super) fn new<S: Sliders>(
        position: &Position,
        sliders: S,
        sink: &mut impl TermSink,
    ) -> Self {
        let mut actions = Self {
            on: ByColor([[0; Square::COUNT]; Color::COUNT]),
            reach: ByColor::default(),
        };
        let mut mobility = Color::ALL.map(|color| {
            actions.add_pawns(position, color) + actions.add_pieces(position, color, sliders)
        });
        for color in Color::ALL {
            let moves = actions.add_king(position, color, sliders);
            if moves < 2 {
                sink.add(Term::KingMoves, color, FEW_MOVES);
            }
            mobility[color.index()] += moves;
            sink.add(
                Term::Mobility,
                color,
                Phased::both(mobility[color.index()].cast_signed()),
            );
        }
        actions
    }

    /// The sum of the action values of the pieces of `by` that act on the piece on `square`.
    #[inline(always)]
    pub(super) fn on(&self, square: Square, by: Color) -> i32 {
        i32::from(self.on[by][square.index()])
    }

    /// Adds the pawns of one side; returns their number of moves. A promotion counts as one move.
    #[inline(always)]
    fn add_pawns(&mut self, position: &Position, color: Color) -> u32 {
        let pawns = position.pieces(color, PieceType::Pawn);
        let occupied = position.occupied();
        let mut takeable = takeable(position, color);
        if let Some(square) = position
            .ep_square()
            .filter(|_| position.side_to_move() == color)
        {
            takeable |= square.bitboard();
        }
        let steps = pawns.forward(color) & !occupied;
        let third_rank = Rank::R3.relative_to(color).bitboard();
        let double_steps = (steps & third_rank).forward(color) & !occupied;
        let mut moves = steps.count() + double_steps.count();
        for targets in [pawns.forward(color).east(), pawns.forward(color).west()] {
            self.act(color, PieceType::Pawn, targets, occupied);
            moves += (targets & takeable).count();
        }
        moves
    }

    /// Adds the knights, bishops, rooks and queens of one side; returns their number of moves.
    #[inline(always)]
    fn add_pieces<S: Sliders>(&mut self, position: &Position, color: Color, sliders: S) -> u32 {
        let occupied = position.occupied();
        let free = !occupied | takeable(position, color);
        let mut moves = 0;
        let mut add = |kind, targets: Bitboard| {
            self.act(color, kind, targets, occupied);
            moves += (targets & free).count();
        };
        for from in position.pieces(color, PieceType::Knight) {
            add(PieceType::Knight, attacks::knight(from));
        }
        for from in position.pieces(color, PieceType::Bishop) {
            add(PieceType::Bishop, sliders.bishop(from, occupied));
        }
        for from in position.pieces(color, PieceType::Rook) {
            add(PieceType::Rook, sliders.rook(from, occupied));
        }
        for from in position.pieces(color, PieceType::Queen) {
            let targets = sliders.bishop(from, occupied) | sliders.rook(from, occupied);
            add(PieceType::Queen, targets);
        }
        moves
    }

    /// Adds the king of one side, after all other pieces; returns its number of moves, including
    /// castling.
    #[inline(always)]
    fn add_king<S: Sliders>(&mut self, position: &Position, color: Color, sliders: S) -> u32 {
        let king = position.king(color);
        let in_check = self.on(king, !color) != 0;
        // A checking slider attacks through the king, which cannot step back along the line.
        let danger = if in_check {
            king_danger(position, !color, sliders)
        } else {
            self.reach[!color] | attacks::king(position.king(!color))
        };
        let targets = attacks::king(king) & !danger;
        self.act(color, PieceType::King, targets, position.occupied());
        let steps = (targets & !position.by_color(color)).count();
        if in_check {
            return steps;
        }
        (position.castling_rooks() & position.by_color(color))
            .into_iter()
            .filter(|&rook| may_castle(position, color, sliders, danger, rook))
            .fold(steps, |moves, _| moves + 1)
    }

    /// Adds the actions of pieces of one kind; no two of them may reach the same square.
    #[inline(always)]
    fn act(&mut self, color: Color, kind: PieceType, targets: Bitboard, occupied: Bitboard) {
        if kind != PieceType::King {
            self.reach[color] |= targets;
        }
        for square in targets & occupied {
            self.on[color][square.index()] += action_value(kind);
        }
    }
}

/// The pieces that `color` can attack: all but the enemy king.
#[inline(always)]
fn takeable(position: &Position, color: Color) -> Bitboard {
    position.by_color(!color) & !position.by_type(PieceType::King)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 1 to 6"
)]
const fn action_value(kind: PieceType) -> u8 {
    ChessBin::action_value(kind) as u8
}

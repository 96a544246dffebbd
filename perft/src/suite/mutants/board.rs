//! The mutant's board: 64 squares, and the irreversible state kept on a stack.

use std::collections::HashMap;

use chess::rules::{ByColor, CastlingSide, Color, Piece, PieceType, Position, Square};

use super::Mutation;

/// The key of the table of counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TableKey {
    pub(super) board: [Option<Piece>; Square::COUNT],
    pub(super) side_to_move: Color,
    pub(super) ep_square: Option<Square>,
    pub(super) rights: Option<ByColor<[Option<Square>; CastlingSide::COUNT]>>,
    pub(super) depth: u32,
}

/// A move generator that breaks at most one rule.
///
/// Whatever is broken, it never panics and every count terminates, even if a king is captured, a
/// second one appears, or pieces vanish.
#[derive(Clone, Debug)]
pub struct Mutant {
    mutation: Option<Mutation>,
    /// The side for which the rule is broken; `None` for both.
    side: Option<Color>,
    pub(super) board: [Option<Piece>; Square::COUNT],
    pub(super) state: State,
    /// The squares changed by moves, with their previous contents.
    pub(super) changes: Vec<(Square, Option<Piece>)>,
    /// The pseudo-legal moves of every ply from the root to the current one.
    pub(super) moves: Vec<Step>,
    /// Subtree counts, for mutations with a table.
    pub(super) counted: HashMap<TableKey, u64>,
}

/// The state that a move changes besides the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) side_to_move: Color,
    pub(super) ep_square: Option<Square>,
    /// Plies since the last pawn move or capture.
    pub(super) halfmove_clock: u32,
    /// The rooks with castling rights.
    pub(super) rights: ByColor<[Option<Square>; CastlingSide::COUNT]>,
    /// The kings' squares, as far as the mutant keeps them up to date.
    pub(super) kings: ByColor<Option<Square>>,
    /// The move that led here.
    pub(super) last: Option<Step>,
}

/// A move in the mutant's representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: Square,
    /// For castling, the rook's square.
    pub(super) to: Square,
    pub(super) kind: Kind,
}

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    DoublePush,
    EnPassant,
    Promotion(PieceType),
    Castling(CastlingSide),
}

impl Mutant {
    /// A generator with one broken rule, or with none, at the start position.
    pub fn new(mutation: Option<Mutation>) -> Self {
        let mut mutant = Self {
            mutation,
            side: None,
            board: [None; Square::COUNT],
            state: State {
                side_to_move: Color::White,
                ep_square: None,
                halfmove_clock: 0,
                rights: ByColor::default(),
                kings: ByColor::default(),
                last: None,
            },
            changes: Vec::new(),
            moves: Vec::new(),
            counted: HashMap::new(),
        };
        mutant.set(&Position::startpos());
        mutant
    }

    /// A generator with a rule that is broken only when this side is to move: many engines have
    /// separate code for each side.
    pub fn of_side(mutation: Mutation, side: Color) -> Self {
        Self {
            side: Some(side),
            ..Self::new(Some(mutation))
        }
    }

    /// The rule that is broken.
    pub fn mutation(&self) -> Option<Mutation> {
        self.mutation
    }

    /// Sets up a position as a FEN does: no earlier state remains.
    pub fn set(&mut self, position: &Position) {
        self.board = Square::ALL.map(|square| position.piece_at(square));
        self.changes.clear();
        self.moves.clear();
        self.counted.clear();
        self.state = State {
            side_to_move: position.side_to_move(),
            ep_square: position.ep_square(),
            halfmove_clock: position.halfmove_clock(),
            rights: ByColor(Color::ALL.map(|color| self.rights_given(position, color))),
            kings: ByColor(Color::ALL.map(|color| Some(position.king(color)))),
            last: None,
        };
    }

    fn rights_given(&self, position: &Position, color: Color) -> [Option<Square>; 2] {
        let mut rights = [None; CastlingSide::COUNT];
        let king = position.king(color);
        let assumes_outermost = self.mutation == Some(Mutation::Chess960OutermostRookAssumed)
            && self.side.is_none_or(|side| side == color);
        for rook in position.castling_rooks() & position.by_color(color) {
            let side = CastlingSide::new(king, rook);
            rights[side.index()] = Some(if assumes_outermost {
                self.outermost_rook(king, color, side).unwrap_or(rook)
            } else {
                rook
            });
        }
        rights
    }

    fn outermost_rook(&self, king: Square, color: Color, side: CastlingSide) -> Option<Square> {
        let mut rooks = Square::ALL.into_iter().filter(|&square| {
            square.rank() == king.rank()
                && CastlingSide::new(king, square) == side
                && self.at(square) == Some(Piece::new(color, PieceType::Rook))
        });
        match side {
            CastlingSide::Queen => rooks.next(),
            CastlingSide::King => rooks.next_back(),
        }
    }

    /// Whether this is the broken rule for the side to move.
    #[inline(always)]
    pub(super) fn has(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation) && self.is_side_to_break()
    }

    /// The broken rule for the side to move.
    #[inline(always)]
    pub(super) fn broken(&self) -> Option<Mutation> {
        self.mutation.filter(|_| self.is_side_to_break())
    }

    #[inline(always)]
    fn is_side_to_break(&self) -> bool {
        self.side.is_none_or(|side| side == self.state.side_to_move)
    }

    /// The piece on a square.
    #[inline(always)]
    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    #[inline(always)]
    pub(super) fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    /// Whether a piece of `color` is on a square.
    #[inline(always)]
    pub(super) fn is_of(&self, square: Square, color: Color) -> bool {
        self.at(square).is_some_and(|piece| piece.color == color)
    }

    #[inline(always)]
    pub(super) fn us(&self) -> Color {
        self.state.side_to_move
    }

    #[inline(always)]
    pub(super) fn them(&self) -> Color {
        !self.state.side_to_move
    }
}

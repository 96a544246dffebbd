//! Attacks, checks and pins, found by looking from the king outward.

use chess::rules::{Color, Piece, PieceType, Square};

use super::Mutation;
use super::board::{Kind, Mutant};

/// One of the eight directions in which sliders move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) files: i32,
    pub(super) ranks: i32,
}

impl Direction {
    const fn new(files: i32, ranks: i32) -> Self {
        Self { files, ranks }
    }

    pub(super) const ALL: [Self; 8] = [
        Self::new(0, 1),
        Self::new(1, 0),
        Self::new(0, -1),
        Self::new(-1, 0),
        Self::new(1, 1),
        Self::new(1, -1),
        Self::new(-1, -1),
        Self::new(-1, 1),
    ];

    /// Along a file or a rank.
    pub(super) const fn is_straight(self) -> bool {
        self.files == 0 || self.ranks == 0
    }

    /// The direction from one square to another on the same line.
    pub(super) fn between(from: Square, to: Square) -> Option<Self> {
        let (files, ranks) = distance(from, to);
        let on_a_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        (on_a_line && from != to).then(|| Self::new(files.signum(), ranks.signum()))
    }
}

/// The difference in files and ranks between two squares.
pub(super) fn distance(from: Square, to: Square) -> (i32, i32) {
    let (from, to) = (from as i32, to as i32);
    ((to & 7) - (from & 7), (to >> 3) - (from >> 3))
}

/// The knight's jumps, in files and ranks.
pub(super) const JUMPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// Checks against and pins of the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Threats {
    /// The king's square, if there is a king.
    pub(super) king: Option<Square>,
    /// The checking pieces; more than two are treated like two.
    pub(super) checkers: [Option<Square>; 2],
    /// The pins, indexed by the direction from the king.
    pub(super) pins: [Option<Pin>; 8],
}

/// A piece that must stay on the line between its king and a slider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin {
    pub(super) pinned: Square,
    pub(super) pinner: Square,
}

impl Threats {
    pub(super) fn is_check(&self) -> bool {
        self.checkers[0].is_some()
    }

    pub(super) fn is_double_check(&self) -> bool {
        self.checkers[1].is_some()
    }

    fn add_checker(&mut self, square: Square) {
        if self.is_check() {
            self.checkers[1] = Some(square);
        } else {
            self.checkers[0] = Some(square);
        }
    }
}

impl Mutant {
    /// Whether a piece of `by` attacks a square. Sliders see through the square `through`.
    pub(super) fn is_attacked(&self, square: Square, by: Color, through: Option<Square>) -> bool {
        let knight = Piece::new(by, PieceType::Knight);
        let is_attacked_by_knight = || {
            let jumps = JUMPS.into_iter();
            let mut origins = jumps.filter_map(|(files, ranks)| square.offset(files, ranks));
            !self.has(Mutation::KnightGuardsUnseen)
                && origins.any(|from| {
                    self.at(from) == Some(knight)
                        && !self.guards_nothing(from, by)
                        && !self.is_beyond_attack_list(from)
                })
        };
        self.is_attacked_by_slider(square, by, through)
            || is_attacked_by_knight()
            || self.is_attacked_by_pawn(square, by)
            || self.is_attacked_by_king(square, by)
    }

    pub(super) fn is_attacked_by_slider(
        &self,
        square: Square,
        by: Color,
        through: Option<Square>,
    ) -> bool {
        Direction::ALL.into_iter().any(|direction| {
            let Some((from, piece)) = self.first_piece(square, direction, through) else {
                return false;
            };
            let (files, ranks) = distance(square, from);
            let far = files.abs().max(ranks.abs());
            let is_overlooked = match self.broken() {
                Some(Mutation::LongDiagonalGuardsUnseen) => !direction.is_straight() && far >= 5,
                Some(Mutation::AdjacentSliderGuardsUnseen) => far == 1,
                _ => false,
            };
            piece.color == by
                && self.slides(piece, direction)
                && !self.guards_nothing(from, by)
                && !is_overlooked
                && !self.is_beyond_attack_list(from)
        })
    }

    pub(super) fn is_attacked_by_pawn(&self, square: Square, by: Color) -> bool {
        !self.has(Mutation::PawnGuardsUnseen)
            && [-1, 1].into_iter().any(|files| {
                self.pawn_origin(square, by, files)
                    .is_some_and(|from| !self.guards_nothing(from, by))
            })
    }

    /// The pawn of `by` that attacks a square from this many files aside.
    fn pawn_origin(&self, square: Square, by: Color, files: i32) -> Option<Square> {
        let mut ranks = -by.forward();
        if self.has(Mutation::PawnGuardsBackward) {
            ranks = -ranks;
        }
        let mut from = square.offset(files, ranks);
        if from.is_none() && self.has(Mutation::PawnGuardsWrap) {
            from = wrapped(square, files, ranks);
        }
        from.filter(|&from| self.at(from) == Some(Piece::new(by, PieceType::Pawn)))
    }

    pub(super) fn is_attacked_by_king(&self, square: Square, by: Color) -> bool {
        !self.has(Mutation::KingsMayTouch)
            && self.state.kings[by].is_some_and(|king| {
                let (files, ranks) = distance(king, square);
                let only_straight = self.has(Mutation::KingsMayTouchDiagonally);
                files.abs().max(ranks.abs()) == 1 && !(only_straight && files != 0 && ranks != 0)
            })
    }

    /// The first piece in a direction. `through` counts as empty.
    pub(super) fn first_piece(
        &self,
        from: Square,
        direction: Direction,
        through: Option<Square>,
    ) -> Option<(Square, Piece)> {
        let mut square = from;
        loop {
            square = square.offset(direction.files, direction.ranks)?;
            if self.has(Mutation::EpSquareStopsSliders) && self.state.ep_square == Some(square) {
                return None;
            }
            if let Some(piece) = self.at(square)
                && through != Some(square)
            {
                return Some((square, piece));
            }
        }
    }

    /// Whether a piece slides in this direction.
    #[inline]
    pub(super) fn slides(&self, piece: Piece, direction: Direction) -> bool {
        match piece.piece_type {
            PieceType::Bishop => !direction.is_straight(),
            PieceType::Rook => direction.is_straight(),
            PieceType::Queen if self.has(Mutation::QueenAttacksStraightOnly) => {
                direction.is_straight()
            }
            PieceType::Queen if self.has(Mutation::QueenAttacksDiagonallyOnly) => {
                !direction.is_straight()
            }
            PieceType::Queen => true,
            PieceType::Pawn | PieceType::Knight | PieceType::King => false,
        }
    }

    /// Whether a piece's attacks are ignored because it is pinned.
    fn guards_nothing(&self, guard: Square, by: Color) -> bool {
        let pin = || {
            let king = self.state.kings[by]?;
            let direction = Direction::between(king, guard)?;
            let (pinned, _) = self.first_piece(king, direction, None)?;
            let (_, pinner) = self.first_piece(guard, direction, None)?;
            Some(pinned == guard && pinner.color != by && self.slides(pinner, direction))
        };
        self.has(Mutation::PinnedPieceGuardsNothing) && pin() == Some(true)
    }

    /// Checkers and pins of the side to move.
    pub(super) fn threats(&self) -> Threats {
        let mut threats = Threats::default();
        let Some(king) = self.state.kings[self.us()] else {
            return threats;
        };
        threats.king = Some(king);
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let Some((first, piece)) = self.first_piece(king, direction, None) else {
                continue;
            };
            if piece.color == self.us() {
                let pinner = self.pinner(first, direction);
                threats.pins[index] = pinner.map(|pinner| Pin {
                    pinned: first,
                    pinner,
                });
                continue;
            }
            let is_unseen = match piece.piece_type {
                PieceType::Bishop => self.has(Mutation::BishopChecksUnseen),
                PieceType::Rook => self.has(Mutation::RookChecksUnseen),
                PieceType::Queen => self.has(Mutation::QueenChecksUnseen),
                _ => false,
            };
            if self.slides(piece, direction) && !is_unseen && !self.check_is_overlooked(first) {
                threats.add_checker(first);
            }
        }
        let them = self.them();
        let knight = Some(Piece::new(them, PieceType::Knight));
        for (files, ranks) in JUMPS {
            if let Some(from) = king.offset(files, ranks)
                && self.at(from) == knight
                && !self.has(Mutation::KnightChecksUnseen)
                && !self.check_is_overlooked(from)
            {
                threats.add_checker(from);
            }
        }
        for files in [-1, 1] {
            if let Some(from) = self.pawn_origin(king, them, files)
                && !self.has(Mutation::PawnChecksUnseen)
                && !self.check_is_overlooked(from)
            {
                threats.add_checker(from);
            }
        }
        threats
    }

    /// The slider that pins a piece which stands in this direction from its king.
    fn pinner(&self, pinned: Square, direction: Direction) -> Option<Square> {
        let us = self.us();
        let (mut square, mut slider) = self.first_piece(pinned, direction, None)?;
        // A pin may be seen behind a second piece, although that is not a pinner.
        let looks_through = if slider.color == us {
            self.has(Mutation::PinThroughTwoPieces)
        } else {
            self.has(Mutation::PinThroughTheirPiece) && !self.slides(slider, direction)
        };
        if looks_through {
            (square, slider) = self.first_piece(square, direction, None)?;
        }
        let pins = match (self.broken(), slider.piece_type) {
            (Some(Mutation::AnySliderPins), PieceType::Bishop | PieceType::Rook) => true,
            (Some(Mutation::QueenPinsUnseen), PieceType::Queen)
            | (Some(Mutation::BishopPinsUnseen), PieceType::Bishop)
            | (Some(Mutation::RookPinsUnseen), PieceType::Rook) => false,
            _ => self.slides(slider, direction),
        };
        (slider.color != us && pins).then_some(square)
    }

    /// Whether the piece list ends before this piece, so that its attacks are missed.
    fn is_beyond_attack_list(&self, square: Square) -> bool {
        let (kind, length) = match self.broken() {
            Some(Mutation::AttacksOfTwoKnights) => (PieceType::Knight, 2),
            Some(Mutation::AttacksOfTwoBishops) => (PieceType::Bishop, 2),
            Some(Mutation::AttacksOfTwoRooks) => (PieceType::Rook, 2),
            Some(Mutation::AttacksOfOneQueen) => (PieceType::Queen, 1),
            _ => return false,
        };
        let Some(piece) = self.at(square).filter(|piece| piece.piece_type == kind) else {
            return false;
        };
        let before = Square::ALL.into_iter().take_while(|&other| other != square);
        before
            .filter(|&other| self.at(other) == Some(piece))
            .count()
            >= length
    }

    /// Whether this piece's check is missed because of the move that gave it.
    fn check_is_overlooked(&self, checker: Square) -> bool {
        if self.is_beyond_attack_list(checker) {
            return true;
        }
        let (Some(mutation), Some(last)) = (self.broken(), self.state.last) else {
            return false;
        };
        let discovered = checker != last.to;
        match (mutation, last.kind) {
            (Mutation::EpDiscoveredCheckUnseen, Kind::EnPassant)
            | (
                Mutation::DiscoveredCheckUnseen,
                Kind::Plain | Kind::DoublePush | Kind::Promotion(_),
            )
            | (Mutation::PromotionDiscoversCheckUnseen, Kind::Promotion(_)) => discovered,
            (Mutation::CastlingCheckUnseen, Kind::Castling(_)) => true,
            (Mutation::PromotionCheckUnseen, Kind::Promotion(_))
            | (Mutation::DoublePushCheckUnseen, Kind::DoublePush) => !discovered,
            (Mutation::KingDiscoversCheckUnseen, Kind::Plain) => {
                self.at(last.to) == Some(Piece::new(self.them(), PieceType::King))
            }
            _ => false,
        }
    }
}

/// A step on a board without edges: beyond the h-file comes the a-file one rank up, and beyond the
/// last rank nothing.
pub(super) fn wrapped(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let index = from as i32 + 8 * ranks + files;
    usize::try_from(index).ok().and_then(Square::try_from_index)
}

//! Data shared by the terms: piece sets and the attacks found so far.

use super::geometry::{ahead, aside};
use chess::rules::attacks;
use chess::rules::{Bitboard, ByColor, ByPieceType, Color, PieceType, Position, Square};

/// A position with the attacks of both sides. Those of pawns and kings are present from the start;
/// the other pieces are added as they are [recorded](View::record).
pub(super) struct View<'a> {
    pub(super) position: &'a Position,
    pub(super) occupied: Bitboard,
    pub(super) sides: ByColor<Side>,
}

/// The data of one side.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) king: Square,
    pub(super) pawns: Bitboard,
    /// The squares that its pawns attack now or after advancing.
    pub(super) pawn_span: Bitboard,
    /// The mobility area: no own men, no attacks by enemy pawns.
    pub(super) mobility_area: Bitboard,
    /// The king, the squares around it and those one rank ahead of them.
    pub(super) king_zone: Bitboard,
    /// The attacked squares, by attacking kind.
    pub(super) attacks: ByPieceType<Bitboard>,
    /// The squares attacked by anything.
    pub(super) all_attacks: Bitboard,
    /// The squares attacked at least twice by different men, including two pawns.
    pub(super) double_attacks: Bitboard,
    /// Danger units from its attacks on the enemy king zone.
    pub(super) attack_units: u32,
}

/// Danger units per piece that attacks the king zone.
const ATTACK_UNITS: ByPieceType<u32> = ByPieceType([0, 2, 2, 3, 4, 0]);

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn new(position: &'a Position) -> Self {
        let [white, black] = Color::ALL;
        Self {
            position,
            occupied: position.occupied(),
            sides: ByColor([Side::new(position, white), Side::new(position, black)]),
        }
    }

    /// The men of one kind and side.
    #[inline(always)]
    pub(super) fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.position.pieces(color, kind)
    }

    /// Records the attacks of a piece.
    #[inline(always)]
    pub(super) fn record(&mut self, color: Color, kind: PieceType, targets: Bitboard) {
        let zone = self.sides[!color].king_zone;
        let side = &mut self.sides[color];
        side.double_attacks |= side.all_attacks & targets;
        side.all_attacks |= targets;
        side.attacks[kind] |= targets;
        if targets.intersects(zone) {
            side.attack_units += ATTACK_UNITS[kind];
        }
    }
}

impl Side {
    #[inline(always)]
    fn new(position: &Position, color: Color) -> Self {
        let king = position.king(color);
        let pawns = position.pieces(color, PieceType::Pawn);
        let forward = pawns.forward(color);
        let pawn_attacks = aside(forward);
        let king_attacks = attacks::king(king);
        let around = king_attacks | king.bitboard();
        let mut by_kind = ByPieceType::default();
        by_kind[PieceType::Pawn] = pawn_attacks;
        by_kind[PieceType::King] = king_attacks;
        let enemy_pawns = position.pieces(!color, PieceType::Pawn);
        Self {
            king,
            pawns,
            pawn_span: aside(ahead(pawns, color)),
            mobility_area: !(position.by_color(color) | enemy_pawns.pawn_attacks(!color)),
            king_zone: around | around.forward(color),
            attacks: by_kind,
            all_attacks: pawn_attacks | king_attacks,
            double_attacks: pawn_attacks & king_attacks | forward.east() & forward.west(),
            attack_units: 0,
        }
    }

    /// The squares attacked by its pawns.
    #[inline(always)]
    pub(super) fn pawn_attacks(&self) -> Bitboard {
        self.attacks[PieceType::Pawn]
    }

    /// The squares attacked by anything but its king.
    #[inline(always)]
    pub(super) fn attacks_but_king(&self) -> Bitboard {
        let [pawn, knight, bishop, rook, queen, _] = self.attacks.0;
        pawn | knight | bishop | rook | queen
    }
}

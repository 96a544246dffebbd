//! What a position is like: the groups that losses are split by.

use std::fmt;

use chess::rules::attacks;
use chess::rules::{Bitboard, Color, PieceType, Position};
use serde::Serialize;

use crate::files::classify::{PhaseClass, material, phase};

/// How far the sides' material is apart: pawn 1, knight and bishop 3, rook 5, queen 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Imbalance {
    /// The same sum.
    None,
    /// One pawn.
    Pawn,
    /// Two pawns, or an exchange.
    Exchange,
    /// Three or four pawns: a minor piece.
    Minor,
    /// Five or more: a rook.
    Rook,
}

/// How many pieces attack squares around a king, whichever king is attacked by more.
///
/// The zone of a king is its square and those next to it. Knights, bishops, rooks and queens count,
/// with what they attack in the position as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KingAttack {
    /// None.
    None,
    /// One piece.
    One,
    /// Two pieces.
    Two,
    /// Three or more.
    Many,
}

/// The features of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PositionFeatures {
    pub(crate) phase: PhaseClass,
    pub(crate) imbalance: Imbalance,
    pub(crate) king_attack: KingAttack,
}

/// A way of splitting positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Split {
    Phase,
    Material,
    KingSafety,
    Theme,
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Phase => "phase",
            Self::Material => "material",
            Self::KingSafety => "king safety",
            Self::Theme => "theme",
        })
    }
}

impl PositionFeatures {
    pub(crate) fn from_position(position: &Position) -> Self {
        Self {
            phase: phase(position),
            imbalance: imbalance(position),
            king_attack: king_attack(position),
        }
    }

    /// The number of groups of [`PositionFeatures::groups`], which are the first of all groups.
    pub(crate) const GROUPS: usize = 12;

    /// The groups it belongs to, as indexes of [`PositionFeatures::group_names`]: one of each split.
    pub(crate) fn groups(self) -> [usize; 3] {
        [
            self.phase as usize,
            // After the 3 phases, and the 5 imbalances.
            3 + self.imbalance as usize,
            8 + self.king_attack as usize,
        ]
    }

    /// The names of all groups.
    pub(crate) fn group_names() -> [(Split, &'static str); Self::GROUPS] {
        [
            (Split::Phase, "opening"),
            (Split::Phase, "middlegame"),
            (Split::Phase, "endgame"),
            (Split::Material, "equal"),
            (Split::Material, "1 pawn apart"),
            (Split::Material, "2 pawns apart"),
            (Split::Material, "3 or 4 pawns apart"),
            (Split::Material, "5 or more apart"),
            (Split::KingSafety, "king not attacked"),
            (Split::KingSafety, "1 attacker"),
            (Split::KingSafety, "2 attackers"),
            (Split::KingSafety, "3 or more attackers"),
        ]
    }
}

fn imbalance(position: &Position) -> Imbalance {
    match material(position, Color::White).abs_diff(material(position, Color::Black)) {
        0 => Imbalance::None,
        1 => Imbalance::Pawn,
        2 => Imbalance::Exchange,
        3 | 4 => Imbalance::Minor,
        _ => Imbalance::Rook,
    }
}

fn king_attack(position: &Position) -> KingAttack {
    let attackers = |color: Color| {
        let king = position.king(!color);
        let zone = attacks::king(king) | king.bitboard();
        let attacks_zone = |kind: PieceType| {
            let pieces = position.pieces(color, kind);
            let hits = pieces.into_iter().filter(|&square| {
                let occupied = position.occupied();
                let seen = match kind {
                    PieceType::Knight => attacks::knight(square),
                    PieceType::Bishop => attacks::bishop(square, occupied),
                    PieceType::Rook => attacks::rook(square, occupied),
                    PieceType::Queen => {
                        attacks::bishop(square, occupied) | attacks::rook(square, occupied)
                    }
                    PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
                };
                !(seen & zone).is_empty()
            });
            hits.count()
        };
        PieceType::ALL.into_iter().map(attacks_zone).sum::<usize>()
    };
    match attackers(Color::White).max(attackers(Color::Black)) {
        0 => KingAttack::None,
        1 => KingAttack::One,
        2 => KingAttack::Two,
        _ => KingAttack::Many,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::rows;
    use chess::notation::fen;

    #[test]
    fn groups_of_positions() {
        // The queen attacks f7, the knight e7 and f8; what is pinned or not does not matter.
        let table = "
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | opening | equal | king not attacked
4k3/8/6N1/5Q2/8/8/8/4K3 w - - 0 1 | endgame | 5 or more apart | 2 attackers
4k3/8/8/8/8/8/4P3/R3K2n w - - 0 1 | endgame | 3 or 4 pawns apart | 1 attacker
r3kb1r/8/8/8/8/8/8/2R1KR1R b - - 0 1 | middlegame | 2 pawns apart | 1 attacker";
        for [text, phase, imbalance, king] in rows(table) {
            let groups = PositionFeatures::from_position(&fen::parse(text).unwrap()).groups();
            let names = groups.map(|group| PositionFeatures::group_names()[group].1);
            assert_eq!(names, [phase, imbalance, king], "{text}");
        }
    }
}

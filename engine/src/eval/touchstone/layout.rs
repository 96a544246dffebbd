//! The terms of the evaluation, and the position of their weights in the flat list used for tuning.

use super::weights::WEIGHTS;
use crate::eval::Phased;

/// The weights of one term in the flat list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field in `weights.rs`.
    pub name: &'static str,
    /// Number of weights.
    pub len: usize,
    /// Index of the first weight.
    pub offset: usize,
}

/// Declares each term once: variant, field, label in a trace, number of weights.
macro_rules! terms {
    ($($(#[$doc:meta])* $Term:ident = $field:ident, $label:literal, $len:literal;)+) => {
        /// The terms of the evaluation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Term { $($(#[$doc])* $Term),+ }

        /// What every count of every term is worth.
        pub(super) struct Weights { $($(#[$doc])* pub(super) $field: [Phased; $len]),+ }

        impl Term {
            /// Every term, in the order of the fields and of a trace.
            pub(super) const ALL: [Self; Self::COUNT] = [$(Self::$Term),+];
            /// Number of terms.
            pub(super) const COUNT: usize = [$($len),+].len();

            /// The term's label in a trace.
            pub(super) const fn label(self) -> &'static str {
                match self { $(Self::$Term => $label),+ }
            }
        }

        const FIELDS: [Field; Term::COUNT] = placed(&[$((stringify!($field), $len)),+]);

        const fn flatten(weights: &Weights) -> [Phased; TOTAL] {
            let mut flat = [Phased::both(0); TOTAL];
            $(copy(&weights.$field, &mut flat, Term::$Term.offset());)+
            flat
        }
    };
}

terms! {
    /// By kind, pawn to queen.
    Material = material, "material", 5;
    /// By relative square, files mirrored: rank x 4 + files from the edge. The same for the next
    /// five.
    PawnSquares = pawn_squares, "pawn squares", 32;
    /// By relative square.
    KnightSquares = knight_squares, "knight squares", 32;
    /// By relative square.
    BishopSquares = bishop_squares, "bishop squares", 32;
    /// By relative square.
    RookSquares = rook_squares, "rook squares", 32;
    /// By relative square.
    QueenSquares = queen_squares, "queen squares", 32;
    /// By relative square.
    KingSquares = king_squares, "king squares", 32;
    /// By the number of safe squares.
    KnightMobility = knight_mobility, "knight mobility", 9;
    /// By the number of safe squares.
    BishopMobility = bishop_mobility, "bishop mobility", 14;
    /// By the number of safe squares.
    RookMobility = rook_mobility, "rook mobility", 15;
    /// By the number of safe squares.
    QueenMobility = queen_mobility, "queen mobility", 28;
    /// Bishops on squares of both colours.
    BishopPair = bishop_pair, "bishop pair", 1;
    /// For each own pawn on a square of a bishop's colour.
    BishopPawns = bishop_pawns, "pawns on bishop's colour", 1;
    /// A knight or bishop defended by a pawn where no enemy pawn can come to attack it.
    Outposts = outposts, "outposts", 2;
    /// For each outpost square that a knight attacks and can move to.
    OutpostsInReach = outposts_in_reach, "outposts in reach", 1;
    /// A knight or bishop right behind an own pawn.
    BehindPawn = behind_pawn, "minor behind pawn", 1;
    /// A rook on a file without own pawns: with enemy pawns, without any.
    RookFiles = rook_files, "rooks on open files", 2;
    /// A rook on the seventh rank, with enemy pawns there or the enemy king on the eighth.
    RookOnSeventh = rook_on_seventh, "rooks on the seventh", 1;
    /// A rook trapped by its own king without castling rights.
    TrappedRook = trapped_rook, "trapped rooks", 1;
    /// By danger units, 31 and more counting as 31.
    KingDanger = king_danger, "king danger", 32;
    /// For each of three files: files from the edge x 8 + relative rank of the first own pawn, 0 if
    /// none.
    Shelter = shelter, "king shelter", 32;
    /// By the relative rank of the first enemy pawn, 0 if none, not blocked by an own pawn.
    Storm = storm, "pawn storm", 8;
    /// The same, blocked by an own pawn.
    StoppedStorm = stopped_storm, "pawn storm, stopped", 8;
    /// A knight, bishop, rook, queen attacked by pawns.
    PawnThreats = pawn_threats, "threats by pawns", 4;
    /// By kind, pawn to queen, attacked by knights and bishops; up to bishops if no pawn defends it.
    MinorThreats = minor_threats, "threats by minors", 5;
    /// By kind, pawn to queen, attacked by rooks; up to rooks if no pawn defends it.
    RookThreats = rook_threats, "threats by rooks", 5;
    /// For each undefended man attacked by the king.
    KingThreats = king_threats, "threats by the king", 1;
    /// By kind, pawn to queen, attacked and not defended.
    Hanging = hanging, "hanging men", 5;
    /// For each piece that a safe pawn push would attack.
    PushThreats = push_threats, "threats by pawn steps", 1;
    /// A pawn without own pawns on adjacent files: with an enemy pawn ahead on its file, or
    /// without.
    Isolated = isolated, "isolated pawns", 2;
    /// A pawn behind another own one.
    Doubled = doubled, "doubled pawns", 1;
    /// A pawn behind its neighbours whose stop square is attacked by a pawn; split like isolated
    /// ones.
    Backward = backward, "backward pawns", 2;
    /// A pawn that a pawn defends, by relative rank from the second to the seventh.
    Supported = supported, "supported pawns", 6;
    /// A pawn with another beside it, by relative rank.
    Phalanx = phalanx, "pawns side by side", 6;
    /// A pawn with no pawn ahead on its file and at least as many helpers as guards, by rank.
    Candidates = candidates, "candidate pawns", 6;
    /// A passed pawn, by rank.
    Passed = passed, "passed pawns", 6;
    /// A passed pawn that is defended by or beside another pawn, by rank.
    PassedSupported = passed_supported, "passed, supported", 6;
    /// A passed pawn blocked by an enemy piece, by rank.
    PassedBlocked = passed_blocked, "passed, blocked", 6;
    /// A passed pawn whose stop square is neither attacked nor occupied by the enemy, by rank.
    PassedSafeStep = passed_safe_step, "passed, safe step", 6;
    /// A passed pawn whose whole path is neither attacked nor occupied by the enemy, by rank.
    PassedFree = passed_free, "passed, free way", 6;
    /// A passed pawn with an own rook behind it; with an enemy rook behind it.
    PassedRook = passed_rook, "passed, rook behind", 2;
    /// By the own king's distance to the stop square, plus 8 from the fifth rank on.
    PassedOwnKing = passed_own_king, "passed, own king", 16;
    /// The same for the enemy king.
    PassedEnemyKing = passed_enemy_king, "passed, enemy king", 16;
    /// A passed pawn that a king without pieces cannot catch.
    PassedUnstoppable = passed_unstoppable, "passed, unstoppable", 1;
    /// For each square in the centre of the own half without own pawn or attack by an enemy pawn.
    Space = space, "space", 1;
    /// A lone king that can be mated: by its distance from the edge.
    DriveToEdge = drive_to_edge, "lone king near the edge", 4;
    /// The same: by the distance of the kings.
    DriveKings = drive_kings, "lone king near the other", 8;
    /// The same against bishop and knight: by its distance from a corner of the bishop's colour.
    DriveToCorner = drive_to_corner, "lone king near the corner", 8;
    /// The bonus for the side to move.
    Tempo = tempo, "tempo", 1;
}

/// Total number of weights.
pub(super) const TOTAL: usize = {
    let last = FIELDS[Term::COUNT - 1];
    last.offset + last.len
};

/// The position of each term's weights in the flat list.
pub(super) static ALL_FIELDS: [Field; Term::COUNT] = FIELDS;
/// The weights in the order of the fields.
pub(super) static FLAT: [Phased; TOTAL] = flatten(&WEIGHTS);

impl Term {
    /// Index of the term's first weight.
    #[inline(always)]
    pub(super) const fn offset(self) -> usize {
        FIELDS[self as usize].offset
    }
}

const fn placed(names: &[(&'static str, usize); Term::COUNT]) -> [Field; Term::COUNT] {
    let none = Field {
        name: "",
        len: 0,
        offset: 0,
    };
    let (mut fields, mut index, mut offset) = ([none; Term::COUNT], 0, 0);
    while index < Term::COUNT {
        let (name, len) = names[index];
        fields[index] = Field { name, len, offset };
        offset += len;
        index += 1;
    }
    fields
}

const fn copy(from: &[Phased], to: &mut [Phased; TOTAL], offset: usize) {
    let mut index = 0;
    while index < from.len() {
        to[offset + index] = from[index];
        index += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_follow_each_other() {
        let mut offset = 0;
        for (term, field) in Term::ALL.into_iter().zip(ALL_FIELDS) {
            assert_eq!(field.offset, offset, "{}", field.name);
            assert_eq!(term.offset(), offset, "{}", field.name);
            offset += field.len;
        }
        assert_eq!(offset, FLAT.len());
    }

    #[test]
    fn the_flat_list_holds_every_field_at_its_place() {
        assert_eq!(FLAT[..5], WEIGHTS.material);
        assert_eq!(FLAT[TOTAL - 1], WEIGHTS.tempo[0]);
        let danger = Term::KingDanger.offset();
        assert_eq!(FLAT[danger..danger + 32], WEIGHTS.king_danger);
    }
}

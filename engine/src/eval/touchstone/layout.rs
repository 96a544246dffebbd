//! The terms of the evaluation, and where the weights of each stand in the flat list that a tuner
//! sees.

use super::weights::WEIGHTS;
use crate::eval::Phased;

/// Where the weights of one term stand in the flat list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field in `weights.rs`.
    pub name: &'static str,
    /// How many weights it has.
    pub len: usize,
    /// The place of the first of them.
    pub offset: usize,
}

/// Declares every term once: its variant, its field, what a trace calls it, its number of weights.
macro_rules! terms {
    ($($(#[$doc:meta])* $Term:ident = $field:ident, $label:literal, $len:literal;)+) => {
        /// What the evaluation looks at.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Term { $($(#[$doc])* $Term),+ }

        /// What every count of every term is worth.
        pub(super) struct Weights { $($(#[$doc])* pub(super) $field: [Phased; $len]),+ }

        impl Term {
            /// Every term, in the order of the fields and of a trace.
            pub(super) const ALL: [Self; Self::COUNT] = [$(Self::$Term),+];
            /// How many terms there are.
            pub(super) const COUNT: usize = [$($len),+].len();

            /// What the term is called in a trace.
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
    /// By relative square, files mirrored: rank x 4 + files from the edge. So the next five.
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
    /// A knight, a bishop that a pawn defends where no enemy pawn can come to attack it.
    Outposts = outposts, "outposts", 2;
    /// For each such square that a knight attacks and may go to.
    OutpostsInReach = outposts_in_reach, "outposts in reach", 1;
    /// A knight or bishop right behind an own pawn.
    BehindPawn = behind_pawn, "minor behind pawn", 1;
    /// A rook on a file without own pawns: with enemy pawns, without any.
    RookFiles = rook_files, "rooks on open files", 2;
    /// A rook on the seventh, with enemy pawns there or the king on the eighth.
    RookOnSeventh = rook_on_seventh, "rooks on the seventh", 1;
    /// A rook shut in by its own king that may no longer castle.
    TrappedRook = trapped_rook, "trapped rooks", 1;
    /// By units of danger to the king, 31 or more being one.
    KingDanger = king_danger, "king danger", 32;
    /// On each of three files, files from the edge x 8 + relative rank of the first own pawn, 0: none.
    Shelter = shelter, "king shelter", 32;
    /// By the relative rank of the first enemy pawn, 0: none; that no own pawn stops.
    Storm = storm, "pawn storm", 8;
    /// The same that an own pawn stops.
    StoppedStorm = stopped_storm, "pawn storm, stopped", 8;
    /// A knight, bishop, rook, queen attacked by pawns.
    PawnThreats = pawn_threats, "threats by pawns", 4;
    /// By kind, pawn to queen, attacked by knights and bishops; up to bishops if no pawn defends it.
    MinorThreats = minor_threats, "threats by minors", 5;
    /// By kind, pawn to queen, attacked by rooks; up to rooks if no pawn defends it.
    RookThreats = rook_threats, "threats by rooks", 5;
    /// For each man attacked by the king that nothing defends.
    KingThreats = king_threats, "threats by the king", 1;
    /// By kind, pawn to queen, attacked and not defended.
    Hanging = hanging, "hanging men", 5;
    /// For each piece that a pawn could attack by a safe step.
    PushThreats = push_threats, "threats by pawn steps", 1;
    /// A pawn without own pawns on adjacent files: with an enemy pawn ahead on its file, without.
    Isolated = isolated, "isolated pawns", 2;
    /// A pawn behind another own one.
    Doubled = doubled, "doubled pawns", 1;
    /// A pawn that its neighbours have left behind, its next square attacked by a pawn; as isolated.
    Backward = backward, "backward pawns", 2;
    /// A pawn that a pawn defends, by relative rank from the second to the seventh.
    Supported = supported, "supported pawns", 6;
    /// A pawn with another beside it, by rank.
    Phalanx = phalanx, "pawns side by side", 6;
    /// A pawn on a file free ahead with at least as many helpers as guards, by rank.
    Candidates = candidates, "candidate pawns", 6;
    /// A pawn that no pawn can stop, by rank.
    Passed = passed, "passed pawns", 6;
    /// One that is supported or has another pawn beside it, by rank.
    PassedSupported = passed_supported, "passed, supported", 6;
    /// One with an enemy right ahead, by rank.
    PassedBlocked = passed_blocked, "passed, blocked", 6;
    /// One whose next square no enemy attacks or holds, by rank.
    PassedSafeStep = passed_safe_step, "passed, safe step", 6;
    /// One on whose whole way no enemy stands or attacks, by rank.
    PassedFree = passed_free, "passed, free way", 6;
    /// One with an own rook behind it; with an enemy rook.
    PassedRook = passed_rook, "passed, rook behind", 2;
    /// By the own king's distance to the next square, and 8 more from the fifth rank on.
    PassedOwnKing = passed_own_king, "passed, own king", 16;
    /// The same for the enemy king.
    PassedEnemyKing = passed_enemy_king, "passed, enemy king", 16;
    /// One that a king without pieces cannot catch.
    PassedUnstoppable = passed_unstoppable, "passed, unstoppable", 1;
    /// For each square of the own half in the centre without own pawn or attack by an enemy pawn.
    Space = space, "space", 1;
    /// A lone king that can be mated: by its distance from the edge.
    DriveToEdge = drive_to_edge, "lone king near the edge", 4;
    /// The same: by the distance of the kings.
    DriveKings = drive_kings, "lone king near the other", 8;
    /// The same against bishop and knight: by its distance from a corner of the bishop's colour.
    DriveToCorner = drive_to_corner, "lone king near the corner", 8;
    /// The right to move.
    Tempo = tempo, "tempo", 1;
}

/// How many weights there are.
pub(super) const TOTAL: usize = {
    let last = FIELDS[Term::COUNT - 1];
    last.offset + last.len
};

/// Where the weights of each term stand.
pub(super) static ALL_FIELDS: [Field; Term::COUNT] = FIELDS;
/// The weights in the order of the fields.
pub(super) static FLAT: [Phased; TOTAL] = flatten(&WEIGHTS);

impl Term {
    /// The place of the term's first weight.
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

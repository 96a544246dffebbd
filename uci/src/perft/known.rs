//! The positions with known counts by which an engine is calibrated.

/// Which positions an engine is calibrated on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KnownPositions {
    /// Positions with every rule.
    #[default]
    EveryRule,
    /// Lone kings that never come near each other: an engine that knows no other rule yet can count
    /// them. Promotions, castling and Chess960 are not proved, so that they are not used.
    LoneKings,
}

/// A position given by moves, with a depth. An engine that ignores one of the moves has a different
/// count there.
pub(super) type KnownRoute = (&'static str, &'static str, u32);

impl KnownPositions {
    /// The positions and their depths. Every engine can count the first one. Each of the others has
    /// only a few kinds of moves, so that a faulty engine still counts most of them correctly. Some
    /// 40,000 leaf nodes in all, and 6,000 of lone kings: seconds for a slow engine.
    pub(super) fn counted(self) -> &'static [(&'static str, &'static [u32])] {
        match self {
            Self::EveryRule => &[
                (STARTPOS, &[1, 2, 3]),
                (CASTLING, &[1, 2, 3]),
                // A row with a four-digit count, which may be printed with digit grouping.
                ("1R6/8/6Q1/k5q1/8/8/8/3Kr3 w - - 0 1", &[1, 3]),
                ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[1, 3]),
                ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &[1, 2]),
                ("4k2r/6p1/8/8/8/8/8/4K3 b k - 0 1", &[1, 2]),
                ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[1, 2]),
                (
                    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                    &[1, 2],
                ),
            ],
            Self::LoneKings => &[
                ("8/8/8/1K5k/8/8/8/8 w - - 0 1", &[1, 2, 3, 4]),
                ("8/6k1/8/8/8/8/8/K7 b - - 0 1", &[1, 2, 3, 4]),
                ("8/8/8/8/k6K/8/8/8 w - - 0 1", &[1, 2, 3]),
                ("4k3/8/8/8/8/8/8/3K4 b - - 0 1", &[1, 2]),
            ],
        }
    }

    /// Positions given by moves.
    pub(super) fn plain(self) -> &'static [KnownRoute] {
        match self {
            Self::EveryRule => &[(STARTPOS, "g1f3 g8f6", 2), (CASTLING, "a1a7 e8f8", 1)],
            Self::LoneKings => &[
                ("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1b2 h8g7", 2),
                ("8/8/8/k7/8/8/8/7K b - - 0 1", "a5b5", 1),
            ],
        }
    }

    /// Positions given by moves with a promotion.
    pub(super) fn promotions(self) -> &'static [KnownRoute] {
        match self {
            Self::EveryRule => &[
                ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8r", 2),
                ("k7/8/8/8/8/8/1K5p/8 b - - 0 1", "h2h1n b2b3", 2),
            ],
            Self::LoneKings => &[],
        }
    }

    /// Positions given by moves with castling.
    pub(super) fn castlings(self) -> &'static [KnownRoute] {
        match self {
            Self::EveryRule => &[(CASTLING, "e1g1", 1), (CASTLING, "a1a2 e8c8", 1)],
            Self::LoneKings => &[],
        }
    }
}

pub(super) const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

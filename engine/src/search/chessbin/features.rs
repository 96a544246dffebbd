//! The features of the `ChessBin` search, each a switch.

/// Features of the search. Those of the first group only save time; the others affect the score.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, and tests switch them one by one"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessBinFeatures {
    /// Transposition table: cutoffs at equal depth, and the TT move first.
    pub table: bool,
    /// Captures by MVV-LVA (most valuable victim, least valuable attacker), then the published
    /// small bonuses for quiet moves.
    pub mvv_lva: bool,
    /// Two killer moves per ply are tried before other quiet moves.
    pub killers: bool,
    /// Principal variation search: all moves but the first are searched with a null window first.
    pub scout: bool,
    /// Mate-distance pruning.
    pub mate_distance: bool,

    /// Quiescence search of captures, queen promotions and check evasions at the leaves.
    pub quiescence: bool,
    /// Extension in plies once a line enters the end game.
    pub end_game_extension: u32,
    /// The end game begins with fewer pieces than this on the board, including kings and pawns.
    pub end_game_pieces: u32,
}

impl ChessBinFeatures {
    /// The search of `ChessBin`: alpha-beta with quiescence, killers, and a one-ply end-game
    /// extension.
    pub const CHESSBIN: Self = Self {
        table: true,
        mvv_lva: true,
        killers: true,
        scout: true,
        mate_distance: true,
        quiescence: true,
        end_game_extension: 1,
        end_game_pieces: 10,
    };
}

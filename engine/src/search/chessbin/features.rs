//! What the search of a profile does, named in one place.

/// What a search does. The flags of the first group only save time; the others decide what the
/// value is.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, and tests switch them one by one"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Transposition table: cut-offs at equal depth, and its move first.
    pub table: bool,
    /// Captures by the most valuable victim and the least valuable attacker, then the published
    /// small change for quiet moves.
    pub mvv_lva: bool,
    /// Two quiet moves for each ply that refuted a sibling come before other quiet moves.
    pub killers: bool,
    /// All moves but the first are first asked only whether they are better (principal variation
    /// search).
    pub scout: bool,
    /// Lines that cannot be a shorter mate than the one found are not searched.
    pub mate_distance: bool,

    /// Captures and queen promotions, and answers to checks, are searched to their end at the
    /// leaves.
    pub quiescence: bool,
    /// Plies that are searched more once a line is in the end game.
    pub end_game_extension: u32,
    /// The end game begins with fewer pieces than this on the board, kings and pawns included.
    pub end_game_pieces: u32,
}

impl Features {
    /// The search of `ChessBin`: alpha-beta with quiescence, killers, and one ply more in the end
    /// game.
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

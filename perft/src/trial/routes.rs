//! Positions that engines are brought to by moves. Suites give positions by FEN, and an engine that
//! makes moves wrongly may count rightly from there; each of these shows another way to do so.

/// What the suite of these positions is called.
pub(crate) const BY_MOVES: &str = "by-moves";
/// What the suite of the positions on the command line is called.
pub(crate) const COMMAND_LINE: &str = "command-line";

/// Plies that are counted at the end of each.
pub(crate) const DEPTH: u32 = 3;

/// A start and moves, as behind UCI's `position`: castling to both sides, en passant open, taken and
/// expired, promotions, rights that are lost with a captured rook and by pieces that come back,
/// Chess960.
pub(crate) const ROUTES: [&str; 11] = [
    "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1",
    "startpos moves d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8",
    "startpos moves e2e4 a7a6 e4e5 d7d5",
    "startpos moves e2e4 a7a6 e4e5 d7d5 e5d6",
    "startpos moves e2e4 a7a6 e4e5 d7d5 g1f3 a6a5",
    "8/P6k/8/8/8/8/7p/K7 w - - 0 1 moves a7a8q h2h1n",
    "1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1 moves a7b8n h2g1r",
    "r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1 moves g2a8",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1e2 e8e7 e2e1 e7e8",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves a1b1 a8b8 b1a1 b8a8",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1 moves e1g1 e8b8",
];

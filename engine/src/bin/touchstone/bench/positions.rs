//! The positions of `bench`. Changing any of them changes every signature.

/// FENs, with Chess960 castling rights as rook files.
pub(super) const POSITIONS: [&str; 42] = [
    // The start position, and a tactical position found in every perft suite.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Positions from self-play games after a few random moves: openings, middle games, end games.
    "r2qkb1r/1p2pppp/2np4/pN1p4/2PP4/P4b2/1P2PPPP/R2QKB1R w KQkq - 0 11",
    "2rqkb1r/Np2pppp/1n1p4/p2P4/2RQ4/P4P2/1P3PPP/4KB1R b Kk - 4 16",
    "r7/3k1p2/2Np1bp1/1P1p3p/5P1P/6P1/5PK1/4R3 w - - 4 40",
    "rnbqk1nr/4b1pp/2p1p3/pp1p1p2/4PP2/2PP1NP1/PPNB3P/R2QKB1R b KQkq - 2 9",
    "8/8/8/K1P1k2p/8/6P1/7P/8 b - - 2 48",
    "2rqkb1r/pp3pp1/2n1bn1p/2ppp3/1P6/PNPP1NP1/4PPBP/R1BQK2R b KQk - 5 10",
    "2rR4/5p2/p1n2nkp/1pB3p1/1P2p3/PRP3P1/4PPBP/2K5 b - - 0 22",
    "8/8/7p/1p1BP3/r7/2P5/3K4/6k1 w - - 0 42",
    "r1bqkb1r/pppn1pp1/4pn1p/1P1p4/P2P1N2/8/1BPNPPPP/R2QKB1R b KQkq - 5 8",
    "r1bqkb1r/1p3pp1/pnP2n1p/1P1p4/P4N2/4P3/1BPNP1PP/R1Q1KB1R b KQkq - 0 14",
    "rnb1kbnr/p1q1p3/2p2pp1/8/4p3/2NPB3/PPP1B1PP/R2QK1NR b KQkq - 3 9",
    "r1b3nr/3np1k1/2p2pp1/8/1p1P4/2NB1N2/PPP3PP/R3K2R w KQ - 0 18",
    "8/r5k1/4pp2/2n5/3Rn1pN/P1P1N1P1/8/5K2 b - - 7 42",
    "rn1qkb1r/pb1p1pp1/4pn2/2p5/3P2Pp/1pN2N1P/P3PPB1/R1BQ1RK1 w kq - 2 10",
    "1n1q1rk1/5pp1/p2pp3/4P1n1/3N3p/8/P4PQK/2R2R1B b - - 1 23",
    "r2qkbnr/pbpp1p2/np6/3Pp1pp/2P3PP/4P3/PP3P2/RNBQKBNR w KQkq - 0 7",
    "r3k1nr/pbp2p2/np1p1q2/3Pp3/1PP1P1Qp/P1N2N2/3K1P2/R4B1R w kq - 0 15",
    "8/3P1k2/3R4/1KP1p3/3r1p2/P7/8/8 b - - 2 46",
    "r1bqk2r/pp3pb1/2n1p1pp/2pp4/2P2Pn1/PPNP2P1/4P1BP/1RBQK1NR w Kkq - 1 11",
    "3r2k1/5p2/4b1p1/3p1n1p/rP1p1P2/P2P2P1/1B2P2P/2R1K2B w - - 0 26",
    "8/1r3k2/5pp1/1PRp1b2/P2B1P2/1K1P4/4r2P/8 b - - 0 38",
    "r1b1kb1r/pp2pp1p/2n5/2pq4/6p1/4P3/PP1P1PPP/RNBQKB1R w kq - 0 9",
    "1k1r3r/pb2pp1p/1p6/1Bp5/8/1P2Pp2/nN1P2PP/1R2K2R w - - 0 21",
    // Chess960.
    "rbknbrqn/pppppppp/8/8/8/8/PPPPPPPP/RBKNBRQN w FAfa - 0 1",
    "r1knbrqn/2bpp1pp/1pp2p2/p4P2/P1PP4/3BN3/1P2P1PP/R1K1BRQN w FAfa - 0 8",
    "rknbb1r1/3ppp1q/1pp1n2p/p5p1/P7/1NBP2P1/1PP1PP1P/RK1B1NRQ w GAga - 0 8",
    "rkbbn1nr/1ppp2pp/5q2/p7/P4pP1/8/1PPPN2P/RKBBNQ1R w HAha - 0 8",
    "r4r2/1nkp1n2/1pp2p2/p5p1/PqPP3P/3BN3/1P2PQP1/R1K2R2 w FA - 0 18",
    // Elementary end games; one close to a draw by the fifty-move rule.
    "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
    "8/8/8/3k4/8/8/1Q6/4K3 b - - 0 1",
    "8/5k2/8/8/8/8/2BN4/4K3 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/1p3k2/p2p4/P2P1p2/1P3P2/5K2/8/8 w - - 0 1",
    "8/8/1p6/p1p2k2/P1P5/1P3K2/8/8 w - - 98 120",
    // Mates to be found, and one to be avoided for as long as possible.
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "r4rk1/5ppp/8/8/8/3B4/5PPQ/6K1 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1",
    // No legal moves.
    "R3k3/8/4K3/8/8/8/8/8 b - - 0 1",
    "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
];

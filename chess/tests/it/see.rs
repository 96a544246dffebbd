//! Static exchange evaluation against a slow one on a board of 64 squares, on random positions.

use chacha20::ChaCha8Rng;
use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Color, Move, Piece, PieceType, Position, Setup, Square};
use rand::seq::IndexedRandom;
use testkit::scale;

use crate::walk::visit_by;

const SEED: u64 = 20_261_123;

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

type Board = [Option<Piece>; Square::COUNT];

fn value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 100,
        PieceType::Knight => 320,
        PieceType::Bishop => 330,
        PieceType::Rook => 500,
        PieceType::Queen => 950,
        PieceType::King => 20_000,
    }
}

/// The exact value of a legal move by exchange on its target.
fn exchange_value(setup: &Setup, m: Move) -> i32 {
    let us = setup.side_to_move;
    let mover = setup.piece_at(m.from()).expect("a legal move has a piece");
    let target = setup.piece_at(m.to());
    if target.is_some_and(|piece| piece.color == us) {
        return 0;
    }
    let mut board = setup.board;
    let mut gain = target.map_or(0, |taken| value(taken.piece_type));
    if mover.piece_type == PieceType::Pawn && target.is_none() && m.from().file() != m.to().file() {
        board[Square::new(m.to().file(), m.from().rank()).index()] = None;
        gain = 100;
    }
    let standing = m.promotion().unwrap_or(mover.piece_type);
    gain += value(standing) - value(mover.piece_type);
    board[m.from().index()] = None;
    board[m.to().index()] = Some(Piece::new(us, standing));
    gain - best_reply(&board, m.to(), !us)
}

/// What `side` wins by taking on `to` with its least valuable piece, or 0 if that loses.
fn best_reply(board: &Board, to: Square, side: Color) -> i32 {
    let able = |&from: &Square| attacks(board, from, to, side) && !is_held(board, from, to, side);
    let kind = |from: &Square| board[from.index()].map(|piece| piece.piece_type);
    let Some(from) = Square::ALL.into_iter().filter(able).min_by_key(kind) else {
        return 0;
    };
    let mut after = *board;
    let taken = after[to.index()].expect("something is to be taken");
    after[to.index()] = after[from.index()].take();
    let mut squares = Square::ALL.into_iter();
    let mut guarded = || squares.any(|guard| attacks(&after, guard, to, !side));
    if kind(&from) == Some(PieceType::King) && guarded() {
        return 0;
    }
    (value(taken.piece_type) - best_reply(&after, to, !side)).max(0)
}

/// Whether a piece of `side` stands on `from` and attacks `to`.
fn attacks(board: &Board, from: Square, to: Square, side: Color) -> bool {
    let Some(piece) = board[from.index()].filter(|piece| piece.color == side) else {
        return false;
    };
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    match piece.piece_type {
        PieceType::Pawn => files.abs() == 1 && ranks == side.forward(),
        PieceType::Knight => files.abs() * ranks.abs() == 2,
        PieceType::King => from != to && files.abs().max(ranks.abs()) == 1,
        kind => ways(kind).any(|way| first_piece(board, from, way) == Some(to)),
    }
}

fn ways(slider: PieceType) -> impl Iterator<Item = (i32, i32)> {
    let straight = matches!(slider, PieceType::Rook | PieceType::Queen);
    let diagonal = matches!(slider, PieceType::Bishop | PieceType::Queen);
    let straight = STRAIGHT.into_iter().filter(move |_| straight);
    straight.chain(DIAGONAL.into_iter().filter(move |_| diagonal))
}

/// The first occupied square on the way from a square.
fn first_piece(board: &Board, from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let next = |square: &Square| square.offset(files, ranks);
    std::iter::successors(next(&from), next).find(|square| board[square.index()].is_some())
}

/// Whether taking on `to` would open a line from an enemy slider to the king that the piece on
/// `from` alone closes.
fn is_held(board: &Board, from: Square, to: Square, side: Color) -> bool {
    let king = Some(Piece::new(side, PieceType::King));
    let mut squares = Square::ALL.into_iter();
    let king = squares.find(|square| board[square.index()] == king);
    let king = king.expect("both sides have kings");
    let way = STRAIGHT.into_iter().chain(DIAGONAL);
    let mut way = way.filter(|&way| first_piece(board, king, way) == Some(from));
    let Some(way) = way.next() else { return false };
    let Some(sniper) = first_piece(board, from, way) else {
        return false;
    };
    let slides = board[sniper.index()].is_some_and(|piece| {
        piece.color != side && ways(piece.piece_type).any(|reached| reached == way)
    });
    slides && !between_or_at(king, way, sniper, to)
}

/// Whether `to` lies on the way from `king` up to `sniper`.
fn between_or_at(king: Square, (files, ranks): (i32, i32), sniper: Square, to: Square) -> bool {
    let next = |square: &Square| square.offset(files, ranks).filter(|_| *square != sniper);
    std::iter::successors(Some(king), next).any(|square| square == to)
}

#[test]
fn the_threshold_form_agrees_with_the_slow_exchange() {
    visit_by(quiet_move, scale(5_000, 50_000), SEED, check);
}

/// Captures are put off, so that the board stays full of exchanges.
fn quiet_move(position: &Position, rng: &mut ChaCha8Rng) -> Option<Move> {
    let (moves, captures) = (position.legal_moves(), position.legal_captures());
    let quiet = moves.iter().filter(|m| !captures.contains(m));
    let quiet: Vec<Move> = quiet.copied().collect();
    let chosen = quiet.choose(rng).or_else(|| moves.choose(rng));
    chosen.copied()
}

fn check(position: &Position) {
    let setup = position.to_setup();
    for m in position.legal_moves() {
        let value = exchange_value(&setup, m);
        let around = [-300, -1, 0, 1, 300].map(|margin| value + margin);
        for threshold in around.into_iter().chain([0, 100, -100]) {
            let found = position.see_at_least(m, threshold);
            let expected = value >= threshold;
            assert_eq!(
                found, expected,
                "{m} is worth {value}, not {threshold}, in {position}"
            );
        }
    }
}

/// The exact value of a move by hand, where one less is reached and one more is not.
#[test]
fn known_exchanges() {
    let rows = [
        // A pawn for nothing; a pawn for a knight.
        ("4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100),
        ("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", -220),
        // Two rooks against one and a pawn: each side stops in time.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ("3rk3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400),
        // A quiet move to a guarded square, and to a free one.
        ("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3d5", -320),
        ("4k3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5", 0),
        // The guard is free; it is pinned; it is pinned along the line on which it takes.
        ("4k3/8/4n3/6p1/5P2/8/8/4K3 w - - 0 1", "f4g5", 0),
        ("4k3/8/4n3/6p1/5P2/8/4R3/4K3 w - - 0 1", "f4g5", 100),
        ("4k3/4r3/8/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5", 100),
        // A king takes only what nobody guards.
        ("8/8/4k3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400),
        ("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        // En passant, taken back or not.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        // Promotions: free, guarded, with a capture.
        ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
        ("7r/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
        ("1n5r/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", 220),
        ("1n6/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1170),
        // Castling.
        ("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "e1g1", 0),
    ];
    for (text, m, value) in rows {
        let position = fen::parse(text).expect("legal");
        let played = uci_move::parse(m, &position, CastlingMode::Standard).expect("legal");
        assert!(position.see_at_least(played, value), "{m} in {text}");
        assert!(!position.see_at_least(played, value + 1), "{m} in {text}");
    }
}

//! Random legal positions: starts of games, and positions that no game would come to.

use chacha20::ChaCha8Rng;
use chess::rules::{
    Bitboard, CHESS960_POSITIONS, Color, Piece, PieceType, Position, Setup, Square,
};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Clocks around the ends they bring about, and far from them.
const HALFMOVE_CLOCKS: [u32; 8] = [0, 0, 1, 98, 99, 100, 149, 150];

/// The start position, or one of Chess960 with an arrangement of its own for each side.
pub fn random_start(rng: &mut ChaCha8Rng, chess960: bool) -> Position {
    if !chess960 {
        return Position::startpos();
    }
    let [white, black] = [(); 2].map(|()| rng.random_range(0..CHESS960_POSITIONS));
    Position::chess960_start(white, black).expect("both are numbers of Chess960")
}

/// A position of pieces thrown onto the board: few or many, now and then queens and nothing else.
pub fn thrown_position(rng: &mut ChaCha8Rng) -> Position {
    loop {
        if let Ok(position) = Position::from_setup(thrown_setup(rng)) {
            return position;
        }
    }
}

fn thrown_setup(rng: &mut ChaCha8Rng) -> Setup {
    let most = *[2, 5, 15].choose(rng).expect("there are some");
    let queens_only = rng.random_range(0..6) == 0;
    let mut setup = Setup {
        side_to_move: *Color::ALL.choose(rng).expect("there are two"),
        halfmove_clock: *HALFMOVE_CLOCKS.choose(rng).expect("there are some"),
        fullmove_number: rng.random_range(1..=300),
        ..Setup::empty()
    };
    for color in Color::ALL {
        throw(Piece::new(color, PieceType::King), &mut setup, rng);
        for _ in 0..rng.random_range(0..=most) {
            let kind = if queens_only {
                PieceType::Queen
            } else {
                *KINDS.choose(rng).expect("there are some")
            };
            throw(Piece::new(color, kind), &mut setup, rng);
        }
    }
    setup.castling_rooks = rooks_at_home(&setup);
    setup
}

/// Any kind but the king; pawns most often, as in games.
const KINDS: [PieceType; 8] = [
    PieceType::Pawn,
    PieceType::Pawn,
    PieceType::Pawn,
    PieceType::Pawn,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Queen,
];

/// Puts a piece on a free square, where there are enough of them.
fn throw(piece: Piece, setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let ranks = match piece.piece_type {
        PieceType::Pawn => 8..56,
        _ => 0..64,
    };
    let square = rng.random_range(ranks);
    setup.board[square].get_or_insert(piece);
}

/// The rooks of the corners whose king stands at home.
fn rooks_at_home(setup: &Setup) -> Bitboard {
    let stands = |color, kind, square| setup.piece_at(square) == Some(Piece::new(color, kind));
    [
        (Color::White, Square::E1, [Square::A1, Square::H1]),
        (Color::Black, Square::E8, [Square::A8, Square::H8]),
    ]
    .into_iter()
    .filter(|&(color, king, _)| stands(color, PieceType::King, king))
    .flat_map(|(color, _, rooks)| rooks.map(|rook| (color, rook)))
    .filter(|&(color, rook)| stands(color, PieceType::Rook, rook))
    .map(|(_, rook)| rook)
    .collect()
}

/// The position after at most `plies` random moves; sooner where the game ends.
pub fn wander(start: Position, plies: u32, rng: &mut ChaCha8Rng) -> Position {
    let mut position = start;
    for _ in 0..plies {
        let Some(&m) = position.legal_moves().choose(rng) else {
            break;
        };
        position = position.play_unchecked(m);
    }
    position
}

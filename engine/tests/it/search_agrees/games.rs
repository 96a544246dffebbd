//! Random games, at whose ends the searches are compared.

use chacha20::ChaCha8Rng;
use chess::rules::{Color, Game, Move, Piece, PieceType, Position, Setup, Square};
use rand::RngExt;
use rand::seq::IndexedRandom;

use testkit::random_start;

/// A game to be searched at its end: of one of five sorts.
pub(crate) fn random_game(rng: &mut ChaCha8Rng, sort: u64) -> Game {
    let (mut game, plies, back) = match sort {
        0 | 1 => (Game::new(random_start(rng, sort == 1)), 1..60, 0),
        // Pieces go back where they came from: positions repeat.
        2 => (Game::new(random_start(rng, false)), 1..60, 75),
        // Few pieces that move to and fro: some positions have been there twice.
        3 => (few_pieces(rng, 11), 6..14, 95),
        _ => return few_pieces(rng, 11),
    };
    for _ in 0..rng.random_range(plies) {
        if !play_some(&mut game, rng, back) {
            break;
        }
    }
    while game.position().legal_moves().is_empty() {
        game.undo().expect("the first position has moves");
    }
    game
}

/// Makes a random move if there is one; in `back` of 100 cases the last move of the side is taken
/// back where it can be.
fn play_some(game: &mut Game, rng: &mut ChaCha8Rng, back: u32) -> bool {
    let own_last = game.moves().len().checked_sub(2);
    let own_last = own_last.and_then(|index| game.moves().nth(index));
    let undoing = own_last.map(|m| Move::new(m.to(), m.from()));
    let undoing = undoing.filter(|&m| game.position().is_legal(m));
    let undoing = undoing.filter(|_| rng.random_range(0..100) < back);
    let m = undoing.or_else(|| game.position().legal_moves().choose(rng).copied());
    m.is_some_and(|m| game.play(m).is_ok())
}

/// A king at the edge of the board, and heavy pieces after it; now and then something defends it.
pub(crate) fn hunt(rng: &mut ChaCha8Rng) -> Game {
    let hunters = [PieceType::Queen, PieceType::Rook, PieceType::Rook];
    let others = [PieceType::Pawn, PieceType::Knight, PieceType::Bishop];
    set_up(rng, |rng, setup| {
        let (us, them) = (Color::White, Color::Black);
        setup.board[56 + rng.random_range(0..8)] = Some(Piece::new(them, PieceType::King));
        let mut pieces = vec![(us, PieceType::King)];
        for _ in 0..rng.random_range(1..=2) {
            pieces.push((us, pick(&hunters, rng)));
        }
        for _ in 0..rng.random_range(0..=3) {
            pieces.push((pick(&Color::ALL, rng), pick(&others, rng)));
        }
        for (color, kind) in pieces {
            let square = &mut setup.board[rng.random_range(8..56)];
            square.get_or_insert(Piece::new(color, kind));
        }
    })
}

/// A position of the kings and at most `others` pieces: with eleven in the end game, or about to
/// enter it; now and then near the fifty-move draw.
pub(crate) fn few_pieces(rng: &mut ChaCha8Rng, others: usize) -> Game {
    set_up(rng, |rng, setup| {
        let mut pieces = Color::ALL.map(|color| (color, PieceType::King)).to_vec();
        for _ in 0..rng.random_range(1..=others) {
            pieces.push((pick(&Color::ALL, rng), pick(&PieceType::ALL[..5], rng)));
        }
        for (color, kind) in pieces {
            setup.board[rng.random_range(0..Square::COUNT)] = Some(Piece::new(color, kind));
        }
        setup.side_to_move = pick(&Color::ALL, rng);
        if rng.random_bool(0.5) {
            setup.halfmove_clock = rng.random_range(90..=101);
        }
    })
}

/// A game from a random position on: until it is legal and has moves, `place` puts up another one.
fn set_up(rng: &mut ChaCha8Rng, place: impl Fn(&mut ChaCha8Rng, &mut Setup)) -> Game {
    loop {
        let mut setup = Setup::empty();
        place(rng, &mut setup);
        if let Ok(position) = Position::from_setup(setup)
            && position.legal_move_count() > 0
        {
            return Game::new(position);
        }
    }
}

fn pick<T: Copy>(these: &[T], rng: &mut ChaCha8Rng) -> T {
    *these.choose(rng).expect("not empty")
}

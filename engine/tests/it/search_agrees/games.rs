//! Random games, at whose ends the searches are compared.

use chacha20::ChaCha8Rng;
use chess::rules::{Color, Game, Move, Piece, PieceType, Position, Setup, Square};
use rand::RngExt;
use rand::seq::IndexedRandom;

use testkit::random_start;

/// A game to be searched at its end: of one of five sorts.
pub(crate) fn random_game(rng: &mut ChaCha8Rng, sort: u64) -> Game {
    match sort {
        0 | 1 => wander(rng, sort == 1, 0),
        // Pieces go back where they came from: positions repeat.
        2 => wander(rng, false, 75),
        3 => shuffle(rng),
        _ => few_pieces(rng, 11),
    }
}

/// A random game; in `back` of 100 moves the last move of the side is taken back where it can be.
pub(crate) fn wander(rng: &mut ChaCha8Rng, chess960: bool, back: u32) -> Game {
    let mut game = Game::new(random_start(rng, chess960));
    for _ in 0..rng.random_range(1..60) {
        if !play_some(&mut game, rng, back) {
            break;
        }
    }
    until_it_has_moves(game)
}

/// Takes moves back until the position on the board has some.
fn until_it_has_moves(mut game: Game) -> Game {
    while game.position().legal_moves().is_empty() {
        game.undo().expect("the first position has moves");
    }
    game
}

fn play_some(game: &mut Game, rng: &mut ChaCha8Rng, back: u32) -> bool {
    let own_last = game.moves().len().checked_sub(2);
    let own_last = own_last.and_then(|index| game.moves().nth(index));
    let undoing = own_last.map(|m| Move::new(m.to(), m.from()));
    let undoing = undoing.filter(|&m| game.position().is_legal(m));
    let m = match undoing {
        Some(m) if rng.random_range(0..100) < back => m,
        _ => match game.position().legal_moves().choose(rng) {
            Some(&m) => m,
            None => return false,
        },
    };
    game.play(m).expect("a legal move");
    true
}

/// Few pieces that move to and fro: some positions have been there twice.
fn shuffle(rng: &mut ChaCha8Rng) -> Game {
    let mut game = few_pieces(rng, 11);
    for _ in 0..rng.random_range(6..14) {
        if !play_some(&mut game, rng, 95) {
            break;
        }
    }
    until_it_has_moves(game)
}

/// A king at the edge of the board, and heavy pieces after it; now and then something defends it.
pub(crate) fn hunt(rng: &mut ChaCha8Rng) -> Game {
    let hunters = [PieceType::Queen, PieceType::Rook, PieceType::Rook];
    let others = [PieceType::Pawn, PieceType::Knight, PieceType::Bishop];
    loop {
        let mut setup = Setup::empty();
        let (us, them) = (Color::White, Color::Black);
        setup.board[56 + rng.random_range(0..8)] = Some(Piece::new(them, PieceType::King));
        let mut pieces = vec![(us, PieceType::King)];
        for _ in 0..rng.random_range(1..=2) {
            pieces.push((us, *hunters.choose(rng).expect("not empty")));
        }
        for _ in 0..rng.random_range(0..=3) {
            let color = *Color::ALL.choose(rng).expect("not empty");
            pieces.push((color, *others.choose(rng).expect("not empty")));
        }
        for (color, kind) in pieces {
            let square = &mut setup.board[rng.random_range(8..56)];
            square.get_or_insert(Piece::new(color, kind));
        }
        if let Ok(position) = Position::from_setup(setup)
            && position.legal_move_count() > 0
        {
            return Game::new(position);
        }
    }
}

/// A position of the kings and at most `others` pieces: with eleven in the end game, or about to
/// enter it; now and then near the fifty-move draw.
pub(crate) fn few_pieces(rng: &mut ChaCha8Rng, others: usize) -> Game {
    loop {
        let mut setup = Setup::empty();
        let kings = Color::ALL.map(|color| Piece::new(color, PieceType::King));
        let others = (0..rng.random_range(1..=others)).map(|_| {
            let kind = *PieceType::ALL[..5].choose(rng).expect("not empty");
            Piece::new(*Color::ALL.choose(rng).expect("not empty"), kind)
        });
        let others: Vec<Piece> = others.collect();
        for piece in kings.into_iter().chain(others) {
            setup.board[rng.random_range(0..Square::COUNT)] = Some(piece);
        }
        setup.side_to_move = *Color::ALL.choose(rng).expect("not empty");
        if rng.random_bool(0.5) {
            setup.halfmove_clock = rng.random_range(90..=101);
        }
        if let Ok(position) = Position::from_setup(setup)
            && position.legal_move_count() > 0
        {
            return Game::new(position);
        }
    }
}

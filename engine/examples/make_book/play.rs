//! Games of the engine with itself.

use chess::rules::{Color, Game, Move, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::think::Thinker;

/// Positions searched for a move of the opening, and of the rest of the game.
const OPENING_NODES: u64 = 10_000;
const REST_NODES: u64 = 1_000;
/// How many moves of the opening are chosen from, and how much worse than the best, in centipawns,
/// each may be.
const CHOICES: usize = 4;
const CHOICE_MARGIN: i32 = 20;
/// How often another move than the best is looked for, once both sides have played their first.
const CHANCE: f64 = 0.4;
/// When a game is broken off, and from what value on it then counts as won.
const LAST_PLY: usize = 80;
const WON: i32 = 150;

/// A game and who won it, or would have.
pub(crate) struct Played {
    pub(crate) game: Game,
    pub(crate) winner: Option<Color>,
}

/// Plays the game of this number.
pub(crate) fn play(thinker: &mut Thinker, seed: u64, number: u64, book_plies: usize) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let mut game = Game::new(Position::startpos());
    for ply in 0..book_plies {
        let m = opening_move(thinker, &game, ply, &mut rng);
        game.play(m).expect("the game has not ended");
    }
    let winner = result(thinker, game.clone());
    Played { game, winner }
}

/// The best move, or by chance one that is nearly as good; the first move of each side is any that
/// is nearly as good.
fn opening_move(thinker: &mut Thinker, game: &Game, ply: usize, rng: &mut ChaCha8Rng) -> Move {
    let vary = ply < 2 || rng.random_bool(CHANCE);
    let count = if vary { CHOICES } else { 1 };
    let margin = if ply < 2 {
        2 * CHOICE_MARGIN
    } else {
        CHOICE_MARGIN
    };
    let mut best = thinker.best(game, OPENING_NODES, if ply < 2 { 2 * count } else { count });
    let (_, value) = *best.first().expect("an opening does not end the game");
    best.retain(|one| one.1 >= value - margin);
    best.choose(rng).expect("the best is there").0
}

/// Plays to the end, or until the value decides.
fn result(thinker: &mut Thinker, mut game: Game) -> Option<Color> {
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner();
        }
        let best = thinker.best(&game, REST_NODES, 1);
        let (m, value) = *best.first().expect("the game has not ended");
        if game.moves().len() >= LAST_PLY {
            let side = game.position().side_to_move();
            let winner = if value > 0 { side } else { !side };
            return (value.abs() >= WON).then_some(winner);
        }
        game.play(m).expect("the search finds legal moves");
    }
}

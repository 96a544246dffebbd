//! The games: sensible enough to look like chess, weak enough to be full of tactics.

use anyhow::Result;
use chacha20::ChaCha8Rng;
use chess::rules::{Game, Position, Setup, Square};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::stockfish::Stockfish;

/// The longest game, in plies.
const MAX_PLIES: usize = 180;
/// The node counts a side may be given, for the whole game.
const STRENGTHS: [u64; 4] = [30, 100, 300, 1000];

/// A position of a game, with the side to move not yet mated.
pub(crate) struct Seen {
    /// The position, its clocks at the start, as an EPD record has them.
    pub(crate) position: Position,
    pub(crate) score_cp: i32,
    /// Where the move before captured, if it did.
    pub(crate) captured_on: Option<Square>,
}

/// Plays game `number` of a seed, whatever was played before it.
pub(crate) fn play(stockfish: &mut Stockfish, seed: u64, number: u64) -> Result<Vec<Seen>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    stockfish.forget()?;
    let strengths: [u64; 2] =
        std::array::from_fn(|_| *STRENGTHS.choose(&mut rng).expect("there are strengths"));
    let random_plies = rng.random_range(2..=6);
    let (mut game, mut seen, mut captured_on) = (Game::new(Position::startpos()), Vec::new(), None);
    while game.outcome().is_none()
        && game.claimable_draw().is_none()
        && game.moves().len() < MAX_PLIES
    {
        let ply = game.moves().len();
        let lines = stockfish.lines(game.position(), 1, strengths[ply % 2])?;
        let position = *game.position();
        // A search of few nodes may end before it has a line.
        let best = lines.first();
        if let Some(best) = best {
            seen.push(Seen {
                position: without_clocks(&position),
                score_cp: best.score_cp,
                captured_on,
            });
        }
        let blunders = ply < random_plies || rng.random_ratio(1, 12);
        let m = match best {
            Some(best) if !blunders => best.first,
            _ => *position
                .legal_moves()
                .choose(&mut rng)
                .expect("the game goes on"),
        };
        captured_on = position.is_capture(m).then_some(m.to());
        game.play(m)?;
    }
    Ok(seen)
}

fn without_clocks(position: &Position) -> Position {
    let setup = Setup {
        halfmove_clock: 0,
        fullmove_number: 1,
        // As the record is written: an en passant square only where there is a capture.
        ep_square: position.legal_ep_square(),
        ..position.to_setup()
    };
    Position::from_setup(setup).expect("it stays legal")
}

//! Profile Touchstone with all its features: a move that makes a draw by repetition, fifty moves or
//! material is worth nothing, at any depth.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Game, Move, Outcome};
use engine::search::{Profile, SearchLimits, SearchRequest, Searcher};
use rand::SeedableRng;

use super::games::random_game;
use super::reference::{is_draw, line_of};
use testkit::scale;

const SEED: u64 = 20_261_124;

/// Whether a move makes a draw that no mate comes before.
fn draws(game: &Game, m: Move) -> bool {
    let mut after = game.clone();
    after.play(m).expect("a legal move");
    let mates = matches!(after.outcome(), Some(Outcome::Checkmate { .. }));
    !mates && is_draw(&line_of(&after))
}

#[test]
fn a_move_that_draws_is_worth_nothing() {
    println!("seed {SEED}");
    let wanted = scale(40, 400);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let mut seen = 0;
    // Pieces that go to and fro, and few pieces near the fiftieth move.
    for sort in [2, 3, 4].into_iter().cycle() {
        if seen >= wanted {
            break;
        }
        let game = random_game(&mut rng, sort);
        let moves = game.position().legal_moves();
        let drawing = moves.into_iter().filter(|&m| draws(&game, m));
        for m in drawing.take(2) {
            seen += 1;
            for depth in 1..=4 {
                let limits = SearchLimits {
                    searchmoves: vec![m],
                    threads: if depth == 4 { 2 } else { 1 },
                    ..SearchLimits::to_depth(depth)
                };
                let request = SearchRequest::new(&game, &limits);
                let found = searcher.search(Profile::Touchstone, request, &mut |_| {});
                let text = fen::write(game.position());
                let context = format!("{m} to depth {depth}: {text}");
                assert_eq!((found.best, found.value), (Some(m), 0), "{context}");
            }
        }
    }
}

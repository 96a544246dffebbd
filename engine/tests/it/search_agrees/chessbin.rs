//! Profile `ChessBin`: with all it does to save time, the value is that of min-max.
//!
//! Compared are the value, exactly, and the best move, which must be one of min-max's best. The
//! table is never cleared between positions, so that what it kept from other games is put to the
//! test as well.

use chacha20::ChaCha8Rng;
use chess::rules::Game;
use engine::eval::ChessBin;
use engine::search::chessbin::ChessBinFeatures;
use engine::search::{MATE, SearchLimits, Searcher};
use rand::{RngExt, SeedableRng};

use super::games::random_game;
use super::reference::{REFERENCE_NODES, Rules, compare};
use testkit::scale;

const SEED: u64 = 20_261_121;

/// Compares a search with min-max, and gives its value; `None` where min-max is too slow.
fn agrees(
    searcher: &mut Searcher,
    game: &Game,
    features: ChessBinFeatures,
    depth: u32,
    number: u64,
) -> Option<i32> {
    let limits = SearchLimits::to_depth(depth);
    let reference = (Rules::of(features), REFERENCE_NODES);
    compare(
        game,
        &limits,
        reference,
        (number, features),
        &mut |request, report| searcher.search_with(&ChessBin, features, request, report),
    )
}

/// The features with one of those switched off that only save time; 0 leaves all on, 1 none.
fn variant(index: u64) -> ChessBinFeatures {
    let mut features = ChessBinFeatures::CHESSBIN;
    let all = index == 1;
    features.table &= !(all || index == 2);
    features.mvv_lva &= !(all || index == 3);
    features.killers &= !(all || index == 4);
    features.scout &= !(all || index == 5);
    features.mate_distance &= !(all || index == 6);
    features
}

/// Two halves side by side, each with a table of its own.
#[test]
fn values_are_those_of_min_max() {
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || compare_random_games(SEED + half, scale(400, 1_600)));
        }
    });
}

fn compare_random_games(seed: u64, wanted: u64) {
    println!("seed {seed}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let (mut compared, mut by_depth, mut by_sort) = (0, [0; 4], [0; 5]);
    // Mates, draws, end games, repetitions, positions near the fifty-move rule.
    let mut rare = [0; 5];
    for number in 0_u64.. {
        if compared >= wanted {
            break;
        }
        let sort = usize::try_from(number % 5).expect("small");
        if by_sort[sort] * 3 > wanted {
            continue;
        }
        let game = random_game(&mut rng, number % 5);
        // With many pieces on the board the reference gets no deeper than a ply or two.
        let depth = rng.random_range(1..=if sort < 3 { 2 } else { 3 });
        let features = variant(number / 5 % 8);
        let Some(value) = agrees(&mut searcher, &game, features, depth, number) else {
            continue;
        };
        compared += 1;
        by_depth[depth as usize] += 1;
        by_sort[sort] += 1;
        let position = game.position();
        let is = [
            value.abs() > MATE - 100,
            value == 0,
            position.occupied().count() < 10,
            game.repetitions() > 1,
            position.halfmove_clock() >= 94,
        ];
        for (count, is) in rare.iter_mut().zip(is) {
            *count += u64::from(is);
        }
    }
    // None of it goes untested unnoticed.
    println!("{by_depth:?} {by_sort:?} {rare:?}");
    assert!(by_depth[1..].iter().all(|&count| count * 10 > wanted));
    let mut others = by_sort.iter().chain(&rare);
    assert!(others.all(|&count| count * 50 > wanted));
}

#[test]
fn quiescence_can_be_switched_off() {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 2);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let features = ChessBinFeatures {
        quiescence: false,
        end_game_extension: 0,
        ..ChessBinFeatures::CHESSBIN
    };
    let mut compared = 0;
    while compared < 300 {
        let game = random_game(&mut rng, compared % 5);
        searcher.clear();
        let value = agrees(&mut searcher, &game, features, 2, compared);
        compared += u64::from(value.is_some());
    }
}

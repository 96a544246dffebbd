//! Profile `ChessBin` with all it does to save time, and profile Touchstone without its features or
//! with those that only order moves: the value is that of min-max.
//!
//! Compared are the value, exactly, and the best move, which must be one of min-max's best. The
//! table is never cleared between positions, so that what it kept from other games is put to the
//! test as well.

use chacha20::ChaCha8Rng;
use chess::rules::Game;
use engine::eval::{ChessBin, Network};
use engine::search::chessbin::ChessBinFeatures;
use engine::search::touchstone::{Config, Features};
use engine::search::{MATE, SearchLimits, Searcher};
use rand::{RngExt, SeedableRng};

use super::games::{few_pieces, random_game};
use super::reference::{REFERENCE_NODES, Rules, compare};
use testkit::scale;

const SEED: u64 = 20_261_122;

/// Compares searches of random games until `wanted` have been small enough for min-max, of which at
/// most so many are of one sort. One of so many at least is of each depth, and of each sort and each
/// rare kind. One search, of the game with this number to this depth, gives its value.
fn compare_random_games(
    seed: u64,
    (wanted, most_of_a_sort): (u64, u64),
    (of_a_depth, of_a_kind): (u64, u64),
    search: impl Fn(&mut Searcher, u64, &Game, u32) -> Option<i32>,
) {
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
        if by_sort[sort] > most_of_a_sort {
            continue;
        }
        let game = random_game(&mut rng, number % 5);
        // With many pieces on the board the reference gets no deeper than a ply or two.
        let depth = rng.random_range(1..=if sort < 3 { 2 } else { 3 });
        let Some(value) = search(&mut searcher, number, &game, depth) else {
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
    assert!(
        by_depth[1..]
            .iter()
            .all(|&count| count * of_a_depth > wanted)
    );
    let mut others = by_sort.iter().chain(&rare);
    assert!(others.all(|&count| count * of_a_kind > wanted));
}

/// Compares a search of profile `ChessBin`.
fn chessbin(
    searcher: &mut Searcher,
    features: ChessBinFeatures,
    game: &Game,
    depth: u32,
) -> Option<i32> {
    let limits = SearchLimits::to_depth(depth);
    let reference = (Rules::of(features), REFERENCE_NODES);
    compare(
        game,
        &limits,
        reference,
        features,
        &mut |request, report| searcher.search_with(&ChessBin, features, request, report),
    )
}

/// Two halves side by side, each with a table of its own.
#[test]
fn values_of_chessbin_are_those_of_min_max() {
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || {
                let wanted = scale(400, 1_600);
                let counts = (wanted, wanted / 3);
                compare_random_games(
                    SEED + half,
                    counts,
                    (10, 50),
                    |searcher, number, game, depth| {
                        // One of those features is off that only save time; 0 leaves all on, 1 none.
                        let index = number / 5 % 8;
                        let is_off = |feature| index == 1 || index == feature;
                        let mut features = ChessBinFeatures::CHESSBIN;
                        features.table &= !is_off(2);
                        features.mvv_lva &= !is_off(3);
                        features.killers &= !is_off(4);
                        features.scout &= !is_off(5);
                        features.mate_distance &= !is_off(6);
                        chessbin(searcher, features, game, depth)
                    },
                );
            });
        }
    });
}

#[test]
fn quiescence_can_be_switched_off() {
    let features = ChessBinFeatures {
        quiescence: false,
        end_game_extension: 0,
        ..ChessBinFeatures::CHESSBIN
    };
    compare_random_games(
        SEED + 2,
        (300, 300),
        (15, 100),
        |searcher, _, game, depth| {
            searcher.clear();
            chessbin(searcher, features, game, depth)
        },
    );
}

/// Of the features that only order moves, or bounds: none, all, or one alone.
fn orders(index: u64) -> Features {
    let is_on = |number: u64| index == 1 || index == number;
    Features {
        aspiration: is_on(2),
        history: is_on(3),
        capture_history: is_on(4),
        continuation_history: is_on(5),
        countermoves: is_on(6),
        exchange_order: is_on(7),
        ..Features::NONE
    }
}

/// Compares a search of profile Touchstone.
fn touchstone(
    searcher: &mut Searcher,
    features: Features,
    game: &Game,
    (depth, threads): (u32, usize),
    nodes: u64,
) -> Option<i32> {
    let config = Config {
        features,
        ..Config::default()
    };
    let limits = SearchLimits {
        threads,
        ..SearchLimits::to_depth(depth)
    };
    let (network, reference) = (Network::built_in(), (Rules::TOUCHSTONE, nodes));
    let context = (threads, features);
    compare(game, &limits, reference, context, &mut |request, report| {
        searcher.search_selectively(&network, config, request, report)
    })
}

#[test]
fn values_of_touchstone_without_pruning_are_those_of_min_max() {
    let wanted = scale(160, 1_600);
    compare_random_games(
        SEED + 3,
        (wanted, wanted),
        (10, 100),
        |searcher, number, game, depth| {
            let threads = if number % 7 == 0 { 3 } else { 1 };
            // Games and variants go round with different periods.
            let features = orders(number / 40 % 8);
            touchstone(searcher, features, game, (depth, threads), REFERENCE_NODES)
        },
    );
}

/// Narrow bounds are tried from some depth on only.
#[test]
fn narrow_bounds_at_the_root_change_no_value() {
    let wanted = scale(3, 32);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 4);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let mut compared = 0;
    for number in 0_u64.. {
        if compared >= wanted {
            break;
        }
        let game = few_pieces(&mut rng, 2);
        let limits = (rng.random_range(5..=6), 1);
        let value = touchstone(
            &mut searcher,
            orders(1 + number % 2),
            &game,
            limits,
            100_000,
        );
        compared += u64::from(value.is_some());
    }
}

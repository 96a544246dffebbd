//! Profile Touchstone: without its features, and with those that only order moves, the value is
//! that of min-max with the same quiescence. One table serves all of them.

use chacha20::ChaCha8Rng;
use chess::rules::Game;
use engine::eval::Network;
use engine::search::touchstone::{Config, Features};
use engine::search::{SearchLimits, Searcher};
use rand::{RngExt, SeedableRng};

use super::games::{few_pieces, random_game};
use super::reference::{REFERENCE_NODES, Rules, compare};
use testkit::scale;

const SEED: u64 = 20_261_123;

/// The features that only change the order in which moves, or bounds, are tried.
const ORDERS: Features = Features {
    aspiration: true,
    history: true,
    capture_history: true,
    continuation_history: true,
    countermoves: true,
    exchange_order: true,
    ..Features::NONE
};

/// Of the features that only order: none, all, or one alone.
fn variant(index: u64) -> Features {
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

/// What is compared: a game, and how its last position is searched.
struct Case {
    game: Game,
    depth: u32,
    features: Features,
    threads: usize,
}

/// Compares a search with min-max; says whether that was not too much for it.
fn agrees(searcher: &mut Searcher, case: &Case, nodes: u64) -> bool {
    let config = Config {
        features: case.features,
        ..Config::default()
    };
    let limits = SearchLimits {
        threads: case.threads,
        ..SearchLimits::to_depth(case.depth)
    };
    let context = (case.threads, case.features);
    let (network, reference) = (Network::built_in(), (Rules::TOUCHSTONE, nodes));
    let value = compare(
        &case.game,
        &limits,
        reference,
        context,
        &mut |request, report| searcher.search_selectively(&network, config, request, report),
    );
    value.is_some()
}

#[test]
fn values_without_pruning_are_those_of_min_max() {
    println!("seed {SEED}");
    let wanted = scale(160, 1_600);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let (mut compared, mut by_depth) = (0, [0; 4]);
    for number in 0_u64.. {
        if compared >= wanted {
            break;
        }
        // Games and variants go round with different periods.
        let sort = number % 5;
        let depth = rng.random_range(1..=if sort < 3 { 2 } else { 3 });
        let case = Case {
            game: random_game(&mut rng, sort),
            depth,
            features: variant(number / 40 % 8),
            threads: if number % 7 == 0 { 3 } else { 1 },
        };
        if agrees(&mut searcher, &case, REFERENCE_NODES) {
            compared += 1;
            by_depth[depth as usize] += 1;
        }
    }
    println!("{by_depth:?}");
    assert!(by_depth[1..].iter().all(|&count| count * 10 > wanted));
}

/// Narrow bounds are tried from some depth on only.
#[test]
fn narrow_bounds_at_the_root_change_no_value() {
    let wanted = scale(3, 32);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 1);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let (mut compared, mut number) = (0, 0);
    while compared < wanted {
        number += 1;
        let case = Case {
            game: few_pieces(&mut rng, 2),
            depth: rng.random_range(5..=6),
            features: if number % 2 == 0 { ORDERS } else { variant(2) },
            threads: 1,
        };
        compared += u64::from(agrees(&mut searcher, &case, 100_000));
    }
}

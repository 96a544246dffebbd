//! Profile Touchstone: without its features, and with those that only order moves, the value is
//! that of min-max with the same quiescence. One table serves all of them.

use chess::notation::fen;
use chess::rules::Game;
use engine::eval::{ChessBin, Evaluation};
use engine::search::touchstone::{Config, Features};
use engine::search::{Limits, Line, MATE, NoClock, Report, Request, Searcher, Signals};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::games::{few_pieces, random_game};
use crate::reference::{REFERENCE_NODES, Reference, Rules};
use testkit::wanted_positions;

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

/// Searches to a depth and gives the last line.
fn search(searcher: &mut Searcher, game: &Game, features: Features, limits: &Limits) -> Line {
    let request = Request {
        game,
        limits,
        signals: &Signals::new(false),
        clock: &NoClock,
    };
    let config = Config {
        features,
        tables: None,
    };
    let mut last = None;
    let found = searcher.search_selectively(&ChessBin, config, request, &mut |report| {
        if let Report::Line(line) = report {
            last = Some(line.clone());
        }
    });
    let line = last.expect("every iteration is reported");
    assert_eq!(Some(line.depth), limits.depth);
    assert_eq!(found.best, line.pv.first().copied());
    assert_eq!(found.value, line.value);
    line
}

fn limits(depth: u32, threads: usize) -> Limits {
    Limits {
        depth: Some(depth),
        threads,
        ..Limits::default()
    }
}

/// What is compared: a game, and how its last position is searched.
struct Case {
    game: Game,
    depth: u32,
    features: Features,
    threads: usize,
}

/// Compares value, move and line with those of min-max; says whether that was not too much for it.
fn agrees(searcher: &mut Searcher, case: &Case, nodes: u64) -> bool {
    let Case {
        game,
        depth,
        features,
        threads,
    } = case;
    let Ok(values) = Reference::new(game, Rules::TOUCHSTONE, nodes).root(*depth) else {
        return false;
    };
    let line = search(searcher, game, *features, &limits(*depth, *threads));
    let best = values.iter().map(|&(_, value)| value).max();
    let text = fen::write(game.position());
    let context = format!("depth {depth}, {threads} threads, {features:?}: {text}");
    assert_eq!(Some(line.value), best, "{context}");
    assert!(
        values.contains(&(line.pv[0], line.value)),
        "{} is not among the best: {context}",
        line.pv[0]
    );
    check_line(game, &line, *depth, &context);
    true
}

/// Plays a line and compares what stands at its end with its value.
fn check_line(game: &Game, line: &Line, depth: u32, context: &str) {
    let mut game = game.clone();
    for &m in &line.pv {
        game.play(m).expect("a line is legal");
    }
    let plies = i32::try_from(line.pv.len()).expect("lines are short");
    let position = game.position();
    let is_over = position.legal_move_count() == 0;
    let is_leaf = line.pv.len() >= depth as usize;
    let leaf = if is_over && position.is_check() {
        plies - MATE
    } else if game.claimable_draw().is_some()
        || position.is_insufficient_material()
        || is_over && !is_leaf
    {
        0
    } else {
        assert!(is_leaf, "{context}");
        ChessBin.evaluate(position)
    };
    let value = if plies % 2 == 0 { leaf } else { -leaf };
    assert_eq!(line.value, value, "{:?}: {context}", line.pv);
}

#[test]
fn values_without_pruning_are_those_of_min_max() {
    println!("seed {SEED}");
    let wanted = wanted_positions(3_200) / 2;
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
    let wanted = wanted_positions(3_200) / 100;
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

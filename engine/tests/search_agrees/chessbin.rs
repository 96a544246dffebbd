//! Profile `ChessBin`: with all it does to save time, the value is that of min-max.
//!
//! Compared are the value, exactly, and the best move, which must be one of min-max's best. The
//! table is never cleared between positions, so that what it kept from other games is put to the
//! test as well.

use chess::notation::fen;
use chess::rules::Game;
use engine::eval::{ChessBin, Evaluation};
use engine::search::chessbin::Features;
use engine::search::{Limits, Line, MATE, NoClock, Report, Request, Searcher, Signals};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::games::random_game;
use crate::reference::{REFERENCE_NODES, Reference, Rules};
use testkit::wanted_positions;

const SEED: u64 = 20_261_121;

/// Searches to a depth and gives the last line.
fn search(searcher: &mut Searcher, game: &Game, features: Features, depth: u32) -> Line {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let request = Request {
        game,
        limits: &limits,
        signals: &Signals::new(false),
        clock: &NoClock,
    };
    let mut last = None;
    let found = searcher.search_with(&ChessBin, features, request, &mut |report| {
        if let Report::Line(line) = report {
            last = Some(line.clone());
        }
    });
    let line = last.expect("every iteration is reported");
    assert_eq!(line.depth, depth);
    assert_eq!(found.best, line.pv.first().copied());
    assert_eq!(found.value, line.value);
    line
}

/// The features with one of those switched off that only save time; 0 leaves all on, 1 none.
fn variant(index: u64) -> Features {
    let mut features = Features::CHESSBIN;
    let all = index == 1;
    features.table &= !(all || index == 2);
    features.mvv_lva &= !(all || index == 3);
    features.killers &= !(all || index == 4);
    features.scout &= !(all || index == 5);
    features.mate_distance &= !(all || index == 6);
    features
}

/// What the positions compared had in them, so that none of it goes untested unnoticed.
#[derive(Debug, Default)]
struct Tally {
    compared: u64,
    too_large: u64,
    by_depth: [u64; 4],
    by_sort: [u64; 5],
    mates: u64,
    draws: u64,
    end_games: u64,
    repeated: u64,
    near_fifty: u64,
}

impl Tally {
    fn add(&mut self, game: &Game, sort: u64, depth: u32, value: i32) {
        let position = game.position();
        self.compared += 1;
        self.by_depth[depth as usize] += 1;
        self.by_sort[usize::try_from(sort).expect("small")] += 1;
        self.mates += u64::from(value.abs() > MATE - 100);
        self.draws += u64::from(value == 0);
        self.end_games += u64::from(position.occupied().count() < 10);
        self.repeated += u64::from(game.repetitions() > 1);
        self.near_fifty += u64::from(position.halfmove_clock() >= 94);
    }
}

#[test]
fn values_are_those_of_min_max() {
    println!("seed {SEED}");
    let wanted = wanted_positions(3_200);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let mut tally = Tally::default();
    for number in 0_u64.. {
        if tally.compared >= wanted {
            break;
        }
        let sort = number % 5;
        if tally.by_sort[usize::try_from(sort).expect("small")] * 3 > wanted {
            continue;
        }
        let game = random_game(&mut rng, sort);
        // With many pieces on the board the reference gets no deeper than a ply or two.
        let depth = rng.random_range(1..=if sort < 3 { 2 } else { 3 });
        let features = variant(number / 5 % 8);
        let Ok(values) = Reference::new(&game, Rules::of(features), REFERENCE_NODES).root(depth)
        else {
            tally.too_large += 1;
            continue;
        };
        let line = search(&mut searcher, &game, features, depth);
        let best = values.iter().map(|&(_, value)| value).max();
        let text = fen::write(game.position());
        let context = format!("depth {depth}, {features:?}, game {number}: {text}");
        assert_eq!(Some(line.value), best, "{context}");
        assert!(
            values.contains(&(line.pv[0], line.value)),
            "{} is not among the best: {context}",
            line.pv[0]
        );
        check_line(&game, &line, depth, &context);
        tally.add(&game, sort, depth, line.value);
    }
    println!("{tally:?}");
    assert!(tally.by_depth[1..].iter().all(|&count| count * 10 > wanted));
    assert!(tally.by_sort.iter().all(|&count| count * 50 > wanted));
    let rare = [
        tally.mates,
        tally.draws,
        tally.end_games,
        tally.repeated,
        tally.near_fifty,
    ];
    assert!(rare.iter().all(|&count| count * 50 > wanted), "{tally:?}");
}

/// Plays a line and compares what stands at its end with its value.
fn check_line(game: &Game, line: &Line, depth: u32, context: &str) {
    let mut game = game.clone();
    for &m in &line.pv {
        game.play(m).expect("a line is legal");
    }
    let plies = i32::try_from(line.pv.len()).expect("lines are short");
    let position = game.position();
    let moves = position.legal_move_count();
    let leaf = if moves == 0 && position.is_check() {
        plies - MATE
    } else if moves == 0 || game.claimable_draw().is_some() || game.outcome().is_some() {
        0
    } else {
        assert!(line.pv.len() >= depth as usize, "{context}");
        ChessBin.evaluate(position)
    };
    let value = if plies % 2 == 0 { leaf } else { -leaf };
    assert_eq!(line.value, value, "{:?}: {context}", line.pv);
}

#[test]
fn quiescence_can_be_switched_off() {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 1);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let mut compared = 0;
    while compared < 300 {
        let game = random_game(&mut rng, compared % 5);
        let features = Features {
            quiescence: false,
            end_game_extension: 0,
            ..Features::CHESSBIN
        };
        searcher.clear();
        if let Ok(values) = Reference::new(&game, Rules::of(features), REFERENCE_NODES).root(2) {
            let line = search(&mut searcher, &game, features, 2);
            let best = values.iter().map(|&(_, value)| value).max();
            assert_eq!(Some(line.value), best, "{}", fen::write(game.position()));
            compared += 1;
        }
    }
}

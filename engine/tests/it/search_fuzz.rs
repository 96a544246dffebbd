//! Searches of random positions, in-process: what is found must be possible.
//!
//! Positions are of random games, standard and Chess960, and of pieces thrown onto the board, with
//! games behind them so that repetitions and clocks count.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Game, Move, Outcome, Position};
use engine::search::{
    MATE, MAX_DEPTH, MAX_PLY, Profile, PvLine, ScoreBound, SearchLimits, SearchRequest,
    SearchResult, Searcher, mate_distance,
};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::positions::{thrown_position, wander};
use testkit::{random_start, scale};

use crate::search_limits::{game, run};

const SEED: u64 = 6;

/// A game of a few moves from a random first position.
fn random_game(rng: &mut ChaCha8Rng) -> Game {
    let start = match rng.random_range(0..4) {
        0 => random_start(rng, false),
        1 => random_start(rng, true),
        _ => thrown_position(rng),
    };
    let plies = *[0, 20, 150].choose(rng).expect("there are some");
    let mut game = Game::new(wander(start, plies, rng));
    for _ in 0..rng.random_range(0..12) {
        if let Some(&m) = game.position().legal_moves().choose(rng) {
            game.play(m).expect("a generated move is legal");
        }
    }
    game
}

fn random_limits(position: &Position, rng: &mut ChaCha8Rng) -> SearchLimits {
    let moves = position.legal_moves();
    let searchmoves = match rng.random_range(0..5) {
        0 => moves.sample(rng, 2).copied().collect(),
        _ => Vec::new(),
    };
    // Few for what happens before the first move has a score, many for what only comes deeper.
    let most = *[1, 60, 400, 400, 400, 4_000]
        .choose(rng)
        .expect("there are some");
    SearchLimits {
        nodes: Some(rng.random_range(0..=most)),
        depth: (rng.random_range(0..5) == 0).then(|| rng.random_range(1..=4)),
        mate: (rng.random_range(0..8) == 0).then(|| rng.random_range(1..=3)),
        multipv: *[1, 1, 1, 2, 5, 300].choose(rng).expect("there are some"),
        searchmoves,
        threads: *[1, 3].choose(rng).expect("there are some"),
        ..SearchLimits::default()
    }
}

/// What must hold of a search, as a message where it does not.
struct Judge<'a> {
    position: &'a Position,
    limits: &'a SearchLimits,
    allowed: Vec<Move>,
}

impl<'a> Judge<'a> {
    fn new(position: &'a Position, limits: &'a SearchLimits) -> Self {
        let mut allowed = limits.searchmoves.clone();
        if allowed.is_empty() {
            allowed.extend(position.legal_moves());
        }
        Self {
            position,
            limits,
            allowed,
        }
    }

    fn check_line(&self, line: &PvLine) {
        let mut last = *self.position;
        assert!(self.allowed.contains(&line.pv[0]), "root move of {line:?}");
        assert!(line.pv.len() <= MAX_PLY, "length of {line:?}");
        for &m in &line.pv {
            assert!(last.is_legal(m), "{m} of {line:?}");
            last = last.play_unchecked(m);
        }
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        assert!(line.nodes <= most, "nodes of {line:?}");
        assert!(line.depth <= MAX_DEPTH, "depth of {line:?}");
        assert!(line.hashfull <= 1000, "hashfull of {line:?}");
        check_value(line.value);
        if let Some(moves) = mate_distance(line.value) {
            let plies = 2 * moves.unsigned_abs() as usize - usize::from(moves > 0);
            let mates = matches!(last.outcome(), Some(Outcome::Checkmate { .. }));
            assert!(line.pv.len() < plies || mates, "no mate ends {line:?}");
        }
    }

    /// Lines come together, as many as are wanted, best first, all beginning differently. Those of an
    /// unfinished iteration come before the rest, which are of the iteration before.
    fn check_order(&self, lines: &[PvLine]) {
        let wanted = self.limits.multipv.max(1).min(self.allowed.len()).max(1);
        let mut depth = 0;
        for reported in lines.chunks(wanted) {
            let ranks = reported.iter().map(|line| line.multipv);
            assert!(ranks.eq(1..=wanted), "{lines:?}");
            let falls = reported.is_sorted_by(|one, next| one.value >= next.value);
            assert!(falls, "{reported:?}");
            let mut firsts: Vec<Move> = reported.iter().map(|line| line.pv[0]).collect();
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), wanted, "{reported:?}");

            let best = &reported[0];
            assert!(best.depth >= depth, "{lines:?}");
            depth = best.depth;
            let falls = reported.is_sorted_by(|one, next| one.depth >= next.depth);
            assert!(falls, "{reported:?}");
            for line in reported {
                assert!(line.depth + 1 >= best.depth, "{reported:?}");
                // What fails high when the search ends is the best line; a line of the iteration
                // before is at most as good as those of this one.
                let is_possible = match line.bound {
                    None => true,
                    Some(ScoreBound::Lower) => line.multipv == 1,
                    Some(ScoreBound::Upper) => line.depth < best.depth,
                };
                assert!(is_possible, "{reported:?}");
                // Nothing is known of moves that have not been searched.
                let is_searched = line.multipv == 1 || self.limits.nodes > Some(1);
                assert!(is_searched || (line.depth, line.bound) == (0, None));
            }
        }
        assert!(lines.is_sorted_by_key(|line| line.nodes), "{lines:?}");
        let new = |line: &PvLine| (line.depth, line.value, line.pv.clone());
        let all: Vec<_> = lines.chunks(wanted).collect();
        for pair in all.windows(2) {
            let is_same = pair[0].iter().map(new).eq(pair[1].iter().map(new));
            assert!(!is_same, "reported twice: {lines:?}");
        }
    }

    fn check_found(&self, found: &SearchResult, lines: &[PvLine]) {
        check_value(found.value);
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        assert!(found.nodes <= most, "{found:?}");
        let Some(best) = found.best else {
            assert!(self.allowed.is_empty(), "{found:?}");
            let value = if self.position.is_check() { -MATE } else { 0 };
            assert_eq!((found.value, found.depth), (value, 0));
            return;
        };
        assert!(self.allowed.contains(&best), "{found:?}");
        let next = self.position.play_unchecked(best);
        assert!(found.ponder.is_none_or(|m| next.is_legal(m)), "{found:?}");
        // Nobody is given a move without having heard a score for it.
        let last = lines.iter().rfind(|line| line.multipv == 1);
        let last = last.expect("a line is reported");
        let reported = (last.pv[0], last.value, last.depth);
        assert_eq!(reported, (best, found.value, found.depth), "{lines:?}");
    }
}

fn check_value(value: i32) {
    assert!(value.abs() <= MATE, "{value}");
    let is_mate = mate_distance(value).is_some();
    assert!(is_mate || value.abs() <= engine::eval::LIMIT, "{value}");
}

#[test]
fn results_of_random_searches_are_possible() {
    let count = scale(500, 5_000);
    println!("seed {SEED}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut searcher = Searcher::new(1).expect("a mebibyte");
    let mut over = [0; 2];
    for number in 0..count {
        let game = random_game(&mut rng);
        let limits = random_limits(game.position(), &mut rng);
        let profile = *Profile::ALL.choose(&mut rng).expect("there are two");
        let moves: Vec<String> = game.moves().map(|m| m.to_string()).collect();
        let start = fen::write(game.start());
        // Of a test that fails, the last line is shown.
        println!(
            "{number}: {profile} {start} moves {} {limits:?}",
            moves.join(" ")
        );
        let request = SearchRequest::new(&game, &limits);
        let (found, lines) = run(&mut searcher, (profile, limits.threads), request);
        let judge = Judge::new(game.position(), &limits);
        for line in &lines {
            judge.check_line(line);
        }
        judge.check_order(&lines);
        judge.check_found(&found, &lines);
        over[usize::from(game.position().is_check())] += usize::from(found.best.is_none());
    }
    assert!(
        over.iter().all(|&count| count > 0),
        "stalemates, mates: {over:?}"
    );
}

/// When a search ends within an iteration, PVs of the iteration before have their scores capped;
/// such a PV does not end in the mate of a score that is not its own.
#[test]
fn a_capped_mate_score_has_only_the_first_move() {
    let start = "8/8/1P1b2q1/1k6/r7/5p2/p3p3/K7 b - - 0 16";
    let game = game(start, "a4b4 b6b7 d6f4");
    let mut capped = 0;
    for nodes in 1..2_000 {
        let mut searcher = Searcher::new(1).expect("a mebibyte");
        let limits = SearchLimits {
            multipv: 2,
            ..SearchLimits::to_nodes(nodes)
        };
        let request = SearchRequest::new(&game, &limits);
        let (_, lines) = run(&mut searcher, (Profile::Touchstone, 1), request);
        let judge = Judge::new(game.position(), &limits);
        for line in lines {
            judge.check_line(&line);
            let is_mate = mate_distance(line.value).is_some();
            capped += usize::from(is_mate && line.bound == Some(ScoreBound::Upper));
        }
    }
    assert!(capped > 0, "no search ends so");
}

//! The search against plain min-max: every line to its end, no bounds, no table, no order.
//!
//! Compared are the value, exactly, and the best move, which must be one of min-max's best. The
//! table is never cleared between positions, so that what it kept from other games is put to the
//! test as well.
//!
//! `TOUCHSTONE_POSITIONS` sets how many positions are compared, 3,200 when it is not set.

mod common;

use std::time::Duration;

use common::{random_start, wanted_positions};
use engine::eval::{ChessBin, Evaluation};
use engine::notation::fen;
use engine::rules::{Color, Game, Move, Piece, PieceType, Position, Setup, Square};
use engine::search::chessbin::Features;
use engine::search::{Clock, Limits, Line, MATE, Report, Request, Searcher, Signals};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 20_261_121;

/// Nodes of min-max spent on one position; those that would need more are passed over.
const TWIN_NODES: u64 = 8_000;

/// A position too large for the twin.
struct TooLarge;

/// Plain min-max with plain quiescence.
struct Twin {
    features: Features,
    line: Vec<Position>,
    nodes: u64,
}

impl Twin {
    fn new(game: &Game, features: Features) -> Self {
        let mut line = vec![*game.start()];
        for m in game.moves() {
            line.push(
                line[line.len() - 1]
                    .play(m)
                    .expect("a game's moves are legal"),
            );
        }
        Self {
            features,
            line,
            nodes: 0,
        }
    }

    /// The value of every move of the last position.
    fn root(&mut self, depth: u32) -> Result<Vec<(Move, i32)>, TooLarge> {
        let position = self.position();
        let extra = u32::from(position.occupied().count() < self.features.end_game_pieces)
            * self.features.end_game_extension;
        let mut values = Vec::new();
        for &m in &position.legal_moves() {
            values.push((m, self.after(m, depth + extra, 0)?));
        }
        Ok(values)
    }

    fn position(&self) -> Position {
        self.line[self.line.len() - 1]
    }

    /// The value of a move for the side that makes it.
    fn after(&mut self, m: Move, depth: u32, ply: i32) -> Result<i32, TooLarge> {
        let before = self.position();
        let next = before.play(m).expect("a generated move is legal");
        self.nodes += 1;
        if self.nodes > TWIN_NODES {
            return Err(TooLarge);
        }
        let limit = self.features.end_game_pieces;
        let enters = before.occupied().count() >= limit && next.occupied().count() < limit;
        let more = u32::from(enters) * self.features.end_game_extension;
        self.line.push(next);
        let value = match depth {
            0 => self.value(0, ply + 1),
            _ => self.value(depth - 1 + more, ply + 1),
        };
        self.line.pop();
        value.map(|value| -value)
    }

    fn value(&mut self, depth: u32, ply: i32) -> Result<i32, TooLarge> {
        let position = self.position();
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(if position.is_check() { ply - MATE } else { 0 });
        }
        let same = self.line.iter().filter(|p| position.is_repetition_of(p));
        let is_draw = same.count() >= 3
            || position.halfmove_clock() >= 100
            || position.is_insufficient_material();
        if is_draw {
            return Ok(0);
        }
        let is_leaf = depth == 0;
        if is_leaf && !self.features.quiescence {
            return Ok(ChessBin.evaluate(&position));
        }
        let may_stay = is_leaf && !position.is_check();
        let mut best = if may_stay {
            ChessBin.evaluate(&position)
        } else {
            -MATE
        };
        for &m in &moves {
            let is_loud = position.is_capture(m) || m.promotion() == Some(PieceType::Queen);
            if !may_stay || is_loud {
                best = best.max(self.after(m, depth, ply)?);
            }
        }
        Ok(best)
    }
}

struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

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

/// A game to be searched at its end: of one of five sorts.
fn random_game(rng: &mut ChaCha8Rng, sort: u64) -> Game {
    match sort {
        0 | 1 => wander(rng, sort == 1, 0),
        // Pieces go back where they came from: positions repeat.
        2 => wander(rng, false, 75),
        3 => shuffle(rng),
        _ => few_pieces(rng),
    }
}

/// A random game; in `back` of 100 moves the last move of the side is taken back where it can be.
fn wander(rng: &mut ChaCha8Rng, chess960: bool, back: u32) -> Game {
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
    let mut game = few_pieces(rng);
    for _ in 0..rng.random_range(6..14) {
        if !play_some(&mut game, rng, 95) {
            break;
        }
    }
    until_it_has_moves(game)
}

/// A position of 3 to 13 pieces: in the end game, or about to enter it; now and then near the
/// fifty-move draw.
fn few_pieces(rng: &mut ChaCha8Rng) -> Game {
    loop {
        let mut setup = Setup::empty();
        let kings = Color::ALL.map(|color| Piece::new(color, PieceType::King));
        let others = (0..rng.random_range(1..12)).map(|_| {
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
        // With many pieces on the board the twin gets no deeper than a ply or two.
        let depth = rng.random_range(1..=if sort < 3 { 2 } else { 3 });
        let features = variant(number / 5 % 8);
        let Ok(values) = Twin::new(&game, features).root(depth) else {
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
        if let Ok(values) = Twin::new(&game, features).root(2) {
            let line = search(&mut searcher, &game, features, 2);
            let best = values.iter().map(|&(_, value)| value).max();
            assert_eq!(Some(line.value), best, "{}", fen::write(game.position()));
            compared += 1;
        }
    }
}

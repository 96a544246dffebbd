//! The engine's opinion of positions and moves.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use chess::rules::{Game, Move, Position};
use engine::book::Book;
use engine::search::{Clock, Found, Limits, Profile, Report, Request, Searcher, Signals};
use rayon::prelude::*;

/// How deep the moves of a book position are looked at once more, in plies: the same depth for all,
/// since values of odd and even depths differ.
const APPROVAL_DEPTH: u32 = 5;
/// How much worse than the best a move of the book may be, in centipawns.
const MARGIN: i32 = 40;

/// Limits are positions searched: no time passes.
struct NoTime;

impl Clock for NoTime {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A searcher that remembers nothing from one search to the next, so that the order of searches
/// does not matter.
pub(crate) struct Thinker(Searcher);

impl Thinker {
    pub(crate) fn new() -> Self {
        Self(Searcher::new(1).expect("there is memory for the smallest table"))
    }

    /// The best moves with their values, best first: the lines that were reported last.
    pub(crate) fn best(&mut self, game: &Game, nodes: u64, count: usize) -> Vec<(Move, i32)> {
        let limits = Limits {
            nodes: Some(nodes),
            multipv: count,
            ..Limits::default()
        };
        let mut best: Vec<(Move, i32)> = Vec::new();
        self.search(game, &limits, &mut |report| {
            if let Report::Line(line) = report
                && let Some(&m) = line.pv.first()
            {
                best.truncate(line.multipv - 1);
                best.push((m, line.value));
            }
        });
        best
    }

    /// The value of the best of some moves, or of all, for the side that plays it.
    fn value(&mut self, game: &Game, moves: Vec<Move>) -> i32 {
        let limits = Limits {
            depth: Some(APPROVAL_DEPTH),
            searchmoves: moves,
            ..Limits::default()
        };
        self.search(game, &limits, &mut |_| {}).value
    }

    fn search(&mut self, game: &Game, limits: &Limits, report: &mut dyn FnMut(&Report)) -> Found {
        self.0.clear();
        let request = Request {
            game,
            limits,
            signals: &Signals::new(false),
            clock: &NoTime,
        };
        self.0.search(Profile::ChessBin, request, report)
    }

    /// The moves that the draft has here and that are not much worse than the best.
    fn approve(&mut self, position: &Position, draft: &Book) -> HashSet<Move> {
        let game = Game::new(*position);
        let best = self.value(&game, Vec::new());
        let moves = draft.moves(position).into_iter().map(|one| one.m);
        moves
            .filter(|&m| self.value(&game, vec![m]) >= best - MARGIN)
            .collect()
    }
}

/// The sound moves of each position of a book, by key.
pub(crate) type Approved = HashMap<u64, HashSet<Move>>;

/// Looks once more at all positions of games that the draft has moves for.
pub(crate) fn approved<'a>(games: impl Iterator<Item = &'a Game>, draft: &Book) -> Approved {
    let mut positions: HashMap<u64, Position> = HashMap::new();
    for game in games {
        let mut position = *game.start();
        for m in game.moves() {
            if draft.moves(&position).is_empty() {
                break;
            }
            // The clocks differ from game to game; the least stands for all.
            let known = positions.entry(position.key()).or_insert(position);
            if clocks(&position) < clocks(known) {
                *known = position;
            }
            position = position.play_unchecked(m);
        }
    }
    let positions: Vec<Position> = positions.into_values().collect();
    let approve = |thinker: &mut Thinker, position: &Position| {
        (position.key(), thinker.approve(position, draft))
    };
    positions
        .par_iter()
        .map_init(Thinker::new, approve)
        .collect()
}

/// The game up to its first move that is not approved.
pub(crate) fn cut(game: &Game, approved: &Approved) -> Game {
    let mut cut = Game::new(*game.start());
    for m in game.moves() {
        let sound = approved.get(&cut.position().key());
        if !sound.is_some_and(|moves| moves.contains(&m)) {
            break;
        }
        cut.play(m).expect("it was played in the game");
    }
    cut
}

fn clocks(position: &Position) -> (u32, u32) {
    (position.halfmove_clock(), position.fullmove_number())
}

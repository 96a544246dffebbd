//! Makes the opening book that is built into the engine: games of the engine with itself, from
//! first moves of many kinds, whose moves are verified by a deeper search.
//!
//! ```console
//! $ cargo run --release -p touchstone-engine --example make_book -- engine/book/touchstone.bin
//! ```
//!
//! `--seed N` and `--games N` make another book. The same numbers make the same book on every
//! machine: limits are positions searched, never time.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use chacha20::ChaCha8Rng;
use chess::rules::{Color, Game, Move, Position};
use clap::Parser as _;
use engine::book::{Book, BookBuilder};
use engine::search::{Profile, SearchLimits, SearchRequest, SearchResult, SearchUpdate, Searcher};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// How many plies of each game come into the book.
const BOOK_PLIES: usize = 16;
/// How many games a move must come from.
const MIN_GAMES: u32 = 2;

/// Makes an opening book of games of the engine with itself
#[derive(clap::Parser)]
struct Args {
    /// The file to write
    path: PathBuf,
    /// Another seed makes another book
    #[arg(long, default_value_t = 6)]
    seed: u64,
    /// The number of games to play
    #[arg(long, default_value_t = 2000)]
    games: u64,
}

#[expect(clippy::print_stderr, reason = "progress")]
#[expect(clippy::disallowed_methods, reason = "an example is an edge")]
fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    eprintln!("seed {}, {} games", args.seed, args.games);
    let played: Vec<Played> = (0..args.games)
        .into_par_iter()
        .map_init(Thinker::new, |thinker, number| {
            play(thinker, args.seed, number, BOOK_PLIES)
        })
        .collect();
    let draft = build(played.iter().map(|one| (&one.game, one.winner)));
    eprintln!("{} entries before verification", draft.len());
    let book = sound(&played, &draft);
    eprintln!("{} entries, {} bytes", book.len(), book.as_bytes().len());
    Ok(std::fs::write(&args.path, book.as_bytes())?)
}

fn build<'a>(games: impl Iterator<Item = (&'a Game, Option<Color>)>) -> Book {
    let mut builder = BookBuilder::new(BOOK_PLIES, MIN_GAMES);
    for (game, winner) in games {
        builder.add(game, winner);
    }
    builder.build()
}

/// The book of the games, each up to its first move that is not in the draft or that the deeper
/// search does not approve of.
fn sound(played: &[Played], draft: &Book) -> Book {
    let approved = approved(played.iter().map(|one| &one.game), draft);
    let cut: Vec<(Game, Option<Color>)> = played
        .iter()
        .map(|one| (cut(&one.game, &approved), one.winner))
        .collect();
    build(cut.iter().map(|(game, winner)| (game, *winner)))
}

/// How deep the moves of a book position are looked at once more, in plies: the same depth for all,
/// since values of odd and even depths differ.
const APPROVAL_DEPTH: u32 = 5;
/// How much worse than the best a move of the book may be, in centipawns.
const MARGIN: i32 = 40;

/// A searcher that remembers nothing from one search to the next, so that the order of searches
/// does not matter.
struct Thinker(Searcher);

impl Thinker {
    fn new() -> Self {
        Self(Searcher::new(1).expect("there is memory for the smallest table"))
    }

    /// The best moves with their values, best first: the lines that were reported last.
    fn best(&mut self, game: &Game, nodes: u64, count: usize) -> Vec<(Move, i32)> {
        let limits = SearchLimits {
            multipv: count,
            ..SearchLimits::to_nodes(nodes)
        };
        let mut best: Vec<(Move, i32)> = Vec::new();
        self.search(game, &limits, &mut |report| {
            if let SearchUpdate::Line(line) = report
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
        let limits = SearchLimits {
            searchmoves: moves,
            ..SearchLimits::to_depth(APPROVAL_DEPTH)
        };
        self.search(game, &limits, &mut |_| {}).value
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        report: &mut dyn FnMut(&SearchUpdate),
    ) -> SearchResult {
        self.0.clear();
        self.0
            .search(Profile::ChessBin, SearchRequest::new(game, limits), report)
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
type Approved = HashMap<u64, HashSet<Move>>;

/// Looks once more at all positions of games that the draft has moves for.
fn approved<'a>(games: impl Iterator<Item = &'a Game>, draft: &Book) -> Approved {
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
fn cut(game: &Game, approved: &Approved) -> Game {
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

/// Positions searched for a move of the opening, and of the rest of the game.
const OPENING_NODES: u64 = 10_000;
const REST_NODES: u64 = 1_000;
/// How many moves of the opening are chosen from, and how much worse than the best, in centipawns,
/// each may be.
const CHOICES: usize = 4;
const CHOICE_MARGIN: i32 = 20;
/// How often another move than the best is looked for, once both sides have played their first.
const CHANCE: f64 = 0.4;
/// When a game is broken off, and from what value on it then counts as won.
const LAST_PLY: usize = 80;
const WON: i32 = 150;

/// A game and who won it, or would have.
struct Played {
    game: Game,
    winner: Option<Color>,
}

/// Plays the game of this number.
fn play(thinker: &mut Thinker, seed: u64, number: u64, book_plies: usize) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let mut game = Game::new(Position::startpos());
    for ply in 0..book_plies {
        let m = opening_move(thinker, &game, ply, &mut rng);
        game.play(m).expect("the game has not ended");
    }
    let winner = result(thinker, game.clone());
    Played { game, winner }
}

/// The best move, or by chance one that is nearly as good; the first move of each side is any that
/// is nearly as good.
fn opening_move(thinker: &mut Thinker, game: &Game, ply: usize, rng: &mut ChaCha8Rng) -> Move {
    let vary = ply < 2 || rng.random_bool(CHANCE);
    let count = if vary { CHOICES } else { 1 };
    let margin = if ply < 2 {
        2 * CHOICE_MARGIN
    } else {
        CHOICE_MARGIN
    };
    let mut best = thinker.best(game, OPENING_NODES, if ply < 2 { 2 * count } else { count });
    let (_, value) = *best.first().expect("an opening does not end the game");
    best.retain(|one| one.1 >= value - margin);
    best.choose(rng).expect("the best is there").0
}

/// Plays to the end, or until the value decides.
fn result(thinker: &mut Thinker, mut game: Game) -> Option<Color> {
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner();
        }
        let best = thinker.best(&game, REST_NODES, 1);
        let (m, value) = *best.first().expect("the game has not ended");
        if game.moves().len() >= LAST_PLY {
            let side = game.position().side_to_move();
            let winner = if value > 0 { side } else { !side };
            return (value.abs() >= WON).then_some(winner);
        }
        game.play(m).expect("the search finds legal moves");
    }
}

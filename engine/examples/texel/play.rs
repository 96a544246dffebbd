//! `texel play`: games of the engine with itself, in this process, and quiet positions of them.
//!
//! Every game begins with random moves, and each move is searched for so many nodes. Beside the
//! game, random moves are tried from each of its positions, and what comes of them is searched for
//! half as many: a search sees more blunders than good moves, and has to know what they are worth.
//! A position is taken where nothing is about to be captured: the side to move is not in check, and
//! its best move is neither a capture nor a promotion.

use std::io::Write;
use std::time::Duration;

use engine::notation::pgn::PgnResult;
use engine::rules::{Color, Game, Move, Position};
use engine::search::touchstone::Config;
use engine::search::{Clock, Found, Limits, Request, Searcher, Signals};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::arguments::Arguments;
use crate::error::TexelError;
use crate::line::Line;
use crate::openings::random_moves;
use crate::positions::quiet;
use crate::{files, say};

/// The options of this command.
pub(crate) const OPTIONS: &[&str] = &["games", "nodes", "sidelines"];

/// Games that are in memory at once.
const BATCH: usize = 256;
/// The table of a game's searches, in MiB.
const HASH_MIB: usize = 1;
/// How many random moves a game begins with, at least and at most.
const RANDOM_PLIES: std::ops::RangeInclusive<usize> = 4..=12;
/// How far from equal a game may begin, in centipawns, looking [`LOOK`] plies ahead.
const UNEQUAL: i32 = 300;
const LOOK: u32 = 2;
/// A game is won where both sides agree on so many centipawns, each this many times in turn.
const WON: i32 = 1500;
const AGREEMENTS: usize = 4;
/// A game is drawn where from ply [`LATE`] on so many scores in turn are within so many centipawns.
const LATE: usize = 80;
const EQUAL: i32 = 10;
const EQUAL_PLIES: usize = 12;
/// Positions further from equal than this teach nothing, in centipawns.
const DECIDED: i32 = 2500;
/// A game that is longer is a draw.
const PLIES: usize = 320;

/// Plays the games and writes a position a line.
pub(crate) fn run(arguments: &Arguments) -> Result<(), TexelError> {
    let games = arguments.number("games", 1000, 1..=100_000_000_u64)?;
    let plan = Plan {
        seed: arguments.seed()?,
        nodes: arguments.number("nodes", 150, 2..=1_000_000_u64)?,
        sidelines: arguments.number("sidelines", 2, 0..=100_usize)?,
    };
    let out = arguments.out()?;
    let numbers: Vec<u64> = (1..=games).collect();
    let mut lines = 0;
    files::write(out, |file| {
        for batch in numbers.chunks(BATCH) {
            let played: Result<Vec<Vec<Line>>, TexelError> = batch
                .par_iter()
                .map(|&number| Player::new(plan, number).map(Player::play))
                .collect();
            for line in played?.iter().flatten() {
                writeln!(file, "{line}").map_err(files::at(out))?;
                lines += 1;
            }
        }
        Ok(())
    })?;
    say(&format!("{lines} positions of {games} games"));
    Ok(())
}

/// What is played.
#[derive(Clone, Copy, Debug)]
struct Plan {
    seed: u64,
    /// For every move of a game.
    nodes: u64,
    /// Random moves tried from every position.
    sidelines: usize,
}

/// No search here ends by time.
struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
struct Taken {
    position: Position,
    /// In centipawns for White.
    score: i32,
    /// Whether the game went through it.
    is_of_game: bool,
}

/// One game of the engine with itself.
struct Player {
    plan: Plan,
    number: u64,
    rng: ChaCha8Rng,
    game: Game,
    searcher: Searcher,
    taken: Vec<Taken>,
    /// The latest scores in centipawns for White.
    scores: Vec<i32>,
}

impl Player {
    fn new(plan: Plan, number: u64) -> Result<Self, TexelError> {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        rng.set_stream(number);
        Ok(Self {
            plan,
            number,
            game: Game::new(opening(&mut rng)),
            rng,
            searcher: Searcher::new(HASH_MIB)?,
            taken: Vec::new(),
            scores: Vec::new(),
        })
    }

    fn play(mut self) -> Vec<Line> {
        let result = loop {
            if let Some(result) = self.result() {
                break result;
            }
            let (best, score) = self.look(self.plan.nodes, true);
            self.scores.push(score);
            self.try_sidelines();
            self.game.play(best).expect("the engine gives legal moves");
        };
        let line = |taken: Taken| Line {
            game: self.number,
            position: taken.position,
            result: if taken.is_of_game {
                result
            } else {
                PgnResult::Unknown
            },
            score: Some(taken.score),
        };
        self.taken.into_iter().map(line).collect()
    }

    /// Searches the position on the board, and takes it where it is quiet. Gives the best move and
    /// the score in centipawns for White.
    fn look(&mut self, nodes: u64, is_of_game: bool) -> (Move, i32) {
        let Found { best, value, .. } = self.search(nodes);
        let best = best.expect("the game goes on");
        let position = *self.game.position();
        let score = match position.side_to_move() {
            Color::White => value,
            Color::Black => -value,
        };
        let is_capture =
            position.piece_type_at(best.to()).is_some() || position.ep_square() == Some(best.to());
        let is_quiet = !position.is_check() && !is_capture && best.promotion().is_none();
        if is_quiet && value.abs() <= DECIDED {
            self.taken.push(Taken {
                position,
                score,
                is_of_game,
            });
        }
        (best, score)
    }

    /// Looks at what comes of some random moves.
    fn try_sidelines(&mut self) {
        let moves = self.game.position().legal_moves();
        for _ in 0..self.plan.sidelines {
            let m = *moves.choose(&mut self.rng).expect("the game goes on");
            self.game.play(m).expect("it is legal");
            if self.game.outcome().is_none() {
                self.look(self.plan.nodes / 2, false);
            }
            self.game.undo().expect("a move was made");
        }
    }

    fn search(&mut self, nodes: u64) -> Found {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let request = Request {
            game: &self.game,
            limits: &limits,
            signals: &Signals::new(false),
            clock: &NoClock,
        };
        self.searcher.search_selectively(
            &engine::eval::Touchstone,
            Config::default(),
            request,
            &mut |_| {},
        )
    }

    fn result(&self) -> Option<PgnResult> {
        let of_rules = self.game.outcome().map(|outcome| match outcome.winner() {
            Some(Color::White) => PgnResult::WhiteWins,
            Some(Color::Black) => PgnResult::BlackWins,
            None => PgnResult::Draw,
        });
        let is_drawn = self.game.claimable_draw().is_some() || self.scores.len() >= PLIES;
        of_rules
            .or_else(|| is_drawn.then_some(PgnResult::Draw))
            .or_else(|| agreed(&self.scores))
    }
}

/// The result that both sides agree on.
fn agreed(scores: &[i32]) -> Option<PgnResult> {
    if scores.len() >= LATE + EQUAL_PLIES {
        let last = &scores[scores.len() - EQUAL_PLIES..];
        if last.iter().all(|score| score.abs() <= EQUAL) {
            return Some(PgnResult::Draw);
        }
    }
    let last = scores.len().checked_sub(2 * AGREEMENTS)?;
    let last = &scores[last..];
    if last.iter().all(|&score| score >= WON) {
        Some(PgnResult::WhiteWins)
    } else {
        let black = last.iter().all(|&score| score <= -WON);
        black.then_some(PgnResult::BlackWins)
    }
}

/// A position after random moves that is not decided.
fn opening(rng: &mut ChaCha8Rng) -> Position {
    loop {
        let plies = rng.random_range(RANDOM_PLIES);
        let made = random_moves(rng, plies);
        if let Some(position) = made.filter(|p| quiet::value(p, LOOK).abs() <= UNEQUAL) {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(seed: u64, number: u64) -> Vec<Line> {
        let plan = Plan {
            seed,
            nodes: 20,
            sidelines: 1,
        };
        Player::new(plan, number).expect("memory").play()
    }

    #[test]
    fn a_game_is_of_its_seed_and_number() {
        let game = play(1, 1);
        assert_eq!(game, play(1, 1));
        assert!(game != play(1, 2) && game != play(2, 1));
        let (beside, within): (Vec<_>, Vec<_>) = game
            .iter()
            .partition(|line| line.result == PgnResult::Unknown);
        assert!(beside.len() > 5 && within.len() > 5);
        assert!(within.iter().all(|line| line.result == within[0].result));
        for line in &game {
            let score = line.score.expect("each was searched");
            assert!(!line.position.is_check() && score.abs() <= DECIDED);
        }
    }

    #[test]
    fn a_game_is_won_when_both_sides_have_agreed_for_long_enough() {
        let scores = [WON; 2 * AGREEMENTS];
        assert_eq!(agreed(&scores), Some(PgnResult::WhiteWins));
        assert_eq!(
            agreed(&scores.map(|score| -score)),
            Some(PgnResult::BlackWins)
        );
        assert_eq!(agreed(&scores[1..]), None);
        let mut doubted = scores;
        doubted[3] = WON - 1;
        assert_eq!(agreed(&doubted), None);
    }
}

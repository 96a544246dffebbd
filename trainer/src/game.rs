//! Self-play games in this process, sampled for quiet positions.
//!
//! Every game begins with random moves, and each move is searched to a fixed number of nodes. A
//! position is sampled if it is quiet: the side to move is not in check, and its best move is neither
//! a capture nor a promotion.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use chacha20::ChaCha8Rng;
use chess::notation::pgn::PgnResult;
use chess::rules::{Color, Game, Move, Position};
use engine::search::{SearchResult, Searcher};
use rand::{RngExt, SeedableRng};

use crate::evaluator::Evaluator;
use crate::files::TrainerError;
use crate::line::TrainingLine;
use crate::openings::random_position;
use crate::{packed, within};

/// Which games a file has.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Games {
    /// Number of games
    #[arg(long = "games", value_name = "N", default_value_t = 1000, value_parser = within(1..=100_000_000_u64))]
    pub(crate) count: u64,
    /// Network that evaluates [default: built in]
    ///
    /// By default the built-in one.
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<String>,

    #[command(flatten)]
    pub(crate) plan: PlayPlan,
}

/// How a game is played, whatever its number.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct PlayPlan {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Nodes per move of a game
    #[arg(long, value_name = "N", default_value_t = 700, value_parser = within(NODES))]
    pub(crate) nodes: u64,
}

/// The range of [`PlayPlan::nodes`].
pub(crate) const NODES: RangeInclusive<u64> = 2..=1_000_000;

/// Hash size of a game's searches, in MiB.
// A game has a table of its own, and each core plays one; a move has some hundred nodes only.
const HASH_MIB: usize = 1;
/// Range of the number of random moves at the start of a game.
// Even and odd numbers, so that both sides come to move first.
const RANDOM_PLIES: RangeInclusive<usize> = 4..=12;
/// The maximal imbalance of a starting position in centipawns.
const UNEQUAL: i32 = 300;
/// Win adjudication: both sides agree on this score in centipawns, each this many times in a row.
const WON: i32 = 1500;
const AGREEMENTS: usize = 4;
/// Draw adjudication: after this many plies, this many scores in a row are within this many
/// centipawns.
const LATE: usize = 92;
const LEVEL_PLIES: usize = 12;
const LEVEL: i32 = 10;
/// Positions with larger scores, in centipawns, are not sampled.
// The logistic curve is flat there: the target is nearly 0 or 1, whatever the score.
const DECIDED: i32 = 2500;
/// Games longer than this are drawn, in plies.
// Without a maximum, a few endless games would hold up a whole batch.
const PLIES: usize = 320;

/// The records of the game with this number; `None` soon after `stop` is set.
pub(crate) fn play(
    plan: PlayPlan,
    evaluator: &Evaluator,
    number: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<u8>>, TrainerError> {
    let lines = SelfPlayer::new(plan, evaluator, number)?.play(stop);
    Ok(lines.map(|lines| {
        let records = lines.iter().enumerate().map(|(index, line)| {
            packed::pack(line, index == 0).expect("games and scores are limited")
        });
        records.flatten().collect()
    }))
}

#[derive(Clone, Copy, Debug)]
struct TakenPosition {
    position: Position,
    /// Score in centipawns for White.
    score: i32,
}

struct SelfPlayer<'a> {
    plan: PlayPlan,
    evaluator: &'a Evaluator,
    number: u64,
    game: Game,
    searcher: Searcher,
    taken: Vec<TakenPosition>,
    /// The latest scores in centipawns for White.
    scores: Vec<i32>,
}

impl<'a> SelfPlayer<'a> {
    fn new(plan: PlayPlan, evaluator: &'a Evaluator, number: u64) -> Result<Self, TrainerError> {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        // A stream for each game, so that a game depends on its number and on no other game.
        rng.set_stream(number);
        let mut searcher = Searcher::new(HASH_MIB)?;
        let opening = opening(&mut searcher, &mut rng);
        searcher.clear();
        Ok(Self {
            plan,
            evaluator,
            number,
            game: Game::new(opening),
            searcher,
            taken: Vec::new(),
            scores: Vec::new(),
        })
    }

    /// The positions of the game; `None` soon after `stop` is set.
    fn play(mut self, stop: &AtomicBool) -> Option<Vec<TrainingLine>> {
        let result = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(result) = self.result() {
                break result;
            }
            let best = self.look();
            self.game.play(best).expect("the engine gives legal moves");
        };
        let line = |taken: TakenPosition| TrainingLine {
            game: self.number,
            position: taken.position,
            result,
            score: Some(taken.score),
        };
        Some(self.taken.into_iter().map(line).collect())
    }

    /// Searches the current position and samples it if quiet. Returns the best move.
    fn look(&mut self) -> Move {
        let (searcher, nodes) = (&mut self.searcher, self.plan.nodes);
        let SearchResult { best, value, .. } = self.evaluator.search(searcher, &self.game, nodes);
        let best = best.expect("the game goes on");
        let position = *self.game.position();
        let score = match position.side_to_move() {
            Color::White => value,
            Color::Black => -value,
        };
        if is_quiet(&position, best) && value.abs() <= DECIDED {
            self.taken.push(TakenPosition { position, score });
        }
        self.scores.push(score);
        best
    }

    fn result(&self) -> Option<PgnResult> {
        let of_rules = self.game.outcome().map(|outcome| match outcome.winner() {
            Some(Color::White) => PgnResult::WhiteWins,
            Some(Color::Black) => PgnResult::BlackWins,
            None => PgnResult::Draw,
        });
        // A draw that can be claimed (FIDE Laws 9.2 and 9.3) ends the game: nobody plays for a
        // mistake here.
        let is_drawn = self.game.claimable_draw().is_some() || self.scores.len() >= PLIES;
        of_rules
            .or_else(|| is_drawn.then_some(PgnResult::Draw))
            .or_else(|| agreed(&self.scores))
    }
}

/// Whether a position may be sampled, given its best move.
fn is_quiet(position: &Position, best: Move) -> bool {
    !position.is_check() && !position.is_capture(best) && best.promotion().is_none()
}

/// The adjudicated result, if the scores of both sides agree on one.
fn agreed(scores: &[i32]) -> Option<PgnResult> {
    let all_of_last = |count: usize, holds: fn(i32) -> bool| {
        let from = scores.len().checked_sub(count);
        from.is_some_and(|from| scores[from..].iter().all(|&score| holds(score)))
    };
    // The scores of both sides alternate, so twice as many of them are needed.
    if all_of_last(2 * AGREEMENTS, |score| score >= WON) {
        Some(PgnResult::WhiteWins)
    } else if all_of_last(2 * AGREEMENTS, |score| score <= -WON) {
        Some(PgnResult::BlackWins)
    } else {
        let is_drawn =
            scores.len() >= LATE && all_of_last(LEVEL_PLIES, |score| score.abs() <= LEVEL);
        is_drawn.then_some(PgnResult::Draw)
    }
}

/// A position after random moves that is not decided.
fn opening(searcher: &mut Searcher, rng: &mut ChaCha8Rng) -> Position {
    loop {
        let plies = rng.random_range(RANDOM_PLIES);
        if let Some(position) = random_position(searcher, rng, plies, UNEQUAL) {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::{fen, uci_move};

    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn lines(seed: u64, number: u64) -> Vec<TrainingLine> {
        let plan = PlayPlan { seed, nodes: 20 };
        let evaluator = Evaluator::built_in();
        SelfPlayer::new(plan, &evaluator, number)
            .expect("memory")
            .play(&NEVER)
            .expect("nothing stops it")
    }

    #[test]
    fn a_game_is_of_its_seed_and_number() {
        let game = lines(1, 1);
        assert_eq!(game, lines(1, 1));
        assert!(game != lines(1, 2) && game != lines(2, 1));
        assert!(game.len() > 5);
        for line in &game {
            assert_eq!(line.result, game[0].result);
            let score = line.score.expect("each was searched");
            assert!(!line.position.is_check() && score.abs() <= DECIDED);
        }
    }

    #[test]
    fn castling_is_quiet_and_captures_are_not() {
        for (text, best, expected) in [
            // Castling is the king's move to its rook, which is no capture.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true),
            ("4k3/8/8/8/8/8/8/4K2r w - - 0 1", "e1d2", false),
            ("4k3/8/8/8/8/5b2/8/4K2R w K - 0 1", "h1h8", true),
            ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "h1h8", false),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", false),
            // A pawn captures en passant; a knight only moves to the square behind the pawn.
            ("4k3/8/8/3pP3/1N6/8/8/4K3 w - d6 0 2", "e5d6", false),
            ("4k3/8/8/3pP3/4N3/8/8/4K3 w - d6 0 2", "e4d6", true),
        ] {
            let position = fen::parse(text).expect("a FEN");
            let best = uci_move::parse(best, &position, position.castling_mode()).expect("legal");
            assert_eq!(is_quiet(&position, best), expected, "{text} {best}");
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

    #[test]
    fn a_long_game_is_drawn_when_it_has_been_level_for_long_enough() {
        let mut scores = [100; LATE];
        scores[LATE - LEVEL_PLIES..].fill(LEVEL);
        assert_eq!(agreed(&scores), Some(PgnResult::Draw));
        assert_eq!(agreed(&scores[1..]), None);
        scores[LATE - LEVEL_PLIES] = -LEVEL - 1;
        assert_eq!(agreed(&scores), None);
    }
}

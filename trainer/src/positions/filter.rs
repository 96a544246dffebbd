//! Selects the training positions of a game. Their scores are read from move comments as written by
//! `selfplay`: `[%clk 0:00:09.870] +0.31/12 0.451s`.

use chacha20::ChaCha8Rng;
use chess::notation::pgn::{CommentScore, PgnGame, PgnResult, ScoredPosition};
use chess::rules::{Color, Position};
use rand::SeedableRng;
use rand::seq::SliceRandom;

use super::quiet;
use crate::line::TrainingLine;
use crate::within;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub(crate) struct PositionFilter {
    /// Maximal number of positions per game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = within(1..=1000_usize))]
    pub(super) per_game: usize,

    /// Plies to skip at the start of a game
    ///
    /// They belong to the opening.
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = within(0..=1000_usize))]
    pub(super) skip: usize,

    /// Maximal gain by captures, in centipawns
    #[arg(skip = 50)]
    pub(super) gain: i32,

    /// Score from which a game is decided, in centipawns
    #[arg(skip = 1000)]
    pub(super) decided: i32,
}

/// A position that may be selected, with its score for White.
struct FilterCandidate {
    position: Position,
    score: Option<i32>,
}

impl PositionFilter {
    /// Selects some positions of a game, in order; the choice is determined by the seed and the
    /// game number.
    pub(super) fn sample(self, game: &PgnGame, number: u64, seed: u64) -> Vec<TrainingLine> {
        let Some(result) = result(game) else {
            return Vec::new();
        };
        let candidates = self.candidates(game);
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        order.shuffle(&mut rng);
        let is_quiet = |&index: &usize| !quiet::gains(&candidates[index].position, self.gain);
        let mut taken: Vec<usize> = order
            .into_iter()
            .filter(is_quiet)
            .take(self.per_game)
            .collect();
        taken.sort_unstable();
        let line = |index: usize| TrainingLine {
            game: number,
            position: candidates[index].position,
            result,
            score: candidates[index].score,
        };
        taken.into_iter().map(line).collect()
    }

    /// The positions after the opening and before the decision that are not in check and in which a
    /// quiet move was played.
    fn candidates(self, game: &PgnGame) -> Vec<FilterCandidate> {
        let mut candidates = Vec::new();
        let moves = game.mainline.moves.iter();
        for (ply, (position, one)) in game.positions().zip(moves).enumerate() {
            let score = score(&one.comments, position.side_to_move());
            if score.is_some_and(|score| score.abs() >= self.decided) {
                break;
            }
            let is_quiet = !position.is_check() && !quiet::is_noisy(&position, one.played);
            if ply >= self.skip && is_quiet {
                candidates.push(FilterCandidate { position, score });
            }
        }
        candidates
    }
}

/// The result of the game, if it ended on the board or by adjudication (PGN standard, 9.8.1).
fn result(game: &PgnGame) -> Option<PgnResult> {
    let ended = game.tag("Termination").unwrap_or("normal");
    let by_play = matches!(ended, "normal" | "adjudication");
    game.result
        .filter(|&result| by_play && result != PgnResult::Unknown)
}

/// The score that represents any mate, in centipawns: above all evaluations.
pub(super) const MATE: i32 = 30_000;

/// White's score in the comments after a move, of the position before it, in centipawns; a mate
/// counts as [`MATE`] at any distance.
fn score(comments: &[String], mover: Color) -> Option<i32> {
    let scores = comments
        .iter()
        .filter_map(|comment| CommentScore::read(comment, mover));
    let mut own = scores.filter(|(_, of)| *of == ScoredPosition::BeforeMove);
    own.next().map(|(score, _)| match score {
        CommentScore::Cp(cp) => cp.clamp(-MATE, MATE),
        CommentScore::Mate(moves) => MATE * moves.signum(),
    })
}

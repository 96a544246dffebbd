//! The positions from the start of the game to the current node, and their repetitions.

use crate::search::MAX_PLY;
use chess::rules::{Game, Position};

/// The positions from the start of the game to the current node.
pub(in crate::search) struct PositionPath(Vec<PositionStep>);

struct PositionStep {
    position: Position,
    /// Number of occurrences of the position, including the present one.
    count: u32,
    /// Whether some position since the last irreversible move has occurred twice, so that one more
    /// occurrence makes a draw.
    repeated: bool,
}

/// The minimal distance of a repetition, in plies.
const SHORTEST: usize = 4;

/// How far back to look for repetitions, in plies: after this many without capture or pawn move
/// every position is a draw (FIDE 9.3) or a mate, whatever it repeats.
const LONGEST: usize = 100;

impl PositionPath {
    /// The path of a game to its current position.
    pub(in crate::search) fn new(game: &Game) -> Self {
        let mut path = Self(Vec::with_capacity(game.moves().len() + 1 + MAX_PLY));
        let mut position = *game.start();
        path.push(position);
        for m in game.moves() {
            position = position.play_unchecked(m);
            path.push(position);
        }
        path
    }

    pub(super) fn push(&mut self, position: Position) {
        let count = 1 + self.earlier(&position);
        let before = position.halfmove_clock() > 0 && self.0.last().is_some_and(|s| s.repeated);
        self.0.push(PositionStep {
            position,
            count,
            repeated: before || count > 1,
        });
    }

    /// Returns to the previous position.
    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// Number of occurrences of the last position, including the present one
    /// ([`Game::repetitions`]), as far as it can matter.
    #[inline(always)]
    pub(super) fn repetitions(&self) -> u32 {
        self.0.last().map_or(0, |step| step.count)
    }

    /// Whether a single occurrence of some earlier position can make a draw.
    #[inline(always)]
    pub(super) fn is_repeated(&self) -> bool {
        self.0.last().is_some_and(|step| step.repeated)
    }

    /// Number of previous occurrences of an upcoming position.
    #[inline(always)]
    fn earlier(&self, position: &Position) -> u32 {
        let reach = (position.halfmove_clock() as usize).min(self.0.len());
        let reach = reach.min(LONGEST);
        let steps = (SHORTEST..=reach)
            .step_by(2)
            .map(|distance| &self.0[self.0.len() - distance]);
        let same = steps.into_iter().find(|step| {
            // The key includes the en passant square even if the capture is not legal.
            (step.position.key() == position.key() || step.position.ep_square().is_some())
                && position.is_repetition_of(&step.position)
        });
        // Earlier occurrences were counted when that one was pushed.
        same.map_or(0, |step| step.count)
    }
}

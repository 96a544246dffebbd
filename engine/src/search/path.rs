//! The positions from the start of the game to the node being searched, and what they repeat.

use crate::rules::{Game, Position};

/// The positions from the start of the game to the node being searched.
pub(super) struct Path(Vec<Step>);

struct Step {
    position: Position,
    /// How many times the position has stood on the board, now included.
    count: u32,
    /// Whether some position since the last move that cannot be taken back has stood there twice,
    /// so that one more visit makes it a draw.
    repeated: bool,
}

/// The earliest that a position can come back, in plies.
const SHORTEST: usize = 4;

impl Path {
    /// The path of a game to the position on its board.
    pub(super) fn new(game: &Game) -> Self {
        let mut path = Self(Vec::with_capacity(game.moves().len() + 1 + super::MAX_PLY));
        let mut position = *game.start();
        path.push(position);
        for m in game.moves() {
            position = position.play_unchecked(m);
            path.push(position);
        }
        path
    }

    /// Goes on to the next position.
    pub(super) fn push(&mut self, position: Position) {
        let count = 1 + self.earlier(&position);
        let before = position.halfmove_clock() > 0 && self.0.last().is_some_and(|s| s.repeated);
        self.0.push(Step {
            position,
            count,
            repeated: before || count > 1,
        });
    }

    /// Goes back to the position before.
    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// How many times the last position has stood on the board, now included
    /// ([`Game::repetitions`]).
    #[inline(always)]
    pub(super) fn repetitions(&self) -> u32 {
        self.0.last().map_or(0, |step| step.count)
    }

    /// Whether a single visit of some earlier position can make a draw.
    #[inline(always)]
    pub(super) fn is_repeated(&self) -> bool {
        self.0.last().is_some_and(|step| step.repeated)
    }

    /// How many times a position to come next has stood on the board before.
    #[inline(always)]
    fn earlier(&self, position: &Position) -> u32 {
        let reach = (position.halfmove_clock() as usize).min(self.0.len());
        let steps = (SHORTEST..=reach)
            .step_by(2)
            .map(|distance| &self.0[self.0.len() - distance]);
        let same = steps.into_iter().find(|step| {
            // The en passant square is part of the key even where the capture is not legal.
            (step.position.key() == position.key() || step.position.ep_square().is_some())
                && position.is_repetition_of(&step.position)
        });
        // Those before it were counted when it came.
        same.map_or(0, |step| step.count)
    }
}

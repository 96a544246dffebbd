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

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::{fen, uci_move};
    use chess::rules::CastlingMode;

    /// Plays the moves and compares every count with that of [`Game`].
    fn check(start: &str, moves: &str, repetitions: u32, repeated: bool) {
        let mut game = Game::new(fen::parse(start).expect("legal"));
        let mut path = PositionPath::new(&game);
        for text in moves.split_whitespace() {
            let m = uci_move::parse(text, game.position(), CastlingMode::Standard).expect("legal");
            game.play(m).expect("legal");
            path.push(*game.position());
            assert_eq!(path.repetitions() as usize, game.repetitions(), "{text}");
        }
        assert_eq!(
            (path.repetitions(), path.is_repeated()),
            (repetitions, repeated)
        );
        let whole = PositionPath::new(&game);
        assert_eq!(
            (whole.repetitions(), whole.is_repeated()),
            (repetitions, repeated)
        );
    }

    #[test]
    fn repetitions_are_those_of_the_game() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
        check(start, "", 1, false);
        check(start, shuffle, 2, true);
        check(start, &shuffle.repeat(2), 3, true);
        check(start, &format!("{shuffle} b1c3"), 1, true);
        check(start, &format!("{shuffle} e2e4"), 1, false);
        check(
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "a1b1 a8b8 b1a1 b8a8",
            1,
            false,
        );
    }

    #[test]
    fn an_ep_square_that_cannot_be_used_does_not_count() {
        let start = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
        check(start, "e2e4 a4a5 e1d1 a5a4 d1e1", 2, true);
        let start = "8/8/8/8/k2p4/8/4P3/4K3 w - - 0 1";
        check(start, "e2e4 a4a5 e1d1 a5a4 d1e1", 1, false);
    }

    #[test]
    fn going_back_undoes() {
        let game = Game::new(Position::startpos());
        let mut path = PositionPath::new(&game);
        path.push(Position::startpos());
        path.pop();
        assert_eq!((path.repetitions(), path.0.len()), (1, 1));
    }
}

//! The keys of the positions from the start of the game to the current node.

use crate::search::MAX_PLY;
use chess::rules::{Game, Position};

/// The keys of the positions from the start of the game to the current node.
#[derive(Clone, Debug)]
pub(in crate::search) struct Path {
    steps: Vec<Step>,
    /// Index of the root position.
    root: usize,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    key: u64,
    /// Plies since the last irreversible move: repetitions are at most this far back.
    reversible: usize,
}

/// The minimal distance of a repetition, in plies.
const SHORTEST: usize = 4;

impl Path {
    /// The path of a game to its current position, which is the root.
    pub(in crate::search) fn new(game: &Game) -> Self {
        let mut path = Self {
            steps: Vec::with_capacity(game.moves().len() + 1 + MAX_PLY),
            root: 0,
        };
        let mut position = *game.start();
        path.push(&position);
        for m in game.moves() {
            position = position.play_unchecked(m);
            path.push(&position);
        }
        path.root = path.steps.len() - 1;
        path
    }

    #[inline(always)]
    pub(super) fn push(&mut self, position: &Position) {
        let before = self.steps.last().map_or(0, |step| step.reversible + 1);
        self.steps.push(Step {
            key: position.key(),
            reversible: before.min(position.halfmove_clock() as usize),
        });
    }

    /// Appends the position after a null move, which cannot repeat an earlier one.
    #[inline(always)]
    pub(super) fn push_null(&mut self, position: &Position) {
        self.steps.push(Step {
            key: position.key(),
            reversible: 0,
        });
    }

    /// Returns to the previous position.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    /// Whether the last position repeats one below the root, or occurs for the third time. With
    /// `patient` only the third occurrence counts.
    #[inline(always)]
    pub(super) fn is_draw(&self, patient: bool) -> bool {
        let last = self.steps.len() - 1;
        let Step { key, reversible } = self.steps[last];
        let mut seen = 0;
        let mut distance = SHORTEST;
        while distance <= reversible {
            let index = last - distance;
            if self.steps[index].key == key {
                seen += 1;
                if seen == 2 || !patient && index > self.root {
                    return true;
                }
            }
            distance += 2;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::uci_move;
    use chess::rules::CastlingMode;

    fn play(game: &mut Game, path: Option<&mut Path>, moves: &str) {
        let mut path = path;
        for text in moves.split_whitespace() {
            let m = uci_move::parse(text, game.position(), CastlingMode::Standard).expect("legal");
            game.play(m).expect("legal");
            if let Some(path) = path.as_mut() {
                path.push(game.position());
            }
        }
    }

    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

    #[test]
    fn in_the_search_one_repetition_is_enough_in_the_game_it_takes_two() {
        let mut game = Game::new(Position::startpos());
        let mut path = Path::new(&game);
        play(&mut game, Some(&mut path), SHUFFLE);
        // The root position itself belongs to the game.
        assert!(!path.is_draw(false));
        play(&mut game, Some(&mut path), "g1f3");
        assert!(path.is_draw(false) && !path.is_draw(true));
        let mut of_game = Path::new(&game);
        assert!(!of_game.is_draw(false));
        play(&mut game, Some(&mut of_game), "g8f6 f3g1 f6g8");
        assert!(of_game.is_draw(false) && of_game.is_draw(true));
    }

    #[test]
    fn nothing_is_repeated_across_a_capture_or_a_null_move() {
        let mut game = Game::new(Position::startpos());
        play(&mut game, None, SHUFFLE);
        let mut path = Path::new(&game);
        path.push_null(game.position());
        assert!(!path.is_draw(false));
        path.pop();
        play(&mut game, Some(&mut path), "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
        assert!(path.is_draw(false) && !path.is_draw(true));
    }

    #[test]
    fn threefold_repetition_agrees_with_the_game() {
        let mut game = Game::new(Position::startpos());
        let mut path = Path::new(&game);
        for _ in 0..12 {
            for text in SHUFFLE.split_whitespace() {
                play(&mut game, Some(&mut path), text);
                assert_eq!(path.is_draw(true), game.repetitions() >= 3);
            }
        }
    }
}

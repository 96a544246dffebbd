//! The keys of the positions from the start of the game to the current node.

use crate::search::MAX_PLY;
use chess::rules::{Game, Position};

/// The keys of the positions from the start of the game to the current node.
#[derive(Clone, Debug)]
pub(in crate::search) struct KeyPath {
    steps: Vec<PathStep>,
    /// Index of the root position.
    root: usize,
}

#[derive(Clone, Copy, Debug)]
struct PathStep {
    key: u64,
    /// Plies since the last irreversible move: repetitions are at most this far back.
    reversible: usize,
}

/// The minimal distance of a repetition, in plies.
// Both sides must move away and back.
const SHORTEST: usize = 4;

impl KeyPath {
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
        // The clock of the start position counts moves whose keys are not known.
        let before = self.steps.last().map_or(0, |step| step.reversible + 1);
        self.steps.push(PathStep {
            key: position.key(),
            reversible: before.min(position.halfmove_clock() as usize),
        });
    }

    /// Appends the position after a null move, which cannot repeat an earlier one.
    #[inline(always)]
    pub(super) fn push_null(&mut self, position: &Position) {
        self.steps.push(PathStep {
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
        let PathStep { key, reversible } = self.steps[last];
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
            // Only positions with the same side to move can be equal.
            distance += 2;
        }
        false
    }

    /// Whether the side to move in `position`, the last one, can make a draw with one reversible
    /// move: whether after some legal move [`is_draw`](Self::is_draw) would hold, not `patient`.
    /// Such a node is worth at least a draw (chessprogramming wiki, "Repetitions").
    #[inline(always)]
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        let last = self.steps.len() - 1;
        // The move itself is a ply of the distance.
        self.steps[last].reversible + 1 >= SHORTEST && self.returns(position, last)
    }

    fn returns(&self, position: &Position, last: usize) -> bool {
        let oldest = last - self.steps[last].reversible;
        let earlier = (oldest..last + 2 - SHORTEST).rev().step_by(2);
        earlier.into_iter().any(|index| {
            let key = self.steps[index].key;
            // At or before the root it takes two occurrences, and this one is the latest.
            let counts = || {
                let before = (oldest..(index + 1).saturating_sub(SHORTEST))
                    .rev()
                    .step_by(2);
                index > self.root || before.into_iter().any(|other| self.steps[other].key == key)
            };
            position.can_return_to(key) && counts()
        })
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use chess::notation::{fen, uci_move};
    use chess::rules::CastlingMode;
    use testkit::positions::thrown_position;
    use testkit::random_start;

    fn play(game: &mut Game, path: &mut KeyPath, moves: &str) {
        for text in moves.split_whitespace() {
            let m = uci_move::parse(text, game.position(), CastlingMode::Standard).expect("legal");
            game.play(m).expect("legal");
            path.push(game.position());
        }
    }

    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

    #[test]
    fn in_the_search_one_repetition_is_enough_in_the_game_it_takes_two() {
        let mut game = Game::new(Position::startpos());
        let mut path = KeyPath::new(&game);
        play(&mut game, &mut path, SHUFFLE);
        // The root position itself belongs to the game.
        assert!(!path.is_draw(false));
        let mut of_game = KeyPath::new(&game);
        // Nothing is repeated across a null move.
        for _ in 0..SHORTEST + 2 {
            of_game.push_null(game.position());
            assert!(!of_game.is_draw(false));
        }
        play(&mut game, &mut path, "g1f3");
        assert!(path.is_draw(false) && !path.is_draw(true));
        of_game = KeyPath::new(&game);
        assert!(!of_game.is_draw(false));
        play(&mut game, &mut of_game, "g8f6 f3g1 f6g8");
        assert!(of_game.is_draw(false) && of_game.is_draw(true));
    }

    /// Plays every legal move and looks.
    fn can_repeat_slowly(path: &mut KeyPath, position: &Position) -> bool {
        position.legal_moves().into_iter().any(|m| {
            path.push(&position.play_unchecked(m));
            let is_draw = path.is_draw(false);
            path.pop();
            is_draw
        })
    }

    #[test]
    fn upcoming_repetitions_agree_with_playing_every_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut found = [0; 2];
        for number in 0..400 {
            let mut position = match number % 4 {
                0 => random_start(&mut rng, true),
                1 => fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("legal"),
                _ => thrown_position(&mut rng),
            };
            let mut game = Game::new(position);
            let of_game = rng.random_range(0..20);
            let mut path = KeyPath::new(&game);
            for ply in 0..60 {
                let expected = can_repeat_slowly(&mut path, &position);
                assert_eq!(path.can_repeat(&position), expected, "{number}, {ply}");
                found[usize::from(expected)] += 1;
                if ply > of_game && !position.is_check() && rng.random_range(0..20) == 0 {
                    position = position.play_null();
                    path.push_null(&position);
                    continue;
                }
                let moves = position.legal_moves();
                // Mostly back and forth of few pieces, so that much is repeated.
                let quiet = moves.iter().filter(|m| {
                    let next = position.play_unchecked(**m);
                    next.halfmove_clock() > 0 && m.from().index() % 3 == m.to().index() % 3
                });
                let quiet: Vec<_> = quiet.copied().collect();
                let Some(&m) = (quiet
                    .choose(&mut rng)
                    .filter(|_| rng.random_range(0..30) > 0))
                .or_else(|| moves.choose(&mut rng)) else {
                    break;
                };
                position = position.play_unchecked(m);
                if ply < of_game {
                    game.play(m).expect("legal");
                    path = KeyPath::new(&game);
                } else {
                    path.push(&position);
                }
            }
        }
        assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
    }
}

//! Detects duplicate games and pairs. Pure.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::model::GameRecord;

/// Identifies a game by its starting position and its moves, regardless of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity(u64);

/// The identities of games, by game number.
pub type Identities = BTreeMap<u64, Identity>;

impl Identity {
    /// The identity of a game whose opening and moves are present.
    pub fn from_record(record: &GameRecord) -> Self {
        let mut hasher = DefaultHasher::new();
        record.opening.fen.hash(&mut hasher);
        // Moves of the book count: the same game may have been begun by a shorter or a longer
        // opening.
        let opening = record.opening.moves.iter();
        let moves = record.moves.iter().map(|one| &one.uci);
        for one in opening.chain(moves) {
            one.hash(&mut hasher);
        }
        Self(hasher.finish())
    }
}

/// The set of different games.
#[derive(Clone, Debug, Default)]
pub struct Distinct(HashSet<Identity>);

impl Distinct {
    /// Adds a game.
    pub fn add(&mut self, game: Identity) {
        self.0.insert(game);
    }

    /// Number of different games.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Returns true if there are too many duplicates for a valid result: more than one in twenty.
pub const fn are_too_many(copies: u64, all: u64) -> bool {
    copies > all / 20
}

/// A warning about duplicate games; `None` if at most one in twenty is a duplicate.
pub fn warning(distinct: u64, games: u64) -> Option<String> {
    let copies = games.saturating_sub(distinct);
    are_too_many(copies, games).then(|| {
        format!(
            "only {distinct} of {games} games differ: a copy gives no new information, so intervals are too \
             narrow; more openings are needed"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::samples::record;

    #[test]
    fn copies_count_once_whatever_the_colours() {
        let mut distinct = Distinct::default();
        for (game, plies, expected) in [(0, 4, 1), (1, 4, 1), (2, 6, 2), (3, 4, 2)] {
            distinct.add(Identity::from_record(&record(game, plies)));
            assert_eq!(distinct.count(), expected, "game {game}");
        }
        // The same moves on the board, since book moves count too.
        let mut other = record(4, 2);
        other.opening.moves = vec!["g1f3".to_owned(), "g8f6".to_owned()];
        other.moves.drain(..).count();
        distinct.add(Identity::from_record(&other));
        distinct.add(Identity::from_record(&record(5, 2)));
        assert_eq!(distinct.count(), 3);
        assert_eq!(warning(3, 3), None);
        assert_eq!(warning(95, 100), None);
        assert!(warning(94, 100).is_some());
        assert!(warning(2, 202).is_some_and(|text| text.contains("2 of 202")));
    }
}

//! How many different games were played. Pure.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::model::GameRecord;

/// Games by where they began and their moves; eight bytes are kept of each.
#[derive(Clone, Debug, Default)]
pub struct Distinct(HashSet<u64>);

impl Distinct {
    /// Takes a game, whoever played it.
    pub fn add(&mut self, record: &GameRecord) {
        let mut hasher = DefaultHasher::new();
        record.opening.fen.hash(&mut hasher);
        let opening = record.opening.moves.iter();
        let moves = record.moves.iter().map(|one| &one.uci);
        for one in opening.chain(moves) {
            one.hash(&mut hasher);
        }
        self.0.insert(hasher.finish());
    }

    /// How many different games there were.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }
}

/// What to say where many games are copies of others; `None` where at most one in twenty is.
pub fn warning(distinct: u64, games: u64) -> Option<String> {
    let copies = games.saturating_sub(distinct);
    (copies > games / 20).then(|| {
        format!(
            "only {distinct} of {games} games differ: copies tell nothing, and a verdict that counts them is \
             none; more openings are needed"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::samples::record;

    #[test]
    fn copies_count_once_whoever_has_white() {
        let mut distinct = Distinct::default();
        for (game, plies, expected) in [(0, 4, 1), (1, 4, 1), (2, 6, 2), (3, 4, 2)] {
            distinct.add(&record(game, plies));
            assert_eq!(distinct.count(), expected, "game {game}");
        }
        // The same moves on the board: those of the book count too.
        let mut other = record(4, 2);
        other.opening.moves = vec!["g1f3".to_owned(), "g8f6".to_owned()];
        other.moves.drain(..).count();
        distinct.add(&other);
        distinct.add(&record(5, 2));
        assert_eq!(distinct.count(), 3);
        assert_eq!(warning(3, 3), None);
        assert_eq!(warning(95, 100), None);
        assert!(warning(94, 100).is_some());
        assert!(warning(2, 202).is_some_and(|text| text.contains("2 of 202")));
    }
}

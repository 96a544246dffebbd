//! The random choice of book moves.

use std::hash::{BuildHasher, RandomState};

use chess::rules::{Move, Position};
use engine::book::{self, Book, BookMove};

/// A book move and its probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BookChoice {
    pub(crate) m: Move,
    pub(crate) weight: u64,
    /// The total weight of all moves of the position.
    pub(crate) total: u64,
}

/// Chooses a move by weight; the same `random` gives the same move. `None` if the position is not
/// in the book.
pub(crate) fn choose(book: &Book, position: &Position, random: u64) -> Option<BookChoice> {
    let moves = book.moves(position);
    let m = book::choose(&moves, random)?;
    let weight = |book_move: &BookMove| u64::from(book_move.weight);
    Some(BookChoice {
        m,
        weight: moves.iter().filter(|entry| entry.m == m).map(weight).sum(),
        total: moves.iter().map(weight).sum(),
    })
}

/// A random number generator: `SplitMix64` (Steele, Lea and Flood 2014), deterministic for a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitMix64 {
    seed: u64,
    state: u64,
}

impl SplitMix64 {
    /// The generator for a seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self { seed, state: seed }
    }

    /// An unpredictable seed, from the hash tables of the standard library.
    pub(crate) fn any_seed() -> u64 {
        RandomState::new().hash_one(0)
    }

    pub(crate) const fn seed(self) -> u64 {
        self.seed
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use chess::rules::{Color, Game, Square};
    use engine::book::BookBuilder;

    use super::*;

    #[test]
    fn chance_is_that_of_its_authors() {
        // The first number of SplitMix64 for the seed 0, from its authors' program.
        assert_eq!(SplitMix64::new(0).next(), 0xe220_a839_7b1d_cdaf);
    }

    /// A book in which one move of the start position has three times the weight of another.
    fn book(often: Move, seldom: Move) -> Book {
        let mut builder = BookBuilder::new(1, 1);
        for m in [often, often, often, seldom] {
            let mut game = Game::new(Position::startpos());
            game.play(m).expect("legal");
            builder.add(&game, Some(Color::White));
        }
        builder.build()
    }

    #[test]
    fn moves_are_chosen_by_weight() {
        let often = Move::new(Square::E2, Square::E4);
        let seldom = Move::new(Square::B2, Square::B3);
        let book = book(often, seldom);
        let mut random = SplitMix64::new(7);
        let mut count = 0;
        for _ in 0..10_000 {
            let choice = choose(&book, &Position::startpos(), random.next()).expect("a move");
            assert_eq!(choice.total, 8);
            assert_eq!(choice.weight, if choice.m == often { 6 } else { 2 });
            assert!(choice.m == often || choice.m == seldom);
            count += u32::from(choice.m == often);
        }
        // The standard deviation is 43; the seed is fixed.
        assert!(count.abs_diff(7500) < 200, "{count}");
        let empty = choose(&Book::default(), &Position::startpos(), 0);
        assert_eq!(empty, None);
    }
}

//! Books from games.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Book;
use super::entry::{RawEntry, encode};
use super::key::{is_representable, key};
use crate::rules::{Color, Game, Move, Position};

/// The results of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MoveTally {
    games: u32,
    /// Two per win, one per draw.
    points: u64,
}

/// Makes a book from games like `PolyGlot`'s `make-book`: the weight of a move is two per win plus
/// one per draw, for the side that played it. Moves that never scored, or were played in too few
/// games, are omitted.
///
/// ```
/// use chess::notation::polyglot::BookBuilder;
/// use chess::rules::{Color, Game, Move, Position, Square};
///
/// let mut game = Game::new(Position::startpos());
/// game.play(Move::new(Square::E2, Square::E4))?;
/// let mut builder = BookBuilder::new(16, 1);
/// builder.add(&game, Some(Color::White));
/// builder.add(&game, None);
/// let moves = builder.build().moves(&Position::startpos());
/// assert_eq!(moves[0].weight, 3);
/// # Ok::<(), chess::rules::IllegalMoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookBuilder {
    max_plies: usize,
    min_games: u32,
    /// By key and encoded move.
    tallies: BTreeMap<(u64, u16), MoveTally>,
}

impl BookBuilder {
    /// Creates a builder that uses the first `max_plies` plies of each game and keeps moves played
    /// in at least `min_games` games.
    pub const fn new(max_plies: usize, min_games: u32) -> Self {
        Self {
            max_plies,
            min_games,
            tallies: BTreeMap::new(),
        }
    }

    /// Adds a game won by `winner`, or drawn if that is `None`. Positions that the format cannot
    /// represent (see [`super`]) are skipped.
    pub fn add(&mut self, game: &Game, winner: Option<Color>) {
        let mut position = *game.start();
        for m in game.moves().take(self.max_plies) {
            let points = match winner {
                None => 1,
                Some(color) => 2 * u64::from(color == position.side_to_move()),
            };
            self.add_move(&position, m, points);
            position = position.play_unchecked(m);
        }
    }

    /// Finishes the book. If the weights of a position overflow, they are scaled down together;
    /// none becomes zero. The entries of a position are sorted by descending weight.
    pub fn build(self) -> Book {
        let min_games = self.min_games;
        let kept = self.tallies.into_iter();
        let kept = kept.filter(|(_, tally)| tally.games >= min_games && tally.points > 0);
        let kept: Vec<_> = kept.collect();
        let positions = kept.chunk_by(|(one, _), (other, _)| one.0 == other.0);
        let entries = positions.flat_map(entries_of_position);
        let bytes: Vec<u8> = entries.flat_map(RawEntry::to_bytes).collect();
        Book::from_bytes(Cow::Owned(bytes)).expect("whole entries in order of key")
    }

    fn add_move(&mut self, position: &Position, m: Move, points: u64) {
        if is_representable(position) {
            let tally = self.tallies.entry((key(position), encode(m))).or_default();
            tally.games = tally.games.saturating_add(1);
            tally.points += points;
        }
    }
}

fn entries_of_position(moves: &[((u64, u16), MoveTally)]) -> Vec<RawEntry> {
    const MOST: u64 = u16::MAX as u64;
    let points = moves.iter().map(|(_, tally)| tally.points);
    // Weights that fit are not scaled.
    let most = points.max().unwrap_or(0).max(MOST);
    let mut entries: Vec<RawEntry> = moves
        .iter()
        .map(|&((key, code), tally)| {
            let weight = u128::from(tally.points) * u128::from(MOST) / u128::from(most);
            let weight = u16::try_from(weight.max(1)).expect("no more than the most");
            RawEntry {
                key,
                code,
                weight,
                learn: 0,
            }
        })
        .collect();
    entries.sort_by_key(|entry| (Reverse(entry.weight), entry.code));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, uci_move};
    use crate::rules::CastlingMode;

    fn game(start: &str, moves: &str) -> Game {
        let mut game = Game::new(fen::parse(start).expect("legal"));
        for text in moves.split_whitespace() {
            let m = uci_move::parse(text, game.position(), CastlingMode::Chess960).expect("legal");
            game.play(m).expect("legal");
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn describe(book: &Book, position: &Position) -> String {
        let moves = book.moves(position).into_iter();
        let words: Vec<String> = moves
            .map(|one| format!("{}:{}", one.m, one.weight))
            .collect();
        words.join(" ")
    }

    #[test]
    fn weights_are_points_for_the_side_that_played() {
        let mut builder = BookBuilder::new(2, 1);
        let open = game(START, "e2e4 e7e5 g1f3");
        builder.add(&open, Some(Color::White));
        builder.add(&open, None);
        builder.add(&game(START, "e2e4 c7c5"), Some(Color::Black));
        builder.add(&game(START, "d2d4"), Some(Color::White));
        builder.add(&game(START, "c2c4 e7e5"), Some(Color::Black));
        let book = builder.build();
        let start = Position::startpos();
        assert_eq!(describe(&book, &start), "e2e4:3 d2d4:2");
        let e4 = *game(START, "e2e4").position();
        assert_eq!(describe(&book, &e4), "c7c5:2 e7e5:1");
        // Beyond the plies considered.
        assert_eq!(describe(&book, game(START, "e2e4 e7e5").position()), "");
        assert_eq!(book.len(), 5);
        assert_eq!(Book::from_bytes(book.as_bytes().to_vec()), Ok(book));
    }

    #[test]
    fn rare_moves_are_left_out() {
        let mut builder = BookBuilder::new(10, 2);
        builder.add(&game(START, "e2e4"), None);
        builder.add(&game(START, "d2d4"), None);
        builder.add(&game(START, "d2d4"), None);
        let book = builder.build();
        assert_eq!(describe(&book, &Position::startpos()), "d2d4:2");
    }

    #[test]
    fn heavy_weights_are_made_smaller_together() {
        let tallies = [(1, 200_000), (2, 100_000), (3, 1)];
        let moves = tallies.map(|(code, points)| ((7, code), MoveTally { games: 1, points }));
        let entries = entries_of_position(&moves);
        let weights: Vec<u16> = entries.iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [u16::MAX, 32_767, 1]);
    }

    #[test]
    fn castling_is_written_as_king_takes_rook() {
        let castled = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1 e8a8");
        let mut builder = BookBuilder::new(2, 1);
        builder.add(&castled, None);
        let book = builder.build();
        assert_eq!(describe(&book, castled.start()), "e1h1:1");
        let codes: Vec<&[u8]> = book.as_bytes().chunks(16).map(|one| &one[8..10]).collect();
        assert!(codes.contains(&&[0x01, 0x07][..]), "{codes:?}");
        assert!(codes.contains(&&[0x0f, 0x38][..]), "{codes:?}");
    }

    #[test]
    fn positions_that_the_key_cannot_tell_are_passed_over() {
        let inner = game("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "g1g8 e8e7");
        let mut builder = BookBuilder::new(2, 1);
        builder.add(&inner, None);
        assert_eq!(
            builder.build().len(),
            1,
            "the castling right is gone after g1g8"
        );
    }
}

//! The lines of a Polyglot book as openings.
//!
//! From the start position, all moves of the book with a weight are followed, as far as the book
//! goes or to a number of plies. Of lines that lead to the same position, one is kept. A line that
//! ends earlier is an opening, too.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::AtomicBool;

use chess::notation::polyglot::Book;
use chess::rules::{Move, Position};

use super::error::{ReadError, go_on};
use super::start::OpeningStart;

/// Plies of an opening, unless the user says.
pub(super) const PLIES: u32 = 8;
/// Maximum number of positions on all lines: 8 MB.
const MAX_NODES: usize = 1 << 20;

/// A move from the position of another node.
#[derive(Clone, Copy, Debug)]
struct BookNode {
    parent: u32,
    m: Move,
}

/// The parent of a first move.
const ROOT: u32 = u32::MAX;

/// All lines of a book. The first moves come first, then the second ones, and so on.
#[derive(Debug)]
pub(super) struct PolyglotLines {
    nodes: Vec<BookNode>,
    /// The last node of each line.
    ends: Vec<u32>,
}

impl PolyglotLines {
    /// Follows the book from the start position.
    ///
    /// # Errors
    ///
    /// If there are too many positions, or `interrupt` is set.
    pub(super) fn new(book: &Book, plies: u32, interrupt: &AtomicBool) -> Result<Self, ReadError> {
        let mut lines = Self {
            nodes: Vec::new(),
            ends: Vec::new(),
        };
        let mut seen = HashSet::from([Position::startpos().key()]);
        let mut level = vec![ROOT];
        for _ in 0..plies {
            let mut next = Vec::new();
            for parent in level {
                go_on(interrupt)?;
                // Positions are played again instead of kept, which would take many times the
                // memory of the moves.
                let position = lines.position(parent);
                let before = lines.nodes.len();
                let moves = book.moves(&position).into_iter();
                // A weight of 0 says that a move is not to be played.
                let moves = moves.filter(|one| one.weight > 0).map(|one| one.m);
                // Sorted, so that the openings do not depend on how the file orders the moves of a
                // position.
                let moves = moves.collect::<BTreeSet<Move>>();
                let is_last = moves.is_empty();
                for m in moves {
                    let played = position.play_unchecked(m);
                    // A game that is over is no opening, and a position needs to be reached once
                    // only.
                    if played.outcome().is_none() && seen.insert(played.key()) {
                        lines.nodes.push(BookNode { parent, m });
                    }
                }
                if lines.nodes.len() > MAX_NODES {
                    return Err(ReadError::Unusable(format!(
                        "more than {MAX_NODES} positions within {plies} plies, expected fewer plies"
                    )));
                }
                if is_last && parent != ROOT {
                    lines.ends.push(parent);
                }
                next.extend((before..lines.nodes.len()).map(index));
            }
            level = next;
        }
        lines.ends.extend(level);
        lines.ends.retain(|&end| end != ROOT);
        Ok(lines)
    }

    pub(super) fn len(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The line with this number, from 0.
    pub(super) fn get(&self, number: u64) -> OpeningStart {
        let number = usize::try_from(number).expect("the lines are in memory");
        OpeningStart {
            label: None,
            position: Position::startpos(),
            moves: self.moves(self.ends[number]),
            needs_chess960: false,
        }
    }

    fn moves(&self, mut at: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        while at != ROOT {
            let BookNode { parent, m } = self.nodes[at as usize];
            moves.push(m);
            at = parent;
        }
        moves.reverse();
        moves
    }

    fn position(&self, at: u32) -> Position {
        let moves = self.moves(at).into_iter();
        moves.fold(Position::startpos(), |position, m| {
            position.play_unchecked(m)
        })
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("there are not so many nodes")
}

#[cfg(test)]
mod tests {
    use chess::notation::polyglot::BookBuilder;
    use chess::notation::uci_move;
    use chess::rules::{CastlingMode, Game};

    use super::*;

    fn book(games: &[&str]) -> Book {
        let mut builder = BookBuilder::new(99, 1);
        for moves in games {
            let mut game = Game::new(Position::startpos());
            for text in moves.split(' ') {
                let m = uci_move::parse(text, game.position(), CastlingMode::Standard);
                game.play(m.expect("legal")).expect("legal");
            }
            builder.add(&game, None);
        }
        builder.build()
    }

    fn lines(book: &Book, plies: u32) -> Vec<String> {
        let lines = PolyglotLines::new(book, plies, &AtomicBool::new(false)).expect("few");
        let text = |number| {
            let opening = lines.get(number).into_opening(String::new(), false);
            opening.moves.join(" ")
        };
        let mut all: Vec<String> = (0..lines.len()).map(text).collect();
        all.sort();
        all
    }

    #[test]
    fn lines_end_with_the_book_or_at_the_ply() {
        // The first game leads to the position of the third.
        let book = book(&["e2e4 e7e5 g1f3", "d2d4", "g1f3 e7e5 e2e4", "e2e4 c7c5"]);
        let rows: [(u32, &[&str]); 3] = [
            (1, &["d2d4", "e2e4", "g1f3"]),
            (2, &["d2d4", "e2e4 c7c5", "e2e4 e7e5", "g1f3 e7e5"]),
            (9, &["d2d4", "e2e4 c7c5", "g1f3 e7e5 e2e4"]),
        ];
        for (plies, expected) in rows {
            assert_eq!(lines(&book, plies), expected);
        }
        assert_eq!(lines(&Book::default(), 9), [""; 0]);
    }
}

//! The books inside the program. `examples/make_openings.rs` makes them; `docs/selfplay.md`, Openings,
//! has what they are like to play with.

use std::io::Read as _;

use flate2::{Crc, read::GzDecoder};

use crate::model::{BuiltInBook, Opening};

/// Eight moves from the start position, of four letters each: castling too has four, and nothing can
/// promote yet. A blank or the end of the line follows each.
const LINE: usize = 8 * 5;

/// A built-in book, decompressed.
#[derive(Debug)]
pub(super) struct BuiltinLines {
    book: BuiltInBook,
    text: String,
}

impl BuiltinLines {
    pub(super) fn from_book(book: BuiltInBook) -> Self {
        let packed: &[u8] = match book {
            BuiltInBook::Balanced => include_bytes!("../../books/balanced.gz"),
            BuiltInBook::Uneven => include_bytes!("../../books/uneven.gz"),
        };
        let mut text = String::new();
        GzDecoder::new(packed)
            .read_to_string(&mut text)
            .expect("the tests read it");
        Self { book, text }
    }

    pub(super) fn len(&self) -> u64 {
        (self.text.len() / LINE) as u64
    }

    /// The opening with this number, from 0.
    pub(super) fn get(&self, number: u64) -> Opening {
        let from = usize::try_from(number).expect("a line of the book") * LINE;
        let moves = self.text[from..from + LINE].split_whitespace();
        Opening {
            label: format!("{}:{}", self.book, number + 1),
            moves: moves.map(str::to_owned).collect(),
            ..Opening::startpos()
        }
    }

    /// Length and CRC-32 of the text, in the form that the fingerprint of a book in a file has.
    pub(super) fn fingerprint(&self) -> String {
        let mut crc = Crc::new();
        crc.update(self.text.as_bytes());
        format!("{}-{:08x}", self.text.len(), crc.sum())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chess::notation::uci_move;
    use chess::rules::{CastlingMode, Game, Position};

    use super::*;

    #[test]
    fn every_opening_is_playable_and_none_comes_twice() {
        let mut labels = HashSet::new();
        for book in [BuiltInBook::Balanced, BuiltInBook::Uneven] {
            let lines = BuiltinLines::from_book(book);
            assert!(lines.len() >= 20_000, "{book}: {}", lines.len());
            assert_eq!(lines.text.len() % LINE, 0);
            let mut ends = HashSet::new();
            for number in 0..lines.len() {
                let opening = lines.get(number);
                let mut game = Game::new(Position::startpos());
                assert_eq!(opening.moves.len(), 8, "{opening:?}");
                for text in &opening.moves {
                    let m = uci_move::parse(text, game.position(), CastlingMode::Standard);
                    game.play(m.expect("a legal move")).expect("a legal move");
                }
                assert_eq!((game.outcome(), game.claimable_draw()), (None, None));
                assert!(ends.insert(game.position().key()), "{opening:?}");
                assert!(labels.insert(opening.label));
            }
        }
    }
}

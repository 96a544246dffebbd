//! The book that is built into the engine.

use std::collections::{BTreeMap, VecDeque};

use chess::notation::fen;
use chess::rules::{Move, Position};
use engine::book::{self, Book};

/// Plies of the games that the book was made from.
const PLIES: u32 = 16;

/// All positions with book moves, by key, that come about from the start position when no two
/// moves one after the other leave the book.
fn book_positions(book: &Book) -> BTreeMap<u64, Position> {
    let start = Position::startpos();
    let mut found = BTreeMap::from([(book::key(&start), start)]);
    let mut open = VecDeque::from([start]);
    while let Some(position) = open.pop_front() {
        for m in position.legal_moves() {
            let next = position.play_unchecked(m);
            let replies = next.legal_moves();
            let after = replies.into_iter().map(|reply| next.play_unchecked(reply));
            for one in std::iter::once(next).chain(after) {
                let key = book::key(&one);
                if !found.contains_key(&key) && !book.moves(&one).is_empty() {
                    found.insert(key, one);
                    open.push_back(one);
                }
            }
        }
    }
    found
}

#[test]
fn every_entry_is_a_legal_move_of_an_opening() {
    let book = book::built_in();
    assert!((300..6_000).contains(&book.len()), "{} entries", book.len());
    assert_eq!(
        Book::from_bytes(book.as_bytes().to_vec()).as_ref(),
        Ok(&book)
    );
    let positions = book_positions(&book);
    let mut legal = 0;
    for position in positions.values() {
        let text = fen::write(position);
        assert!(position.fullmove_number() <= PLIES / 2, "{text}");
        let moves = book.moves(position);
        assert!(moves.iter().all(|one| one.weight > 0), "{text}");
        assert!(
            moves.is_sorted_by(|one, next| one.weight >= next.weight),
            "{text}"
        );
        let mut distinct: Vec<Move> = moves.iter().map(|one| one.m).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), moves.len(), "{text}");
        legal += moves.len();
    }
    assert_eq!(legal, book.len(), "entries that are reached and legal");
    let first = book.moves(&Position::startpos());
    assert!(first.len() >= 4, "{first:?}");
}

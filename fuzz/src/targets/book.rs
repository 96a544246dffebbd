//! Polyglot books.

use engine::book::{self, Book};

use super::corpus;
use super::moves::POSITIONS;
use crate::target::{Checked, Target, ensure, refused, same};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "polyglot",
    corpus: corpus!("polyglot.txt"),
    words: &[
        "\0\0\0\0\0\0\0\0",
        "\x46\x3b\x17\x15",
        "\x03\x1c",
        "\0\x01",
        "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f",
    ],
    check,
}];

/// The bytes of an entry.
const ENTRY: usize = 16;

fn check(bytes: &[u8]) -> Result<Checked, String> {
    // Few mutations keep the order of entries: it is made as well.
    let (entries, _) = bytes.as_chunks::<ENTRY>();
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    let sorted = sorted.concat();
    let read = Book::from_bytes(sorted.clone()).map_err(|error| error.to_string())?;
    same("bytes", &read.as_bytes(), &sorted.as_slice())?;
    same("entries", &read.len(), &entries.len())?;
    check_moves(&read)?;
    match Book::from_bytes(bytes.to_vec()) {
        Ok(read) => {
            check_moves(&read)?;
            Ok(Checked::Read)
        }
        Err(error) => refused(&error),
    }
}

fn check_moves(read: &Book) -> Result<(), String> {
    for position in POSITIONS.iter() {
        let moves = read.moves(position);
        let is_legal = |one: &book::BookMove| position.is_legal(one.m);
        ensure(moves.iter().all(is_legal), || "an illegal move".to_owned())?;
        let weights = moves.iter().map(|one| u64::from(one.weight)).sum::<u64>();
        for random in [0, 1, u64::MAX / 2, u64::MAX] {
            let chosen = book::choose(&moves, random);
            same("a move is chosen", &chosen.is_some(), &(weights > 0))?;
        }
        book::best(&moves);
    }
    Ok(())
}

//! Games in PGN, and opening books of Polyglot.

use chess::notation::pgn::{
    CommentScore, PgnGame, PgnLine, PgnMove, PgnReader, ReadPgnError, write,
};
use chess::rules::Color;
use engine::book;
use engine::book::Book;

use crate::target::{FuzzTarget, judge, rejected, sound, within};
use crate::targets::fen::POSITIONS;

targets![pgn polyglot];

fn pgn(bytes: &[u8]) -> bool {
    // A game takes a byte or more: with more games than bytes, a reader never ends.
    let most = bytes.len() + 1;
    let mut is_read = false;
    for reader in [
        PgnReader::new(bytes),
        PgnReader::new(bytes).keep_variations(),
    ] {
        let games: Vec<_> = reader.take(most + 1).collect();
        assert!(games.len() <= most, "games without end");
        for game in games {
            match game {
                Ok(game) => {
                    is_read = true;
                    within(&unix(bytes), game.place.line, game.place.column);
                    check_written(&game);
                    check_scores(&game);
                }
                Err(error) => check_error(bytes, &error),
            }
        }
    }
    is_read
}

/// The text as the reader counts its lines.
fn unix(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' => text.push(b'\n'),
            b'\n' if index > 0 && bytes[index - 1] == b'\r' => {}
            _ => text.push(byte),
        }
    }
    text
}

fn check_error(bytes: &[u8], error: &ReadPgnError) {
    rejected(error);
    match error {
        ReadPgnError::Game(error) => within(&unix(bytes), error.place.line, error.place.column),
        ReadPgnError::Io(error) => panic!("bytes in memory cannot be read: {error}"),
    }
}

/// A score in a comment is the same for both sides, but for its sign where the mover's is meant.
fn check_scores(game: &PgnGame) {
    let comments = game.mainline.moves.iter().flat_map(|one| &one.comments);
    for comment in comments {
        let [white, black] = Color::ALL.map(|mover| CommentScore::read(comment, mover));
        assert_eq!(
            white.map(|(_, of)| of),
            black.map(|(_, of)| of),
            "{comment}"
        );
    }
}

/// What can be written is read again as it was, but for its place.
fn check_written(game: &PgnGame) {
    // Not all that can be read can be written, such as a tag's name that only imports may have.
    judge(write(game), |written| {
        let mut reader = PgnReader::new(written.as_bytes()).keep_variations();
        let again = reader.next().expect("a game is read again");
        let again = sound(again);
        assert!(reader.next().is_none(), "{written:?} is several games");
        assert_eq!((again.start, again.mode), (game.start, game.mode));
        assert_eq!(plain(&again.mainline), plain(&game.mainline));
        for (name, value) in &game.tags {
            assert_eq!(again.tag(name), Some(value.as_str()), "{name}");
        }
        assert_eq!(write(&again), Ok(written));
    });
}

/// A line whose comments have words with one blank between them: of long ones the writer keeps no more.
fn plain(line: &PgnLine) -> PgnLine {
    let words = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let moves = line.moves.iter().map(|one| PgnMove {
        comments: one.comments.iter().map(words).collect(),
        variations: one.variations.iter().map(plain).collect(),
        ..one.clone()
    });
    PgnLine {
        comments: line.comments.iter().map(words).collect(),
        moves: moves.collect(),
    }
}

/// The length of an entry of a book.
const ENTRY: usize = 16;

fn polyglot(bytes: &[u8]) -> bool {
    // Few mutations keep the order of entries: it is made as well.
    let (entries, _) = bytes.as_chunks::<ENTRY>();
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    let sorted = sorted.concat();
    let read = sound(Book::from_bytes(sorted.clone()));
    assert_eq!((read.as_bytes(), read.len()), (&*sorted, entries.len()));
    check_moves(&read);
    judge(Book::from_bytes(bytes.to_vec()), |read| check_moves(&read))
}

fn check_moves(read: &Book) {
    for position in POSITIONS.iter() {
        let moves = read.moves(position);
        let is_legal = |one: &book::BookMove| position.is_legal(one.m);
        assert!(moves.iter().all(is_legal), "an illegal move");
        let weights = moves.iter().map(|one| u64::from(one.weight)).sum::<u64>();
        // The ends of the range, where rounding could choose a move beyond the last.
        for random in [0, 1, u64::MAX / 2, u64::MAX] {
            let chosen = book::choose(&moves, random);
            assert_eq!(chosen.is_some(), weights > 0, "a move is chosen");
        }
        book::best(&moves);
    }
}

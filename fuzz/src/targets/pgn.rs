//! Games in PGN.

use chess::notation::pgn::{
    CommentScore, PgnGame, PgnLine, PgnMove, PgnReader, ReadPgnError, write,
};
use chess::rules::Color;
use engine::book;
use engine::book::Book;

use crate::target::{FuzzTarget, InputVerdict, ensure, judge, rejected, same, sound, within};
use crate::targets::fen::POSITIONS;

pub(super) const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "pgn",
        corpus: corpus!("pgn.txt"),
        words: words![
            "[Event \"" "\"]" "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]" "[SetUp \"1\"]"
            "[Variant \"Chess960\"]" "[Result \"1-0\"]" "[" "]" "\"" "\\" "{" "}" "(" ")" ";" "%" "$5"
            "$256" "1." "12..." "e4" "e5" "Nf3" "Nc6" "O-O" "0-0-0" "e8=Q" "e8(Q)" "--" "Z0" "!!" "?!"
            "+" "#" "++" "e.p." "{+0.31/12 0.1s}" "{[%eval #-3]}" "{-M5/9}" "1-0" "0-1" "1/2-1/2" "*" "\n\n" "\r\n" "{ (" "$$"
        ],
        check: |bytes| {
            // A game takes a byte or more: with more games than bytes, a reader never ends.
            let most = bytes.len() + 1;
            let plain: Vec<_> = PgnReader::new(bytes).take(most + 1).collect();
            ensure(plain.len() <= most, || "games without end".to_owned())?;
            let with_variations = PgnReader::new(bytes).keep_variations();
            let whole: Vec<_> = with_variations.take(most + 1).collect();
            let mut checked = InputVerdict::Rejected;
            for game in &plain {
                match game {
                    Ok(game) => {
                        checked = InputVerdict::Read;
                        within(&unix(bytes), game.place.line, game.place.column)?;
                        check_written(game)?;
                        check_scores(game)?;
                    }
                    Err(error) => check_error(bytes, error)?,
                }
            }
            for game in &whole {
                match game {
                    Ok(game) => check_written(game)?,
                    Err(error) => check_error(bytes, error)?,
                }
            }
            Ok(checked)
        },
    },
    FuzzTarget {
        name: "polyglot",
        corpus: corpus!("polyglot.txt"),
        words: words![
            "\0\0\0\0\0\0\0\0" "\x46\x3b\x17\x15" "\x03\x1c" "\0\x01" "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f"
        ],
        check: |bytes| {
            // Few mutations keep the order of entries: it is made as well.
            let (entries, _) = bytes.as_chunks::<ENTRY>();
            let mut sorted = entries.to_vec();
            sorted.sort_unstable();
            let sorted = sorted.concat();
            let read = sound(Book::from_bytes(sorted.clone()))?;
            same("bytes", &read.as_bytes(), &sorted.as_slice())?;
            same("entries", &read.len(), &entries.len())?;
            check_moves(&read)?;
            judge(Book::from_bytes(bytes.to_vec()), |read| check_moves(&read))
        },
    },
];

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

fn check_error(bytes: &[u8], error: &ReadPgnError) -> Result<(), String> {
    rejected(error)?;
    match error {
        ReadPgnError::Game(error) => within(&unix(bytes), error.place.line, error.place.column),
        ReadPgnError::Io(error) => Err(format!("bytes in memory cannot be read: {error}")),
    }
}

/// A score in a comment is the same for both sides, but for its sign where the mover's is meant.
fn check_scores(game: &PgnGame) -> Result<(), String> {
    let comments = game.mainline.moves.iter().flat_map(|one| &one.comments);
    for comment in comments {
        let [white, black] = Color::ALL.map(|mover| CommentScore::read(comment, mover));
        same(
            "scored position",
            &white.map(|(_, of)| of),
            &black.map(|(_, of)| of),
        )?;
    }
    Ok(())
}

/// What can be written is read again as it was, but for its place.
fn check_written(game: &PgnGame) -> Result<(), String> {
    // Not all that can be read can be written, such as a tag's name that only imports may have.
    let written = match write(game) {
        Ok(written) => written,
        Err(error) => return rejected(&error).map(drop),
    };
    let mut reader = PgnReader::new(written.as_bytes()).keep_variations();
    let Some(Ok(again)) = reader.next() else {
        return Err(format!("{written:?} is not read again"));
    };
    ensure(reader.next().is_none(), || {
        format!("{written:?} is read as several games")
    })?;
    same("first position", &again.start, &game.start)?;
    same("mode", &again.mode, &game.mode)?;
    let (found, expected) = (plain(&again.mainline), plain(&game.mainline));
    same("moves", &found, &expected)?;
    for (name, value) in &game.tags {
        same(name, &again.tag(name), &Some(value.as_str()))?;
    }
    same("written again", &write(&again), &Ok(written))
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

const ENTRY: usize = 16;

fn check_moves(read: &Book) -> Result<(), String> {
    for position in POSITIONS.iter() {
        let moves = read.moves(position);
        let is_legal = |one: &book::BookMove| position.is_legal(one.m);
        ensure(moves.iter().all(is_legal), || "an illegal move".to_owned())?;
        let weights = moves.iter().map(|one| u64::from(one.weight)).sum::<u64>();
        // The ends of the range, where rounding could choose a move beyond the last.
        for random in [0, 1, u64::MAX / 2, u64::MAX] {
            let chosen = book::choose(&moves, random);
            same("a move is chosen", &chosen.is_some(), &(weights > 0))?;
        }
        book::best(&moves);
    }
    Ok(())
}

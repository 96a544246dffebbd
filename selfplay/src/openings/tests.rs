//! Books in temporary files.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::model::BookFormat;

/// A file in a directory that lives as long as it.
struct File {
    _folder: TempDir,
    path: PathBuf,
}

impl File {
    fn name(&self) -> String {
        let name = self.path.file_name().expect("a file");
        name.to_string_lossy().into_owned()
    }
}

#[expect(clippy::disallowed_methods, reason = "tests write the books they read")]
fn file(name: &str, bytes: &[u8]) -> File {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file in it");
    File {
        _folder: folder,
        path,
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(*name, options).expect("memory");
        archive.write_all(bytes).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// A book in the order of the file.
fn book(file: &File, format: BookFormat, plies: Option<u32>, chess960: bool) -> OpeningSource {
    OpeningSource::Book {
        path: file.path.clone(),
        format,
        order: BookOrder::Sequential,
        start: 0,
        plies,
        chess960,
    }
}

fn epd(bytes: &[u8]) -> (File, Result<Openings, OpeningError>) {
    let file = file("book.epd", bytes);
    let openings = Openings::open(&book(&file, BookFormat::Epd, None, false), 0);
    (file, openings)
}

fn pgn(text: &str, plies: Option<u32>) -> (File, Result<Openings, OpeningError>) {
    let file = file("book.pgn", text.as_bytes());
    let openings = Openings::open(&book(&file, BookFormat::Pgn, plies, false), 0);
    (file, openings)
}

fn error(file: &File, openings: Result<Openings, OpeningError>) -> String {
    let error = openings.expect_err("rejected").to_string();
    let folder = file.path.parent().expect("it is in a folder").join("");
    error.replace(&folder.display().to_string(), "")
}

const BOOK: &str = "\u{feff}# openings\r\n\
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"king's pawn\";\r\n\
    \r\n\
    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 7; fmvn 12;\r\n  \
    rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 3 9";

#[test]
fn positions_one_a_line() {
    let (file, openings) = epd(BOOK.as_bytes());
    let openings = openings.expect("a book");
    assert_eq!(openings.len(), 3);
    let fens: Vec<String> = (0..4).map(|n| get(&openings, n).fen).collect();
    let first = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let expected = [
        first,
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 7 12",
        "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 3 9",
        first,
    ];
    assert_eq!(fens, expected, "the first comes again");
    assert_eq!(get(&openings, 0).label, "king's pawn");
    let place = format!("{}:5", file.name());
    assert_eq!(get(&openings, 2).label, place);
}

#[test]
fn a_faulty_record_is_an_error_with_its_place() {
    let good = "4k3/8/8/8/8/8/8/4K2R w K -";
    let rows: &[(&str, &str)] = &rows![
        "4k3/8/8/8/8/8/8/4K2R x K -" => "column 22: side to move: 'x' is not a side, expected w or b";
        "4k3/8/8/8/8/8/8/4K2R w -" => "column 1: record: 3 fields, expected 4 or 6";
        "4k2R/8/8/8/8/8/8/4K3 b - - 99 80" => "";
        "R3k3/8/4K3/8/8/8/8/8 b - -" => "the game is over after 0 plies of the opening: checkmate";
        "4k3/4P3/4K3/8/8/8/8/8 b - -" => "the game is over after 0 plies of the opening: stalemate";
        "4k3/8/4K3/8/8/8/8/8 b - -" => "the game is over after 0 plies of the opening: insufficient-material";
        "4k3/8/4K3/8/8/8/8/7R b - - hmvc 100;" => "the game is over after 0 plies of the opening: fifty-moves";
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1;" => "";
        "4k3/8/8/8/8/8/8/4K2R w K - 0 0" => "";
        "4k3/8/8/8/8/8/8/4K2R w K - -1 1" => "column 28: halfmove clock: '-1' is not a number from 0 to 4294967295";
        "4k3/8/8/8/8/8/8/4KR2 w F -" => "Chess960 in a book that is said to be of standard chess";
    ];
    for (record, fault) in rows {
        let (file, openings) = epd(format!("# one\n{good}\n\n{record}\n{good}\n").as_bytes());
        if fault.is_empty() {
            assert_eq!(openings.expect("a book").len(), 3);
        } else {
            assert_eq!(error(&file, openings), format!("book.epd:4: {fault}"));
        }
    }
}

#[test]
fn compressed_books() {
    let (half, rest) = BOOK.as_bytes().split_at(99);
    // A frame to skip, with two bytes of its own (RFC 8878, 3.1.2).
    let skipped: &[u8] = b"\x50\x2a\x4d\x18\x02\0\0\0no";
    let hidden: (&str, &[u8]) = ("__MACOSX/._book.epd", b"x");
    let rows: [(&str, Vec<u8>); 5] = rows![
        "gzip" => gzip(BOOK.as_bytes());
        "two members" => [gzip(half), gzip(rest)].concat();
        "Zstandard" => zstandard(BOOK.as_bytes());
        "frames" => [&zstandard(half)[..], skipped, &zstandard(rest)].concat();
        "zip" => zip(&[("folder/book.epd", BOOK.as_bytes()), hidden]);
    ];
    let (_, plain) = epd(BOOK.as_bytes());
    let plain = plain.expect("sound");
    for (name, bytes) in rows {
        let (_, openings) = epd(&bytes);
        let openings = openings.expect(name);
        assert_eq!(openings.len(), plain.len(), "{name}");
        assert_eq!(openings.fingerprint(), plain.fingerprint(), "{name}");
        assert_eq!(openings.get(1).ok(), plain.get(1).ok(), "{name}");
    }
    let rows = rows![
        zip(&[("a.epd", b"x"), ("b.epd", b"y")]) =>
            "cannot use the opening book book.epd: the archive has 2 files, among them a.epd and b.epd, expected one";
        zip(&[hidden]) => "cannot use the opening book book.epd: the archive is empty";
        zstandard(BOOK.as_bytes())[..40].to_vec() => "cannot read the opening book book.epd: ";
        zip(&[("a.epd", BOOK.as_bytes())])[..90].to_vec() => "cannot use the opening book book.epd: ";
    ];
    for (bytes, expected) in rows {
        let (file, openings) = epd(&bytes);
        let found = error(&file, openings);
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn polyglot_books() {
    use chess::notation::polyglot::BookBuilder;
    use chess::rules::{Game, Move, Position, Square};

    let mut game = Game::new(Position::startpos());
    for (from, to) in [(Square::E2, Square::E4), (Square::E7, Square::E5)] {
        game.play(Move::new(from, to)).expect("legal");
    }
    let mut builder = BookBuilder::new(9, 1);
    builder.add(&game, None);
    let book_file = file("book.bin", builder.build().as_bytes());
    for (plies, expected) in [(None, &["e2e4", "e7e5"][..]), (Some(1), &["e2e4"])] {
        let source = book(&book_file, BookFormat::Polyglot, plies, false);
        let openings = Openings::open(&source, 0).expect("sound");
        let opening = openings.get(0).expect("there is one");
        assert_eq!((openings.len(), &*opening.label), (1, "book.bin:1"));
        assert_eq!(opening.moves, expected);
    }
    for (bytes, expected) in rows![
        &b"x"[..] => "cannot use the opening book book.bin: the book has 1 bytes, expected a multiple of 16";
        b"" => "no opening in the book book.bin";
    ] {
        let file = file("book.bin", bytes);
        let source = book(&file, BookFormat::Polyglot, None, false);
        assert_eq!(error(&file, Openings::open(&source, 0)), expected);
    }
}

#[test]
fn files_that_are_no_books() {
    let utf_16 = "\u{feff}".chars().chain(BOOK.chars().skip(1));
    let utf_16: Vec<u16> = utf_16
        .map(|one| u32::from(one).try_into().expect("of 16 bits"))
        .collect();
    let rows = rows![
        b"# nothing\n\n".to_vec() => "no opening in the book book.epd";
        vec![b'x'; 1 << 17] => "book.epd:1: the line is longer than 65536 bytes";
        b"4k3/8/8/8/8/8/8/4K2R w K - id \"\xff\";\n".to_vec() => "book.epd:1: byte 32 of the line is not UTF-8";
        utf_16.into_iter().flat_map(u16::to_le_bytes).collect() => "book.epd:1: the book is UTF-16, expected UTF-8";
    ];
    for (bytes, expected) in rows {
        let (file, openings) = epd(&bytes);
        assert_eq!(error(&file, openings), expected);
    }
    let packed = gzip(BOOK.as_bytes());
    let (file, openings) = epd(&packed[..packed.len() / 2]);
    assert!(error(&file, openings).starts_with("cannot read the opening book book.epd: "));
    let (file, _) = epd(b"");
    let gone = File {
        path: file.path.with_extension("gone"),
        ..file
    };
    let source = book(&gone, BookFormat::Epd, None, false);
    let error = Openings::open(&source, 0).expect_err("gone").to_string();
    let error = testkit::programs::portable(error);
    assert!(error.contains("book.gone: No such file"), "{error}");
}

const GAMES: &str = "[Event \"One\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n\
    % escaped\n[Event \"Two\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 5 20\"]\n\n1. O-O Kd7 (1... Ke7) *\n\
    1. d4 d5 *  1. c4 {English} *\n\n\
    [Event \"Last\"]\n\n1. f3 e5 2. g4 *";

#[test]
fn games_and_their_first_plies() {
    for text in [
        GAMES.to_owned(),
        GAMES.replace('\n', "\r\n"),
        GAMES.replace('\n', "\r"),
    ] {
        let (file, openings) = pgn(&text, Some(3));
        let openings = openings.expect("a book");
        let all: Vec<Opening> = (0..5).map(|number| get(&openings, number)).collect();
        assert_eq!(openings.len(), 5);
        let moves: Vec<String> = all.iter().map(|opening| opening.moves.join(" ")).collect();
        let expected = "e2e4 e7e5 g1f3, e1g1 e8d7, d2d4 d7d5, c2c4, f2f3 e7e5 g2g4";
        assert_eq!(moves.join(", "), expected);
        assert_eq!(all[1].fen, "4k3/8/8/8/8/8/8/4K2R w K - 5 20");
        let labels: Vec<&str> = all.iter().map(|opening| opening.label.as_str()).collect();
        let places = [1, 6, 10, 10, 12].map(|line| format!("{}:{line}", file.name()));
        assert_eq!(labels, places);
        // Back and forth: reading starts at the index entries.
        for number in [4, 0, 3, 1, 2, 2] {
            let expected = &all[usize::try_from(number).expect("small")];
            assert_eq!(get(&openings, number), *expected);
        }
    }
}

#[test]
fn faulty_games() {
    let rows = rows![
        "[Event \"A\"]\n\n1. e4 e5 2. Ke3 *\n" => "4: column 13: no legal move is 'Ke3' in ";
        "1. f3 e5 2. g4 Qh4# *\n" => "2: the game is over after 4 plies of the opening: checkmate";
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *\n" =>
            "2: the game is over after 8 plies of the opening: threefold";
        "[FEN \"4k3/8/8/8/8/8/8/4KR2 w F - 0 1\"]\n\n1. Kd2 *\n" =>
            "2: Chess960 in a book that is said to be of standard chess";
        "[Variant \"Crazyhouse\"]\n\n1. e4 *\n" =>
            "2: column 1: tag Variant is \"Crazyhouse\", expected standard chess or Chess960";
    ];
    for (game, expected) in rows {
        let (file, openings) = pgn(&format!("1. d4 *\n{game}"), None);
        let error = error(&file, openings);
        assert!(
            error.starts_with(&format!("book.pgn:{expected}")),
            "{error}"
        );
    }
    // Moves beyond the opening may end the game.
    assert!(pgn("1. f3 e5 2. g4 Qh4# *\n", Some(3)).1.is_ok());
}

#[test]
fn castling_in_a_book_of_chess960_is_king_takes_rook() {
    let file = file(
        "book.pgn",
        b"[FEN \"4k3/8/8/8/8/8/8/4KR2 w F - 0 1\"]\n\n1. O-O Kd7 *\n",
    );
    let source = |chess960| book(&file, BookFormat::Pgn, None, chess960);
    let opening = Openings::open(&source(true), 0)
        .expect("a book")
        .get(0)
        .expect("an opening");
    assert_eq!(opening.moves, ["e1f1", "e8d7"]);
    assert!(opening.chess960);
    assert!(Openings::open(&source(false), 0).is_err());
}

fn numbered(openings: u64) -> String {
    let line = |number| format!("4k3/8/8/8/8/8/8/4K2R w K - id \"{number}\";\n");
    (0..openings).map(line).collect()
}

fn get(openings: &Openings, number: u64) -> Opening {
    openings.get(number).expect("an opening")
}

fn labels(openings: &Openings, numbers: std::ops::Range<u64>) -> Vec<u64> {
    let label = |number| get(openings, number).label;
    numbers
        .map(|number| label(number).parse().expect("a number"))
        .collect()
}

#[test]
fn orders_and_starts() {
    let file = file("book.epd", numbered(20).as_bytes());
    let open = |order, start, seed| {
        let source = OpeningSource::Book {
            path: file.path.clone(),
            format: BookFormat::Epd,
            order,
            start,
            plies: None,
            chess960: false,
        };
        Openings::open(&source, seed)
    };
    let sequential = open(BookOrder::Sequential, 18, 1).expect("a book");
    assert_eq!(labels(&sequential, 0..4), [18, 19, 0, 1]);
    let random = open(BookOrder::Random, 0, 1).expect("a book");
    let order = labels(&random, 0..20);
    let expected = (0..20).collect();
    assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), expected);
    assert_ne!(order, (0..20).collect::<Vec<_>>());
    assert_eq!(labels(&random, 20..40), order);
    let later = open(BookOrder::Random, 5, 1).expect("a book");
    assert_eq!(labels(&later, 0..15), order[5..]);
    assert_eq!(labels(&later, u64::MAX - 15..u64::MAX - 14), [order[5]]);
    let beyond = open(BookOrder::Random, 45, 1).expect("a book");
    assert_eq!(labels(&beyond, 0..15), order[5..], "it wraps");
}

#[test]
fn a_book_larger_than_its_index_is_found_again() {
    let openings = 150_000;
    let (_file, book) = epd(numbered(openings).as_bytes());
    let book = book.expect("a book");
    assert_eq!(book.len(), openings);
    for number in (0..openings).step_by(997).chain([openings - 1]) {
        assert_eq!(labels(&book, number..number + 1), [number]);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests write the books they read")]
fn a_book_that_is_changed_is_noticed() {
    let (file, openings) = epd(numbered(3).as_bytes());
    let openings = openings.expect("a book");
    std::fs::write(&file.path, numbered(1)).expect("a file");
    let error = openings.get(2).expect_err("gone").to_string();
    let expected = "was changed while it was in use";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn sources_without_a_book() {
    let openings = Openings::open(&OpeningSource::Startpos, 1).expect("no file");
    assert_eq!((openings.len(), openings.fingerprint()), (1, None));
    let opening = get(&openings, 7);
    let expected = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(opening.fen, expected);
    let openings = Openings::open(&OpeningSource::Chess960, 1).expect("no file");
    let fens: BTreeSet<String> = (0..960).map(|number| get(&openings, number).fen).collect();
    assert_eq!(fens.len(), 960);
    let openings = Openings::open(&OpeningSource::DoubleChess960, 1).expect("no file");
    assert_eq!(openings.len(), 921_600);
    let fens: BTreeSet<String> = (0..2000).map(|number| get(&openings, number).fen).collect();
    assert_eq!(fens.len(), 2000);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), is_pgn in any::<bool>()) {
        let file = file("book", &bytes);
        let format = if is_pgn { BookFormat::Pgn } else { BookFormat::Epd };
        if let Ok(openings) = Openings::open(&book(&file, format, None, false), 0) {
            for number in 0..openings.len() {
                prop_assert!(openings.get(number).is_ok());
            }
        }
    }
}

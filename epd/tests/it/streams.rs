//! Compressed files, books of FENs, and files of any size: every command reads and writes them.
#![expect(clippy::disallowed_methods, reason = "tests write and read archives")]

use std::io::{Read as _, Write as _};
use std::path::Path;

use kit::compress::{self, Compression, Encoder};

use crate::common::{check, ends, fails, holds, place, read, run_fed, run_words, words, write};

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    read(folder, name)
}

/// Writes an archive; every kind of them is tested where it is written, in `kit::compress`.
fn pack(folder: impl AsRef<Path>, name: &str, text: &str) {
    let mut encoder = Encoder::new(Vec::new(), Compression::Zstandard);
    encoder.write_all(text.as_bytes()).expect("memory");
    let bytes = encoder.finish().expect("memory");
    std::fs::write(folder.as_ref().join(name), bytes).expect("written");
}

fn unpack(folder: impl AsRef<Path>, name: &str) -> String {
    let bytes = std::fs::read(folder.as_ref().join(name)).expect("it is there");
    let kind = Compression::of_content(&bytes);
    assert_eq!(kind, Compression::Zstandard, "{name}");
    let mut text = String::new();
    let mut file = compress::decode(&bytes[..]).expect("an archive");
    file.read_to_string(&mut text).expect("a whole archive");
    text
}

/// What each command prints on a plain file, it prints on a compressed one.
#[test]
fn compressed_files_are_read() {
    let place = place();
    let baseline = "{\"schema\": \"touchstone/epd-baseline/2\"}".to_owned();
    for (name, text) in [
        ("small.epd", data("small.epd")),
        ("games.pgn", data("games.pgn")),
        ("base.json", baseline),
    ] {
        write(&place, name, &text);
        pack(&place, &format!("{name}.zst"), &text);
    }
    for command in [
        "lint small.epd --strict",
        "lint small.epd --format json",
        "normalise small.epd",
        "stats small.epd --format json",
        "filter small.epd --has bm",
        "dedupe small.epd",
        "dedupe small.epd small.epd --duplicates keep --unique-ids",
        "from-pgn games.pgn --ply 8",
        "run small.epd --engine none --nodes 1",
        "run tactics --engine cmd=none --nodes 1 --baseline base.json",
    ] {
        let mut packed = command.to_owned();
        for extension in [".epd", ".pgn", ".json"] {
            packed = packed.replace(extension, &format!("{extension}.zst"));
        }
        // The time that a run took is left out.
        let shown = |command: &str| {
            let shown = run_words(&place, command).replace(".zst", "");
            shown.split("; in ").next().map(str::to_owned)
        };
        assert_eq!(shown(&packed), shown(command), "{command}");
    }
}

/// The content decides when a file is read, the name when it is written.
#[test]
fn compressed_files_are_written() {
    let place = place();
    let small = data("small.epd");
    write(&place, "small.epd", &small);
    let run = |command: &str| ends(&run_words(&place, command), 0, &[]);
    run("dedupe small.epd -o all.epd.zst");
    assert_eq!(unpack(&place, "all.epd.zst"), small);
    // A file that is replaced stays as it was stored, whatever its name is.
    pack(&place, "dirty", "4k3/8/8/8/8/8/8/4K2R w K - bm 0-0\n");
    run("normalise --in-place dirty");
    let clean = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n";
    assert_eq!(unpack(&place, "dirty"), clean);
}

/// Nothing is written of an archive that ends too early, and the error names it.
#[test]
fn damaged_archives_are_rejected() {
    let place = place();
    pack(&place, "cut", &data("small.epd"));
    let path = place.path().join("cut");
    let bytes = std::fs::read(&path).unwrap();
    let cut = &bytes[..bytes.len() - 9];
    std::fs::write(&path, cut).unwrap();
    for command in [
        "lint cut",
        "normalise cut",
        "normalise -i cut",
        "stats cut",
        "filter cut",
        "dedupe cut",
        "from-pgn --ply 1 cut",
    ] {
        let text = run_words(&place, command);
        fails(&text, 2, "error: cannot read cut: the ");
    }
    // Neither a part nor a temporary file.
    assert_eq!(place.path().read_dir().unwrap().count(), 1);
    assert_eq!(std::fs::read(path).unwrap(), cut);
}

const BOOK: &str = "# Openings.\n\
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
                    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n\
                    rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 3 12\n";

#[test]
fn books_of_fens() {
    let place = place();
    write(&place, "book.epd", BOOK);
    let dirty = BOOK.replace("- 3", "-  3") + "4k3/8/8/8/8/8/8/8 w - - 0 1\n" + &BOOK[12..];
    write(&place, "dirty.epd", &dirty);
    for (name, arguments) in [
        ("book_lint", "lint book.epd"),
        ("book_lint_dirty", "lint dirty.epd"),
        ("book_lint_json", "lint book.epd --format json"),
        ("book_normalise", "normalise dirty.epd"),
        ("book_normalise_as_epd", "normalise book.epd --as epd"),
        ("book_dedupe", "dedupe dirty.epd --skip-bad"),
    ] {
        check!(name, run_words(&place, arguments));
    }
    for command in ["normalise", "filter", "dedupe"] {
        let text = run_words(&place, &format!("{command} -q book.epd"));
        holds(&text, &[BOOK]);
    }
    // As a record, the line of a book has operations; as a book, a record keeps its own.
    let record = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 3;\n";
    let text = run_fed(&place, &words("normalise -q - --as fen"), record);
    holds(&text, &[record]);
}

/// Kings and a rook on many squares, legal or not, several times, with different solutions.
fn endings(count: u32) -> String {
    let line = |index: u32| {
        let number = index * 7919 % 3001;
        let square = |number: u32| ((number % 8) as usize, (number / 8 % 8) as usize);
        let (king, rook) = (square(number), square(number / 64));
        let mut board = [['1'; 8]; 8];
        board[7][7] = 'k';
        board[king.1][king.0] = 'K';
        board[rook.1][rook.0] = 'R';
        let ranks = board.map(|rank| rank.iter().collect::<String>());
        let ranks = ranks.join("/").replace("11111111", "8");
        let (mate, id) = (index % 9, index % 500);
        format!("{ranks} w - - dm {mate}; id \"x {id}\"; foo\r\n")
    };
    let lines: Vec<String> = (0..count).map(line).collect();
    format!("# Endings.\n{}", lines.concat())
}

/// Runs a command with as few threads as on a machine of one core, where the system can do that.
fn on_one_core(run: impl FnOnce() -> String + Send) -> String {
    let cores = uci::cpus::cores().unwrap_or_default();
    std::thread::scope(|scope| {
        let pinned = scope.spawn(move || {
            let first = cores.first().and_then(|cpus| cpus.first());
            if let Some(&cpu) = first {
                uci::cpus::pin(&[cpu]).expect("a CPU of this process");
            }
            run()
        });
        pinned.join().expect("it has run")
    })
}

/// Larger than what is read, sorted and written at once; the same for every number of threads.
#[test]
fn large_files_give_the_same_on_every_number_of_threads() {
    let place = place();
    let text = endings(2500);
    write(&place, "big.epd", &text);
    let commands = vec![
        "lint big.epd",
        "lint big.epd --strict",
        "lint big.epd --format csv",
        "lint big.epd --format json",
        "normalise big.epd -o clean",
        "stats big.epd --skip-bad --format json",
        "filter big.epd --skip-bad --is white",
        "dedupe big.epd --skip-bad",
        "dedupe big.epd big.epd --skip-bad --duplicates keep --unique-ids",
        "split big.epd --skip-bad --by side --shuffle -o {}.epd",
    ];
    for command in testkit::some(commands, 3) {
        let several = run_words(&place, command);
        let one = on_one_core(|| run_words(&place, command));
        assert!(several == one, "{command} differs on several threads");
        assert!(one.len() > 100, "{command}: {one}");
    }
}

//! Endgame tables are looked at before they are opened. The tables here are none: they only look
//! so from outside, and are never asked.

use std::path::PathBuf;

use tablebase::{TableFiles, Tablebase};

/// The first bytes of a table of results and of one of distances.
const WDL: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// A new folder with these files, each of its start and zeros up to its length.
#[expect(clippy::disallowed_methods, reason = "tables are files")]
fn folder(name: &str, files: &[(&str, [u8; 4], usize)]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        std::fs::remove_dir_all(&path).expect("a folder of an earlier run");
    }
    std::fs::create_dir_all(&path).expect("a folder");
    for &(file, start, length) in files {
        let mut bytes = start.to_vec();
        bytes.resize(length, 0);
        std::fs::write(path.join(file), bytes).expect("a file");
    }
    path
}

fn error_text(path: &str) -> String {
    TableFiles::find(path)
        .expect_err("no tables can be used")
        .to_string()
}

#[test]
fn folders_without_tables_are_errors() {
    let other = [
        ("KQvK.txt", WDL, 80),
        ("KvKQ.rtbw", WDL, 80),
        ("x.rtbw", WDL, 80),
    ];
    let empty = folder("no-table", &other);
    let empty = empty.display();
    assert_eq!(
        error_text(&empty.to_string()),
        format!("no endgame table (*.rtbw, *.rtbz) in {empty}")
    );
    let missing = error_text("/nowhere/tables");
    let expected = "cannot read the folder of endgame tables /nowhere/tables: ";
    assert!(missing.starts_with(expected), "{missing}");
    for nowhere in ["", ":", "::"] {
        assert_eq!(error_text(nowhere), "no folder of endgame tables was named");
    }
}

#[test]
fn names_that_the_library_cannot_take_are_errors() {
    let odd = folder("a:b", &[("KQvK.rtbw", WDL, 80)]);
    let error = TableFiles::in_folders([odd.as_path()]).expect_err("a colon");
    assert_eq!(
        error.to_string(),
        format!(
            "the folder of endgame tables {} must be text without ':'",
            odd.display()
        )
    );
}

#[test]
fn invalid_tables_are_named() {
    for (name, file) in [
        ("wrong-start", ("KQvK.rtbw", DTZ, 80)),
        ("wrong-end", ("KQvK.rtbw", WDL, 81)),
        ("too-short", ("KQvK.rtbz", DTZ, 0)),
    ] {
        let path = folder(name, &[file]);
        let expected = format!(
            "{} is not a complete endgame table",
            path.join(file.0).display()
        );
        assert_eq!(error_text(&path.display().to_string()), expected);
    }
}

#[test]
fn incomplete_tables_are_rejected() {
    let path = folder(
        "incomplete",
        &[("KRvKP.rtbw", WDL, 80), ("KRvK.rtbz", DTZ, 80)],
    );
    let path = path.display().to_string();
    assert_eq!(
        error_text(&path),
        format!(
            "the endgame tables in {path} cannot be used without those of fewer pieces that their \
             captures lead to"
        )
    );
}

#[test]
fn there_is_one_tablebase_at_a_time() {
    let three = folder("three", &[("KQvK.rtbw", WDL, 80), ("KRvK.rtbw", WDL, 144)]);
    let four = folder("four", &[("KQvKR.rtbw", WDL, 80)]);
    let (three, four) = (three.display().to_string(), four.display().to_string());
    let first = Tablebase::open(&three).expect("tables, as far as can be seen");
    assert_eq!((first.max_pieces(), first.tables()), (3, 2));
    let second = Tablebase::open(&three).expect_err("one at a time");
    assert_eq!(second.to_string(), "endgame tables are open already");
    drop(first);
    let both = Tablebase::open(&format!("{four}::{three}:")).expect("the first is closed");
    assert_eq!((both.max_pieces(), both.tables()), (4, 3));
}

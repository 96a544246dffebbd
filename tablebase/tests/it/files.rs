//! Endgame tables are checked when they are opened, and again when they are first used. The tables
//! here only look like tables from outside.

use std::path::PathBuf;

use tablebase::Tablebase;

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
    Tablebase::open(path)
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
    let separators = std::env::join_paths(["", "", ""]).expect("no separator within");
    for nowhere in ["", separators.to_str().expect("ASCII")] {
        assert_eq!(error_text(nowhere), "no folder of endgame tables was named");
    }
    let distances = folder("distances", &[("KRvK.rtbz", DTZ, 80)]);
    let distances = distances.display();
    assert_eq!(
        error_text(&distances.to_string()),
        format!("no endgame table with results (*.rtbw) in {distances}")
    );
}

#[test]
fn invalid_tables_are_named() {
    for (name, file, reason) in [
        (
            "wrong-start",
            ("KQvK.rtbw", DTZ, 80),
            "its magic number is wrong",
        ),
        (
            "wrong-end",
            ("KQvK.rtbw", WDL, 81),
            "its length is not that of a table",
        ),
        (
            "too-short",
            ("KQvK.rtbz", DTZ, 0),
            "its length is not that of a table",
        ),
    ] {
        let path = folder(name, &[file]);
        let file = path.join(file.0);
        let expected = format!("the endgame table {} is damaged: {reason}", file.display());
        assert_eq!(error_text(&path.display().to_string()), expected);
    }
}

#[test]
fn a_damaged_table_is_treated_as_missing() {
    let path = folder("zeros", &[("KQvK.rtbw", WDL, 80), ("KRvK.rtbw", WDL, 80)]);
    let tables = Tablebase::in_folders([path.as_path()]).expect("tables, seen from outside");
    assert_eq!(tables.errors().count(), 0, "nothing was read yet");
    let position = "8/8/8/2k5/8/3Q4/3K4/8 w - - 0 1".parse().expect("legal");
    for _ in 0..2 {
        assert_eq!(tables.probe_wdl(&position), None);
        assert_eq!(tables.probe_root(&position), None);
        let errors: Vec<String> = tables.errors().map(ToString::to_string).collect();
        let file = path.join("KQvK.rtbw");
        let expected = format!(
            "the endgame table {} is damaged: its header is invalid",
            file.display()
        );
        assert_eq!(errors, [expected]);
    }
}

#[test]
fn several_tablebases_are_open_at_a_time() {
    // A folder given by itself may have the separator in its name.
    let name = if cfg!(windows) { "a;b" } else { "a:b" };
    let three = folder(name, &[("KQvK.rtbw", WDL, 80), ("KRvK.rtbw", WDL, 144)]);
    let four = folder("four", &[("KQvKR.rtbw", WDL, 80), ("KRvKP.rtbz", DTZ, 80)]);
    let first = Tablebase::in_folders([three.as_path()]).expect("tables, seen from outside");
    let second = Tablebase::in_folders([four.as_path(), three.as_path()]).expect("the same");
    let folders = std::env::join_paths(["", four.to_str().expect("ASCII"), ""]);
    let folders = folders.expect("no separator within");
    let third = Tablebase::open(folders.to_str().expect("ASCII")).expect("the same");
    let counts = [first, second, third].map(|tables| (tables.max_pieces(), tables.tables()));
    assert_eq!(counts, [(3, 2), (4, 3), (4, 1)]);
}

//! Suites in the form of perftcheck.
#![expect(clippy::disallowed_methods, reason = "files are written")]

use std::fs;

use crate::common::{engine, run_in, snapshot, without_folder};

const PERFTCHECK: &str = r#"{"fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "d1": 20, "d2": 400, "d3": 0, "tags": ["start"], "divide_d1": {"e2e4": 1}}
{"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "d1": 15, "d2": 66, "source_urls": ["https://example.org"]}
"#;

#[test]
fn suites_of_perftcheck() {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("good.jsonl", PERFTCHECK);
    write("wrong.jsonl", &PERFTCHECK.replace("66", "67"));
    write(
        "broken.jsonl",
        &PERFTCHECK.replace("\"d1\": 15", "\"d1\": 15.5"),
    );
    write("fen.jsonl", &PERFTCHECK.replace("K2R w K", "K2P w K"));
    let mut text = String::new();
    for name in ["good", "wrong", "broken", "fen"] {
        let arguments = ["check", &format!("{name}.jsonl")];
        text += &[
            "$ perft check ",
            name,
            "\n",
            &run_in(folder.path(), &arguments),
        ]
        .concat();
    }
    let engine = engine("");
    let arguments = ["check", "good.jsonl", "--engine", &engine];
    text += "$ perft check good.jsonl --engine\n";
    text += &without_folder(&run_in(folder.path(), &arguments));
    snapshot!("perftcheck", text);
}

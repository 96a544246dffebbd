//! Engines made of a few lines of shell.
#![allow(dead_code, reason = "every file of tests uses a part of it")]
#![expect(clippy::disallowed_methods, reason = "programs are written")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Writes a program of the shell into a folder; it is run as `./NAME`.
pub(crate) fn script(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}")).expect("the folder can be written to");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("the file is ours");
}

/// A UCI engine that answers `eval` by running `eval`, a piece of shell, with the FEN in `$fen`.
pub(crate) fn evaluator(folder: &Path, name: &str, eval: &str) {
    let text = format!(
        r#"
while read -r line; do
  case "$line" in
    uci) echo "id name Shell"; echo uciok ;;
    isready) echo readyok ;;
    "position fen "*) fen=${{line#position fen }} ;;
    eval) {eval} ;;
    "go depth 1") echo "info depth 1 score cp 7"; echo "bestmove 0000" ;;
    quit) exit 0 ;;
  esac
done
"#
    );
    script(folder, name, &text);
}

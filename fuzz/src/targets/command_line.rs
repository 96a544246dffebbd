//! Command lines of engines.

use uci::CommandLine;

use super::corpus;
use crate::target::{Checked, Target, refused, same, text};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "command-line",
    corpus: corpus!("command_line.txt"),
    words: &[
        "./engine", "--flag", "\"", "'", "\\", "\\ ", "#", "$HOME", "a b", "''",
    ],
    check,
}];

fn check(bytes: &[u8]) -> Result<Checked, String> {
    match text(bytes).parse::<CommandLine>() {
        Ok(line) => {
            let written = line.to_string();
            // A NUL can be written in no shell.
            if !written.contains('\0') {
                same("read again", &written.parse(), &Ok(line))?;
            }
            Ok(Checked::Read)
        }
        Err(error) => refused(&error),
    }
}

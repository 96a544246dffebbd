//! The program as its users see it: standard output, standard error and exit code.

use std::path::Path;

use crate::common::commands;

/// Exit code, standard output and standard error of a run in the folder of test data.
fn selfplay(arguments: &[&str]) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    crate::common::selfplay(&data, arguments).to_text()
}

#[test]
fn commands_print_what_they_did() {
    for (name, arguments) in commands(include_str!("../data/commands.txt")) {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        insta::assert_snapshot!(name, selfplay(&arguments));
    }
}

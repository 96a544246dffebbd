//! The README: its commands are run, its other blocks name what there is, and it is short.
#![expect(
    clippy::disallowed_methods,
    reason = "stand-ins for engines are written"
)]

use std::path::Path;

use testkit::{console, programs};
use xtask::dist::PROGRAMS;

use crate::docs::prose;
use crate::{root, text, version};

/// A page that is read before anything is tried has to end soon.
const MOST_WORDS: usize = 900;

/// A block of code: its language, and its text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                blocks.push((language, String::new()));
            }
        } else if is_open {
            let (_, block) = blocks.last_mut().expect("one was begun");
            *block += line;
            block.push('\n');
        }
    }
    blocks
}

#[cfg(unix)]
#[test]
fn its_commands_print_what_it_says() {
    use std::os::unix::fs::PermissionsExt;

    for program in ["perft", "selfplay", "epd", "touchstone"] {
        programs::built(program);
    }
    let folder = tempfile::tempdir().expect("a folder");
    for engine in ["my-engine", "my-engine-old"] {
        let file = folder.path().join(engine);
        std::fs::write(&file, "#!/bin/sh\nexec touchstone\n").expect("a file");
        let mode = PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&file, mode).expect("a program");
    }
    let page = text(&root().join("README.md"));
    console::check("README.md", &page, 5, folder.path());
}

#[test]
fn its_other_blocks_name_what_there_is() {
    let page = text(&root().join("README.md"));
    let in_chess = text(&root().join("chess/README.md"));
    let mut counts = [0; 3];
    for (language, block) in blocks(&page) {
        match language {
            "console" => {}
            "sh" => {
                for line in block.lines().filter(|line| !line.is_empty()) {
                    check_install(line);
                    counts[0] += 1;
                }
            }
            "yaml" => {
                check_step(&block);
                counts[1] += 1;
            }
            // The examples of the library's own README are run as tests of its documentation.
            "rust" => {
                assert!(in_chess.contains(&block), "chess/README.md has no\n{block}");
                counts[2] += 1;
            }
            other => panic!("nothing checks blocks of '{other}'"),
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

/// A line such as `cargo install --locked --path perft   # why`: the folder is a package with a program.
fn check_install(line: &str) {
    let command = line.split(" #").next().unwrap_or_default().trim();
    let folder = command.strip_prefix("cargo install --locked --path ");
    let folder = folder.unwrap_or_else(|| panic!("'{command}' is not an installation"));
    let manifest = root().join(folder).join("Cargo.toml");
    let package = format!("name = \"touchstone-{folder}\"");
    assert!(text(&manifest).contains(&package), "{command}");
    let program = if folder == "engine" {
        "touchstone"
    } else {
        folder
    };
    assert!(
        PROGRAMS.iter().any(|known| known.name == program),
        "{command}"
    );
}

/// A step of a workflow uses our action, of this version, with inputs that it has.
fn check_step(block: &str) {
    let version = version();
    let line = block
        .lines()
        .find_map(|line| line.trim().strip_prefix("- uses: "));
    let (_, used) = line
        .and_then(|line| line.split_once('@'))
        .expect("a version");
    assert_eq!(used, format!("v{version}"), "{block}");
    let action = text(&root().join("action.yml"));
    let given = block
        .split_once("with: {")
        .map(|(_, given)| given)
        .expect("inputs");
    let given = given.split('}').next().unwrap_or_default();
    for input in given.split(',') {
        let (name, value) = input.split_once(':').expect("an input and its value");
        let input = format!("\n  {}:\n", name.trim());
        assert!(action.contains(&input), "action.yml has no input {name}");
        if name.trim() == "command" {
            assert!(
                action.contains(value.trim()),
                "action.yml has no command{value}"
            );
        }
    }
}

#[test]
fn it_is_short() {
    let words = text(&root().join("README.md")).split_whitespace().count();
    assert!(words <= MOST_WORDS, "{words} words");
}

/// Whatever begins with one of our programs names a command that it has.
#[test]
fn its_inline_commands_exist() {
    let page = prose(&text(&root().join("README.md")));
    let mut checked = 0;
    for inline in page.split('`').skip(1).step_by(2) {
        let mut words = inline.split_whitespace();
        let (Some(program), Some(command)) = (words.next(), words.next()) else {
            continue;
        };
        if !["perft", "selfplay", "epd"].contains(&program) || command.starts_with('-') {
            continue;
        }
        let help = console::said(
            Path::new("."),
            &console::path_of_programs(),
            &format!("{program} {command} -h"),
        );
        assert!(help.contains("Usage: "), "`{inline}`: {help}");
        for option in words.filter(|word| word.starts_with("--")) {
            let all = format!("{program} {command} --help");
            let all = console::said(Path::new("."), &console::path_of_programs(), &all);
            assert!(
                all.contains(option),
                "`{inline}`: {program} {command} has no {option}"
            );
        }
        checked += 1;
    }
    assert!(checked >= 5, "{checked} commands were found");
}

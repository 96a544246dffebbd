//! `docs/tutorial.md` and `docs/build-a-generator.md`: their commands are run, in order, and print what the pages show; so
//! does the picture of the README.
#![expect(clippy::disallowed_methods, reason = "a file is written")]

use regex::Regex;
use testkit::console::{check, path_of_programs, pattern, said};

/// All but the last part, in which an engine in Python counts `quick` twice.
#[test]
fn the_tutorial_is_true() {
    let page = include_str!("../../../docs/tutorial.md");
    let (page, _) = page.split_once("\n## 7.").expect("a part in Python");
    let folder = tempfile::tempdir().expect("a folder");
    check("docs/tutorial.md", page, 10, folder.path());
}

#[test]
#[ignore = "long: the tutorial with its engine in Python"]
fn the_whole_tutorial_is_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let in_python = include_str!("../../../docs/examples/sixty_lines.py");
    std::fs::write(folder.path().join("sixty_lines.py"), in_python).expect("a file");
    let page = include_str!("../../../docs/tutorial.md");
    check("docs/tutorial.md", page, 10, folder.path());
}

/// The generator is written as the page says, evening by evening.
#[test]
#[ignore = "long: a generator in Python, written in eight evenings"]
fn the_generator_of_the_page_grows_as_the_page_says() {
    const PARSED: &str = "position = parse(words[2:6])\n";
    let page = include_str!("../../../docs/build-a-generator.md");
    let folder = tempfile::tempdir().expect("a folder");
    let [program, rules] = ["uci.py", "gen.py"].map(|name| folder.path().join(name));
    let (mut in_program, mut in_rules) = (String::new(), String::new());
    let evenings: Vec<&str> = page.split("\n## Evening ").skip(1).collect();
    assert_eq!(evenings.len(), 8);
    for evening in evenings {
        for block in evening.split("```python\n").skip(1) {
            let (block, _) = block.split_once("```").expect("a block ends");
            if block.starts_with("#!") {
                block.clone_into(&mut in_program);
            } else if block.starts_with(' ') {
                // An indented block goes where its text says.
                in_program = in_program.replace(PARSED, &format!("{PARSED}{block}"));
            } else {
                in_rules.extend(["\n", block]);
            }
        }
        std::fs::write(&program, &in_program).expect("a file");
        std::fs::write(&rules, &in_rules).expect("a file");
        check("docs/build-a-generator.md", evening, 1, folder.path());
    }
}

/// `perft check ... | cargo run -p touchstone-xtask -- picture 'perft check ...'` draws it anew.
#[test]
fn the_picture_of_the_readme_is_true() {
    let picture = include_str!("../../../docs/pictures/hunt.svg");
    let (_, text) = picture.split_once("<text").expect("a text");
    let tags = Regex::new("^[^>]*>|<[^>]*>").expect("a pattern");
    let text = tags.replace_all(text, "").replace("&#39;", "'");
    // Each line is indented in the file, and ends with one that is empty.
    let lines: Vec<&str> = text.lines().skip(1).step_by(2).collect();
    let (command, output) = lines.split_first().expect("a command");
    let command = command.trim_start().strip_prefix("$ ").expect("a prompt");
    let output = output.iter().map(|line| line.get(4..).unwrap_or_default());
    let times = Regex::new(r"[0-9.]+ s$").expect("a pattern");
    let output: Vec<_> = output.map(|line| times.replace(line, "… s")).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let engine = "printf '#!/bin/sh\nexec scripted_engine --bug lists/ep-kings-rank/*\n' >my-engine; chmod +x my-engine";
    let command = format!("{engine}\n{command}");
    let said = said(folder.path(), &path_of_programs(), &command);
    let shown = output.join("\n");
    let shown = shown.trim_end().to_owned() + "\n";
    assert!(
        shown.contains("FAULT") && pattern(&shown).is_match(&said),
        "{shown}\n---\n{said}"
    );
}

//! Tables of lines and their translations, and of lists of options from the manuals.

use std::collections::BTreeSet;

use clap::{Args as _, Subcommand as _};

use super::line::{translate, translate_option};
use super::options::OPTIONS;
use super::plan::{ForeignMachine, SETTINGS, Translation, split_settings};
use super::{Program, engines};

/// What cutechess-cli keeps of engines.
const CONFIGURED: &str = include_str!("tests/engines.json");

/// A run of fastchess after three games.
const SAVED: &str = include_str!("tests/saved.json");

fn machine() -> ForeignMachine {
    ForeignMachine {
        cpus: 8,
        engines: Some(CONFIGURED.to_owned()),
        is_file: |_| false,
        read: |path| {
            match path.to_str() {
            Some("run.json") => Ok(SAVED.to_owned()),
            // Three rounds of three engines.
            Some("three.json") => Ok(SAVED
                .replace(
                    r#"{"name": "B", "#,
                    r#"{"name": "C", "cmd": "./c", "dir": "", "args": "", "restart": false, "options": [],
                        "limit": {"tc": {"time": 0, "increment": 0, "fixed_time": 250, "moves": 0, "timemargin": 0},
                            "nodes": 7, "plies": 0}},
                       {"name": "B", "#,
                )
                .replace(r#""draws": 2"#, r#""draws": 17"#)),
            Some("test.json") => Ok(SAVED.replace(r#"false, "elo0""#, r#"true, "elo0""#)),
            Some("empty.json") => Ok("{}".to_owned()),
            _ => Err("No such file".to_owned()),
        }
        },
    }
}

const FASTCHESS: Program = Program::Fastchess;
const CUTECHESS: Program = Program::Cutechess;

fn words(line: &str) -> Vec<String> {
    uci::split_words(line).expect("closed quotation marks")
}

fn translated(program: Program, line: &str) -> Translation {
    let found = translate(program, &words(line), machine());
    let found = found.unwrap_or_else(|error| panic!("{line}: {error}"));
    for note in &found.notes {
        check_names(note, line);
    }
    found
}

fn definition() -> clap::Command {
    let definition = kit::cli::Common::augment_args(clap::Command::new("selfplay"));
    crate::cli::Command::augment_subcommands(definition)
}

fn add_options(command: &clap::Command, options: &mut BTreeSet<String>) {
    let names = command.get_arguments().filter_map(clap::Arg::get_long);
    options.extend(names.map(|name| format!("--{name}")));
    for command in command.get_subcommands() {
        add_options(command, options);
    }
}

/// The commands and options of ours that a text names exist, and so do the keys of our file. It may repeat
/// the words of a line.
#[track_caller]
fn check_names(text: &str, line: &str) {
    let definition = definition();
    let mut options = BTreeSet::new();
    add_options(&definition, &mut options);
    options.extend(line.split_whitespace().map(str::to_owned));
    // Options of the other programs may begin with two dashes as well.
    options.extend(OPTIONS.iter().map(|row| row.name.to_owned()));
    let is_separator = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let words = text.split(is_separator);
    for word in words.filter(|word| word.starts_with("--") && !word.ends_with('-')) {
        assert!(options.contains(word), "{word} is unknown: {text}");
    }
    for (place, name) in text.match_indices("selfplay ") {
        let (before, rest) = (&text[..place], &text[place + name.len()..]);
        if !(before.is_empty() || before.ends_with('`') || before.ends_with(", ")) {
            continue;
        }
        let command = rest.split(is_separator).next().unwrap_or_default();
        let is_known = command.is_empty() || definition.find_subcommand(command).is_some();
        assert!(is_known, "'selfplay {command}' is unknown: {text}");
    }
    if let Some((keys, _)) = text.split_once(" in the file of --config") {
        for key in keys.split('`').skip(1).step_by(2) {
            let is_known = SETTINGS.iter().any(|(_, known)| *known == key);
            assert!(is_known, "the key {key} is unknown: {text}");
        }
    }
}

#[test]
fn what_stands_for_an_option_exists() {
    for row in OPTIONS {
        check_names(row.ours, "");
    }
}

/// The rows of a part of a file: a line, and what stands indented below it.
fn rows(file: &'static str, part: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let head = format!("\n== {part}\n");
    let (_, rows) = file.split_once(&head).expect("a part of the file");
    let rows = rows.split("\n== ").next().expect("the first");
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    let is_row = |row: &&str| !row.is_empty() && !row.starts_with('#');
    for row in rows.lines().filter(is_row) {
        match (row.strip_prefix("    "), all.last_mut()) {
            (Some(expected), Some((_, below))) => below.push(expected),
            _ => all.push((row, Vec::new())),
        }
    }
    all
}

/// Fails unless these lines, behind a beginning, become what is expected, behind another one.
fn check(program: Program, part: &str, [begin, ours]: [&str; 2]) {
    for (line, expected) in rows(include_str!("tests/translated.txt"), part) {
        let found = translated(program, &(begin.to_owned() + line));
        assert_eq!(
            found.words,
            words(&(ours.to_owned() + &expected.concat())),
            "{line}"
        );
        accept(found.words);
    }
}

/// The words are a command line of ours, and a file.
#[track_caller]
fn accept(words: Vec<String>) {
    let (words, settings) = split_settings(words);
    crate::config::parse(&settings, "settings").expect("a configuration");
    // These are answered in place of a run.
    if matches!(
        words.last().map(String::as_str),
        Some("--version" | "--help")
    ) {
        return;
    }
    let definition = definition();
    let line = std::iter::once("selfplay").chain(words.iter().map(|word| &**word));
    if let Err(error) = definition.try_get_matches_from(line) {
        panic!("{words:?}: {error}");
    }
}

#[test]
fn lines_are_translated() {
    check(FASTCHESS, "fastchess", [""; 2]);
    check(CUTECHESS, "cutechess", [""; 2]);
    let begin = "-engine cmd=a -engine cmd=b -each tc=1 ";
    let ours = "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings none ";
    check(FASTCHESS, "options of fastchess", [begin, ours]);
    let ours = "match 'cmd=a' 'cmd=b' --each 'tc=1' --games 1 --rounds 1 --openings none ";
    check(CUTECHESS, "options of cutechess", [begin, ours]);
    if cfg!(unix) {
        check(FASTCHESS, "fastchess with directories", [""; 2]);
        check(CUTECHESS, "cutechess with directories", [""; 2]);
    }
}

#[test]
fn a_book_of_the_engines_is_followed_otherwise() {
    let line = "-engine cmd=a -engine cmd=b -each tc=1 book=p.bin -recover -maxmoves 90";
    let notes = translated(CUTECHESS, line).notes;
    let begins = |start: &str| notes.iter().any(|note| note.starts_with(start));
    assert!(begins("book=: cutechess-cli's engines draw"), "{notes:?}");
    assert!(begins("-maxmoves: cutechess-cli counts"), "{notes:?}");
}

const TWO: &str = "-engine cmd=a -engine cmd=b -each tc=1 -recover";

#[test]
fn what_has_no_counterpart_is_noted() {
    for (program, part) in [(FASTCHESS, "fastchess"), (CUTECHESS, "cutechess")] {
        for (line, expected) in rows(include_str!("tests/noted.txt"), part) {
            let mut notes = translated(program, &format!("{TWO} {line}")).notes;
            let mut missing = expected;
            missing.retain(|text| {
                let place = notes.iter().position(|note| note.starts_with(text));
                place.map(|place| notes.remove(place)).is_none()
            });
            assert!(
                missing.is_empty() && notes.is_empty(),
                "{line}: {missing:?} {notes:?}"
            );
        }
        if part == "fastchess" {
            let notes = translated(program, &format!("{TWO} -config file=three.json")).notes;
            let left = "-config: the 18 games of the file do not count here; 7 rounds are left";
            assert!(notes.iter().any(|note| note == left), "{notes:?}");
        }
        let without = TWO.replace(" -recover", "");
        let notes = translated(program, &without).notes;
        assert!(notes[0].starts_with("without -recover, "), "{notes:?}");
    }
}

#[test]
fn lines_that_are_rejected_are_explained() {
    for (program, part) in [(FASTCHESS, "fastchess"), (CUTECHESS, "cutechess")] {
        for (line, expected) in rows(include_str!("tests/rejected.txt"), part) {
            match translate(program, &words(line), machine()) {
                Ok(found) => panic!("{line}: {:?}", found.words),
                Err(error) => {
                    assert_eq!([&*error], *expected, "{line}");
                    check_names(&error, line);
                }
            }
        }
    }
    let without = ForeignMachine {
        engines: None,
        ..machine()
    };
    let error = translate(CUTECHESS, &words("-engine conf=Fruit"), without).expect_err("no file");
    assert!(
        error.starts_with("there is no engines.json, expected it in "),
        "{error}"
    );
}

/// The options that the manual of fastchess describes, and those of its keys.
const MANUAL_OF_FASTCHESS: &str = "-version -help -quick -concurrency -force-concurrency -rounds -games -repeat \
    -sprt -tournament -seeds -variant -noswap -reverse -wait -each -engine -draw -resign -maxmoves -tb -tbpieces \
    -tbignore50 -tbadjudicate -openings -srand -output -pgnout -epdout -event -site -ratinginterval \
    -scoreinterval -report -config -recover -autosaveinterval --compliance -crc32 -check-mate-pvs -show-latency \
    -testEnv -strict -log -use-affinity -startup-ms -ucinewgame-ms -ping-ms";
const ENGINES_OF_FASTCHESS: &str =
    "cmd name args tc timemargin st nodes restart plies depth proto dir option.NAME";
/// What its parser accepts besides, and an option of older versions.
const MORE_OF_FASTCHESS: &str = "--version -v --v --help -debug -randomseed";

/// The options that the manual of cutechess-cli describes, and those of its keys.
const MANUAL_OF_CUTECHESS: &str = "-engine -each -variant -concurrency -draw -resign -maxmoves -tb -tbpieces \
    -tbignore50 -tournament -event -games -rounds -sprt -ratinginterval -outcomeinterval -debug -openings \
    -bookmode -pgnout -epdout -recover -repeat -noswap -reverse -seeds -site -srand -wait -resultformat -version \
    -help -engines";
const ENGINES_OF_CUTECHESS: &str = "conf name cmd dir stderr proto tc option.NAME arg initstr restart trust st \
    timemargin book bookdepth whitepov ponder depth nodes tscale debug";
const MORE_OF_CUTECHESS: &str = "--version -v --help --engines";

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    names
}

fn listed<'a>(names: &[&'a str]) -> Vec<&'a str> {
    sorted(names.iter().flat_map(|names| names.split_whitespace()))
}

#[test]
fn every_option_of_the_manuals_is_in_a_table() {
    let names = |program| {
        let rows = OPTIONS.iter().filter(|row| row.is_of(program));
        sorted(rows.map(|row| row.name))
    };
    let expected = listed(&[MANUAL_OF_FASTCHESS, MORE_OF_FASTCHESS]);
    assert_eq!(names(FASTCHESS), expected);
    let keys = sorted(engines::FASTCHESS.iter().copied());
    assert_eq!(keys, listed(&[ENGINES_OF_FASTCHESS]));
    let expected = listed(&[MANUAL_OF_CUTECHESS, MORE_OF_CUTECHESS]);
    assert_eq!(names(CUTECHESS), expected);
    let keys = sorted(engines::CUTECHESS.iter().copied());
    assert_eq!(keys, listed(&[ENGINES_OF_CUTECHESS]));
}

/// The page compares both programs option by option.
#[test]
fn every_option_is_documented() {
    let page = include_str!("../../../../docs/from-fastchess.md");
    for line in page.lines() {
        check_names(line, "");
    }
    let (_, tables) = page.split_once("\n## fastchess").expect("a part");
    let (fast, cute) = tables
        .split_once("\n## cutechess-cli")
        .expect("another part");
    let (cute, _) = cute.split_once("\n### Games").expect("a section");
    // What is between backticks in the first cell of each row, up to its value.
    let documented = |part: &'static str| -> Vec<&'static str> {
        let rows = part.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.filter_map(|row| row.split(" | ").next());
        let texts = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        sorted(texts.filter_map(|text| text.split([' ', '=']).next()))
    };
    let expected = [MANUAL_OF_FASTCHESS, MORE_OF_FASTCHESS, ENGINES_OF_FASTCHESS];
    assert_eq!(documented(fast), listed(&expected));
    let expected = [MANUAL_OF_CUTECHESS, MORE_OF_CUTECHESS, ENGINES_OF_CUTECHESS];
    assert_eq!(documented(cute), listed(&expected));
}

#[test]
fn settings_may_begin_with_a_hyphen() {
    let found = split_settings(words("--site -5 --no-swap --event E"));
    let settings = "site = \"-5\"\nno-swap = true\n".to_owned();
    assert_eq!(found, (words("--event E"), settings));
}

#[test]
fn one_option_alone_has_a_counterpart() {
    for (line, expected) in rows(include_str!("tests/translated.txt"), "single options") {
        let found = translate_option(FASTCHESS, &words(line), machine());
        assert_eq!(found, expected.first().map(|line| words(line)), "{line}");
    }
    let found = translate_option(CUTECHESS, &words("-each st=1 ponder"), machine());
    assert_eq!(
        found,
        Some(words("--each 'movetime=1s ponder=on margin=0ms'"))
    );
}

//! The right spelling for what users of other programs type, and for words that lack quotation
//! marks. Pure, except for the number of CPUs.

use super::foreign;
use crate::config::EngineDraft;

/// A command line that cannot be right, and what to write instead. `definition` is that of the
/// program; everything else is left to its parser.
pub(super) fn find(words: &[String], definition: &clap::Command) -> Option<String> {
    let first = words.first()?;
    if !first.starts_with("--") && is_foreign(first) && foreign::option_here(words).is_some() {
        return Some(format!(
            "'{first}' is an option of fastchess or cutechess-cli: expected a command of selfplay \
             first; {WHOLE_LINES}"
        ));
    }
    let (command, rest) = split(words)?;
    let command = definition.find_subcommand(command)?;
    if command.get_name() != "match" {
        return None;
    }
    let is_known = |name: &str| {
        let is_of_all = ["help", "version", "quiet", "verbose", "color"].contains(&name);
        is_of_all
            || command
                .get_arguments()
                .any(|known| known.get_long() == Some(name))
    };
    let mut begin = 0;
    while begin < rest.len() {
        let word = &rest[begin];
        if word == "--" {
            break;
        }
        let len = rest[begin + 1..]
            .iter()
            .position(|next| foreign::is_option(next));
        let end = len.map_or(rest.len(), |len| begin + 1 + len);
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (&**word, None),
        };
        let values: Vec<String> = value
            .into_iter()
            .chain(rest[begin + 1..end].to_vec())
            .collect();
        let is_own = match name.strip_prefix("--") {
            Some(name) => is_known(name),
            None => !is_foreign(name),
        };
        let hint = if is_own {
            own_option(name, &values)
        } else {
            foreign_option(name, &values).or_else(|| setting_of_engine(name, &values, rest))
        };
        if hint.is_some() {
            return hint;
        }
        begin = end;
    }
    None
}

/// The command line that was meant: commands of engines without the command of ours, or with one engine
/// only.
pub(super) fn instead(words: &[String], definition: &clap::Command) -> Option<String> {
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let is_program = |word: &str| kit::cli::is_program(word, definition);
    let mut line = vec!["selfplay"];
    match &*words {
        [one] if is_program(one) => line.extend(["compliance", one]),
        [one, ..] if is_program(one) => {
            line.push("match");
            line.extend(&words);
        }
        [command @ ("match" | "sprt"), one] if !one.starts_with('-') => {
            line.extend([command, one, "./base"]);
        }
        [command @ ("match" | "sprt")] => line.extend([command, "./new", "./base"]),
        ["compliance"] => line.extend(["compliance", "./my-engine"]),
        ["compliance", "--engine", engine] => line.extend(["compliance", engine]),
        ["match" | "sprt" | "tournament" | "tune", ..] => {
            // The option by which engines were named before.
            let is_old = |word: &&str| *word == "--engine";
            line.extend(words.iter().filter(|word| !is_old(word)));
            if words[0] == "tune" {
                line.extend((words.len() == 1).then_some("./my-engine"));
                line.extend(missing_of_tune(&words));
            }
            if line.len() == words.len() + 1 {
                return None;
            }
        }
        _ => return None,
    }
    Some(uci::join_words(line))
}

/// What a tuning needs and a line lacks: its limit, and an option to tune, whose name and range only the
/// user knows. Nothing if the line has options in which they may be, or which may be wrong.
fn missing_of_tune(words: &[&str]) -> Vec<&'static str> {
    const LIMITS: [&str; 4] = ["--tc", "--nodes", "--depth", "--movetime"];
    let options = words.iter().filter(|word| word.starts_with('-'));
    let options: Vec<&str> = options
        .map(|word| word.split('=').next().unwrap_or(word))
        .collect();
    let has_limit = options.iter().any(|option| LIMITS.contains(option));
    let has_parameter = options.contains(&"--param");
    let is_simple =
        |option: &&str| LIMITS.contains(option) || ["--engine", "--param"].contains(option);
    let mut missing = Vec::new();
    if options.iter().all(is_simple) {
        if !has_limit {
            missing.extend(["--tc", "5+0.05"]);
        }
        if !has_parameter {
            missing.extend(["--param", "name=NAME,start=50,min=0,max=100,c=5"]);
        }
    }
    missing
}

/// Whether a word begins with a dash.
pub(super) fn is_option(word: &std::ffi::OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

/// Options of one letter are ours, and so is the first letter of `-help`.
fn is_foreign(word: &str) -> bool {
    word.starts_with('-') && word.len() > 2 && word != "-help"
}

const WHOLE_LINES: &str = "`selfplay fastchess ...` and `selfplay cutechess ...` run whole lines of \
                           those programs";

/// The command, and what follows it.
fn split(words: &[String]) -> Option<(&str, &[String])> {
    let mut index = 0;
    while let Some(word) = words.get(index) {
        match &**word {
            "--color" => index += 2,
            _ if word.starts_with('-') => index += 1,
            _ => return Some((word, &words[index + 1..])),
        }
    }
    None
}

/// `-rounds 100`, or `--sprt elo0=0 elo1=5`.
fn foreign_option(word: &str, values: &[String]) -> Option<String> {
    // Engines were named so before; the parser rejects it, and the line is completed.
    if word == "--engine" {
        return None;
    }
    let name = format!("-{}", word.trim_start_matches('-'));
    let mut words = vec![name];
    words.extend_from_slice(values);
    let (program, ours, here) = foreign::option_here(&words)?;
    let here = here.unwrap_or_else(|| ours.to_owned());
    Some(format!(
        "'{word}' is an option of {program}, in selfplay: {here}; {WHOLE_LINES}"
    ))
}

/// `--send-stop=on`, which is `send-stop=on` among the words of an engine: of the last that was typed.
fn setting_of_engine(word: &str, values: &[String], rest: &[String]) -> Option<String> {
    let key = word.strip_prefix("--")?;
    if !EngineDraft::has_key(key) {
        return None;
    }
    let engines = rest.iter().take_while(|word| !word.starts_with('-'));
    let typed = engines
        .last()
        .and_then(|text| EngineDraft::from_argument(text).ok());
    let typed = typed.and_then(|engine| engine.argument);
    let typed = typed.unwrap_or_else(|| "cmd=PROGRAM".to_owned());
    let value = values.first().map_or("VALUE", |value| value);
    let setting = foreign::quoted(&format!("{key}={value}"));
    Some(format!(
        "'{word}' is a setting of an engine: write it with the command as one argument, {}, or for all engines \
         --each {}",
        uci::quote_word(&format!("{typed} {setting}")),
        uci::quote_word(&setting),
    ))
}

/// Values that lack quotation marks, and those of other programs.
fn own_option(word: &str, values: &[String]) -> Option<String> {
    let first = values.first()?;
    match word {
        "--sprt" if first.contains('=') => foreign_option(word, values),
        "--resign" | "--draw"
            if ["movecount=", "movenumber=", "twosided="]
                .iter()
                .any(|key| first.starts_with(key)) =>
        {
            foreign_option(word, values)
        }
        "--each" | "--resign" | "--draw" | "--pgn"
            if values.len() > 1 && values[1..].iter().all(|value| value.contains('=')) =>
        {
            let second = &values[1];
            let words: Vec<String> = values.iter().map(|value| foreign::quoted(value)).collect();
            Some(format!(
                "'{second}' stands alone: expected the words of {word} between quotation marks, as \
                 one: {word} {}",
                uci::quote_word(&words.join(" "))
            ))
        }
        "--openings"
            if ["file=", "format=", "order="]
                .iter()
                .any(|key| first.starts_with(key)) =>
        {
            foreign_option(word, values)
        }
        "--concurrency" | "-j" if first.parse::<i64>().is_err() => {
            let cpus = std::thread::available_parallelism().map_or(1, usize::from);
            Some(format!(
                "'{first}' is no number of games at once, expected 1 or more, such as {word} \
                 {cpus} on this machine, with its {cpus} CPUs"
            ))
        }
        _ => None,
    }
}

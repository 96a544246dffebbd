//! What a foreign line asks for, and the words that ask for it here.

use std::path::{Path, PathBuf};

use crate::config::book_format;
use crate::model::BookFormat;

/// A translated line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Translation {
    /// Words of our command line, without the name of the program.
    pub(super) words: Vec<String>,
    /// What has no counterpart or another meaning here.
    pub(super) notes: Vec<String>,
}

/// What the translation needs to know of the machine.
#[derive(Clone, Debug)]
pub(super) struct ForeignMachine {
    pub(super) cpus: usize,
    /// The text of cutechess' file of engines.
    pub(super) engines: Option<String>,
    pub(super) is_file: fn(&Path) -> bool,
    /// Reads a file that the line names.
    pub(super) read: fn(&Path) -> Result<String, String>,
}

/// An engine, or the defaults of all, by our keys.
#[derive(Clone, Debug, Default)]
pub(super) struct ForeignEngine {
    pairs: Vec<(String, String)>,
}

impl ForeignEngine {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let mut pairs = self.pairs.iter();
        pairs
            .find(|(known, _)| is_same(known, key))
            .map(|(_, value)| &**value)
    }

    /// Sets a key; the last value counts.
    pub(super) fn set(&mut self, key: &str, value: impl Into<String>) {
        match self.pairs.iter_mut().find(|(known, _)| is_same(known, key)) {
            Some(pair) => *pair = (key.to_owned(), value.into()),
            None => self.add(key, value),
        }
    }

    /// Adds a value to a key that may be repeated.
    pub(super) fn add(&mut self, key: &str, value: impl Into<String>) {
        self.pairs.push((key.to_owned(), value.into()));
    }

    pub(super) fn remove(&mut self, key: &str) {
        self.pairs.retain(|(known, _)| !is_same(known, key));
    }

    /// The program in its directory, without needless dots, if both are given.
    pub(super) fn program_in_directory(&self) -> Option<PathBuf> {
        let path = Path::new(self.get("dir")?).join(self.get("cmd")?);
        Some(path.components().collect())
    }

    fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// One word with all keys, quoted for a shell inside.
    fn to_word(&self) -> String {
        key_values(self.pairs.iter().map(|(key, value)| (&**key, &**value)))
    }
}

/// Keys are the same as in our words; UCI ignores case in names of options.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.starts_with("option.") && one.eq_ignore_ascii_case(other)
}

/// One word of several `key=value`, quoted inside as [`uci::split_words`] reads them.
pub(super) fn key_values<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let pairs = pairs.into_iter();
    let words: Vec<String> = pairs
        .map(|(key, value)| quoted(&format!("{key}={value}")))
        .collect();
    words.join(" ")
}

/// Quotes a word, if necessary, for use inside single quotation marks.
pub(in crate::cli) fn quoted(word: &str) -> String {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\' | '#');
    if !word.is_empty() && !word.contains(is_special) {
        word.to_owned()
    } else if word.contains(['"', '\\']) {
        uci::quote_word(word)
    } else {
        format!("\"{word}\"")
    }
}

/// The pairing system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum System {
    #[default]
    RoundRobin,
    Gauntlet,
    Knockout,
}

/// A book of openings.
#[derive(Clone, Debug, Default)]
pub(super) struct ForeignBook {
    pub(super) file: String,
    pub(super) format: Option<&'static str>,
    pub(super) is_random: bool,
    /// Number of the first opening, from 1.
    pub(super) start: u64,
    pub(super) plies: Option<u64>,
}

impl ForeignBook {
    /// The format that its name shows.
    pub(super) fn format_by_name(&self) -> Option<&'static str> {
        match book_format(Path::new(&self.file)) {
            Some(BookFormat::Epd) => Some("epd"),
            Some(BookFormat::Pgn) => Some("pgn"),
            Some(BookFormat::Polyglot) | None => None,
        }
    }

    /// Whether its openings may have moves.
    pub(super) fn has_moves(&self) -> bool {
        self.format.or(self.format_by_name()) == Some("pgn")
    }

    /// Finds out the format; drops what has no meaning for it, and what the name of the file says.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        let by_name = self.format_by_name();
        let Some(format) = self.format.or(by_name) else {
            let file = &self.file;
            return Err(format!(
                "-openings file={file}: the format is not known, expected format=epd or format=pgn"
            ));
        };
        if format == "epd" {
            self.plies = None;
        }
        self.format = (by_name != Some(format)).then_some(format);
        Ok(())
    }
}

/// How many games are played: as many as `rounds` for each pairing, or pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameCount {
    pub(super) rounds: u64,
    /// One game of each opening instead of two.
    pub(super) are_single: bool,
}

/// Everything that a line asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct ForeignPlan {
    pub(super) engines: Vec<ForeignEngine>,
    pub(super) each: ForeignEngine,
    pub(super) system: System,
    pub(super) seeds: Option<u64>,
    /// Options of a sequential test.
    pub(super) sprt: Option<Vec<(&'static str, String)>>,
    pub(super) games: Option<GameCount>,
    pub(super) book: Option<ForeignBook>,
    /// A Polyglot book, with the number of plies to take from it.
    pub(super) polyglot: Option<(String, Option<u64>)>,
    /// Whether to ask for the start position.
    has_no_book: bool,
    pub(super) is_chess960: bool,
    pub(super) tables: Vec<String>,
    /// Options that only make sense with tables.
    table_options: Vec<(&'static str, Option<String>)>,
    /// All others.
    options: Vec<(&'static str, Option<String>)>,
    pub(super) notes: Vec<String>,
}

impl ForeignPlan {
    pub(super) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Gives an option of ours a value; the last one counts.
    pub(super) fn option(&mut self, name: &'static str, value: impl Into<String>) {
        put(&mut self.options, name, Some(value.into()));
    }

    pub(super) fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|(known, _)| *known == name)
    }

    pub(super) fn switch(&mut self, name: &'static str) {
        put(&mut self.options, name, None);
    }

    /// Removes an option: its value says that there is nothing to do.
    pub(super) fn without(&mut self, name: &'static str) {
        self.options.retain(|(known, _)| *known != name);
    }

    pub(super) fn table_option(&mut self, name: &'static str, value: Option<String>) {
        put(&mut self.table_options, name, value);
    }

    /// Sets the folders of tables, which are separated as in `PATH`, or by semicolons.
    pub(super) fn set_tables(&mut self, text: &str) {
        let is_separator = |c| c == ';' || c == ':' && cfg!(not(windows));
        let folders = text.split(is_separator).filter(|folder| !folder.is_empty());
        self.tables = folders.map(str::to_owned).collect();
    }

    /// Moves what `-each` has set, and no engine otherwise, to the defaults of all engines.
    pub(super) fn share(&mut self, each: &ForeignEngine) {
        for (key, _) in &each.pairs {
            let Some(value) = self.engines.first().and_then(|engine| engine.get(key)) else {
                continue;
            };
            let value = value.to_owned();
            let is_shared = |engine: &ForeignEngine| engine.get(key) == Some(&*value);
            // Lines to send at the start may be several.
            if key != "startup" && self.engines.iter().all(is_shared) {
                for engine in &mut self.engines {
                    engine.remove(key);
                }
                self.each.set(key, value);
            }
        }
    }

    /// The translation of a whole line.
    pub(super) fn finish(mut self) -> Result<Translation, String> {
        let count = self.engines.len();
        if count < 2 {
            return Err(format!(
                "the line has {count} -engine, expected two or more"
            ));
        }
        self.make_names_unique();
        let is_match = count == 2 && self.system != System::Knockout;
        if self.sprt.is_some() && !is_match {
            return Err(format!(
                "-sprt with {count} engines: expected two, in a match"
            ));
        }
        if !self.table_options.is_empty() && self.tables.is_empty() {
            self.table_options.clear();
            self.note("options of tablebases have no effect without -tb");
        }
        self.has_no_book = self.book.is_none() && self.polyglot.is_none();
        let mut words = vec![match (is_match, &self.sprt) {
            (true, Some(_)) => "sprt",
            _ => "match",
        }];
        let own = self.own_words(is_match);
        words.extend(own.iter().map(|word| &**word));
        Ok(Translation {
            words: words.into_iter().map(str::to_owned).collect(),
            notes: self.notes,
        })
    }

    /// Names must differ here; fastchess numbers those that do not in the same way.
    fn make_names_unique(&mut self) {
        for index in 1..self.engines.len() {
            let Some(name) = self.engines[index].get("name").map(str::to_owned) else {
                continue;
            };
            let is_taken = |engine: &ForeignEngine| engine.get("name") == Some(&name);
            let before = self.engines[..index].iter().filter(|one| is_taken(one));
            let before = before.count();
            if before > 0 {
                let unique = format!("{name}_{}", before + 1);
                self.note(format!(
                    "several engines are named '{name}': one is called '{unique}' here"
                ));
                self.engines[index].set("name", unique);
            }
        }
    }

    /// The words of what was given, without the command.
    pub(super) fn own_words(&self, is_match: bool) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            words.push(name.to_owned());
            words.extend(value);
        };
        for engine in &self.engines {
            add(&engine.to_word(), None);
        }
        if !self.each.is_empty() {
            add("--each", Some(self.each.to_word()));
        }
        if !is_match {
            match self.system {
                System::RoundRobin => {}
                System::Gauntlet => add("--system", Some("gauntlet".to_owned())),
                System::Knockout => add("--system", Some("knockout".to_owned())),
            }
            let is_knockout = self.system == System::Knockout;
            if let Some(seeds) = self.seeds.filter(|&seeds| seeds > 1 || is_knockout) {
                add("--seeds", Some(seeds.to_string()));
            }
        }
        for (name, value) in self.sprt.iter().flatten() {
            add(name, Some(value.clone()));
        }
        if let Some(games) = self.games {
            if games.are_single {
                add("--games", Some("1".to_owned()));
            }
            add("--rounds", Some(games.rounds.to_string()));
        }
        if self.has_no_book {
            add("--openings", Some("none".to_owned()));
        }
        if let Some(book) = &self.book {
            add("--openings", Some(book.file.clone()));
            if let Some(format) = book.format {
                add("--book-format", Some(format.to_owned()));
            }
            let order = if book.is_random {
                "random"
            } else {
                "sequential"
            };
            add("--order", Some(order.to_owned()));
            if book.start > 1 {
                add("--start", Some((book.start - 1).to_string()));
            }
            if let Some(plies) = book.plies {
                add("--plies", Some(plies.to_string()));
            }
        }
        if let Some((file, plies)) = &self.polyglot {
            add("--openings", Some(file.clone()));
            if let Some(plies) = plies {
                add("--plies", Some(plies.to_string()));
            }
        }
        if self.is_chess960 {
            add("--variant", Some("chess960".to_owned()));
        }
        for folder in &self.tables {
            add("--tablebases", Some(folder.clone()));
        }
        for (name, value) in self.table_options.iter().chain(&self.options) {
            add(name, value.clone());
        }
        words
    }
}

/// Options of the translation that are settings of a file for us, by their keys.
pub(super) const SETTINGS: [(&str, &str); 20] = [
    ("--seeds", "seeds"),
    ("--epd-output", "epd-output"),
    ("--log", "log"),
    ("--plies", "openings.plies"),
    ("--no-swap", "no-swap"),
    ("--reverse", "reverse"),
    ("--wait", "wait"),
    ("--site", "site"),
    ("--check-mate-pvs", "check-mate-pvs"),
    ("--epd-append", "epd-append"),
    ("--epd-overwrite", "epd-overwrite"),
    ("--repeat", "openings.repeat"),
    ("--startup-timeout", "timeouts.startup"),
    ("--new-game-timeout", "timeouts.new-game"),
    ("--ready-timeout", "timeouts.ready"),
    ("--book-format", "openings.format"),
    ("--start", "openings.start"),
    ("--tablebase-pieces", "adjudication.tablebase-pieces"),
    (
        "--tablebase-adjudicate",
        "adjudication.tablebase-adjudicate",
    ),
    (
        "--tablebase-ignore-fifty",
        "adjudication.tablebase-ignore-fifty",
    ),
];

/// Takes the settings out of the words of a translation: the words of our command line, and the text of
/// a file for `--config`, a line for each.
pub(super) fn split_settings(words: Vec<String>) -> (Vec<String>, String) {
    let (mut own, mut settings) = (Vec::new(), String::new());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let Some((name, key)) = SETTINGS.iter().find(|(name, _)| *name == word) else {
            own.push(word);
            continue;
        };
        let is_switch = matches!(
            *name,
            "--no-swap"
                | "--reverse"
                | "--check-mate-pvs"
                | "--epd-append"
                | "--epd-overwrite"
                | "--tablebase-ignore-fifty"
        );
        // A text may begin with a hyphen.
        let value = match words.next_if(|_| !is_switch) {
            None => "true".to_owned(),
            Some(count)
                if matches!(
                    *name,
                    "--seeds" | "--plies" | "--repeat" | "--start" | "--tablebase-pieces"
                ) =>
            {
                count
            }
            Some(text) => toml::Value::String(text).to_string(),
        };
        settings.extend([*key, " = ", &value, "\n"]);
    }
    (own, settings)
}

fn put(
    options: &mut Vec<(&'static str, Option<String>)>,
    name: &'static str,
    value: Option<String>,
) {
    match options.iter_mut().find(|(known, _)| *known == name) {
        Some(place) => place.1 = value,
        None => options.push((name, value)),
    }
}

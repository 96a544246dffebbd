//! One engine as typed: everything may be missing.

use std::path::PathBuf;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::value::{Clock, OnOff, RestartWord, Seconds, ValueError, Words, pairs};

/// Prefix of `cmd` for an engine that is built from a revision of its source.
pub const REVISION: &str = "rev:";

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineDraft {
    /// The program, or `rev:` and a revision of its source.
    pub cmd: Option<String>,
    pub args: Option<Words>,
    pub dir: Option<PathBuf>,
    pub name: Option<String>,
    /// Variables added to its environment.
    #[serde(deserialize_with = "pairs")]
    pub env: Vec<(String, String)>,
    #[serde(deserialize_with = "options")]
    pub option: Vec<(String, String)>,
    pub tc: Option<Clock>,
    pub st: Option<Seconds>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Time margin: milliseconds by which the clock may be exceeded.
    pub timemargin: Option<u64>,
    /// Maximum time for one move.
    #[serde(rename = "move-timeout")]
    pub move_timeout: Option<Seconds>,
    /// Whether `stop` is sent once `info` passes `nodes` or `depth`.
    #[serde(rename = "send-stop")]
    pub send_stop: Option<OnOff>,
    /// Whether it ponders on the opponent's time.
    pub ponder: Option<OnOff>,
    pub restart: Option<RestartWord>,
    /// Lines that are sent before `uci`.
    pub startup: Vec<String>,
    /// Its side in a match, if it was given as one; names the engine if its program's name is
    /// taken.
    #[serde(skip)]
    pub side: Option<Side>,
    /// The commit of its revision, once resolved.
    #[serde(skip)]
    pub commit: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    New,
    /// The engine that it is compared with.
    Base,
}

impl Side {
    /// Name of the side, as on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Base => "base",
        }
    }
}

/// All keys, for error messages.
const KEYS: &str = "cmd, args, dir, name, env.NAME, option.NAME, tc, st, nodes, depth, timemargin, \
                    move-timeout, send-stop, ponder, restart or startup";

/// A text that does not describe an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineTextError {
    /// A fault in the description of an engine with a name.
    #[error("engine '{name}': {source}")]
    Named { name: String, source: WordsError },
    /// A fault in the description of an engine without a name.
    #[error("engine '{text}': {source}")]
    Nameless { text: String, source: WordsError },
}

impl EngineDraft {
    /// Sets the value of a key. A repeated key is an error, except `startup`, which adds a line
    /// each time.
    fn set(&mut self, key: &str, value: &str) -> Result<(), ValueError> {
        match key {
            "cmd" => once(&mut self.cmd, value.to_owned()),
            "args" => once(&mut self.args, value.parse()?),
            "dir" => once(&mut self.dir, value.into()),
            "name" => once(&mut self.name, value.to_owned()),
            "tc" => once(&mut self.tc, value.parse()?),
            "st" => once(&mut self.st, value.parse()?),
            "nodes" => once(&mut self.nodes, number(value)?),
            "depth" => once(&mut self.depth, number(value)?),
            "timemargin" => once(&mut self.timemargin, number(value)?),
            "move-timeout" => once(&mut self.move_timeout, value.parse()?),
            "send-stop" => once(&mut self.send_stop, value.parse()?),
            "ponder" => once(&mut self.ponder, value.parse()?),
            "restart" => once(&mut self.restart, value.parse()?),
            "startup" => {
                self.startup.push(value.to_owned());
                Ok(())
            }
            _ => match key.split_once('.') {
                Some(("option", name)) if !name.is_empty() => {
                    add(&mut self.option, name, value, is_same_option)
                }
                Some(("env", name)) if !name.is_empty() => {
                    add(&mut self.env, name, value, is_same_variable)
                }
                _ => Err(unknown(KEYS)),
            },
        }
    }

    /// Overrides `lower`: its values are used only where this draft has none.
    pub fn over(self, lower: Self) -> Self {
        Self {
            cmd: self.cmd.or(lower.cmd),
            args: self.args.or(lower.args),
            dir: self.dir.or(lower.dir),
            name: self.name.or(lower.name),
            env: merge(lower.env, self.env, is_same_variable),
            option: merge(lower.option, self.option, is_same_option),
            tc: self.tc.or(lower.tc),
            st: self.st.or(lower.st),
            nodes: self.nodes.or(lower.nodes),
            depth: self.depth.or(lower.depth),
            timemargin: self.timemargin.or(lower.timemargin),
            move_timeout: self.move_timeout.or(lower.move_timeout),
            send_stop: self.send_stop.or(lower.send_stop),
            ponder: self.ponder.or(lower.ponder),
            restart: self.restart.or(lower.restart),
            startup: if self.startup.is_empty() {
                lower.startup
            } else {
                self.startup
            },
            side: self.side.or(lower.side),
            commit: self.commit.or(lower.commit),
        }
    }

    /// The name of the engine in a file that this one overrides.
    pub(super) fn known_as(&self) -> Option<&str> {
        self.name.as_deref().or(self.side.map(Side::as_str))
    }

    /// Parses a command by the rules of a shell: a program and its arguments or, if the first word
    /// is `KEY=VALUE` with a known key, a full description of an engine.
    ///
    /// # Errors
    ///
    /// When it is neither, or is ambiguous: a known key after a plain command is rejected.
    pub fn from_command(text: &str) -> Result<Self, EngineTextError> {
        let nameless = |source| EngineTextError::Nameless {
            text: text.to_owned(),
            source,
        };
        let words = shlex::split(text).ok_or_else(|| nameless(WordsError::Unclosed))?;
        let is_engine = words.first().is_some_and(|word| has_key(word));
        if is_engine {
            return text.parse();
        }
        if let Some(first) = words.iter().position(|word| has_key(word)) {
            let key = words[first].clone();
            let expected = in_full(&words, first);
            return Err(nameless(WordsError::KeyBehindCommand { key, expected }));
        }
        let mut words = words.into_iter();
        let cmd = words.next();
        let args: Vec<String> = words.collect();
        Ok(Self {
            cmd,
            args: (!args.is_empty()).then_some(Words(args)),
            ..Self::default()
        })
    }
}

impl FromStr for EngineDraft {
    type Err = EngineTextError;

    fn from_str(text: &str) -> Result<Self, EngineTextError> {
        let mut engine = Self::default();
        let read = for_each(text, |key, value| engine.set(key, value));
        match read {
            Ok(()) => Ok(engine),
            Err(source) => Err(match engine.name.or(engine.cmd) {
                Some(name) => EngineTextError::Named { name, source },
                None => EngineTextError::Nameless {
                    text: text.to_owned(),
                    source,
                },
            }),
        }
    }
}

/// Whether a word begins with one of the known keys.
fn has_key(word: &str) -> bool {
    let Some((key, value)) = word.split_once('=') else {
        return false;
    };
    let unknown = unknown(KEYS);
    EngineDraft::default().set(key, value) != Err(unknown)
}

/// Rewrites a command followed by keys as a full description, for the error message.
fn in_full(words: &[String], first_key: usize) -> String {
    let (command, keys) = words.split_at(first_key);
    let mut all = vec![quoted(&format!("cmd={}", command[0]))];
    if command.len() > 1 {
        let arguments: Vec<String> = command[1..].iter().map(|one| quoted(one)).collect();
        all.push(quoted(&format!("args={}", arguments.join(" "))));
    }
    all.extend(keys.iter().map(|one| quoted(one)));
    all.join(" ")
}

/// Quotes a word if necessary, for use inside the quotation marks of the shell.
fn quoted(word: &str) -> String {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\' | '#');
    if !word.contains(is_special) {
        return word.to_owned();
    }
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

fn once<T>(place: &mut Option<T>, value: T) -> Result<(), ValueError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(ValueError("it is given twice".to_owned())),
    }
}

/// Options in a file: TOML treats names as different that are the same in UCI.
fn options<'de, D>(deserializer: D) -> Result<Vec<(String, String)>, D::Error>
where
    D: Deserializer<'de>,
{
    let mut options = Vec::new();
    for (name, value) in pairs(deserializer)? {
        add(&mut options, &name, &value, is_same_option)
            .map_err(|error| D::Error::custom(format_args!("option.{name}: {error}")))?;
    }
    Ok(options)
}

/// Option names are case-insensitive (UCI).
fn is_same_option(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

fn is_same_variable(one: &str, other: &str) -> bool {
    one == other
}

fn add(
    pairs: &mut Vec<(String, String)>,
    name: &str,
    value: &str,
    is_same: impl Fn(&str, &str) -> bool,
) -> Result<(), ValueError> {
    if pairs.iter().any(|(found, _)| is_same(found, name)) {
        return Err(ValueError("it is given twice".to_owned()));
    }
    pairs.push((name.to_owned(), value.to_owned()));
    Ok(())
}

/// The pairs of `lower` in order, with the values of `upper` where it has the name; then the
/// remaining pairs of `upper`.
fn merge(
    lower: Vec<(String, String)>,
    upper: Vec<(String, String)>,
    is_same: impl Fn(&str, &str) -> bool,
) -> Vec<(String, String)> {
    let mut all = lower;
    for (name, value) in upper {
        match all.iter_mut().find(|(found, _)| is_same(found, &name)) {
            Some(place) => *place = (name, value),
            None => all.push((name, value)),
        }
    }
    all
}

// Texts of `key=value` words, as used by command-line options. Pure.

/// A text that is not a list of `key=value` words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// An unclosed quotation mark, or a backslash at the end.
    #[error("a quotation mark is not closed, or a backslash ends the text")]
    Unclosed,
    #[error("'{word}' is no key=value")]
    NoValue { word: String },
    /// A known key after a plain command, which would be passed to the engine as an argument.
    #[error("'{key}' stands behind a plain command: write {expected}, or put it into args=")]
    KeyBehindCommand {
        key: String,
        /// The full description to write instead.
        expected: String,
    },
    /// An invalid value or an unknown key.
    #[error("{key}: {source}")]
    Value { key: String, source: ValueError },
}

/// Splits a text as a shell does, and passes each key with its value to `set`.
pub(super) fn for_each(
    text: &str,
    mut set: impl FnMut(&str, &str) -> Result<(), ValueError>,
) -> Result<(), WordsError> {
    for word in shlex::split(text).ok_or(WordsError::Unclosed)? {
        let Some((key, value)) = word.split_once('=') else {
            return Err(WordsError::NoValue { word });
        };
        set(key, value).map_err(|source| WordsError::Value {
            key: key.to_owned(),
            source,
        })?;
    }
    Ok(())
}

pub(super) fn unknown(expected: &str) -> ValueError {
    ValueError(format!("there is no such key, expected {expected}"))
}

pub fn number<T: std::str::FromStr>(text: &str) -> Result<T, ValueError> {
    text.parse().map_err(|_| {
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        ValueError(if is_whole {
            format!("'{text}' is too large")
        } else {
            format!("'{text}' is no whole number, expected digits only, such as 1000")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn all_keys_are_read() {
        let text = "cmd='./my engine' name=New args='-a \"b c\"' dir=/x env.A=1 option.Hash=16 \
                    'option.Clear Hash=' tc=10+0.1 st=0.5 nodes=5 depth=6 timemargin=7 \
                    move-timeout=90 send-stop=on ponder=on restart=on \
                    startup=one startup='two three'";
        let engine: EngineDraft = text.parse().expect("an engine");
        assert_eq!(engine.cmd.as_deref(), Some("./my engine"));
        assert_eq!(engine.args, Some(Words(vec!["-a".into(), "b c".into()])));
        assert_eq!(engine.option, [pair("Hash", "16"), pair("Clear Hash", "")]);
        assert_eq!(engine.env, [pair("A", "1")]);
        assert_eq!(engine.st, Some(Seconds { ms: 500 }));
        assert_eq!(
            (engine.nodes, engine.depth, engine.timemargin),
            (Some(5), Some(6), Some(7))
        );
        assert_eq!(engine.move_timeout, Some(Seconds { ms: 90_000 }));
        assert_eq!(engine.send_stop, Some(OnOff(true)));
        assert_eq!(engine.startup, ["one", "two three"]);
    }

    #[test]
    fn errors_name_engine_and_key() {
        let rows = [
            ("name=A tc=x", "engine 'A': tc: "),
            (
                "cmd=b nodes=-1",
                "engine 'b': nodes: '-1' is no whole number, expected digits only, such as 1000",
            ),
            ("name=A name=B", "engine 'B': name: it is given twice"),
            (
                "name=A option.Hash=1 option.Hash=2",
                "engine 'A': option.Hash: it is given twice",
            ),
            (
                "name=A option.Hash=1 option.hash=2",
                "engine 'A': option.hash: it is given twice",
            ),
            (
                "name=A hash=1",
                "engine 'A': hash: there is no such key, expected cmd, args, dir",
            ),
            ("name=A word", "engine 'A': 'word' is no key=value"),
            (
                "name='A",
                "engine 'name='A': a quotation mark is not closed",
            ),
        ];
        for (text, expected) in rows {
            let found = text.parse::<EngineDraft>().expect_err(text).to_string();
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn a_command_is_a_program_with_arguments_or_an_engine() {
        let engine = EngineDraft::from_command("./a --b='c d'").expect("a command");
        assert_eq!(engine.cmd.as_deref(), Some("./a"));
        assert_eq!(engine.args, Some(Words(vec!["--b=c d".into()])));
        let engine = EngineDraft::from_command("cmd=./a name=b").expect("an engine");
        assert_eq!(
            (engine.cmd.as_deref(), engine.name.as_deref()),
            (Some("./a"), Some("b"))
        );
        assert!(EngineDraft::from_command("tc=x").is_err());
    }

    #[test]
    fn a_key_behind_a_command_is_refused_with_what_to_write() {
        for text in ["a option.Hash=64", "a -b 'c d' nodes=5 'option.X=y z'"] {
            let found = EngineDraft::from_command(text).expect_err(text).to_string();
            let (_, advice) = found.split_once(": write ").expect("advice");
            let (advice, _) = advice.rsplit_once(", or").expect("another way");
            let engine: EngineDraft = advice.parse().expect("an engine");
            assert_eq!(engine.cmd.as_deref(), Some("a"));
            assert_eq!(engine.option.len(), 1);
            let args = (engine.nodes == Some(5)).then(|| Words(vec!["-b".into(), "c d".into()]));
            assert_eq!(engine.args, args, "{found}");
        }
        let engine = EngineDraft::from_command("a --nodes=5 file=x").expect("a command");
        let args = Words(vec!["--nodes=5".into(), "file=x".into()]);
        assert_eq!(engine.args, Some(args));
    }

    #[test]
    fn the_upper_covers_the_lower() {
        let upper: EngineDraft = "cmd=a option.hash=1 option.New=2".parse().expect("one");
        let lower: EngineDraft = "cmd=b nodes=3 option.Hash=4 option.Threads=5"
            .parse()
            .expect("one");
        let both = upper.over(lower);
        assert_eq!((both.cmd.as_deref(), both.nodes), (Some("a"), Some(3)));
        assert_eq!(
            both.option,
            [pair("hash", "1"), pair("Threads", "5"), pair("New", "2")]
        );
    }
}

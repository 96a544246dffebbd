//! One engine as typed: everything may be missing.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use uci::EngineSpecError;
use uci::engine_spec::{EngineText, as_key_values, split};

use super::value::{
    ClockSetting, Margin, MoveTime, OnOff, ProtocolWord, RestartWord, Time, WordList, number,
    pairs, unknown_key,
};

/// Prefix of `cmd` for an engine that is built from a revision of its source.
pub const REVISION: &str = "rev:";

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct EngineDraft {
    /// The program, or `rev:` and a revision of its source.
    pub cmd: Option<String>,
    /// The protocol that it speaks.
    pub proto: Option<ProtocolWord>,
    pub args: Option<WordList>,
    pub dir: Option<PathBuf>,
    pub name: Option<String>,
    #[serde(deserialize_with = "pairs")]
    pub env: Vec<(String, String)>,
    #[serde(deserialize_with = "options")]
    pub option: Vec<(String, String)>,
    pub tc: Option<ClockSetting>,
    pub movetime: Option<MoveTime>,
    /// The time per move in seconds, as older files have it.
    pub st: Option<Spanned<Time>>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// How far a clock or `movetime` may be exceeded.
    pub margin: Option<Margin>,
    /// The margin in milliseconds, as older files have it.
    pub timemargin: Option<Spanned<u64>>,
    /// Maximum time for one move.
    pub move_timeout: Option<Time>,
    /// Whether `stop` is sent once `info` passes `nodes` or `depth`.
    pub send_stop: Option<OnOff>,
    /// Whether it ponders on the opponent's time.
    pub ponder: Option<OnOff>,
    pub restart: Option<RestartWord>,
    /// Lines that are sent before `uci`.
    pub startup: Vec<String>,
    /// Its side in a match, if it was given as one; names the engine if its program's name is
    /// taken.
    #[serde(skip)]
    pub side: Option<EngineSide>,
    /// The commit of its revision, once resolved.
    #[serde(skip)]
    pub commit: Option<String>,
    /// The argument that it was given by, as `KEY=VALUE` words.
    #[serde(skip)]
    pub argument: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineSide {
    New,
    Base,
}

impl EngineSide {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Base => "base",
        }
    }
}

const KEYS: [&str; 17] = [
    "cmd",
    "args",
    "dir",
    "name",
    "proto",
    "env.NAME",
    "option.NAME",
    "tc",
    "movetime",
    "nodes",
    "depth",
    "margin",
    "move-timeout",
    "send-stop",
    "ponder",
    "restart",
    "startup",
];
/// Older names of keys, in their own units.
const OLD_KEYS: [&str; 2] = ["st", "timemargin"];

fn is_key(key: &str) -> bool {
    let is_named = |prefix| {
        key.strip_prefix(prefix)
            .is_some_and(|name: &str| !name.is_empty())
    };
    is_named("env.") || is_named("option.") || KEYS.contains(&key) || OLD_KEYS.contains(&key)
}

impl EngineDraft {
    /// Sets the value of a key. A repeated key is an error, except `startup`, which adds a line
    /// each time.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "cmd" => once(&mut self.cmd, value.to_owned()),
            "proto" => once(&mut self.proto, value.parse()?),
            "args" => once(&mut self.args, value.parse()?),
            "dir" => once(&mut self.dir, value.into()),
            "name" => once(&mut self.name, value.to_owned()),
            "tc" => once(&mut self.tc, value.parse()?),
            "movetime" => once(&mut self.movetime, value.parse()?),
            // Seconds in the programs that it comes from.
            "st" => {
                let Time { ms } = value.parse()?;
                once(&mut self.movetime, MoveTime { ms })
            }
            "nodes" => once(&mut self.nodes, number(value)?),
            "depth" => once(&mut self.depth, number(value)?),
            "margin" => once(&mut self.margin, value.parse()?),
            "timemargin" => {
                let ms = number(value)?;
                once(&mut self.margin, Margin { ms })
            }
            "move-timeout" => once(&mut self.move_timeout, value.parse()?),
            "send-stop" => once(&mut self.send_stop, value.parse()?),
            "ponder" => once(&mut self.ponder, value.parse()?),
            "restart" => once(&mut self.restart, value.parse()?),
            "startup" => {
                self.startup.push(value.to_owned());
                Ok(())
            }
            _ => match key.split_once('.') {
                Some(("option", name)) if is_key(key) => {
                    add(&mut self.option, name, value, is_same_option)
                }
                Some(("env", name)) if is_key(key) => {
                    add(&mut self.env, name, value, is_same_variable)
                }
                _ => Err(unknown_key(&KEYS.join(", "))),
            },
        }
    }

    /// Overrides `lower`: its values are used only where this draft has none.
    pub fn over(self, lower: Self) -> Self {
        Self {
            // Both spellings are one value: kept apart, `margin` of a lower draft would hide
            // `timemargin` here.
            margin: self.margin().or(lower.margin()),
            movetime: self.movetime().or(lower.movetime()),
            timemargin: None,
            st: None,
            cmd: self.cmd.or(lower.cmd),
            proto: self.proto.or(lower.proto),
            args: self.args.or(lower.args),
            dir: self.dir.or(lower.dir),
            name: self.name.or(lower.name),
            env: merge(lower.env, self.env, is_same_variable),
            option: merge(lower.option, self.option, is_same_option),
            tc: self.tc.or(lower.tc),
            nodes: self.nodes.or(lower.nodes),
            depth: self.depth.or(lower.depth),
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
            argument: self.argument.or(lower.argument),
        }
    }

    /// Whether a word such as `send-stop` is a setting of an engine, by its present name.
    pub fn has_key(word: &str) -> bool {
        is_key(word) && !OLD_KEYS.contains(&word)
    }

    fn margin(&self) -> Option<Margin> {
        let old = self.timemargin.as_ref().map(|ms| *ms.get_ref());
        self.margin.or(old.map(|ms| Margin { ms }))
    }

    pub(super) fn movetime(&self) -> Option<MoveTime> {
        let old = self.st.as_ref().map(|time| time.get_ref().ms);
        self.movetime.or(old.map(|ms| MoveTime { ms }))
    }

    /// The place in the file and the reason, if a value is given under its older name as well.
    pub(super) fn twice(&self) -> Option<(usize, &'static str)> {
        let margin = self.timemargin.as_ref().filter(|_| self.margin.is_some());
        let movetime = self.st.as_ref().filter(|_| self.movetime.is_some());
        margin
            .map(|old| {
                (
                    old.span().start,
                    "margin and timemargin, expected one of them",
                )
            })
            .or(movetime.map(|old| (old.span().start, "movetime and st, expected one of them")))
    }

    /// The name of the engine in a file that this one overrides.
    pub(super) fn known_as(&self) -> Option<&str> {
        self.name.as_deref().or(self.side.map(EngineSide::as_str))
    }

    /// Parses the value of an option: the path of a file, a command by the rules of a shell or, if
    /// its first word is `KEY=VALUE` with a known key, a full description of an engine.
    pub fn from_argument(text: &str) -> Result<Self, EngineSpecError> {
        // A path comes first: as a command, one with blanks would be split into words.
        if Path::new(text).is_file() {
            return Ok(Self {
                cmd: Some(text.to_owned()),
                argument: Some(as_key_values(&[text.to_owned()])),
                ..Self::default()
            });
        }
        match split(text, is_key)? {
            EngineText::Command(words) => {
                let argument = Some(as_key_values(&words));
                let mut words = words.into_iter();
                let cmd = words.next();
                let args: Vec<String> = words.collect();
                Ok(Self {
                    cmd,
                    args: (!args.is_empty()).then_some(WordList(args)),
                    argument,
                    ..Self::default()
                })
            }
            EngineText::Words(pairs) => Ok(Self {
                argument: Some(text.to_owned()),
                ..Self::of_words(text, &pairs)?
            }),
        }
    }

    fn of_words(text: &str, pairs: &[(String, String)]) -> Result<Self, EngineSpecError> {
        let mut engine = Self::default();
        for (key, value) in pairs {
            engine.set(key, value).map_err(|problem| EngineSpecError {
                engine: engine
                    .name
                    .as_ref()
                    .or(engine.cmd.as_ref())
                    .map_or_else(|| text.to_owned(), Clone::clone),
                problem: format!("{key}: {problem}"),
            })?;
        }
        Ok(engine)
    }
}

impl FromStr for EngineDraft {
    type Err = EngineSpecError;

    /// Parses `KEY=VALUE` words only.
    fn from_str(text: &str) -> Result<Self, EngineSpecError> {
        match split(text, |_| true)? {
            EngineText::Words(pairs) => Self::of_words(text, &pairs),
            EngineText::Command(words) => Err(EngineSpecError {
                engine: text.to_owned(),
                problem: format!("expected key=value instead of '{}'", words[0]),
            }),
        }
    }
}

fn once<T>(place: &mut Option<T>, value: T) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err("given twice".to_owned()),
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

/// Option names are case-insensitive (UCI), and may have an equals sign: of two values with one, that
/// before the last is compared with the name.
fn is_same_option(one: (&str, &str), other: (&str, &str)) -> bool {
    let is_same_text = match (one.1.rsplit_once('='), other.1.rsplit_once('=')) {
        (Some((one, _)), Some((other, _))) => one.eq_ignore_ascii_case(other),
        _ => true,
    };
    is_same_text && one.0.eq_ignore_ascii_case(other.0)
}

fn is_same_variable(one: (&str, &str), other: (&str, &str)) -> bool {
    one.0 == other.0
}

fn add(
    pairs: &mut Vec<(String, String)>,
    name: &str,
    value: &str,
    is_same: impl Fn((&str, &str), (&str, &str)) -> bool,
) -> Result<(), String> {
    let is_known = |(found, old): &(String, String)| is_same((found, old), (name, value));
    // Of two values, nobody knows which one was meant.
    if pairs.iter().any(is_known) {
        return Err("given twice".to_owned());
    }
    pairs.push((name.to_owned(), value.to_owned()));
    Ok(())
}

/// The pairs of `lower` in order, with the values of `upper` where it has the name; then the
/// remaining pairs of `upper`.
fn merge(
    lower: Vec<(String, String)>,
    upper: Vec<(String, String)>,
    is_same: impl Fn((&str, &str), (&str, &str)) -> bool,
) -> Vec<(String, String)> {
    let mut all = lower;
    for (name, value) in upper {
        let is_known =
            |(found, old): &&mut (String, String)| is_same((found, old), (&name, &value));
        match all.iter_mut().find(is_known) {
            // An option keeps its place, since options are set in this order.
            Some(place) => *place = (name, value),
            None => all.push((name, value)),
        }
    }
    all
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
                    'option.Clear Hash=' tc=10+0.1 movetime=500ms nodes=5 depth=6 margin=7ms \
                    move-timeout=90s send-stop=on ponder=on restart=on startup=one startup='two three'";
        let engine: EngineDraft = text.parse().expect("an engine");
        assert_eq!(engine.cmd.as_deref(), Some("./my engine"));
        assert_eq!(engine.args, Some(WordList(vec!["-a".into(), "b c".into()])));
        assert_eq!(engine.option, [pair("Hash", "16"), pair("Clear Hash", "")]);
        assert_eq!(engine.env, [pair("A", "1")]);
        assert_eq!((engine.nodes, engine.depth), (Some(5), Some(6)));
        let times = [
            engine.movetime.map(|time| time.ms),
            engine.move_timeout.map(|time| time.ms),
        ];
        assert_eq!(times, [Some(500), Some(90_000)]);
        assert_eq!(engine.margin, Some(Margin { ms: 7 }));
        // Older names and units.
        let old: EngineDraft = "st=0.5 timemargin=7 move-timeout=90"
            .parse()
            .expect("words");
        let old = old.over(EngineDraft::default());
        let found = [
            old.movetime.map(|time| time.ms),
            old.move_timeout.map(|time| time.ms),
        ];
        assert_eq!(found, times);
        assert_eq!(old.margin, engine.margin);
        assert_eq!(engine.send_stop, Some(OnOff(true)));
        assert_eq!(engine.startup, ["one", "two three"]);
    }

    #[test]
    fn errors_name_engine_and_key() {
        let rows = rows![
            "name=A tc=x" => "engine 'A': tc: ";
            "cmd=b nodes=-1" => "engine 'b': nodes: '-1' is not a whole number, expected digits only, such as 1000";
            "name=A name=B" => "engine 'B': name: given twice";
            "name=A option.Hash=1 option.Hash=2" => "engine 'A': option.Hash: given twice";
            "name=A option.Hash=1 option.hash=2" => "engine 'A': option.hash: given twice";
            "name=A hash=1" => "engine 'A': hash: unknown key, expected cmd, args, dir";
            "name=A word" => "engine 'name=A word': expected key=value instead of 'word'";
            "word" => "engine 'word': expected key=value instead of 'word'";
            "name='A" => "engine 'name='A': a quotation mark is not closed";
        ];
        for (text, expected) in rows {
            let found = text.parse::<EngineDraft>().expect_err(text).to_string();
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn a_command_is_a_program_with_arguments_or_an_engine() {
        let engine = EngineDraft::from_argument("./a --b='c d'").expect("a command");
        assert_eq!(engine.cmd.as_deref(), Some("./a"));
        assert_eq!(engine.args, Some(WordList(vec!["--b=c d".into()])));
        let engine = EngineDraft::from_argument("cmd=./a name=b").expect("an engine");
        let expected = (Some("./a"), Some("b"));
        assert_eq!((engine.cmd.as_deref(), engine.name.as_deref()), expected);
        assert!(EngineDraft::from_argument("tc=x").is_err());
    }

    #[test]
    fn keys_behind_a_command_are_rejected_with_what_to_write() {
        for text in ["a option.Hash=64", "a -b 'c d' nodes=5 'option.X=y z'"] {
            let found = EngineDraft::from_argument(text)
                .expect_err(text)
                .to_string();
            let (_, advice) = found.split_once(": write ").expect("advice");
            let (advice, _) = advice.rsplit_once(", or").expect("another way");
            // As a shell passes it.
            let words = uci::split_words(advice).expect("quoted");
            let [argument] = &*words else {
                panic!("{advice} is one argument")
            };
            let engine: EngineDraft = argument.parse().expect("an engine");
            assert_eq!(engine.cmd.as_deref(), Some("a"));
            assert_eq!(engine.option.len(), 1);
            let args = (engine.nodes == Some(5)).then(|| WordList(vec!["-b".into(), "c d".into()]));
            assert_eq!(engine.args, args, "{found}");
        }
        let engine = EngineDraft::from_argument("a --nodes=5 file=x").expect("a command");
        let args = WordList(vec!["--nodes=5".into(), "file=x".into()]);
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
        let expected = [pair("hash", "1"), pair("Threads", "5"), pair("New", "2")];
        assert_eq!(both.option, expected);
    }
}

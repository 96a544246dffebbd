//! Single values, as typed after a key or written in a file: one type and one parser each.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::model::time_control::parse_clock;
use crate::model::{
    DrawRule, PgnField, PgnForm, PgnNotation, Pinning, Protocol, ResignRule, Restart, TimeControl,
};

/// A time control; `None` for `inf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSetting(pub Option<TimeControl>);

/// A time above zero, such as `500ms` or `1.5s`; a number alone is seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// In milliseconds.
    pub ms: u64,
}

/// A time per move: seconds, or with a unit, which it needs from 10 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// In milliseconds.
    pub ms: u64,
}

/// A time that may be zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// In milliseconds.
    pub ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnOff(pub bool);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolWord(pub Protocol);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestartWord(pub Restart);

/// Which CPUs games are pinned to: `auto`, `on`, `off`, or CPUs by number, such as `0,2,4-6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinSetting(pub Pinning);

/// Number of games at once, 1 to 1024; typed as a negative number, how many CPUs they leave free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtOnce(pub usize);

/// Words: a text that is split as by a shell, or a list in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordList(pub Vec<String>);

/// A text; a number or boolean in a file is taken as its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub String);

impl FromStr for ClockSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_clock(text)
            .map(Self)
            .map_err(|error| error.to_string())
    }
}

impl From<Duration> for MoveTime {
    fn from(time: Duration) -> Self {
        Self {
            ms: milliseconds(time),
        }
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ms = milliseconds(kit::values::time(text)?);
        Ok(Self { ms })
    }
}

impl FromStr for MoveTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ms = milliseconds(kit::values::move_time(text)?);
        Ok(Self { ms })
    }
}

impl FromStr for Margin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ms = milliseconds(kit::values::time_or_zero(text)?);
        Ok(Self { ms })
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("at most 1000000 s")
}

impl FromStr for OnOff {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            // A boolean in a file arrives here as its text.
            "on" | "true" => Ok(Self(true)),
            "off" | "false" => Ok(Self(false)),
            _ => Err(format!("expected on or off instead of '{text}'")),
        }
    }
}

impl FromStr for ProtocolWord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "uci" => Ok(Self(Protocol::Uci)),
            "xboard" => Ok(Self(Protocol::Xboard)),
            _ => Err(format!("expected uci or xboard instead of '{text}'")),
        }
    }
}

impl FromStr for RestartWord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" | "true" => Ok(Self(Restart::On)),
            "auto" | "off" | "false" => Ok(Self(Restart::Auto)),
            _ => Err(format!(
                "expected on (before each game) or auto (after a fault) instead of '{text}'"
            )),
        }
    }
}

impl FromStr for PinSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(match text {
            "auto" => Pinning::Auto,
            "on" | "true" => Pinning::On,
            "off" | "false" => Pinning::Off,
            list => Pinning::Cpus(uci::cpus::parse_list(list).ok_or_else(|| {
                format!("expected auto, on, off, or CPUs such as 0,2,4-6, instead of '{text}'")
            })?),
        }))
    }
}

impl FromStr for AtOnce {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const MAX: i64 = 1024;
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let cpus = i64::try_from(cpus).unwrap_or(MAX);
        let given: i64 = match text.strip_prefix('-') {
            Some(free) => -number(free)?,
            None => number(text)?,
        };
        let games = if given < 0 {
            cpus.saturating_add(given)
        } else {
            given
        };
        if given < 0 && games < 1 {
            return Err(format!("leaves none of the {cpus} CPUs"));
        }
        let games = usize::try_from(games).ok();
        let games = games.filter(|_| (1..=MAX).contains(&given) || given < 0);
        games.map(Self).ok_or_else(|| {
            format!("expected 1 to {MAX}, or -1 for all CPUs but one, instead of {text}")
        })
    }
}

impl FromStr for WordList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        uci::split_words(text)
            .map(Self)
            .ok_or_else(|| format!("a quotation mark is not closed in '{text}'"))
    }
}

impl FromStr for Text {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

struct AsText(&'static str);

impl Visitor<'_> for AsText {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    // TOML has types, the command line has texts only: the same parser reads both.
    fn visit_i64<E>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_f64<E>(self, number: f64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_bool<E>(self, switch: bool) -> Result<String, E> {
        Ok(switch.to_string())
    }
}

fn from_text<'de, D, T>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = String>,
{
    let text = deserializer.deserialize_any(AsText(expected))?;
    text.parse().map_err(D::Error::custom)
}

macro_rules! deserialize_as_text {
    ($($name:ident: $expected:literal,)*) => { $(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer, $expected)
            }
        }
    )* };
}

deserialize_as_text! {
    AtOnce: "a number of games at once",
    ClockSetting: "a time control such as \"10+0.1\"",
    MoveTime: "a time such as \"500ms\" or 1 (seconds)",
    Margin: "a time such as \"50ms\" or 0",
    Time: "a time such as \"500ms\" or 1 (seconds)",
    OnOff: "true or false",
    PgnText: "words such as \"notation=uci nps=on file=games.pgn\"",
    ProtocolWord: "\"uci\" or \"xboard\"",
    RestartWord: "\"on\" or \"auto\"",
    PinSetting: "\"auto\", \"on\", \"off\", or CPUs such as \"0,2,4-6\"",
    Text: "a text, a number, true or false",
}

impl<'de> Deserialize<'de> for WordList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrList;

        impl<'de> Visitor<'de> for TextOrList {
            type Value = WordList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<WordList, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<WordList, A::Error> {
                let mut words = Vec::new();
                while let Some(Text(word)) = list.next_element()? {
                    words.push(word);
                }
                Ok(WordList(words))
            }
        }

        deserializer.deserialize_any(TextOrList)
    }
}

/// A table of values, in the order of the file.
pub(super) fn pairs<'de, D>(deserializer: D) -> Result<Vec<(String, String)>, D::Error>
where
    D: Deserializer<'de>,
{
    struct TableValue;

    impl<'de> Visitor<'de> for TableValue {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table of names and values")
        }

        fn visit_map<A>(self, mut table: A) -> Result<Self::Value, A::Error>
        where
            A: serde::de::MapAccess<'de>,
        {
            let mut pairs = Vec::new();
            while let Some((name, Text(value))) = table.next_entry()? {
                pairs.push((name, value));
            }
            Ok(pairs)
        }
    }

    deserializer.deserialize_map(TableValue)
}

// The form of games.

/// The form of games in PGN, and a second file for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnText {
    pub form: PgnForm,
    pub file: Option<PathBuf>,
    /// Whether the file may exist.
    pub append: bool,
    /// Whether the games replace what is in the file.
    pub overwrite: bool,
}

impl FromStr for PgnText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut read = Self::default();
        for_each(text, |key, value| {
            match key {
                "notation" => {
                    read.form.notation = match value {
                        "san" => PgnNotation::San,
                        "lan" => PgnNotation::Lan,
                        "uci" => PgnNotation::Uci,
                        _ => return Err(format!("expected san, lan or uci instead of '{value}'")),
                    };
                }
                "min" => read.form.min = value.parse::<OnOff>()?.0,
                "file" if value.is_empty() => return Err("expected a file".to_owned()),
                "file" => read.file = Some(value.into()),
                "append" => read.append = value.parse::<OnOff>()?.0,
                "overwrite" => read.overwrite = value.parse::<OnOff>()?.0,
                _ => {
                    let mut fields = PgnField::ALL.into_iter();
                    let field = fields.find(|field| field.as_str() == key);
                    let field = field.ok_or_else(|| {
                        unknown_key(
                            "notation, min, timeleft, nodes, seldepth, nps, hashfull, tbhits, \
                             latency, pv, file, append or overwrite",
                        )
                    })?;
                    if value.parse::<OnOff>()?.0 {
                        read.form.fields.insert(field);
                    } else {
                        read.form.fields.remove(&field);
                    }
                }
            }
            Ok(())
        })?;
        if read.append && read.overwrite {
            return Err("append and overwrite: expected one of them".to_owned());
        }
        if read.file.is_none() && (read.append || read.overwrite) {
            return Err("append or overwrite: expected a file: file=PATH".to_owned());
        }
        Ok(read)
    }
}

// Adjudication rules as text: `moves=3 score=400`.

/// When a game is adjudicated as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResignText {
    pub moves: u32,
    /// Score deficit in centipawns, as a positive number.
    pub score: u32,
    /// Whether the opponent must report an equally high score.
    #[serde(default)]
    pub two_sided: bool,
}

/// When a game is adjudicated as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DrawText {
    /// First move number to which the rule applies.
    #[serde(default)]
    pub from: u32,
    pub moves: u32,
    /// Maximum distance of the score from zero, in centipawns.
    pub score: u32,
}

impl From<ResignText> for ResignRule {
    fn from(text: ResignText) -> Self {
        Self {
            moves: text.moves,
            score_cp: text.score,
            two_sided: text.two_sided,
        }
    }
}

impl From<DrawText> for DrawRule {
    fn from(text: DrawText) -> Self {
        Self {
            from_move: text.from,
            moves: text.moves,
            score_cp: text.score,
        }
    }
}

impl FromStr for ResignText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [mut moves, mut score] = [None; 2];
        let mut two_sided = OnOff(false);
        for_each(text, |key, value| {
            match key {
                "moves" => moves = Some(number(value)?),
                "score" => score = Some(number(value)?),
                "two-sided" => two_sided = value.parse()?,
                // These are fastchess' and cutechess' names of the keys, which many users type from
                // habit.
                "movecount" => {
                    return Err(unknown_key("moves (not movecount), score or two-sided"));
                }
                "twosided" => return Err(unknown_key("two-sided (not twosided)")),
                _ => return Err(unknown_key("moves, score or two-sided")),
            }
            Ok(())
        })?;
        Ok(Self {
            moves: moves.ok_or_else(missing("moves"))?,
            score: score.ok_or_else(missing("score"))?,
            two_sided: two_sided.0,
        })
    }
}

impl FromStr for DrawText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [mut moves, mut score] = [None; 2];
        let mut from = 0;
        for_each(text, |key, value| {
            let value = number(value)?;
            match key {
                "moves" => moves = Some(value),
                "score" => score = Some(value),
                "from" => from = value,
                _ => return Err(unknown_key("from, moves or score")),
            }
            Ok(())
        })?;
        Ok(Self {
            from,
            moves: moves.ok_or_else(missing("moves"))?,
            score: score.ok_or_else(missing("score"))?,
        })
    }
}

fn missing(key: &str) -> impl Fn() -> String {
    move || format!("{key} is missing")
}

/// Splits a text as a shell does, and passes each `KEY=VALUE` to `set`.
pub(super) fn for_each(
    text: &str,
    mut set: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), String> {
    let words = uci::split_words(text)
        .ok_or("a quotation mark is not closed, or a backslash ends the text")?;
    let mut keys = std::collections::BTreeSet::new();
    for word in &words {
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!("expected key=value instead of '{word}'"));
        };
        if !keys.insert(key) {
            return Err(format!("{key}: given twice"));
        }
        set(key, value).map_err(|error| format!("{key}: {error}"))?;
    }
    Ok(())
}

pub(super) fn unknown_key(expected: &str) -> String {
    format!("unknown key, expected {expected}")
}

pub fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Not `+5`, which is a number to Rust.
    text.parse().ok().filter(|_| is_whole).ok_or_else(|| {
        if is_whole {
            format!("'{text}' is too large")
        } else {
            format!("'{text}' is not a whole number, expected digits only, such as 1000")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_say_what_was_expected() {
        let rows = rows![
            "x".parse::<Time>().map(|_| ()) => "expected a time from 1ms to 1000000s, such as 1s, 250ms or 2m";
            "0".parse::<Time>().map(|_| ()) => "expected a time from 1ms to 1000000s, such as 1s, 250ms or 2m";
            "1+1".parse::<Time>().map(|_| ()) => "expected a time from 1ms to 1000000s, such as 1s, 250ms or 2m";
            "yes".parse::<OnOff>().map(|_| ()) => "expected on or off instead of 'yes'";
            "x".parse::<RestartWord>().map(|_| ()) =>
                "expected on (before each game) or auto (after a fault) instead of 'x'";
            "a 'b".parse::<WordList>().map(|_| ()) => "a quotation mark is not closed in 'a 'b'";
        ];
        for (found, expected) in rows {
            assert_eq!(found, Err(expected.to_owned()));
        }
        let rows = rows![
            "nps=maybe" => "nps: expected on or off instead of 'maybe'";
            "notation=fan" => "notation: expected san, lan or uci instead of 'fan'";
            "append=on" => "append or overwrite: expected a file: file=PATH";
            "file=x append=on overwrite=on" => "append and overwrite: expected one of them";
            "file=" => "file: expected a file";
            "nps" => "expected key=value instead of 'nps'";
            "nps=on pv=on nps=off" => "nps: given twice";
        ];
        for (text, expected) in rows {
            assert_eq!(text.parse::<PgnText>(), Err(expected.to_owned()));
        }
        let form: PgnText = "notation=uci pv=on nodes=off 'file=a b' append=on"
            .parse()
            .expect("a form");
        assert_eq!(form.file, Some("a b".into()));
        assert!(form.append && form.form.notation == PgnNotation::Uci);
        let fields: Vec<_> = form.form.fields.into_iter().collect();
        let expected = [PgnField::Timeleft, PgnField::Seldepth, PgnField::Pv];
        assert_eq!(fields, expected);
        assert_eq!("7".parse(), Ok(AtOnce(7)));
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        match "-1".parse() {
            Ok(AtOnce(games)) => assert_eq!(games, cpus - 1),
            Err(error) => assert_eq!((cpus, &*error), (1, "leaves none of the 1 CPUs")),
        }
        for text in ["0", "1025"] {
            let expected =
                format!("expected 1 to 1024, or -1 for all CPUs but one, instead of {text}");
            assert_eq!(text.parse::<AtOnce>(), Err(expected));
        }
        for text in ["", "+5", "--1", "1e3", "1k", " 1"] {
            let expected = "is not a whole number, expected digits only, such as 1000";
            let error = number::<i64>(text).expect_err(text);
            assert_eq!(error, format!("'{text}' {expected}"));
            assert!(text.parse::<AtOnce>().is_err(), "{text}");
        }
        assert_eq!(number::<u8>("7"), Ok(7));
        assert_eq!(number::<u8>("256"), Err("'256' is too large".to_owned()));
        assert_eq!("0.25".parse(), Ok(Time { ms: 250 }));
        assert_eq!("250ms".parse(), Ok(Time { ms: 250 }));
        assert_eq!("0".parse(), Ok(Margin { ms: 0 }));
        assert_eq!("inf".parse(), Ok(ClockSetting(None)));
        let expected = Ok(WordList(vec!["a".into(), "b c".into()]));
        assert_eq!("a 'b c'".parse(), expected);
    }
}

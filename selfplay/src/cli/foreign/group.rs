//! Reads `-option key=value key=value`, as fastchess and cutechess-cli are given their options.

use std::str::FromStr;

use crate::model::{ClockStage, TimeControl};

/// An option and the words that follow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptionGroup<'a> {
    pub(super) option: &'a str,
    pub(super) words: &'a [String],
}

/// A value, and the word that it was part of.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupValue<'a> {
    option: &'a str,
    word: &'a str,
    pub(super) text: &'a str,
}

/// Splits a line into options and the words that belong to each. Words before the first option form
/// a group without a name.
pub(super) fn groups(words: &[String]) -> Vec<OptionGroup<'_>> {
    let mut groups = Vec::new();
    let mut begin = 0;
    while begin < words.len() {
        let is_named = is_option(&words[begin]);
        let first = begin + usize::from(is_named);
        let rest = &words[first..];
        let len = rest.iter().position(|word| is_option(word));
        let end = first + len.unwrap_or(rest.len());
        groups.push(OptionGroup {
            option: if is_named { &words[begin] } else { "" },
            words: &words[first..end],
        });
        begin = end;
    }
    groups
}

/// A dash begins an option, unless a number follows.
pub(in crate::cli) fn is_option(word: &str) -> bool {
    let rest = word.strip_prefix('-').unwrap_or_default();
    !rest.is_empty() && rest.parse::<f64>().is_err()
}

impl<'a> OptionGroup<'a> {
    fn value(&self, word: &'a str, text: &'a str) -> GroupValue<'a> {
        GroupValue {
            option: self.option,
            word,
            text,
        }
    }

    /// Rejects words after an option that takes none.
    pub(super) fn flag(&self) -> Result<(), String> {
        match self.words {
            [] => Ok(()),
            [word, ..] => Err(self.value(word, word).error("no value")),
        }
    }

    /// The only word.
    pub(super) fn single(&self) -> Result<GroupValue<'a>, String> {
        match self.words {
            [word] => Ok(self.value(word, word)),
            [] => Err(format!("{} has no value, expected one", self.option)),
            [_, word, ..] => Err(self.value(word, word).error("one value only")),
        }
    }

    /// An option that the program does not have.
    pub(super) fn unknown(
        &self,
        program: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> String {
        let option = self.option;
        if option.is_empty() {
            let word = self.words.first().map_or("", |word| word);
            return format!("'{word}' is no option of {program}, expected -OPTION first");
        }
        if ["-o", "--output", "--print"].contains(&option) {
            return format!(
                "{program} has no option {option}: that of selfplay stands before the line of {program}"
            );
        }
        let meant = kit::spelling::did_you_mean(option, known);
        format!("{program} has no option {option}{meant}")
    }

    /// The group, unless it has no words.
    pub(super) fn filled(self) -> Result<Self, String> {
        if self.words.is_empty() {
            return Err(format!("{} has no value, expected KEY=VALUE", self.option));
        }
        Ok(self)
    }

    /// The value of a key, or its default.
    pub(super) fn needed(
        &self,
        key: &str,
        value: Option<GroupValue<'a>>,
        default: Option<&'a str>,
    ) -> Result<GroupValue<'a>, String> {
        let value = value.or_else(|| default.map(|text| self.value(text, text)));
        value.ok_or_else(|| format!("{}: {key} is missing, expected {key}=VALUE", self.option))
    }

    /// The words, whatever they are.
    pub(super) fn values(&self) -> impl Iterator<Item = GroupValue<'a>> {
        let group = *self;
        self.words.iter().map(move |word| group.value(word, word))
    }

    /// All words as keys and values. A word without `=` is an error, and so is an empty value.
    pub(super) fn pairs(&self) -> Result<Vec<(&'a str, GroupValue<'a>)>, String> {
        let pair = |word: &'a String| match word.split_once('=') {
            Some((key, value)) if !key.is_empty() && !value.is_empty() => {
                Ok((key, self.value(word, value)))
            }
            _ => Err(self.value(word, word).error("KEY=VALUE")),
        };
        self.words.iter().map(pair).collect()
    }
}

impl<'a> GroupValue<'a> {
    /// The key and the value of a word; a key alone has an empty one.
    pub(super) fn split(self) -> (&'a str, Self) {
        let (key, text) = self.text.split_once('=').unwrap_or((self.text, ""));
        (key, Self { text, ..self })
    }

    pub(super) fn error(&self, expected: &str) -> String {
        format!("{} '{}': expected {expected}", self.option, self.word)
    }

    /// Text that has no counterpart, and why the run cannot do without.
    pub(super) fn unsupported(&self, why: &str) -> String {
        format!("{} '{}' has no counterpart: {why}", self.option, self.word)
    }

    pub(super) fn number<T: FromStr>(&self, expected: &str) -> Result<T, String> {
        self.text.parse().map_err(|_| self.error(expected))
    }

    /// A whole number, at least `least`.
    pub(super) fn count(&self, least: u64) -> Result<u64, String> {
        let expected = format!("a whole number from {least}");
        let count: u64 = self.number(&expected)?;
        if count < least {
            return Err(self.error(&expected));
        }
        Ok(count)
    }

    pub(super) fn real(&self) -> Result<f64, String> {
        let number: f64 = self.number("a number")?;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(self.error("a number"))
        }
    }

    pub(super) fn boolean(&self) -> Result<bool, String> {
        match self.text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.error("true or false")),
        }
    }

    /// One of these words.
    pub(super) fn choice(&self, words: &[&'static str]) -> Result<&'static str, String> {
        let found = words.iter().copied().find(|word| *word == self.text);
        found.ok_or_else(|| self.error(&words.join(" or ")))
    }

    /// An unknown key of the option.
    pub(super) fn unknown_key(&self, known: &[&str]) -> String {
        self.error(&format!("one of the keys {}", known.join(", ")))
    }

    /// A time in seconds, as a time here.
    pub(super) fn seconds(&self) -> Result<String, String> {
        let ms = thousandths(self.text).filter(|&ms| ms > 0);
        ms.map(time)
            .ok_or_else(|| self.error("seconds, such as 0.5, at least a millisecond"))
    }

    /// A time in milliseconds, as a time here.
    pub(super) fn milliseconds(&self) -> Result<String, String> {
        self.count(0).map(time)
    }

    /// A time control `MOVES/MINUTES:SECONDS+INCREMENT`, as a time control here. Without a time, a
    /// clock starts with its increment, as in both programs.
    pub(super) fn clock(&self) -> Result<String, String> {
        if matches!(self.text, "inf" | "infinite") {
            return Ok("inf".to_owned());
        }
        if self.text.contains("hg") {
            return Err(self.unsupported("there are no hourglass clocks"));
        }
        let (moves, rest) = match self.text.split_once('/') {
            Some(("all" | "inf" | "infinite" | "0", rest)) => (None, rest),
            Some((moves, rest)) => (Some(moves), rest),
            None => (None, self.text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time_ms = match base.split_once(':') {
            Some((minutes, seconds)) => thousandths(minutes)
                .and_then(|minutes| minutes.checked_mul(60))
                .zip(thousandths(seconds))
                .and_then(|(minutes, seconds)| minutes.checked_add(seconds)),
            None => thousandths(base),
        };
        let expected = "a time control such as 10+0.1, 40/60 or 40/1:30+0.5";
        let (Some(time_ms), Some(increment_ms)) = (time_ms, thousandths(increment)) else {
            return Err(self.error(expected));
        };
        let moves = match moves.map(str::parse) {
            None => None,
            Some(Ok(moves)) => Some(moves),
            Some(Err(_)) => return Err(self.error(expected)),
        };
        let time_ms = if time_ms == 0 { increment_ms } else { time_ms };
        if time_ms == 0 {
            return Err(self.error("more than 0 seconds"));
        }
        let stage = ClockStage {
            moves,
            time_ms,
            increment_ms,
        };
        let stages = vec![stage];
        Ok(TimeControl { stages }.to_string())
    }
}

/// A decimal number in thousandths, cut off behind the third place, as both programs do. Fastchess
/// allows a unit, `s`.
fn thousandths(text: &str) -> Option<u64> {
    let text = text.strip_suffix('s').unwrap_or(text);
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + decimals.len() == 0 || !are_digits(whole) || !are_digits(decimals) {
        return None;
    }
    let three = decimals.get(..3).unwrap_or(decimals);
    format!("0{whole}{three:0<3}").parse().ok()
}

/// Milliseconds as a time with its unit.
fn time(ms: u64) -> String {
    if ms > 0 && ms.is_multiple_of(1000) {
        format!("{}s", ms / 1000)
    } else {
        format!("{ms}ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_dash_before_a_number_is_no_option() {
        let line = words("x -sprt elo0=-5 -5 -.5 -engine - -1x");
        let found: Vec<_> = groups(&line)
            .iter()
            .map(|group| (group.option, group.words.join(" ")))
            .collect();
        let expected = [
            ("", "x"),
            ("-sprt", "elo0=-5 -5 -.5"),
            ("-engine", "-"),
            ("-1x", ""),
        ];
        assert_eq!(
            found,
            expected.map(|(option, rest)| (option, rest.to_owned()))
        );
    }

    #[test]
    fn clocks_are_translated() {
        for row in include_str!("group/clocks.txt").lines().skip(1) {
            let (text, expected) = row.split_once(" => ").expect("two clocks");
            let word = format!("tc={text}");
            let value = GroupValue {
                option: "-each",
                word: &word,
                text,
            };
            let found = value.clock();
            let is_fault = expected.starts_with("-each ");
            assert_eq!(found.is_err(), is_fault, "{text}");
            let found = found.unwrap_or_else(|error| error);
            assert_eq!(found, expected);
            if !is_fault {
                crate::model::time_control::parse_clock(&found).expect("a time control");
            }
        }
    }
}

//! Command-line arguments: input files, and options with a value each.

use std::collections::HashMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::TrainerError;

/// The options common to all commands.
const COMMON: [&str; 3] = ["out", "seed", "threads"];

/// The arguments after the command.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    files: Vec<String>,
    options: HashMap<String, String>,
}

impl Arguments {
    /// Parses the arguments of a command with these options besides the common ones.
    pub(crate) fn parse(
        mut words: impl Iterator<Item = String>,
        known: &[&str],
    ) -> Result<Self, TrainerError> {
        let mut arguments = Self::default();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--") else {
                arguments.files.push(word);
                continue;
            };
            if !known.contains(&name) && !COMMON.contains(&name) {
                return Err(usage(format!("'{word}' is not understood")));
            }
            let value = words.next();
            let value = value.ok_or_else(|| usage(format!("{word} needs a value")))?;
            if arguments.options.insert(name.to_owned(), value).is_some() {
                return Err(usage(format!("{word} is given twice")));
            }
        }
        Ok(arguments)
    }

    /// The input files, at least one.
    pub(crate) fn files(&self) -> Result<&[String], TrainerError> {
        if self.files.is_empty() {
            return Err(usage("which files to read is missing".to_owned()));
        }
        Ok(&self.files)
    }

    /// The output file.
    pub(crate) fn out(&self) -> Result<&str, TrainerError> {
        self.text("out")
            .ok_or_else(|| usage("--out is missing".to_owned()))
    }

    /// The value of an option, as given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    /// The numeric value of an option, or its default.
    pub(crate) fn number<T>(
        &self,
        name: &str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, TrainerError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.options.get(name) else {
            return Ok(default);
        };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            usage(format!(
                "--{name} is '{text}', expected a number from {least} to {most}"
            ))
        })
    }

    /// The random seed; 1 by default.
    pub(crate) fn seed(&self) -> Result<u64, TrainerError> {
        self.number("seed", 1, 0..=u64::MAX)
    }
}

fn usage(text: String) -> TrainerError {
    TrainerError::Usage(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        let words = line.split_whitespace().map(str::to_owned);
        Arguments::parse(words, &["lambda"]).map_err(|error| error.to_string())
    }

    #[test]
    fn files_and_options_in_any_order() {
        let arguments = parse("a --seed 7 b --out c --lambda 0.5").unwrap();
        assert_eq!(arguments.files().unwrap(), ["a", "b"]);
        assert_eq!(arguments.out().unwrap(), "c");
        assert_eq!(arguments.text("lambda"), Some("0.5"));
        assert_eq!(arguments.text("scale"), None);
        assert_eq!(arguments.seed().unwrap(), 7);
        let lambda = arguments.number("lambda", 1.0, 0.0..=1.0).unwrap();
        assert!((lambda - 0.5_f64).abs() < 1e-12);
        assert_eq!(parse("").unwrap().seed().unwrap(), 1);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, expected) in [
            ("--depth 3", "'--depth' is not understood"),
            ("--seed", "--seed needs a value"),
            ("--seed 1 --seed 2", "--seed is given twice"),
        ] {
            assert_eq!(parse(line).unwrap_err(), expected);
        }
        let wrong = parse("--lambda 2 --seed -1").unwrap();
        let lambda = wrong.number("lambda", 1.0, 0.0..=1.0).unwrap_err();
        let expected = "--lambda is '2', expected a number from 0 to 1";
        assert_eq!(lambda.to_string(), expected);
        assert!(wrong.seed().is_err() && wrong.files().is_err() && wrong.out().is_err());
    }
}

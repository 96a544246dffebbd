//! The parameters of a tuning: name, start, range, and step sizes.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::stats::twelve_digits;

/// Default perturbation at the end, as a fraction of the range (as in fishtest).
const C_END_PER_RANGE: f64 = 1.0 / 20.0;
/// Default learning rate at the end (as in fishtest).
const R_END: f64 = 0.002;
/// 2^53: larger integers are not exact in `f64`.
const MOST: f64 = 9_007_199_254_740_992.0;

/// An engine option to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Start value. It may be fractional even for an integer, as the result of an earlier tuning
    /// is.
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// Perturbation of the value, up and down, at the last iteration.
    pub c_end: f64,
    /// Learning rate at the last iteration: each game won more than lost moves the value by
    /// `r_end * c_end`.
    pub r_end: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// Integers: an option of the type spin, or string.
    #[default]
    Int,
    /// Real numbers: an option of the type string.
    Float,
}

/// Why a parameter, or a list of them, cannot be tuned: the offending text, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(String);

impl Parameter {
    /// Parses a line of a list: `name, int, start, min, max, c_end, r_end`.
    pub fn from_line(line: &str) -> Result<Self, ParameterError> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, start, min, max, c_end, r_end] = fields[..] else {
            return Err(ParameterError(format!(
                "{} fields, expected 7: name, int or float, start, min, max, c_end, r_end",
                fields.len()
            )));
        };
        let parameter = Self {
            name: name.to_owned(),
            kind: kind.parse()?,
            start: number("start", start)?,
            min: number("min", min)?,
            max: number("max", max)?,
            c_end: number("c_end", c_end)?,
            r_end: number("r_end", r_end)?,
        };
        parameter.check()?;
        Ok(parameter)
    }

    pub fn to_line(&self, start: f64) -> String {
        let Self {
            name,
            min,
            max,
            c_end,
            r_end,
            ..
        } = self;
        let kind = self.kind.as_str();
        format!("{name}, {kind}, {start}, {min}, {max}, {c_end}, {r_end}")
    }

    pub fn check(&self) -> Result<(), ParameterError> {
        let range = self.max - self.min;
        let is_whole = |bound: f64| bound.fract() == 0.0 && bound.abs() <= MOST;
        let is_int = self.kind == ParameterKind::Int;
        let reject = |key: &str, found: &dyn ToString, expected: &str| {
            let found = found.to_string();
            Err(ParameterError(format!(
                "{key} is {found}, expected {expected}"
            )))
        };
        // These characters separate parameters and their fields, in lists and on the command line.
        if self.name.is_empty() || self.name.contains(['\n', '\r', ',', '=']) {
            return reject("name", &self.name, "the name of an option");
        }
        for (key, bound) in [("min", self.min), ("max", self.max)] {
            if !bound.is_finite() || is_int && !is_whole(bound) {
                return reject(key, &bound, "a whole number for the type int");
            }
        }
        if !range.is_finite() || range <= 0.0 {
            return reject("max", &self.max, &format!("more than min, {}", self.min));
        }
        if !(self.min..=self.max).contains(&self.start) {
            let expected = format!("{} to {}", self.min, self.max);
            return reject("start", &self.start, &expected);
        }
        // With less than 0.5, both engines would often get the same integer.
        let least = if is_int { 0.5 } else { 0.0 };
        let is_visible = self.c_end > 0.0 && self.c_end >= least;
        if !is_visible || self.c_end > range {
            let from = if is_int { "0.5" } else { "more than 0" };
            return reject("c_end", &self.c_end, &format!("{from} to {range}"));
        }
        if !(self.r_end > 0.0 && self.r_end <= 1.0) {
            return reject("r_end", &self.r_end, "more than 0, at most 1");
        }
        Ok(())
    }

    /// The value that is sent to an engine. An integer parameter is rounded to
    /// `floor(value + fraction)`; with a `fraction` drawn uniformly from 0 to 1, the mean is
    /// the exact value. Other numbers have 12 digits.
    pub fn setting(&self, value: f64, fraction: f64) -> String {
        match self.kind {
            ParameterKind::Int => {
                let rounded = (value + fraction).floor();
                // Adding zero turns a negative zero into a positive one.
                (rounded.clamp(self.min, self.max) + 0.0).to_string()
            }
            ParameterKind::Float => {
                let digits = twelve_digits(value).expect("values are finite");
                // Rounding to 12 digits may leave the range by a hair.
                digits.clamp(self.min, self.max).to_string()
            }
        }
    }

    /// The final value for the engine: the nearest one that the option accepts.
    pub fn nearest(&self, value: f64) -> String {
        self.setting(value, 0.5)
    }
}

/// Parses a list: one parameter per line. Empty lines and comments, which begin with `#`, are
/// skipped.
pub fn read(text: &str) -> Result<Vec<Parameter>, ParameterError> {
    let lines = text.lines().enumerate().map(|(index, line)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (index + 1, line)
    });
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(line, text)| {
            let parameter = Parameter::from_line(text);
            parameter.map_err(|error| ParameterError(format!("line {line}: {error}")))
        })
        .collect()
}

/// Rejects an empty list, and names that are equal except for case.
pub fn check_list(parameters: &[Parameter]) -> Result<(), ParameterError> {
    if parameters.is_empty() {
        return Err(ParameterError("no parameters to tune".to_owned()));
    }
    for (index, Parameter { name, .. }) in parameters.iter().enumerate() {
        // Names of options are not case-sensitive (UCI).
        let is_same = |other: &Parameter| other.name.to_lowercase() == name.to_lowercase();
        if parameters[..index].iter().any(is_same) {
            let twice = format!("parameter '{name}' is given twice");
            return Err(ParameterError(twice));
        }
    }
    Ok(())
}

impl ParameterKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Float => "float",
        }
    }
}

impl FromStr for ParameterKind {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "int" => Ok(Self::Int),
            "float" => Ok(Self::Float),
            _ => Err(ParameterError(format!(
                "type '{text}', expected int or float"
            ))),
        }
    }
}

impl FromStr for Parameter {
    type Err = ParameterError;

    /// Parses `name=…,type=…,start=…,min=…,max=…,c=…,r=…` in any order. The default of `type` is
    /// `int`, of `c` a twentieth of the range (at least 0.5 for `int`), of `r` 0.002.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const KEYS: [&str; 7] = ["name", "type", "start", "min", "max", "c", "r"];
        let mut fields = [None; KEYS.len()];
        for part in text.split(',').map(str::trim) {
            let known = part.split_once('=').and_then(|(key, value)| {
                let place = KEYS.iter().position(|&known| known == key.trim())?;
                Some((place, value.trim()))
            });
            let Some((place, value)) = known else {
                let keys = KEYS.join("=, ");
                return Err(ParameterError(format!("'{part}' is not one of {keys}=")));
            };
            if fields[place].replace(value).is_some() {
                let key = KEYS[place];
                return Err(ParameterError(format!("{key}= is given twice")));
            }
        }
        let [name, kind, start, min, max, c_end, r_end] = fields;
        let missing = |key: &str| ParameterError(format!("{key}= is missing"));
        let need = |key, value: Option<&str>| {
            value
                .ok_or_else(|| missing(key))
                .and_then(|text| number(key, text))
        };
        let kind = kind.map_or(Ok(ParameterKind::Int), str::parse)?;
        let (min, max) = (need("min", min)?, need("max", max)?);
        // The same minimum as in `check`, so that a default is never refused.
        let least = match kind {
            ParameterKind::Int => 0.5,
            ParameterKind::Float => 0.0,
        };
        let usual = ((max - min) * C_END_PER_RANGE).max(least);
        let parameter = Self {
            name: name.ok_or_else(|| missing("name"))?.into(),
            kind,
            start: need("start", start)?,
            min,
            max,
            c_end: c_end.map_or(Ok(usual), |text| number("c", text))?,
            r_end: r_end.map_or(Ok(R_END), |text| number("r", text))?,
        };
        parameter.check()?;
        Ok(parameter)
    }
}

fn number(key: &str, text: &str) -> Result<f64, ParameterError> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ParameterError(format!("{key} '{text}' is not a number")))
}

/// The options that are tuned, with the values from which the tuning starts.
pub(crate) fn start_options(parameters: &[Parameter]) -> Vec<(String, String)> {
    let start = parameters.iter();
    start
        .map(|one| (one.name.clone(), one.nearest(one.start)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margin() -> Parameter {
        Parameter {
            name: "Null Margin".to_owned(),
            kind: ParameterKind::Int,
            start: 20.0,
            min: -5.0,
            max: 95.0,
            c_end: 5.0,
            r_end: 0.002,
        }
    }

    #[test]
    fn both_forms_are_read() {
        let expected = Ok(margin());
        let rows = [
            "name=Null Margin,start=20,min=-5,max=95",
            " r=0.002, c=5 ,max=95,min=-5,start=20,type=int,name = Null Margin",
        ];
        for text in rows {
            assert_eq!(text.parse(), expected, "{text}");
        }
        let line = "Null Margin, int, 20, -5, 95, 5, 0.002";
        assert_eq!(Parameter::from_line(line), expected);
        assert_eq!(margin().to_line(20.0), line);
        let list = format!("# a list\n\n{line} # the first\r\n  Scale,float,1,0,2,.1,1e-2\n");
        let list = read(&list).expect("good");
        assert_eq!(list.len(), 2);
        assert_eq!(list[1].kind, ParameterKind::Float);
        assert_eq!(list[1].to_line(1.25), "Scale, float, 1.25, 0, 2, 0.1, 0.01");
        assert_eq!(check_list(&list), Ok(()));
    }

    #[test]
    fn errors_say_what_was_expected() {
        for row in include_str!("parameter/faults.txt").lines().skip(1) {
            let (text, message) = row.split_once(" => ").expect("a fault");
            let error = text.parse::<Parameter>().expect_err(text);
            assert_eq!(error.to_string(), message, "{text}");
        }
        let error = read("\na, int, 1").expect_err("too few fields").to_string();
        assert!(error.starts_with("line 2: 3 fields, expected 7"), "{error}");
        let twice = Parameter {
            name: "NULL margin".to_owned(),
            ..margin()
        };
        let error = check_list(&[margin(), twice]).expect_err("two of one name");
        assert_eq!(error.to_string(), "parameter 'NULL margin' is given twice");
        let error = check_list(&[]).expect_err("an empty list");
        assert_eq!(error.to_string(), "no parameters to tune");
    }

    #[test]
    fn whole_numbers_are_rounded_by_the_fraction() {
        let rows = [
            (20.25, 0.7, "20"),
            (20.25, 0.75, "21"),
            (20.0, 0.999, "20"),
            (-0.25, 0.5, "0"),
            (-1.25, 0.1, "-2"),
            (95.0, 0.999, "95"),
        ];
        for (value, fraction, expected) in rows {
            assert_eq!(margin().setting(value, fraction), expected, "{value}");
        }
        assert_eq!(margin().nearest(20.5), "21");
        let scale = Parameter {
            kind: ParameterKind::Float,
            ..margin()
        };
        assert_eq!(scale.setting(20.25, 0.75), "20.25");
        assert_eq!(scale.setting(100.0 / 3.0, 0.75), "33.3333333333");
    }
}

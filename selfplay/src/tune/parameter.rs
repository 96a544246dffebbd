//! What is tuned: a number, where it begins, where it ends, how far it is moved.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::digits::twelve_digits;

/// The step of a measurement at the end, as a part of the range, unless given: as fishtest has it.
const C_END_PER_RANGE: f64 = 1.0 / 20.0;
/// The rate of learning at the end, unless given: as fishtest has it.
const R_END: f64 = 0.002;
/// Whole numbers beyond are not told apart by `f64`.
const MOST: f64 = 9_007_199_254_740_992.0;

/// An option of the engine that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name of the option.
    pub name: String,
    /// What values it takes.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Where it begins. It may lie between whole numbers, as what an earlier tuning ended with does.
    pub start: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// By how much a value is moved up and down for a measurement, at the last iteration.
    pub c_end: f64,
    /// The rate of learning at the last iteration: one game more won than lost moves the value by
    /// `r_end * c_end`.
    pub r_end: f64,
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// Whole numbers: an option of the type spin, or string.
    #[default]
    Int,
    /// Any numbers: an option of the type string.
    Float,
}

/// Why a text, or what it says, is no parameter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// A line that has not seven fields.
    #[error("{found} fields, expected 7: name, int or float, start, min, max, c_end, r_end")]
    Fields {
        /// How many it has.
        found: usize,
    },
    /// A part that is not `key=value`.
    #[error("'{text}' is not one of name=, type=, start=, min=, max=, c=, r=")]
    Key {
        /// The part.
        text: String,
    },
    /// A key that comes twice.
    #[error("{key}= is given twice")]
    Twice {
        /// The key.
        key: &'static str,
    },
    /// A key that must be given.
    #[error("{key}= is missing")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// Neither `int` nor `float`.
    #[error("type '{text}', expected int or float")]
    Kind {
        /// What stands there.
        text: String,
    },
    /// Not a number.
    #[error("{key} '{text}' is not a number")]
    Number {
        /// Which field.
        key: &'static str,
        /// What stands there.
        text: String,
    },
    /// A number that does not fit the others.
    #[error("{key} is {found}, expected {expected}")]
    Value {
        /// Which field.
        key: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
}

/// What is wrong with a list of parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterListError {
    /// One of them.
    #[error("line {line}: {source}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        source: ParameterError,
    },
    /// Two of one name.
    #[error("parameter '{name}' is given twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// None.
    #[error("there are no parameters to tune")]
    Empty,
}

impl Parameter {
    /// Reads a line of a list: `name, int, start, min, max, c_end, r_end`.
    ///
    /// # Errors
    ///
    /// When it is not such a line, or its numbers do not fit each other.
    pub fn from_line(line: &str) -> Result<Self, ParameterError> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, start, min, max, c_end, r_end] = fields[..] else {
            let found = fields.len();
            return Err(ParameterError::Fields { found });
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

    /// The line that [`Self::from_line`] reads, with another start.
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

    /// Refuses numbers that do not fit each other.
    ///
    /// # Errors
    ///
    /// The first that does not.
    pub fn check(&self) -> Result<(), ParameterError> {
        let range = self.max - self.min;
        let is_whole = |bound: f64| bound.fract() == 0.0 && bound.abs() <= MOST;
        let is_int = self.kind == ParameterKind::Int;
        let refuse = |key, found: &dyn ToString, expected: &str| {
            Err(ParameterError::Value {
                key,
                found: found.to_string(),
                expected: expected.to_owned(),
            })
        };
        if self.name.is_empty() || self.name.contains(['\n', '\r', ',', '=']) {
            return refuse("name", &self.name, "the name of an option");
        }
        for (key, bound) in [("min", self.min), ("max", self.max)] {
            if !bound.is_finite() || is_int && !is_whole(bound) {
                return refuse(key, &bound, "a whole number for the type int");
            }
        }
        if !range.is_finite() || range <= 0.0 {
            return refuse("max", &self.max, &format!("more than min, {}", self.min));
        }
        if !(self.min..=self.max).contains(&self.start) {
            let expected = format!("{} to {}", self.min, self.max);
            return refuse("start", &self.start, &expected);
        }
        // Of two whole numbers less than 1 apart, both would often be the same.
        let least = if is_int { 0.5 } else { 0.0 };
        let is_visible = self.c_end > 0.0 && self.c_end >= least;
        if !is_visible || self.c_end > range {
            let from = if is_int { "0.5" } else { "more than 0" };
            return refuse("c_end", &self.c_end, &format!("{from} to {range}"));
        }
        if !(self.r_end > 0.0 && self.r_end <= 1.0) {
            return refuse("r_end", &self.r_end, "more than 0, at most 1");
        }
        Ok(())
    }

    /// The value that is told to an engine; `fraction`, from 0 to 1, decides how a number between
    /// two whole ones is rounded: up if what is behind the point and it together reach 1. For a
    /// fraction by chance the mean of what is told is the value. Other numbers have 12 digits.
    pub fn setting(&self, value: f64, fraction: f64) -> String {
        match self.kind {
            ParameterKind::Int => {
                let rounded = (value + fraction).floor();
                // There is no use in a zero with a sign.
                (rounded.clamp(self.min, self.max) + 0.0).to_string()
            }
            ParameterKind::Float => {
                let digits = twelve_digits(value).expect("values are finite");
                digits.clamp(self.min, self.max).to_string()
            }
        }
    }

    /// The value that is told to an engine in the end: the nearest it takes.
    pub fn nearest(&self, value: f64) -> String {
        self.setting(value, 0.5)
    }
}

/// Reads a list: a parameter a line. Empty lines and comments, which begin with `#`, are passed over.
///
/// # Errors
///
/// When a line is wrong: the first such.
pub fn read(text: &str) -> Result<Vec<Parameter>, ParameterListError> {
    let lines = text.lines().enumerate().map(|(index, line)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (index + 1, line)
    });
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(line, text)| {
            Parameter::from_line(text).map_err(|source| ParameterListError::Line { line, source })
        })
        .collect()
}

/// Refuses a list without parameters, or with two of one name, whatever its case.
///
/// # Errors
///
/// The first of these.
pub fn check_list(parameters: &[Parameter]) -> Result<(), ParameterListError> {
    if parameters.is_empty() {
        return Err(ParameterListError::Empty);
    }
    for (index, Parameter { name, .. }) in parameters.iter().enumerate() {
        let is_same = |other: &Parameter| other.name.to_lowercase() == name.to_lowercase();
        if parameters[..index].iter().any(is_same) {
            let name = name.clone();
            return Err(ParameterListError::Twice { name });
        }
    }
    Ok(())
}

impl ParameterKind {
    /// Its name.
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
            _ => Err(ParameterError::Kind {
                text: text.to_owned(),
            }),
        }
    }
}

impl FromStr for Parameter {
    type Err = ParameterError;

    /// Reads `name=…,type=…,start=…,min=…,max=…,c=…,r=…` in any order. Without `type` it is `int`,
    /// without `c` a twentieth of the range (at least 0.5 for `int`), without `r` 0.002.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut fields = Fields::default();
        for part in text.split(',') {
            fields.take(part.trim())?;
        }
        let [name, kind, start, min, max, c_end, r_end] = fields.0;
        let need = |key, value: Option<&str>| match value {
            Some(text) => number(key, text),
            None => Err(ParameterError::Missing { key }),
        };
        let kind = kind.map_or(Ok(ParameterKind::Int), str::parse)?;
        let (min, max) = (need("min", min)?, need("max", max)?);
        let least = match kind {
            ParameterKind::Int => 0.5,
            ParameterKind::Float => 0.0,
        };
        let usual = ((max - min) * C_END_PER_RANGE).max(least);
        let parameter = Self {
            name: name.ok_or(ParameterError::Missing { key: "name" })?.into(),
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

/// The values of the keys, as they were typed.
#[derive(Default)]
struct Fields<'a>([Option<&'a str>; 7]);

impl<'a> Fields<'a> {
    const KEYS: [&'static str; 7] = ["name", "type", "start", "min", "max", "c", "r"];

    fn take(&mut self, part: &'a str) -> Result<(), ParameterError> {
        let found = part.split_once('=').and_then(|(key, value)| {
            let place = Self::KEYS.iter().position(|&known| known == key.trim())?;
            Some((place, value.trim()))
        });
        let Some((place, value)) = found else {
            let text = part.to_owned();
            return Err(ParameterError::Key { text });
        };
        match self.0[place].replace(value) {
            None => Ok(()),
            Some(_) => Err(ParameterError::Twice {
                key: Self::KEYS[place],
            }),
        }
    }
}

fn number(key: &'static str, text: &str) -> Result<f64, ParameterError> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ParameterError::Number {
        key,
        text: text.to_owned(),
    })
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
        let rows = [
            (
                "a",
                "'a' is not one of name=, type=, start=, min=, max=, c=, r=",
            ),
            (
                "step=3",
                "'step=3' is not one of name=, type=, start=, min=, max=, c=, r=",
            ),
            ("name=a,name=b", "name= is given twice"),
            ("name=a,min=0,max=9", "start= is missing"),
            ("start=1,min=0,max=9", "name= is missing"),
            ("name=a,type=bool", "type 'bool', expected int or float"),
            ("name=a,min=x", "min 'x' is not a number"),
            ("name=a,min=0,max=nan", "max 'nan' is not a number"),
            (
                "name=,start=1,min=0,max=9",
                "name is , expected the name of an option",
            ),
            (
                "name=a,start=1,min=0.5,max=9",
                "min is 0.5, expected a whole number for the type int",
            ),
            (
                "name=a,start=1,min=1,max=1",
                "max is 1, expected more than min, 1",
            ),
            (
                "name=a,start=10,min=0,max=9",
                "start is 10, expected 0 to 9",
            ),
            (
                "name=a,start=1,min=0,max=9,c=0.4",
                "c_end is 0.4, expected 0.5 to 9",
            ),
            (
                "name=a,type=float,start=1,min=0,max=9,c=0",
                "c_end is 0, expected more than 0 to 9",
            ),
            (
                "name=a,start=1,min=0,max=9,r=2",
                "r_end is 2, expected more than 0, at most 1",
            ),
        ];
        for (text, message) in rows {
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
        assert_eq!(check_list(&[]), Err(ParameterListError::Empty));
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

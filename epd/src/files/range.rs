//! Number ranges on the command line.

use std::str::FromStr;

/// `5` alone, `5..`, `..32`, or `5..32`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    least: i64,
    most: i64,
}

impl Range {
    /// Whether the range contains a number.
    pub(crate) const fn contains(self, number: i64) -> bool {
        self.least <= number && number <= self.most
    }
}

/// Not a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a range, expected one such as 5, 5.., ..32 or 5..32")]
pub(crate) struct ParseRangeError(String);

impl FromStr for Range {
    type Err = ParseRangeError;

    fn from_str(text: &str) -> Result<Self, ParseRangeError> {
        let fail = || ParseRangeError(text.to_owned());
        let number = |text: &str| text.parse::<i64>().map_err(|_| fail());
        let (least, most) = match text.split_once("..") {
            None => (number(text)?, number(text)?),
            Some(("", "")) => return Err(fail()),
            Some((least, "")) => (number(least)?, i64::MAX),
            Some(("", most)) => (i64::MIN, number(most)?),
            Some((least, most)) => (number(least)?, number(most)?),
        };
        if least > most {
            return Err(fail());
        }
        Ok(Self { least, most })
    }
}

/// A condition on the number of an opcode: `acd=20..`, `dm=..3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberRange {
    /// The opcode.
    pub(crate) opcode: String,
    /// The range of its number.
    pub(crate) range: Range,
}

impl FromStr for NumberRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (opcode, range) = text
            .split_once('=')
            .ok_or("expected OPCODE=RANGE, such as acd=20..")?;
        if !crate::operation::is_standard_opcode(opcode) {
            return Err(format!("'{opcode}' is not an opcode"));
        }
        let range = range
            .parse()
            .map_err(|error: ParseRangeError| error.to_string())?;
        Ok(Self {
            opcode: opcode.to_owned(),
            range,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges() {
        for (text, inside, outside) in [
            ("5", vec![5], vec![4, 6]),
            ("5..", vec![5, 900], vec![4]),
            ("..3", vec![-7, 3], vec![4]),
            ("-50..50", vec![-50, 0, 50], vec![-51, 51]),
        ] {
            let range: Range = text.parse().unwrap();
            assert!(
                inside.iter().all(|&number| range.contains(number)),
                "{text}"
            );
            assert!(
                !outside.iter().any(|&number| range.contains(number)),
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_what_is_no_range() {
        for text in ["", "..", "a", "5-7", "7..5", "1...2"] {
            let error = text.parse::<Range>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("'{text}' is not a range, expected one such as 5, 5.., ..32 or 5..32")
            );
        }
        assert!("acd".parse::<NumberRange>().is_err());
        assert!("a d=5".parse::<NumberRange>().is_err());
        assert_eq!("dm=..3".parse::<NumberRange>().unwrap().opcode, "dm");
    }
}

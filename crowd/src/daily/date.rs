//! UTC days and their dates.

use std::fmt;
use std::str::FromStr;

use time::{Date, Month, Weekday};

use crate::model::Timestamp;

/// A UTC day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

/// The text is not a date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a date such as 2026-11-26")]
pub struct ParseDayError(pub String);

/// The Julian day of 1970-01-01.
const EPOCH: i32 = 2_440_588;

impl Day {
    pub fn from_timestamp(at: Timestamp) -> Self {
        Self(at.day())
    }

    /// The day so many days earlier.
    #[must_use]
    pub fn before(self, days: i64) -> Self {
        Self(self.0.saturating_sub(days))
    }

    /// When it begins.
    pub fn start(self) -> Timestamp {
        Timestamp(self.0.saturating_mul(Timestamp::DAY_MS))
    }

    /// When it ends, which is when the next one begins.
    pub fn end(self) -> Timestamp {
        Self(self.0.saturating_add(1)).start()
    }

    pub fn weekday(self) -> Weekday {
        self.date().weekday()
    }

    /// In the calendar; days that it does not reach are its first or its last.
    pub fn date(self) -> Date {
        let julian = i32::try_from(self.0).map_or(i32::MAX, |day| day.saturating_add(EPOCH));
        Date::from_julian_day(julian).unwrap_or(if self.0 < 0 { Date::MIN } else { Date::MAX })
    }
}

/// In ISO 8601: "2026-11-26".
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date();
        let month = u8::from(date.month());
        write!(f, "{:04}-{month:02}-{:02}", date.year(), date.day())
    }
}

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, ParseDayError> {
        let read = || {
            let mut parts = text.split('-');
            let mut number = |digits: usize| {
                let part = parts.next()?;
                // All digits are needed, so that a day has one address.
                let is_number = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
                is_number.then(|| part.parse::<u16>().ok()).flatten()
            };
            let (year, month, day) = (number(4)?, number(2)?, number(2)?);
            let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
            let day = u8::try_from(day).ok()?;
            let date = Date::from_calendar_date(i32::from(year), month, day).ok()?;
            let is_whole = parts.next().is_none();
            is_whole.then(|| Self(i64::from(date.to_julian_day() - EPOCH)))
        };
        read().ok_or_else(|| ParseDayError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates_and_back() {
        for (text, day) in [
            ("1970-01-01", 0),
            ("2024-02-29", 19_782),
            ("2026-11-26", 20_783),
        ] {
            assert_eq!(text.parse(), Ok(Day(day)));
            assert_eq!(Day(day).to_string(), text);
        }
        assert_eq!(Day(20_783).weekday(), Weekday::Thursday);
        let noon = Timestamp(20_783 * 86_400_000 + 43_200_000);
        assert_eq!(Day::from_timestamp(noon), Day(20_783));
        assert_eq!(Day(1).end().0 - Day(1).start().0, 86_400_000);
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-11-31",
            "2025-02-29",
            "2026-11-26-1",
            "2026-1-1",
            "+026-11-26",
            "2026-13-01",
            "26-11-2026",
            "2026-11-26 ",
            "٢٠٢٦-11-26",
        ] {
            assert_eq!(text.parse::<Day>(), Err(ParseDayError(text.to_owned())));
        }
        assert_eq!(
            ParseDayError("x".to_owned()).to_string(),
            "'x' is not a date such as 2026-11-26"
        );
    }

    #[test]
    fn days_beyond_the_calendar_are_still_shown() {
        for day in [i64::MIN, i64::MAX] {
            assert!(!Day(day).to_string().is_empty());
        }
    }
}

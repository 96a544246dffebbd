//! Calendar dates from milliseconds since 1970. Pure.

/// A point in time, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcTime {
    /// Year, such as 2009.
    pub year: u64,
    /// Month, from 1.
    pub month: u64,
    /// Day of the month, from 1.
    pub day: u64,
    /// Hour, 0 to 23.
    pub hour: u64,
    /// Minute, 0 to 59.
    pub minute: u64,
    /// Second, 0 to 59.
    pub second: u64,
}

const DAYS_OF_MONTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

impl UtcTime {
    /// Converts milliseconds since 1970; as in Unix time, leap seconds are not counted.
    pub fn of_milliseconds(since_1970: u64) -> Self {
        let seconds = since_1970 / 1000;
        let (year, day_of_year) = year_and_day(seconds / 86_400);
        let (month, day) = month_and_day(year, day_of_year);
        Self {
            year,
            month,
            day,
            hour: seconds / 3600 % 24,
            minute: seconds / 60 % 60,
            second: seconds % 60,
        }
    }

    /// The value of the PGN tags `Date` and `UTCDate`.
    pub fn date(&self) -> String {
        format!("{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }

    /// The value of the PGN tag `UTCTime`.
    pub fn time(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

const fn is_leap(year: u64) -> bool {
    (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
}

/// The year and the day of the year, from 0. Every 400 years have the same number of days.
fn year_and_day(days: u64) -> (u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let mut year = 1970 + days / DAYS_OF_400_YEARS * 400;
    let mut rest = days % DAYS_OF_400_YEARS;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if rest < length {
            return (year, rest);
        }
        rest -= length;
        year += 1;
    }
}

fn month_and_day(year: u64, day_of_year: u64) -> (u64, u64) {
    let mut rest = day_of_year;
    for (month, days) in (1..).zip(DAYS_OF_MONTHS) {
        let days = days + u64::from(month == 2 && is_leap(year));
        if rest < days {
            return (month, rest + 1);
        }
        rest -= days;
    }
    unreachable!("a year has no more days than its months")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_that_are_known() {
        let rows = [
            (0, "1970.01.01", "00:00:00"),
            (951_782_399_999, "2000.02.28", "23:59:59"),
            (951_782_400_000, "2000.02.29", "00:00:00"),
            (951_868_800_000, "2000.03.01", "00:00:00"),
            (1_234_567_890_123, "2009.02.13", "23:31:30"),
            (4_107_542_400_000, "2100.03.01", "00:00:00"),
            (253_402_300_799_000, "9999.12.31", "23:59:59"),
        ];
        for (milliseconds, date, time) in rows {
            let found = UtcTime::of_milliseconds(milliseconds);
            assert_eq!((&*found.date(), &*found.time()), (date, time));
        }
    }
}

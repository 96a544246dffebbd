//! Values of options that several programs take, in the same form everywhere.

use std::time::Duration;

/// Parses `NAME=VALUE`, such as `Hash=16`; blanks around either are ignored.
///
/// # Errors
///
/// When there is no `=`; the text says what was expected.
pub fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected NAME=VALUE, such as Hash=16")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Parses a UCI option, `NAME=VALUE`, or the name of a button.
///
/// # Errors
///
/// None: every text is one.
pub fn option(text: &str) -> Result<(String, Option<String>), std::convert::Infallible> {
    Ok(match text.split_once('=') {
        Some((name, value)) => (name.trim().to_owned(), Some(value.trim().to_owned())),
        None => (text.trim().to_owned(), None),
    })
}

/// Parses a time such as `1s`, `250ms`, `1.5s`, `2m` or `1h`; a number alone is seconds.
///
/// # Errors
///
/// When the text has another form, or the time is not from 1 ms to 1000000 s; the text says what was expected.
pub fn time(text: &str) -> Result<Duration, String> {
    let time = read_time(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected a time from 1ms to 1000000s, such as 1s, 250ms or 2m".to_owned())
}

/// Parses a time per move as [`time`] does, except that a whole number from 10 on needs its unit: other
/// programs count in seconds, UCI in milliseconds.
///
/// # Errors
///
/// As for [`time`], and without a unit; the text says what was expected.
pub fn move_time(text: &str) -> Result<Duration, String> {
    const MOST_BARE: Duration = Duration::from_secs(10);
    let time = time(text)?;
    if time >= MOST_BARE && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!(
            "write {text}ms (UCI's movetime counts milliseconds) or {text}s"
        ));
    }
    Ok(time)
}

/// Parses a time as [`time`] does, or zero: for margins.
///
/// # Errors
///
/// When the text has another form, or the time is neither zero nor from 1 ms to 1000000 s; the text says what was
/// expected.
pub fn time_or_zero(text: &str) -> Result<Duration, String> {
    read_time(text).ok_or_else(|| {
        "expected 0, or a time from 1ms to 1000000s, such as 1s, 250ms or 2m".to_owned()
    })
}

fn read_time(text: &str) -> Option<Duration> {
    let units = [
        ("ms", 0.001),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
        ("", 1.0),
    ];
    let (number, unit) = units
        .into_iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))?;
    // Not what else is a number to Rust: `1e3`, `+1`, `.5`, `inf`.
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if number.split('.').count() > 2 || !number.split('.').all(is_digits) {
        return None;
    }
    let seconds = number.parse::<f64>().ok()? * unit;
    let is_valid = seconds == 0.0 || (0.001..=1e6).contains(&seconds);
    is_valid.then(|| Duration::from_secs_f64(seconds))
}

/// Parses a size of memory in MiB: `64`, `64MB`, `64MiB`, `1GB` or `1GiB`; as everywhere in chess, MB
/// is 2^20 bytes.
///
/// # Errors
///
/// When the text has another form or is beyond 64 TiB; the text says what was expected.
pub fn mebibytes(text: &str) -> Result<u64, String> {
    const MOST: u64 = 64 << 20;
    let units = [("MiB", 1), ("MB", 1), ("GiB", 1024), ("GB", 1024), ("", 1)];
    units
        .into_iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))
        // Parsing alone would accept a sign.
        .filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|(number, unit)| number.parse::<u64>().ok()?.checked_mul(unit))
        .filter(|&size| size <= MOST)
        .ok_or_else(|| "expected a size in MiB, such as 64, 64MB or 1GB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        for (text, milliseconds) in [
            ("60", 60_000),
            ("0.01", 10),
            ("1.5s", 1_500),
            ("250ms", 250),
            ("1ms", 1),
            ("2m", 120_000),
            ("1.5h", 5_400_000),
            ("1000000s", 1_000_000_000),
        ] {
            assert_eq!(
                time(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in [
            "", "0", "0.5ms", "1000001s", "1d", "1e3", "+1", "-1", ".5", "1.", "1.2.3", "NaN",
            "inf", "1 s",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_per_move_that_may_be_milliseconds_needs_its_unit() {
        for text in ["100ms", "0.1", "9", "100s", "10.5", "2m"] {
            assert_eq!(move_time(text), time(text), "{text}");
        }
        for text in ["10", "100", "5000"] {
            let expected =
                format!("write {text}ms (UCI's movetime counts milliseconds) or {text}s");
            assert_eq!(move_time(text), Err(expected));
        }
        assert!(move_time("0").is_err());
    }

    #[test]
    fn only_margins_may_be_zero() {
        for text in ["0", "0ms", "0.0s"] {
            assert_eq!(time_or_zero(text), Ok(Duration::ZERO), "{text}");
            assert!(time(text).is_err(), "{text}");
        }
        assert_eq!(time_or_zero("50ms"), Ok(Duration::from_millis(50)));
        let error = time_or_zero("0.5ms").expect_err("too short");
        assert!(
            error.starts_with("expected 0, or a time from 1ms"),
            "{error}"
        );
    }

    #[test]
    fn sizes_are_mebibytes() {
        for (text, size) in [
            ("0", 0),
            ("64", 64),
            ("64MB", 64),
            ("64MiB", 64),
            ("2GB", 2048),
            ("2GiB", 2048),
            ("65536GB", 64 << 20),
        ] {
            assert_eq!(mebibytes(text), Ok(size), "{text}");
        }
        for text in [
            "",
            "MB",
            "-1",
            "+1",
            "1.5GB",
            "1KB",
            "1 MB",
            "65537GB",
            "99999999999999999999",
        ] {
            assert!(mebibytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_may_hold_anything() {
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(name_and_value("Hash=16"), pair("Hash", "16"));
        assert_eq!(
            name_and_value("Clear Hash = a=b "),
            pair("Clear Hash", "a=b")
        );
        assert!(name_and_value("Hash").is_err());
    }
}

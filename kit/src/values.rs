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

/// Parses a time such as `1s`, `250ms`, `1.5s` or `2m`; a number alone is seconds.
///
/// # Errors
///
/// When the text has another form, or the time is not from 1 ms to 1000000 s; the text says what was expected.
pub fn time(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time from 1ms to 1000000s, such as 1s, 250ms or 2m".to_owned();
    let (number, unit) = if let Some(number) = text.strip_suffix("ms") {
        (number, 0.001)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else {
        (text, 1.0)
    };
    // Not what else is a number to Rust: `1e3`, `+1`, `.5`, `inf`.
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if number.split('.').count() > 2 || !number.split('.').all(is_digits) {
        return Err(expected());
    }
    let number: f64 = number.parse().map_err(|_| expected())?;
    let seconds = number * unit;
    if (0.001..=1e6).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(expected())
    }
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
            ("1000000s", 1_000_000_000),
        ] {
            assert_eq!(
                time(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in [
            "", "0", "0.5ms", "1000001s", "1h", "1e3", "+1", "-1", ".5", "1.", "1.2.3", "NaN",
            "inf", "1 s",
        ] {
            assert!(time(text).is_err(), "{text}");
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

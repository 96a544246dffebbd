//! Numbers and times as pages show them. Pure.

use selfplay::lab::spec::LimitsSpec;
use selfplay::lab::summary::Interval;
use selfplay::model::SprtConfig;
use time::OffsetDateTime;

/// A number with narrow spaces between thousands.
#[expect(
    clippy::needless_pass_by_value,
    reason = "numbers, and texts that are too large for one"
)]
pub(crate) fn grouped(digits: impl ToString) -> String {
    let digits = digits.to_string();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            // ISO 80000-1 separates groups by a small space; this one does not break the line.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// `+3.14 [+0.50, +5.78]`.
pub(crate) fn interval(value: &Interval) -> String {
    let Interval {
        value,
        lower,
        upper,
    } = value;
    format!("{value:+.2} [{lower:+.2}, {upper:+.2}]")
}

/// A time for people and for machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Such as `2026-11-26 09:30 UTC`.
    pub(crate) text: String,
    /// As in the attribute `datetime` of HTML.
    pub(crate) machine: String,
}

impl Moment {
    /// A time in milliseconds since 1970; nothing after the year 9999.
    pub(crate) fn new(ms: i64) -> Self {
        let Ok(at) = OffsetDateTime::from_unix_timestamp(ms.div_euclid(1000)) else {
            return Self::default();
        };
        let (date, hour, minute) = (at.date(), at.hour(), at.minute());
        Self {
            text: format!("{date} {hour:02}:{minute:02} UTC"),
            machine: format!("{date}T{hour:02}:{minute:02}Z"),
        }
    }
}

/// A time of RFC 3339 in UTC, for people: to the minute.
pub(crate) fn moment(rfc3339: &str) -> String {
    match rfc3339.split_once('T') {
        Some((date, time)) if time.is_char_boundary(5) && time.len() >= 5 => {
            format!("{date} {} UTC", &time[..5])
        }
        _ => rfc3339.to_owned(),
    }
}

/// How long ago something was, roughly: `12 s`, `5 min`, `3 h`, `2 d`.
pub(crate) fn ago(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    match seconds {
        0..=99 => format!("{seconds} s ago"),
        100..=5999 => format!("{} min ago", seconds / 60),
        6000..=172_799 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

/// Bounds of a sequential test, with their model and errors.
pub(crate) fn shown_bounds(bounds: &SprtConfig) -> String {
    let SprtConfig {
        elo0,
        elo1,
        alpha,
        beta,
        ..
    } = bounds;
    let model = serde_json::to_value(bounds.model).unwrap_or_default();
    let model = model.as_str().unwrap_or_default();
    format!("[{elo0:.2}, {elo1:.2}] {model}, α {alpha}, β {beta}")
}

/// `10+0.1`, `500 nodes`, and so on.
pub(crate) fn limits(limits: &LimitsSpec) -> String {
    let mut parts = Vec::new();
    parts.extend(limits.tc.clone());
    parts.extend(limits.movetime_ms.map(|ms| format!("{ms} ms a move")));
    parts.extend(
        limits
            .nodes
            .map(|nodes| format!("{} nodes", grouped(nodes))),
    );
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let rows = [
            ("0", "0"),
            ("999", "999"),
            ("3195901860", "3\u{202f}195\u{202f}901\u{202f}860"),
            ("?", "?"),
        ];
        for (digits, expected) in rows {
            assert_eq!(grouped(digits), expected);
        }
    }

    #[test]
    fn moments_are_in_utc() {
        let rows = [
            (0, "1970-01-01 00:00 UTC"),
            (1_700_000_000_000, "2023-11-14 22:13 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (-1, "1969-12-31 23:59 UTC"),
        ];
        for (ms, expected) in rows {
            assert_eq!(Moment::new(ms).text, expected);
        }
        assert_eq!(Moment::new(0).machine, "1970-01-01T00:00Z");
        assert_eq!(moment("2026-11-26T09:30:59.5Z"), "2026-11-26 09:30 UTC");
        assert_eq!(moment("never"), "never");
    }

    #[test]
    fn ages_are_rough() {
        let rows = [
            (-5, "0 s ago"),
            (12_000, "12 s ago"),
            (300_000, "5 min ago"),
            (10_800_000, "3 h ago"),
            (864_000_000, "10 d ago"),
        ];
        for (ms, expected) in rows {
            assert_eq!(ago(ms), expected);
        }
    }
}

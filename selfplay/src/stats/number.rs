//! Conversions of numbers for computing and for JSON. Pure.

use serde::{Serialize as _, Serializer};

#[expect(
    clippy::cast_precision_loss,
    reason = "counts are below 2^53; what is not may be rounded"
)]
pub(crate) const fn to_f64(count: u64) -> f64 {
    count as f64
}

/// Rounds to 12 significant digits, as in all JSON output; `None` (JSON: null) if the number is
/// infinite or NaN.
pub(crate) fn twelve_digits(number: f64) -> Option<f64> {
    // One digit before the point, eleven after it.
    let rounded: f64 = format!("{number:.11e}").parse().ok()?;
    // Adding 0.0 turns -0.0 into 0.0.
    rounded.is_finite().then_some(rounded + 0.0)
}

/// Serializes a number, or an optional one, as [`twelve_digits`].
pub(crate) fn digits<N: Copy + Into<Option<f64>>, S: Serializer>(
    number: &N,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let number: Option<f64> = (*number).into();
    number.and_then(twelve_digits).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        let rows = [
            (1.0 / 3.0, Some(0.333_333_333_333)),
            (-0.0, Some(0.0)),
            (123_456_789_012_345.0, Some(123_456_789_012_000.0)),
            (1e-300, Some(1e-300)),
            (f64::INFINITY, None),
            (f64::NAN, None),
        ];
        for (number, expected) in rows {
            assert_eq!(twelve_digits(number), expected, "{number}");
        }
        assert!(twelve_digits(-0.0).is_some_and(f64::is_sign_positive));
    }
}

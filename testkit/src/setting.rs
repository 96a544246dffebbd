//! The scale of a test.

/// How many of something a test tries: `default`, or `long` times the number in `TOUCHSTONE_LONG`, which
/// `scripts/test long` sets to 1. A test that makes no sense below its full size is instead marked
/// `#[ignore = "long: what it proves"]`.
pub fn scale(default: u64, long: u64) -> u64 {
    number("TOUCHSTONE_LONG").map_or(default, |times| long.saturating_mul(times))
}

/// So many of the items, from all over the list, or in a long run all of them.
pub fn some<T>(items: Vec<T>, default: usize) -> Vec<T> {
    let step = match number("TOUCHSTONE_LONG") {
        None => items.len().div_ceil(default).max(1),
        Some(_) => 1,
    };
    items.into_iter().step_by(step).collect()
}

/// The number in an environment variable, if it is set.
///
/// # Panics
///
/// When it is not a number.
#[expect(
    clippy::disallowed_methods,
    reason = "a test reads its scale from the environment"
)]
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let Ok(number) = text.parse() else {
        panic!("{name} is '{text}', expected a number");
    };
    Some(number)
}

/// The number in the environment variable `name`, or `default` where there is none.
pub fn setting(name: &str, default: u64) -> u64 {
    number(name).unwrap_or(default)
}

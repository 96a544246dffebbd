//! The scale of a test.

/// The number in the environment variable `name`, or `default` where there is none.
#[expect(
    clippy::disallowed_methods,
    reason = "a test reads its scale from the environment"
)]
pub fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is '{text}', expected a number")),
        Err(_) => default,
    }
}

/// How many positions to try: `TOUCHSTONE_POSITIONS`, or `default`.
pub fn wanted_positions(default: u64) -> u64 {
    setting("TOUCHSTONE_POSITIONS", default)
}

//! The scale of a test.

/// The number in the environment variable `name`, or `default` where there is none.
#[expect(
    clippy::disallowed_methods,
    reason = "a test reads its scale from the environment"
)]
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is '{text}', expected a number")),
        Err(_) => default,
    }
}

//! What the tests on random games share.

mod setting;
mod starts;

pub(crate) use starts::random_start;

/// How many positions to try: `TOUCHSTONE_POSITIONS`, or `default`.
pub(crate) fn wanted_positions(default: u64) -> u64 {
    setting::setting("TOUCHSTONE_POSITIONS", default)
}

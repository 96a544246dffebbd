//! What the tests of several crates share: random positions and games, the scale of a test, and
//! python-chess as a judge. Nothing but tests depends on it.

pub mod games;
pub mod positions;
pub mod python;
mod setting;
mod starts;

pub use setting::{setting, wanted_positions};
pub use starts::random_start;

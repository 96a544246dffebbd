//! The texts, for people and for programs.

mod check;
mod json;
mod verify;

pub use check::check_human;
pub use json::{check_json, verify_json};
pub use verify::verify_human;

/// `one` or `many`, with the number.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

//! Reports for people and programs.

mod check;
mod json;
mod verify;

pub use check::check_human;
pub use json::{check_json, verify_json};
pub use verify::verify_human;

/// The number with the singular or plural.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

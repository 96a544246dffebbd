//! Checks of the whole workspace.

/// Rows of a test table: what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

mod architecture;
mod docs;
mod functions;
mod licences;
mod modules;
mod unsafe_code;

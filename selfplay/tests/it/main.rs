//! The library and the program `selfplay`, against files, fake engines and published numbers.

/// Rows of a test table: what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

mod cli;
mod common;
#[cfg(unix)]
mod compliance;
#[cfg(target_os = "linux")]
mod faults;
mod golden;
#[cfg(unix)]
mod many;
mod properties;
mod report;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod tune;

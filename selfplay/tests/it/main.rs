//! The library and the program `selfplay`, against files, fake engines and published numbers.

/// Rows of a test table: what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

#[cfg(target_os = "linux")]
mod browser;
mod cli;
mod common;
mod compliance;
mod fastchess;
mod faults;
mod foreign;
mod golden;
#[cfg(feature = "fleet")]
mod lab;
mod many;
mod properties;
#[cfg(unix)]
mod queue;
mod report;
mod run;
mod simulation;
mod tune;

//! The library and the program `selfplay`, against files, fake engines and published numbers.

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

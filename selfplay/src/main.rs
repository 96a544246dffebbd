//! The program `selfplay`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    selfplay::cli::main()
}

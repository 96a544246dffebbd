//! The program `epd`; all code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    epd::cli::main()
}

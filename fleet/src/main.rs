//! The program `fleet`; all code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    fleet::cli::main()
}

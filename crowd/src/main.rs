//! The program `crowd`; all code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    crowd::cli::main()
}

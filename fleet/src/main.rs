//! The program `fleet`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    fleet::cli::main()
}

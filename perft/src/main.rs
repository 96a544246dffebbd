//! The program `perft`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    perft::cli::main()
}

//! The program `fleet`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fleet::cli::main()
}

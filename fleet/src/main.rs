//! The program `fleet`.

fn main() {}

//! `cargo run -p touchstone-xtask` regenerates the drawings of `docs/ARCHITECTURE.md`;
//! `cargo run -p touchstone-xtask -- functions` lists the private functions with one caller.
#![expect(clippy::disallowed_methods, reason = "the page is read and written")]
#![expect(clippy::print_stdout, reason = "the result")]

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::args().nth(1).as_deref() {
        None => {
            let path = root.join("docs/ARCHITECTURE.md");
            let page = std::fs::read_to_string(&path)?;
            std::fs::write(&path, xtask::with_drawings(&page, &root))
        }
        Some("functions") => {
            for (name, functions) in xtask::functions_by_crate(&root) {
                let (found, count) = (functions.with_one_caller.len(), functions.count);
                let percent = 100.0 * functions.share();
                println!("{name}: {found} of {count} private functions, {percent:.1} %");
                for function in functions.with_one_caller {
                    println!("    {function}");
                }
            }
            Ok(())
        }
        Some(other) => Err(io::Error::other(format!(
            "unknown task '{other}', expected functions, or none for the drawings"
        ))),
    }
}

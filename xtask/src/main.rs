//! `cargo run -p touchstone-xtask` makes the drawings of `docs/ARCHITECTURE.md` anew.
#![expect(clippy::disallowed_methods, reason = "the page is read and written")]

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("docs/ARCHITECTURE.md");
    let page = std::fs::read_to_string(&path)?;
    std::fs::write(&path, xtask::with_drawings(&page, &root))
}

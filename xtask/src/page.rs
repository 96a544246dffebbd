//! The drawings of `docs/ARCHITECTURE.md`.

use std::path::Path;

use crate::{Modules, Uses, drawing};

/// With what a drawing begins and ends: Mermaid's language, which GitHub draws.
const BEGIN: &str = "```mermaid\n";
const END: &str = "```\n";

/// The page with each drawing made anew: one follows each line `<!-- modules of CRATE/src/lib.rs -->`.
///
/// # Panics
///
/// When such a line names no source, or no drawing follows it.
#[must_use]
pub fn with_drawings(page: &str, repository: &Path) -> String {
    let mut parts = page.split("<!-- modules of ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (source, rest) = part
            .split_once(" -->\n")
            .expect("the comment ends its line");
        let rest = rest.strip_prefix(BEGIN).expect("a drawing follows");
        let (_, rest) = rest.split_once(END).expect("the drawing ends");
        let neighbours = Uses::of(&Modules::read(&repository.join(source))).below(&[]);
        let drawing = drawing(&neighbours);
        text.extend([
            "<!-- modules of ",
            source,
            " -->\n",
            BEGIN,
            &drawing,
            END,
            rest,
        ]);
    }
    text
}

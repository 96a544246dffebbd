//! What the sources of the workspace say of its structure, each read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use crate::modules::Modules;
use crate::uses::{Uses, drawing};

/// Which module uses which in each target of the workspace that is no integration test, by the file that is its root.
///
/// # Panics
///
/// When the workspace cannot be read.
#[must_use]
pub fn structures(workspace: &Path) -> BTreeMap<PathBuf, Uses> {
    let metadata = MetadataCommand::new()
        .no_deps()
        .current_dir(workspace)
        .exec();
    let metadata = metadata.expect("cargo describes the workspace");
    let packages = metadata.workspace_packages().into_iter();
    let targets = packages.flat_map(|package| &package.targets);
    let roots = targets.filter(|target| !target.is_test());
    let roots = roots.map(|target| target.src_path.clone().into_std_path_buf());
    let uses = |root: PathBuf| {
        let uses = Uses::from_modules(&Modules::read(&root));
        (root, uses)
    };
    roots.map(uses).collect()
}

/// Beginning and end of a drawing, in Mermaid's language, which GitHub draws.
const BEGIN: &str = "```mermaid\n";
const END: &str = "```\n";

/// The page with each drawing regenerated: one follows each line `<!-- modules of CRATE/src/lib.rs -->`.
///
/// # Panics
///
/// When such a line names no crate with a library, or no drawing follows it.
#[must_use]
pub fn with_drawings(
    page: &str,
    repository: &Path,
    structures: &BTreeMap<PathBuf, Uses>,
) -> String {
    let mut parts = page.split("<!-- modules of ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (source, rest) = part
            .split_once(" -->\n")
            .expect("the comment ends its line");
        let rest = rest.strip_prefix(BEGIN).expect("a drawing follows");
        let (_, rest) = rest.split_once(END).expect("the drawing ends");
        let root = repository.join(source);
        let uses = structures.get(&root);
        let drawing = drawing(&uses.expect("the root of a crate").below(&[]));
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

//! What the sources of the workspace say of its structure, each read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use crate::functions::Functions;
use crate::modules::Modules;
use crate::uses::{Uses, drawing};

/// A crate, as its sources show it.
#[derive(Debug)]
pub struct Structure {
    /// The private functions of its library and its programs.
    pub functions: Functions,
    /// Which module uses which in each of its targets that is no integration test, by the file that is the root.
    pub uses: BTreeMap<PathBuf, Uses>,
}

/// The structure of each crate of the workspace, by the name of its folder.
///
/// # Panics
///
/// When the workspace cannot be read.
#[must_use]
pub fn structures(workspace: &Path) -> BTreeMap<String, Structure> {
    let metadata = MetadataCommand::new()
        .no_deps()
        .current_dir(workspace)
        .exec();
    let metadata = metadata.expect("cargo describes the workspace");
    let mut structures = BTreeMap::new();
    for package in metadata.workspace_packages() {
        let folder = package.manifest_path.parent().expect("a folder");
        let name = folder.file_name().expect("a folder has a name");
        let (mut uses, mut shown) = (BTreeMap::new(), Vec::new());
        for target in package.targets.iter().filter(|target| !target.is_test()) {
            let modules = Modules::read(target.src_path.as_std_path());
            uses.insert(target.src_path.clone().into(), Uses::from_modules(&modules));
            if target.is_lib() || target.is_bin() {
                shown.push(modules);
            }
        }
        let functions = Functions::from_modules(&shown);
        structures.insert(name.to_owned(), Structure { functions, uses });
    }
    structures
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
    structures: &BTreeMap<String, Structure>,
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
        let uses = structures.values().find_map(|it| it.uses.get(&root));
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

//! Everything that our programs are built of may be used and passed on under the licences of this project.
//!
//! Dependencies for tests alone are not passed on: one of them, shakmaty, is under the GPL. Advisories are not
//! looked up: their list is on the network.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};

use crate::{root, text};

/// Licences that ask for no more than their own text and the names of the authors to be passed on.
const ALLOWED: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    // Of data: the certificates of authorities, which are passed on with its text.
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "PostgreSQL",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    // Of the BSD family, see https://spdx.org/licenses/bzip2-1.0.6.html.
    "bzip2-1.0.6",
];

#[test]
fn what_is_built_in_may_be_passed_on() {
    let metadata = MetadataCommand::new()
        .other_options(["--all-features", "--locked", "--offline"].map(str::to_owned))
        .exec()
        .expect("cargo describes the workspace");
    let packages = built_in(&metadata);
    assert!(
        packages.len() > 200,
        "{} packages were found",
        packages.len()
    );
    let mut refused = BTreeMap::new();
    for id in packages {
        let package = &metadata[id];
        let licence = package.license.as_deref().unwrap_or("none");
        if may_be_used(licence) != Ok(true) {
            refused.insert(package.name.to_string(), licence.to_owned());
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
    // A dependency for tests shows that licences are read, and that those are left out.
    let mut all = metadata.packages.iter();
    let oracle = all.find(|package| package.name.as_str() == "shakmaty");
    let licence = oracle.and_then(|package| package.license.as_deref());
    assert_eq!(licence.map(may_be_used), Some(Ok(false)));
}

/// All packages that ours reach as dependencies of the code or of its build.
fn built_in(metadata: &Metadata) -> BTreeSet<&PackageId> {
    let resolve = metadata
        .resolve
        .as_ref()
        .expect("dependencies are resolved");
    let nodes: BTreeMap<&PackageId, _> =
        resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut found = BTreeSet::new();
    let mut open: Vec<&PackageId> = metadata.workspace_members.iter().collect();
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        for dependency in &nodes[id].deps {
            let mut kinds = dependency.dep_kinds.iter();
            if kinds.any(|kind| kind.kind != DependencyKind::Development) {
                open.push(&dependency.pkg);
            }
        }
    }
    found
}

/// The packages of the pages that visitors are given. What is for tests alone (`dev`) is not.
#[test]
fn what_the_pages_are_made_of_may_be_passed_on() {
    let text = text(&root().join("crowd/npm/package-lock.json"));
    let lock: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let packages = lock["packages"].as_object().expect("a list of packages");
    let mut served = 0;
    for (name, package) in packages {
        if package["dev"] == true {
            continue;
        }
        served += 1;
        let licence = package["license"].as_str().unwrap_or("none");
        assert_eq!(may_be_used(licence), Ok(true), "{name}: {licence}");
    }
    assert!(served >= 2, "{served} packages were found");
}

#[test]
fn licences_are_evaluated() {
    for (text, expected) in rows![
        "MIT OR GPL-3.0" => true;
        "MIT/Apache-2.0" => true;
        "Apache-2.0 WITH LLVM-exception OR GPL-2.0" => true;
        "GPL-3.0" => false;
        "MIT AND GPL-3.0" => false;
        "GPL-2.0 WITH Classpath-exception-2.0" => false;
    ] {
        assert_eq!(may_be_used(text), Ok(expected), "{text}");
    }
    assert!(may_be_used("none").is_err());
}

/// Whether a licence expression (SPDX, annex D; `/` is an old way to write `OR`) can be met with licences
/// that are allowed.
fn may_be_used(text: &str) -> Result<bool, spdx::ParseError> {
    let expression = spdx::Expression::parse_mode(text, spdx::ParseMode::LAX)?;
    Ok(expression.evaluate(|required| ALLOWED.contains(&required.to_string().as_str())))
}

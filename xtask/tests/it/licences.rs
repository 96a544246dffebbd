//! Everything that our programs are built of may be used and passed on under the licences of this project.
//!
//! Dependencies for tests alone are not passed on: one of them, shakmaty, is under the GPL. Advisories are not
//! looked up: their list is on the network.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};

/// Licences that ask for no more than their own text and the names of the authors to be passed on.
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "PostgreSQL",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
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
#[expect(clippy::disallowed_methods, reason = "the list of packages is read")]
fn what_the_pages_are_made_of_may_be_passed_on() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../crowd/npm/package-lock.json"
    );
    let text = std::fs::read_to_string(path).expect("the list of packages");
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
fn expressions_are_understood() {
    for text in [
        "MIT",
        "MIT OR GPL-3.0",
        "GPL-3.0 OR (MIT AND Zlib)",
        "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        "MIT/Apache-2.0",
        "Apache-2.0 / GPL-2.0",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
    ] {
        assert_eq!(may_be_used(text), Ok(true), "{text}");
    }
    for text in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "none",
        "MIT AND (GPL-3.0 OR LGPL-2.1)",
        "GPL-2.0 WITH Classpath-exception-2.0",
    ] {
        assert_eq!(may_be_used(text), Ok(false), "{text}");
    }
    for text in ["", "MIT OR", "(MIT", "MIT)", "MIT Zlib", "AND"] {
        assert!(may_be_used(text).is_err(), "{text}");
    }
}

/// Whether a licence expression (SPDX, annex D; `/` is an old way to write `OR`) can be met with licences
/// that are allowed.
fn may_be_used(text: &str) -> Result<bool, String> {
    let spaced = text
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let value = any_of(&mut rest)?;
    match rest {
        [] => Ok(value),
        [word, ..] => Err(format!("'{word}' in '{text}'")),
    }
}

/// Takes a word off the front where it is the one that is looked for.
fn take(rest: &mut &[&str], wanted: &str) -> bool {
    match rest.split_first() {
        Some((&word, behind)) if word == wanted => {
            *rest = behind;
            true
        }
        _ => false,
    }
}

fn any_of(rest: &mut &[&str]) -> Result<bool, String> {
    let mut value = all_of(rest)?;
    while take(rest, "OR") {
        value |= all_of(rest)?;
    }
    Ok(value)
}

fn all_of(rest: &mut &[&str]) -> Result<bool, String> {
    let mut value = one(rest)?;
    while take(rest, "AND") {
        value &= one(rest)?;
    }
    Ok(value)
}

fn one(rest: &mut &[&str]) -> Result<bool, String> {
    if take(rest, "(") {
        let value = any_of(rest)?;
        return take(rest, ")")
            .then_some(value)
            .ok_or_else(|| "an open bracket".to_owned());
    }
    let Some((&name, behind)) = rest.split_first() else {
        return Err("the end, expected a licence".to_owned());
    };
    if matches!(name, "AND" | "OR" | "WITH" | ")") {
        return Err(format!("'{name}', expected a licence"));
    }
    *rest = behind;
    if !take(rest, "WITH") {
        return Ok(ALLOWED.contains(&name));
    }
    let Some((exception, behind)) = rest.split_first() else {
        return Err("the end, expected an exception".to_owned());
    };
    *rest = behind;
    Ok(ALLOWED.contains(&format!("{name} WITH {exception}").as_str()))
}

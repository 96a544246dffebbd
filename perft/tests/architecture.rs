//! The crates depend on each other only along the arrows of `docs/ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::MetadataCommand;

/// Every crate that may exist, with those of ours it may use.
const ARROWS: [(&str, &[&str]); 7] = [
    ("terminal", &[]),
    ("engine", &[]),
    ("fleet", &[]),
    ("epd", &["engine", "terminal"]),
    ("perft", &["terminal", "engine", "epd", "fleet"]),
    ("selfplay", &["terminal", "engine", "epd", "fleet"]),
    ("crowd", &["terminal", "engine", "epd"]),
];

#[test]
fn arrows_are_the_design_s() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> = ARROWS
        .into_iter()
        .map(|(name, uses)| (name, uses.iter().copied().collect()))
        .collect();
    let metadata = MetadataCommand::new()
        .no_deps()
        .exec()
        .expect("cargo describes the workspace");
    let members = metadata.workspace_packages();
    let names: BTreeSet<&str> = members
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    assert!(names.contains("engine") && names.contains("epd") && names.contains("perft"));
    for package in members {
        let name = package.name.as_str();
        let allowed = allowed
            .get(name)
            .unwrap_or_else(|| panic!("the design has no crate {name}"));
        for dependency in &package.dependencies {
            let used = dependency.name.as_str();
            assert!(
                !names.contains(used) || allowed.contains(used),
                "{name} must not depend on {used}"
            );
        }
    }
}

/// Each layer of the engine uses only those before it.
#[test]
#[expect(clippy::disallowed_methods, reason = "the sources are read")]
fn layers_of_the_engine_point_one_way() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src");
    let layers = ["rules", "notation", "perft", "uci", "client"];
    let mut files = 0;
    for (index, layer) in layers.iter().enumerate() {
        let mut folders = vec![std::path::Path::new(source).join(layer)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder of the engine") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                files += 1;
                let text = std::fs::read_to_string(&path).expect("a source file");
                // Tests may use, and docs mention, what lies above.
                let code = text
                    .split("#[cfg(test)]")
                    .next()
                    .unwrap_or_default()
                    .lines();
                let text: String = code
                    .filter(|line| !line.trim_start().starts_with("//"))
                    .collect();
                let is_test = path.file_name().is_some_and(|name| name == "tests.rs");
                for above in layers[index + 1..].iter().filter(|_| !is_test) {
                    let used = format!("crate::{above}");
                    assert!(!text.contains(&used), "{} uses {used}", path.display());
                }
            }
        }
    }
    assert!(files > 20, "the sources were found");
}

//! The crates depend on each other only along the arrows of `docs/ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

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

/// Every layer of the engine that may exist, with those it may use.
const LAYERS: [(&str, &[&str]); 8] = [
    ("rules", &[]),
    ("notation", &["rules"]),
    ("perft", &["rules", "notation"]),
    ("uci", &["rules", "notation", "perft"]),
    ("client", &["rules", "notation", "perft", "uci"]),
    ("book", &["rules", "notation"]),
    ("eval", &["rules"]),
    ("search", &["rules", "eval"]),
];

/// Each layer of the engine uses only those it may.
#[test]
#[expect(clippy::disallowed_methods, reason = "the sources are read")]
fn layers_of_the_engine_point_one_way() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src"));
    let root = std::fs::read_to_string(source.join("lib.rs")).expect("the root of the engine");
    let public = root
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod "));
    for module in public.map(|rest| rest.trim_end_matches(';')) {
        let (_, allowed) = LAYERS
            .into_iter()
            .find(|&(layer, _)| layer == module)
            .unwrap_or_else(|| panic!("the design has no layer {module}"));
        let files = sources(source, module);
        assert!(!files.is_empty(), "the sources of {module} were found");
        for path in files {
            let text = std::fs::read_to_string(&path).expect("a source file");
            // Tests may use, and docs mention, what lies above.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code: String = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            for (other, _) in LAYERS {
                let may = other == module || allowed.contains(&other);
                let uses = code.contains(&format!("crate::{other}"));
                assert!(may || !uses, "{} uses {other}", path.display());
            }
        }
    }
}

/// The source files of one module of the engine, those of tests left out.
fn sources(root: &Path, module: &str) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![root.join(module)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the engine") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "tests.rs") {
                files.push(path);
            }
        }
    }
    files
}

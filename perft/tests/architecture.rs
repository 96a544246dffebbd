//! The crates depend on each other only along the arrows of `docs/ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Every package that may exist, with those of ours it may use. Tests may use `testkit`, too.
const ARROWS: [(&str, &[&str]); 11] = [
    ("touchstone-chess", &[]),
    ("testkit", &["touchstone-chess"]),
    ("terminal", &[]),
    ("engine", &["touchstone-chess"]),
    ("uci", &["touchstone-chess", "engine"]),
    ("fleet", &["terminal"]),
    ("epd", &["touchstone-chess", "engine", "terminal"]),
    (
        "perft",
        &[
            "touchstone-chess",
            "terminal",
            "engine",
            "uci",
            "epd",
            "fleet",
        ],
    ),
    (
        "selfplay",
        &["touchstone-chess", "terminal", "engine", "epd", "fleet"],
    ),
    (
        "crowd",
        &["touchstone-chess", "terminal", "engine", "uci", "epd"],
    ),
    (
        "fuzz",
        &[
            "touchstone-chess",
            "terminal",
            "engine",
            "uci",
            "epd",
            "perft",
            "selfplay",
            "crowd",
        ],
    ),
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
    assert!(names.contains("touchstone-chess") && names.contains("epd") && names.contains("perft"));
    for package in members {
        let name = package.name.as_str();
        let allowed = allowed
            .get(name)
            .unwrap_or_else(|| panic!("the design has no crate {name}"));
        for dependency in &package.dependencies {
            let used = dependency.name.as_str();
            let tests = dependency.kind == DependencyKind::Development && used == "testkit";
            assert!(
                !names.contains(used) || tests || allowed.contains(used),
                "{name} must not depend on {used}"
            );
        }
    }
}

/// Every layer of the chess library that may exist, with those it may use.
const CHESS_LAYERS: [(&str, &[&str]); 4] = [
    ("rules", &[]),
    ("notation", &["rules"]),
    ("pages", &[]),
    ("perft", &["rules", "notation", "pages"]),
];

/// Every layer of the engine that may exist, with those it may use.
const ENGINE_LAYERS: [(&str, &[&str]); 6] = [
    ("uci", &[]),
    ("client", &["uci"]),
    ("book", &[]),
    ("eval", &[]),
    ("tablebase", &[]),
    ("search", &["eval", "tablebase"]),
];

/// Every layer of selfplay that may exist, with those it may use.
const SELFPLAY_LAYERS: [(&str, &[&str]); 22] = [
    ("model", &[]),
    ("digits", &[]),
    ("distinct", &["model"]),
    ("stats", &["model", "digits"]),
    ("pair_test", &["model", "distinct", "stats"]),
    ("games", &["stats"]),
    ("rating", &["digits", "stats", "games"]),
    ("time_control", &["model"]),
    ("openings", &["model"]),
    ("schedule", &["model"]),
    ("referee", &["model"]),
    ("syzygy", &["model", "referee"]),
    ("ledger", &["model", "schedule", "referee", "distinct"]),
    (
        "config",
        &["model", "time_control", "schedule", "stats", "ledger"],
    ),
    ("player", &["model"]),
    ("game", &["model", "player", "referee", "time_control"]),
    (
        "run",
        &[
            "model",
            "distinct",
            "pair_test",
            "schedule",
            "stats",
            "config",
            "game",
            "ledger",
            "openings",
            "player",
            "referee",
        ],
    ),
    (
        "tune",
        &[
            "model", "digits", "stats", "config", "game", "ledger", "openings", "player",
            "referee", "syzygy",
        ],
    ),
    (
        "fleet",
        &[
            "model", "digits", "stats", "config", "game", "ledger", "openings", "player",
            "referee", "run", "schedule", "syzygy",
        ],
    ),
    ("compliance", &[]),
    (
        "report",
        &[
            "model",
            "digits",
            "distinct",
            "pair_test",
            "stats",
            "games",
            "rating",
            "time_control",
            "schedule",
            "fleet",
            "run",
            "tune",
            "compliance",
        ],
    ),
    (
        "cli",
        &[
            "model",
            "stats",
            "games",
            "rating",
            "schedule",
            "openings",
            "referee",
            "syzygy",
            "ledger",
            "config",
            "player",
            "fleet",
            "run",
            "tune",
            "compliance",
            "report",
        ],
    ),
];

#[test]
fn layers_of_chess_point_one_way() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../chess/src"));
    check_layers(source, &CHESS_LAYERS);
}

#[test]
fn layers_of_the_engine_point_one_way() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src"));
    check_layers(source, &ENGINE_LAYERS);
}

#[test]
fn layers_of_selfplay_point_one_way() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../selfplay/src"));
    check_layers(source, &SELFPLAY_LAYERS);
}

/// Each layer uses only those it may, and none above it.
#[expect(clippy::disallowed_methods, reason = "the sources are read")]
fn check_layers(source: &Path, layers: &[(&str, &[&str])]) {
    for (index, (layer, uses)) in layers.iter().enumerate() {
        let below = |other| layers[..index].iter().any(|(layer, _)| layer == other);
        assert!(uses.iter().all(below), "{layer} uses what is above it");
    }
    let root = std::fs::read_to_string(source.join("lib.rs")).expect("the root of the crate");
    // Modules that are not public are tools of all layers, unless they are one.
    let is_layer = |module: &&str| layers.iter().any(|(layer, _)| layer == module);
    let modules = root.lines().filter_map(|line| {
        let line = line.strip_suffix(';')?;
        line.strip_prefix("pub mod ")
            .or_else(|| line.strip_prefix("mod ").filter(is_layer))
    });
    for module in modules {
        let (_, allowed) = layers
            .iter()
            .find(|(layer, _)| *layer == module)
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
            for (other, _) in layers {
                let may = *other == module || allowed.contains(other);
                assert!(
                    may || !uses(&code, other),
                    "{} uses {other}",
                    path.display()
                );
            }
        }
    }
}

/// Whether a source names a module of its crate.
fn uses(code: &str, module: &str) -> bool {
    let name = format!("crate::{module}");
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(&name)
        .any(|(at, _)| !code[at + name.len()..].starts_with(is_part))
}

/// The source files of one module, those of tests left out.
fn sources(root: &Path, module: &str) -> Vec<PathBuf> {
    // What only tests are made of: modules behind `#[cfg(test)]`.
    const OF_TESTS: [&str; 2] = ["tests.rs", "samples.rs"];
    let file = root.join(module).with_extension("rs");
    let mut files: Vec<PathBuf> = file.is_file().then_some(file).into_iter().collect();
    let mut folders: Vec<PathBuf> = vec![root.join(module)];
    folders.retain(|folder| folder.is_dir());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .file_name()
                .is_some_and(|name| OF_TESTS.iter().all(|test| name != *test))
            {
                files.push(path);
            }
        }
    }
    files
}

//! The crates depend on each other only along the arrows of `docs/ARCHITECTURE.md`.
#![expect(clippy::disallowed_methods, reason = "cargo is asked")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cargo_metadata::{DependencyKind, Target};

use crate::{root, structures, text, workspace};

/// Every package that may exist, with those of ours it may use, as the page lists them. Tests may use
/// `testkit`, too.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let page = text(&root().join("docs/ARCHITECTURE.md"));
    let list = page.split("```text\n").nth(1).expect("a list of crates");
    let list = list.split("```").next().expect("the end of the list");
    let arrow = |line: &str| {
        let (name, uses) = line.split_once("->").expect("an arrow");
        let uses = uses.split(';').next().unwrap_or_default().trim();
        let uses = uses.split(", ").filter(|uses| *uses != "nothing of ours");
        (name.trim().to_owned(), uses.map(str::to_owned).collect())
    };
    list.lines().map(arrow).collect()
}

#[test]
fn arrows_are_the_design_s() {
    let arrows = arrows();
    let short = |name: &str| name.strip_prefix("touchstone-").map(str::to_owned);
    let metadata = workspace();
    let members = metadata.workspace_packages();
    assert_eq!(members.len(), arrows.len());
    for package in members {
        let name = short(&package.name).expect("packages are called touchstone-…");
        let allowed = arrows
            .get(&name)
            .unwrap_or_else(|| panic!("the page has no crate {name}"));
        let has_build_script = package.targets.iter().any(Target::is_custom_build);
        for dependency in &package.dependencies {
            let Some(used) = short(&dependency.name) else {
                continue;
            };
            let is_for_tests = dependency.kind == DependencyKind::Development && used == "testkit";
            // Never compiled, they only unite features; see xtask/Cargo.toml.
            let is_idle = dependency.kind == DependencyKind::Build && !has_build_script;
            assert!(
                is_for_tests || is_idle || allowed.contains(&used),
                "{name} must not depend on {used}"
            );
        }
    }
}

/// The names of all crates that a package is built from for its own use, as `cargo tree` lists them.
fn crates_of(package: &str, options: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = Command::new(cargo)
        .args(["tree", "-p", package, "-e", "normal", "--prefix", "none"])
        .args(["--locked", "--offline"])
        .args(options)
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(tree.status.success(), "{tree:?}");
    let listed = String::from_utf8(tree.stdout).expect("UTF-8");
    let names = listed.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

/// Who only reads records and suites builds no command line, no engines and no reports.
#[test]
fn the_library_epd_is_small() {
    let crates = crates_of("touchstone-epd", &["--no-default-features"]);
    assert!(
        crates.contains("touchstone-chess") && crates.len() <= 25,
        "{crates:?}"
    );
}

/// Who builds one program to try it waits for what it needs: no network, no templates, no charts, no
/// server. What uses the network is the feature `fleet`.
#[test]
fn a_program_is_built_from_what_it_needs() {
    const NEVER: &str =
        "axum chrono hyper pgmq quick-junit ring rustls sea-orm sqlx tokio tower ureq utoipa uuid";
    for (program, most, own) in rows![
        "perft", 80 => "askama comfy-table time touchstone-queue";
        "epd", 115 => "touchstone-queue";
        "selfplay", 140 => "";
        "engine", 60 => "askama comfy-table time touchstone-epd";
    ] {
        let crates = crates_of(&format!("touchstone-{program}"), &[]);
        let never = NEVER.split(' ').chain(own.split(' '));
        let found: Vec<&str> = never.filter(|name| crates.contains(*name)).collect();
        assert!(found.is_empty(), "{program} is built from {found:?}");
        assert!(
            crates.len() <= most,
            "{program} is built from {} crates: {crates:?}",
            crates.len()
        );
    }
}

/// Every layer of the chess library that may exist, with those it may use.
const CHESS_LAYERS: [(&str, &[&str]); 5] = [
    ("index_enum", &[]),
    ("rules", &["index_enum"]),
    ("notation", &["rules"]),
    ("pages", &[]),
    ("perft", &["rules", "notation", "pages"]),
];

/// Every layer of the crate `uci` that may exist, with those it may use.
const UCI_LAYERS: [(&str, &[&str]); 15] = rows![
    "grammar" => &[];
    "words" => &[];
    "command_line" => &["words"];
    "lines" => &[];
    "session" => &["grammar"];
    "obedience" => &["grammar", "session"];
    "transcript" => &["lines"];
    "engine_spec" => &["command_line", "words"];
    "process" => &["command_line", "lines", "transcript"];
    "start" => &["command_line", "process"];
    "start_failure" => &["command_line", "words"];
    "xboard" => &["grammar", "lines", "session"];
    "driver" => &["grammar", "lines", "session", "transcript", "process", "start", "start_failure", "xboard"];
    "engine" => &["session", "transcript", "start", "driver"];
    "perft" => &["grammar", "command_line", "transcript", "process", "start", "driver", "engine"];
];

/// Every layer of the engine that may exist, with those it may use.
const ENGINE_LAYERS: [(&str, &[&str]); 3] = [("book", &[]), ("eval", &[]), ("search", &["eval"])];

/// Every layer of selfplay that may exist, with those it may use.
const SELFPLAY_LAYERS: [(&str, &[&str]); 11] = rows![
    "model" => &[];
    "stats" => &["model"];
    "openings" => &["model"];
    "play" => &["model", "stats", "openings"];
    "config" => &["model", "stats", "play"];
    "tune" => &["model", "stats", "openings", "play", "config"];
    "fleet" => &["model", "stats", "openings", "play", "config"];
    "compliance" => &[];
    "report" => &["model", "stats", "play", "tune", "fleet", "compliance"];
    "lab" => &["model", "stats", "openings", "play", "config", "tune", "fleet", "report"];
    "cli" => &["model", "stats", "openings", "play", "config", "tune", "fleet", "lab", "compliance", "report"];
];

#[test]
fn layers_point_one_way() {
    check_layers("chess", &CHESS_LAYERS);
    check_layers("uci", &UCI_LAYERS);
    check_layers("engine", &ENGINE_LAYERS);
    check_layers("selfplay", &SELFPLAY_LAYERS);
}

/// Each layer uses only those it may, and none above it.
fn check_layers(crate_name: &str, layers: &[(&str, &[&str])]) {
    for (index, (layer, uses)) in layers.iter().enumerate() {
        let below = |other| layers[..index].iter().any(|(layer, _)| layer == other);
        assert!(uses.iter().all(below), "{layer} uses what is above it");
    }
    let root = root().join(crate_name).join("src/lib.rs");
    for (layer, used) in structures()[&root].below(&[]) {
        let allowed = layers.iter().find(|(name, _)| *name == layer);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("the design has no layer {layer}"));
        for (used, names) in used {
            assert!(
                allowed.contains(&used.as_str()),
                "{crate_name}: {layer} uses {used} ({names:?})"
            );
        }
    }
}

#[test]
fn no_module_uses_itself_by_way_of_others() {
    let mut circles = Vec::new();
    for (root, uses) in structures() {
        let found = uses.circles().into_iter();
        circles.extend(found.map(|circle| format!("{}: {circle}", root.display())));
    }
    assert!(circles.is_empty(), "circles:\n{}", circles.join("\n"));
}

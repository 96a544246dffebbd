//! What is published: every crate says what it is, and packages name the archives that are made.

use std::collections::BTreeSet;

use cargo_metadata::Package;
use xtask::dist::{PROGRAMS, TargetTriple};

use crate::{root, text, workspace};

/// What is for this workspace alone.
const NOT_PUBLISHED: [&str; 3] = ["touchstone-fuzz", "touchstone-testkit", "touchstone-xtask"];

fn is_published(package: &Package) -> bool {
    package
        .publish
        .as_ref()
        .is_none_or(|places| !places.is_empty())
}

#[test]
fn published_crates_say_what_they_are() {
    let metadata = workspace();
    let members = metadata.workspace_packages();
    let kept = members.iter().filter(|package| !is_published(package));
    let mut kept: Vec<&str> = kept.map(|package| package.name.as_str()).collect();
    kept.sort_unstable();
    assert_eq!(kept, NOT_PUBLISHED);
    let manifest = text(&root().join("Cargo.toml"));
    for package in members.into_iter().filter(|package| is_published(package)) {
        let name = &package.name;
        let folder = package.manifest_path.parent().expect("a file");
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(folder.join(file).is_file(), "{name} has no {file}");
        }
        let readme = text(folder.join("README.md").as_std_path());
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}");
        let description = package.description.as_deref().unwrap_or_default();
        assert!(
            (20..=120).contains(&description.len()),
            "{name}: {description}"
        );
        assert!((1..=5).contains(&package.keywords.len()), "{name}");
        assert!((1..=5).contains(&package.categories.len()), "{name}");
        assert!(package.repository.is_some(), "{name}");
        assert_eq!(
            package.metadata["docs"]["rs"]["all-features"], true,
            "{name}"
        );
        // What it uses of ours is found by its version, of the same release.
        for used in package
            .dependencies
            .iter()
            .filter(|used| used.path.is_some())
        {
            let is_for_tests = used.name == "touchstone-testkit";
            let expected = if is_for_tests {
                "*".to_owned()
            } else {
                format!("^{}", package.version)
            };
            assert_eq!(used.req.to_string(), expected, "{name}: {}", used.name);
        }
        let short = name.strip_prefix("touchstone-").expect("ours");
        assert!(
            manifest.contains(&format!("\n    \"{short}\",\n")),
            "{name} lies in a folder of another name"
        );
    }
}

#[test]
fn packages_name_the_archives() {
    let metadata = workspace();
    let mut found = BTreeSet::new();
    for package in metadata.workspace_packages() {
        let binstall = &package.metadata["binstall"];
        let Some(program) = PROGRAMS
            .iter()
            .find(|it| it.package == package.name.as_str())
        else {
            assert!(binstall.is_null(), "{} is not released", package.name);
            continue;
        };
        let programs = package.targets.iter().filter(|target| target.is_bin());
        let programs: Vec<&str> = programs.map(|target| target.name.as_str()).collect();
        assert_eq!(programs, [program.name]);
        if let Some(feature) = program.feature {
            assert!(package.features.contains_key(feature), "{feature}");
        }
        found.insert(program.name);
        // Named as by `dist`, with cargo-binstall's words for what differs.
        let stem = TargetTriple("{ target }".to_owned()).stem("{ version }");
        let url = format!("{{ repo }}/releases/download/v{{ version }}/{stem}{{ archive-suffix }}");
        assert_eq!(binstall["pkg-url"], url);
        let path = format!("{stem}/bin/{{ bin }}{{ binary-ext }}");
        assert_eq!(binstall["bin-dir"], path);
        for (triple, format, ending) in rows![
            "x86_64-unknown-linux-musl", "txz" => ".tar.xz";
            "aarch64-apple-darwin", "txz" => ".tar.xz";
            "x86_64-pc-windows-gnu", "zip" => ".zip";
            "x86_64-pc-windows-msvc", "zip" => ".zip";
        ] {
            let target = TargetTriple(triple.to_owned());
            assert!(target.archive("1").ends_with(ending), "{triple}");
            let over = &binstall["overrides"][triple]["pkg-fmt"];
            let found = over.as_str().or(binstall["pkg-fmt"].as_str());
            let is_released = target.programs().any(|it| it == *program);
            assert!(!is_released || found == Some(format), "{triple}");
        }
    }
    assert_eq!(found.len(), PROGRAMS.len());
}

/// What is released counts programs alike everywhere.
#[test]
fn the_workflow_builds_what_is_installed() {
    let workflow = text(&root().join(".github/workflows/release.yml"));
    let install = text(&root().join("ci/install"));
    let page = text(&root().join("docs/install.md"));
    let after = |line: &str| {
        Some(
            line.split_once(") target=")?
                .1
                .split(' ')
                .next()?
                .to_owned(),
        )
    };
    let targets: Vec<String> = install
        .lines()
        .filter_map(after)
        .filter(|it| !it.starts_with('"'))
        .collect();
    assert_eq!(targets.len(), 5, "{targets:?}");
    for target in targets {
        assert!(workflow.contains(&format!("target: {target},")), "{target}");
        assert!(page.contains(&target), "{target}");
    }
}

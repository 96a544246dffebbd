//! The bill of materials (SBOM) of an archive, in `CycloneDX` 1.5: what is linked into the programs.

use std::collections::BTreeSet;

use anyhow::Context;
use cargo_metadata::{Metadata, Package, PackageId};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// What stands in the head of a bill.
pub(super) struct BillSubject<'a> {
    /// Name of the archive without its ending.
    pub(super) stem: &'a str,
    pub(super) version: &'a str,
    /// Seconds since 1970.
    pub(super) epoch: i64,
    /// The compiler.
    pub(super) rustc: &'a str,
}

/// Writes the bill as JSON. It has no serial number, which would differ from build to build.
///
/// # Errors
///
/// When there is no such time.
pub(super) fn write(
    subject: &BillSubject<'_>,
    metadata: &Metadata,
    linked: &BTreeSet<PackageId>,
    board: Option<&str>,
) -> anyhow::Result<Vec<u8>> {
    let mut packages: Vec<&Package> = linked.iter().map(|id| &metadata[id]).collect();
    packages.sort_by_key(|package| reference(package));
    let mut components: Vec<Value> = packages.iter().map(|package| of_package(package)).collect();
    // Packages of others are used by ours, not by the archive itself.
    let ours = packages.iter().filter(|package| package.source.is_none());
    let mut direct: Vec<String> = ours.map(|package| reference(package)).collect();
    if let Some(version) = board {
        let reference = format!("pkg:npm/cm-chessboard@{version}");
        components.push(json!({
            "type": "library",
            "bom-ref": reference,
            "name": "cm-chessboard",
            "version": version,
            "scope": "required",
            "licenses": [{ "expression": "MIT AND CC-BY-SA-3.0" }],
            "purl": reference,
        }));
        direct.push(reference);
    }
    let mut dependencies = vec![json!({ "ref": subject.stem, "dependsOn": direct })];
    dependencies.extend(edges(metadata, linked));
    let time = OffsetDateTime::from_unix_timestamp(subject.epoch)?.format(&Rfc3339)?;
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "tools": [
                { "vendor": "The Rust Project", "name": "rustc", "version": subject.rustc },
                { "vendor": "Touchstone", "name": "touchstone-xtask", "version": subject.version },
            ],
            "component": {
                "type": "application",
                "bom-ref": subject.stem,
                "name": "touchstone",
                "version": subject.version,
                "scope": "required",
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
        "dependencies": dependencies,
    });
    let mut json =
        serde_json::to_vec_pretty(&bill).context("cannot write the bill of materials")?;
    json.push(b'\n');
    Ok(json)
}

/// What a package is called within the bill.
fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

fn of_package(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": package.name,
        "version": package.version,
        "scope": "required",
        "purl": reference(package).replace('+', "%2B"),
    });
    if let Some(text) = &package.description {
        component["description"] = text.split_whitespace().collect::<Vec<_>>().join(" ").into();
    }
    if let Some(licence) = &package.license {
        // Older packages write `MIT/Apache-2.0`, which SPDX spells with OR.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    component
}

/// Which linked package uses which.
fn edges(metadata: &Metadata, linked: &BTreeSet<PackageId>) -> Vec<Value> {
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let mut edges: Vec<(String, BTreeSet<String>)> = nodes
        .filter(|node| linked.contains(&node.id))
        .map(|node| {
            let used = node.deps.iter().filter(|used| linked.contains(&used.pkg));
            // A package may be used under several names or for several targets.
            let used = used.map(|used| reference(&metadata[&used.pkg])).collect();
            (reference(&metadata[&node.id]), used)
        })
        .collect();
    edges.sort();
    let edge = |(package, used)| json!({ "ref": package, "dependsOn": used });
    edges.into_iter().map(edge).collect()
}

#[cfg(test)]
mod tests {
    use cyclonedx_bom::models::bom::SpecVersion;
    use cyclonedx_bom::prelude::{Bom, Validate as _};

    use super::*;

    #[test]
    fn a_bill_lists_what_is_linked() {
        let metadata = cargo_metadata::MetadataCommand::new()
            .other_options(["--locked", "--offline", "--all-features"].map(str::to_owned))
            .exec()
            .expect("cargo describes the workspace");
        let names = ["touchstone-chess", "arrayvec", "thiserror"];
        let linked = metadata.packages.iter();
        let linked = linked.filter(|package| names.contains(&package.name.as_str()));
        let linked: BTreeSet<PackageId> = linked.map(|package| package.id.clone()).collect();
        let subject = BillSubject {
            stem: "touchstone-1.2.3-x",
            version: "1.2.3",
            epoch: 1_700_000_000,
            rustc: "rustc 1.95.0",
        };
        let bill = || write(&subject, &metadata, &linked, Some("8.0.0")).expect("a valid bill");
        assert!(bill() == bill(), "the bill differs from time to time");

        let read = Bom::parse_from_json(&*bill()).expect("a bill");
        let validity = read.validate_version(SpecVersion::V1_5);
        assert!(validity.passed(), "{validity:?}");
        let bill: Value = serde_json::from_slice(&bill()).expect("JSON");
        assert_eq!(bill["specVersion"], "1.5");
        assert_eq!(bill["serialNumber"], Value::Null);
        assert_eq!(bill["metadata"]["timestamp"], "2023-11-14T22:13:20Z");
        let components = bill["components"].as_array().expect("a list");
        let names = components
            .iter()
            .map(|it| it["name"].as_str().unwrap_or_default());
        let names: BTreeSet<&str> = names.collect();
        let expected = ["arrayvec", "cm-chessboard", "thiserror", "touchstone-chess"];
        assert_eq!(names, BTreeSet::from(expected));
        for component in components {
            let licence = &component["licenses"][0]["expression"];
            assert!(licence.is_string(), "{component}");
        }
        let edges = bill["dependencies"].as_array().expect("a list");
        let chess = edges.iter().find(|edge| {
            edge["ref"]
                .as_str()
                .is_some_and(|it| it.contains("chess@0"))
        });
        let used = chess.expect("it has edges")["dependsOn"].to_string();
        assert!(used.contains("pkg:cargo/arrayvec@"), "{used}");
        // The whole uses ours, and what ours uses only by way of them.
        assert_eq!(edges[0]["ref"], "touchstone-1.2.3-x");
        assert!(!edges[0]["dependsOn"].to_string().contains("arrayvec"));
    }
}

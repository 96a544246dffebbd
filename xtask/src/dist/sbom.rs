//! The bill of materials (SBOM) of an archive, in `CycloneDX` 1.5: what is linked into the programs.

use std::collections::{BTreeMap, BTreeSet};

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
/// `cargo cyclonedx` would write one for each program, and would list procedural macros, which are not linked.
///
/// # Errors
///
/// When the epoch is no time.
pub(super) fn write(
    subject: &BillSubject<'_>,
    metadata: &Metadata,
    linked: &BTreeSet<PackageId>,
) -> anyhow::Result<Vec<u8>> {
    let packages = metadata.packages.iter();
    let packages = packages.filter(|package| linked.contains(&package.id));
    let packages: BTreeMap<String, &Package> =
        packages.map(|package| (url(package), package)).collect();
    let components: Vec<Value> = packages
        .iter()
        .map(|(url, package)| {
            // Older packages write `MIT/Apache-2.0`, which SPDX spells with OR.
            let licence = package.license.as_deref().unwrap_or("NONE");
            let licence: Vec<&str> = licence.split('/').map(str::trim).collect();
            let version = package.version.to_string();
            let mut component = library(url, &package.name, &version, &licence.join(" OR "));
            component["description"] = package.description.as_deref().unwrap_or_default().into();
            component
        })
        .collect();
    // Packages of others are used by ours, not by the archive itself.
    let is_direct = |url: &&str| url.contains("/touchstone-");
    let urls = components.iter().filter_map(|it| it["bom-ref"].as_str());
    let direct: Vec<&str> = urls.filter(is_direct).collect();
    let mut dependencies = vec![json!({ "ref": subject.stem, "dependsOn": direct })];
    dependencies.extend(edges(metadata, linked));
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": OffsetDateTime::from_unix_timestamp(subject.epoch)?.format(&Rfc3339)?,
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
    Ok(format!("{bill:#}\n").into_bytes())
}

fn library(url: &str, name: &str, version: &str, licence: &str) -> Value {
    json!({
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": version,
        "scope": "required",
        "licenses": [{ "expression": licence }],
        "purl": url,
    })
}

/// The package URL, by which a package is also referred to within the bill.
fn url(package: &Package) -> String {
    // A version is percent-encoded in it (purl-spec); of what versions contain, that is the plus of build metadata.
    let version = package.version.to_string().replace('+', "%2B");
    format!("pkg:cargo/{}@{version}", package.name)
}

/// Which linked package uses which, by their URLs.
fn edges(metadata: &Metadata, linked: &BTreeSet<PackageId>) -> impl Iterator<Item = Value> {
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let edges = nodes.filter(|node| linked.contains(&node.id)).map(|node| {
        let used = node.deps.iter().filter(|used| linked.contains(&used.pkg));
        // A set, for a package may be used under several names or for several targets.
        let used: BTreeSet<String> = used.map(|used| url(&metadata[&used.pkg])).collect();
        (url(&metadata[&node.id]), used)
    });
    let edges: BTreeMap<_, _> = edges.collect();
    edges
        .into_iter()
        .map(|(user, used)| json!({ "ref": user, "dependsOn": used }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_lists_what_is_linked() {
        let metadata = cargo_metadata::MetadataCommand::new()
            .other_options(["--locked", "--offline", "--all-features"].map(str::to_owned))
            .exec()
            .expect("cargo describes the workspace");
        let names = ["touchstone-chess", "arrayvec", "csv"];
        let linked = metadata.packages.iter();
        let linked = linked.filter(|package| names.contains(&package.name.as_str()));
        let linked: BTreeSet<PackageId> = linked.map(|package| package.id.clone()).collect();
        let subject = BillSubject {
            stem: "touchstone-1.2.3-x",
            version: "1.2.3",
            epoch: 1_700_000_000,
            rustc: "rustc 1.95.0",
        };
        let bill = write(&subject, &metadata, &linked).expect("a bill");
        let bill: Value = serde_json::from_slice(&bill).expect("JSON");
        assert_eq!(bill["metadata"]["timestamp"], "2023-11-14T22:13:20Z");
        let components = bill["components"].as_array().expect("a list");
        let found = components
            .iter()
            .map(|it| it["name"].as_str().expect("text"));
        let expected = ["arrayvec", "csv", "touchstone-chess"];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        // Its manifest has `Unlicense/MIT`.
        let licence = &components[1]["licenses"][0]["expression"];
        assert_eq!(licence, "Unlicense OR MIT");

        // The whole uses ours, and what ours uses only by way of them.
        let edges = bill["dependencies"].as_array().expect("a list");
        let chess = format!("pkg:cargo/touchstone-chess@{}", env!("CARGO_PKG_VERSION"));
        assert_eq!(edges[0]["ref"], "touchstone-1.2.3-x");
        assert_eq!(edges[0]["dependsOn"], json!([chess]));
        let of_chess = edges.iter().find(|edge| edge["ref"] == chess);
        let used = of_chess.expect("it has edges")["dependsOn"].to_string();
        assert!(used.contains("pkg:cargo/arrayvec@"), "{used}");
    }
}

//! The bill of materials (SBOM) of an archive, in `CycloneDX` 1.5: what is linked into the programs.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use cargo_metadata::{Metadata, Package, PackageId};
use cyclonedx_bom::external_models::date_time::DateTime;
use cyclonedx_bom::external_models::normalized_string::NormalizedString;
use cyclonedx_bom::external_models::spdx::SpdxExpression;
use cyclonedx_bom::external_models::uri::Purl;
use cyclonedx_bom::models::bom::SpecVersion;
use cyclonedx_bom::models::component::Classification;
use cyclonedx_bom::models::component::Scope;
use cyclonedx_bom::models::dependency::{Dependencies, Dependency};
use cyclonedx_bom::models::license::{LicenseChoice, Licenses};
use cyclonedx_bom::models::metadata::Metadata as Head;
use cyclonedx_bom::models::tool::{Tool, Tools};
use cyclonedx_bom::prelude::{Bom, Component, Components, Validate};
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
/// When a package has no licence expression, or the bill is not valid.
pub(super) fn write(
    subject: &BillSubject<'_>,
    metadata: &Metadata,
    linked: &BTreeSet<PackageId>,
    board: Option<&str>,
) -> anyhow::Result<Vec<u8>> {
    let ours_and_theirs = metadata
        .packages
        .iter()
        .filter(|package| linked.contains(&package.id));
    let packages: BTreeMap<String, &Package> = ours_and_theirs
        .map(|package| (reference(package), package))
        .collect();
    let mut components = Vec::new();
    for (reference, package) in &packages {
        let (name, version) = (package.name.as_str(), package.version.to_string());
        let mut component = component(Classification::Library, name, &version, reference);
        component.purl = Some(Purl::new("cargo", name, &version)?);
        component.description = package.description.as_deref().map(NormalizedString::new);
        if let Some(licence) = &package.license {
            component.licenses = Some(licences(licence)?);
        }
        components.push(component);
    }
    if let Some(version) = board {
        let reference = format!("pkg:npm/cm-chessboard@{version}");
        let mut component = component(
            Classification::Library,
            "cm-chessboard",
            version,
            &reference,
        );
        component.purl = Some(Purl::new("npm", "cm-chessboard", version)?);
        component.licenses = Some(licences("MIT AND CC-BY-SA-3.0")?);
        components.push(component);
    }
    let time = OffsetDateTime::from_unix_timestamp(subject.epoch)?.format(&Rfc3339)?;
    let mut whole = component(
        Classification::Application,
        "touchstone",
        subject.version,
        subject.stem,
    );
    whole.licenses = Some(licences("MIT OR Apache-2.0")?);
    let mut dependencies = edges(metadata, linked);
    let mut direct: Vec<String> = components
        .iter()
        .filter_map(|it| it.bom_ref.clone())
        .collect();
    direct.retain(|reference| {
        // Packages of others are used by ours, not by the archive itself.
        !reference.starts_with("pkg:cargo/") || reference.contains("/touchstone-")
    });
    dependencies.insert(
        0,
        Dependency {
            dependency_ref: subject.stem.to_owned(),
            dependencies: direct,
        },
    );
    let bom = Bom {
        spec_version: SpecVersion::V1_5,
        serial_number: None,
        metadata: Some(Head {
            timestamp: Some(DateTime::try_from(time).context("a time")?),
            tools: Some(Tools::List(vec![
                Tool::new("The Rust Project", "rustc", subject.rustc),
                Tool::new("Touchstone", "touchstone-xtask", subject.version),
            ])),
            component: Some(whole),
            ..Head::default()
        }),
        components: Some(Components(components)),
        dependencies: Some(Dependencies(dependencies)),
        ..Bom::default()
    };
    let result = bom.validate_version(SpecVersion::V1_5);
    anyhow::ensure!(
        result.passed(),
        "the bill of materials is not valid: {result:?}"
    );
    let mut json = Vec::new();
    bom.output_as_json(&mut json, SpecVersion::V1_5)
        .context("cannot write the bill of materials")?;
    json.push(b'\n');
    Ok(json)
}

/// What a package is called within the bill: its package URL.
fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

fn component(kind: Classification, name: &str, version: &str, reference: &str) -> Component {
    let mut component = Component::new(kind, name, version, Some(reference.to_owned()));
    component.scope = Some(Scope::Required);
    component
}

fn licences(expression: &str) -> anyhow::Result<Licenses> {
    // Older packages write `MIT/Apache-2.0`, which SPDX spells with OR.
    let expression = SpdxExpression::parse_lax(expression.to_owned())
        .with_context(|| format!("licence {expression}"))?;
    Ok(Licenses(vec![LicenseChoice::Expression(expression)]))
}

/// Which linked package uses which.
fn edges(metadata: &Metadata, linked: &BTreeSet<PackageId>) -> Vec<Dependency> {
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let mut edges: Vec<Dependency> = nodes
        .filter(|node| linked.contains(&node.id))
        .map(|node| {
            let used = node.deps.iter().filter(|used| linked.contains(&used.pkg));
            let mut used: Vec<String> = used.map(|used| reference(&metadata[&used.pkg])).collect();
            used.sort();
            // A package may be used under several names or for several targets.
            used.dedup();
            Dependency {
                dependency_ref: reference(&metadata[&node.id]),
                dependencies: used,
            }
        })
        .collect();
    edges.sort_by(|one, other| one.dependency_ref.cmp(&other.dependency_ref));
    edges
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

        let bill: serde_json::Value = serde_json::from_slice(&bill()).expect("JSON");
        assert_eq!(bill["specVersion"], "1.5");
        assert_eq!(bill["serialNumber"], serde_json::Value::Null);
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

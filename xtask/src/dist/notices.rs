//! The licences of what is linked into the programs, for those who pass them on.

#![expect(clippy::disallowed_methods, reason = "the texts are read")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Context;
use cargo_metadata::{Metadata, Package, PackageId};

use super::target::TargetTriple;

/// What a file is called that holds a licence or what must be passed on with it.
const BEGINNINGS: [&str; 4] = ["license", "licence", "copying", "notice"];

/// The packages of others among those that are linked, by name.
pub(super) fn of_others<'a>(
    metadata: &'a Metadata,
    linked: &BTreeSet<PackageId>,
) -> Vec<&'a Package> {
    let mut packages: Vec<_> = metadata
        .packages
        .iter()
        .filter(|package| package.source.is_some() && linked.contains(&package.id))
        .collect();
    packages.sort_by_key(|package| (package.name.to_string(), package.version.clone()));
    packages
}

/// Name, version and licence of each package, and the texts that come with it; then those of the
/// libraries that the compiler adds.
///
/// # Errors
///
/// When a text cannot be read.
pub(super) fn write(packages: &[&Package], target: &TargetTriple) -> anyhow::Result<String> {
    let mut text = String::from(
        "The programs of Touchstone contain the following works of others, each under its own licence.\n",
    );
    for package in packages {
        let licence = package.license.as_deref().unwrap_or("see the text");
        writeln!(
            text,
            "\n==== {} {}: {licence}",
            package.name, package.version
        )?;
        let folder = package.manifest_path.parent().expect("a file");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).context("cannot read the sources of a package")? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let lower = name.to_lowercase();
            let is_named = BEGINNINGS.iter().any(|begin| lower.starts_with(begin));
            if is_named && entry.path().is_file() {
                names.push(name);
            }
        }
        names.sort();
        for name in names {
            let bytes = std::fs::read(folder.join(&name))?;
            // Some licences have line ends of Windows, which would be mixed with ours.
            let texts = String::from_utf8_lossy(&bytes).replace('\r', "");
            write!(text, "\n-- {name}\n{texts}\n")?;
        }
    }
    text += "\n==== The Rust standard library: MIT OR Apache-2.0\n\nCopyright (c) The Rust Project Contributors\n";
    if target.0.ends_with("-musl") {
        text += "\n==== musl, the C library: MIT\n\nCopyright (c) 2005-2020 Rich Felker and contributors\n";
    }
    if target.0.ends_with("-windows-gnu") {
        text += "\n==== The runtime of MinGW-w64: ZPL 2.1 and public domain\n\nCopyright (c) 2009, 2010, 2011, 2012, 2013 by the mingw-w64 project\n";
    }
    Ok(text)
}

//! Lists the files of the board's npm package that the program carries. The package is installed by
//! `npm ci --prefix crowd/npm`, never from here; without it the list is empty and the table board is served.
//! What is not on the list below is not in the program: the package has pieces that may not be used commercially.

#![expect(
    clippy::disallowed_methods,
    reason = "the environment says where a build script writes"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const PACKAGE: &str = "npm/node_modules/cm-chessboard";

/// Single files and whole folders, which end with a slash.
const CARRIED: [&str; 5] = [
    "LICENSE",
    "assets/chessboard.css",
    "assets/extensions/",
    "assets/pieces/standard.svg",
    "src/",
];

/// No folder of the package is deeper than this.
const DEEPEST: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=lang");
    println!("cargo::rerun-if-changed=static");
    println!("cargo::rerun-if-changed=npm");
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join(PACKAGE);
    let mut files = Vec::new();
    for name in CARRIED {
        find(&package, name, DEEPEST, &mut files)?;
    }
    files.sort();
    if files.is_empty() {
        println!(
            "cargo::warning=the drawn board is not installed (npm ci --prefix crowd/npm): the pages show a table instead"
        );
    }
    let table = table(&package, &files)?;
    fs::write(
        Path::new(&env::var("OUT_DIR")?).join("vendor_files.rs"),
        table,
    )?;
    Ok(())
}

/// Adds the file, or all files of the folder, as far as they are there.
fn find(
    package: &Path,
    name: &str,
    depth: usize,
    files: &mut Vec<String>,
) -> Result<(), Box<dyn Error>> {
    let path = package.join(name);
    if !name.ends_with('/') {
        if path.is_file() {
            files.push(name.to_owned());
        }
        return Ok(());
    }
    if depth == 0 || !path.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(&path)? {
        let entry = entry?;
        let Ok(child) = entry.file_name().into_string() else {
            continue;
        };
        let folder = if entry.file_type()?.is_dir() { "/" } else { "" };
        find(package, &format!("{name}{child}{folder}"), depth - 1, files)?;
    }
    Ok(())
}

/// A slice of names and contents, in Rust.
fn table(package: &Path, files: &[String]) -> Result<String, Box<dyn Error>> {
    let mut text = String::from("&[\n");
    for name in files {
        let path = package.join(name);
        let path = path.to_str().ok_or("the path of the crate is not UTF-8")?;
        writeln!(text, "    ({name:?}, include_bytes!({path:?}) as &[u8]),")?;
    }
    text.push(']');
    Ok(text)
}

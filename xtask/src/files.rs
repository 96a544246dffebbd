//! The files of a folder.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Folders in which no file is ours.
const NOT_OURS: [&str; 3] = ["target", "node_modules", ".git"];

/// All files below a folder, in no order, but for those in folders with these names.
///
/// # Errors
///
/// When a folder cannot be read.
pub(crate) fn files_below(folder: &Path, passed_over: &[&str]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder);
    for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if !path.is_dir() {
            found.push(path);
        } else if !passed_over.iter().any(|name| path.ends_with(name)) {
            found.extend(files_below(&path, passed_over)?);
        }
    }
    Ok(found)
}

/// All files of ours with an ending below a folder, in no order.
///
/// # Errors
///
/// When a folder cannot be read.
pub fn our_files(folder: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = files_below(folder, &NOT_OURS)?;
    files.retain(|path| path.extension().is_some_and(|it| it == ending));
    Ok(files)
}

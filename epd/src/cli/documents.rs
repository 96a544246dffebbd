//! Reading files of records with their comments, and writing the result.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use kit::{BadInput, Exit, output};

use super::input::{self, Input};
use crate::files::Document;

#[derive(Debug, clap::Args)]
pub(super) struct InputArgs {
    /// EPD files, `-` for standard input, or names of built-in suites
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,

    /// Skip lines that cannot be read, instead of rejecting the whole input
    #[arg(long)]
    pub(super) skip_bad: bool,
}

/// The files that were read.
pub(super) struct Documents {
    pub(super) names: Vec<String>,
    pub(super) documents: Vec<Document>,
}

impl InputArgs {
    /// Reads all files and reports every unreadable line on standard error.
    ///
    /// # Errors
    ///
    /// When a file or, without `--skip-bad`, a line cannot be read.
    pub(super) fn read(&self) -> anyhow::Result<Documents> {
        let mut read = Documents {
            names: Vec::new(),
            documents: Vec::new(),
        };
        let mut bad = 0;
        for (index, path) in self.files.iter().enumerate() {
            let Input { name, bytes } = input::read_one(path)?;
            let document = Document::parse(index, &name, &bytes);
            for error in &document.errors {
                say(&error.display(&name).to_string());
            }
            bad += document.errors.len();
            read.names.push(name);
            read.documents.push(document);
        }
        match bad {
            0 => Ok(read),
            _ if self.skip_bad => Ok(read),
            1 => Err(BadInput("1 fault above; --skip-bad leaves out its line".to_owned()).into()),
            _ => Err(BadInput(format!(
                "{bad} faults above; --skip-bad leaves out their lines"
            ))
            .into()),
        }
    }
}

/// Writes to a file, or to standard output if there is no path.
pub(super) fn write(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match path {
        Some(path) => output::to_file(path, text),
        None => output::to_stdout(text),
    }
}

/// Writes the document, unless it has no records.
pub(super) fn write_document(path: Option<&Path>, document: &Document) -> anyhow::Result<Exit> {
    if document.items.is_empty() {
        say("error: no record is left, nothing is written");
        return Ok(Exit::Nothing);
    }
    write(path, &document.to_string())?;
    Ok(Exit::Agreed)
}

/// Prints a line on standard error.
pub(super) fn say(text: &str) {
    // Standard error may be closed; the exit code still carries the result.
    let _ = writeln!(io::stderr(), "{text}");
}

/// `1 record`, `2 records`.
pub(super) fn records(count: usize) -> String {
    format!("{count} record{}", if count == 1 { "" } else { "s" })
}

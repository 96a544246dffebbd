//! Input from files, built-in suites, or standard input; and what all commands print.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use kit::read::DATA;
use kit::{BadInput, Exit, output};
use uci::EngineSpec;

use crate::files::document::Document;
use crate::suites;

/// A file's name for messages, and its bytes.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Reads files by name; `-`, or no name at all, is standard input. A name without a file may be
/// that of a built-in suite.
pub(super) fn read(names: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if !names.is_empty() {
        return names.iter().map(|name| read_one(name)).collect();
    }
    if io::stdin().is_terminal() {
        let message = "no file was named, and standard input is a terminal";
        return Err(BadInput(message.to_owned()).into());
    }
    Ok(vec![read_one(Path::new("-"))?])
}

/// Reads one file by name, as [`read`] does.
pub(super) fn read_one(path: &Path) -> anyhow::Result<Input> {
    if path == Path::new("-") {
        let bytes = kit::read::stdin(DATA);
        let fail = |error| BadInput(format!("cannot read standard input: {error}"));
        let name = "<stdin>".to_owned();
        return Ok(Input {
            name,
            bytes: bytes.map_err(fail)?,
        });
    }
    let name = path.display().to_string();
    let error = match kit::read::file(path, DATA) {
        Ok(bytes) => return Ok(Input { name, bytes }),
        Err(error) => error,
    };
    match suites::find(&name) {
        Some(built_in) if error.kind() == io::ErrorKind::NotFound => {
            let bytes = built_in.text.as_bytes().to_vec();
            Ok(Input { name, bytes })
        }
        _ => Err(BadInput(suites::describe_missing(&name, &error)).into()),
    }
}

/// Opens one file for streaming; `-` is standard input. Also returns its name for messages.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
pub(super) fn open_one(path: &Path) -> anyhow::Result<(String, Box<dyn BufRead>)> {
    if path == Path::new("-") {
        return Ok(("<stdin>".to_owned(), Box::new(io::stdin().lock())));
    }
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => Ok((name, Box::new(BufReader::new(file)))),
        Err(error) => Err(BadInput(format!("cannot read {name}: {error}")).into()),
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct InputArgs {
    /// EPD files, `-` for standard input, or names of built-in suites
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,

    /// Skip lines that cannot be read, instead of rejecting the whole input
    #[arg(long)]
    skip_bad: bool,
}

/// Where the resulting records are written.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Write to this file instead of standard output; may be one of the input files
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) struct Documents {
    pub(super) names: Vec<String>,
    pub(super) documents: Vec<Document>,
}

impl InputArgs {
    /// Reads all files and reports every unreadable line on standard error. A file or, without
    /// `--skip-bad`, a line that cannot be read is an error.
    pub(super) fn read(&self) -> anyhow::Result<Documents> {
        let (mut names, mut documents) = (Vec::new(), Vec::new());
        let mut bad = 0;
        for (index, path) in self.files.iter().enumerate() {
            let Input { name, bytes } = read_one(path)?;
            let document = Document::parse(index, &name, &bytes);
            for error in &document.errors {
                report(&error.display(&name).to_string());
            }
            bad += document.errors.len();
            names.push(name);
            documents.push(document);
        }
        let message = match bad {
            1 => "1 fault above; --skip-bad leaves out its line".to_owned(),
            _ => format!("{bad} faults above; --skip-bad leaves out their lines"),
        };
        if bad > 0 && !self.skip_bad {
            return Err(BadInput(message).into());
        }
        Ok(Documents { names, documents })
    }
}

impl OutputArgs {
    /// Checks before the work that the output can be written.
    pub(super) fn check(&self) -> Result<(), BadInput> {
        output::check_writable(&[self.output.as_deref()])
    }

    /// Writes the document, unless it has no records.
    pub(super) fn write(&self, document: &Document) -> anyhow::Result<Exit> {
        if document.items.is_empty() {
            report("error: no record is left, nothing is written");
            return Ok(Exit::Nothing);
        }
        write(self.output.as_deref(), document.to_string())?;
        Ok(Exit::Agreed)
    }
}

/// Writes to a file, or to standard output if there is no path.
pub(super) fn write(path: Option<&Path>, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    match path {
        Some(path) => output::to_file(path, text),
        None => output::to_stdout(text),
    }
}

/// Prints an error or a warning on standard error.
pub(super) fn report(text: &str) {
    // Standard error may be closed; the exit code still carries the result.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints a remark on standard error, unless `--quiet` is given.
pub(super) fn remark(is_quiet: bool, text: &str) {
    if !is_quiet {
        report(text);
    }
}

/// `1 record`, `2 records`.
pub(super) fn records(count: usize) -> String {
    format!("{count} record{}", if count == 1 { "" } else { "s" })
}

/// Reads the value of `--engine`, and adds the options for all engines.
pub(super) fn engine(
    text: &str,
    options: &[(String, Option<String>)],
) -> Result<EngineSpec, BadInput> {
    let spec = EngineSpec::from_argument(text);
    let mut spec = spec.map_err(|error| BadInput(format!("--engine: {error}")))?;
    // The engine's own options come last and win.
    let own = std::mem::take(&mut spec.options);
    spec.options = options.iter().cloned().chain(own).collect();
    Ok(spec)
}

/// Reads `NAME=VALUE`, or the name of a button.
#[expect(clippy::unnecessary_wraps, reason = "the command line demands it")]
pub(super) fn option(text: &str) -> Result<(String, Option<String>), String> {
    Ok(match text.split_once('=') {
        Some((name, value)) => (name.trim().to_owned(), Some(value.trim().to_owned())),
        None => (text.trim().to_owned(), None),
    })
}

/// One process per core, if `--concurrency` is not given; `threads` is that of an engine.
pub(super) fn concurrency(given: Option<u16>, threads: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let processes = || cores() / threads.map_or(1, usize::from);
    given.map_or_else(|| processes().max(1), usize::from)
}

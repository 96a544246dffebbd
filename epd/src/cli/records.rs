//! Records as the commands on files read and write them: as streams that need no memory for the whole.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use kit::output::to_stderr;
use kit::{BadInput, DraftFile, Exit, Interrupt, output};

use super::input::{
    FileWarnings, InputFile, Interrupted, STDIN, StreamedFile, cannot_read, read_one,
};
use crate::files::document::Document;
use crate::files::items::{FileLine, StoredItem, pieces};
use crate::stream::blocks::{Block, Blocks, in_order};
use crate::text::Record;

/// The files to read: `-`, or no name at all, is standard input.
pub(super) fn or_stdin(names: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    if !names.is_empty() {
        return Ok(names.to_vec());
    }
    if io::stdin().is_terminal() {
        let message = "no file was named, and standard input is a terminal";
        return Err(BadInput(message.to_owned()));
    }
    Ok(vec![PathBuf::from("-")])
}

/// The threads that work on a file, until Ctrl-C.
#[derive(Clone, Copy)]
pub(super) struct Workers<'a> {
    threads: usize,
    interrupt: &'a Interrupt,
}

impl<'a> Workers<'a> {
    /// One thread for each core; the result is the same with any number.
    pub(super) fn all(interrupt: &'a Interrupt) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, interrupt }
    }

    /// The work of this thread alone: an engine takes longer than reading.
    pub(super) fn one(interrupt: &'a Interrupt) -> Self {
        Self {
            threads: 1,
            interrupt,
        }
    }
}

impl Workers<'_> {
    /// An error if Ctrl-C has come.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.interrupt.has_come() {
            return Err(Interrupted.into());
        }
        Ok(())
    }

    /// Does `work` on each block of a file, and hands the results to `take` in order. `begin` sees the
    /// beginning of the file first, and returns what `work` is to know.
    pub(super) fn each_block<K: Sync, T: Send>(
        &self,
        source: StreamedFile,
        begin: impl FnOnce(&[u8]) -> K,
        work: impl Fn(&K, &Block) -> T + Sync,
        mut take: impl FnMut(&K, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<K> {
        let StreamedFile { name, text, .. } = source;
        let mut blocks = Blocks::new(text);
        let mut next = || -> anyhow::Result<Option<Block>> {
            self.check()?;
            let block = blocks.next();
            Ok(block.map_err(|error| cannot_read(&name, &error))?)
        };
        let mut first = next()?;
        let known = begin(first.as_ref().map_or(&[], |block| &block.bytes));
        in_order(
            self.threads,
            || first.take().map_or_else(&mut next, |first| Ok(Some(first))),
            |block| work(&known, block),
            |result| take(&known, result),
        )?;
        Ok(known)
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct InputArgs {
    /// EPD files, - for standard input, or suites
    ///
    /// EPD files, `-` for standard input, or names of built-in suites.
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,

    /// Set from --skip-bad, an option of every command.
    #[arg(skip)]
    pub(super) skip_bad: bool,
}

/// Where the resulting records are written.
#[derive(Debug, clap::Args)]
pub(super) struct RecordOutputArgs {
    /// Write to a file, which may be an input
    ///
    /// Write to this file instead of standard output; may be one of the input files.
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
            let InputFile { name, bytes } = read_one(path)?;
            let document = Document::parse(index, &name, &bytes);
            for error in &document.errors {
                to_stderr(&error.display(&name).to_string());
            }
            let mut warnings = FileWarnings::new(&name);
            document.warnings.iter().for_each(|one| warnings.add(one));
            warnings.end();
            bad += document.errors.len();
            names.push(name);
            documents.push(document);
        }
        self.reject(bad)?;
        Ok(Documents { names, documents })
    }
}

/// What is known when all files were read record by record.
pub(super) struct Streamed {
    pub(super) names: Vec<String>,
    /// The comments and empty lines below the last record, each with a line feed.
    pub(super) tail: String,
}

impl InputArgs {
    /// Reads all files record by record: `find` finds out about each what is needed, on several threads,
    /// and `take` gets the records in order. The comments above a record are those since the one before
    /// it, also from an earlier file. Every unreadable line is reported on standard error; without
    /// `--skip-bad`, it is an error in the end.
    pub(super) fn stream<M: Send>(
        &self,
        workers: &Workers<'_>,
        find: impl Fn(&Record) -> M + Sync,
        mut take: impl FnMut(StoredItem, M) -> anyhow::Result<()>,
    ) -> anyhow::Result<Streamed> {
        let (mut names, mut above, mut bad) = (Vec::new(), String::new(), 0);
        for (file, path) in self.files.iter().enumerate() {
            let source = StreamedFile::open(path)?;
            let name = source.name.clone();
            let mut warnings = FileWarnings::new(&name);
            let take = |(): &(), pieces: Vec<FileLine<M>>| -> anyhow::Result<()> {
                for piece in pieces {
                    match piece {
                        FileLine::Comment(text) => {
                            above += &text;
                            above.push('\n');
                        }
                        FileLine::Fault(fault) => {
                            to_stderr(&fault.display(&name).to_string());
                            bad += 1;
                        }
                        FileLine::Warning(warning) => warnings.add(&warning),
                        // Only faults matter after the first one.
                        FileLine::Record { .. } if bad > 0 && !self.skip_bad => {}
                        FileLine::Record { line, text, found } => {
                            let above = std::mem::take(&mut above);
                            let item = StoredItem {
                                file,
                                line,
                                above,
                                text,
                            };
                            take(item, found)?;
                        }
                    }
                }
                Ok(())
            };
            workers.each_block(source, |_| (), |(), block| pieces(block, &find), take)?;
            warnings.end();
            names.push(name);
        }
        self.reject(bad)?;
        let tail = above;
        Ok(Streamed { names, tail })
    }

    /// The names of the files for messages; an error if one cannot be opened.
    pub(super) fn check_files(&self) -> anyhow::Result<Vec<String>> {
        let name = |path: &PathBuf| -> anyhow::Result<String> {
            if path == Path::new("-") {
                return Ok(STDIN.to_owned());
            }
            Ok(StreamedFile::open(path)?.name)
        };
        self.files.iter().map(name).collect()
    }

    /// An error if there are faults that are not to be skipped.
    fn reject(&self, bad: usize) -> Result<(), BadInput> {
        let message = match bad {
            1 => "1 fault above; --skip-bad leaves out its line".to_owned(),
            _ => format!("{bad} faults above; --skip-bad leaves out their lines"),
        };
        if bad > 0 && !self.skip_bad {
            return Err(BadInput(message));
        }
        Ok(())
    }
}

impl RecordOutputArgs {
    /// Checks before the work that the output can be written.
    pub(super) fn check(&self) -> Result<(), BadInput> {
        output::check_writable(&[self.output.as_deref()])
    }

    /// Begins the output.
    pub(super) fn begin(&self) -> anyhow::Result<ItemWriter> {
        Ok(ItemWriter {
            draft: DraftFile::new(self.output.as_deref())?,
            records: 0,
        })
    }
}

/// Writes records and the comments above them.
pub(super) struct ItemWriter {
    draft: DraftFile,
    /// Number of records written.
    pub(super) records: usize,
}

impl ItemWriter {
    pub(super) fn write(&mut self, item: &StoredItem) -> io::Result<()> {
        self.records += 1;
        self.draft.write_all(item.above.as_bytes())?;
        self.draft.write_all(item.text.as_bytes())?;
        self.draft.write_all(b"\n")
    }

    /// Ends the output with the comments after the last record; nothing is written if there is no record.
    pub(super) fn end(mut self, tail: &str) -> anyhow::Result<Exit> {
        if self.records == 0 {
            to_stderr("error: no record is left, nothing is written");
            return Ok(Exit::Nothing);
        }
        self.draft.write_all(tail.as_bytes())?;
        self.draft.commit()?;
        Ok(Exit::Agreed)
    }
}

/// `1 record`, `2 records`.
pub(super) fn records(count: usize) -> String {
    kit::output::counted(count, "record")
}

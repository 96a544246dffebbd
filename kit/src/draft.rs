//! An output that is written piece by piece and appears only as a whole.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tempfile::{NamedTempFile, SpooledTempFile, TempPath};

use crate::compress::{Compression, Encoder};
use crate::output;

/// Up to this size, what goes to standard output waits in memory.
const IN_MEMORY: usize = 1 << 20;

/// An output that is written piece by piece. Until [`DraftFile::commit`] it is in a temporary file, beside
/// the file that it replaces; a draft that is dropped leaves nothing behind.
///
/// A name that ends in `.gz`, `.zst` or `.bz2` is compressed.
///
/// ```
/// use std::io::Write as _;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("list.txt");
/// let mut draft = kit::DraftFile::new(Some(&path))?;
/// writeln!(draft, "one line")?;
/// assert!(!path.exists());
/// draft.commit()?;
/// assert!(path.exists());
/// # Ok::<(), anyhow::Error>(())
/// ```
pub struct DraftFile {
    target: DraftTarget,
    out: Encoder<BufWriter<Sheet>>,
}

enum DraftTarget {
    Stdout,
    /// A pipe or a device, which cannot be replaced.
    Device(PathBuf),
    File(PathBuf),
}

enum Sheet {
    Spool(SpooledTempFile),
    Neighbour(NamedTempFile),
}

impl Write for Sheet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Spool(spool) => spool.write(bytes),
            Self::Neighbour(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Spool(spool) => spool.flush(),
            Self::Neighbour(file) => file.flush(),
        }
    }
}

/// A draft that is on the disk as a whole and has no file open: only its name is to be changed.
pub struct FinishedDraft {
    target: DraftTarget,
    sheet: FinishedSheet,
}

enum FinishedSheet {
    Spool(SpooledTempFile),
    Neighbour(TempPath),
}

impl DraftFile {
    /// Begins an output: a file, compressed as its name says, or standard output.
    ///
    /// # Errors
    ///
    /// When there can be no file in that folder.
    pub fn new(path: Option<&Path>) -> anyhow::Result<Self> {
        let compression = path.map_or(Compression::None, Compression::of_name);
        Self::with_compression(path, compression)
    }

    /// [`DraftFile::new`] in a format of one's own choice.
    ///
    /// # Errors
    ///
    /// As for [`DraftFile::new`].
    pub fn with_compression(path: Option<&Path>, compression: Compression) -> anyhow::Result<Self> {
        let target = match path {
            None => DraftTarget::Stdout,
            Some(path) => {
                let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                if path.exists() && !path.is_file() {
                    DraftTarget::Device(path)
                } else {
                    DraftTarget::File(path)
                }
            }
        };
        let sheet = match &target {
            DraftTarget::Stdout | DraftTarget::Device(_) => {
                Sheet::Spool(tempfile::spooled_tempfile(IN_MEMORY))
            }
            DraftTarget::File(path) => {
                let file = output::neighbour(path).with_context(|| target.fail())?;
                Sheet::Neighbour(file)
            }
        };
        let out = Encoder::new(BufWriter::with_capacity(1 << 16, sheet), compression);
        Ok(Self { target, out })
    }

    /// Ends the text, writes it to the disk and closes its file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(self) -> anyhow::Result<FinishedDraft> {
        let Self { target, out } = self;
        let end = |out: Encoder<BufWriter<Sheet>>| out.finish()?.into_inner().map_err(Into::into);
        let sheet: io::Result<Sheet> = end(out);
        let sheet = match sheet.with_context(|| target.fail())? {
            Sheet::Spool(spool) => FinishedSheet::Spool(spool),
            Sheet::Neighbour(file) => {
                let keep = |path: &Path| -> io::Result<()> {
                    // A file that is replaced keeps its permissions.
                    if let Ok(old) = path.metadata() {
                        file.as_file().set_permissions(old.permissions())?;
                    }
                    file.as_file().sync_all()
                };
                if let DraftTarget::File(path) = &target {
                    keep(path).with_context(|| target.fail())?;
                }
                FinishedSheet::Neighbour(file.into_temp_path())
            }
        };
        Ok(FinishedDraft { target, sheet })
    }

    /// Ends the text and puts it in its place.
    ///
    /// # Errors
    ///
    /// When it cannot be written. A closed pipe is not an error.
    pub fn commit(self) -> anyhow::Result<()> {
        self.finish()?.commit()
    }
}

impl FinishedDraft {
    /// Puts the output in its place.
    ///
    /// # Errors
    ///
    /// When it cannot be written. A closed pipe is not an error.
    pub fn commit(self) -> anyhow::Result<()> {
        let fail = self.target.fail();
        match (self.target, self.sheet) {
            (DraftTarget::File(path), FinishedSheet::Neighbour(sheet)) => {
                output::replace_by(&path, sheet).with_context(|| fail)
            }
            (target, FinishedSheet::Spool(mut spool)) => {
                spool.rewind().with_context(|| fail.clone())?;
                match target {
                    DraftTarget::Device(path) => {
                        let mut options = File::options();
                        let device = options.write(true).open(&path);
                        let copied = device.and_then(|mut to| io::copy(&mut spool, &mut to));
                        copied.map(drop).with_context(|| fail)
                    }
                    DraftTarget::Stdout | DraftTarget::File(_) => {
                        output::stdout_with(|out| Ok(io::copy(&mut spool, out).map(drop)?))
                    }
                }
            }
            (_, FinishedSheet::Neighbour(_)) => unreachable!("only a file has a neighbour"),
        }
    }
}

impl DraftTarget {
    fn fail(&self) -> String {
        match self {
            Self::Stdout => "cannot write to standard output".to_owned(),
            Self::Device(path) | Self::File(path) => format!("cannot write {}", path.display()),
        }
    }
}

impl Write for DraftFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = folder.read_dir().expect("a folder");
        let name = |entry: io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries
            .map(|one| name(one).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_when_it_is_committed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.gz");
        output::to_file(&path, "old").expect("written");
        let draft = |text: &str| {
            let mut draft = DraftFile::new(Some(&path)).expect("a folder that can be written to");
            draft.write_all(text.as_bytes()).expect("written");
            draft
        };
        drop(draft("nothing of this stays"));
        let finished = draft("nor of this").finish().expect("written");
        drop(finished);
        assert_eq!(names(folder.path()), ["list.gz"]);
        assert_eq!(crate::read::text(&path, 10).expect("read"), "old");
        draft("new").commit().expect("replaced");
        let mut text = String::new();
        let packed = crate::read::file(&path, 1000).expect("read");
        let read = crate::compress::decode(&packed[..])
            .and_then(|mut file| file.read_to_string(&mut text));
        assert_eq!((read.expect("whole"), text.as_str()), (3, "new"));
        assert_eq!(names(folder.path()), ["list.gz"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_can_be_written() {
        let mut draft = DraftFile::new(Some(Path::new("/dev/null"))).expect("a device");
        draft.write_all(b"text").expect("written");
        draft.commit().expect("a device");
        let missing = DraftFile::new(Some(Path::new("no-such-folder/x"))).map(drop);
        let error = format!("{:#}", missing.expect_err("no folder"));
        assert!(
            error.starts_with("cannot write no-such-folder/x: "),
            "{error}"
        );
    }
}

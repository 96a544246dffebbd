//! The file of a book, decompressed if necessary.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use kit::compress::{self, Compression};
use zip::ZipArchive;
use zip::result::ZipError;

use super::error::{ReadError, go_on};

/// The first bytes of a ZIP archive (APPNOTE 4.3.7).
const ZIP: &[u8] = b"PK\x03\x04";
/// Number of bytes decompressed at once.
const PIECE: u64 = 1 << 20;

/// Opens a book at its beginning. A compressed book, which its first bytes show, is decompressed
/// into an unnamed temporary file, since a compressed stream cannot be seeked. Pipes are rejected
/// for the same reason; merely opening one would block until it has a writer.
#[expect(clippy::disallowed_methods, reason = "the edge reads books")]
pub(super) fn open(path: &Path, interrupt: &AtomicBool) -> Result<File, ReadError> {
    if !path.metadata().map_err(ReadError::Io)?.is_file() {
        return Err(ReadError::NotAFile);
    }
    let mut file = File::open(path).map_err(ReadError::Io)?;
    let mut begin = Vec::new();
    let read = (&mut file).take(4).read_to_end(&mut begin);
    read.and_then(|_| file.rewind()).map_err(ReadError::Io)?;
    let is_zip = begin == ZIP;
    if !is_zip && Compression::of_content(&begin) == Compression::None {
        return Ok(file);
    }
    let mut unpacked = tempfile::tempfile().map_err(ReadError::Io)?;
    if is_zip {
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(in_archive)?;
        let member = only_file(&archive)?;
        let mut member = archive.by_name(&member).map_err(in_archive)?;
        copy(&mut member, &mut unpacked, interrupt)?;
    } else {
        let mut text = compress::decode(file).map_err(ReadError::Io)?;
        copy(&mut text, &mut unpacked, interrupt)?;
    }
    unpacked.rewind().map_err(ReadError::Io)?;
    Ok(unpacked)
}

fn copy(input: &mut impl Read, to: &mut File, interrupt: &AtomicBool) -> Result<(), ReadError> {
    loop {
        // Large books take seconds, which an interrupt must not wait for.
        go_on(interrupt)?;
        let piece = io::copy(&mut input.take(PIECE), to);
        if piece.map_err(ReadError::Io)? == 0 {
            return Ok(());
        }
    }
}

/// The name of the only file in an archive; what file managers add is passed over.
fn only_file<R: Read + io::Seek>(archive: &ZipArchive<R>) -> Result<String, ReadError> {
    let names: Result<Vec<_>, ZipError> = archive.file_names().collect();
    let mut names = names.map_err(in_archive)?;
    names.retain(|name| {
        let base = name.rsplit('/').next().unwrap_or_default();
        // macOS adds `__MACOSX/` and `.DS_Store`; a name that ends in `/` is a folder.
        !base.is_empty() && !base.starts_with('.') && !name.starts_with("__MACOSX/")
    });
    match &names[..] {
        [only] => Ok(only.to_string()),
        [] => Err(unusable("the archive is empty")),
        [one, other, ..] => Err(unusable(format_args!(
            "the archive has {} files, among them {one} and {other}, expected one",
            names.len()
        ))),
    }
}

fn in_archive(error: ZipError) -> ReadError {
    match error {
        ZipError::Io(error) => ReadError::Io(error),
        error => unusable(error),
    }
}

fn unusable(reason: impl std::fmt::Display) -> ReadError {
    ReadError::Unusable(reason.to_string())
}

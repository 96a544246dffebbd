//! The file of a book, decompressed if necessary.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use zip::ZipArchive;
use zip::result::ZipError;

use super::error::{ReadError, go_on};

/// The first bytes of a gzip file (RFC 1952, 2.3.1).
const GZIP: &[u8] = b"\x1f\x8b";
/// The first bytes of a Zstandard frame (RFC 8878, 3.1.1).
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The first bytes of a ZIP archive (APPNOTE 4.3.7).
const ZIP: &[u8] = b"PK\x03\x04";
/// Maximum window of a Zstandard frame: what the program `zstd` accepts unless told otherwise.
const MAX_WINDOW: u64 = 1 << 27;
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
    let mut input = BufReader::new(file);
    if !(begin.starts_with(GZIP) || begin == ZSTANDARD || begin == ZIP) {
        return Ok(input.into_inner());
    }
    let mut unpacked = tempfile::tempfile().map_err(ReadError::Io)?;
    if begin.starts_with(GZIP) {
        copy(&mut MultiGzDecoder::new(input), &mut unpacked, interrupt)?;
    } else if begin == ZSTANDARD {
        while !input.fill_buf().map_err(ReadError::Io)?.is_empty() {
            copy_frame(&mut input, &mut unpacked, interrupt)?;
        }
    } else {
        let mut archive = ZipArchive::new(input).map_err(in_archive)?;
        let member = only_file(&archive)?;
        let mut member = archive.by_name(&member).map_err(in_archive)?;
        copy(&mut member, &mut unpacked, interrupt)?;
    }
    unpacked.rewind().map_err(ReadError::Io)?;
    Ok(unpacked)
}

fn copy(input: &mut impl Read, to: &mut File, interrupt: &AtomicBool) -> Result<(), ReadError> {
    loop {
        go_on(interrupt)?;
        let piece = io::copy(&mut input.take(PIECE), to);
        if piece.map_err(ReadError::Io)? == 0 {
            return Ok(());
        }
    }
}

/// Decompresses a Zstandard frame, or skips one that is to be skipped.
fn copy_frame(
    input: &mut impl Read,
    to: &mut File,
    interrupt: &AtomicBool,
) -> Result<(), ReadError> {
    use ReadFrameHeaderError::SkipFrame;

    match StreamingDecoder::new_with_max_window_size(&mut *input, MAX_WINDOW) {
        Ok(mut frame) => copy(&mut frame, to, interrupt),
        Err(FrameDecoderError::ReadFrameHeaderError(SkipFrame { length, .. })) => {
            let mut frame = input.take(length.into());
            let skipped = io::copy(&mut frame, &mut io::sink());
            skipped.map(drop).map_err(ReadError::Io)
        }
        Err(error) => Err(unusable(error)),
    }
}

/// The name of the only file in an archive; what file managers add is passed over.
fn only_file<R: Read + io::Seek>(archive: &ZipArchive<R>) -> Result<String, ReadError> {
    let names: Result<Vec<_>, ZipError> = archive.file_names().collect();
    let mut names = names.map_err(in_archive)?;
    names.retain(|name| {
        let base = name.rsplit('/').next().unwrap_or_default();
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

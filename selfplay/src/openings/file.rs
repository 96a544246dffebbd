//! The file of a book, decompressed if necessary.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use flate2::bufread::MultiGzDecoder;

use super::error::{ReadError, go_on};

/// The first bytes of a gzip file (RFC 1952, 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Number of bytes decompressed at once.
const PIECE: u64 = 1 << 20;

/// Opens a book at its beginning. A compressed book is decompressed into an unnamed temporary file,
/// since a compressed stream cannot be seeked. Pipes are rejected for the same reason; merely
/// opening one would block until it has a writer.
#[expect(clippy::disallowed_methods, reason = "the edge reads books")]
pub(super) fn open(path: &Path, interrupt: &AtomicBool) -> Result<File, ReadError> {
    if !path.metadata().map_err(ReadError::Io)?.is_file() {
        return Err(ReadError::NotAFile);
    }
    let file = File::open(path).map_err(ReadError::Io)?;
    if is_packed(&file).map_err(ReadError::Io)? {
        unpack(file, interrupt)
    } else {
        Ok(file)
    }
}

fn is_packed(mut file: &File) -> io::Result<bool> {
    let mut begin = Vec::with_capacity(GZIP.len());
    file.take(GZIP.len() as u64).read_to_end(&mut begin)?;
    file.rewind()?;
    Ok(begin == GZIP)
}

fn unpack(packed: File, interrupt: &AtomicBool) -> Result<File, ReadError> {
    let mut unpacked = tempfile::tempfile().map_err(ReadError::Io)?;
    let mut decoder = MultiGzDecoder::new(BufReader::new(packed));
    loop {
        go_on(interrupt)?;
        let piece = io::copy(&mut (&mut decoder).take(PIECE), &mut unpacked);
        if piece.map_err(ReadError::Io)? == 0 {
            break;
        }
    }
    unpacked.rewind().map_err(ReadError::Io)?;
    Ok(unpacked)
}

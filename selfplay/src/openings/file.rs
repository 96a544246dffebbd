//! The file of a book, unpacked.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

/// With what a file packed by gzip begins (RFC 1952, 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Opens a book at its beginning. One that is packed is unpacked into a temporary file without a
/// name: places in a packed stream cannot be gone to.
#[expect(clippy::disallowed_methods, reason = "the edge reads books")]
pub(super) fn open(path: &Path) -> io::Result<File> {
    let mut file = File::open(path)?;
    let mut begin = Vec::with_capacity(GZIP.len());
    (&file).take(GZIP.len() as u64).read_to_end(&mut begin)?;
    file.rewind()?;
    if begin == GZIP {
        unpack(file)
    } else {
        Ok(file)
    }
}

fn unpack(packed: File) -> io::Result<File> {
    let mut unpacked = tempfile::tempfile()?;
    io::copy(
        &mut MultiGzDecoder::new(BufReader::new(packed)),
        &mut unpacked,
    )?;
    unpacked.rewind()?;
    Ok(unpacked)
}

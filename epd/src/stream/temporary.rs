//! Errors of temporary files.

use std::io;

/// Says that an error is one of a temporary file: its folder may be full, and not that of the output.
#[expect(clippy::needless_pass_by_value, reason = "what `map_err` passes")]
pub(super) fn in_temporary_file(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file: {error}"))
}

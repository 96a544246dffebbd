//! A line whose position has been read.

use chess::rules::Position;

use crate::scan::Scan;

/// A line whose position has been read.
pub(super) struct Placed<'a> {
    /// The position, with the clocks of the fields.
    pub(super) position: Position,
    /// The four fields as they are to be written.
    pub(super) fields: String,
    /// Where the clock fields stand, if they do.
    pub(super) clocks: Option<usize>,
    /// The line, cut up.
    pub(super) scan: Scan<'a>,
}

impl<'a> Placed<'a> {
    /// A position, and the text of its four fields in the standard form.
    pub(super) fn new(position: Position, fields: String, scan: Scan<'a>) -> Self {
        let clocks = scan.fields.get(4).map(|field| field.offset);
        Self {
            position,
            fields,
            clocks,
            scan,
        }
    }
}

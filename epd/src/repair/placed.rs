//! A line whose position has been read.

use chess::rules::Position;

use crate::scan::Scan;

/// A line whose position has been read.
pub(super) struct Placed<'a> {
    /// The position, with the clocks of the fields.
    pub(super) position: Position,
    /// The four fields in the standard form.
    pub(super) fields: String,
    /// Byte offset of the clock fields, if there are any.
    pub(super) clocks: Option<usize>,
    /// The tokens of the line.
    pub(super) scan: Scan<'a>,
}

impl<'a> Placed<'a> {
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

//! Reading a table's header from front to back; what can be wrong with it. Pure.

/// A place in the bytes of a file.
#[derive(Debug)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        let start = self.skip(count as u64, 1)?;
        Ok(&self.bytes[start..self.at])
    }

    pub(crate) fn u8(&mut self) -> Result<u8, FormatError> {
        Ok(self.bytes(1)?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, FormatError> {
        let bytes = self.bytes(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, FormatError> {
        Ok(u32::from(self.u16()?) | u32::from(self.u16()?) << 16)
    }

    /// Skips `count` records of `size` bytes, and returns where they start.
    pub(crate) fn skip(&mut self, count: u64, size: usize) -> Result<usize, FormatError> {
        let start = self.at;
        let length = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(size));
        let end = length.and_then(|length| start.checked_add(length));
        self.at = end
            .filter(|&end| end <= self.bytes.len())
            .ok_or(FormatError::Short)?;
        Ok(start)
    }

    /// Skips to a multiple of `unit`.
    pub(crate) fn align(&mut self, unit: usize) -> Result<(), FormatError> {
        let gap = self.at.next_multiple_of(unit) - self.at;
        self.skip(gap as u64, 1).map(drop)
    }
}

/// What is wrong with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The length is not that of blocks of 64 bytes and a checksum of 16.
    #[error("its length is not that of a table")]
    Length,
    /// The file has not the magic number of its kind.
    #[error("its magic number is wrong")]
    Magic,
    /// The file ends before the tables it announces.
    #[error("it is truncated")]
    Short,
    /// A number in the header is out of its range.
    #[error("its header is invalid")]
    Header,
    /// The pieces are not those of the file's name.
    #[error("its pieces are not those of its name")]
    Pieces,
    /// The lengths of codes do not make a Huffman code.
    #[error("its codes are invalid")]
    Codes,
    /// A symbol refers to none, to itself, or to too many values.
    #[error("its symbols are invalid")]
    Symbols,
    /// An index leads out of the blocks, or to a value that cannot be.
    #[error("its blocks are invalid")]
    Blocks,
}

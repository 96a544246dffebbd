//! Decompression: the value at an index of one part of a table. Pure.
//!
//! Values are compressed by recursive pairing (Larsson and Moffat's Re-Pair): a symbol stands for a
//! value or for two symbols, and the symbols are written in a canonical Huffman code. Blocks of equal
//! size hold varying numbers of values. To find the block of an index, a sparse index names the block
//! and the place in it of every n-th value, and a table of the blocks' lengths leads on from there.

use crate::reader::{ByteReader, FormatError};

/// A symbol in 32 bits: left, right, number of values of the left one minus one.
#[derive(Clone, Copy, Debug)]
struct Symbol(u32);

impl Symbol {
    /// In the place of the right symbol: this one stands for the value in the place of the left.
    const NONE: u16 = 0xfff;

    #[inline(always)]
    const fn left(self) -> u16 {
        (self.0 & 0xfff) as u16
    }

    #[inline(always)]
    const fn right(self) -> u16 {
        (self.0 >> 12 & 0xfff) as u16
    }

    /// Number of values of the left symbol minus one.
    #[inline(always)]
    const fn more_left(self) -> u32 {
        self.0 >> 24
    }
}

/// The whole codes at the start of some bits, in 16 bits: number of values, and of bits. Most values
/// are skipped by these.
#[derive(Clone, Copy, Debug)]
struct CodeRun(u16);

impl CodeRun {
    /// Number of bits that are looked at. A larger table skips more at a time, but a search probes
    /// many tables, which share the processor's caches.
    const BITS: u32 = 10;

    #[inline(always)]
    fn values(self) -> u32 {
        u32::from(self.0 >> 4)
    }

    #[inline(always)]
    fn length(self) -> u32 {
        u32::from(self.0 & 15)
    }
}

/// Maximum number of bits of a code.
const LONGEST: u32 = 32;

/// A part whose values are all the same, or compressed.
#[derive(Debug)]
pub(crate) enum Pairs {
    Constant(u16),
    Compressed(Box<Compressed>),
}

/// The ranges are offsets in the file.
#[derive(Debug)]
pub(crate) struct Compressed {
    runs: [CodeRun; 1 << CodeRun::BITS],
    /// What leads from a code of this length to its symbol, modulo 2^32.
    to_symbol: [u32; LONGEST as usize + 1],
    /// The lengths of codes, and the lowest of each, at the top of 64 bits.
    lengths_of_codes: Vec<(u64, u32)>,
    symbols: Vec<Symbol>,
    /// For each symbol, its number of values minus one.
    more: Vec<u8>,
    /// Logarithm of the number of bytes of a block.
    block_bits: u32,
    /// Logarithm of the number of values between two entries of the sparse index.
    span_bits: u32,
    blocks: u64,
    /// Number of lengths stored: blocks and padding.
    lengths_stored: u64,
    values: u64,
    sparse_index: usize,
    lengths: usize,
    data: usize,
}

/// Bytes of an entry of the sparse index: a block (4), a place in it (2).
const SPARSE_ENTRY: usize = 6;

impl Pairs {
    /// Reads the header of a part with this number of values; `constant` is whether a constant's
    /// value is stored, otherwise it is 0. Also returns the flags.
    pub(crate) fn read(
        reader: &mut ByteReader<'_>,
        values: u64,
        has_constant: bool,
    ) -> Result<(Self, u8), FormatError> {
        let flags = reader.u8()?;
        // In the format, this flag marks a part whose values are all the same.
        if flags & 0x80 != 0 {
            let value = reader.u8()?;
            let value = if has_constant { value } else { 0 };
            return Ok((Self::Constant(value.into()), flags));
        }
        let block_bits = u32::from(reader.u8()?);
        let span_bits = u32::from(reader.u8()?);
        let padding = u64::from(reader.u8()?);
        let blocks = u64::from(reader.u32()?);
        let (longest, shortest) = (u32::from(reader.u8()?), u32::from(reader.u8()?));
        // A code must fit into the 32 bits that are always at hand.
        let is_sane = (1..=LONGEST).contains(&shortest)
            && (shortest..=LONGEST).contains(&longest)
            && block_bits < 32
            && (1..=40).contains(&span_bits);
        if !is_sane {
            return Err(FormatError::Header);
        }
        let lowest = (shortest..=longest).map(|_| reader.u16());
        let lowest: Vec<u16> = lowest.collect::<Result<_, _>>()?;
        let codes = canonical_codes(&lowest, shortest)?;
        let (symbols, more) = read_symbols(reader)?;
        let mut compressed = Compressed {
            runs: [CodeRun(0); 1 << CodeRun::BITS],
            to_symbol: [0; LONGEST as usize + 1],
            lengths_of_codes: Vec::new(),
            symbols,
            more,
            block_bits,
            span_bits,
            blocks,
            lengths_stored: blocks + padding,
            values,
            sparse_index: 0,
            lengths: 0,
            data: 0,
        };
        for ((code, length), symbol) in codes.into_iter().zip(shortest..).zip(lowest) {
            compressed
                .lengths_of_codes
                .push((u64::from(code) << (64 - length), length));
            compressed.to_symbol[length as usize] = u32::from(symbol).wrapping_sub(code);
        }
        for start in 0..compressed.runs.len() {
            compressed.runs[start] = compressed.run((start as u64) << (64 - CodeRun::BITS));
        }
        Ok((Self::Compressed(Box::new(compressed)), flags))
    }

    /// Takes the sparse index from the file.
    pub(crate) fn locate_sparse_index(
        &mut self,
        reader: &mut ByteReader<'_>,
    ) -> Result<(), FormatError> {
        if let Self::Compressed(it) = self {
            let entries = it.values.div_ceil(1 << it.span_bits);
            it.sparse_index = reader.skip(entries, SPARSE_ENTRY)?;
        }
        Ok(())
    }

    /// Takes the lengths of the blocks from the file.
    pub(crate) fn locate_lengths(
        &mut self,
        reader: &mut ByteReader<'_>,
    ) -> Result<(), FormatError> {
        if let Self::Compressed(it) = self {
            it.lengths = reader.skip(it.lengths_stored, 2)?;
        }
        Ok(())
    }

    /// Takes the blocks from the file.
    pub(crate) fn locate_blocks(&mut self, reader: &mut ByteReader<'_>) -> Result<(), FormatError> {
        if let Self::Compressed(it) = self {
            reader.align(64)?;
            it.data = reader.skip(it.blocks, 1 << it.block_bits)?;
        }
        Ok(())
    }

    /// The value at an index, from the bytes of the file; `None` if the file is damaged.
    #[inline(always)]
    pub(crate) fn value(&self, bytes: &[u8], index: u64) -> Option<u16> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Compressed(it) => {
                let (block, place) = it.find(bytes, index)?;
                it.decode(bytes, block, place)
            }
        }
    }
}

impl Compressed {
    /// The block of an index, and the place of its value in it.
    #[inline(always)]
    fn find(&self, bytes: &[u8], index: u64) -> Option<(u64, u32)> {
        if index >= self.values {
            return None;
        }
        let entry = usize::try_from(index >> self.span_bits).ok()?;
        let entry = bytes.get(self.sparse_index + entry * SPARSE_ENTRY..)?;
        let (block, entry) = entry.split_first_chunk()?;
        let place = entry.first_chunk()?;
        let mut block = u64::from(u32::from_le_bytes(*block));
        // An entry belongs to the value in the middle of its span.
        let span = 1i64 << self.span_bits;
        let within = index.cast_signed() & (span - 1);
        let mut place = i64::from(u16::from_le_bytes(*place)) + within - span / 2;
        while place < 0 {
            block = block.checked_sub(1)?;
            place += 1 + self.length(bytes, block)?;
        }
        loop {
            let length = self.length(bytes, block)?;
            if place <= length {
                return Some((block, u32::try_from(place).ok()?));
            }
            place -= length + 1;
            block += 1;
        }
    }

    /// Number of values of a block, minus one.
    #[inline(always)]
    fn length(&self, bytes: &[u8], block: u64) -> Option<i64> {
        if block >= self.lengths_stored {
            return None;
        }
        let at = self.lengths + usize::try_from(2 * block).ok()?;
        let length = bytes.get(at..)?.first_chunk()?;
        Some(i64::from(u16::from_le_bytes(*length)))
    }

    /// Decodes a block up to the value at a place.
    #[inline(always)]
    fn decode(&self, bytes: &[u8], block: u64, mut place: u32) -> Option<u16> {
        if block >= self.blocks {
            return None;
        }
        let start = self.data + usize::try_from(block << self.block_bits).ok()?;
        let mut next = bytes.get(start..)?;
        let mut bits = u64::from(take_bits(&mut next)?) << 32 | u64::from(take_bits(&mut next)?);
        let mut used = 0;
        // Every code stands for a value or more, so this ends when the place is reached.
        let symbol = loop {
            let run = self.runs[(bits >> (64 - CodeRun::BITS)) as usize];
            let length = if run.length() > 0 && place >= run.values() {
                place -= run.values();
                run.length()
            } else {
                let (symbol, length) = self.code(bits);
                let more = u32::from(*self.more.get(symbol)?);
                if place <= more {
                    break symbol;
                }
                place -= more + 1;
                length
            };
            // At least 32 bits stay valid, as many as the longest code has.
            bits <<= length;
            used += length;
            if used >= 32 {
                used -= 32;
                bits |= u64::from(take_bits(&mut next)?) << used;
            }
        };
        let mut symbol = self.symbols[symbol];
        while symbol.right() != Symbol::NONE {
            let next = if place <= symbol.more_left() {
                symbol.left()
            } else {
                place -= symbol.more_left() + 1;
                symbol.right()
            };
            symbol = self.symbols[usize::from(next)];
        }
        Some(symbol.left())
    }

    /// The symbol of the code at the start of these bits, and the code's length.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a code has at most 32 bits"
    )]
    fn code(&self, bits: u64) -> (usize, u32) {
        let mut lengths = self.lengths_of_codes.iter();
        let found = lengths.find(|&&(lowest, _)| bits >= lowest);
        let length = found.map_or(LONGEST, |&(_, length)| length);
        let code = (bits >> (64 - length)) as u32;
        (
            code.wrapping_add(self.to_symbol[length as usize]) as usize,
            length,
        )
    }

    /// The whole codes at the start of [`CodeRun::BITS`] bits.
    #[expect(clippy::cast_possible_truncation, reason = "used is at most Run::BITS")]
    fn run(&self, bits: u64) -> CodeRun {
        let (mut values, mut used) = (0, 0);
        loop {
            let (symbol, length) = self.code(bits << used);
            let more = self
                .more
                .get(symbol)
                .filter(|_| used + length <= CodeRun::BITS);
            let Some(&more) = more else {
                return CodeRun(values << 4 | used as u16);
            };
            values += u16::from(more) + 1;
            used += length;
        }
    }
}

/// The next 32 bits of a file. Behind its last block is its checksum, so they are always there.
#[inline(always)]
fn take_bits(next: &mut &[u8]) -> Option<u32> {
    let (bits, rest) = next.split_first_chunk()?;
    *next = rest;
    Some(u32::from_be_bytes(*bits))
}

/// The codes of each length, from the lowest symbol of each length. In this canonical code, longer
/// codes are smaller numbers.
fn canonical_codes(lowest: &[u16], shortest: u32) -> Result<Vec<u32>, FormatError> {
    let mut codes = vec![0u64; lowest.len()];
    for at in (0..lowest.len() - 1).rev() {
        let sum = codes[at + 1] + u64::from(lowest[at]);
        let longer = u64::from(lowest[at + 1]);
        codes[at] = sum.checked_sub(longer).ok_or(FormatError::Codes)? / 2;
    }
    let codes = codes.into_iter().zip(shortest..).map(|(code, length)| {
        // A code that has not the bits of its length would be found by shorter codes.
        let has_length = code >> length == 0;
        u32::try_from(code).ok().filter(|_| has_length)
    });
    codes.collect::<Option<_>>().ok_or(FormatError::Codes)
}

/// Reads the symbols, and computes how many values each stands for.
fn read_symbols(reader: &mut ByteReader<'_>) -> Result<(Vec<Symbol>, Vec<u8>), FormatError> {
    let count = usize::from(reader.u16()?);
    // This number marks symbols that are values, so no symbol can have it.
    if count > usize::from(Symbol::NONE) {
        return Err(FormatError::Symbols);
    }
    let pairs: Vec<(u16, u16)> = reader
        .bytes(3 * count)?
        .chunks_exact(3)
        .map(|it| {
            let [a, b, c] = [it[0], it[1], it[2]].map(u16::from);
            (a | (b & 15) << 8, b >> 4 | c << 4)
        })
        .collect();
    // The format pads the symbols, of three bytes each, to an even number of bytes.
    if count % 2 == 1 {
        reader.u8()?;
    }
    let mut more: Vec<Option<u8>> = vec![None; count];
    // A stack of our own, since a damaged file may nest symbols deeper than the thread's stack is.
    let mut pending = Vec::new();
    for start in 0..pairs.len() {
        pending.push(start);
        while let Some(&symbol) = pending.last() {
            let (left, right) = pairs[symbol];
            if right == Symbol::NONE {
                more[symbol] = Some(0);
            } else if more[symbol].is_none() {
                let parts = [left, right].map(usize::from);
                if parts.iter().any(|&part| part >= count) {
                    return Err(FormatError::Symbols);
                }
                let unknown = parts.into_iter().find(|&part| more[part].is_none());
                if let Some(part) = unknown {
                    // No symbol contains itself, so the chain of parts is shorter than their number.
                    if pending.len() > count {
                        return Err(FormatError::Symbols);
                    }
                    pending.push(part);
                    continue;
                }
                let sum = parts.iter().map(|&part| u32::from(more[part].unwrap_or(0)));
                let sum = u8::try_from(sum.sum::<u32>() + 1);
                more[symbol] = Some(sum.map_err(|_| FormatError::Symbols)?);
            }
            pending.pop();
        }
    }
    let more: Vec<u8> = more.into_iter().map(|more| more.unwrap_or(0)).collect();
    let symbols = pairs.into_iter().map(|(left, right)| {
        let more_left = more.get(usize::from(left)).copied().unwrap_or(0);
        Symbol(u32::from(left) | u32::from(right) << 12 | u32::from(more_left) << 24)
    });
    Ok((symbols.collect(), more))
}

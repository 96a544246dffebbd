//! The format of a table file, which is Ronald de Man's. Pure: bytes are given.
//!
//! A file consists of a header, the headers of the parts, for DTZ the maps, and then for all parts
//! the sparse indices, the lengths of blocks, and the blocks, each starting at a multiple of 64
//! bytes; a checksum of 16 bytes ends it. With pawns there are four parts, one for each file of the
//! leading pawn. A WDL table has each of them for both sides to move, except if both sides have the
//! same material; a DTZ table has one side only.

use chess::rules::{Color, Piece, PieceType, Position};

use crate::TablebaseWdl;
use crate::encoding::{Encoding, TableView, leading_file};
use crate::material::Material;
use crate::pairs::Pairs;
use crate::reader::{ByteReader, FormatError};

/// What a table contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// Results, as if the halfmove clock were 0.
    Wdl,
    /// Distances to the next capture or pawn move.
    Dtz,
}

impl TableKind {
    /// The first bytes of a file.
    pub(crate) const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }

    /// Whether a file of this many bytes can be a table: blocks of 64 bytes, then a checksum of 16.
    pub(crate) const fn may_have_length(bytes: u64) -> bool {
        bytes % 64 == 16
    }
}

/// The flags of a part with distances.
mod flags {
    /// The distances of positions with Black to move are stored.
    pub(super) const BLACK_TO_MOVE: u8 = 1;
    /// Values are indices of a map.
    pub(super) const MAPPED: u8 = 2;
    /// Distances of wins are in plies, otherwise in moves.
    pub(super) const WINS_IN_PLIES: u8 = 4;
    /// Distances of losses are in plies, otherwise in moves.
    pub(super) const LOSSES_IN_PLIES: u8 = 8;
    /// A map has 16 bits for each entry.
    pub(super) const WIDE: u8 = 16;
}

#[derive(Debug)]
struct TablePart {
    encoding: Encoding,
    pairs: Pairs,
    flags: u8,
    /// Where the maps start in the file, and their number of entries: of wins, losses, cursed wins
    /// and blessed losses.
    maps: [(usize, usize); 4],
}

/// The layout of a file.
#[derive(Debug)]
pub(crate) struct TableLayout {
    /// Both sides have the same material.
    is_symmetric: bool,
    /// The side of the leading pawns; `None` without pawns.
    leading: Option<Color>,
    /// For each file of the leading pawn: one part, or two, the first with White to move.
    parts: Vec<TablePart>,
    sides: usize,
}

/// The distance of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    /// Plies to the next capture or pawn move, or to mate, from 1 on, by the winning side; for cursed
    /// wins and blessed losses, those above 100.
    Plies(i32),
    /// Only positions with the other side to move are stored.
    OtherSide,
}

impl TableLayout {
    /// Reads the layout of a table of `material`, the side that its name mentions first being White.
    pub(crate) fn read(
        kind: TableKind,
        material: Material,
        bytes: &[u8],
    ) -> Result<Self, FormatError> {
        if !TableKind::may_have_length(bytes.len() as u64) {
            return Err(FormatError::Length);
        }
        let mut reader = ByteReader::new(bytes);
        if reader.bytes(4)? != kind.magic() {
            return Err(FormatError::Magic);
        }
        let is_symmetric = material == material.exchanged();
        let has_pawns = Color::ALL.map(|color| material.count(color, PieceType::Pawn)) != [0; 2];
        let layout = reader.u8()?;
        let sides = if kind == TableKind::Wdl && !is_symmetric {
            2
        } else {
            1
        };
        let is_split = kind == TableKind::Wdl && layout & 1 != 0;
        // Bit 0 of the layout: tables of both sides to move; bit 1: tables with pawns.
        if is_split != (sides == 2) || (layout & 2 != 0) != has_pawns {
            return Err(FormatError::Header);
        }
        let files = if has_pawns { 4 } else { 1 };
        let mut encodings = Vec::new();
        for file in 0..files {
            encodings.extend(read_encodings(&mut reader, material, sides, file)?);
        }
        reader.align(2)?;
        let leading = has_pawns.then(|| encodings[0].leading_color());
        let mut parts = Vec::new();
        for encoding in encodings {
            let has_constant = kind == TableKind::Wdl;
            let (pairs, flags) = Pairs::read(&mut reader, encoding.size(), has_constant)?;
            if leading.is_some_and(|color| color != encoding.leading_color()) {
                return Err(FormatError::Pieces);
            }
            parts.push(TablePart {
                encoding,
                pairs,
                flags,
                maps: [(0, 0); 4],
            });
        }
        if kind == TableKind::Dtz {
            for part in &mut parts {
                part.read_maps(&mut reader)?;
            }
            reader.align(2)?;
        }
        for part in &mut parts {
            part.pairs.locate_sparse_index(&mut reader)?;
        }
        for part in &mut parts {
            part.pairs.locate_lengths(&mut reader)?;
        }
        for part in &mut parts {
            part.pairs.locate_blocks(&mut reader)?;
        }
        Ok(Self {
            is_symmetric,
            leading,
            parts,
            sides,
        })
    }

    /// The view, the side to move in it, and the part of a position of this material, exchanged or
    /// not.
    #[inline(always)]
    fn part(&self, position: &Position, is_exchanged: bool) -> (TableView, Color, &TablePart) {
        let stm = position.side_to_move();
        // A symmetric table has White to move only: with Black, the colours are exchanged.
        let turned = if self.is_symmetric {
            stm == Color::Black
        } else {
            is_exchanged
        };
        let view = TableView::new(turned);
        let stm = if turned { !stm } else { stm };
        let file = self
            .leading
            .map_or(0, |color| leading_file(position, view, color));
        let side = if self.sides == 2 { stm.index() } else { 0 };
        (view, stm, &self.parts[file * self.sides + side])
    }

    /// The stored result of a position, from the bytes of the file: right if no capture does better,
    /// otherwise at most as good. Ignores en passant. `None` if the file is damaged.
    #[inline(always)]
    pub(crate) fn wdl(
        &self,
        bytes: &[u8],
        position: &Position,
        is_exchanged: bool,
    ) -> Option<TablebaseWdl> {
        let (view, _, part) = self.part(position, is_exchanged);
        let index = part.encoding.index(position, view);
        let value = part.pairs.value(bytes, index)?;
        TablebaseWdl::ALL.get(usize::from(value)).copied()
    }

    /// The stored distance of a position that is not drawn and whose best move is neither a capture
    /// nor a winning pawn move. Ignores en passant. `None` if the file is damaged.
    pub(crate) fn dtz(
        &self,
        bytes: &[u8],
        position: &Position,
        is_exchanged: bool,
        wdl: TablebaseWdl,
    ) -> Option<Distance> {
        let (view, stm, part) = self.part(position, is_exchanged);
        let stored = part.flags & flags::BLACK_TO_MOVE;
        if !self.is_symmetric && usize::from(stored) != stm.index() {
            return Some(Distance::OtherSide);
        }
        let index = part.encoding.index(position, view);
        let value = part.pairs.value(bytes, index)?;
        part.plies(bytes, value, wdl).map(Distance::Plies)
    }
}

/// Reads the numberings of the parts for one file of the leading pawn. Each piece takes four bits, the
/// low ones in the first part.
fn read_encodings(
    reader: &mut ByteReader<'_>,
    material: Material,
    sides: usize,
    file: usize,
) -> Result<Vec<Encoding>, FormatError> {
    let pawns = Color::ALL.map(|color| material.count(color, PieceType::Pawn));
    let order = reader.u8()?;
    // The places of the other side's pawns are stored only if both sides have pawns.
    let second_order = if pawns.contains(&0) {
        0xff
    } else {
        reader.u8()?
    };
    let pieces = reader.bytes(material.pieces() as usize)?;
    let encoding = |side: usize| {
        let of_side = |byte: u8| byte >> (4 * side) & 15;
        let pieces: Option<Vec<Piece>> = pieces.iter().map(|&byte| piece(of_side(byte))).collect();
        let order = [order, second_order].map(of_side);
        Encoding::new(material, &pieces?, order, file)
    };
    let encodings: Option<Vec<Encoding>> = (0..sides).map(encoding).collect();
    encodings.ok_or(FormatError::Pieces)
}

/// A piece by its number in files: from 1 for a pawn to 6 for a king, plus 8 for Black.
fn piece(number: u8) -> Option<Piece> {
    let kind = usize::from(number & 7).checked_sub(1)?;
    let color = if number & 8 == 0 {
        Color::White
    } else {
        Color::Black
    };
    PieceType::ALL
        .get(kind)
        .map(|&kind| Piece::new(color, kind))
}

impl TablePart {
    /// Reads the maps of distances, if there are any.
    fn read_maps(&mut self, reader: &mut ByteReader<'_>) -> Result<(), FormatError> {
        if self.flags & flags::MAPPED == 0 {
            return Ok(());
        }
        let is_wide = self.flags & flags::WIDE != 0;
        if is_wide {
            reader.align(2)?;
        }
        for map in &mut self.maps {
            let (count, size) = if is_wide {
                (reader.u16()?, 2)
            } else {
                (reader.u8()?.into(), 1)
            };
            *map = (reader.skip(count.into(), size)?, count.into());
        }
        Ok(())
    }

    /// The distance that a value stands for.
    fn plies(&self, bytes: &[u8], value: u16, wdl: TablebaseWdl) -> Option<i32> {
        let (map, in_plies) = match wdl {
            TablebaseWdl::Draw => return Some(0),
            TablebaseWdl::Win => (0, self.flags & flags::WINS_IN_PLIES != 0),
            TablebaseWdl::Loss => (1, self.flags & flags::LOSSES_IN_PLIES != 0),
            // Distances beyond the fifty-move rule are always in moves.
            TablebaseWdl::CursedWin => (2, false),
            TablebaseWdl::BlessedLoss => (3, false),
        };
        let mut distance = i32::from(value);
        if self.flags & flags::MAPPED != 0 {
            let (start, count) = self.maps[map];
            let entry = usize::from(value);
            if entry >= count {
                return None;
            }
            distance = if self.flags & flags::WIDE != 0 {
                i32::from(u16::from_le_bytes(
                    *bytes.get(start + 2 * entry..)?.first_chunk()?,
                ))
            } else {
                i32::from(*bytes.get(start + entry)?)
            };
        }
        // Moves are counted in pairs of plies; the last ply is the capture or pawn move itself.
        let plies = if in_plies { distance } else { 2 * distance };
        let beyond = if wdl.depends_on_clock() { 0 } else { 100 };
        Some(1 + plies + beyond)
    }
}

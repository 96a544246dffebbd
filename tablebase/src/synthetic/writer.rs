//! Writes table files with random contents.

use chacha20::ChaCha8Rng;
use chess::rules::{Color, Piece, PieceType};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::encoding::Encoding;
use crate::format::TableKind;
use crate::material::Material;

/// Bytes of a block. One holds at most 65,536 values.
const BLOCK: usize = 64;
/// Parts with more values than this hold one value only, so that files stay small.
const MOST_VALUES: u64 = 1 << 34;

pub(super) struct TableWriter<'a> {
    pub(super) rng: &'a mut ChaCha8Rng,
    pub(super) kind: TableKind,
    /// Number of parts with many values that may still be compressed.
    pub(super) large: usize,
    /// Whether maps have 16 bits for each entry.
    pub(super) is_wide: bool,
}

/// The contents of a part: header, sparse index, lengths of blocks, blocks.
#[derive(Default)]
struct PartBytes {
    header: Vec<u8>,
    flags: u8,
    /// Number of entries of each map.
    entries: u16,
    index: Vec<u8>,
    lengths: Vec<u8>,
    blocks: Vec<u8>,
}

fn number(piece: Piece) -> u8 {
    piece.piece_type as u8 + 1 + 8 * piece.color as u8
}

fn pad(bytes: &mut Vec<u8>, unit: usize) {
    bytes.resize(bytes.len().next_multiple_of(unit), 0);
}

impl TableWriter<'_> {
    pub(super) fn file(&mut self, material: Material) -> Vec<u8> {
        let count = |color, kind| material.count(color, kind) as usize;
        let pawns = Color::ALL.map(|color| count(color, PieceType::Pawn));
        let is_symmetric = material == material.exchanged();
        let sides = if self.kind == TableKind::Wdl && !is_symmetric {
            2
        } else {
            1
        };
        let files = if pawns == [0, 0] { 1 } else { 4 };
        let mut bytes = self.kind.magic().to_vec();
        bytes.push(u8::from(!is_symmetric) | u8::from(files == 4) << 1);
        let leading = match pawns {
            [_, 0] => Color::White,
            [0, _] => Color::Black,
            _ => Color::ALL[self.rng.random_range(0..2)],
        };
        let mut encodings = Vec::new();
        for file in 0..files {
            let orders: Vec<_> = (0..2).map(|_| self.pieces(material, leading)).collect();
            let (first, second) = (&orders[0], &orders[1]);
            for at in 0..if pawns.contains(&0) { 1 } else { 2 } {
                bytes.push(first.1[at] | second.1[at] << 4);
            }
            let pairs = first.0.iter().zip(&second.0);
            bytes.extend(pairs.map(|(&a, &b)| number(a) | number(b) << 4));
            for (pieces, order) in orders.iter().take(sides) {
                let encoding = Encoding::new(material, pieces, *order, file);
                encodings.push(encoding.expect("an order that the format allows"));
            }
        }
        pad(&mut bytes, 2);
        let parts = encodings
            .iter()
            .map(|it| self.part(it.size(), is_symmetric));
        let parts: Vec<PartBytes> = parts.collect();
        for part in &parts {
            bytes.extend(&part.header);
        }
        for part in parts.iter().filter(|part| part.flags & 2 != 0) {
            let is_wide = part.flags & 16 != 0;
            if is_wide {
                pad(&mut bytes, 2);
            }
            for _ in 0..4 {
                if is_wide {
                    bytes.extend(part.entries.to_le_bytes());
                    let entries = (0..part.entries).map(|_| self.rng.random_range(0..900u16));
                    bytes.extend(entries.flat_map(u16::to_le_bytes));
                } else {
                    bytes.push(u8::try_from(part.entries).expect("a small map"));
                    bytes.extend((0..part.entries).map(|_| self.rng.random_range(0..=255u8)));
                }
            }
        }
        pad(&mut bytes, 2);
        bytes.extend(parts.iter().flat_map(|part| &part.index));
        bytes.extend(parts.iter().flat_map(|part| &part.lengths));
        for part in &parts {
            pad(&mut bytes, 64);
            bytes.extend(&part.blocks);
        }
        pad(&mut bytes, 64);
        bytes.extend([0xff; 16]);
        bytes
    }

    /// The pieces in a random order of those that the format allows, and the places of the leading
    /// group and of the other side's pawns.
    fn pieces(&mut self, material: Material, leading: Color) -> (Vec<Piece>, [u8; 2]) {
        let mut runs: Vec<(Piece, usize)> = Vec::new();
        for color in Color::ALL {
            runs.push((Piece::new(color, PieceType::King), 1));
            for kind in &PieceType::ALL[..5] {
                let count = material.count(color, *kind) as usize;
                runs.push((Piece::new(color, *kind), count));
            }
        }
        runs.retain(|(_, count)| *count > 0);
        runs.shuffle(self.rng);
        let has_single =
            |(piece, count): &(Piece, usize)| piece.piece_type != PieceType::King && *count == 1;
        let rank: &dyn Fn(&(Piece, usize)) -> usize = if runs
            .iter()
            .any(|(piece, _)| piece.piece_type == PieceType::Pawn)
        {
            &|(piece, _)| match piece.piece_type {
                PieceType::Pawn => usize::from(piece.color != leading),
                _ => 2,
            }
        } else if runs.iter().any(has_single) {
            &|(_, count)| usize::from(*count > 1)
        } else {
            &|(piece, _)| usize::from(piece.piece_type != PieceType::King)
        };
        // The sort is stable, so what is equal stays shuffled.
        runs.sort_by_key(rank);
        let ranks: Vec<usize> = runs.iter().map(rank).collect();
        let leaders = match runs[0].0.piece_type {
            PieceType::Pawn => 1,
            _ if ranks[2] == 0 => 3,
            _ => 2,
        };
        let groups = u8::try_from(runs.len() - leaders + 1).expect("at most seven");
        let mut places: Vec<u8> = (0..groups).collect();
        places.shuffle(self.rng);
        let second = if ranks.contains(&1) && ranks.contains(&0) && leaders == 1 && groups > 1 {
            places[1]
        } else {
            15
        };
        let pieces = runs
            .iter()
            .flat_map(|&(piece, count)| std::iter::repeat_n(piece, count));
        (pieces.collect(), [places[0], second])
    }

    fn part(&mut self, size: u64, is_symmetric: bool) -> PartBytes {
        let mut part = PartBytes::default();
        if self.kind == TableKind::Dtz {
            part.flags = self.rng.random_range(0..16) | u8::from(self.is_wide) << 4;
            // In a symmetric table White is always to move.
            part.flags &= !u8::from(is_symmetric);
        }
        let is_large = size > 1 << 28;
        if size > MOST_VALUES || is_large && self.large == 0 || self.rng.random_range(0..8) == 0 {
            part.flags |= 0x80;
            part.entries = 1;
            let value = if self.kind == TableKind::Wdl {
                self.rng.random_range(0..5)
            } else {
                0
            };
            part.header = vec![part.flags, value];
            return part;
        }
        self.large -= usize::from(is_large);
        let code = self.code();
        let most = match self.kind {
            TableKind::Wdl => 5,
            TableKind::Dtz if part.flags & 0x12 == 0x12 => 600,
            TableKind::Dtz => 200,
        };
        part.entries = most;
        let (pairs, values) = self.symbols(code.len(), most);
        let longest = code[0];
        let shortest = *code.last().expect("there are codes");
        let span_bits = if is_large {
            18u8
        } else {
            self.rng.random_range(5..12)
        };
        // The last block is full, whatever the number of values.
        let entries = size.div_ceil(1 << span_bits);
        let total = entries << span_bits;
        let starts = self.blocks(&mut part, &code, &values, total);
        let mut block = 0;
        for entry in 0..entries {
            let middle = (entry << span_bits) + (1 << (span_bits - 1));
            while starts[block + 1] <= middle {
                block += 1;
            }
            part.index
                .extend(u32::try_from(block).expect("few blocks").to_le_bytes());
            let place = u16::try_from(middle - starts[block]).expect("within a block");
            part.index.extend(place.to_le_bytes());
        }
        let padding = self.rng.random_range(0..3u8);
        part.lengths.extend(vec![0; 2 * usize::from(padding)]);
        let blocks = u32::try_from(part.blocks.len() / BLOCK).expect("few blocks");
        part.header = vec![part.flags, 6, span_bits, padding];
        part.header.extend(blocks.to_le_bytes());
        part.header.extend([longest, shortest]);
        for length in shortest..=longest {
            let lowest = code
                .iter()
                .position(|&it| it <= length)
                .expect("the shortest is last");
            part.header
                .extend(u16::try_from(lowest).expect("few symbols").to_le_bytes());
        }
        part.header.extend(
            u16::try_from(pairs.len())
                .expect("few symbols")
                .to_le_bytes(),
        );
        for (left, right) in &pairs {
            let [a, b] = [left.to_le_bytes(), right.to_le_bytes()];
            part.header
                .extend([a[0], a[1] | b[0] << 4, b[0] >> 4 | b[1] << 4]);
        }
        if pairs.len() % 2 == 1 {
            part.header.push(0);
        }
        part
    }

    /// The lengths of a complete prefix code, longest first.
    fn code(&mut self) -> Vec<u8> {
        let mut lengths = vec![1u8, 1];
        for _ in 0..self.rng.random_range(20..200) {
            let place = self.rng.random_range(0..lengths.len());
            // The first code stays short, for symbols of many values.
            if place > 0 && lengths[place] < 24 {
                lengths[place] += 1;
                lengths.push(lengths[place]);
            }
        }
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    /// Random symbols, shortest codes last, and how many values each stands for. Symbols with short
    /// codes stand for most values.
    fn symbols(&mut self, count: usize, most: u16) -> (Vec<(u16, u16)>, Vec<u32>) {
        let mut pairs = vec![(0, 0xfff); count];
        let mut values = vec![1u32; count];
        // shakmaty-syzygy takes at most 16 levels of pairs.
        let mut levels = vec![0; count];
        // Small ones can be anywhere, so that some refer to symbols before, some to those behind.
        let mut order: Vec<usize> = (0..count - 1).collect();
        order.shuffle(self.rng);
        order.push(count - 1);
        for (rank, &symbol) in order.iter().enumerate() {
            let parts = (0..30).map(|_| {
                (
                    self.rng.random_range(0..count),
                    self.rng.random_range(0..count),
                )
            });
            let known = |part: &usize| order[..rank].contains(part);
            let fitting = parts.filter(|(a, b)| {
                known(a)
                    && known(b)
                    && values[*a] + values[*b] <= 256
                    && levels[*a].max(levels[*b]) < 14
            });
            let best = fitting.max_by_key(|(a, b)| values[*a] + values[*b]);
            match best.filter(|_| rank >= 10) {
                Some((a, b)) => {
                    let number = |symbol| u16::try_from(symbol).expect("few symbols");
                    pairs[symbol] = (number(a), number(b));
                    values[symbol] = values[a] + values[b];
                    levels[symbol] = 1 + levels[a].max(levels[b]);
                }
                None => pairs[symbol].0 = self.rng.random_range(0..most),
            }
        }
        (pairs, values)
    }

    /// Writes blocks of random symbols with at least `total` values. Returns the index of the first
    /// value of each, and that behind the last.
    fn blocks(
        &mut self,
        part: &mut PartBytes,
        code: &[u8],
        values: &[u32],
        total: u64,
    ) -> Vec<u64> {
        // Codes of equal length are consecutive numbers, in the order of symbols; longer ones are lower.
        let mut codes = Vec::new();
        let (mut next, mut length) = (0u64, code[0]);
        for &it in code {
            next >>= length - it;
            length = it;
            codes.push(next);
            next += 1;
        }
        let mut templates = Vec::new();
        for _ in 0..64 {
            let (mut bits, mut used, mut held) = (Vec::new(), 0, 0);
            loop {
                let is_last = self.rng.random_range(0..10) > 0;
                let symbol = if is_last {
                    code.len() - 1
                } else {
                    self.rng.random_range(0..code.len())
                };
                let length = usize::from(code[symbol]);
                if used + length > 8 * BLOCK || held + values[symbol] > 1 << 16 {
                    break;
                }
                bits.extend((0..length).rev().map(|bit| codes[symbol] >> bit & 1 == 1));
                used += length;
                held += values[symbol];
            }
            bits.resize(8 * BLOCK, false);
            let bytes = bits
                .chunks(8)
                .map(|bits| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
            templates.push((bytes.collect::<Vec<u8>>(), held));
        }
        let mut starts = vec![0];
        let mut end = 0;
        while end < total {
            let (bytes, held) = templates.choose(self.rng).expect("there are some");
            part.blocks.extend(bytes);
            part.lengths.extend(
                u16::try_from(held - 1)
                    .expect("at most 65,536")
                    .to_le_bytes(),
            );
            end += u64::from(*held);
            starts.push(end);
        }
        starts
    }
}

//! The weights of a network, and its file format.

use super::layout::{BUCKETS, HIDDEN, INPUTS, KingBuckets};

/// Quantisation of the first layer: activations lie between 0 and this, which stands for 1.
pub const UNIT: i16 = 255;
/// Quantisation of the output weights: this stands for 1.
pub const OUTPUT_UNIT: i16 = 64;
/// The maximal output weight: its product with an activation fits in 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

const _: () = assert!(OUTPUT_LIMIT as i32 * UNIT as i32 <= i16::MAX as i32);

/// The file's magic number, with type and version.
const MAGIC: [u8; 8] = *b"TSNET\0\0\x02";
/// Version 1: 256 neurons, one king bucket, and no words about either.
const MAGIC_1: [u8; 8] = *b"TSNET\0\0\x01";
const HIDDEN_1: usize = 256;

/// One value per neuron of a perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct WeightRow(pub [i16; HIDDEN]);

/// The weights of a network. The neurons of a perspective are `bias` plus the rows of its active
/// inputs, clipped to 0 to [`UNIT`]; their squares, times the weights of the output bucket, the
/// side to move first, sum to the output (`SCReLU`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Number of neurons of a perspective; the rest of each row is zero.
    pub hidden: usize,
    /// The king buckets.
    pub kings: KingBuckets,
    /// One row per king bucket and input, in units of 1/[`UNIT`].
    pub inputs: Vec<WeightRow>,
    /// Biases of the neurons.
    pub bias: WeightRow,
    /// By bucket, for the side to move and the opponent, in units of 1/[`OUTPUT_UNIT`].
    pub outputs: Vec<[WeightRow; 2]>,
    /// By bucket, in units of 1/(`UNIT * OUTPUT_UNIT`).
    pub output_bias: [i32; BUCKETS],
    /// Centipawns per output of 1.
    pub scale: i32,
}

/// Why bytes are not a valid network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadNetworkError {
    /// Not a network file, or another version.
    #[error("this is not a network of Touchstone, or one of another version")]
    Magic,
    /// Wrong length.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// Actual number of bytes.
        found: usize,
        /// Expected number of bytes.
        expected: usize,
    },
    /// More neurons than there is room for, or none.
    #[error("{found} neurons a side, expected 1 to {HIDDEN}")]
    Hidden {
        /// The number.
        found: usize,
    },
    /// The king buckets are not numbered from 0.
    #[error("the king buckets are not numbered from 0 to at most 31")]
    Kings,
    /// The checksum does not match.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// A value is out of range.
    #[error("{what} number {index} is {value}, expected {least} to {most}")]
    Range {
        /// The name of the value.
        what: &'static str,
        /// Its index, from 0.
        index: usize,
        /// The value.
        value: i32,
        /// The smallest valid value.
        least: i32,
        /// The largest valid value.
        most: i32,
    },
}

/// File length in bytes: magic, number of neurons, map of king buckets, scale, output biases, all
/// rows, checksum; integers are little-endian.
const fn length(hidden: usize, kings: usize) -> usize {
    HEAD + 4 + 4 * BUCKETS + 2 * hidden * (1 + kings * INPUTS + 2 * BUCKETS) + 8
}

/// Length of the magic number, the number of neurons and the map.
const HEAD: usize = MAGIC.len() + 4 + 32;

impl Weights {
    /// All weights zero: every position scores 0.
    pub fn zero(hidden: usize, kings: KingBuckets) -> Self {
        let row = WeightRow([0; HIDDEN]);
        Self {
            hidden,
            kings,
            inputs: vec![row; kings.count() * INPUTS],
            bias: row,
            outputs: vec![[row; 2]; BUCKETS],
            output_bias: [0; BUCKETS],
            scale: 1,
        }
    }

    /// Serialises the weights to the file format.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let hidden = u32::try_from(self.hidden).expect("it is at most HIDDEN");
        bytes.extend(hidden.to_le_bytes());
        bytes.extend(self.kings.map());
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        for WeightRow(row) in self.rows() {
            let used = &row[..self.hidden];
            bytes.extend(used.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Parses a network file.
    ///
    /// # Errors
    ///
    /// If it is not a network file, is corrupted, or its weights might overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadNetworkError> {
        let (mut weights, head) = if bytes.starts_with(&MAGIC_1) {
            (Self::zero(HIDDEN_1, KingBuckets::ONE), MAGIC_1.len())
        } else if bytes.starts_with(&MAGIC) {
            let (found, expected) = (bytes.len(), HEAD);
            let Some((numbers, map)) = bytes[MAGIC.len()..].split_first_chunk() else {
                return Err(ReadNetworkError::Length { found, expected });
            };
            let Some(&map) = map.first_chunk() else {
                return Err(ReadNetworkError::Length { found, expected });
            };
            let found = u32::from_le_bytes(*numbers) as usize;
            if !(1..=HIDDEN).contains(&found) {
                return Err(ReadNetworkError::Hidden { found });
            }
            let kings = KingBuckets::new(map).ok_or(ReadNetworkError::Kings)?;
            (Self::zero(found, kings), HEAD)
        } else {
            return Err(ReadNetworkError::Magic);
        };
        let whole = length(weights.hidden, weights.kings.count());
        let (found, expected) = (bytes.len(), whole - HEAD + head);
        if found != expected {
            return Err(ReadNetworkError::Length { found, expected });
        }
        let (content, sum) = bytes.split_at(expected - 8);
        if checksum(content).to_le_bytes() != sum {
            return Err(ReadNetworkError::Checksum);
        }
        let (numbers, rows) = content[head..].split_at(4 + 4 * BUCKETS);
        let (mut words, _) = numbers.as_chunks::<4>();
        let mut word = || {
            let (first, rest) = words.split_first().expect("the length is right");
            words = rest;
            i32::from_le_bytes(*first)
        };
        weights.scale = word();
        for bias in &mut weights.output_bias {
            *bias = word();
        }
        let (numbers, _) = rows.as_chunks::<2>();
        let hidden = weights.hidden;
        for (WeightRow(row), numbers) in weights.rows_mut().zip(numbers.chunks_exact(hidden)) {
            for (number, &bytes) in row.iter_mut().zip(numbers) {
                *number = i16::from_le_bytes(bytes);
            }
        }
        weights.check()?;
        Ok(weights)
    }

    /// A hash that identifies this network.
    pub fn fingerprint(&self) -> u64 {
        checksum(&self.to_bytes())
    }

    fn rows(&self) -> impl Iterator<Item = &WeightRow> {
        let outputs = self.outputs.as_flattened();
        std::iter::once(&self.bias)
            .chain(&self.inputs)
            .chain(outputs)
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut WeightRow> {
        let outputs = self.outputs.as_flattened_mut();
        std::iter::once(&mut self.bias)
            .chain(&mut self.inputs)
            .chain(outputs)
    }

    /// Checks that no sum overflows: 32 inputs and the bias in 16 bits, the output in 32.
    fn check(&self) -> Result<(), ReadNetworkError> {
        within("scale", [self.scale], [1, MOST_SCALE])?;
        within("output bias", self.output_bias, [-MOST_BIAS, MOST_BIAS])?;
        let limit = i32::from(OUTPUT_LIMIT);
        let outputs = self.outputs.as_flattened().iter();
        within("output weight", outputs.flat_map(numbers), [-limit, limit])?;
        let sums = self.outputs.iter().map(|sides| {
            let sizes = sides.iter().flat_map(numbers).map(i32::abs);
            sizes.sum::<i32>()
        });
        within("sum of output weights", sums, [0, MOST_OUTPUTS])?;
        let first = std::iter::once(&self.bias).chain(&self.inputs);
        within(
            "input weight",
            first.flat_map(numbers),
            [-MOST_INPUT, MOST_INPUT],
        )
    }
}

/// Limits on values in a file: far beyond the results of any training.
const MOST_SCALE: i32 = 10_000;
const MOST_BIAS: i32 = 1 << 24;
// Up to 32 pieces and the bias are added in 16 bits.
const MOST_INPUT: i32 = i16::MAX as i32 / 33;
/// The maximal sum of absolute output weights of a bucket, with every neuron at its maximum.
const MOST_OUTPUTS: i32 = i32::MAX / (UNIT as i32 * UNIT as i32);

fn numbers(WeightRow(row): &WeightRow) -> impl Iterator<Item = i32> {
    row.iter().map(|&number| i32::from(number))
}

fn within(
    what: &'static str,
    numbers: impl IntoIterator<Item = i32>,
    [least, most]: [i32; 2],
) -> Result<(), ReadNetworkError> {
    let mut numbers = numbers.into_iter().enumerate();
    match numbers.find(|(_, value)| !(least..=most).contains(value)) {
        None => Ok(()),
        Some((index, value)) => Err(ReadNetworkError::Range {
            what,
            index,
            value,
            least,
            most,
        }),
    }
}

/// 64-bit FNV-1a (Fowler, Noll and Vo): detects corruption, not tampering.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

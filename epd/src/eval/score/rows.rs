//! Evaluated positions in a temporary file, so that ten million of them take no memory.

use std::io::{
    self, BufReader, BufWriter, IntoInnerError, Read as _, Seek as _, SeekFrom, Write as _,
};

use tempfile::tempfile;

use super::features::PositionFeatures;
use crate::eval::data::GameResult;

/// A position as the statistics need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScoredRow {
    /// Centipawns for White, one per engine; `None` where it gave no evaluation.
    pub(crate) scores: [Option<i16>; 2],
    pub(crate) result: Option<GameResult>,
    /// The score in the data, centipawns for White.
    pub(crate) reference: Option<i16>,
    /// Groups by [`PositionFeatures::groups`].
    pub(crate) groups: [u8; 3],
    /// Index of its set of themes.
    pub(crate) themes: u16,
    /// Positions of one game have one number.
    pub(crate) game: u32,
}

impl ScoredRow {
    const SIZE: usize = 16;
    // Scores are limited to `MATE_CP`, so this one is free.
    const NO_SCORE: i16 = i16::MIN;

    fn to_bytes(self) -> [u8; Self::SIZE] {
        let score = |score: Option<i16>| score.unwrap_or(Self::NO_SCORE).to_le_bytes();
        let mut bytes = [0; Self::SIZE];
        bytes[0..2].copy_from_slice(&score(self.scores[0]));
        bytes[2..4].copy_from_slice(&score(self.scores[1]));
        bytes[4..6].copy_from_slice(&score(self.reference));
        bytes[6..8].copy_from_slice(&self.themes.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.game.to_le_bytes());
        bytes[12..15].copy_from_slice(&self.groups);
        bytes[15] = self.result.map_or(u8::MAX, |result| result as u8);
        bytes
    }

    fn of_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let pair = |at: usize| [bytes[at], bytes[at + 1]];
        let score = |at| Some(i16::from_le_bytes(pair(at))).filter(|&cp| cp != Self::NO_SCORE);
        let four = [bytes[8], bytes[9], bytes[10], bytes[11]];
        Self {
            scores: [score(0), score(2)],
            reference: score(4),
            themes: u16::from_le_bytes(pair(6)),
            game: u32::from_le_bytes(four),
            groups: [bytes[12], bytes[13], bytes[14]],
            result: match bytes[15] {
                0 => Some(GameResult::BlackWins),
                1 => Some(GameResult::Draw),
                2 => Some(GameResult::WhiteWins),
                _ => None,
            },
        }
    }
}

const _: () = assert!(
    PositionFeatures::GROUPS <= u8::MAX as usize,
    "a group fits a byte"
);

/// Rows that are still being added.
pub(crate) struct RowWriter(BufWriter<std::fs::File>);

/// All rows, to be read as often as needed.
pub(crate) struct ScoreRows(std::fs::File);

impl RowWriter {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(BufWriter::with_capacity(1 << 18, tempfile()?)))
    }

    pub(crate) fn push(&mut self, row: ScoredRow) -> io::Result<()> {
        self.0.write_all(&row.to_bytes())
    }

    pub(crate) fn finish(self) -> io::Result<ScoreRows> {
        let file = self.0.into_inner().map_err(IntoInnerError::into_error)?;
        Ok(ScoreRows(file))
    }
}

impl ScoreRows {
    /// Calls `see` with every row, in order.
    pub(crate) fn for_each(&mut self, mut see: impl FnMut(ScoredRow)) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(0))?;
        let mut input = BufReader::with_capacity(1 << 18, &self.0);
        let mut bytes = [0; ScoredRow::SIZE];
        loop {
            match input.read_exact(&mut bytes) {
                Ok(()) => see(ScoredRow::of_bytes(bytes)),
                // Rows were written whole, so this is the end.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read_back() {
        let rows = [
            ScoredRow {
                scores: [Some(-31), None],
                result: Some(GameResult::WhiteWins),
                reference: Some(30_000),
                groups: [2, 7, 11],
                themes: 65_535,
                game: u32::MAX,
            },
            ScoredRow {
                scores: [None, Some(i16::MAX)],
                result: None,
                reference: None,
                groups: [0; 3],
                themes: 0,
                game: 0,
            },
        ];
        let mut writer = RowWriter::new().unwrap();
        for row in rows {
            writer.push(row).unwrap();
        }
        let mut written = writer.finish().unwrap();
        for _ in 0..2 {
            let mut read = Vec::new();
            written.for_each(|row| read.push(row)).unwrap();
            assert_eq!(read, rows);
        }
    }
}

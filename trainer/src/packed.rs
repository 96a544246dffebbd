//! The binary format of positions: 32 bytes each, the layout of `marlinformat` and of viriformat's
//! `PackedBoard`, which other trainers read.
//!
//! The positions of a game follow each other, and its first one is marked, so that a label can
//! depend on the scores of later positions of the same game. `docs/network.md` has the table.

use chess::notation::pgn::PgnResult;
use chess::rules::{Bitboard, Color, Piece, PieceType, Position, PositionError, Setup, Square};

use crate::line::TrainingLine;

/// A position with its score and result.
pub(crate) type PackedRecord = [u8; BYTES];

/// Length of a record.
pub(crate) const BYTES: usize = 32;

/// The kind of a rook that may castle.
const UNMOVED_ROOK: u8 = 6;
/// The bit of Black's pieces, and of Black to move.
const BLACK_PIECE: u8 = 8;
const BLACK_TO_MOVE: u8 = 0x80;
/// The square of no en passant.
const NO_SQUARE: u8 = 64;
/// Bits of the last byte: the first position of a game; a position beside the game, whose result is
/// not known.
const FIRST: u8 = 1;
const SIDELINE: u8 = 2;

/// Why a position cannot be packed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PackError {
    #[error("{found} pieces, at most 32 fit")]
    Pieces { found: u32 },
    #[error("the {what} {found} does not fit")]
    Number { what: &'static str, found: i64 },
    #[error("the position has no score")]
    NoScore,
}

/// Why a record is invalid.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnpackError {
    #[error("the file ends within a record")]
    Truncated,
    #[error("{found} pieces, expected at most 32")]
    Pieces { found: u32 },
    #[error("piece number {index} has the code {found}, expected 0 to 6 and 8 to 14")]
    Piece { index: usize, found: u8 },
    #[error("the en passant square is {found}, expected 0 to 64")]
    EnPassant { found: u8 },
    #[error("the result is {found}, expected 0 to 2")]
    Result { found: u8 },
    #[error("the last byte is {found}, expected 0 to 3")]
    Marks { found: u8 },
    #[error("no game begins at the first record")]
    NoGame,
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Packs a position; `first` if it is the first one of its game.
pub(crate) fn pack(line: &TrainingLine, first: bool) -> Result<PackedRecord, PackError> {
    let position = &line.position;
    let occupied = position.occupied();
    if occupied.count() > 32 {
        let found = occupied.count();
        return Err(PackError::Pieces { found });
    }
    let score = line.score.ok_or(PackError::NoScore)?;
    let mut record = [0; BYTES];
    record[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let piece = position.piece_at(square).expect("it is occupied");
        let kind = if position.castling_rooks().contains(square) {
            UNMOVED_ROOK
        } else {
            piece.piece_type as u8
        };
        let color = piece.color as u8 * BLACK_PIECE;
        record[8 + index / 2] |= (kind | color) << (index % 2 * 4);
    }
    record[24] = position
        .ep_square()
        .map_or(NO_SQUARE, |square| square as u8)
        | (position.side_to_move() as u8 * BLACK_TO_MOVE);
    let clock = position.halfmove_clock();
    record[25] = fit("halfmove clock", clock)?;
    let number: u16 = fit("fullmove number", position.fullmove_number())?;
    record[26..28].copy_from_slice(&number.to_le_bytes());
    let score: i16 = fit("score", score)?;
    record[28..30].copy_from_slice(&score.to_le_bytes());
    record[30] = match line.result {
        PgnResult::BlackWins => 0,
        // The format has no unknown result; other trainers read a draw, and `SIDELINE` tells ours.
        PgnResult::Draw | PgnResult::Unknown => 1,
        PgnResult::WhiteWins => 2,
    };
    let is_sideline = line.result == PgnResult::Unknown;
    record[31] = (u8::from(first) * FIRST) | (u8::from(is_sideline) * SIDELINE);
    Ok(record)
}

fn fit<T: TryFrom<N>, N: Copy + Into<i64>>(what: &'static str, number: N) -> Result<T, PackError> {
    let found = number.into();
    T::try_from(number).map_err(|_| PackError::Number { what, found })
}

/// Unpacks a position, with game number 0; whether it is the first of its game.
pub(crate) fn unpack(record: &PackedRecord) -> Result<(TrainingLine, bool), UnpackError> {
    let (occupied, rest) = record.split_first_chunk().expect("a record is longer");
    let occupied = Bitboard(u64::from_le_bytes(*occupied));
    if occupied.count() > 32 {
        let found = occupied.count();
        return Err(UnpackError::Pieces { found });
    }
    let mut setup = Setup::empty();
    for (index, square) in occupied.into_iter().enumerate() {
        let found = rest[index / 2] >> (index % 2 * 4) & 0xf;
        let color = Color::ALL[usize::from(found / BLACK_PIECE)];
        let kind = match found % BLACK_PIECE {
            UNMOVED_ROOK => {
                setup.castling_rooks |= square.bitboard();
                PieceType::Rook
            }
            kind => *PieceType::ALL
                .get(usize::from(kind))
                .ok_or(UnpackError::Piece { index, found })?,
        };
        setup.board[square.index()] = Some(Piece::new(color, kind));
    }
    setup.side_to_move = Color::ALL[usize::from(record[24] / BLACK_TO_MOVE)];
    setup.ep_square = match record[24] % BLACK_TO_MOVE {
        NO_SQUARE => None,
        found => Some(
            *Square::ALL
                .get(usize::from(found))
                .ok_or(UnpackError::EnPassant { found })?,
        ),
    };
    setup.halfmove_clock = u32::from(record[25]);
    setup.fullmove_number = u32::from(u16::from_le_bytes([record[26], record[27]]));
    let marks = record[31];
    if marks & !(FIRST | SIDELINE) != 0 {
        return Err(UnpackError::Marks { found: marks });
    }
    let result = match record[30] {
        // The mark comes first: the byte of the result is that of a draw then.
        _ if marks & SIDELINE != 0 => PgnResult::Unknown,
        0 => PgnResult::BlackWins,
        1 => PgnResult::Draw,
        2 => PgnResult::WhiteWins,
        found => return Err(UnpackError::Result { found }),
    };
    let line = TrainingLine {
        game: 0,
        position: Position::from_setup(setup)?,
        result,
        score: Some(i32::from(i16::from_le_bytes([record[28], record[29]]))),
    };
    Ok((line, marks & FIRST != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> TrainingLine {
        text.parse().unwrap()
    }

    fn packed() -> PackedRecord {
        let fen = "r3k2r/8/8/8/3Pp3/8/8/R3K1R1 b Qkq d3 0 9";
        pack(&line(&format!("1;{fen};0-1;-513")), true).unwrap()
    }

    #[test]
    fn the_layout_is_the_published_one() {
        // a1 e1 g1, d4 e4, a8 e8 h8; their pieces, of which g1 is a rook that has moved; Black to move, d3; the clock,
        // the number of the move; the score; the result; the mark of a first position.
        let expected = concat!(
            "5100001800000091 5603e8ed 000000000000000000000000",
            "93 00 0900 fffd 00 01"
        );
        let found: Vec<String> = packed().map(|byte| format!("{byte:02x}")).to_vec();
        assert_eq!(found.concat(), expected.replace(' ', ""));
    }

    #[test]
    fn what_does_not_fit_is_not_packed() {
        for (end, expected) in [
            ("0 1;*;", "the position has no score"),
            ("0 1;*;32768", "the score 32768 does not fit"),
            ("300 1;*;0", "the halfmove clock 300 does not fit"),
        ] {
            let text = format!("1;8/5k2/8/8/8/1r6/5K2/8 b - - {end}");
            let fault = pack(&line(&text), true).unwrap_err();
            assert_eq!(fault.to_string(), expected);
        }
    }
}

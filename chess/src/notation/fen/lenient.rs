//! Reading FENs as they are found.

use super::fields::Reader;
use super::{FenFault, ParseFenError};
use crate::rules::{Bitboard, Color, Position, PositionError, PositionFault, Setup};

/// A position read leniently, with all that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lenient {
    /// The position.
    pub position: Position,
    /// What a strict reader would have refused, in the order in which it was met.
    pub tolerated: Vec<FenFault>,
}

/// Reads a FEN as found in the wild. It tolerates, and lists:
///
/// - any white space around and between fields;
/// - two to five fields: no castling right, no en passant square, clocks 0 and 1 are supplied;
/// - two counts of empty squares side by side;
/// - `W` or `B` as the side to move;
/// - castling rights out of order or repeated; those without king and rook in place are dropped;
/// - an en passant square that no pawn can just have passed: dropped;
/// - fullmove number 0: read as 1;
/// - checks that no single move can have given.
///
/// Anything else is malformed, and never guessed at.
///
/// # Errors
///
/// Every fault that is not in the list above.
pub fn parse_lenient(text: &str) -> Result<Lenient, ParseFenError> {
    let (mut setup, reader) = Reader::read(text, true);
    let fail = |faults| {
        Err(ParseFenError {
            text: text.to_owned(),
            faults,
        })
    };
    if !reader.faults.is_empty() {
        return fail(reader.faults);
    }
    let mut tolerated = reader.tolerated.clone();
    let error = match Position::from_setup(setup) {
        Ok(position) => {
            return Ok(Lenient {
                position,
                tolerated,
            });
        }
        Err(error) => error,
    };
    tolerated.extend(reader.locate(&error.faults));
    setup = *error.setup;
    for fault in error.faults {
        drop_claim(&mut setup, fault);
    }
    match Position::from_setup(setup).or_else(PositionError::ignore_impossible_check) {
        Ok(position) => Ok(Lenient {
            position,
            tolerated,
        }),
        Err(error) => fail(reader.locate(&error.faults)),
    }
}

/// Drops a castling right or en passant square that the board contradicts.
fn drop_claim(setup: &mut Setup, fault: PositionFault) {
    match fault {
        PositionFault::NoCastlingRook { square, .. } => {
            setup.castling_rooks &= !square.bitboard();
        }
        PositionFault::CastlingKingAway { color } => {
            let half = match color {
                Color::White => Bitboard(0xffff_ffff),
                Color::Black => Bitboard(0xffff_ffff << 32),
            };
            setup.castling_rooks &= !half;
        }
        PositionFault::EpWrongRank { .. } | PositionFault::EpNoDoubleStep { .. } => {
            setup.ep_square = None;
        }
        _ => {}
    }
}

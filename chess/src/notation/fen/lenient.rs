//! Lenient FEN parsing.

use super::fields::Reader;
use super::{FenFault, ParseFenError};
use crate::rules::{Bitboard, Color, Position, PositionError, PositionFault, Setup};

/// A leniently parsed position, with every tolerated fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lenient {
    /// The position.
    pub position: Position,
    /// What strict parsing would have rejected, in order of occurrence.
    pub tolerated: Vec<FenFault>,
}

/// Parses a FEN as found in the wild. The following is tolerated and listed:
///
/// - any white space around and between fields;
/// - two to five fields: missing ones default to no castling rights, no en passant square, and
///   clocks 0 and 1;
/// - adjacent counts of empty squares;
/// - `W` or `B` as the side to move;
/// - castling rights out of order or repeated; rights without king and rook in place are dropped;
/// - an en passant square that no pawn can have just passed: dropped;
/// - fullmove number 0: read as 1;
/// - checks that no single move can have given.
///
/// Anything else is rejected, never guessed.
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

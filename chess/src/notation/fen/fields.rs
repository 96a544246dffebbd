//! Parsing of the individual FEN fields. Faults are collected, and parsing continues.

use super::{FenFault, FenField, FenReason, MAX_FEN_BYTES, ParseFenError};
use crate::rules::{
    Bitboard, CastlingSide, Color, FaultyPart, File, Piece, PieceType, Position, PositionError,
    PositionFault, Rank, Setup, Square,
};

/// Parses a FEN into a [`Setup`].
pub(super) struct Reader<'a> {
    text: &'a str,
    fields: Vec<(usize, &'a str)>,
    /// Byte offset at which each occupied square is described.
    placed_at: [usize; Square::COUNT],
    lenient: bool,
    /// Faults that make the text invalid.
    faults: Vec<FenFault>,
    /// Faults that lenient parsing ignores.
    tolerated: Vec<FenFault>,
}

impl<'a> Reader<'a> {
    /// Parses all fields.
    pub(super) fn read(text: &'a str, lenient: bool) -> Result<(Setup, Self), ParseFenError> {
        let mut reader = Reader {
            text,
            fields: Vec::new(),
            placed_at: [0; Square::COUNT],
            lenient,
            faults: Vec::new(),
            tolerated: Vec::new(),
        };
        let mut setup = Setup::empty();
        if text.len() > MAX_FEN_BYTES {
            let reason = FenReason::TooLong { found: text.len() };
            reader.fault(FenField::Record, 0, reason);
        } else {
            reader.split();
        }
        for (index, (offset, field)) in reader.fields.clone().into_iter().enumerate() {
            match index {
                0 => reader.placement(offset, field, &mut setup),
                1 => reader.side_to_move(offset, field, &mut setup),
                2 => reader.castling(offset, field, &mut setup),
                3 => setup.ep_square = reader.ep_square(offset, field),
                4 => setup.halfmove_clock = reader.number(offset, field, FenField::HalfmoveClock),
                5 => setup.fullmove_number = reader.number(offset, field, FenField::FullmoveNumber),
                _ => break,
            }
        }
        if reader.faults.is_empty() {
            Ok((setup, reader))
        } else {
            Err(reader.error(reader.faults.clone()))
        }
    }

    fn error(&self, faults: Vec<FenFault>) -> ParseFenError {
        let text = self.text.to_owned();
        ParseFenError { text, faults }
    }

    /// The faults of the position, each at its place in the text.
    pub(super) fn reject(&self, faults: &[PositionFault]) -> ParseFenError {
        self.error(faults.iter().map(|&fault| self.locate(fault)).collect())
    }

    fn locate(&self, fault: PositionFault) -> FenFault {
        let offset_of = |index: usize| self.fields.get(index).map_or(0, |field| field.0);
        let (field, offset) = match fault.part() {
            FaultyPart::Placement(square) => {
                let within = square.map(|square| self.placed_at[square.index()]);
                (FenField::Placement, within.unwrap_or(offset_of(0)))
            }
            FaultyPart::Castling => (FenField::Castling, offset_of(2)),
            FaultyPart::EpSquare => (FenField::EpSquare, offset_of(3)),
        };
        FenFault {
            field,
            offset,
            reason: FenReason::Position(fault),
        }
    }

    fn fault(&mut self, field: FenField, offset: usize, reason: FenReason) {
        self.faults.push(FenFault {
            field,
            offset,
            reason,
        });
    }

    /// Records a fault that lenient parsing ignores.
    fn tolerable(&mut self, field: FenField, offset: usize, reason: FenReason) {
        let fault = FenFault {
            field,
            offset,
            reason,
        };
        if self.lenient {
            self.tolerated.push(fault);
        } else {
            self.faults.push(fault);
        }
    }

    fn split(&mut self) {
        let text = self.text;
        let is_space = |c: char| c == ' ' || (self.lenient && c.is_ascii_whitespace());
        let mut offset = 0;
        let mut extra = None;
        for piece in text.split(is_space) {
            if piece.is_empty() {
                extra.get_or_insert(offset);
            } else {
                self.fields.push((offset, piece));
            }
            offset += piece.len() + 1;
        }
        if let Some(offset) = extra.filter(|_| !text.is_empty()) {
            let offset = offset.min(text.len() - 1);
            self.tolerable(FenField::Record, offset, FenReason::ExtraSpace);
        }
        let found = self.fields.len();
        match found {
            // An EPD record begins with the first four fields.
            4 | 6 => {}
            2..=5 => self.tolerable(FenField::Record, 0, FenReason::FieldCount { found }),
            _ => self.fault(FenField::Record, 0, FenReason::FieldCount { found }),
        }
    }

    fn placement(&mut self, offset: usize, field: &str, setup: &mut Setup) {
        let found = field.split('/').count();
        if found != 8 {
            self.fault(FenField::Placement, offset, FenReason::RankCount { found });
        }
        let mut start = offset;
        for (text, rank) in field.split('/').zip(Rank::ALL.into_iter().rev()) {
            self.rank(start, text, rank, setup);
            start += text.len() + 1;
        }
    }

    fn rank(&mut self, start: usize, text: &str, rank: Rank, setup: &mut Setup) {
        let mut length = 0;
        let mut after_count = false;
        for (within, letter) in text.char_indices() {
            let offset = start + within;
            match (letter.to_digit(10), Piece::from_char(letter)) {
                (Some(count @ 1..=8), _) => {
                    if after_count {
                        self.tolerable(FenField::Placement, offset, FenReason::AdjacentCounts);
                    }
                    length += count;
                    after_count = true;
                    continue;
                }
                (_, Some(piece)) => {
                    if let Some(file) = File::try_from_index(length as usize) {
                        let square = Square::new(file, rank);
                        setup.board[square.index()] = Some(piece);
                        self.placed_at[square.index()] = offset;
                    }
                    length += 1;
                }
                _ => {
                    let reason = FenReason::NotAPiece { found: letter };
                    self.fault(FenField::Placement, offset, reason);
                }
            }
            after_count = false;
        }
        if length != 8 {
            let reason = FenReason::RankLength {
                rank: rank.to_char(),
                found: length,
            };
            self.fault(FenField::Placement, start, reason);
        }
    }

    fn side_to_move(&mut self, offset: usize, field: &str, setup: &mut Setup) {
        let reason = FenReason::NotASide {
            found: field.to_owned(),
        };
        if matches!(field, "W" | "B") {
            self.tolerable(FenField::SideToMove, offset, reason);
        } else if !matches!(field, "w" | "b") {
            self.fault(FenField::SideToMove, offset, reason);
        }
        if matches!(field, "b" | "B") {
            setup.side_to_move = Color::Black;
        }
    }

    fn castling(&mut self, offset: usize, field: &str, setup: &mut Setup) {
        if field == "-" {
            return;
        }
        let mut order = 0;
        for (within, right) in field.char_indices() {
            let offset = offset + within;
            let color = if right.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let (rook, place) = match right.to_ascii_uppercase() {
                'K' => (outermost_rook(setup, color, CastlingSide::King), 0),
                'Q' => (outermost_rook(setup, color, CastlingSide::Queen), 1),
                // Shredder-FEN names the rook's file.
                'A'..='H' => {
                    let file = File::from_char(right.to_ascii_lowercase());
                    let rank = Rank::R1.relative_to(color);
                    (file.map(|file| Square::new(file, rank)), 0)
                }
                _ => {
                    let reason = FenReason::NotACastlingRight { found: right };
                    self.fault(FenField::Castling, offset, reason);
                    continue;
                }
            };
            let Some(rook) = rook else {
                let reason = FenReason::NoRookForRight { right };
                self.tolerable(FenField::Castling, offset, reason);
                continue;
            };
            if setup.castling_rooks.contains(rook) {
                let reason = FenReason::RepeatedRight { right };
                self.tolerable(FenField::Castling, offset, reason);
            }
            let rank_in_order = 2 * color.index() + place;
            if rank_in_order < order {
                let reason = FenReason::RightOutOfOrder { right };
                self.tolerable(FenField::Castling, offset, reason);
            }
            order = order.max(rank_in_order);
            setup.castling_rooks |= rook.bitboard();
        }
    }

    fn ep_square(&mut self, offset: usize, field: &str) -> Option<Square> {
        if field == "-" {
            return None;
        }
        let square = field.parse().ok();
        if square.is_none() {
            let reason = FenReason::NotASquare {
                found: field.to_owned(),
            };
            self.fault(FenField::EpSquare, offset, reason);
        }
        square
    }

    fn number(&mut self, offset: usize, text: &str, field: FenField) -> u32 {
        // The FEN standard counts full moves from 1, half-moves from 0.
        let least = u32::from(field == FenField::FullmoveNumber);
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let reason = || FenReason::NotANumber {
            found: text.to_owned(),
            least,
        };
        match text.parse::<u32>() {
            Ok(number) if digits && number >= least => return number,
            Ok(0) if digits => self.tolerable(field, offset, reason()),
            _ => self.fault(field, offset, reason()),
        }
        least
    }
}

/// The rook that X-FEN's `K` or `Q` refers to: the outermost one on that side of a king on its
/// first rank.
fn outermost_rook(setup: &Setup, color: Color, side: CastlingSide) -> Option<Square> {
    let back_rank = Rank::R1.relative_to(color).bitboard();
    let on_back_rank = |kind| -> Bitboard {
        let piece = Some(Piece::new(color, kind));
        let squares = back_rank.into_iter();
        squares
            .filter(|&square| setup.piece_at(square) == piece)
            .collect()
    };
    let king = on_back_rank(PieceType::King).only()?;
    let rooks: Bitboard = on_back_rank(PieceType::Rook)
        .into_iter()
        .filter(|&rook| CastlingSide::new(king, rook) == side)
        .collect();
    match side {
        CastlingSide::King => rooks.into_iter().last(),
        CastlingSide::Queen => rooks.first(),
    }
}

/// A leniently parsed position, with every tolerated fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LenientFen {
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
/// - an en passant square that no pawn can have just passed, or only out of an earlier check:
///   dropped;
/// - fullmove number 0: read as 1;
/// - checks that no single move can have given.
///
/// Anything else is rejected, never guessed.
///
/// # Errors
///
/// Every fault that is not in the list above.
pub fn parse_lenient(text: &str) -> Result<LenientFen, ParseFenError> {
    let (setup, reader) = Reader::read(text, true)?;
    let mut tolerated = reader.tolerated.clone();
    let error = match Position::from_setup(setup) {
        Ok(position) => {
            return Ok(LenientFen {
                position,
                tolerated,
            });
        }
        Err(error) => error,
    };
    tolerated.extend(error.faults.iter().map(|&fault| reader.locate(fault)));
    let mut setup = *error.setup;
    for fault in error.faults {
        // Drops a castling right or en passant square that the board contradicts.
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
            PositionFault::EpWrongRank { .. }
            | PositionFault::EpNoDoubleStep { .. }
            | PositionFault::EpImpossibleCheck { .. } => setup.ep_square = None,
            _ => {}
        }
    }
    match Position::from_setup(setup).or_else(PositionError::ignore_impossible_check) {
        Ok(position) => Ok(LenientFen {
            position,
            tolerated,
        }),
        Err(error) => Err(reader.reject(&error.faults)),
    }
}

//! Validation of setups: lists every fault with its location.

use super::attacks::{self, Subtraction};
use super::{Bitboard, CastlingSide, Color, Piece, PieceType, Position, Rank, Setup, Square};

/// One reason why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum PositionFault {
    #[error("{color} has no king")]
    NoKing { color: Color },
    #[error("{color} has another king on {square}")]
    ExtraKing { color: Color, square: Square },
    #[error("a pawn stands on {square}, the first or last rank")]
    PawnOnBackRank { square: Square },
    #[error("{color} has {count} pawns, at most 8 are possible")]
    TooManyPawns { color: Color, count: u32 },
    /// A side has more pieces than its pawns and promotions can account for.
    #[error(
        "{color} has {promoted} promoted pieces and {pawns} pawns, together at most 8 are possible"
    )]
    TooManyPieces {
        color: Color,
        /// Number of pieces beyond those of the start position.
        promoted: u32,
        pawns: u32,
    },
    /// The side that is not to move is in check.
    #[error("{color} is in check on {king}, but it is not {color}'s move")]
    OpponentInCheck { color: Color, king: Square },
    #[error("the checks on {king} cannot come from one move ({count} checkers)")]
    ImpossibleCheck { king: Square, count: u32 },
    /// A castling right without a rook of the right colour on the first rank.
    #[error("a castling right names {square}, where {color} has no rook")]
    NoCastlingRook { color: Color, square: Square },
    /// A castling right while the king is off its first rank.
    #[error("{color} has a castling right, but its king is not on its first rank")]
    CastlingKingAway { color: Color },
    /// Two castling rights on the same side of the king.
    #[error("two castling rights of {color} lie on the same side of its king")]
    CastlingRooksOneSide { color: Color },
    #[error("en passant square {square} is not on the sixth rank of {color}, the side to move")]
    EpWrongRank { square: Square, color: Color },
    /// An en passant square that no pawn can have just passed.
    #[error("no pawn can have just passed over {square}")]
    EpNoDoubleStep { square: Square },
    /// The check shows that the double step cannot have been the last move.
    #[error("the side to move was already in check before the pawn passed over {square}")]
    EpImpossibleCheck { square: Square },
}

/// The FEN field that a fault concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FaultyPart {
    Placement(Option<Square>),
    Castling,
    EpSquare,
}

impl PositionFault {
    pub(crate) fn part(self) -> FaultyPart {
        match self {
            Self::NoKing { .. } | Self::TooManyPawns { .. } | Self::TooManyPieces { .. } => {
                FaultyPart::Placement(None)
            }
            Self::ExtraKing { square, .. } | Self::PawnOnBackRank { square } => {
                FaultyPart::Placement(Some(square))
            }
            Self::OpponentInCheck { king, .. } | Self::ImpossibleCheck { king, .. } => {
                FaultyPart::Placement(Some(king))
            }
            Self::NoCastlingRook { .. }
            | Self::CastlingKingAway { .. }
            | Self::CastlingRooksOneSide { .. } => FaultyPart::Castling,
            Self::EpWrongRank { .. }
            | Self::EpNoDoubleStep { .. }
            | Self::EpImpossibleCheck { .. } => FaultyPart::EpSquare,
        }
    }
}

/// An invalid setup, returned with all its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The setup, unchanged.
    pub setup: Box<Setup>,
    /// The faults, at least one.
    pub faults: Vec<PositionFault>,
}

impl Position {
    /// Validates a setup and converts it to a position.
    ///
    /// # Errors
    ///
    /// If there are faults; the error lists all of them and returns the setup.
    pub fn from_setup(setup: Setup) -> Result<Self, PositionError> {
        let mut position = Self::without_key(&setup);
        let faults = validate(&setup, &position);
        if faults.is_empty() {
            position.key = position.key_from_scratch();
            Ok(position)
        } else {
            Err(PositionError {
                setup: Box::new(setup),
                faults,
            })
        }
    }
}

impl PositionError {
    /// Makes the position anyway if its only faults are checks that no single move can have given:
    /// play from it is well defined even though no game reaches it.
    ///
    /// # Errors
    ///
    /// The same error if there is any other fault, such as an en passant square that a check
    /// contradicts.
    pub fn ignore_impossible_check(self) -> Result<Position, Self> {
        let is_impossible_check =
            |fault: &PositionFault| matches!(fault, PositionFault::ImpossibleCheck { .. });
        if self.faults.iter().all(is_impossible_check) {
            let mut position = Position::without_key(&self.setup);
            position.key = position.key_from_scratch();
            Ok(position)
        } else {
            Err(self)
        }
    }
}

impl std::fmt::Display for PositionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PositionError {}

/// All faults of the setup; empty if it is a legal position. `board` is the same setup without a
/// key.
fn validate(setup: &Setup, board: &Position) -> Vec<PositionFault> {
    let mut faults = Vec::new();
    for color in Color::ALL {
        check_material(board, color, &mut faults);
        check_castling(setup, board, color, &mut faults);
    }
    check_ep(setup, &mut faults);
    let mut colors = Color::ALL.into_iter();
    if colors.all(|color| king_of(board, color).is_some()) {
        check_checks(setup, board, &mut faults);
    }
    faults
}

fn king_of(board: &Position, color: Color) -> Option<Square> {
    board.pieces(color, PieceType::King).only()
}

fn check_material(board: &Position, color: Color, faults: &mut Vec<PositionFault>) {
    let squares = |piece_type| board.pieces(color, piece_type);
    let kings = squares(PieceType::King);
    if kings.is_empty() {
        faults.push(PositionFault::NoKing { color });
    }
    let extra = kings.into_iter().skip(1);
    faults.extend(extra.map(|square| PositionFault::ExtraKing { color, square }));

    let pawns = squares(PieceType::Pawn);
    let back_ranks = Rank::R1.bitboard() | Rank::R8.bitboard();
    let misplaced = (pawns & back_ranks).into_iter();
    faults.extend(misplaced.map(|square| PositionFault::PawnOnBackRank { square }));

    if pawns.count() > 8 {
        faults.push(PositionFault::TooManyPawns {
            color,
            count: pawns.count(),
        });
    }
    let beyond = |piece_type, at_start| squares(piece_type).count().saturating_sub(at_start);
    let promoted = beyond(PieceType::Queen, 1)
        + beyond(PieceType::Rook, 2)
        + beyond(PieceType::Bishop, 2)
        + beyond(PieceType::Knight, 2);
    // Without promoted pieces, it is just too many pawns, which is reported above.
    if promoted > 0 && promoted + pawns.count() > 8 {
        faults.push(PositionFault::TooManyPieces {
            color,
            promoted,
            pawns: pawns.count(),
        });
    }
}

fn check_castling(setup: &Setup, board: &Position, color: Color, faults: &mut Vec<PositionFault>) {
    // The half of the board that its rook stands in identifies the owner of a right.
    let own_half = match color {
        Color::White => Bitboard(0x0000_0000_ffff_ffff),
        Color::Black => Bitboard(0xffff_ffff_0000_0000),
    };
    let rights = setup.castling_rooks & own_half;
    let back_rank = Rank::R1.relative_to(color);
    let rook = Some(Piece::new(color, PieceType::Rook));
    for square in rights {
        if square.rank() != back_rank || setup.piece_at(square) != rook {
            faults.push(PositionFault::NoCastlingRook { color, square });
        }
    }
    match king_of(board, color) {
        Some(king) if king.rank() == back_rank => {
            for side in CastlingSide::ALL {
                let rooks = rights
                    .into_iter()
                    .filter(|&rook| CastlingSide::new(king, rook) == side);
                if rooks.count() > 1 {
                    faults.push(PositionFault::CastlingRooksOneSide { color });
                }
            }
        }
        Some(_) if !rights.is_empty() => faults.push(PositionFault::CastlingKingAway { color }),
        _ => {}
    }
}

/// The origin and target of a double step over `ep_square`.
fn double_step(ep_square: Square, mover: Color) -> Option<(Square, Square)> {
    let origin = ep_square.offset(0, -mover.forward())?;
    let target = ep_square.offset(0, mover.forward())?;
    Some((origin, target))
}

fn check_ep(setup: &Setup, faults: &mut Vec<PositionFault>) {
    let Some(square) = setup.ep_square else {
        return;
    };
    let color = setup.side_to_move;
    if square.rank() != Rank::R6.relative_to(color) {
        faults.push(PositionFault::EpWrongRank { square, color });
        return;
    }
    let possible = double_step(square, !color).is_some_and(|(origin, target)| {
        setup.piece_at(square).is_none()
            && setup.piece_at(origin).is_none()
            && setup.piece_at(target) == Some(Piece::new(!color, PieceType::Pawn))
    });
    if !possible {
        faults.push(PositionFault::EpNoDoubleStep { square });
    }
}

/// Requires exactly one king per side.
fn check_checks(setup: &Setup, board: &Position, faults: &mut Vec<PositionFault>) {
    let color = setup.side_to_move;
    let attackers_of = |board: &Position, side: Color| {
        let king = board.king(side);
        board.attackers_to(king, board.occupied(), Subtraction) & board.by_color(!side)
    };
    if !attackers_of(board, !color).is_empty() {
        let king = board.king(!color);
        faults.push(PositionFault::OpponentInCheck {
            color: !color,
            king,
        });
    }
    let (king, checkers) = (board.king(color), attackers_of(board, color));
    if !can_come_from_one_move(board, king, checkers) {
        faults.push(PositionFault::ImpossibleCheck {
            king,
            count: checkers.count(),
        });
    }
    let ep_is_fine = !faults
        .iter()
        .any(|fault| fault.part() == FaultyPart::EpSquare);
    if let Some(square) = setup.ep_square.filter(|_| ep_is_fine) {
        let Some((origin, target)) = double_step(square, !color) else {
            return;
        };
        // Before the double step this side was not to move, so it cannot have been in check.
        let mut before = setup.clone();
        before.board[origin.index()] = before.board[target.index()].take();
        if !attackers_of(&Position::without_key(&before), color).is_empty() {
            faults.push(PositionFault::EpImpossibleCheck { square });
        }
    }
}

/// At most one of two checkers has just moved; the other was uncovered, so it is a slider on
/// another line than the first.
fn can_come_from_one_move(board: &Position, king: Square, checkers: Bitboard) -> bool {
    let leapers = board.by_type(PieceType::Pawn) | board.by_type(PieceType::Knight);
    let mut squares = checkers.into_iter();
    match (squares.next(), squares.next(), squares.next()) {
        (Some(first), Some(second), None) => {
            !(checkers & leapers).has_several() && !attacks::line(first, second).contains(king)
        }
        (_, _, third) => third.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A setup with pieces such as `Ke1` put on it; `.e1` leaves the square empty.
    fn with(mut setup: Setup, pieces: &str) -> Setup {
        for word in pieces.split(' ') {
            let square: Square = word[1..].parse().expect("a square");
            setup.board[square.index()] = word.chars().next().and_then(Piece::from_char);
        }
        setup
    }

    /// The faults of the start position after a change.
    fn faults_of(pieces: &str) -> Vec<String> {
        let setup = with(Position::startpos().to_setup(), pieces);
        let error = Position::from_setup(setup).err();
        let faults = error.map_or(Vec::new(), |error| error.faults);
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_fault_is_listed_at_once() {
        let mut setup = with(Position::startpos().to_setup(), ".e1 ke4 Pa8");
        setup.ep_square = Some(Square::E3);
        let error = Position::from_setup(setup).expect_err("many faults");
        let expected = [
            "White has no king",
            "a pawn stands on a8, the first or last rank",
            "White has 9 pawns, at most 8 are possible",
            "Black has another king on e8",
            "a castling right names a8, where Black has no rook",
            "en passant square e3 is not on the sixth rank of White, the side to move",
        ];
        assert_eq!(error.to_string(), expected.join("; "));
    }

    #[test]
    fn material_is_bounded_and_the_waiting_side_not_in_check() {
        let promoted = "White has 1 promoted pieces and 8 pawns, together at most 8 are possible";
        assert_eq!(faults_of("Qe4"), [promoted]);
        assert!(faults_of("Qe2").is_empty());
        assert!(faults_of("Nf7").iter().any(|fault| fault == promoted));
        let in_check = "Black is in check on e8, but it is not Black's move";
        assert_eq!(faults_of(".b1 Nf6"), [in_check]);
    }

    #[test]
    fn impossible_checks_can_be_waived() {
        let mut setup = with(Setup::empty(), "Ke1 ke8 nd3 nf3");
        let error = Position::from_setup(setup.clone()).expect_err("two knights give check");
        let expected = "the checks on e1 cannot come from one move (2 checkers)";
        assert_eq!(error.to_string(), expected);
        assert!(error.ignore_impossible_check().is_ok());

        setup.castling_rooks = Square::A1.bitboard();
        let error = Position::from_setup(setup).expect_err("no rook on a1");
        assert!(error.ignore_impossible_check().is_err());
    }

    #[test]
    fn an_ep_square_must_fit_the_checks_of_before() {
        // The rook on e8 already gave check along the e-file before d7-d5; the pawn on d5 has
        // stopped that of the queen on a8.
        for pieces in ["Ke1 kh8 re8 pd5", "Kh1 kh8 qa8 pd5 Pe5"] {
            let mut setup = with(Setup::empty(), pieces);
            setup.ep_square = Some(Square::D6);
            let error = Position::from_setup(setup).expect_err("in check before the double step");
            let fault = PositionFault::EpImpossibleCheck { square: Square::D6 };
            assert_eq!(error.faults, [fault]);
            assert!(error.ignore_impossible_check().is_err());
        }
    }
}

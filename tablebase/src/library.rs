//! The interface to `pyrrhic-rs`: converts our boards and moves.

use pyrrhic_rs::{DtzProbeValue, DtzResult, EngineAdapter, TBError, TableBases, WdlProbeResult};

use crate::{TablebaseError, Wdl};
use chess::rules::{Bitboard, Color, Move, PieceType, Position, Square, attacks};

/// The library with its open tables.
pub(super) struct Library(TableBases<Attacks>);

impl Library {
    /// Opens the tables in folders separated by colons.
    pub(super) fn open(paths: &str) -> Result<Self, TablebaseError> {
        TableBases::new(paths)
            .map(Self)
            .map_err(|error| match error {
                TBError::AlreadyInitialized | TBError::NotSingleton => TablebaseError::AlreadyOpen,
                TBError::BadPath | TBError::InitFailed | TBError::ProbeFailed => {
                    TablebaseError::Rejected {
                        paths: paths.to_owned(),
                    }
                }
            })
    }

    /// The WDL value of a position without castling rights, assuming a halfmove clock of 0.
    #[inline(always)]
    pub(super) fn wdl(&self, position: &Position) -> Option<Wdl> {
        let kind = |piece_type| position.by_type(piece_type).0;
        let value = self.0.probe_wdl(
            position.by_color(Color::White).0,
            position.by_color(Color::Black).0,
            kind(PieceType::King),
            kind(PieceType::Queen),
            kind(PieceType::Rook),
            kind(PieceType::Bishop),
            kind(PieceType::Knight),
            kind(PieceType::Pawn),
            ep_square(position),
            position.side_to_move() == Color::White,
        );
        value.ok().map(translate)
    }

    /// The moves of a position with their results under the fifty-move rule, and the distance in
    /// plies to the next capture, pawn move or mate, counting this move; 0 for a draw.
    pub(super) fn root(&self, position: &Position) -> Option<Vec<(Move, Wdl, u16)>> {
        let kind = |piece_type| position.by_type(piece_type).0;
        let result = self.0.probe_root(
            position.by_color(Color::White).0,
            position.by_color(Color::Black).0,
            kind(PieceType::King),
            kind(PieceType::Queen),
            kind(PieceType::Rook),
            kind(PieceType::Bishop),
            kind(PieceType::Knight),
            kind(PieceType::Pawn),
            // Values above 100 make no difference, and 255 would overflow in the library.
            position.halfmove_clock().min(100),
            ep_square(position),
            position.side_to_move() == Color::White,
        );
        let result = result.ok()?;
        let moves = &result.moves[..result.num_moves];
        moves.iter().copied().map(move_of).collect()
    }
}

/// The library uses square 0 for none; no en passant capture can end there.
#[inline(always)]
fn ep_square(position: &Position) -> u32 {
    position.legal_ep_square().map_or(0, |square| square as u32)
}

#[inline(always)]
fn translate(value: WdlProbeResult) -> Wdl {
    match value {
        WdlProbeResult::Loss => Wdl::Loss,
        WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
        WdlProbeResult::Draw => Wdl::Draw,
        WdlProbeResult::CursedWin => Wdl::CursedWin,
        WdlProbeResult::Win => Wdl::Win,
    }
}

fn move_of(value: DtzProbeValue) -> Option<(Move, Wdl, u16)> {
    let DtzProbeValue::DtzResult(result) = value else {
        return None;
    };
    let (from, to) = (result.from_square, result.to_square);
    let (from, to) = (from_index(from.into()), from_index(to.into()));
    let m = match promotion(result) {
        Some(kind) => Move::new_promotion(from, to, kind),
        None => Move::new(from, to),
    };
    Some((m, translate(result.wdl), result.dtz))
}

fn promotion(result: DtzResult) -> Option<PieceType> {
    match result.promotion {
        pyrrhic_rs::Piece::Queen => Some(PieceType::Queen),
        pyrrhic_rs::Piece::Rook => Some(PieceType::Rook),
        pyrrhic_rs::Piece::Bishop => Some(PieceType::Bishop),
        pyrrhic_rs::Piece::Knight => Some(PieceType::Knight),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    }
}

/// Provides our attack tables to the library.
#[derive(Clone)]
struct Attacks;

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        attacks::pawn(color, from_index(square)).0
    }

    fn knight_attacks(square: u64) -> u64 {
        attacks::knight(from_index(square)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        attacks::bishop(from_index(square), Bitboard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        attacks::rook(from_index(square), Bitboard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        Self::rook_attacks(square, occupied) | Self::bishop_attacks(square, occupied)
    }

    fn king_attacks(square: u64) -> u64 {
        attacks::king(from_index(square)).0
    }
}

/// The library numbers squares as we do.
fn from_index(square: u64) -> Square {
    Square::ALL[(square & 63) as usize]
}

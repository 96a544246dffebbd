//! Castling, in standard chess and Chess960, with every condition of FIDE 3.8.2.

use chess::rules::{CastlingSide, Color, File, Piece, PieceType, Rank, Square};

use super::super::Mutation;
use super::super::attacks::Threats;
use super::super::board::{Kind, Mutant};

/// A castling that is being tested.
#[derive(Clone, Copy)]
struct Castling {
    side: CastlingSide,
    king: Square,
    rook: Square,
    king_target: Square,
    rook_target: Square,
}

impl Mutant {
    pub(super) fn castling_moves(&mut self, threats: &Threats) {
        let us = self.us();
        let Some(king) = threats.king else {
            return;
        };
        if king.rank() != Rank::R1.relative_to(us) {
            return;
        }
        if threats.is_check() && self.has(Mutation::CheckLosesRights) {
            self.state.rights[us] = [None; 2];
        }
        let rights = self.state.rights;
        for side in CastlingSide::ALL {
            let other = match side {
                CastlingSide::King => CastlingSide::Queen,
                CastlingSide::Queen => CastlingSide::King,
            };
            let standard_rook = side.standard_rook(us);
            // The rook with which the king has the right to castle to this side.
            let right = rights[us][side.index()];
            let rook = match self.broken() {
                Some(Mutation::CastlingWithoutRight) => {
                    let stands = self.at(standard_rook) == Some(Piece::new(us, PieceType::Rook));
                    right.or((stands && king.file() == File::E).then_some(standard_rook))
                }
                Some(Mutation::CastlingByTheirRight) => {
                    rights[!us][side.index()].map(Square::flip_rank)
                }
                Some(Mutation::CastlingRightsSwapped) => {
                    rights[us][other.index()].map(|_| standard_rook)
                }
                _ => right,
            };
            let Some(rook) = rook else {
                continue;
            };
            let castling = Castling {
                side,
                king,
                rook,
                king_target: side.king_target(us),
                rook_target: side.rook_target(us),
            };
            if self.may_castle(castling, threats) {
                self.add(king, rook, Kind::Castling(side));
                if self.has(Mutation::CastlingTwice) {
                    self.add(king, rook, Kind::Castling(side));
                }
            }
        }
    }

    fn may_castle(&self, castling: Castling, threats: &Threats) -> bool {
        let Castling {
            side,
            king,
            rook,
            king_target,
            rook_target,
        } = castling;
        let (us, them) = (self.us(), self.them());
        let is_omitted = match self.broken() {
            Some(Mutation::CastlingMissing) => true,
            Some(Mutation::CastlingLongMissing) => side == CastlingSide::Queen,
            Some(Mutation::CastlingByBlackMissing) => us == Color::Black,
            Some(Mutation::CastlingRookMustBeSafe) => self.is_attacked(rook, them, None),
            Some(Mutation::CastlingRookPathMustBeSafe) => span(rook, rook_target)
                .any(|square| square != rook && self.is_attacked(square, them, None)),
            Some(Mutation::Chess960KingMustMove) => king == king_target,
            Some(Mutation::Chess960RookMustMove) => rook == rook_target,
            Some(Mutation::Chess960SwapForbidden) => king == rook_target && rook == king_target,
            Some(Mutation::Chess960TargetOfKingMustBeFree) => rook == king_target,
            Some(Mutation::Chess960TargetOfRookMustBeFree) => king == rook_target,
            Some(Mutation::Chess960KingFromEOnly) => king.file() != File::E,
            Some(Mutation::Chess960CornerRooksOnly) => rook != side.standard_rook(us),
            _ => false,
        };
        if is_omitted {
            return false;
        }
        if threats.is_check() {
            let checker = threats.checkers[0].and_then(|square| self.at(square));
            let kind = checker.map(|piece| piece.piece_type);
            let castles_out_of_check = match self.broken() {
                Some(Mutation::CastlingOutOfCheck) => true,
                Some(Mutation::CastlingOutOfKnightCheck) => kind == Some(PieceType::Knight),
                Some(Mutation::CastlingOutOfPawnCheck) => kind == Some(PieceType::Pawn),
                _ => false,
            };
            if !castles_out_of_check {
                return false;
            }
        }
        // The rook may shield the king from a slider on the rank (Chess960).
        let rook_may_leave = || {
            self.has(Mutation::Chess960UncoveredCheck)
                || self.has(Mutation::CastlingIntoCheck)
                || !self.is_attacked_by_slider(king_target, them, Some(rook))
        };
        self.path_is_free(castling) && self.path_is_safe(castling) && rook_may_leave()
    }

    /// Whether all squares crossed or reached by king and rook are empty, except their own.
    fn path_is_free(&self, castling: Castling) -> bool {
        let Castling {
            side,
            king,
            rook,
            king_target,
            rook_target,
        } = castling;
        let free = |square: Square| {
            let is_taken = match self.broken() {
                Some(Mutation::CastlingThroughTheirPiece) => true,
                Some(Mutation::CastlingTakesPiece) => square == king_target,
                _ => false,
            };
            square == king
                || square == rook
                || self.is_empty(square)
                || is_taken && self.is_of(square, self.them())
        };
        let is_standard = king.file() == File::E && rook == side.standard_rook(self.us());
        let rook_path_is_ignored = match self.broken() {
            Some(Mutation::Chess960OnlyBetweenTested) => return span(king, rook).all(free),
            Some(Mutation::CastlingThroughPiece) => return free(king_target),
            Some(Mutation::CastlingLongRookPathIgnored) => {
                is_standard && side == CastlingSide::Queen
            }
            Some(Mutation::Chess960RookPathIgnored) => !is_standard,
            _ => false,
        };
        span(king, king_target).all(free)
            && (rook_path_is_ignored || span(rook, rook_target).all(free))
    }

    /// Whether no square crossed or reached by the king is attacked.
    fn path_is_safe(&self, castling: Castling) -> bool {
        let Castling {
            side,
            king,
            king_target,
            ..
        } = castling;
        let mut path = span(king, king_target).filter(|&square| square != king);
        path.all(|square| {
            let lands = square == king_target;
            let is_ignored = match self.broken() {
                Some(Mutation::CastlingIntoCheck) => lands,
                Some(Mutation::CastlingThroughCheckShort) => !lands && side == CastlingSide::King,
                Some(Mutation::CastlingThroughCheckLong) => !lands && side == CastlingSide::Queen,
                Some(Mutation::CastlingThroughCheckByBlack) => !lands && self.us() == Color::Black,
                Some(Mutation::Chess960LongPathUntested) => {
                    !lands && (king as u8).abs_diff(square as u8) > 1
                }
                _ => false,
            };
            is_ignored || !self.castling_square_is_attacked(square)
        })
    }

    fn castling_square_is_attacked(&self, square: Square) -> bool {
        let them = self.them();
        match self.broken() {
            Some(Mutation::CastlingPawnGuardsUnseen) => {
                self.is_attacked(square, them, None) && !self.is_attacked_by_pawn(square, them)
            }
            Some(Mutation::CastlingKingGuardsUnseen) => {
                self.is_attacked(square, them, None) && !self.is_attacked_by_king(square, them)
            }
            Some(Mutation::CastlingAnyPieceGuardsAsPawn) => {
                let from = |files| square.offset(files, self.us().forward());
                let mut pawns = [-1, 1].into_iter().filter_map(from);
                pawns.any(|from| self.is_of(from, them)) || self.is_attacked(square, them, None)
            }
            _ => self.is_attacked(square, them, None),
        }
    }
}

/// The squares of a rank between two squares, both included.
fn span(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (low, high) = (from.min(to), from.max(to));
    (low as usize..=high as usize).filter_map(Square::try_from_index)
}

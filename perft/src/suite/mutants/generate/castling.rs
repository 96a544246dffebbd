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

impl Castling {
    /// Whether king and rook are on their squares of standard chess.
    fn is_standard(self, us: Color) -> bool {
        self.king.file() == File::E && self.rook == self.side.standard_rook(us)
    }
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
        for side in CastlingSide::ALL {
            let Some(rook) = self.castling_rook(us, king, side) else {
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

    /// The rook with which the king has the right to castle to this side.
    fn castling_rook(&self, us: Color, king: Square, side: CastlingSide) -> Option<Square> {
        let rights = &self.state.rights;
        match self.broken() {
            Some(Mutation::CastlingWithoutRight) => {
                let rook = side.standard_rook(us);
                let stands = self.at(rook) == Some(Piece::new(us, PieceType::Rook));
                let right = (stands && king.file() == File::E).then_some(rook);
                rights[us][side.index()].or(right)
            }
            Some(Mutation::CastlingByTheirRight) => {
                rights[!us][side.index()].map(Square::flip_rank)
            }
            Some(Mutation::CastlingRightsSwapped) => {
                let other = match side {
                    CastlingSide::King => CastlingSide::Queen,
                    CastlingSide::Queen => CastlingSide::King,
                };
                rights[us][other.index()].map(|_| side.standard_rook(us))
            }
            _ => rights[us][side.index()],
        }
    }

    fn may_castle(&self, castling: Castling, threats: &Threats) -> bool {
        !self.is_missing(castling)
            && (!threats.is_check() || self.castles_out_of_check(threats))
            && self.path_is_free(castling)
            && self.path_is_safe(castling)
            && self.rook_may_leave(castling)
    }

    /// Whether castling is omitted although it may be legal.
    fn is_missing(&self, castling: Castling) -> bool {
        let Castling {
            side,
            king,
            rook,
            king_target,
            rook_target,
        } = castling;
        let (us, them) = (self.us(), self.them());
        match self.broken() {
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
        }
    }

    fn castles_out_of_check(&self, threats: &Threats) -> bool {
        let kind = threats.checkers[0]
            .and_then(|square| self.at(square))
            .map(|piece| piece.piece_type);
        match self.broken() {
            Some(Mutation::CastlingOutOfCheck) => true,
            Some(Mutation::CastlingOutOfKnightCheck) => kind == Some(PieceType::Knight),
            Some(Mutation::CastlingOutOfPawnCheck) => kind == Some(PieceType::Pawn),
            _ => false,
        }
    }

    /// Whether all squares crossed or reached by king and rook are empty, except their own.
    fn path_is_free(&self, castling: Castling) -> bool {
        let Castling {
            king,
            rook,
            king_target,
            rook_target,
            ..
        } = castling;
        let free = |square: Square| {
            square == king
                || square == rook
                || self.is_empty(square)
                || self.has(Mutation::CastlingThroughTheirPiece) && self.is_of(square, self.them())
                || square == king_target && self.may_land_on(square)
        };
        if self.has(Mutation::Chess960OnlyBetweenTested) {
            return span(king, rook).all(free);
        }
        if self.has(Mutation::CastlingThroughPiece) {
            return free(king_target);
        }
        span(king, king_target).all(free)
            && (self.rook_path_is_ignored(castling) || span(rook, rook_target).all(free))
    }

    /// Whether the king captures the piece on its target square.
    fn may_land_on(&self, square: Square) -> bool {
        self.has(Mutation::CastlingTakesPiece) && self.is_of(square, self.them())
    }

    fn rook_path_is_ignored(&self, castling: Castling) -> bool {
        let standard = castling.is_standard(self.us());
        match self.broken() {
            Some(Mutation::CastlingLongRookPathIgnored) => {
                standard && castling.side == CastlingSide::Queen
            }
            Some(Mutation::Chess960RookPathIgnored) => !standard,
            _ => false,
        }
    }

    /// Whether no square crossed or reached by the king is attacked.
    fn path_is_safe(&self, castling: Castling) -> bool {
        let Castling {
            side,
            king,
            king_target,
            ..
        } = castling;
        span(king, king_target)
            .filter(|&square| square != king)
            .all(|square| {
                let lands = square == king_target;
                let ignored = match self.broken() {
                    Some(Mutation::CastlingIntoCheck) => lands,
                    Some(Mutation::CastlingThroughCheckShort) => {
                        !lands && side == CastlingSide::King
                    }
                    Some(Mutation::CastlingThroughCheckLong) => {
                        !lands && side == CastlingSide::Queen
                    }
                    Some(Mutation::CastlingThroughCheckByBlack) => {
                        !lands && self.us() == Color::Black
                    }
                    Some(Mutation::Chess960LongPathUntested) => {
                        !lands && (king as u8).abs_diff(square as u8) > 1
                    }
                    _ => false,
                };
                ignored || !self.castling_square_is_attacked(square)
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

    /// Whether the rook does not shield the king from a slider on the rank (Chess960).
    fn rook_may_leave(&self, castling: Castling) -> bool {
        self.has(Mutation::Chess960UncoveredCheck)
            || self.has(Mutation::CastlingIntoCheck)
            || !self.is_attacked_by_slider(castling.king_target, self.them(), Some(castling.rook))
    }
}

/// The squares of a rank between two squares, both included.
fn span(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (low, high) = (from.min(to), from.max(to));
    (low as usize..=high as usize).filter_map(Square::try_from_index)
}

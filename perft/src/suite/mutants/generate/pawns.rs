//! Pawns: pushes, captures, en passant, promotion.

use chess::rules::{Color, File, PieceType, Rank, Square};

use super::super::Mutation;
use super::super::attacks::{distance, wrapped};
use super::super::board::{Kind, Mutant};

impl Mutant {
    pub(super) fn pawn_moves(&mut self, from: Square) {
        self.pushes(from);
        for files in [-1, 1] {
            self.pawn_capture(from, files);
        }
        if let Some(ep_square) = self.state.ep_square.or_else(|| self.ep_square_of_none()) {
            self.en_passant(from, ep_square);
        }
    }

    fn pushes(&mut self, from: Square) {
        let (us, forward) = (self.us(), self.us().forward());
        let Some(to) = from.offset(0, forward) else {
            return;
        };
        let is_free = self.is_empty(to);
        if is_free || self.has(Mutation::PushCaptures) && self.is_of(to, !us) {
            self.add_pawn_move(from, to);
        }
        if (is_free || self.has(Mutation::DoublePushJumps)) && self.may_push_twice(from) {
            self.double_push(from);
        }
    }

    fn double_push(&mut self, from: Square) {
        let us = self.us();
        let Some(to) = from.offset(0, 2 * us.forward()) else {
            return;
        };
        if self.is_empty(to) || self.has(Mutation::DoublePushCaptures) && self.is_of(to, !us) {
            self.add(from, to, Kind::DoublePush);
            if self.has(Mutation::DoublePushTwice) {
                self.add(from, to, Kind::DoublePush);
            }
        }
    }

    /// Whether a pawn on this square may make a double push.
    fn may_push_twice(&self, from: Square) -> bool {
        let us = self.us();
        let rank = from.rank().relative_to(us);
        match self.broken() {
            Some(Mutation::DoublePushMissing) => false,
            Some(Mutation::DoublePushMissingOnEdge) => {
                rank == Rank::R2 && !matches!(from as u8 & 7, 0 | 7)
            }
            Some(Mutation::DoublePushFromThirdRank) => matches!(rank, Rank::R2 | Rank::R3),
            Some(Mutation::DoublePushFromAnyRank) => rank < Rank::R6,
            Some(Mutation::DoublePushRankOfBlackWrong) => match us {
                Color::White => rank == Rank::R2,
                Color::Black => rank == Rank::R3,
            },
            _ => rank == Rank::R2,
        }
    }

    fn pawn_capture(&mut self, from: Square, files: i32) {
        let us = self.us();
        let missing = match files {
            -1 => self.has(Mutation::PawnCaptureTowardAMissing),
            _ => self.has(Mutation::PawnCaptureTowardHMissing),
        };
        let Some(to) = self.aside(from, files) else {
            return;
        };
        let takes = self.is_of(to, !us)
            || self.has(Mutation::PawnCapturesOwn) && self.is_of(to, us)
            || self.is_empty(to) && self.takes_nothing(to);
        if takes && !missing {
            self.add_pawn_move(from, to);
        }
    }

    /// Whether a pawn captures on an empty square of the last rank.
    fn takes_nothing(&self, to: Square) -> bool {
        match self.broken() {
            Some(Mutation::CapturePromotionOntoEmpty) => {
                to.rank().relative_to(self.us()) == Rank::R8
            }
            Some(Mutation::EmptyA8Taken) => to == Square::A8,
            Some(Mutation::EmptyH8Taken) => to == Square::H8,
            Some(Mutation::EmptyA1Taken) => to == Square::A1,
            Some(Mutation::EmptyH1Taken) => to == Square::H1,
            _ => false,
        }
    }

    /// The square one rank ahead on a neighbouring file.
    fn aside(&self, from: Square, files: i32) -> Option<Square> {
        let ranks = self.us().forward();
        let wraps = match files {
            -1 => self.has(Mutation::PawnCaptureWrapsAFile),
            _ => self.has(Mutation::PawnCaptureWrapsHFile),
        };
        match from.offset(files, ranks) {
            None if wraps => wrapped(from, files, ranks),
            to => to,
        }
    }

    fn en_passant(&mut self, from: Square, ep_square: Square) {
        if !self.may_take_ep(from, ep_square) {
            return;
        }
        let already = || {
            self.moves
                .iter()
                .any(|step| step.kind == Kind::EnPassant && step.to == ep_square)
        };
        if self.has(Mutation::EpByOnePawnOnly) && already() {
            return;
        }
        self.add(from, ep_square, Kind::EnPassant);
        if self.has(Mutation::EpTwice) {
            self.add(from, ep_square, Kind::EnPassant);
        }
    }

    /// The square mistaken for the en passant square when there is none.
    fn ep_square_of_none(&self) -> Option<Square> {
        let square = Square::new(File::A, Rank::R6.relative_to(self.us()));
        (self.has(Mutation::EpNoneIsFileA) && self.is_empty(square)).then_some(square)
    }

    fn may_take_ep(&self, from: Square, ep_square: Square) -> bool {
        let (files, ranks) = distance(from, ep_square);
        let is_aside = files.abs() == 1 && ranks == self.us().forward();
        match self.broken() {
            Some(Mutation::EpMissing) => false,
            Some(Mutation::EpTowardHOnly) => is_aside && files == 1,
            Some(Mutation::EpTowardAOnly) => is_aside && files == -1,
            Some(Mutation::EpByBlackMissing) => is_aside && self.us() == Color::White,
            Some(Mutation::EpOnEdgeFileMissing) => {
                is_aside && !matches!(ep_square as u8 & 7, 0 | 7)
            }
            Some(Mutation::EpFromWrongRank) => {
                is_aside || files.abs() == 1 && ranks == 2 * self.us().forward()
            }
            Some(Mutation::EpWraps) => {
                is_aside
                    || files.abs() == 7
                        && [-1, 1].into_iter().any(|files| {
                            wrapped(from, files, self.us().forward()) == Some(ep_square)
                        })
            }
            _ => is_aside,
        }
    }

    /// Adds a push or a capture, or all its promotions.
    fn add_pawn_move(&mut self, from: Square, to: Square) {
        let us = self.us();
        let rank = to.rank().relative_to(us);
        let takes = from.file() != to.file();
        let promotes = match self.broken() {
            Some(Mutation::PromotionForgotten) => false,
            Some(Mutation::PromotionByWhiteOnly) => rank == Rank::R8 && us == Color::White,
            Some(Mutation::PromotionOneRankEarly) => rank >= Rank::R7,
            Some(Mutation::CapturePromotionForgotten) => rank == Rank::R8 && !takes,
            _ => rank == Rank::R8,
        };
        if !promotes {
            self.add(from, to, Kind::Plain);
            return;
        }
        if takes && self.has(Mutation::CapturePromotionMissing) {
            return;
        }
        for kind in PieceType::ALL {
            if self.may_become(kind, takes) {
                self.add(from, to, Kind::Promotion(kind));
                if takes && self.has(Mutation::CapturePromotionTwice) {
                    self.add(from, to, Kind::Promotion(kind));
                }
            }
        }
    }

    fn may_become(&self, kind: PieceType, takes: bool) -> bool {
        match (self.broken(), kind) {
            (Some(Mutation::PromotionToKing), PieceType::King)
            | (Some(Mutation::PromotionToPawn), PieceType::Pawn) => true,
            (_, PieceType::King | PieceType::Pawn)
            | (Some(Mutation::PromotionToKnightMissing), PieceType::Knight)
            | (Some(Mutation::PromotionToBishopMissing), PieceType::Bishop)
            | (Some(Mutation::PromotionToRookMissing), PieceType::Rook)
            | (Some(Mutation::PromotionToQueenMissing), PieceType::Queen) => false,
            (Some(Mutation::PromotionToQueenOnly), _) => kind == PieceType::Queen,
            (Some(Mutation::CapturePromotionToQueenOnly), _) => !takes || kind == PieceType::Queen,
            _ => true,
        }
    }
}

//! Pawns: pushes, captures, en passant, promotion.

use chess::rules::{Color, File, PieceType, Rank, Square};

use super::super::Mutation;
use super::super::attacks::{distance, wrapped};
use super::super::board::{Kind, Mutant, Step};

impl Mutant {
    pub(super) fn pawn_moves(&mut self, from: Square) {
        self.pushes(from);
        for files in [-1, 1] {
            self.pawn_capture(from, files);
        }
        // The square that may be mistaken for the en passant square when there is none.
        let none = Square::new(File::A, Rank::R6.relative_to(self.us()));
        let mistakes = self.has(Mutation::EpNoneIsFileA) && self.is_empty(none);
        if let Some(ep_square) = self.state.ep_square.or(mistakes.then_some(none)) {
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
        let rank = from.rank().relative_to(us);
        let may_push_twice = match self.broken() {
            Some(Mutation::DoublePushMissing) => false,
            Some(Mutation::DoublePushMissingOnEdge) => {
                rank == Rank::R2 && !matches!(from as u8 & 7, 0 | 7)
            }
            Some(Mutation::DoublePushFromThirdRank) => matches!(rank, Rank::R2 | Rank::R3),
            Some(Mutation::DoublePushFromAnyRank) => rank < Rank::R6,
            Some(Mutation::DoublePushRankOfBlackWrong) if us == Color::Black => rank == Rank::R3,
            _ => rank == Rank::R2,
        };
        if !may_push_twice || !is_free && !self.has(Mutation::DoublePushJumps) {
            return;
        }
        let Some(to) = from.offset(0, 2 * forward) else {
            return;
        };
        if self.is_empty(to) || self.has(Mutation::DoublePushCaptures) && self.is_of(to, !us) {
            self.add(from, to, Kind::DoublePush);
            if self.has(Mutation::DoublePushTwice) {
                self.add(from, to, Kind::DoublePush);
            }
        }
    }

    fn pawn_capture(&mut self, from: Square, files: i32) {
        let us = self.us();
        let (is_missing, wraps) = match self.broken() {
            Some(Mutation::PawnCaptureTowardAMissing) => (files < 0, false),
            Some(Mutation::PawnCaptureTowardHMissing) => (files > 0, false),
            Some(Mutation::PawnCaptureWrapsAFile) => (false, files < 0),
            Some(Mutation::PawnCaptureWrapsHFile) => (false, files > 0),
            _ => (false, false),
        };
        let to = match from.offset(files, us.forward()) {
            None if wraps => wrapped(from, files, us.forward()),
            to => to,
        };
        let Some(to) = to.filter(|_| !is_missing) else {
            return;
        };
        // On the last rank, an empty square may be taken for one with a piece.
        let takes_nothing = match self.broken() {
            Some(Mutation::CapturePromotionOntoEmpty) => to.rank().relative_to(us) == Rank::R8,
            Some(Mutation::EmptyA8Taken) => to == Square::A8,
            Some(Mutation::EmptyH8Taken) => to == Square::H8,
            Some(Mutation::EmptyA1Taken) => to == Square::A1,
            Some(Mutation::EmptyH1Taken) => to == Square::H1,
            _ => false,
        };
        if self.is_of(to, !us)
            || self.has(Mutation::PawnCapturesOwn) && self.is_of(to, us)
            || takes_nothing && self.is_empty(to)
        {
            self.add_pawn_move(from, to);
        }
    }

    fn en_passant(&mut self, from: Square, ep_square: Square) {
        let (us, forward) = (self.us(), self.us().forward());
        let (files, ranks) = distance(from, ep_square);
        let is_aside = files.abs() == 1 && ranks == forward;
        let may_take = match self.broken() {
            Some(Mutation::EpMissing) => false,
            Some(Mutation::EpTowardHOnly) => is_aside && files == 1,
            Some(Mutation::EpTowardAOnly) => is_aside && files == -1,
            Some(Mutation::EpByBlackMissing) => is_aside && us == Color::White,
            Some(Mutation::EpOnEdgeFileMissing) => {
                is_aside && !matches!(ep_square as u8 & 7, 0 | 7)
            }
            Some(Mutation::EpFromWrongRank) => is_aside || files.abs() == 1 && ranks == 2 * forward,
            Some(Mutation::EpWraps) => {
                let wraps = |files| wrapped(from, files, forward) == Some(ep_square);
                is_aside || files.abs() == 7 && [-1, 1].into_iter().any(wraps)
            }
            Some(Mutation::EpByOnePawnOnly) => {
                let is_same = |step: &Step| step.kind == Kind::EnPassant && step.to == ep_square;
                is_aside && !self.moves.iter().any(is_same)
            }
            _ => is_aside,
        };
        if may_take {
            self.add(from, ep_square, Kind::EnPassant);
            if self.has(Mutation::EpTwice) {
                self.add(from, ep_square, Kind::EnPassant);
            }
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
            let may_become = match (self.broken(), kind) {
                (Some(Mutation::PromotionToKing), PieceType::King)
                | (Some(Mutation::PromotionToPawn), PieceType::Pawn) => true,
                (_, PieceType::King | PieceType::Pawn)
                | (Some(Mutation::PromotionToKnightMissing), PieceType::Knight)
                | (Some(Mutation::PromotionToBishopMissing), PieceType::Bishop)
                | (Some(Mutation::PromotionToRookMissing), PieceType::Rook)
                | (Some(Mutation::PromotionToQueenMissing), PieceType::Queen) => false,
                (Some(Mutation::PromotionToQueenOnly), _) => kind == PieceType::Queen,
                (Some(Mutation::CapturePromotionToQueenOnly), _) => {
                    !takes || kind == PieceType::Queen
                }
                _ => true,
            };
            if may_become {
                self.add(from, to, Kind::Promotion(kind));
                if takes && self.has(Mutation::CapturePromotionTwice) {
                    self.add(from, to, Kind::Promotion(kind));
                }
            }
        }
    }
}

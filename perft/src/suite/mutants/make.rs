//! Making and unmaking moves.

use chess::rules::{CastlingSide, Color, File, Move, Piece, PieceType, Rank, Square};

use super::Mutation;
use super::board::{Kind, Mutant, State, Step};

/// The data needed to unmake a move.
pub(super) struct Undo {
    state: State,
    changes: usize,
    step: Step,
}

impl Mutant {
    /// Plays legal moves of a real game, as `position … moves …` does: the effects of a broken rule
    /// persist.
    pub fn play(&mut self, moves: &[Move]) {
        for &m in moves {
            let step = self.read(m);
            self.make(step);
        }
        self.changes.clear();
    }

    /// Makes a move; [`Mutant::unmake`] takes it back.
    pub(super) fn make(&mut self, step: Step) -> Undo {
        let undo = Undo {
            state: self.state,
            changes: self.changes.len(),
            step,
        };
        let us = self.us();
        let taken = self.at(step.to);
        let moved = self.at(step.from).map(|piece| piece.piece_type);
        match step.kind {
            Kind::Castling(side) => self.castle(us, step, side),
            _ => self.move_piece(us, step),
        }
        self.drop_rights(us, step, moved, taken);
        self.advance_clock(us, moved, taken);
        self.set_ep_square(us, step, moved, taken);
        self.state.last = Some(step);
        if !self.keeps_the_move(step) {
            self.state.side_to_move = !us;
        }
        undo
    }

    /// Unmakes the last move.
    pub(super) fn unmake(&mut self, undo: &Undo) {
        let left = self.state;
        while self.changes.len() > undo.changes
            && let Some((square, before)) = self.changes.pop()
        {
            self.board[square.index()] = before;
        }
        self.state = undo.state;
        if self.broken().is_some() {
            self.leave_stale(&left, undo.step);
        }
    }

    /// The state that a broken [`Mutant::unmake`] fails to restore.
    fn leave_stale(&mut self, left: &State, step: Step) {
        let us = self.us();
        match (self.broken(), step.kind) {
            (Some(Mutation::EpSquareNotRestored), _) => self.state.ep_square = left.ep_square,
            (Some(Mutation::RightsNotRestored), _) => self.state.rights = left.rights,
            (Some(Mutation::RightsNotRestoredAfterCapture), _) if self.is_of(step.to, !us) => {
                self.state.rights = left.rights;
            }
            (Some(Mutation::KingSquareNotRestored), _) => self.state.kings = left.kings,
            (Some(Mutation::EpVictimNotRestored), Kind::EnPassant) => {
                self.board[ep_victim(us, step).index()] = None;
            }
            (Some(Mutation::PromotionCaptureNotRestored), Kind::Promotion(_)) => {
                self.board[step.to.index()] = None;
            }
            (Some(Mutation::PromotedPieceNotTakenBack), Kind::Promotion(kind)) => {
                self.board[step.from.index()] = Some(Piece::new(us, kind));
            }
            (Some(Mutation::CastledRookNotTakenBack), Kind::Castling(side)) => {
                let rook = self.board[step.to.index()].take();
                self.board[side.rook_target(us).index()] = rook;
            }
            _ => {}
        }
    }

    /// Puts a piece on a square, or empties it, so that it can be undone.
    fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.changes.push((square, self.at(square)));
        self.board[square.index()] = piece;
    }

    fn move_piece(&mut self, us: Color, step: Step) {
        let Some(piece) = self.at(step.from) else {
            return;
        };
        if self.state.kings[!us] == Some(step.to) {
            self.state.kings[!us] = None;
        }
        self.put(step.from, None);
        self.put(step.to, Some(self.arriving(piece, step)));
        if piece.piece_type == PieceType::King {
            self.state.kings[us] = Some(step.to);
        }
        let takes_ep = step.kind == Kind::EnPassant || self.has(Mutation::EpByAnyPiece);
        if takes_ep
            && self.state.ep_square == Some(step.to)
            && !self.has(Mutation::EpVictimNotRemoved)
        {
            self.put(self.ep_victim(us, step), None);
        }
    }

    /// The piece after the move.
    fn arriving(&self, piece: Piece, step: Step) -> Piece {
        match step.kind {
            Kind::Promotion(_) if self.has(Mutation::UnderpromotionMakesQueen) => {
                Piece::new(piece.color, PieceType::Queen)
            }
            Kind::Promotion(kind) if self.has(Mutation::PromotionChangesColor) => {
                Piece::new(!piece.color, kind)
            }
            Kind::Promotion(kind) => Piece::new(piece.color, kind),
            _ => piece,
        }
    }

    /// The square emptied by an en passant capture.
    fn ep_victim(&self, us: Color, step: Step) -> Square {
        let wrong = self.has(Mutation::EpVictimAboveTarget)
            || self.has(Mutation::EpVictimWrongForBlack) && us == Color::Black;
        if wrong {
            step.to.offset(0, us.forward()).unwrap_or(step.to)
        } else {
            ep_victim(us, step)
        }
    }

    fn castle(&mut self, us: Color, step: Step, side: CastlingSide) {
        let (king, rook) = (self.at(step.from), self.at(step.to));
        let (king_target, rook_target) = self.castling_targets(us, side);
        if self.has(Mutation::CastlingRookNotMoved) {
            self.put(step.from, None);
            self.put(king_target, king);
        } else if self.has(Mutation::Chess960SwapErasesKing) {
            self.put(step.from, None);
            self.put(king_target, king);
            self.put(step.to, None);
            self.put(rook_target, rook);
        } else {
            self.put(step.from, None);
            self.put(step.to, None);
            self.put(king_target, king);
            self.put(rook_target, rook);
        }
        if !self.has(Mutation::KingSquareNotUpdatedByCastling) {
            self.state.kings[us] = Some(king_target);
        }
    }

    /// The target squares of king and rook.
    fn castling_targets(&self, us: Color, side: CastlingSide) -> (Square, Square) {
        let rank = Rank::R1.relative_to(us);
        match side {
            CastlingSide::Queen if self.has(Mutation::CastlingLongOneTooFar) => {
                (Square::new(File::B, rank), Square::new(File::C, rank))
            }
            _ => (side.king_target(us), side.rook_target(us)),
        }
    }

    fn advance_clock(&mut self, us: Color, moved: Option<PieceType>, taken: Option<Piece>) {
        let takes = taken.is_some_and(|piece| piece.color != us);
        self.state.halfmove_clock = if takes || moved == Some(PieceType::Pawn) {
            0
        } else {
            self.state.halfmove_clock.saturating_add(1)
        };
    }

    fn drop_rights(
        &mut self,
        us: Color,
        step: Step,
        moved: Option<PieceType>,
        taken: Option<Piece>,
    ) {
        if let Kind::Castling(_) = step.kind {
            self.drop_rights_by_castling(us);
            return;
        }
        let keeps = self.has(Mutation::KingMovedKeepsRights)
            || self.has(Mutation::KingCaptureKeepsRights) && taken.is_some();
        if moved == Some(PieceType::King) && !keeps {
            self.state.rights[us] = [None; 2];
        }
        for side in CastlingSide::ALL {
            if !(self.has(Mutation::RookCaptureKeepsRight) && taken.is_some()) {
                self.drop_right_of_moved_rook(us, step, side);
            }
            self.drop_right_of_captured_rook(us, step, side);
        }
        if self.has(Mutation::AnyRookMoveLosesRight) && moved == Some(PieceType::Rook) {
            let side = match step.from.file() {
                File::A | File::B | File::C | File::D => CastlingSide::Queen,
                _ => CastlingSide::King,
            };
            self.state.rights[us][side.index()] = None;
        }
    }

    fn drop_rights_by_castling(&mut self, us: Color) {
        if !self.has(Mutation::CastlingKeepsRights) {
            self.state.rights[us] = [None; 2];
        }
        if self.has(Mutation::CastlingClearsTheirRights) {
            self.state.rights[!us] = [None; 2];
        }
    }

    fn drop_right_of_moved_rook(&mut self, us: Color, step: Step, side: CastlingSide) {
        let rights = self.state.rights[us];
        if rights[side.index()] != Some(step.from) || !self.loses_right_by_move(us, step.from, side)
        {
            return;
        }
        self.state.rights[us][side.index()] = None;
        if self.has(Mutation::RookMoveLosesBothRights) {
            self.state.rights[us] = [None; 2];
        }
    }

    fn drop_right_of_captured_rook(&mut self, us: Color, step: Step, side: CastlingSide) {
        let rights = self.state.rights[!us];
        if rights[side.index()] != Some(step.to) || !self.loses_right_by_capture(us, step, side) {
            return;
        }
        self.state.rights[!us][side.index()] = None;
        if self.has(Mutation::RookCaptureLosesBothRights) {
            self.state.rights[!us] = [None; 2];
        }
    }

    fn loses_right_by_move(&self, us: Color, rook: Square, side: CastlingSide) -> bool {
        match self.broken() {
            Some(Mutation::RookMovedKeepsRight) => false,
            Some(Mutation::RookMovedKeepsRightLong) => side == CastlingSide::King,
            Some(Mutation::Chess960RightsTiedToCorners) => rook == side.standard_rook(us),
            _ => true,
        }
    }

    fn loses_right_by_capture(&self, us: Color, step: Step, side: CastlingSide) -> bool {
        match self.broken() {
            Some(Mutation::RookCapturedKeepsRight) => false,
            Some(Mutation::RookCapturedKeepsRightLong) => side == CastlingSide::King,
            Some(Mutation::RookCapturedByPromotionKeepsRight) => {
                !matches!(step.kind, Kind::Promotion(_))
            }
            Some(Mutation::WhiteRookCapturedKeepsRight) => us == Color::White,
            Some(Mutation::Chess960RightsTiedToCorners) => step.to == side.standard_rook(!us),
            _ => true,
        }
    }

    fn set_ep_square(
        &mut self,
        us: Color,
        step: Step,
        moved: Option<PieceType>,
        taken: Option<Piece>,
    ) {
        let behind = step.to.offset(0, -us.forward());
        let is_pawn = moved == Some(PieceType::Pawn);
        let kept = match self.broken() {
            Some(Mutation::EpNeverCleared) => true,
            Some(Mutation::EpClearedByPawnsOnly) => !is_pawn,
            Some(Mutation::EpNotClearedByCastling) => matches!(step.kind, Kind::Castling(_)),
            Some(Mutation::EpNotClearedByCapture) => taken.is_some(),
            Some(Mutation::EpNotClearedByKing) => moved == Some(PieceType::King),
            _ => false,
        };
        if !kept {
            self.state.ep_square = None;
        }
        let single = step.from.file() == step.to.file() && step.kind == Kind::Plain;
        let goes_two = single && (step.from as u8).abs_diff(step.to as u8) == 16;
        let grants = match step.kind {
            Kind::DoublePush if self.has(Mutation::EpGrantedByWhiteOnly) => us == Color::White,
            Kind::DoublePush => true,
            _ => {
                self.has(Mutation::EpAfterSingleStep) && is_pawn && single
                    || self.has(Mutation::EpAfterAnyDoubleStep) && goes_two
            }
        };
        if grants {
            self.state.ep_square = behind;
        }
    }

    /// Whether the same side moves again.
    fn keeps_the_move(&self, step: Step) -> bool {
        match step.kind {
            Kind::Castling(_) => self.has(Mutation::SideKeptByCastling),
            Kind::EnPassant => self.has(Mutation::SideKeptByEnPassant),
            Kind::Promotion(_) => self.has(Mutation::SideKeptByPromotion),
            Kind::Plain | Kind::DoublePush => false,
        }
    }

    /// Converts a move into the mutant's representation.
    fn read(&self, m: Move) -> Step {
        let (from, to) = (m.from(), m.to());
        let kind = self.at(from).map(|piece| piece.piece_type);
        let kind = match (m.promotion(), kind) {
            (Some(promotion), _) => Kind::Promotion(promotion),
            (None, Some(PieceType::King)) if self.is_of(to, self.us()) => {
                Kind::Castling(CastlingSide::of(from, to))
            }
            (None, Some(PieceType::Pawn)) if (from as u8).abs_diff(to as u8) == 16 => {
                Kind::DoublePush
            }
            (None, Some(PieceType::Pawn)) if from.file() != to.file() && self.is_empty(to) => {
                Kind::EnPassant
            }
            _ => Kind::Plain,
        };
        Step { from, to, kind }
    }
}

/// The square of the pawn that `us` captures en passant.
pub(super) fn ep_victim(us: Color, step: Step) -> Square {
    step.to.offset(0, -us.forward()).unwrap_or(step.to)
}

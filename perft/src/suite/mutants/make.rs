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
            let (from, to) = (m.from(), m.to());
            let piece = self.at(from).map(|piece| piece.piece_type);
            let kind = match (m.promotion(), piece) {
                (Some(promotion), _) => Kind::Promotion(promotion),
                (None, Some(PieceType::King)) if self.is_of(to, self.us()) => {
                    Kind::Castling(CastlingSide::new(from, to))
                }
                (None, Some(PieceType::Pawn)) if (from as u8).abs_diff(to as u8) == 16 => {
                    Kind::DoublePush
                }
                (None, Some(PieceType::Pawn)) if from.file() != to.file() && self.is_empty(to) => {
                    Kind::EnPassant
                }
                _ => Kind::Plain,
            };
            self.make(Step { from, to, kind });
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
        let takes = taken.is_some_and(|piece| piece.color != us);
        self.state.halfmove_clock = if takes || moved == Some(PieceType::Pawn) {
            0
        } else {
            self.state.halfmove_clock.saturating_add(1)
        };
        self.set_ep_square(us, step, moved, taken);
        self.state.last = Some(step);
        let keeps_the_move = match step.kind {
            Kind::Castling(_) => self.has(Mutation::SideKeptByCastling),
            Kind::EnPassant => self.has(Mutation::SideKeptByEnPassant),
            Kind::Promotion(_) => self.has(Mutation::SideKeptByPromotion),
            Kind::Plain | Kind::DoublePush => false,
        };
        if !keeps_the_move {
            self.state.side_to_move = !us;
        }
        undo
    }

    /// Unmakes the last move; a broken rule may leave some of the state as it was after the move.
    pub(super) fn unmake(&mut self, undo: &Undo) {
        let left = self.state;
        while self.changes.len() > undo.changes
            && let Some((square, before)) = self.changes.pop()
        {
            self.board[square.index()] = before;
        }
        self.state = undo.state;
        let Some(broken) = self.broken() else {
            return;
        };
        let (us, step) = (self.us(), undo.step);
        match (broken, step.kind) {
            (Mutation::EpSquareNotRestored, _) => self.state.ep_square = left.ep_square,
            (Mutation::RightsNotRestored, _) => self.state.rights = left.rights,
            (Mutation::RightsNotRestoredAfterCapture, _) if self.is_of(step.to, !us) => {
                self.state.rights = left.rights;
            }
            (Mutation::KingSquareNotRestored, _) => self.state.kings = left.kings,
            (Mutation::EpVictimNotRestored, Kind::EnPassant) => {
                self.board[ep_victim(us, step).index()] = None;
            }
            (Mutation::PromotionCaptureNotRestored, Kind::Promotion(_)) => {
                self.board[step.to.index()] = None;
            }
            (Mutation::PromotedPieceNotTakenBack, Kind::Promotion(kind)) => {
                self.board[step.from.index()] = Some(Piece::new(us, kind));
            }
            (Mutation::CastledRookNotTakenBack, Kind::Castling(side)) => {
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
        let arriving = match (step.kind, self.broken()) {
            (Kind::Promotion(_), Some(Mutation::UnderpromotionMakesQueen)) => {
                Piece::new(piece.color, PieceType::Queen)
            }
            (Kind::Promotion(kind), Some(Mutation::PromotionChangesColor)) => {
                Piece::new(!piece.color, kind)
            }
            (Kind::Promotion(kind), _) => Piece::new(piece.color, kind),
            _ => piece,
        };
        self.put(step.from, None);
        self.put(step.to, Some(arriving));
        if piece.piece_type == PieceType::King {
            self.state.kings[us] = Some(step.to);
        }
        let takes_ep = step.kind == Kind::EnPassant || self.has(Mutation::EpByAnyPiece);
        if takes_ep
            && self.state.ep_square == Some(step.to)
            && !self.has(Mutation::EpVictimNotRemoved)
        {
            let is_wrong = self.has(Mutation::EpVictimAboveTarget)
                || self.has(Mutation::EpVictimWrongForBlack) && us == Color::Black;
            let victim = if is_wrong {
                step.to.offset(0, us.forward()).unwrap_or(step.to)
            } else {
                ep_victim(us, step)
            };
            self.put(victim, None);
        }
    }

    fn castle(&mut self, us: Color, step: Step, side: CastlingSide) {
        let (king, rook) = (self.at(step.from), self.at(step.to));
        let rank = Rank::R1.relative_to(us);
        let (king_target, rook_target) = match side {
            CastlingSide::Queen if self.has(Mutation::CastlingLongOneTooFar) => {
                (Square::new(File::B, rank), Square::new(File::C, rank))
            }
            _ => (side.king_target(us), side.rook_target(us)),
        };
        self.put(step.from, None);
        if self.has(Mutation::CastlingRookNotMoved) {
            self.put(king_target, king);
        } else if self.has(Mutation::Chess960SwapErasesKing) {
            self.put(king_target, king);
            self.put(step.to, None);
            self.put(rook_target, rook);
        } else {
            self.put(step.to, None);
            self.put(king_target, king);
            self.put(rook_target, rook);
        }
        if !self.has(Mutation::KingSquareNotUpdatedByCastling) {
            self.state.kings[us] = Some(king_target);
        }
    }

    fn drop_rights(
        &mut self,
        us: Color,
        step: Step,
        moved: Option<PieceType>,
        taken: Option<Piece>,
    ) {
        let broken = self.broken();
        let has = |mutation| broken == Some(mutation);
        let (mut ours, mut theirs) = (self.state.rights[us], self.state.rights[!us]);
        if let Kind::Castling(_) = step.kind {
            if !has(Mutation::CastlingKeepsRights) {
                ours = [None; 2];
            }
            if has(Mutation::CastlingClearsTheirRights) {
                theirs = [None; 2];
            }
            (self.state.rights[us], self.state.rights[!us]) = (ours, theirs);
            return;
        }
        let king_keeps = has(Mutation::KingMovedKeepsRights)
            || has(Mutation::KingCaptureKeepsRights) && taken.is_some();
        if moved == Some(PieceType::King) && !king_keeps {
            ours = [None; 2];
        }
        for side in CastlingSide::ALL {
            let rook_moves = ours[side.index()] == Some(step.from);
            let keeps_by_move = match broken {
                Some(Mutation::RookCaptureKeepsRight) => taken.is_some(),
                Some(Mutation::RookMovedKeepsRight) => true,
                Some(Mutation::RookMovedKeepsRightLong) => side == CastlingSide::Queen,
                Some(Mutation::Chess960RightsTiedToCorners) => step.from != side.standard_rook(us),
                _ => false,
            };
            if rook_moves && !keeps_by_move {
                ours[side.index()] = None;
                if has(Mutation::RookMoveLosesBothRights) {
                    ours = [None; 2];
                }
            }
            let rook_is_taken = theirs[side.index()] == Some(step.to);
            let keeps_by_capture = match broken {
                Some(Mutation::RookCapturedKeepsRight) => true,
                Some(Mutation::RookCapturedKeepsRightLong) => side == CastlingSide::Queen,
                Some(Mutation::RookCapturedByPromotionKeepsRight) => {
                    matches!(step.kind, Kind::Promotion(_))
                }
                Some(Mutation::WhiteRookCapturedKeepsRight) => us == Color::Black,
                Some(Mutation::Chess960RightsTiedToCorners) => step.to != side.standard_rook(!us),
                _ => false,
            };
            if rook_is_taken && !keeps_by_capture {
                theirs[side.index()] = None;
                if has(Mutation::RookCaptureLosesBothRights) {
                    theirs = [None; 2];
                }
            }
        }
        if has(Mutation::AnyRookMoveLosesRight) && moved == Some(PieceType::Rook) {
            let side = match step.from.file() {
                File::A | File::B | File::C | File::D => CastlingSide::Queen,
                _ => CastlingSide::King,
            };
            ours[side.index()] = None;
        }
        (self.state.rights[us], self.state.rights[!us]) = (ours, theirs);
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
}

/// The square of the pawn that `us` captures en passant.
pub(super) fn ep_victim(us: Color, step: Step) -> Square {
    step.to.offset(0, -us.forward()).unwrap_or(step.to)
}

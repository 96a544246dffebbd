//! Tests whether pseudo-legal moves leave the king safe.

use chess::rules::{Piece, PieceType, Square};

use super::Mutation;
use super::attacks::{Direction, Pin, Threats, distance};
use super::board::{Kind, Mutant, Step};
use super::make::ep_victim;

impl Mutant {
    /// Whether a pseudo-legal move is legal.
    pub(super) fn is_legal(&mut self, step: Step, threats: &Threats) -> bool {
        let Some(king) = threats.king else {
            return true;
        };
        match step.kind {
            // Already tested when generated.
            Kind::Castling(_) => true,
            Kind::EnPassant => self.en_passant_is_legal(step, king, threats),
            _ if step.from == king => self.king_step_is_legal(step, king, threats),
            _ => self.answers_check(step, king, threats) && self.keeps_pin(step, king, threats),
        }
    }

    fn king_step_is_legal(&self, step: Step, king: Square, threats: &Threats) -> bool {
        if !self.is_empty(step.to) {
            match self.broken() {
                Some(Mutation::KingTakesProtected) => return true,
                Some(Mutation::KingCannotTakeInCheck) if threats.is_check() => return false,
                Some(Mutation::KingCannotTakeInDoubleCheck) if threats.is_double_check() => {
                    return false;
                }
                _ => {}
            }
        }
        if self.has(Mutation::KingCannotTakeChecker) && threats.checkers.contains(&Some(step.to)) {
            return false;
        }
        let through = (!self.has(Mutation::KingShadowsRay)).then_some(king);
        !self.is_attacked(step.to, self.them(), through)
    }

    /// Whether a move by a piece other than the king ends a check.
    fn answers_check(&self, step: Step, king: Square, threats: &Threats) -> bool {
        if threats.is_double_check() {
            return threats.checkers.into_iter().flatten().any(|checker| {
                if step.to == checker {
                    self.has(Mutation::DoubleCheckTaken)
                } else {
                    self.has(Mutation::DoubleCheckBlocked)
                        && self.is_between(king, step.to, checker)
                }
            });
        }
        let Some(checker) = threats.checkers[0] else {
            return true;
        };
        let taken = self.at(step.to).map(|piece| piece.piece_type);
        if let Kind::Promotion(kind) = step.kind {
            // Promotions that capture the checker or block its check may be omitted.
            let underpromotes = kind != PieceType::Queen;
            let takes = |kind| underpromotes && taken == Some(kind);
            let is_missing = match self.broken() {
                Some(Mutation::PromotionNoEvasion) => true,
                Some(Mutation::PromotionTakesNoChecker) => step.to == checker,
                Some(Mutation::KnightTakenByQueenOnly) => takes(PieceType::Knight),
                Some(Mutation::BishopTakenByQueenOnly) => takes(PieceType::Bishop),
                Some(Mutation::RookTakenByQueenOnly) => takes(PieceType::Rook),
                Some(Mutation::QueenTakenByQueenOnly) => takes(PieceType::Queen),
                Some(Mutation::PromotionBlocksNoCheck) => step.to != checker,
                Some(Mutation::PromotionBlocksToQueenOnly) => step.to != checker && underpromotes,
                _ => false,
            };
            if is_missing {
                return false;
            }
        }
        let by = self.at(step.from).map(|piece| piece.piece_type);
        if step.to == checker {
            return match self.broken() {
                Some(Mutation::CheckerNotTaken) => false,
                Some(Mutation::CheckerNotTakenByPawn) => by != Some(PieceType::Pawn),
                Some(Mutation::CheckerNotTakenByKnight) => by != Some(PieceType::Knight),
                Some(Mutation::CheckerNotTakenByBishop) => by != Some(PieceType::Bishop),
                Some(Mutation::CheckerNotTakenByRook) => by != Some(PieceType::Rook),
                Some(Mutation::CheckerNotTakenByQueen) => by != Some(PieceType::Queen),
                _ => true,
            };
        }
        let may_interpose = match self.broken() {
            Some(Mutation::CheckNotBlocked) => false,
            Some(Mutation::CheckNotBlockedByPawn) => by != Some(PieceType::Pawn),
            Some(Mutation::CheckNotBlockedByKnight) => by != Some(PieceType::Knight),
            Some(Mutation::CheckNotBlockedByBishop) => by != Some(PieceType::Bishop),
            Some(Mutation::CheckNotBlockedByRook) => by != Some(PieceType::Rook),
            Some(Mutation::CheckNotBlockedByQueen) => by != Some(PieceType::Queen),
            Some(Mutation::CheckNotBlockedByDoublePush) => step.kind != Kind::DoublePush,
            _ => true,
        };
        may_interpose && self.is_between(king, step.to, checker)
    }

    /// Whether a piece on `square` is between the king and a checking slider.
    fn is_between(&self, king: Square, square: Square, checker: Square) -> bool {
        let Some(line) = Direction::between(king, checker) else {
            // A knight gives check: its square next to the king is taken for one of a slider's.
            let (files, ranks) = distance(king, checker);
            let toward = king.offset(files.signum(), ranks.signum());
            return self.has(Mutation::KnightCheckBlocked) && toward == Some(square);
        };
        if Direction::between(king, square) != Some(line) {
            return false;
        }
        let nearest = if self.has(Mutation::CheckNotBlockedNextToKing) {
            2
        } else {
            1
        };
        (nearest..steps(king, checker)).contains(&steps(king, square))
            || self.has(Mutation::CheckBlockedBehindChecker)
    }

    /// Whether a move by a piece other than the king stays on the line of its pin.
    fn keeps_pin(&self, step: Step, king: Square, threats: &Threats) -> bool {
        if self.has(Mutation::PinsForgottenInCheck) && threats.is_check() {
            return true;
        }
        let pins = Direction::ALL.into_iter().zip(threats.pins);
        let pins = pins.filter_map(|(direction, pin)| Some((direction, pin?)));
        let seen = if self.has(Mutation::OnlyOnePinSeen) {
            1
        } else {
            Direction::ALL.len()
        };
        pins.take(seen).all(|(direction, pin)| {
            pin.pinned != step.from || self.keeps_this_pin(step, king, direction, pin)
        })
    }

    /// Whether a pinned piece may make this move, by the rule or by a broken one.
    fn keeps_this_pin(&self, step: Step, king: Square, direction: Direction, pin: Pin) -> bool {
        let on_the_line = Direction::between(king, step.to) == Some(direction);
        let Some(mutation) = self.broken() else {
            return on_the_line;
        };
        let pinned = self.at(step.from).map(|piece| piece.piece_type);
        let is_ignored = match mutation {
            Mutation::PinsIgnored => true,
            Mutation::FilePinIgnored => direction.files == 0,
            Mutation::RankPinIgnored => direction.ranks == 0,
            Mutation::DiagonalPinIgnored => direction.files == direction.ranks,
            Mutation::AntidiagonalPinIgnored => direction.files == -direction.ranks,
            Mutation::PinnedKnightMoves => pinned == Some(PieceType::Knight),
            Mutation::PinnedPawnMoves => pinned == Some(PieceType::Pawn),
            Mutation::PinnedQueenMoves => pinned == Some(PieceType::Queen),
            Mutation::PinnedRookMoves => pinned == Some(PieceType::Rook),
            Mutation::PinnedBishopMoves => pinned == Some(PieceType::Bishop),
            Mutation::PinBesideKingOnly => steps(king, pin.pinned) != 1,
            Mutation::PinByNeighborOnly => steps(pin.pinned, pin.pinner) != 1,
            _ => false,
        };
        if is_ignored {
            return true;
        }
        let is_pawn = pinned == Some(PieceType::Pawn);
        let takes_pinner = step.to == pin.pinner;
        if on_the_line {
            let is_kept_from_line = match mutation {
                Mutation::PinnedPieceFrozen => true,
                Mutation::PinnedSliderFrozen => !is_pawn,
                Mutation::PinnedPawnPushMissing => is_pawn && !takes_pinner,
                Mutation::PinnedPawnDoublePushMissing => step.kind == Kind::DoublePush,
                Mutation::PinnedPawnPromotionMissing => matches!(step.kind, Kind::Promotion(_)),
                Mutation::PinnedPawnPromotesToQueenOnly => {
                    matches!(step.kind, Kind::Promotion(kind) if kind != PieceType::Queen)
                }
                Mutation::PinnedPawnCaptureMissing => is_pawn && takes_pinner,
                Mutation::PinnerNotTaken => takes_pinner,
                Mutation::PinnedPieceStaysBeforePinner => !takes_pinner,
                _ => false,
            };
            return !is_kept_from_line;
        }
        Direction::between(step.from, step.to).is_some_and(|way| {
            let (way_is_straight, pin_is_straight) = (way.is_straight(), direction.is_straight());
            match mutation {
                Mutation::PinnedPawnPushes => is_pawn && way.files == 0,
                Mutation::PinnedPawnCaptures => is_pawn && way.files != 0,
                Mutation::PinnedRookTurns => way_is_straight && pin_is_straight && !is_pawn,
                Mutation::PinnedBishopTurns => !way_is_straight && !pin_is_straight && !is_pawn,
                Mutation::PinnedPieceTakesElsewhere => !self.is_empty(step.to),
                _ => false,
            }
        })
    }

    /// En passant empties two squares of a rank at once, so the move is made and the king tested.
    fn en_passant_is_legal(&mut self, step: Step, king: Square, threats: &Threats) -> bool {
        let victim = ep_victim(self.us(), step);
        let takes_checker = threats.checkers[0] == Some(victim);
        match self.broken() {
            Some(Mutation::EpNotTested) => return true,
            Some(Mutation::EpNoEvasion) if threats.is_check() => return false,
            Some(Mutation::EpAnswersAnyCheck) if threats.is_check() => return true,
            Some(Mutation::EpAlongDiagonalPinMissing)
                if pin_along(step, king, threats).is_some_and(|way| way.files == way.ranks) =>
            {
                return false;
            }
            Some(Mutation::EpAlongAntidiagonalPinMissing)
                if pin_along(step, king, threats).is_some_and(|way| way.files == -way.ranks) =>
            {
                return false;
            }
            Some(Mutation::EpRankPinThroughPieces) if king.rank() == step.from.rank() => {
                let is_slider = |piece: Piece| {
                    piece.color == self.them()
                        && matches!(piece.piece_type, PieceType::Rook | PieceType::Queen)
                };
                let rank = Square::ALL
                    .into_iter()
                    .filter(|one| one.rank() == king.rank());
                if rank.filter_map(|square| self.at(square)).any(is_slider) {
                    return false;
                }
            }
            _ => {}
        }
        // The pawn on the other side of the victim that could capture it as well.
        let pawn = Some(Piece::new(self.us(), PieceType::Pawn));
        let beside = [-1, 1]
            .into_iter()
            .filter_map(|files| victim.offset(files, 0));
        let mut others = beside.filter(|&square| square != step.from && self.at(square) == pawn);
        let other = others.next();
        let other = other.filter(|_| self.has(Mutation::EpTestedWithoutBothCapturers));
        let second = other.and_then(|other| self.board[other.index()].take());
        let taken = self.board[victim.index()].take();
        let pawn = self.board[step.from.index()].take();
        let landed = pawn.filter(|_| !self.has(Mutation::EpTestedWithoutCapturer));
        let target = std::mem::replace(&mut self.board[step.to.index()], landed);
        let attackers = self.threats();
        self.board[step.to.index()] = target;
        if let Some(other) = other {
            self.board[other.index()] = second;
        }
        self.board[step.from.index()] = pawn;
        self.board[victim.index()] = taken;
        let overlooked = |attacker: Square| {
            let Some(line) = Direction::between(king, attacker) else {
                return false;
            };
            let capturer_pinned = Direction::between(king, step.from) == Some(line);
            let is_ignored = match self.broken() {
                Some(Mutation::EpRankPinIgnored) => line.ranks == 0,
                // Seen from the king, the victim comes before the capturer.
                Some(Mutation::EpRankPinIgnoredTowardVictim) => {
                    let files = |square| distance(king, square).0.abs();
                    line.ranks == 0 && files(victim) < files(step.from)
                }
                Some(Mutation::EpDiagonalPinIgnored) => capturer_pinned && !line.is_straight(),
                Some(Mutation::EpFilePinIgnored) => capturer_pinned && line.files == 0,
                _ => false,
            };
            is_ignored && !threats.checkers.contains(&Some(attacker))
        };
        let mut attackers = attackers.checkers.into_iter().flatten();
        attackers.all(overlooked) && !(takes_checker && self.has(Mutation::EpCheckerNotTaken))
    }
}

/// The direction from the king in which the moving piece is pinned, if it stays on that line.
fn pin_along(step: Step, king: Square, threats: &Threats) -> Option<Direction> {
    let pins = Direction::ALL.into_iter().zip(threats.pins);
    let mut ways = pins.filter(|&(_, pin)| pin.is_some_and(|pin| pin.pinned == step.from));
    let (way, _) = ways.next()?;
    (Direction::between(king, step.to) == Some(way)).then_some(way)
}

/// The steps of a king between two squares.
fn steps(from: Square, to: Square) -> i32 {
    let (files, ranks) = distance(from, to);
    files.abs().max(ranks.abs())
}

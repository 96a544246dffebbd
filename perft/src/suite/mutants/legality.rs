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
        let takes = !self.is_empty(step.to);
        if takes && self.has(Mutation::KingTakesProtected) {
            return true;
        }
        if self.has(Mutation::KingCannotTakeChecker) && threats.checkers.contains(&Some(step.to)) {
            return false;
        }
        if self.has(Mutation::KingCannotTakeInCheck) && threats.is_check() && takes
            || self.has(Mutation::KingCannotTakeInDoubleCheck) && threats.is_double_check() && takes
        {
            return false;
        }
        let through = if self.has(Mutation::KingShadowsRay) {
            None
        } else {
            Some(king)
        };
        !self.is_attacked(step.to, self.them(), through)
    }

    /// Whether a move by a piece other than the king ends a check.
    fn answers_check(&self, step: Step, king: Square, threats: &Threats) -> bool {
        if threats.is_double_check() {
            return self.answers_double_check(step, king, threats);
        }
        let Some(checker) = threats.checkers[0] else {
            return true;
        };
        if let Kind::Promotion(kind) = step.kind
            && self.is_missing_evasion(kind, step.to, checker)
        {
            return false;
        }
        if step.to == checker {
            return self.may_take_checker(step);
        }
        self.may_interpose(step) && self.is_between(king, step.to, checker)
    }

    /// Whether a promotion that captures the checker or blocks its check is omitted.
    fn is_missing_evasion(&self, kind: PieceType, to: Square, checker: Square) -> bool {
        let taken = self.at(to).map(|piece| piece.piece_type);
        let underpromotes = kind != PieceType::Queen;
        match self.broken() {
            Some(Mutation::PromotionNoEvasion) => true,
            Some(Mutation::PromotionTakesNoChecker) => to == checker,
            Some(Mutation::KnightTakenByQueenOnly) => {
                underpromotes && taken == Some(PieceType::Knight)
            }
            Some(Mutation::BishopTakenByQueenOnly) => {
                underpromotes && taken == Some(PieceType::Bishop)
            }
            Some(Mutation::RookTakenByQueenOnly) => underpromotes && taken == Some(PieceType::Rook),
            Some(Mutation::QueenTakenByQueenOnly) => {
                underpromotes && taken == Some(PieceType::Queen)
            }
            Some(Mutation::PromotionBlocksNoCheck) => to != checker,
            Some(Mutation::PromotionBlocksToQueenOnly) => to != checker && underpromotes,
            _ => false,
        }
    }

    fn answers_double_check(&self, step: Step, king: Square, threats: &Threats) -> bool {
        threats.checkers.into_iter().flatten().any(|checker| {
            if step.to == checker {
                self.has(Mutation::DoubleCheckTaken)
            } else {
                self.has(Mutation::DoubleCheckBlocked) && self.is_between(king, step.to, checker)
            }
        })
    }

    fn may_take_checker(&self, step: Step) -> bool {
        let by = self.at(step.from).map(|piece| piece.piece_type);
        match self.broken() {
            Some(Mutation::CheckerNotTaken) => false,
            Some(Mutation::CheckerNotTakenByPawn) => by != Some(PieceType::Pawn),
            Some(Mutation::CheckerNotTakenByKnight) => by != Some(PieceType::Knight),
            Some(Mutation::CheckerNotTakenByBishop) => by != Some(PieceType::Bishop),
            Some(Mutation::CheckerNotTakenByRook) => by != Some(PieceType::Rook),
            Some(Mutation::CheckerNotTakenByQueen) => by != Some(PieceType::Queen),
            _ => true,
        }
    }

    fn may_interpose(&self, step: Step) -> bool {
        let by = self.at(step.from).map(|piece| piece.piece_type);
        match self.broken() {
            Some(Mutation::CheckNotBlocked) => false,
            Some(Mutation::CheckNotBlockedByPawn) => by != Some(PieceType::Pawn),
            Some(Mutation::CheckNotBlockedByKnight) => by != Some(PieceType::Knight),
            Some(Mutation::CheckNotBlockedByBishop) => by != Some(PieceType::Bishop),
            Some(Mutation::CheckNotBlockedByRook) => by != Some(PieceType::Rook),
            Some(Mutation::CheckNotBlockedByQueen) => by != Some(PieceType::Queen),
            Some(Mutation::CheckNotBlockedByDoublePush) => step.kind != Kind::DoublePush,
            _ => true,
        }
    }

    /// Whether a piece on `square` is between the king and a checking slider.
    fn is_between(&self, king: Square, square: Square, checker: Square) -> bool {
        let Some(line) = Direction::between(king, checker) else {
            return self.has(Mutation::KnightCheckBlocked) && stands_toward(king, square, checker);
        };
        if Direction::between(king, square) != Some(line) {
            return false;
        }
        let far = |square| {
            let (files, ranks) = distance(king, square);
            files.abs().max(ranks.abs())
        };
        let nearest = if self.has(Mutation::CheckNotBlockedNextToKing) {
            2
        } else {
            1
        };
        (nearest..far(checker)).contains(&far(square))
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

    fn keeps_this_pin(&self, step: Step, king: Square, direction: Direction, pin: Pin) -> bool {
        if self.pin_is_ignored(step, king, direction, pin) {
            return true;
        }
        let on_the_line = Direction::between(king, step.to) == Some(direction);
        if on_the_line {
            !self.is_kept_from_line(step, pin)
        } else {
            self.may_leave_line(step, direction)
        }
    }

    /// Whether a pin is ignored.
    fn pin_is_ignored(&self, step: Step, king: Square, direction: Direction, pin: Pin) -> bool {
        let Some(mutation) = self.broken() else {
            return false;
        };
        let pinned = self.at(step.from).map(|piece| piece.piece_type);
        match mutation {
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
            Mutation::PinBesideKingOnly => !are_neighbors(king, pin.pinned),
            Mutation::PinByNeighborOnly => !are_neighbors(pin.pinned, pin.pinner),
            _ => false,
        }
    }

    /// Whether a pinned piece may not even move along its line.
    fn is_kept_from_line(&self, step: Step, pin: Pin) -> bool {
        let Some(mutation) = self.broken() else {
            return false;
        };
        let is_pawn = self.at(step.from).map(|piece| piece.piece_type) == Some(PieceType::Pawn);
        let takes_pinner = step.to == pin.pinner;
        match mutation {
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
        }
    }

    /// Whether a pinned piece may leave its line this way.
    fn may_leave_line(&self, step: Step, pin: Direction) -> bool {
        let Some(mutation) = self.broken() else {
            return false;
        };
        let is_pawn = self.at(step.from).map(|piece| piece.piece_type) == Some(PieceType::Pawn);
        let Some(way) = Direction::between(step.from, step.to) else {
            return false;
        };
        match mutation {
            Mutation::PinnedPawnPushes => is_pawn && way.files == 0,
            Mutation::PinnedPawnCaptures => is_pawn && way.files != 0,
            Mutation::PinnedRookTurns => way.is_straight() && pin.is_straight() && !is_pawn,
            Mutation::PinnedBishopTurns => !way.is_straight() && !pin.is_straight() && !is_pawn,
            Mutation::PinnedPieceTakesElsewhere => !self.is_empty(step.to),
            _ => false,
        }
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
            Some(Mutation::EpRankPinThroughPieces) if self.sees_rook_on_rank(king, step) => {
                return false;
            }
            _ => {}
        }
        let other = self.other_capturer(victim, step);
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
            !threats.checkers.contains(&Some(attacker))
                && self.ep_pin_is_ignored(king, attacker, victim, step)
        };
        let mut attackers = attackers.checkers.into_iter().flatten();
        attackers.all(overlooked) && !(takes_checker && self.has(Mutation::EpCheckerNotTaken))
    }

    /// The pawn on the other side of the victim that could capture it as well.
    fn other_capturer(&self, victim: Square, step: Step) -> Option<Square> {
        let beside = [-1, 1]
            .into_iter()
            .filter_map(|files| victim.offset(files, 0));
        let pawn = Some(Piece::new(self.us(), PieceType::Pawn));
        let mut others = beside.filter(|&square| square != step.from && self.at(square) == pawn);
        others.next()
    }

    /// Whether an enemy rook or queen is on the rank of the king and the capturer.
    fn sees_rook_on_rank(&self, king: Square, step: Step) -> bool {
        king.rank() == step.from.rank()
            && Square::ALL.into_iter().any(|square| {
                square.rank() == king.rank()
                    && self.at(square).is_some_and(|piece| {
                        piece.color == self.them()
                            && matches!(piece.piece_type, PieceType::Rook | PieceType::Queen)
                    })
            })
    }

    /// Whether the check uncovered by an en passant capture is ignored.
    fn ep_pin_is_ignored(
        &self,
        king: Square,
        attacker: Square,
        victim: Square,
        step: Step,
    ) -> bool {
        let Some(line) = Direction::between(king, attacker) else {
            return false;
        };
        let capturer_pinned = Direction::between(king, step.from) == Some(line);
        match self.broken() {
            Some(Mutation::EpRankPinIgnored) => line.ranks == 0,
            Some(Mutation::EpRankPinIgnoredTowardVictim) => {
                // Seen from the king, the victim comes before the capturer.
                line.ranks == 0
                    && distance(king, victim).0.abs() < distance(king, step.from).0.abs()
            }
            Some(Mutation::EpDiagonalPinIgnored) => capturer_pinned && !line.is_straight(),
            Some(Mutation::EpFilePinIgnored) => capturer_pinned && line.files == 0,
            _ => false,
        }
    }
}

/// The direction from the king in which the moving piece is pinned, if it stays on that line.
fn pin_along(step: Step, king: Square, threats: &Threats) -> Option<Direction> {
    let pins = Direction::ALL.into_iter().zip(threats.pins);
    let mut ways = pins.filter(|&(_, pin)| pin.is_some_and(|pin| pin.pinned == step.from));
    let (way, _) = ways.next()?;
    (Direction::between(king, step.to) == Some(way)).then_some(way)
}

fn are_neighbors(a: Square, b: Square) -> bool {
    let (files, ranks) = distance(a, b);
    files.abs().max(ranks.abs()) == 1
}

/// Whether `square` is the king's neighbour toward a knight, as if the knight were a slider.
fn stands_toward(king: Square, square: Square, knight: Square) -> bool {
    let (files, ranks) = distance(king, knight);
    king.offset(files.signum(), ranks.signum()) == Some(square)
}

//! All moves that a generator might list in one position, legal or not, each with the rules it breaks.

use std::cell::Cell;

use chess::rules::{Bitboard, CastlingSide, Color, File, Piece, PieceType, Rank, Square, attacks};

use super::board::{Board, How, Right, Step, is_on};
use super::features::{
    CAPTURE, CASTLING, DOUBLE_PUSH, EN_PASSANT, PROMOTION, STEPS, across, axis, check, direction,
    distance, slides, steps,
};

/// Which moves a scene has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Include {
    Legal,
    All,
}

/// A move that a generator might list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) step: Step,
    pub(super) from: Square,
    /// For castling, the rook's square.
    pub(super) to: Square,
    pub(super) piece: PieceType,
    /// The piece of the other side on the target, or the pawn taken en passant.
    pub(super) victim: Option<PieceType>,
    /// Index into [`super::features::MOVES`].
    pub(super) kind: usize,
    /// Index into [`super::features::PINS`].
    pub(super) pin: usize,
    /// Number of legal moves before it in the list.
    pub(super) ordinal: usize,
    /// Where its violations are.
    why: (usize, usize),
}

/// A rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    Attack(Attack),
    Breach(Breach),
}

/// A piece attacks the square where the king comes to stand, or one that it passes when it castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attack {
    pub(super) by: Square,
    pub(super) kind: PieceType,
    pub(super) target: Square,
    pub(super) role: Role,
}

/// How an attack makes a move illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The check is not answered.
    Check,
    /// The moving piece was pinned.
    Opens,
    /// En passant removes a shield.
    EnPassant,
    /// The king steps there.
    Step,
    /// The king stays on the line of a check.
    Ray,
    /// The king castles: out of check (0), across the square (1), or onto it (2).
    Path(usize),
    /// The castling rook was the shield.
    Uncovers,
}

/// A rule about how pieces move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breach {
    NoRight,
    /// A piece stands in the way of castling.
    Blocked(Square),
    /// En passant of a pawn that has not just made a double push.
    NoEpSquare,
    PushOnto,
    /// A double push over a piece.
    DoubleOver(Square),
    DoubleOnto,
    DoubleFrom(Rank),
    TakesEmpty,
    TakesOwn,
    Jumps(Square),
    Wraps,
    Backward,
    TakesBackward,
    PromotesToKing,
    NotPromoted,
}

/// A piece that shields its king from a slider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin {
    pub(super) pinned: Square,
    pub(super) pinner: Square,
    /// From the king; index into [`super::features::DIRECTIONS`].
    pub(super) direction: usize,
}

/// A legal move in short, to be compared with others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brief {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) piece: PieceType,
    pub(super) takes: bool,
    /// Index into [`super::features::MOVES`].
    pub(super) kind: usize,
}

/// A position with its candidates.
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    pub(super) us: Color,
    pub(super) them: Color,
    pub(super) king: Option<Square>,
    pub(super) occupied: Bitboard,
    pub(super) checkers: Bitboard,
    /// Index into [`super::features::CHECKS`].
    pub(super) check: usize,
    pub(super) pins: Vec<Pin>,
    pub(super) candidates: Vec<Candidate>,
    /// The legal moves, by their ordinals.
    pub(super) legal: Vec<Brief>,
    /// Number of legal moves that take something.
    pub(super) captures: usize,
    violations: Vec<Violation>,
    include: Include,
    /// Plies that are left to count.
    pub(super) depth: u32,
    phantom_checks: Cell<Option<u32>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(board: &'a Board, include: Include, depth: u32) -> Self {
        let mut scene = Self::empty(board, include, depth);
        if let Some(king) = scene.king {
            scene.checkers = board.attackers(king, scene.them, scene.occupied);
            scene.check = scene.check_class(king);
            scene.find_pins(king);
        }
        // Moves come last: what they violate depends on checkers and pins.
        scene.list();
        scene
    }

    /// The legal castling moves alone.
    fn castlings(board: &'a Board) -> Self {
        // Castling looks for attacks by itself and needs neither checkers nor pins.
        let mut scene = Self::empty(board, Include::Legal, 0);
        scene.castling();
        scene
    }

    fn empty(board: &'a Board, include: Include, depth: u32) -> Self {
        let us = board.side_to_move;
        Self {
            board,
            us,
            them: !us,
            king: board.kings[us],
            occupied: board.occupied(),
            checkers: Bitboard::EMPTY,
            check: check::NONE,
            pins: Vec::new(),
            candidates: Vec::new(),
            legal: Vec::new(),
            captures: 0,
            violations: Vec::new(),
            include,
            depth,
            phantom_checks: Cell::new(None),
        }
    }

    /// Why a move is illegal; nothing if it is legal.
    pub(super) fn why(&self, candidate: &Candidate) -> &[Violation] {
        &self.violations[candidate.why.0..candidate.why.1]
    }

    /// What `find` gives for this scene, found once.
    pub(super) fn phantom_checks(&self, find: impl Fn(&Self) -> u32) -> u32 {
        let known = self.phantom_checks.get();
        let found = known.unwrap_or_else(|| find(self));
        self.phantom_checks.set(Some(found));
        found
    }

    pub(super) fn kind_at(&self, square: Square) -> Option<PieceType> {
        self.board.at(square).map(|piece| piece.piece_type)
    }

    pub(super) fn is_theirs(&self, square: Square) -> bool {
        self.board.by_color(self.them).contains(square)
    }

    fn check_class(&self, king: Square) -> usize {
        let by = |kind| self.checkers.intersects(self.board.pieces(self.them, kind));
        // In a legal position, at least one of two checkers is a slider.
        if self.checkers.has_several() {
            return if by(PieceType::Pawn) {
                check::DOUBLE_PAWN
            } else if by(PieceType::Knight) {
                check::DOUBLE_KNIGHT
            } else {
                check::DOUBLE_SLIDERS
            };
        }
        let Some(checker) = self.checkers.first() else {
            return check::NONE;
        };
        let from_afar = usize::from(steps(king, checker) > 1);
        let is_straight = direction(king, checker).is_some_and(|one| one < 4);
        match self.kind_at(checker) {
            Some(PieceType::Pawn) => check::PAWN,
            Some(PieceType::Bishop) => check::BISHOP + from_afar,
            Some(PieceType::Rook) => check::ROOK + from_afar,
            Some(PieceType::Queen) if is_straight => check::QUEEN_STRAIGHT + from_afar,
            Some(PieceType::Queen) => check::QUEEN_DIAGONAL + from_afar,
            // On a faulty board, a king may give check; it counts as a knight.
            _ => check::KNIGHT,
        }
    }

    fn find_pins(&mut self, king: Square) {
        let theirs = self.board.by_color(self.them);
        // Our pieces are ignored, so that sliders behind them are found.
        for pinner in self.board.sliders_to(king, self.them, theirs) {
            let between = attacks::between(king, pinner) & self.board.by_color(self.us);
            if let (Some(pinned), Some(direction)) = (between.only(), direction(king, pinner)) {
                self.pins.push(Pin {
                    pinned,
                    pinner,
                    direction,
                });
            }
        }
    }

    pub(super) fn pin_of(&self, square: Square) -> Option<&Pin> {
        self.pins.iter().find(|pin| pin.pinned == square)
    }

    fn list(&mut self) {
        for from in self.board.by_color(self.us) {
            match self.kind_at(from).expect("it is ours") {
                PieceType::Pawn => self.pawn_moves(from),
                PieceType::Knight => {
                    self.leaps(from, PieceType::Knight, attacks::knight(from));
                    self.wrapped(from, PieceType::Knight, &super::features::JUMPS);
                }
                PieceType::King => {
                    self.leaps(from, PieceType::King, attacks::king(from));
                    self.wrapped(from, PieceType::King, &STEPS);
                }
                slider => self.slides(from, slider),
            }
        }
        self.castling();
    }

    fn leaps(&mut self, from: Square, piece: PieceType, targets: Bitboard) {
        for to in targets & !self.board.by_color(self.us) {
            self.plain(from, to, piece, None);
        }
        if self.include == Include::All {
            for to in targets & self.board.by_color(self.us) {
                self.takes_own(from, to, piece);
            }
        }
    }

    fn takes_own(&mut self, from: Square, to: Square, piece: PieceType) {
        let taken = self.kind_at(to);
        // A king that takes its rook would be castling.
        if taken != Some(PieceType::King)
            && (piece, taken) != (PieceType::King, Some(PieceType::Rook))
        {
            self.plain(from, to, piece, Some(Breach::TakesOwn));
        }
    }

    /// Steps across the left or right edge, as on a board without edges.
    fn wrapped(&mut self, from: Square, piece: PieceType, all: &[(i32, i32)]) {
        if self.include == Include::All {
            for &step in all {
                if let Some(to) = across(from, step.0, step.1)
                    && !self.board.by_color(self.us).contains(to)
                {
                    self.plain(from, to, piece, Some(Breach::Wraps));
                }
            }
        }
    }

    fn slides(&mut self, from: Square, piece: PieceType) {
        let mut targets = Bitboard::EMPTY;
        if piece != PieceType::Bishop {
            targets |= attacks::rook(from, self.occupied);
        }
        if piece != PieceType::Rook {
            targets |= attacks::bishop(from, self.occupied);
        }
        for to in targets & !self.board.by_color(self.us) {
            self.plain(from, to, piece, None);
        }
        if self.include == Include::Legal {
            return;
        }
        for to in targets & self.board.by_color(self.us) {
            self.takes_own(from, to, piece);
        }
        for (index, &(files, ranks)) in STEPS.iter().enumerate() {
            if !slides(piece, index) {
                continue;
            }
            let (mut square, mut blocker) = (from, None);
            loop {
                let Some(next) = square.offset(files, ranks) else {
                    if let Some(to) = across(square, files, ranks)
                        && blocker.is_none()
                        && !self.board.by_color(self.us).contains(to)
                    {
                        self.plain(from, to, piece, Some(Breach::Wraps));
                    }
                    break;
                };
                square = next;
                let piece_there = self.board.at(square);
                if let Some(blocker) = blocker {
                    // To jump onto an own piece would break two rules.
                    if piece_there.is_none_or(|one| one.color != self.us) {
                        self.plain(from, square, piece, Some(Breach::Jumps(blocker)));
                    }
                    if piece_there.is_some() {
                        break;
                    }
                } else if piece_there.is_some() {
                    blocker = Some(square);
                }
            }
        }
    }

    fn plain(&mut self, from: Square, to: Square, piece: PieceType, breach: Option<Breach>) {
        let how = How::Plain;
        self.add(Step { from, to, how }, piece, breach);
    }

    fn pawn_moves(&mut self, from: Square) {
        let (us, all) = (self.us, self.include == Include::All);
        let forward = us.forward();
        if let Some(one) = from.offset(0, forward) {
            let is_free = !self.occupied.contains(one);
            if is_free {
                self.pawn_move(from, one, None);
            } else if all && self.is_theirs(one) {
                self.pawn_move(from, one, Some(Breach::PushOnto));
            }
            if let Some(two) = one.offset(0, forward) {
                self.double_push(from, one, two);
            }
        }
        for to in attacks::pawn(us, from) {
            let how = How::EnPassant;
            if self.is_theirs(to) {
                self.pawn_move(from, to, None);
            } else if self.board.ep_square == Some(to) && !self.occupied.contains(to) {
                self.add(Step { from, to, how }, PieceType::Pawn, None);
            } else if !all {
                // All that follows is illegal.
            } else if self.occupied.contains(to) {
                if self.kind_at(to) != Some(PieceType::King) {
                    self.pawn_move(from, to, Some(Breach::TakesOwn));
                }
            } else if is_on(to, Rank::R6, us)
                && self
                    .board
                    .is(self.board.victim_square(to), !us, PieceType::Pawn)
            {
                // Only beside a pawn on its fourth rank does the move look like en passant.
                let breach = Some(Breach::NoEpSquare);
                self.add(Step { from, to, how }, PieceType::Pawn, breach);
            } else {
                self.pawn_move(from, to, Some(Breach::TakesEmpty));
            }
        }
        if all {
            for files in [-1, 1] {
                let to = across(from, files, forward);
                if let Some(to) = to.filter(|&to| self.is_theirs(to)) {
                    self.pawn_move(from, to, Some(Breach::Wraps));
                } else if let Some(to) = to.filter(|&to| self.board.ep_square == Some(to)) {
                    let how = How::EnPassant;
                    let step = Step { from, to, how };
                    self.add(step, PieceType::Pawn, Some(Breach::Wraps));
                }
            }
            if let Some(back) = from.offset(0, -forward)
                && !self.occupied.contains(back)
            {
                self.plain(from, back, PieceType::Pawn, Some(Breach::Backward));
            }
            for to in attacks::pawn(!us, from) & self.board.by_color(!us) {
                self.plain(from, to, PieceType::Pawn, Some(Breach::TakesBackward));
            }
        }
    }

    fn double_push(&mut self, from: Square, over: Square, to: Square) {
        let [over_free, to_free] = [over, to].map(|square| !self.occupied.contains(square));
        let rank = from.rank().relative_to(self.us);
        let breach = if rank == Rank::R2 {
            match (over_free, to_free) {
                (true, true) => None,
                (false, true) => Some(Breach::DoubleOver(over)),
                (true, false) if self.is_theirs(to) => Some(Breach::DoubleOnto),
                // Two squares are occupied, or the target by our own piece: no fault lists these.
                _ => return,
            }
        } else if over_free && to_free && rank > Rank::R2 && rank < Rank::R6 {
            // From the sixth rank, the second square would be the last rank.
            Some(Breach::DoubleFrom(rank))
        } else {
            return;
        };
        if breach.is_none() || self.include == Include::All {
            let how = How::DoublePush;
            self.add(Step { from, to, how }, PieceType::Pawn, breach);
        }
    }

    /// A push or a capture; on the last rank, a promotion.
    fn pawn_move(&mut self, from: Square, to: Square, breach: Option<Breach>) {
        if !is_on(to, Rank::R8, self.us) {
            self.plain(from, to, PieceType::Pawn, breach);
            return;
        }
        let promotion = |kind| Step {
            from,
            to,
            how: How::Promotion(kind),
        };
        for kind in PieceType::PROMOTIONS {
            self.add(promotion(kind), PieceType::Pawn, breach);
        }
        // No fault overlooks two breaches.
        if self.include == Include::All && breach.is_none() {
            let king = promotion(PieceType::King);
            self.add(king, PieceType::Pawn, Some(Breach::PromotesToKing));
            self.plain(from, to, PieceType::Pawn, Some(Breach::NotPromoted));
        }
    }

    fn castling(&mut self) {
        for side in CastlingSide::ALL {
            let right = self.board.rights[self.us][side.index()];
            let has_right = right.is_some();
            // A generator without the right can only mean the squares of standard chess.
            let right = right.unwrap_or_else(|| {
                let king = Square::new(File::E, Rank::R1.relative_to(self.us));
                let rook = side.standard_rook(self.us);
                Right {
                    king,
                    rook,
                    asks: true,
                }
            });
            let is = |square, kind| self.board.is(square, self.us, kind);
            let stands = is(right.king, PieceType::King) && is(right.rook, PieceType::Rook);
            if (stands || !right.asks) && (has_right || self.include == Include::All) {
                self.castle(side, right, has_right);
            }
        }
    }

    fn castle(&mut self, side: CastlingSide, right: Right, has_right: bool) {
        let (us, them) = (self.us, self.them);
        let Right { king, rook, .. } = right;
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let start = self.violations.len();
        if !has_right {
            self.violations.push(Violation::Breach(Breach::NoRight));
        }
        // FIDE Guidelines II.3: no other piece may stand on the ways of king and rook.
        let path = attacks::between(king, king_target) | king_target.bitboard();
        let way = path | attacks::between(rook, rook_target) | rook_target.bitboard();
        let others = self.occupied & !(king.bitboard() | rook.bitboard());
        for square in way & others {
            self.violations
                .push(Violation::Breach(Breach::Blocked(square)));
        }
        let after = others | rook_target.bitboard();
        // The king itself does not shield its way.
        let without_king = self.occupied & !king.bitboard();
        for target in path | king.bitboard() {
            // In Chess960, a king may castle without moving: its square is the one it castles onto.
            let place = match target {
                _ if target == king && target != king_target => 0,
                _ if target == king_target => 2,
                _ => 1,
            };
            let attackers = self.board.attackers(target, them, without_king);
            for by in attackers {
                self.attack(by, target, Role::Path(place));
            }
            if target == king_target {
                // The castling rook may have shielded the king's target, in Chess960.
                for by in self.board.sliders_to(target, them, after) & !attackers {
                    self.attack(by, target, Role::Uncovers);
                }
            }
        }
        let how = How::Castling(side);
        let step = Step {
            from: king,
            to: rook,
            how,
        };
        self.push(step, PieceType::King, None, start);
    }

    fn attack(&mut self, by: Square, target: Square, role: Role) {
        let kind = self.kind_at(by).expect("it attacks");
        self.violations.push(Violation::Attack(Attack {
            by,
            kind,
            target,
            role,
        }));
    }

    /// Adds a move. One that breaks a rule about how pieces move is left out if it also exposes the king.
    fn add(&mut self, step: Step, piece: PieceType, breach: Option<Breach>) {
        let start = self.violations.len();
        self.attacks_after(step, piece);
        let exposes = self.violations.len() > start;
        if exposes && (breach.is_some() || self.include == Include::Legal) {
            self.violations.truncate(start);
            return;
        }
        self.violations.extend(breach.map(Violation::Breach));
        let victim = match step.how {
            How::EnPassant => Some(PieceType::Pawn),
            _ => self
                .board
                .at(step.to)
                .filter(|piece| piece.color != self.us)
                .map(|piece| piece.piece_type),
        };
        self.push(step, piece, victim, start);
    }

    fn push(&mut self, step: Step, piece: PieceType, victim: Option<PieceType>, start: usize) {
        let is_legal = self.violations.len() == start;
        if !is_legal && self.include == Include::Legal {
            self.violations.truncate(start);
            return;
        }
        let candidate = Candidate {
            step,
            from: step.from,
            to: step.to,
            piece,
            victim,
            kind: kind_of(step, piece, victim),
            pin: self.pin_class(step),
            ordinal: self.legal.len(),
            why: (start, self.violations.len()),
        };
        if is_legal {
            self.captures += usize::from(victim.is_some());
            self.legal.push(Brief {
                from: step.from,
                to: step.to,
                piece,
                takes: victim.is_some(),
                kind: candidate.kind,
            });
        }
        self.candidates.push(candidate);
    }

    /// Adds the attacks on the king after a move.
    fn attacks_after(&mut self, step: Step, piece: PieceType) {
        let Some(king) = self.king else {
            return;
        };
        let (board, them) = (self.board, self.them);
        let Step { from, to, how } = step;
        let left = self.occupied & !from.bitboard();
        if piece == PieceType::King {
            let seen = board.attackers(to, them, left) & !to.bitboard();
            if seen.is_empty() {
                return;
            }
            // Attacks that begin when the king leaves its square come along the line of a check.
            let before = board.attackers(to, them, self.occupied);
            for by in seen {
                let role = if before.contains(by) {
                    Role::Step
                } else {
                    Role::Ray
                };
                self.attack(by, to, role);
            }
            return;
        }
        let is_pinned = self.pin_of(from).is_some();
        // No other move can expose the king.
        if self.checkers.is_empty() && !is_pinned && how != How::EnPassant {
            return;
        }
        let mut occupied = left | to.bitboard();
        let mut taken = to.bitboard();
        if how == How::EnPassant {
            let victim = board.victim_square(to);
            occupied &= !victim.bitboard();
            taken |= victim.bitboard();
        }
        // The board still has what was taken, which attacks no more.
        for by in board.attackers(king, them, occupied) & !taken {
            let role = if self.checkers.contains(by) {
                Role::Check
            } else if how == How::EnPassant {
                Role::EnPassant
            } else {
                Role::Opens
            };
            self.attack(by, king, role);
        }
    }

    fn pin_class(&self, step: Step) -> usize {
        self.pin_of(step.from).map_or(0, |pin| {
            let king = self.king.expect("a pin has a king");
            let stays = attacks::line(king, step.from).contains(step.to);
            1 + axis(pin.direction) + if stays { 0 } else { 4 }
        })
    }
}

impl Candidate {
    pub(super) fn is_legal(&self) -> bool {
        self.why.0 == self.why.1
    }

    pub(super) fn is_castling(&self) -> bool {
        self.kind >= CASTLING
    }

    pub(super) fn is_ep(&self) -> bool {
        self.kind == EN_PASSANT
    }

    pub(super) fn is_double(&self) -> bool {
        self.kind == DOUBLE_PUSH
    }

    pub(super) fn is(&self, piece: PieceType) -> bool {
        self.piece == piece
    }

    pub(super) fn is_king_step(&self) -> bool {
        self.piece == PieceType::King && !self.is_castling()
    }

    /// Whether it takes something; index into [`super::features::TAKES`].
    pub(super) fn takes(&self) -> usize {
        usize::from(self.victim.is_some())
    }

    /// Index into [`super::features::VICTIMS`].
    pub(super) fn victim_value(&self) -> usize {
        // On a faulty board, a king may be taken; `VICTIMS` has none.
        let victim = self.victim.filter(|&kind| kind != PieceType::King);
        victim.map_or(0, |kind| 1 + kind.index())
    }

    /// Whether a pawn pushes (0), takes to the west (1) or to the east (2).
    pub(super) fn way(&self) -> usize {
        match distance(self.from, self.to).0 {
            0 => 0,
            files if files < 0 => 1,
            _ => 2,
        }
    }

    /// Index into [`super::features::PROMOTIONS`].
    pub(super) fn promotion(&self) -> Option<usize> {
        match self.step.how {
            How::Promotion(kind) => PieceType::PROMOTIONS.iter().position(|&one| one == kind),
            _ => None,
        }
    }
}

impl Brief {
    pub(super) fn is_castling(&self) -> bool {
        self.kind >= CASTLING
    }
}

/// Number of legal moves: that of a scene, found without listing them.
pub(super) fn count_legal(board: &Board) -> u64 {
    let us = board.side_to_move;
    let them = !us;
    let (own, theirs, occupied) = (board.by_color(us), board.by_color(them), board.occupied());
    let king = board.kings[us];
    let mut checkers = Bitboard::EMPTY;
    let mut pinned = Bitboard::EMPTY;
    // At most one piece is pinned on each of eight lines.
    let mut lines = [(Bitboard::EMPTY, Bitboard::EMPTY); 8];
    if let Some(king) = king {
        checkers = board.attackers(king, them, occupied);
        for (pinner, line) in board
            .sliders_to(king, them, theirs)
            .into_iter()
            .zip(&mut lines)
        {
            if let Some(square) = (attacks::between(king, pinner) & own).only() {
                pinned |= square.bitboard();
                *line = (square.bitboard(), attacks::line(king, pinner));
            }
        }
    }
    // Where a piece other than the king may go.
    let evasions = match (king, checkers.only(), checkers.first()) {
        (Some(king), Some(checker), _) => attacks::between(king, checker) | checker.bitboard(),
        (_, None, None) => Bitboard::ALL,
        _ => Bitboard::EMPTY,
    };
    let allowed = |from: Square| {
        if !pinned.contains(from) {
            return evasions;
        }
        let of_pins = lines.iter().filter(|(square, _)| square.contains(from));
        of_pins.fold(evasions, |allowed, (_, line)| allowed & *line)
    };
    let mut count = 0;
    for from in own & !board.pieces(us, PieceType::King) & !board.pieces(us, PieceType::Pawn) {
        let kind = board.at(from).expect("it is ours").piece_type;
        let targets = match kind {
            PieceType::Knight => attacks::knight(from),
            PieceType::Bishop => attacks::bishop(from, occupied),
            PieceType::Rook => attacks::rook(from, occupied),
            _ => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
        };
        count += (targets & !own & allowed(from)).count();
    }
    for from in board.pieces(us, PieceType::Pawn) {
        let one = from.bitboard().forward(us) & !occupied;
        let mut targets = one | attacks::pawn(us, from) & theirs;
        if is_on(from, Rank::R2, us) {
            targets |= one.forward(us) & !occupied;
        }
        targets &= allowed(from);
        let last = Rank::R8.relative_to(us).bitboard();
        // A pawn on the last rank has four promotions.
        count += (targets & !last).count() + 4 * (targets & last).count();
        if let Some(to) = board.ep_square
            && attacks::pawn(us, from).contains(to)
            && !occupied.contains(to)
        {
            let victim = board.victim_square(to).bitboard();
            let after = occupied & !from.bitboard() & !victim | to.bitboard();
            let taken = victim | to.bitboard();
            let is_safe =
                king.is_none_or(|king| (board.attackers(king, them, after) & !taken).is_empty());
            count += u32::from(is_safe);
        }
    }
    // A fault may have left a king on a second square.
    for from in board.pieces(us, PieceType::King) {
        let left = occupied & !from.bitboard();
        for to in attacks::king(from) & !own {
            let attackers = board.attackers(to, them, left) & !to.bitboard();
            // Where the king was taken or forgotten, nothing exposes it.
            count += u32::from(king.is_none() || attackers.is_empty());
        }
    }
    // Castling is rare, and may be found the slow way.
    if board.rights[us].iter().any(Option::is_some) {
        let scene = Scene::castlings(board);
        count += u32::try_from(scene.legal.len()).expect("there are two");
    }
    u64::from(count)
}

/// Index into the kinds of moves.
fn kind_of(step: Step, piece: PieceType, victim: Option<PieceType>) -> usize {
    // `MOVES` has no captures of a king.
    let victim = victim.filter(|&kind| kind != PieceType::King);
    let promoted = |kind| PieceType::PROMOTIONS.iter().position(|&one| one == kind);
    match step.how {
        How::Castling(side) => CASTLING + side.index(),
        How::EnPassant => EN_PASSANT,
        How::DoublePush => DOUBLE_PUSH,
        How::Promotion(kind) => {
            PROMOTION + 5 * promoted(kind).unwrap_or(0) + victim.map_or(0, PieceType::index)
        }
        How::Plain => victim.map_or(piece.index(), |victim| {
            CAPTURE + 5 * piece.index() + victim.index()
        }),
    }
}

/// The pieces in one direction, nearest first.
pub(super) fn along(
    board: &Board,
    from: Square,
    step: (i32, i32),
) -> impl Iterator<Item = (Square, Piece)> {
    let squares = std::iter::successors(from.offset(step.0, step.1), move |square| {
        square.offset(step.0, step.1)
    });
    squares.filter_map(|square| Some((square, board.at(square)?)))
}

//! The signatures of a position: of its legal moves, of those that a generator lists wrongly if it forgets
//! a rule, and of itself.

use chess::rules::attacks;
use chess::rules::{Bitboard, CastlingSide, Color, Move, Piece, PieceType, Position, Rank, Square};

use super::signature::{
    CASTLING, EFFECT, LEGALITY, OWN_RIGHTS, PLACE, Signature, THEIR_RIGHTS, check, effect, kind,
    verdict,
};
use super::state;

/// A move that pieces can make, legal or not, or that only a missing right or a piece in the way
/// prevents.
struct Candidate {
    from: Square,
    to: Square,
    promotion: Option<PieceType>,
    kind: usize,
    /// Why it is illegal, as an index into the verdicts, if that is known without trying.
    forbidden: Option<usize>,
}

/// Calls `take` with all signatures of a position that show in a count of this depth, each with its move,
/// legal or not, or `None` if it is the position's own.
pub(super) fn each_signature(
    position: &Position,
    depth: u32,
    mut take: impl FnMut(Signature, Option<Move>),
) {
    let scene = Scene::new(position);
    let (mut legal, mut captures) = (0, 0);
    scene.each_candidate(|candidate| {
        if scene.describe(&candidate, depth, &mut |signature, m| {
            take(signature, Some(m));
        }) {
            legal += 1;
            captures += usize::from(candidate.is_capture());
        }
    });
    state::each_signature(position, legal, captures, depth, |one| take(one, None));
}

/// Calls `take` with every move that its piece can make, legal or not, and whether only the safety of the
/// king can forbid it.
pub(super) fn each_candidate(position: &Position, mut take: impl FnMut(bool, Move)) {
    Scene::new(position).each_candidate(|one| take(one.forbidden.is_none(), one.to_move()));
}

impl Candidate {
    fn to_move(&self) -> Move {
        match self.promotion {
            Some(promotion) => Move::new_promotion(self.from, self.to, promotion),
            None => Move::new(self.from, self.to),
        }
    }

    fn is_capture(&self) -> bool {
        match self.kind {
            kind::CAPTURE..=kind::EN_PASSANT => true,
            kind::PROMOTION..kind::CASTLING => !(self.kind - kind::PROMOTION).is_multiple_of(5),
            _ => false,
        }
    }
}

/// A position with what all of its moves are judged by.
struct Scene<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    occupied: Bitboard,
    /// Index into the checks.
    check: usize,
    /// Each pinned piece, with the axis of its pin.
    pins: Vec<(Square, usize)>,
}

impl<'a> Scene<'a> {
    fn new(position: &'a Position) -> Self {
        let us = position.side_to_move();
        let king = position.king(us);
        Self {
            position,
            us,
            king,
            occupied: position.occupied(),
            check: check_of(position, king),
            pins: pins(position, us, king),
        }
    }

    fn each_candidate(&self, mut take: impl FnMut(Candidate)) {
        let Self { position, us, .. } = *self;
        for from in position.by_color(us) {
            let piece = position.piece_type_at(from).expect("it is ours");
            if piece == PieceType::Pawn {
                self.each_pawn_move(from, &mut take);
                continue;
            }
            let targets = match piece {
                PieceType::Knight => attacks::knight(from),
                PieceType::King => attacks::king(from),
                _ => slides(piece, from, self.occupied),
            };
            for to in targets & !position.by_color(us) {
                let kind = match position.piece_type_at(to) {
                    None => piece.index(),
                    Some(victim) => kind::CAPTURE + 5 * piece.index() + victim.index(),
                };
                take(Candidate {
                    from,
                    to,
                    promotion: None,
                    kind,
                    forbidden: None,
                });
            }
        }
        self.each_castling(&mut take);
    }

    fn each_pawn_move(&self, from: Square, take: &mut impl FnMut(Candidate)) {
        let Self {
            position,
            us,
            occupied,
            ..
        } = *self;
        let is_promotion = from.rank() == Rank::R7.relative_to(us);
        let mut add = |to: Square, kind: usize, promotion_offset: usize, forbidden| {
            let promotions = PieceType::PROMOTIONS.into_iter().enumerate();
            if !is_promotion {
                take(Candidate {
                    from,
                    to,
                    promotion: None,
                    kind,
                    forbidden,
                });
                return;
            }
            for (number, promotion) in promotions {
                take(Candidate {
                    from,
                    to,
                    promotion: Some(promotion),
                    kind: kind::PROMOTION + 5 * number + promotion_offset,
                    forbidden,
                });
            }
        };
        let one = from
            .offset(0, us.forward())
            .expect("no pawn is on the last rank");
        if !occupied.contains(one) {
            add(one, kind::PUSH, 0, None);
        }
        if from.rank() == Rank::R2.relative_to(us) {
            let two = one
                .offset(0, us.forward())
                .expect("it is on the fourth rank");
            let is_free = !occupied.contains(one) && !occupied.contains(two);
            let forbidden = (!is_free).then_some(verdict::BLOCKED);
            add(two, kind::DOUBLE_PUSH, 0, forbidden);
        }
        for to in attacks::pawn(us, from) {
            match position.piece_at(to) {
                Some(victim) if victim.color != us => {
                    let victim = victim.piece_type.index();
                    add(to, kind::CAPTURE + victim, victim, None);
                }
                None if position.ep_square() == Some(to) => add(to, kind::EN_PASSANT, 0, None),
                // As if the pawn beside it had just made a double push.
                None if to.rank() == Rank::R6.relative_to(us)
                    && position.piece_at(Square::new(to.file(), from.rank()))
                        == Some(Piece::new(!us, PieceType::Pawn)) =>
                {
                    add(to, kind::EN_PASSANT, 0, Some(verdict::NO_RIGHT));
                }
                _ => {}
            }
        }
    }

    /// Castling by a right, or with king and rook at home as in standard chess.
    fn each_castling(&self, take: &mut impl FnMut(Candidate)) {
        let Self {
            position, us, king, ..
        } = *self;
        let home = Rank::R1.relative_to(us);
        if king.rank() != home {
            return;
        }
        for rook in position.pieces(us, PieceType::Rook) & home.bitboard() {
            let has_right = position.castling_rooks().contains(rook);
            let is_at_home = king.file().index() == 4 && [0, 7].contains(&rook.file().index());
            if has_right || is_at_home {
                let is_long = usize::from(rook < king);
                take(Candidate {
                    from: king,
                    to: rook,
                    promotion: None,
                    kind: kind::CASTLING + is_long,
                    forbidden: self.why_no_castling(rook, has_right),
                });
            }
        }
    }

    fn why_no_castling(&self, rook: Square, has_right: bool) -> Option<usize> {
        let Self {
            position, us, king, ..
        } = *self;
        let side = CastlingSide::new(king, rook);
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let way = attacks::between(king, king_target) | king_target.bitboard();
        let rooks_way = attacks::between(rook, rook_target) | rook_target.bitboard();
        let others = self.occupied & !(king.bitboard() | rook.bitboard());
        let is_attacked = |square, occupied| !attackers(position, square, !us, occupied).is_empty();
        if !((way | rooks_way) & others).is_empty() {
            Some(verdict::BLOCKED)
        } else if !has_right {
            Some(verdict::NO_RIGHT)
        } else if self.check != check::NONE {
            Some(verdict::CASTLES_OUT_OF_CHECK)
        } else if is_attacked(king_target, others | rook.bitboard()) {
            Some(verdict::CASTLES_INTO_CHECK)
        } else if way
            .into_iter()
            .any(|square| is_attacked(square, others | rook.bitboard()))
        {
            Some(verdict::CASTLES_THROUGH_CHECK)
        } else if is_attacked(king_target, others | rook_target.bitboard()) {
            Some(verdict::CASTLING_UNCOVERS)
        } else {
            None
        }
    }

    /// Returns whether it is legal.
    fn describe(
        &self,
        candidate: &Candidate,
        depth: u32,
        take: &mut impl FnMut(Signature, Move),
    ) -> bool {
        let Candidate {
            from,
            to,
            kind,
            forbidden,
            ..
        } = *candidate;
        let side = self.us.index();
        let m = candidate.to_move();
        let is_legal = forbidden.is_none() && self.position.is_legal(m);
        let pin = self.pin_of(from, to);
        let verdict = match forbidden {
            _ if is_legal => verdict::LEGAL,
            Some(why) => why,
            None => self.why_illegal(from, to, kind, pin),
        };
        take(
            Signature::new(LEGALITY, &[side, kind, self.check, pin, verdict]),
            m,
        );
        let [from_file, to_file] = [from, to].map(|square| square.file().index());
        let files = match (from_file, to_file) {
            (0, _) => 0,
            (7, _) => 1,
            (_, 0) => 2,
            (_, 7) => 3,
            _ => 4,
        };
        let is_at_end = |square: Square| [Rank::R1, Rank::R8].contains(&square.rank());
        let ranks = usize::from(is_at_end(from) || is_at_end(to));
        take(
            Signature::new(PLACE, &[side, kind, files, ranks, usize::from(!is_legal)]),
            m,
        );
        if kind >= kind::CASTLING {
            take(
                Signature::new(CASTLING, &[side, from_file, to_file, verdict]),
                m,
            );
        }
        if is_legal && depth >= 2 {
            self.describe_result(m, kind, depth, take);
        }
        is_legal
    }

    /// What a legal move brings about.
    fn describe_result(
        &self,
        m: Move,
        kind: usize,
        depth: u32,
        take: &mut impl FnMut(Signature, Move),
    ) {
        let side = self.us.index();
        let next = self.position.play_unchecked(m);
        let checkers = next.checkers();
        let moved = if self.position.is_castling(m) {
            // The rook gives the check, and it has moved.
            next.pieces(self.us, PieceType::Rook)
        } else {
            m.to().bitboard()
        };
        let effect = match (checkers.count(), next.legal_move_count()) {
            (0, 0) => effect::STALEMATE,
            (0, _) => effect::NO_CHECK,
            (_, 0) => effect::MATE,
            (1, _) if (checkers & moved).is_empty() => effect::DISCOVERED,
            (1, _) => effect::DIRECT,
            _ => effect::DOUBLE,
        };
        let was_in_check = usize::from(self.check != check::NONE);
        take(
            Signature::new(EFFECT, &[side, kind, effect, was_in_check]),
            m,
        );
        let lost = self.position.castling_rooks() & !next.castling_rooks();
        let side_of = |rook: Square, color| usize::from(rook < self.position.king(color));
        let their_loss = (lost & self.position.by_color(!self.us))
            .into_iter()
            .next()
            .map_or(0, |rook| 1 + side_of(rook, !self.us));
        // Without a reply, a right that was left by mistake cannot show.
        if ![effect::MATE, effect::STALEMATE].contains(&effect) {
            take(Signature::new(THEIR_RIGHTS, &[side, kind, their_loss]), m);
        }
        if depth >= 3 && goes_on(&next) {
            let had = self.position.castling_rooks() & self.position.by_color(self.us);
            let lost = lost & had;
            let loss = match (had.count(), lost.count()) {
                (0, _) => 0,
                (_, 0) => 1,
                (_, 2) => 4,
                _ => 2 + side_of(lost.into_iter().next().expect("it is one"), self.us),
            };
            take(Signature::new(OWN_RIGHTS, &[side, kind, loss]), m);
        }
    }

    fn pin_of(&self, from: Square, to: Square) -> usize {
        let pin = self.pins.iter().find(|(pinned, _)| *pinned == from);
        pin.map_or(0, |&(_, axis)| {
            let stays = attacks::line(self.king, from).contains(to);
            1 + axis + if stays { 0 } else { 4 }
        })
    }

    /// Why a move that its piece can make is illegal.
    fn why_illegal(&self, from: Square, to: Square, kind: usize, pin: usize) -> usize {
        if from == self.king {
            let attackers = attackers(self.position, to, !self.us, self.occupied);
            let kinds = attackers.into_iter();
            let least = kinds.filter_map(|square| self.position.piece_type_at(square));
            // Seen only once the king has gone.
            return least.min().map_or(verdict::KING_STAYS_ON_LINE, |piece| {
                verdict::KING_INTO + piece.index()
            });
        }
        if kind == kind::EN_PASSANT && self.check == check::NONE && pin == 0 {
            verdict::EN_PASSANT_OPENS
        } else {
            verdict::EXPOSES_KING
        }
    }
}

/// Whether some move has a reply, so that what was lost can show.
fn goes_on(position: &Position) -> bool {
    let mut moves = position.legal_moves().into_iter();
    moves.any(|m| position.play_unchecked(m).legal_move_count() > 0)
}

/// The axis of two squares on a line: file, rank, diagonal like a1-h8, diagonal like h1-a8.
fn axis(a: Square, b: Square) -> usize {
    let files = b.file().index().cast_signed() - a.file().index().cast_signed();
    let ranks = b.rank().index().cast_signed() - a.rank().index().cast_signed();
    match (files, ranks) {
        (0, _) => 0,
        (_, 0) => 1,
        _ if files == ranks => 2,
        _ => 3,
    }
}

fn check_of(position: &Position, king: Square) -> usize {
    let checkers = position.checkers();
    let by = |piece| !(checkers & position.by_type(piece)).is_empty();
    if checkers.count() > 1 {
        return if by(PieceType::Pawn) {
            check::DOUBLE_PAWN
        } else if by(PieceType::Knight) {
            check::DOUBLE_KNIGHT
        } else {
            check::DOUBLE_SLIDERS
        };
    }
    let Some(checker) = checkers.into_iter().next() else {
        return check::NONE;
    };
    let from_afar = usize::from(!attacks::king(king).contains(checker));
    match position.piece_type_at(checker).expect("it gives check") {
        PieceType::Pawn => check::PAWN,
        PieceType::Knight => check::KNIGHT,
        PieceType::Bishop => check::BISHOP + from_afar,
        PieceType::Rook => check::ROOK + from_afar,
        _ if axis(king, checker) < 2 => check::QUEEN_STRAIGHT + from_afar,
        _ => check::QUEEN_DIAGONAL + from_afar,
    }
}

fn pins(position: &Position, us: Color, king: Square) -> Vec<(Square, usize)> {
    let theirs = position.by_color(!us);
    let sliders = attackers(position, king, !us, theirs)
        & !(position.by_type(PieceType::Knight) | position.by_type(PieceType::Pawn));
    let pinned = sliders.into_iter().filter_map(|slider| {
        let mut between = (attacks::between(king, slider) & position.by_color(us)).into_iter();
        let pinned = between.next()?;
        between
            .next()
            .is_none()
            .then_some((pinned, axis(king, slider)))
    });
    pinned.collect()
}

fn slides(piece: PieceType, from: Square, occupied: Bitboard) -> Bitboard {
    let diagonal = attacks::bishop(from, occupied);
    let straight = attacks::rook(from, occupied);
    match piece {
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        _ => diagonal | straight,
    }
}

/// The pieces of a side that attack a square when these squares are occupied.
fn attackers(position: &Position, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
    let of = |piece| position.pieces(by, piece);
    let queens = of(PieceType::Queen);
    attacks::rook(square, occupied) & (of(PieceType::Rook) | queens)
        | attacks::bishop(square, occupied) & (of(PieceType::Bishop) | queens)
        | attacks::knight(square) & of(PieceType::Knight)
        | attacks::king(square) & of(PieceType::King)
        | attacks::pawn(!by, square) & of(PieceType::Pawn)
}

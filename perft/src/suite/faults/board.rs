//! The faulty generators' board: any position that a wrong generator may come to, by copying.
//!
//! Kings may be attacked, captured or missing, an en passant square may stand anywhere, and a castling
//! right may have outlived its rook. [`Board::make`] follows the rules; [`Board::change`] then applies
//! what a fault does otherwise.

use chess::rules::{
    Bitboard, ByColor, ByPieceType, CastlingSide, Color, Move, Piece, PieceType, Position, Rank,
    Square, attacks,
};

/// A castling right, with the squares where king and rook stood when it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Right {
    pub(super) king: Square,
    pub(super) rook: Square,
    /// Whether castling asks for king and rook on their squares, not for the right alone.
    pub(super) asks: bool,
}

/// A move as the generator lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: Square,
    /// For castling, the rook's square.
    pub(super) to: Square,
    pub(super) how: How,
}

/// What distinguishes a move from an ordinary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Plain,
    DoublePush,
    EnPassant,
    Promotion(PieceType),
    Castling(CastlingSide),
}

impl Step {
    /// The move in the chess crate's representation.
    pub(super) fn to_move(self) -> Move {
        match self.how {
            How::Promotion(kind) => Move::new_promotion(self.from, self.to, kind),
            _ => Move::new(self.from, self.to),
        }
    }
}

/// The move that led to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LastMove {
    /// Index into [`super::features::MOVES`].
    pub(super) kind: u8,
    /// Where the moved pieces stand now.
    pub(super) moved: Bitboard,
}

/// What a fault does to the position after a move, or after it is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Change {
    /// The right is as it was before the move; castling asks for king and rook, or does not.
    KeepRight(Color, CastlingSide, bool),
    LoseRight(Color, CastlingSide),
    /// The en passant square is as it was before the move.
    KeepEp,
    SetEp(Option<Square>),
    /// What the move removed from this square is still there.
    Keep(Square),
    Remove(Square),
    Put(Square, Piece),
    /// The generator takes the king to be where it was.
    KeepKing,
    SameSide,
    /// The king may castle, if king and rook are there.
    GiveRight(Right),
    /// Moves that are listed late are tested against the position as it is then.
    Late,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    squares: [Option<Piece>; Square::COUNT],
    by_type: ByPieceType<Bitboard>,
    by_color: ByColor<Bitboard>,
    pub(super) side_to_move: Color,
    pub(super) ep_square: Option<Square>,
    pub(super) rights: ByColor<[Option<Right>; CastlingSide::COUNT]>,
    /// Where the generator takes the kings to be.
    pub(super) kings: ByColor<Option<Square>>,
    pub(super) halfmove_clock: u32,
    pub(super) last: Option<LastMove>,
    /// Whether later moves are tested against a position that a move taken back has changed.
    is_late: bool,
}

impl Board {
    pub(super) fn new(position: &Position) -> Self {
        let mut board = Self {
            squares: [None; Square::COUNT],
            by_type: ByPieceType::default(),
            by_color: ByColor::default(),
            side_to_move: position.side_to_move(),
            ep_square: position.ep_square(),
            rights: ByColor::default(),
            kings: ByColor(Color::ALL.map(|color| Some(position.king(color)))),
            halfmove_clock: position.halfmove_clock(),
            last: None,
            is_late: false,
        };
        for square in position.occupied() {
            board.put(square, position.piece_at(square));
        }
        for rook in position.castling_rooks() {
            let color = board.at(rook).expect("a rook stands there").color;
            let king = position.king(color);
            let side = CastlingSide::new(king, rook);
            board.rights[color][side.index()] = Some(Right {
                king,
                rook,
                asks: true,
            });
        }
        board
    }

    #[inline]
    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    pub(super) fn is(&self, square: Square, color: Color, kind: PieceType) -> bool {
        self.at(square) == Some(Piece::new(color, kind))
    }

    #[inline]
    pub(super) fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color]
    }

    #[inline]
    pub(super) fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_type[kind] & self.by_color[color]
    }

    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.by_color[Color::White] | self.by_color[Color::Black]
    }

    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) {
        let bit = square.bitboard();
        if let Some(old) = self.at(square) {
            self.by_type[old.piece_type] &= !bit;
            self.by_color[old.color] &= !bit;
        }
        if let Some(new) = piece {
            self.by_type[new.piece_type] |= bit;
            self.by_color[new.color] |= bit;
        }
        self.squares[square.index()] = piece;
    }

    /// The pieces of a side that attack a square when these squares are occupied.
    pub(super) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.sliders_to(square, by, occupied)
            | attacks::knight(square) & self.pieces(by, PieceType::Knight)
            | attacks::king(square) & self.pieces(by, PieceType::King)
            // A pawn of the other side on this square attacks just the squares of its attackers.
            | attacks::pawn(!by, square) & self.pieces(by, PieceType::Pawn)
    }

    pub(super) fn sliders_to(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.by_type[PieceType::Queen];
        let straight = (self.by_type[PieceType::Rook] | queens) & self.by_color[by];
        let diagonal = (self.by_type[PieceType::Bishop] | queens) & self.by_color[by];
        let mut sliders = Bitboard::EMPTY;
        // A side without such sliders needs no look at their table.
        if !straight.is_empty() {
            sliders |= attacks::rook(square, occupied) & straight;
        }
        if !diagonal.is_empty() {
            sliders |= attacks::bishop(square, occupied) & diagonal;
        }
        sliders
    }

    /// The square of the pawn that the side to move captures on an en passant square.
    pub(super) fn victim_square(&self, ep_square: Square) -> Square {
        // A fault may set an en passant square on the edge.
        let back = ep_square.offset(0, -self.side_to_move.forward());
        back.unwrap_or(ep_square)
    }

    /// The position after a move, by the rules as far as they say anything.
    pub(super) fn make(&self, step: Step, kind: usize) -> Self {
        let mut next = *self;
        let us = self.side_to_move;
        let Step { from, to, how } = step;
        let mover = self.at(from);
        let taken = self.at(to).filter(|piece| piece.color != us);
        let mut moved = to.bitboard();
        next.ep_square = None;
        match (how, mover) {
            (How::Castling(side), _) => {
                next.put(from, None);
                // A right that outlived its rook castles with a rook out of nowhere.
                if self.is(to, us, PieceType::Rook) {
                    next.put(to, None);
                }
                let (king, rook) = (side.king_target(us), side.rook_target(us));
                next.put(king, Some(Piece::new(us, PieceType::King)));
                next.put(rook, Some(Piece::new(us, PieceType::Rook)));
                next.kings[us] = Some(king);
                moved = king.bitboard() | rook.bitboard();
            }
            // A move of the game is played even if a fault has taken its piece away.
            (_, None) => {}
            (_, Some(mover)) => {
                next.put(from, None);
                let arriving = match how {
                    // A fault may have put a piece of the other side there.
                    How::Promotion(kind) => Piece::new(mover.color, kind),
                    _ => mover,
                };
                next.put(to, Some(arriving));
                if how == How::EnPassant {
                    next.put(self.victim_square(to), None);
                }
                if how == How::DoublePush {
                    // FEN: the square is set whether a pawn can take there or not.
                    next.ep_square = from.offset(0, us.forward());
                }
                if mover.piece_type == PieceType::King {
                    next.kings[us] = Some(to);
                }
            }
        }
        // A king that was taken is not in check any more.
        if self.kings[!us] == Some(to) && !next.is(to, !us, PieceType::King) {
            next.kings[!us] = None;
        }
        let moves = |color, kind| mover == Some(Piece::new(color, kind));
        for color in Color::ALL {
            let king_moves = color == us && moves(us, PieceType::King);
            // A right that has outlived its rook ends with the next one, or with whatever comes or goes there.
            let rook = Piece::new(color, PieceType::Rook);
            for right in &mut next.rights[color] {
                right.take_if(|one| {
                    let leaves = one.rook == from && (!one.asks || mover == Some(rook));
                    let is_taken = one.rook == to && (!one.asks || taken == Some(rook));
                    let castles = matches!(how, How::Castling(_)) && color == us;
                    king_moves || castles || leaves || is_taken
                });
            }
        }
        let is_pawn = mover.is_some_and(|piece| piece.piece_type == PieceType::Pawn);
        // FIDE 9.3: pawn moves and captures begin anew.
        next.halfmove_clock = if is_pawn || taken.is_some() {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        next.last = Some(LastMove {
            kind: u8::try_from(kind).expect("there are few kinds"),
            moved,
        });
        next.side_to_move = !us;
        next.is_late = false;
        next
    }

    /// Applies what a fault does: to the position after a move, where `before` is that before it, or to
    /// the position before a move that is taken back, where `before` is that after it.
    pub(super) fn change(&mut self, change: Change, before: &Self) {
        match change {
            Change::KeepRight(color, side, asks) => {
                let right = before.rights[color][side.index()];
                self.rights[color][side.index()] = right.map(|right| Right { asks, ..right });
            }
            Change::LoseRight(color, side) => self.rights[color][side.index()] = None,
            Change::KeepEp => self.ep_square = before.ep_square,
            Change::SetEp(square) => self.ep_square = square,
            Change::Keep(square) => self.put(square, before.at(square)),
            Change::Remove(square) => self.put(square, None),
            Change::Put(square, piece) => self.put(square, Some(piece)),
            Change::KeepKing => self.kings = before.kings,
            Change::SameSide => self.side_to_move = before.side_to_move,
            Change::GiveRight(right) => {
                let color = before.side_to_move;
                // The squares do not say whose right it is; the pieces on them do.
                for color in [color, !color] {
                    let is = |square, kind| self.is(square, color, kind);
                    if is(right.king, PieceType::King) && is(right.rook, PieceType::Rook) {
                        let side = CastlingSide::new(right.king, right.rook);
                        self.rights[color][side.index()] = Some(right);
                    }
                }
            }
            Change::Late => self.is_late = true,
        }
    }

    /// Whether the king of the side to move is attacked.
    pub(super) fn is_check(&self) -> bool {
        let us = self.side_to_move;
        let attackers = |king| self.attackers(king, !us, self.occupied());
        self.kings[us].is_some_and(|king| !attackers(king).is_empty())
    }

    /// Whether a move that was listed before is still listed: castling or en passant may have gone.
    pub(super) fn still_lists(&self, step: Step) -> bool {
        let us = self.side_to_move;
        match step.how {
            How::EnPassant if self.is_late => self.ep_square == Some(step.to),
            How::Castling(side) if self.is_late => self.rights[us][side.index()].is_some(),
            _ => true,
        }
    }

    /// Whether two positions are the same for a rule about repetition.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        // FIDE 9.2: the possible moves have to be the same too.
        self.squares == other.squares
            && self.side_to_move == other.side_to_move
            && self.rights == other.rights
            && self.ep_square == other.ep_square
    }

    /// The pieces by square, for keys of tables.
    pub(super) fn squares(&self) -> &[Option<Piece>; Square::COUNT] {
        &self.squares
    }
}

/// Whether a square is on this rank as seen by a side.
pub(super) fn is_on(square: Square, rank: Rank, color: Color) -> bool {
    square.rank() == rank.relative_to(color)
}

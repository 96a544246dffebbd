//! How many moves each man has, and who attacks and defends whom, by walking from square to square.

use chess::rules::{Color, PieceType, Setup, Square, mailbox};

/// The men on their squares, 0 = a8 and 63 = h1, with all that the walk finds out about them.
pub(super) struct Board {
    pub(super) men: [Option<(Color, PieceType)>; 64],
    /// Sums of the action values of the defenders of a man.
    pub(super) defended: [i32; 64],
    /// Sums of the action values of its attackers.
    pub(super) attacked: [i32; 64],
    /// How many moves it has.
    pub(super) moves: [i32; 64],
    /// The rooks that have a castling right.
    pub(super) may_castle_with: [bool; 64],
    en_passant: Option<(Color, usize)>,
    /// Where each side's men forbid the other king to go.
    forbidden_by: [[bool; 64]; 2],
}

type Direction = (isize, isize);
const STRAIGHT: [Direction; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const DIAGONAL: [Direction; 4] = [(1, -1), (1, 1), (-1, 1), (-1, -1)];
#[rustfmt::skip]
const JUMPS: [Direction; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Board {
    pub(super) fn new(setup: &Setup) -> Self {
        let en_passant = setup.ep_square.map(place);
        let mut board = Self {
            men: [None; 64],
            defended: [0; 64],
            attacked: [0; 64],
            moves: [0; 64],
            may_castle_with: [false; 64],
            en_passant: en_passant.map(|at| (setup.side_to_move, at)),
            forbidden_by: [[false; 64]; 2],
        };
        for square in Square::ALL {
            let piece = setup.piece_at(square);
            board.men[place(square)] = piece.map(|piece| (piece.color, piece.piece_type));
            board.may_castle_with[place(square)] = setup.castling_rooks.contains(square);
        }
        board.walk_all();
        for color in Color::ALL {
            board.add_castling(setup, color);
        }
        board
    }

    /// Where the men of a side and kind stand.
    pub(super) fn find(&self, color: Color, kind: PieceType) -> Vec<usize> {
        let is_it = |&at: &usize| self.men[at] == Some((color, kind));
        (0..64).filter(is_it).collect()
    }

    pub(super) fn king(&self, color: Color) -> usize {
        self.find(color, PieceType::King)[0]
    }

    /// How many castling rights a side has.
    pub(super) fn rights(&self, color: Color) -> usize {
        let rooks = self.find(color, PieceType::Rook).into_iter();
        rooks.filter(|&at| self.may_castle_with[at]).count()
    }

    pub(super) fn in_check(&self, color: Color) -> bool {
        self.attacked[self.king(color)] != 0
    }

    /// Kings come last: they go only where the enemy does not.
    fn walk_all(&mut self) {
        let all = [STRAIGHT, DIAGONAL].concat();
        for from in 0..64 {
            match self.men[from] {
                Some((color, PieceType::Pawn)) => self.walk_pawn(from, color),
                Some((color, PieceType::Knight)) => self.walk(from, color, &JUMPS, 1),
                Some((color, PieceType::Bishop)) => self.walk(from, color, &DIAGONAL, 7),
                Some((color, PieceType::Rook)) => self.walk(from, color, &STRAIGHT, 7),
                Some((color, PieceType::Queen)) => self.walk(from, color, &all, 7),
                Some((color, PieceType::King)) => {
                    for to in all.iter().filter_map(|&(dx, dy)| step(from, dx, dy)) {
                        self.forbidden_by[color as usize][to] = true;
                    }
                }
                None => {}
            }
        }
        for color in Color::ALL {
            let king = self.king(color);
            for to in all.iter().filter_map(|&(dx, dy)| step(king, dx, dy)) {
                if !self.forbidden_by[!color as usize][to] {
                    self.analyze(king, to);
                }
            }
        }
    }

    /// Walks in each direction until a man stands in the way.
    fn walk(&mut self, from: usize, color: Color, directions: &[Direction], length: usize) {
        for &(dx, dy) in directions {
            let (mut at, mut seen_king) = (from, false);
            for _ in 0..length {
                let Some(to) = step(at, dx, dy) else { break };
                at = to;
                self.forbidden_by[color as usize][to] = true;
                if !seen_king {
                    self.analyze(from, to);
                }
                // The king is no shelter to the squares behind it.
                let is_king = self.men[to] == Some((!color, PieceType::King));
                if self.men[to].is_some() && (seen_king || !is_king) {
                    break;
                }
                seen_king |= is_king;
            }
        }
    }

    /// Notes what the man on `from` does to the square `to`.
    fn analyze(&mut self, from: usize, to: usize) {
        let (color, kind) = self.men[from].expect("a man stands there");
        match self.men[to] {
            None => self.moves[from] += 1,
            Some((other, _)) if other == color => self.defended[to] += action(kind),
            Some((_, other_kind)) => {
                self.attacked[to] += action(kind);
                self.moves[from] += i32::from(other_kind != PieceType::King);
            }
        }
    }

    fn walk_pawn(&mut self, from: usize, color: Color) {
        let (forward, home) = match color {
            Color::White => (-1, 6),
            Color::Black => (1, 1),
        };
        for to in [1, -1].into_iter().filter_map(|dx| step(from, dx, forward)) {
            self.forbidden_by[color as usize][to] = true;
            if self.men[to].is_some() {
                self.analyze(from, to);
            } else if self.en_passant == Some((color, to)) {
                self.moves[from] += 1;
            }
        }
        let steps = if from / 8 == home { 2 } else { 1 };
        for length in 1..=steps {
            let to = step(from, 0, forward * length).expect("pawns stand before the last rank");
            if self.men[to].is_some() {
                break;
            }
            self.moves[from] += 1;
        }
    }

    /// The mailbox knows how to castle; it is asked as if it were this side's move.
    fn add_castling(&mut self, setup: &Setup, color: Color) {
        if self.rights(color) == 0 || self.in_check(color) {
            return;
        }
        let asked = Setup {
            side_to_move: color,
            ep_square: None,
            ..setup.clone()
        };
        let king = self.king(color);
        for m in mailbox::legal_moves(&asked) {
            let target = asked.piece_at(m.to());
            let to_own = target.is_some_and(|piece| piece.color == color);
            self.moves[king] += i32::from(place(m.from()) == king && to_own);
        }
    }
}

/// Where a square is on this board: a8 is 0, h1 is 63.
fn place(square: Square) -> usize {
    (7 - square.rank().index()) * 8 + square.file().index()
}

fn step(from: usize, dx: isize, dy: isize) -> Option<usize> {
    let x = (from % 8).checked_add_signed(dx).filter(|&x| x < 8)?;
    let y = (from / 8).checked_add_signed(dy).filter(|&y| y < 8)?;
    Some(y * 8 + x)
}

fn action(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 6,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 2,
        PieceType::Queen | PieceType::King => 1,
    }
}

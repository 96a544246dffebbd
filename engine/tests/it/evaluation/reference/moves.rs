//! The lists of moves, and who attacks and defends whom, by walking from square to square.

use chess::rules::{Color, PieceType, Setup, Square, mailbox};

/// A piece on its square, with all that the walk finds out about it.
pub(super) struct Man {
    pub(super) color: Color,
    pub(super) kind: PieceType,
    /// Sum of the action values of its defenders.
    pub(super) defended: i32,
    /// Sum of the action values of its attackers.
    pub(super) attacked: i32,
    /// Where it may go, 0 = a8.
    pub(super) moves: Vec<usize>,
}

pub(super) struct Board {
    /// 0 = a8, 63 = h1.
    pub(super) squares: [Option<Man>; 64],
    /// The rooks that have a castling right.
    pub(super) may_castle_with: [bool; 64],
    en_passant: Option<(Color, usize)>,
    /// Where each side's men forbid the other king to go.
    forbidden_by: [[bool; 64]; 2],
}

const STRAIGHT: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const DIAGONAL: [(isize, isize); 4] = [(1, -1), (1, 1), (-1, 1), (-1, -1)];
const JUMPS: [(isize, isize); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl Board {
    pub(super) fn new(setup: &Setup) -> Self {
        let mut board = Self {
            squares: [const { None }; 64],
            may_castle_with: [false; 64],
            en_passant: setup
                .ep_square
                .map(|square| (setup.side_to_move, place(square))),
            forbidden_by: [[false; 64]; 2],
        };
        for square in Square::ALL {
            board.squares[place(square)] = setup.piece_at(square).map(|piece| Man {
                color: piece.color,
                kind: piece.piece_type,
                defended: 0,
                attacked: 0,
                moves: Vec::new(),
            });
            board.may_castle_with[place(square)] = setup.castling_rooks.contains(square);
        }
        board.walk_all();
        for color in Color::ALL {
            board.add_castling(setup, color);
        }
        board
    }

    pub(super) fn king(&self, color: Color) -> usize {
        self.find(color, PieceType::King)[0]
    }

    pub(super) fn pawns(&self, color: Color) -> Vec<usize> {
        self.find(color, PieceType::Pawn)
    }

    /// How many castling rights a side has.
    pub(super) fn rights(&self, color: Color) -> usize {
        let rooks = self.find(color, PieceType::Rook);
        rooks
            .into_iter()
            .filter(|&at| self.may_castle_with[at])
            .count()
    }

    pub(super) fn in_check(&self, color: Color) -> bool {
        self.man(self.king(color)).attacked != 0
    }

    fn find(&self, color: Color, kind: PieceType) -> Vec<usize> {
        let is_it = |man: &Man| man.color == color && man.kind == kind;
        (0..64)
            .filter(|&at| self.squares[at].as_ref().is_some_and(is_it))
            .collect()
    }

    fn man(&self, at: usize) -> &Man {
        self.squares[at].as_ref().expect("a man stands there")
    }

    fn man_mut(&mut self, at: usize) -> &mut Man {
        self.squares[at].as_mut().expect("a man stands there")
    }

    /// Kings come last: they go only where the enemy does not.
    fn walk_all(&mut self) {
        for from in 0..64 {
            match self.squares[from].as_ref().map(|man| man.kind) {
                Some(PieceType::Pawn) => self.walk_pawn(from),
                Some(PieceType::Knight) => self.walk(from, &JUMPS, 1),
                Some(PieceType::Bishop) => self.walk(from, &DIAGONAL, 7),
                Some(PieceType::Rook) => self.walk(from, &STRAIGHT, 7),
                Some(PieceType::Queen) => {
                    self.walk(from, &STRAIGHT, 7);
                    self.walk(from, &DIAGONAL, 7);
                }
                Some(PieceType::King) => self.forbid_neighbours(from),
                None => {}
            }
        }
        for color in Color::ALL {
            let king = self.king(color);
            for (dx, dy) in STRAIGHT.into_iter().chain(DIAGONAL) {
                if let Some(to) = step(king, dx, dy)
                    && !self.forbidden_by[!color as usize][to]
                {
                    self.analyze(king, to);
                }
            }
        }
    }

    fn forbid_neighbours(&mut self, king: usize) {
        let color = self.man(king).color;
        for (dx, dy) in STRAIGHT.into_iter().chain(DIAGONAL) {
            if let Some(to) = step(king, dx, dy) {
                self.forbidden_by[color as usize][to] = true;
            }
        }
    }

    /// Walks in each direction until a man stands in the way.
    fn walk(&mut self, from: usize, directions: &[(isize, isize)], length: usize) {
        let color = self.man(from).color;
        for &(dx, dy) in directions {
            let mut at = from;
            let mut seen_king = false;
            for _ in 0..length {
                let Some(to) = step(at, dx, dy) else { break };
                at = to;
                self.forbidden_by[color as usize][to] = true;
                let blocked = if seen_king {
                    self.squares[to].is_some()
                } else {
                    self.analyze(from, to)
                };
                // The king is no shelter to the squares behind it.
                let king = !seen_king
                    && self.squares[to]
                        .as_ref()
                        .is_some_and(|man| man.kind == PieceType::King && man.color != color);
                if blocked && !king {
                    break;
                }
                seen_king |= king;
            }
        }
    }

    /// Notes what the man on `from` does to the square `to`; says whether a man stands there.
    fn analyze(&mut self, from: usize, to: usize) -> bool {
        let (color, action) = (self.man(from).color, action(self.man(from).kind));
        let Some(other) = self.squares[to].as_mut() else {
            self.man_mut(from).moves.push(to);
            return false;
        };
        if other.color == color {
            other.defended += action;
        } else {
            other.attacked += action;
            if other.kind != PieceType::King {
                self.man_mut(from).moves.push(to);
            }
        }
        true
    }

    fn walk_pawn(&mut self, from: usize) {
        let color = self.man(from).color;
        let (forward, home) = if color == Color::White {
            (-1, 6)
        } else {
            (1, 1)
        };
        for dx in [1, -1] {
            let Some(to) = step(from, dx, forward) else {
                continue;
            };
            self.forbidden_by[color as usize][to] = true;
            if self.squares[to].is_some() {
                self.analyze(from, to);
            } else if self.en_passant == Some((color, to)) {
                self.man_mut(from).moves.push(to);
            }
        }
        let steps = if from / 8 == home { 2 } else { 1 };
        for length in 1..=steps {
            let to = step(from, 0, forward * length).expect("pawns stand before the last rank");
            if self.squares[to].is_some() {
                break;
            }
            self.man_mut(from).moves.push(to);
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
            let to_own = asked
                .piece_at(m.to())
                .is_some_and(|piece| piece.color == color);
            if place(m.from()) == king && to_own {
                self.man_mut(king).moves.push(place(m.to()));
            }
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

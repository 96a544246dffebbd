//! A move generator that knows the rules of some stages only, as one that is being written does. It shares
//! nothing with the library's generators but the types.

use chess::rules::{Bitboard, Color, Move, Piece, PieceType, Rank, Setup, Square, mailbox};
use perft::subject::Route;

const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The moves at the end of a route and the leaf nodes below each, with the rules of the stages up to this one. Moves of
/// the route are made rightly.
pub(crate) fn divide(stage: u32, route: &Route, depth: u32) -> Vec<(Move, u64)> {
    let mut setup = route.root().to_setup();
    for &m in route.moves() {
        setup = mailbox::play(&setup, m);
    }
    let toy = StagedGenerator::new(stage, &setup);
    let moves = toy.moves().into_iter();
    moves.map(|m| (m, toy.play(m).leaves(depth - 1))).collect()
}

#[derive(Clone)]
struct StagedGenerator {
    stage: u32,
    board: [Option<Piece>; Square::COUNT],
    us: Color,
    /// The rooks that may castle.
    rights: Bitboard,
    ep: Option<Square>,
}

impl StagedGenerator {
    fn new(stage: u32, setup: &Setup) -> Self {
        Self {
            stage,
            board: setup.board,
            us: setup.side_to_move,
            rights: setup.castling_rooks,
            ep: setup.ep_square,
        }
    }

    fn leaves(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves().into_iter();
        moves.map(|m| self.play(m).leaves(depth - 1)).sum()
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    fn is_own(&self, square: Square) -> bool {
        self.at(square).is_some_and(|piece| piece.color == self.us)
    }

    fn is_enemy(&self, square: Square) -> bool {
        self.at(square).is_some_and(|piece| piece.color != self.us)
    }

    fn king(&self) -> Option<Square> {
        let king = Some(Piece::new(self.us, PieceType::King));
        Square::ALL
            .into_iter()
            .find(|&square| self.at(square) == king)
    }

    /// The squares in a direction, up to the first piece and with it.
    fn ray(&self, from: Square, (files, ranks): (i32, i32)) -> Vec<Square> {
        let mut ray = Vec::new();
        let mut square = from;
        while let Some(next) = square.offset(files, ranks) {
            ray.push(next);
            if self.at(next).is_some() {
                break;
            }
            square = next;
        }
        ray
    }

    /// Where a piece on a square could go on a board with these pieces, its own among them. Pawns capture only.
    fn reach(&self, from: Square, piece: Piece) -> Vec<Square> {
        let steps = |steps: &[(i32, i32)]| -> Vec<Square> {
            let steps = steps.iter();
            steps
                .filter_map(|&(files, ranks)| from.offset(files, ranks))
                .collect()
        };
        let rays = |directions: &[(i32, i32)]| -> Vec<Square> {
            let directions = directions.iter();
            directions
                .flat_map(|&direction| self.ray(from, direction))
                .collect()
        };
        let all = [ORTHOGONAL, DIAGONAL].concat();
        match piece.piece_type {
            PieceType::King => steps(&all),
            PieceType::Knight => steps(&KNIGHT),
            PieceType::Bishop => rays(&DIAGONAL),
            PieceType::Rook => rays(&ORTHOGONAL),
            PieceType::Queen => rays(&all),
            PieceType::Pawn => steps(&[-1, 1].map(|file| (file, piece.color.forward()))),
        }
    }

    /// The enemies that attack a square.
    fn attackers(&self, square: Square) -> Vec<Square> {
        let enemies = Square::ALL.into_iter().filter(|&from| self.is_enemy(from));
        let attacks = |from: &Square| {
            let piece = self.at(*from).expect("an enemy");
            self.reach(*from, piece).contains(&square)
        };
        enemies.filter(attacks).collect()
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::ALL.into_iter().filter(|&from| self.is_own(from)) {
            let piece = self.at(from).expect("an own piece");
            let known = match piece.piece_type {
                PieceType::King => 1,
                PieceType::Knight => 2,
                PieceType::Bishop | PieceType::Rook | PieceType::Queen => 3,
                PieceType::Pawn => 4,
            };
            if known > self.stage {
                continue;
            }
            let captures = |to: &Square| self.stage >= 5 && self.is_enemy(*to);
            let reach = self.reach(from, piece).into_iter();
            let mut targets: Vec<Square> = match piece.piece_type {
                PieceType::Pawn => self
                    .pushes(from)
                    .into_iter()
                    .chain(reach.filter(captures))
                    .collect(),
                _ => reach
                    .filter(|to| self.at(*to).is_none() || captures(to))
                    .collect(),
            };
            if piece.piece_type == PieceType::Pawn && self.stage >= 8 {
                let reach = self.reach(from, piece);
                targets.extend(self.ep.filter(|ep| reach.contains(ep)));
            }
            for to in targets {
                let is_last = piece.piece_type == PieceType::Pawn
                    && to.rank().relative_to(self.us) == Rank::R8;
                if is_last && self.stage >= 9 {
                    let kinds = [
                        PieceType::Queen,
                        PieceType::Rook,
                        PieceType::Bishop,
                        PieceType::Knight,
                    ];
                    moves.extend(kinds.map(|kind| Move::new_promotion(from, to, kind)));
                } else {
                    moves.push(Move::new(from, to));
                }
            }
        }
        if let Some(king) = self.king().filter(|_| self.stage >= 5) {
            moves.retain(|&m| self.is_safe(king, m));
            if self.stage >= 10 {
                moves.extend(self.castlings(king));
            }
        }
        moves
    }

    fn pushes(&self, from: Square) -> Vec<Square> {
        let ray = self.ray(from, (0, self.us.forward())).into_iter();
        let steps = if from.rank().relative_to(self.us) == Rank::R2 {
            2
        } else {
            1
        };
        ray.take(steps)
            .filter(|&to| self.at(to).is_none())
            .collect()
    }

    /// Whether a move leaves the king safe, as far as the stage knows.
    fn is_safe(&self, king: Square, m: Move) -> bool {
        if self.is_ep(m) {
            let mut after = self.play(m);
            after.us = self.us;
            return after.attackers(king).is_empty();
        }
        if m.from() == king {
            let mut after = self.clone();
            after.board[m.to().index()] = after.board[king.index()].take();
            return after.attackers(m.to()).is_empty();
        }
        let attackers = self.attackers(king);
        if attackers.len() > 1 && self.stage >= 7 {
            return false;
        }
        let answers = |&attacker: &Square| {
            m.to() == attacker || self.between(king, attacker).contains(&m.to())
        };
        attackers.first().is_none_or(answers) && (self.stage < 6 || self.keeps_pin(king, m))
    }

    /// The squares between a king and a slider that attacks it; none for other pieces.
    fn between(&self, king: Square, attacker: Square) -> Vec<Square> {
        let rays = [ORTHOGONAL, DIAGONAL].concat().into_iter();
        let mut rays = rays.map(|direction| self.ray(king, direction));
        rays.find(|ray| ray.last() == Some(&attacker))
            .unwrap_or_default()
    }

    fn keeps_pin(&self, king: Square, m: Move) -> bool {
        let mut without = self.clone();
        without.board[m.from().index()] = None;
        let sliders = without.attackers(king).into_iter();
        let mut pinning =
            sliders.filter(|&slider| without.between(king, slider).contains(&m.from()));
        pinning.all(|slider| without.between(king, slider).contains(&m.to()))
    }

    fn castlings(&self, king: Square) -> Vec<Move> {
        // A right is believed: no look at whether the rook is there yet.
        let rights = self.rights.into_iter();
        let rooks = rights.filter(|rook| rook.rank() == king.rank());
        let is_possible = |rook: &Square| {
            let side = if rook.file() > king.file() { 1 } else { -1 };
            let path = self.ray(king, (side, 0));
            let mut passed = (0..=2).filter_map(|files| king.offset(files * side, 0));
            path.last() == Some(rook) && passed.all(|square| self.attackers(square).is_empty())
        };
        rooks
            .filter(is_possible)
            .map(|rook| Move::new(king, rook))
            .collect()
    }

    fn is_pawn(&self, square: Square) -> bool {
        let piece = self.at(square);
        piece.is_some_and(|piece| piece.piece_type == PieceType::Pawn)
    }

    fn is_ep(&self, m: Move) -> bool {
        self.is_pawn(m.from()) && Some(m.to()) == self.ep && m.from().file() != m.to().file()
    }

    fn play(&self, m: Move) -> Self {
        let (from, to) = (m.from(), m.to());
        let mut next = self.clone();
        next.us = !self.us;
        next.ep = None;
        let piece = next.board[from.index()].take().expect("a piece moves");
        if self.is_own(to) {
            // Castling is king takes rook.
            let side = if to.file() > from.file() { 1 } else { -1 };
            let rook = next.board[to.index()].take();
            let [crossed, landed] =
                [1, 2].map(|files| from.offset(files * side, 0).expect("on the board"));
            next.board[landed.index()] = Some(piece);
            next.board[crossed.index()] = rook;
        } else {
            let promoted = m.promotion().unwrap_or(piece.piece_type);
            next.board[to.index()] = Some(Piece::new(self.us, promoted));
            let back = (0, -self.us.forward());
            if self.is_ep(m) {
                let passed = to.offset(back.0, back.1).expect("on the board");
                next.board[passed.index()] = None;
            }
            if self.is_pawn(from) && from.rank().index().abs_diff(to.rank().index()) == 2 {
                next.ep = to.offset(back.0, back.1);
            }
        }
        let is_king = piece.piece_type == PieceType::King;
        let is_lost = |rook: &Square| {
            // That a promotion takes the right of the rook that it captures is thought of last.
            *rook == from || *rook == to && (m.promotion().is_none() || self.stage >= 11)
        };
        let ends = |rook: &Square| is_lost(rook) || is_king && self.is_own(*rook);
        next.rights = self.rights.into_iter().filter(|rook| !ends(rook)).collect();
        next
    }
}

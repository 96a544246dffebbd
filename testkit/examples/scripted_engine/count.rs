//! What is counted: rightly, the moves by the library's slow generator; or with a bug.

use std::collections::HashMap;
use std::num::NonZeroU32;

use chess::rules::{
    Bitboard, Color, Game, Move, Piece, PieceType, Position, Setup, Square, mailbox,
};
use perft::faults::Faulty;
use perft::subject::{MoveMeaning, Route, Subject};

use crate::bank::Does;
use crate::stages;

/// Moves and the leaf nodes below each, and the total that is printed.
pub(crate) struct Counted {
    pub(crate) rows: Vec<(Move, u64)>,
    pub(crate) total: u64,
}

/// Counts below the end of a route; `answers` is the number of this answer, from 1.
pub(crate) fn count(does: &Does, route: &Route, depth: u32, answers: u32) -> Counted {
    let Counted {
        mut rows,
        mut total,
    } = match does {
        Does::Breaks(faults) => count_faulty(&mut Faulty::new(faults.clone()), route, depth),
        Does::KnowsStages(stage) => {
            let rows = stages::divide(*stage, route, depth);
            let total = rows.iter().map(|(_, nodes)| nodes).sum();
            Counted { rows, total }
        }
        // Their walk is right, whatever is printed of it.
        Does::Nothing
        | Does::Adds(_)
        | Does::BreaksDown(_)
        | Does::Flickers(_)
        | Does::PrintsEpRowTwice
        | Does::TotalOneMore
        | Does::TotalOneMoreInCheck => count_rightly(route.position(), depth),
        _ => Generator::new(does, route).count(depth),
    };
    match does {
        Does::TotalOneMore => total += 1,
        Does::TotalOneMoreInCheck if route.position().is_check() => total += 1,
        Does::PrintsEpRowTwice => {
            let is_ep = |m| route.position().is_en_passant(m);
            let again = rows.iter().copied().find(|&(m, _)| is_ep(m));
            rows.extend(again);
        }
        // a1b1 comes first in the alphabet, if it is there.
        Does::Adds(text) if rows.iter().any(|(m, _)| m.to_string() == "a1b1") => {
            let added = text.split_at_checked(2).expect("two squares");
            let [from, to] = [added.0, added.1].map(|square| square.parse().expect("a square"));
            rows.push((Move::new(from, to), 1));
            total += 1;
        }
        Does::Flickers(every) if answers.is_multiple_of(*every) => {
            total += 1;
            if let Some((_, nodes)) = rows.first_mut() {
                *nodes += 1;
            }
        }
        _ => {}
    }
    Counted { rows, total }
}

/// What is below the moves is counted by the library's counter, which tests of `chess` compare with the slow generator:
/// by that, engines without a bug would take a quarter of the CPU time of the tests of `perft`.
fn count_rightly(position: &Position, depth: u32) -> Counted {
    let below = |m| {
        let after = position.play_unchecked(m);
        chess::perft::count(&after, depth - 1).expect("engines are not asked for so deep a count")
    };
    let moves = mailbox::legal_moves(&position.to_setup()).into_iter();
    let rows: Vec<(Move, u64)> = moves.map(|m| (m, below(m))).collect();
    Counted {
        total: rows.iter().map(|(_, nodes)| nodes).sum(),
        rows,
    }
}

/// The moves of the route are made by the generator, so that what it forgets or keeps shows.
fn count_faulty(faulty: &mut Faulty, route: &Route, depth: u32) -> Counted {
    let depth = NonZeroU32::new(depth).expect("depth 0 is not asked");
    let answer = Subject::perft(faulty, route, depth).expect("it always answers");
    let rows = answer.rows.expect("it divides").into_iter();
    let named = rows.filter_map(|row| match row.meaning {
        MoveMeaning::Legal(m) | MoveMeaning::Illegal(m) => Some((m, row.nodes)),
        MoveMeaning::Unreadable => None,
    });
    Counted {
        rows: named.collect(),
        total: answer.total.expect("it has a total"),
    }
}

/// What a hash table of a careless engine tells positions apart by.
type CarelessKey = (Vec<Option<Piece>>, Color, u32);

/// A walk through the tree with a bug, or with none.
struct Generator<'a> {
    does: &'a Does,
    board: Setup,
    /// The positions before this one.
    path: Vec<Setup>,
    hash: HashMap<CarelessKey, u64>,
}

impl<'a> Generator<'a> {
    fn new(does: &'a Does, route: &Route) -> Self {
        let mut board = route.root().to_setup();
        let mut path = Vec::new();
        for &m in route.moves() {
            let mut next = mailbox::play(&board, m);
            if *does == Does::CastlesByText {
                castle_by_text(&board, m, &mut next);
            }
            path.push(std::mem::replace(&mut board, next));
        }
        let was_moved = !route.moves().is_empty();
        match does {
            Does::ForgetsEpAfterMoves if was_moved => board.ep_square = None,
            Does::KeepsRightsAfterMoves if was_moved => {
                board.castling_rooks = rights_at_home(&board, route.root());
            }
            _ => {}
        }
        Self {
            does,
            board,
            path,
            hash: HashMap::new(),
        }
    }

    fn count(&mut self, depth: u32) -> Counted {
        let moves = self.moves().into_iter();
        let rows: Vec<(Move, u64)> = moves.map(|m| (m, self.below(m, depth - 1))).collect();
        Counted {
            total: rows.iter().map(|(_, nodes)| nodes).sum(),
            rows,
        }
    }

    /// The leaf nodes after a move.
    fn below(&mut self, m: Move, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let next = mailbox::play(&self.board, m);
        self.path.push(std::mem::replace(&mut self.board, next));
        let nodes = self.nodes(depth);
        self.board = self.path.pop().expect("it was put there above");
        nodes
    }

    fn nodes(&mut self, depth: u32) -> u64 {
        let key = (*self.does == Does::HashIgnoresState)
            .then(|| (self.board.board.to_vec(), self.board.side_to_move, depth));
        if let Some(&nodes) = key.as_ref().and_then(|key| self.hash.get(key)) {
            return nodes;
        }
        let moves = self.moves();
        let nodes = if depth == 1 {
            moves.len() as u64
        } else {
            moves.into_iter().map(|m| self.below(m, depth - 1)).sum()
        };
        if let Some(key) = key {
            self.hash.insert(key, nodes);
        }
        nodes
    }

    /// The moves here, as the bug has it.
    fn moves(&self) -> Vec<Move> {
        let mut moves = mailbox::legal_moves(&self.board);
        match *self.does {
            Does::ListEndsAt(length) => moves.truncate(length),
            Does::KnightsAtMost(most) => self.first_ones_move(PieceType::Knight, most, &mut moves),
            Does::QueensAtMost(most) => self.first_ones_move(PieceType::Queen, most, &mut moves),
            Does::ForbidsEpAlongPin => {
                moves.retain(|&m| !self.is_ep(m) || !self.shields_king(m.from()));
            }
            Does::ForbidsEpByTwoOnKingsRank => {
                let ep = moves.iter().filter(|&&m| self.is_ep(m)).count();
                moves.retain(|&m| ep < 2 || !self.is_ep(m) || !self.is_on_kings_rank(m.from()));
            }
            Does::TakesCheckerByQueenOnly => self.promote_to_queen(true, &mut moves),
            Does::BlocksCheckByQueenOnly => self.promote_to_queen(false, &mut moves),
            Does::TakesNothingInCorner => self.take_nothing(&mut moves),
            Does::EndsAtClock(plies) if self.board.halfmove_clock >= plies => moves.clear(),
            Does::EndsAtRepetition(times) if self.times() >= times => moves.clear(),
            Does::EndsWithoutMaterial if self.lacks_material() => moves.clear(),
            _ => {}
        }
        moves
    }

    /// Only the first so many pieces of a kind are known.
    fn first_ones_move(&self, kind: PieceType, most: usize, moves: &mut Vec<Move>) {
        let piece = Piece::new(self.board.side_to_move, kind);
        let unknown: Bitboard = self
            .board
            .squares_of(piece)
            .into_iter()
            .skip(most)
            .collect();
        moves.retain(|m| !unknown.contains(m.from()));
    }

    fn is_ep(&self, m: Move) -> bool {
        let pawn = self.board.piece_at(m.from());
        let is_pawn = pawn.is_some_and(|piece| piece.piece_type == PieceType::Pawn);
        is_pawn && Some(m.to()) == self.board.ep_square && m.from().file() != m.to().file()
    }

    /// Whether the king is in check without what stands there.
    fn shields_king(&self, square: Square) -> bool {
        let mut without = self.board.clone();
        without.board[square.index()] = None;
        mailbox::in_check(&without, self.board.side_to_move)
    }

    fn is_on_kings_rank(&self, square: Square) -> bool {
        let king = Piece::new(self.board.side_to_move, PieceType::King);
        let mut kings = self.board.squares_of(king).into_iter();
        kings.any(|king| king.rank() == square.rank())
    }

    /// In check, promotions that capture (or that do not) make queens only.
    fn promote_to_queen(&self, captures: bool, moves: &mut Vec<Move>) {
        if !mailbox::in_check(&self.board, self.board.side_to_move) {
            return;
        }
        moves.retain(|m| {
            let takes = self.board.piece_at(m.to()).is_some();
            let promotion = m.promotion();
            promotion.is_none() || takes != captures || promotion == Some(PieceType::Queen)
        });
    }

    fn take_nothing(&self, moves: &mut Vec<Move>) {
        let us = self.board.side_to_move;
        let [from, to] = match us {
            Color::White => [Square::B7, Square::A8],
            Color::Black => [Square::B2, Square::A1],
        };
        let pawn = Some(Piece::new(us, PieceType::Pawn));
        if self.board.piece_at(from) != pawn || self.board.piece_at(to).is_some() {
            return;
        }
        let kinds = [
            PieceType::Queen,
            PieceType::Rook,
            PieceType::Bishop,
            PieceType::Knight,
        ];
        let promotions = kinds.map(|kind| Move::new_promotion(from, to, kind));
        let is_safe = |m: &Move| !mailbox::in_check(&mailbox::play(&self.board, *m), us);
        moves.extend(promotions.into_iter().filter(is_safe));
    }

    /// How many times the position has been there, now included.
    fn times(&self) -> usize {
        let same = |before: &&Setup| {
            before.board == self.board.board
                && before.side_to_move == self.board.side_to_move
                && before.castling_rooks == self.board.castling_rooks
                && before.ep_square == self.board.ep_square
        };
        self.path.iter().filter(same).count() + 1
    }

    fn lacks_material(&self) -> bool {
        let pieces = self.board.board.iter().flatten();
        let others = pieces.filter(|piece| piece.piece_type != PieceType::King);
        let kinds: Vec<PieceType> = others.map(|piece| piece.piece_type).collect();
        matches!(kinds[..], [] | [PieceType::Knight | PieceType::Bishop])
    }
}

/// The rooks that could castle at the root and stand there yet, with their king on its square.
fn rights_at_home(board: &Setup, root: &Position) -> Bitboard {
    let rooks = root.castling_rooks().into_iter();
    let kept = rooks.filter(|&rook| {
        let stands = root
            .piece_at(rook)
            .filter(|&piece| board.piece_at(rook) == Some(piece));
        stands.is_some_and(|piece| {
            let king = Piece::new(piece.color, PieceType::King);
            board.piece_at(root.king(piece.color)) == Some(king)
        })
    });
    kept.collect()
}

/// Moves the rook as well, if a piece that is no king goes the way of a castling king.
fn castle_by_text(before: &Setup, m: Move, after: &mut Setup) {
    let (from, to) = match &*m.to_string() {
        "e1g1" => (Square::H1, Square::F1),
        "e1c1" => (Square::A1, Square::D1),
        "e8g8" => (Square::H8, Square::F8),
        "e8c8" => (Square::A8, Square::D8),
        _ => return,
    };
    let king = before.piece_at(m.from());
    if king.is_none_or(|piece| piece.piece_type != PieceType::King) {
        after.board[to.index()] = after.board[from.index()].take();
    }
}

/// How an engine breaks down at a question, if it does.
pub(crate) fn breakdown<'a>(does: &'a Does, game: &Game) -> Option<&'a str> {
    let Does::BreaksDown(text) = does else {
        return None;
    };
    let (place, how) = text.split_once(':').expect("PLACE:HOW");
    let position = game.position();
    let any = |is: &dyn Fn(Move) -> bool| position.legal_moves().iter().any(|&m| is(m));
    let is_there = match place {
        "en-passant" => any(&|m| position.is_en_passant(m)),
        "promotion" => any(&|m| m.promotion().is_some()),
        "castling" => any(&|m| position.is_castling(m)),
        // None of the positions by which it is found out how to ask an engine is like this.
        "bare-king" => {
            let men = |color| position.by_color(color).count();
            let is_black = position.side_to_move() == Color::Black;
            is_black && men(Color::Black) == 1 && men(Color::White) == 2
        }
        "anywhere" => true,
        "later" => *position != Position::startpos(),
        plies => game.moves().len() > plies.parse().expect("a place or a number"),
    };
    is_there.then_some(how)
}

/// A packed move, which some engines print as a number.
pub(crate) fn code(m: Move) -> usize {
    let flags = usize::from(m.promotion().is_some()) << 14;
    m.from().index() | m.to().index() << 6 | flags
}

/// The legal moves after a move; none where it is not legal itself.
pub(crate) fn replies(position: &Position, m: Move) -> u32 {
    let after = position.play(m);
    after.map_or(0, |after| after.legal_move_count())
}

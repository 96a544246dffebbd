//! Subjects with one broken rule each, built from parts of the mailbox generator.

use std::num::NonZeroU32;
use std::time::Duration;

use chess::rules::{
    CastlingSide, Color, Move, Piece, PieceType, Position, Rank, Setup, Square, mailbox,
};

use crate::count::subject::{Answer, Failure, Meaning, Route, Row, Subject};

/// The behaviour of a faulty subject.
pub(crate) trait Toy {
    /// Its move list, duplicates included.
    fn moves(&self, board: &Setup) -> Vec<Move> {
        mailbox::legal_moves(board)
    }

    /// The board after a move.
    fn play(&self, board: &Setup, m: Move) -> Setup {
        mailbox::play(board, m)
    }

    /// The board after it unmakes a move.
    fn undo(&self, before: &Setup, _after: &Setup, _m: Move) -> Setup {
        before.clone()
    }

    /// Its final answer.
    fn answer(&mut self, _board: &Setup, answer: Answer) -> Result<Answer, Failure> {
        Ok(answer)
    }

    /// The failure it has as soon as it meets this board, if any.
    fn failure(&self, _board: &Setup) -> Option<Failure> {
        None
    }

    /// The leaf nodes of a board at depth 0 or without moves.
    fn end(&self, _board: &Setup, depth: u32) -> u64 {
        u64::from(depth == 0)
    }
}

impl<T: Toy> Subject for T {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        let root = route.root().to_setup();
        let board = route
            .moves()
            .iter()
            .fold(root, |board, &m| self.play(&board, m));
        let mut current = board.clone();
        let mut rows = Vec::new();
        for m in self.moves(&board) {
            let nodes = count_below(self, &mut current, m, depth.get())?;
            rows.push(row(m, nodes, route.position()));
        }
        if let Some(failure) = self.failure(&board) {
            return Err(failure);
        }
        let total = if rows.is_empty() {
            self.end(&board, depth.get())
        } else {
            rows.iter().map(|row| row.nodes).sum()
        };
        let answer = Answer {
            total: Some(total),
            rows: Some(rows),
        };
        self.answer(&board, answer)
    }
}

fn count_below<T: Toy + ?Sized>(
    toy: &T,
    board: &mut Setup,
    m: Move,
    depth: u32,
) -> Result<u64, Failure> {
    if board.piece_at(m.from()).is_none() {
        return Ok(0);
    }
    let mut next = toy.play(board, m);
    let nodes = count(toy, &mut next, depth - 1)?;
    *board = toy.undo(board, &next, m);
    Ok(nodes)
}

/// Counts in bulk: the moves of the last ply are not made.
fn count<T: Toy + ?Sized>(toy: &T, board: &mut Setup, depth: u32) -> Result<u64, Failure> {
    if depth == 0 {
        return Ok(toy.end(board, 0));
    }
    if let Some(failure) = toy.failure(board) {
        return Err(failure);
    }
    let moves = toy.moves(board);
    if moves.is_empty() {
        return Ok(toy.end(board, depth));
    }
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    let mut sum = 0;
    for m in moves {
        sum += count_below(toy, board, m, depth)?;
    }
    Ok(sum)
}

fn row(m: Move, nodes: u64, position: &Position) -> Row {
    Row {
        text: m.to_string(),
        meaning: if position.is_legal(m) {
            Meaning::Legal(m)
        } else {
            Meaning::Illegal(m)
        },
        nodes,
    }
}

/// Every move of the side's pieces except the king, ignoring king safety.
fn careless(board: &Setup) -> Vec<Move> {
    let us = board.side_to_move;
    let Some(king) = king(board) else {
        return mailbox::legal_moves(board);
    };
    let mut kingless = board.clone();
    kingless.board[king.index()] = Some(Piece::new(us, PieceType::Knight));
    let mut moves = mailbox::legal_moves(&kingless);
    moves.retain(|m| m.from() != king);
    moves
}

/// `None` if it was captured, as earlier moves were illegal.
fn king(board: &Setup) -> Option<Square> {
    let king = Piece::new(board.side_to_move, PieceType::King);
    board.squares_of(king).first()
}

fn with(board: &Setup, added: impl Iterator<Item = Move>) -> Vec<Move> {
    let mut moves = mailbox::legal_moves(board);
    for m in added {
        if !moves.contains(&m) {
            moves.push(m);
        }
    }
    moves
}

fn is_pawn(board: &Setup, m: Move) -> bool {
    board
        .piece_at(m.from())
        .is_some_and(|piece| piece.piece_type == PieceType::Pawn)
}

fn is_en_passant(board: &Setup, m: Move) -> bool {
    is_pawn(board, m) && m.from().file() != m.to().file() && board.piece_at(m.to()).is_none()
}

fn is_castling(board: &Setup, m: Move) -> bool {
    let rook = Some(Piece::new(board.side_to_move, PieceType::Rook));
    board.piece_at(m.to()) == rook
}

/// Captures en passant even if that exposes the king.
pub(crate) struct EnPassantPin;
impl Toy for EnPassantPin {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let careless = careless(board).into_iter();
        with(board, careless.filter(|&m| is_en_passant(board, m)))
    }
}

/// Moves pinned pieces freely, and answers checks only with the king.
pub(crate) struct NoPins;
impl Toy for NoPins {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let careless = careless(board).into_iter();
        let in_check = mailbox::in_check(board, board.side_to_move);
        with(
            board,
            careless.filter(|&m| !in_check && !is_en_passant(board, m)),
        )
    }
}

/// Castles over attacked squares.
pub(crate) struct CastlingThroughCheck;
impl Toy for CastlingThroughCheck {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let us = board.side_to_move;
        let Some(king) = king(board) else {
            return mailbox::legal_moves(board);
        };
        let rooks = board.castling_rooks.into_iter();
        let rooks = rooks.filter(|rook| rook.rank() == Rank::R1.relative_to(us));
        let castles = rooks.map(|rook| Move::new(king, rook)).filter(|&m| {
            let (low, high) = (king.min(m.to()).index(), king.max(m.to()).index());
            let free = board.board[low + 1..high].iter().all(Option::is_none);
            free && !mailbox::in_check(board, us)
                && !mailbox::in_check(&mailbox::play(board, m), us)
        });
        with(board, castles)
    }
}

/// Keeps the right to castle with a captured rook.
pub(crate) struct RightOfTakenRook;
impl Toy for RightOfTakenRook {
    fn play(&self, board: &Setup, m: Move) -> Setup {
        let mut next = mailbox::play(board, m);
        let rook = Piece::new(!board.side_to_move, PieceType::Rook);
        if board.piece_at(m.to()) == Some(rook) {
            next.castling_rooks |= board.castling_rooks & m.to().bitboard();
        }
        next
    }
}

/// Jumps over a piece with a double push.
pub(crate) struct JumpingPawn;
impl Toy for JumpingPawn {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let us = board.side_to_move;
        let pawns = board.squares_of(Piece::new(us, PieceType::Pawn));
        let at_home = (pawns & Rank::R2.relative_to(us).bitboard()).into_iter();
        let jumps = at_home.filter_map(|from| {
            let (over, to) = (
                from.offset(0, us.forward())?,
                from.offset(0, 2 * us.forward())?,
            );
            let free = board.piece_at(over).is_some() && board.piece_at(to).is_none();
            free.then_some(Move::new(from, to))
        });
        let safe = |m: &Move| !mailbox::in_check(&mailbox::play(board, *m), us);
        with(board, jumps.filter(safe))
    }
}

/// Promotes only to a queen.
pub(crate) struct OnlyQueens;
impl Toy for OnlyQueens {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let mut moves = mailbox::legal_moves(board);
        moves.retain(|m| matches!(m.promotion(), None | Some(PieceType::Queen)));
        moves
    }
}

/// Promotes to a king as well.
pub(crate) struct PromotesToKing;
impl Toy for PromotesToKing {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let queens = mailbox::legal_moves(board).into_iter();
        let queens = queens.filter(|m| m.promotion() == Some(PieceType::Queen));
        with(
            board,
            queens.map(|m| Move::new_promotion(m.from(), m.to(), PieceType::King)),
        )
    }
}

/// Lists each castling twice.
pub(crate) struct CastlesTwice;
impl Toy for CastlesTwice {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let mut moves = mailbox::legal_moves(board);
        let castles = moves.clone().into_iter().filter(|&m| is_castling(board, m));
        moves.extend(castles);
        moves
    }
}

/// Never captures with a pawn from the a-file.
pub(crate) struct BlindRookPawn;
impl Toy for BlindRookPawn {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let mut moves = mailbox::legal_moves(board);
        let blind = |m: Move| m.from().file().index() == 0 && m.to().file().index() == 1;
        moves.retain(|&m| !(is_pawn(board, m) && blind(m)));
        moves
    }
}

/// Counts a position without moves as one leaf node, if it is of this kind.
pub(crate) struct CountsEnds {
    pub(crate) in_check: bool,
}
impl Toy for CountsEnds {
    fn end(&self, board: &Setup, depth: u32) -> u64 {
        u64::from(depth == 0 || mailbox::in_check(board, board.side_to_move) == self.in_check)
    }
}

/// Like [`CountsEnds`] with stalemate, but not in the root position.
pub(crate) struct CountsEndsBelow;
impl Toy for CountsEndsBelow {
    fn end(&self, board: &Setup, depth: u32) -> u64 {
        CountsEnds { in_check: false }.end(board, depth)
    }
    fn answer(&mut self, _board: &Setup, mut answer: Answer) -> Result<Answer, Failure> {
        if answer.rows.as_deref() == Some(&[]) {
            answer.total = Some(0);
        }
        Ok(answer)
    }
}

/// Adds one to the total if the side to move has a queen.
pub(crate) struct WrongSum;
impl Toy for WrongSum {
    fn answer(&mut self, board: &Setup, mut answer: Answer) -> Result<Answer, Failure> {
        let queen = Piece::new(board.side_to_move, PieceType::Queen);
        if !board.squares_of(queen).is_empty() {
            answer.total = answer.total.map(|total| total + 1);
        }
        Ok(answer)
    }
}

/// Wraps another toy, but prints no rows.
pub(crate) struct TotalOnly<T>(pub(crate) T);
impl<T: Toy> Toy for TotalOnly<T> {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        self.0.moves(board)
    }
    fn play(&self, board: &Setup, m: Move) -> Setup {
        self.0.play(board, m)
    }
    fn end(&self, board: &Setup, depth: u32) -> u64 {
        self.0.end(board, depth)
    }
    fn answer(&mut self, board: &Setup, answer: Answer) -> Result<Answer, Failure> {
        let mut answer = self.0.answer(board, answer)?;
        answer.rows = None;
        Ok(answer)
    }
}

/// Keeps the en passant square until the next double push.
pub(crate) struct StaleEnPassant;
impl Toy for StaleEnPassant {
    fn play(&self, board: &Setup, m: Move) -> Setup {
        let mut next = mailbox::play(board, m);
        let stale = board.ep_square;
        let stale = stale.filter(|square| next.piece_at(*square).is_none());
        next.ep_square = next.ep_square.or(stale);
        next
    }
}

/// Leaves a promoted queen behind when it unmakes the promotion.
pub(crate) struct PromotionStays;
impl Toy for PromotionStays {
    fn undo(&self, before: &Setup, _after: &Setup, m: Move) -> Setup {
        let mut board = before.clone();
        if m.promotion().is_some() {
            let queen = Piece::new(before.side_to_move, PieceType::Queen);
            board.board[m.from().index()] = Some(queen);
        }
        board
    }
}

/// Does not restore castling rights when it unmakes a king move.
pub(crate) struct RightsNotRestored;
impl Toy for RightsNotRestored {
    fn undo(&self, before: &Setup, after: &Setup, _m: Move) -> Setup {
        Setup {
            castling_rooks: after.castling_rooks,
            ..before.clone()
        }
    }
}

/// Crashes where it may capture en passant.
pub(crate) struct CrashesOnEnPassant;
impl Toy for CrashesOnEnPassant {
    fn failure(&self, board: &Setup) -> Option<Failure> {
        let mut moves = mailbox::legal_moves(board).into_iter();
        moves
            .any(|m| is_en_passant(board, m))
            .then(|| Failure::Crashed {
                how: "signal 11".to_owned(),
            })
    }
}

/// Hangs where it may castle.
pub(crate) struct HangsOnCastling;
impl Toy for HangsOnCastling {
    fn failure(&self, board: &Setup) -> Option<Failure> {
        let mut moves = mailbox::legal_moves(board).into_iter();
        moves
            .any(|m| is_castling(board, m))
            .then_some(Failure::TimedOut {
                after: Duration::from_secs(5),
            })
    }
}

/// Prints garbage when White is in check.
pub(crate) struct Mumbles;
impl Toy for Mumbles {
    fn answer(&mut self, board: &Setup, answer: Answer) -> Result<Answer, Failure> {
        if board.side_to_move == Color::White && mailbox::in_check(board, Color::White) {
            return Err(Failure::Unreadable {
                excerpt: "check!".to_owned(),
            });
        }
        Ok(answer)
    }
}

/// Every third answer is one too high.
#[derive(Default)]
pub(crate) struct Flaky {
    asked: u32,
}
impl Toy for Flaky {
    fn answer(&mut self, _board: &Setup, mut answer: Answer) -> Result<Answer, Failure> {
        self.asked += 1;
        if self.asked % 3 == 1 {
            answer.total = answer.total.map(|total| total + 1);
        }
        Ok(answer)
    }
}

/// Writes 0 for the rows that count 1.
pub(crate) struct EmptyRows;
impl Toy for EmptyRows {
    fn answer(&mut self, _board: &Setup, mut answer: Answer) -> Result<Answer, Failure> {
        for row in answer.rows.iter_mut().flatten() {
            row.nodes = if row.nodes == 1 { 0 } else { row.nodes };
        }
        Ok(answer)
    }
}

/// Gives no answer for positions with a knight.
pub(crate) struct Silent;
impl Toy for Silent {
    fn answer(&mut self, board: &Setup, answer: Answer) -> Result<Answer, Failure> {
        let knight = Piece::new(Color::Black, PieceType::Knight);
        let is_silent = !board.squares_of(knight).is_empty();
        Ok(if is_silent { Answer::default() } else { answer })
    }
}

/// Breaks no rule.
pub(crate) struct Faultless;
impl Toy for Faultless {}

/// Castles queenside even if the rook's path is not free.
pub(crate) struct CastlesOverKnight;
impl Toy for CastlesOverKnight {
    fn moves(&self, board: &Setup) -> Vec<Move> {
        let us = board.side_to_move;
        let mut without = board.clone();
        for rook in board.castling_rooks {
            let beside = rook.offset(1, 0);
            let knight = Piece::new(us, PieceType::Knight);
            if let Some(square) = beside
                && king(board)
                    .is_some_and(|king| CastlingSide::of(king, rook) == CastlingSide::Queen)
                && board.piece_at(square) == Some(knight)
            {
                without.board[square.index()] = None;
            }
        }
        let castles = mailbox::legal_moves(&without).into_iter();
        with(board, castles.filter(|&m| is_castling(board, m)))
    }
}

/// Crashes when it receives moves with a capture.
pub(crate) struct CrashesOnCapture;
impl Subject for CrashesOnCapture {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        let mut position = *route.root();
        for &m in route.moves() {
            if position.is_capture(m) {
                let how = "signal 6".to_owned();
                return Err(Failure::Crashed { how });
            }
            position = position.play_unchecked(m);
        }
        Faultless.perft(route, depth)
    }
}

/// Hangs at one depth, whatever the position.
pub(crate) struct HangsAt(pub(crate) u32);
impl Subject for HangsAt {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        if depth.get() < self.0 {
            return Faultless.perft(route, depth);
        }
        Err(Failure::TimedOut {
            after: Duration::from_secs(5),
        })
    }
}

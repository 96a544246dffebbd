//! What a move leaves behind wrong, as far as the answer after it shows.

use std::collections::BTreeSet;

use chess::rules::explain::{Rule, explain};
use chess::rules::{
    CastlingSide, Color, File, Move, Piece, PieceType, Position, Rank, Setup, Square, mailbox,
};

use super::effect::{Cause, StateEffect};
use super::fault::{WrongMove, as_written};
use super::trace::{MoveCategory, MoveClass};
use crate::count::subject::{Answer, MoveMeaning, Route};

impl Cause {
    /// A word that findings with the same cause share.
    pub fn word(&self, route: &Route) -> String {
        let word = self.effect.as_str();
        if !self.effect.is_of_move() {
            return word.to_owned();
        }
        let kind = MoveClass::new(self.m, &self.position(route)).kind();
        format!("{word} {kind:?}")
    }
}

/// The cause of wrong moves after a route, if one effect explains all of them.
pub(super) fn of_moves(route: &Route, wrong: &[WrongMove]) -> Option<Cause> {
    let after = Aftermath::new(route, wrong);
    let named = after.castling().or_else(|| after.en_passant());
    let (index, effect) = named
        .or_else(|| after.check())
        .or_else(|| after.square(|setup| after.lists_moves_of(setup)))?;
    let m = after.moves[index];
    Some(Cause { index, m, effect })
}

/// The cause of totals after a route: the effect by which the counts from depth 1 on would be the
/// subject's.
pub(super) fn of_counts(route: &Route, counts: &[u64]) -> Option<Cause> {
    let after = Aftermath::new(route, &[]);
    let (index, effect) = after.square(|setup| {
        let mut depths = (1..).zip(counts);
        depths.all(|(depth, &count)| mailbox::perft(setup, depth) == count)
    })?;
    let m = after.moves[index];
    Some(Cause { index, m, effect })
}

/// The move whose unmaking spoils the rows behind it, if rows are printed as they are counted: the last
/// special one before the first wrong row, or one between the two.
pub(super) fn of_rows(route: &Route, divide: &[(Move, u64)], answer: &Answer) -> Option<Cause> {
    let position = route.position();
    let mut special = None;
    for row in answer.rows.as_deref().unwrap_or_default() {
        let MoveMeaning::Legal(m) = row.meaning else {
            return None;
        };
        if divide
            .iter()
            .any(|&(ours, nodes)| ours == m && nodes != row.nodes)
        {
            break;
        }
        if !matches!(
            MoveClass::new(m, position).kind(),
            MoveCategory::Plain | MoveCategory::DoubleStep
        ) {
            special = Some((m, None));
        } else if let Some((_, last)) = &mut special {
            *last = Some(m);
        }
    }
    special.map(|(m, last)| Cause {
        index: route.moves().len(),
        m,
        effect: StateEffect::Unmake(last),
    })
}

/// The positions of a route, and what is wrong at its end.
struct Aftermath<'a> {
    moves: &'a [Move],
    /// The position before each move.
    before: Vec<Position>,
    position: Position,
    wrong: &'a [WrongMove],
}

impl<'a> Aftermath<'a> {
    fn new(route: &'a Route, wrong: &'a [WrongMove]) -> Self {
        let mut before = Vec::new();
        let mut position = *route.root();
        for &m in route.moves() {
            before.push(position);
            position = position.play_unchecked(m);
        }
        Self {
            moves: route.moves(),
            before,
            position,
            wrong,
        }
    }

    /// The illegal moves, if nothing else is wrong.
    fn all_illegal(&self) -> Option<Vec<Move>> {
        let illegal = self.wrong.iter().map(|wrong| match wrong {
            WrongMove::Extra { m, .. } => Some(*m),
            _ => None,
        });
        illegal.collect()
    }

    fn all_missing(&self) -> Option<Vec<Move>> {
        let missing = self.wrong.iter().map(|wrong| match wrong {
            WrongMove::Missing(m) => Some(*m),
            _ => None,
        });
        missing.collect()
    }

    fn all_by(&self, moves: &[Move], rules: &[Rule]) -> bool {
        let rule = |m: &Move| explain(&self.position, as_written(*m, &self.position)).rule();
        moves.iter().all(|m| rules.contains(&rule(m)))
    }

    /// The position after a move.
    fn after(&self, index: usize) -> &Position {
        self.before.get(index + 1).unwrap_or(&self.position)
    }

    fn castling(&self) -> Option<(usize, StateEffect)> {
        let us = self.position.side_to_move();
        let side = |m: &Move| CastlingSide::new(m.from(), m.to());
        if let Some(moves) = self.all_illegal()
            && self.all_by(&moves, &[Rule::NoCastlingRight])
        {
            let side = side(moves.first()?);
            let ended = |&index: &usize| {
                has_right(&self.before[index], us, side) && !has_right(self.after(index), us, side)
            };
            let index = (0..self.moves.len()).rev().find(ended)?;
            return Some((index, StateEffect::RightKept(us, side)));
        }
        let moves = self.all_missing()?;
        // The route has no more moves than the fault needs, and so begins with the one that is wrong.
        let is_lost = self.all_by(&moves, &[Rule::Castling]);
        is_lost.then_some((0, StateEffect::RightLost(us, side(moves.first()?))))
    }

    fn en_passant(&self) -> Option<(usize, StateEffect)> {
        let last = self.moves.len() - 1;
        if let Some(moves) = self.all_illegal() {
            let to = moves.first()?.to();
            let is_en_passant = |m: &&Move| {
                let is_pawn = self.position.piece_type_at(m.from()) == Some(PieceType::Pawn);
                is_pawn && m.to() == to && m.from().file() != to.file()
            };
            let is_free = self.position.piece_at(to).is_none();
            let is_kept = is_free && moves.iter().filter(is_en_passant).count() == moves.len();
            let had = |&index: &usize| self.before[index].ep_square() == Some(to);
            let index = (0..self.moves.len()).rev().find(had).filter(|_| is_kept)?;
            return Some((index, StateEffect::EpKept(to)));
        }
        let moves = self.all_missing()?;
        let is_lost = moves.iter().all(|&m| self.position.is_en_passant(m));
        let square = self.position.ep_square().filter(|_| is_lost)?;
        Some((last, StateEffect::EpNotSet(square)))
    }

    fn check(&self) -> Option<(usize, StateEffect)> {
        const UNSEEN: [Rule; 4] = [
            Rule::DoesNotAnswerCheck,
            Rule::DoubleCheckKingMustMove,
            Rule::CastlingOutOfCheck,
            Rule::KingAlongCheckingRay,
        ];
        let moves = self.all_illegal()?;
        let is_unseen = self.position.is_check() && self.all_by(&moves, &UNSEEN);
        is_unseen.then_some((self.moves.len() - 1, StateEffect::CheckUnseen))
    }

    /// A square that holds what it held before, or another promoted piece, or a rook that is not where
    /// castling puts it.
    fn square(&self, explains: impl Fn(&Setup) -> bool) -> Option<(usize, StateEffect)> {
        for (index, &m) in self.moves.iter().enumerate().rev() {
            let (before, after) = (&self.before[index], self.after(index));
            for (here, there) in rooks_of_castling(before, m) {
                let mut setup = self.position.to_setup();
                if setup.piece_at(there).is_none() || setup.piece_at(here).is_some() {
                    continue;
                }
                setup.board[here.index()] = setup.board[there.index()].take();
                setup.castling_rooks &= !there.bitboard();
                if explains(&setup) {
                    return Some((index, StateEffect::RookMisplaced { here, there }));
                }
            }
            for square in Square::ALL {
                let held = before.piece_at(square);
                let mut others = vec![held];
                if m.to() == square && m.promotion().is_some() {
                    let us = before.side_to_move();
                    others.extend(PieceType::PROMOTIONS.map(|kind| Some(Piece::new(us, kind))));
                }
                if held == after.piece_at(square) {
                    continue;
                }
                for holds in others {
                    if self
                        .with(square, holds)
                        .is_some_and(|setup| explains(&setup))
                    {
                        return Some((index, StateEffect::Holds(square, holds)));
                    }
                }
            }
        }
        None
    }

    /// The position with another piece on a square, none of them a king.
    fn with(&self, square: Square, holds: Option<Piece>) -> Option<Setup> {
        let mut setup = self.position.to_setup();
        let is_king = |piece: Option<Piece>| piece.is_some_and(|p| p.piece_type == PieceType::King);
        if is_king(holds) || is_king(setup.piece_at(square)) || holds == setup.piece_at(square) {
            return None;
        }
        setup.board[square.index()] = holds;
        setup.castling_rooks &= !square.bitboard();
        Some(setup)
    }

    /// Whether the moves of another position are those that the subject lists.
    fn lists_moves_of(&self, setup: &Setup) -> bool {
        let (Some(extra), Some(missing)) = (self.listed(true), self.listed(false)) else {
            return false;
        };
        let ours: BTreeSet<Move> = self.position.legal_moves().into_iter().collect();
        let theirs: BTreeSet<Move> = mailbox::legal_moves(setup).into_iter().collect();
        theirs.difference(&ours).copied().collect::<BTreeSet<_>>() == extra
            && ours.difference(&theirs).copied().collect::<BTreeSet<_>>() == missing
    }

    /// The moves that are illegal, or missing; `None` if something else is wrong as well.
    fn listed(&self, illegal: bool) -> Option<BTreeSet<Move>> {
        let mut moves = BTreeSet::new();
        for wrong in self.wrong {
            match wrong {
                WrongMove::Extra { m, .. } if illegal => moves.insert(*m),
                WrongMove::Missing(m) if !illegal => moves.insert(*m),
                WrongMove::Extra { .. } | WrongMove::Missing(_) => false,
                _ => return None,
            };
        }
        Some(moves)
    }
}

/// Whether a side may still castle on a wing.
fn has_right(position: &Position, color: Color, side: CastlingSide) -> bool {
    let king = position.king(color);
    let rooks = position.castling_rooks() & position.by_color(color);
    rooks
        .into_iter()
        .any(|rook| CastlingSide::new(king, rook) == side)
}

/// Where the rook is if a castling move leaves it behind; or if a move that only looks like castling of
/// standard chess moves it: its square there, and in truth.
fn rooks_of_castling(before: &Position, m: Move) -> Vec<(Square, Square)> {
    let us = before.side_to_move();
    if before.is_castling(m) {
        let side = CastlingSide::new(m.from(), m.to());
        return vec![(m.to(), side.rook_target(us))];
    }
    let home = Rank::R1.relative_to(us);
    let sides = CastlingSide::ALL.into_iter();
    let looks_so = sides.filter(|side| m.from().rank() == home && m.to() == side.king_target(us));
    let corner = |side| match side {
        CastlingSide::King => Square::new(File::H, home),
        CastlingSide::Queen => Square::new(File::A, home),
    };
    looks_so
        .map(|side| (side.rook_target(us), corner(side)))
        .collect()
}

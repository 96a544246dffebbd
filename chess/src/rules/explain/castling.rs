//! Whether a king may castle (FIDE 3.8.2; Chess960: FIDE guidelines II.3).

use super::view::{ExplainView, first_between, squares};
use super::{Rule, RuleReason, movement};
use crate::rules::attacks::between;
use crate::rules::{Bitboard, CastlingSide, File, Move, PieceType, Square};

/// A king move that can only be meant as castling.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    asked: Move,
    side: CastlingSide,
    /// The rook, if the move names one or one has the right to castle on that side.
    rook: Option<Square>,
}

impl Attempt {
    pub(super) fn find(view: &ExplainView, m: Move) -> Option<Self> {
        let (king, to) = (view.king, m.to());
        let on_first_rank = king.rank() == view.home_rank() && to.rank() == king.rank();
        if m.from() != king || !on_first_rank {
            return None;
        }
        let attempt = |side, rook| {
            Some(Self {
                asked: m,
                side,
                rook,
            })
        };
        // In Chess960, a rook with the right may stand on the king's target: then it is that rook.
        let may_castle = view.position.castling_rooks().contains(to);
        if !may_castle
            && let Some(side) = CastlingSide::ALL
                .into_iter()
                .find(|side| king.file() == File::E && side.king_target(view.us) == to)
        {
            return attempt(side, view.castling_rook(side));
        }
        let takes_rook = view.position.pieces(view.us, PieceType::Rook).contains(to);
        takes_rook
            .then(|| attempt(CastlingSide::new(king, to), Some(to)))
            .flatten()
    }

    /// The attempt as king takes rook, or as given if there is no rook.
    pub(super) fn to_move(self, view: &ExplainView) -> Move {
        match self.rook {
            Some(rook) if self.asked.promotion().is_none() => Move::new(view.king, rook),
            _ => self.asked,
        }
    }

    pub(super) fn judge(self, view: &ExplainView) -> Result<RuleReason, RuleReason> {
        movement::no_promotion(view, self.asked)?;
        let rook = self.rook_with_right(view)?;
        let way = CastlingPaths::new(view, self.side, rook);
        way.is_free(view)?;
        way.is_safe(view)?;
        way.uncovers_nothing(view)?;
        Ok(way.every_condition_holds(view))
    }

    fn rook_with_right(self, view: &ExplainView) -> Result<Square, RuleReason> {
        if let Some(rook) = self.rook
            && view.position.castling_rooks().contains(rook)
        {
            return Ok(rook);
        }
        let with = match (self.rook, self.side) {
            (Some(rook), _) => format!("with {}", view.name(rook)),
            (None, CastlingSide::King) => "on the king's side".to_owned(),
            (None, CastlingSide::Queen) => "on the queen's side".to_owned(),
        };
        let because = format!("{} has no right to castle {with}", view.us);
        let squares = view.king.bitboard() | self.rook.map_or(Bitboard::EMPTY, Square::bitboard);
        Err(RuleReason::new(Rule::NoCastlingRight, squares, because))
    }
}

/// The paths of king and rook.
struct CastlingPaths {
    king: Square,
    rook: Square,
    king_target: Square,
    rook_target: Square,
}

impl CastlingPaths {
    fn new(view: &ExplainView, side: CastlingSide, rook: Square) -> Self {
        Self {
            king: view.king,
            rook,
            king_target: side.king_target(view.us),
            rook_target: side.rook_target(view.us),
        }
    }

    /// Every piece but the two that castle.
    fn others(&self, view: &ExplainView) -> Bitboard {
        view.occupied() & !self.king.bitboard() & !self.rook.bitboard()
    }

    fn is_free(&self, view: &ExplainView) -> Result<(), RuleReason> {
        let ways = [(self.king, self.king_target), (self.rook, self.rook_target)];
        for (from, to) in ways {
            let others = self.others(view);
            let at_the_end = Some(to).filter(|&to| others.contains(to));
            if let Some(blocker) = first_between(from, to, others).or(at_the_end) {
                let because = format!(
                    "{} stands in the way of {}, which would go to {to}",
                    view.name(blocker),
                    view.name(from)
                );
                let rule = Rule::CastlingPathBlocked;
                let squares = from.bitboard() | blocker.bitboard() | to.bitboard();
                return Err(RuleReason::new(rule, squares, because));
            }
        }
        Ok(())
    }

    fn is_safe(&self, view: &ExplainView) -> Result<(), RuleReason> {
        let checkers = view.checkers();
        if !checkers.is_empty() {
            let because = format!(
                "the king on {} is in check from {}",
                self.king,
                view.names(checkers)
            );
            let squares = checkers | self.king.bitboard();
            return Err(RuleReason::new(Rule::CastlingOutOfCheck, squares, because));
        }
        for square in between(self.king, self.king_target) {
            attacked(view, Rule::CastlingThroughCheck, square, "would pass over")?;
        }
        let target = self.king_target;
        attacked(view, Rule::CastlingIntoCheck, target, "would land on")
    }

    /// Whether the king is safe after the rook has left its square. In standard chess nothing can
    /// stand behind the rook.
    fn uncovers_nothing(&self, view: &ExplainView) -> Result<(), RuleReason> {
        let (king, rook) = (self.king_target, self.rook);
        let after = self.others(view) | king.bitboard() | self.rook_target.bitboard();
        let attackers = view.attackers(king, after);
        if attackers.is_empty() {
            return Ok(());
        }
        let because = format!(
            "once the rook has left {rook}, {} the king on {king}",
            view.with_verb(attackers, "attack")
        );
        let squares = attackers | rook.bitboard() | king.bitboard();
        let rule = Rule::CastlingUncoversCheck;
        Err(RuleReason::new(rule, squares, because))
    }

    fn every_condition_holds(&self, view: &ExplainView) -> RuleReason {
        let kings = self.king.bitboard()
            | between(self.king, self.king_target)
            | self.king_target.bitboard();
        let safe = if kings.has_several() {
            format!("none of {} is attacked", squares(kings, "and"))
        } else {
            format!("{} is not attacked", self.king)
        };
        let because = format!(
            "{} may castle with {}, nothing stands in the way, and {safe}",
            view.us,
            view.name(self.rook)
        );
        RuleReason::new(Rule::Castling, kings | self.rook.bitboard(), because)
    }
}

/// Returns an error if a square of the king's path is attacked. The king does not block its own
/// path: a slider that sees it would give check.
fn attacked(view: &ExplainView, rule: Rule, square: Square, how: &str) -> Result<(), RuleReason> {
    let attackers = view.attackers(square, view.occupied());
    if attackers.is_empty() {
        return Ok(());
    }
    let attack = view.with_verb(attackers, "attack");
    let because = format!("the king {how} {square}, which {attack}");
    Err(RuleReason::new(
        rule,
        attackers | square.bitboard(),
        because,
    ))
}

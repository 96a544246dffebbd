//! Quiescence search: resolves captures before a leaf is evaluated.

use super::alpha_beta::{Node, Search, Window, end_of_game};
use super::order::{Hints, Ordered, is_noisy};
use crate::eval::Evaluation;
use crate::search::stopper::Stopped;
use crate::search::value::INFINITE;
use chess::rules::Position;

impl<E: Evaluation> Search<'_, E> {
    /// The score of a leaf. In check every evasion is searched; otherwise the side to move may
    /// stand pat, or try captures and queen promotions. The node has been counted, and is not drawn
    /// by repetition, the fifty-move rule or material.
    pub(super) fn quiesce(&mut self, node: Node<'_>, window: Window) -> Result<i32, Stopped> {
        let Window { mut alpha, beta } = window;
        let moves = node.position.legal_moves();
        if moves.is_empty() {
            return Ok(end_of_game(node));
        }
        let is_check = node.position.is_check();
        let mut best = -INFINITE;
        if !is_check {
            best = self.evaluation.evaluate(node.position);
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let tried = moves
            .into_iter()
            .filter(|&m| is_check || is_noisy(node.position, m));
        for m in Ordered::new(tried, node.position, Hints::default(), self.features) {
            let next = node.position.play_unchecked(m);
            let value = -self.quiesce_below(node, next, Window::new(-beta, -alpha))?;
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.lines.set(node.ply, m);
            }
            if value >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn quiesce_below(
        &mut self,
        node: Node<'_>,
        next: Position,
        window: Window,
    ) -> Result<i32, Stopped> {
        let child = Node {
            position: &next,
            depth: 0,
            ply: node.ply + 1,
        };
        self.path.push(next);
        self.enter(child.ply)?;
        let value = match self.value_at_sight(child) {
            Some(value) => value,
            None => self.quiesce(child, window)?,
        };
        self.path.pop();
        Ok(value)
    }
}

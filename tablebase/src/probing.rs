//! Probing within the limits that the user of an engine sets.

use std::sync::Arc;

use chess::rules::{Game, Move, Position};

use crate::{Tablebase, TablebaseWdl, best_moves};

/// Tables with the limits within which a search probes them.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The open tables.
    pub tables: Arc<Tablebase>,
    /// Minimum remaining depth in plies at which positions with exactly `max_pieces` pieces are
    /// probed; those with fewer are probed at any depth. At least 1.
    pub min_depth: u32,
    /// Maximum number of pieces, kings included, of a position to probe; 0 disables probing. Values
    /// above [`Tablebase::max_pieces`] have no further effect.
    pub max_pieces: u32,
    /// Whether the fifty-move rule applies.
    pub fifty_moves: bool,
}

impl Probing {
    /// Probes a position within a search, with `depth` plies remaining: loss, draw or win under the
    /// rules in force. `None` outside the limits or if the tables do not cover the position.
    #[inline(always)]
    pub fn value(&self, position: &Position, depth: u32) -> Option<TablebaseWdl> {
        let pieces = position.occupied().count();
        let most = self.most_pieces();
        if pieces > most || pieces == most && depth < self.min_depth {
            return None;
        }
        let value = if self.fifty_moves {
            self.tables.probe_wdl(position)
        } else {
            self.tables.probe_wdl_at_zero(position)
        };
        value.map(|value| value.under_rule(self.fifty_moves))
    }

    /// The legal moves of the current position that preserve its result, and that result; see
    /// [`best_moves`]. `None` outside the limits, if the tables do not cover the position, or if
    /// the game has ended.
    pub fn root_moves(&self, game: &Game) -> Option<(Vec<Move>, TablebaseWdl)> {
        let position = game.position();
        if position.occupied().count() > self.most_pieces() {
            return None;
        }
        let ranks = self.tables.probe_root(position)?;
        let moves = best_moves(&ranks, self.fifty_moves, has_repeated(game));
        let (_, rank) = ranks.iter().find(|(m, _)| moves.first() == Some(m))?;
        Some((moves, rank.wdl().under_rule(self.fifty_moves)))
    }

    #[inline(always)]
    fn most_pieces(&self) -> u32 {
        self.max_pieces.min(self.tables.max_pieces())
    }
}

/// Whether a position has occurred twice since the last capture or pawn move.
fn has_repeated(game: &Game) -> bool {
    let mut game = game.clone();
    loop {
        if game.repetitions() > 1 {
            return true;
        }
        if game.position().halfmove_clock() == 0 || game.undo().is_none() {
            return false;
        }
    }
}

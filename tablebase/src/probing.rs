//! Tables, and how the user wants them asked.

use std::sync::Arc;

use crate::{Tablebase, Wdl, best_moves};
use chess::rules::{Game, Move, Position};

/// Tables with the limits within which a search asks them.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The tables.
    pub tables: Arc<Tablebase>,
    /// The least depth, in plies still to be searched, at which a position with as many pieces as
    /// `max_pieces` is asked about; those with fewer are asked about at every depth. From 1.
    pub min_depth: u32,
    /// The greatest number of pieces, kings included, with which a position is asked about; 0 for
    /// none. No more than [`Tablebase::max_pieces`] counts.
    pub max_pieces: u32,
    /// Whether a game is drawn after fifty moves without a capture or a pawn move.
    pub fifty_moves: bool,
}

impl Probing {
    /// What the tables say of a position within a search, with `depth` plies to go: loss, draw or
    /// win by the rules in force. Nothing where they are not to be asked or do not know.
    #[inline(always)]
    pub fn value(&self, position: &Position, depth: u32) -> Option<Wdl> {
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

    /// The legal moves of the position on the board that give nothing away, and what becomes of
    /// the game with them; see [`best_moves`]. Nothing where the tables are not to be asked or do
    /// not know, or the game has ended.
    pub fn root_moves(&self, game: &Game) -> Option<(Vec<Move>, Wdl)> {
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

/// Whether a position has been on the board twice since the last capture or pawn move.
fn has_repeated(game: &Game) -> bool {
    let mut game = game.clone();
    loop {
        if game.repetitions() > 1 {
            return true;
        }
        if game.position().halfmove_clock() == 0 || game.undo().is_err() {
            return false;
        }
    }
}

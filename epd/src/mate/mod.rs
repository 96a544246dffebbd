//! Forced mates, by exhaustive search.
//!
//! [`MateSearch`] answers one question exactly: does the side to move mate in at most N of its own
//! moves, against any defence? All moves of both sides are searched, checks or not, including
//! underpromotions; nothing is pruned that could change the answer. Mates in four are fast enough
//! thanks to move ordering (refutations first), a mask of checking moves for the last ply, where no
//! other move mates, and a transposition table.
//!
//! The history of the game is ignored: repetition and the fifty- and seventy-five-move rules do not
//! end a line. A shortest mate repeats no position.
//!
//! Moves are counted as in `dm`: the attacker's own. Every call has a node budget; when it is
//! exhausted, the result is [`OutOfNodes`], never a guess.
//!
//! ```
//! use chess::notation::{fen, san};
//! use epd::mate::MateSearch;
//!
//! // . . . . . . k .
//! // . . . . . p p p
//! // . . . . . . . .
//! // . . . . . . . .   and a rook for each side: a back rank.
//! let position = fen::parse("3r2k1/5ppp/8/8/8/8/3R1PPP/3R2K1 w - - 0 1")?;
//! let mut search = MateSearch::new(1_000_000);
//! let mates = search.first_moves(&position, 3)?;
//! assert_eq!(mates.len(), 1);
//! assert_eq!(san::write(mates[0].first, &position), "Rxd8#");
//! assert_eq!(mates[0].moves, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checks;
mod table;

use chess::rules::{Move, Position};

use checks::CheckInfo;
use table::BoundsTable;

/// A first move that forces mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedMate {
    /// The move.
    pub first: Move,
    /// Maximum number of the attacker's moves to mate, this one included.
    pub moves: u8,
}

/// The node budget was exhausted before the answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not known within {budget} nodes")]
pub struct OutOfNodes {
    /// The node budget.
    pub budget: u64,
}

/// An exhaustive search for forced mates; see the [module](self).
///
/// The transposition table is kept between calls; it affects the number of nodes, never the
/// answers.
#[derive(Debug)]
pub struct MateSearch {
    budget: u64,
    nodes: u64,
    table: BoundsTable,
    /// The last refutation, by number of moves left.
    refutations: [Option<Move>; 256],
}

impl MateSearch {
    /// A search that may visit `node_budget` positions per call.
    pub fn new(node_budget: u64) -> Self {
        Self {
            budget: node_budget,
            nodes: 0,
            table: BoundsTable::new(),
            refutations: [None; 256],
        }
    }

    /// Number of positions visited by the last call.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Every first move that forces mate in at most `max_moves`, each with its shortest mate;
    /// shortest mates first.
    ///
    /// # Errors
    ///
    /// When the node budget is exhausted.
    pub fn first_moves(
        &mut self,
        position: &Position,
        max_moves: u8,
    ) -> Result<Vec<ForcedMate>, OutOfNodes> {
        self.nodes = 0;
        let mut left = position.legal_moves().to_vec();
        let mut found = Vec::new();
        for moves in 1..=max_moves {
            let mut others = Vec::new();
            for first in left {
                if self.is_mated(&position.play_unchecked(first), moves - 1)? {
                    found.push(ForcedMate { first, moves });
                } else {
                    others.push(first);
                }
            }
            left = others;
        }
        Ok(found)
    }

    /// The fewest moves in which the side to move forces mate, if at most `max_moves`.
    ///
    /// # Errors
    ///
    /// When the node budget is exhausted.
    pub fn shortest(
        &mut self,
        position: &Position,
        max_moves: u8,
    ) -> Result<Option<u8>, OutOfNodes> {
        self.nodes = 0;
        self.mate_in(position, max_moves)
    }

    /// Whether the side to move is mated in at most `moves` moves of the opponent, whatever it
    /// plays; in 0 moves if it is already mated. Stalemate is not mate.
    ///
    /// # Errors
    ///
    /// When the node budget is exhausted.
    pub fn is_mated_within(&mut self, position: &Position, moves: u8) -> Result<bool, OutOfNodes> {
        self.nodes = 0;
        self.is_mated(position, moves)
    }

    fn count_node(&mut self) -> Result<(), OutOfNodes> {
        if self.nodes == self.budget {
            let budget = self.budget;
            return Err(OutOfNodes { budget });
        }
        self.nodes += 1;
        Ok(())
    }

    /// The fewest moves in which the side to move mates, if at most `max_moves`.
    fn mate_in(&mut self, position: &Position, max_moves: u8) -> Result<Option<u8>, OutOfNodes> {
        if max_moves <= 1 {
            let mates = max_moves == 1 && self.mates_at_once(position)?;
            return Ok(mates.then_some(1));
        }
        let mut known = self.table.get(position);
        if let Some(moves) = known.mate_in {
            return Ok((moves <= max_moves).then_some(moves));
        }
        if known.no_mate_in >= max_moves {
            return Ok(None);
        }
        let checks = CheckInfo::from_position(position);
        let mut list = position.legal_moves().to_vec();
        // Checks first: most forced mates consist of them.
        list.sort_by_cached_key(|&m| !checks.gives_check(position, m));
        // One move more at a time, so that the first mate found is the shortest.
        for moves in known.no_mate_in + 1..=max_moves {
            let mut mates = moves == 1 && self.mates_at_once(position)?;
            // A mate at once was excluded before any longer one is looked for.
            for &m in list.iter().filter(|_| moves > 1) {
                if self.is_mated(&position.play_unchecked(m), moves - 1)? {
                    mates = true;
                    break;
                }
            }
            if mates {
                known.mate_in = Some(moves);
                break;
            }
            known.no_mate_in = moves;
        }
        self.table.set(position, known);
        Ok(known.mate_in)
    }

    /// Whether a move mates at once. Only checking moves are tried.
    fn mates_at_once(&mut self, position: &Position) -> Result<bool, OutOfNodes> {
        let checks = CheckInfo::from_position(position);
        for m in position.legal_moves() {
            if checks.gives_check(position, m) && self.is_mated(&position.play_unchecked(m), 0)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated in at most `moves` moves of the attacker.
    fn is_mated(&mut self, position: &Position, moves: u8) -> Result<bool, OutOfNodes> {
        self.count_node()?;
        if moves == 0 {
            return Ok(position.legal_move_count() == 0 && position.is_check());
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        // A reply that has refuted another attack often refutes this one.
        let likely = self.refutations[usize::from(moves)];
        let likely = likely.filter(|reply| replies.contains(reply));
        let others = replies.iter().copied();
        let others = others.filter(|&reply| Some(reply) != likely);
        for reply in likely.into_iter().chain(others) {
            self.count_node()?;
            let next = position.play_unchecked(reply);
            if self.mate_in(&next, moves)?.is_none() {
                self.refutations[usize::from(moves)] = Some(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;

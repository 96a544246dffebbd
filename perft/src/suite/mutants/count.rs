//! Counting with a mutant, and using it as a test subject.

use std::num::NonZeroU32;

use chess::perft::MAX_DEPTH;
use chess::rules::{Move, Piece, PieceType, Position};

use super::Mutation;
use super::board::{Kind, Mutant, Step, TableKey};
use crate::count::subject::{Answer, DivideRow, Failure, MoveMeaning, Route, Subject};

/// Limits on a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The count stops once it exceeds this many leaf nodes.
    pub leaves: u64,
    /// The count stops once more moves than this have been made.
    pub made: u64,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Self = Self {
        leaves: u64::MAX,
        made: u64::MAX,
    };
}

/// The mutations that keep a table of counts. Even if broken for one side, they affect both,
/// because the table has one key.
const TABLES: [Mutation; 3] = [
    Mutation::TableLacksEpSquare,
    Mutation::TableLacksRights,
    Mutation::TableLacksKings,
];

/// A count within a budget.
struct BudgetedCount {
    leaves: u64,
    made: u64,
    budget: Budget,
}

impl BudgetedCount {
    fn new(budget: Budget) -> Self {
        Self {
            leaves: 0,
            made: 0,
            budget,
        }
    }

    fn is_over(&self) -> bool {
        self.leaves > self.budget.leaves || self.made > self.budget.made
    }
}

impl Mutant {
    /// Counts the leaf nodes below a position, which is set up first. A count beyond 64 bits
    /// saturates at [`u64::MAX`]; depths beyond [`MAX_DEPTH`] are cut to it.
    pub fn perft(&mut self, position: &Position, depth: u32) -> u64 {
        self.set(position);
        self.count(depth)
    }

    /// Like [`Mutant::perft`], from the current position.
    pub fn count(&mut self, depth: u32) -> u64 {
        let mut tally = BudgetedCount::new(Budget::UNLIMITED);
        self.walk_tree(depth.min(MAX_DEPTH), &mut tally);
        tally.leaves
    }

    /// Like [`Mutant::perft`], but stops when the budget is spent: a result above `leaves` is only
    /// a lower bound. `None` if too many moves had to be made.
    pub fn perft_within(&mut self, position: &Position, depth: u32, budget: Budget) -> Option<u64> {
        self.set(position);
        let mut tally = BudgetedCount::new(budget);
        self.walk_tree(depth.min(MAX_DEPTH), &mut tally);
        (tally.leaves > budget.leaves || tally.made <= budget.made).then_some(tally.leaves)
    }

    /// The moves of a position, which is set up first, and the leaf nodes below each, in the order
    /// of generation, with duplicates. Empty at depth 0.
    pub fn divide(&mut self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        self.set(position);
        self.divide_here(depth)
    }

    /// Like [`Mutant::divide`], from the current position.
    pub fn divide_here(&mut self, depth: u32) -> Vec<(Move, u64)> {
        let Some(below) = depth.min(MAX_DEPTH).checked_sub(1) else {
            return Vec::new();
        };
        if self.ends_here() {
            return Vec::new();
        }
        let threats = self.threats();
        let start = self.moves.len();
        self.generate(&threats);
        let mut rows = Vec::new();
        for index in start..self.moves.len() {
            let step = self.moves[index];
            let is_untested = below == 0 && self.has(Mutation::LastPlyNotTested);
            if is_untested || self.is_legal(step, &threats) {
                let undo = self.make(step);
                rows.push((step.to_move(), self.count(below)));
                self.unmake(&undo);
            }
        }
        self.moves.truncate(start);
        rows
    }

    fn walk_tree(&mut self, depth: u32, tally: &mut BudgetedCount) {
        if depth == 0 || self.ends_here() {
            tally.leaves = tally.leaves.saturating_add(1);
            return;
        }
        let key = self.table_key(depth);
        if let Some(&nodes) = key.as_ref().and_then(|key| self.counted.get(key)) {
            tally.leaves = tally.leaves.saturating_add(nodes);
            return;
        }
        let before = tally.leaves;
        let threats = self.threats();
        let start = self.moves.len();
        self.generate(&threats);
        let mut legal = 0;
        for index in start..self.moves.len() {
            let step = self.moves[index];
            if tally.is_over() {
                break;
            }
            let is_untested = depth == 1 && self.has(Mutation::LastPlyNotTested);
            if is_untested || self.is_legal(step, &threats) {
                legal += 1;
                if depth > 1 {
                    tally.made += 1;
                    let undo = self.make(step);
                    self.walk_tree(depth - 1, tally);
                    self.unmake(&undo);
                }
            }
        }
        self.moves.truncate(start);
        let leaves = match (depth, legal) {
            (_, 0) if threats.is_check() => u64::from(self.has(Mutation::MateCountsOne)),
            (_, 0) => u64::from(self.has(Mutation::StalemateCountsOne)),
            (1, legal) => legal,
            _ => 0,
        };
        tally.leaves = tally.leaves.saturating_add(leaves);
        if let Some(key) = key.filter(|_| !tally.is_over()) {
            self.counted.insert(key, tally.leaves - before);
        }
    }

    /// The table key of this position, for a mutant with a table. As in many engines, the last ply
    /// is not stored.
    fn table_key(&self, depth: u32) -> Option<TableKey> {
        let mutation = self.mutation().filter(|_| depth > 1)?;
        let lacks = |what| mutation == what;
        if !TABLES.contains(&mutation) {
            return None;
        }
        let mut board = self.board;
        if lacks(Mutation::TableLacksKings) {
            let is_king = |piece: &mut Piece| piece.piece_type == PieceType::King;
            for square in &mut board {
                square.take_if(is_king);
            }
        }
        let state = &self.state;
        let ep_square = state
            .ep_square
            .filter(|_| !lacks(Mutation::TableLacksEpSquare));
        let rights = Some(state.rights).filter(|_| !lacks(Mutation::TableLacksRights));
        Some(TableKey {
            board,
            side_to_move: state.side_to_move,
            ep_square,
            rights,
            depth,
        })
    }

    /// Whether an inner node is counted as a leaf.
    fn ends_here(&self) -> bool {
        self.has(Mutation::BareKingsCountOne)
            && self
                .board
                .iter()
                .flatten()
                .all(|piece| piece.piece_type == PieceType::King)
    }
}

impl Step {
    /// The move in the engine crate's representation.
    fn to_move(self) -> Move {
        match self.kind {
            Kind::Promotion(kind) => Move::new_promotion(self.from, self.to, kind),
            _ => Move::new(self.from, self.to),
        }
    }
}

/// Castling is king takes rook.
impl Subject for Mutant {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        self.set(route.root());
        self.play(route.moves());
        let legal = route.position().legal_moves();
        let rows: Vec<DivideRow> = self
            .divide_here(depth.get())
            .into_iter()
            .map(|(m, nodes)| DivideRow {
                text: m.to_string(),
                meaning: if legal.contains(&m) {
                    MoveMeaning::Legal(m)
                } else {
                    MoveMeaning::Illegal(m)
                },
                nodes,
            })
            .collect();
        let total = if rows.is_empty() {
            self.count(depth.get())
        } else {
            rows.iter()
                .fold(0, |sum: u64, row| sum.saturating_add(row.nodes))
        };
        Ok(Answer {
            total: Some(total),
            rows: Some(rows),
        })
    }
}

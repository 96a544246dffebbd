//! The result of counting one position.

#[cfg(feature = "fleet")]
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::time::Duration;

use chess::notation::uci_move;
use chess::perft::{Breakdown, SubtreeCount, UniqueCount};
use chess::rules::{Move, Position};
use kit::Exit;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountMode {
    Nodes,
    /// The leaf nodes below each root move.
    Divide,
    /// The leaf nodes by kind of the last move.
    Breakdown,
    /// The unique positions of each ply, in this much memory.
    Unique {
        mebibytes: usize,
    },
}

/// Whether a count is complete, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CompletionStatus {
    Complete,
    /// The user cancelled the count.
    Interrupted,
    /// The next part cannot be counted.
    Incomplete,
    /// The test of a lab was stopped.
    Stopped,
    /// Two machines reported different counts for the same unit.
    Different,
    /// All is counted, but too little of it was counted a second time by anybody else.
    Unverified,
}

impl CompletionStatus {
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::Complete => Exit::Agreed,
            Self::Interrupted => Exit::Interrupted,
            Self::Incomplete | Self::Stopped => Exit::Failed,
            // Exit code 0 never means unchecked.
            Self::Different | Self::Unverified => Exit::Differs,
        }
    }
}

/// Provenance of a count by a lab, and how far it can be trusted.
#[cfg(feature = "fleet")]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Provenance {
    /// The name of the test.
    pub(crate) test: String,
    pub(crate) status: CompletionStatus,
    pub(crate) units: u64,
    pub(crate) verification: queue::wire::Verification,
    /// The workers whose counts were used, with their numbers of units.
    pub(crate) workers: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CountResult {
    pub(crate) position: Position,
    /// Depth in plies.
    pub(crate) depth: u32,
    pub(crate) mode: CountMode,
    /// Leaf nodes; those of the finished part only, if the count is incomplete.
    pub(crate) nodes: u128,
    /// For [`CountMode::Divide`], the finished root moves, sorted by their text.
    pub(crate) divide: Vec<(String, u128)>,
    /// For [`CountMode::Breakdown`], in the order of [`Breakdown::NAMES`].
    pub(crate) breakdown: Option<[u128; Breakdown::NAMES.len()]>,
    /// For [`CountMode::Unique`], the finished plies from 1 on, or ply 0 alone at depth 0.
    pub(crate) plies: Vec<UniqueCount>,
    /// Leaf nodes counted by an earlier run.
    pub(crate) resumed: u128,
    #[cfg(feature = "fleet")]
    pub(crate) provenance: Option<Provenance>,
    pub(crate) status: CompletionStatus,
    /// Wall-clock time of this run.
    pub(crate) time: Duration,
}

impl CountResult {
    /// A result of which nothing is counted yet.
    pub(crate) fn new(position: Position, depth: u32, mode: CountMode) -> Self {
        Self {
            position,
            depth,
            mode,
            nodes: 0,
            divide: Vec::new(),
            breakdown: None,
            plies: Vec::new(),
            resumed: 0,
            #[cfg(feature = "fleet")]
            provenance: None,
            // A count is interrupted until it is known to be complete.
            status: CompletionStatus::Interrupted,
            time: Duration::ZERO,
        }
    }

    /// Sets the count, and the divide if it is wanted, from the counts below the root moves.
    pub(crate) fn set_count(&mut self, moves: Vec<(Move, u64)>) {
        let sum: u128 = moves.iter().map(|&(_, nodes)| u128::from(nodes)).sum();
        // At depth 0, the position itself is the only leaf, and no root move has it.
        self.nodes = sum + u128::from(self.depth == 0);
        if self.mode == CountMode::Divide {
            self.set_divide(moves.into_iter().map(|(m, nodes)| (m, nodes.into())));
        }
    }

    /// Sets the counts below the finished root moves.
    pub(crate) fn set_divide(&mut self, moves: impl Iterator<Item = (Move, u128)>) {
        let castling = self.position.castling_mode();
        let name = |(m, nodes)| (uci_move::write(m, &self.position, castling), nodes);
        self.divide = moves.map(name).collect();
        // Threads end in any order; the output is the same each time.
        self.divide.sort();
    }
}

/// Sums up subtrees by root move, each with its number of open subtrees.
#[derive(Debug, Default)]
pub(crate) struct RootMoves(HashMap<Move, (usize, u64)>);

impl RootMoves {
    pub(crate) fn add(&mut self, subtree: SubtreeCount) {
        let sum = self.0.entry(subtree.root_move);
        let (open, sum) = sum.or_insert((subtree.siblings, 0));
        *open -= 1;
        *sum = sum.saturating_add(subtree.count);
    }

    /// The root moves whose subtrees are all counted.
    pub(crate) fn finished(&self) -> Vec<(Move, u64)> {
        let moves = self.0.iter().filter(|(_, (open, _))| *open == 0);
        moves.map(|(&m, &(_, nodes))| (m, nodes)).collect()
    }
}

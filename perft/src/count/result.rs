//! The result of counting one position.

use std::collections::{BTreeMap, HashMap};
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
    /// An operator stopped the job.
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

/// Provenance of a count made on many machines, and how far it can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Provenance {
    /// The job's name at the broker.
    pub(crate) job: String,
    pub(crate) status: CompletionStatus,
    /// The ply at which the tree was cut into units.
    pub(crate) ply: u32,
    pub(crate) done: u64,
    pub(crate) units: u64,
    /// Units that were counted by two workers and compared.
    pub(crate) compared: u64,
    /// Units that were to be counted by two workers.
    pub(crate) to_compare: u64,
    /// Units that this program counted again and compared.
    pub(crate) recounted: u64,
    /// The share of the units that were counted a second time, at least, from 0 to 1.
    pub(crate) verified: f64,
    #[serde(flatten)]
    pub(crate) unseen: Unseen,
    /// The workers whose counts were used, with their numbers of units.
    pub(crate) workers: BTreeMap<String, u64>,
}

/// The probability that a worker which lies about a part of its units went unseen, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Unseen {
    /// If it lies about 1 % of its units.
    #[serde(rename = "unseen_1_percent")]
    pub(crate) of_1_percent: f64,
    /// If it lies about 10 %.
    #[serde(rename = "unseen_10_percent")]
    pub(crate) of_10_percent: f64,
}

impl Unseen {
    /// Nothing was counted a second time.
    pub(crate) const CERTAIN: Self = Self {
        of_1_percent: 1.0,
        of_10_percent: 1.0,
    };

    /// Both what this is about and what the other is about would have to miss the lie.
    pub(crate) fn or_better(self, other: Self) -> Self {
        Self {
            of_1_percent: self.of_1_percent.min(other.of_1_percent),
            of_10_percent: self.of_10_percent.min(other.of_10_percent),
        }
    }
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

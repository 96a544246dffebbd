//! How deep a random position is counted, and its counts by two independent generators.

use std::num::NonZeroU32;

use chess::notation::fen;
use chess::perft::{CountError, Counter};
use chess::rules::{Position, Setup, mailbox};

/// No position is counted deeper.
const MOST_DEPTH: u32 = 12;
/// The mailbox generator confirms counts up to this many leaf nodes, and those that are made whatever their
/// size: it is some hundred times slower than engines are.
const CONFIRMED_NODES: u64 = 5_000;

/// Our two generators disagree, or a count could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CountingError {
    #[error(
        "our two generators disagree, which is a fault of perft (please report it): depth {depth} of \
         {fen} has {fast} leaf nodes by the one, {mailbox} by the other; the engine was not asked"
    )]
    Disagreement {
        fen: String,
        depth: u32,
        fast: u64,
        mailbox: u64,
    },
    #[error(transparent)]
    Count(#[from] CountError),
}

/// The size of the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CountSize {
    /// The deepest count.
    pub(super) depth: u32,
    /// Counts up to this depth are made whatever their size.
    pub(super) least_depth: u32,
    /// Maximum number of leaf nodes of the others.
    pub(super) nodes: u64,
}

/// Counts a position depth by depth, as deep as its size allows.
pub(super) fn confirmed_counts(
    position: &Position,
    size: CountSize,
    counter: &Counter<'_>,
) -> Result<Vec<(NonZeroU32, u64)>, CountingError> {
    counts_with(position, size, counter, mailbox::perft)
}

fn counts_with(
    position: &Position,
    size: CountSize,
    counter: &Counter<'_>,
    oracle: impl Fn(&Setup, u32) -> u64,
) -> Result<Vec<(NonZeroU32, u64)>, CountingError> {
    let setup = position.to_setup();
    let mut counts: Vec<(NonZeroU32, u64)> = Vec::new();
    let mut before = 1;
    for depth in (1..=size.depth.min(MOST_DEPTH)).filter_map(NonZeroU32::new) {
        // The tree goes on growing as it has grown.
        let last = counts.last().map_or(1, |&(_, nodes)| nodes);
        let expected = u128::from(last) * u128::from(last) / u128::from(before.max(1));
        let is_deep = depth.get() > size.least_depth;
        if is_deep && (last == 0 || expected > u128::from(size.nodes)) {
            break;
        }
        let nodes = counter.count(position, depth.get())?;
        if is_deep && nodes > size.nodes {
            break;
        }
        if !is_deep || nodes <= CONFIRMED_NODES {
            let mailbox = oracle(&setup, depth.get());
            if mailbox != nodes {
                return Err(CountingError::Disagreement {
                    fen: fen::write(position),
                    depth: depth.get(),
                    fast: nodes,
                    mailbox,
                });
            }
        }
        before = last;
        counts.push((depth, nodes));
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::super::sources::RandomPositions;
    use super::*;

    fn plain(counts: &[(NonZeroU32, u64)]) -> Vec<(u32, u64)> {
        counts
            .iter()
            .map(|&(depth, nodes)| (depth.get(), nodes))
            .collect()
    }

    fn size(depth: u32, least_depth: u32, nodes: u64) -> CountSize {
        CountSize {
            depth,
            least_depth,
            nodes,
        }
    }

    #[test]
    fn size_limits_the_depth() {
        let counter = Counter::new();
        let rows = [
            (size(12, 2, 1), vec![(1, 20), (2, 400)]),
            (size(12, 1, 399), vec![(1, 20)]),
            (size(12, 1, 400), vec![(1, 20), (2, 400)]),
            (size(12, 2, 8_901), vec![(1, 20), (2, 400)]),
            (size(12, 2, 8_902), vec![(1, 20), (2, 400), (3, 8_902)]),
            (size(1, 2, 9_000), vec![(1, 20)]),
        ];
        for (size, expected) in rows {
            let counts = confirmed_counts(&Position::startpos(), size, &counter);
            assert_eq!(plain(&counts.expect("both agree")), expected, "{size:?}");
        }
        // Where the tree ends, so do the counts.
        let mated = fen::parse("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("legal");
        let counts = confirmed_counts(&mated, size(12, 2, 1_000), &counter);
        assert_eq!(plain(&counts.expect("both agree")), [(1, 0), (2, 0)]);
    }

    /// Every position of every source is counted in the same way by both generators.
    #[test]
    fn two_generators_agree_on_every_source() {
        let positions = RandomPositions::new(3);
        let size = size(12, 2, 2_000);
        for number in 0..testkit::scale(400, 100_000) {
            let route = positions.route(number);
            let counts = confirmed_counts(route.position(), size, &Counter::new());
            assert!(counts.is_ok(), "{number}: {counts:?}");
        }
    }

    #[test]
    fn a_disagreement_is_an_error() {
        let size = size(3, 2, 1_000);
        let wrong = |setup: &Setup, depth| mailbox::perft(setup, depth) + u64::from(depth == 2);
        let error = counts_with(&Position::startpos(), size, &Counter::new(), wrong);
        let error = error.expect_err("one is wrong").to_string();
        for part in [
            "depth 2 of rnbqkbnr/",
            "has 400 leaf nodes by the one, 401 by",
            "fault of perft",
        ] {
            assert!(error.contains(part), "{error}");
        }
    }
}

//! Counts nodes and decides when the search ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::profile::Strength;
use super::time::TimeBudget;
use super::{RunningClock, SearchLimits, SearchSignals};

/// The search has ended; unfinished results are discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchStopped;

/// Nodes between two polls of the clock and the signals: well below a millisecond.
const POLL_NODES: u64 = 256;

/// The node counts of all threads of a search, published from time to time.
#[derive(Debug)]
pub(super) struct NodeCounts(Vec<AtomicU64>);

impl NodeCounts {
    /// Zero nodes for each thread.
    pub(super) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| AtomicU64::new(0)).collect())
    }
}

/// Counts nodes and decides when the search ends.
pub(super) struct Stopper<'a> {
    signals: &'a SearchSignals,
    clock: &'a dyn RunningClock,
    /// Where this thread publishes its count, and its index there.
    shared: Option<(&'a NodeCounts, usize)>,
    nodes: u64,
    node_limit: u64,
    next_poll: u64,
    budget: Option<TimeBudget>,
    /// When our own time started, on the clock; `None` while pondering.
    started: Option<Duration>,
    /// Whether the last iteration would have been the final one if we were not pondering.
    ends_at_hit: bool,
}

impl<'a> Stopper<'a> {
    pub(super) fn new(
        limits: &SearchLimits,
        signals: &'a SearchSignals,
        clock: &'a dyn RunningClock,
    ) -> Self {
        let weak = limits.strength.map_or(u64::MAX, Strength::nodes);
        Self {
            signals,
            clock,
            shared: None,
            nodes: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX).min(weak),
            next_poll: POLL_NODES,
            budget: TimeBudget::new(limits),
            started: (!signals.is_pondering()).then_some(Duration::ZERO),
            ends_at_hit: false,
        }
    }

    /// The same for one of several threads.
    pub(super) fn sharing(self, counts: &'a NodeCounts, thread: usize) -> Self {
        Self {
            shared: Some((counts, thread)),
            ..self
        }
    }

    /// Counts a node; an error if the search has ended.
    #[inline(always)]
    pub(super) fn count_node(&mut self) -> Result<(), SearchStopped> {
        if self.nodes == self.node_limit {
            return Err(SearchStopped);
        }
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            return self.poll();
        }
        Ok(())
    }

    #[cold]
    fn poll(&mut self) -> Result<(), SearchStopped> {
        self.next_poll = self.nodes + POLL_NODES;
        if let Some((counts, thread)) = self.shared {
            counts.0[thread].store(self.nodes, Ordering::Relaxed);
        }
        let past = self.is_past(|budget| budget.hard);
        let late = self.is_our_time() && (past || self.ends_at_hit);
        if late || self.signals.is_stopped() {
            return Err(SearchStopped);
        }
        Ok(())
    }

    /// Whether no further iteration should begin, for a move that deserves `percent` of the usual
    /// time. `settled` means that further iterations cannot change the result; then the search ends
    /// if unused time is saved for later moves. While pondering another iteration always begins,
    /// and the decision takes effect at the ponderhit.
    pub(super) fn ends_iterations_at(&mut self, percent: u32, settled: bool) -> bool {
        let is_past = self.is_past(|budget| budget.soft_at(percent));
        let saves = self.budget.is_some_and(|budget| budget.saves);
        self.ends_at_hit = is_past || settled && saves;
        self.signals.is_stopped()
            || self.nodes == self.node_limit
            || self.ends_at_hit && self.is_our_time()
    }

    /// Whether our own time is running.
    fn is_our_time(&self) -> bool {
        self.started.is_some() || !self.signals.is_pondering()
    }

    fn is_past(&mut self, end: impl Fn(&TimeBudget) -> Duration) -> bool {
        let now = self.clock.elapsed();
        if self.started.is_none() && !self.signals.is_pondering() {
            self.started = Some(now);
        }
        // On a game clock the opponent's time counts too: what was searched while pondering need not
        // be searched again. A fixed time per move starts at the ponderhit, since unused time is
        // lost.
        self.budget.is_some_and(|budget| {
            let spent = if budget.saves {
                now
            } else {
                now.saturating_sub(self.started.unwrap_or(now))
            };
            spent >= end(&budget)
        })
    }

    /// The nodes of this thread, plus those published by the others.
    pub(super) fn nodes(&self) -> u64 {
        let Some((NodeCounts(counts), thread)) = self.shared else {
            return self.nodes;
        };
        let others = counts.iter().enumerate();
        let others = others.filter(|&(index, _)| index != thread);
        let published = others.map(|(_, count)| count.load(Ordering::Relaxed));
        self.nodes + published.sum::<u64>()
    }

    /// The nodes of this thread.
    pub(super) fn own_nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}

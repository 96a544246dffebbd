//! Counts nodes and says when the search is over.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::strength::Strength;
use super::time::Budget;
use super::{Clock, Limits, Signals};

/// The search is over: whatever is unfinished is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Nodes from one look at the clock and the signals to the next: well below a millisecond.
const POLL_NODES: u64 = 256;

/// How many nodes each thread of a search has counted, told now and then.
#[derive(Debug)]
pub(super) struct NodeCounts(Vec<AtomicU64>);

impl NodeCounts {
    /// Nothing counted yet, by so many threads.
    pub(super) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| AtomicU64::new(0)).collect())
    }

    fn of_others(&self, thread: usize) -> u64 {
        let others = self
            .0
            .iter()
            .enumerate()
            .filter(|&(index, _)| index != thread);
        others.map(|(_, count)| count.load(Ordering::Relaxed)).sum()
    }
}

/// Counts nodes and says when the search is over.
pub(super) struct Stopper<'a> {
    signals: &'a Signals,
    clock: &'a dyn Clock,
    /// Where the count is told to the other threads, and the place in it.
    shared: Option<(&'a NodeCounts, usize)>,
    nodes: u64,
    node_limit: u64,
    next_poll: u64,
    budget: Option<Budget>,
    /// When our own time began to run, as the clock has it; nothing while pondering.
    started: Option<Duration>,
}

impl<'a> Stopper<'a> {
    pub(super) fn new(limits: &Limits, signals: &'a Signals, clock: &'a dyn Clock) -> Self {
        let weak = limits.strength.map_or(u64::MAX, Strength::nodes);
        Self {
            signals,
            clock,
            shared: None,
            nodes: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX).min(weak),
            next_poll: POLL_NODES,
            budget: Budget::new(limits),
            started: (!signals.is_pondering()).then_some(Duration::ZERO),
        }
    }

    /// The same for one of several threads.
    pub(super) fn sharing(self, counts: &'a NodeCounts, thread: usize) -> Self {
        Self {
            shared: Some((counts, thread)),
            ..self
        }
    }

    /// Counts a node, unless the search is over.
    #[inline(always)]
    pub(super) fn count_node(&mut self) -> Result<(), Stopped> {
        if self.nodes == self.node_limit {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            return self.poll();
        }
        Ok(())
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        self.next_poll = self.nodes + POLL_NODES;
        if let Some((counts, thread)) = self.shared {
            counts.0[thread].store(self.nodes, Ordering::Relaxed);
        }
        let late = self.is_past(|budget| budget.hard);
        if late || self.signals.is_stopped() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Whether another iteration should not begin.
    pub(super) fn ends_iterations(&mut self) -> bool {
        self.ends_iterations_at(100)
    }

    /// The same where this move deserves so many hundredths of the usual time, if it is ours to
    /// save.
    pub(super) fn ends_iterations_at(&mut self, percent: u32) -> bool {
        self.signals.is_stopped()
            || self.nodes == self.node_limit
            || self.is_past(|budget| budget.soft_at(percent))
    }

    /// Whether time may be saved: it is our own, and the clock goes on running for later moves.
    pub(super) fn saves_time(&mut self) -> bool {
        self.spent().is_some() && self.budget.is_some_and(|budget| budget.saves)
    }

    fn is_past(&mut self, end: impl Fn(&Budget) -> Duration) -> bool {
        match (self.budget, self.spent()) {
            (Some(budget), Some(spent)) => spent >= end(&budget),
            _ => false,
        }
    }

    /// Our own time spent on this search; nothing while pondering. The opponent's time is no
    /// part of it: it begins when the end of pondering is noticed.
    fn spent(&mut self) -> Option<Duration> {
        let now = self.clock.elapsed();
        if self.started.is_none() && self.signals.is_pondering() {
            return None;
        }
        let started = *self.started.get_or_insert(now);
        Some(now.saturating_sub(started))
    }

    /// The nodes counted by this thread, and as far as they have told by the others.
    pub(super) fn nodes(&self) -> u64 {
        let others = self
            .shared
            .map_or(0, |(counts, thread)| counts.of_others(thread));
        self.nodes + others
    }

    /// The nodes counted by this thread.
    pub(super) fn own_nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}

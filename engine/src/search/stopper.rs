//! Counts nodes and says when the search is over.

use std::time::Duration;

use super::strength::Strength;
use super::time::Budget;
use super::{Clock, Limits, Signals};

/// The search is over: whatever is unfinished is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Nodes from one look at the clock and the signals to the next: well below a millisecond.
const POLL_NODES: u64 = 256;

/// Counts nodes and says when the search is over.
pub(super) struct Stopper<'a> {
    signals: &'a Signals,
    clock: &'a dyn Clock,
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
            nodes: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX).min(weak),
            next_poll: POLL_NODES,
            budget: Budget::new(limits),
            started: (!signals.is_pondering()).then_some(Duration::ZERO),
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
        let late = self.is_past(|budget| budget.hard);
        if late || self.signals.is_stopped() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Whether another iteration should not begin.
    pub(super) fn ends_iterations(&mut self) -> bool {
        self.signals.is_stopped()
            || self.nodes == self.node_limit
            || self.is_past(|budget| budget.soft)
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

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}

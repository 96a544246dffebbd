//! Parallel search: independent threads with a shared transposition table (chessprogramming wiki,
//! "Lazy SMP").

use std::num::NonZeroUsize;
use std::thread;

use super::features::{AllFeatures, Config, Features, Switches};
use super::path::KeyPath;
use super::root::Root;
use super::worker::{SearchThread, ThreadHistories};
use crate::eval::Network;
use crate::search::iterations::run;
use crate::search::stopper::{NodeCounts, Stopper};
use crate::search::table::TranspositionTable;
use crate::search::{
    NoClock, STACK_BYTES, SearchLimits, SearchRequest, SearchResult, SearchSignals, SearchUpdate,
};
use chess::rules::cpu::{self, CpuSliders, Multiversioned};

/// Stops the helpers when the main thread is done, even if it panics: otherwise the scope would
/// wait for them forever and hide the panic.
struct StopsAtEnd<'a>(&'a SearchSignals);

impl Drop for StopsAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Shared by all threads of a search.
#[derive(Clone, Copy)]
pub(in crate::search) struct Team<'a> {
    pub(in crate::search) evaluation: &'a Network,
    pub(in crate::search) config: Config<'a>,
    pub(in crate::search) table: &'a TranspositionTable,
    pub(in crate::search) request: SearchRequest<'a>,
}

/// Number of threads of a search.
pub(in crate::search) fn threads(limits: &SearchLimits) -> usize {
    let wanted = NonZeroUsize::new(limits.threads).map_or(1, NonZeroUsize::get);
    let nodes = limits.nodes.unwrap_or(u64::MAX);
    let fed = usize::try_from(nodes).unwrap_or(usize::MAX);
    // The scale of `UCI_Elo` was measured with one thread.
    if limits.strength.is_some() {
        1
    } else {
        // No thread may have an empty share of the node limit.
        wanted.min(fed).max(1)
    }
}

impl Team<'_> {
    /// Searches with one thread per memory: the main search, which reports and manages the time, on
    /// the calling thread, and helpers. If the system cannot start more threads, it uses fewer.
    pub(in crate::search) fn search(
        self,
        memories: &mut [ThreadHistories],
        report: &mut dyn FnMut(&SearchUpdate),
    ) -> SearchResult {
        let features = self.config.features;
        if features == Features::TOUCHSTONE {
            cpu::with_sliders(TeamSearch(self, AllFeatures, memories, report))
        } else {
            cpu::with_sliders(TeamSearch(self, features, memories, report))
        }
    }
}

/// A search, compiled for each slider implementation, and for all features and for some.
struct TeamSearch<'a, 'm, F>(
    Team<'a>,
    F,
    &'m mut [ThreadHistories],
    &'m mut dyn FnMut(&SearchUpdate),
);

impl<F: Switches> Multiversioned for TeamSearch<'_, '_, F> {
    type Output = SearchResult;

    #[inline(always)]
    fn run<S: CpuSliders>(self, sliders: S) -> SearchResult {
        let Self(team, switches, memories, report) = self;
        let counts = NodeCounts::new(memories.len());
        let limits = shares(team.request.limits, memories.len());
        let stop = SearchSignals::new(false);
        let (own, others) = memories.split_first_mut().expect("there is a thread");
        // Only shared data goes to the helpers.
        let Team {
            evaluation,
            config,
            table,
            request,
        } = team;
        let path = KeyPath::new(request.game);
        let position = *request.game.position();
        thread::scope(|scope| {
            let _stops = StopsAtEnd(&stop);
            for (memory, thread) in others.iter_mut().zip(1..) {
                let (path, limits, counts, stop) = (path.clone(), &limits[1], &counts, &stop);
                let help = move || {
                    // Helpers ignore the time and are stopped.
                    let stopper = Stopper::new(limits, stop, &NoClock).sharing(counts, thread);
                    let worker = SearchThread::new(
                        (evaluation, sliders, switches),
                        config,
                        table,
                        memory,
                        stopper,
                        path,
                    );
                    run(
                        &mut Root::new(worker, position, limits),
                        limits,
                        &mut |_| {},
                    );
                };
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                let helper = builder
                    .name(format!("helper {thread}"))
                    .spawn_scoped(scope, help);
                if helper.is_err() {
                    break;
                }
            }
            let stopper =
                Stopper::new(&limits[0], request.signals, request.clock).sharing(&counts, 0);
            let worker = SearchThread::new(
                (evaluation, sliders, switches),
                config,
                table,
                own,
                stopper,
                path,
            );
            let mut root = Root::new(worker, position, &limits[0]);
            run(&mut root, &limits[0], report)
        })
    }
}

/// The limits of the main thread and of each helper: the node limit is split, and helpers run until
/// they are stopped.
fn shares(limits: &SearchLimits, threads: usize) -> [SearchLimits; 2] {
    let count = u64::try_from(threads).expect("threads are few");
    let share = limits.nodes.map(|nodes| nodes / count);
    let rest = limits
        .nodes
        // The shares add up to the limit exactly, which must not be exceeded.
        .map(|nodes| nodes - nodes / count * (count - 1));
    let first = SearchLimits {
        nodes: rest,
        ..limits.clone()
    };
    let helper = SearchLimits {
        nodes: share,
        depth: None,
        movetime: None,
        clock: None,
        ..limits.clone()
    };
    [first, helper]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_shared_out_to_the_last_one() {
        for (nodes, threads) in [(1, 1), (7, 3), (1000, 16), (16, 16)] {
            let limits = SearchLimits::to_nodes(nodes);
            let count = u64::try_from(threads).expect("few");
            let [first, helper] =
                shares(&limits, threads).map(|limits| limits.nodes.expect("given"));
            assert_eq!(first + helper * (count - 1), nodes);
            assert!(helper > 0);
        }
    }

    #[test]
    fn no_thread_is_without_nodes_and_weakness_has_one() {
        let limits = |threads, nodes, elo| SearchLimits {
            threads,
            nodes,
            strength: crate::search::Strength::from_elo(elo),
            ..SearchLimits::default()
        };
        assert_eq!(threads(&limits(0, None, 0)), 1);
        assert_eq!(threads(&limits(4, None, 0)), 4);
        assert_eq!(threads(&limits(4, Some(3), 0)), 3);
        assert_eq!(threads(&limits(4, Some(0), 0)), 1);
        assert_eq!(threads(&limits(4, None, 1500)), 1);
    }
}

//! One test on many machines: a coordinator that owns the run, workers that play its pairs, and a
//! broker between them ([`queue::Broker`]).
//!
//! ```text
//! coordinator -> job: configuration, programs by hash or commit, one unit for each pair with its opening
//! worker      <- leases pairs, plays both games, sends back their records and heartbeats
//! coordinator <- results in any order -> check, ledger, tally: the same run directory as on one machine
//! ```
//!
//! Pure modules: `protocol`, `check` (verifies results), `worker_stats` (sums up each worker's
//! games) and `deviation`, which finds workers that differ from all others by the test in
//! `stats::homogeneity`. Modules with I/O: `coordinate` is the loop that owns the run, `task`
//! plays pairs, `speed` measures a machine and adapts times to it, `retry` repeats calls that
//! failed.
//!
//! Only the coordinator computes statistics, on the pairs in schedule order, whichever worker
//! played them. Workers decide nothing, and their results are accepted only if they agree with the
//! rules of chess, the schedule and the configuration.

pub mod check;
pub mod coordinate;
pub mod deviation;
pub mod protocol;
pub mod retry;
pub mod speed;
pub mod task;
pub mod worker_stats;

//! What the workers and the server of a lab share about pairs of games.
//!
//! ```text
//! server -> job: configuration, programs by hash or commit, one unit for each pair with its opening
//! worker <- leases pairs, plays both games, sends back their records and heartbeats
//! server <- results in any order -> check, count: the same verdict as on one machine
//! ```
//!
//! Pure modules: `protocol`, `check` (verifies results), `worker_stats` (sums up each worker's
//! games) and `deviation`, which finds workers that differ from all others by the test in
//! `stats::homogeneity`. Modules with I/O: `task` plays pairs, `speed` measures a machine and adapts
//! times to it.
//!
//! Only the server computes statistics (`lab`), on the pairs in schedule order, whichever
//! worker played them. Workers decide nothing, and their results are accepted only if they agree
//! with the rules of chess, the schedule and the configuration.

pub mod check;
pub mod deviation;
pub mod protocol;
pub mod speed;
pub mod task;
pub mod worker_stats;

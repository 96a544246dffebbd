//! One test on many machines: a coordinator that owns the run, workers that play its pairs, a broker
//! between them ([`::fleet::Broker`]).
//!
//! ```text
//! coordinator -> job: configuration, programs by hash or commit, one unit for each pair with its opening
//! worker      <- leases pairs, plays both games, sends back their records; says that it is alive
//! coordinator <- results in any order -> check, ledger, tally: the same run directory as on one machine
//! ```
//!
//! The pure middle: [`words`] are what is said, [`check`] whether a result is what was asked for,
//! [`scale`] times on faster and slower machines, [`conduct`] what each worker has brought, [`deviation`]
//! and [`chance`] who is not like the others. The edge: [`coordinate`] the one loop that owns the run,
//! [`worker`] those who play, [`speed`] and [`program`] what a machine is and has, [`patient`] a broker that is
//! waited for.
//!
//! Only the coordinator computes: it sees pairs in the order of the schedule, whoever played them. Workers decide
//! nothing, and nothing they send is believed unless board, schedule and configuration agree with it.

pub mod chance;
pub mod check;
pub mod conduct;
#[cfg(unix)]
pub mod coordinate;
pub mod deviation;
#[cfg(unix)]
pub mod patient;
#[cfg(unix)]
pub mod program;
pub mod scale;
#[cfg(unix)]
pub mod speed;
pub mod words;
#[cfg(unix)]
pub mod worker;

//! `perft count --fleet URL` and `perft worker URL`: a count on many machines.
//!
//! The units of a count become a job at a broker ([`plan`], pure). Workers lease them in chunks,
//! count them and submit the results ([`Workplace`], over a [`task`]). The process that posted the
//! job follows it ([`Follow`]) and sums up the results ([`Tally`], pure). Both edges wait for an
//! unreachable broker ([`Patience`]), and neither keeps state of its own: each may crash at any
//! moment.

mod follow;
mod heartbeat;
mod patience;
mod plan;
mod tally;
mod task;
#[cfg(test)]
mod tests;
mod worker;

pub(crate) use follow::{Follow, FollowError, Followed};
pub(crate) use patience::{AskError, Patience};
pub(crate) use plan::{CUT, MOST_UNITS_PER_CHUNK, Plan};
pub(crate) use tally::{Doubt, ResultError, Tally};
pub(crate) use worker::{Pace, Workplace};

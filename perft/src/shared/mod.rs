//! `perft count --fleet URL` and `perft worker URL`: a count on many machines.
//!
//! The units of a count become a job of a broker ([`plan`], pure); workers lease them in chunks, count
//! and bring the results ([`Workplace`], over a [`task`]); who gave the job follows it ([`Follow`]) and
//! sums up what was brought ([`Tally`], pure). Both edges wait for a broker that cannot be reached
//! ([`Patience`]), and neither remembers anything that is not at the broker: each may die at any moment.

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

//! `perft count --fleet URL` and `perft worker URL`: a count on many machines.
//!
//! The units of a count become a job at a broker ([`job`], pure). Workers lease them in chunks,
//! count them ([`chunk`]) and submit the results ([`worker`]). The process that posted the job
//! follows it ([`follow`]) and sums up the results ([`results`], pure). Both edges wait for an
//! unreachable broker ([`queue::RetryPolicy`]), and neither keeps state of its own: each may crash at any moment.

mod chunk;
#[cfg(test)]
mod faulty_broker;
pub(crate) mod follow;
pub(crate) mod job;
pub(crate) mod results;
#[cfg(test)]
mod tests;
pub(crate) mod worker;

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

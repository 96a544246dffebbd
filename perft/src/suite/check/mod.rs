//! Checking suites by our own generator: what to count ([`plan`]), the results ([`ledger`]) and the
//! threads that count ([`run`], the edge).

pub(crate) mod ledger;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod times;

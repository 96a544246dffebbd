//! Mate suites: which known mates an engine finds, how long they are, and whether its announcements
//! and PVs are right.
//!
//! [`tally`] counts, [`verdict`] judges, [`report`] writes; [`history`] keeps the results of
//! versions, and [`plot`] draws them. Searches are those of [`crate::run`], and so are their judgements, one by one.

pub(crate) mod history;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod tally;
pub(crate) mod verdict;

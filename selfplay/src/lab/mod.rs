//! Tests on a lab's server. [`spec`] is what people submit, [`summary`] what they see of it: plain
//! values in JSON that the server, its pages and the command line share. [`plan`] makes a run of a
//! test, and [`conduct`] counts its results; `tuning` computes the values of a tuning. Pure.

#[doc(hidden)]
pub mod conduct;
#[doc(hidden)]
mod figures;
#[doc(hidden)]
pub mod of_run;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod rounds;
pub mod spec;
pub mod summary;
mod tuning;

//! Tests on a lab's server. [`spec`] is what people submit, [`summary`] what they see of it: plain
//! values in JSON that the server, its pages and the command line share. [`plan`] makes a run of a
//! test, and [`conduct`] counts its results. Pure.

#[doc(hidden)]
pub mod conduct;
#[doc(hidden)]
pub mod of_run;
#[doc(hidden)]
pub mod plan;
pub mod spec;
pub mod summary;

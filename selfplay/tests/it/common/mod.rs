//! What several test beds share.

mod bed;
#[cfg(unix)]
mod repository;

pub(crate) use bed::{Bed, Ended, PLENTY, assert_nobody_in, commands, selfplay, wait, wait_until};
#[cfg(unix)]
pub(crate) use bed::{interrupt, send};
#[cfg(unix)]
pub(crate) use repository::{BUILD, make_repository};
pub(crate) use testkit::programs::scripted_engine;

//! One job on many machines: its units are leased to workers, their results kept once and compared.
//!
//! [`Broker`] is the one door. Behind it stand [`InProcess`], for workers that are threads of one
//! program, and a `PostgreSQL` server with the queue PGMQ (feature `postgres`). Both keep the same rules:
//!
//! - A result belongs to its key, (job, unit). A second result for a key is never taken; where the
//!   job wants it, it is compared with the first, and a difference raises an [`Alarm`] that names
//!   both workers.
//! - What a [`Lease`] carries is done by one worker as long as it is heard of in time; then it is
//!   leased again. What the late worker brings is treated as any second result.
//! - A job is done when every one of its units has a result, not when its queue is empty.
//! - A job that is stopped hands out no leases, and says so to those who hold one.
//!
//! Deliberately absent: chess, and what units and results mean; to the broker they are text.

mod broker;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "postgres")]
mod connect;
mod error;
mod in_process;
#[cfg(feature = "install")]
mod install;
mod model;
#[cfg(feature = "postgres")]
mod postgres;
mod units;

pub use broker::Broker;
#[cfg(feature = "postgres")]
pub use connect::connect;
pub use error::BrokerError;
pub use in_process::InProcess;
#[cfg(feature = "install")]
pub use install::{Installed, install};
pub use model::{
    Alarm, Chunk, Completed, Job, JobState, Lease, Progress, Put, Recorded, Second, Standing, Unit,
    UnitResult, Worker, WorkerState,
};

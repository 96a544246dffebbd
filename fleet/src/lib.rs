//! One job on many machines: its units are leased to workers, and their results recorded once.
//!
//! [`Broker`] is the interface. It is implemented by [`InProcess`], for workers that are threads of
//! one process, and by a `PostgreSQL` server with the queue PGMQ (feature `postgres`). Both follow
//! the same rules:
//!
//! - A result belongs to its key, (job, unit). Only the first result for a key is kept; if the job
//!   requests it, a second one is compared with the first, and a difference raises an [`Alarm`]
//!   that names both workers.
//! - A [`Lease`] belongs to one worker as long as its heartbeats arrive in time; after that, its
//!   chunk is leased again. Late results are treated like any second result.
//! - A job is done when every one of its units has a result, not when its queue is empty.
//! - A stopped job hands out no leases, and informs the workers that hold one.
//!
//! [`HeldLease`] and [`RetryPolicy`] are what every worker needs: heartbeats while it works, and
//! patience while a broker cannot be reached.
//!
//! Deliberately absent: chess, and the meaning of units and results, which the broker treats as
//! text.

mod broker;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "postgres")]
mod connect;
mod held;
mod in_process;
#[cfg(feature = "install")]
mod install;
mod model;
mod name;
#[cfg(feature = "postgres")]
mod postgres;
mod retry;

pub use broker::Broker;
#[cfg(feature = "postgres")]
pub use connect::connect;
pub use held::{Cancellation, HeldLease};
pub use in_process::InProcess;
#[cfg(feature = "install")]
pub use install::{Installed, install};
pub use model::{
    Alarm, BrokerError, Chunk, Completed, Job, JobState, Lease, Progress, Put, Recorded, Second,
    Standing, Unit, UnitResult, Worker, WorkerState,
};
pub use name::worker_name;
pub use retry::{AskError, RetryPolicy};

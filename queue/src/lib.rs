//! One job on many machines: its units are leased to workers, and their results recorded once.
//!
//! [`Broker`] is the interface. It is implemented by [`InProcess`], for workers that are threads of
//! one process, and by [`connect`] (feature `http`), the client of the server `fleet serve`. Both
//! follow the same rules:
//!
//! - A result belongs to its key, (job, unit). Only the first result for a key is kept; if the job
//!   requests it, a second one is compared with the first, and a difference raises an [`Alarm`]
//!   that names both workers.
//! - A [`Lease`] belongs to one worker as long as its heartbeats arrive in time; after that, its
//!   chunk is leased again. Late results are treated like any second result.
//! - A job is done when every one of its units has a result, not when its queue is empty.
//! - A stopped job hands out no leases, and informs the workers that hold one.
//! - A worker that cannot do a job returns its chunk with the reason and does others.
//!
//! [`HeldLease`] and [`RetryPolicy`] are what every worker needs: heartbeats while it works, and
//! patience while a broker cannot be reached; [`work::WorkerLoop`] is the loop of all workers.
//! [`Following`] is the other side: it waits for a job.
//!
//! Deliberately absent: chess, databases, and the meaning of units and results, which the broker
//! treats as text.

mod broker;
#[cfg(feature = "cli")]
pub mod cli;
mod follow;
mod held;
#[cfg(feature = "http")]
mod http;
mod in_process;
mod model;
mod name;
pub mod program;
mod retry;
pub mod wire;
pub mod work;

pub use broker::Broker;
pub use follow::{FollowError, Following, RECENT_MS, Verified, undecided};
pub use held::{Cancellation, HeldLease};
#[cfg(feature = "http")]
pub use http::{LabClient, connect, connect_with_environment};
pub use in_process::InProcess;
pub use model::{
    Alarm, BrokerError, Chunk, Job, JobState, Lease, Progress, Put, Recorded, Second, Standing,
    Unit, UnitResult, Units, Worker, WorkerState, is_done_twice,
};
pub use name::worker_name;
pub use retry::{AskError, RetryPolicy};

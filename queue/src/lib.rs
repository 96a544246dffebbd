//! One job on many machines: its units are leased to workers, and their results recorded once.
//!
//! [`Broker`] is the interface of workers. It is implemented by [`connect`] (feature `http`), the client of the server
//! `fleet serve`, and by [`InProcess`], for tests whose workers are threads of one process. Both follow the same rules:
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
//! `lab` (feature `lab`) is the other side: a test is submitted and waited for.
//!
//! Deliberately absent: chess, databases, and the meaning of units and results, which the broker
//! treats as text.

mod broker;
mod held;
#[cfg(feature = "http")]
mod http;
mod in_process;
#[cfg(feature = "lab")]
pub mod lab;
mod model;
mod name;
pub mod program;
mod retry;
pub mod wire;
pub mod work;

pub use broker::{Broker, Jobs};
pub use held::{Cancellation, HeldLease};
#[cfg(feature = "http")]
pub use http::{LabClient, connect, connect_with_environment};
pub use in_process::InProcess;
pub use model::{
    Alarm, BrokerError, Chunk, Job, JobState, Lease, Progress, Put, Recorded, Second, Standing,
    Unit, UnitResult, Units, Worker, WorkerState, is_done_twice, undecided,
};
pub use name::worker_name;
pub use retry::{AskError, RetryPolicy};

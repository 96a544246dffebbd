//! What travels between a lab's server and its clients: JSON over HTTPS, `/api/1/...`.
//!
//! Every request carries `Authorization: Bearer TOKEN`. A worker's token permits the calls under
//! `/api/1/worker/`, an account's token all others. Errors are problem details (RFC 9457) whose
//! `code` is one of [`code`].
//!
//! | call | body | answer |
//! |---|---|---|
//! | `POST /api/1/worker/register` | [`Register`] | [`Registered`] |
//! | `POST /api/1/worker/lease` | [`LeaseRequest`] | 200 [`LeaseBody`], or 204: nothing now |
//! | `POST /api/1/worker/heartbeat` | [`Heartbeat`] | [`crate::Standing`] |
//! | `POST /api/1/worker/complete` | [`Complete`] | 204 |
//! | `POST /api/1/worker/return` | [`Return`] | 204 |
//! | `POST /api/1/tests/{id}/discard` | [`Discard`] | [`Discarded`] |
//! | `GET /api/1/tests/{id}/results?after=N&limit=N` | | a list of [`crate::Recorded`] |
//! | `GET /api/1/workers` | | a list of [`crate::WorkerState`] |
//! | `POST /api/1/workers/{name}/quarantine` | [`Reason`] | 204 |

use serde::{Deserialize, Serialize};

use crate::{Unit, UnitResult};

/// The codes of errors that clients distinguish.
pub mod code {
    /// There is no such job.
    pub const NO_JOB: &str = "no-job";
    /// A different job with this name exists; the detail is the field.
    pub const OTHER_JOB: &str = "other-job";
    /// The chunks do not contain the units of the job; the detail says where.
    pub const UNITS: &str = "units";
    /// A result is for a unit outside its lease, or the lease is not this worker's.
    pub const NOT_LEASED: &str = "not-leased";
    /// There is no such worker, or it is not registered.
    pub const NO_WORKER: &str = "no-worker";
    /// The worker is quarantined; the detail is the reason.
    pub const QUARANTINED: &str = "quarantined";
    /// The token is missing or revoked.
    pub const UNAUTHORIZED: &str = "unauthorized";
    /// The token may not do this.
    pub const FORBIDDEN: &str = "forbidden";
}

/// The body of an error: problem details with a code.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// What kind of error, one of [`code`] if clients distinguish it.
    pub code: String,
    /// What happened, for people.
    pub detail: String,
}

/// What a worker is able to do; the server leases only jobs that need no more.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Abilities {
    /// Number of CPU cores that the worker uses.
    pub cores: u32,
    /// Memory that the worker may use, in MiB.
    pub memory_mib: u64,
    /// Tool chains, tablebases and other things it has, such as `cargo`, `syzygy-6`, `avx2`.
    pub has: Vec<String>,
    /// Perft nodes per second and thread, measured by the fixed protocol; 0 if not measured.
    pub speed: u64,
    /// Program and version.
    pub version: String,
    /// Operating system and architecture.
    pub system: String,
}

/// A worker begins.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    /// A description of the machine, shown to people: JSON in the format of the worker's program.
    pub about: String,
    /// What it is able to do.
    #[serde(default)]
    pub abilities: Abilities,
}

/// The answer to [`Register`].
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registered {
    /// The name of the worker, which belongs to its token.
    pub name: String,
}

/// A request for work.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRequest {
    /// The kinds that the worker can do, with their versions.
    pub kinds: Vec<String>,
    /// How long the chunk stays reserved after the worker falls silent, in milliseconds.
    pub visibility_ms: u64,
    /// Jobs whose bodies the worker has: they are not sent again.
    #[serde(default)]
    pub known_jobs: Vec<String>,
}

/// A chunk of work.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseBody {
    /// What the worker returns with results and heartbeats; opaque.
    pub token: String,
    /// The job.
    pub job: String,
    /// Its kind.
    pub kind: String,
    /// Its body, unless the worker has it.
    pub body: Option<String>,
    /// Number of units of the job.
    pub job_units: u64,
    /// The number of the chunk within the job.
    pub chunk: u64,
    /// The units of the chunk.
    pub units: Vec<Unit>,
}

/// A lease continues.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The token of the lease.
    pub token: String,
    /// As in [`LeaseRequest`].
    pub visibility_ms: u64,
}

/// Results of a lease.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complete {
    /// The token of the lease.
    pub token: String,
    /// Some or all of its results.
    pub results: Vec<UnitResult>,
}

/// An unfinished chunk comes back.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Return {
    /// The token of the lease.
    pub token: String,
    /// Why this worker cannot do the job; nothing if it only ends.
    #[serde(default)]
    pub inability: Option<String>,
}

/// A reason, for people.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The text.
    pub reason: String,
}

/// Whose results of a job are discarded.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discard {
    /// The name of the worker.
    pub worker: String,
}

/// The answer to [`Discard`].
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discarded {
    /// Number of results discarded.
    pub results: u64,
}

/// The probability that a worker which lies about the part `lie` (0 to 1) of its `units` went unseen,
/// if `checked` of them were done again by an honest one: (1 - lie)^checked, since which units are
/// checked is decided without knowing what is wrong; none if all were. That of a job is the largest
/// of those of its workers.
pub fn unseen(checked: u64, units: u64, lie: f64) -> f64 {
    if checked == 0 {
        return 1.0;
    }
    if checked >= units {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "a count of units")]
    let checked = checked as f64;
    // `ln_1p` and `exp` are exact for a small `lie`, where 1 - lie is rounded.
    (checked * (-lie.clamp(0.0, 1.0)).ln_1p()).exp()
}

/// How far the results of a job are verified.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether results of the job can be compared at all.
    pub compares: bool,
    /// Number of units with a result.
    pub done: u64,
    /// Number of units whose result another worker confirmed.
    pub verified: u64,
    /// Number of units that another worker is to do again.
    pub checking: u64,
    /// Number of workers whose results count.
    pub workers: u64,
    /// The probability that a worker which lies about 1 % of its units went unseen, from 0 to 1.
    pub unseen_1_percent: f64,
    /// The same for 10 %.
    pub unseen_10_percent: f64,
}

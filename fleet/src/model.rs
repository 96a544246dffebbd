//! The values that the rooms of the server share.

use serde::{Deserialize, Serialize};

/// The number of an account.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx::Type,
)]
#[sqlx(transparent)]
pub struct AccountId(pub i32);

/// The number of a worker.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx::Type,
)]
#[sqlx(transparent)]
pub struct WorkerId(pub i32);

/// The number of a job.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx::Type,
)]
#[sqlx(transparent)]
pub struct JobNumber(pub i32);

/// What a person may do; each role may do all that those before it may.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type,
)]
#[serde(rename_all = "kebab-case")]
#[sqlx(type_name = "text", rename_all = "kebab-case")]
pub enum Role {
    /// Submits tests, and stops its own; has workers.
    Author,
    /// Approves tests and repositories, stops any test, quarantines workers.
    Maintainer,
    /// Invites people, resets passwords, disables accounts.
    Administrator,
}

/// A person, identified by a session or a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// Its unique name.
    pub name: String,
    /// What it may do.
    pub role: Role,
}

/// A worker, identified by its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerIdentity {
    /// Its number.
    pub id: WorkerId,
    /// Its unique name.
    pub name: String,
    /// To whom it belongs.
    pub owner: AccountId,
    /// Why it is quarantined, if it is.
    pub quarantined: Option<String>,
}

/// What a worker must have for a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Needs {
    /// Number of CPU cores.
    pub cores: u32,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// Tool chains, tablebases and other things, as in [`queue::wire::Abilities::has`].
    pub has: Vec<String>,
}

/// Where a job is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "kebab-case")]
#[sqlx(type_name = "text", rename_all = "kebab-case")]
pub enum JobStage {
    /// A maintainer must approve it.
    Pending,
    /// It waits for another job, or to be prepared.
    Waiting,
    /// Its chunks are leased.
    Running,
    /// All its units have results, or its test is decided.
    Done,
    /// Somebody stopped it.
    Stopped,
    /// A maintainer must look at it: workers could not do it, fell silent over it, or disagree.
    Flagged,
    /// A maintainer rejected it.
    Rejected,
}

/// The ability of a machine whose speed is known: it plays games in time.
pub const TIMED: &str = "timed";
/// The ability of a machine that builds engines from their source.
pub const BUILDS: &str = "builds";

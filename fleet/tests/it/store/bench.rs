//! A lab on a server of its own, and the queue as a broker that blocks.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fleet::model::{AccountId, WorkerId, WorkerIdentity};
use fleet::store::Database;
use fleet::store::work::{PutOptions, Work, WorkError, WorkTuning};
use queue::wire::{Abilities, LeaseRequest, Register};
use queue::{
    Alarm, Broker, BrokerError, Chunk, Job, JobState, Jobs, Lease, Progress, Put, Recorded,
    Standing, UnitResult, Worker, WorkerState,
};
use tokio::runtime::Runtime;

use crate::common::{OwnDatabase, Server, own_database};

/// Nothing is remembered, so that every call sees what others did.
pub(crate) fn immediate() -> WorkTuning {
    WorkTuning {
        jobs_for: Duration::ZERO,
        dry_for: Duration::ZERO,
        other_owner_for: Duration::ZERO,
        third_share: 0.0,
        seen_every: Duration::ZERO,
        ..WorkTuning::default()
    }
}

/// A database, a pool, and the queue on it.
pub(crate) struct Lab {
    pub(crate) runtime: Runtime,
    pub(crate) own: Mutex<OwnDatabase>,
    pub(crate) work: Work,
    pub(crate) database: Database,
    /// By name, as they were put.
    jobs: Mutex<HashMap<String, Job>>,
    /// How often chunks were leased, which workers do not see.
    attempts: Mutex<HashMap<(String, u64), u32>>,
}

impl Lab {
    pub(crate) fn new(tuning: WorkTuning) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let own = runtime.block_on(own_database());
        let url = own.url();
        Self::at(&url, own, runtime, tuning, 10)
    }

    /// On a server of its own.
    pub(crate) fn on(server: Server, tuning: WorkTuning, connections: u32) -> Self {
        let own = OwnDatabase::on(server);
        let url = own.url();
        let runtime = Runtime::new().expect("a runtime");
        Self::at(&url, own, runtime, tuning, connections)
    }

    /// By this URL, which leads to the database.
    pub(crate) fn at(
        url: &str,
        own: OwnDatabase,
        runtime: Runtime,
        tuning: WorkTuning,
        connections: u32,
    ) -> Self {
        let (database, work) = runtime.block_on(async {
            let database = Database::open(url, connections).await.expect("a database");
            let work = Work::with(database.clone(), tuning).await.expect("a queue");
            (database, work)
        });
        for owner in ["ann", "bob"] {
            let sql = format!("insert into lab.accounts (name, role) values ('{owner}', 'author')");
            own.sql(&sql).expect("a new account");
        }
        Self {
            runtime,
            own: Mutex::new(own),
            work,
            database,
            jobs: Mutex::default(),
            attempts: Mutex::default(),
        }
    }

    /// Adds a worker of an owner, 1 or 2, whose token nobody knows.
    pub(crate) fn enlist(&self, name: &str, owner: i32) -> WorkerIdentity {
        self.runtime.block_on(async {
            sqlx::query(
                "insert into lab.workers (owner, name, hash) values ($1, $2, sha256($2::bytea))
                    on conflict do nothing",
            )
            .bind(owner)
            .bind(name)
            .execute(&self.database.pool)
            .await
            .expect("a new worker");
        });
        self.identity(name).expect("it is there")
    }

    /// What the token of a worker shows, at this moment.
    pub(crate) fn identity(&self, name: &str) -> Result<WorkerIdentity, BrokerError> {
        let sql = "select id, owner, quarantine_reason from lab.workers where name = $1";
        let asked = sqlx::query_as(sql)
            .bind(name)
            .fetch_optional(&self.database.pool);
        let found: Option<(WorkerId, AccountId, Option<String>)> = self
            .runtime
            .block_on(asked)
            .map_err(|error| BrokerError::Unreachable(error.into()))?;
        let (id, owner, quarantined) =
            found.ok_or_else(|| BrokerError::NoWorker(name.to_owned()))?;
        Ok(WorkerIdentity {
            id,
            name: name.to_owned(),
            owner,
            quarantined,
        })
    }

    /// A number, quicker than by [`Lab::sql`].
    pub(crate) fn count(&self, sql: &'static str) -> i64 {
        let asked = sqlx::query_scalar(sql).fetch_one(&self.database.pool);
        self.runtime.block_on(asked).expect("good SQL")
    }

    pub(crate) fn sql(&self, sql: &str) -> String {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.sql(sql).expect("good SQL").trim().to_owned()
    }

    fn block<T>(&self, call: impl Future<Output = Result<T, WorkError>>) -> Result<T, BrokerError> {
        self.runtime.block_on(call).map_err(as_client)
    }
}

/// As a client of the server would have it.
fn as_client(error: WorkError) -> BrokerError {
    match error {
        WorkError::NoJob(id) => BrokerError::NoJob(id),
        WorkError::OtherJob { id, field } => BrokerError::OtherJob {
            id,
            field: field.to_owned(),
        },
        WorkError::Units {
            id,
            chunk,
            found,
            expected,
        } => BrokerError::Units {
            id,
            chunk,
            found,
            expected,
        },
        WorkError::NoWorker(name) => BrokerError::NoWorker(name),
        WorkError::Quarantined { worker, reason } => BrokerError::Quarantined { worker, reason },
        error if error.is_passing() => BrokerError::Unreachable(error.into()),
        error => BrokerError::Failed(error.to_string()),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("short")
}

impl Broker for Lab {
    fn register(&self, worker: &Worker) -> Result<(), BrokerError> {
        let identity = self.enlist(&worker.name, 1);
        let register = Register {
            about: worker.about.clone(),
            abilities: Abilities::default(),
        };
        self.block(self.work.register(&identity, &register))
    }

    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError> {
        let identity = self.identity(worker)?;
        let request = LeaseRequest {
            kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
            visibility_ms: milliseconds(visibility),
            known_jobs: Vec::new(),
        };
        let Some(body) = self.block(self.work.lease(&identity, &request))? else {
            return Ok(None);
        };
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let job = jobs[&body.job].clone();
        assert_eq!(body.body.as_ref(), Some(&job.body));
        assert_eq!((&body.kind, body.job_units), (&job.kind, job.units));
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let attempt = attempts.entry((body.job, body.chunk)).or_default();
        *attempt += 1;
        Ok(Some(Lease {
            token: body.token,
            worker: worker.to_owned(),
            job,
            chunk: body.chunk,
            units: body.units,
            attempt: *attempt,
        }))
    }

    fn heartbeat(&self, lease: &Lease, visibility: Duration) -> Result<Standing, BrokerError> {
        let identity = self.identity(&lease.worker)?;
        let visibility = milliseconds(visibility);
        self.block(self.work.heartbeat(&identity, &lease.token, visibility))
    }

    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<(), BrokerError> {
        let identity = self.identity(&lease.worker)?;
        let completed = self
            .runtime
            .block_on(self.work.complete(&identity, &lease.token, results));
        completed.map_err(|error| match error {
            WorkError::NotLeased(_) => {
                let is_stray =
                    |result: &&UnitResult| !lease.units.iter().any(|unit| unit.key == result.key);
                BrokerError::NotLeased {
                    id: lease.job.id.clone(),
                    chunk: lease.chunk,
                    key: results.iter().find(is_stray).map_or(0, |result| result.key),
                }
            }
            error => as_client(error),
        })
    }

    fn give_back(&self, lease: &Lease, inability: Option<&str>) -> Result<(), BrokerError> {
        let identity = self.identity(&lease.worker)?;
        self.block(self.work.give_back(&identity, &lease.token, inability))
    }
}

impl Jobs for Lab {
    fn put(&self, job: &Job, chunks: &mut dyn Iterator<Item = Chunk>) -> Result<Put, BrokerError> {
        let put = self.block(async {
            let options = PutOptions::default();
            let mut put = self.work.begin_put(AccountId(1), job, options).await?;
            loop {
                let some: Vec<Chunk> = chunks.take(1_000).collect();
                if some.is_empty() {
                    break;
                }
                put.add(some).await?;
            }
            put.finish().await
        })?;
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.insert(job.id.clone(), job.clone());
        Ok(put)
    }

    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError> {
        self.block(self.work.stop(job, reason))
    }

    fn quarantine(&self, worker: &str, reason: &str) -> Result<(), BrokerError> {
        self.block(self.work.quarantine(worker, reason))
    }

    fn discard(&self, job: &str, worker: &str) -> Result<u64, BrokerError> {
        self.block(self.work.discard(job, worker))
    }

    fn progress(&self, job: &str) -> Result<Progress, BrokerError> {
        self.block(self.work.progress(job))
    }

    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError> {
        self.block(self.work.results(job, after, limit))
    }

    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError> {
        self.block(self.work.alarms(job))
    }

    fn jobs(&self) -> Result<Vec<JobState>, BrokerError> {
        self.block(self.work.jobs())
    }

    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError> {
        self.block(self.work.workers())
    }
}

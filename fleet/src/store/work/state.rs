//! What the calls of a server share: the database, the key of tokens, the schedule, and what is
//! remembered for a moment. An edge: it reads the clock.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chacha20::ChaCha12Rng;
use rand::rngs::SysRng;
use rand::{RngExt as _, SeedableRng as _, TryRng as _};
use sqlx::types::Json;
use sqlx::{FromRow, Postgres, Transaction};

use super::error::WorkError;
use super::token::TokenKeys;
use crate::model::{AccountId, JobNumber, Needs, WorkerId};
use crate::policy::schedule::{OpenJob, Schedule};
use crate::policy::verify::THIRD_SHARE;
use crate::store::Database;

/// Number of jobs whose bodies are remembered.
const KEPT_HEADS: usize = 256;
/// So many units may be done between two looks at all jobs.
const NEAR_END: i64 = 10_000;
const SECRET_BYTES: usize = 32;

/// Whether a result is possible at all, else why not; and its fingerprint, in which two honest
/// workers agree, or `None` if results cannot be compared. Arguments: the kind, the job's body, the
/// unit's body and the result.
pub type ResultCheck = fn(&str, &str, &str, &str) -> Result<Option<String>, String>;

/// Takes every result as it is.
///
/// # Errors
/// None.
pub fn any_value(
    _kind: &str,
    _body: &str,
    _unit: &str,
    value: &str,
) -> Result<Option<String>, String> {
    Ok(Some(value.to_owned()))
}

/// For how long a lab keeps what it does not need to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Entries of the audit log that are older than so many days are deleted; 0 keeps all.
    pub audit_days: u32,
    /// Results of jobs that ended so many days ago are moved to their archives, where they take less
    /// room; 0 leaves them where they are.
    pub archive_after_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            audit_days: 400,
            archive_after_days: 0,
        }
    }
}

/// How a server distributes work.
#[derive(Clone, Copy, Debug)]
pub struct WorkTuning {
    /// For how long the list of jobs is remembered.
    pub jobs_for: Duration,
    /// For how long a job that had nothing for a worker is not looked at for it.
    pub dry_for: Duration,
    /// For how long a check waits for a worker of another owner.
    pub other_owner_for: Duration,
    /// Number of leases at a time of all jobs of an owner.
    pub leases_per_owner: Option<u64>,
    /// The share of the chunks that two workers agree on that a third one does.
    pub third_share: f64,
    /// Number of transactions at a time for leases, and as many for results.
    pub parallel: usize,
    /// How often a worker is noted as seen, at most; more often if its leases are short.
    pub seen_every: Duration,
    /// For how long what is finished is kept.
    pub retention: Retention,
    /// How results are checked and compared.
    pub check: ResultCheck,
}

impl Default for WorkTuning {
    fn default() -> Self {
        Self {
            jobs_for: Duration::from_secs(1),
            dry_for: Duration::from_millis(200),
            other_owner_for: Duration::from_secs(20),
            leases_per_owner: None,
            third_share: THIRD_SHARE,
            parallel: 3,
            seen_every: Duration::from_secs(10),
            retention: Retention::default(),
            check: any_value,
        }
    }
}

/// What never changes of a job that has chunks.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Head {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) body: String,
    pub(super) units: i64,
    pub(super) compares: bool,
    pub(super) again_every: Option<i64>,
    /// The cores that a worker gives it.
    pub(super) cores: i32,
}

#[derive(Debug)]
pub(super) struct WorkState {
    pub(super) database: Database,
    pub(super) key: TokenKeys,
    pub(super) tuning: WorkTuning,
    start: Instant,
    /// The database's clock in milliseconds since 1970, and when it was read.
    clock: Mutex<(i64, Instant)>,
    pub(super) schedule: Mutex<Schedule>,
    refreshed: Mutex<Option<Instant>>,
    /// Number of units without results, when the list of jobs was read.
    left: Mutex<HashMap<JobNumber, i64>>,
    heads: Mutex<HashMap<JobNumber, Arc<Head>>>,
    random: Mutex<ChaCha12Rng>,
    /// When workers were last noted as seen.
    seen: Mutex<HashMap<WorkerId, Instant>>,
    /// When owners last asked this server for work.
    owners: Mutex<HashMap<AccountId, Duration>>,
}

/// For how long an owner counts as one who has workers.
const OWNER_FOR: Duration = Duration::from_mins(10);

/// Every change under a lock is complete, so a poisoned one can be ignored.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkState {
    pub(super) async fn open(database: Database, tuning: WorkTuning) -> Result<Self, WorkError> {
        let mut secret = [0_u8; SECRET_BYTES];
        let mut seed = [0_u8; SECRET_BYTES];
        for bytes in [&mut secret, &mut seed] {
            SysRng
                .try_fill_bytes(bytes)
                .map_err(|error| WorkError::Random(error.to_string()))?;
        }
        let secret = BASE64_URL_SAFE_NO_PAD.encode(secret);
        // The first server makes the key.
        sqlx::query(
            "insert into lab.settings (key, value) values ('lease_key', $1) on conflict do nothing",
        )
        .bind(secret)
        .execute(&database.pool)
        .await?;
        let sql = "select value, (extract(epoch from clock_timestamp()) * 1000)::bigint
            from lab.settings where key = 'lease_key'";
        let (secret, clock_ms): (String, i64) =
            sqlx::query_as(sql).fetch_one(&database.pool).await?;
        Ok(Self {
            key: TokenKeys::new(secret.as_bytes()),
            schedule: Mutex::new(Schedule::new(tuning.leases_per_owner)),
            tuning,
            database,
            start: instant(),
            clock: Mutex::new((clock_ms, instant())),
            refreshed: Mutex::new(None),
            left: Mutex::default(),
            heads: Mutex::new(HashMap::new()),
            random: Mutex::new(ChaCha12Rng::from_seed(seed)),
            seen: Mutex::new(HashMap::new()),
            owners: Mutex::default(),
        })
    }

    /// The time since this server started.
    pub(super) fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time by the database's clock, in milliseconds since 1970: servers, whose own clocks may
    /// differ by hours, agree on how long a lease took.
    pub(super) fn clock_ms(&self) -> u64 {
        let (read, at) = *lock(&self.clock);
        let since = u64::try_from(at.elapsed().as_millis()).unwrap_or(u64::MAX);
        read.cast_unsigned().saturating_add(since)
    }

    /// How long a check waits for a worker of another owner: not at all where nobody else has
    /// workers.
    pub(super) fn patience_of(&self, owners: impl IntoIterator<Item = AccountId>) -> Duration {
        let now = self.now();
        let mut known = lock(&self.owners);
        known.extend(owners.into_iter().map(|owner| (owner, now)));
        known.retain(|_, seen| now.saturating_sub(*seen) < OWNER_FOR);
        if known.len() > 1 {
            self.tuning.other_owner_for
        } else {
            Duration::ZERO
        }
    }

    /// A secret number from 0 up to, but without, 1.
    pub(super) fn draw(&self) -> f64 {
        lock(&self.random).random()
    }

    /// Those of the workers that are to be noted as seen, which is done from time to time, as the
    /// milliseconds ask for that their leases last: whether a worker fell silent is known when its
    /// lease is over.
    pub(super) fn seen(&self, workers: impl Iterator<Item = (WorkerId, u64)>) -> Vec<i32> {
        let mut seen = lock(&self.seen);
        let now = instant();
        let is_due = |(worker, visibility_ms): &(WorkerId, u64)| {
            let half = Duration::from_millis(visibility_ms / 2);
            let every = self.tuning.seen_every.min(half);
            let is_due = seen.get(worker).is_none_or(|at| *at + every <= now);
            if is_due {
                seen.insert(*worker, now);
            }
            is_due
        };
        workers.filter(is_due).map(|(worker, _)| worker.0).collect()
    }

    /// Begins a transaction whose statements find rows by indexes, whatever statistics say.
    pub(super) async fn by_indexes(&self) -> Result<Transaction<'static, Postgres>, WorkError> {
        let mut transaction = self.database.pool.begin().await?;
        sqlx::query("select lab.go_by_indexes()")
            .execute(&mut *transaction)
            .await?;
        Ok(transaction)
    }

    /// Notes that workers were seen.
    pub(super) async fn note_seen(&self, due: Vec<i32>) -> Result<(), WorkError> {
        if due.is_empty() {
            return Ok(());
        }
        let mut transaction = self.database.pool.begin().await?;
        sqlx::query("select lab.note_seen($1)")
            .bind(due)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Brings the schedule up to date, if the list of jobs is too old.
    pub(super) async fn refresh(&self) -> Result<(), WorkError> {
        {
            let mut refreshed = lock(&self.refreshed);
            if refreshed.is_some_and(|at| at.elapsed() < self.tuning.jobs_for) {
                return Ok(());
            }
            // Others go on with the old list meanwhile.
            *refreshed = Some(instant());
        }
        let listed = self.open_jobs().await;
        match listed {
            Ok(jobs) => lock(&self.schedule).refresh(jobs, self.now()),
            Err(error) => {
                self.forget_jobs();
                return Err(error);
            }
        }
        Ok(())
    }

    /// The list of jobs is read again before the next lease.
    pub(super) fn forget_jobs(&self) {
        *lock(&self.refreshed) = None;
    }

    async fn open_jobs(&self) -> Result<Vec<OpenJob>, WorkError> {
        #[derive(FromRow)]
        struct StateRow {
            number: JobNumber,
            kind: String,
            owner: AccountId,
            priority: i32,
            weight: f32,
            needs: Json<Needs>,
            units: i64,
            running: bool,
            done: i64,
            checking: i64,
            unable: Vec<i32>,
            leased: i64,
            ready: bool,
            urgent: bool,
            clock_ms: i64,
        }
        // Which chunks are leased that a late worker has done meanwhile is asked only where few are open.
        let sql = "select j.number, j.kind, j.owner, j.priority, j.weight, j.needs, j.units,
                j.state = 'running' as running, c.done, c.checking,
                array(select i.worker from lab.inabilities i where i.job = j.number) || j.enough as unable,
                l.leased, case
                    when j.state <> 'running' or c.open_chunks = 0 then false
                    when c.open_chunks > l.leased then true
                    else c.open_chunks > (select count(*) from lab.leases o
                        join lab.chunks k on k.job = o.job and k.chunk = o.chunk
                        where o.job = j.number and o.until > statement_timestamp() and k.state = 0) end
                    or exists (select from lab.leases w where w.job = j.number and w.since is not null
                        and w.until <= statement_timestamp()) as ready,
                j.decided_at is not null as urgent,
                (extract(epoch from clock_timestamp()) * 1000)::bigint as clock_ms
            from lab.jobs j cross join lateral (
                select coalesce(sum(c.done), 0)::bigint as done,
                    coalesce(sum(c.checking), 0)::bigint as checking,
                    coalesce(sum(c.open_chunks), 0)::bigint as open_chunks
                from lab.counters c where c.job = j.number) c
            cross join lateral (select count(*) as leased from lab.leases l where l.job = j.number
                and l.until > statement_timestamp() and l.until < 'infinity') l
            where j.state = 'running' or (j.state = 'done' and j.settled_at is null) order by j.number";
        let mut transaction = self.by_indexes().await?;
        let rows: Vec<StateRow> = sqlx::query_as(sql).fetch_all(&mut *transaction).await?;
        transaction.commit().await?;
        if let Some(row) = rows.last() {
            *lock(&self.clock) = (row.clock_ms, instant());
        }
        *lock(&self.left) = (rows.iter())
            .filter(|row| row.running)
            .map(|row| (row.number, row.units - row.done))
            .collect();
        let over: Vec<i32> = (rows.iter())
            .filter(|row| row.running && row.done >= row.units || !row.running && row.checking <= 0)
            .map(|row| row.number.0)
            .collect();
        if !over.is_empty() {
            sqlx::query("select lab.close_jobs($1)")
                .bind(over)
                .execute(&self.database.pool)
                .await?;
        }
        let job = |row: StateRow| OpenJob {
            number: row.number,
            kind: row.kind,
            owner: row.owner,
            priority: row.priority,
            weight: f64::from(row.weight),
            needs: row.needs.0,
            unable: row
                .unable
                .into_iter()
                .map(WorkerId)
                .collect::<BTreeSet<_>>(),
            running: row.running,
            leased: row.leased.cast_unsigned(),
            ready: row.ready,
            urgent: row.urgent,
        };
        Ok(rows.into_iter().map(job).collect())
    }

    /// Whether a job may be done soon. Of one that is done sooner, the next look at all jobs learns.
    pub(super) fn is_near_end(&self, job: JobNumber) -> bool {
        lock(&self.left)
            .get(&job)
            .is_none_or(|left| *left < NEAR_END)
    }

    /// What never changes of jobs; those that are gone are left out.
    pub(super) async fn heads(
        &self,
        jobs: &[JobNumber],
    ) -> Result<HashMap<JobNumber, Arc<Head>>, WorkError> {
        let mut found: HashMap<_, _> = {
            let heads = lock(&self.heads);
            let known = |job: &JobNumber| Some((*job, Arc::clone(heads.get(job)?)));
            jobs.iter().filter_map(known).collect()
        };
        for job in jobs {
            if found.contains_key(job) {
                continue;
            }
            let sql = "select id, kind, body, units, compares, again_every,
                    greatest(1, coalesce((needs->>'cores')::integer, 1)) cores from lab.jobs
                where number = $1 and body is not null";
            let head: Option<Head> = sqlx::query_as(sql)
                .bind(job)
                .fetch_optional(&self.database.pool)
                .await?;
            let Some(head) = head else { continue };
            let head = Arc::new(head);
            found.insert(*job, Arc::clone(&head));
            let mut heads = lock(&self.heads);
            if heads.len() >= KEPT_HEADS {
                heads.clear();
            }
            heads.insert(*job, head);
        }
        Ok(found)
    }

    /// A job is removed, or gets another body.
    pub(super) fn forget_head(&self, job: JobNumber) {
        lock(&self.heads).remove(&job);
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn instant() -> Instant {
    Instant::now()
}

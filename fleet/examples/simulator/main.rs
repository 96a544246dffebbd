//! Simulates the workers of a lab on its queue, and measures how long leases and results take.
//!
//! `simulator --db postgres://… --workers 1000 --units 1000000 --chunk 10 --old 10000000`
//!
//! Workers are tasks of this process that share a pool of connections, as those of a server do. With
//! `--http 1` they call `fleet serve`, which is started on loopback, by HTTP instead, each by a
//! connection and with a token of its own. They take no time for their work, but `--think`
//! milliseconds. `--old` fills the tables with results of a finished job first, without statistics.
//! An edge: it reads the clock, and prints.

#![expect(clippy::print_stdout, reason = "it measures and prints")]

mod calls;
mod cpu;
mod http;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Parser;
use fleet::model::{AccountId, WorkerId, WorkerIdentity};
use fleet::store::Database;
use fleet::store::work::{PutOptions, Work};
use queue::wire::LeaseRequest;
use queue::{Chunk, Job, Second, Standing, Unit, UnitResult};
use rand::RngExt as _;
use tokio::task::JoinSet;

use calls::Calls;
use cpu::Cpu;
use http::{Caller, Server};

const KIND: &str = "simulated/1";

#[derive(Clone, Debug, Parser)]
struct Args {
    /// The database.
    #[arg(long)]
    db: String,
    /// Number of servers to start, which the workers call by HTTP; 0: they call the queue itself.
    #[arg(long, default_value_t = 0)]
    http: u32,
    /// Number of connections to the database; servers have ten each.
    #[arg(long, default_value_t = 10)]
    pool: u32,
    /// Number of workers at a time.
    #[arg(long, default_value_t = 1_000)]
    workers: u32,
    /// Number of units.
    #[arg(long, default_value_t = 1_000_000)]
    units: u64,
    /// Number of units in a chunk.
    #[arg(long, default_value_t = 10)]
    chunk: u64,
    /// Number of jobs that the units are divided among.
    #[arg(long, default_value_t = 3)]
    jobs: u64,
    /// Number of old results to fill the tables with first.
    #[arg(long, default_value_t = 0)]
    old: u64,
    /// Milliseconds that a worker takes for a chunk, in the mean: half of it to one and a half.
    #[arg(long, default_value_t = 0)]
    think: u64,
    /// Number of heartbeats in that time.
    #[arg(long, default_value_t = 0)]
    beats: u32,
}

/// Times of calls, in microseconds.
#[derive(Debug, Default)]
struct Times {
    leases: Vec<u32>,
    beats: Vec<u32>,
    completes: Vec<u32>,
    empty: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let database = Database::open(&args.db, args.pool).await?;
    fill(&database, args.old).await?;
    let workers = enlist(&database, args.workers).await?;
    let work = Work::open(database.clone()).await?;
    let before = instant();
    let jobs = put(&work, &args).await?;
    let seconds = before.elapsed().as_secs_f64();
    println!(
        "put: {} chunks in {seconds:.1} s",
        args.units.div_ceil(args.chunk)
    );
    let mut servers = Vec::new();
    for _ in 0..args.http {
        servers.push(Server::start(&args.db).await?);
    }
    let processes: Vec<u32> = servers.iter().map(Server::process).collect();
    let mut callers = Vec::new();
    if !servers.is_empty() {
        for (worker, server) in workers.iter().zip(servers.iter().cycle()) {
            callers.push(Caller::new(&database, worker, server.url()).await?);
        }
    }
    let life = Life {
        left: Arc::new(AtomicU64::new(args.units)),
        think: args.think,
        beats: args.beats,
    };
    let (before, used) = (instant(), Cpu::now(&database, &processes).await);
    let mut running = JoinSet::new();
    let mut callers = callers.into_iter();
    for worker in workers {
        let (work, life, caller) = (work.clone(), life.clone(), callers.next());
        running.spawn(async move {
            match caller {
                Some(caller) => live(caller, worker, &life).await,
                None => live(work, worker, &life).await,
            }
        });
    }
    let mut all = Times::default();
    while let Some(times) = running.join_next().await {
        let times = times??;
        all.leases.extend(times.leases);
        all.beats.extend(times.beats);
        all.completes.extend(times.completes);
        all.empty += times.empty;
    }
    let seconds = before.elapsed().as_secs_f64();
    let used = Cpu::now(&database, &processes).await.since(used);
    report("lease", &mut all.leases, seconds);
    report("heartbeat", &mut all.beats, seconds);
    report("complete", &mut all.completes, seconds);
    println!("leases that found nothing: {}", all.empty);
    report_cpu(used, all.leases.len());
    drop(servers);
    check(&work, &jobs).await
}

/// What a worker does.
#[derive(Clone, Debug)]
struct Life {
    /// Number of units that are left to do, for all workers.
    left: Arc<AtomicU64>,
    think: u64,
    beats: u32,
}

/// One worker, until as many units are done as there are.
async fn live(calls: impl Calls, worker: WorkerIdentity, life: &Life) -> anyhow::Result<Times> {
    let mut times = Times::default();
    let mut request = LeaseRequest {
        kinds: vec![KIND.to_owned()],
        visibility_ms: 300_000,
        known_jobs: Vec::new(),
    };
    rest(life.think).await;
    while life.left.load(Ordering::Relaxed) > 0 {
        let before = instant();
        let Some(lease) = calls.lease(&worker, &request).await? else {
            times.empty += 1;
            tokio::time::sleep(Duration::from_millis(500)).await;
            continue;
        };
        times.leases.push(micros(before));
        if lease.body.is_some() {
            request.known_jobs.push(lease.job.clone());
        }
        for _ in 0..life.beats {
            rest(life.think / u64::from(life.beats + 1)).await;
            let before = instant();
            let beat = calls.heartbeat(&worker, &lease.token, request.visibility_ms);
            if beat.await? != Standing::Held {
                bail!("{}: a lease was lost", worker.name);
            }
            times.beats.push(micros(before));
        }
        rest(life.think / u64::from(life.beats + 1)).await;
        let result = |unit: &Unit| UnitResult {
            key: unit.key,
            value: format!("{{\"nodes\":{}}}", unit.key.wrapping_mul(0x9E37_79B9)),
        };
        let results: Vec<UnitResult> = lease.units.iter().map(result).collect();
        let before = instant();
        calls.complete(&worker, &lease.token, &results).await?;
        times.completes.push(micros(before));
        // Checks count too: the run ends when as many units are done as there are, not the same.
        let done = results.len() as u64;
        let taken = |left: u64| Some(left.saturating_sub(done));
        let _ = life
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
    }
    Ok(times)
}

async fn rest(think: u64) {
    if think > 0 {
        let part = rand::rng().random_range(0.5..1.5);
        tokio::time::sleep(Duration::from_millis(think).mul_f64(part)).await;
    }
}

fn report(what: &str, times: &mut [u32], seconds: f64) {
    if times.is_empty() {
        return;
    }
    times.sort_unstable();
    let at = |part: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "an index of a list"
        )]
        let index = (times.len() as f64 * part) as usize;
        let micros = times.get(index.min(times.len().saturating_sub(1)));
        f64::from(micros.copied().unwrap_or(0)) / 1e3
    };
    #[expect(clippy::cast_precision_loss, reason = "a count of calls")]
    let rate = times.len() as f64 / seconds;
    println!(
        "{what}: {} in {seconds:.1} s, {rate:.0} a second; p50 {:.1} ms, p99 {:.1} ms, most {:.1} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0),
    );
}

/// The CPU time of each, which does not depend on what else the machine did.
fn report_cpu(used: Cpu, leases: usize) {
    let text = |time: Option<Duration>| {
        time.map_or_else(
            || "unknown".to_owned(),
            |time| format!("{:.1} s", time.as_secs_f64()),
        )
    };
    println!(
        "CPU time: PostgreSQL {}, servers {}, simulator {}",
        text(used.database),
        text(used.servers),
        text(used.own),
    );
    #[expect(clippy::cast_precision_loss, reason = "a count of calls")]
    let leases = leases.max(1) as f64;
    if let Some(time) = used.database {
        let each = time.as_secs_f64() * 1e3 / leases;
        println!("for a lease with its results, PostgreSQL takes {each:.2} ms");
    }
}

async fn check(work: &Work, jobs: &[String]) -> anyhow::Result<()> {
    for job in jobs {
        let verification = work.verification(job).await?;
        let progress = work.progress(job).await?;
        println!(
            "{job}: {} of {} units, {} verified, {} to check, {} alarms; \
            a liar of 1 % went unseen with probability {:.3}",
            progress.done,
            progress.units,
            verification.verified,
            verification.checking,
            progress.alarms,
            verification.unseen(0.01),
        );
        if progress.alarms > 0 {
            bail!("{job}: honest workers differ");
        }
    }
    Ok(())
}

async fn put(work: &Work, args: &Args) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    let stamp = std::process::id();
    for number in 0..args.jobs {
        let job = Job {
            id: format!("simulated-{stamp}-{number}"),
            kind: KIND.to_owned(),
            body: "{}".to_owned(),
            units: args.units / args.jobs,
            second: Second::Compare,
            again_every: None,
        };
        let mut put = work
            .begin_put(AccountId(1), &job, PutOptions::default())
            .await?;
        let mut first = 0;
        while first < job.units {
            let mut chunks = Vec::new();
            for _ in 0..1_000 {
                let end = job.units.min(first + args.chunk);
                let unit = |key| Unit {
                    key,
                    body: format!("unit {key}"),
                };
                if first < end {
                    let units = (first..end).map(unit).collect();
                    chunks.push(Chunk { units });
                }
                first = end;
            }
            put.add(chunks).await?;
        }
        put.finish().await?;
        names.push(job.id);
    }
    Ok(names)
}

/// Makes workers of two owners.
async fn enlist(database: &Database, workers: u32) -> anyhow::Result<Vec<WorkerIdentity>> {
    let sql = "insert into lab.accounts (name, role)
        select 'simulated ' || n, 'author' from generate_series(1, 2) n on conflict do nothing";
    sqlx::query(sql).execute(&database.pool).await?;
    let sql = "insert into lab.workers (owner, name, hash)
        select a.id, 'simulated-' || n, uuid_send(gen_random_uuid())
            from generate_series(1, $1::integer) n
            join lab.accounts a on a.name = 'simulated ' || (1 + n % 2)
        on conflict do nothing";
    let count = i32::try_from(workers).context("too many workers")?;
    sqlx::query(sql).bind(count).execute(&database.pool).await?;
    let sql = "select id, name, owner from lab.workers where name like 'simulated-%'
        order by id limit $1";
    let rows: Vec<(WorkerId, String, AccountId)> = sqlx::query_as(sql)
        .bind(count)
        .fetch_all(&database.pool)
        .await?;
    let identity = |(id, name, owner)| WorkerIdentity {
        id,
        name,
        owner,
        quarantined: None,
    };
    Ok(rows.into_iter().map(identity).collect())
}

/// Fills the tables with results of a finished job, in chunks of ten.
async fn fill(database: &Database, old: u64) -> anyhow::Result<()> {
    let has: i64 = sqlx::query_scalar("select count(*) from lab.jobs where id = 'old'")
        .fetch_one(&database.pool)
        .await?;
    if old == 0 || has > 0 {
        return Ok(());
    }
    enlist(database, 1).await?;
    for table in [
        "results", "chunks", "answers", "counters", "shares", "records",
    ] {
        let sql = format!("alter table lab.{table} set (autovacuum_enabled = off)");
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .execute(&database.pool)
            .await?;
    }
    let before = instant();
    let sql = "insert into lab.jobs (id, kind, body, units, compares, owner, state, finished_at, settled_at)
        values ('old', 'simulated/1', '{}', $1, true, 1, 'done', now(), now()) returning number";
    let count = i64::try_from(old)?;
    let job: i32 = sqlx::query_scalar(sql)
        .bind(count)
        .fetch_one(&database.pool)
        .await?;
    let mut from = 0;
    while from < count {
        let to = count.min(from + 100_000);
        let mut transaction = database.pool.begin().await?;
        for sql in [
            "insert into lab.results (job, key, worker, value)
                select $1, n, 1, '{\"nodes\":' || n || '}' from generate_series($2, $3 - 1) n",
            "insert into lab.chunks (job, chunk, first, units, state)
                select $1, n / 10, n, 10, 1 from generate_series($2, $3 - 1, 10) n",
            "insert into lab.answers (job, chunk, worker, kept, digest)
                select $1, n / 10, 1, true, 'x' from generate_series($2, $3 - 1, 10) n",
        ] {
            sqlx::query(sql)
                .bind(job)
                .bind(from)
                .bind(to)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        from = to;
    }
    let seconds = before.elapsed().as_secs_f64();
    println!("old results: {old} in {seconds:.0} s, no statistics");
    Ok(())
}

fn micros(since: Instant) -> u32 {
    u32::try_from(since.elapsed().as_micros()).unwrap_or(u32::MAX)
}

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn instant() -> Instant {
    Instant::now()
}

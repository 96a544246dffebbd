//! From a test that waits to a job that is leased: revisions become commits, pairs and positions
//! become units.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

use perft::lab::CountPlan;
use queue::{Chunk, Job, Put, Second, Unit};
use selfplay::fleet::protocol::{JobBody, KIND, Message as _};
use selfplay::lab::plan::{PairPlan, RepositoryPlan, is_deterministic};
use selfplay::lab::spec::{TestKind, TestSpec};
use selfplay::lab::summary::{self, EngineSummary, TestSummary};

use super::claim::{Claimed, Conductor, News};
use super::error::ConductError;
use super::git;
use super::recipe::{self, Check as _};
use super::repositories;
use crate::model::{BUILDS, Needs, Stage, TIMED};
use crate::store::work::{PutOptions, Work};

type Result<T> = std::result::Result<T, ConductError>;

/// Pairs that a worker takes at a time, of games in time and of those limited by nodes or depth.
const TIMED_PAIRS: u64 = 2;
const QUICK_PAIRS: u64 = 8;
/// Number of pairs that are made at once.
const PORTION: u64 = 2_000;
/// The speed that times refer to, unless the lab or the test has one: perft nodes per second and
/// thread of a machine of 2024, as workers measure them.
const SPEED: u64 = 150_000_000;
/// Memory of an engine besides its hash, in MiB.
const ENGINE_MIB: u64 = 64;

/// Prepares a test.
pub(super) async fn prepare(conductor: &Conductor, work: &Work, claimed: &Claimed) -> Result<()> {
    let spec = claimed.spec.0.clone();
    match spec.kind {
        TestKind::Perft => count(work, claimed, &spec).await,
        kind if kind.is_of_pairs() => pairs(conductor, work, claimed, spec).await,
        kind => {
            let reason = format!("'{}' is not possible on a lab yet", kind.name());
            Err(ConductError::prepare(reason))
        }
    }
}

fn options(claimed: &Claimed, needs: Needs) -> PutOptions {
    PutOptions {
        title: claimed.title.clone(),
        needs,
        priority: claimed.spec.priority,
        weight: claimed.spec.weight,
        state: Stage::Running,
    }
}

async fn count(work: &Work, claimed: &Claimed, spec: &TestSpec) -> Result<()> {
    let asked = spec.perft.clone();
    let asked = asked.ok_or_else(|| ConductError::prepare("the count is missing"))?;
    let planned = blocking(move || {
        let again = asked.again_every.and_then(NonZeroU64::new);
        let plan = CountPlan::new(asked.fen.as_deref(), asked.depth, asked.breakdown, again);
        plan.map(|plan| (plan.job(), plan.chunks()))
    });
    let (job, chunks) = planned.await?.map_err(ConductError::prepare)?;
    let job = Job {
        id: claimed.id.clone(),
        ..job
    };
    let options = options(claimed, Needs::default());
    let mut put = work.begin_put(claimed.owner, &job, options).await?;
    put.add(chunks).await?;
    put.finish().await?;
    Ok(())
}

async fn pairs(
    conductor: &Conductor,
    work: &Work,
    claimed: &Claimed,
    mut spec: TestSpec,
) -> Result<()> {
    let asked = spec.engines.clone();
    let repositories = resolve(conductor, &mut spec).await?;
    conductor.store_spec(claimed.number, &spec).await?;
    let speed = speed(conductor).await?;
    let body = spec
        .job_body(&repositories, speed)
        .map_err(ConductError::prepare)?;
    let revisions = asked.into_iter().map(|engine| engine.revision);
    let engines = engine_summaries(&spec, &body, &repositories, revisions.collect());
    let (config, for_plan) = (body.config.clone(), spec.clone());
    let plan = blocking(move || PairPlan::new(&for_plan, &config)).await?;
    let plan = Arc::new(plan.map_err(ConductError::prepare)?);
    let is_quick = body.speed.is_none();
    let job = Job {
        id: claimed.id.clone(),
        kind: KIND.to_owned(),
        body: body.to_text(),
        units: plan.pairs(),
        second: if is_deterministic(&body.config) {
            Second::Compare
        } else {
            Second::Ignore
        },
        again_every: None,
    };
    let summary = TestSummary {
        schema: summary::SCHEMA.to_owned(),
        units: plan.pairs(),
        headline: "waiting for workers".to_owned(),
        engines,
        ..TestSummary::default()
    };
    let news = News {
        summary: &summary,
        cursor: 0,
        point: None,
    };
    conductor.store(claimed.number, &news).await?;
    conductor.renew(claimed.number).await?;
    // From here to the end, the row of the job is locked by the transaction that adds it.
    let mut put = work
        .begin_put(
            claimed.owner,
            &job,
            options(claimed, needs(&spec, !is_quick)),
        )
        .await?;
    let per_chunk = if is_quick { QUICK_PAIRS } else { TIMED_PAIRS };
    let mut next = 0;
    while next < plan.pairs() {
        let range = next..plan.pairs().min(next + PORTION);
        next = range.end;
        let plan = Arc::clone(&plan);
        let portion = blocking(move || chunks(&plan, range, per_chunk)).await?;
        put.add(portion.map_err(ConductError::prepare)?).await?;
    }
    if put.finish().await? == Put::Known {
        tracing::info!("{} was prepared by another server", claimed.id);
    }
    Ok(())
}

fn chunks(
    plan: &PairPlan,
    range: Range<u64>,
    per_chunk: u64,
) -> std::result::Result<Vec<Chunk>, selfplay::openings::OpeningError> {
    let mut chunks = Vec::new();
    let mut next = range.start;
    while next < range.end {
        let keys = next..range.end.min(next + per_chunk);
        next = keys.end;
        let units = keys.map(|key| {
            let body = plan.unit(key)?.to_text();
            Ok(Unit { key, body })
        });
        let units = units.collect::<std::result::Result<_, _>>()?;
        chunks.push(Chunk { units });
    }
    Ok(chunks)
}

/// What a worker must have to play a game.
fn needs(spec: &TestSpec, is_timed: bool) -> Needs {
    let hash = |engine: &selfplay::lab::spec::EngineSpec| {
        let own = engine
            .options
            .get("Hash")
            .and_then(|text| text.parse().ok());
        own.unwrap_or_else(|| u64::from(spec.hash_mib.unwrap_or(16))) + ENGINE_MIB
    };
    let mut memory: Vec<u64> = spec.engines.iter().map(hash).collect();
    memory.sort_unstable();
    // The two largest may meet.
    let memory_mib = memory.iter().rev().take(2).sum();
    let has_revision = spec.engines.iter().any(|engine| engine.revision.is_some());
    let mut has = spec.needs.clone();
    has.extend(is_timed.then(|| TIMED.to_owned()));
    has.extend(has_revision.then(|| BUILDS.to_owned()));
    Needs {
        cores: spec.threads,
        memory_mib,
        has,
    }
}

/// Replaces revisions by commits, and fills in what the commits say of their bench and build.
async fn resolve(
    conductor: &Conductor,
    spec: &mut TestSpec,
) -> Result<BTreeMap<String, RepositoryPlan>> {
    let mut plans: BTreeMap<String, RepositoryPlan> = BTreeMap::new();
    for index in 0..spec.engines.len() {
        let engine = &spec.engines[index];
        let Some(revision) = engine.revision.clone() else {
            continue;
        };
        let name = spec.repository_of(engine).unwrap_or_default().to_owned();
        let repository = repositories::get(&conductor.database, &name).await?;
        if repository.approved_by.is_none() {
            return Err(ConductError::Prepare {
                reason: format!("repository {name} waits for approval by a maintainer"),
                is_passing: true,
            });
        }
        let url = repository.url.clone();
        let needs_facts = engine.bench.is_none() || !repository.recipe.is_given();
        let looked_up = blocking(move || {
            let commit = git::resolve(&url, &revision)?;
            // Some servers do not send single commits: then people give bench and build.
            let facts = needs_facts.then(|| git::facts(&url, &commit));
            Ok::<_, git::GitError>((commit, facts))
        });
        let (commit, facts) = looked_up.await?.map_err(|error| ConductError::Prepare {
            is_passing: matches!(error, git::GitError::Failed { .. }),
            reason: error.to_string(),
        })?;
        let mut recipe = repository.recipe.0.clone();
        if !recipe.is_given() && !plans.contains_key(&name) {
            recipe = read_recipe(&name, facts.as_ref())?;
        }
        let engine = &mut spec.engines[index];
        engine.revision = Some(commit);
        if let Some(Ok(facts)) = facts {
            engine.bench = engine.bench.or(facts.bench);
        }
        let url = repository.url;
        plans.entry(name).or_insert(RepositoryPlan { url, recipe });
    }
    Ok(plans)
}

/// The recipe in the repository, of the first commit that is tested.
fn read_recipe(
    name: &str,
    facts: Option<&std::result::Result<git::CommitFacts, git::GitError>>,
) -> Result<recipe::Recipe> {
    match facts {
        Some(Ok(facts)) => match &facts.recipe {
            Some(text) => recipe::parse(text).map_err(ConductError::prepare),
            None => Err(ConductError::prepare(format!(
                "repository {name} has no {} and no build command",
                recipe::FILE
            ))),
        },
        Some(Err(error)) => Err(ConductError::Prepare {
            reason: error.to_string(),
            is_passing: true,
        }),
        None => Err(ConductError::prepare(format!("no build command of {name}"))),
    }
}

async fn speed(conductor: &Conductor) -> Result<NonZeroU64> {
    let sql = "select value from lab.settings where key = 'reference_speed'";
    let text: Option<String> = sqlx::query_scalar(sql)
        .fetch_optional(&conductor.database.pool)
        .await?;
    let speed = text.and_then(|text| text.parse().ok()).unwrap_or(SPEED);
    Ok(NonZeroU64::new(speed).unwrap_or(NonZeroU64::MIN))
}

fn engine_summaries(
    spec: &TestSpec,
    body: &JobBody,
    repositories: &BTreeMap<String, RepositoryPlan>,
    revisions: Vec<Option<String>>,
) -> Vec<EngineSummary> {
    let engines = spec.engines.iter().zip(revisions);
    let engines = engines.zip(&body.config.engines);
    let engines = engines.map(|((engine, revision), config)| {
        let repository = engine.revision.as_ref().and(spec.repository_of(engine));
        EngineSummary {
            name: config.name.clone(),
            repository: repository.map(str::to_owned),
            url: repository
                .and_then(|name| repositories.get(name))
                .map(|plan| plan.url.clone()),
            revision,
            commit: engine.revision.clone(),
            bench: engine.bench,
        }
    });
    engines.collect()
}

/// Computes something on a thread of its own.
///
/// # Panics
/// If the computation panics.
pub(super) async fn blocking<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(compute).await {
        Ok(value) => Ok(value),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The program ends.
        Err(_) => Err(ConductError::TakenOver),
    }
}

//! From a test that waits to a job that is leased: revisions become commits, pairs and positions
//! become units.

use std::num::NonZeroU64;

use perft::lab::CountPlan;
use queue::program::{DEFAULT_HASH_MIB, Recipe};
use queue::{Chunk, Job, Put, Second};
use selfplay::fleet::protocol::{JobBody, KIND, Message as _, TUNE_KIND};
use selfplay::lab::conduct::PairConductor;
use selfplay::lab::plan::{PlanError, RepositoryPlan, RepositoryPlans, is_deterministic};
use selfplay::lab::rounds::PairPlan;
use selfplay::lab::spec::{PerftSpec, SpecFault, TestKind, TestSpec};
use selfplay::lab::summary::{self, EngineSummary, TestSummary};

use super::blocking::blocking;
use super::claim::{Claimed, Conductor, News};
use super::error::{ConductError, Retry};
use super::git;
use super::pairs::{PORTION, pairs_per_chunk};
use super::{repositories, rounds, searches, training};
use crate::model::{BUILDS, JobStage, Needs, TIMED};
use crate::recipe;
use crate::store::work::{PutOptions, Work};

type Result<T> = std::result::Result<T, ConductError>;

/// The speed that times refer to, unless the lab or the test has one: perft nodes per second and
/// thread of a machine of 2024, as workers measure them.
const SPEED: u64 = 150_000_000;
/// Memory of an engine besides its hash, in MiB.
const ENGINE_MIB: u64 = 64;

/// Prepares a test.
pub(super) async fn prepare(conductor: &Conductor, work: &Work, claimed: &Claimed) -> Result<()> {
    let spec = claimed.spec.0.clone();
    match spec.kind {
        TestKind::Perft { perft } => count(work, claimed, perft).await,
        TestKind::TrainingGames { training } => {
            let id = claimed.id.clone();
            let planned = blocking(move || training::job(&id, training)).await?;
            let (job, chunks) = planned.map_err(ConductError::prepare)?;
            put(work, claimed, Needs::default(), &job, chunks).await
        }
        _ if spec.kind.is_of_pairs() => pairs(conductor, work, claimed, spec).await,
        _ => searches(conductor, work, claimed, spec).await,
    }
}

/// Adds a job with its chunks. From here to the end, its row is locked by the transaction.
async fn put(
    work: &Work,
    claimed: &Claimed,
    needs: Needs,
    job: &Job,
    chunks: Vec<Chunk>,
) -> Result<()> {
    let options = PutOptions {
        title: claimed.title.clone(),
        needs,
        priority: claimed.spec.priority,
        weight: claimed.spec.weight,
        state: JobStage::Running,
    };
    let mut put = work.begin_put(claimed.owner, job, options).await?;
    put.add(chunks).await?;
    if put.finish().await? == Put::Known {
        tracing::info!("{} was prepared by another server", claimed.id);
    }
    Ok(())
}

async fn count(work: &Work, claimed: &Claimed, asked: PerftSpec) -> Result<()> {
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
    put(work, claimed, Needs::default(), &job, chunks).await
}

async fn searches(
    conductor: &Conductor,
    work: &Work,
    claimed: &Claimed,
    spec: TestSpec,
) -> Result<()> {
    // No search depends on the speed of the lab.
    let resolved = resolved(conductor, claimed, spec, NonZeroU64::MIN).await?;
    let Resolved {
        spec,
        body,
        engines,
    } = resolved;
    let engine =
        searches::engine_of(&body).ok_or_else(|| ConductError::prepare("the engine is missing"))?;
    let (for_plan, id) = (spec.clone(), claimed.id.clone());
    let planned = blocking(move || {
        let run = searches::run_of(&for_plan)?;
        Ok::<_, SpecFault>(run.job(&id, &engine))
    });
    let (job, chunks) = planned.await?.map_err(ConductError::prepare)?;
    announce(conductor, claimed, engines, job.units).await?;
    let needs = needs(&spec, spec.limits.movetime_ms.is_some());
    put(work, claimed, needs, &job, chunks).await
}

async fn pairs(
    conductor: &Conductor,
    work: &Work,
    claimed: &Claimed,
    spec: TestSpec,
) -> Result<()> {
    let speed = speed(conductor).await?;
    let resolved = resolved(conductor, claimed, spec, speed).await?;
    let Resolved {
        spec,
        body,
        engines,
    } = resolved;
    let (config, for_plan) = (body.config.clone(), spec.clone());
    let planned = blocking(move || {
        let plan = PairPlan::new(&for_plan, &config)?;
        let begun = PairConductor::from_spec(&for_plan, config, Vec::new())?;
        // More units are added while the test runs.
        Ok::<_, PlanError>((plan.next(&begun, PORTION)?, plan.total(&begun)))
    });
    let (units, total) = planned.await?.map_err(ConductError::prepare)?;
    let job = Job {
        id: claimed.id.clone(),
        kind: match spec.kind {
            TestKind::Tune { .. } => TUNE_KIND.to_owned(),
            _ => KIND.to_owned(),
        },
        body: body.to_text(),
        units: units.len() as u64,
        second: if is_deterministic(&body.config) {
            Second::Compare
        } else {
            Second::Ignore
        },
        again_every: None,
    };
    announce(conductor, claimed, engines, total).await?;
    let needs = needs(&spec, body.speed.is_some());
    let chunks = rounds::chunks(&units, 0, pairs_per_chunk(&body.config));
    put(work, claimed, needs, &job, chunks).await
}

/// Stores what is known before anything is done.
async fn announce(
    conductor: &Conductor,
    claimed: &Claimed,
    engines: Vec<EngineSummary>,
    units: u64,
) -> Result<()> {
    let summary = TestSummary {
        schema: summary::SCHEMA.to_owned(),
        units,
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
    // Fetching may have taken most of the claim's time, and nothing renews it while the units are added.
    conductor.renew(claimed.number).await?;
    Ok(())
}

/// A test whose revisions are commits.
struct Resolved {
    spec: TestSpec,
    body: JobBody,
    engines: Vec<EngineSummary>,
}

/// Replaces revisions by commits, for good.
async fn resolved(
    conductor: &Conductor,
    claimed: &Claimed,
    mut spec: TestSpec,
    speed: NonZeroU64,
) -> Result<Resolved> {
    let asked = spec.engines.clone();
    let repositories = resolve(conductor, &mut spec).await?;
    // A later attempt, of any server, tests the same commits even if a branch has moved.
    conductor.store_spec(claimed.number, &spec).await?;
    let body = spec
        .job_body(&repositories, speed)
        .map_err(ConductError::prepare)?;
    let revisions = asked.into_iter().map(|engine| engine.revision);
    let engines = engine_summaries(&spec, &body, &repositories, revisions.collect());
    Ok(Resolved {
        spec,
        body,
        engines,
    })
}

/// What a worker must have to play a game.
fn needs(spec: &TestSpec, is_timed: bool) -> Needs {
    let hash = |engine: &selfplay::lab::spec::EngineSpec| {
        let own = engine
            .options
            .get("Hash")
            .and_then(|text| text.parse().ok());
        own.or(spec.hash_mib.map(u64::from))
            .unwrap_or(DEFAULT_HASH_MIB)
            + ENGINE_MIB
    };
    let mut memory: Vec<u64> = spec.engines.iter().map(hash).collect();
    memory.sort_unstable();
    // A game has two engines at once, and any two of a tournament may meet.
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
async fn resolve(conductor: &Conductor, spec: &mut TestSpec) -> Result<RepositoryPlans> {
    let mut plans = RepositoryPlans::new();
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
                retry: Retry::Always,
            });
        }
        let url = repository.url.clone();
        let looked_up = blocking(move || {
            let commit = git::resolve(&url, &revision)?;
            let facts = git::facts(&url, &commit)?;
            Ok::<_, git::GitError>((commit, facts))
        });
        let (commit, facts) = looked_up.await?.map_err(|error| ConductError::Prepare {
            retry: match error {
                git::GitError::NoRevision { .. } => Retry::Never,
                git::GitError::NotReachable { .. } => Retry::Hour,
                git::GitError::Failed { .. } => Retry::Day,
            },
            reason: error.to_string(),
        })?;
        // The lab's recipe comes first: then a commit cannot change how it is built.
        let mut recipe = repository.recipe.0.clone();
        if recipe.build.is_empty() {
            recipe = read_recipe(&name, &commit, &facts)?;
        }
        let engine = &mut spec.engines[index];
        engine.revision = Some(commit.clone());
        engine.bench = engine.bench.or(facts.bench);
        let url = repository.url;
        plans.insert((name, commit), RepositoryPlan { url, recipe });
    }
    Ok(plans)
}

/// The recipe in the repository at a commit.
fn read_recipe(name: &str, commit: &str, facts: &git::CommitFacts) -> Result<Recipe> {
    match &facts.recipe {
        Some(text) => recipe::parse(text).map_err(ConductError::prepare),
        None => Err(ConductError::prepare(format!(
            "repository {name} has no {} at {commit} and no build command",
            recipe::FILE
        ))),
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
    repositories: &RepositoryPlans,
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
                .zip(engine.revision.clone())
                .and_then(|(name, commit)| repositories.get(&(name.to_owned(), commit)))
                .map(|plan| plan.url.clone()),
            revision,
            commit: engine.revision.clone(),
            bench: engine.bench,
        }
    });
    engines.collect()
}

//! One test: its state, its numbers, who played it, what went wrong, and what may be done with it.

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use selfplay::lab::spec::{TestKind, TestSpec};
use selfplay::lab::summary::{EngineSummary, Outcome, Point, TestSummary};
use selfplay::stats::{Counts, Pentanomial, Summary};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use web::extract::{Path, Query};
use web::problem::Problem;

use super::forge::Forge;
use super::format::{Moment, grouped, interval, limits, shown_bounds};
use super::queries::{self, JobSummary, NumberedPoint, WorkerMachine};
use super::tests_list::{Badge, title_of};
use super::{PageFrame, graph, page, reading};
use crate::app::LabState;
use crate::model::Account;
use crate::people::{Right, SignedIn};
use crate::problem::NO_JOB;
use crate::store::work::Verification;

/// Three standard deviations: a residual beyond this is one of 370 by chance.
const SUSPICIOUS: f64 = 3.0;
/// Abilities that are instruction sets of a processor.
// Workers report them by these names (`worker::machine::instructions`).
const INSTRUCTIONS: [&str; 5] = ["popcnt", "bmi2", "avx2", "avx512", "neon"];
/// Points that the server reads for its own drawing.
const DRAWN: i64 = 10_000;

/// A name and its value.
type Fact = (&'static str, String);

/// An engine of a test.
struct ShownEngine {
    role: &'static str,
    name: String,
    revision: String,
    commit: String,
    href: Option<String>,
    bench: String,
}

/// What a worker did.
struct TestWorker {
    name: String,
    units: String,
    games: String,
    /// Its processor and instruction set.
    machine: String,
    elo: String,
    pentanomial: String,
    residual: String,
    faults: u64,
    is_suspicious: bool,
    quarantined: Option<String>,
}

/// What the viewer may do: `approve`, `stop`, `resume`, `note`, `turn` (priority and weight), `resubmit`.
#[derive(Default)]
struct Actions(Vec<&'static str>);

#[derive(Template)]
#[template(path = "test.html")]
struct TestPage {
    frame: PageFrame,
    job: JobSummary,
    badge: Badge,
    summary: TestSummary,
    author: String,
    related: Vec<(String, String, bool)>,
    figures: Vec<Fact>,
    facts: Vec<Fact>,
    engines: Vec<ShownEngine>,
    diff: Option<String>,
    workers: Vec<TestWorker>,
    /// Graphs, and what each shows.
    graphs: Vec<(String, String)>,
    divide: Vec<(String, String)>,
    breakdown: Vec<(String, String)>,
    parameters: Vec<[String; 5]>,
    actions: Actions,
    /// Whether there are positions with scores to download.
    has_labels: bool,
    has_games: bool,
    has_report: bool,
    /// What was submitted, as JSON.
    submitted: String,
    created: Moment,
    started: Option<Moment>,
    finished: Option<Moment>,
    verification: Vec<Fact>,
    since_ms: i64,
}

/// A test by its name, which must exist.
pub(crate) async fn found(app: &LabState, id: &str) -> Result<JobSummary, Problem> {
    let job = queries::test(&app.database.pool, id)
        .await
        .map_err(reading)?;
    job.ok_or_else(|| Problem::new(NO_JOB, format!("there is no test '{id}'")))
}

/// Shows a test.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let pool = &app.database.pool;
    // The time is read before the test: what changes meanwhile then comes as an event.
    let since_ms = queries::now(pool).await.map_err(reading)?;
    let job = found(&app, &id).await?;
    let related = queries::related(pool, &job).await.map_err(reading)?;
    let summary = job.summary();
    let spec = job.spec();
    let account = who.map(|who| who.0);
    let points = queries::points(pool, &id, 0, DRAWN).await;
    let points: Vec<Point> = { points.map_err(reading)?.into_iter() }
        .map(|one| one.point)
        .collect();
    let machines = queries::machines_of(pool, job.number)
        .await
        .map_err(reading)?;
    let verification = match app.work.verification(&id).await {
        Ok(found) => verification(&found),
        Err(error) => {
            tracing::warn!("{id}: its verification cannot be read: {error}");
            Vec::new()
        }
    };
    let engines = engines(&summary, spec.as_ref(), &job);
    let perft = summary.perft.clone().unwrap_or_default();
    let numbers = |rows: Vec<(String, String)>| {
        let rows = rows.into_iter();
        rows.map(|(name, number)| (name, grouped(number))).collect()
    };
    let kind = spec.as_ref().map(|spec| &spec.kind);
    Ok(page(&TestPage {
        frame: PageFrame::new(title_of(&job.title, &id), "tests", account.clone()),
        badge: Badge::new(&job, &summary),
        author: job.author.clone(),
        related,
        figures: figures(&summary),
        facts: spec
            .as_ref()
            .map_or_else(Vec::new, |spec| facts(spec, &job)),
        diff: diff(&summary, &job),
        engines,
        workers: workers(&summary, &machines),
        graphs: graphs(&summary, &points),
        divide: numbers(perft.divide),
        breakdown: numbers(perft.breakdown),
        parameters: parameters(&summary),
        actions: Actions::new(&job, account.as_ref()),
        has_labels: matches!(kind, Some(TestKind::Label { .. })),
        has_games: kind.is_some_and(TestKind::is_of_pairs),
        has_report: kind.is_some_and(TestKind::compares_engines),
        submitted: job.spec.as_ref().map_or_else(String::new, |spec| {
            serde_json::to_string_pretty(&spec.0).unwrap_or_default()
        }),
        created: Moment::new(job.created_ms),
        started: job.started_ms.map(Moment::new),
        finished: job.finished_ms.map(Moment::new),
        verification,
        since_ms,
        summary,
        job,
    }))
}

impl Actions {
    fn new(job: &JobSummary, account: Option<&Account>) -> Self {
        let Some(account) = account else {
            return Self::default();
        };
        let is_open = ["pending", "waiting", "running", "flagged"].contains(&job.state.as_str());
        let manages_all = account.may(Right::ManageTests);
        let manages = account.id == job.owner || manages_all;
        let may = [
            (
                "approve",
                job.state == "pending" && account.may(Right::ApproveTests),
            ),
            ("stop", is_open && manages),
            ("resume", job.state == "flagged" && manages_all),
            ("note", manages),
            ("turn", is_open && manages_all),
            ("resubmit", job.spec.is_some() && account.may(Right::Submit)),
        ];
        let may = may.into_iter().filter(|(_, is_so)| *is_so);
        Self(may.map(|(what, _)| what).collect())
    }

    fn may(&self, what: &str) -> bool {
        self.0.contains(&what)
    }
}

fn figures(summary: &TestSummary) -> Vec<Fact> {
    let mut figures = Vec::new();
    if let Some(sprt) = &summary.sprt {
        let (llr, lower, upper) = (sprt.llr, sprt.lower, sprt.upper);
        figures.push(("LLR", format!("{llr:.2} ({lower:.2}, {upper:.2})")));
    }
    if let Some(score) = &summary.score {
        figures.push(("Games", grouped(score.games)));
        let (wins, losses, draws) = (score.wins, score.losses, score.draws);
        figures.push(("W / L / D", format!("{wins} / {losses} / {draws}")));
        let counts = score.pentanomial.map(|count| count.to_string());
        figures.push(("Ptnml (0–2)", counts.join(", ")));
        let printed = [
            ("Elo", &score.elo_text, &score.elo),
            ("nElo", &score.nelo_text, &score.nelo),
        ];
        for (name, text, known) in printed {
            // Summaries that older servers stored have no texts.
            let older = || known.as_ref().map(interval);
            let text = Some(text.clone()).filter(|text| !text.is_empty());
            figures.extend(text.or_else(older).map(|text| (name, text)));
        }
        let los = score.los.map(|los| format!("{:.1} %", los * 100.0));
        figures.extend(los.map(|los| ("LOS", los)));
    }
    if let Some(perft) = &summary.perft {
        figures.push(("Leaf nodes", grouped(&perft.nodes)));
        figures.push(("Depth", perft.depth.to_string()));
    }
    if let Some(epd) = &summary.epd {
        let (solved, searched) = (grouped(epd.solved), grouped(epd.searched));
        figures.push(("Solved", format!("{solved} of {searched}")));
    }
    if let Some(tune) = &summary.tune {
        let (done, of) = (grouped(tune.iterations), grouped(tune.of));
        figures.push(("Iterations", format!("{done} of {of}")));
    }
    // For tests of games, the number of games is shown already.
    if summary.score.is_none() && summary.units > 0 {
        let (done, units) = (grouped(summary.done), grouped(summary.units));
        figures.push(("Units", format!("{done} of {units}")));
    }
    figures
}

fn facts(spec: &TestSpec, job: &JobSummary) -> Vec<Fact> {
    let mut facts = vec![("Kind", spec.kind.name().to_owned())];
    if !spec.limits.is_none() {
        facts.push(("Limits", limits(&spec.limits)));
    }
    if let TestKind::Sprt { bounds, .. } = &spec.kind {
        facts.push(("Bounds", shown_bounds(bounds)));
    }
    if spec.kind.is_of_pairs() {
        facts.push(("Openings", spec.openings.book.clone()));
    }
    facts.push(("Threads", spec.threads.to_string()));
    let hash = spec.hash_mib.map(|mib| format!("{mib} MiB"));
    facts.extend(hash.map(|hash| ("Hash", hash)));
    let rounds = spec.kind.rounds().map(grouped);
    facts.extend(rounds.map(|rounds| ("Pairs at most", rounds)));
    match &spec.kind {
        TestKind::Perft { perft } => {
            facts.extend(perft.fen.clone().map(|fen| ("Position", fen)));
        }
        TestKind::TrainingGames { training } => {
            facts.push(("Files", grouped(training.seeds.len() as u64)));
            facts.push(("Games of each", grouped(training.games)));
            facts.push(("Nodes a move", grouped(training.nodes)));
            facts.push(("Engine", training.engine.clone()));
        }
        TestKind::Sprt {
            then: Some(then), ..
        } => {
            let bounds = { then.bounds.as_ref() }.map(|one| format!(", {}", shown_bounds(one)));
            let text = limits(&then.limits) + &bounds.unwrap_or_default();
            facts.push(("Then", text));
        }
        _ => {}
    }
    let (priority, weight) = (job.priority, job.weight);
    facts.push(("Priority", format!("{priority}, weight {weight}")));
    facts
}

fn engines(summary: &TestSummary, spec: Option<&TestSpec>, job: &JobSummary) -> Vec<ShownEngine> {
    let submitted = spec.map_or(&[][..], |spec| &spec.engines);
    // Before a test is prepared, only what was submitted is known: revisions, and no commits.
    let all = if summary.engines.is_empty() {
        let given = submitted.iter().map(|engine| EngineSummary {
            name: engine.name.clone().unwrap_or_default(),
            revision: engine.revision.clone(),
            bench: engine.bench,
            repository: engine.repository.clone(),
            ..EngineSummary::default()
        });
        given.collect()
    } else {
        summary.engines.clone()
    };
    // Of two engines, the first one is the new one (`engines` of a test).
    let is_pair = all.len() == 2;
    let role = |index| match (is_pair, index) {
        (true, 0) => "New",
        (true, _) => "Base",
        _ => "Engine",
    };
    all.into_iter()
        .enumerate()
        .map(|(index, engine)| {
            let forge = engine.url.as_deref().or(job.url.as_deref());
            let commit = engine.commit.unwrap_or_default();
            ShownEngine {
                role: role(index),
                href: forge
                    .and_then(Forge::from_url)
                    .and_then(|one| one.commit(&commit)),
                name: engine.name,
                revision: engine.revision.unwrap_or_default(),
                commit: commit.chars().take(12).collect(),
                bench: engine.bench.map_or_else(String::new, grouped),
            }
        })
        .collect()
}

/// The page of the difference between base and new, if both are of one known repository.
fn diff(summary: &TestSummary, job: &JobSummary) -> Option<String> {
    let [new, base] = summary.engines.as_slice() else {
        return None;
    };
    let url = |engine: &EngineSummary| engine.url.clone().or_else(|| job.url.clone());
    let forge = Forge::from_url(&url(new)?)?;
    // A forge compares commits of one repository only.
    let is_same = Forge::from_url(&url(base)?)? == forge;
    let (new, base) = (new.commit.as_deref()?, base.commit.as_deref()?);
    forge.diff(base, new).filter(|_| is_same)
}

/// How the ratio, the difference in Elo and the values of a tuning developed.
fn graphs(summary: &TestSummary, points: &[Point]) -> Vec<(String, String)> {
    let mut graphs = Vec::new();
    if let Some(sprt) = &summary.sprt {
        let drawn = graph::llr(points, sprt.lower, sprt.upper);
        let (elo0, elo1, model) = (sprt.elo0, sprt.elo1, &sprt.model);
        let says = format!(
            "Log-likelihood ratio against games. The test passes at the upper line (H1: {elo1} Elo) and fails at the \
             lower one (H0: {elo0} Elo), {model}."
        );
        graphs.push((drawn, says));
    }
    if summary.score.is_some() {
        let says =
            "Elo (logistic) of the new engine with its 95 % interval, against games.".to_owned();
        graphs.push((graph::elo(points), says));
    }
    let tuned = summary.tune.iter().flat_map(|tune| &tune.parameters);
    for (index, parameter) in tuned.enumerate() {
        let drawn = graph::tuned(points, index, parameter);
        let says = format!(
            "{} against games, from {} to {}.",
            parameter.name, parameter.min, parameter.max
        );
        graphs.push((drawn, says));
    }
    graphs.retain(|(drawn, _)| !drawn.is_empty());
    graphs
}

fn workers(summary: &TestSummary, machines: &[WorkerMachine]) -> Vec<TestWorker> {
    let machine = |name: &str| {
        let found = machines.iter().find(|one| one.name == name);
        found.map_or_else(String::new, machine_of)
    };
    let quarantined = |name: &str| {
        let found = summary.quarantined.iter().find(|one| one.worker == name);
        found.map(|one| one.reason.clone())
    };
    let mut workers: Vec<TestWorker> = { summary.workers.iter() }
        .map(|(name, worker)| TestWorker {
            name: name.clone(),
            units: grouped(worker.units),
            games: grouped(worker.games),
            machine: machine(name),
            elo: elo_of(worker.pentanomial),
            pentanomial: worker.pentanomial.map(|count| count.to_string()).join(", "),
            residual: { worker.residual }
                .map_or_else(|| "–".to_owned(), |residual| format!("{residual:+.2}")),
            faults: worker.faults,
            is_suspicious: worker.residual.is_some_and(|one| one.abs() > SUSPICIOUS),
            quarantined: quarantined(name),
        })
        .collect();
    // A test counts nothing of a quarantined worker, which is then not among its workers.
    let gone = { summary.quarantined.iter() }
        .filter(|one| !summary.workers.contains_key(&one.worker))
        .map(|one| TestWorker {
            name: one.worker.clone(),
            units: "–".to_owned(),
            games: grouped(one.games),
            machine: machine(&one.worker),
            elo: "–".to_owned(),
            pentanomial: "–".to_owned(),
            residual: "–".to_owned(),
            faults: 0,
            is_suspicious: false,
            quarantined: Some(one.reason.clone()),
        });
    workers.extend(gone);
    workers
}

/// Elo of a worker's pairs.
fn elo_of(pentanomial: [u64; 5]) -> String {
    let pairs = Counts::Pairs {
        pairs: Pentanomial(pentanomial),
        games: None,
    };
    let known = Summary::from_counts(&pairs);
    known.map_or_else(
        || "–".to_owned(),
        |known| {
            format!(
                "{:+.1} ± {:.1}",
                known.elo.value,
                (known.elo.upper - known.elo.lower) / 2.0
            )
        },
    )
}

/// Such as `AMD EPYC, bmi2 avx2`.
fn machine_of(machine: &WorkerMachine) -> String {
    let abilities = &machine.abilities.0;
    let instructions = abilities.has.iter().map(String::as_str);
    let instructions: Vec<&str> = instructions
        .filter(|one| INSTRUCTIONS.contains(one))
        .collect();
    let processor = machine
        .processor
        .clone()
        .unwrap_or_else(|| abilities.system.clone());
    let mut parts = vec![processor, instructions.join(" ")];
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

fn parameters(summary: &TestSummary) -> Vec<[String; 5]> {
    let tune = summary.tune.iter();
    tune.flat_map(|tune| &tune.parameters)
        .map(|one| {
            let numbers = [one.start, one.value, one.min, one.max];
            let [start, value, min, max] = numbers.map(|number| format!("{number:.3}"));
            [one.name.clone(), start, value, min, max]
        })
        .collect()
}

/// Which share was verified, and how likely a liar went unseen.
fn verification(found: &Verification) -> Vec<Fact> {
    if !found.compares || found.done == 0 {
        return Vec::new();
    }
    let share = found.verified_share() * 100.0;
    let (verified, done) = (grouped(found.verified), grouped(found.done));
    let mut facts = vec![
        (
            "Verified",
            format!("{share:.1} %: {verified} of {done} units"),
        ),
        ("Being verified", grouped(found.checking)),
        ("Workers", found.workers.len().to_string()),
    ];
    let lies = [
        (0.01, "A liar of 1 % unseen"),
        (0.1, "A liar of 10 % unseen"),
        (1.0, "A liar of 100 % unseen"),
    ];
    facts.extend(lies.map(|(lie, name)| {
        let unseen = found.unseen(lie) * 100.0;
        (name, format!("{unseen:.2} % probability"))
    }));
    facts
}

/// Which points of a graph are wanted.
#[derive(Debug, Deserialize)]
pub(crate) struct Range {
    /// Only points with a higher number.
    #[serde(default)]
    after: i64,
    /// At most so many, up to 1000.
    #[serde(default)]
    limit: Option<u32>,
}

/// Points of a graph.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Points)]
pub(crate) struct Points {
    /// Always `touchstone/lab-points/1`.
    schema: &'static str,
    /// In the order of their numbers; each has a `number` besides what was known then.
    #[schema(value_type = Vec<Object>)]
    points: Vec<NumberedPoint>,
}

/// How a test developed.
#[utoipa::path(get, path = "/api/1/tests/{id}/points", tag = "tests",
    params(
        ("id" = String, Path, description = "The test"),
        ("after" = Option<i64>, Query, description = "Only points with a higher number"),
        ("limit" = Option<u32>, Query, description = "At most so many, up to 1000"),
    ),
    responses(
        (status = 200, description = "The next points", body = Points),
        (status = 404, description = "`no-job`"),
    ))]
pub(crate) async fn points(
    State(app): State<LabState>,
    Path(id): Path<String>,
    Query(range): Query<Range>,
) -> Result<Response, Problem> {
    let pool = &app.database.pool;
    let limit = range.limit.map_or(queries::POINTS, i64::from);
    let limit = limit.clamp(1, queries::POINTS);
    let points = { queries::points(pool, &id, range.after, limit).await }.map_err(reading)?;
    // Points prove that the test is there; only without any is it looked for.
    if points.is_empty() {
        found(&app, &id).await?;
    }
    let schema = "touchstone/lab-points/1";
    Ok(Json(Points { schema, points }).into_response())
}

//! The report of a test of games: the one that `selfplay report` makes of a run, from the results that the lab has.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse as _, Response};
use queue::Recorded;
use selfplay::fleet::protocol::{Message as _, PairBody};
use selfplay::model::{GameRecord, RunConfig};
use selfplay::report::run::{Collector, PageGames, RunReport};
use web::extract::Path;
use web::problem::{NOT_FOUND, Problem};

use super::queries::JobSummary;
use super::test_page::found;
use crate::app::LabState;
use crate::conduct::api::config_of;
use crate::conduct::blocking::blocking;

/// Number of reports whose games stay counted, so that the next look reads new results only.
// A counted test has a few bytes of each game and the games of its page, at most some 6 MB.
const KEPT: usize = 4;
/// Number of results that are read at once: each may have some megabytes.
const PAGE: u32 = 64;

/// The report has its own style and script, as the file that `selfplay report` writes. Its page allows the one script that
/// it has by that script's hash; the two policies hold together.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'",
);

/// The reports that were asked for last.
// One is made at a time: of a large test it takes a processor for seconds, and anybody may ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reports(Arc<tokio::sync::Mutex<VecDeque<Arc<Mutex<CountedTest>>>>>);

/// The games of a test that are counted.
#[derive(Debug)]
struct CountedTest {
    id: String,
    config: RunConfig,
    collector: Collector,
    games: PageGames,
    /// The number of the last result read.
    cursor: u64,
    /// The pairs that were read.
    pairs: BTreeSet<u64>,
    /// Games of a round that has not begun: results before it were taken back.
    early: Vec<GameRecord>,
}

impl CountedTest {
    fn new(id: &str, config: RunConfig) -> Result<Self, Problem> {
        let collector = Collector::new(&config).map_err(|error| Problem::internal(&error))?;
        Ok(Self {
            id: id.to_owned(),
            config,
            collector,
            games: PageGames::new(""),
            cursor: 0,
            pairs: BTreeSet::new(),
            early: Vec::new(),
        })
    }

    /// Counts a page of results. Returns false if one of them is another result of a pair that is counted.
    fn add(&mut self, page: &[Recorded]) -> bool {
        for result in page {
            self.cursor = result.number;
            if !self.pairs.insert(result.key) {
                return false;
            }
            // The conductor reads each result when it comes, and quarantines who sends an invalid one.
            if let Ok(pair) = PairBody::from_text(&result.value) {
                self.early.extend(pair.into_records(&result.worker));
            }
        }
        // A game that is counted may begin a round, of which others wait.
        loop {
            let waiting = std::mem::take(&mut self.early);
            let before = waiting.len();
            for record in waiting {
                match self.collector.record(&record) {
                    Ok(()) => self.games.record(&record),
                    Err(_) => self.early.push(record),
                }
            }
            if self.early.is_empty() || self.early.len() == before {
                return true;
            }
        }
    }

    fn restart(&mut self) -> Result<(), Problem> {
        *self = Self::new(&self.id, self.config.clone())?;
        Ok(())
    }
}

fn lock(test: &Mutex<CountedTest>) -> std::sync::MutexGuard<'_, CountedTest> {
    test.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the report.
pub(crate) async fn show(
    State(app): State<LabState>,
    Extension(reports): Extension<Reports>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let html = with_report(&app, &reports, &id, |report, games| report.html("", games)).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(html)).into_response())
}

/// The report of a test of games: `touchstone/selfplay-report/1`, as `selfplay report --format json` prints it.
#[utoipa::path(get, path = "/api/1/tests/{id}/report", tag = "tests", responses(
    (status = 200, content_type = "application/json", body = Object, description = "the report"),
    (status = 404, body = web::problem::ProblemBody, description = "no-job, or not-found: it has no report"),
))]
pub(crate) async fn json(
    State(app): State<LabState>,
    Extension(reports): Extension<Reports>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let json = with_report(&app, &reports, &id, |report, _| report.json()).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// Counts the results that are new, and writes the report.
async fn with_report(
    app: &LabState,
    reports: &Reports,
    id: &str,
    write: fn(&RunReport<'_>, &PageGames) -> String,
) -> Result<String, Problem> {
    let job = found(app, id).await?;
    let config = config(app, &job).await?;
    let mut kept = reports.0.lock().await;
    let known = kept.iter().position(|test| lock(test).id == id);
    let test = match known.and_then(|place| kept.remove(place)) {
        Some(test) => test,
        None => Arc::new(Mutex::new(CountedTest::new(id, config)?)),
    };
    // A request that ends at its deadline leaves what it has counted: the next one goes on from there.
    kept.push_front(Arc::clone(&test));
    kept.truncate(KEPT);
    count(app, id, &test).await?;
    let quarantined = job.summary().quarantined;
    let written = blocking(move || {
        let mut test = lock(&test);
        test.collector.set_quarantined(quarantined);
        let summary = test.collector.summary();
        write(&RunReport::new(&test.config, &summary), &test.games)
    });
    Ok(written.await?)
}

/// The configuration of a test that has a report.
async fn config(app: &LabState, job: &JobSummary) -> Result<RunConfig, Problem> {
    if !job.spec().is_some_and(|spec| spec.kind.compares_engines()) {
        let detail = format!(
            "test '{}' has no report: it compares no engines by games",
            job.id
        );
        return Err(Problem::new(NOT_FOUND, detail));
    }
    Ok(config_of(app, &job.id).await?)
}

/// Reads all results that are not counted yet; all of them again if some were taken back or replaced.
async fn count(app: &LabState, id: &str, test: &Arc<Mutex<CountedTest>>) -> Result<(), Problem> {
    // Before the results: all that it counts is read.
    let done = app.work.progress(id).await?.done;
    // Each test can be counted again while it is looked at: a second time is enough to show what was there in between.
    let mut may_restart = true;
    loop {
        let cursor = lock(test).cursor;
        let page = app.work.results(id, cursor, PAGE).await?;
        let is_last = page.len() < PAGE as usize;
        let counting = Arc::clone(test);
        let is_sound = blocking(move || lock(&counting).add(&page)).await?;
        let is_whole = !is_last || lock(test).pairs.len() as u64 <= done;
        if may_restart && !(is_sound && is_whole) {
            may_restart = false;
            lock(test).restart()?;
        } else if is_last {
            return Ok(());
        }
    }
}

//! Lists of tests, by state, author, repository and more.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use selfplay::lab::spec::{TestKind, TestSpec};
use selfplay::lab::summary::{Outcome, TestSummary};
use serde::Deserialize;
use web::extract::Query;
use web::problem::Problem;

use super::format::{Moment, grouped, interval, limits, shown_bounds};
use super::queries::{self, Filter, JobSummary};
use super::{PageFrame, page, reading};
use crate::app::LabState;
use crate::people::SignedIn;

/// A state as pages show it: never by colour alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Badge {
    pub(crate) text: String,
    /// `good`, `warn`, `bad`, `live` or nothing.
    pub(crate) class: &'static str,
}

impl Badge {
    pub(crate) fn new(job: &JobSummary, summary: &TestSummary) -> Self {
        let (text, class) = match (job.state.as_str(), summary.outcome) {
            ("done", Some(Outcome::Passed)) => ("passed", "good"),
            ("done", Some(Outcome::Failed)) => ("failed", "bad"),
            ("done", Some(Outcome::Undecided)) => ("undecided", "warn"),
            ("done", Some(Outcome::Invalid)) => ("invalid", "bad"),
            ("done", Some(Outcome::Broken)) => ("broken", "bad"),
            ("done", Some(Outcome::Inexact)) => ("not exact", "bad"),
            ("done", Some(Outcome::Complete) | None) => ("done", "good"),
            ("running", _) => ("running", "live"),
            ("pending", _) => ("needs approval", "warn"),
            ("flagged", _) => ("flagged", "bad"),
            ("rejected", _) => ("rejected", "bad"),
            (other, _) => (other, ""),
        };
        Self {
            text: text.to_owned(),
            class,
        }
    }
}

/// What a test is called: its title, or its name without one.
pub(crate) fn title_of<'a>(title: &'a str, id: &'a str) -> &'a str {
    if title.is_empty() { id } else { title }
}

/// A row of a list.
#[derive(Debug)]
struct TestRow {
    id: String,
    title: String,
    kind: String,
    author: String,
    repository: String,
    badge: Badge,
    /// Limits and bounds.
    settings: Vec<String>,
    /// The log-likelihood ratio with its bounds.
    ratio: Option<[f64; 3]>,
    /// What is known, in a few short lines.
    known: Vec<String>,
    /// Priority, workers, games a minute and time left.
    turn: Vec<String>,
    at: Moment,
}

impl TestRow {
    fn new(job: &JobSummary, workers: i64, now_ms: i64) -> Self {
        let summary = job.summary();
        let spec = job.spec();
        let kind = { &spec }.as_ref().map(|spec| spec.kind.name().to_owned());
        let ratio = summary
            .sprt
            .as_ref()
            .map(|sprt| [sprt.lower, sprt.llr, sprt.upper]);
        Self {
            id: job.id.clone(),
            title: title_of(&job.title, &job.id).to_owned(),
            // Once it is prepared, a job has the kind of its protocol; people know that of the test.
            kind: kind.unwrap_or_else(|| job.kind.clone()),
            author: job.author.clone(),
            repository: job.repository.clone().unwrap_or_default(),
            badge: Badge::new(job, &summary),
            settings: spec.as_ref().map_or_else(Vec::new, settings),
            ratio,
            known: known(job, &summary),
            turn: turn(job, &summary, workers, now_ms),
            at: Moment::new(job.finished_ms.unwrap_or(job.created_ms)),
        }
    }
}

/// Limits and bounds of a test, in short lines.
fn settings(spec: &TestSpec) -> Vec<String> {
    let mut lines = vec![limits(&spec.limits)];
    if let TestKind::Sprt { bounds, .. } = &spec.kind {
        lines.push(shown_bounds(bounds));
    }
    if spec.threads > 1 {
        lines.push(format!("{} threads", spec.threads));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// When a test has its turn, who plays it, how fast, and when it ends.
fn turn(job: &JobSummary, summary: &TestSummary, workers: i64, now_ms: i64) -> Vec<String> {
    if job.state != "running" {
        return Vec::new();
    }
    let mut lines = vec![format!("priority {}, weight {}", job.priority, job.weight)];
    lines.push(match workers {
        1 => "1 worker".to_owned(),
        workers => format!("{workers} workers"),
    });
    let minutes = job
        .started_ms
        .map_or(0.0, |started| minutes(now_ms - started));
    // Without workers, neither a rate nor a time left means anything.
    if minutes < 1.0 || summary.done == 0 || workers == 0 {
        return lines;
    }
    if let Some(score) = &summary.score {
        lines.push(format!(
            "{:.1} games a minute",
            number(score.games) / minutes
        ));
    }
    // Nobody knows how long a sequential test takes.
    if summary.sprt.is_none() && summary.units > summary.done {
        let left = number(summary.units - summary.done) * minutes / number(summary.done);
        lines.push(format!("some {} left", lasting(left)));
    }
    lines
}

/// A time in minutes, roughly.
fn lasting(minutes: f64) -> String {
    match minutes {
        0.0..100.0 => format!("{minutes:.0} min"),
        100.0..2_880.0 => format!("{:.0} h", minutes / 60.0),
        _ => format!("{:.0} d", minutes / 1_440.0),
    }
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with two digits")]
fn minutes(ms: i64) -> f64 {
    ms as f64 / 60_000.0
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with two digits")]
fn number(count: u64) -> f64 {
    count as f64
}

/// The result so far, in a few short lines.
fn known(job: &JobSummary, summary: &TestSummary) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(sprt) = &summary.sprt {
        let (llr, lower, upper) = (sprt.llr, sprt.lower, sprt.upper);
        lines.push(format!("LLR {llr:.2} ({lower:.2}, {upper:.2})"));
    }
    if let Some(score) = &summary.score {
        let games = grouped(score.games);
        let (wins, losses, draws) = (score.wins, score.losses, score.draws);
        lines.push(format!("{games} games: W {wins} L {losses} D {draws}"));
        let counts = score.pentanomial.map(|count| count.to_string());
        lines.push(format!("Ptnml {}", counts.join(", ")));
        // Summaries that older servers stored have no texts.
        if !score.elo_text.is_empty() {
            lines.push(format!("Elo {}", score.elo_text));
        } else if let Some(elo) = &score.elo {
            lines.push(format!("Elo {}", interval(elo)));
        }
    }
    if lines.is_empty() && !summary.headline.is_empty() {
        lines.push(summary.headline.clone());
    }
    if lines.is_empty() && summary.units > 0 {
        let (done, units) = (grouped(summary.done), grouped(summary.units));
        lines.push(format!("{done} of {units} units"));
    }
    if let Some(reason) = &job.reason {
        lines.push(reason.clone());
    }
    lines
}

/// Tests under one heading.
struct Group {
    id: &'static str,
    heading: &'static str,
    rows: Vec<TestRow>,
}

#[derive(Template)]
#[template(path = "tests.html")]
struct TestsPage {
    frame: PageFrame,
    is_finished: bool,
    /// The address of the other view, with the same author and repository.
    views: [String; 2],
    groups: Vec<Group>,
    wanted: TestsFilter,
    repositories: Vec<String>,
    /// The next page of the list.
    older: Option<String>,
    is_first: bool,
    since_ms: i64,
}

/// The filter as it is in the address.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TestsFilter {
    /// `active`, `finished`, or a state.
    state: String,
    author: String,
    repository: String,
    kind: String,
    tc: String,
    /// `ELO0,ELO1`, in brackets or not.
    bounds: String,
    /// In the title, the name or the note.
    text: String,
    before: Option<i32>,
}

const ACTIVE: [(&str, &str); 3] = [
    ("running", "Running"),
    ("waiting", "Waiting"),
    ("pending", "Waiting for approval"),
];
const FINISHED: [&str; 4] = ["done", "stopped", "flagged", "rejected"];

impl TestsFilter {
    fn filter(&self) -> Filter {
        let given = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
        let states: Vec<String> = match self.state.as_str() {
            "finished" => FINISHED.map(str::to_owned).to_vec(),
            "" | "active" => ACTIVE.map(|(state, _)| state.to_owned()).to_vec(),
            state => vec![state.to_owned()],
        };
        Filter {
            states,
            author: given(&self.author),
            repository: given(&self.repository),
            kind: given(&self.kind),
            tc: given(&self.tc),
            bounds: bounds_of(&self.bounds),
            text: given(&self.text),
            before: self.before,
        }
    }

    fn is_finished(&self) -> bool {
        self.state == "finished" || FINISHED.contains(&self.state.as_str())
    }

    /// The address of this list in another state, or from another test on.
    fn address(&self, state: &str, before: Option<i32>) -> String {
        let before = before.map_or_else(String::new, |before| before.to_string());
        let query = form(&[
            ("state", state),
            ("author", self.author.trim()),
            ("repository", self.repository.trim()),
            ("kind", self.kind.trim()),
            ("tc", self.tc.trim()),
            ("bounds", self.bounds.trim()),
            ("text", self.text.trim()),
            ("before", &before),
        ]);
        format!("/tests?{query}")
    }
}

/// Two numbers, such as `0, 2` or `[-1.5, 0.5]`; what is no bounds is no filter.
fn bounds_of(text: &str) -> Option<[f64; 2]> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let (elo0, elo1) = inner.split_once(',')?;
    let number = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.is_finite());
    Some([number(elo0)?, number(elo1)?])
}

/// Fields as the query of an address; empty ones are left out.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    let given = given.map(|(name, value)| format!("{name}={}", percent_encoded(value)));
    given.collect::<Vec<String>>().join("&")
}

/// What must be written as `%XX` within an address: all but what RFC 3986 calls unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A value within an address.
pub(crate) fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Shows running, waiting and pending tests, or finished ones.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
    Query(wanted): Query<TestsFilter>,
) -> Result<Response, Problem> {
    let pool = &app.database.pool;
    // The time is read before the tests: what changes meanwhile then comes as an event.
    let since_ms = queries::now(pool).await.map_err(reading)?;
    let mut jobs = { queries::tests(pool, &wanted.filter()).await }.map_err(reading)?;
    let repositories = queries::repositories(pool).await.map_err(reading)?;
    let has_more = jobs.len() > usize::try_from(queries::TESTS).unwrap_or(usize::MAX);
    if has_more {
        jobs.pop();
    }
    let older = { jobs.last().filter(|_| has_more) }
        .map(|last| wanted.address(&wanted.state, Some(last.number.0)));
    let numbers: Vec<i32> = jobs.iter().map(|job| job.number.0).collect();
    let at_work = queries::at_work(pool, &numbers).await.map_err(reading)?;
    let row = |job: &JobSummary| {
        let workers = at_work.iter().find(|one| one.job == job.number.0);
        TestRow::new(job, workers.map_or(0, |one| one.workers), since_ms)
    };
    let is_finished = wanted.is_finished();
    let groups = if is_finished {
        vec![Group {
            id: "finished",
            heading: "Finished",
            rows: jobs.iter().map(row).collect(),
        }]
    } else {
        let of = |(id, heading): (&'static str, &'static str)| Group {
            id,
            heading,
            rows: { jobs.iter().filter(|job| job.state == id) }
                .map(row)
                .collect(),
        };
        ACTIVE.map(of).into()
    };
    Ok(page(&TestsPage {
        frame: PageFrame::new("Tests", "tests", who.map(|who| who.0)),
        is_finished,
        views: ["active", "finished"].map(|state| wanted.address(state, None)),
        groups,
        older,
        is_first: wanted.before.is_none(),
        wanted,
        repositories: repositories.into_iter().map(|one| one.name).collect(),
        since_ms,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_the_filter() {
        let wanted = TestsFilter {
            state: "done".to_owned(),
            author: "a&b-c ".to_owned(),
            ..TestsFilter::default()
        };
        assert_eq!(
            wanted.address("finished", Some(7)),
            "/tests?state=finished&author=a%26b-c&before=7"
        );
        assert!(wanted.is_finished());
        assert_eq!(wanted.filter().states, ["done"]);
        assert_eq!(wanted.filter().author.as_deref(), Some("a&b-c"));
    }

    #[test]
    fn bounds_are_read_as_people_write_them() {
        let rows = [
            ("0, 2", Some([0.0, 2.0])),
            ("[-1.5,0.5]", Some([-1.5, 0.5])),
            ("0", None),
            ("a,b", None),
            ("0,inf", None),
            ("", None),
        ];
        for (text, expected) in rows {
            assert_eq!(bounds_of(text), expected, "{text}");
        }
    }
}

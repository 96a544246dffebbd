//! Lists of tests, by state, author and repository.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use selfplay::lab::summary::{Outcome, TestSummary};
use serde::Deserialize;
use web::extract::Query;
use web::problem::Problem;

use super::format::{Moment, grouped, interval};
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
    /// What is known, in a few short lines.
    known: Vec<String>,
    at: Moment,
}

impl TestRow {
    fn new(job: &JobSummary) -> Self {
        let summary = job.summary();
        let kind =
            { job.spec() }.map_or_else(|| job.kind.clone(), |spec| spec.kind.name().to_owned());
        Self {
            id: job.id.clone(),
            title: title_of(&job.title, &job.id).to_owned(),
            kind,
            author: job.author.clone(),
            repository: job.repository.clone().unwrap_or_default(),
            badge: Badge::new(job, &summary),
            known: known(job, &summary),
            at: Moment::new(job.finished_ms.unwrap_or(job.created_ms)),
        }
    }
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
    author: String,
    repository: String,
    state: String,
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
            ("before", &before),
        ]);
        format!("/tests?{query}")
    }
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
    let since_ms = queries::now(pool).await.map_err(reading)?;
    let mut jobs = { queries::tests(pool, &wanted.filter()).await }.map_err(reading)?;
    let repositories = queries::repositories(pool).await.map_err(reading)?;
    let has_more = jobs.len() > usize::try_from(queries::TESTS).unwrap_or(usize::MAX);
    if has_more {
        jobs.pop();
    }
    let older = { jobs.last().filter(|_| has_more) }
        .map(|last| wanted.address(&wanted.state, Some(last.number.0)));
    let is_finished = wanted.is_finished();
    let groups = if is_finished {
        vec![Group {
            id: "finished",
            heading: "Finished",
            rows: jobs.iter().map(TestRow::new).collect(),
        }]
    } else {
        let of = |(id, heading): (&'static str, &'static str)| Group {
            id,
            heading,
            rows: { jobs.iter().filter(|job| job.state == id) }
                .map(TestRow::new)
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
        author: wanted.author,
        repository: wanted.repository,
        state: wanted.state,
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
}

//! Tests of a lab, from a program of their author: submitted, waited for, their results read. An edge.

use std::time::Duration;

use kit::output::{self, remark};
use kit::{BadInput, Interrupt};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::{AskError, BrokerError, LabClient, Recorded, RetryPolicy};

/// How often a test is looked at.
const LOOK: Duration = Duration::from_secs(2);
/// The longest wait for a lab that cannot be reached.
const PATIENCE: Duration = Duration::from_mins(5);
/// Results per call, so that an answer is far below what is read of one: each may have some megabytes.
const PAGE: u32 = 64;

/// The options of commands whose work a lab can do.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "On many machines")]
pub struct LabArgs {
    /// Let the workers of this lab do it, and wait
    ///
    /// Submits a test to this lab and waits for its result. The token of your account is read from `FLEET_TOKEN`.
    /// Example: `--lab https://lab.example`.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub lab: Option<String>,

    /// Print the test's name and address, and do not wait
    #[arg(long, requires = "lab", hide_short_help = true)]
    pub no_wait: bool,
}

/// A test that a lab has.
#[derive(Debug, Deserialize)]
pub struct SubmittedTest {
    /// Its name.
    pub id: String,
    /// Its page.
    pub url: String,
}

/// A test of a lab, as far as waiting for it needs it: with the parts of its summary and of its specification that
/// the program reads.
#[derive(Debug, Deserialize)]
pub struct LabTest<Summary, Spec = IgnoredAny> {
    /// `pending`, `waiting`, `running`, `done`, `stopped`, `flagged` or `rejected`.
    pub state: String,
    /// Why it was stopped, flagged or rejected, or what its preparation waits for.
    pub reason: Option<String>,
    /// What was submitted.
    pub spec: Option<Spec>,
    /// What is known so far.
    pub summary: Summary,
    /// Whether the summary is final.
    pub is_final: bool,
    /// Whether it passed, if it could.
    pub passed: Option<bool>,
}

impl<Summary, Spec> LabTest<Summary, Spec> {
    /// State and reason in words.
    pub fn state(&self) -> String {
        match &self.reason {
            Some(reason) => format!("the test is {}: {reason}", self.state),
            None => format!("the test is {}", self.state),
        }
    }

    /// What the test waits for, for people.
    fn waits_for(&self) -> String {
        match (self.state.as_str(), &self.reason) {
            ("running", _) => String::new(),
            ("pending", _) => "waiting for a maintainer to approve the test".to_owned(),
            (_, Some(reason)) => reason.clone(),
            ("waiting", None) => "waiting for the lab to prepare the test".to_owned(),
            ("done", None) => "waiting for other workers to confirm the results".to_owned(),
            (state, None) => state.to_owned(),
        }
    }
}

/// The lab, as the author of a test sees it. Where a call returns `None`, an interrupt came.
pub struct TestClient<'a> {
    lab: LabClient,
    url: String,
    interrupt: &'a Interrupt,
    is_quiet: bool,
}

impl<'a> TestClient<'a> {
    /// With the token in the environment variable `FLEET_TOKEN`. No call is made yet.
    ///
    /// # Errors
    /// The URL or the token is invalid.
    pub fn connect(url: &str, interrupt: &'a Interrupt, is_quiet: bool) -> anyhow::Result<Self> {
        let lab = crate::connect_with_environment(url).map_err(|error| explain(url, error))?;
        if let Some(warning) = lab.warning() {
            remark(is_quiet, &warning);
        }
        let url = url.to_owned();
        Ok(Self {
            lab,
            url,
            interrupt,
            is_quiet,
        })
    }

    /// The address of the lab.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Submits a test, and prints what it is: as a result if nobody waits for it, then `None` comes back.
    ///
    /// # Errors
    /// The lab rejects the test or cannot be reached.
    pub fn submit(
        &self,
        spec: &impl Serialize,
        no_wait: bool,
    ) -> anyhow::Result<Option<SubmittedTest>> {
        // A call that failed may have taken effect, and is not repeated: one test is enough.
        let submitted: Result<SubmittedTest, _> = self.lab.post("/api/1/tests", spec);
        let submitted = submitted.map_err(|error| match error {
            // What the lab finds wrong with a test is the user's fault.
            BrokerError::Failed(detail) => bad(format!("the lab {}: {detail}", self.url)),
            error => explain(&self.url, error),
        })?;
        if no_wait {
            output::to_stdout(format!("{} {}\n", submitted.id, submitted.url))?;
            return Ok(None);
        }
        remark(
            self.is_quiet,
            &format!("{}: {}", submitted.id, submitted.url),
        );
        Ok(Some(submitted))
    }

    /// Waits until the result of a test is final, and shows what is known meanwhile.
    ///
    /// # Errors
    /// There is no such test; the lab cannot be reached for minutes.
    pub fn wait<Summary: DeserializeOwned, Spec: DeserializeOwned>(
        &self,
        test: &str,
        show: &mut dyn FnMut(&Summary),
    ) -> anyhow::Result<Option<LabTest<Summary, Spec>>> {
        let path = format!("/api/1/tests/{test}");
        let mut last = String::new();
        loop {
            let answer = self.call(|lab| lab.get::<LabTest<Summary, Spec>>(&path))?;
            let Some(test) = answer else {
                return Ok(None);
            };
            let is_over = matches!(test.state.as_str(), "rejected" | "flagged");
            if test.is_final || is_over {
                return Ok(Some(test));
            }
            let state = test.waits_for();
            if state != last && !state.is_empty() {
                remark(self.is_quiet, &state);
                last = state;
            }
            show(&test.summary);
            if self.with_retries(|retry| retry.rest(LOOK)).is_err() {
                return Ok(None);
            }
        }
    }

    /// The results of a test by the number of their unit, each as its kind writes it.
    ///
    /// # Errors
    /// As for [`Self::wait`].
    pub fn results(&self, test: &str) -> anyhow::Result<Option<Vec<Recorded>>> {
        let mut all: Vec<Recorded> = Vec::new();
        loop {
            let after = all.last().map_or(0, |last| last.number);
            let path = format!("/api/1/tests/{test}/results?after={after}&limit={PAGE}");
            let page = self.call(|lab| lab.get::<Vec<Recorded>>(&path))?;
            let Some(page) = page else {
                return Ok(None);
            };
            let is_last = page.len() < PAGE as usize;
            all.extend(page);
            if is_last {
                all.sort_by_key(|one| one.key);
                return Ok(Some(all));
            }
        }
    }

    /// Calls the lab, again while it cannot be reached.
    ///
    /// # Errors
    /// The lab rejects the call, or cannot be reached for minutes.
    pub fn call<T>(
        &self,
        mut call: impl FnMut(&LabClient) -> Result<T, BrokerError>,
    ) -> anyhow::Result<Option<T>> {
        match self.with_retries(|retry| retry.ask(|| call(&self.lab))) {
            Ok(answer) => Ok(Some(answer)),
            Err(AskError::Interrupted) => Ok(None),
            Err(AskError::Broker(error) | AskError::GaveUp { source: error, .. }) => {
                Err(explain(&self.url, error))
            }
        }
    }

    fn with_retries<T>(&self, act: impl FnOnce(&RetryPolicy<'_>) -> T) -> T {
        act(&RetryPolicy {
            most: PATIENCE,
            interrupt: self.interrupt,
            report: &|line| remark(self.is_quiet, line),
        })
    }
}

/// An error for people: they know a lab, not its queue.
fn explain(url: &str, error: BrokerError) -> anyhow::Error {
    match error {
        BrokerError::BadUrl(detail) => bad(detail),
        // The lab names what there is not: a test, a repository.
        BrokerError::NoJob(detail) => bad(format!("the lab {url}: {detail}")),
        BrokerError::Unreachable(source) => {
            let source = anyhow::Error::from_boxed(source);
            anyhow::anyhow!("cannot reach the lab {url}: {source:#}")
        }
        BrokerError::Failed(detail) => anyhow::anyhow!("the lab {url}: {detail}"),
        error @ BrokerError::Denied(_) => bad(error.to_string()),
        error => anyhow::anyhow!("{:#}", anyhow::Error::from(error)),
    }
}

fn bad(message: String) -> anyhow::Error {
    BadInput(message).into()
}

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

    /// The results of a test, one of each of so many units, in their order, each as its kind writes it.
    ///
    /// # Errors
    /// As for [`Self::wait`]; the lab sends others.
    pub fn results(&self, test: &str, units: usize) -> anyhow::Result<Option<Vec<Recorded>>> {
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
            // More than there are would be read without end.
            if is_last || all.len() > units {
                break;
            }
        }
        all.sort_by_key(|one| one.key);
        let keys = all.iter().map(|one| one.key);
        if keys.eq(0..units as u64) {
            return Ok(Some(all));
        }
        let found = all.len();
        anyhow::bail!("{test}: the lab sent {found} results, expected one of each of {units} units")
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

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    use super::*;

    /// What is read of a lab that answers each call for results with the same ones.
    fn read(answer: String, units: usize) -> Result<usize, String> {
        let server = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", server.local_addr().expect("bound"));
        std::thread::spawn(move || {
            for stream in server.incoming() {
                let mut stream = stream.expect("a call");
                let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                // To the end of the head.
                assert!(lines.take_while(|line| !line.is_empty()).count() > 0);
                let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length:";
                let answer = format!("{head} {}\r\n\r\n{answer}", answer.len());
                stream.write_all(answer.as_bytes()).expect("it listens");
            }
        });
        let interrupt = Interrupt::default();
        let client = TestClient {
            lab: crate::connect(&url, "tsa_x").expect("a URL"),
            url,
            interrupt: &interrupt,
            is_quiet: true,
        };
        let results = client.results("test-1", units);
        let results = results.map_err(|error| error.to_string())?;
        Ok(results.expect("no interrupt").len())
    }

    fn answer(keys: impl IntoIterator<Item = u64>) -> String {
        let results = keys.into_iter().zip(1..).map(|(key, number)| Recorded {
            number,
            key,
            worker: "a".to_owned(),
            value: String::new(),
        });
        serde_json::to_string(&results.collect::<Vec<_>>()).expect("texts and numbers")
    }

    #[test]
    fn results_are_one_of_each_unit() {
        assert_eq!(read(answer([1, 0, 2]), 3), Ok(3));
        for (keys, units) in [
            (vec![], 1),
            (vec![0, 2], 3),
            (vec![0, 1, 1], 3),
            (vec![0, 1, 3], 3),
            (vec![0, 1, 2, 3], 3),
            // A full page, again and again.
            ((0..64).collect(), 100),
        ] {
            let error = read(answer(keys), units).expect_err("not all");
            let expected = format!("results, expected one of each of {units} units");
            assert!(error.ends_with(&expected), "{error}");
        }
    }
}

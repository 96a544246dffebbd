//! `selfplay tune --lab URL`: the workers of a lab play the games. An edge: it speaks to a server.

use std::time::Duration;

use kit::{Exit, Interrupt, Progress, output};
use queue::{AskError, BrokerError, RetryPolicy};
use serde::Deserialize;

use super::{LabArgs, find_commits, sources};
use crate::cli::{bad, failed, remark};
use crate::config::{Contest, Draft, resolve};
use crate::lab::spec::{EngineSpec, TestKind, TestSpec, TuneSpec};
use crate::lab::summary::TestSummary;
use crate::model::OpeningSource;
use crate::tune::Parameter;

/// How often a test is looked at.
const LOOK: Duration = Duration::from_secs(2);
/// How long a lab may be unreachable.
const PATIENCE: Duration = Duration::from_mins(10);

/// A tuning for a lab.
pub(in crate::cli) struct LabTuning<'a> {
    pub(in crate::cli) url: &'a str,
    pub(in crate::cli) lab: &'a LabArgs,
    /// The engine twice, plus and minus.
    pub(in crate::cli) draft: Draft,
    /// The name of the engine, if it was given one.
    pub(in crate::cli) name: Option<String>,
    pub(in crate::cli) parameters: Vec<Parameter>,
    /// All else about the tuning.
    pub(in crate::cli) tune: TuneSpec,
    pub(in crate::cli) max_faults: Option<u64>,
    pub(in crate::cli) is_quiet: bool,
}

#[derive(Deserialize)]
struct Submitted {
    id: String,
    url: String,
}

/// A test, as far as waiting for it needs it.
#[derive(Deserialize)]
pub(in crate::cli) struct LabTest {
    pub(in crate::cli) state: String,
    pub(in crate::cli) reason: Option<String>,
    pub(in crate::cli) summary: TestSummary,
    is_final: bool,
}

impl LabTuning<'_> {
    /// Submits the tuning and waits for it; an exit code if nobody waits, or does not any more.
    pub(in crate::cli) fn run(
        &self,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Result<LabTest, Exit>> {
        let spec = self.spec()?;
        let faults = spec.check();
        if !faults.is_empty() {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return Err(bad(faults.join("\n")));
        }
        let client = queue::connect_with_environment(self.url).map_err(|error| explain(&error))?;
        // A call that failed may have taken effect, and is not repeated: one test is enough.
        let submitted: Submitted =
            client
                .post("/api/1/tests", &spec)
                .map_err(|error| match error {
                    // What the lab finds wrong with a test is the user's fault.
                    BrokerError::Failed(detail) => bad(detail),
                    error => explain(&error),
                })?;
        let Submitted { id, url } = submitted;
        if self.lab.no_wait {
            output::to_stdout(format!("{id} {url}\n"))?;
            return Ok(Err(Exit::Agreed));
        }
        remark(self.is_quiet, &format!("{id}: {url}"));
        let report = |line: &str| remark(self.is_quiet, line);
        let retry = RetryPolicy {
            most: PATIENCE,
            interrupt,
            report: &report,
        };
        match self.wait(&client, &id, retry) {
            Ok(test) => Ok(Ok(test)),
            Err(AskError::Interrupted) => {
                let line = format!("interrupted: the test continues, see {url}");
                remark(self.is_quiet, &line);
                Ok(Err(Exit::Interrupted))
            }
            Err(error) => Err(failed(false, error)),
        }
    }

    /// The test that the options describe.
    fn spec(&self) -> anyhow::Result<TestSpec> {
        let mut draft = self.draft.clone();
        let commits = find_commits(&mut draft);
        let mut config = resolve(draft, Contest::Match).map_err(bad)?;
        let sources = sources(&mut config, &commits)?;
        if matches!(config.openings, OpeningSource::Book { .. }) {
            return Err(bad(
                "--openings: a tuning at a lab begins from its own books",
            ));
        }
        let spec = TestSpec::of_run(&config, &sources, &[]).map_err(bad)?;
        let parameters = self.parameters.iter();
        let engine = spec.engines.first().cloned().unwrap_or_default();
        Ok(TestSpec {
            kind: TestKind::Tune,
            engines: vec![EngineSpec {
                name: self.name.clone(),
                ..engine
            }],
            rounds: None,
            tune: Some(TuneSpec {
                parameters: parameters.map(|one| one.to_line(one.start)).collect(),
                ..self.tune.clone()
            }),
            repository: self.lab.lab_repo.clone(),
            priority: self.lab.priority.unwrap_or(0),
            max_faults: self.max_faults,
            ..spec
        })
    }

    fn wait(
        &self,
        client: &queue::Client,
        id: &str,
        retry: RetryPolicy<'_>,
    ) -> Result<LabTest, AskError> {
        let path = format!("/api/1/tests/{id}");
        let iterations = usize::try_from(self.tune.iterations).unwrap_or(usize::MAX);
        let progress = Progress::new(self.tune.iterations, "iterations", !self.is_quiet);
        let mut reported = None;
        loop {
            let test: LabTest = retry.ask(|| client.get(&path))?;
            if let Some(tune) = &test.summary.tune {
                let done = usize::try_from(tune.iterations).unwrap_or(iterations);
                progress.reach(done, iterations);
            }
            if test.is_final || matches!(test.state.as_str(), "rejected" | "flagged") {
                progress.finish();
                return Ok(test);
            }
            if test.state != "running" && reported.as_ref() != Some(&test.state) {
                let reason = test.reason.as_deref().unwrap_or(match test.state.as_str() {
                    "pending" => "waiting for a maintainer to approve the test",
                    state => state,
                });
                remark(self.is_quiet, reason);
                reported = Some(test.state);
            }
            retry.rest(LOOK)?;
        }
    }
}

fn explain(error: &BrokerError) -> anyhow::Error {
    let is_input = matches!(error, BrokerError::BadUrl(_) | BrokerError::Denied(_));
    failed(is_input, error)
}

//! `selfplay tune --lab URL`: the workers of a lab play the games. An edge: it speaks to a server.

use kit::{Exit, Interrupt, Progress};
use queue::lab::TestClient;

use super::client::interrupted;
use super::{GamesTest, check, find_commits, sources};
use crate::cli::bad;
use crate::cli::play_args::LabArgs;
use crate::config::{Contest, Draft, resolve};
use crate::lab::spec::{EngineSpec, TestKind, TestSpec, TuneSpec};
use crate::lab::summary::TestSummary;
use crate::model::OpeningSource;
use crate::tune::Parameter;

/// A tuning for a lab.
pub(in crate::cli) struct LabTuning<'a> {
    pub(in crate::cli) url: &'a str,
    pub(in crate::cli) lab: &'a LabArgs,
    /// The name of the repository at the lab, if the engine is a revision.
    pub(in crate::cli) repository: Option<String>,
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

impl LabTuning<'_> {
    /// Submits the tuning and waits for it; an exit code if nobody waits, or does not any more.
    pub(in crate::cli) fn run(
        &self,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Result<GamesTest, Exit>> {
        let is_quiet = self.is_quiet;
        let client = TestClient::connect(self.url, interrupt, is_quiet)?;
        let spec = self.spec()?;
        check(&spec)?;
        let Some(submitted) = client.submit(&spec, self.lab.no_wait)? else {
            return Ok(Err(Exit::Agreed));
        };
        let progress = Progress::new(self.tune.iterations, "iterations", !is_quiet);
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let mut show = |summary: &TestSummary| {
            if let Some(tune) = &summary.tune {
                progress.reach(size(tune.iterations), size(self.tune.iterations));
            }
        };
        let test = client.wait(&submitted.id, &mut show);
        progress.finish();
        Ok(test?.ok_or_else(|| interrupted(self.url, &submitted.id, is_quiet)))
    }

    /// The test that the options describe.
    fn spec(&self) -> anyhow::Result<TestSpec> {
        let mut draft = self.draft.clone();
        let commits = find_commits(&mut draft, self.is_quiet);
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
            kind: TestKind::Tune {
                tune: TuneSpec {
                    parameters: parameters.map(|one| one.to_line(one.start)).collect(),
                    ..self.tune.clone()
                },
            },
            engines: vec![EngineSpec {
                name: self.name.clone(),
                ..engine
            }],
            repository: self.repository.clone(),
            max_faults: self.max_faults,
            ..spec
        })
    }
}

//! `selfplay tune --lab URL`: the workers of a lab play the games. An edge: it speaks to a server.

use kit::{Exit, Interrupt, Progress, output};

use super::{Client, LabArgs, LabTest, check, find_commits, sources};
use crate::cli::tune::TuneFormat;
use crate::cli::{TextFormat, bad, failed, remark};
use crate::config::{Contest, Draft, resolve};
use crate::lab::spec::{EngineSpec, TestKind, TestSpec, TuneSpec};
use crate::lab::summary::{Outcome, TestSummary};
use crate::model::OpeningSource;
use crate::tune::Parameter;

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

impl LabTuning<'_> {
    /// Submits the tuning and waits for it; an exit code if nobody waits, or does not any more.
    pub(in crate::cli) fn run(
        &self,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Result<LabTest, Exit>> {
        let client = Client::connect(self.url)?;
        let spec = self.spec()?;
        check(&spec, self.lab)?;
        let submitted = client.submit(&spec)?;
        if self.lab.no_wait {
            output::to_stdout(format!("{} {}\n", submitted.id, submitted.url))?;
            return Ok(Err(Exit::Agreed));
        }
        let is_quiet = self.is_quiet;
        remark(is_quiet, &format!("{}: {}", submitted.id, submitted.url));
        let progress = Progress::new(self.tune.iterations, "iterations", !is_quiet);
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let mut show = |summary: &TestSummary| {
            if let Some(tune) = &summary.tune {
                progress.reach(size(tune.iterations), size(self.tune.iterations));
            }
        };
        let test = client.wait(&submitted.id, is_quiet, interrupt, &mut show);
        progress.finish();
        Ok(test?.ok_or_else(|| client.interrupted(&submitted.id, is_quiet)))
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
}

/// Prints the values that a tuning has reached.
pub(in crate::cli) fn print_tuned(test: &LabTest, format: TuneFormat) -> anyhow::Result<Exit> {
    let summary = &test.summary;
    let parameters = match test.spec.as_ref().and_then(|spec| spec.tune.as_ref()) {
        Some(tune) => tune.parsed().map_err(|error| failed(false, error))?,
        None => Vec::new(),
    };
    let tuned = summary.tune.clone().unwrap_or_default().parameters;
    let values: Vec<(&Parameter, f64)> = (parameters.iter())
        .zip(tuned.iter().map(|one| one.value))
        .collect();
    let options = values.iter().map(|(parameter, value)| {
        let (name, value) = (&parameter.name, parameter.nearest(*value));
        format!("setoption name {name} value {value}\n")
    });
    let options: String = options.collect();
    output::to_stdout(match format {
        TuneFormat::Json => serde_json::to_string_pretty(summary)? + "\n",
        TuneFormat::Uci => options,
        TuneFormat::List => {
            let lines = values.iter();
            lines
                .map(|(parameter, value)| parameter.to_line(*value) + "\n")
                .collect()
        }
        _ => format!("{}\n\n{options}", summary.headline),
    })?;
    for warning in &summary.warnings {
        remark(false, &format!("note: {warning}"));
    }
    if summary.outcome == Some(Outcome::Complete) {
        return Ok(Exit::Agreed);
    }
    let reason = test.reason.as_deref().unwrap_or(&summary.headline);
    Err(failed(
        false,
        format!("the test is {}: {reason}", test.state),
    ))
}

impl From<TextFormat> for TuneFormat {
    fn from(format: TextFormat) -> Self {
        match format {
            TextFormat::Human => Self::Human,
            TextFormat::Json => Self::Json,
        }
    }
}

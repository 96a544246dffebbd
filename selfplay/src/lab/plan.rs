//! From a test as submitted to a run that workers can play: its configuration, programs and openings.
//! Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;

use queue::program::{Recipe, Source};

use super::spec::{EngineSpec, LimitsSpec, MOST_PAIRS, SpecFault, TestKind, TestSpec};
use crate::fleet::protocol::{JobBody, ProgramId};
use crate::fleet::speed::depends_on_time;
use crate::model::{
    BookFormat, BookOrder, BuiltInBook, EngineCommand, EngineConfig, Limits, OpeningSource,
    OutputConfig, PairingRules, Pinning, Protocol, Restart, RunConfig, Timeouts, TournamentFormat,
};
use crate::openings::{OpeningError, Openings};
use crate::play::schedule::ScheduleError;
use crate::tune::parameter::ParameterError;
use crate::tune::start_options;

/// The number of digits of a commit in the name of an engine.
const COMMIT_DIGITS: usize = 10;

/// Repositories by name and commit: each commit says for itself how it is built.
pub type RepositoryPlans = BTreeMap<(String, String), RepositoryPlan>;

/// A registered repository at a commit, as far as workers need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositoryPlan {
    /// Where it is fetched from.
    pub url: String,
    /// How engines are built.
    pub recipe: Recipe,
}

/// Why a test cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A field has no valid value.
    #[error(transparent)]
    Fault(#[from] SpecFault),
    /// An opening cannot be read.
    #[error("openings: {0}")]
    Openings(#[from] OpeningError),
    /// The schedule is not possible.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A tuned option cannot be tuned so.
    #[error("tune.parameters: {0}")]
    Tune(#[from] ParameterError),
}

/// The openings of a test.
///
/// # Errors
/// A line that the test brings is no opening.
pub fn openings(spec: &TestSpec) -> Result<Openings, OpeningError> {
    let given = &spec.openings;
    if given.book == "lines" {
        let seed = (!given.sequential).then_some(spec.seed);
        return Openings::listed(&given.lines, given.chess960, seed);
    }
    Openings::open(&source(spec), spec.seed)
}

fn source(spec: &TestSpec) -> OpeningSource {
    let given = &spec.openings;
    let order = if given.sequential {
        BookOrder::Sequential
    } else {
        BookOrder::Random
    };
    match given.book.as_str() {
        "chess960" => OpeningSource::Chess960,
        "dfrc" => OpeningSource::DoubleChess960,
        "lines" => OpeningSource::Book {
            path: "openings".into(),
            format: BookFormat::Epd,
            order,
            start: 0,
            plies: None,
            chess960: given.chess960,
        },
        name => BuiltInBook::named(name).map_or(OpeningSource::Startpos, |book| {
            OpeningSource::BuiltIn {
                book,
                order,
                start: 0,
            }
        }),
    }
}

impl TestSpec {
    /// The body of the job `selfplay-pairs/1`, from the registered repositories by name and commit. Revisions
    /// must be commits. `speed` is that of the lab, in perft nodes per second and thread.
    ///
    /// # Errors
    /// A repository or a commit is missing, a time control cannot be parsed.
    pub fn job_body(
        &self,
        repositories: &RepositoryPlans,
        speed: NonZeroU64,
    ) -> Result<JobBody, PlanError> {
        let mut programs = BTreeMap::new();
        let mut engines = Vec::new();
        let mut names = BTreeSet::new();
        // For data and tuning, one engine plays both sides.
        let plays_itself = matches!(self.kind, TestKind::Data { .. } | TestKind::Tune { .. });
        let twice = self.engines.iter().filter(|_| plays_itself);
        for (index, engine) in self.engines.iter().chain(twice).enumerate() {
            let mut name = self.name_of(engine);
            if matches!(self.kind, TestKind::Tune { .. }) {
                name += [" (plus)", " (minus)"][index.min(1)];
            }
            // Two engines of one commit differ by their options.
            if !names.insert(name.clone()) {
                name = format!("{name} #{}", index + 1);
                names.insert(name.clone());
            }
            let id = self.program_of(engine, index, repositories)?;
            engines.push(self.engine(engine, index, name.clone())?);
            programs.insert(name, id);
        }
        if let TestKind::Tune { tune } = &self.kind {
            // With these set, an engine without one of the options is found before the first game.
            let start = start_options(&tune.parsed()?);
            for engine in &mut engines {
                engine.options.extend(start.iter().cloned());
            }
        }
        let mut config = self.config(engines);
        if is_deterministic(&config) {
            // What is repeated must not depend on what was played before.
            for engine in &mut config.engines {
                engine.restart = Restart::On;
            }
        }
        Ok(JobBody {
            speed: depends_on_time(&config)
                .then(|| self.speed.and_then(NonZeroU64::new).unwrap_or(speed)),
            config,
            programs,
        })
    }

    /// The name of an engine, from its repository and commit unless it has one.
    fn name_of(&self, engine: &EngineSpec) -> String {
        let short = |text: &str| text.chars().take(COMMIT_DIGITS).collect::<String>();
        if let Some(name) = &engine.name {
            return name.clone();
        }
        match (&engine.revision, &engine.sha256) {
            (Some(commit), _) => {
                let repository = self.repository_of(engine).unwrap_or("engine");
                format!("{repository}-{}", short(commit))
            }
            (None, sum) => format!("engine-{}", short(sum.as_deref().unwrap_or_default())),
        }
    }

    fn program_of(
        &self,
        engine: &EngineSpec,
        index: usize,
        repositories: &RepositoryPlans,
    ) -> Result<ProgramId, SpecFault> {
        let fault = |field: &str, message: String| SpecFault {
            field: format!("engines[{index}].{field}"),
            message,
        };
        // Sums are compared as texts, so they get one form.
        if let Some(sum) = &engine.sha256 {
            return Ok(ProgramId::Sha256(sum.to_ascii_lowercase()));
        }
        let name = self.repository_of(engine).unwrap_or_default();
        let commit = engine.revision.as_deref().unwrap_or_default();
        if !is_commit(commit) {
            return Err(fault("revision", format!("'{commit}' is no commit")));
        }
        let key = (name.to_owned(), commit.to_owned());
        let Some(repository) = repositories.get(&key) else {
            let message = format!("there is no approved repository '{name}'");
            return Err(fault("repository", message));
        };
        Ok(ProgramId::Repository(Source {
            name: name.to_owned(),
            url: repository.url.clone(),
            commit: commit.to_owned(),
            recipe: repository.recipe.clone(),
            bench: engine.bench,
        }))
    }

    fn engine(
        &self,
        engine: &EngineSpec,
        index: usize,
        name: String,
    ) -> Result<EngineConfig, SpecFault> {
        let limits = engine.limits.as_ref().unwrap_or(&self.limits);
        let mut options = Vec::new();
        let is_own = |option: &str| {
            let mut own = engine.options.keys();
            own.any(|key| key.eq_ignore_ascii_case(option))
        };
        if self.threads > 1 && !is_own("Threads") {
            options.push(("Threads".to_owned(), self.threads.to_string()));
        }
        if let Some(hash) = self.hash_mib.filter(|_| !is_own("Hash")) {
            options.push(("Hash".to_owned(), hash.to_string()));
        }
        let own = engine.options.iter();
        options.extend(own.map(|(name, value)| (name.clone(), value.clone())));
        Ok(EngineConfig {
            command: EngineCommand {
                program: name.clone().into(),
                arguments: engine.arguments.clone(),
                ..EngineCommand::default()
            },
            name,
            protocol: Protocol::Uci,
            options,
            startup: Vec::new(),
            limits: limits_of(limits, index)?,
            ponder: false,
            restart: Restart::Auto,
            argument: None,
        })
    }

    fn config(&self, engines: Vec<EngineConfig>) -> RunConfig {
        let (mut format, mut sprt) = (TournamentFormat::Match, None);
        let mut rounds = 1;
        match &self.kind {
            TestKind::Sprt { bounds, .. } => (sprt, rounds) = (Some(*bounds), MOST_PAIRS),
            TestKind::Tournament { system, .. } => {
                format = system.unwrap_or(TournamentFormat::RoundRobin);
            }
            TestKind::Tune { tune } => rounds = tune.all_pairs(),
            _ => {}
        }
        RunConfig {
            schema: RunConfig::SCHEMA.to_owned(),
            format,
            engines,
            rounds: self.kind.rounds().unwrap_or(rounds),
            pairing: PairingRules::default(),
            timeouts: Timeouts::default(),
            check_mate_pvs: false,
            openings: source(self),
            adjudication: self.adjudication.clone(),
            sprt,
            // Each worker plays as many games at once as it has cores (`fleet::task`).
            concurrency: 1,
            pinning: Pinning::default(),
            seed: self.seed,
            event: if self.title.is_empty() {
                self.kind.name().to_owned()
            } else {
                self.title.clone()
            },
            site: "?".to_owned(),
            output: OutputConfig::default(),
        }
    }
}

/// Whether two honest workers play the same games: nothing depends on time, and no engine has
/// several threads.
pub fn is_deterministic(config: &RunConfig) -> bool {
    let is_single = |(name, value): &(String, String)| {
        !name.eq_ignore_ascii_case("Threads") || value.trim() == "1"
    };
    let mut options = config.engines.iter().flat_map(|engine| &engine.options);
    !depends_on_time(config) && options.all(is_single)
}

/// Whether a revision is a full commit hash (SHA-1 or SHA-256), which needs no look-up.
pub fn is_commit(revision: &str) -> bool {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    matches!(revision.len(), 40 | 64) && revision.bytes().all(is_hex)
}

fn limits_of(limits: &LimitsSpec, index: usize) -> Result<Limits, SpecFault> {
    let clock = limits.tc.as_deref().map(str::parse).transpose();
    let clock = clock.map_err(
        |error: crate::time_control::ParseTimeControlError| SpecFault {
            field: format!("engines[{index}].limits.tc"),
            message: error.to_string(),
        },
    )?;
    Ok(Limits {
        clock,
        movetime_ms: limits.movetime_ms,
        nodes: limits.nodes,
        depth: limits.depth,
        margin_ms: limits.margin_ms.unwrap_or(0),
        move_timeout_ms: None,
        send_stop: false,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::conduct::PairConductor;
    use super::super::rounds::PairPlan;
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn spec() -> TestSpec {
        let engine = |margin: &str| json!({"revision": COMMIT, "options": {"Margin": margin}});
        let lines = [
            "# two",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - id \"d4\";",
        ];
        let spec = json!({
            "schema": "touchstone/lab-test/1", "kind": "sprt", "repository": "tool", "rounds": 7,
            "engines": [engine("1"), engine("2")], "limits": {"nodes": 500}, "hash_mib": 16,
            "openings": {"book": "lines", "lines": lines, "sequential": true},
            "bounds": {"elo0": 0, "elo1": 5, "model": "logistic"},
        });
        serde_json::from_value(spec).expect("a test")
    }

    fn body(spec: &TestSpec) -> Result<JobBody, PlanError> {
        let repository = RepositoryPlan {
            url: "https://example.org/tool.git".to_owned(),
            recipe: Recipe {
                build: "make".to_owned(),
                artefact: "tool".to_owned(),
                ..Recipe::default()
            },
        };
        let repositories = BTreeMap::from([(("tool".to_owned(), COMMIT.to_owned()), repository)]);
        spec.job_body(&repositories, NonZeroU64::new(9).expect("more"))
    }

    #[test]
    fn a_test_becomes_a_run() {
        let spec = spec();
        assert_eq!(spec.check(), []);
        let body = body(&spec).expect("a run");
        let names: Vec<_> = body.config.engines.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["tool-0123456789", "tool-0123456789 #2"]);
        assert!(
            matches!(&body.programs[names[1]], ProgramId::Repository(source) if source.commit == COMMIT)
        );
        let options = body.config.engines[1].options.iter();
        let options: Vec<_> = options
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(options, ["Hash=16", "Margin=2"]);
        assert_eq!(body.speed, None, "nothing depends on time");
        let conductor = PairConductor::from_spec(&spec, body.config.clone(), Vec::new());
        let conductor = conductor.expect("a test");
        let plan = PairPlan::new(&spec, &body.config).expect("a plan");
        assert_eq!(plan.total(&conductor), 7);
        let units = plan.next(&conductor, 3).expect("openings");
        let labels: Vec<_> = units.iter().map(|unit| &*unit.opening.label).collect();
        assert_eq!(labels, ["line 2", "d4", "line 2"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = |change: fn(&mut TestSpec)| {
            let mut spec = spec();
            change(&mut spec);
            let planned = body(&spec).and_then(|body| PairPlan::new(&spec, &body.config));
            planned.expect_err("a fault").to_string()
        };
        let rows = rows![
            error(|spec| spec.repository = Some("other".to_owned())) =>
                "engines[0].repository: there is no approved repository 'other'";
            error(|spec| spec.engines[1].revision = Some("main".to_owned())) =>
                "engines[1].revision: 'main' is no commit";
            error(|spec| spec.openings.lines = vec!["e4".to_owned()]) => "openings: openings:1: ";
        ];
        for (found, expected) in rows {
            assert!(found.starts_with(expected), "{found}");
        }
    }
}

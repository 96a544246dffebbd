//! `epd run --lab URL` and `epd eval label --lab URL`: the searches of each engine are a test of a lab, whose results
//! are judged here as those of a run on this machine.

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use chess::notation::fen;
use kit::output::remark;
use kit::{BadInput, Interrupt, Progress};
use queue::Recorded;
use queue::lab::{LabArgs, LabTest, SubmittedTest, TestClient};
use serde::Deserialize;
use serde_json::{Value, json};
use uci::Start;

use super::journal::{digest, find_program};
use crate::distributed::protocol::Searches;
use crate::lab::{MARGIN, TIMEOUT};
use crate::run::driver::{SearchRules, TestedEngine, shake_hands};
use crate::run::ledger::{Handshake, Trial};
use crate::run::plan::{PositionLimits, RunCase};

/// What a lab does with positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabKind {
    /// It looks for what their records ask.
    Run,
    /// It scores them.
    Label,
}

/// Searches by the workers of a lab.
pub(super) struct LabSearches<'a> {
    pub(super) args: &'a LabArgs,
    pub(super) url: &'a str,
    pub(super) kind: LabKind,
    pub(super) cases: &'a [RunCase],
    /// The limits that were given for all of them; records may have others.
    pub(super) limits: PositionLimits,
    pub(super) rules: SearchRules,
    pub(super) interrupt: &'a Interrupt,
    pub(super) is_quiet: bool,
}

/// An engine, and its test if it has one.
struct SubmittedSearches {
    handshake: Handshake,
    test: Option<(SubmittedTest, Searches)>,
}

/// What a lab knows of such a test: a part of `touchstone/lab-summary/1`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct KnownSearches {
    done: u64,
    units: u64,
    outcome: Option<String>,
}

impl LabSearches<'_> {
    /// Submits the tests of all engines and waits for them, one after the other; `None` if nobody is to wait.
    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
    pub(super) fn run(&self, engines: &[TestedEngine]) -> anyhow::Result<Option<Vec<Trial>>> {
        self.check()?;
        let client = TestClient::connect(self.url, self.interrupt, self.is_quiet)?;
        let mut submitted = Vec::new();
        for engine in engines {
            if self.cases.is_empty() || self.interrupt.has_come() {
                break;
            }
            submitted.push(self.submit(&client, engine)?);
        }
        if self.args.no_wait && !submitted.is_empty() {
            for (engine, one) in engines.iter().zip(&submitted) {
                if let Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } =
                    &one.handshake
                {
                    anyhow::bail!("engine '{}' is not submitted: {reason}", engine.name);
                }
            }
            return Ok(None);
        }
        let progress = Progress::new(0, "searches", !self.is_quiet);
        let mut trials = Vec::new();
        for (engine, SubmittedSearches { handshake, test }) in engines.iter().zip(submitted) {
            let began = Instant::now();
            let chess960 = matches!(handshake, Handshake::Ready { chess960: true, .. });
            let mut trial = Trial::new(engine.name.clone(), handshake, self.cases.len(), 1);
            if let Some((test, searches)) = test {
                self.wait(&client, &test, &searches, &progress, &mut trial)?;
                if !chess960 {
                    Searches::record_skipped(self.cases, &mut trial);
                }
            }
            trial.interrupted = self.interrupt.has_come();
            trial.time = began.elapsed();
            trials.push(trial);
        }
        progress.finish();
        Ok(Some(trials))
    }

    /// Rejects what a test of a lab does not have.
    fn check(&self) -> Result<(), BadInput> {
        let second = Duration::from_secs(1);
        let rows = [
            (
                self.rules.repeat > 1,
                "repeat",
                "a lab searches each position once",
            ),
            (
                self.rules.timeout != TIMEOUT,
                "timeout",
                "a lab waits for a minute",
            ),
            (
                self.rules.margin != MARGIN,
                "margin",
                "a lab allows a second",
            ),
            (
                self.limits.mate.is_some(),
                "mate",
                "a lab searches to nodes, depth or time",
            ),
        ];
        debug_assert_eq!(
            (TIMEOUT, MARGIN),
            (60 * second, second),
            "as the messages say"
        );
        if let Some((_, option, why)) = rows.into_iter().find(|(is_given, ..)| *is_given) {
            return Err(BadInput(format!(
                "--{option}: not possible on a lab: {why}"
            )));
        }
        if self
            .cases
            .iter()
            .any(|case| !case.later.is_empty() || case.lines.is_some())
        {
            let message = "a lab searches single positions for one line: no puzzles, and no --top";
            return Err(BadInput(message.to_owned()));
        }
        Ok(())
    }

    /// Starts the engine once, as a run on this machine does, and submits its searches.
    fn submit(
        &self,
        client: &TestClient<'_>,
        engine: &TestedEngine,
    ) -> anyhow::Result<SubmittedSearches> {
        let handshake = shake_hands(engine, self.rules, self.cases);
        let Handshake::Ready { chess960, .. } = &handshake else {
            let test = None;
            return Ok(SubmittedSearches { handshake, test });
        };
        let searches = Searches::new(self.cases, 1, *chess960);
        let positions = searches.list.iter().map(|&(case, _)| {
            let record = &self.cases[case].record;
            match self.kind {
                LabKind::Run => record.text().to_owned(),
                LabKind::Label => fen::write(record.position()),
            }
        });
        let positions: Vec<String> = positions.collect();
        let spec = json!({
            "kind": match self.kind {
                LabKind::Run => "epd",
                LabKind::Label => "label",
            },
            "positions": positions,
            "engines": [engine_of(engine)?],
            "limits": {
                "nodes": self.limits.nodes,
                "depth": self.limits.depth,
                "movetime_ms": self.limits.time.map(|time| time.as_millis()),
            },
        });
        let test = client.submit(&spec, self.args.no_wait)?;
        Ok(SubmittedSearches {
            handshake,
            test: test.map(|test| (test, searches)),
        })
    }

    /// Waits for a test, and judges its results.
    fn wait(
        &self,
        client: &TestClient<'_>,
        test: &SubmittedTest,
        searches: &Searches,
        progress: &Progress,
        trial: &mut Trial,
    ) -> anyhow::Result<()> {
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        progress.begin(searches.list.len() as u64, "searches");
        let mut show = |known: &KnownSearches| progress.reach(size(known.done), size(known.units));
        let ended: Option<LabTest<KnownSearches>> = client.wait(&test.id, &mut show)?;
        let results = match ended {
            Some(ended) if ended.summary.outcome.is_none() => {
                let state = ended.state();
                // A test that cannot be prepared is wrong; nobody stopped it.
                if ended.summary.units == 0 && ended.passed == Some(false) {
                    return Err(BadInput(state).into());
                }
                anyhow::bail!(state);
            }
            Some(_) => client.results(&test.id, searches.list.len())?,
            None => None,
        };
        let Some(results) = results else {
            let text = format!("interrupted: the test continues: {}", test.url);
            remark(self.is_quiet, &text);
            return Ok(());
        };
        for recorded in &results {
            let (case, repeat, outcome) = searches
                .judge(self.cases, recorded)
                .map_err(|reason| wrong(recorded, &reason))?;
            trial.record(case, repeat, outcome);
        }
        Ok(())
    }
}

fn wrong(recorded: &Recorded, reason: &str) -> anyhow::Error {
    let Recorded { key, worker, .. } = recorded;
    anyhow::anyhow!("unit {key}: worker {worker} returned a result that cannot be right: {reason}")
}

/// The engine for a test: workers know its program by its SHA-256.
fn engine_of(engine: &TestedEngine) -> Result<Value, BadInput> {
    let Start {
        command, options, ..
    } = &engine.start;
    let name = Path::new(&command.program).display();
    let impossible = |what: &str| {
        let name = &engine.name;
        BadInput(format!("engine '{name}': {what}: not possible on a lab"))
    };
    if command.directory.is_some() {
        return Err(impossible("dir="));
    }
    if !command.environment.is_empty() {
        return Err(impossible("env.NAME="));
    }
    let sum = find_program(command).and_then(|path| digest(&path).ok());
    let sum = sum.ok_or_else(|| {
        let message = format!("cannot read the program '{name}': workers know engines by SHA-256");
        BadInput(message)
    })?;
    let unicode = |word: &OsStr| {
        let word = word.to_str().map(str::to_owned);
        word.ok_or_else(|| impossible("a word that is not Unicode"))
    };
    let arguments = command.arguments.iter().map(|word| unicode(word));
    let arguments: Vec<String> = arguments.collect::<Result<_, _>>()?;
    let mut set = serde_json::Map::new();
    for (option, value) in options {
        let value = value.clone();
        let value = value.ok_or_else(|| impossible(&format!("the button '{option}'")))?;
        set.insert(option.clone(), value.into());
    }
    Ok(json!({
        "name": engine.name,
        "sha256": sum,
        "arguments": arguments,
        "options": set,
    }))
}

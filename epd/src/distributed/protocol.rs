//! Turns searches into a job and its chunks. Pure.
//!
//! A unit is one search of one position. Goals are not part of a job: workers return what the engine
//! reported, as [`crate::run::wire`] writes it, and only the process that posted the job judges it.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use chess::notation::fen;
use chess::rules::CastlingMode;
use fleet::{Chunk, Job, Second, Unit};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uci::CommandLine;

use crate::run::driver::{SearchRules, Start};
use crate::run::goal::Goal;
use crate::run::journal::hex;
use crate::run::ledger::{SearchOutcome, Trial};
use crate::run::plan::{Case, Limits};
use crate::text::Record;

/// The kind of the jobs, with the version of the payload format.
pub(crate) const KIND: &str = "epd-run/1";

/// Minimum number of chunks, if there are enough searches, so that many workers have something to
/// do.
const LEAST_CHUNKS: usize = 64;
/// A chunk takes two starts of the engine; more searches would make losses large.
const MOST_PER_CHUNK: usize = 16;

/// The payload of a job: the engine, and how it is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobBody {
    engine: EngineBody,
    /// The SHA-256 of the program in hexadecimal.
    pub(crate) sha256: String,
    /// The name that the engine reports, for people.
    pub(crate) name: Option<String>,
    timeout_ms: u64,
    margin_ms: u64,
}

/// An engine: its command, with paths of the machine that posted the job, and its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineBody {
    program: String,
    arguments: Vec<String>,
    directory: Option<String>,
    environment: Vec<(String, String)>,
    options: Vec<(String, Option<String>)>,
}

/// The payload of a unit: a position and its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitBody {
    fen: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    movetime_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mate: Option<u32>,
}

/// A payload that this version does not understand, or that cannot be written.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PayloadError {
    #[error("'{text}' is not a run of {KIND}: {reason}")]
    Body { text: String, reason: String },
    #[error("unit {unit} is '{text}', expected a position and limits: {reason}")]
    Unit {
        unit: u64,
        text: String,
        reason: String,
    },
    #[error("{what} '{text}' of the engine is not valid Unicode: it cannot be sent to workers")]
    NotUnicode { what: &'static str, text: String },
}

/// The searches of an engine, each a unit of a job.
#[derive(Clone, Debug)]
pub(crate) struct Searches {
    /// Case and repetition of each unit: all cases once before any a second time.
    pub(crate) list: Vec<(usize, usize)>,
}

impl Searches {
    /// All searches that the engine can be asked for.
    pub(crate) fn new(cases: &[Case], repeat: usize, chess960: bool) -> Self {
        let can_be_asked = |case: &usize| {
            chess960 || cases[*case].record.position().castling_mode() != CastlingMode::Chess960
        };
        let once = |repeat| {
            let cases = (0..cases.len()).filter(can_be_asked);
            cases.map(move |case| (case, repeat))
        };
        Self {
            list: (0..repeat).flat_map(once).collect(),
        }
    }

    /// Records the searches of Chess960 positions as skipped: the engine cannot be asked for them.
    pub(crate) fn record_skipped(cases: &[Case], trial: &mut Trial) {
        for (case, planned) in cases.iter().enumerate() {
            if planned.record.position().castling_mode() == CastlingMode::Chess960 {
                for repeat in 0..trial.searches(case).len() {
                    trial.record(case, repeat, SearchOutcome::NeedsChess960);
                }
            }
        }
    }

    /// The job with its chunks. Its name depends on everything that the results depend on, so that
    /// the same run finds it again.
    pub(crate) fn job(
        &self,
        cases: &[Case],
        body: &JobBody,
        per_chunk: Option<usize>,
    ) -> (Job, Vec<Chunk>) {
        let body = to_text(body);
        let mut sum = Sha256::new();
        sum.update(&body);
        let units = (0..).zip(&self.list).map(|(key, &(case, _))| {
            let body = to_text(&UnitBody::new(&cases[case]));
            // Neither contains a line break.
            sum.update("\n");
            sum.update(&body);
            Unit { key, body }
        });
        let units: Vec<Unit> = units.collect();
        let per_chunk = per_chunk.unwrap_or_else(|| searches_per_chunk(units.len()));
        let chunks = units.chunks(per_chunk).map(|units| Chunk {
            units: units.to_vec(),
        });
        let chunks = chunks.collect();
        let job = Job {
            id: format!("epd-1-{}", &hex(&sum.finalize())[..16]),
            kind: KIND.to_owned(),
            body,
            units: self.list.len() as u64,
            // Times are never the same twice.
            second: Second::Ignore,
            again_every: None,
        };
        (job, chunks)
    }
}

fn searches_per_chunk(searches: usize) -> usize {
    (searches / LEAST_CHUNKS).clamp(1, MOST_PER_CHUNK)
}

impl JobBody {
    /// The run of an engine whose program has this SHA-256, and which reports this name.
    pub(crate) fn new(
        start: &Start,
        rules: SearchRules,
        sha256: String,
        name: Option<String>,
    ) -> Result<Self, PayloadError> {
        let command = &start.command;
        let arguments = command.arguments.iter();
        let arguments = arguments.map(|word| unicode("argument", word));
        let environment = command.environment.iter().map(|(name, value)| {
            Ok((
                unicode("environment variable", name)?,
                unicode("environment variable", value)?,
            ))
        });
        let directory = command.directory.as_ref();
        let directory = directory.map(|path| unicode("directory", path.as_os_str()));
        Ok(Self {
            engine: EngineBody {
                program: unicode("program", &command.program)?,
                arguments: arguments.collect::<Result<_, _>>()?,
                directory: directory.transpose()?,
                environment: environment.collect::<Result<_, _>>()?,
                options: start.options.clone(),
            },
            sha256,
            name,
            timeout_ms: milliseconds(rules.timeout),
            margin_ms: milliseconds(rules.margin),
        })
    }

    pub(crate) fn read(text: &str) -> Result<Self, PayloadError> {
        serde_json::from_str(text).map_err(|error| PayloadError::Body {
            text: text.to_owned(),
            reason: error.to_string(),
        })
    }

    /// The command, with paths of the machine that posted the job.
    pub(crate) fn command(&self) -> CommandLine {
        let engine = &self.engine;
        let environment = engine.environment.iter();
        let environment = environment.map(|(name, value)| (name.into(), value.into()));
        CommandLine {
            directory: engine.directory.as_ref().map(PathBuf::from),
            environment: environment.collect(),
            ..CommandLine::new(&engine.program).arguments(&engine.arguments)
        }
    }

    pub(crate) fn options(&self) -> &[(String, Option<String>)] {
        &self.engine.options
    }

    pub(crate) fn rules(&self) -> SearchRules {
        SearchRules {
            concurrency: 1,
            repeat: 1,
            timeout: Duration::from_millis(self.timeout_ms),
            margin: Duration::from_millis(self.margin_ms),
        }
    }
}

impl UnitBody {
    fn new(case: &Case) -> Self {
        let Limits {
            nodes,
            depth,
            time,
            mate,
        } = case.limits;
        Self {
            fen: fen::write(case.record.position()),
            nodes,
            depth,
            movetime_ms: time.map(milliseconds),
            mate,
        }
    }
}

/// The searches of a chunk as cases without a goal.
pub(crate) fn cases(units: &[Unit]) -> Result<Vec<Case>, PayloadError> {
    let case = |unit: &Unit| {
        let wrong = |reason: String| PayloadError::Unit {
            unit: unit.key,
            text: unit.body.clone(),
            reason,
        };
        let body: UnitBody =
            serde_json::from_str(&unit.body).map_err(|error| wrong(error.to_string()))?;
        let position = fen::parse(&body.fen).map_err(|error| wrong(error.to_string()))?;
        Ok(Case {
            suite: 0,
            line: 0,
            record: Record::new(position),
            goal: Goal {
                best: Vec::new(),
                avoid: Vec::new(),
                mate: None,
                points: None,
            },
            asked: String::new(),
            limits: Limits {
                nodes: body.nodes,
                depth: body.depth,
                time: body.movetime_ms.map(Duration::from_millis),
                mate: body.mate,
            },
        })
    };
    units.iter().map(case).collect()
}

fn unicode(what: &'static str, text: &OsStr) -> Result<String, PayloadError> {
    let not_unicode = || PayloadError::NotUnicode {
        what,
        text: text.to_string_lossy().into_owned(),
    };
    text.to_str().map(str::to_owned).ok_or_else(not_unicode)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn to_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and strings can be written")
}

//! Turns searches into a job and its chunks. Pure.
//!
//! A unit is one search of one position. Goals are not part of a job: workers return what the engine
//! reported, as [`crate::run::wire`] writes it, and only who has the suite judges it.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use chess::notation::fen;
use chess::rules::CastlingMode;
use queue::program::{DEFAULT_HASH_MIB, Source, WantedProgram};
use queue::{Chunk, Job, Recorded, Second, Unit};
use serde::{Deserialize, Serialize};
use uci::CommandLine;

use crate::run::driver::SearchRules;
use crate::run::goal::Goal;
use crate::run::ledger::{SearchOutcome, Trial};
use crate::run::plan::{PositionLimits, PuzzleStep, RunCase};
use crate::run::score::EarlyStop;
use crate::run::wire::CaseResult;
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
    /// The SHA-256 of the program in hexadecimal; empty if workers build it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sha256: String,
    /// What workers build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    /// The name that the engine reports, for people.
    pub(crate) name: Option<String>,
    timeout_ms: u64,
    margin_ms: u64,
}

/// An engine: its command and its options. Directory and environment are those that other versions may send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineBody {
    program: String,
    arguments: Vec<String>,
    directory: Option<String>,
    environment: Vec<(String, String)>,
    options: Vec<(String, Option<String>)>,
}

/// Where workers get an engine from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabProgram {
    /// They build it.
    Source(Source),
    /// They have it: its SHA-256 in hexadecimal.
    Sha256(String),
}

/// An engine that workers run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabEngine {
    /// Its name, for people.
    pub name: String,
    /// Its program.
    pub program: LabProgram,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// UCI options.
    pub options: Vec<(String, String)>,
}

/// The payload of a unit: one position, or several of a puzzle, and the limits of each search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitBody {
    fen: String,
    /// The positions after the first that a puzzle asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    later: Vec<String>,
    /// The number of lines to report, if several count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    movetime_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mate: Option<u32>,
}

/// A payload that this version does not understand.
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
}

/// The searches of an engine, each a unit of a job.
#[derive(Clone, Debug)]
pub(crate) struct Searches {
    /// Case and repetition of each unit: all cases once before any a second time.
    pub(crate) list: Vec<(usize, usize)>,
}

impl Searches {
    /// All searches that the engine can be asked for.
    pub(crate) fn new(cases: &[RunCase], repeat: usize, chess960: bool) -> Self {
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

    #[cfg(feature = "fleet")]
    /// Records the searches of Chess960 positions as skipped: the engine cannot be asked for them.
    pub(crate) fn record_skipped(cases: &[RunCase], trial: &mut Trial) {
        for (case, planned) in cases.iter().enumerate() {
            if planned.record.position().castling_mode() == CastlingMode::Chess960 {
                for repeat in 0..trial.searches(case).len() {
                    trial.record(case, repeat, SearchOutcome::NeedsChess960);
                }
            }
        }
    }

    /// What a result says, with its case and repetition.
    ///
    /// # Errors
    /// There is no such unit, or the result cannot be right.
    pub(crate) fn judge(
        &self,
        cases: &[RunCase],
        recorded: &Recorded,
    ) -> Result<(usize, usize, SearchOutcome), String> {
        // A key that is no index finds no unit.
        let unit = usize::try_from(recorded.key).unwrap_or(usize::MAX);
        let &(case, repeat) = self.list.get(unit).ok_or("there is no such unit")?;
        let result: CaseResult =
            serde_json::from_str(&recorded.value).map_err(|error| error.to_string())?;
        let outcome = result.judge(&cases[case]);
        Ok((case, repeat, outcome.map_err(|error| error.to_string())?))
    }

    /// The job of this name, with its chunks.
    pub(crate) fn job(&self, id: &str, cases: &[RunCase], body: &JobBody) -> (Job, Vec<Chunk>) {
        let units = (0..).zip(&self.list).map(|(key, &(case, _))| {
            let body = to_text(&UnitBody::new(&cases[case]));
            Unit { key, body }
        });
        let units: Vec<Unit> = units.collect();
        let chunks = units.chunks(searches_per_chunk(units.len()));
        let chunks = chunks.map(|units| Chunk {
            units: units.to_vec(),
        });
        let chunks = chunks.collect();
        let job = Job {
            id: id.to_owned(),
            kind: KIND.to_owned(),
            body: to_text(body),
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
    /// The run of an engine as a lab's server asks for it.
    pub(crate) fn of_lab(engine: &LabEngine, rules: SearchRules) -> Self {
        let (sha256, source) = match &engine.program {
            LabProgram::Sha256(sum) => (sum.clone(), None),
            LabProgram::Source(source) => (String::new(), Some(source.clone())),
        };
        let options = engine.options.iter();
        Self {
            engine: EngineBody {
                program: engine.name.clone(),
                arguments: engine.arguments.clone(),
                directory: None,
                environment: Vec::new(),
                options: options
                    .map(|(name, value)| (name.clone(), Some(value.clone())))
                    .collect(),
            },
            sha256,
            source,
            name: Some(engine.name.clone()),
            timeout_ms: milliseconds(rules.timeout),
            margin_ms: milliseconds(rules.margin),
        }
    }

    pub(crate) fn read(text: &str) -> Result<Self, PayloadError> {
        serde_json::from_str(text).map_err(|error| PayloadError::Body {
            text: text.to_owned(),
            reason: error.to_string(),
        })
    }

    /// The command, whose program is a name for people.
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

    /// The program, for a worker.
    pub(crate) fn wanted(&self) -> WantedProgram<'_> {
        match &self.source {
            Some(source) => WantedProgram::Source(source),
            None => WantedProgram::Sha256 {
                path: Path::new(&self.engine.program),
                sum: &self.sha256,
            },
        }
    }

    /// What the engine calls itself, or else its program.
    pub(crate) fn engine(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.engine.program)
    }

    /// Number of threads that the engine searches on.
    pub(crate) fn threads(&self) -> usize {
        self.number("threads").unwrap_or(1)
    }

    /// The size of the engine's hash table, in MiB.
    pub(crate) fn hash_mib(&self) -> u64 {
        self.number("hash").unwrap_or(DEFAULT_HASH_MIB)
    }

    /// The value of an option that is a number.
    fn number<T: FromStr>(&self, option: &str) -> Option<T> {
        let options = self.options().iter();
        let mut values = options.filter(|(name, _)| name.eq_ignore_ascii_case(option));
        // Options are set in their order, so the last value is the one in force.
        let (_, value) = values.next_back()?;
        value.as_ref()?.parse().ok()
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
            // Stopping early needs the goal, which workers do not have.
            early_stop: EarlyStop::default(),
        }
    }
}

impl UnitBody {
    fn new(case: &RunCase) -> Self {
        let PositionLimits {
            nodes,
            depth,
            time,
            mate,
        } = case.limits;
        Self {
            fen: fen::write(case.record.position()),
            later: case
                .later
                .iter()
                .map(|step| fen::write(&step.position))
                .collect(),
            lines: case.lines,
            nodes,
            depth,
            movetime_ms: time.map(milliseconds),
            mate,
        }
    }
}

/// The searches of a chunk as cases without a goal.
pub(crate) fn cases(units: &[Unit]) -> Result<Vec<RunCase>, PayloadError> {
    let case = |unit: &Unit| {
        let wrong = |reason: String| PayloadError::Unit {
            unit: unit.key,
            text: unit.body.clone(),
            reason,
        };
        let body: UnitBody =
            serde_json::from_str(&unit.body).map_err(|error| wrong(error.to_string()))?;
        let parse = |text: &String| fen::parse(text).map_err(|error| wrong(error.to_string()));
        let step = |text: &String| {
            Ok(PuzzleStep {
                position: parse(text)?,
                goal: no_goal(),
            })
        };
        Ok(RunCase {
            suite: 0,
            line: 0,
            record: Record::new(parse(&body.fen)?),
            goal: no_goal(),
            asked: String::new(),
            lines: body.lines,
            later: body.later.iter().map(step).collect::<Result<_, _>>()?,
            puzzle: None,
            limits: PositionLimits {
                nodes: body.nodes,
                depth: body.depth,
                time: body.movetime_ms.map(Duration::from_millis),
                mate: body.mate,
            },
        })
    };
    units.iter().map(case).collect()
}

/// Workers do not judge.
fn no_goal() -> Goal {
    Goal {
        best: Vec::new(),
        avoid: Vec::new(),
        mate: None,
        points: None,
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn to_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and strings can be written")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::plan::RunPlan;
    use crate::text::Suite;

    /// Chess960 in the second record.
    const SUITE: &str = "4k3/8/8/8/8/8/8/4K2R w K - 3 7 bm O-O;\n\
                         1k6/8/8/8/8/8/8/5KR1 w G - bm O-O;\n\
                         rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 am h5;\n";

    fn plan(suite: &str, nodes: u64) -> RunPlan {
        let given = PositionLimits {
            nodes: Some(nodes),
            time: Some(Duration::from_millis(1500)),
            ..PositionLimits::default()
        };
        let suite = Suite::parse_repaired("suite", suite.as_bytes());
        RunPlan::new(vec![suite], given)
    }

    fn body() -> JobBody {
        let engine = LabEngine {
            name: "One 1.0".to_owned(),
            program: LabProgram::Sha256("0a".to_owned()),
            arguments: vec!["--quiet".to_owned(), "two words".to_owned()],
            options: vec![("Hash".to_owned(), "16".to_owned())],
        };
        let rules = SearchRules {
            concurrency: 8,
            repeat: 2,
            timeout: Duration::from_mins(1),
            margin: Duration::from_millis(250),
            early_stop: EarlyStop::default(),
        };
        JobBody::of_lab(&engine, rules)
    }

    #[test]
    fn jobs_round_trip() {
        let given = body();
        let read = JobBody::read(&to_text(&given)).expect("it was written");
        assert_eq!(read, given);
        let command = read.command();
        assert_eq!(command.to_string(), "'One 1.0' --quiet 'two words'");
        assert_eq!(read.options(), [("Hash".to_owned(), Some("16".to_owned()))]);
        // As other versions may write it.
        let other = to_text(&given)
            .replace(r#""directory":null"#, r#""directory":"/engines""#)
            .replace(r#""environment":[]"#, r#""environment":[["SEED","7"]]"#);
        let command = JobBody::read(&other).expect("it was written").command();
        assert_eq!(command.directory, Some(PathBuf::from("/engines")));
        assert_eq!(command.environment, [("SEED".into(), "7".into())]);
        let rules = read.rules();
        let times = (rules.timeout.as_millis(), rules.margin.as_millis());
        assert_eq!(times, (60_000, 250));
        let error = JobBody::read("{}").expect_err("no engine").to_string();
        let expected = "'{}' is not a run of epd-run/1: ";
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn positions_and_limits_round_trip() {
        let plan = plan(SUITE, 5000);
        let searches = Searches::new(&plan.cases, 1, true);
        let (job, chunks) = searches.job("test-1", &plan.cases, &body());
        assert_eq!((job.units, chunks.len()), (3, 3));
        let units: Vec<Unit> = chunks.into_iter().flat_map(|chunk| chunk.units).collect();
        let read = cases(&units).expect("they were written");
        for (read, given) in read.iter().zip(&plan.cases) {
            assert_eq!(read.record.position(), given.record.position());
            assert_eq!(read.limits, given.limits);
        }
        let expected =
            r#"{"fen":"4k3/8/8/8/8/8/8/4K2R w K - 3 7","nodes":5000,"movetime_ms":1500}"#;
        assert_eq!(units[0].body, expected);
        for (body, expected) in [
            ("e4", "unit 4 is 'e4', expected a position and limits: "),
            (r#"{"fen":"8/8 w"}"#, r#"unit 4 is '{"fen":"8/8 w"}', "#),
        ] {
            let (key, body) = (4, body.to_owned());
            let error = cases(&[Unit { key, body }]).expect_err("a fault");
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }

    #[test]
    fn chess960_is_left_out_for_engines_without_it() {
        let plan = plan(SUITE, 5000);
        let with = Searches::new(&plan.cases, 2, true);
        assert_eq!(with.list, [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);
        let without = Searches::new(&plan.cases, 2, false);
        assert_eq!(without.list, [(0, 0), (2, 0), (0, 1), (2, 1)]);
    }

    #[test]
    fn chunks_are_small_and_many() {
        for (searches, expected) in [(0, 1), (24, 1), (300, 4), (1500, 16), (6554, 16)] {
            assert_eq!(searches_per_chunk(searches), expected, "{searches}");
        }
    }
}

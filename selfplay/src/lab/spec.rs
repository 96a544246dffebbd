//! A test as it is submitted to a lab: `touchstone/lab-test/1`.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::model::{Adjudication, SprtConfig, TimeControl, TournamentFormat};
use crate::stats::SprtDesign;
use crate::tune::Parameter;
use crate::tune::parameter::check_list;
use crate::tune::spsa::Gains;

/// The schema of a test.
pub const SCHEMA: &str = "touchstone/lab-test/1";

/// The largest number of pairs of a test that stops when it is decided.
pub const MOST_PAIRS: u64 = 100_000;
/// The largest number of engines of a tournament.
const MOST_ENGINES: usize = 64;
/// The largest number of openings or positions that a test brings.
const MOST_LINES: usize = 100_000;
/// The longest line of an opening or a position, in bytes.
const LONGEST_LINE: usize = 4096;
/// The longest title, name, revision or option, in bytes.
const LONGEST_TEXT: usize = 200;

/// What is tested, with what only this kind of test has.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TestKind {
    /// Pairs between two engines, the new one and the base, until a sequential test is decided.
    Sprt {
        /// The bounds.
        bounds: SprtConfig,
        /// The largest number of pairs; by default 100,000.
        rounds: Option<u64>,
        /// What follows when the test has passed, as LTC after STC.
        then: Option<ThenSpec>,
    },
    /// Pairs between two engines, the new one and the base.
    Match {
        /// Number of pairs.
        rounds: u64,
    },
    /// A tournament of two or more engines.
    Tournament {
        /// Number of pairs of each pairing; by default 1.
        rounds: Option<u64>,
        /// The system; by default round robin. Knockout and Swiss depend on results and are played
        /// in rounds.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
        system: Option<TournamentFormat>,
    },
    /// Tuning of an engine's options by SPSA.
    Tune {
        /// The options and how they are tuned.
        tune: TuneSpec,
    },
    /// A perft count. It has no engine.
    Perft {
        /// What is counted.
        perft: PerftSpec,
    },
    /// Test positions: how many an engine solves.
    Epd {
        /// The built-in suite, such as `tactics`, in place of `positions`.
        suite: Option<String>,
        /// The records (EPD lines).
        #[serde(default)]
        positions: Vec<String>,
    },
    /// Positions scored by an engine, for the trainer.
    Label {
        /// The positions (EPD or FEN).
        positions: Vec<String>,
    },
    /// Games of an engine against itself, for the trainer.
    Data {
        /// Number of pairs.
        rounds: u64,
    },
    /// Games of `touchstone` against itself as scored positions, for its network. It has no engine.
    TrainingGames {
        /// What is played.
        training: TrainingSpec,
    },
}

impl TestKind {
    /// A sequential test that nothing follows.
    pub const fn sprt(bounds: SprtConfig, rounds: Option<u64>) -> Self {
        Self::Sprt {
            bounds,
            rounds,
            then: None,
        }
    }

    /// The names of all kinds.
    pub const NAMES: [&str; 9] = [
        "sprt",
        "match",
        "tournament",
        "tune",
        "perft",
        "epd",
        "label",
        "data",
        "training-games",
    ];

    /// The name in JSON and on pages.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sprt { .. } => "sprt",
            Self::Match { .. } => "match",
            Self::Tournament { .. } => "tournament",
            Self::Tune { .. } => "tune",
            Self::Perft { .. } => "perft",
            Self::Epd { .. } => "epd",
            Self::Label { .. } => "label",
            Self::Data { .. } => "data",
            Self::TrainingGames { .. } => "training-games",
        }
    }

    /// Whether it consists of games between engines.
    pub const fn is_of_pairs(&self) -> bool {
        !matches!(
            self,
            Self::Perft { .. } | Self::Epd { .. } | Self::Label { .. } | Self::TrainingGames { .. }
        )
    }

    /// Whether its games compare the same engines from the first to the last, so that there is a report of them.
    pub const fn compares_engines(&self) -> bool {
        self.is_of_pairs() && !matches!(self, Self::Tune { .. })
    }

    /// Whether workers run nobody's program for it.
    pub const fn runs_no_program(&self) -> bool {
        matches!(self, Self::Perft { .. } | Self::TrainingGames { .. })
    }

    /// The number of pairs that was given.
    pub const fn rounds(&self) -> Option<u64> {
        match *self {
            Self::Sprt { rounds, .. } | Self::Tournament { rounds, .. } => rounds,
            Self::Match { rounds } | Self::Data { rounds } => Some(rounds),
            _ => None,
        }
    }
}

/// A test as it is submitted.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TestSpec {
    /// Always `touchstone/lab-test/1`.
    pub schema: String,
    /// What is tested. It takes the fields that are not named here, and knows each of them.
    #[serde(flatten)]
    pub kind: TestKind,
    /// A line for lists of tests; by default made from the engines.
    #[serde(default)]
    pub title: String,
    /// The name of the registered repository of engines that name none themselves.
    pub repository: Option<String>,
    /// The engines: of `sprt` and `match` the new one, then the base; of `tune`, `epd`, `label` and
    /// `data` one; of `tournament` two or more; of `perft` none.
    #[serde(default)]
    pub engines: Vec<EngineSpec>,
    /// What limits a search, for engines without limits of their own.
    #[serde(default)]
    pub limits: LimitsSpec,
    /// The option `Threads` of every engine; 1 is not set.
    #[serde(default = "one")]
    pub threads: u32,
    /// The option `Hash` of every engine, in MiB; not set by default.
    pub hash_mib: Option<u32>,
    /// Where games begin.
    #[serde(default)]
    pub openings: OpeningsSpec,
    /// The random seed: the order of openings, the tuning's perturbations.
    #[serde(default = "one")]
    pub seed: u64,
    /// When games are ended early; tablebases are not possible.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub adjudication: Adjudication,
    /// The speed of the machine that times refer to, in perft nodes per second and thread; by
    /// default the lab's.
    pub speed: Option<u64>,
    /// Number of games lost by faults after which the test is stopped; by default unlimited.
    pub max_faults: Option<u64>,
    /// What workers must have, such as the tool chain `cargo`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Tests of higher priority come first; -100 to 100.
    #[serde(default)]
    pub priority: i32,
    /// The share among running tests of the same priority, relative to 1.
    #[serde(default = "one")]
    pub weight: f32,
}

/// Documents keep the order of fields from the time when no kind had fields of its own, and leave out
/// what has its usual value.
impl Serialize for TestSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &self.schema)?;
        map.serialize_entry("kind", self.kind.name())?;
        put(&mut map, "title", &self.title)?;
        put(&mut map, "repository", &self.repository)?;
        put(&mut map, "engines", &self.engines)?;
        put(&mut map, "limits", &self.limits)?;
        // A missing number is read as 1, which is not the default of its type.
        put(&mut map, "threads", &Some(self.threads).filter(|&n| n != 1))?;
        put(&mut map, "hash_mib", &self.hash_mib)?;
        put(&mut map, "openings", &self.openings)?;
        put(&mut map, "rounds", &self.kind.rounds())?;
        map.serialize_entry("seed", &self.seed)?;
        if let TestKind::Sprt { bounds, .. } = &self.kind {
            map.serialize_entry("bounds", bounds)?;
        }
        put(&mut map, "adjudication", &self.adjudication)?;
        match &self.kind {
            TestKind::Tournament { system, .. } => put(&mut map, "system", system)?,
            TestKind::Tune { tune } => map.serialize_entry("tune", tune)?,
            TestKind::Perft { perft } => map.serialize_entry("perft", perft)?,
            TestKind::TrainingGames { training } => map.serialize_entry("training", training)?,
            TestKind::Epd { suite, positions } => {
                put(&mut map, "suite", suite)?;
                put(&mut map, "positions", positions)?;
            }
            TestKind::Label { positions } => put(&mut map, "positions", positions)?,
            TestKind::Sprt { .. } | TestKind::Match { .. } | TestKind::Data { .. } => {}
        }
        put(&mut map, "speed", &self.speed)?;
        put(&mut map, "max_faults", &self.max_faults)?;
        put(&mut map, "needs", &self.needs)?;
        put(&mut map, "priority", &self.priority)?;
        put(
            &mut map,
            "weight",
            &Some(self.weight).filter(|one| one.ne(&1.0)),
        )?;
        if let TestKind::Sprt { then, .. } = &self.kind {
            put(&mut map, "then", then)?;
        }
        map.end()
    }
}

/// Adds a field, unless it has the value that a missing one has.
fn put<M: SerializeMap, T: Serialize + Default + PartialEq>(
    map: &mut M,
    name: &str,
    value: &T,
) -> Result<(), M::Error> {
    if *value == T::default() {
        return Ok(());
    }
    map.serialize_entry(name, value)
}

/// An engine: a revision of a registered repository, or a program that workers have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EngineSpec {
    /// Its unique name; by default made from the repository and the commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of its repository, if it is not that of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// A branch, a tag, or a commit hash; the server stores the commit in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The nodes that the repository's bench command must print: the commit's checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<u64>,
    /// Instead of a revision: the SHA-256 of a program that workers have (`--engines`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The arguments of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// UCI options.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Limits of this engine, if they differ from those of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsSpec>,
}

/// What limits a search; all that are given apply together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LimitsSpec {
    /// The time control, such as `10+0.1` or `40/60+0.6`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Milliseconds per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Nodes per move. Without times, games are repeated exactly, and are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How far a clock may be overstepped, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<u64>,
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct OpeningsSpec {
    /// `balanced`, `uneven` (built-in books), `none` (the start position), `chess960` or `dfrc`
    /// (double Chess960); `lines` if the test brings its own.
    pub book: String,
    /// The openings of the book `lines`: EPD or FEN, one position each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// Whether those are played as Chess960.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chess960: bool,
    /// Whether openings come in the order of the book, instead of shuffled by the seed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sequential: bool,
}

impl Default for OpeningsSpec {
    fn default() -> Self {
        Self {
            book: "balanced".to_owned(),
            lines: Vec::new(),
            chess960: false,
            sequential: false,
        }
    }
}

impl OpeningsSpec {
    /// The books that a form offers.
    pub const BOOKS: [&str; 5] = ["balanced", "uneven", "none", "chess960", "dfrc"];
}

/// What a tuning needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// One line for each option: `name, int or float, start, min, max, c_end, r_end`.
    pub parameters: Vec<String>,
    /// Number of iterations.
    pub iterations: u64,
    /// Number of pairs of an iteration.
    #[serde(default = "eight")]
    pub pairs: u64,
    /// Number of iterations under way at once: each starts from the values of so many iterations ago.
    #[serde(default = "eight")]
    pub lag: u64,
    /// The constant A that keeps the first steps small, as a fraction of the iterations.
    #[serde(default = "a_tenth", skip_serializing_if = "is_a_tenth")]
    pub a_ratio: f64,
    /// How fast steps shrink.
    #[serde(default = "usual_alpha", skip_serializing_if = "is_usual_alpha")]
    pub alpha: f64,
    /// How fast perturbations shrink.
    #[serde(default = "usual_gamma", skip_serializing_if = "is_usual_gamma")]
    pub gamma: f64,
}

impl TuneSpec {
    /// A tuning without parameters, with the usual values.
    pub const fn usual(iterations: u64) -> Self {
        let gains = Gains::usual(iterations);
        Self {
            parameters: Vec::new(),
            iterations,
            pairs: 8,
            lag: 8,
            a_ratio: gains.a_ratio,
            alpha: gains.alpha,
            gamma: gains.gamma,
        }
    }
}

/// What a perft count needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PerftSpec {
    /// The position; by default the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The depth in plies.
    pub depth: u32,
    /// Whether the leaf nodes are counted by kind of the last move: captures, checks and so on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub breakdown: bool,
    /// At least one of so many chunks is counted by two machines; 1 for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again_every: Option<u64>,
}

/// Games of `touchstone` against itself. The same games on every machine: what depends on chance follows from the seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TrainingSpec {
    /// The seeds, of each of which games are played.
    pub seeds: Vec<u64>,
    /// Number of games of each seed.
    pub games: u64,
    /// Nodes of a search.
    pub nodes: u64,
    /// The file of the network in base64. It is not in what a lab answers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub network: String,
    /// The version of the engine, and a digest of games that it plays: an engine of another version plays others.
    pub engine: String,
}

/// What follows a test that has passed: the same engines with these changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ThenSpec {
    /// Its title; by default that of the first with `LTC`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What limits a search.
    pub limits: LimitsSpec,
    /// The bounds, if they change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<SprtConfig>,
    /// The option `Threads`, if it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The option `Hash`, if it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_mib: Option<u32>,
    /// Number of pairs, if it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
}

/// A fault of a test: the field as a path, such as `engines[1].revision`, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[error("{field}: {message}")]
pub struct SpecFault {
    /// The field.
    pub field: String,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// The usual value of numbers of any type.
fn one<T: From<u8>>() -> T {
    1.into()
}
const fn eight() -> u64 {
    8
}
const fn a_tenth() -> f64 {
    Gains::usual(1).a_ratio
}
const fn usual_alpha() -> f64 {
    Gains::usual(1).alpha
}
const fn usual_gamma() -> f64 {
    Gains::usual(1).gamma
}
fn is_a_tenth(number: &impl PartialEq<f64>) -> bool {
    number.eq(&a_tenth())
}
fn is_usual_alpha(number: &impl PartialEq<f64>) -> bool {
    number.eq(&usual_alpha())
}
fn is_usual_gamma(number: &impl PartialEq<f64>) -> bool {
    number.eq(&usual_gamma())
}
impl LimitsSpec {
    /// Whether nothing limits the thinking time.
    pub const fn is_none(&self) -> bool {
        self.tc.is_none()
            && self.movetime_ms.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
    }
}

impl TestSpec {
    /// A test of a kind, without anything else.
    pub fn new(kind: TestKind) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            kind,
            title: String::new(),
            repository: None,
            engines: Vec::new(),
            limits: LimitsSpec::default(),
            threads: 1,
            hash_mib: None,
            openings: OpeningsSpec::default(),
            seed: 1,
            adjudication: Adjudication::default(),
            speed: None,
            max_faults: None,
            needs: Vec::new(),
            priority: 0,
            weight: 1.0,
        }
    }

    /// The repository of an engine.
    pub fn repository_of<'a>(&'a self, engine: &'a EngineSpec) -> Option<&'a str> {
        engine.repository.as_deref().or(self.repository.as_deref())
    }

    /// The test that follows this one when it has passed.
    pub fn following(&self) -> Option<Self> {
        let TestKind::Sprt {
            bounds,
            rounds,
            then: Some(then),
        } = &self.kind
        else {
            return None;
        };
        let mut next = self.clone();
        next.kind = TestKind::sprt(then.bounds.unwrap_or(*bounds), then.rounds.or(*rounds));
        next.title = match (then.title.as_str(), self.title.as_str()) {
            ("", "") => String::new(),
            ("", title) => format!("{title} LTC"),
            (title, _) => title.to_owned(),
        };
        next.limits = then.limits.clone();
        next.threads = then.threads.unwrap_or(self.threads);
        next.hash_mib = then.hash_mib.or(self.hash_mib);
        Some(next)
    }

    /// Every fault of the test, in the order of its fields; none if it can be submitted.
    pub fn check(&self) -> Vec<SpecFault> {
        let mut faults = Faults(Vec::new());
        if self.schema != SCHEMA {
            faults.add("schema", format!("'{}', expected '{SCHEMA}'", self.schema));
        }
        faults.text("title", &self.title);
        self.check_engines(&mut faults);
        self.check_numbers(&mut faults);
        match &self.kind {
            TestKind::Perft { perft } => check_perft(perft, &mut faults),
            TestKind::Epd { suite, positions } => {
                self.check_positions(suite.as_deref(), positions, &mut faults);
            }
            TestKind::Label { positions } => self.check_positions(None, positions, &mut faults),
            TestKind::Tune { tune } => self.check_tune(tune, &mut faults),
            TestKind::Sprt { bounds, .. } => {
                if let Err(error) = SprtDesign::try_from(bounds) {
                    faults.add("bounds", error.to_string());
                }
            }
            TestKind::Tournament {
                system: Some(TournamentFormat::Match),
                ..
            } => faults.add("system", "'match', expected a tournament's".to_owned()),
            _ => {}
        }
        if !self.kind.runs_no_program() {
            self.check_openings(&mut faults);
        }
        // What follows takes over all other fields, and would repeat their faults.
        if let (Some(next), true) = (self.following(), faults.0.is_empty()) {
            for fault in next.check() {
                faults.add(&format!("then.{}", fault.field), fault.message);
            }
        }
        faults.0
    }

    fn check_engines(&self, faults: &mut Faults) {
        let (least, most) = match self.kind {
            TestKind::Sprt { .. } | TestKind::Match { .. } => (2, 2),
            TestKind::Tournament { .. } => (2, MOST_ENGINES),
            TestKind::Perft { .. } | TestKind::TrainingGames { .. } => (0, 0),
            _ => (1, 1),
        };
        let found = self.engines.len();
        if !(least..=most).contains(&found) {
            let expected = if least == most {
                least.to_string()
            } else {
                format!("{least} to {most}")
            };
            faults.add("engines", format!("{found} engines, expected {expected}"));
        }
        let mut names = BTreeSet::new();
        for (index, engine) in self.engines.iter().enumerate() {
            let at = |field: &str| format!("engines[{index}].{field}");
            if let Some(name) = &engine.name {
                faults.text(&at("name"), name);
                if name.is_empty() || !names.insert(name) {
                    faults.add(&at("name"), format!("'{name}', expected a unique name"));
                }
            }
            self.check_source(engine, &at, faults);
            for (name, value) in &engine.options {
                let field = at("options");
                faults.text(&field, name);
                faults.text(&field, value);
                if name.trim().is_empty() {
                    faults.add(&field, "an option without a name".to_owned());
                }
            }
            for argument in &engine.arguments {
                faults.text(&at("arguments"), argument);
            }
            let limits = engine.limits.as_ref().unwrap_or(&self.limits);
            let field = if engine.limits.is_some() {
                at("limits")
            } else {
                "limits".to_owned()
            };
            check_limits(limits, &field, faults);
        }
    }

    fn check_source(&self, engine: &EngineSpec, at: &impl Fn(&str) -> String, faults: &mut Faults) {
        match (&engine.revision, &engine.sha256) {
            (Some(revision), None) => {
                // What `git` could take for an option or a range is not a name of a revision.
                let is_good = !revision.is_empty()
                    && !revision.starts_with('-')
                    && !revision.contains("..")
                    // Characters that git-check-ref-format(1) forbids in names.
                    && revision.chars().all(|one| {
                        !one.is_whitespace() && !one.is_control() && !"~^:?*[\\".contains(one)
                    });
                faults.text(&at("revision"), revision);
                if !is_good {
                    let expected = "expected a branch, a tag or a commit hash";
                    faults.add(&at("revision"), format!("'{revision}', {expected}"));
                }
                if self.repository_of(engine).is_none() {
                    let expected = "a revision without a repository".to_owned();
                    faults.add(&at("repository"), expected);
                }
            }
            (None, Some(sum)) => {
                let is_sum = sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
                if !is_sum {
                    let expected = "expected 64 hexadecimal digits";
                    faults.add(&at("sha256"), format!("'{sum}', {expected}"));
                }
            }
            _ => faults.add(
                &at("revision"),
                "expected either a revision or the SHA-256 of a program".to_owned(),
            ),
        }
    }

    fn check_numbers(&self, faults: &mut Faults) {
        let most_rounds = match self.kind {
            TestKind::Sprt { .. } => MOST_PAIRS,
            TestKind::Tournament { .. } => 10_000,
            _ => 1_000_000,
        };
        // Stockfish's largest values: 1024 threads, 2^25 MiB.
        faults.range("threads", u64::from(self.threads), 1, 1024);
        // A number that is not given counts as 1, which is within every range.
        faults.range("hash_mib", self.hash_mib.unwrap_or(1).into(), 1, 1 << 25);
        faults.range("rounds", self.kind.rounds().unwrap_or(1), 1, most_rounds);
        faults.range("speed", self.speed.unwrap_or(1), 1, 1 << 50);
        if !(-100..=100).contains(&self.priority) {
            let found = self.priority;
            faults.add("priority", format!("{found}, expected -100 to 100"));
        }
        if !(0.01..=100.0).contains(&self.weight) {
            let found = self.weight;
            faults.add("weight", format!("{found}, expected 0.01 to 100"));
        }
        faults.range("needs", self.needs.len() as u64, 0, 20);
        for need in &self.needs {
            faults.text("needs", need);
        }
        if self.adjudication.tablebase.is_some() {
            let found = "tablebases are not possible, as paths differ between machines";
            faults.add("adjudication.tablebase", found.to_owned());
        }
    }

    fn check_positions(&self, suite: Option<&str>, positions: &[String], faults: &mut Faults) {
        match suite {
            Some(name) if epd::suites::find(name).is_none() => {
                let known = epd::suites::TACTICS.map(|suite| suite.name).join(", ");
                let expected = format!("expected a suite of an 'epd' test: {known}");
                faults.add("suite", format!("'{name}', {expected}"));
            }
            Some(_) if !positions.is_empty() => {
                faults.add("positions", "a suite is given as well".to_owned());
            }
            None if positions.is_empty() => faults.add("positions", "missing".to_owned()),
            _ => {}
        }
        // A clock is for a whole game; a position is one search.
        if self.limits.tc.is_some() {
            faults.add("limits.tc", "of games only".to_owned());
        }
        faults.lines("positions", positions);
    }

    fn check_tune(&self, tune: &TuneSpec, faults: &mut Faults) {
        faults.range("tune.iterations", tune.iterations, 1, 10_000_000);
        faults.range("tune.pairs", tune.pairs, 1, 100_000);
        faults.range("tune.lag", tune.lag, 1, 10_000);
        faults.range("tune.parameters", tune.parameters.len() as u64, 1, 1000);
        let mut parameters = Vec::new();
        for (index, line) in tune.parameters.iter().enumerate() {
            match Parameter::from_line(line) {
                Ok(parameter) => parameters.push(parameter),
                Err(error) => faults.add(&format!("tune.parameters[{index}]"), error.to_string()),
            }
        }
        if let Err(error) = check_list(&parameters) {
            faults.add("tune.parameters", error.to_string());
        }
        let is_tuned = |name: &String| {
            let mut tuned = parameters.iter();
            tuned.any(|one| one.name.eq_ignore_ascii_case(name))
        };
        let mut fixed = self.engines.iter().flat_map(|one| one.options.keys());
        if let Some(name) = fixed.find(|name| is_tuned(name)) {
            let message = format!("option '{name}' is set to a value and tuned as well");
            faults.add("tune.parameters", message);
        }
        let fractions = [
            ("tune.a_ratio", tune.a_ratio, 10.0),
            ("tune.alpha", tune.alpha, 1.0),
            ("tune.gamma", tune.gamma, 1.0),
        ];
        for (field, found, most) in fractions {
            if !(0.0..=most).contains(&found) {
                faults.add(field, format!("{found}, expected 0 to {most}"));
            }
        }
    }

    fn check_openings(&self, faults: &mut Faults) {
        let OpeningsSpec { book, lines, .. } = &self.openings;
        let brings = book == "lines";
        if !brings && !OpeningsSpec::BOOKS.contains(&book.as_str()) {
            let expected = OpeningsSpec::BOOKS.join(", ");
            let message = format!("'{book}', expected {expected}, or lines");
            faults.add("openings.book", message);
        }
        if brings == lines.is_empty() {
            let message = if brings {
                "missing"
            } else {
                "of the book 'lines' only"
            };
            faults.add("openings.lines", message.to_owned());
        }
        faults.lines("openings.lines", lines);
    }
}

fn check_perft(perft: &PerftSpec, faults: &mut Faults) {
    faults.range("perft.depth", perft.depth.into(), 1, 40);
    let again = perft.again_every.unwrap_or(1);
    faults.range("perft.again_every", again, 1, 1 << 40);
    if let Some(fen) = &perft.fen
        && let Err(error) = chess::notation::fen::parse(fen)
    {
        faults.add("perft.fen", error.to_string());
    }
}

fn check_limits(limits: &LimitsSpec, field: &str, faults: &mut Faults) {
    if limits.is_none() {
        let expected = "nothing limits the search, expected tc, movetime_ms, nodes or depth";
        faults.add(field, expected.to_owned());
    }
    if let Some(text) = &limits.tc
        && let Err(error) = text.parse::<TimeControl>()
    {
        faults.add(&format!("{field}.tc"), error.to_string());
    }
    // In milliseconds.
    let day = 86_400_000;
    let rows = [
        ("movetime_ms", limits.movetime_ms, 1, day),
        ("nodes", limits.nodes, 1, 1 << 50),
        ("depth", limits.depth.map(u64::from), 1, 1000),
        ("margin_ms", limits.margin_ms, 0, day),
    ];
    for (name, value, least, most) in rows {
        faults.range(&format!("{field}.{name}"), value.unwrap_or(1), least, most);
    }
}

/// The faults found so far; one of a kind is enough.
struct Faults(Vec<SpecFault>);

impl Faults {
    fn add(&mut self, field: &str, message: String) {
        let field = field.to_owned();
        let fault = SpecFault { field, message };
        if !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }

    fn range(&mut self, field: &str, found: u64, least: u64, most: u64) {
        if !(least..=most).contains(&found) {
            self.add(field, format!("{found}, expected {least} to {most}"));
        }
    }

    /// A text of one line.
    fn text(&mut self, field: &str, text: &str) {
        // A line end in an option would begin another command to the engine.
        if text.len() > LONGEST_TEXT || text.chars().any(char::is_control) {
            let expected = format!("expected one line of at most {LONGEST_TEXT} bytes");
            self.add(field, expected);
        }
    }

    fn lines(&mut self, field: &str, lines: &[String]) {
        if lines.len() > MOST_LINES {
            let found = lines.len();
            self.add(
                field,
                format!("{found} lines, expected at most {MOST_LINES}"),
            );
        }
        let is_bad = |line: &String| line.len() > LONGEST_LINE || line.contains(['\n', '\r']);
        if let Some(number) = lines.iter().position(is_bad) {
            let expected = format!("expected one line of at most {LONGEST_LINE} bytes");
            self.add(&format!("{field}[{number}]"), expected);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EloModel;

    /// STC, then LTC.
    fn sprt() -> TestSpec {
        let text = r#"{
            "schema": "touchstone/lab-test/1", "kind": "sprt", "title": "futility", "repository": "touchstone",
            "engines": [{"revision": "futility"}, {"revision": "main"}], "limits": {"tc": "10+0.1"},
            "hash_mib": 16, "bounds": {"elo0": 0, "elo1": 2, "model": "normalized"},
            "then": {"limits": {"tc": "60+0.6"}, "hash_mib": 64}
        }"#;
        serde_json::from_str(text).expect("a test")
    }

    fn faults(change: impl Fn(&mut TestSpec)) -> String {
        let mut spec = sprt();
        change(&mut spec);
        let faults = spec.check();
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        faults.join("; ")
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        let spec = sprt();
        let text = serde_json::to_string(&spec).expect("texts and numbers");
        assert_eq!(serde_json::from_str::<TestSpec>(&text).ok(), Some(spec));
        assert!(
            !text.contains("adjudication") && !text.contains("weight"),
            "{text}"
        );
        let small = r#"{"schema":"touchstone/lab-test/1","kind":"perft","perft":{"depth":7}}"#;
        let spec: TestSpec = serde_json::from_str(small).expect("a count");
        assert_eq!(spec.check(), []);
        // A field of another kind is as unknown as one that is misspelt.
        for (from, to) in [("depth", "deepness"), ("}}", "},\"rounds\":2}")] {
            let text = small.replace(from, to);
            let error = serde_json::from_str::<TestSpec>(&text).expect_err(&text);
            let error = error.to_string();
            assert!(error.starts_with("unknown field `"), "{text}: {error}");
        }
    }

    /// Documents as they are sent and stored, one of each kind: none may change by a byte.
    #[test]
    fn documents_of_every_kind_stay_as_they_are() {
        for text in include_str!("spec/documents.jsonl").lines() {
            let spec: TestSpec = serde_json::from_str(text).expect(text);
            assert_eq!(serde_json::to_string(&spec).expect("texts"), text);
        }
    }

    #[test]
    fn every_fault_names_its_field() {
        let rows = rows![
            faults(|_| {}) => "";
            faults(|spec| spec.schema.clear()) => "schema: '', expected 'touchstone/lab-test/1'";
            faults(|spec| { spec.engines.pop(); }) => "engines: 1 engines, expected 2";
            faults(|spec| spec.repository = None) =>
                "engines[0].repository: a revision without a repository; \
                 engines[1].repository: a revision without a repository";
            faults(|spec| spec.engines[1].revision = Some("--upload-pack=x".to_owned())) =>
                "engines[1].revision: '--upload-pack=x', expected a branch, a tag or a commit hash";
            faults(|spec| spec.engines[1].revision = Some("feature/müll".to_owned())) => "";
            faults(|spec| spec.engines[1].revision = Some("a\u{a0}b".to_owned())) =>
                "engines[1].revision: 'a\u{a0}b', expected a branch, a tag or a commit hash";
            faults(|spec| spec.engines[1].sha256 = Some("0a".to_owned())) =>
                "engines[1].revision: expected either a revision or the SHA-256 of a program";
            faults(|spec| spec.limits.tc = None) =>
                "limits: nothing limits the search, expected tc, movetime_ms, nodes or depth";
            faults(|spec| spec.limits.tc = Some("ten".to_owned())) =>
                "limits.tc: time control 'ten', column 1: 'ten' is not a time, expected seconds such as 10 or 0.05";
            faults(|spec| spec.limits.margin_ms = Some(0)) => "";
            faults(|spec| spec.limits.margin_ms = Some(u64::MAX)) =>
                "limits.margin_ms: 18446744073709551615, expected 0 to 86400000";
            faults(|spec| spec.kind = TestKind::Tournament { rounds: None, system: Some(TournamentFormat::Match) }) =>
                "system: 'match', expected a tournament's";
            faults(|spec| if let TestKind::Sprt { rounds, .. } = &mut spec.kind { *rounds = Some(100_001) }) => "rounds: 100001, expected 1 to 100000";
            faults(|spec| spec.openings.book = "mine".to_owned()) =>
                "openings.book: 'mine', expected balanced, uneven, none, chess960, dfrc, or lines";
            faults(|spec| { spec.weight = 0.0; spec.priority = 101; }) =>
                "priority: 101, expected -100 to 100; weight: 0, expected 0.01 to 100";
            faults(|spec| if let TestKind::Sprt { then: Some(then), .. } = &mut spec.kind { then.limits.tc = None }) =>
                "then.limits: nothing limits the search, expected tc, movetime_ms, nodes or depth";
        ];
        for (found, expected) in rows {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_follows_has_the_same_engines() {
        let spec = sprt();
        let next = spec.following().expect("LTC");
        assert_eq!(next.title, "futility LTC");
        assert_eq!(next.limits.tc.as_deref(), Some("60+0.6"));
        let bounds = SprtConfig::new([0.0, 2.0], EloModel::Normalized);
        assert_eq!(next.kind, TestKind::sprt(bounds, None));
        assert_eq!(next.hash_mib, Some(64));
        let expected = (spec.engines, None);
        assert_eq!((next.engines.clone(), next.following()), expected);
    }
}

//! The complete effective configuration of a run, as stored with its results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::game::{GamePlan, Pairing};

/// The configuration of a run: everything that determines its games and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Always `touchstone/run/1`.
    pub schema: String,
    /// The tournament format.
    pub format: TournamentFormat,
    /// The engines; in a match or test, the new one first.
    pub engines: Vec<EngineConfig>,
    /// Number of rounds, that is, of pairs for each pairing; of games if they are not played in pairs.
    pub rounds: u64,
    /// How many games are played from an opening, and who has White.
    // Defaults are left out here and below, so that a stored run shows what was asked for.
    #[serde(default, skip_serializing_if = "PairingRules::is_default")]
    pub pairing: PairingRules,
    /// How long to wait for an engine that is not searching.
    #[serde(default, skip_serializing_if = "Timeouts::is_default")]
    pub timeouts: Timeouts,
    /// Whether the PVs of mate scores are checked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check_mate_pvs: bool,
    /// The source of starting positions.
    pub openings: OpeningSource,
    /// When to adjudicate games.
    pub adjudication: Adjudication,
    /// The stopping rule of a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// Number of games played concurrently.
    pub concurrency: usize,
    /// Which CPUs games are played on.
    pub pinning: Pinning,
    /// The random seed.
    pub seed: u64,
    /// The PGN tag Event.
    pub event: String,
    /// The PGN tag Site.
    pub site: String,
    /// The form of the PGN, and files outside the run directory.
    #[serde(default, skip_serializing_if = "OutputConfig::is_default")]
    pub output: OutputConfig,
}

impl RunConfig {
    /// The schema of a stored configuration.
    pub const SCHEMA: &str = "touchstone/run/1";

    /// Rounds of a test without a limit: more than any test will ever play.
    pub const UNTIL_DECIDED: u64 = 50_000_000;

    /// Returns true if only the test can end the run.
    pub const fn is_unlimited(&self) -> bool {
        // Without a test, so many rounds are those that the user has asked for.
        self.sprt.is_some() && self.rounds == Self::UNTIL_DECIDED
    }
}

/// A tournament format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Two engines; also the format of an SPRT.
    #[cfg_attr(feature = "cli", value(skip))]
    Match,
    /// Every engine plays every other engine
    RoundRobin,
    /// The first engine (or with `seeds = N`, the first N) plays all others
    Gauntlet,
    /// Swiss system: engines with equal scores play each other
    Swiss,
    /// The loser of each pairing is eliminated
    Knockout,
}

/// How many games are played from an opening, who has White, and which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PairingRules {
    /// Number of games from an opening.
    pub games: GamesPerOpening,
    /// Whether one engine has White in every game of a pairing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_swap: bool,
    /// Whether the engine that comes second begins with White.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reverse: bool,
    /// Number of engines of a gauntlet that play all others: the first ones.
    pub seeds: usize,
    /// Rounds in a row from one opening, 1 or more.
    #[serde(skip_serializing_if = "is_one")]
    pub repeat: u64,
    /// Pause between two games of a worker, in milliseconds.
    pub wait_ms: u64,
}

impl Default for PairingRules {
    fn default() -> Self {
        Self {
            games: GamesPerOpening::Two,
            no_swap: false,
            reverse: false,
            seeds: 1,
            repeat: 1,
            wait_ms: 0,
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_one(number: &u64) -> bool {
    *number == 1
}

/// Number of games that two engines play from one opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
// Stored as the number, which is what users type.
#[serde(try_from = "u64", into = "u64")]
pub enum GamesPerOpening {
    /// One game.
    One,
    /// Two games, with colours swapped.
    #[default]
    Two,
}

impl From<GamesPerOpening> for u64 {
    fn from(games: GamesPerOpening) -> Self {
        match games {
            GamesPerOpening::One => 1,
            GamesPerOpening::Two => 2,
        }
    }
}

impl TryFrom<u64> for GamesPerOpening {
    type Error = String;

    fn try_from(games: u64) -> Result<Self, String> {
        match games {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            _ => Err(format!(
                "expected 1 or 2 games per opening instead of {games}"
            )),
        }
    }
}

impl PairingRules {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Returns true if games are played in pairs with colours swapped, the observations of the
    /// pentanomial statistics.
    pub fn is_paired(&self) -> bool {
        // Without swapped colours, the advantage of White would count for one engine twice.
        self.games == GamesPerOpening::Two && !self.no_swap
    }

    /// Decides who has White in the first game of a pairing, given in the order of the
    /// configuration.
    #[must_use]
    pub fn colored(&self, pairing: Pairing) -> Pairing {
        // A single game has no second one to swap colours. They alternate from round to round; the
        // sum of both places gives every engine White in half of its games of a round robin.
        let places = pairing.first.0 + pairing.second.0 + pairing.round as usize;
        let is_single = self.games == GamesPerOpening::One && !self.no_swap;
        let is_alternated = is_single && places.is_multiple_of(2);
        if is_alternated == self.reverse {
            return pairing;
        }
        Pairing {
            first: pairing.second,
            second: pairing.first,
            ..pairing
        }
    }

    /// The game with this number, which is of that pairing.
    pub fn plan(&self, pairing: Pairing, game: u64) -> GamePlan {
        let is_swapped = self.is_paired() && !game.is_multiple_of(2);
        let [first, second] = pairing.games();
        GamePlan {
            game,
            ..if is_swapped { second } else { first }
        }
    }
}

/// How long to wait for an engine that is not searching, in milliseconds; `None` for the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// From `uci` to `uciok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub startup_ms: Option<u64>,
    /// From `ucinewgame` with `isready` to `readyok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_game_ms: Option<u64>,
    /// From any other `isready` to `readyok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_ms: Option<u64>,
}

impl Timeouts {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The form of the PGN, and files outside the run directory that games are written to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputConfig {
    /// The form of games.
    pub pgn: PgnForm,
    /// A second file for the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn_file: Option<OutputFile>,
    /// A file for the last position of each game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epd_file: Option<OutputFile>,
}

/// A file that is written during a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFile {
    /// The file.
    pub path: PathBuf,
    /// Whether it may exist before the run.
    #[serde(default)]
    pub append: bool,
    /// Whether the games replace what was in it, once the first is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overwrite: bool,
    /// The length it had then, in bytes.
    #[serde(default)]
    pub start: u64,
}

/// The form of games in PGN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PgnForm {
    /// How moves are written.
    pub notation: PgnNotation,
    /// Whether moves have no comments, and games only the tags that a reader needs.
    pub min: bool,
    /// What comments have besides score, depth and time.
    pub fields: BTreeSet<PgnField>,
}

impl Default for PgnForm {
    fn default() -> Self {
        let fields = [PgnField::Timeleft, PgnField::Nodes, PgnField::Seldepth];
        Self {
            notation: PgnNotation::San,
            min: false,
            fields: fields.into(),
        }
    }
}

impl PgnForm {
    /// Returns true if comments have a field.
    pub fn has(&self, field: PgnField) -> bool {
        !self.min && self.fields.contains(&field)
    }
}

/// How moves are written in PGN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PgnNotation {
    /// `Nf3`, that of the standard.
    #[default]
    San,
    /// `Ng1-f3`.
    Lan,
    /// `g1f3`.
    Uci,
}

/// What a comment of the PGN can have besides score, depth and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PgnField {
    /// Time left on the clock.
    Timeleft,
    /// Nodes searched.
    Nodes,
    /// Selective depth.
    Seldepth,
    /// Nodes per second.
    Nps,
    /// Use of the hash table.
    Hashfull,
    /// Tablebase hits.
    Tbhits,
    /// Elapsed time minus the time that the engine reported.
    Latency,
    /// Principal variation.
    Pv,
}

impl PgnField {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Timeleft,
        Self::Nodes,
        Self::Seldepth,
        Self::Nps,
        Self::Hashfull,
        Self::Tbhits,
        Self::Latency,
        Self::Pv,
    ];

    /// The key in `--pgn`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Timeleft => "timeleft",
            Self::Nodes => "nodes",
            Self::Seldepth => "seldepth",
            Self::Nps => "nps",
            Self::Hashfull => "hashfull",
            Self::Tbhits => "tbhits",
            Self::Latency => "latency",
            Self::Pv => "pv",
        }
    }
}

impl OutputConfig {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The files outside the run directory.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut OutputFile> {
        self.pgn_file.iter_mut().chain(&mut self.epd_file)
    }
}

/// How an engine is started and configured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// The unique name of the engine in tables and PGN.
    pub name: String,
    /// The program and its arguments.
    pub command: EngineCommand,
    /// The protocol that it speaks.
    #[serde(default, skip_serializing_if = "is_uci")]
    pub protocol: Protocol,
    /// Its options, in the order in which they are set.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// Lines to send before `uci` or `xboard`.
    #[serde(default)]
    pub startup: Vec<String>,
    /// Search limits and time control.
    pub limits: Limits,
    /// Whether the engine ponders.
    #[serde(default)]
    pub ponder: bool,
    /// When the engine is restarted.
    #[serde(default)]
    pub restart: Restart,
    /// The argument that it was given by, as `KEY=VALUE` words, for advice to the user: not part of
    /// the run, and unknown if a file has the engine.
    #[serde(skip)]
    pub argument: Option<String>,
}

/// The protocol of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol of `XBoard` and `WinBoard`.
    Xboard,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_uci(protocol: &Protocol) -> bool {
    *protocol == Protocol::Uci
}

/// A program with its arguments and environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineCommand {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Variables to add to the environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// An engine built from a revision of its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuiltRevision {
    /// The requested revision: a branch, a tag, `HEAD`.
    pub reference: String,
    /// The full commit hash it resolved to.
    pub commit: String,
    /// The repository.
    pub repository: PathBuf,
    /// The build command, run by a shell.
    pub build: String,
    /// The built executable, relative to the root of the repository.
    pub artifact: PathBuf,
    /// Whether the repository had uncommitted changes, which are not part of the build.
    pub dirty: bool,
}

/// Limits of a search; all that are set apply together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The time control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Milliseconds per move (`st`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time margin, in milliseconds: how far the clock may be overstepped.
    #[serde(default)]
    pub margin_ms: u64,
    /// Maximum time for one move in milliseconds, regardless of the other limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_timeout_ms: Option<u64>,
    /// Whether to send `stop` once `info` exceeds `nodes` or `depth`, for engines that ignore them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub send_stop: bool,
}

/// A time control: consecutive stages, of which the last repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// The stages; never empty, and none ends before its first move.
    // A file of a run may be edited by hand, and a clock without stages would panic.
    #[serde(deserialize_with = "stages")]
    pub stages: Vec<ClockStage>,
}

/// Rejects stages that no clock can go through.
fn stages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ClockStage>, D::Error> {
    let stages = Vec::<ClockStage>::deserialize(deserializer)?;
    if stages.is_empty() {
        return Err(D::Error::custom("a time control without stages"));
    }
    if stages.iter().any(|stage| stage.moves == Some(0)) {
        return Err(D::Error::custom("a stage of 0 moves, expected 1 or more"));
    }
    Ok(stages)
}

/// A stage of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockStage {
    /// Number of moves; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// Time for these moves, in milliseconds.
    pub time_ms: u64,
    /// Increment per move, in milliseconds.
    pub increment_ms: u64,
}

/// When an engine is restarted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// Only after a fault.
    #[default]
    Auto,
    /// Before each game.
    On,
}

/// The source of starting positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "source")]
pub enum OpeningSource {
    /// The start position of standard chess.
    Startpos,
    /// An opening book inside the program.
    BuiltIn {
        /// Which one.
        book: BuiltInBook,
        /// The order in which openings are taken.
        order: BookOrder,
        /// Number of openings to skip at the start.
        start: u64,
    },
    /// An opening book.
    Book {
        /// The book, plain or compressed (gzip, Zstandard, ZIP).
        path: PathBuf,
        /// The format of the book.
        format: BookFormat,
        /// The order in which openings are taken.
        order: BookOrder,
        /// Number of openings to skip at the start.
        start: u64,
        /// Number of plies to play from each game, `None` for all; or to follow a Polyglot book,
        /// `None` for 8.
        plies: Option<u32>,
        /// Whether the games are Chess960.
        chess960: bool,
    },
    /// The 960 Chess960 start positions, drawn at random.
    Chess960,
    /// Double Chess960: two of the 960 start positions, one for each side.
    DoubleChess960,
}

/// An opening book inside the program: at least 20,000 openings of eight plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuiltInBook {
    /// Neither side is better.
    Balanced,
    /// One side is clearly better, but not winning.
    Uneven,
}

impl BuiltInBook {
    /// The book with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Balanced, Self::Uneven]
            .into_iter()
            .find(|book| book.to_string() == name)
    }
}

impl fmt::Display for BuiltInBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Balanced => "balanced",
            Self::Uneven => "uneven",
        })
    }
}

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum BookFormat {
    /// Positions in EPD or FEN, one per line
    Epd,
    /// Games in PGN
    Pgn,
    /// A Polyglot book, of which every line is an opening
    Polyglot,
}

/// The order in which the openings of a book are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum BookOrder {
    /// In the order of the file
    Sequential,
    /// Shuffled by the random seed; no opening repeats before all have been played
    Random,
}

/// Adjudication rules; all are off by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is adjudicated as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a game is adjudicated as drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The maximum length of a game, in full moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Adjudication by tablebases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseRule>,
}

/// Resign rule: a side loses once its score has been low for some consecutive moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Number of consecutive moves.
    pub moves: u32,
    /// The score threshold in centipawns, as a positive number.
    pub score_cp: u32,
    /// Whether the opponent's score must be correspondingly high.
    pub two_sided: bool,
}

/// Draw rule: the game is drawn once both scores have been near zero for some consecutive moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The first move number to which the rule applies.
    pub from_move: u32,
    /// Number of consecutive moves of each side.
    pub moves: u32,
    /// The largest absolute score, in centipawns.
    pub score_cp: u32,
}

/// Adjudication by Syzygy tablebases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablebaseRule {
    /// Directories with Syzygy tables.
    pub paths: Vec<PathBuf>,
    /// Maximum number of pieces; `None` for the largest tables available.
    pub pieces: Option<u32>,
    /// Whether cursed wins and blessed losses count as draws.
    pub fifty_moves: bool,
    /// Results that end the game.
    #[serde(default)]
    pub results: TablebaseResults,
}

/// The results of tablebases that end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TablebaseResults {
    /// Won and lost positions
    Win,
    /// Drawn positions
    Draw,
    /// Won, lost and drawn positions
    #[default]
    Both,
}

impl TablebaseResults {
    /// Returns true if a game with this result is ended.
    pub fn includes(self, is_draw: bool) -> bool {
        match self {
            Self::Win => !is_draw,
            Self::Draw => is_draw,
            Self::Both => true,
        }
    }
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SprtConfig {
    /// The Elo of the null hypothesis (no gain).
    pub elo0: f64,
    /// The Elo of the alternative hypothesis (a gain).
    pub elo1: f64,
    /// The probability of accepting a change worth `elo0`; by default 5 %.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The probability of rejecting a change worth `elo1`; by default 5 %.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The Elo model of `elo0` and `elo1`; by default `normalized`.
    // The command line and files of `--config` have another default, `EloModel::default()`. Labs keep
    // presets as they were sent, most without a model, and those must go on to mean fishtest's bounds.
    #[serde(default = "normalized")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub model: EloModel,
}

impl SprtConfig {
    /// A test with errors of 5 %, as in fishtest.
    pub const fn new([elo0, elo1]: [f64; 2], model: EloModel) -> Self {
        Self {
            elo0,
            elo1,
            alpha: five_percent(),
            beta: five_percent(),
            model,
        }
    }
}

const fn five_percent() -> f64 {
    0.05
}
const fn normalized() -> EloModel {
    EloModel::Normalized
}

/// The unit of Elo differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// Logistic Elo, the usual one: 400 Elo are a score of 10/11
    #[default]
    Logistic,
    // 347.4 is 800/ln 10 (Van den Bergh, "Normalized Elo Practical").
    /// Normalised Elo: the score's distance from 1/2 in standard deviations of a game, times 347.4
    Normalized,
    /// Elo of the program `BayesElo`, which has draws; for comparison with older programs
    Bayesian,
}

impl EloModel {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Logistic, Self::Normalized, Self::Bayesian];

    /// The name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
            Self::Bayesian => "bayesian",
        }
    }
}

/// Which CPUs games are played on. A game that is pinned has CPUs of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pinning {
    /// Games are pinned if there are CPUs for all of them that are idle, and that no other run has.
    #[default]
    Auto,
    /// The operating system chooses.
    Off,
    /// Games are pinned, if possible to CPUs that are idle and that no other run has.
    On,
    /// As for `On`, but only to these CPUs.
    Cpus(BTreeSet<usize>),
}

impl Limits {
    /// Returns true if nothing limits the thinking time.
    pub const fn is_none(&self) -> bool {
        self.clock.is_none()
            && self.movetime_ms.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
    }
}

impl OpeningSource {
    /// Returns true if the games are Chess960.
    pub const fn is_chess960(&self) -> bool {
        match self {
            Self::Startpos | Self::BuiltIn { .. } => false,
            Self::Book { chess960, .. } => *chess960,
            Self::Chess960 | Self::DoubleChess960 => true,
        }
    }

    /// What it is called; a file without its folders, which published results must not reveal.
    pub fn name(&self) -> String {
        match self {
            Self::Startpos => "start position".to_owned(),
            Self::BuiltIn { book, .. } => book.to_string(),
            Self::Book { path, .. } => {
                // A path that ends in `..` has no name.
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Self::Chess960 => "Chess960".to_owned(),
            Self::DoubleChess960 => "double Chess960".to_owned(),
        }
    }

    /// The order in which the openings of a book are taken, and how many are skipped; `None` without a
    /// book.
    pub const fn order(&self) -> Option<(BookOrder, u64)> {
        match self {
            Self::Book { order, start, .. } | Self::BuiltIn { order, start, .. } => {
                Some((*order, *start))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_configurations_are_paired_as_ever() {
        let read = |text: &str| serde_json::from_str::<PairingRules>(text);
        assert_eq!(read("{}").ok(), Some(PairingRules::default()));
        let other = PairingRules {
            games: GamesPerOpening::One,
            no_swap: true,
            reverse: true,
            seeds: 2,
            repeat: 3,
            wait_ms: 5,
        };
        let text = serde_json::to_string(&other).expect("numbers");
        assert_eq!(read(&text).ok(), Some(other), "{text}");
        let error = read(r#"{"games":3}"#).expect_err("three").to_string();
        assert!(
            error.starts_with("expected 1 or 2 games per opening instead of 3"),
            "{error}"
        );
    }

    #[test]
    fn presets_of_labs_have_normalised_bounds() {
        let read = serde_json::from_str::<SprtConfig>(r#"{"elo0":0,"elo1":2}"#);
        let fishtest = SprtConfig::new([0.0, 2.0], EloModel::Normalized);
        assert_eq!(read.ok(), Some(fishtest));
        // What is stored does not depend on any default.
        let stored = serde_json::to_value(fishtest).expect("numbers");
        assert_eq!(stored["model"], "normalized");
    }

    #[test]
    fn invalid_time_controls_are_rejected() {
        let read = |stages: &str| {
            let text = format!(r#"{{"stages":[{stages}]}}"#);
            serde_json::from_str::<TimeControl>(&text)
        };
        let sound = r#"{"moves":40,"time_ms":1000,"increment_ms":0}"#;
        assert!(read(sound).is_ok());
        let rows = rows![
            "" => "a time control without stages";
            r#"{"moves":0,"time_ms":1000,"increment_ms":0}"# => "a stage of 0 moves, expected 1 or more";
        ];
        for (stages, expected) in rows {
            let error = read(stages).expect_err("no clock").to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}

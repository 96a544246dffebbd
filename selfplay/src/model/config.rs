//! The whole effective configuration of a run, as it is stored with the results.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// A run: everything that decides its games and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// `touchstone/run/1`.
    pub schema: String,
    /// Who meets whom.
    pub format: Format,
    /// The engines; in a match or test, the new one first.
    pub engines: Vec<EngineConfig>,
    /// Rounds: how many pairs every two engines that meet play against each other.
    pub rounds: u64,
    /// Where games begin.
    pub openings: OpeningSource,
    /// When a game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// The test to stop by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// Games at once.
    pub concurrency: usize,
    /// Whether each game has a CPU of its own.
    pub pinning: Pinning,
    /// What all chance in the run depends on.
    pub seed: u64,
    /// The tag Event.
    pub event: String,
    /// The tag Site.
    pub site: String,
}

impl RunConfig {
    /// Rounds of a test that is given none: more than anybody will wait for.
    pub const UNTIL_DECIDED: u64 = 50_000_000;

    /// Whether only the test ends the run.
    pub const fn is_unlimited(&self) -> bool {
        self.sprt.is_some() && self.rounds == Self::UNTIL_DECIDED
    }
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two engines; also the format of an SPRT.
    Match,
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
    /// Equals meet, in this many rounds.
    Swiss,
    /// Who loses a round is out.
    Knockout,
}

/// How an engine is started and what it is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// What it is called in tables and PGN; no two alike.
    pub name: String,
    /// The program and its arguments.
    pub command: Command,
    /// Options, in the order in which they are set.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// Lines that are sent before `uci`.
    #[serde(default)]
    pub startup: Vec<String>,
    /// How long it may think.
    pub limits: Limits,
    /// Whether it thinks on the opponent's time.
    #[serde(default)]
    pub ponder: bool,
    /// When it is started anew.
    #[serde(default)]
    pub restart: Restart,
}

/// A program with its surroundings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Where it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// What is added to its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// How long an engine may think; every limit given holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// A clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Milliseconds for each move (`st`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Positions for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// What the clock may be overstepped by, in milliseconds.
    #[serde(default)]
    pub margin_ms: u64,
    /// The longest time for one move, in milliseconds, whatever else limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_timeout_ms: Option<u64>,
    /// Whether we send `stop` once `info` passes `nodes` or `depth`, for an engine that ignores them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub send_stop: bool,
}

/// A time control: stages one after another, the last for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// The stages; never empty, and none ends before its first move.
    #[serde(deserialize_with = "stages")]
    pub stages: Vec<Stage>,
}

/// Refuses stages that no clock can go through.
fn stages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Stage>, D::Error> {
    let stages = Vec::<Stage>::deserialize(deserializer)?;
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
pub struct Stage {
    /// For how many moves; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// Time for them, in milliseconds.
    pub time_ms: u64,
    /// What each move adds, in milliseconds.
    pub increment_ms: u64,
}

/// When an engine is started anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// After a fault only.
    #[default]
    Auto,
    /// For each game.
    On,
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "source")]
pub enum OpeningSource {
    /// The start position of standard chess.
    Startpos,
    /// A book.
    Book {
        /// The file, packed by gzip or not.
        path: PathBuf,
        /// What is in it.
        format: BookFormat,
        /// In which order it is gone through.
        order: BookOrder,
        /// How many openings are passed over first.
        start: u64,
        /// How many plies of a game are played; `None` for all.
        plies: Option<u32>,
        /// Whether the games are of Chess960.
        chess960: bool,
    },
    /// The 960 first positions, drawn by chance.
    Chess960,
    /// Two of the 960, one for each side.
    DoubleChess960,
}

/// What a book is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BookFormat {
    /// Positions, one a line: EPD or FEN.
    Epd,
    /// Games.
    Pgn,
}

/// In which order a book is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BookOrder {
    /// As it stands.
    Sequential,
    /// Shuffled by the seed, each opening once before any comes again.
    Random,
}

/// When a game is ended before the rules end it; nothing is on unless given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Lost games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Drawn games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The greatest length, in moves of both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Endgame tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseRule>,
}

/// A side is lost once its score has been low for some moves on end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// How many moves on end.
    pub moves: u32,
    /// How low, in centipawns, as a positive number.
    pub score_cp: u32,
    /// Whether the other side's score must be as high.
    pub two_sided: bool,
}

/// A game is drawn once both scores have been near zero for some moves on end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this move.
    pub from_move: u32,
    /// How many moves of each side on end.
    pub moves: u32,
    /// How near, in centipawns.
    pub score_cp: u32,
}

/// Endgame tables decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablebaseRule {
    /// Folders of Syzygy tables.
    pub paths: Vec<PathBuf>,
    /// At most this many pieces; `None` for what the tables have.
    pub pieces: Option<u32>,
    /// Whether wins that the fifty-move rule spoils count as draws.
    pub fifty_moves: bool,
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtConfig {
    /// The Elo of the hypothesis that nothing was gained.
    pub elo0: f64,
    /// The Elo of the hypothesis that something was.
    pub elo1: f64,
    /// The chance to accept a change that is worth `elo0`.
    pub alpha: f64,
    /// The chance to reject a change that is worth `elo1`.
    pub beta: f64,
    /// What Elo means.
    pub model: SprtModel,
}

/// What the Elo of a test means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtModel {
    /// Of expected scores.
    Logistic,
    /// Of expected scores in units of their deviation.
    #[default]
    Normalized,
    /// Of the model of `BayesElo`, where draws have a parameter of their own.
    Bayesian,
}

/// Whether each game has a CPU of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pinning {
    /// The system decides.
    #[default]
    Off,
    /// Workers are pinned.
    On,
}

impl Limits {
    /// Whether nothing limits how long an engine thinks.
    pub const fn is_none(&self) -> bool {
        self.clock.is_none()
            && self.movetime_ms.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
    }
}

impl OpeningSource {
    /// Whether games are of Chess960.
    pub const fn is_chess960(&self) -> bool {
        match self {
            Self::Startpos => false,
            Self::Book { chess960, .. } => *chess960,
            Self::Chess960 | Self::DoubleChess960 => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_that_no_clock_can_run_by_are_refused() {
        let read = |stages: &str| {
            let text = format!(r#"{{"stages":[{stages}]}}"#);
            serde_json::from_str::<TimeControl>(&text)
        };
        let sound = r#"{"moves":40,"time_ms":1000,"increment_ms":0}"#;
        assert!(read(sound).is_ok());
        let rows = [
            ("", "a time control without stages"),
            (
                r#"{"moves":0,"time_ms":1000,"increment_ms":0}"#,
                "a stage of 0 moves, expected 1 or more",
            ),
        ];
        for (stages, expected) in rows {
            let error = read(stages).expect_err("no clock").to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}

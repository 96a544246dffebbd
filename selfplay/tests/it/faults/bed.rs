//! The test bed: two players with `examples/scripted_engine`, games between them, what they leave.

use std::path::Path;
use std::time::Duration;

use selfplay::game::{FinishedPlay, GameError, GameRules, Players, play};
use selfplay::model::{
    Adjudication, EngineCommand, EngineConfig, EngineIndex, Limits, Opening, PairNumber, Pairing,
};
use selfplay::player::{EngineTimeouts, Player};
use tempfile::TempDir;
use uci::Cancel;

pub(crate) use crate::common::PLENTY;
use crate::common::scripted_engine;

/// Time for what never comes. Only the unruly engine has so little, and only until it has been unruly.
pub(crate) const LITTLE: Duration = Duration::from_millis(200);

/// Waits that only end when something is wrong.
pub(crate) const PATIENT: EngineTimeouts = EngineTimeouts {
    uciok: PLENTY,
    features: PLENTY,
    new_game: PLENTY,
    trial: PLENTY,
    readyok: PLENTY,
    silence: PLENTY,
    search: PLENTY,
    stop: PLENTY,
    quit: Duration::from_millis(200),
    output: 64 << 20,
};

/// As [`PATIENT`], but for a change.
pub(crate) fn patient_but(change: impl FnOnce(&mut EngineTimeouts)) -> EngineTimeouts {
    let mut patience = PATIENT;
    change(&mut patience);
    patience
}

/// A silent search is given up soon.
pub(crate) fn silence() -> EngineTimeouts {
    patient_but(|one| one.silence = LITTLE)
}

/// A missing `readyok` is given up soon.
pub(crate) fn readyok() -> EngineTimeouts {
    patient_but(|one| one.new_game = LITTLE)
}

/// A `stop` without an answer is given up soon.
pub(crate) fn stop() -> EngineTimeouts {
    patient_but(|one| one.stop = LITTLE)
}

/// A megabyte is a flood.
pub(crate) fn little_output() -> EngineTimeouts {
    patient_but(|one| one.output = 1 << 20)
}

/// Limits without a clock.
pub(crate) fn limited(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

/// One node a move: no clock.
pub(crate) fn unclocked() -> Limits {
    limited(|one| one.nodes = Some(1))
}

/// A clock that no engine runs out of, however busy the machine is.
pub(crate) fn relaxed() -> Limits {
    clocked("1000")
}

pub(crate) fn clocked(text: &str) -> Limits {
    limited(|one| one.clock = text.parse().ok())
}

pub(crate) fn config(name: &str, limits: Limits, flags: &[&str]) -> EngineConfig {
    EngineConfig {
        name: name.to_owned(),
        command: EngineCommand {
            program: scripted_engine(),
            arguments: flags.iter().map(ToString::to_string).collect(),
            ..EngineCommand::default()
        },
        limits,
        ..EngineConfig::default()
    }
}

/// Two players. What is in the folder shows who has misbehaved.
pub(crate) struct Bed {
    pub(crate) white: Player,
    pub(crate) black: Player,
    folder: TempDir,
}

impl Bed {
    /// White has these flags, limits and patience, and misbehaves but once; Black is honest, and has all the time.
    pub(crate) fn new(flags: &[&str], limits: &Limits, patience: EngineTimeouts) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let once = format!("--once={}", folder.path().join("once").display());
        let flags: Vec<&str> = flags.iter().copied().chain([&*once]).collect();
        let white = config("unruly", limits.clone(), &flags);
        Self {
            folder,
            ..Self::against_honest(white, patience)
        }
    }

    /// White against an honest engine that has all the time.
    pub(crate) fn against_honest(white: EngineConfig, patience: EngineTimeouts) -> Self {
        let black = config("honest", unclocked(), &["--seed=7"]);
        let mut bed = Self::of(white, black, PATIENT, &Cancel::new());
        bed.white.set_patience(patience);
        bed
    }

    pub(crate) fn of(
        white: EngineConfig,
        black: EngineConfig,
        patience: EngineTimeouts,
        cancel: &Cancel,
    ) -> Self {
        Self {
            white: Player::new(EngineIndex(0), white, patience, cancel.clone()),
            black: Player::new(EngineIndex(1), black, patience, cancel.clone()),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// Plays a game of at most so many moves.
    pub(crate) fn play(&mut self, max_moves: u32) -> FinishedPlay {
        self.try_play(max_moves).expect("it can be played")
    }

    pub(crate) fn try_play(&mut self, max_moves: u32) -> Result<FinishedPlay, GameError> {
        self.play_from(&Opening::startpos(), max_moves)
    }

    pub(crate) fn play_from(
        &mut self,
        opening: &Opening,
        max_moves: u32,
    ) -> Result<FinishedPlay, GameError> {
        let adjudication = Adjudication {
            max_moves: Some(max_moves),
            ..Adjudication::default()
        };
        let rules = GameRules {
            adjudication: &adjudication,
            endgames: None,
        };
        let pairing = Pairing {
            number: PairNumber(0),
            round: 0,
            first: EngineIndex(0),
            second: EngineIndex(1),
            opening: 0,
        };
        let players = Players {
            white: &mut self.white,
            black: &mut self.black,
        };
        play(&pairing.games()[0], opening, players, rules)
    }

    /// The process that misbehaved, if one has.
    pub(crate) fn culprit(&self) -> Option<u32> {
        let text = read(&self.folder.path().join("once"))?;
        Some(text.parse().expect("a number"))
    }

    /// The child that it has left behind, if it has.
    pub(crate) fn child(&self) -> Option<u32> {
        let transcript = self.white.transcript();
        let (_, ids) = transcript.split_once("info string child ")?;
        let (child, _) = ids.split_once(" of ")?;
        Some(child.parse().expect("a number"))
    }
}

/// What is in a file; nothing if it is not there, or no longer.
#[expect(clippy::disallowed_methods, reason = "processes leave traces in files")]
fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Waits until nothing of an engine is left: who is killed takes a moment to die.
#[cfg(not(target_os = "linux"))]
pub(crate) fn assert_gone(leader: u32) {
    testkit::processes::assert_gone(leader);
}

/// Waits until nothing of a group is left: who is killed takes a moment to die.
#[cfg(target_os = "linux")]
pub(crate) fn assert_gone(leader: u32) {
    crate::common::wait_until(|| group(leader).is_empty());
}

/// The processes of a group, those that wait to be reaped by `init` aside.
#[cfg(target_os = "linux")]
fn group(leader: u32) -> Vec<String> {
    let processes = Path::new("/proc").read_dir().expect("Linux");
    processes
        .filter_map(|entry| read(&entry.ok()?.path().join("stat")))
        .filter(|stat| {
            // `pid (name) state ppid pgrp …`; the name may have anything in it.
            let fields = stat.rsplit(')').next().unwrap_or_default();
            let mut fields = fields.split_whitespace();
            let state = fields.next();
            fields.nth(1) == Some(&leader.to_string()) && state != Some("Z")
        })
        .collect()
}

//! Records for tests.

use std::collections::BTreeMap;

use super::Stored;
use crate::config::{Contest, parse, resolve};
use crate::model::{
    EngineIndex, Fault, FaultKind, GameRecord, GameResult, Machine, MoveRecord, Opening,
    PairNumber, Pairing, RunConfig, Termination,
};

pub(crate) fn config() -> RunConfig {
    let text = "rounds = 100\n[[engine]]\ncmd = './a'\ntc = '10+0.1'\n[[engine]]\ncmd = './b'\nnodes = 5\n";
    let draft = parse(text, "f").expect("well formed");
    resolve(draft, Contest::Match).expect("a match")
}

/// What `config.json` has of a run between those two engines.
pub(crate) fn stored() -> Stored {
    Stored {
        config: config(),
        book: None,
        programs: BTreeMap::new(),
        revisions: BTreeMap::new(),
        fleet: None,
        host: None,
        version: "0".to_owned(),
    }
}

/// A game of `plies` plies, in which knights go out and back, that is recorded as a draw.
pub(crate) fn record(game: u64, plies: usize) -> GameRecord {
    let pairing = Pairing {
        number: PairNumber(game / 2),
        round: u32::try_from(game / 2).expect("few"),
        first: EngineIndex(0),
        second: EngineIndex(1),
        opening: game / 2,
    };
    let dance = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle();
    let moves = dance.take(plies).map(|uci| MoveRecord {
        uci: (*uci).to_owned(),
        ..MoveRecord::default()
    });
    let second = usize::from(!game.is_multiple_of(2));
    GameRecord {
        plan: pairing.games()[second],
        opening: Opening {
            label: "start".to_owned(),
            ..Opening::startpos()
        },
        result: GameResult::Draw,
        termination: Termination::Threefold,
        fault: None,
        moves: moves.collect(),
        started_ms: 1_234_567_890_123,
        duration_ms: 5_678,
        incidents: Vec::new(),
        machine: None,
        ids: <[crate::model::EngineId; 2]>::default(),
    }
}

/// A fault of an engine that left no transcript.
pub(crate) fn fault(engine: EngineIndex, kind: FaultKind, detail: &str) -> Fault {
    Fault {
        engine,
        kind,
        detail: detail.to_owned(),
        transcript: None,
    }
}

/// A game as above that a worker has played.
pub(crate) fn played_by(worker: &str, game: u64, plies: usize) -> GameRecord {
    let machine = Machine {
        worker: worker.to_owned(),
        time_scale: None,
    };
    GameRecord {
        machine: Some(machine),
        ..record(game, plies)
    }
}

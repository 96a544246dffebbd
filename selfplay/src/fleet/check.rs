//! Checks results against what was requested: a worker is trusted no more than a file. Pure.

use super::protocol::{Message, MessageError, PairBody, PlayedGame, UnitBody};
use super::speed::{MOST, TimeScale};
use crate::model::{GameRecord, RunConfig, Termination};
use crate::play::ledger::{RecordFault, check_record};

#[derive(Debug, thiserror::Error)]
pub enum ResultFault {
    #[error(transparent)]
    Message(#[from] MessageError),
    /// The game was not requested, or names an engine that the run does not have.
    #[error("game {game}: {what}")]
    Other {
        /// The number of the game, from 1.
        game: u64,
        what: &'static str,
    },
    /// The record contradicts itself or the rules.
    #[error("game {game}: {source}")]
    Record {
        /// The number of the game, from 1.
        game: u64,
        source: RecordFault,
    },
    /// The game was ended by a rule that this run does not use.
    #[error("game {game}: it ended by '{}', which this run does not have", termination.as_str())]
    Rule {
        /// The number of the game, from 1.
        game: u64,
        termination: Termination,
    },
    /// The time scale is missing or out of range.
    #[error(
        "game {game}: the time scale is {}, expected {} to {MOST}",
        scale.map_or_else(|| "missing".to_owned(), |scale| scale.to_string()), 1.0 / MOST
    )]
    Scale {
        /// The number of the game, from 1.
        game: u64,
        scale: Option<f64>,
    },
}

/// Parses the two games of a pair, and checks that they are the requested ones and are possible.
pub fn pair(
    config: &RunConfig,
    asked: &UnitBody,
    result: &str,
) -> Result<[PlayedGame; 2], ResultFault> {
    let PairBody { games } = PairBody::from_text(result)?;
    for (played, plan) in games.iter().zip(asked.pairing.games()) {
        let record = &played.record;
        let game = plan.game + 1;
        let other = |what| Err(ResultFault::Other { game, what });
        if record.plan != plan {
            return other("it is not the scheduled game");
        }
        if record.opening != asked.opening {
            return other("it is not from the scheduled opening");
        }
        // The list of engines is indexed by this number, so an unknown one would panic.
        if record
            .incidents
            .iter()
            .any(|one| one.engine.0 >= config.engines.len())
        {
            return other("an incident names an engine that the run does not have");
        }
        check_record(record).map_err(|source| ResultFault::Record { game, source })?;
        let termination = record.termination;
        if !has_rule(config, termination) {
            return Err(ResultFault::Rule { game, termination });
        }
        check_scale(config, record)?;
    }
    Ok(games)
}

/// Returns true if games of a run may end this way.
fn has_rule(config: &RunConfig, termination: Termination) -> bool {
    let rules = &config.adjudication;
    match termination {
        Termination::ResignAdjudication => rules.resign.is_some(),
        Termination::DrawAdjudication => rules.draw.is_some(),
        Termination::MaxMoves => rules.max_moves.is_some(),
        Termination::Tablebase => rules.tablebase.is_some(),
        _ => true,
    }
}

/// Checks that a game reports an acceptable time scale, which it may omit if the run does not
/// depend on time.
fn check_scale(config: &RunConfig, record: &GameRecord) -> Result<(), ResultFault> {
    let machine = record.machine.as_ref();
    let scale = machine.and_then(|machine| machine.time_scale);
    let is_good = match scale {
        Some(scale) => TimeScale::is_bearable(scale),
        None => !crate::fleet::speed::depends_on_time(config),
    };
    let game = record.plan.game + 1;
    is_good
        .then_some(())
        .ok_or(ResultFault::Scale { game, scale })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EngineIndex, FaultKind, GameResult, MoveRecord};
    use crate::play::ledger::samples;

    fn check(change: impl Fn(&mut GameRecord)) -> String {
        let config = samples::config();
        let mut games = [0, 1].map(|game| {
            let mut record = samples::played_by("w", game, 8);
            record.machine.as_mut().expect("one").time_scale = Some(1.5);
            PlayedGame {
                record,
                transcript: None,
            }
        });
        let asked = UnitBody {
            pairing: games[0].record.plan.pairing,
            opening: games[0].record.opening.clone(),
            options: None,
        };
        change(&mut games[1].record);
        let found = pair(&config, &asked, &PairBody { games }.to_text());
        found.map_or_else(|fault| fault.to_string(), |_| "good".to_owned())
    }

    type Change = fn(&mut GameRecord);

    #[test]
    fn only_games_that_were_asked_for_and_can_be_are_taken() {
        assert_eq!(check(|_| {}), "good");
        let rows: [(Change, &str); 7] = rows![
            |record| record.plan.game = 5 => "game 2: it is not the scheduled game";
            |record| record.opening.fen.push('1') => "game 2: it is not from the scheduled opening";
            |record| record.result = GameResult::WhiteWins =>
                "game 2: the record says that it ended by 'threefold', 1-0, but the board ends it by 'threefold', 1/2-1/2";
            |record| record.moves.push(MoveRecord::default()) => "game 2: ply 9 is '', which is not legal there";
            |record| { record.moves.pop(); record.termination = Termination::MaxMoves; } =>
                "game 2: it ended by 'max-moves', which this run does not have";
            |record| record.machine = None => "game 2: the time scale is missing, expected 0.25 to 4";
            |record| record.incidents.push(samples::fault(EngineIndex(2), FaultKind::Crash, "")) =>
                "game 2: an incident names an engine that the run does not have";
        ];
        for (change, expected) in rows {
            assert_eq!(check(change), expected);
        }
        let scaled = check(|record| record.machine.as_mut().expect("one").time_scale = Some(4.5));
        assert_eq!(scaled, "game 2: the time scale is 4.5, expected 0.25 to 4");
    }
}

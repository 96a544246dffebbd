//! Replays recorded games and checks their records against the board. Pure.

use chess::notation::{fen, uci_move};
use chess::rules::Game;
use kit::journal::reason;

use super::error::RecordFault;
use crate::model::{GameRecord, GameResult, Termination};
use crate::play::referee::Ending;

/// Parses one line of a ledger.
///
/// # Errors
///
/// If it is not the record of a game, or its parts contradict each other.
pub fn read_record(line: &[u8]) -> Result<GameRecord, RecordFault> {
    let record: GameRecord = serde_json::from_slice(line)
        .map_err(|error| RecordFault(format!("column {}: {}", error.column(), reason(&error))))?;
    check_fault(&record)?;
    Ok(record)
}

pub(super) fn replay(record: &GameRecord) -> Result<Game, RecordFault> {
    play(record, |_, _| Ok(()))
}

/// Checks that the termination, the fault, the moves and the board of a record agree.
pub fn check(record: &GameRecord) -> Result<(), RecordFault> {
    check_fault(record)?;
    replay_checked(record).map(|_| ())
}

/// Checks that the termination of a game and its fault agree.
pub(super) fn check_fault(record: &GameRecord) -> Result<(), RecordFault> {
    let what = match (&record.fault, record.termination) {
        (None, Termination::Fault) => "does not say whose",
        (Some(_), termination) if termination != Termination::Fault => "has a fault",
        // A fault always loses the game.
        (Some(fault), _) if record.half_points(fault.engine) != Some(0) => {
            "was not lost by whose fault it is"
        }
        _ => return Ok(()),
    };
    let termination = record.termination.as_str();
    Err(RecordFault(format!(
        "a game that ended by '{termination}' {what}"
    )))
}

/// Replays the game and checks its ending: the rules either end it where the moves stop, with the
/// recorded result, or do not end it at all.
pub(super) fn replay_checked(record: &GameRecord) -> Result<Game, RecordFault> {
    let game = play(record, |ply, game| match Ending::by_the_rules(game) {
        Some(end) => Err(RecordFault(format!(
            "ply {ply} was played after the end of the game by '{}'",
            end.termination.as_str()
        ))),
        None => Ok(()),
    })?;
    let (result, termination) = (record.result, record.termination);
    let found = Ending::by_the_rules(&game);
    let agrees = match found {
        Some(end) => (end.result, end.termination) == (result, termination),
        None => can_end_early(result, termination),
    };
    if agrees {
        return Ok(game);
    }
    let found = found.map_or("does not end it".to_owned(), |end| {
        format!("ends it by {}", words(end.result, end.termination))
    });
    Err(RecordFault(format!(
        "the record says that it ended by {}, but the board {found}",
        words(result, termination)
    )))
}

/// Plays the moves; `see` is called before each ply, counted from 1, with the board.
fn play(
    record: &GameRecord,
    see: impl Fn(usize, &Game) -> Result<(), RecordFault>,
) -> Result<Game, RecordFault> {
    let mode = record.opening.castling_mode();
    let start = fen::parse(&record.opening.fen);
    let start = start.map_err(|error| RecordFault(format!("the first position: {error}")))?;
    let mut game = Game::new(start);
    let played = record.moves.iter().map(|one| one.uci.as_str());
    let opening = record.opening.moves.iter().map(String::as_str);
    for (ply, text) in (1..).zip(opening.chain(played)) {
        let illegal = || RecordFault(format!("ply {ply} is '{text}', which is not legal there"));
        let m = uci_move::parse(text, game.position(), mode).map_err(|_| illegal())?;
        // Before the move: at this point the game must still go on.
        see(ply, &game)?;
        game.play(m).map_err(|_| illegal())?;
    }
    Ok(game)
}

/// Returns true if a game may end this way although the rules do not end it.
fn can_end_early(result: GameResult, termination: Termination) -> bool {
    let is_draw = result == GameResult::Draw;
    match termination {
        Termination::DrawAdjudication | Termination::MaxMoves => is_draw,
        Termination::Resignation | Termination::ResignAdjudication | Termination::Fault => !is_draw,
        // Tables may give any result.
        Termination::Tablebase => true,
        // Only the rules end a game in these ways, and they did not.
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::InsufficientMaterial
        | Termination::Threefold
        | Termination::FiftyMoves => false,
    }
}

fn words(result: GameResult, termination: Termination) -> String {
    format!("'{}', {}", termination.as_str(), result.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MoveRecord;
    use crate::play::ledger::samples::record;

    fn checked(moves: &str, result: GameResult, termination: Termination) -> String {
        let moves = moves.split_ascii_whitespace().map(|uci| MoveRecord {
            uci: uci.to_owned(),
            ..MoveRecord::default()
        });
        let record = GameRecord {
            moves: moves.collect(),
            result,
            termination,
            ..record(0, 0)
        };
        replay_checked(&record).map_or_else(|fault| fault.to_string(), |_| "good".to_owned())
    }

    #[test]
    fn records_and_boards_agree_or_not() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        use Termination::{Checkmate, DrawAdjudication, MaxMoves, ResignAdjudication, Threefold};
        let mate = "f2f3 e7e5 g2g4 d8h4";
        let dance = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let on = format!("{dance} e2e4");
        let rows = rows![
            mate, BlackWins, Checkmate => "good";
            mate, WhiteWins, Checkmate =>
                "the record says that it ended by 'checkmate', 1-0, but the board ends it by 'checkmate', 0-1";
            mate, Draw, MaxMoves =>
                "the record says that it ended by 'max-moves', 1/2-1/2, but the board ends it by 'checkmate', 0-1";
            "f2f3 e7e5 g2g4", BlackWins, Checkmate =>
                "the record says that it ended by 'checkmate', 0-1, but the board does not end it";
            dance, Draw, Threefold => "good";
            &on, Draw, MaxMoves => "ply 9 was played after the end of the game by 'threefold'";
            "e2e4", Draw, DrawAdjudication => "good";
            "e2e4", WhiteWins, DrawAdjudication =>
                "the record says that it ended by 'draw-adjudication', 1-0, but the board does not end it";
            "e2e4", WhiteWins, ResignAdjudication => "good";
            "e2e4", Draw, ResignAdjudication =>
                "the record says that it ended by 'resign-adjudication', 1/2-1/2, but the board does not end it";
        ];
        for (moves, result, termination, expected) in rows {
            assert_eq!(checked(moves, result, termination), expected);
        }
    }
}

//! A puzzle as a case: a step for each move that is to be found.

use chess::notation::uci_move::UciMove;
use chess::notation::{fen, san};
use chess::rules::{Move, Outcome, Position};

use super::read::{PuzzleRow, Selected, fault};
use crate::run::goal::{Goal, GoalError};
use crate::run::plan::{GoalFault, PositionLimits, PuzzleStep, RunCase, RunPlan, SuiteCases};
use crate::text::{Operand, Operation, Record};

/// Adds the selected puzzles of a file to a plan.
pub(crate) fn add_puzzles(
    plan: &mut RunPlan,
    name: String,
    selected: Selected,
    limits: PositionLimits,
) {
    let suite = plan.suites.len();
    let mut unreadable = selected.faults;
    for row in &selected.rows {
        match case(row, suite, limits) {
            Ok(case) => plan.cases.push(case),
            Err(error) => unreadable.push(GoalFault {
                line: row.line,
                error,
            }),
        }
    }
    plan.suites.push(SuiteCases {
        name,
        diagnostics: Vec::new(),
        unreadable,
        warnings: Vec::new(),
        without_goal: 0,
        not_run: Vec::new(),
    });
}

/// The position of a row is that before the opponent's move, the first; then the moves to find and
/// the replies take turns.
fn case(row: &PuzzleRow, suite: usize, limits: PositionLimits) -> Result<RunCase, GoalError> {
    let position = fen::parse(&row.fen);
    let position = position.map_err(|error| fault("FEN", error.to_string()))?;
    let words: Vec<&str> = row.moves.split_whitespace().collect();
    if words.len() < 2 || words.len() % 2 == 1 {
        let count = words.len();
        let what = format!("{count} moves, expected pairs: one of the opponent, one to find");
        return Err(fault("Moves", what));
    }
    let (first, solution) = words.split_first().expect("there are two");
    let start = position.play_unchecked(legal(first, &position)?);
    let (mut steps, mut names, mut now) = (Vec::new(), Vec::new(), start);
    for (index, word) in solution.iter().enumerate() {
        let m = legal(word, &now)?;
        names.push(san::write(m, &now));
        if index % 2 == 0 {
            let goal = goal(m, &now);
            steps.push(PuzzleStep {
                position: now,
                goal,
            });
        }
        now = now.play_unchecked(m);
    }
    let record = record(row, start, &names)?;
    let goal = steps.remove(0).goal;
    Ok(RunCase {
        suite,
        line: row.line,
        record,
        goal,
        asked: format!("solution {}", names.join(" ")),
        limits,
        lines: None,
        later: steps,
        puzzle: Some(row.puzzle.clone()),
    })
}

fn legal(text: &str, position: &Position) -> Result<Move, GoalError> {
    let m = text.parse::<UciMove>().ok();
    let m = m.and_then(|m| m.to_move(position, position.castling_mode()));
    m.ok_or_else(|| {
        let fen = fen::write(position);
        fault("Moves", format!("'{text}' is not a legal move in {fen}"))
    })
}

/// The move of the solution, or any that mates at once, as on Lichess.
fn goal(solution: Move, position: &Position) -> Goal {
    let winner = position.side_to_move();
    let mates = |m: Move| {
        let outcome = position.play_unchecked(m).outcome();
        outcome == Some(Outcome::Checkmate { winner })
    };
    let legal = position.legal_moves().into_iter();
    Goal {
        best: legal.filter(|&m| m == solution || mates(m)).collect(),
        avoid: Vec::new(),
        mate: None,
        points: None,
    }
}

/// The puzzle as a record: `id`, its themes as `tag`, the first move and the whole solution.
fn record(row: &PuzzleRow, position: Position, names: &[String]) -> Result<Record, GoalError> {
    let fail = |column, error: &dyn std::error::Error| fault(column, error.to_string());
    let themes: Vec<&str> = row.puzzle.themes.iter().map(String::as_str).collect();
    let record = Record::of_suite(position, Some(&row.id), &themes, &[]);
    let mut record = record.map_err(|error| fail("PuzzleId", &error))?;
    let mut operations = record.operations().to_vec();
    for (opcode, moves) in [("bm", &names[..1]), ("pv", names)] {
        let operands = moves.iter().cloned().map(Operand::Word).collect();
        let operation = Operation::new(opcode, operands);
        operations.push(operation.map_err(|error| fail("Moves", &error))?);
    }
    let set = record.set_sorted(operations);
    set.map_err(|error| fail("Moves", &error))?;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::plan::Puzzle;

    /// A case of a position and moves; or what is wrong with them.
    fn read(fen: &str, moves: &str) -> Result<RunCase, String> {
        let row = PuzzleRow {
            line: 2,
            id: "x1".to_owned(),
            fen: fen.to_owned(),
            moves: moves.to_owned(),
            puzzle: Puzzle {
                rating: 1500,
                deviation: 80,
                themes: vec!["backRankMate".to_owned()],
            },
        };
        let limits = PositionLimits::default();
        case(&row, 0, limits).map_err(|error| error.to_string())
    }

    /// Black attacks the queen; White takes the bishop and mates in two.
    const TWO_MOVES: &str = "r5r1/1p5k/p4B1p/3Pp2P/PP2Q1b1/8/1P3PP1/5K1R b - - 1 1";

    /// The moves that are accepted in a step.
    fn accepted(case: &RunCase, step: usize) -> String {
        let (position, goal) = case.steps().nth(step).expect("there is one");
        goal.describe(position)
    }

    #[test]
    fn every_second_move_is_to_be_found() {
        let case = read(TWO_MOVES, "g4f5 e4f5 g8g6 f5g6").expect("legal");
        assert_eq!(case.asked, "solution Qxf5+ Rg6 Qxg6#");
        assert_eq!(case.steps().count(), 2);
        assert_eq!(accepted(&case, 0), "bm Qxf5+");
        assert_eq!(accepted(&case, 1), "bm Qxg6#");
        assert_eq!(
            case.record.to_string(),
            "r5r1/1p5k/p4B1p/3Ppb1P/PP2Q3/8/1P3PP1/5K1R w - - bm Qxf5+; fmvn 2; hmvc 2; \
             id \"x1\"; pv Qxf5+ Rg6 Qxg6#; tag backRankMate;"
        );
    }

    #[test]
    fn any_mate_in_one_is_accepted() {
        let fen = "6k1/5ppp/p7/8/8/8/5PPP/1R1R2K1 b - - 0 1";
        let case = read(fen, "a6a5 d1d8").expect("legal");
        assert_eq!(accepted(&case, 0), "bm Rb8# Rd8#");
    }

    #[test]
    fn faults_are_named() {
        let table = "
g4f5 | 1 moves, expected pairs: one of the opponent, one to find
g4f5 e4e9 | 'e4e9' is not a legal move in r5r1/1p5k/p4B1p/3Ppb1P/PP2Q3/8/1P3PP1/5K1R w - - 2 2
a1a2 e4e9 | 'a1a2' is not a legal move in r5r1/1p5k/p4B1p/3Pp2P/PP2Q1b1/8/1P3PP1/5K1R b - - 1 1";
        for [moves, expected] in crate::rows::rows(table) {
            let found = read(TWO_MOVES, moves).map(|case| case.asked);
            assert_eq!(found, Err(format!("Moves: {expected}")));
        }
        let error = read("8/8/8/8/8/8/8/8 w - - 0 1", "a1a2 a2a3").expect_err("no kings");
        assert!(error.starts_with("FEN: "), "{error}");
    }
}

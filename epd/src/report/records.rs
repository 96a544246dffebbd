//! Writes records back with an engine's results.

use chess::notation::san;
use chess::rules::Position;
use uci::grammar::{Score, ScoreValue};

use super::words;
use crate::run::ledger::Trial;
use crate::run::plan::{RunCase, RunPlan};
use crate::run::score::SearchAnswer;
use crate::text::{MOST_CENTIPAWNS, Operand, Operation, Record, mate_evaluation};

/// The opcodes that are set; existing ones are replaced.
const SET: [&str; 6] = ["acd", "acn", "acs", "ce", "pm", "pv"];

/// The records of all suites, one per line. Those without an answer are unchanged.
pub(super) fn write(plan: &RunPlan, trial: &Trial) -> String {
    let cases = plan.cases.iter().enumerate();
    let run = cases.map(|(index, case)| {
        let answer = trial.typical(index);
        let text = answer.map_or_else(|| case.record.to_string(), |answer| record(case, answer));
        (case.suite, case.line, text)
    });
    let suites = plan.suites.iter().enumerate();
    let not_run = suites.flat_map(|(suite, one)| {
        let entries = one.not_run.iter();
        // Records that were not run are written as well: the output can replace the suite.
        entries.map(move |entry| (suite, entry.line, entry.record.to_string()))
    });
    let mut lines: Vec<(usize, usize, String)> = run.chain(not_run).collect();
    // By suite and line, which restores the order of the files.
    lines.sort();
    let texts: Vec<String> = lines.into_iter().map(|(.., text)| text + "\n").collect();
    texts.concat()
}

/// The standard form, with the operations that are set.
fn record(case: &RunCase, answer: &SearchAnswer) -> String {
    let position = case.record.position();
    let kept = case.record.operations().iter();
    let kept = kept
        .filter(|operation| !SET.contains(&operation.opcode()))
        .cloned();
    let found = SET.iter().filter_map(|opcode| {
        // An operation without operands, as of an engine that prints no nodes, is left out.
        let words = operands(opcode, position, answer);
        let operands: Vec<Operand> = words.into_iter().map(Operand::Word).collect();
        let operation = Operation::new(opcode, operands).expect("numbers and moves can be written");
        (!operation.operands().is_empty()).then_some(operation)
    });
    // The clocks, if they are not the default, are among the operations.
    let mut record = Record::new(*position);
    let set = record.set_sorted(kept.chain(found).collect());
    set.expect("the depths are those of a record that was read");
    record.into_text()
}

fn operands(opcode: &str, position: &Position, answer: &SearchAnswer) -> Vec<String> {
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let one = match opcode {
        "acd" => number(answer.end.depth.map(u64::from)),
        "acn" => number(answer.end.nodes),
        // acs takes whole seconds (PGN standard, 16.2).
        "acs" => Some(format!("{:.0}", answer.end.time.as_secs_f64())),
        "ce" => answer.score.map(|score| centipawns(score).to_string()),
        "pm" => Some(san::write(answer.best_move, position)),
        _ => return words::variation(&answer.pv, position),
    };
    one.into_iter().collect()
}

/// A score as an operand of `ce`.
fn centipawns(score: Score) -> i64 {
    match score.value {
        // A large score in centipawns must not be read back as a mate.
        ScoreValue::Cp(value) => i64::from(value).clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS),
        ScoreValue::Mate(moves) => mate_evaluation(i64::from(moves)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the PGN standard, 16.2.5.6, and edge cases.
    #[test]
    fn scores_are_those_of_the_standard() {
        let rows = [
            (ScoreValue::Cp(-12), -12),
            (ScoreValue::Cp(40_000), 32_000),
            (ScoreValue::Cp(i32::MIN), -32_000),
            (ScoreValue::Mate(1), 32_766),
            (ScoreValue::Mate(5), 32_758),
            (ScoreValue::Mate(i32::MAX), 32_001),
            (ScoreValue::Mate(0), -32_767),
            (ScoreValue::Mate(-1), -32_765),
            (ScoreValue::Mate(-5), -32_757),
            (ScoreValue::Mate(i32::MIN), -32_001),
        ];
        for (value, expected) in rows {
            assert_eq!(centipawns(Score { value, bound: None }), expected);
        }
    }
}

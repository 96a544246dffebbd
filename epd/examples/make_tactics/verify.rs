//! Proves the records of files anew.

use std::path::{Path, PathBuf};

use anyhow::Result;
use chess::notation::san;
use chess::rules::Move;
use epd::mate::MateSearch;
use epd::{OpcodeValue, Record, Suite};
use kit::{BadInput, Exit};

use crate::judge::{Pair, TO_VERIFY};
use crate::stockfish::Stockfish;

/// More than any mate in four of the suites takes.
const MATE_NODES: u64 = 1_000_000_000;

/// Proves every record of every file: mates by search, the others by Stockfish at `nodes`.
pub(crate) fn verify(files: &[PathBuf], nodes: &[u64], stockfish: &mut Stockfish) -> Result<Exit> {
    let (mut proved, mut failed) = (0, 0);
    for path in files {
        let suite = read(path)?;
        let before = (proved, failed);
        for entry in &suite.entries {
            match fault(&entry.record, nodes, stockfish)? {
                None => proved += 1,
                Some(fault) => {
                    failed += 1;
                    println!("{}:{}: {fault}", suite.name, entry.line);
                }
            }
        }
        let (proved, failed) = (proved - before.0, failed - before.1);
        println!("{}: {proved} proved, {failed} failed", suite.name);
    }
    println!("by exhaustive search and {}", stockfish.name());
    Ok(match (proved, failed) {
        (0, 0) => Exit::Nothing,
        (_, 0) => Exit::Agreed,
        _ => Exit::Differs,
    })
}

fn read(path: &Path) -> Result<Suite> {
    let name = path.display().to_string();
    let bytes = kit::read::file(path, kit::read::DATA)
        .map_err(|error| BadInput(format!("{name}: {error}")))?;
    let suite = Suite::parse(&name, &bytes);
    let operands = suite
        .entries
        .iter()
        .flat_map(epd::SuiteEntry::check_operands);
    match suite.diagnostics.iter().cloned().chain(operands).next() {
        Some(diagnostic) => Err(BadInput(diagnostic.display(&name).to_string()).into()),
        None => Ok(suite),
    }
}

/// What is wrong with a record, if anything is.
fn fault(record: &Record, nodes: &[u64], stockfish: &mut Stockfish) -> Result<Option<String>> {
    let value = |opcode| {
        let operation = record.operation(opcode)?;
        operation.value(record.position()).ok()
    };
    let Some(OpcodeValue::Moves(best)) = value("bm") else {
        return Ok(Some("no bm".to_owned()));
    };
    let [first] = best[..] else {
        return Ok(Some("more than one bm".to_owned()));
    };
    match value("dm") {
        Some(OpcodeValue::Unsigned(moves)) => Ok(mate_fault(record, first, moves)),
        _ => tactic_fault(record, first, nodes, stockfish),
    }
}

fn mate_fault(record: &Record, first: Move, moves: u64) -> Option<String> {
    let Ok(moves) = u8::try_from(moves) else {
        return Some(format!("dm {moves} is too deep to be proved"));
    };
    let position = record.position();
    let mates = match MateSearch::new(MATE_NODES).first_moves(position, moves) {
        Ok(mates) => mates,
        Err(error) => return Some(error.to_string()),
    };
    let is_right = matches!(mates[..], [only] if only.first == first && only.moves == moves);
    let found: Vec<String> = mates
        .iter()
        .map(|mate| format!("{} in {}", san::write(mate.first, position), mate.moves))
        .collect();
    (!is_right).then(|| format!("these mate: [{}]", found.join(", ")))
}

fn tactic_fault(
    record: &Record,
    first: Move,
    nodes: &[u64],
    stockfish: &mut Stockfish,
) -> Result<Option<String>> {
    let position = record.position();
    for &nodes in nodes {
        let Some(pair) = Pair::ask(stockfish, position, nodes)? else {
            return Ok(Some("there are no two moves".to_owned()));
        };
        if !pair.alone_wins(first, TO_VERIFY) {
            let lines = [pair.best, pair.next];
            let [best, next] =
                lines.map(|line| format!("{} {}", san::write(line.first, position), line.score_cp));
            return Ok(Some(format!("at {nodes} nodes: {best}, then {next}")));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_mates_are_found() {
        let white = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm";
        for (text, moves, expected) in [
            (format!("{white} Rd8#;"), 1, ""),
            (format!("{white} Rd7;"), 1, "these mate: [Rd8# in 1]"),
            (format!("{white} Rd8#;"), 2, "these mate: [Rd8# in 1"),
            (
                "6k1/5ppp/8/8/8/8/8/K3R3 b - - bm h6;".to_owned(),
                1,
                "these mate: []",
            ),
            (format!("{white} Rd8#;"), 256, "dm 256 is too deep"),
        ] {
            let record: Record = text.parse().expect("a record");
            let best = record.operation("bm").expect("it has a bm");
            let Ok(OpcodeValue::Moves(best)) = best.value(record.position()) else {
                panic!("{text}");
            };
            let found = mate_fault(&record, best[0], moves).unwrap_or_default();
            let is_right = found.starts_with(expected) && found.is_empty() == expected.is_empty();
            assert!(is_right, "{text} {moves}: {found:?}");
        }
    }
}

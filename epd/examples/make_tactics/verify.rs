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
use crate::themes::themes;

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
    let tags = themes(record.position(), first);
    if !record.tags().eq(tags.iter().copied()) {
        return Ok(Some(format!("its tags should be {}", tags.join(" "))));
    }
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

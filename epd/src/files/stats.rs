//! Statistics of files of records.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use chess::rules::{CastlingMode, Color};
use clap::ValueEnum as _;
use serde::Serialize;

use super::classify::{Phase, phase, position_key};
use super::document::Item;
use crate::text::Operation;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Stats {
    pub(crate) records: usize,
    /// Number of distinct positions.
    positions: usize,
    /// Records whose position occurred before.
    duplicates: usize,
    white_to_move: usize,
    black_to_move: usize,
    /// The side to move is in check.
    checks: usize,
    /// The side to move has no legal move.
    finished: usize,
    /// Castling rights that are possible only in Chess960.
    chess960: usize,
    en_passant: usize,
    /// At least one side has castling rights.
    castling_rights: usize,
    phases: BTreeMap<Phase, usize>,
    /// Records by number of pieces, kings and pawns included.
    pieces: BTreeMap<u32, usize>,
    opcodes: BTreeMap<String, usize>,
    tags: BTreeMap<String, usize>,
    without_id: usize,
    /// Records whose id occurred before.
    repeated_ids: usize,
}

pub(crate) fn stats<'a>(items: impl Iterator<Item = &'a Item>) -> Stats {
    let mut stats = Stats::default();
    let mut keys: HashMap<String, usize> = HashMap::new();
    let mut ids: HashMap<&str, usize> = HashMap::new();
    for phase in Phase::value_variants() {
        stats.phases.insert(*phase, 0);
    }
    for Item { record, .. } in items {
        stats.records += 1;
        *keys.entry(position_key(record.position())).or_default() += 1;
        match record.id() {
            Some(id) => *ids.entry(id).or_default() += 1,
            None => stats.without_id += 1,
        }
        let position = record.position();
        match position.side_to_move() {
            Color::White => stats.white_to_move += 1,
            Color::Black => stats.black_to_move += 1,
        }
        stats.checks += usize::from(position.is_check());
        stats.finished += usize::from(position.legal_moves().is_empty());
        stats.chess960 += usize::from(position.castling_mode() == CastlingMode::Chess960);
        stats.en_passant += usize::from(position.legal_ep_square().is_some());
        stats.castling_rights += usize::from(!position.castling_rooks().is_empty());
        *stats.phases.entry(phase(position)).or_default() += 1;
        let pieces = position.occupied().count();
        *stats.pieces.entry(pieces).or_default() += 1;
        let opcodes = record.operations().iter().map(Operation::opcode);
        for opcode in opcodes.collect::<BTreeSet<_>>() {
            *stats.opcodes.entry(opcode.to_owned()).or_default() += 1;
        }
        for tag in record.tags().collect::<BTreeSet<_>>() {
            *stats.tags.entry(tag.to_owned()).or_default() += 1;
        }
    }
    stats.positions = keys.len();
    stats.duplicates = stats.records - stats.positions;
    stats.repeated_ids = stats.records - stats.without_id - ids.len();
    stats
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![
            ("records", self.records),
            ("distinct positions", self.positions),
            ("duplicates", self.duplicates),
            ("without id", self.without_id),
            ("repeated ids", self.repeated_ids),
            ("White to move", self.white_to_move),
            ("Black to move", self.black_to_move),
            ("in check", self.checks),
            ("no legal move", self.finished),
            ("castling rights", self.castling_rights),
            ("en passant possible", self.en_passant),
            ("Chess960", self.chess960),
        ];
        let phases = self.phases.iter();
        rows.extend(phases.map(|(phase, &count)| match phase {
            Phase::Opening => ("openings", count),
            Phase::Middlegame => ("middlegames", count),
            Phase::Endgame => ("endgames", count),
        }));
        for (name, count) in rows {
            writeln!(f, "{name:<20} {count:>9}")?;
        }
        table(f, "pieces", &self.pieces)?;
        table(f, "opcodes", &self.opcodes)?;
        table(f, "tags", &self.tags)
    }
}

fn table<K: ToString>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    rows: &BTreeMap<K, usize>,
) -> fmt::Result {
    if !rows.is_empty() {
        write!(f, "\n{title}\n")?;
    }
    for (name, count) in rows {
        writeln!(f, "  {:<18} {count:>9}", name.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::document::Document;

    #[test]
    fn counts() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"a\"; tag x y; bm e4;\n\
                    4k2R/8/8/8/8/8/8/4K3 b - - id \"a\"; tag x;\n\
                    4k2R/8/8/8/8/8/8/4K3 b - - 4 9 id \"b\";\n\
                    1r2k3/8/8/8/8/8/8/1R2K3 w B -\n\
                    4k3/8/8/3pP3/8/8/8/4K3 w - d6\n\
                    k7/2Q5/8/8/8/8/8/4K3 b - - bm a;\n";
        let document = Document::parse(0, "x", text.as_bytes());
        assert_eq!(document.errors, []);
        let stats = stats(document.items.iter());
        let counts = |map: &BTreeMap<String, usize>| format!("{map:?}");
        let records = [stats.records, stats.positions, stats.duplicates];
        assert_eq!(records, [6, 5, 1]);
        assert_eq!((stats.without_id, stats.repeated_ids), (3, 1));
        assert_eq!((stats.white_to_move, stats.black_to_move), (3, 3));
        assert_eq!((stats.checks, stats.finished, stats.chess960), (2, 1, 1));
        assert_eq!((stats.en_passant, stats.castling_rights), (1, 2));
        assert_eq!(counts(&stats.opcodes), r#"{"bm": 2, "id": 3, "tag": 2}"#);
        assert_eq!(counts(&stats.tags), r#"{"x": 2, "y": 1}"#);
        assert_eq!(stats.phases[&Phase::Opening], 1);
        assert_eq!(stats.phases[&Phase::Endgame], 5);
        assert_eq!(stats.pieces[&3], 3);
    }
}

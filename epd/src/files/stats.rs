//! Statistics of files of records.

use std::collections::{BTreeMap, BTreeSet};
use std::{fmt, io};

use chess::rules::{CastlingMode, Color};
use clap::ValueEnum as _;
use serde::Serialize;

use super::classify::{PhaseClass, phase};
use super::ids::DistinctTexts;
use crate::stream::sorter::Sorter;
use crate::text::{Operation, PositionKey, Record, position_key};

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
    phases: BTreeMap<PhaseClass, usize>,
    /// Records by number of pieces, kings and pawns included.
    pieces: BTreeMap<u32, usize>,
    opcodes: BTreeMap<String, usize>,
    tags: BTreeMap<String, usize>,
    without_id: usize,
    /// Records whose id occurred before.
    repeated_ids: usize,
}

/// What the statistics need of one record.
#[expect(clippy::struct_excessive_bools, reason = "each is counted by itself")]
pub(crate) struct Facts {
    key: PositionKey,
    id: Option<String>,
    side: Color,
    is_check: bool,
    is_finished: bool,
    is_chess960: bool,
    has_en_passant: bool,
    may_castle: bool,
    phase: PhaseClass,
    pieces: u32,
    opcodes: BTreeSet<String>,
    tags: BTreeSet<String>,
}

impl Facts {
    pub(crate) fn from_record(record: &Record) -> Self {
        let position = record.position();
        let opcodes = record.operations().iter().map(Operation::opcode);
        Self {
            key: position_key(position),
            id: record.id().map(str::to_owned),
            side: position.side_to_move(),
            is_check: position.is_check(),
            is_finished: position.legal_moves().is_empty(),
            is_chess960: position.castling_mode() == CastlingMode::Chess960,
            has_en_passant: position.legal_ep_square().is_some(),
            may_castle: !position.castling_rooks().is_empty(),
            phase: phase(position),
            pieces: position.occupied().count(),
            opcodes: opcodes.map(str::to_owned).collect(),
            tags: record.tags().map(str::to_owned).collect(),
        }
    }
}

/// Collects statistics of records.
pub(crate) struct StatsCollector {
    stats: Stats,
    keys: Sorter<{ size_of::<PositionKey>() }>,
    ids: DistinctTexts,
}

impl StatsCollector {
    pub(crate) fn new() -> Self {
        let phases = PhaseClass::value_variants().iter();
        Self {
            stats: Stats {
                phases: phases.map(|&phase| (phase, 0)).collect(),
                ..Stats::default()
            },
            keys: Sorter::new(),
            ids: DistinctTexts::new(),
        }
    }

    pub(crate) fn add(&mut self, facts: &Facts) -> io::Result<()> {
        let stats = &mut self.stats;
        stats.records += 1;
        match facts.side {
            Color::White => stats.white_to_move += 1,
            Color::Black => stats.black_to_move += 1,
        }
        stats.checks += usize::from(facts.is_check);
        stats.finished += usize::from(facts.is_finished);
        stats.chess960 += usize::from(facts.is_chess960);
        stats.en_passant += usize::from(facts.has_en_passant);
        stats.castling_rights += usize::from(facts.may_castle);
        *stats.phases.entry(facts.phase).or_default() += 1;
        *stats.pieces.entry(facts.pieces).or_default() += 1;
        for (counts, names) in [
            (&mut stats.opcodes, &facts.opcodes),
            (&mut stats.tags, &facts.tags),
        ] {
            for name in names {
                // `entry` would copy the name for every record.
                match counts.get_mut(name) {
                    Some(count) => *count += 1,
                    None => drop(counts.insert(name.clone(), 1)),
                }
            }
        }
        self.keys.push(facts.key)?;
        if let Some(id) = &facts.id {
            return self.ids.add(id);
        }
        stats.without_id += 1;
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<Stats> {
        let mut stats = self.stats;
        let mut last = None;
        for key in self.keys.sorted()? {
            let key = Some(key?);
            stats.positions += usize::from(key != last);
            last = key;
        }
        stats.duplicates = stats.records - stats.positions;
        stats.repeated_ids = stats.records - stats.without_id - self.ids.count()?;
        Ok(stats)
    }
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
            PhaseClass::Opening => ("openings", count),
            PhaseClass::Middlegame => ("middlegames", count),
            PhaseClass::Endgame => ("endgames", count),
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
        let mut collector = StatsCollector::new();
        for item in &document.items {
            collector.add(&Facts::from_record(&item.record)).unwrap();
        }
        let stats = collector.finish().unwrap();
        let counts = |map: &BTreeMap<String, usize>| format!("{map:?}");
        let records = [stats.records, stats.positions, stats.duplicates];
        assert_eq!(records, [6, 5, 1]);
        assert_eq!((stats.without_id, stats.repeated_ids), (3, 1));
        assert_eq!((stats.white_to_move, stats.black_to_move), (3, 3));
        assert_eq!((stats.checks, stats.finished, stats.chess960), (2, 1, 1));
        assert_eq!((stats.en_passant, stats.castling_rights), (1, 2));
        assert_eq!(counts(&stats.opcodes), r#"{"bm": 2, "id": 3, "tag": 2}"#);
        assert_eq!(counts(&stats.tags), r#"{"x": 2, "y": 1}"#);
        assert_eq!(stats.phases[&PhaseClass::Opening], 1);
        assert_eq!(stats.phases[&PhaseClass::Endgame], 5);
        assert_eq!(stats.pieces[&3], 3);
    }
}

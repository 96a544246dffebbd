//! The counts of the suites that a run makes.
//!
//! A plan is made for millions of records: each takes a few dozen bytes, besides its id and its tags,
//! and is handed out as a view, [`PlannedRecord`] or [`SuiteCount`].

use std::num::NonZeroU32;

use chess::notation::uci_move;
use chess::perft::PackedPosition;
use chess::rules::{Color, Position, PositionError, Setup, Square};
#[cfg(test)]
use epd::Suite;
use epd::{Diagnostic, Record, Severity, SuiteEntry};

use crate::count::subject::Route;

/// Selects records and counts; the default selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CountFilter {
    pub(crate) depth: Option<u32>,
    /// Skip counts of more leaf nodes.
    pub(crate) max_nodes: Option<u64>,
    /// Only records that carry one of these tags; all when empty.
    pub(crate) tags: Vec<String>,
}

impl CountFilter {
    /// Whether a record carries one of the selected tags.
    pub(crate) fn selects(&self, record: &Record) -> bool {
        let is_wanted = |tag: &str| self.tags.iter().any(|wanted| wanted == tag);
        self.tags.is_empty() || record.tags().any(is_wanted)
    }
}

/// A record with selected counts, as a plan keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StoredRecord {
    position: PackedPosition,
    // Packed positions have neither clocks nor side to move, nor en passant squares of no use.
    halfmove_clock: u32,
    fullmove_number: u32,
    line: u32,
    /// Where its texts begin in [`CheckPlan::texts`]; they end where those of the next begin.
    texts: usize,
    side_to_move: Color,
    ep_square: Option<Square>,
}

/// A count as a plan keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StoredCount {
    expected: u64,
    depth: u32,
    /// Index of the record.
    record: u32,
}

// A plan may have many millions of both.
const _: () = assert!(size_of::<StoredRecord>() <= 48 && size_of::<StoredCount>() <= 16);

/// The first character of a line of [`CheckPlan::texts`].
mod mark {
    pub(super) const ID: char = 'i';
    pub(super) const SOURCE: char = 's';
    pub(super) const TAG: char = 't';
    /// Moves in UCI notation, separated by blanks.
    pub(super) const MOVES: char = 'm';
}

/// One suite of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SuitePlan {
    /// The file's path, or the name of a built-in suite.
    pub(crate) name: String,
    /// Diagnostics from parsing; errors mean that records are missing.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Number of records selected by the filter.
    pub(crate) positions: usize,
    /// Number of records that could be read, selected or not.
    pub(crate) records: usize,
    /// Index of its first record in the plan.
    first: usize,
}

/// All counts to be made, suite by suite, line by line, depth by depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckPlan {
    /// The suites, in the order of the command line.
    pub(crate) suites: Vec<SuitePlan>,
    records: Vec<StoredRecord>,
    counts: Vec<StoredCount>,
    /// The ids, sources, tags and moves of all records, each on a line that begins with a [`mark`]: no record has
    /// control characters.
    texts: String,
}

/// A record of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedRecord<'a> {
    plan: &'a CheckPlan,
    index: usize,
}

/// One count to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuiteCount<'a> {
    pub(crate) record: PlannedRecord<'a>,
    /// Depth in plies.
    pub(crate) depth: u32,
    /// The count given by the suite.
    pub(crate) expected: u64,
}

/// Plans the counts of these suites that pass the filter.
#[cfg(test)]
pub(crate) fn plan(suites: Vec<Suite>, filter: &CountFilter) -> CheckPlan {
    let mut plan = CheckPlan::default();
    for suite in suites {
        plan.begin_suite(&suite.name);
        for entry in &suite.entries {
            plan.add(entry, filter);
        }
        plan.end_suite(suite.diagnostics);
    }
    plan
}

impl CheckPlan {
    /// Begins another suite; what is added next belongs to it.
    pub(crate) fn begin_suite(&mut self, name: &str) {
        self.suites.push(SuitePlan {
            name: name.to_owned(),
            diagnostics: Vec::new(),
            positions: 0,
            records: 0,
            first: self.records.len(),
        });
    }

    /// The suite that was begun last has been read.
    pub(crate) fn end_suite(&mut self, diagnostics: Vec<Diagnostic>) {
        self.current_suite().diagnostics = diagnostics;
    }

    fn current_suite(&mut self) -> &mut SuitePlan {
        self.suites.last_mut().expect("a suite was begun")
    }

    /// Adds the counts of a record that pass the filter.
    pub(crate) fn add(&mut self, entry: &SuiteEntry, filter: &CountFilter) {
        let record = &entry.record;
        self.current_suite().records += 1;
        if !filter.selects(record) {
            return;
        }
        let mut counts = record.perft_counts();
        counts.retain(|&(depth, nodes)| {
            filter.depth.is_none_or(|most| depth <= most)
                && filter.max_nodes.is_none_or(|most| nodes <= most)
        });
        // A record of which nothing is counted would only take memory.
        if !counts.is_empty() {
            let id = record.id().map(|id| (mark::ID, id));
            let source = record.source().map(|source| (mark::SOURCE, source));
            let tags = record.tags().map(|tag| (mark::TAG, tag));
            let texts = id.into_iter().chain(source).chain(tags);
            self.store(entry.line, record.position(), texts);
            self.store_counts(counts);
        }
    }

    /// Adds a position that is reached by moves, with known counts.
    pub(crate) fn add_route(&mut self, line: usize, route: &Route, counts: &[(NonZeroU32, u64)]) {
        self.current_suite().records += 1;
        let moves = uci::perft::uci_moves(route).join(" ");
        let moves = (!moves.is_empty()).then_some((mark::MOVES, &*moves));
        self.store(line, route.root(), moves.into_iter());
        self.store_counts(counts.iter().map(|&(depth, nodes)| (depth.get(), nodes)));
    }

    fn store<'t>(
        &mut self,
        line: usize,
        position: &Position,
        texts: impl Iterator<Item = (char, &'t str)>,
    ) {
        self.current_suite().positions += 1;
        self.records.push(StoredRecord {
            position: PackedPosition::new(position),
            halfmove_clock: position.halfmove_clock(),
            fullmove_number: position.fullmove_number(),
            line: u32::try_from(line).expect("memory ends before four billion lines"),
            texts: self.texts.len(),
            side_to_move: position.side_to_move(),
            ep_square: position.ep_square(),
        });
        for (mark, text) in texts {
            self.texts.push(mark);
            self.texts.push_str(text);
            self.texts.push('\n');
        }
    }

    fn store_counts(&mut self, counts: impl IntoIterator<Item = (u32, u64)>) {
        let record = u32::try_from(self.records.len() - 1);
        let record = record.expect("memory ends before four billion records");
        let counts = counts.into_iter().map(|(depth, expected)| StoredCount {
            expected,
            depth,
            record,
        });
        self.counts.extend(counts);
    }

    /// Number of counts.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is nothing to count.
    pub(crate) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The counts, in the order of the suites.
    pub(crate) fn counts(&self) -> impl ExactSizeIterator<Item = SuiteCount<'_>> + Clone {
        (0..self.counts.len()).map(|index| self.count(index))
    }

    /// The count of this index.
    pub(crate) fn count(&self, index: usize) -> SuiteCount<'_> {
        let StoredCount {
            expected,
            depth,
            record,
        } = self.counts[index];
        SuiteCount {
            record: PlannedRecord {
                plan: self,
                index: record as usize,
            },
            depth,
            expected,
        }
    }

    /// Number of records that could be read.
    pub(crate) fn records(&self) -> usize {
        self.suites.iter().map(|suite| suite.records).sum()
    }

    /// Why there may be no counts, as an error message that names the options of a command.
    pub(crate) fn why_nothing(&self, options: &str) -> String {
        let records = self.records();
        format!("error: no count of the {records} records passes {options}")
    }

    /// The leaf nodes of all counts, according to the suites.
    pub(crate) fn nodes(&self) -> u64 {
        let nodes = self.counts.iter().map(|count| count.expected);
        // A few counts near 2^64 would overflow the sum.
        nodes.fold(0, u64::saturating_add)
    }

    /// Indices of the counts, largest first, so that no thread is left with a long count at the end.
    pub(crate) fn largest_first(&self) -> Vec<u32> {
        let end = u32::try_from(self.counts.len());
        let mut order: Vec<u32> =
            (0..end.expect("memory ends before four billion counts")).collect();
        // The index makes the order the same each time: the sort is not stable.
        let nodes = |index: u32| self.counts[index as usize].expected;
        order.sort_unstable_by_key(|&index| (std::cmp::Reverse(nodes(index)), index));
        order
    }

    /// Whether some line of some suite could not be read.
    pub(crate) fn has_broken_lines(&self) -> bool {
        let mut diagnostics = self.suites.iter().flat_map(|suite| &suite.diagnostics);
        diagnostics.any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

impl PartialEq for PlannedRecord<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<'a> PlannedRecord<'a> {
    fn stored(self) -> &'a StoredRecord {
        &self.plan.records[self.index]
    }

    /// Index of its suite.
    pub(crate) fn suite(self) -> usize {
        let suites = &self.plan.suites;
        // A suite without records begins where the next one does; the last of them has the record.
        suites.partition_point(|suite| suite.first <= self.index) - 1
    }

    /// The line in the suite, from 1.
    pub(crate) fn line(self) -> usize {
        self.stored().line as usize
    }

    /// The id of the record.
    pub(crate) fn id(self) -> Option<&'a str> {
        self.texts(mark::ID).next()
    }

    /// Where the record says that it comes from.
    pub(crate) fn source(self) -> Option<&'a str> {
        self.texts(mark::SOURCE).next()
    }

    /// The rules that the record covers.
    pub(crate) fn tags(self) -> impl Iterator<Item = &'a str> {
        self.texts(mark::TAG)
    }

    fn texts(self, mark: char) -> impl Iterator<Item = &'a str> {
        let next = self.plan.records.get(self.index + 1);
        let end = next.map_or(self.plan.texts.len(), |next| next.texts);
        let texts = self.plan.texts[self.stored().texts..end].split_terminator('\n');
        texts.filter_map(move |text| text.strip_prefix(mark))
    }

    /// The position of the record.
    pub(crate) fn position(self) -> Position {
        let stored = self.stored();
        let setup = Setup {
            ep_square: stored.ep_square,
            halfmove_clock: stored.halfmove_clock,
            fullmove_number: stored.fullmove_number,
            ..stored.position.to_setup(stored.side_to_move)
        };
        Position::from_setup(setup)
            // Such checks were tolerated when the suite was read.
            .or_else(PositionError::ignore_impossible_check)
            .expect("only positions are stored")
    }

    /// The position, and the moves after it.
    pub(crate) fn route(self) -> Route {
        let mut route = Route::by_fen(self.position());
        let mode = route.root().castling_mode();
        for word in self.texts(mark::MOVES).flat_map(|moves| moves.split(' ')) {
            let m = uci_move::parse(word, route.position(), mode);
            route = route.then(m.expect("legal moves were stored"));
        }
        route
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    /// A plan gives back what it was given: positions with their clocks, whatever their en passant
    /// square, ids, tags and moves.
    #[test]
    fn what_is_planned_comes_back() {
        let rows = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 4294967295 id \"t\"; tag i t; D2 400; D1 20;",
            // No pawn can capture.
            "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 D1 5;",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1 tag ep; id \"\"; D1 7;",
            "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 99 60 D1 1;",
        ];
        let suite = Suite::parse("s", rows.join("\n").as_bytes());
        assert!(!suite.has_errors(), "{:?}", suite.diagnostics);
        let entries = suite.entries.clone();
        let plan = plan(
            vec![Suite::parse("none", b""), suite],
            &CountFilter::default(),
        );
        let counts: Vec<_> = plan.counts().map(|one| (one.depth, one.expected)).collect();
        assert_eq!(counts, [(2, 400), (1, 20), (1, 5), (1, 7), (1, 1)]);
        for (count, entry) in plan.counts().skip(1).zip(&entries) {
            let PlannedRecord { index, .. } = count.record;
            assert_eq!(count.record.suite(), 1, "{index}");
            assert_eq!(count.record.line(), entry.line);
            assert_eq!(&count.record.position(), entry.record.position());
            assert_eq!(count.record.id(), entry.record.id());
            assert!(count.record.tags().eq(entry.record.tags()));
        }
    }

    #[test]
    fn a_route_comes_back() {
        for root in [
            "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 3 9",
            "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
        ] {
            let root = fen::parse(root).expect("legal");
            let mut route = Route::by_fen(root);
            let mut plan = CheckPlan::default();
            plan.begin_suite("by-moves");
            let one = NonZeroU32::MIN;
            for line in 1..4 {
                plan.add_route(line, &route, &[(one, 20)]);
                assert_eq!(plan.count(line - 1).record.route(), route);
                // Castling comes first: the king takes its own rook.
                let position = route.position();
                let rooks = position.castling_rooks() & position.by_color(position.side_to_move());
                let moves = position.legal_moves().into_iter();
                let m = moves.max_by_key(|m| rooks.contains(m.to()));
                route = route.then(m.expect("the game goes on"));
            }
        }
    }
}

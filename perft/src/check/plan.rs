//! Which counts of which suites are to be made.

use chess::rules::Position;
use epd::{Diagnostic, Record, Severity, Suite};

/// Which records and counts are wanted; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// No count deeper than this.
    pub depth: Option<u32>,
    /// No count of more leaf nodes than this.
    pub max_nodes: Option<u64>,
    /// Only records that carry one of these tags; all when empty.
    pub tags: Vec<String>,
}

impl Filter {
    /// Whether a record carries a tag that is wanted.
    pub fn selects(&self, record: &Record) -> bool {
        let is_wanted = |tag: &str| self.tags.iter().any(|wanted| wanted == tag);
        self.tags.is_empty() || record.tags().any(is_wanted)
    }
}

/// One count to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Which suite of the plan.
    pub suite: usize,
    /// The line in the suite, from 1.
    pub line: usize,
    /// The record's id, where it has one.
    pub id: Option<String>,
    /// The record's tags: which rules it guards.
    pub tags: Vec<String>,
    /// The position.
    pub position: Position,
    /// Plies.
    pub depth: u32,
    /// The count that the suite gives.
    pub expected: u64,
}

/// One suite of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitePlan {
    /// The file's path, or the name of a built-in suite.
    pub name: String,
    /// What its text has that it should not; errors mean that records are missing.
    pub diagnostics: Vec<Diagnostic>,
    /// How many of its records take part.
    pub positions: usize,
    /// How many records could be read, taking part or not.
    pub records: usize,
}

/// All counts to be made, suite by suite, line by line, depth by depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The suites.
    pub suites: Vec<SuitePlan>,
    /// The counts.
    pub units: Vec<Unit>,
}

/// Plans the counts of these suites that the filter lets pass.
pub fn plan(suites: Vec<Suite>, filter: &Filter) -> Plan {
    let mut plan = Plan::default();
    for (index, suite) in suites.into_iter().enumerate() {
        let mut positions = 0;
        for entry in &suite.entries {
            let record = &entry.record;
            if !filter.selects(record) {
                continue;
            }
            let counts = record.perft_counts().into_iter().filter(|&(depth, nodes)| {
                filter.depth.is_none_or(|most| depth <= most)
                    && filter.max_nodes.is_none_or(|most| nodes <= most)
            });
            let length = plan.units.len();
            plan.units.extend(counts.map(|(depth, expected)| Unit {
                suite: index,
                line: entry.line,
                id: record.id().map(str::to_owned),
                tags: record.tags().map(str::to_owned).collect(),
                position: *record.position(),
                depth,
                expected,
            }));
            positions += usize::from(plan.units.len() > length);
        }
        plan.suites.push(SuitePlan {
            name: suite.name,
            diagnostics: suite.diagnostics,
            positions,
            records: suite.entries.len(),
        });
    }
    plan
}

impl Plan {
    /// The leaf nodes of all counts, as the suites give them.
    pub fn nodes(&self) -> u64 {
        self.units
            .iter()
            .fold(0, |sum: u64, unit| sum.saturating_add(unit.expected))
    }

    /// The units, those with the most nodes first, so that no thread is left with a long one at
    /// the end.
    pub fn largest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        order.sort_by_key(|&unit| std::cmp::Reverse(self.units[unit].expected));
        order
    }

    /// Adds a suite without units, of positions that come from elsewhere.
    pub(crate) fn add_suite(&mut self, name: &str, positions: usize) -> usize {
        self.suites.push(SuitePlan {
            name: name.to_owned(),
            diagnostics: Vec::new(),
            positions,
            records: positions,
        });
        self.suites.len() - 1
    }

    /// Whether some line of some suite could not be read.
    pub fn has_broken_lines(&self) -> bool {
        let mut diagnostics = self.suites.iter().flat_map(|suite| &suite.diagnostics);
        diagnostics.any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

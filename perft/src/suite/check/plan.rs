//! The counts of the suites that a run makes.

use chess::rules::Position;
use epd::{Diagnostic, Record, Severity, Suite};

/// Selects records and counts; the default selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Skip deeper counts.
    pub depth: Option<u32>,
    /// Skip counts of more leaf nodes.
    pub max_nodes: Option<u64>,
    /// Only records that carry one of these tags; all when empty.
    pub tags: Vec<String>,
}

impl Filter {
    /// Whether a record carries one of the selected tags.
    pub fn selects(&self, record: &Record) -> bool {
        let is_wanted = |tag: &str| self.tags.iter().any(|wanted| wanted == tag);
        self.tags.is_empty() || record.tags().any(is_wanted)
    }
}

/// One count to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Index into [`Plan::suites`].
    pub suite: usize,
    /// The line in the suite, from 1.
    pub line: usize,
    /// The record's id, where it has one.
    pub id: Option<String>,
    /// The record's tags: the rules it covers.
    pub tags: Vec<String>,
    /// The position.
    pub position: Position,
    /// Depth in plies.
    pub depth: u32,
    /// The count given by the suite.
    pub expected: u64,
}

/// One suite of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitePlan {
    /// The file's path, or the name of a built-in suite.
    pub name: String,
    /// Diagnostics from parsing; errors mean that records are missing.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of records selected by the filter.
    pub positions: usize,
    /// Number of records that could be read, selected or not.
    pub records: usize,
}

/// All counts to be made, suite by suite, line by line, depth by depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The suites, in the order of the command line.
    pub suites: Vec<SuitePlan>,
    /// The counts, in the order of the suites.
    pub units: Vec<Unit>,
}

/// Plans the counts of these suites that pass the filter.
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
    /// The leaf nodes of all counts, according to the suites.
    pub fn nodes(&self) -> u64 {
        self.units
            .iter()
            .fold(0, |sum: u64, unit| sum.saturating_add(unit.expected))
    }

    /// Unit indices, largest first, so that no thread is left with a long count at the end.
    pub fn largest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        order.sort_by_key(|&unit| std::cmp::Reverse(self.units[unit].expected));
        order
    }

    /// Adds a suite without units, for positions that come from elsewhere.
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

//! The counts of the suites that a run makes.

use chess::rules::Position;
use epd::{Diagnostic, Record, Severity, Suite};

/// Selects records and counts; the default selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) depth: Option<u32>,
    /// Skip counts of more leaf nodes.
    pub(crate) max_nodes: Option<u64>,
    /// Only records that carry one of these tags; all when empty.
    pub(crate) tags: Vec<String>,
}

impl Filter {
    /// Whether a record carries one of the selected tags.
    pub(crate) fn selects(&self, record: &Record) -> bool {
        let is_wanted = |tag: &str| self.tags.iter().any(|wanted| wanted == tag);
        self.tags.is_empty() || record.tags().any(is_wanted)
    }
}

/// One count to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SuiteCount {
    /// Index into [`CheckPlan::suites`].
    pub(crate) suite: usize,
    /// The line in the suite, from 1.
    pub(crate) line: usize,
    pub(crate) id: Option<String>,
    /// The rules that the record covers.
    pub(crate) tags: Vec<String>,
    pub(crate) position: Position,
    /// Depth in plies.
    pub(crate) depth: u32,
    /// The count given by the suite.
    pub(crate) expected: u64,
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
}

/// All counts to be made, suite by suite, line by line, depth by depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckPlan {
    /// The suites, in the order of the command line.
    pub(crate) suites: Vec<SuitePlan>,
    /// The counts, in the order of the suites.
    pub(crate) counts: Vec<SuiteCount>,
}

/// Plans the counts of these suites that pass the filter.
pub(crate) fn plan(suites: Vec<Suite>, filter: &Filter) -> CheckPlan {
    let mut plan = CheckPlan::default();
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
            let length = plan.counts.len();
            plan.counts
                .extend(counts.map(|(depth, expected)| SuiteCount {
                    suite: index,
                    line: entry.line,
                    id: record.id().map(str::to_owned),
                    tags: record.tags().map(str::to_owned).collect(),
                    position: *record.position(),
                    depth,
                    expected,
                }));
            positions += usize::from(plan.counts.len() > length);
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

impl CheckPlan {
    /// Number of records that could be read.
    pub(crate) fn records(&self) -> usize {
        self.suites.iter().map(|suite| suite.records).sum()
    }

    /// Why there may be no counts, as an error message.
    pub(crate) fn why_nothing(&self) -> String {
        let records = self.records();
        format!("error: no count of the {records} records passes --depth, --max-nodes and --tag")
    }

    /// The leaf nodes of all counts, according to the suites.
    pub(crate) fn nodes(&self) -> u64 {
        self.counts
            .iter()
            .fold(0, |sum: u64, count| sum.saturating_add(count.expected))
    }

    /// Unit indices, largest first, so that no thread is left with a long count at the end.
    pub(crate) fn largest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(self.counts[index].expected));
        order
    }

    /// Adds a suite without counts, for positions that come from elsewhere.
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
    pub(crate) fn has_broken_lines(&self) -> bool {
        let mut diagnostics = self.suites.iter().flat_map(|suite| &suite.diagnostics);
        diagnostics.any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

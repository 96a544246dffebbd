//! CSV: one row per problem.

use anyhow::Context;

use super::findings;
use crate::lint::Lint;

const HEAD: [&str; 8] = [
    "file", "line", "column", "severity", "kind", "message", "before", "after",
];

pub(super) fn write(lints: &[Lint]) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEAD)?;
    for (name, finding) in findings(lints) {
        let diagnostic = &finding.diagnostic;
        let fix = finding.fix.as_ref();
        let (before, after) = fix.map_or(("", ""), |fix| (&fix.before, &fix.after));
        table.write_record([
            name,
            &diagnostic.line.to_string(),
            &diagnostic.column.to_string(),
            &finding.severity().to_string(),
            diagnostic.problem.kind(),
            &diagnostic.problem.to_string(),
            before,
            after,
        ])?;
    }
    let bytes = table
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).context("the table is not UTF-8")
}

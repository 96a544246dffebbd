//! CSV: a row for each case, or the rows that a command has of its own.

use std::io::Write;

use super::{Case, CaseSuite};

/// A table for programs: the names of the columns, and the cells of each row.
pub struct Rows<'a> {
    head: Vec<String>,
    rows: Box<dyn Iterator<Item = Vec<String>> + 'a>,
}

impl<'a> Rows<'a> {
    /// A table; `head` has the names of the columns, separated by commas.
    pub fn new(head: &str, rows: impl IntoIterator<Item = Vec<String>, IntoIter: 'a>) -> Self {
        Self {
            head: head.split(',').map(str::to_owned).collect(),
            rows: Box::new(rows.into_iter()),
        }
    }

    /// Writes the table as CSV.
    ///
    /// # Errors
    ///
    /// As for the output.
    pub fn write(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut table = csv::Writer::from_writer(out);
        table.write_record(&self.head)?;
        for row in self.rows {
            table.write_record(&row)?;
        }
        Ok(table.flush()?)
    }
}

pub(super) fn of_cases(suites: Vec<CaseSuite<'_>>) -> Rows<'_> {
    let rows = suites.into_iter().flat_map(|suite| {
        let name = suite.name;
        suite.cases.map(move |case| row(&name, case))
    });
    Rows::new("suite,name,status,rule,text,file,line,seconds", rows)
}

fn row(suite: &str, case: Case<'_>) -> Vec<String> {
    let place = case.place.as_ref();
    vec![
        suite.to_owned(),
        case.name.into_owned(),
        case.status.as_str().to_owned(),
        case.rule.into_owned(),
        case.text.into_owned(),
        place.map_or_else(String::new, |place| place.file.clone().into_owned()),
        place.map_or_else(String::new, |place| place.line.to_string()),
        case.time
            .map_or_else(String::new, |time| format!("{:.6}", time.as_secs_f64())),
    ]
}

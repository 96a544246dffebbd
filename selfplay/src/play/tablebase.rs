//! Syzygy tablebases for the referee.

use std::path::PathBuf;

use chess::rules::Position;
use tablebase::{Tablebase, TablebaseError, TablebaseWdl};

use super::referee::Endgames;
use crate::model::TablebaseRule;

/// Open tablebases, which all games share.
#[derive(Debug)]
pub struct Syzygy {
    tables: Tablebase,
}

impl Syzygy {
    /// Opens the tables of a rule.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read or contains no tables.
    pub fn open(rule: &TablebaseRule) -> Result<Self, TablebaseError> {
        let tables = Tablebase::in_folders(rule.paths.iter().map(PathBuf::as_path))?;
        Ok(Self { tables })
    }

    /// The errors of tables that turned out to be damaged and were treated as missing.
    pub fn errors(&self) -> impl Iterator<Item = &TablebaseError> {
        self.tables.errors()
    }
}

impl Endgames for Syzygy {
    fn pieces(&self) -> u32 {
        self.tables.max_pieces()
    }

    fn probe(&self, position: &Position) -> Option<TablebaseWdl> {
        // WDL tables assume a clock of 0; the referee knows what a result is worth at another.
        self.tables.probe_wdl_at_zero(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TablebaseResults;

    #[test]
    fn the_folders_of_a_rule_are_looked_into() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing");
        let rows = rows![
            vec![] => "no folder of endgame tables was named".to_owned();
            vec![folder.path().to_owned(), missing.clone()] =>
                format!("no endgame table (*.rtbw, *.rtbz) in {}", folder.path().display());
            vec![missing.clone()] =>
                format!("cannot read the folder of endgame tables {}: No such file or directory (os error 2)", missing.display());
        ];
        for (paths, expected) in rows {
            let rule = TablebaseRule {
                paths,
                pieces: None,
                fifty_moves: true,
                results: TablebaseResults::Both,
            };
            let error = Syzygy::open(&rule).expect_err("no tables");
            let said = testkit::programs::portable(error.to_string());
            assert_eq!(said, testkit::programs::portable(expected));
        }
    }
}

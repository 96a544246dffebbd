//! Syzygy endgame tables, probed by a library.

use std::path::{Path, PathBuf};

use engine::rules::attacks;
use engine::rules::{Bitboard, Color, PieceType, Position, Square};
use pyrrhic_rs::{EngineAdapter, TBError, TableBases, WdlProbeResult};

use crate::model::TablebaseRule;
use crate::referee::{Endgames, TableValue};

/// Tables that are open. There can be one only in a process, which all games share.
pub struct Syzygy {
    tables: TableBases<Attacks>,
}

/// Tables that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenSyzygyError {
    /// A folder cannot be looked into.
    #[error("cannot read the folder of endgame tables {}: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// There is nothing in a folder.
    #[error("no endgame table (*.rtbw) in {}", .path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// The library takes folders as one text, parted by colons.
    #[error("the folder of endgame tables {} must be text without ':'", .path.display())]
    Name {
        /// The folder.
        path: PathBuf,
    },
    /// No folder was named.
    #[error("no folder of endgame tables was named")]
    Nowhere,
    /// The library refuses them.
    #[error("cannot open the endgame tables in {paths}: {reason}")]
    Refused {
        /// The folders.
        paths: String,
        /// Why.
        reason: &'static str,
    },
}

impl Syzygy {
    /// Opens the tables of a rule.
    ///
    /// # Errors
    ///
    /// When a folder cannot be read or has no tables, or tables are open already.
    pub fn open(rule: &TablebaseRule) -> Result<Self, OpenSyzygyError> {
        let paths = rule.paths.iter().map(|path| check(path));
        let paths = paths.collect::<Result<Vec<&str>, _>>()?.join(":");
        if paths.is_empty() {
            return Err(OpenSyzygyError::Nowhere);
        }
        let tables = TableBases::new(&paths).map_err(|error| OpenSyzygyError::Refused {
            paths,
            reason: match error {
                TBError::AlreadyInitialized | TBError::NotSingleton => "tables are open already",
                TBError::BadPath => "no table was found",
                TBError::InitFailed | TBError::ProbeFailed => "they cannot be read",
            },
        })?;
        Ok(Self { tables })
    }
}

/// Whether there is a table in a folder; the library would pass over one that is missing.
fn check(path: &Path) -> Result<&str, OpenSyzygyError> {
    let failed = |source| OpenSyzygyError::Folder {
        path: path.to_owned(),
        source,
    };
    let mut found = false;
    for entry in path.read_dir().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        found |= Path::new(&name)
            .extension()
            .is_some_and(|end| end == "rtbw");
    }
    if !found {
        return Err(OpenSyzygyError::Empty {
            path: path.to_owned(),
        });
    }
    let text = path.to_str().filter(|text| !text.contains(':'));
    text.ok_or_else(|| OpenSyzygyError::Name {
        path: path.to_owned(),
    })
}

impl Endgames for Syzygy {
    fn pieces(&self) -> u32 {
        self.tables.max_pieces()
    }

    fn probe(&self, position: &Position) -> Option<TableValue> {
        let kind = |piece_type| position.by_type(piece_type).0;
        // The library takes square 0 for none; no pawn can be taken there.
        let ep_square = position.legal_ep_square().map_or(0, |square| square as u32);
        let value = self.tables.probe_wdl(
            position.by_color(Color::White).0,
            position.by_color(Color::Black).0,
            kind(PieceType::King),
            kind(PieceType::Queen),
            kind(PieceType::Rook),
            kind(PieceType::Bishop),
            kind(PieceType::Knight),
            kind(PieceType::Pawn),
            ep_square,
            position.side_to_move() == Color::White,
        );
        Some(match value.ok()? {
            WdlProbeResult::Loss => TableValue::Loss,
            WdlProbeResult::BlessedLoss => TableValue::BlessedLoss,
            WdlProbeResult::Draw => TableValue::Draw,
            WdlProbeResult::CursedWin => TableValue::CursedWin,
            WdlProbeResult::Win => TableValue::Win,
        })
    }
}

/// Our attacks, for the library.
#[derive(Clone)]
struct Attacks;

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        attacks::pawn(color, from_index(square)).0
    }

    fn knight_attacks(square: u64) -> u64 {
        attacks::knight(from_index(square)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        attacks::bishop(from_index(square), Bitboard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        attacks::rook(from_index(square), Bitboard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        Self::rook_attacks(square, occupied) | Self::bishop_attacks(square, occupied)
    }

    fn king_attacks(square: u64) -> u64 {
        attacks::king(from_index(square)).0
    }
}

/// The library counts squares as we do.
fn from_index(square: u64) -> Square {
    Square::ALL[(square & 63) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(paths: &[&Path]) -> String {
        let rule = TablebaseRule {
            paths: paths.iter().map(Into::into).collect(),
            pieces: None,
            fifty_moves: true,
        };
        match Syzygy::open(&rule) {
            Ok(_) => panic!("{paths:?} cannot be opened"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn folders_without_tables_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let (missing, empty) = (folder.path().join("missing"), folder.path().join("empty"));
        let odd = folder.path().join("a:b");
        for path in [&empty, &odd] {
            std::fs::create_dir(path).expect("a folder");
        }
        for file in [empty.join("KQvK.rtbz"), odd.join("KQvK.rtbw")] {
            std::fs::create_dir(file).expect("a name is all it takes");
        }
        let missing_text = missing.display();
        let rows = [
            (
                vec![missing.as_path()],
                format!(
                    "cannot read the folder of endgame tables {missing_text}: No such file or \
                     directory (os error 2)"
                ),
            ),
            (
                vec![empty.as_path()],
                format!("no endgame table (*.rtbw) in {}", empty.display()),
            ),
            (
                vec![odd.as_path()],
                format!(
                    "the folder of endgame tables {} must be text without ':'",
                    odd.display()
                ),
            ),
            (vec![], "no folder of endgame tables was named".to_owned()),
        ];
        for (paths, expected) in rows {
            assert_eq!(error(&paths), expected);
        }
    }
}

//! Probing the tables.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use chess::rules::{Bitboard, Color, Game, Move, PieceType, Position};

use crate::inventory::Inventory;
use crate::library::Library;
use crate::material::{MOST_PIECES, Material};
use crate::{RootRank, TableFiles, TablebaseError, Wdl, best_moves};

/// Open endgame tablebases, shared by any number of threads.
///
/// A table is mapped into memory at its first probe; its file must not change while the tables are
/// open. Only one value of this type can exist in a process at a time: dropping it closes the
/// tables, and others can be opened.
pub struct Tablebase {
    library: Library,
    inventory: Inventory,
    /// The library requires DTZ probes to be serialised.
    root: Mutex<()>,
}

impl Tablebase {
    /// Opens the tables in folders separated by `:`.
    ///
    /// # Errors
    ///
    /// As for [`TableFiles::find`], and when other tables are still open.
    pub fn open(path: &str) -> Result<Self, TablebaseError> {
        Self::from_files(TableFiles::find(path)?)
    }

    /// Opens tables that were found before. This way, open tables need to be closed only once it is
    /// certain that their replacements exist.
    ///
    /// # Errors
    ///
    /// When other tables are still open.
    pub fn from_files(files: TableFiles) -> Result<Self, TablebaseError> {
        Ok(Self {
            library: Library::open(&files.paths)?,
            inventory: files.inventory,
            root: Mutex::new(()),
        })
    }

    /// Maximum number of pieces of any table, kings included; from 3 to 7.
    #[inline(always)]
    pub fn max_pieces(&self) -> u32 {
        self.inventory.most_pieces
    }

    /// Number of usable WDL tables.
    pub fn tables(&self) -> usize {
        self.inventory.tables
    }

    /// The result of a position for the side to move. `None` with castling rights, if the tables do
    /// not cover it, and if it is won or lost with a halfmove clock of 0 but the clock is not 0,
    /// because then the fifty-move rule may apply first.
    #[inline(always)]
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        let value = self.probe_wdl_at_zero(position)?;
        (position.halfmove_clock() == 0 || !value.depends_on_clock()).then_some(value)
    }

    /// Like [`Tablebase::probe_wdl`], as if the halfmove clock were 0.
    #[inline(always)]
    pub fn probe_wdl_at_zero(&self, position: &Position) -> Option<Wdl> {
        let has_castling = !position.castling_rooks().is_empty();
        if has_castling || position.occupied().count() > self.max_pieces() {
            return None;
        }
        let is_known = self.inventory.wdl.contains(&Material::of(position));
        is_known.then(|| self.library.wdl(position)).flatten()
    }

    /// The rank of each legal move, in no particular order: by DTZ, or by WDL alone if there is no
    /// DTZ table or a double push could pass an enemy pawn. `None` if the tables do not cover the
    /// position or those after its moves.
    pub fn probe_root(&self, position: &Position) -> Option<Vec<(Move, RootRank)>> {
        let has_castling = !position.castling_rooks().is_empty();
        if has_castling || position.occupied().count() > MOST_PIECES {
            return None;
        }
        self.by_distance(position)
            .or_else(|| self.by_result(position))
    }

    fn by_distance(&self, position: &Position) -> Option<Vec<(Move, RootRank)>> {
        if !self.inventory.dtz.contains(&Material::of(position)) || can_pass(position) {
            return None;
        }
        let ranks = {
            let _one_at_a_time = self.root.lock().unwrap_or_else(PoisonError::into_inner);
            self.library.root(position)?
        };
        let clock = position.halfmove_clock();
        let legal = position.legal_moves().into_iter();
        let ranked = legal.map(|m| {
            let (_, wdl, dtz) = ranks.iter().find(|(other, ..)| *other == m)?;
            Some((m, RootRank::by_distance(*wdl, *dtz, clock)))
        });
        ranked.collect()
    }

    fn by_result(&self, position: &Position) -> Option<Vec<(Move, RootRank)>> {
        let legal = position.legal_moves().into_iter();
        let ranked = legal.map(|m| {
            let next = position.play_unchecked(m);
            let is_mate = next.is_check() && next.legal_move_count() == 0;
            let is_certain = is_mate || next.halfmove_clock() == 0;
            let wdl = -self.probe_wdl_at_zero(&next)?;
            Some((m, RootRank::by_result(wdl, is_certain)))
        });
        ranked.collect()
    }
}

/// Whether a double push could pass an enemy pawn. The library ignores en passant captures after
/// its own moves, so its DTZ values may be wrong there; WDL probes make no such moves.
fn can_pass(position: &Position) -> bool {
    let pawns = |color| position.pieces(color, PieceType::Pawn);
    let (white, black) = (pawns(Color::White), pawns(Color::Black));
    let beside = |squares: Bitboard| squares.east() | squares.west();
    let stepped_up = Bitboard((white.0 & 0xff00) << 16);
    let stepped_down = Bitboard((black.0 & 0xff << 48) >> 16);
    beside(stepped_up).intersects(black) || beside(stepped_down).intersects(white)
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("tables", &self.tables())
            .field("max_pieces", &self.max_pieces())
            .finish_non_exhaustive()
    }
}

/// Tables with the limits within which a search probes them.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The open tables.
    pub tables: Arc<Tablebase>,
    /// Minimum remaining depth in plies at which positions with exactly `max_pieces` pieces are
    /// probed; those with fewer are probed at any depth. At least 1.
    pub min_depth: u32,
    /// Maximum number of pieces, kings included, of a position to probe; 0 disables probing. Values
    /// above [`Tablebase::max_pieces`] have no further effect.
    pub max_pieces: u32,
    /// Whether the fifty-move rule applies.
    pub fifty_moves: bool,
}

impl Probing {
    /// Probes a position within a search, with `depth` plies remaining: loss, draw or win under the
    /// rules in force. `None` outside the limits or if the tables do not cover the position.
    #[inline(always)]
    pub fn value(&self, position: &Position, depth: u32) -> Option<Wdl> {
        let pieces = position.occupied().count();
        let most = self.most_pieces();
        if pieces > most || pieces == most && depth < self.min_depth {
            return None;
        }
        let value = if self.fifty_moves {
            self.tables.probe_wdl(position)
        } else {
            self.tables.probe_wdl_at_zero(position)
        };
        value.map(|value| value.under_rule(self.fifty_moves))
    }

    /// The legal moves of the current position that preserve its result, and that result; see
    /// [`best_moves`]. `None` outside the limits, if the tables do not cover the position, or if
    /// the game has ended.
    pub fn root_moves(&self, game: &Game) -> Option<(Vec<Move>, Wdl)> {
        let position = game.position();
        if position.occupied().count() > self.most_pieces() {
            return None;
        }
        let ranks = self.tables.probe_root(position)?;
        let moves = best_moves(&ranks, self.fifty_moves, has_repeated(game));
        let (_, rank) = ranks.iter().find(|(m, _)| moves.first() == Some(m))?;
        Some((moves, rank.wdl().under_rule(self.fifty_moves)))
    }

    #[inline(always)]
    fn most_pieces(&self) -> u32 {
        self.max_pieces.min(self.tables.max_pieces())
    }
}

/// Whether a position has occurred twice since the last capture or pawn move.
fn has_repeated(game: &Game) -> bool {
    let mut game = game.clone();
    loop {
        if game.repetitions() > 1 {
            return true;
        }
        if game.position().halfmove_clock() == 0 || game.undo().is_none() {
            return false;
        }
    }
}

//! Probing the tables: what they store, completed by a search of captures.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::{Path, PathBuf};

use chess::rules::attacks::Sliders;
use chess::rules::cpu::{self, CpuSliders, Multiversioned};
use chess::rules::{Move, PieceType, Position};

use crate::files::{self, TableFiles};
use crate::format::Distance;
#[cfg(test)]
use crate::format::TableLayout;
use crate::material::Material;
use crate::{RootRank, TablebaseError, TablebaseWdl};

/// Endgame tablebases, shared by any number of threads; there can be any number of them.
///
/// A table is mapped into memory at its first probe; its file must not change while the tables are
/// open. A table that turns out to be damaged is treated as missing, see [`Tablebase::errors`].
pub struct Tablebase {
    files: Vec<TableFiles>,
    /// Each material in both colourings: the number of its files, and whether its colours are
    /// exchanged in them.
    by_material: HashMap<Material, (usize, bool), BuildHasherDefault<MaterialHasher>>,
    tables: usize,
    max_pieces: u32,
}

impl Tablebase {
    /// Opens the tables in the folders of a text, separated as in `PATH`: by `:`, on Windows by `;`.
    ///
    /// # Errors
    ///
    /// When no folder is given, one cannot be read or contains no table, a file with the name of a
    /// table has not the length or the start of one, or there is no WDL table.
    pub fn open(paths: &str) -> Result<Self, TablebaseError> {
        let folders: Vec<_> = std::env::split_paths(paths).collect();
        let folders = folders.iter().filter(|path| !path.as_os_str().is_empty());
        Self::in_folders(folders.map(PathBuf::as_path))
    }

    /// Opens the tables in these folders.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::open`].
    pub fn in_folders<'a>(
        folders: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Self, TablebaseError> {
        let found = files::find(folders)?;
        let with_results = found.iter().filter(|(_, files)| files.wdl.is_some());
        let tables = with_results.clone().count();
        let pieces = with_results.map(|(material, _)| material.pieces());
        let max_pieces = pieces.max().unwrap_or(0);
        let mut by_material = HashMap::default();
        let mut files = Vec::new();
        for (material, of_material) in found {
            by_material.insert(material.exchanged(), (files.len(), true));
            // Where both sides have the same material, this replaces it.
            by_material.insert(material, (files.len(), false));
            files.push(of_material);
        }
        Ok(Self {
            files,
            by_material,
            tables,
            max_pieces,
        })
    }

    /// Maximum number of pieces of any WDL table, kings included; from 3 to 7.
    #[inline(always)]
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// Number of WDL tables.
    pub fn tables(&self) -> usize {
        self.tables
    }

    /// The errors of the tables that probes could not read, or found to be damaged, so far.
    pub fn errors(&self) -> impl Iterator<Item = &TablebaseError> {
        let tables = self.files.iter().flat_map(|files| [&files.wdl, &files.dtz]);
        tables.flatten().filter_map(|table| table.error())
    }

    /// The result of a position for the side to move. `None` with castling rights, if the tables do
    /// not cover it, and if it is won or lost with a halfmove clock of 0 but the clock is not 0,
    /// because then the fifty-move rule may apply first.
    #[inline(always)]
    pub fn probe_wdl(&self, position: &Position) -> Option<TablebaseWdl> {
        let value = self.probe_wdl_at_zero(position)?;
        (position.halfmove_clock() == 0 || !value.depends_on_clock()).then_some(value)
    }

    /// Like [`Tablebase::probe_wdl`], as if the halfmove clock were 0.
    #[inline(always)]
    pub fn probe_wdl_at_zero(&self, position: &Position) -> Option<TablebaseWdl> {
        struct Probe<'a>(&'a Tablebase, &'a Position);
        impl Multiversioned for Probe<'_> {
            type Output = Option<TablebaseWdl>;
            #[inline(always)]
            fn run<S: CpuSliders>(self, sliders: S) -> Option<TablebaseWdl> {
                self.0
                    .wdl(sliders, self.1, TablebaseWdl::Loss, TablebaseWdl::Win)
            }
        }
        let may_cover = self.may_cover(position);
        may_cover
            .then(|| cpu::with_sliders(Probe(self, position)))
            .flatten()
    }

    /// The rank of each legal move, in no particular order: by DTZ, or by WDL alone if a DTZ table is
    /// missing. `None` if the tables do not cover the position or those after its moves.
    pub fn probe_root(&self, position: &Position) -> Option<Vec<(Move, RootRank)>> {
        if !self.may_cover(position) {
            return None;
        }
        let moves = position.legal_moves();
        let clock = position.halfmove_clock();
        let by_distance = moves.iter().map(|&m| {
            let dtz = self.dtz_of_move(&position.play_unchecked(m))?;
            Some((m, RootRank::by_distance(dtz, clock)))
        });
        let by_result = moves.iter().map(|&m| {
            let next = position.play_unchecked(m);
            // A capture or pawn move restarts the fifty-move count, so the result holds.
            let is_certain = is_mate(&next) || next.halfmove_clock() == 0;
            let wdl = -self.probe_wdl_at_zero(&next)?;
            Some((m, RootRank::by_result(wdl, is_certain)))
        });
        let by_distance: Option<Vec<_>> = by_distance.collect();
        by_distance.or_else(|| by_result.collect())
    }

    #[inline(always)]
    fn may_cover(&self, position: &Position) -> bool {
        position.castling_rooks().is_empty() && position.occupied().count() <= self.max_pieces
    }

    /// The files of a position's material, and whether its colours are exchanged in them.
    #[inline(always)]
    fn files_of(&self, position: &Position) -> Option<(&TableFiles, bool)> {
        let &(number, is_exchanged) = self.by_material.get(&Material::from_position(position))?;
        Some((&self.files[number], is_exchanged))
    }

    /// The result of a position, if it is between `alpha` and `beta`, otherwise a bound that is
    /// outside of them.
    ///
    /// A table may store too bad a result for a position with a capture that does better, because it
    /// then compresses better. Nor does it know of en passant.
    fn wdl<S: Sliders>(
        &self,
        sliders: S,
        position: &Position,
        alpha: TablebaseWdl,
        beta: TablebaseWdl,
    ) -> Option<TablebaseWdl> {
        let mut best = alpha;
        let mut is_known = true;
        position.each_legal_capture(sliders, |_, m| {
            // Only captures can hide a result: a promotion that is none is stored.
            if best < beta && position.is_capture(m) {
                for m in with_underpromotions(m) {
                    let next = position.play_unchecked(m);
                    match self.wdl(sliders, &next, -beta, -best) {
                        Some(value) => best = best.max(-value),
                        None => is_known = false,
                    }
                    if best >= beta {
                        break;
                    }
                }
            }
        });
        if best >= beta {
            return Some(best);
        }
        if !must_take_en_passant(position) {
            best = best.max(self.stored_wdl(position)?);
        }
        (is_known || best >= beta).then_some(best)
    }

    #[inline(always)]
    fn stored_wdl(&self, position: &Position) -> Option<TablebaseWdl> {
        let Some((files, is_exchanged)) = self.files_of(position) else {
            // There is no table of two bare kings.
            let kings = position.by_type(PieceType::King);
            return (position.occupied() == kings).then_some(TablebaseWdl::Draw);
        };
        let table = files.wdl.as_ref()?;
        table.read(|table, bytes| table.wdl(bytes, position, is_exchanged))
    }

    /// The distance after a move in plies, counting it, for the side that has made it.
    fn dtz_of_move(&self, next: &Position) -> Option<i32> {
        if is_mate(next) {
            return Some(1);
        }
        if next.halfmove_clock() == 0 {
            return self.probe_wdl_at_zero(next).map(|wdl| dtz_of_zeroing(-wdl));
        }
        let dtz = -self.dtz(next)?;
        Some(dtz + dtz.signum())
    }

    /// The distance of a position in plies to the next capture, pawn move or mate, for the side to
    /// move; beyond 100 for cursed wins and blessed losses; 0 for a draw.
    pub(crate) fn dtz(&self, position: &Position) -> Option<i32> {
        let wdl = self.probe_wdl_at_zero(position)?;
        if wdl == TablebaseWdl::Draw {
            return Some(0);
        }
        let moves = position.legal_moves();
        let is_zeroing = |m: Move| position.play_unchecked(m).halfmove_clock() == 0;
        // Where the best move is one of these, what the table stores is arbitrary.
        let is_zeroing_best = if wdl > TablebaseWdl::Draw {
            let mut is_best = false;
            for &m in moves.iter().filter(|&&m| is_zeroing(m)) {
                is_best |= -self.probe_wdl_at_zero(&position.play_unchecked(m))? == wdl;
            }
            is_best
        } else {
            must_take_en_passant(position)
                || position.legal_ep_square().is_some() && self.wdl_without_ep(position)? < wdl
        };
        if is_zeroing_best {
            return Some(dtz_of_zeroing(wdl));
        }
        let (files, is_exchanged) = self.files_of(position)?;
        let table = files.dtz.as_ref()?;
        match table.read(|table, bytes| table.dtz(bytes, position, is_exchanged, wdl))? {
            Distance::Plies(plies) if wdl > TablebaseWdl::Draw => return Some(plies),
            Distance::Plies(plies) => return Some(-plies),
            Distance::OtherSide => {}
        }
        // One move further the other side is to move. It has the same pawns, so its distance is
        // stored. The winner takes the shortest way, the loser the longest.
        let is_won = wdl > TablebaseWdl::Draw;
        let mut best = if is_won {
            i32::MAX
        } else {
            dtz_of_zeroing(wdl)
        };
        for &m in moves.iter().filter(|&&m| !is_zeroing(m)) {
            let dtz = self.dtz_of_move(&position.play_unchecked(m))?;
            if (dtz > 0) == is_won && dtz != 0 {
                best = best.min(dtz);
            }
        }
        (best != i32::MAX).then_some(best)
    }

    /// Whether the distance of a position with its side to move is stored; `None` without a table.
    #[cfg(test)]
    pub(crate) fn stores_distance(&self, position: &Position) -> Option<bool> {
        let (files, is_exchanged) = self.files_of(position)?;
        let table = files.dtz.as_ref()?;
        let stored = |table: &TableLayout, bytes: &[u8]| {
            table.dtz(bytes, position, is_exchanged, TablebaseWdl::Win)
        };
        Some(table.read(stored)? != Distance::OtherSide)
    }

    /// The result of a position that has other moves than en passant captures, without these.
    fn wdl_without_ep(&self, position: &Position) -> Option<TablebaseWdl> {
        let mut best = self.stored_wdl(position)?;
        for &m in &*position.legal_moves() {
            if position.is_capture(m) && !position.is_en_passant(m) {
                best = best.max(-self.probe_wdl_at_zero(&position.play_unchecked(m))?);
            }
        }
        Some(best)
    }
}

fn is_mate(position: &Position) -> bool {
    position.is_check() && position.legal_move_count() == 0
}

/// Whether the only legal moves are en passant captures. A table, which ignores them, then takes the
/// position for stalemate or mate.
#[inline(always)]
fn must_take_en_passant(position: &Position) -> bool {
    let can_take = position
        .ep_square()
        .is_some_and(|ep| !position.ep_capturers(ep).is_empty());
    can_take && {
        let moves = position.legal_moves();
        !moves.is_empty() && moves.iter().all(|&m| position.is_en_passant(m))
    }
}

/// A move and, if it promotes to a queen, those to other pieces.
#[inline(always)]
fn with_underpromotions(m: Move) -> impl Iterator<Item = Move> {
    let others = [PieceType::Rook, PieceType::Bishop, PieceType::Knight];
    let others = others.map(|kind| Move::new_promotion(m.from(), m.to(), kind));
    let count = if m.promotion().is_some() { 3 } else { 0 };
    std::iter::once(m).chain(others.into_iter().take(count))
}

/// The distance before a capture or pawn move that leads to a result.
const fn dtz_of_zeroing(wdl: TablebaseWdl) -> i32 {
    match wdl {
        TablebaseWdl::Loss => -1,
        TablebaseWdl::BlessedLoss => -101,
        TablebaseWdl::Draw => 0,
        TablebaseWdl::CursedWin => 101,
        TablebaseWdl::Win => 1,
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("tables", &self.tables)
            .field("max_pieces", &self.max_pieces)
            .finish_non_exhaustive()
    }
}

/// Hashes the one number that a [`Material`] is, by multiplication: the material is looked up at
/// every probe.
#[derive(Default)]
struct MaterialHasher(u64);

impl Hasher for MaterialHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    #[inline(always)]
    fn write_u64(&mut self, number: u64) {
        // The golden ratio spreads the counters over the high bits, which the map needs low, too.
        self.0 = (self.0 ^ number)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(32);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

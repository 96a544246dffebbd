//! The UCI options: their declarations and values.

mod setting;
mod table;

use std::sync::Arc;
use std::time::Duration;

use chess::rules::CastlingMode;
use engine::search::chessbin::Level;
use engine::search::touchstone::{Features, Parameters, UnknownFeatureError};
use engine::search::{Profile, Strength};
use tablebase::{Probing, Tablebase};

pub(crate) use setting::Setting;
pub(crate) use table::{Effect, declarations};

use table::{OptionType, definitions};

/// The values of all options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "UCI has them so, and none has to do with another"
)]
pub(crate) struct Options {
    hash: u32,
    threads: u32,
    ponder: bool,
    multipv: u32,
    chess960: bool,
    /// Whether to report WDL statistics with scores.
    pub(crate) show_wdl: bool,
    limit_strength: bool,
    elo: u32,
    move_overhead: u32,
    /// Whether to play book moves.
    pub(crate) own_book: bool,
    /// The book file; empty for the built-in book.
    pub(crate) book: String,
    /// The tablebase folders; empty for none.
    pub(crate) syzygy_path: String,
    syzygy_probe_depth: u32,
    syzygy_probe_limit: u32,
    syzygy_fifty_moves: bool,
    /// The network file, or [`BUILT_IN`](crate::file::BUILT_IN).
    pub(crate) eval_file: String,
    profile: String,
    level: String,
    without: String,
    /// The search parameters of profile `Touchstone`, which only a build for tuning can change.
    pub(crate) parameters: Parameters,
}

impl Options {
    /// All options with their default values.
    pub(crate) fn new() -> Self {
        let mut options = Self::default();
        for definition in definitions() {
            match &definition.kind {
                OptionType::Check(default, field) => *field(&mut options) = *default,
                OptionType::Spin(default, _, _, field) => *field.field(&mut options) = *default,
                OptionType::Combo(vars, field) => vars()[0].clone_into(field(&mut options)),
                OptionType::Text(default, field) => (*default).clone_into(field(&mut options)),
                OptionType::Button => {}
            }
        }
        options
    }

    /// Hash size in MiB.
    pub(crate) fn hash_mib(&self) -> usize {
        self.hash as usize
    }

    /// Number of threads of searches and of `go perft`.
    pub(crate) fn threads(&self) -> usize {
        self.threads as usize
    }

    /// Number of principal variations to report.
    pub(crate) fn multipv(&self) -> usize {
        self.multipv as usize
    }

    /// The notation of castling, unless the game requires that of Chess960.
    pub(crate) fn castling_mode(&self) -> CastlingMode {
        if self.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    /// The limited playing strength; `None` for full strength.
    pub(crate) fn strength(&self) -> Option<Strength> {
        self.limit_strength
            .then(|| Strength::from_elo(self.elo))
            .flatten()
    }

    /// Communication overhead per move.
    pub(crate) fn move_overhead(&self) -> Duration {
        Duration::from_millis(self.move_overhead.into())
    }

    /// How to probe these tablebases.
    pub(crate) fn probing(&self, tables: Arc<Tablebase>) -> Probing {
        Probing {
            tables,
            min_depth: self.syzygy_probe_depth,
            max_pieces: self.syzygy_probe_limit,
            fifty_moves: self.syzygy_fifty_moves,
        }
    }

    pub(crate) fn profile(&self) -> Profile {
        self.profile
            .parse()
            .expect("only names of profiles are values of the option")
    }

    /// The depth limit of the level, in plies; `None` without a level, and in profile `Touchstone`,
    /// which has none.
    pub(crate) fn level_depth(&self) -> Option<u32> {
        let is_this = |level: &Level| level.as_str() == self.level;
        let level = Level::ALL.into_iter().find(is_this);
        let level = level.expect("only names of levels are values of the option");
        level
            .depth()
            .filter(|_| self.profile() == Profile::ChessBin)
    }

    /// The search features of profile `Touchstone`.
    pub(crate) fn features(&self) -> Result<Features, UnknownFeatureError> {
        Features::TOUCHSTONE.without(&self.without)
    }
}

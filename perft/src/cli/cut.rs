//! `--units` and `--ply`: where the tree is cut into units.

use chess::perft::UniqueError;
use chess::rules::Position;
use kit::{BadInput, Interrupt};

use crate::units::{Cut, CutError, Units};

/// Options for cutting the tree into units.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct CutArgs {
    /// Cut the tree at the first ply with at least this many unique positions, which are counted
    /// one by one [default: 2000 with --resume, 10000 with --fleet]
    #[arg(long, value_name = "N", requires = "cuts", conflicts_with = "ply",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    units: Option<u32>,

    /// Cut the tree at this ply
    #[arg(long, value_name = "PLY", requires = "cuts",
          value_parser = clap::value_parser!(u32).range(0..=32))]
    ply: Option<u32>,
}

impl CutArgs {
    /// The requested cut, if any.
    pub(super) fn cut(self) -> Option<Cut> {
        let enough = |units: u32| Cut::Enough {
            units: units as usize,
            below: 1,
        };
        self.units.map(enough).or(self.ply.map(Cut::Ply))
    }
}

/// Cuts a count into units, on all threads of a pool.
pub(super) fn units(
    pool: &rayon::ThreadPool,
    position: &Position,
    depth: u32,
    cut: Cut,
    interrupt: &Interrupt,
) -> anyhow::Result<Units> {
    let units = pool.install(|| Units::new(position, depth, cut, interrupt.flag()));
    units.map_err(|error| match error {
        CutError::Unique(UniqueError::Count(error)) => error.into(),
        CutError::Unique(error) => error.into(),
        CutError::TooMany { .. } => BadInput(error.to_string()).into(),
    })
}

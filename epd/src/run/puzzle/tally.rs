//! What an engine found of the puzzles: all together, by rating and by theme.

use std::collections::BTreeMap;

use serde::Serialize;

use super::rating::{PuzzleRating, PuzzleResult, estimate};
use crate::run::ledger::{PositionState, Trial};
use crate::run::plan::RunCase;
use crate::run::score::SearchAnswer;

/// Width of a rating band.
const BAND: u32 = 200;

/// Puzzles and what was found of them. Moves are those of one search each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PuzzleCount {
    pub(crate) puzzles: usize,
    pub(crate) solved: usize,
    /// Moves to find.
    pub(crate) moves: usize,
    pub(crate) moves_found: usize,
}

/// A part of the puzzles, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PuzzleGroup {
    /// A rating band, such as `1400..1599`, or a theme.
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) count: PuzzleCount,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PuzzleTally {
    #[serde(flatten)]
    pub(crate) count: PuzzleCount,
    pub(crate) rating: Option<PuzzleRating>,
    /// From the lowest to the highest rating.
    pub(crate) ratings: Vec<PuzzleGroup>,
    /// The most frequent first.
    pub(crate) themes: Vec<PuzzleGroup>,
}

impl PuzzleCount {
    fn add(&mut self, other: Self) {
        self.puzzles += other.puzzles;
        self.solved += other.solved;
        self.moves += other.moves;
        self.moves_found += other.moves_found;
    }
}

impl PuzzleTally {
    /// Counts the puzzles that an engine searched; `None` if there is none.
    pub(crate) fn new(trial: &Trial, cases: &[RunCase]) -> Option<Self> {
        let (mut all, mut results) = (PuzzleCount::default(), Vec::new());
        let mut ratings: BTreeMap<u32, PuzzleCount> = BTreeMap::new();
        let mut themes: BTreeMap<&str, PuzzleCount> = BTreeMap::new();
        for index in trial.searched() {
            let case = &cases[index];
            let Some(puzzle) = &case.puzzle else {
                continue;
            };
            let is_solved = trial.state(index) == PositionState::Solved;
            let typical = trial.typical(index);
            let one = PuzzleCount {
                puzzles: 1,
                solved: usize::from(is_solved),
                moves: case.steps().count(),
                moves_found: typical.map_or(0, SearchAnswer::moves_found),
            };
            results.push(PuzzleResult {
                rating: puzzle.rating,
                deviation: puzzle.deviation,
                is_solved,
            });
            all.add(one);
            ratings.entry(puzzle.rating / BAND).or_default().add(one);
            for theme in &puzzle.themes {
                themes.entry(theme).or_default().add(one);
            }
        }
        let ratings = ratings.into_iter().map(|(band, count)| PuzzleGroup {
            name: format!("{}..{}", band * BAND, band * BAND + BAND - 1),
            count,
        });
        let themes = themes.into_iter().map(|(theme, count)| PuzzleGroup {
            name: theme.to_owned(),
            count,
        });
        let mut themes: Vec<PuzzleGroup> = themes.collect();
        // A stable sort: those of equal number stay in the order of the alphabet.
        themes.sort_by_key(|group| std::cmp::Reverse(group.count.puzzles));
        (all.puzzles > 0).then(|| Self {
            count: all,
            rating: estimate(&results),
            ratings: ratings.collect(),
            themes,
        })
    }
}

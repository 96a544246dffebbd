//! Results by opening.

use std::collections::BTreeMap;

use super::add;
use crate::digits::to_f64;
use crate::model::{GameRecord, GameResult, PairNumber};
use crate::report::run::summary::{OpeningLine, OpeningsSummary};
use crate::stats::Wdl;

/// Openings with fewer games are not reported: a pair in which White wins twice is not rare.
pub const FEWEST_OPENING_GAMES: u64 = 4;

/// Maximum number of openings in the list.
const LISTED: usize = 10;

/// Results of each opening, with a short text as its name.
#[derive(Clone, Debug, Default)]
pub(super) struct OpeningsCollector {
    /// Results by position and moves.
    games: BTreeMap<Box<str>, (Box<str>, Wdl)>,
    /// Results of pairs with one known game.
    halves: BTreeMap<PairNumber, GameResult>,
    white_twice: u64,
    black_twice: u64,
}

impl OpeningsCollector {
    pub(super) fn record(&mut self, record: &GameRecord) {
        let opening = &record.opening;
        let key = format!("{} {}", opening.fen, opening.moves.join(" "));
        let entry = self.games.entry(key.into());
        let (_, wdl) = entry.or_insert_with(|| (opening.label.as_str().into(), Wdl::default()));
        add(wdl, record.result);
        let pair = record.plan.pairing.number;
        let Some(other) = self.halves.remove(&pair) else {
            self.halves.insert(pair, record.result);
            return;
        };
        match (record.result, other) {
            (GameResult::WhiteWins, GameResult::WhiteWins) => self.white_twice += 1,
            (GameResult::BlackWins, GameResult::BlackWins) => self.black_twice += 1,
            _ => {}
        }
    }

    pub(super) fn summary(&self) -> OpeningsSummary {
        let mut lines: Vec<&(Box<str>, Wdl)> = self
            .games
            .values()
            .filter(|(_, wdl)| wdl.games() >= FEWEST_OPENING_GAMES && wdl.wins != wdl.losses)
            .collect();
        lines.sort_by(|(_, one), (_, other)| surprise(*other).total_cmp(&surprise(*one)));
        let listed = lines.into_iter().take(LISTED);
        OpeningsSummary {
            played: self.games.len() as u64,
            white_twice: self.white_twice,
            black_twice: self.black_twice,
            one_sided: listed
                .map(|(label, white)| OpeningLine {
                    label: label.to_string(),
                    white: *white,
                })
                .collect(),
        }
    }
}

/// Deviation of the score from even, in standard deviations under pure chance: wins and losses are
/// coin tosses.
fn surprise(wdl: Wdl) -> f64 {
    to_f64(wdl.wins.abs_diff(wdl.losses)) / to_f64(wdl.wins + wdl.losses).sqrt()
}

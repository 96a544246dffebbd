//! The sequential test of a run, applied to pairs. Pure.
//!
//! The test looks at the pairs in schedule order, after each pair, up to the first incomplete one.
//! Its model assumes that pairs are independent. A pair whose games repeat those of an earlier
//! pair, move by move, is a duplicate: it contains no new information, yet moves the ratio as if it
//! did. If more than one pair in twenty is a duplicate, the test is invalid, whatever the ratio.
//!
//! The unit is the pair, not the game: two equal engines play the same game twice in each pair, and
//! pairs from different openings are still independent.
//!
//! A test in which every game was lost by a fault is invalid too: nothing was compared.

use std::collections::HashSet;
use std::num::NonZeroU64;

use super::duplicates::{Identity, are_too_many};
use super::{Counts, Sprt, SprtDesign, SprtState};
use crate::model::GameRecord;

/// Minimum number of pairs before duplicates end a test; fewer may be chance.
const FEWEST: u64 = 20;

/// The properties of a game that the test needs.
#[derive(Clone, Copy, Debug)]
pub struct TestedGame {
    /// The identity that distinguishes it from other games.
    pub identity: Identity,
    /// Whether it was lost by a fault.
    pub has_failed: bool,
}

impl TestedGame {
    /// Converts a record, which need not have its moves.
    pub fn new(record: &GameRecord, identity: Identity) -> Self {
        Self {
            identity,
            has_failed: record.fault.is_some(),
        }
    }
}

/// A running test.
#[derive(Clone, Debug)]
pub struct PairTest {
    sprt: Sprt,
    seen: HashSet<[Identity; 2]>,
    pairs: u64,
    /// Number of games in which an engine or its machine failed.
    failed: u64,
    /// The final state, and the counts that led to it, once the test has ended.
    ended: Option<(SprtState, Counts)>,
}

impl PairTest {
    /// A test before its first pair.
    pub fn new(design: SprtDesign) -> Self {
        Self {
            // The test looks at every pair, so a batch is one.
            sprt: Sprt::new(design, NonZeroU64::MIN),
            seen: HashSet::new(),
            pairs: 0,
            failed: 0,
            ended: None,
        }
    }

    /// Updates the test with the next pair, given the counts of all pairs up to it. Pairs after the
    /// end have no effect.
    ///
    /// # Panics
    ///
    /// If the results of the games are unknown.
    pub fn look(&mut self, pair: [TestedGame; 2], counts: Counts) {
        if self.ended.is_some() {
            return;
        }
        self.pairs += 1;
        self.seen.insert(pair.map(|game| game.identity));
        self.failed += pair.iter().filter(|game| game.has_failed).count() as u64;
        let state = self.sprt.update(&counts);
        let state = state.expect("the games are known by result");
        let is_over = state != SprtState::Running;
        // A decision that rests on copies is void at any length. Before it, a few copies may be
        // chance.
        if self.has_copies() && (is_over || self.pairs >= FEWEST) || self.is_void() && is_over {
            self.ended = Some((SprtState::Invalid, counts));
        } else if is_over {
            self.ended = Some((state, counts));
        }
    }

    fn copies(&self) -> u64 {
        self.pairs - self.seen.len() as u64
    }

    fn has_copies(&self) -> bool {
        are_too_many(self.copies(), self.pairs)
    }

    /// Returns true if engines failed in all games.
    fn is_void(&self) -> bool {
        self.pairs > 0 && self.failed == 2 * self.pairs
    }

    /// The current state.
    pub fn state(&self) -> SprtState {
        self.ended.map_or(SprtState::Running, |(state, _)| state)
    }

    /// The final state if no pairs are left; the test may have had too few to be found invalid
    /// earlier.
    pub fn final_state(&self) -> SprtState {
        match self.state() {
            SprtState::Running if self.has_copies() || self.is_void() => SprtState::Invalid,
            state => state,
        }
    }

    /// The counts at which it ended, if it has.
    pub fn ended_by(&self) -> Option<Counts> {
        self.ended.map(|(_, counts)| counts)
    }

    /// The reason why it is invalid, or would be without further pairs.
    pub fn why_invalid(&self) -> Option<String> {
        if self.final_state() != SprtState::Invalid {
            return None;
        }
        if self.is_void() {
            let plural = if self.failed == 1 { "" } else { "s" };
            let games = format!("{} game{plural}", kit::output::grouped(self.failed));
            return Some(format!(
                "engines failed in all {games}, so nothing was compared"
            ));
        }
        let (copies, pairs) = (self.copies(), self.pairs);
        let verb = if copies == 1 { "repeats an" } else { "repeat" };
        let earlier = if copies == 1 {
            "earlier one"
        } else {
            "earlier ones"
        };
        Some(format!(
            "{copies} of {pairs} pairs {verb} {earlier} move by move, so the test proves nothing; it needs \
             more openings, or limits under which engines vary"
        ))
    }

    /// The underlying test, with its ratio and bounds.
    pub const fn sprt(&self) -> &Sprt {
        &self.sprt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EloModel, SprtConfig};
    use crate::play::samples::record;
    use crate::stats::Pentanomial;

    fn test() -> PairTest {
        let config = SprtConfig::new([0.0, 20.0], EloModel::Logistic);
        PairTest::new(SprtDesign::try_from(&config).expect("a test"))
    }

    /// Looks at pairs that are all won, with game lengths given by `length`.
    fn look(test: &mut PairTest, pairs: std::ops::Range<u64>, length: impl Fn(u64) -> usize) {
        for pair in pairs {
            let game = |game| {
                let record = record(game, length(pair));
                TestedGame::new(&record, Identity::from_record(&record))
            };
            let cells = [0, 0, pair.div_ceil(2), 0, pair / 2 + 1];
            let games = crate::stats::Wdl {
                wins: pair.div_ceil(2) + 2 * (pair / 2 + 1),
                draws: 0,
                losses: pair.div_ceil(2),
            };
            let counts = Counts::Pairs {
                pairs: Pentanomial(cells),
                games: Some(games),
            };
            test.look([game(2 * pair), game(2 * pair + 1)], counts);
        }
    }

    #[test]
    fn pairs_that_are_copies_make_a_test_invalid_whatever_the_ratio() {
        let mut copied = test();
        look(&mut copied, 0..19, |_| 4);
        assert_eq!(copied.state(), SprtState::Running);
        // Without further pairs, it is invalid all the same.
        assert_eq!(copied.final_state(), SprtState::Invalid);
        look(&mut copied, 19..400, |_| 4);
        assert_eq!(copied.state(), SprtState::Invalid);
        let why = copied.why_invalid().expect("it is");
        assert!(
            why.starts_with("19 of 20 pairs repeat earlier ones"),
            "{why}"
        );

        // Both games of a pair may be identical as long as the pairs differ.
        let mut sound = test();
        look(&mut sound, 0..400, |pair| {
            usize::try_from(pair).expect("few") + 1
        });
        assert_eq!(sound.state(), SprtState::AcceptedH1);
        assert_eq!(sound.why_invalid(), None);
        assert_eq!(sound.final_state(), SprtState::AcceptedH1);
    }

    #[test]
    fn one_copy_in_twenty_is_tolerated() {
        let mut rare = test();
        let length = |pair: u64| usize::try_from(pair - pair / 25).expect("few") + 1;
        look(&mut rare, 0..400, length);
        assert_eq!(rare.state(), SprtState::AcceptedH1);
        let mut often = test();
        look(&mut often, 0..400, |pair| {
            usize::try_from(pair - pair / 10).expect("few") + 1
        });
        assert_eq!(often.state(), SprtState::Invalid);
    }
}

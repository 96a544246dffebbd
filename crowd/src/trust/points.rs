//! What a list is worth, and who leads.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::FromQueryResult;

use crate::candidates::Candidate;
use crate::model::{ListEvent, MoveText, moves_of};

/// A list compared with a known answer: immediately for gold, otherwise when the position is
/// closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub hits: u32,
    /// Listed moves that are not legal, including those that are not candidates.
    pub wrong: u32,
    pub missed: u32,
}

impl Tally {
    /// The bonus for a list with every legal move and no other.
    pub const COMPLETE_BONUS: u32 = 5;

    /// Whether the list has every legal move and no other. False if there was nothing to find.
    pub fn is_complete(&self) -> bool {
        self.hits > 0 && self.wrong == 0 && self.missed == 0
    }

    /// One point per hit, minus one per wrong move, plus the bonus; at least 0.
    ///
    /// Hits and wrong moves have the same weight, so listing a move pays exactly if it is more
    /// likely legal than not, which is the question that the crowd is asked. Listing every
    /// candidate earns nothing, as most are illegal.
    pub fn points(&self) -> u32 {
        let bonus = if self.is_complete() {
            Self::COMPLETE_BONUS
        } else {
            0
        };
        self.points_of_answers() + bonus
    }

    /// The points of a second look: like those of a list, without the bonus, since it never covers
    /// all moves.
    pub fn points_of_answers(&self) -> u32 {
        self.hits.saturating_sub(self.wrong)
    }

    /// Number of decisions: hits, wrong and missed moves. Illegal moves that were not listed do not
    /// count, because they are many and easy.
    pub fn decisions(&self) -> u32 {
        self.hits
            .saturating_add(self.wrong)
            .saturating_add(self.missed)
    }
}

/// Compares a list, in canonical form, with the legal moves (gold) or the crowd's (a closed
/// position).
pub fn tally(legal: &BTreeSet<MoveText>, given: &[MoveText]) -> Tally {
    let given: BTreeSet<&MoveText> = given.iter().collect();
    let hits = given.iter().filter(|text| legal.contains(**text)).count();
    Tally {
        hits: count(hits),
        wrong: count(given.len() - hits),
        missed: count(legal.len() - hits),
    }
}

/// Counts the answers of a second look: a correct answer is a hit, a false one is wrong, a missing
/// one is neither.
pub fn tally_answers(legal: &BTreeSet<MoveText>, answers: &BTreeMap<MoveText, bool>) -> Tally {
    let right = |(text, yes): &(&MoveText, &bool)| legal.contains(*text) == **yes;
    let hits = answers.iter().filter(right).count();
    Tally {
        hits: count(hits),
        wrong: count(answers.len() - hits),
        missed: 0,
    }
}

/// The list as of the time limit, by the contributor's own clock.
pub fn moves_in_time(events: &[ListEvent], limit_ms: u32) -> Vec<MoveText> {
    let in_time: Vec<ListEvent> = events
        .iter()
        .filter(|event| event.at_ms <= limit_ms)
        .cloned()
        .collect();
    moves_of(&in_time)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTally {
    /// Number of candidates that both listed.
    pub both: u32,
    /// Number of all other moves on either list.
    pub others: u32,
}

impl PairTally {
    /// The points of each: one per common move, minus half a point per other move, rounded down, at
    /// least 0.
    pub fn points(&self) -> u32 {
        self.both.saturating_sub(self.others.div_ceil(2))
    }
}

/// Compares two lists, in canonical form; the result is symmetric.
///
/// Only candidates count, so that agreeing on nonsense does not pay. Candidates follow from the
/// geometry of the diagram, so this reveals nothing about legality.
pub fn pair_tally(candidates: &[Candidate], one: &[MoveText], other: &[MoveText]) -> PairTally {
    let candidates: BTreeSet<&MoveText> = candidates.iter().map(|c| &c.text).collect();
    let [one, other] = [one, other].map(|list| list.iter().collect::<BTreeSet<_>>());
    let all = &one | &other;
    let both = (&one & &other).intersection(&candidates).count();
    PairTally {
        both: count(both),
        others: count(all.len() - both),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A contributor's results in the period of a leaderboard, by the points that were awarded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromQueryResult)]
pub struct PeriodRecord {
    pub contributor_id: i64,
    pub points: i64,
    /// Number of lists and second looks that earned them.
    pub lists: i64,
    pub correct: i64,
    pub total: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The rank, from 1. Rows with equal bounds and points share one.
    pub place: u32,
    pub record: PeriodRecord,
    /// The lower confidence bound of accuracy, by which the board is ordered.
    pub bound: f64,
}

/// Number of decisions of one list that are worth one independent decision.
///
/// Decisions in one list are correlated: overlooking a bishop misses all of its moves. By Kish's
/// design effect, 1 + (m - 1) rho, lists of m = 31 moves with a correlation rho of 0.1 give 4.
pub(super) const DESIGN_EFFECT: f64 = 4.0;

/// The standard normal quantile of a two-sided interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Orders a leaderboard by the lower bound of accuracy; then by points, then by who joined first.
/// Contributors without decisions come last, whatever their points.
pub fn rank(records: &[PeriodRecord]) -> Vec<Ranked> {
    let mut rows: Vec<Ranked> = records.iter().map(unplaced).collect();
    rows.sort_by(|a, b| {
        // Pair points come without decisions: two friends who agree must not lead the board.
        is_unproven(a)
            .cmp(&is_unproven(b))
            .then(b.bound.total_cmp(&a.bound))
            .then(b.record.points.cmp(&a.record.points))
            .then(a.record.contributor_id.cmp(&b.record.contributor_id))
    });
    let mut place = 0;
    let mut last = None;
    for (row, number) in rows.iter_mut().zip(1..) {
        let standing = (is_unproven(row), row.bound.to_bits(), row.record.points);
        if last != Some(standing) {
            place = number;
        }
        last = Some(standing);
        row.place = place;
    }
    rows
}

fn is_unproven(row: &Ranked) -> bool {
    row.record.total == 0
}

#[expect(
    clippy::cast_precision_loss,
    reason = "decisions are far fewer than 2 to the 52nd"
)]
fn unplaced(record: &PeriodRecord) -> Ranked {
    let trials = record.total as f64 / DESIGN_EFFECT;
    let successes = record.correct.min(record.total) as f64 / DESIGN_EFFECT;
    Ranked {
        place: 0,
        record: *record,
        bound: wilson_lower_bound(successes, trials),
    }
}

/// The lower bound of Wilson's 95 % score interval (1927) for a proportion; 0 without trials.
///
/// The arguments may be fractional, as for weighted trials.
pub fn wilson_lower_bound(successes: f64, trials: f64) -> f64 {
    if trials.is_nan() || trials <= 0.0 {
        return 0.0;
    }
    let share = (successes / trials).clamp(0.0, 1.0);
    let z2 = Z * Z / trials;
    let middle = share + z2 / 2.0;
    let half = Z * libm::sqrt(share * (1.0 - share) / trials + z2 / (4.0 * trials));
    ((middle - half) / (1.0 + z2)).max(0.0)
}

/// Number of consecutive days with a finished list, up to today, or up to yesterday, as today is not over. Days are
/// numbered as by `Timestamp::day`; those after today are ignored.
pub fn streak(days: &BTreeSet<i64>, today: i64) -> u32 {
    let mut run = 0;
    let mut last = None;
    for &day in days.range(..=today) {
        run = if last.is_some_and(|last: i64| last + 1 == day) {
            run + 1
        } else {
            1
        };
        last = Some(day);
    }
    let is_alive = last.is_some_and(|day| day >= today.saturating_sub(1));
    if is_alive { run } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::MoveClass;

    fn moves(list: &str) -> Vec<MoveText> {
        list.split_whitespace()
            .map(|text| text.parse().expect("a move"))
            .collect()
    }

    fn set(list: &str) -> BTreeSet<MoveText> {
        moves(list).into_iter().collect()
    }

    #[test]
    fn hits_pay_and_wrong_moves_cost() {
        for (legal, given, points) in [
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 b2b3", 3 + 5),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4", 2),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 b2b3 b2b4", 2),
            ("a2a3 a2a4 b2b3", "b2b4 c2c4 a2a3", 0),
            ("a2a3 a2a4 b2b3", "a2a3 a2a3 a2a3", 1),
            ("a2a3", "", 0),
            ("", "", 0),
        ] {
            let found = tally(&set(legal), &moves(given));
            assert_eq!(found.points(), points, "{given} of {legal}: {found:?}");
        }
    }

    #[test]
    fn a_second_look_has_no_bonus() {
        for (answers, points) in [
            (vec![("a2a3", true), ("b2b3", false)], 2),
            (vec![("a2a3", true), ("b2b3", true)], 0),
            (vec![("a2a3", true)], 1),
            (vec![("a2a3", false), ("b2b3", true)], 0),
            (vec![], 0),
        ] {
            let answered = answers.iter().map(|&(mv, yes)| (moves(mv)[0].clone(), yes));
            let found = tally_answers(&set("a2a3 a2a4"), &answered.collect());
            assert_eq!(
                (found.points_of_answers(), found.missed),
                (points, 0),
                "{answers:?}"
            );
        }
    }

    #[test]
    fn pairs_are_paid_for_agreement() {
        for (one, other, points) in [
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 b2b3", 3),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4", 1),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 c2c3", 1),
            ("a2a3", "", 0),
            ("", "", 0),
            // Agreed nonsense does not pay, and costs half a point per move.
            ("a2h8 a2h7 a2h6", "a2h8 a2h7 a2h6", 0),
            ("a2a3 a2a4 b2b3 a2h8", "a2a3 a2a4 b2b3 a2h8", 2),
            ("a2a3 a2a4 b2b3 a2h8", "a2a3 a2a4 b2b3 a2h7", 2),
        ] {
            let candidate = |text| Candidate {
                text,
                class: MoveClass::Ordinary,
            };
            let candidates = moves("a2a3 a2a4 b2b3 b2b4 c2c3");
            let candidates: Vec<Candidate> = candidates.into_iter().map(candidate).collect();
            let found = pair_tally(&candidates, &moves(one), &moves(other));
            assert_eq!(found.points(), points, "{one} and {other}");
            let swapped = pair_tally(&candidates, &moves(other), &moves(one));
            assert_eq!(swapped, found);
        }
    }

    fn some_moves() -> impl Strategy<Value = Vec<MoveText>> {
        let texts = moves("a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4");
        proptest::collection::vec(proptest::sample::select(texts), 0..12)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn a_move_more_changes_points_in_the_right_direction(
            legal in some_moves(), given in some_moves(), more in some_moves(),
        ) {
            let legal: BTreeSet<MoveText> = legal.into_iter().collect();
            let before = tally(&legal, &given);
            prop_assert!(before.hits <= before.decisions());
            prop_assert_eq!(before.hits + before.missed, u32::try_from(legal.len()).expect("few"));
            for text in more.iter().filter(|text| !given.contains(text)) {
                let longer: Vec<MoveText> = given.iter().chain([text]).cloned().collect();
                let after = tally(&legal, &longer).points();
                if legal.contains(text) {
                    prop_assert!(after >= before.points());
                } else {
                    prop_assert!(after <= before.points());
                }
            }
        }
    }

    /// The last four are those of Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I.
    #[test]
    fn the_bound_is_wilsons() {
        for (successes, trials, bound) in [
            (0.0, 0.0, 0.0),
            (10.0, 10.0, 0.7225),
            (5.0, 10.0, 0.2366),
            (81.0, 263.0, 0.2553),
            (15.0, 148.0, 0.0624),
            (0.0, 20.0, 0.0),
            (1.0, 29.0, 0.0061),
        ] {
            let found = wilson_lower_bound(successes, trials);
            let difference = (found - bound).abs();
            assert!(difference < 5e-5, "{successes} of {trials}: {found}");
        }
    }

    fn record(contributor_id: i64, points: i64, correct: i64, total: i64) -> PeriodRecord {
        PeriodRecord {
            contributor_id,
            points,
            lists: 1,
            correct,
            total,
        }
    }

    #[test]
    fn one_lucky_list_does_not_lead_and_points_without_decisions_come_last() {
        let board = rank(&[
            record(7, 252, 0, 0),
            record(1, 45, 40, 40),
            record(3, 0, 600, 2000),
            record(4, 500, 590, 620),
            record(2, 500, 590, 620),
            record(6, 252, 0, 0),
            record(5, 0, 0, 9),
        ]);
        let rows = board
            .iter()
            .map(|row| (row.place, row.record.contributor_id));
        let expected = [(1, 2), (1, 4), (3, 1), (4, 3), (5, 5), (6, 6), (6, 7)];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn days_in_a_row() {
        for (days, today, current) in [
            (vec![], 10, 0),
            (vec![10], 10, 1),
            (vec![9], 10, 1),
            (vec![8], 10, 0),
            (vec![1, 2, 3, 4, 8, 9, 10], 10, 3),
            (vec![1, 2, 3, 4, 8, 9, 10], 11, 3),
            (vec![1, 2, 3, 4, 8, 9, 10], 12, 0),
            (vec![-1, 0, 1], 1, 3),
            (vec![9, 10, 11], 10, 2),
            (vec![i64::MIN], i64::MIN, 1),
        ] {
            let found = streak(&days.iter().copied().collect(), today);
            assert_eq!(found, current, "{days:?} on {today}");
        }
    }
}

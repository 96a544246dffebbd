//! Significance tests for differences between paired results.
//!
//! Both tests look only at the pairs that differ. If there is no true difference, each of them is
//! equally likely to differ either way, so their number is binomial with probability 1/2. The
//! p-value is the probability of a split at least as uneven in either direction.
//!
//! - For solved against unsolved this is `McNemar`'s test in its exact form: Q. `McNemar`, "Note on
//!   the sampling error of the difference between correlated proportions or percentages",
//!   Psychometrika 12 (1947); exact: A. Agresti, *Categorical Data Analysis*, section on matched
//!   pairs.
//! - For positions that were searched several times it is the stratified permutation test of how often
//!   they were solved: if nothing has changed, the searches of a position are interchangeable, so that of
//!   those that solved it, as many fall into the newer run as by drawing without replacement
//!   (hypergeometric), independently in each position. The distribution of the sum is exact up to
//!   [`MOST_EXACT`] positions, beyond that the normal one with a continuity correction. With one
//!   search in each run it is `McNemar`'s test, exact for any number. A single position has R. A. Fisher's exact test
//!   (*Statistical Methods for Research Workers*, 5th edition, 1934), corrected for their number as by
//!   S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
//!   Statistics 6 (1979).
//! - For numbers it is the sign test: W. J. Dixon and A. M. Mood, "The statistical sign test",
//!   Journal of the American Statistical Association 41 (1946); first used by J. Arbuthnott,
//!   Philosophical Transactions 27 (1710).

/// The pairs that differ, and how likely such a split is by chance.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct SignTest {
    pub(crate) worse: u64,
    pub(crate) better: u64,
    /// Two-sided p-value, from 0 to 1.
    pub(crate) p_value: f64,
}

impl Default for SignTest {
    /// No pair differs.
    fn default() -> Self {
        sign_test(0, 0)
    }
}

impl SignTest {
    /// Whether it is significantly worse, at a level such as 0.05.
    pub(crate) fn is_worse(&self, level: f64) -> bool {
        self.worse > self.better && self.p_value <= level
    }
}

/// The exact two-sided test on `worse` and `better` pairs.
pub(crate) fn sign_test(worse: u64, better: u64) -> SignTest {
    let few = worse.min(better);
    let all = worse + better;
    let p_value = if worse == better {
        1.0
    } else {
        (2.0 * lower_tail(all, few)).min(1.0)
    };
    SignTest {
        worse,
        better,
        p_value,
    }
}

/// The probability of at most `few` heads in `all` tosses of a fair coin, for `few` below half.
///
/// The largest term, C(all, few) / 2^all, is computed in logarithms, since 2^-all underflows. Each
/// term below it is less than half the one before; the sum stops when they no longer count.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of positions are far below 2^53"
)]
fn lower_tail(all: u64, few: u64) -> f64 {
    let choose: f64 = (1..=few)
        .map(|i| ((all - few + i) as f64 / i as f64).ln())
        .sum();
    let largest = (choose - all as f64 * std::f64::consts::LN_2).exp();
    let mut sum = 1.0;
    let mut term = 1.0;
    for heads in (1..=few).rev() {
        term *= heads as f64 / (all - heads + 1) as f64;
        sum += term;
        if term < sum * f64::EPSILON / 16.0 {
            break;
        }
    }
    largest * sum
}

/// How often a position, or all, were solved in a stored run and in a newer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct SolvedCounts {
    pub(crate) solved_then: usize,
    pub(crate) searches_then: usize,
    pub(crate) solved_now: usize,
    pub(crate) searches_now: usize,
}

impl SolvedCounts {
    fn searches(&self) -> usize {
        self.searches_then + self.searches_now
    }

    fn solved(&self) -> usize {
        self.solved_then + self.solved_now
    }

    /// Whether some searches solved it and some did not: else it says nothing of a change.
    fn varies(&self) -> bool {
        (1..self.searches()).contains(&self.solved())
    }

    /// The least number of solved searches that the newer run can have, and the probability of each
    /// number from it on, if nothing has changed.
    fn chances(&self) -> (usize, Vec<f64>) {
        let least = self.solved().saturating_sub(self.searches_then);
        let most = self.solved().min(self.searches_now);
        // From one number to the next by a ratio of binomial coefficients, in logarithms, since these are
        // large.
        let mut weights: Vec<f64> = vec![0.0];
        for now in least..most {
            let then = self.solved() - now;
            let up = to_f64(((self.searches_now - now) * then) as u64);
            let down = to_f64(((now + 1) * (self.searches_then + 1 - then)) as u64);
            weights.push(weights[weights.len() - 1] + (up / down).ln());
        }
        let largest = weights.iter().copied().fold(f64::MIN, f64::max);
        let weights = weights.into_iter().map(|one| (one - largest).exp());
        let weights: Vec<f64> = weights.collect();
        let sum: f64 = weights.iter().sum();
        (least, weights.into_iter().map(|one| one / sum).collect())
    }

    /// Fisher's exact test: the probability of as few solved searches now, or fewer.
    pub(crate) fn p_fewer(&self) -> f64 {
        let (least, chances) = self.chances();
        chances[..=self.solved_now - least].iter().sum()
    }
}

/// The stratified permutation test of how often positions were solved.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct SolvedTest {
    /// The sums over all positions.
    #[serde(flatten)]
    pub(crate) counts: SolvedCounts,
    /// Two-sided p-value, from 0 to 1.
    pub(crate) p_value: f64,
    /// Whether fewer are solved now than by chance on the average.
    #[serde(skip)]
    is_fewer: bool,
}

impl Default for SolvedTest {
    /// No position.
    fn default() -> Self {
        solved_test(&[])
    }
}

impl SolvedTest {
    /// Whether significantly fewer are solved now, at a level such as 0.05.
    pub(crate) fn is_worse(&self, level: f64) -> bool {
        self.is_fewer && self.p_value <= level
    }
}

/// The most positions that vary for the exact distribution, which takes time by their square. The normal
/// law is off by less than 0.0002 beyond, and by less than 1 part in 50 of a p-value above 0.001.
const MOST_EXACT: usize = 2000;

/// The two-sided test on the counts of each position.
pub(crate) fn solved_test(positions: &[SolvedCounts]) -> SolvedTest {
    let mut counts = SolvedCounts::default();
    for one in positions {
        counts.solved_then += one.solved_then;
        counts.searches_then += one.searches_then;
        counts.solved_now += one.solved_now;
        counts.searches_now += one.searches_now;
    }
    let varying = positions.iter().filter(|one| one.varies());
    let varying: Vec<SolvedCounts> = varying.copied().collect();
    let is_single = |one: &SolvedCounts| (one.searches_then, one.searches_now) == (1, 1);
    if varying.iter().all(is_single) {
        let better: usize = varying.iter().map(|one| one.solved_now).sum();
        let test = sign_test((varying.len() - better) as u64, better as u64);
        return SolvedTest {
            counts,
            p_value: test.p_value,
            is_fewer: test.worse > test.better,
        };
    }
    let [fewer, more] = if varying.len() > MOST_EXACT {
        normal_tails(&varying)
    } else {
        exact_tails(&varying)
    };
    SolvedTest {
        counts,
        p_value: (2.0 * fewer.min(more)).min(1.0),
        is_fewer: fewer < more,
    }
}

/// The probabilities of as few searches now that solve a position, or fewer, and of as many, or more.
fn exact_tails(varying: &[SolvedCounts]) -> [f64; 2] {
    // Of the searches that vary, how many solve it now, above the least possible number; and the
    // probability of each such number.
    let (mut above, mut chances) = (0, vec![1.0]);
    for one in varying {
        let (least, of_one) = one.chances();
        above += one.solved_now - least;
        chances = sum_of(&chances, &of_one);
    }
    [&chances[..=above], &chances[above..]].map(|tail| tail.iter().sum())
}

/// The same by the normal law.
fn normal_tails(varying: &[SolvedCounts]) -> [f64; 2] {
    let (mut above, mut variance) = (0.0, 0.0);
    for one in varying {
        let [now, all, solved] = [one.searches_now, one.searches(), one.solved()];
        let [now, all, solved] = [now, all, solved].map(|count| to_f64(count as u64));
        let part = solved / all;
        above += to_f64(one.solved_now as u64) - now * part;
        variance += now * part * (1.0 - part) * (all - now) / (all - 1.0);
    }
    // Half a search more, since only whole ones are counted.
    let tail = |above: f64| 0.5 * libm::erfc((above - 0.5) / (2.0 * variance).sqrt());
    [tail(-above), tail(above)]
}

/// The distribution of the sum of two independent numbers.
fn sum_of(one: &[f64], other: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; one.len() + other.len() - 1];
    for (index, &chance) in one.iter().enumerate() {
        for (place, &of_other) in sum[index..].iter_mut().zip(other) {
            *place += chance * of_other;
        }
    }
    sum
}

/// p-values corrected for their number, in the same order: each at most 1, and rejecting those below a
/// level makes one error or more with at most that probability.
pub(crate) fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        let left = to_f64((order.len() - rank) as u64);
        largest = largest.max(left * p_values[index]).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

/// Positions solved significantly less often now, each by itself: their indices, with p-values that are
/// corrected for the number of positions that can show a change at all.
pub(crate) fn worse_positions(positions: &[SolvedCounts], level: f64) -> Vec<(usize, f64)> {
    let varying = positions.iter().enumerate().filter(|(_, one)| one.varies());
    let varying: Vec<usize> = varying.map(|(index, _)| index).collect();
    let p_values: Vec<f64> = varying.iter().map(|&at| positions[at].p_fewer()).collect();
    let corrected = varying.into_iter().zip(holm(&p_values));
    corrected.filter(|&(_, p_value)| p_value <= level).collect()
}

/// A count as a number to compute with.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) const fn to_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same p-value from Pascal's triangle in integers.
    fn reference(worse: u64, better: u64) -> f64 {
        let (all, few) = (worse + better, worse.min(better));
        let mut row: Vec<u128> = vec![1];
        for _ in 0..all {
            let inner = row.windows(2).map(|pair| pair[0] + pair[1]);
            row = std::iter::once(1).chain(inner).chain([1]).collect();
        }
        let tail: u128 = row.iter().take(usize::try_from(few).unwrap() + 1).sum();
        #[expect(clippy::cast_precision_loss, reason = "a test of 12 digits")]
        let p = 2.0 * tail as f64 / 2f64.powi(i32::try_from(all).unwrap());
        p.min(1.0)
    }

    #[test]
    fn agrees_with_whole_numbers() {
        for all in 0..=100 {
            for worse in 0..=all {
                let found = sign_test(worse, all - worse).p_value;
                let expected = reference(worse, all - worse);
                assert!(
                    (found / expected - 1.0).abs() < 1e-12,
                    "{worse} of {all}: {found}, expected {expected}"
                );
            }
        }
    }

    /// The largest count of the rarer sign that is significant at 5 and at 1 percent (two-sided),
    /// from Dixon and Mood's table of 1946.
    #[test]
    fn agrees_with_the_table_of_dixon_and_mood() {
        let all = [10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
        let at_5 = [1, 3, 5, 7, 9, 13, 17, 21, 26, 30, 35, 39];
        let at_1 = [0, 2, 3, 5, 7, 11, 15, 19, 23, 28, 32, 36];
        for (all, (at_5, at_1)) in all.into_iter().zip(at_5.into_iter().zip(at_1)) {
            for (level, few) in [(0.05, at_5), (0.01, at_1)] {
                let p = |few| sign_test(all - few, few).p_value;
                assert!(p(few) <= level && p(few + 1) > level, "{few} of {all}");
                assert!(sign_test(all - few, few).is_worse(level));
                assert!(!sign_test(few, all - few).is_worse(level), "it is better");
            }
        }
    }

    fn counts(
        (solved_then, searches_then): (usize, usize),
        (solved_now, searches_now): (usize, usize),
    ) -> SolvedCounts {
        SolvedCounts {
            solved_then,
            searches_then,
            solved_now,
            searches_now,
        }
    }

    /// With one search in each run the test is `McNemar`'s.
    #[test]
    fn one_search_each_is_the_sign_test() {
        for (worse, better) in [(0, 0), (3, 0), (5, 0), (7, 2), (2, 7), (4, 4), (30, 12)] {
            let mut positions = vec![counts((1, 1), (1, 1)), counts((0, 1), (0, 1))];
            positions.extend(vec![counts((1, 1), (0, 1)); worse]);
            positions.extend(vec![counts((0, 1), (1, 1)); better]);
            let found = solved_test(&positions);
            let expected = sign_test(worse as u64, better as u64);
            let error = (found.p_value / expected.p_value - 1.0).abs();
            assert!(error < 1e-9, "{worse} {better}: {found:?}, {expected:?}");
            for level in [0.01, 0.05, 0.5] {
                assert_eq!(found.is_worse(level), expected.is_worse(level));
            }
        }
    }

    /// All ways in which the searches of each position can be dealt to the two runs, counted.
    #[test]
    fn agrees_with_all_permutations() {
        let rows = [
            vec![counts((3, 4), (1, 3))],
            vec![counts((3, 3), (1, 3)), counts((2, 3), (0, 2))],
            vec![
                counts((2, 2), (1, 3)),
                counts((0, 2), (0, 2)),
                counts((1, 3), (2, 2)),
                counts((3, 4), (1, 2)),
            ],
        ];
        for positions in rows {
            // How many deals give each number of solved searches now.
            let mut deals = std::collections::BTreeMap::from([(0, 1_u64)]);
            for one in &positions {
                let mut next = std::collections::BTreeMap::new();
                for set in 0_u32..1 << one.searches() {
                    if set.count_ones() as usize == one.searches_now {
                        let solved = (set & ((1 << one.solved()) - 1)).count_ones();
                        for (&sum, &ways) in &deals {
                            *next.entry(sum + solved).or_insert(0) += ways;
                        }
                    }
                }
                deals = next;
            }
            let now: usize = positions.iter().map(|one| one.solved_now).sum();
            let now = u32::try_from(now).expect("few");
            let all: u64 = deals.values().sum();
            let fewer: u64 = deals.range(..=now).map(|(_, ways)| ways).sum();
            let more: u64 = deals.range(now..).map(|(_, ways)| ways).sum();
            let expected = (2.0 * to_f64(fewer.min(more)) / to_f64(all)).min(1.0);
            let found = solved_test(&positions).p_value;
            assert!(
                (found - expected).abs() < 1e-12,
                "{positions:?}: {found}, {expected}"
            );
        }
    }

    /// Many positions of several kinds, by the normal law against the exact distribution.
    #[test]
    fn the_normal_law_is_near_the_exact_distribution() {
        // In each row as many are solved now as on the average, all together.
        let kinds = [
            (counts((2, 5), (3, 5)), 1),
            (counts((3, 5), (2, 5)), 1),
            (counts((1, 5), (0, 5)), 1),
            (counts((0, 5), (1, 5)), 1),
            (counts((0, 1), (1, 4)), 4),
            (counts((1, 1), (0, 4)), 1),
            (counts((1, 1), (2, 3)), 3),
            (counts((0, 1), (3, 3)), 1),
        ];
        let kinds = kinds.into_iter().flat_map(|(one, times)| vec![one; times]);
        let kinds: Vec<SolvedCounts> = kinds.collect();
        for fewer in [0, 30, 80] {
            let positions = kinds.iter().copied().cycle().take(154 * kinds.len());
            let mut positions: Vec<SolvedCounts> = positions.collect();
            assert!(positions.len() > MOST_EXACT);
            for one in positions.iter_mut().step_by(kinds.len()).take(fewer) {
                one.solved_now -= 1;
                one.solved_then += 1;
            }
            let (normal, exact) = (normal_tails(&positions), exact_tails(&positions));
            for (normal, exact) in normal.into_iter().zip(exact) {
                let off = (normal - exact).abs();
                assert!(off < 2e-4, "{fewer}: {normal}, {exact}");
                assert!(
                    exact < 5e-4 || off < exact / 50.0,
                    "{fewer}: {normal}, {exact}"
                );
            }
        }
    }

    /// 50,000 positions that changed, of which 400 more are lost than won.
    #[test]
    fn tens_of_thousands_of_positions() {
        let mut positions = vec![counts((1, 1), (0, 1)); 25_200];
        positions.extend(vec![counts((0, 1), (1, 1)); 24_800]);
        let expected = sign_test(25_200, 24_800).p_value;
        assert!((solved_test(&positions).p_value - expected).abs() < 1e-12);
        // One position of another kind, and it is the normal law.
        positions.push(counts((1, 2), (1, 2)));
        let found = solved_test(&positions);
        assert!((found.p_value / expected - 1.0).abs() < 0.01, "{found:?}");
        assert!(!found.is_worse(0.05) && found.is_worse(0.1));
    }

    /// Fisher's tea: all four of eight cups told apart, 1 in 70; and ten of ten against none of ten.
    #[test]
    fn single_positions() {
        let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-9;
        assert!(close(counts((4, 4), (0, 4)).p_fewer(), 1.0 / 70.0));
        let lost = counts((10, 10), (0, 10));
        assert!(close(lost.p_fewer(), 1.0 / 184_756.0));
        let mut positions = vec![counts((5, 10), (5, 10)); 40];
        positions.push(lost);
        positions.extend(vec![counts((10, 10), (10, 10)); 1000]);
        let worse = worse_positions(&positions, 0.025);
        assert_eq!(worse.len(), 1);
        assert!(
            worse[0].0 == 40 && close(worse[0].1, 41.0 / 184_756.0),
            "{worse:?}"
        );
        assert!(!solved_test(&positions[..40]).is_worse(0.05));
        // By hand: 4 times 0.005, 3 times 0.01, 2 times 0.03, and none less than the one before.
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(
            found.iter().zip(expected).all(|(a, b)| close(*a, b)),
            "{found:?}"
        );
    }

    #[test]
    fn edges() {
        assert!((SignTest::default().p_value - 1.0).abs() < f64::EPSILON);
        assert!((sign_test(7, 7).p_value - 1.0).abs() < f64::EPSILON);
        // 2^-5000 underflows f64; arbitrary-precision integers give 0.04931585810417184.
        let p = sign_test(2570, 2430).p_value;
        assert!((p / 0.049_315_858_104_171_84 - 1.0).abs() < 1e-9, "{p}");
        assert!(sign_test(100_000, 0).p_value < 1e-300);
    }
}

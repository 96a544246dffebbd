//! How large a share of what could be found was overlooked, with a 95 % interval.

use serde::Serialize;

use crate::trust::wilson_lower_bound;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    pub shown: u64,
    pub found: u64,
    /// The share that was not found, from 0 to 1.
    pub overlooked: f64,
    /// The lower end of the 95 % interval of that share.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What one person was shown and found of something. Decisions within a cluster may be alike; clusters are independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    pub shown: u64,
    /// How often it was found; at most as often as it was shown.
    pub found: u64,
}

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// The share over all clusters, with Wilson's interval for the *effective* number of decisions (Korn and Graubard
    /// 1998): that number of independent decisions which would give the variance found between clusters. 0 to 1 if
    /// nothing was shown.
    pub fn from_clusters(clusters: &[Cluster]) -> Self {
        let shown: u64 = clusters.iter().map(|one| one.shown).sum();
        let found: u64 = clusters.iter().map(|one| one.found).sum();
        if shown == 0 {
            return Self {
                high: 1.0,
                ..Self::default()
            };
        }
        let overlooked = real(shown - found) / real(shown);
        let trials = effective(clusters, shown, overlooked);
        let high = 1.0 - wilson_lower_bound((1.0 - overlooked) * trials, trials);
        Self {
            shown,
            found,
            overlooked,
            low: wilson_lower_bound(overlooked * trials, trials),
            high,
        }
    }
}

/// The effective number of decisions: never more than there were, and never fewer than if all decisions of a cluster
/// were the same one (Kish 1965). Between these the variance of the ratio over clusters decides, with Student's
/// quantile, since that variance is estimated from few clusters.
fn effective(clusters: &[Cluster], shown: u64, overlooked: f64) -> f64 {
    let shown = real(shown);
    let squares: f64 = clusters.iter().map(|one| real(one.shown * one.shown)).sum();
    let fewest = shown * shown / squares;
    let count = clusters.iter().filter(|one| one.shown > 0).count();
    let residual = |one: &Cluster| {
        let rest = real(one.shown - one.found) - overlooked * real(one.shown);
        rest * rest
    };
    let between: f64 = clusters.iter().map(residual).sum();
    if count < 2 || between <= 0.0 {
        return fewest;
    }
    let freedom = real(count as u64 - 1);
    let variance = (freedom + 1.0) / freedom * between / (shown * shown);
    let by_normal = overlooked * (1.0 - overlooked) / variance;
    let shrink = Z / student(freedom);
    (by_normal * shrink * shrink).clamp(fewest, shown)
}

/// The 97.5 % quantile of Student's law by the expansion of Cornish and Fisher (Abramowitz and Stegun, 26.7.5); below
/// three degrees of freedom it is too small, but there the fewest decisions decide.
fn student(freedom: f64) -> f64 {
    let z2 = Z * Z;
    let terms = [
        Z * (z2 + 1.0) / 4.0,
        Z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
        Z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
    ];
    let [first, second, third] = terms;
    Z + (first + (second + third / freedom) / freedom) / freedom
}

#[expect(clippy::cast_precision_loss, reason = "far fewer decisions than 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    fn clusters(given: &[(u64, u64)]) -> Vec<Cluster> {
        let one = |&(shown, found): &(u64, u64)| Cluster { shown, found };
        given.iter().map(one).collect()
    }

    #[track_caller]
    fn close(found: f64, expected: f64, tolerance: f64) {
        let difference = (found - expected).abs();
        assert!(difference <= tolerance, "{found}, expected {expected}");
    }

    /// One decision each is the plain interval of Wilson: Newcombe (1998), table I, and 19 of 20.
    #[test]
    fn independent_decisions_have_wilsons_interval() {
        for (overlooked, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (1, 20, 0.0089, 0.2361),
        ] {
            let given: Vec<_> = (0..of).map(|n| (1, u64::from(n >= overlooked))).collect();
            let share = Share::from_clusters(&clusters(&given));
            assert_eq!((share.shown, share.found), (of, of - overlooked));
            close(share.low, low, 5e-5);
            close(share.high, high, 5e-5);
        }
    }

    #[test]
    fn quantiles_are_students() {
        for (freedom, expected) in [(3.0, 3.182), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042)] {
            close(student(freedom), expected, 0.025);
        }
    }

    /// Ten people of whom half overlook everything are ten decisions, not three hundred.
    #[test]
    fn people_who_overlook_all_alike_count_once() {
        let given: Vec<_> = (0..10).map(|n| (30, if n < 5 { 0 } else { 30 })).collect();
        let alike = Share::from_clusters(&clusters(&given));
        let single: Vec<_> = (0..10).map(|n| (1, u64::from(n >= 5))).collect();
        let single = Share::from_clusters(&clusters(&single));
        close(alike.low, single.low, 1e-12);
        close(alike.high, single.high, 1e-12);
    }

    /// A person of some skill, who is shown some moves: the mean share overlooked is 0.15.
    fn person(chance: &mut ChaCha8Rng) -> Cluster {
        // The minimum of two uniform numbers has the mean 1/3.
        let skill = chance.random::<f64>().min(chance.random::<f64>()) * 0.45;
        let shown = chance.random_range(5..40);
        let found = (0..shown).filter(|_| chance.random::<f64>() >= skill);
        Cluster {
            shown,
            found: found.count() as u64,
        }
    }

    #[test]
    fn nineteen_of_twenty_intervals_hold_the_truth() {
        let mut chance = ChaCha8Rng::seed_from_u64(3);
        for people in [6, 15, 50] {
            let trials = 2000;
            let holds = (0..trials).filter(|_| {
                let crowd: Vec<Cluster> = (0..people).map(|_| person(&mut chance)).collect();
                let share = Share::from_clusters(&crowd);
                share.low <= 0.15 && 0.15 <= share.high
            });
            let held = real(holds.count() as u64) / f64::from(trials);
            assert!((0.925..0.985).contains(&held), "{people} people: {held}");
        }
    }

    #[test]
    fn nothing_shown_is_nothing_known() {
        let share = Share::from_clusters(&[]);
        assert_eq!((share.shown, share.low, share.high), (0, 0.0, 1.0));
    }
}

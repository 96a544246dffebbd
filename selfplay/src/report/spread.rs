//! Handles results without a spread. Pure.

use crate::stats::{AfterStop, Counts, Estimate, Summary};

/// Whether results differ, so that their spread can be estimated; false for one pair, or if all are
/// equal.
pub(super) fn is_known(counts: &Counts) -> bool {
    !counts.cells_in_use().contains(&counts.samples())
}

/// Strength computed from counts; values that need an unknown spread are NaN. `None` without any
/// games.
pub(super) fn strength(counts: &Counts) -> Option<Summary> {
    let mut summary = Summary::of(counts)?;
    for value in [&mut summary.elo.value, &mut summary.nelo.value] {
        // A rounding residue of zero.
        if value.abs() < 1e-9 {
            *value = 0.0;
        }
    }
    if is_known(counts) {
        return Some(summary);
    }
    Some(Summary {
        elo: Estimate {
            lower: f64::NAN,
            upper: f64::NAN,
            ..summary.elo
        },
        nelo: Estimate {
            value: f64::NAN,
            lower: f64::NAN,
            upper: f64::NAN,
        },
        los: f64::NAN,
        ..summary
    })
}

/// Strength after a stop; `None` for results without a spread.
pub(super) fn after_stop(counts: &Counts, after: Option<AfterStop>) -> Option<AfterStop> {
    after.filter(|_| is_known(counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;

    fn strength_of(pairs: [u64; 5]) -> Summary {
        strength(&Counts::of_pairs(Pentanomial(pairs))).expect("pairs")
    }

    #[test]
    fn one_pair_or_one_kind_has_no_interval() {
        for pairs in [[0, 0, 0, 1, 0], [0, 0, 7, 0, 0], [0, 0, 0, 0, 9]] {
            let summary = strength_of(pairs);
            assert!(summary.elo.value.is_finite(), "{pairs:?}");
            let unknown = [
                summary.elo.lower,
                summary.elo.upper,
                summary.nelo.value,
                summary.los,
            ];
            assert!(unknown.into_iter().all(f64::is_nan), "{summary:?}");
        }
        let even = strength_of([0, 0, 7, 0, 0]);
        assert_eq!(even.elo.value.to_bits(), 0, "no 14 digits of nothing");
        let counts = Counts::of_pairs(Pentanomial([0, 0, 1, 1, 0]));
        assert_eq!(strength(&counts), Summary::of(&counts));
    }
}

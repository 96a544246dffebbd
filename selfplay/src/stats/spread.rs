//! Handles results that are too few, or lack a spread. Pure.

use super::{AfterStop, Counts, Estimate, Summary};

/// Minimum number of pairs for an interval, nElo or LOS. The spread is estimated from the pairs
/// themselves; from ten, its standard error is still a quarter of it.
pub(crate) const FEWEST_PAIRS: u64 = 10;

/// Whether there are enough results, and they differ, so that their spread can be estimated.
pub(crate) fn is_known(counts: &Counts) -> bool {
    let pairs = counts.samples();
    pairs >= FEWEST_PAIRS && !counts.cells_in_use().contains(&pairs)
}

/// Why values are missing; `what` are pairs or games.
pub(crate) fn unknown(what: &str) -> String {
    format!(
        "with fewer than {FEWEST_PAIRS} {what}, or where all end alike, the spread is not known, and so no \
         interval, nElo or LOS"
    )
}

/// Strength computed from counts; values that need an unknown spread are NaN. `None` without any
/// games.
pub(crate) fn strength(counts: &Counts) -> Option<Summary> {
    let mut summary = Summary::from_counts(counts)?;
    for value in [&mut summary.elo.value, &mut summary.nelo.value] {
        // A rounding residue of zero.
        if value.abs() < 1e-9 {
            *value = 0.0;
        }
    }
    if is_known(counts) {
        return Some(summary);
    }
    // Few pairs that are all won or lost have no Elo: any high one would do.
    let is_open = counts.samples() < FEWEST_PAIRS && !(0.001..0.999).contains(&summary.score);
    Some(Summary {
        elo: Estimate {
            value: if is_open { f64::NAN } else { summary.elo.value },
            lower: f64::NAN,
            upper: f64::NAN,
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
pub(crate) fn after_stop(counts: &Counts, after: Option<AfterStop>) -> Option<AfterStop> {
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
    fn few_pairs_or_one_kind_have_no_interval() {
        for pairs in [
            [0, 0, 0, 1, 0],
            [0, 1, 7, 1, 0],
            [0, 0, 17, 0, 0],
            [0, 0, 0, 0, 19],
        ] {
            let summary = strength_of(pairs);
            assert!(summary.elo.value.is_finite(), "{pairs:?}");
            assert!(strength_of([0, 0, 0, 0, 9]).elo.value.is_nan());
            let unknown = [
                summary.elo.lower,
                summary.elo.upper,
                summary.nelo.value,
                summary.los,
            ];
            assert!(unknown.into_iter().all(f64::is_nan), "{summary:?}");
        }
        let even = strength_of([0, 0, 17, 0, 0]);
        assert_eq!(even.elo.value.to_bits(), 0, "no 14 digits of nothing");
        let counts = Counts::of_pairs(Pentanomial([0, 0, 9, 1, 0]));
        assert_eq!(strength(&counts), Summary::from_counts(&counts));
    }
}

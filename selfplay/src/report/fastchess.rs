//! Words for the numbers of fastchess where they differ from ours. Pure.

use super::{decimals, percent};
use crate::stats::{FastchessStrength, Summary};

/// `nElo 46.99 ± 39.32, LLR 0.19`: the numbers that differ as printed; `None` if none does. `llr` is
/// ours and that of fastchess.
pub(super) fn differences(
    ours: &Summary,
    theirs: &FastchessStrength,
    llr: Option<[f64; 2]>,
) -> Option<String> {
    let two = |number: f64| decimals(number, 2);
    let pair = |value: f64, error: f64| format!("{} ± {}", two(value), two(error));
    let lines = [
        (
            "Elo",
            pair(ours.elo.value, ours.elo.error()),
            pair(theirs.elo, theirs.elo_error),
        ),
        (
            "nElo",
            pair(ours.nelo.value, ours.nelo.error()),
            pair(theirs.nelo, theirs.nelo_error),
        ),
        ("LOS", percent(ours.los), percent(theirs.los)),
    ];
    let llr = llr.map(|[ours, theirs]| ("LLR", decimals(ours, 3), decimals(theirs, 3)));
    let differ = lines.into_iter().chain(llr);
    let differ = differ.filter(|(_, ours, theirs)| ours != theirs);
    let texts: Vec<String> = differ
        .map(|(name, _, theirs)| format!("{name} {theirs}"))
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

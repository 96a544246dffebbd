//! Few positions that show many signatures.

use std::collections::BTreeMap;

use super::{Signature, SignatureSet};

/// Chooses positions that show every signature that is missing and that any of them shows; `shown` has
/// the signatures of each position, without duplicates. Returns their indices, in rising order.
///
/// Greedy, rarest signatures first: of the positions that show one, the one that shows most of what is
/// still missing. In the end, positions that others have made redundant are dropped. The result is
/// minimal, in that none of its positions can be left out, but rarely the smallest.
pub fn cover(missing: &SignatureSet, shown: &[Vec<Signature>]) -> Vec<usize> {
    let mut by_signature: BTreeMap<Signature, Vec<usize>> = BTreeMap::new();
    for (index, all) in shown.iter().enumerate() {
        for &signature in all.iter().filter(|&&one| missing.contains(one)) {
            by_signature.entry(signature).or_default().push(index);
        }
    }
    let mut rarest_first: Vec<(&Signature, &Vec<usize>)> = by_signature.iter().collect();
    rarest_first.sort_by_key(|(_, positions)| positions.len());
    let mut open = missing.clone();
    let mut chosen = Vec::new();
    for (&signature, positions) in rarest_first {
        if !open.contains(signature) {
            continue;
        }
        let gain = |index: usize| {
            shown[index]
                .iter()
                .filter(|&&one| open.contains(one))
                .count()
        };
        let best = positions.iter().copied().max_by_key(|&index| gain(index));
        let best = best.expect("some position shows it");
        for &one in &shown[best] {
            open.remove(one);
        }
        chosen.push(best);
    }
    drop_redundant(&mut chosen, missing, shown);
    chosen.sort_unstable();
    chosen
}

fn drop_redundant(chosen: &mut Vec<usize>, missing: &SignatureSet, shown: &[Vec<Signature>]) {
    let wanted = |index: usize| shown[index].iter().filter(|&&one| missing.contains(one));
    let mut times: BTreeMap<Signature, u32> = BTreeMap::new();
    for &one in chosen.iter().flat_map(|&index| wanted(index)) {
        *times.entry(one).or_default() += 1;
    }
    chosen.retain(|&index| {
        let is_needed = wanted(index).any(|one| times[one] == 1);
        if !is_needed {
            for one in wanted(index) {
                *times.get_mut(one).expect("it was counted") -= 1;
            }
        }
        is_needed
    });
}

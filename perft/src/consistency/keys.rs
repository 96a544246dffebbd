//! Remembers every key and the position it stands for, and judges equal keys by their width.
//!
//! Two positions have the same 64-bit key by chance once in 10^19 pairs, but the same 16-bit key once
//! in 65,536. Equal keys are a fault only if chance does not explain how many there are.

use std::collections::{BTreeMap, HashMap};

use super::judge::difference;
use super::outcome::ConsistencyFault;
use crate::count::subject::Route;

/// The chance up to which equal keys are a fault: one in a million.
const LEAST_CHANCE: f64 = 1e-6;

#[derive(Default)]
pub(super) struct HashKeys {
    /// The first position with each key.
    seen: HashMap<String, Route>,
    /// Positions noted.
    noted: u64,
    /// Pairs of neighbours compared, by the way in which they differ.
    compared: BTreeMap<ConsistencyFault, u64>,
    /// Equal keys of neighbours, and of positions that met by chance.
    equal_neighbours: BTreeMap<ConsistencyFault, EqualKeys>,
    equal_others: BTreeMap<ConsistencyFault, EqualKeys>,
    /// Digits of the longest key, without its sign.
    digits: u32,
    largest_digit: u8,
}

/// Different positions with equal keys.
#[derive(Clone, Debug)]
pub(super) struct EqualKeys {
    pub(super) count: u64,
    /// The first of them.
    pub(super) routes: [Route; 2],
}

/// Whether equal keys are a fault.
pub(super) struct KeyVerdict {
    pub(super) equal: EqualKeys,
    /// A bound on the probability of as many equal keys by chance.
    pub(super) chance: f64,
}

impl KeyVerdict {
    pub(super) fn is_fault(&self) -> bool {
        self.chance < LEAST_CHANCE
    }
}

impl HashKeys {
    /// Notes the key of a position, and compares it with all positions noted before.
    pub(super) fn note(&mut self, key: &str, route: &Route) {
        self.noted += 1;
        // The sign is no digit: of a signed number, the others show the width.
        let digits = key.trim_start_matches('-').len();
        self.digits = self.digits.max(u32::try_from(digits).unwrap_or(u32::MAX));
        self.largest_digit = self.largest_digit.max(key.bytes().max().unwrap_or(0));
        match self.seen.get(key) {
            None => {
                self.seen.insert(key.to_owned(), route.clone());
            }
            Some(earlier) => {
                if let Some(kind) = difference(earlier.position(), route.position()) {
                    let routes = [earlier.clone(), route.clone()];
                    add(&mut self.equal_others, kind, routes);
                }
            }
        }
    }

    /// Compares two positions that differ in one thing only.
    pub(super) fn compare(&mut self, kind: ConsistencyFault, routes: [Route; 2], is_equal: bool) {
        *self.compared.entry(kind).or_default() += 1;
        if is_equal {
            add(&mut self.equal_neighbours, kind, routes);
        }
    }

    /// The width of the keys in bits, as far as their digits show it.
    pub(super) fn bits(&self) -> f64 {
        // Among many keys in hexadecimal, some have a letter; decimal ones have a digit above 1.
        let bits_of_digit = match self.largest_digit {
            b'a'.. => 4.0,
            b'2'.. => f64::log2(10.0),
            _ => 1.0,
        };
        // The 20 decimal digits of a 64-bit number could hold 66 bits.
        (f64::from(self.digits) * bits_of_digit).min(64.0)
    }

    /// Every kind of equal keys, judged.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(super) fn verdicts(&self) -> Vec<KeyVerdict> {
        let space = self.bits().exp2();
        let judge = |equal: &EqualKeys, expected: f64| KeyVerdict {
            equal: equal.clone(),
            chance: chance_of(equal.count as f64, expected),
        };
        let neighbours = self.equal_neighbours.iter();
        let neighbours =
            neighbours.map(|(kind, equal)| judge(equal, self.compared[kind] as f64 / space));
        let noted = self.noted as f64;
        // Pairs of n positions are n(n - 1)/2, nearly.
        let pairs = noted * noted / 2.0;
        // What neighbours show needs no second example.
        let others = self.equal_others.iter();
        let others = others.filter(|(kind, _)| !self.equal_neighbours.contains_key(kind));
        let others = others.map(|(_, equal)| judge(equal, pairs / space));
        neighbours.chain(others).collect()
    }
}

fn add(
    all: &mut BTreeMap<ConsistencyFault, EqualKeys>,
    kind: ConsistencyFault,
    routes: [Route; 2],
) {
    let equal = all.entry(kind).or_insert(EqualKeys { count: 0, routes });
    equal.count += 1;
}

/// Chernoff's bound on the probability of at least `count` events if `expected` are expected.
fn chance_of(count: f64, expected: f64) -> f64 {
    // The bound holds above the expected number only.
    if count <= expected {
        return 1.0;
    }
    // P(X >= k) <= (e m)^k e^-m / k^k for Poisson's distribution with mean m < k, in logarithms:
    // https://en.wikipedia.org/wiki/Poisson_distribution
    (count - expected - count * (count / expected).ln()).exp()
}

#[cfg(test)]
mod tests {
    use chess::rules::Position;

    use super::*;

    #[test]
    fn narrow_keys_are_not_accused_of_chance() {
        // Count, pairs, bits: a single pair of equal keys, then all of them.
        for (count, pairs, bits, is_fault) in [
            (1.0, 1000.0, 64, true),
            (1.0, 1e8, 64, true),
            (1.0, 1000.0, 32, true),
            (1.0, 1e8, 32, false),
            (1.0, 1000.0, 16, false),
            (500.0, 500.0, 16, true),
            (500.0, 500.0, 1, true),
            (250.0, 500.0, 1, false),
        ] {
            let chance = chance_of(count, pairs / f64::from(bits).exp2());
            assert_eq!(
                chance < LEAST_CHANCE,
                is_fault,
                "{count} of {pairs}, {bits} bits: {chance}"
            );
        }
    }

    #[test]
    fn the_width_is_seen_from_the_digits() {
        for (keys, expected) in [
            (&["8f8f01d4562f59fb"][..], 64.0),
            (&["12", "ff"], 8.0),
            (&["5521865908262336403"], 63.1),
            (&["-5521865908262336403", "7"], 63.1),
            (&["-2075680834", "75680834"], 33.2),
            (&["-7bb98ad1", "12"], 32.0),
            (&["-75680834"], 26.6),
            (&["0101"], 4.0),
        ] {
            let mut all = HashKeys::default();
            for key in keys {
                all.note(key, &Route::by_fen(Position::startpos()));
            }
            assert!(
                (all.bits() - expected).abs() < 0.1,
                "{keys:?}: {}",
                all.bits()
            );
        }
    }
}

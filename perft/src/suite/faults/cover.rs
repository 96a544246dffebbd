//! The cheapest choice of sets that covers all that any of them has, and how far from the best it can be.
//!
//! Weighted set cover by Lagrangian relaxation (Beasley 1990; Caprara, Fischetti and Toth 1999): each
//! element gets a price, and a set is worth the prices of its elements. Prices under which no set is worth
//! more than its cost add up to a lower bound of every cover's cost; sets worth the most for their cost
//! make good covers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A set that may be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Positive and finite.
    pub cost: f64,
    /// Its elements, each once.
    pub elements: Vec<u32>,
}

/// A choice of sets that has every element.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// Indices of the chosen sets, in rising order; none can be left out.
    pub chosen: Vec<usize>,
    /// What the chosen sets cost together.
    pub cost: f64,
    /// No cover by these sets costs less than this.
    pub lower_bound: f64,
    /// The prices of the elements that give this bound. A set that is not among the offers can make the
    /// cover cheaper only if its elements are worth more than it costs.
    pub prices: Vec<f64>,
}

/// Rounds of improving the prices.
const ROUNDS: u32 = 1_500;
/// Rounds without a better bound after which the prices are changed by half as much.
const PATIENCE: u32 = 20;
/// A cover is built from the prices of every round whose number this divides.
const ROUNDS_A_COVER: u32 = 10;

/// Covers all elements that any of these sets has. Deterministic; the cover is minimal, in that no set can
/// be left out, and usually within a few hundredths of the cheapest.
pub fn cover(offers: &[Offer]) -> Cover {
    let problem = Problem::new(offers);
    let prices = problem.first_prices();
    problem.solve(prices, ROUNDS)
}

/// As [`cover`], but from these prices on, by element, and in so many rounds.
pub fn cover_from(offers: &[Offer], prices: &[f64], rounds: u32) -> Cover {
    let problem = Problem::new(offers);
    let first = problem.first_prices().into_iter().enumerate();
    let known = |(element, first): (usize, f64)| match prices.get(element) {
        Some(&price) if price > 0.0 => price.min(4.0 * first),
        _ => first,
    };
    problem.solve(first.map(known).collect(), rounds)
}

impl Problem<'_> {
    fn solve(&self, mut prices: Vec<f64>, rounds: u32) -> Cover {
        // With equal prices, this is the greedy cover: an upper bound to begin with.
        let mut best = self.build(&vec![1.0; prices.len()]);
        let (mut stride, mut failures) = (1.0, 0);
        for round in 0..rounds {
            let state = self.relax(&prices);
            if state.bound > best.lower_bound {
                best.lower_bound = state.bound;
                best.prices.clone_from(&prices);
                failures = 0;
            } else {
                failures += 1;
            }
            if round % ROUNDS_A_COVER == 0 {
                let next = self.build(&prices);
                if next.cost < best.cost {
                    (best.chosen, best.cost) = (next.chosen, next.cost);
                }
            }
            // A price of nothing cannot fall.
            let moving = state.surplus.iter().zip(&prices);
            let moving = moving.filter(|&(&surplus, &price)| surplus < 0.0 || price > 0.0);
            let length: f64 = moving.map(|(one, _)| one * one).sum();
            // No price has a reason to move, or the bound proves that the cover is the cheapest.
            if length == 0.0 || best.cost <= best.lower_bound {
                break;
            }
            if failures == PATIENCE {
                prices.clone_from(&best.prices);
                (stride, failures) = (stride / 2.0, 0);
                continue;
            }
            // The step is the gap by the squared length (Held, Wolfe and Crowder 1974).
            let step = stride * (best.cost - state.bound) / length;
            for (price, surplus) in prices.iter_mut().zip(&state.surplus) {
                // Multipliers of inequalities are not negative.
                *price = (*price - step * surplus).max(0.0);
            }
        }
        best
    }
}

struct Problem<'a> {
    offers: &'a [Offer],
    /// The sets that have each element; no set for numbers that are not in use.
    holders: Vec<Vec<usize>>,
}

/// The relaxed problem under some prices, in which elements may be left out at their price.
struct Relaxed {
    bound: f64,
    /// By how many sets each element is covered too often, -1 for those that are not covered.
    surplus: Vec<f64>,
}

impl<'a> Problem<'a> {
    fn new(offers: &'a [Offer]) -> Self {
        let elements = || offers.iter().flat_map(|offer| &offer.elements);
        let count = elements().max().map_or(0, |&last| last as usize + 1);
        let mut holders = vec![Vec::new(); count];
        for (index, offer) in offers.iter().enumerate() {
            for &element in &offer.elements {
                holders[element as usize].push(index);
            }
        }
        Self { offers, holders }
    }

    /// Each element costs its share in the set where that is least, so that no set is worth more than it costs.
    fn first_prices(&self) -> Vec<f64> {
        let share = |&index: &usize| {
            let offer = &self.offers[index];
            let elements = u32::try_from(offer.elements.len()).unwrap_or(u32::MAX);
            offer.cost / f64::from(elements)
        };
        let least = |holders: &Vec<usize>| holders.iter().map(share).reduce(f64::min);
        self.holders
            .iter()
            .map(|all| least(all).unwrap_or(0.0))
            .collect()
    }

    fn worth(&self, index: usize, prices: &[f64]) -> f64 {
        let elements = self.offers[index].elements.iter();
        elements.map(|&element| prices[element as usize]).sum()
    }

    fn relax(&self, prices: &[f64]) -> Relaxed {
        // L(u) = sum of u + sum of min(0, cost - worth), for prices u (Caprara, Fischetti and Toth
        // 1999).
        let mut bound: f64 = prices.iter().sum();
        // At first, each element that some set has is missing.
        let is_used = |holders: &Vec<usize>| if holders.is_empty() { 0.0 } else { -1.0 };
        let mut surplus: Vec<f64> = self.holders.iter().map(is_used).collect();
        for (index, offer) in self.offers.iter().enumerate() {
            let gain = self.worth(index, prices) - offer.cost;
            if gain > 0.0 {
                bound -= gain;
                for &element in &offer.elements {
                    surplus[element as usize] += 1.0;
                }
            }
        }
        Relaxed { bound, surplus }
    }

    /// A cover: again and again the set whose elements that are still missing are worth the most for its
    /// cost; then sets that have become redundant are dropped, the most expensive first.
    fn build(&self, prices: &[f64]) -> Cover {
        // An element of no worth has to be covered as well.
        let floor = 1e-9;
        let prices: Vec<f64> = prices.iter().map(|price| price.max(floor)).collect();
        let mut open = prices.clone();
        let ratio = |index: usize, open: &[f64]| {
            // Ordered like the number, since it is not negative.
            (self.worth(index, open) / self.offers[index].cost).to_bits()
        };
        // Of equal sets, the first is taken: the result is the same each time.
        let all = (0..self.offers.len()).map(|index| (ratio(index, &open), Reverse(index)));
        let mut heap: BinaryHeap<(u64, Reverse<usize>)> = all.collect();
        let mut chosen = Vec::new();
        while let Some((_, Reverse(index))) = heap.pop() {
            let now = ratio(index, &open);
            if now == 0 {
                continue;
            }
            // Its worth may have shrunk since it was put there.
            if heap.peek().is_some_and(|&(next, _)| next > now) {
                heap.push((now, Reverse(index)));
                continue;
            }
            chosen.push(index);
            for &element in &self.offers[index].elements {
                open[element as usize] = 0.0;
            }
        }
        self.drop_redundant(&mut chosen);
        chosen.sort_unstable();
        Cover {
            cost: chosen.iter().map(|&index| self.offers[index].cost).sum(),
            lower_bound: 0.0,
            prices: prices.clone(),
            chosen,
        }
    }

    fn drop_redundant(&self, chosen: &mut Vec<usize>) {
        let mut times = vec![0_u32; self.holders.len()];
        for element in chosen
            .iter()
            .flat_map(|&index| &self.offers[index].elements)
        {
            times[*element as usize] += 1;
        }
        chosen.sort_by(|&a, &b| f64::total_cmp(&self.offers[b].cost, &self.offers[a].cost));
        chosen.retain(|&index| {
            let elements = &self.offers[index].elements;
            let is_needed = elements.iter().any(|&one| times[one as usize] == 1);
            if !is_needed {
                for &one in elements {
                    times[one as usize] -= 1;
                }
            }
            is_needed
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn offers(rows: &[(f64, &[u32])]) -> Vec<Offer> {
        let offer = |&(cost, elements): &(f64, &[u32])| Offer {
            cost,
            elements: elements.to_vec(),
        };
        rows.iter().map(offer).collect()
    }

    #[test]
    fn the_cheapest_of_small_choices() {
        type Sets<'a> = &'a [(f64, &'a [u32])];
        let rows: [(Sets<'_>, &[usize]); 6] = [
            (&[], &[]),
            (
                &[(1.0, &[0]), (1.0, &[1]), (1.0, &[0, 1]), (1.0, &[2, 3])],
                &[2, 3],
            ),
            (&[(1.0, &[0, 1]), (1.0, &[1, 2]), (1.0, &[2, 3])], &[0, 2]),
            // Greed takes the first.
            (
                &[(1.0, &[0, 1, 2, 3]), (1.0, &[0, 1, 4]), (1.0, &[2, 3, 5])],
                &[1, 2],
            ),
            // One for all is dearer than two for a half each.
            (
                &[(5.0, &[0, 1, 2, 3]), (2.0, &[0, 1]), (2.0, &[2, 3])],
                &[1, 2],
            ),
            (&[(1.0, &[7]), (0.5, &[7]), (1.0, &[])], &[1]),
        ];
        for (sets, expected) in rows {
            assert_eq!(cover(&offers(sets)).chosen, expected, "{sets:?}");
        }
    }

    proptest! {
        #[test]
        fn covers_are_complete_minimal_and_bounded(
            rows in prop::collection::vec((1..20_u32, prop::collection::btree_set(0..12_u32, 0..5)), 0..11),
        ) {
            let offers: Vec<Offer> = rows
                .iter()
                .map(|(cost, elements)| Offer {
                    cost: f64::from(*cost),
                    elements: elements.iter().copied().collect(),
                })
                .collect();
            let elements = |chosen: &[usize]| {
                chosen.iter().flat_map(|&index| rows[index].1.clone()).collect::<std::collections::BTreeSet<_>>()
            };
            let all: Vec<usize> = (0..rows.len()).collect();
            let cost = |chosen: &[usize]| chosen.iter().map(|&index| offers[index].cost).sum::<f64>();
            // Every choice is looked at.
            let best = (0..1_u32 << rows.len())
                .map(|bits| all.iter().copied().filter(|index| bits >> index & 1 == 1).collect::<Vec<_>>())
                .filter(|chosen| elements(chosen) == elements(&all))
                .map(|chosen| cost(&chosen))
                .fold(f64::INFINITY, f64::min);
            let found = cover(&offers);
            prop_assert_eq!(elements(&found.chosen), elements(&all));
            prop_assert!((found.cost - cost(&found.chosen)).abs() < 1e-9);
            prop_assert!(found.lower_bound <= best + 1e-9, "{} > {}", found.lower_bound, best);
            prop_assert!(best <= found.cost + 1e-9);
            for left_out in 0..found.chosen.len() {
                let mut fewer = found.chosen.clone();
                fewer.remove(left_out);
                prop_assert_ne!(elements(&fewer), elements(&all));
            }
            // No set is worth more than it costs by more than the bound says.
            let worth = |one: &Offer| one.elements.iter().map(|&one| found.prices[one as usize]).sum::<f64>();
            let gains: f64 = offers.iter().map(|one| (worth(one) - one.cost).max(0.0)).sum();
            let sum: f64 = found.prices.iter().sum();
            prop_assert!(found.lower_bound <= sum - gains + 1e-9);
        }
    }
}

//! Book move selection.

use super::BookMove;
use chess::rules::Move;

/// Chooses a move with a probability proportional to its weight; moves of weight 0 are never
/// chosen. `None` if there is no other. The same `random` gives the same move.
pub fn choose(moves: &[BookMove], random: u64) -> Option<Move> {
    let total: u64 = moves.iter().map(|one| u64::from(one.weight)).sum();
    // The high half of the product is below the total and almost exactly uniform (Lemire 2019).
    let mut left = (u128::from(random) * u128::from(total)) >> 64;
    let chosen = moves.iter().find(|one| {
        let weight = u128::from(one.weight);
        let is_here = left < weight;
        left = left.saturating_sub(weight);
        is_here
    });
    chosen.map(|one| one.m)
}

/// The move with the highest weight, the first of equals. `None` if all weights are 0.
pub fn best(moves: &[BookMove]) -> Option<Move> {
    let most = moves.iter().map(|one| one.weight).max()?;
    let mut moves = moves.iter().filter(|one| one.weight > 0);
    moves.find(|one| one.weight == most).map(|one| one.m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::Square;

    /// Moves with these weights, to the squares of the first rank.
    fn moves(weights: &[u16]) -> Vec<BookMove> {
        let squares = Square::ALL.into_iter();
        let weighted = squares.zip(weights).map(|(to, &weight)| BookMove {
            m: Move::new(Square::H8, to),
            weight,
            learn: 0,
        });
        weighted.collect()
    }

    fn targets(weights: &[u16], randoms: impl Iterator<Item = u64>) -> Vec<usize> {
        let moves = moves(weights);
        let mut counts = vec![0; weights.len()];
        for random in randoms {
            let m = choose(&moves, random).expect("there is weight");
            counts[m.to().index()] += 1;
        }
        counts
    }

    #[test]
    fn each_as_often_as_its_weight() {
        // Equidistant numbers meet each move in proportion to its weight.
        let even = || (0..1_000).map(|n| n * (u64::MAX / 1_000) + 1_000);
        assert_eq!(targets(&[1, 2, 0, 5, 2], even()), [100, 200, 0, 500, 200]);
        assert_eq!(targets(&[0, 9], [0, u64::MAX].into_iter()), [0, 2]);
        assert_eq!(targets(&[9, 1, 0], [0, u64::MAX].into_iter()), [1, 1, 0]);
        let most = [u16::MAX; 60];
        assert_eq!(targets(&most, [0].into_iter())[0], 1);
        assert_eq!(targets(&most, [u64::MAX].into_iter())[59], 1);
    }

    #[test]
    fn nothing_without_weight() {
        assert_eq!(choose(&[], 7), None);
        assert_eq!(choose(&moves(&[0, 0]), 7), None);
        assert_eq!(best(&[]), None);
        assert_eq!(best(&moves(&[0, 0])), None);
    }

    #[test]
    fn the_best_is_the_first_of_the_heaviest() {
        let m = best(&moves(&[1, 7, 7, 3])).expect("there is weight");
        assert_eq!(m.to(), Square::B1);
    }
}

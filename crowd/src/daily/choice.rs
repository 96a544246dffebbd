//! Which position of the pool is the board of a day.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::pool::{Grade, PoolEntry};

/// Number of days until a position may be a board again.
pub const REST_DAYS: i64 = 365;

/// Chooses the board of a day: of the day's grade, and not a board of the last or next [`REST_DAYS`] days. If the
/// grade has none left, of any grade; if none is left at all, one whose nearest day is the furthest away.
///
/// `used` has the days near this one on which a position is the board, by FEN. Equal arguments give equal choices, in
/// whatever order the entries come, and without the seed nobody can foresee them. None if there are no entries.
pub fn choose<'a>(
    day: i64,
    seed: u64,
    entries: &[&'a PoolEntry],
    used: &BTreeMap<String, Vec<i64>>,
) -> Option<&'a PoolEntry> {
    let rest = |entry: &PoolEntry| {
        let days = used.get(&entry.fen).map_or(&[][..], Vec::as_slice);
        let distances = days.iter().map(|other| other.abs_diff(day));
        distances
            .min()
            .unwrap_or(u64::MAX)
            // All positions beyond a year have rested enough, so that grade and lot decide.
            .min(REST_DAYS.unsigned_abs())
    };
    let grade = Grade::of_day(day);
    let order = |entry: &PoolEntry| {
        (
            rest(entry),
            entry.grade == grade,
            lot(day, seed, &entry.fen),
        )
    };
    entries.iter().copied().max_by_key(|entry| order(entry))
}

fn lot(day: i64, seed: u64, fen: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    // The order of bytes is fixed, so that every machine chooses the same.
    hash.update(seed.to_be_bytes());
    hash.update(day.to_be_bytes());
    hash.update(fen.as_bytes());
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daily::pool::pool;

    fn year(seed: u64, entries: &[&PoolEntry], days: i64) -> Vec<String> {
        let mut used: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        let days = 20_000..20_000 + days;
        days.map(|day| {
            let fen = choose(day, seed, entries, &used)
                .expect("an entry")
                .fen
                .clone();
            used.entry(fen.clone()).or_default().push(day);
            fen
        })
        .collect()
    }

    #[test]
    fn a_year_has_no_board_twice_and_the_grade_of_its_days() {
        let entries: Vec<&PoolEntry> = pool().iter().collect();
        let boards = year(1, &entries, REST_DAYS);
        let distinct: std::collections::BTreeSet<&String> = boards.iter().collect();
        assert_eq!(distinct.len(), boards.len());
        let fits = boards.iter().zip(20_000..).filter(|(fen, day)| {
            let entry = entries.iter().find(|entry| entry.fen == **fen);
            entry.expect("of the pool").grade == Grade::of_day(*day)
        });
        assert_eq!(fits.count(), boards.len());
    }

    #[test]
    fn the_seed_decides_and_the_order_of_the_entries_does_not() {
        let entries: Vec<&PoolEntry> = pool().iter().collect();
        let backwards: Vec<&PoolEntry> = pool().iter().rev().collect();
        let week = year(7, &entries, 7);
        assert_eq!(week, year(7, &backwards, 7));
        assert_ne!(week, year(8, &entries, 7));
    }

    #[test]
    fn a_small_pool_is_used_in_turns() {
        let entries: Vec<&PoolEntry> = pool().iter().take(3).collect();
        let boards = year(1, &entries, 9);
        for (fen, later) in boards.iter().zip(&boards[3..]) {
            assert_eq!(fen, later);
        }
        assert!(choose(0, 1, &[], &BTreeMap::new()).is_none());
    }
}

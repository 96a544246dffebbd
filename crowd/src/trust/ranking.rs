/// A contributor's results in the period of a leaderboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The contributor.
    pub contributor: i64,
    /// Their points.
    pub points: u64,
    /// Number of lists and second looks.
    pub lists: u64,
    /// Correct decisions in scored lists ([`super::Tally::right`]).
    pub right: u64,
    /// All decisions in them ([`super::Tally::decisions`]).
    pub decisions: u64,
}

/// A row of a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The rank, from 1. Rows with equal bounds and points share one.
    pub place: u32,
    /// The contributor's results.
    pub record: Record,
    /// The lower confidence bound of accuracy, by which the board is ordered.
    pub bound: f64,
}

/// Number of decisions of one list that are worth one independent decision.
///
/// Decisions in one list are correlated: overlooking a bishop misses all of its moves. By Kish's
/// design effect, 1 + (m - 1) rho, lists of m = 31 moves with a correlation rho of 0.1 give 4.
pub(super) const DESIGN_EFFECT: f64 = 4.0;

/// The standard normal quantile of a two-sided interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Orders a leaderboard by the lower bound of accuracy; then by points, then by who joined first.
/// Contributors without decisions come last, whatever their points.
pub fn rank(records: &[Record]) -> Vec<Ranked> {
    let mut rows: Vec<Ranked> = records.iter().map(unplaced).collect();
    rows.sort_by(|a, b| {
        is_unproven(a)
            .cmp(&is_unproven(b))
            .then(b.bound.total_cmp(&a.bound))
            .then(b.record.points.cmp(&a.record.points))
            .then(a.record.contributor.cmp(&b.record.contributor))
    });
    let mut place = 0;
    let mut last = None;
    for (row, number) in rows.iter_mut().zip(1..) {
        let standing = (is_unproven(row), row.bound.to_bits(), row.record.points);
        if last != Some(standing) {
            place = number;
        }
        last = Some(standing);
        row.place = place;
    }
    rows
}

fn is_unproven(row: &Ranked) -> bool {
    row.record.decisions == 0
}

#[expect(
    clippy::cast_precision_loss,
    reason = "decisions are far fewer than 2 to the 52nd"
)]
fn unplaced(record: &Record) -> Ranked {
    let trials = record.decisions as f64 / DESIGN_EFFECT;
    let successes = record.right.min(record.decisions) as f64 / DESIGN_EFFECT;
    Ranked {
        place: 0,
        record: *record,
        bound: wilson_lower_bound(successes, trials),
    }
}

/// The lower bound of Wilson's 95 % score interval (1927) for a proportion; 0 without trials.
///
/// The arguments may be fractional, as for weighted trials.
pub fn wilson_lower_bound(successes: f64, trials: f64) -> f64 {
    if trials.is_nan() || trials <= 0.0 {
        return 0.0;
    }
    let share = (successes / trials).clamp(0.0, 1.0);
    let z2 = Z * Z / trials;
    let middle = share + z2 / 2.0;
    let half = Z * libm::sqrt(share * (1.0 - share) / trials + z2 / (4.0 * trials));
    ((middle - half) / (1.0 + z2)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last four are those of Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I.
    #[test]
    fn the_bound_is_wilsons() {
        for (successes, trials, bound) in [
            (0.0, 0.0, 0.0),
            (10.0, 10.0, 0.7225),
            (5.0, 10.0, 0.2366),
            (81.0, 263.0, 0.2553),
            (15.0, 148.0, 0.0624),
            (0.0, 20.0, 0.0),
            (1.0, 29.0, 0.0061),
        ] {
            let found = wilson_lower_bound(successes, trials);
            let difference = (found - bound).abs();
            assert!(difference < 5e-5, "{successes} of {trials}: {found}");
        }
    }

    fn record(contributor: i64, points: u64, right: u64, decisions: u64) -> Record {
        Record {
            contributor,
            points,
            lists: 1,
            right,
            decisions,
        }
    }

    #[test]
    fn one_lucky_list_does_not_lead() {
        let lucky = record(1, 45, 40, 40);
        let steady = record(2, 500, 590, 620);
        let spammer = record(3, 0, 600, 2000);
        let board = rank(&[lucky, spammer, steady]);
        let order: Vec<i64> = board.iter().map(|row| row.record.contributor).collect();
        assert_eq!(order, [2, 1, 3]);
    }

    #[test]
    fn points_without_decisions_come_last() {
        let pair = record(1, 252, 0, 0);
        let wrong = record(2, 0, 0, 9);
        let other = record(3, 0, 0, 0);
        let board = rank(&[pair, other, wrong]);
        let rows: Vec<(u32, i64)> = board
            .iter()
            .map(|row| (row.place, row.record.contributor))
            .collect();
        assert_eq!(rows, [(1, 2), (2, 1), (3, 3)]);
    }

    #[test]
    fn equal_rows_share_a_place() {
        let board = rank(&[
            record(4, 0, 0, 0),
            record(2, 9, 10, 12),
            record(1, 9, 10, 12),
            record(3, 0, 0, 0),
        ]);
        let rows: Vec<(u32, i64)> = board
            .iter()
            .map(|row| (row.place, row.record.contributor))
            .collect();
        assert_eq!(rows, [(1, 1), (1, 2), (3, 3), (3, 4)]);
    }
}

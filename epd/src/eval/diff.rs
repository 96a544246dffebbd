//! Comparison of two tables of evaluations.
#![expect(
    missing_docs,
    reason = "keys of the JSON report, described in docs/epd.md"
)]

use serde::Serialize;

use super::table::{FAILED, ScoreCsvRow, ScoreTable};

/// Number of largest differences that are listed.
const WORST: usize = 20;

/// A position in both tables, with its scores from White's view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScorePair {
    pub file: String,
    pub line: usize,
    pub id: String,
    pub fen: String,
    pub a_cp: i32,
    pub b_cp: i32,
    pub difference_cp: i32,
}

/// A position with a score in one table and a mate or none in the other, or with different text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreChange {
    pub file: String,
    pub line: usize,
    pub fen: String,
    pub a: String,
    pub b: String,
}

/// A bin of the histogram.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The least difference in it; `None` for the first.
    pub least: Option<i32>,
    /// The greatest difference in it; `None` for the last.
    pub most: Option<i32>,
    pub count: usize,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    /// Differences up to this many centipawns are ignored.
    pub threshold_cp: u32,
    pub compared: usize,
    /// Number of positions that have a score in neither table: the engine failed, or reported none.
    pub without_score: usize,
    /// Number of differences above the threshold.
    pub exceeding: usize,
    /// Number of positions that differ at all, including changes to a mate or none.
    pub differing: usize,
    pub mean_cp: f64,
    pub mean_absolute_cp: f64,
    pub median_absolute_cp: f64,
    pub rms_cp: f64,
    pub histogram: Vec<Bin>,
    /// Positions good for White in one table and for Black in the other.
    pub sign_flips: Vec<ScorePair>,
    pub worst: Vec<ScorePair>,
    /// Positions where there are no two scores to subtract.
    pub changes: Vec<ScoreChange>,
    /// Positions of A that are not in B.
    pub missing: Vec<String>,
    /// Positions of B that are not in A.
    pub new: Vec<String>,
}

impl Diff {
    /// Whether a difference exceeds the threshold, or a score changed to a mate or none.
    pub fn is_news(&self) -> bool {
        self.exceeding > 0 || !self.changes.is_empty()
    }
}

/// Compares two tables, position by position.
pub fn diff(a: &ScoreTable, b: &ScoreTable, threshold_cp: u32) -> Diff {
    let mut pairs = Vec::new();
    let mut changes = Vec::new();
    let mut unchanged = 0;
    let mut without_score = 0;
    for (key, one) in in_order(a) {
        let Some(&other) = b.by_position.get(key) else {
            continue;
        };
        let other = &b.rows[other];
        let has_none = |row: &ScoreCsvRow| row.raw.to_lowercase().contains("none");
        match (one.score_cp, other.score_cp) {
            (Some(a_cp), Some(b_cp)) => pairs.push(ScorePair {
                file: one.file.clone(),
                line: one.line,
                id: one.id.clone(),
                fen: one.fen.clone(),
                a_cp,
                b_cp,
                difference_cp: b_cp.saturating_sub(a_cp),
            }),
            // Errors have different texts without being different; there is nothing to compare.
            (None, None) if one.way == FAILED && other.way == FAILED => without_score += 1,
            (None, None) if one.raw == other.raw && has_none(one) => without_score += 1,
            (None, None) if one.raw == other.raw => unchanged += 1,
            _ => changes.push(ScoreChange {
                file: one.file.clone(),
                line: one.line,
                fen: one.fen.clone(),
                a: shown(one),
                b: shown(other),
            }),
        }
    }
    let differences: Vec<i32> = pairs.iter().map(|pair| pair.difference_cp).collect();
    // The product of two scores may not fit 32 bits.
    let is_flip = |pair: &&ScorePair| i64::from(pair.a_cp) * i64::from(pair.b_cp) < 0;
    let sign_flips = pairs.iter().filter(is_flip).cloned().collect();
    let compared = pairs.len() + changes.len() + unchanged;
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.difference_cp.unsigned_abs()));
    pairs.retain(|pair| pair.difference_cp != 0);
    let exceeds = |pair: &&ScorePair| pair.difference_cp.unsigned_abs() > threshold_cp;
    Diff {
        threshold_cp,
        compared,
        without_score,
        exceeding: pairs.iter().filter(exceeds).count(),
        differing: pairs.len() + changes.len(),
        mean_cp: mean(differences.iter().map(|&one| f64::from(one))),
        mean_absolute_cp: mean(differences.iter().map(|&one| f64::from(one).abs())),
        median_absolute_cp: median(&differences),
        rms_cp: mean(differences.iter().map(|&one| f64::from(one).powi(2))).sqrt(),
        histogram: histogram(&differences),
        sign_flips,
        worst: pairs.into_iter().take(WORST).collect(),
        changes,
        missing: absent(a, b),
        new: absent(b, a),
    }
}

fn in_order(table: &ScoreTable) -> impl Iterator<Item = (&str, &ScoreCsvRow)> {
    let keys = table.by_position.iter();
    let mut keys: Vec<(usize, &str)> = keys.map(|(key, &index)| (index, key.as_str())).collect();
    keys.sort_unstable();
    let keys = keys.into_iter();
    keys.map(|(index, key)| (key, &table.rows[index]))
}

fn absent(a: &ScoreTable, b: &ScoreTable) -> Vec<String> {
    let absent = in_order(a).filter(|(key, _)| !b.by_position.contains_key(*key));
    absent.map(|(_, row)| row.fen.clone()).collect()
}

fn shown(row: &ScoreCsvRow) -> String {
    match row.score_cp {
        Some(score) => format!("{score:+} cp"),
        None if row.way == FAILED => format!("failed: {}", row.raw),
        None => row.raw.clone(),
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len();
    if count == 0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "no table has 2^52 rows")]
    let count = count as f64;
    numbers.sum::<f64>() / count
}

fn median(differences: &[i32]) -> f64 {
    let mut sizes: Vec<u32> = differences.iter().map(|one| one.unsigned_abs()).collect();
    sizes.sort_unstable();
    let middle = sizes.len() / 2;
    match sizes.len() {
        0 => 0.0,
        length if length % 2 == 1 => f64::from(sizes[middle]),
        _ => f64::midpoint(f64::from(sizes[middle - 1]), f64::from(sizes[middle])),
    }
}

/// Upper edges of the positive bins; the negative ones mirror them.
const EDGES: [i32; 7] = [5, 10, 25, 50, 100, 200, 400];

fn histogram(differences: &[i32]) -> Vec<Bin> {
    let mut positive = vec![(Some(0), Some(0))];
    let mut least = 1;
    for edge in EDGES {
        positive.push((Some(least), Some(edge)));
        least = edge + 1;
    }
    positive.push((Some(least), None));
    let negate = |bound: Option<i32>| bound.map(|bound: i32| -bound);
    let negative = positive[1..].iter().rev();
    let negative = negative.map(|&(least, most)| (negate(most), negate(least)));
    let bins = negative.chain(positive.iter().copied());
    let bin = |(least, most): (Option<i32>, Option<i32>)| {
        let is_in = |one: &&i32| {
            least.is_none_or(|least| least <= **one) && most.is_none_or(|most| **one <= most)
        };
        let count = differences.iter().filter(is_in).count();
        Bin { least, most, count }
    };
    bins.map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::table::{tests::row, write};

    /// Kings on the first rank, one position per score.
    fn table(scores: &[(usize, Option<i32>)]) -> ScoreTable {
        let files = ["K7", "1K6", "2K5", "3K4", "4K3", "5K2", "6K1", "7K"];
        let fen = |file: usize| format!("4k3/8/8/8/8/8/8/{} w - - 0 1", files[file]);
        let rows = scores.iter().map(|&(file, score)| row(&fen(file), score));
        let rows: Vec<ScoreCsvRow> = rows.collect();
        ScoreTable::read(write(&rows).unwrap().as_bytes()).unwrap()
    }

    #[test]
    fn statistics() {
        let some = |scores: &[(usize, i32)]| -> Vec<(usize, Option<i32>)> {
            let scores = scores.iter().map(|&(file, score)| (file, Some(score)));
            scores.chain([(4, None)]).collect()
        };
        let a = table(&some(&[(0, 10), (1, -20), (2, 0), (3, 100), (5, 1)]));
        let b = table(&some(&[(3, 100), (0, 13), (1, 20), (2, -1), (6, 1)]));
        let diff = diff(&a, &b, 3);
        assert_eq!((diff.compared, diff.exceeding, diff.differing), (5, 1, 3));
        // 3, 40, -1, 0
        assert!((diff.mean_cp - 10.5).abs() < 1e-12);
        assert!((diff.mean_absolute_cp - 11.0).abs() < 1e-12);
        assert!((diff.median_absolute_cp - 2.0).abs() < 1e-12);
        assert!((diff.rms_cp - 402.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(diff.sign_flips.len(), 1);
        let worst: Vec<i32> = diff.worst.iter().map(|pair| pair.difference_cp).collect();
        assert_eq!(worst, [40, 3, -1]);
        assert_eq!((diff.missing.len(), diff.new.len()), (1, 1));
        let bins = diff.histogram.iter().filter(|bin| bin.count > 0);
        let bins = bins.map(|bin| (bin.least.unwrap(), bin.most.unwrap(), bin.count));
        let expected = [(-5, -1, 1), (0, 0, 1), (1, 5, 1), (26, 50, 1)];
        assert_eq!(bins.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn failures_and_evaluations_that_are_none_are_not_compared() {
        let mut failed = table(&[(0, None)]);
        FAILED.clone_into(&mut failed.rows[0].way);
        let mut none = table(&[(0, None)]);
        "Final evaluation: none (in check)".clone_into(&mut none.rows[0].raw);
        for one in [&failed, &none] {
            let diff = diff(one, one, 3);
            let found = (diff.compared, diff.without_score, diff.is_news());
            assert_eq!(found, (0, 1, false));
        }
        assert!(diff(&failed, &none, 3).is_news());
    }

    #[test]
    fn every_difference_is_in_one_bin() {
        let differences: Vec<i32> = (-1000..=1000).collect();
        let counted: usize = histogram(&differences).iter().map(|bin| bin.count).sum();
        assert_eq!(counted, differences.len());
    }

    #[test]
    fn a_value_that_becomes_none_is_news() {
        let diff = diff(&table(&[(0, Some(10))]), &table(&[(0, None)]), 100);
        assert!(diff.is_news());
        assert_eq!(diff.changes[0].a, "+10 cp");
        assert!(diff.mean_cp.abs() < 1e-12);
    }
}

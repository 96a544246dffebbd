//! Verification: which chunks are done again, and who wins a disagreement. Whether another worker
//! does a chunk again is decided in secret after its results came; if two differ, others decide.
//!
//! The first [`FIRST_CHUNKS`] chunks of a new worker are all checked, then a share that falls from
//! [`FIRST_SHARE`] to [`LEAST_SHARE`] as more of its chunks are confirmed. A chunk is settled when
//! one answer leads by two workers: two workers that agree settle it, and after a difference two
//! that lie in the same way cannot win against honest ones. A part of the chunks that two agree on
//! is given to a third, so that two that lie in the same way are found too.

use std::collections::BTreeMap;

use crate::model::WorkerId;

/// Number of a new worker's first chunks, all of which are checked.
pub const FIRST_CHUNKS: u64 = 20;
/// The share of a worker's chunks that are checked after that.
pub const FIRST_SHARE: f64 = 0.10;
/// The share of the chunks of a worker with a long record.
pub const LEAST_SHARE: f64 = 0.02;
/// The share of the chunks that two workers agree on that a third one does.
pub const THIRD_SHARE: f64 = 0.10;
/// Number of confirmed chunks that halves a share.
const HALVED_BY: f64 = 50.0;

/// A worker's record in jobs whose results compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerRecord {
    /// Number of chunks that it delivered.
    pub chunks: u64,
    /// Number of those that another worker confirmed.
    pub confirmed: u64,
}

/// The share of a worker's chunks that are checked; a job may demand more: one of `again_every`.
pub fn share(record: WorkerRecord, again_every: Option<u64>) -> f64 {
    if record.chunks < FIRST_CHUNKS {
        return 1.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of chunks")]
    let (confirmed, every) = (
        record.confirmed.saturating_sub(FIRST_CHUNKS) as f64,
        again_every.map_or(f64::INFINITY, |every| every.max(1) as f64),
    );
    let by_record = FIRST_SHARE * HALVED_BY / (HALVED_BY + confirmed);
    by_record.max(LEAST_SHARE).max(1.0 / every)
}

/// One worker's answer to a chunk: equal digests are equal results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkAnswer {
    /// The worker.
    pub worker: WorkerId,
    /// The digest of its results.
    pub digest: Vec<u8>,
}

/// Verdict on the answers to a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerVerdict {
    /// Another worker must do the chunk.
    Open,
    /// These results are right.
    Settled {
        /// The digest of the right results.
        digest: Vec<u8>,
        /// The workers that delivered others.
        wrong: Vec<WorkerId>,
    },
}

/// Decides which of the answers to a chunk is right: the one that leads by two workers. If there are
/// no `others` who could do it again, a lead of one decides a difference; one answer alone is never
/// confirmed.
pub fn decide(answers: &[ChunkAnswer], others: bool) -> AnswerVerdict {
    let mut votes: BTreeMap<&[u8], usize> = BTreeMap::new();
    for answer in answers {
        *votes.entry(&answer.digest).or_default() += 1;
    }
    let mut order: Vec<(usize, &[u8])> = votes.iter().map(|(digest, n)| (*n, *digest)).collect();
    order.sort_unstable_by(|one, other| other.cmp(one));
    let Some(&(most, digest)) = order.first() else {
        return AnswerVerdict::Open;
    };
    let second = order.get(1).map_or(0, |(n, _)| *n);
    let is_settled = most >= second + 2 || (!others && most >= 2 && most > second);
    if !is_settled {
        return AnswerVerdict::Open;
    }
    let wrong = answers.iter().filter(|answer| answer.digest != digest);
    AnswerVerdict::Settled {
        digest: digest.to_vec(),
        wrong: wrong.map(|answer| answer.worker).collect(),
    }
}

#[cfg(test)]
mod tests {
    use queue::wire::unseen;
    use rand::RngExt as _;
    use rand::SeedableRng as _;

    use super::*;

    fn answers(digests: &[u8]) -> Vec<ChunkAnswer> {
        let answer = |(worker, digest): (i32, &u8)| ChunkAnswer {
            worker: WorkerId(worker),
            digest: vec![*digest],
        };
        (1..).zip(digests).map(answer).collect()
    }

    #[test]
    fn a_lead_of_two_decides() {
        // A row has the answers by worker, whether there are others, the right answer and the wrong workers.
        type Row<'a> = (&'a [u8], bool, Option<(u8, &'a [i32])>);
        let rows: [Row<'_>; 12] = [
            (b"", true, None),
            (b"a", true, None),
            (b"a", false, None),
            (b"aa", true, Some((b'a', &[]))),
            (b"ab", true, None),
            (b"ab", false, None),
            (b"aba", true, None),
            (b"aba", false, Some((b'a', &[2]))),
            (b"abb", false, Some((b'b', &[1]))),
            (b"abc", false, None),
            (b"abaa", true, Some((b'a', &[2]))),
            // Two workers lie in the same way, and one of them answered early.
            (b"abbabb", true, Some((b'b', &[1, 4]))),
        ];
        for (digests, others, expected) in rows {
            let expected = expected.map_or(AnswerVerdict::Open, |(digest, wrong)| {
                AnswerVerdict::Settled {
                    digest: vec![digest],
                    wrong: wrong.iter().copied().map(WorkerId).collect(),
                }
            });
            assert_eq!(decide(&answers(digests), others), expected, "{digests:?}");
        }
    }

    #[test]
    fn two_that_collude_never_win_after_a_difference() {
        // The loops try all orders in which two liars and many honest workers may answer.
        for first in 0..8_usize {
            for second in first + 1..9 {
                let mut given = Vec::new();
                let mut decision = AnswerVerdict::Open;
                for nth in 0..12 {
                    let lies = nth == first || nth == second;
                    given.push(if lies { b'x' } else { b'a' });
                    decision = decide(&answers(&given), true);
                    if decision != AnswerVerdict::Open {
                        break;
                    }
                }
                let AnswerVerdict::Settled { digest, .. } = decision else {
                    panic!("{first} {second}: open");
                };
                // They win only if they are the first two, and nobody else is asked.
                let is_fooled = (first, second) == (0, 1);
                assert_eq!(digest == *b"x", is_fooled, "{first} {second}");
            }
        }
    }

    #[test]
    fn shares_fall_with_the_record() {
        let record = |chunks, confirmed| WorkerRecord { chunks, confirmed };
        let rows = [
            (record(0, 0), None, 1.0),
            (record(19, 19), None, 1.0),
            (record(20, 0), None, 0.1),
            (record(500, 20), None, 0.1),
            (record(500, 70), None, 0.05),
            (record(90_000, 2_000), None, 0.02),
            (record(90_000, 2_000), Some(4), 0.25),
            (record(90_000, 2_000), Some(1), 1.0),
            (record(90_000, 2_000), Some(1_000), 0.02),
        ];
        for (record, every, expected) in rows {
            let found = share(record, every);
            assert!((found - expected).abs() < 1e-12, "{record:?}: {found}");
        }
    }

    #[test]
    fn the_probability_is_that_of_a_simulation() {
        let mut random = chacha20::ChaCha8Rng::seed_from_u64(28);
        for (checked, lie) in [(20_u64, 0.05), (100, 0.01), (5, 0.5), (0, 1.0)] {
            let runs = 20_000_u32;
            let mut count = 0_u32;
            for _ in 0..runs {
                count += u32::from((0..checked).all(|_| random.random::<f64>() >= lie));
            }
            let found = f64::from(count) / f64::from(runs);
            let expected = unseen(checked, u64::MAX, lie);
            assert!(
                (found - expected).abs() < 0.015,
                "{checked} {lie}: {found} {expected}"
            );
        }
        assert!(unseen(1, 2, 1.0) < 1e-9);
        assert!((unseen(1 << 60, u64::MAX, 0.0) - 1.0).abs() < 1e-9);
        assert!(unseen(9, 9, 0.01) < 1e-9);
    }
}

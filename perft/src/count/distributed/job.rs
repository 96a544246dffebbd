//! Turns units into a job and its chunks. Pure.

use std::num::NonZeroU64;

use chess::notation::fen;
use fleet::{Chunk, Job, Second, Unit};
use serde::{Deserialize, Serialize};

use crate::count::units::{Cut, Units};

/// The kind of these jobs, with the version of the payload format.
pub(super) const KIND: &str = "perft-count/1";

/// Enough units to keep many workers busy, few enough messages, and enough to count below each.
pub(crate) const CUT: Cut = Cut::Enough {
    units: 10_000,
    below: 4,
};

/// A core counts this many leaf nodes in seconds to a minute, with and without a table.
const NODES_PER_CHUNK: f64 = 2e10;
/// More would make messages and losses large, and save nothing.
pub(crate) const MOST_UNITS_PER_CHUNK: u32 = 10_000;
/// Minimum number of chunks, so that several workers have something to do.
const LEAST_CHUNKS: usize = 64;

/// The result of a unit whose count does not fit 64 bits.
pub(super) const OVERFLOW: &str = "overflow";

/// The payload of a job, shared by all workers. A unit's payload is its FEN, a result's the count
/// in digits, or [`OVERFLOW`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JobBody {
    pub(super) fen: String,
    /// Depth from the root to the leaves, in plies.
    pub(super) depth: u32,
    /// The ply at which the tree is cut into units.
    pub(super) ply: u32,
}

/// How a count is split into a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobPlan<'a> {
    pub(crate) units: &'a Units,
    /// One in this many chunks is counted twice.
    pub(crate) again_every: Option<NonZeroU64>,
    /// Units per chunk; `None` for seconds to a minute of counting.
    pub(crate) chunk: Option<usize>,
}

impl JobPlan<'_> {
    /// The job. Its name depends only on position, depth, ply and payload format.
    pub(crate) fn job(&self) -> Job {
        let Units {
            position,
            depth,
            ply,
            ..
        } = *self.units;
        let body = JobBody {
            fen: fen::write(&position),
            depth,
            ply,
        };
        Job {
            id: format!("perft-1-d{depth}-p{ply}-{:016x}", fnv(&body.fen)),
            kind: KIND.to_owned(),
            body: serde_json::to_string(&body).expect("numbers and strings can be written"),
            units: self.units.list.len() as u64,
            second: Second::Compare,
            again_every: self.again_every,
        }
    }

    pub(crate) fn chunks(&self) -> impl Iterator<Item = Chunk> {
        let size = self.chunk.unwrap_or_else(|| units_per_chunk(self.units));
        let units = self.units.list.iter().zip(0..).map(|(unit, key)| Unit {
            key,
            body: fen::write(&unit.position),
        });
        let mut units = units.peekable();
        std::iter::from_fn(move || {
            units.peek()?;
            let units = units.by_ref().take(size).collect();
            Some(Chunk { units })
        })
    }
}

/// Units per seconds to a minute of counting, assuming that the tree keeps growing at the same
/// rate.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a guess, kept within its bounds"
)]
fn units_per_chunk(units: &Units) -> usize {
    let growth = if units.ply == 0 {
        units.position.legal_moves().len() as f64
    } else {
        (units.sequences() as f64).powf(1.0 / f64::from(units.ply))
    };
    let below = growth.max(1.0).powf(f64::from(units.depth_below()));
    let enough = (NODES_PER_CHUNK / below).clamp(1.0, f64::from(MOST_UNITS_PER_CHUNK));
    (enough as usize).min(units.list.len().div_ceil(LEAST_CHUNKS).max(1))
}

/// A hash of a text, the same on every machine: 64-bit FNV-1a
/// (<http://www.isthe.com/chongo/tech/comp/fnv/>). The job's body tells colliding texts apart.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use chess::rules::Position;

    use super::*;

    fn units(depth: u32, cut: Cut) -> Units {
        let never = AtomicBool::new(false);
        Units::new(&Position::startpos(), depth, cut, &never).expect("it fits")
    }

    fn plan(units: &Units, chunk: Option<usize>) -> JobPlan<'_> {
        JobPlan {
            units,
            again_every: None,
            chunk,
        }
    }

    #[test]
    fn the_name_depends_only_on_the_count() {
        let id = |depth, ply| plan(&units(depth, Cut::Ply(ply)), None).job().id;
        assert_eq!(id(5, 2), "perft-1-d5-p2-f80b116ae972ccaf");
        assert_ne!(id(5, 2), id(6, 2));
        assert_ne!(id(5, 2), id(5, 1));
        let units = units(5, Cut::Ply(2));
        let other = JobPlan {
            again_every: NonZeroU64::new(3),
            ..plan(&units, Some(7))
        };
        assert_eq!(other.job().id, id(5, 2));
        let expected = r#"{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","depth":5,"ply":2}"#;
        assert_eq!(other.job().body, expected);
    }

    #[test]
    fn fnv_agrees_with_its_authors() {
        let rows = [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ];
        for (text, expected) in rows {
            assert_eq!(fnv(text), expected, "{text}");
        }
    }

    #[test]
    fn chunks_hold_every_unit_once() {
        let units = units(5, Cut::Ply(2));
        for size in [1, 7, 400, 1000] {
            let chunks: Vec<_> = plan(&units, Some(size)).chunks().collect();
            assert_eq!(chunks.len(), 400_usize.div_ceil(size));
            let all: Vec<_> = chunks.into_iter().flat_map(|chunk| chunk.units).collect();
            assert_eq!(all.len(), 400);
            for (unit, key) in all.iter().zip(0..) {
                assert_eq!(unit.key, key);
                let position = fen::parse(&unit.body).expect("a position");
                let number = usize::try_from(key).expect("few");
                assert_eq!(position, units.list[number].position);
            }
        }
    }

    #[test]
    fn chunks_are_small_where_much_lies_below() {
        let rows = [
            (4, 2, 7),
            (8, 2, 7),
            (9, 2, 7),
            (11, 2, 1),
            (13, 3, 1),
            (5, 0, 1),
        ];
        for (depth, ply, expected) in rows {
            let units = units(depth, Cut::Ply(ply));
            assert_eq!(units_per_chunk(&units), expected, "{depth} at {ply}");
        }
    }
}

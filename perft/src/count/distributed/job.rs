//! Turns units into a job and its chunks, and counts into results. Pure.

use std::fmt;
use std::num::NonZeroU64;

use chess::notation::fen;
use chess::perft::Breakdown;
use queue::{Chunk, Job, Second, Unit};
use serde::{Deserialize, Serialize};

use crate::count::units::{Cut, Units};

/// Enough units to keep many workers busy, few enough messages, and enough to count below each.
pub(crate) const CUT: Cut = Cut::Enough {
    units: 10_000,
    below: 4,
};

/// A core counts this many leaf nodes in seconds to a minute, with and without a table.
const NODES_PER_CHUNK: f64 = 2e10;
/// The same for a breakdown, which makes every move.
const BREAKDOWN_NODES_PER_CHUNK: f64 = 2e8;
/// More would make messages and losses large, and save nothing.
pub(crate) const MOST_UNITS_PER_CHUNK: u32 = 10_000;
/// Minimum number of chunks, so that several workers have something to do.
const LEAST_CHUNKS: usize = 64;

/// The result of a unit whose count does not fit 64 bits.
const OVERFLOW: &str = "overflow";

/// What workers count below each unit. A worker leases only the kinds it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountKind {
    Count,
    /// The leaf nodes by kind of the last move.
    Breakdown,
}

impl CountKind {
    const ALL: [Self; 2] = [Self::Count, Self::Breakdown];
    /// The names of all kinds.
    pub(super) const NAMES: [&'static str; 2] = [Self::Count.name(), Self::Breakdown.name()];

    /// The name at the broker, with the version of the payload format.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Count => "perft-count/1",
            Self::Breakdown => "perft-breakdown/1",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The result of a unit. Its text is the count in digits, or the columns of the breakdown separated
/// by a space each, or [`OVERFLOW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitCount {
    Nodes(u64),
    /// In the order of [`Breakdown::NAMES`].
    Breakdown(Columns),
    Overflow,
}

/// The columns of a breakdown.
pub(crate) type Columns = [u64; Breakdown::NAMES.len()];

impl UnitCount {
    /// The result of a job of this kind from its text.
    pub(super) fn parse(kind: CountKind, text: &str) -> Option<Self> {
        if text == OVERFLOW {
            return Some(Self::Overflow);
        }
        match kind {
            CountKind::Count => text.parse().ok().map(Self::Nodes),
            CountKind::Breakdown => {
                let columns = text.split(' ').map(str::parse);
                let columns: Vec<u64> = columns.collect::<Result<_, _>>().ok()?;
                columns.try_into().ok().map(Self::Breakdown)
            }
        }
    }

    /// The leaf nodes, if they fit 64 bits.
    pub(super) fn nodes(&self) -> Option<u64> {
        match self {
            Self::Nodes(nodes) | Self::Breakdown([nodes, ..]) => Some(*nodes),
            Self::Overflow => None,
        }
    }
}

impl fmt::Display for UnitCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes}"),
            Self::Breakdown(columns) => {
                f.write_str(&columns.map(|column| column.to_string()).join(" "))
            }
            Self::Overflow => f.write_str(OVERFLOW),
        }
    }
}

/// The payload of a job, shared by all workers. A unit's payload is its FEN, a result's the text of
/// a [`UnitCount`].
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
    pub(crate) kind: CountKind,
    pub(crate) units: &'a Units,
    /// One in this many chunks is counted twice.
    pub(crate) again_every: Option<NonZeroU64>,
    /// Units per chunk; `None` for seconds to a minute of counting.
    pub(crate) chunk: Option<usize>,
}

impl JobPlan<'_> {
    /// The job. Its name depends only on kind, position, depth, ply and payload format.
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
        let name = match self.kind {
            CountKind::Count => "perft-1",
            CountKind::Breakdown => "perft-breakdown-1",
        };
        Job {
            id: format!("{name}-d{depth}-p{ply}-{:016x}", fnv(&body.fen)),
            kind: self.kind.name().to_owned(),
            body: serde_json::to_string(&body).expect("numbers and strings can be written"),
            units: self.units.list.len() as u64,
            second: Second::Compare,
            again_every: self.again_every,
        }
    }

    pub(crate) fn chunks(&self) -> impl Iterator<Item = Chunk> {
        let size = self
            .chunk
            .unwrap_or_else(|| units_per_chunk(self.kind, self.units));
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
fn units_per_chunk(kind: CountKind, units: &Units) -> usize {
    let growth = if units.ply == 0 {
        units.position.legal_moves().len() as f64
    } else {
        (units.sequences() as f64).powf(1.0 / f64::from(units.ply))
    };
    let below = growth.max(1.0).powf(f64::from(units.depth_below()));
    let nodes = match kind {
        CountKind::Count => NODES_PER_CHUNK,
        CountKind::Breakdown => BREAKDOWN_NODES_PER_CHUNK,
    };
    let enough = (nodes / below).clamp(1.0, f64::from(MOST_UNITS_PER_CHUNK));
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
            kind: CountKind::Count,
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
        let breakdown = JobPlan {
            kind: CountKind::Breakdown,
            ..other
        };
        let job = breakdown.job();
        assert_eq!(job.id, "perft-breakdown-1-d5-p2-f80b116ae972ccaf");
        assert_eq!(job.kind, "perft-breakdown/1");
        assert_eq!(job.body, expected);
    }

    #[test]
    fn results_are_read_as_they_are_written() {
        let columns = [400, 1, 2, 3, 4, 5, 6, 7, 8, u64::MAX];
        let rows = [
            (CountKind::Count, UnitCount::Nodes(u64::MAX)),
            (CountKind::Count, UnitCount::Overflow),
            (CountKind::Breakdown, UnitCount::Breakdown(columns)),
            (CountKind::Breakdown, UnitCount::Overflow),
        ];
        for (kind, count) in rows {
            assert_eq!(UnitCount::parse(kind, &count.to_string()), Some(count));
        }
        let text = UnitCount::Breakdown(columns).to_string();
        assert_eq!(text, "400 1 2 3 4 5 6 7 8 18446744073709551615");
        for text in [
            "",
            "400",
            "1 2 3 4 5 6 7 8 9",
            "1 2 3 4 5 6 7 8 9 10 11",
            "1 2 3 4 5 6 7 8 9 x",
        ] {
            assert_eq!(UnitCount::parse(CountKind::Breakdown, text), None, "{text}");
        }
        assert_eq!(UnitCount::parse(CountKind::Count, &text), None);
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
            (CountKind::Count, 4, 2, 7),
            (CountKind::Count, 8, 2, 7),
            (CountKind::Count, 9, 2, 7),
            (CountKind::Count, 11, 2, 1),
            (CountKind::Count, 13, 3, 1),
            (CountKind::Count, 5, 0, 1),
            (CountKind::Breakdown, 7, 2, 7),
            (CountKind::Breakdown, 8, 2, 3),
            (CountKind::Breakdown, 9, 2, 1),
        ];
        for (kind, depth, ply, expected) in rows {
            let units = units(depth, Cut::Ply(ply));
            let size = units_per_chunk(kind, &units);
            assert_eq!(size, expected, "{kind:?}, {depth} at {ply}");
        }
    }
}

//! The content of a lease, and counting it.

use std::sync::atomic::AtomicBool;

use chess::notation::fen;
use chess::perft::{Breakdown, CountError, Counter, MAX_DEPTH, breakdown};
use chess::rules::{Position, PositionError};
use queue::{Lease, Unit};

use super::job::{CountKind, JobBody, UnitCount};

/// The units of a lease, parsed.
#[derive(Debug)]
pub(super) struct LeasedChunk {
    kind: CountKind,
    units: Vec<(u64, Position)>,
    /// Plies below each unit.
    below: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cancelled;

/// Payloads of a job that this version does not understand.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReadChunkError {
    #[error("'{text}' is not a kind of count, expected {}", CountKind::NAMES.join(" or "))]
    Kind { text: String },
    #[error("'{text}' is not a count, expected fen, depth and ply as JSON")]
    Body { text: String },
    #[error("depth {depth} below ply {ply}, expected 0 to {MAX_DEPTH} plies")]
    Depth { depth: u32, ply: u32 },
    #[error("unit {unit} is '{text}', expected the FEN of a position")]
    Unit { unit: u64, text: String },
}

impl LeasedChunk {
    pub(super) fn read(lease: &Lease) -> Result<Self, ReadChunkError> {
        let text = &lease.job.kind;
        let kind = CountKind::from_name(text).ok_or(ReadChunkError::Kind { text: text.clone() })?;
        let text = &lease.job.body;
        let JobBody { depth, ply, .. } =
            serde_json::from_str(text).map_err(|_| ReadChunkError::Body { text: text.clone() })?;
        let below = depth.checked_sub(ply).filter(|&below| below <= MAX_DEPTH);
        let below = below.ok_or(ReadChunkError::Depth { depth, ply })?;
        let units = lease.units.iter().map(position).collect::<Result<_, _>>()?;
        Ok(Self { kind, units, below })
    }

    /// The count of each unit. Fails soon after `cancel` becomes true.
    pub(super) fn count<'a>(
        &self,
        counter: Counter<'a>,
        cancel: &'a AtomicBool,
    ) -> Result<Vec<(u64, UnitCount)>, Cancelled> {
        let count = |(key, position): &(u64, Position)| {
            let count = count_unit(self.kind, position, self.below, counter, cancel)?;
            Ok((*key, count))
        };
        self.units.iter().map(count).collect()
    }
}

/// The count of one unit, at most [`MAX_DEPTH`] plies deep. Fails soon after `cancel` becomes true.
pub(super) fn count_unit<'a>(
    kind: CountKind,
    position: &Position,
    below: u32,
    counter: Counter<'a>,
    cancel: &'a AtomicBool,
) -> Result<UnitCount, Cancelled> {
    let of_breakdown = |sum: Breakdown| UnitCount::Breakdown(sum.columns());
    let counter = counter.cancel(cancel);
    let count = match kind {
        CountKind::Count => counter.count(position, below).map(UnitCount::Nodes),
        CountKind::Breakdown => breakdown(position, below, cancel).map(of_breakdown),
    };
    match count {
        Err(CountError::Overflow) => Ok(UnitCount::Overflow),
        // The depth has been checked.
        count => count.map_err(|_| Cancelled),
    }
}

/// A unit's position; impossible checks are accepted, as the root may have had them too.
fn position(unit: &Unit) -> Result<(u64, Position), ReadChunkError> {
    let setup = fen::parse_setup(&unit.body).ok();
    let position = setup.and_then(|setup| {
        let position = Position::from_setup(setup);
        position
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    });
    let wrong = || ReadChunkError::Unit {
        unit: unit.key,
        text: unit.body.clone(),
    };
    Ok((unit.key, position.ok_or_else(wrong)?))
}

#[cfg(test)]
mod tests {
    use queue::{Job, Second};

    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn lease(kind: &str, body: &str, units: &[&str]) -> Lease {
        let units: Vec<_> = units
            .iter()
            .zip(0..)
            .map(|(body, key)| Unit {
                key,
                body: (*body).to_owned(),
            })
            .collect();
        Lease {
            token: "1".to_owned(),
            worker: "a".to_owned(),
            job: Job {
                id: "job".to_owned(),
                kind: kind.to_owned(),
                body: body.to_owned(),
                units: units.len() as u64,
                second: Second::Compare,
                again_every: None,
            },
            chunk: 0,
            units,
            attempt: 1,
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const BARE: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

    #[test]
    fn every_unit_is_counted() {
        for (many, below) in [(1, 4), (100, 3)] {
            let body = format!(r#"{{"fen":"x","depth":{},"ply":1}}"#, below + 1);
            let units: Vec<_> = [START, BARE].into_iter().cycle().take(2 * many).collect();
            for kind in CountKind::NAMES {
                let chunk = LeasedChunk::read(&lease(kind, &body, &units)).expect("sound");
                let counts = chunk.count(Counter::new(), &NEVER).expect("it fits");
                assert_eq!(counts.len(), 2 * many);
                for (number, (key, count)) in counts.into_iter().enumerate() {
                    assert_eq!(key, number as u64);
                    let position = fen::parse(units[number]).expect("legal");
                    let expected = breakdown(&position, below, &NEVER).expect("it fits");
                    let expected = match chunk.kind {
                        CountKind::Count => UnitCount::Nodes(expected.nodes),
                        CountKind::Breakdown => UnitCount::Breakdown(expected.columns()),
                    };
                    assert_eq!(count, expected);
                }
            }
        }
    }

    #[test]
    fn overflows_are_reported() {
        let body = r#"{"fen":"x","depth":99,"ply":0}"#;
        let table = chess::perft::CountTable::new(1).expect("memory");
        let counter = Counter::new().table(&table);
        let read = |kind| LeasedChunk::read(&lease(kind, body, &[BARE])).expect("sound");
        let chunk = read("perft-count/1");
        let overflow = Ok(vec![(0, UnitCount::Overflow)]);
        assert_eq!(chunk.count(counter, &NEVER), overflow);
        let cancelled = AtomicBool::new(true);
        assert_eq!(chunk.count(counter, &cancelled), Err(Cancelled));
        let chunk = read("perft-breakdown/1");
        assert_eq!(chunk.count(counter, &cancelled), Err(Cancelled));
    }

    #[test]
    fn invalid_payloads_are_rejected() {
        let sound = r#"{"fen":"x","depth":5,"ply":1}"#;
        let rows = [
            (
                "{}",
                START,
                "'{}' is not a count, expected fen, depth and ply as JSON",
            ),
            (
                r#"{"fen":"x","depth":1,"ply":2}"#,
                START,
                "depth 1 below ply 2, expected 0 to 255 plies",
            ),
            (
                r#"{"fen":"x","depth":300,"ply":2}"#,
                START,
                "depth 300 below ply 2, expected 0 to 255 plies",
            ),
            (
                sound,
                "e4",
                "unit 0 is 'e4', expected the FEN of a position",
            ),
            (
                sound,
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "unit 0 is '8/8/8/8/8/8/8/8 w - - 0 1', expected the FEN of a position",
            ),
        ];
        for (body, unit, expected) in rows {
            let lease = lease("perft-count/1", body, &[unit]);
            let error = LeasedChunk::read(&lease).expect_err("a fault");
            assert_eq!(error.to_string(), expected);
        }
        let error = LeasedChunk::read(&lease("perft-count/2", sound, &[START]));
        let expected = "'perft-count/2' is not a kind of count, expected perft-count/1 or \
                        perft-breakdown/1";
        assert_eq!(error.expect_err("a fault").to_string(), expected);
    }
}

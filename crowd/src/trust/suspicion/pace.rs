use super::{Flag, FlagKind, TimedList};
use crate::model::Timestamp;

/// Minimum number of moves to judge a pace.
const FEWEST: usize = 8;

/// A move takes two aimed touches or four keystrokes. In the keystroke-level model of Card, Moran
/// and Newell (1980) the best typist needs 80 ms per key, and an aimed touch takes about a second;
/// a median gap below this is not human.
const FAST_GAP_MS: u32 = 150;

/// Minimum time per move, from showing the position to the last move: as above, plus a look at the
/// board.
const FAST_LIST_MS_PER_MOVE: u64 = 250;

/// Gaps with a coefficient of variation below this are nearly constant. For people it is about 0.5
/// or more.
const EVEN: f64 = 0.15;

/// Tolerance of a client clock running ahead of the server's.
const CLOCK_SLACK_MS: u64 = 5_000;

pub(super) fn flags(list: &TimedList) -> Vec<Flag> {
    let clock = impossible_clock(list);
    if list.moves.len() < FEWEST {
        return clock.into_iter().collect();
    }
    let gaps = gaps(list);
    [fast_moves(&gaps), fast_list(list), even_gaps(&gaps), clock]
        .into_iter()
        .flatten()
        .collect()
}

/// The times between moves in the order they were added, even if the clock runs backwards.
fn gaps(list: &TimedList) -> Vec<u32> {
    let times: Vec<u32> = list.moves.iter().map(|m| m.at_ms).collect();
    times
        .windows(2)
        .map(|pair| pair[1].saturating_sub(pair[0]))
        .collect()
}

fn fast_moves(gaps: &[u32]) -> Option<Flag> {
    let mut sorted = gaps.to_vec();
    sorted.sort_unstable();
    let median = *sorted.get(sorted.len() / 2)?;
    (median < FAST_GAP_MS).then(|| Flag {
        kind: FlagKind::FastMoves,
        detail: format!(
            "half of the moves follow within {median} ms; hands need {FAST_GAP_MS} ms at least"
        ),
        score: 1.0 - f64::from(median) / f64::from(FAST_GAP_MS),
        other: None,
    })
}

/// By the client's or the server's clock, whichever shows less time.
fn fast_list(list: &TimedList) -> Option<Flag> {
    let own = list.moves.iter().map(|m| u64::from(m.at_ms)).max()?;
    let spent = server_ms(list).map_or(own, |server| server.min(own));
    let moves = u32::try_from(list.moves.len()).ok()?;
    let least = u64::from(moves) * FAST_LIST_MS_PER_MOVE;
    (spent < least).then(|| Flag {
        kind: FlagKind::FastList,
        detail: format!("{moves} moves in {spent} ms; hands need {least} ms at least"),
        score: 1.0
            - f64::from(u32::try_from(spent).unwrap_or(u32::MAX)) / (f64::from(moves) * 250.0),
        other: None,
    })
}

fn even_gaps(gaps: &[u32]) -> Option<Flag> {
    let count = f64::from(u32::try_from(gaps.len()).ok()?);
    let mean = gaps.iter().map(|&gap| f64::from(gap)).sum::<f64>() / count;
    let squares: f64 = gaps
        .iter()
        .map(|&gap| (f64::from(gap) - mean) * (f64::from(gap) - mean))
        .sum();
    let variation = libm::sqrt(squares / count) / mean;
    (mean > 0.0 && variation < EVEN).then(|| Flag {
        kind: FlagKind::EvenGaps,
        detail: format!(
            "the gaps of {mean:.0} ms vary by {:.0} %; people's vary by {:.0} % at least",
            100.0 * variation,
            100.0 * EVEN
        ),
        score: 1.0 - variation / EVEN,
        other: None,
    })
}

/// The time since the position was shown, by the client's clock, cannot exceed the time since it
/// was assigned, by the server's.
fn impossible_clock(list: &TimedList) -> Option<Flag> {
    let issued_at = list.issued_at?;
    let ahead = list.moves.iter().filter_map(|m| {
        let on_server = ms_between(issued_at, m.received_at?);
        Some(u64::from(m.at_ms).saturating_sub(on_server))
    });
    let most = ahead.max()?;
    (most > CLOCK_SLACK_MS).then(|| Flag {
        kind: FlagKind::ImpossibleClock,
        detail: format!("a move is dated {most} ms later than it was received"),
        score: 1.0,
        other: None,
    })
}

/// From assignment to last move, by the server's clock.
fn server_ms(list: &TimedList) -> Option<u64> {
    let last = list.moves.iter().filter_map(|m| m.received_at).max()?;
    Some(ms_between(list.issued_at?, last))
}

fn ms_between(earlier: Timestamp, later: Timestamp) -> u64 {
    u64::try_from(later.since(earlier).as_millis()).unwrap_or(u64::MAX)
}

//! Decides from times and bytes whether a search has lasted too long or printed too much. Pure.

use std::time::{Duration, Instant};

use super::{Patience, PlayerError, SLICE};
use crate::model::FaultKind;

/// The limits of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// When our last byte was sent.
    since: Instant,
    /// The time on its clock; `None` without a clock.
    clock: Option<Duration>,
    /// When the last line ended.
    heard: Instant,
    /// Bytes printed before the search.
    bytes_before: u64,
    patience: Patience,
    /// The configured maximum time for a move, if any.
    move_timeout: Option<Duration>,
}

impl Watch {
    pub(super) fn new(
        since: Instant,
        clock: Option<Duration>,
        bytes_before: u64,
        patience: Patience,
    ) -> Self {
        Self {
            since,
            clock,
            heard: since,
            bytes_before,
            patience,
            move_timeout: None,
        }
    }

    /// Sets a maximum time for the move, which then replaces the timeouts of [`Patience`].
    pub(super) fn at_most(self, move_timeout: Option<Duration>) -> Self {
        Self {
            move_timeout,
            ..self
        }
    }

    /// When our last byte was sent.
    pub(super) fn since(&self) -> Instant {
        self.since
    }

    /// Notes that a line arrived.
    pub(super) fn hear(&mut self, at: Instant) {
        self.heard = at;
    }

    /// How long to wait for a line before checking again.
    pub(super) fn wake(&self, now: Instant) -> Instant {
        let slice = now + SLICE;
        self.deadline()
            .map_or(slice, |deadline| deadline.min(slice))
    }

    /// The deadline; `None` if it is too far away to be represented.
    fn deadline(&self) -> Option<Instant> {
        let limit = match (self.clock, self.move_timeout) {
            (None, None) => {
                let silent = self.heard + self.patience.silence;
                return Some(silent.min(self.since + self.patience.search));
            }
            (clock, timeout) => clock.into_iter().chain(timeout).min(),
        };
        limit.and_then(|limit| self.since.checked_add(limit))
    }

    /// Checks the time, and the number of bytes the engine has printed in total.
    pub(super) fn look(&self, now: Instant, bytes: u64) -> Result<(), PlayerError> {
        if bytes - self.bytes_before > self.patience.output {
            let printed = bytes - self.bytes_before;
            return fault(
                FaultKind::Flood,
                format!("it printed {printed} bytes without a bestmove"),
            );
        }
        if self.deadline().is_none_or(|deadline| now <= deadline) {
            return Ok(());
        }
        let elapsed = now.saturating_duration_since(self.since);
        match (self.clock, self.move_timeout) {
            (Some(clock), _) if elapsed > clock => fault(
                FaultKind::TimeForfeit,
                format!("no bestmove within the {} ms it had", clock.as_millis()),
            ),
            (_, Some(timeout)) => fault(
                FaultKind::NoBestmove,
                format!(
                    "no bestmove within the {} s of the move timeout",
                    timeout.as_secs_f64()
                ),
            ),
            _ if now > self.since + self.patience.search => fault(
                FaultKind::NoBestmove,
                format!(
                    "no bestmove within {} s",
                    self.patience.search.as_secs_f64()
                ),
            ),
            _ => fault(
                FaultKind::NoBestmove,
                format!(
                    "no bestmove, and no line for {} s",
                    self.patience.silence.as_secs_f64()
                ),
            ),
        }
    }
}

fn fault(kind: FaultKind, detail: String) -> Result<(), PlayerError> {
    Err(PlayerError::Fault { kind, detail })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(watch: &Watch, now: Instant, bytes: u64) -> Option<FaultKind> {
        match watch.look(now, bytes) {
            Ok(()) => None,
            Err(PlayerError::Fault { kind, .. }) => Some(kind),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn a_clock_alone_decides_where_there_is_one() {
        let start = super::super::now();
        let at = |ms| start + Duration::from_millis(ms);
        let hour = Duration::from_hours(2);
        let watch = Watch::new(start, Some(hour), 5, Patience::default());
        assert_eq!(watch.wake(start), start + SLICE);
        assert_eq!(kind(&watch, start + hour, 5), None);
        let late = start + hour + Duration::from_micros(1);
        assert_eq!(kind(&watch, late, 5), Some(FaultKind::TimeForfeit));
        let short = Watch::new(
            start,
            Some(Duration::from_millis(30)),
            5,
            Patience::default(),
        );
        assert_eq!(short.wake(start), at(30));
        assert_eq!(kind(&short, at(30), 5), None);
        assert_eq!(kind(&short, at(31), 5), Some(FaultKind::TimeForfeit));
    }

    #[test]
    fn without_a_clock_silence_and_length_decide() {
        let start = super::super::now();
        let patience = Patience::default();
        let mut watch = Watch::new(start, None, 0, patience);
        assert_eq!(kind(&watch, start + patience.silence, 0), None);
        let silent = start + patience.silence + SLICE;
        assert_eq!(kind(&watch, silent, 0), Some(FaultKind::NoBestmove));
        watch.hear(start + SLICE);
        assert_eq!(kind(&watch, silent, 0), None);
        let end = start + patience.search;
        watch.hear(end);
        assert_eq!(kind(&watch, end, 0), None);
        assert_eq!(kind(&watch, end + SLICE, 0), Some(FaultKind::NoBestmove));
    }

    #[test]
    fn a_move_timeout_holds_with_a_clock_and_without() {
        let start = super::super::now();
        let at = |ms| start + Duration::from_millis(ms);
        let timeout = Some(Duration::from_secs(5));
        for clock in [None, Some(Duration::from_mins(1))] {
            let watch = Watch::new(start, clock, 0, Patience::default()).at_most(timeout);
            assert_eq!(kind(&watch, at(5000), 0), None);
            assert_eq!(kind(&watch, at(5001), 0), Some(FaultKind::NoBestmove));
        }
        // Longer than the defaults, which it replaces, even if the engine is silent.
        let long = Some(Duration::from_hours(2));
        let watch = Watch::new(start, None, 0, Patience::default()).at_most(long);
        assert_eq!(kind(&watch, start + Duration::from_hours(2), 0), None);
        let short = Watch::new(start, Some(Duration::from_secs(1)), 0, Patience::default());
        let short = short.at_most(timeout);
        assert_eq!(kind(&short, at(1001), 0), Some(FaultKind::TimeForfeit));
    }

    #[test]
    fn a_flood_is_told_from_much_output() {
        let start = super::super::now();
        let patience = Patience::default();
        for clock in [None, Some(SLICE)] {
            let watch = Watch::new(start, clock, 7, patience);
            assert_eq!(kind(&watch, start, patience.output + 7), None);
            let more = patience.output + 8;
            assert_eq!(kind(&watch, start, more), Some(FaultKind::Flood));
        }
    }
}

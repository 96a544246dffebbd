//! The search information of an engine that game records keep.

use std::time::{Duration, Instant};

use uci::grammar::{Info, Message, ScoreValue};
use uci::obedience::SearchExtent;

use super::{EngineTimeouts, PlayerError, SLICE};
use crate::model::FaultKind;

/// The last complete `info` of a search: for the principal variation, with an exact score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// The score from the mover's point of view.
    pub score: Option<ScoreValue>,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// In permille.
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// The time that the engine reports, in milliseconds.
    pub time_ms: Option<u64>,
    /// The principal variation, if it is kept.
    pub pv: Option<String>,
    /// What the engine wants to have in the PGN: the last `info string pgncomment` of the search.
    pub comment: Option<String>,
}

/// The word by which engines mark a text for the PGN, as the testing framework `OpenBench` keeps it.
const PGN_COMMENT: &str = "pgncomment ";

impl SearchInfo {
    /// Updates from an `info` line. Of lines that have no score or only a bound, or that are not for
    /// the first PV, only a comment is kept.
    ///
    /// The principal variation is stored only if it `keeps_pv`.
    pub fn note(&mut self, line: &str, keeps_pv: bool) {
        let Some(info) = parse(line) else {
            return;
        };
        let text = info.string.as_deref();
        if let Some(text) = text.and_then(|text| text.strip_prefix(PGN_COMMENT)) {
            self.comment = Some(text.trim_ascii().to_owned());
        }
        let is_first = info.multipv.is_none_or(|rank| rank == 1);
        if is_first && info.score.is_some_and(|score| score.bound.is_none()) {
            let pv = info.pv.iter().map(ToString::to_string);
            // What this line lacks is not kept from an earlier one, which was of another depth.
            *self = Self {
                pv: (keeps_pv && !info.pv.is_empty()).then(|| pv.collect::<Vec<_>>().join(" ")),
                comment: self.comment.take(),
                ..Self::from_info(&info)
            };
        }
    }

    /// The fields of an `info` line.
    pub(super) fn read(line: &str) -> Self {
        parse(line).map_or_else(Self::default, |info| Self::from_info(&info))
    }

    /// How far the search has gone.
    pub(super) fn extent(&self) -> SearchExtent {
        SearchExtent {
            nodes: self.nodes,
            depth: self.depth,
        }
    }

    fn from_info(info: &Info) -> Self {
        Self {
            score: info.score.map(|score| score.value),
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            hashfull: info.hashfull,
            tbhits: info.tbhits,
            time_ms: info.time_ms,
            pv: None,
            comment: None,
        }
    }
}

fn parse(line: &str) -> Option<Info> {
    match Message::parse(line) {
        Message::Info(info) => Some(*info),
        _ => None,
    }
}

// Decides from times and bytes whether a search has lasted too long or printed too much. Pure.

#[derive(Clone, Copy, Debug)]
pub(super) struct InfoWatch {
    /// When our last byte was sent.
    pub(super) since: Instant,
    /// The time on its clock; `None` without a clock.
    clock: Option<Duration>,
    heard: Instant,
    bytes_before: u64,
    patience: EngineTimeouts,
    /// The configured maximum time for the move, which replaces the timeouts of [`EngineTimeouts`].
    pub(super) move_timeout: Option<Duration>,
}

impl InfoWatch {
    pub(super) fn new(
        since: Instant,
        clock: Option<Duration>,
        bytes_before: u64,
        patience: EngineTimeouts,
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

    pub(super) fn hear(&mut self, at: Instant) {
        self.heard = at;
    }

    /// How long to wait for a line before checking again.
    pub(super) fn wake(&self, now: Instant) -> Instant {
        // A flood may have no line end: the number of bytes is checked even if no line comes.
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
            // A clock that has run out is a loss on time, whatever else has run out.
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

    fn after(lines: &[&str]) -> SearchInfo {
        let mut search_info = SearchInfo::default();
        for line in lines {
            search_info.note(line, true);
        }
        search_info
    }

    #[test]
    fn progress_is_read_of_lines_without_a_score_too() {
        let rows = rows![
            "info depth 7", Some(7) => None;
            "info time 1000 nodes 870000 nps 870000", None => Some(870_000);
            "info depth 3 score cp 1 lowerbound nodes 5 pv e2e4", Some(3) => Some(5);
            "info string depth 9 nodes 9", None => None;
            "info nodes x", None => None;
        ];
        for (line, depth, nodes) in rows {
            let read = SearchInfo::read(line);
            assert_eq!((read.depth, read.nodes), (depth, nodes), "{line}");
        }
    }

    #[test]
    fn the_last_whole_statement_counts() {
        let whole = "info depth 9 seldepth 14 multipv 1 score cp -31 nodes 4096 nps 1 pv e2e4 e7e5";
        let expected = SearchInfo {
            score: Some(ScoreValue::Cp(-31)),
            depth: Some(9),
            seldepth: Some(14),
            nodes: Some(4096),
            nps: Some(1),
            pv: Some("e2e4 e7e5".to_owned()),
            ..SearchInfo::default()
        };
        let ignored = [
            "info depth 10 currmove e2e4 currmovenumber 1",
            "info depth 10 multipv 2 score cp 90 nodes 5 pv d2d4",
            "info depth 10 score cp 90 lowerbound nodes 5 pv d2d4",
            "info depth 10 score mate 3 upperbound nodes 5",
            "info string depth 77 score cp 5",
            "info depth x score cp 1.5",
            "info",
            "info score cp 99999999999",
        ];
        for line in ignored {
            assert_eq!(after(&[whole, line]), expected, "{line}");
        }
        let mate = after(&[whole, " info\tscore mate -3 depth 1"]);
        assert_eq!(mate.score, Some(ScoreValue::Mate(-3)));
        assert_eq!((mate.depth, mate.nodes), (Some(1), None));
        let behind = after(&["foo info depth 5 pv a7a8q score cp 1020"]);
        assert_eq!(behind.score, Some(ScoreValue::Cp(1020)));
        let expected = (Some(5), Some("a7a8q"));
        assert_eq!((behind.depth, behind.pv.as_deref()), expected);
        let expected = Some(ScoreValue::Cp(99));
        assert_eq!(after(&["info pv score cp 99"]).score, expected);
    }

    #[test]
    fn a_comment_for_the_pgn_is_kept() {
        let rows = rows![
            &["info string pgncomment  a \"b\" ", "info score cp 1"][..] => Some("a \"b\"");
            &["info score cp 1", "info string pgncomment a", "info string pgncomment b"] => Some("b");
            &["info depth 1 score cp 1 string pgncomment a"] => Some("a");
            &["info string pgncomments", "info string a pgncomment b"] => None;
        ];
        for (lines, expected) in rows {
            assert_eq!(after(lines).comment.as_deref(), expected, "{lines:?}");
        }
    }

    fn kind(watch: &InfoWatch, now: Instant, bytes: u64) -> Option<FaultKind> {
        match watch.look(now, bytes) {
            Ok(()) => None,
            Err(PlayerError::Fault { kind, .. }) => Some(kind),
            Err(error) => panic!("{error}"),
        }
    }

    /// Of a search that has this time, with an optional move timeout.
    fn watch(start: Instant, clock: Option<Duration>, move_timeout: Option<Duration>) -> InfoWatch {
        let mut watch = InfoWatch::new(start, clock, 0, EngineTimeouts::default());
        watch.move_timeout = move_timeout;
        watch
    }

    #[test]
    fn a_clock_alone_decides_where_there_is_one() {
        let start = crate::play::now();
        let hour = Duration::from_hours(2);
        let long = watch(start, Some(hour), None);
        assert_eq!(long.wake(start), start + SLICE);
        assert_eq!(kind(&long, start + hour, 0), None);
        let late = start + hour + Duration::from_micros(1);
        assert_eq!(kind(&long, late, 0), Some(FaultKind::TimeForfeit));
        let at = |ms| start + Duration::from_millis(ms);
        let short = watch(start, Some(Duration::from_millis(30)), None);
        assert_eq!(short.wake(start), at(30));
        assert_eq!(kind(&short, at(30), 0), None);
        assert_eq!(kind(&short, at(31), 0), Some(FaultKind::TimeForfeit));
    }

    #[test]
    fn without_a_clock_silence_and_length_decide() {
        let start = crate::play::now();
        let patience = EngineTimeouts::default();
        let mut watch = watch(start, None, None);
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
        let start = crate::play::now();
        let at = |ms| start + Duration::from_millis(ms);
        let timeout = Some(Duration::from_secs(5));
        for clock in [None, Some(Duration::from_mins(1))] {
            let watch = watch(start, clock, timeout);
            assert_eq!(kind(&watch, at(5000), 0), None);
            assert_eq!(kind(&watch, at(5001), 0), Some(FaultKind::NoBestmove));
        }
        // Longer than the defaults, which it replaces, even if the engine is silent.
        let hours = Duration::from_hours(2);
        assert_eq!(
            kind(&watch(start, None, Some(hours)), start + hours, 0),
            None
        );
        let short = watch(start, Some(Duration::from_secs(1)), timeout);
        assert_eq!(kind(&short, at(1001), 0), Some(FaultKind::TimeForfeit));
    }

    #[test]
    fn a_flood_differs_from_much_output() {
        let start = crate::play::now();
        let patience = EngineTimeouts::default();
        for clock in [None, Some(SLICE)] {
            let watch = InfoWatch::new(start, clock, 7, patience);
            assert_eq!(kind(&watch, start, patience.output + 7), None);
            let more = patience.output + 8;
            assert_eq!(kind(&watch, start, more), Some(FaultKind::Flood));
        }
    }
}

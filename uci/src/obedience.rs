//! Whether an engine obeys a limit of its searches, from what it prints in a short one. Pure: it is fed
//! what comes and when. An engine that ignores `go nodes` would otherwise only be noticed in searches
//! that do not end, or not at all.

use std::fmt;
use std::time::{Duration, Instant};

use crate::Wait;
use crate::grammar::{Go, Info, PositionCommand};

/// Node count of a trial, whatever the limit is: enough that an engine which counts in steps obeys it,
/// in hardly any time.
const NODES: u64 = 1000;
/// Node count of the trial that follows where an engine moved after fewer than [`FEWEST`].
const LONGER_NODES: u64 = 20_000;
/// An engine that reports fewer nodes has looked at its own moves only. One that does not know `go nodes`
/// may do so (Ethereal 12); one that has searched a second ply has seen more.
const FEWEST: u64 = 50;
const MOST_DEPTH: u32 = 3;
/// How often a time per move is tried until a move is in time.
const TRIES: usize = 3;

/// A search of fewer nodes is never taken for one that ignores its limit.
const FEW_NODES: u64 = 20_000;
/// An engine that looks at its node count now and then stays below this multiple of the limit.
const MUCH_MORE: u64 = 10;

/// Time allowed for the best move after the limit was passed: far more than any engine needs, even on
/// a busy machine.
const GRACE: Duration = Duration::from_secs(5);

/// How far a search goes: as a limit, or as the engine reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchExtent {
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
}

impl From<&Info> for SearchExtent {
    fn from(info: &Info) -> Self {
        Self {
            nodes: info.nodes,
            depth: info.depth,
        }
    }
}

impl SearchExtent {
    /// Whether a report shows that this limit is passed: for a depth, that the next one has begun.
    pub fn is_passed_by(self, seen: Self) -> bool {
        let by_nodes = self.nodes.zip(seen.nodes);
        let by_depth = self.depth.zip(seen.depth);
        by_nodes.is_some_and(|(limit, nodes)| nodes >= limit)
            || by_depth.is_some_and(|(limit, depth)| depth > limit)
    }

    /// Whether a search went so far beyond this limit that the engine cannot have obeyed it: past ten
    /// times the nodes, or past twice the depth.
    pub fn is_ignored_by(self, seen: Self) -> bool {
        let is_long = seen.nodes.is_none_or(|nodes| nodes > FEW_NODES);
        let by_nodes = self.nodes.zip(seen.nodes);
        let by_depth = self.depth.zip(seen.depth);
        let by_nodes = by_nodes.is_some_and(|(limit, seen)| seen > limit.saturating_mul(MUCH_MORE));
        let by_depth = by_depth.is_some_and(|(limit, seen)| seen > limit.saturating_mul(2));
        is_long && (by_nodes || by_depth)
    }
}

/// The position of the trials, after the moves of both rook pawns: it is in no opening book, from which an
/// engine would move at once and seem to obey any limit.
pub fn position() -> PositionCommand {
    let moves = ["h2h4", "a7a5", "a2a4", "h7h5"];
    PositionCommand {
        moves: moves.map(|text| text.parse().expect("a move")).into(),
        ..PositionCommand::default()
    }
}

/// A short search of [`position`] with one limit, which proves that the engine obeys it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObedienceTrial {
    /// The limit.
    pub go: Go,
    /// The limit of the user, for which this one stands.
    pub asked: Go,
}

impl ObedienceTrial {
    /// A trial of each of these limits; a time per move is at most `most_ms`.
    pub fn trials(
        nodes: Option<u64>,
        depth: Option<u32>,
        movetime_ms: Option<u64>,
        most_ms: u64,
    ) -> Vec<Self> {
        let by = |nodes, depth, movetime_ms| Go {
            depth,
            nodes,
            movetime_ms,
            ..Go::default()
        };
        let trial = |go, asked| Self { go, asked };
        let trials = [
            nodes.map(|_| trial(by(Some(NODES), None, None), by(nodes, None, None))),
            depth.map(|plies| {
                let go = by(None, Some(plies.min(MOST_DEPTH)), None);
                trial(go, by(None, depth, None))
            }),
            movetime_ms.map(|ms| {
                let go = by(None, None, Some(ms.min(most_ms)));
                trial(go, by(None, None, movetime_ms))
            }),
        ];
        trials.into_iter().flatten().collect()
    }

    /// Calls `search`, which returns the time that the move took, once, or for a time per move until a
    /// move is late by no more than `margin`.
    ///
    /// # Errors
    ///
    /// When `search` fails. The value is what is wrong if every move is late.
    pub fn repeat<E>(
        &self,
        margin: Duration,
        mut search: impl FnMut() -> Result<Duration, E>,
    ) -> Result<Option<Disobeyed>, E> {
        let mut late = Vec::new();
        for _ in 0..TRIES {
            let took = search()?;
            // Only a time per move can be missed by being late.
            let by = self.movetime().map(|time| took.saturating_sub(time));
            match by.filter(|by| *by > margin) {
                Some(by) => late.push(by),
                None => return Ok(None),
            }
        }
        Ok(Some(Disobeyed::Late {
            least: late.iter().min().copied().unwrap_or_default(),
            most: late.iter().max().copied().unwrap_or_default(),
            margin,
        }))
    }

    fn movetime(&self) -> Option<Duration> {
        self.go.movetime_ms.map(Duration::from_millis)
    }

    fn limit(&self) -> SearchExtent {
        SearchExtent {
            nodes: self.go.nodes,
            depth: self.go.depth,
        }
    }
}

/// The search of a trial while it runs.
#[derive(Clone, Copy, Debug)]
pub struct TrialSearch {
    limit: SearchExtent,
    since: Instant,
    end: Instant,
    is_passed: bool,
    /// What it has reported last.
    pub seen: SearchExtent,
}

impl TrialSearch {
    /// A search that began with the last byte sent at `since`, and may take the time `wait`, unless it
    /// passes its limit before.
    pub fn new(trial: &ObedienceTrial, since: Instant, wait: Duration) -> Self {
        let wait = trial.movetime().map_or(wait, |time| time + GRACE);
        Self {
            limit: trial.limit(),
            since,
            end: since + wait,
            is_passed: false,
            seen: SearchExtent::default(),
        }
    }

    /// Notes what it reports; true if it has now passed its limit.
    pub fn report(&mut self, at: Instant, seen: SearchExtent) -> bool {
        self.seen.nodes = seen.nodes.or(self.seen.nodes);
        self.seen.depth = seen.depth.or(self.seen.depth);
        let passes = !self.is_passed && self.limit.is_passed_by(seen);
        if passes {
            self.is_passed = true;
            self.end = at + GRACE;
        }
        passes
    }

    /// Whether the engine should have moved.
    pub fn is_overdue(&self, at: Instant) -> bool {
        at > self.end
    }

    /// Whether it went so far that it has ignored its limit.
    pub fn is_beyond(&self) -> bool {
        self.limit.is_ignored_by(self.seen)
    }

    /// Whether a search of nodes has ended long before its limit, by what it reported last.
    pub fn is_short(&self) -> bool {
        self.limit.nodes.is_some()
            && self.seen.depth == Some(1)
            && self.seen.nodes.is_some_and(|nodes| nodes < FEWEST)
    }

    /// The trial by more nodes that decides whether the short search of `trial` has ignored its limit.
    pub fn longer(&self, trial: &ObedienceTrial) -> Option<ObedienceTrial> {
        let go = Go {
            nodes: Some(LONGER_NODES),
            ..Go::default()
        };
        // The longer trial has this number itself, so none follows it.
        let is_open = self.is_short() && self.limit.nodes < go.nodes;
        let asked = trial.asked.clone();
        is_open.then_some(ObedienceTrial { go, asked })
    }

    /// The time until the move that came at this time.
    pub fn took(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.since)
    }
}

/// How an engine ignores a search limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disobeyed {
    /// It did not move in the time `waited`, and then on `stop` if `stops`.
    #[expect(missing_docs, reason = "the variant says what they are")]
    Unanswered { waited: Duration, stops: bool },
    /// It moved, after a search far beyond the limit or far below it.
    Moved,
    /// It moved later than the time per move and its margin allow, in each of several tries; by at
    /// least and at most so much.
    #[expect(missing_docs, reason = "the variant says what they are")]
    Late {
        least: Duration,
        most: Duration,
        margin: Duration,
    },
}

impl Disobeyed {
    /// For moves that are late, a margin in milliseconds that fits: twice as much, in steps of 50 ms.
    pub fn fitting_margin(self) -> Option<u128> {
        match self {
            Self::Late { most, .. } => Some((2 * most.as_millis()).div_ceil(50).max(1) * 50),
            _ => None,
        }
    }
}

/// A limit that an engine ignores. Its text lacks the name of the engine before it, and the remedy
/// behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disobedience {
    /// The command it ignored, such as `go nodes 1000`.
    pub command: String,
    /// The same with the user's limit.
    pub asked: String,
    /// What the protocol calls its answer.
    pub awaited: Wait,
    /// What it reported last.
    pub seen: SearchExtent,
    /// What it did.
    pub how: Disobeyed,
}

impl fmt::Display for Disobedience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            command,
            asked,
            awaited,
            seen,
            how,
        } = self;
        write!(f, "does not obey `{asked}`")?;
        if command != asked {
            write!(f, " (tried: `{command}`)")?;
        }
        f.write_str(": ")?;
        match how {
            Disobeyed::Unanswered { waited, .. } => {
                write!(f, "no {awaited} in {:.1} s, ", waited.as_secs_f64())?;
            }
            Disobeyed::Moved => f.write_str("it moved ")?,
            Disobeyed::Late {
                least,
                most,
                margin,
            } => {
                let [least, most, margin] = [least, most, margin].map(Duration::as_millis);
                return write!(
                    f,
                    "it moved {least} to {most} ms late, more than the margin of {margin} ms in each try"
                );
            }
        }
        match (seen.depth, seen.nodes) {
            (Some(depth), Some(nodes)) => write!(f, "at depth {depth} and {nodes} nodes")?,
            (Some(depth), None) => write!(f, "at depth {depth}")?,
            (None, Some(nodes)) => write!(f, "at {nodes} nodes")?,
            (None, None) => f.write_str("and no info with depth or nodes")?,
        }
        // `?` is the XBoard protocol's `stop`.
        let stop = match awaited {
            Wait::Move => "?",
            _ => "stop",
        };
        match how {
            Disobeyed::Unanswered { stops: true, .. } => {
                write!(f, "; it moves when `{stop}` is sent")
            }
            Disobeyed::Unanswered { .. } => write!(f, "; nor does it obey `{stop}`"),
            Disobeyed::Moved | Disobeyed::Late { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_can_be_reached() {
        let command = crate::grammar::Command::Position(position()).to_string();
        assert_eq!(command, "position startpos moves h2h4 a7a5 a2a4 h7h5");
        let mut game = chess::rules::Game::new(chess::rules::Position::startpos());
        for text in position().moves {
            let m = text.to_move(game.position(), chess::rules::CastlingMode::Standard);
            game.play(m.expect("a move of this position"))
                .expect("legal");
        }
    }

    #[test]
    fn each_limit_is_tried_in_small() {
        let commands = |trials: Vec<ObedienceTrial>| {
            let commands = trials.iter().map(|trial| format!("go{}", trial.go));
            commands.collect::<Vec<_>>()
        };
        let found = ObedienceTrial::trials(Some(2_000_000), Some(2), Some(500), 100);
        assert_eq!(
            commands(found),
            ["go nodes 1000", "go depth 2", "go movetime 100"]
        );
        assert_eq!(
            commands(ObedienceTrial::trials(None, Some(30), None, 0)),
            ["go depth 3"]
        );
        assert!(ObedienceTrial::trials(None, None, None, 0).is_empty());
    }

    #[test]
    fn limits_are_passed_by_what_is_reported() {
        let at = |nodes, depth| SearchExtent { nodes, depth };
        let both = at(Some(1500), Some(6));
        let rows = rows![
            at(Some(1499), Some(6)) => false;
            at(Some(1500), Some(4)) => true;
            at(Some(870_000), None) => true;
            at(None, Some(7)) => true;
            at(None, None) => false;
        ];
        for (seen, expected) in rows {
            assert_eq!(both.is_passed_by(seen), expected, "{seen:?}");
        }
    }

    #[test]
    fn a_search_far_beyond_its_limit_is_one_that_ignores_it() {
        let at = |nodes, depth| SearchExtent { nodes, depth };
        let rows = rows![
            at(Some(1000), None), at(Some(365_360), Some(7)) => true;
            // An engine that looks every few thousand nodes.
            at(Some(1000), None), at(Some(20_000), Some(7)) => false;
            at(Some(1), None), at(Some(16_384), Some(7)) => false;
            at(Some(3000), None), at(Some(30_000), Some(9)) => false;
            at(Some(3000), None), at(Some(30_001), Some(9)) => true;
            at(Some(1000), None), at(None, Some(40)) => false;
            at(None, Some(3)), at(Some(900_000), Some(6)) => false;
            at(None, Some(3)), at(Some(900_000), Some(7)) => true;
            // A forced mate: iterations without nodes.
            at(None, Some(3)), at(Some(5_000), Some(127)) => false;
            at(None, Some(3)), at(None, Some(7)) => true;
            at(None, None), at(Some(9_000_000), Some(40)) => false;
        ];
        for (limit, seen, expected) in rows {
            assert_eq!(limit.is_ignored_by(seen), expected, "{limit:?} {seen:?}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a search begins at some time")]
    fn a_short_search_is_tried_by_more_nodes() {
        let rows = rows![
            None, Some(1) => false;
            Some(49), Some(1) => true;
            Some(50), Some(1) => false;
            Some(49), Some(2) => false;
        ];
        let trials = ObedienceTrial::trials(Some(500), Some(1), None, 0);
        for (nodes, depth, expected) in rows {
            let search = |trial: &ObedienceTrial| {
                let mut search = TrialSearch::new(trial, Instant::now(), GRACE);
                search.report(search.since, SearchExtent { nodes, depth });
                search
            };
            let first = search(&trials[0]);
            assert_eq!(first.is_short(), expected, "{nodes:?} {depth:?}");
            let next = first.longer(&trials[0]).map(|longer| search(&longer));
            let limit = next.map(|next| (next.limit.nodes, next.longer(&trials[0])));
            assert_eq!(limit, expected.then_some((Some(20_000), None)));
            let longer = first.longer(&trials[0]);
            // Whatever is tried, it is the user's limit that is not obeyed.
            assert!(longer.is_none_or(|longer| longer.asked.nodes == Some(500)));
            assert!(!search(&trials[1]).is_short());
        }
    }

    #[test]
    fn one_move_in_time_is_enough() {
        let trial = &ObedienceTrial::trials(None, None, Some(100), 100)[0];
        let ms = Duration::from_millis;
        let often = |times: &[u64]| {
            let mut times = times.iter();
            trial.repeat(ms(50), || times.next().copied().map(ms).ok_or("no more"))
        };
        assert_eq!(often(&[400, 150]), Ok(None));
        let how = Disobeyed::Late {
            least: ms(51),
            most: ms(300),
            margin: ms(50),
        };
        assert_eq!(often(&[151, 400, 200, 100]), Ok(Some(how)));
        assert_eq!(how.fitting_margin(), Some(600));
        assert_eq!(often(&[400, 400]), Err("no more"));
    }
}

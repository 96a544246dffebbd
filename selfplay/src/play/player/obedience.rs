//! Checks before the first game that an engine obeys its search limits: one that ignores `go nodes`
//! would otherwise only be noticed in a game that never ends.

use std::time::{Duration, Instant};

use uci::grammar::Go;
use uci::{EngineError, Event, News};

use super::think::StopAt;
use super::{Disobedience, Insight, Player, PlayerError, SLICE, now};
use crate::model::{FaultKind, Limits, Protocol};

/// Maximum node count of the check: enough to see whether the limit is obeyed, in hardly any time.
const MOST_NODES: u64 = 1000;
const MOST_DEPTH: u32 = 3;
const MOST_MOVETIME: u64 = 100;
/// `st` has whole seconds.
const MOST_MOVETIME_XBOARD: u64 = 1000;
/// Time allowed for `bestmove` after the limit was passed: far more than any engine needs, even on
/// a busy machine.
const GRACE: Duration = Duration::from_secs(5);

struct Trial {
    go: Go,
    stop_at: StopAt,
    /// The time after which it should have moved, for a time limit.
    movetime: Option<Duration>,
}

/// All configured limits except the clock, which is enforced during games.
fn trials(limits: &Limits, longest_ms: u64) -> Vec<Trial> {
    let trial = |nodes, depth, movetime_ms: Option<u64>| Trial {
        go: Go {
            nodes,
            depth,
            movetime_ms,
            ..Go::default()
        },
        stop_at: StopAt { nodes, depth },
        movetime: movetime_ms.map(Duration::from_millis),
    };
    let nodes = limits.nodes.map(|nodes| nodes.min(MOST_NODES));
    let depth = limits.depth.map(|depth| depth.min(MOST_DEPTH));
    let movetime = limits.movetime_ms.map(|ms| ms.min(longest_ms));
    let trials = [
        nodes.map(|nodes| trial(Some(nodes), None, None)),
        depth.map(|depth| trial(None, Some(depth), None)),
        movetime.map(|ms| trial(None, None, Some(ms))),
    ];
    trials.into_iter().flatten().collect()
}

impl Player {
    /// Searches the start position with each of the engine's limits except the clock; `asking` is
    /// called with each command first. The engine is restarted before its first game, so that the
    /// check does not affect games. Other faults are ignored here: games will reveal them.
    pub fn try_limits(
        &mut self,
        chess960: bool,
        asking: &mut dyn FnMut(String),
    ) -> Result<(), PlayerError> {
        let longest_ms = match self.config.protocol {
            Protocol::Uci => MOST_MOVETIME,
            Protocol::Xboard => MOST_MOVETIME_XBOARD,
        };
        let trials = trials(&self.config.limits, longest_ms);
        if trials.is_empty() {
            return Ok(());
        }
        for trial in trials {
            asking(format!("go{}", trial.go));
            if let Err(error) = self.try_limit(&trial, chess960) {
                self.kill();
                if !matches!(error, PlayerError::Fault { .. }) {
                    return Err(error);
                }
            }
        }
        self.quit();
        Ok(())
    }

    fn try_limit(&mut self, trial: &Trial, chess960: bool) -> Result<(), PlayerError> {
        self.announce_once(chess960)?;
        self.wait_once()?;
        let before = self.received_bytes();
        let since = self.search("position startpos", &trial.go)?;
        let mut passed = trial.movetime.map(|time| since + time);
        let mut seen = Insight::default();
        loop {
            let at = match self.running()?.next_news(now() + SLICE)? {
                Some(News::Event(_, Event::BestMove { .. })) => return Ok(()),
                Some(News::Info(line)) => {
                    let read = Insight::read(&line.text);
                    seen.depth = read.depth.or(seen.depth);
                    seen.nodes = read.nodes.or(seen.nodes);
                    if passed.is_none() && trial.stop_at.is_passed(&line.text) {
                        passed = Some(line.at);
                        let send_stop = self.config.limits.send_stop && trial.movetime.is_none();
                        if send_stop && self.stop_and_wait()? {
                            return Ok(());
                        }
                    }
                    line.at
                }
                Some(News::Event(at, _)) => at,
                None => now(),
            };
            let printed = self.received_bytes() - before;
            if printed > self.patience.output {
                return Err(PlayerError::Fault {
                    kind: FaultKind::Flood,
                    detail: format!("it printed {printed} bytes without a bestmove"),
                });
            }
            if at > self.trial_end(since, passed, &seen) {
                return Err(self.disobeyed(trial, &seen, since));
            }
        }
    }

    /// The deadline for its move: soon after it has passed the limit. Before that, the time that a
    /// move of a game may take, or, if it prints no progress, the time that it may be silent.
    fn trial_end(&self, since: Instant, passed: Option<Instant>, seen: &Insight) -> Instant {
        let timeout = self.config.limits.move_timeout_ms;
        let patience = match timeout.map(Duration::from_millis) {
            Some(timeout) => timeout,
            None if *seen == Insight::default() => self.patience.silence,
            None => self.patience.search,
        };
        let end = since.checked_add(patience);
        let end = end.unwrap_or(since + self.patience.search);
        passed.map_or(end, |passed| passed + GRACE)
    }

    /// Describes what the engine did, after trying to stop it.
    fn disobeyed(&mut self, trial: &Trial, seen: &Insight, since: Instant) -> PlayerError {
        let waited = now() - since;
        let stops = match self.stop_and_wait() {
            Ok(stops) => stops,
            Err(error) => return error,
        };
        let prints = match trial.go.depth {
            Some(_) => seen.depth.is_some(),
            None => seen.nodes.is_some(),
        };
        let by_time = trial.movetime.is_some();
        let can_be_stopped = stops && prints && !by_time && !self.config.limits.send_stop;
        PlayerError::Disobedient(Box::new(Disobedience {
            engine: self.config.name.clone(),
            command: format!("go{}", trial.go),
            nodes: seen.nodes,
            depth: seen.depth,
            waited,
            stops,
            can_be_stopped,
        }))
    }

    /// Returns true if the engine moves after `stop`.
    fn stop_and_wait(&mut self) -> Result<bool, PlayerError> {
        let grace = self.patience.stop.min(GRACE);
        let engine = self.running()?;
        // It has ignored a `stop` before, so it will ignore this one.
        if !engine.is_searching() {
            return Ok(false);
        }
        let end = engine.stop(grace)? + grace;
        while now() <= end {
            match engine.next_news(now() + SLICE) {
                Ok(Some(News::Event(_, Event::BestMove { .. }))) => return Ok(true),
                Ok(_) => {}
                Err(EngineError::Cancelled) => return Err(PlayerError::Cancelled),
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_but_the_clock_is_tried_in_small() {
        let limits = Limits {
            clock: Some("10+0.1".parse().expect("a clock")),
            movetime_ms: Some(5000),
            nodes: Some(2_000_000),
            depth: Some(2),
            ..Limits::default()
        };
        let commands: Vec<String> = trials(&limits, MOST_MOVETIME)
            .iter()
            .map(|trial| format!("go{}", trial.go))
            .collect();
        assert_eq!(commands, ["go nodes 1000", "go depth 2", "go movetime 100"]);
        let clock_alone = Limits {
            movetime_ms: None,
            nodes: None,
            depth: None,
            ..limits
        };
        assert!(trials(&clock_alone, MOST_MOVETIME).is_empty());
    }
}

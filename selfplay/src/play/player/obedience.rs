//! Checks before the first game that an engine speaks its protocol and obeys its search limits: one that
//! ignores `go nodes` would otherwise only be noticed in a game that never ends, or not at all.

use std::time::{Duration, Instant};

use uci::grammar::Go;
use uci::{EngineError, Event, News};

use super::engine::Engine;
use super::start::command_line;
use super::think::StopAt;
use super::{Disobedience, Disobeyed, Insight, Patience, Player, PlayerError, SLICE, now};
use crate::model::{FaultKind, Limits, Protocol};

/// The position of the trials: in no opening book, from which an engine would move at once.
const POSITION: &str = "position startpos moves h2h4 a7a5 a2a4 h7h5";

/// Node count of the check, whatever the limit is: enough that an engine which counts in steps obeys
/// it, in hardly any time.
const NODES: u64 = 1000;
const MOST_DEPTH: u32 = 3;
const MOST_MOVETIME: u64 = 100;
/// `st` has whole seconds.
const MOST_MOVETIME_XBOARD: u64 = 1000;
/// How often a time per move is tried until a move is in time.
const TRIES: usize = 3;

/// A search of fewer nodes is never taken for one that ignores its limit.
const FEW_NODES: u64 = 20_000;
/// An engine that looks at its node count now and then stays below this multiple of the limit.
const MUCH_MORE: u64 = 10;

/// Whether a search went so far beyond its limit that the engine cannot have obeyed it: past ten times
/// the nodes, or past twice the depth.
fn is_ignored(limits: StopAt, seen: &Insight) -> bool {
    let is_long = seen.nodes.is_none_or(|nodes| nodes > FEW_NODES);
    let nodes = limits.nodes.zip(seen.nodes);
    let depth = limits.depth.zip(seen.depth);
    let by_nodes = nodes.is_some_and(|(limit, seen)| seen > limit.saturating_mul(MUCH_MORE));
    let by_depth = depth.is_some_and(|(limit, seen)| seen > limit.saturating_mul(2));
    is_long && (by_nodes || by_depth)
}

/// Time for an engine of the other protocol to show that it is one.
const OTHER: Duration = Duration::from_secs(3);
/// Time allowed for `bestmove` after the limit was passed: far more than any engine needs, even on
/// a busy machine.
const GRACE: Duration = Duration::from_secs(5);
/// Time allowed for `bestmove` after `stop`: with the time of a trial less than 15 s.
const STOP_GRACE: Duration = Duration::from_secs(4);

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
    let nodes = limits.nodes.map(|_| NODES);
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
    /// Waits until the engine is ready, and searches with each of its limits except the clock; `asking`
    /// is called with each command first. What has been proved of this program with these options is
    /// not tried again, but a time per move always is. An engine that has searched is restarted before its
    /// first game, so that the check does not affect games. Faults but an engine that is never ready are
    /// ignored here: games will reveal them.
    pub fn try_limits(
        &mut self,
        chess960: bool,
        asking: &mut dyn FnMut(String),
    ) -> Result<(), PlayerError> {
        let proof = self.proof();
        let known = proof.as_ref();
        let is_proved = known.is_some_and(|proof| self.programs.is_proved(proof));
        let mut trials = self.trials();
        trials.retain(|trial| !is_proved || trial.movetime.is_some());
        let mut is_sound = true;
        if trials.is_empty() {
            let ready = self.announce_once(chess960).and_then(|()| self.wait_once());
            is_sound = self.pass_over(ready)?;
        }
        for trial in &trials {
            asking(self.command(trial));
            let tried = self.try_often(trial, chess960);
            is_sound &= self.pass_over(tried)?;
        }
        if !trials.is_empty() || self.engine.as_ref().is_some_and(Engine::plays_once) {
            self.quit();
        }
        if let Some(proof) = proof.filter(|_| is_sound) {
            self.programs.keep(&proof);
        }
        Ok(())
    }

    fn trials(&self) -> Vec<Trial> {
        let longest_ms = match self.config.protocol {
            Protocol::Uci => MOST_MOVETIME,
            Protocol::Xboard => MOST_MOVETIME_XBOARD,
        };
        trials(&self.config.limits, longest_ms)
    }

    /// The line for a proof that the engine speaks its protocol and obeys its limits.
    fn proof(&self) -> Option<String> {
        let trials = self.trials();
        let kept = trials.iter().filter(|trial| trial.movetime.is_none());
        let commands: Vec<String> = kept.map(|trial| self.command(trial)).collect();
        self.programs.proof(&self.config, &commands)
    }

    /// Kills an engine that is at fault, and returns whether it was not; the error, if no game is to
    /// be played.
    fn pass_over(&mut self, tried: Result<(), PlayerError>) -> Result<bool, PlayerError> {
        let Err(error) = tried else {
            return Ok(true);
        };
        self.kill();
        match error {
            PlayerError::Fault { kind, .. } if kind != FaultKind::NoReadyok => Ok(false),
            error => Err(error),
        }
    }

    /// Tries a limit once, or a time per move until a move is in time.
    fn try_often(&mut self, trial: &Trial, chess960: bool) -> Result<(), PlayerError> {
        let margin = Duration::from_millis(self.config.limits.margin_ms);
        let mut late = Vec::new();
        for _ in 0..TRIES {
            let took = self.try_limit(trial, chess960)?;
            let by = trial.movetime.map(|time| took.saturating_sub(time));
            match by.filter(|by| *by > margin) {
                Some(by) => late.push(by),
                None => return Ok(()),
            }
        }
        let least = late.iter().min().copied().unwrap_or_default();
        let most = late.iter().max().copied().unwrap_or_default();
        let how = Disobeyed::Late {
            least,
            most,
            margin,
        };
        Err(self.disobedience(trial, &Insight::default(), how))
    }

    /// The command of a trial, in the words of the engine's protocol.
    fn command(&self, trial: &Trial) -> String {
        let Go {
            nodes,
            depth,
            movetime_ms,
            ..
        } = trial.go;
        match (self.config.protocol, nodes, depth, movetime_ms) {
            (Protocol::Xboard, Some(nodes), ..) => format!("nps {nodes}"),
            (Protocol::Xboard, _, Some(depth), _) => format!("sd {depth}"),
            (Protocol::Xboard, _, _, Some(ms)) => format!("st {}", ms / 1000),
            _ => format!("go{}", trial.go),
        }
    }

    /// Describes a search that went far beyond a limit which the engine has to keep by itself.
    pub fn ignored_limit(&self, seen: &Insight) -> Option<String> {
        let limits = &self.config.limits;
        let stop_at = StopAt {
            nodes: limits.nodes,
            depth: limits.depth,
        };
        if limits.send_stop || !is_ignored(stop_at, seen) {
            return None;
        }
        let limit = match (limits.nodes, limits.depth) {
            (Some(nodes), _) => format!("nodes {nodes}"),
            (None, depth) => format!("depth {}", depth.unwrap_or(0)),
        };
        let depth = seen.depth.unwrap_or(0);
        let nodes = seen.nodes.unwrap_or(0);
        Some(format!(
            "it searched {nodes} nodes, to depth {depth}, at {limit}"
        ))
    }

    /// The error of an engine that answers the greeting of the other protocol, after it has not answered
    /// that of its own. Its process is another one.
    pub fn wrong_protocol(&self) -> Option<PlayerError> {
        let (speaks, greeting) = match self.config.protocol {
            Protocol::Uci => (Protocol::Xboard, "feature "),
            Protocol::Xboard => (Protocol::Uci, "uciok"),
        };
        let is_proved = |proof: String| self.programs.is_proved(&proof);
        if self.has_greeted() || self.proof().is_some_and(is_proved) {
            return None;
        }
        let command = command_line(&self.config.command);
        let mut other = Engine::start(speaks, &command, self.cancel.clone()).ok()?;
        let patience = Patience {
            uciok: OTHER,
            features: OTHER / 5,
            ..self.patience
        };
        // How it fails does not matter: what it has said does.
        let _ = other.handshake(&patience);
        let answers = other.has_said(greeting);
        other.kill();
        answers.then_some(PlayerError::WrongProtocol { speaks })
    }

    /// Whether the engine has answered the greeting of its protocol. Old engines of `XBoard`'s protocol
    /// have no answer.
    fn has_greeted(&self) -> bool {
        let greeting = match self.config.protocol {
            Protocol::Uci => "uciok",
            Protocol::Xboard => "feature ",
        };
        let engine = self.engine.as_ref();
        engine.is_some_and(|engine| engine.has_said(greeting))
    }

    /// Searches, and returns the time that the move took.
    fn try_limit(&mut self, trial: &Trial, chess960: bool) -> Result<Duration, PlayerError> {
        self.announce_once(chess960)?;
        self.wait_once()?;
        let before = self.received_bytes();
        let since = self.search(POSITION, &trial.go)?;
        let mut passed = trial.movetime.map(|time| since + time);
        let mut seen = Insight::default();
        loop {
            let at = match self.running()?.next_news(now() + SLICE)? {
                Some(News::Event(at, Event::BestMove { .. })) => {
                    let send_stop = self.config.limits.send_stop;
                    if !send_stop && is_ignored(trial.stop_at, &seen) {
                        return Err(self.disobedience(trial, &seen, Disobeyed::Beyond));
                    }
                    return Ok(at.saturating_duration_since(since));
                }
                Some(News::Info(line)) => {
                    let read = Insight::read(&line.text);
                    seen.depth = read.depth.or(seen.depth);
                    seen.nodes = read.nodes.or(seen.nodes);
                    if passed.is_none() && trial.stop_at.is_passed(&line.text) {
                        passed = Some(line.at);
                        let send_stop = self.config.limits.send_stop && trial.movetime.is_none();
                        if send_stop && self.stop_and_wait()? {
                            return Ok(Duration::ZERO);
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
            if at > self.trial_end(since, passed) {
                return Err(self.disobeyed(trial, &seen, since));
            }
        }
    }

    /// The deadline for its move: soon after it has passed the limit. Before that, the time of a trial,
    /// or that of a move of a game if that is less.
    fn trial_end(&self, since: Instant, passed: Option<Instant>) -> Instant {
        let timeout = self.config.limits.move_timeout_ms;
        let timeout = timeout.map_or(Duration::MAX, Duration::from_millis);
        let end = since + self.patience.trial.min(timeout);
        passed.map_or(end, |passed| passed + GRACE)
    }

    /// Describes what the engine did, after trying to stop it.
    fn disobeyed(&mut self, trial: &Trial, seen: &Insight, since: Instant) -> PlayerError {
        let waited = now() - since;
        let stops = match self.stop_and_wait() {
            Ok(stops) => stops,
            Err(error) => return error,
        };
        self.disobedience(trial, seen, Disobeyed::Unanswered { waited, stops })
    }

    fn disobedience(&self, trial: &Trial, seen: &Insight, how: Disobeyed) -> PlayerError {
        let prints = match trial.go.depth {
            Some(_) => seen.depth.is_some(),
            None => seen.nodes.is_some(),
        };
        let by_time = trial.movetime.is_some();
        let stops = !matches!(how, Disobeyed::Unanswered { stops: false, .. });
        let can_be_stopped = stops && prints && !by_time && !self.config.limits.send_stop;
        PlayerError::Disobedient(Box::new(Disobedience {
            engine: self.config.name.clone(),
            command: self.command(trial),
            nodes: seen.nodes,
            depth: seen.depth,
            how,
            protocol: self.config.protocol,
            can_be_stopped,
        }))
    }

    /// Returns true if the engine moves after `stop`.
    fn stop_and_wait(&mut self) -> Result<bool, PlayerError> {
        let grace = self.patience.stop.min(STOP_GRACE);
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

    #[test]
    fn a_search_far_beyond_its_limit_is_one_that_ignores_it() {
        let at = |nodes, depth| StopAt { nodes, depth };
        let rows = [
            (at(Some(1000), None), (Some(7), Some(365_360)), true),
            // An engine that looks every few thousand nodes.
            (at(Some(1000), None), (Some(7), Some(20_000)), false),
            (at(Some(1), None), (Some(7), Some(16_384)), false),
            (at(Some(3000), None), (Some(9), Some(30_000)), false),
            (at(Some(3000), None), (Some(9), Some(30_001)), true),
            (at(Some(1000), None), (Some(40), None), false),
            (at(None, Some(3)), (Some(6), Some(900_000)), false),
            (at(None, Some(3)), (Some(7), Some(900_000)), true),
            // A forced mate: iterations without nodes.
            (at(None, Some(3)), (Some(127), Some(5_000)), false),
            (at(None, Some(3)), (Some(7), None), true),
            (at(None, None), (Some(40), Some(9_000_000)), false),
        ];
        for (limits, (depth, nodes), expected) in rows {
            let seen = Insight {
                depth,
                nodes,
                ..Insight::default()
            };
            assert_eq!(is_ignored(limits, &seen), expected, "{limits:?} {seen:?}");
        }
    }
}

//! Checks before the first game that an engine speaks its protocol and obeys its search limits.

use std::time::Duration;

use uci::grammar::{Command, Go};
use uci::obedience::{self, Disobeyed, ObedienceTrial, SearchExtent, TrialSearch};
use uci::{Client, EngineError, EngineEvent, SessionEvent, SessionState, Wait};

use super::{DisobedientEngine, Player, PlayerError, SLICE, SearchInfo, now};
use crate::model::{FaultKind, Protocol};

const MOST_MOVETIME: u64 = 100;
/// `st` has whole seconds.
const MOST_MOVETIME_XBOARD: u64 = 1000;
/// Time allowed for `bestmove` after `stop`: with the time of a trial less than 15 s.
const STOP_GRACE: Duration = Duration::from_secs(4);

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
        // A time per move depends on the machine and its load, too, not on the program alone.
        trials.retain(|trial| !is_proved || trial.go.movetime_ms.is_some());
        let mut is_sound = true;
        if trials.is_empty() {
            let ready = self.announce_once(chess960).and_then(|()| self.wait_once());
            is_sound = self.pass_over(ready)?;
        }
        for trial in &trials {
            asking(self.command(&trial.go));
            let tried = self.try_often(trial, chess960);
            is_sound &= self.pass_over(tried)?;
        }
        if !trials.is_empty() || !self.engine.as_ref().is_none_or(Client::can_be_reused) {
            self.quit();
        }
        if let Some(proof) = proof.filter(|_| is_sound) {
            self.programs.keep(&proof);
        }
        Ok(())
    }

    fn trials(&self) -> Vec<ObedienceTrial> {
        let longest_ms = match self.config.protocol {
            Protocol::Uci => MOST_MOVETIME,
            Protocol::Xboard => MOST_MOVETIME_XBOARD,
        };
        // All configured limits except the clock, which is enforced during games.
        let limits = &self.config.limits;
        ObedienceTrial::trials(limits.nodes, limits.depth, limits.movetime_ms, longest_ms)
    }

    /// The line for a proof that the engine speaks its protocol and obeys its limits.
    fn proof(&self) -> Option<String> {
        let trials = self.trials();
        let kept = trials.iter().filter(|trial| trial.go.movetime_ms.is_none());
        let commands: Vec<String> = kept.map(|trial| self.command(&trial.go)).collect();
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
    fn try_often(&mut self, trial: &ObedienceTrial, chess960: bool) -> Result<(), PlayerError> {
        let margin = Duration::from_millis(self.config.limits.margin_ms);
        let how = trial.repeat(margin, || self.try_limit(trial, chess960))?;
        how.map_or(Ok(()), |how| {
            Err(self.disobedience(trial, SearchExtent::default(), how))
        })
    }

    /// The command with a limit, in the words of the engine's protocol.
    fn command(&self, go: &Go) -> String {
        let Go {
            nodes,
            depth,
            movetime_ms,
            ..
        } = *go;
        match (self.config.protocol, nodes, depth, movetime_ms) {
            (Protocol::Xboard, Some(nodes), ..) => format!("nps {nodes}"),
            (Protocol::Xboard, _, Some(depth), _) => format!("sd {depth}"),
            (Protocol::Xboard, _, _, Some(ms)) => format!("st {}", ms / 1000),
            _ => format!("go{go}"),
        }
    }

    /// Describes a search that went far beyond a limit which the engine has to keep by itself.
    pub fn ignored_limit(&self, seen: &SearchInfo) -> Option<String> {
        let limits = &self.config.limits;
        let extent = SearchExtent {
            nodes: limits.nodes,
            depth: limits.depth,
        };
        if limits.send_stop || !extent.is_ignored_by(seen.extent()) {
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
        let is_proved = |proof: String| self.programs.is_proved(&proof);
        if self.has_greeted() || self.proof().is_some_and(is_proved) {
            return None;
        }
        let other = self.start_by(self.config.protocol).other_protocol();
        other.map(PlayerError::speaks)
    }

    /// Whether the engine has answered the greeting of its protocol. Old engines of `XBoard`'s protocol
    /// have no answer.
    fn has_greeted(&self) -> bool {
        let greeting = match self.config.protocol {
            Protocol::Uci => "uciok",
            Protocol::Xboard => "feature ",
        };
        let engine = self.engine.as_ref();
        engine.is_some_and(|engine| engine.has_printed(greeting))
    }

    /// Searches, and returns the time that the move took.
    fn try_limit(
        &mut self,
        trial: &ObedienceTrial,
        chess960: bool,
    ) -> Result<Duration, PlayerError> {
        self.announce_once(chess960)?;
        self.wait_once()?;
        let before = self.received_bytes();
        let position = Command::Position(obedience::position()).to_string();
        let since = self.search(&position, &trial.go)?;
        // The time of a trial, or that of a move of a game if that is less.
        let timeout = self.config.limits.move_timeout_ms;
        let timeout = timeout.map_or(Duration::MAX, Duration::from_millis);
        let mut search = TrialSearch::new(trial, since, self.patience.trial.min(timeout));
        let send_stop = self.config.limits.send_stop;
        loop {
            let at = match self.running()?.next_news(now() + SLICE)? {
                Some(EngineEvent::Event(at, SessionEvent::BestMove { .. })) => {
                    if let Some(longer) = search.longer(trial) {
                        return self.try_limit(&longer, chess960);
                    }
                    if search.is_short() || !send_stop && search.is_beyond() {
                        return Err(self.disobedience(trial, search.seen, Disobeyed::Moved));
                    }
                    return Ok(search.took(at));
                }
                Some(EngineEvent::Info(line)) => {
                    let is_passed = search.report(line.at, SearchInfo::read(&line.text).extent());
                    if is_passed && send_stop && self.stop_and_wait()? {
                        return Ok(Duration::ZERO);
                    }
                    line.at
                }
                Some(EngineEvent::Event(at, _)) => at,
                None => now(),
            };
            let printed = self.received_bytes() - before;
            if printed > self.patience.output {
                return Err(PlayerError::Fault {
                    kind: FaultKind::Flood,
                    detail: format!("it printed {printed} bytes without a bestmove"),
                });
            }
            if search.is_overdue(at) {
                return Err(self.disobeyed(trial, &search));
            }
        }
    }

    /// Describes what the engine did, after trying to stop it.
    fn disobeyed(&mut self, trial: &ObedienceTrial, search: &TrialSearch) -> PlayerError {
        let waited = search.took(now());
        match self.stop_and_wait() {
            Ok(stops) => {
                let how = Disobeyed::Unanswered { waited, stops };
                self.disobedience(trial, search.seen, how)
            }
            Err(error) => error,
        }
    }

    fn disobedience(
        &self,
        trial: &ObedienceTrial,
        seen: SearchExtent,
        how: Disobeyed,
    ) -> PlayerError {
        let prints = match trial.go.depth {
            Some(_) => seen.depth.is_some(),
            None => seen.nodes.is_some(),
        };
        let by_time = trial.go.movetime_ms.is_some();
        let ends_early = how == Disobeyed::Moved && seen.nodes < trial.go.nodes;
        let stops = !matches!(how, Disobeyed::Unanswered { stops: false, .. });
        let awaited = match self.config.protocol {
            Protocol::Uci => Wait::BestMove,
            Protocol::Xboard => Wait::Move,
        };
        PlayerError::Disobedient(Box::new(DisobedientEngine {
            engine: self.config.name.clone(),
            limit: obedience::Disobedience {
                command: self.command(&trial.go),
                asked: self.command(&trial.asked),
                awaited,
                seen,
                how,
            },
            can_be_stopped: stops
                && prints
                && !by_time
                && !ends_early
                && !self.config.limits.send_stop,
            others: if by_time { "--tc" } else { "--movetime, --tc" },
        }))
    }

    /// Returns true if the engine moves after `stop`.
    fn stop_and_wait(&mut self) -> Result<bool, PlayerError> {
        let grace = self.patience.stop.min(STOP_GRACE);
        let engine = self.running()?;
        // It has ignored a `stop` before, so it will ignore this one.
        if engine.state() != SessionState::Searching {
            return Ok(false);
        }
        let end = engine.stop(grace)? + grace;
        while now() <= end {
            match engine.next_news(now() + SLICE) {
                Ok(Some(EngineEvent::Event(_, SessionEvent::BestMove { .. }))) => return Ok(true),
                Ok(_) => {}
                Err(EngineError::Cancelled) => return Err(PlayerError::Cancelled),
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }
}

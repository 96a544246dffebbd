//! Before the first game: starts and configures an engine, and checks that it speaks its protocol and obeys its
//! search limits.

use std::time::Duration;

use uci::grammar::{Command, Go, OptionKind};
use uci::obedience::{self, Disobeyed, ObedienceTrial, SearchExtent, TrialSearch};
use uci::{
    Client, CommandLine, EngineError, EngineEvent, EngineProtocol, Identity, SessionError,
    SessionEvent, SessionState, Start, Wait,
};

use super::{
    ChangedProgram, DisobedientEngine, Incident, Player, PlayerError, SLICE, SearchInfo,
    SetupError, now,
};
use crate::model::{EngineCommand, EngineId, FaultKind, Protocol};
use crate::play::event::AwaitedAnswer;

const MOST_MOVETIME: u64 = 100;
/// `st` has whole seconds.
const MOST_MOVETIME_XBOARD: u64 = 1000;
/// Time allowed for `bestmove` after `stop`: with the time of a trial less than 15 s.
const STOP_GRACE: Duration = Duration::from_secs(4);

impl Player {
    /// Starts the engine, performs the handshake and sets its options.
    pub(super) fn start(&mut self) -> Result<(), PlayerError> {
        let start = self.start_by(self.config.protocol);
        let started = Client::start(&start);
        // Behind the start: a change is found unless the file was replaced and put back meanwhile.
        let is_changed = self.check_program()?;
        // Stored at once, since its transcript explains a failure.
        let engine = self.engine.insert(started?);
        // Without a clock, speed matters more than the time of each line.
        let limits = &self.config.limits;
        engine.set_feature_silence(self.patience.features);
        engine.remark(&self.config.name);
        engine.take_turns(limits.clock.is_none() && limits.movetime_ms.is_none());
        for line in &self.config.startup {
            engine.send_line(line)?;
        }
        self.begin_wait(AwaitedAnswer::greeting(self.config.protocol));
        let (patience, is_first) = (self.patience.uciok, self.id.is_none());
        let engine = self.running()?;
        let greeted = if is_first {
            engine.first_handshake(&start, patience)
        } else {
            engine.handshake(patience)
        };
        self.end_wait();
        greeted?;
        self.note_id(is_changed);
        self.default_threads = self.declared_threads();
        for (name, value) in self.config.options.clone() {
            self.set_option(&name, &value)?;
        }
        if self.config.ponder {
            let set = self.running()?.ponder();
            self.check_setup(set)?;
        }
        Ok(())
    }

    /// How the engine's program is started as one that speaks this protocol.
    pub(super) fn start_by(&self, protocol: Protocol) -> Start {
        Start {
            protocol: match protocol {
                Protocol::Uci => EngineProtocol::Uci,
                Protocol::Xboard => EngineProtocol::Xboard,
            },
            cancel: self.cancel.clone(),
            ..Start::new(command_line(&self.config.command))
        }
    }

    /// Compares the program with that of the last process or, for the first one, with that at the
    /// beginning of the run. Returns true if the run goes on with another one, which becomes an incident.
    fn check_program(&mut self) -> Result<bool, PlayerError> {
        let path = &self.config.command.program;
        let Some(look) = self.programs.look(path) else {
            return Ok(false);
        };
        let before = self.program.clone().unwrap_or(look.first);
        if look.now.as_ref() == Some(&before) {
            self.program = look.now;
            return Ok(false);
        }
        let change = ChangedProgram {
            path: path.clone(),
            before,
            now: look.now.clone(),
            modified: look.modified,
        };
        if !self.programs.allow_changes() {
            return Err(PlayerError::Changed(Box::new(change)));
        }
        // A missing one is the fault of the engine that could not be started.
        let is_there = look.now.is_some();
        if is_there {
            self.program = look.now;
            self.changes.push(Incident {
                kind: FaultKind::ChangedEngine,
                detail: change.to_string(),
            });
        }
        Ok(is_there)
    }

    /// Keeps what the engine says of itself. Another name or author than before, in this run or in the
    /// ledger of one that is resumed, is an incident, unless its program `is_changed`, which is one already.
    fn note_id(&mut self, is_changed: bool) {
        let Some(engine) = &self.engine else {
            return;
        };
        let id = engine_id(engine.id());
        self.id = Some(id.clone());
        let before = self.programs.replace_id(self.index, id.clone());
        if let Some(before) = before.filter(|before| *before != id && !is_changed) {
            let are_namesakes = before.name == id.name;
            let [before, now] = [before, id].map(|one| {
                let name = one.name.map(|name| format!("'{name}'"));
                let name = name.unwrap_or_else(|| "an engine without a name".to_owned());
                match one.author.filter(|_| are_namesakes) {
                    Some(author) => format!("{name} by '{author}'"),
                    None => name,
                }
            });
            self.changes.push(Incident {
                kind: FaultKind::ChangedEngine,
                detail: format!("it was started as {now}, and was {before} before"),
            });
        }
    }

    /// The default of the option `Threads`, which the engine uses if it is not set.
    fn declared_threads(&self) -> Option<usize> {
        let declared = self.engine.as_ref()?.option("Threads")?;
        match declared.kind {
            OptionKind::Spin {
                default: Some(threads),
                ..
            } => usize::try_from(threads).ok(),
            _ => None,
        }
    }

    /// Changes options between games, skipping those that already have the value. An engine that
    /// turns out to have exited is restarted by the next game; the exit is returned as an incident.
    ///
    /// # Errors
    ///
    /// If the engine lacks an option or rejects its value, or the work is cancelled.
    pub fn reconfigure(
        &mut self,
        options: &[(String, String)],
    ) -> Result<Option<Incident>, PlayerError> {
        let mut incident = None;
        for (name, value) in options {
            if !self.note_option(name, value) || self.engine.is_none() {
                continue;
            }
            match self.set_option(name, value) {
                Ok(()) => {}
                Err(PlayerError::Fault { kind, detail }) => {
                    self.kill();
                    let detail = format!("{detail}, between two games");
                    incident = Some(Incident { kind, detail });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(incident)
    }

    /// Stores an option in the configuration; returns true if that changed it.
    fn note_option(&mut self, name: &str, value: &str) -> bool {
        let options = &mut self.config.options;
        // In any case (UCI): beside a second spelling, a change back to the first value would be lost.
        let is_known = |(known, _): &&mut (String, String)| known.eq_ignore_ascii_case(name);
        let Some((_, old)) = options.iter_mut().find(is_known) else {
            options.push((name.to_owned(), value.to_owned()));
            return true;
        };
        let is_new = old != value;
        value.clone_into(old);
        is_new
    }

    /// Prepares for games of standard chess or Chess960.
    pub(super) fn set_chess960(&mut self, chess960: bool) -> Result<(), PlayerError> {
        let limits = &self.config.limits;
        // With `send-stop` we end the search, so the engine needs no limit of its own.
        let needs_node_limit = limits.nodes.is_some() && !limits.send_stop;
        let engine = self.running()?;
        let mut set = engine.set_chess960(chess960);
        if needs_node_limit {
            set = set.and_then(|()| engine.require_node_limit());
        }
        self.check_setup(set)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let set = self.running()?.set_option(name, Some(value));
        self.check_setup(set)
    }

    /// Distinguishes a configuration that does not fit the engine from faults.
    fn check_setup(&self, set: Result<(), EngineError>) -> Result<(), PlayerError> {
        match set {
            Ok(()) => Ok(()),
            Err(EngineError::Session(
                source @ (SessionError::UnknownOption { .. }
                | SessionError::BadValue { .. }
                | SessionError::NoFischerandom
                | SessionError::NoNodeLimit),
            )) => Err(PlayerError::Setup(SetupError {
                engine: self.config.name.clone(),
                source,
            })),
            Err(error) => Err(error.into()),
        }
    }
}

/// Characters of a name or an author that are kept.
const LONGEST_ID: usize = 200;

/// An engine's description of itself, fit for a terminal and a tag of PGN.
fn engine_id(id: &Identity) -> EngineId {
    let kept = |text: &Option<String>| {
        let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let text = text.as_deref()?.chars().map(printable);
        let text: String = text.take(LONGEST_ID).collect();
        (!text.is_empty()).then_some(text)
    };
    EngineId {
        name: kept(&id.name),
        author: kept(&id.author),
    }
}

fn command_line(command: &EngineCommand) -> CommandLine {
    CommandLine {
        program: command.program.clone().into_os_string(),
        arguments: command.arguments.iter().map(Into::into).collect(),
        directory: command.directory.clone(),
        environment: command
            .environment
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        // Complaints must not be taken for lines of the protocol (fastchess #972).
        merge_stderr: false,
    }
}

/// What is proved before the first game: an engine that ignores a limit would spoil game after game.
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
            by_time,
            argument: self.config.argument.clone(),
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

//! Starts and configures an engine.

use uci::grammar::OptionKind;
use uci::{Client, CommandLine, EngineError, EngineProtocol, Identity, SessionError, Start};

use super::{ChangedProgram, Incident, Player, PlayerError, SetupError};
use crate::model::{EngineCommand, EngineId, FaultKind, Protocol};
use crate::play::event::AwaitedAnswer;

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

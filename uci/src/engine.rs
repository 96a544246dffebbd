//! One engine over the life of a program: when it is started, and how often.

use std::time::Duration;

use crate::{Client, EngineError, EngineProtocol, Start, Transcript, Wait};

/// Time limit for `uciok`, and for being ready after it: some engines load a network first.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// The engine is given up after this many failed starts in a row: each may take as long as
/// [`PATIENCE`].
const MOST_STARTS: u32 = 3;
/// Time for an engine of the other protocol to show that it is one.
const OTHER: Duration = Duration::from_secs(3);

/// How long the answer to a greeting is waited for.
#[derive(Clone, Copy)]
enum Greeting {
    /// By an engine that has never answered one: it may speak the other protocol.
    First,
    Within(Duration),
}

impl Start {
    /// Brings a new process to where it can be asked.
    fn set_up(&self, client: &mut Client, greeting: Greeting) -> Result<(), EngineError> {
        if self.protocol == EngineProtocol::Lines {
            return Ok(());
        }
        match greeting {
            Greeting::First => client.first_handshake(self, PATIENCE)?,
            Greeting::Within(timeout) => client.handshake(timeout)?,
        }
        for (name, value) in &self.options {
            client.set_option(name, value.as_deref())?;
        }
        // Some allocate their memory only at the start of a game.
        client.new_game(PATIENCE)
    }

    /// The protocol that the engine speaks, if it is the other one: it is started once more, and
    /// answers that greeting. For engines that have not answered their own.
    pub fn other_protocol(&self) -> Option<EngineProtocol> {
        let (protocol, greeting) = match self.protocol {
            EngineProtocol::Uci => (EngineProtocol::Xboard, "feature "),
            EngineProtocol::Xboard => (EngineProtocol::Uci, "uciok"),
            EngineProtocol::Lines => return None,
        };
        let other = Self {
            protocol,
            ..self.clone()
        };
        let mut client = Client::start(&other).ok()?;
        client.set_feature_silence(OTHER / 5);
        // How it fails does not matter: what it has printed does.
        let _ = client.handshake(OTHER);
        client.has_printed(greeting).then_some(protocol)
    }
}

/// An engine that is started when it is first needed, and again after it has failed.
///
/// A fault is found by its user: [`Engine::kill`] then ends the process with all its children, and the
/// next call of [`Engine::ready`] starts another. After three starts in a row that have failed, or
/// a first one that was not answered, there are no more.
#[derive(Debug)]
pub struct Engine {
    start: Start,
    /// The last process; one that was killed is kept for its transcript.
    client: Option<Client>,
    is_ready: bool,
    failed_starts: u32,
    /// Whether it has ever been ready.
    has_greeted: bool,
    /// Whether it is never started again.
    is_hopeless: bool,
}

impl Engine {
    /// An engine that has not been started yet.
    pub fn new(start: Start) -> Self {
        Self {
            start,
            client: None,
            is_ready: false,
            failed_starts: 0,
            has_greeted: false,
            is_hopeless: false,
        }
    }

    /// How it is started.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The last process, even if it has failed; `None` before the first.
    pub fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Whether it runs, so that it need not be started for the next question.
    pub fn is_running(&self) -> bool {
        self.is_ready
    }

    /// The running engine: after the handshake and with its options, ready for a game.
    ///
    /// # Errors
    ///
    /// When it cannot be started, is late, ends, or lacks an option, or speaks the other protocol.
    /// [`Engine::client`] has its transcript; the next call starts it again.
    pub fn ready(&mut self) -> Result<&mut Client, EngineError> {
        if self.has_greeted {
            return self.ready_within(PATIENCE);
        }
        let ready = self.greeted(Greeting::First);
        // Another process of a silent program would be waited for in vain, too.
        self.is_hopeless |= matches!(
            ready,
            Err(EngineError::WrongProtocol { .. }
                | EngineError::TimedOut {
                    wait: Wait::UciOk | Wait::Features,
                    ..
                })
        );
        ready?;
        Ok(self.client.as_mut().expect("it was started"))
    }

    /// Like [`Engine::ready`], with a time limit for the answer to the greeting.
    ///
    /// # Errors
    ///
    /// As for [`Engine::ready`].
    pub fn ready_within(&mut self, greeting: Duration) -> Result<&mut Client, EngineError> {
        self.greeted(Greeting::Within(greeting))?;
        Ok(self.client.as_mut().expect("it was started"))
    }

    fn greeted(&mut self, greeting: Greeting) -> Result<(), EngineError> {
        if !self.is_ready {
            self.client = None;
            if self.is_hopeless || self.failed_starts >= MOST_STARTS {
                let starts = self.failed_starts;
                return Err(EngineError::GivenUp { starts });
            }
            self.failed_starts += 1;
            let client = self.client.insert(Client::start(&self.start)?);
            if let Err(error) = self.start.set_up(client, greeting) {
                client.kill();
                return Err(error);
            }
            self.failed_starts = 0;
            self.is_ready = true;
            self.has_greeted = true;
        }
        Ok(())
    }

    /// Kills the engine with all its children, after a fault. Its transcript stays.
    pub fn kill(&mut self) {
        self.is_ready = false;
        if let Some(client) = &mut self.client {
            client.kill();
        }
    }

    /// The dialogue with the last process; empty before the first, and if it could not be started.
    pub fn transcript(&self) -> String {
        let transcript = self.client.as_ref().map(Client::transcript);
        transcript.map_or_else(String::new, |transcript: Transcript| transcript.to_string())
    }

    /// Lets the engine quit if it runs, and kills it if it still runs after `grace`.
    pub fn quit(&mut self, grace: Duration) {
        if let Some(client) = self.client.take_if(|_| self.is_ready) {
            client.quit(grace);
        }
        self.is_ready = false;
    }
}

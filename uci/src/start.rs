//! What is started: an engine's program, its protocol and its options.

use std::time::Duration;

use crate::{Cancel, Client, CommandLine};

/// Time for an engine of the other protocol to show that it is one.
const OTHER: Duration = Duration::from_secs(3);

/// How an engine is started and set up.
#[derive(Clone, Debug)]
pub struct Start {
    /// Program, arguments, folder and environment.
    pub command: CommandLine,
    /// The protocol that it speaks; UCI by default.
    pub protocol: EngineProtocol,
    /// Options by name, set in this order after the handshake; a button has no value, or an empty one.
    pub options: Vec<(String, Option<String>)>,
    /// A flag that ends every wait for the engine once it is set.
    pub cancel: Cancel,
}

/// What an engine understands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineProtocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol.
    Xboard,
    /// Lines of any kind: there is no handshake, and there are no options.
    Lines,
}

impl Start {
    /// A UCI engine without options, which nothing cancels.
    pub fn new(command: CommandLine) -> Self {
        Self {
            command,
            protocol: EngineProtocol::Uci,
            options: Vec::new(),
            cancel: Cancel::new(),
        }
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

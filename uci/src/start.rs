//! What is started: an engine's program, its protocol and its options.

use crate::{Cancel, CommandLine};

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
}

//! What evaluates the positions of searches: a network, or the hand-crafted terms.

use std::io::Read;
use std::sync::Arc;

use chess::rules::Game;
use engine::eval::network::{ReadNetworkError, Weights};
use engine::eval::{Network, Touchstone};
use engine::search::touchstone::Config;
use engine::search::{Found, Limits, Report, Request, Searcher};

use crate::files::{self, TrainerError};

/// Maximal size of a network file in bytes.
const MOST_BYTES: u64 = 64 << 20;

pub(crate) enum Evaluator {
    Terms,
    Network(Arc<Network>),
}

impl Evaluator {
    /// Loads the network from a file, or none if it is `none`, or by default the built-in one.
    pub(crate) fn new(network: Option<&str>) -> Result<Self, TrainerError> {
        Ok(match network {
            None => Self::Network(Network::built_in()),
            Some("none") => Self::Terms,
            Some(path) => {
                let mut bytes = Vec::new();
                // A longer or endless file is cut off here, and then rejected by the parser.
                let mut file = files::open(path)?.take(MOST_BYTES);
                file.read_to_end(&mut bytes).map_err(files::at(path))?;
                Self::of_file(&bytes).map_err(|why| TrainerError::Network {
                    path: path.to_owned(),
                    why,
                })?
            }
        })
    }

    /// The network of a file with this content.
    pub(crate) fn of_file(bytes: &[u8]) -> Result<Self, ReadNetworkError> {
        let weights = Weights::from_bytes(bytes)?;
        Ok(Self::Network(Arc::new(Network::new(weights))))
    }

    /// The content of a file with the network, if there is one.
    pub(crate) fn to_file(&self) -> Option<Vec<u8>> {
        match self {
            Self::Terms => None,
            Self::Network(network) => Some(network.weights().to_bytes()),
        }
    }

    /// Searches the current position of a game.
    pub(crate) fn search(&self, searcher: &mut Searcher, game: &Game, nodes: u64) -> Found {
        let limits = Limits::to_nodes(nodes);
        let request = Request::new(game, &limits);
        let (config, mut report) = (Config::default(), |_: &Report| {});
        match self {
            Self::Terms => searcher.search_selectively(&Touchstone, config, request, &mut report),
            Self::Network(network) => {
                searcher.search_selectively(&**network, config, request, &mut report)
            }
        }
    }
}

//! The network that evaluates the positions of searches.

use std::io::Read;
use std::sync::Arc;

use chess::rules::{Game, Position};
use engine::eval::network::{ReadNetworkError, Weights};
use engine::eval::{Evaluation, Network};
use engine::search::touchstone::Config;
use engine::search::{SearchLimits, SearchRequest, SearchResult, SearchUpdate, Searcher};

use crate::files::{self, TrainerError};

/// Maximal size of a network file in bytes.
// The built-in network has 0.4 MB, and one with 32 king buckets 13 MB.
const MOST_BYTES: u64 = 64 << 20;

pub(crate) struct Evaluator(Arc<Network>);

impl Evaluator {
    /// The built-in network.
    pub(crate) fn built_in() -> Self {
        Self(Network::built_in())
    }

    /// Loads the network from a file, by default the built-in one.
    pub(crate) fn new(network: Option<&str>) -> Result<Self, TrainerError> {
        let Some(path) = network else {
            return Ok(Self::built_in());
        };
        let mut bytes = Vec::new();
        // A longer or endless file is cut off here, and then rejected by the parser.
        let mut file = files::open(path)?.take(MOST_BYTES);
        file.read_to_end(&mut bytes).map_err(files::at(path))?;
        Self::of_file(&bytes).map_err(|why| TrainerError::Network {
            path: path.to_owned(),
            why,
        })
    }

    /// The network of a file with this content.
    pub(crate) fn of_file(bytes: &[u8]) -> Result<Self, ReadNetworkError> {
        let weights = Weights::from_bytes(bytes)?;
        Ok(Self(Arc::new(Network::new(weights))))
    }

    /// The network.
    pub(crate) fn network(&self) -> &Network {
        &self.0
    }

    /// The static score in centipawns for the side to move.
    pub(crate) fn evaluate(&self, position: &Position) -> i32 {
        self.0.evaluate(position)
    }

    /// Searches the current position of a game.
    pub(crate) fn search(&self, searcher: &mut Searcher, game: &Game, nodes: u64) -> SearchResult {
        let limits = SearchLimits::to_nodes(nodes);
        let request = SearchRequest::new(game, &limits);
        searcher.search_selectively(
            &self.0,
            Config::default(),
            request,
            &mut |_: &SearchUpdate| {},
        )
    }
}

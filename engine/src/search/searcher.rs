//! The public interface of the search.

use super::chessbin::{self, ChessBinSearch};
use super::iterations;
use super::stopper::Stopper;
use super::table::TranspositionTable;
use super::touchstone::{self, Team, ThreadHistories, pool};
use super::{HashError, Profile, SearchRequest, SearchResult, SearchUpdate};
use crate::eval::{ChessBin, Evaluation, Network};

/// Searches positions and keeps the transposition table and histories between searches.
///
/// ```
/// use chess::rules::{Game, Position};
/// use engine::search::{SearchLimits, Profile, SearchRequest, Searcher};
///
/// let mut searcher = Searcher::new(1)?;
/// let (game, limits) = (Game::new(Position::startpos()), SearchLimits::to_depth(3));
/// let request = SearchRequest::new(&game, &limits);
/// let found = searcher.search(Profile::default(), request, &mut |_| {});
/// assert_eq!(found.depth, 3);
/// assert!(found.best.is_some());
/// # Ok::<(), engine::search::HashError>(())
/// ```
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    /// The kind of search that filled the table.
    filled_by: Option<Filler>,
    /// Histories and caches of each thread of profile `Touchstone`.
    memories: Vec<ThreadHistories>,
}

/// The kind of search whose scores are in the table: scores of different kinds are not
/// interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filler {
    ChessBin,
    Touchstone(touchstone::Features),
}

impl Searcher {
    /// Creates a searcher with a transposition table of `hash_mib` MiB, at least one.
    ///
    /// # Errors
    ///
    /// If the memory cannot be allocated.
    pub fn new(hash_mib: usize) -> Result<Self, HashError> {
        TranspositionTable::new(hash_mib).map(|table| Self {
            table,
            filled_by: None,
            memories: Vec::new(),
        })
    }

    /// Replaces the transposition table with an empty one of another size.
    ///
    /// # Errors
    ///
    /// If the memory cannot be allocated; the table is then unchanged.
    pub fn resize(&mut self, hash_mib: usize) -> Result<(), HashError> {
        self.table.resize(hash_mib)
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.clear();
    }

    /// Searches, and calls `report` for every PV of every finished iteration, for the best PV of
    /// the last one if it was not finished but found other moves, and after some seconds for each
    /// root move. Returns a move whenever one is legal, even if stopped before it began.
    pub fn search(
        &mut self,
        profile: Profile,
        request: SearchRequest<'_>,
        report: &mut dyn FnMut(&SearchUpdate),
    ) -> SearchResult {
        match profile {
            Profile::Touchstone => {
                let (network, config) = (Network::built_in(), touchstone::Config::default());
                self.search_selectively(&network, config, request, report)
            }
            Profile::ChessBin => self.search_with(
                &ChessBin,
                chessbin::ChessBinFeatures::CHESSBIN,
                request,
                report,
            ),
        }
    }

    /// Searches like profile `ChessBin`, with the caller's evaluation and features.
    pub fn search_with<E: Evaluation>(
        &mut self,
        evaluation: &E,
        features: chessbin::ChessBinFeatures,
        request: SearchRequest<'_>,
        report: &mut dyn FnMut(&SearchUpdate),
    ) -> SearchResult {
        self.begin(Filler::ChessBin);
        let SearchRequest {
            game,
            limits,
            signals,
            clock,
        } = request;
        let search = ChessBinSearch::new(
            evaluation,
            features,
            &self.table,
            Stopper::new(limits, signals, clock),
            chessbin::PositionPath::new(game),
        );
        let mut root = chessbin::ChessBinRoot::new(search, *game.position(), limits);
        iterations::run(&mut root, limits, report)
    }

    /// Searches like profile `Touchstone`, with the caller's network, features and tablebases.
    /// [Clear](Self::clear) results of another network first.
    pub fn search_selectively(
        &mut self,
        evaluation: &Network,
        config: touchstone::Config<'_>,
        request: SearchRequest<'_>,
        report: &mut dyn FnMut(&SearchUpdate),
    ) -> SearchResult {
        let config = config.within(request.limits);
        self.begin(Filler::Touchstone(config.features));
        let threads = pool::threads(request.limits);
        if self.memories.len() < threads {
            self.memories.resize_with(threads, ThreadHistories::new);
        }
        let team = Team {
            evaluation,
            config,
            table: &self.table,
            request,
        };
        team.search(&mut self.memories[..threads], report)
    }

    /// Prepares the table for a search: results of another kind of search are cleared.
    fn begin(&mut self, filler: Filler) {
        if self
            .filled_by
            .replace(filler)
            .is_some_and(|before| before != filler)
        {
            self.table.clear();
        }
        self.table.grow_older();
    }
}

//! The public interface of the search.

use super::chessbin::{self, Search};
use super::iterations;
use super::stopper::Stopper;
use super::table::Table;
use super::touchstone::{self, Memory, Team, pool};
use super::{Found, HashError, Profile, Report, Request};
use crate::eval::{ChessBin, Evaluation, Network};

/// Searches positions and keeps the transposition table and histories between searches.
///
/// ```
/// use chess::rules::{Game, Position};
/// use engine::search::{Limits, Profile, Request, Searcher};
///
/// let mut searcher = Searcher::new(1)?;
/// let (game, limits) = (Game::new(Position::startpos()), Limits::to_depth(3));
/// let request = Request::new(&game, &limits);
/// let found = searcher.search(Profile::default(), request, &mut |_| {});
/// assert_eq!(found.depth, 3);
/// assert!(found.best.is_some());
/// # Ok::<(), engine::search::HashError>(())
/// ```
#[derive(Debug)]
pub struct Searcher {
    table: Table,
    /// The kind of search that filled the table.
    filled_by: Option<Filler>,
    /// Histories and caches of each thread of profile `Touchstone`.
    memories: Vec<Memory>,
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
        Table::new(hash_mib).map(|table| Self {
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
        request: Request<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Found {
        match profile {
            Profile::Touchstone => {
                let (network, config) = (Network::built_in(), touchstone::Config::default());
                self.search_selectively(&network, config, request, report)
            }
            Profile::ChessBin => {
                self.search_with(&ChessBin, chessbin::Features::CHESSBIN, request, report)
            }
        }
    }

    /// Searches like profile `ChessBin`, with the caller's evaluation and features.
    pub fn search_with<E: Evaluation>(
        &mut self,
        evaluation: &E,
        features: chessbin::Features,
        request: Request<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Found {
        self.begin(Filler::ChessBin);
        let Request {
            game,
            limits,
            signals,
            clock,
        } = request;
        let search = Search::new(
            evaluation,
            features,
            &self.table,
            Stopper::new(limits, signals, clock),
            chessbin::Path::new(game),
        );
        let mut root = chessbin::Root::new(search, *game.position(), limits);
        iterations::run(&mut root, limits, report)
    }

    /// Searches like profile `Touchstone`, with the caller's network, features and tablebases.
    /// [Clear](Self::clear) results of another network first.
    pub fn search_selectively(
        &mut self,
        evaluation: &Network,
        config: touchstone::Config<'_>,
        request: Request<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Found {
        let config = config.within(request.limits);
        self.begin(Filler::Touchstone(config.features));
        let threads = pool::threads(request.limits);
        if self.memories.len() < threads {
            self.memories.resize_with(threads, Memory::new);
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

//! The door to the search.

use super::chessbin::{self, Search};
use super::stopper::Stopper;
use super::table::Table;
use super::touchstone::{self, Memory, Team, pool};
use super::{Found, HashError, Profile, Report, Request};
use crate::eval::{ChessBin, Evaluation, Network};

/// Searches positions, and keeps from one to the next what it has found about them.
///
/// ```
/// use std::time::Duration;
///
/// use chess::rules::{Game, Position};
/// use engine::search::{Clock, Limits, Profile, Request, Searcher, Signals};
///
/// struct NoClock;
/// impl Clock for NoClock {
///     fn elapsed(&self) -> Duration {
///         Duration::ZERO
///     }
/// }
///
/// let mut searcher = Searcher::new(1)?;
/// let request = Request {
///     game: &Game::new(Position::startpos()),
///     limits: &Limits { depth: Some(3), ..Limits::default() },
///     signals: &Signals::new(false),
///     clock: &NoClock,
/// };
/// let found = searcher.search(Profile::default(), request, &mut |_| {});
/// assert_eq!(found.depth, 3);
/// assert!(found.best.is_some());
/// # Ok::<(), engine::search::HashError>(())
/// ```
#[derive(Debug)]
pub struct Searcher {
    table: Table,
    /// Whose values are in the table.
    filled_by: Option<Filler>,
    /// What each thread of profile `Touchstone` has learnt.
    memories: Vec<Memory>,
}

/// Who fills the table: what one calls the value of a position is no such value to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filler {
    ChessBin,
    Touchstone(touchstone::Features),
}

impl Searcher {
    /// A searcher with a table of `hash_mib` MiB, at least one.
    ///
    /// # Errors
    ///
    /// When there is not so much memory.
    pub fn new(hash_mib: usize) -> Result<Self, HashError> {
        Table::new(hash_mib).map(|table| Self {
            table,
            filled_by: None,
            memories: Vec::new(),
        })
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// When there is not so much memory; the table is then unchanged.
    pub fn resize(&mut self, hash_mib: usize) -> Result<(), HashError> {
        self.table.resize(hash_mib)
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.clear();
    }

    /// Searches, and calls `report` for every line of every finished iteration, for the best line
    /// of the last one where it was not finished but has found other moves, and after some seconds
    /// for each root move. It returns a move wherever one is legal, even when it is stopped before
    /// it began.
    pub fn search(
        &mut self,
        profile: Profile,
        request: Request<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Found {
        match profile {
            Profile::Touchstone => {
                let (network, config) = (Network::built_in(), touchstone::Config::default());
                self.search_selectively(&*network, config, request, report)
            }
            Profile::ChessBin => {
                self.search_with(&ChessBin, chessbin::Features::CHESSBIN, request, report)
            }
        }
    }

    /// Searches as profile `ChessBin` does, with an evaluation and features of the caller's choice.
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
        chessbin::Root::new(search, *game.position(), limits, report).run()
    }

    /// Searches as profile `Touchstone` does, with an evaluation, features and tables of the
    /// caller's choice. What was found with another evaluation is to be [cleared](Self::clear)
    /// before.
    pub fn search_selectively<E: Evaluation + Sync>(
        &mut self,
        evaluation: &E,
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

    /// Makes the table ready for a search: what another kind of search has found is forgotten.
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

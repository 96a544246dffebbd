//! `touchstone` as an opponent: its levels, and bounded time, searches and memory.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chess::notation::fen;
use chess::rules::{Color, Game, Move, Position};
use engine::book::{self, Book};
use engine::search::{PlayerClock, SearchLimits, SearchResult, Strength, mate_distance};
use lru::LruCache;

use super::game::Played;
use super::pool::{Load, OpponentError, OpponentSettings, Pool};
use super::view::{EvalAnswer, Score, Times};

/// Number of cached evaluations.
const KEPT: NonZeroUsize = NonZeroUsize::new(4_096).expect("it is not 0");
/// Node limit of a search that evaluates a position.
const WORTH_NODES: u64 = 60_000;
const LONGEST_CLOCK_MS: i64 = 24 * 3_600 * 1_000;
/// Move overhead: the time per move spent between the browser's clock and the search.
const OVERHEAD: Duration = Duration::from_millis(150);

#[derive(Debug)]
pub struct Opponent {
    pool: Pool,
    book: Book,
    worths: Mutex<LruCache<String, EvalAnswer>>,
    longest: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentReply {
    pub best: Move,
    /// The evaluation of the search; `None` for a book move.
    pub evaluation: Option<EvalAnswer>,
}

impl Opponent {
    /// Creates an opponent within these bounds. Threads and memory are allocated on first use.
    pub fn new(settings: OpponentSettings) -> Self {
        Self {
            book: book::built_in(),
            worths: Mutex::new(LruCache::sparse(KEPT)),
            longest: settings.longest,
            pool: Pool::new(settings),
        }
    }

    pub fn load(&self) -> Load {
        self.pool.load()
    }

    /// Finds a move: a book move, chosen by `seed` and position, or the result of a search at a strength.
    /// Dropping the future stops the search.
    pub async fn reply(
        &self,
        played: &Played,
        strength: SearchLimits,
        times: Option<Times>,
        seed: u32,
    ) -> Result<OpponentReply, OpponentError> {
        if played.game.outcome().is_some() {
            return Err(OpponentError::GameOver);
        }
        let position = played.position();
        let random = mix(position.key() ^ u64::from(seed));
        if let Some(best) = book::choose(&self.book.moves(position), random) {
            return Ok(OpponentReply {
                best,
                evaluation: None,
            });
        }
        let limits = self.limits(strength, times, position.side_to_move());
        let found = self.pool.search(played.game.clone(), limits).await?;
        Ok(OpponentReply {
            best: found.best.ok_or(OpponentError::GameOver)?,
            evaluation: Some(evaluation(&found, position.side_to_move())),
        })
    }

    /// Evaluates a position by itself, without the game that led to it. The answer is cached.
    pub async fn evaluate(&self, position: &Position) -> Result<EvalAnswer, OpponentError> {
        if position.outcome().is_some() {
            return Err(OpponentError::GameOver);
        }
        let key = fen::write(position);
        if let Some(known) = self.worths().get(&key) {
            return Ok(*known);
        }
        let limits = SearchLimits {
            nodes: Some(WORTH_NODES),
            movetime: Some(self.longest),
            ..SearchLimits::default()
        };
        let found = self.pool.search(Game::new(*position), limits).await?;
        let worth = evaluation(&found, position.side_to_move());
        self.worths().put(key, worth);
        Ok(worth)
    }

    fn worths(&self) -> std::sync::MutexGuard<'_, LruCache<String, EvalAnswer>> {
        self.worths.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn limits(&self, limits: SearchLimits, times: Option<Times>, us: Color) -> SearchLimits {
        let clock = times.map(|times| player_clock(times, us));
        // With a clock, the clock determines the time; without one, the level does.
        let movetime = limits.movetime.filter(|_| clock.is_none());
        SearchLimits {
            movetime: Some(movetime.map_or(self.longest, |time| time.min(self.longest))),
            clock,
            // Without a clock nobody loses time on the way.
            overhead: clock.map_or(Duration::ZERO, |_| OVERHEAD),
            ..limits
        }
    }
}

fn player_clock(times: Times, us: Color) -> PlayerClock {
    let (remaining_ms, increment_ms) = match us {
        Color::White => (times.white_ms, times.winc),
        Color::Black => (times.black_ms, times.binc),
    };
    PlayerClock {
        remaining_ms: remaining_ms.clamp(0, LONGEST_CLOCK_MS),
        increment_ms: increment_ms.min(LONGEST_CLOCK_MS.unsigned_abs()),
        // The page has no time controls with a number of moves.
        moves_to_go: None,
    }
}

fn evaluation(found: &SearchResult, us: Color) -> EvalAnswer {
    // The engine evaluates for the side to move, pages show White's view.
    let sign = match us {
        Color::White => 1,
        Color::Black => -1,
    };
    EvalAnswer {
        score: match mate_distance(found.value) {
            Some(moves) => Score::Mate(sign * moves),
            None => Score::Cp(sign * found.value),
        },
        depth: found.depth,
    }
}

/// One step of `SplitMix64` (Steele, Lea and Flood 2014): similar inputs give unrelated outputs.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Playing strength of the opponent, from 1 to 10.
///
/// The first level has 320 Elo, each further one 300 more, by [`Strength`]; the last is limited
/// only to one second per move. `docs/crowd-play.md` lists them with their node counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpponentLevel(u8);

const ELO_OF_A_LEVEL: u32 = 300;

impl OpponentLevel {
    pub const FIRST: Self = Self(1);
    pub const LAST: Self = Self(10);
    /// Time per move of the strongest level without a clock.
    const TIME_OF_THE_LAST: Duration = Duration::from_secs(1);

    /// Every level, from the weakest.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::FIRST.0..=Self::LAST.0).map(Self)
    }

    /// From 1 to 10.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The level of this number; `None` unless it is from 1 to 10.
    pub fn new(number: u8) -> Option<Self> {
        (Self::FIRST.0..=Self::LAST.0)
            .contains(&number)
            .then_some(Self(number))
    }

    /// Its nominal strength; `None` for the last level.
    pub fn strength(self) -> Option<Strength> {
        let elo = Strength::ELO.start() + u32::from(self.0 - 1) * ELO_OF_A_LEVEL;
        (self < Self::LAST)
            .then(|| Strength::from_elo(elo))
            .flatten()
    }

    /// Its strength in words, such as `920 Elo`.
    pub fn title(self) -> String {
        self.strength().map_or_else(
            || "full strength".to_owned(),
            |strength| format!("{} Elo", strength.elo()),
        )
    }

    /// Its search limits, apart from clocks.
    pub fn limits(self) -> SearchLimits {
        SearchLimits {
            strength: self.strength(),
            movetime: (self == Self::LAST).then_some(Self::TIME_OF_THE_LAST),
            ..SearchLimits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opponent() -> Opponent {
        Opponent::new(OpponentSettings::default())
    }

    fn played(fen: Option<&str>) -> Played {
        Played::read(fen, false, &[]).expect("a game")
    }

    fn level(number: u8) -> SearchLimits {
        OpponentLevel::new(number).expect("a level").limits()
    }

    #[test]
    fn no_search_has_more_than_its_time() {
        let opponent = opponent();
        let longest = OpponentSettings::default().longest;
        let rich = Times {
            white_ms: i64::MAX,
            black_ms: i64::MIN,
            winc: u64::MAX,
            binc: 0,
        };
        for (level, times) in [(level(1), None), (level(10), Some(rich)), (level(10), None)] {
            for color in Color::ALL {
                let limits = opponent.limits(level.clone(), times, color);
                assert!(limits.movetime.expect("always bounded") <= longest);
            }
        }
        let time = opponent.limits(level(10), None, Color::White).movetime;
        assert_eq!(time, Some(Duration::from_secs(1)));
        let clock = opponent.limits(level(4), Some(rich), Color::Black).clock;
        assert_eq!(clock.expect("a clock").remaining_ms, 0);
    }

    #[tokio::test]
    async fn the_same_request_has_the_same_answer() {
        let opponent = opponent();
        let game = played(Some(
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ));
        let one = opponent
            .reply(&game, level(4), None, 0)
            .await
            .expect("a move");
        // Entries found at another level in between must not be remembered.
        opponent
            .reply(&game, level(6), None, 0)
            .await
            .expect("a move");
        let two = opponent
            .reply(&game, level(4), None, 0)
            .await
            .expect("a move");
        assert_eq!(one, two);
    }

    #[test]
    fn every_level_is_stronger_than_the_one_below() {
        assert_eq!(
            (OpponentLevel::new(0), OpponentLevel::new(11)),
            (None, None)
        );
        let strengths: Vec<_> = (1..=10)
            .map(|number| OpponentLevel::new(number).expect("a level").strength())
            .collect();
        let nodes = strengths[..9].iter().flatten().map(|one| one.nodes());
        assert!(strengths[..9].is_sorted() && nodes.is_sorted());
        assert_eq!(
            (strengths[0].map(Strength::elo), strengths[9]),
            (Some(320), None)
        );
    }

    #[test]
    fn the_page_lists_every_level() {
        let page = include_str!("../../../docs/crowd-play.md");
        for number in 1..10 {
            let strength = OpponentLevel::new(number).and_then(OpponentLevel::strength);
            let strength = strength.expect("a level with a limit");
            let (elo, nodes) = (strength.elo(), thousands(strength.nodes()));
            let row = format!("| {number} | {elo} | {nodes} |\n");
            assert!(page.contains(&row), "docs/crowd-play.md lacks {row}");
        }
    }

    /// Formats a number with a space before its last three digits.
    fn thousands(number: u64) -> String {
        if number < 1000 {
            return number.to_string();
        }
        format!("{} {:03}", number / 1000, number % 1000)
    }

    #[tokio::test]
    async fn the_book_answers_by_seed() {
        let opponent = opponent();
        let game = played(None);
        let mut moves = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let reply = opponent
                .reply(&game, level(1), None, seed)
                .await
                .expect("a move");
            assert_eq!(reply.evaluation, None);
            moves.insert(reply.best.to_string());
        }
        assert!(moves.len() > 1, "{moves:?}");
    }
}

//! The positions that may be a board of the day: from the built-in suites, with as many moves as a person
//! lists in a few minutes.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use chess::notation::fen;
use chess::rules::{CastlingMode, Position};
use time::Weekday;

use crate::candidates::legal_texts;
use crate::model::Timestamp;
use crate::score::{MoveKind, kind_of};

/// How hard it is to list all moves of a position, compared with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Easy,
    Medium,
    Hard,
}

impl Grade {
    /// The week begins gently and ends with what is hardest, as in newspapers' crosswords.
    pub fn of_day(day: i64) -> Self {
        match Timestamp::of_day(day).date().weekday() {
            Weekday::Monday | Weekday::Tuesday => Self::Easy,
            Weekday::Wednesday | Weekday::Thursday | Weekday::Friday => Self::Medium,
            Weekday::Saturday | Weekday::Sunday => Self::Hard,
        }
    }
}

#[derive(Clone, Debug)]
pub struct PoolEntry {
    pub name: String,
    pub fen: String,
    pub position: Position,
    pub grade: Grade,
}

/// Fewer moves are no task for a day, more are tedious.
const MOVES: RangeInclusive<usize> = 8..=44;

/// Positions with fewer pieces are too bare to look at for a day.
const FEWEST_PIECES: u32 = 6;

/// The suites, in the order in which a position that is in more than one is taken. The crowd's first campaign, the
/// suite `thesis`, is not among them.
const SUITES: [&str; 3] = ["standard", "edge", "tactics"];

/// All of them, each once, in a fixed order.
pub fn pool() -> &'static [PoolEntry] {
    static POOL: LazyLock<Vec<PoolEntry>> = LazyLock::new(read);
    &POOL
}

fn read() -> Vec<PoolEntry> {
    let suites = SUITES.iter().filter_map(|name| epd::suites::find(name));
    let mut found: BTreeMap<String, (u32, String, Position)> = BTreeMap::new();
    for suite in suites.chain(epd::suites::TACTICS) {
        for entry in suite.parse().entries {
            let position = *entry.record.position();
            let is_standard = position.castling_mode() == CastlingMode::Standard;
            let is_bare = position.occupied().count() < FEWEST_PIECES;
            if !is_standard || is_bare || !MOVES.contains(&position.legal_moves().len()) {
                continue;
            }
            let name = entry.record.id().unwrap_or(suite.name).to_owned();
            let one = (difficulty(&position), name, position);
            found.entry(fen::write(&position)).or_insert(one);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    // Ties are in the order of FENs, so that a suite's order does not change grades.
    found.sort_by(|(a, (x, ..)), (b, (y, ..))| x.cmp(y).then_with(|| a.cmp(b)));
    // A week has two easy days, three medium and two hard ones.
    let sevenths = found.len() / 7;
    let graded = found.into_iter().enumerate();
    let entry = |(at, (fen, (_, name, position)))| PoolEntry {
        name,
        fen,
        position,
        grade: match at {
            _ if at < 2 * sevenths => Grade::Easy,
            _ if at < 5 * sevenths => Grade::Medium,
            _ => Grade::Hard,
        },
    };
    graded.map(entry).collect()
}

/// More moves are more work; a rare kind of move and a check each weigh as much as several moves.
fn difficulty(position: &Position) -> u32 {
    let legal = legal_texts(position);
    let has = |kind| legal.iter().any(|text| kind_of(position, text) == kind);
    let rare = [MoveKind::Castling, MoveKind::EnPassant, MoveKind::Promotion];
    let rare = rare.into_iter().filter(|&kind| has(kind)).count();
    let checked = u32::from(!position.checkers().is_empty());
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    count(legal.len()) + 5 * count(rare) + 6 * checked
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_is_one_for_every_day_of_a_year() {
        let pool = pool();
        assert!(pool.len() >= 450, "{} positions", pool.len());
        let fens: BTreeSet<&str> = pool.iter().map(|entry| entry.fen.as_str()).collect();
        assert_eq!(fens.len(), pool.len());
        for grade in [Grade::Easy, Grade::Medium, Grade::Hard] {
            let count = pool.iter().filter(|entry| entry.grade == grade).count();
            assert!(count >= 110, "{grade:?}: {count}");
        }
        for entry in pool {
            assert_eq!(fen::parse(&entry.fen).ok(), Some(entry.position));
            assert!(
                MOVES.contains(&entry.position.legal_moves().len()),
                "{}",
                entry.fen
            );
        }
    }

    #[test]
    fn the_week_gets_harder() {
        let monday = 20_780;
        assert_eq!(Timestamp::of_day(monday).date().to_string(), "2026-11-23");
        let week: Vec<Grade> = (monday..monday + 7).map(Grade::of_day).collect();
        assert!(week.is_sorted());
        assert_eq!((week[0], week[6]), (Grade::Easy, Grade::Hard));
    }

    #[test]
    fn every_kind_of_move_occurs() {
        let mut kinds = BTreeSet::new();
        for entry in pool() {
            let legal = legal_texts(&entry.position);
            kinds.extend(legal.iter().map(|text| kind_of(&entry.position, text)));
        }
        assert_eq!(kinds, MoveKind::ALL.into_iter().collect());
    }
}

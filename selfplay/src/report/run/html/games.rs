//! The games that the page has, packed for its script.

use std::collections::VecDeque;

use chess::notation::uci_move::UciMove;
use chess::rules::Color;
use serde::Serialize;
use uci::grammar::{Score, ScoreValue};

use super::address;
use crate::model::{GameRecord, MoveRecord};

/// Maximum number of games in a page: about 6 MB.
pub const MOST_PAGE_GAMES: usize = 2000;

/// Maximum number of games that are kept because they ended by a fault.
pub const MOST_PAGE_FAULTS: usize = 500;

/// The games for a page, added one by one: all of them or, of more than [`MOST_PAGE_GAMES`], the
/// first [`MOST_PAGE_FAULTS`] that ended by a fault, and the last others. Holds no more than that.
#[derive(Clone, Debug)]
pub struct PageGames {
    links: String,
    total: u64,
    /// The first games that ended by a fault, and the last others: numbers and JSON.
    faults: Vec<(u64, String)>,
    last: VecDeque<(u64, String)>,
}

/// A game as the script reads it. Lists have a value for each move of an engine.
#[derive(Serialize)]
struct PageGame<'a> {
    /// Number of the game, from 1.
    n: u64,
    white: usize,
    black: usize,
    /// Points of White, doubled.
    points: u8,
    /// From 1.
    round: u64,
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<PageFault<'a>>,
    opening: &'a str,
    fen: &'a str,
    /// Number of book moves.
    book: usize,
    plies: usize,
    /// All moves, those of the book first; see [`pack`].
    moves: String,
    /// Centipawns from White's point of view; mate in n moves is 100000 - n.
    score: Vec<Option<i64>>,
    depth: Vec<Option<u32>>,
    /// Time of the move, in milliseconds.
    time: Vec<u64>,
    /// Time left on the clock, in hundredths of a second.
    clock: Vec<Option<i64>>,
}

#[derive(Serialize)]
struct PageFault<'a> {
    engine: usize,
    kind: &'static str,
    detail: &'a str,
    /// Address of the transcript.
    href: Option<String>,
}

impl PageGames {
    /// No games yet. `links` is the path from the page to the run directory, as for
    /// [`crate::report::run::RunReport::html`].
    pub fn new(links: &str) -> Self {
        Self {
            links: address(links),
            total: 0,
            faults: Vec::new(),
            last: VecDeque::new(),
        }
    }

    /// Adds a game.
    pub fn record(&mut self, record: &GameRecord) {
        self.total += 1;
        let packed = (record.plan.game, self.json(record));
        if record.fault.is_some() && self.faults.len() < MOST_PAGE_FAULTS {
            self.faults.push(packed);
        } else {
            self.last.push_back(packed);
        }
        if self.len() > MOST_PAGE_GAMES {
            self.last.pop_front();
        }
    }

    /// Number of games that the page has.
    pub(super) fn len(&self) -> usize {
        self.faults.len() + self.last.len()
    }

    /// Number of games of the run.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// What the script reads, safe within the element `script`.
    pub(super) fn data(&self, engines: &[&str]) -> String {
        let mut games: Vec<&(u64, String)> = self.faults.iter().chain(&self.last).collect();
        games.sort_by_key(|(number, _)| number);
        let games: Vec<&str> = games.iter().map(|(_, json)| json.as_str()).collect();
        let engines = serde_json::to_string(engines).expect("names are text");
        let (total, games) = (self.total, games.join(",\n"));
        // Only within strings, where it may also be written as a number.
        format!("{{\"engines\":{engines},\"total\":{total},\"games\":[\n{games}\n]}}")
            .replace('<', "\\u003c")
    }

    fn json(&self, record: &GameRecord) -> String {
        let (plan, opening) = (&record.plan, &record.opening);
        let begins = opening.next_to_move() == Color::Black;
        let is_black = |index: usize| begins == index.is_multiple_of(2);
        let all = record.moves.iter();
        let played = all.clone().map(|one| one.uci.as_str());
        let uci = opening.moves.iter().map(String::as_str).chain(played);
        let fault = record.fault.as_ref().map(|fault| PageFault {
            engine: fault.engine.0,
            kind: fault.kind.as_str(),
            detail: &fault.detail,
            href: { fault.transcript.as_ref() }.map(|path| self.links.clone() + &address(path)),
        });
        let game = PageGame {
            n: plan.game + 1,
            white: plan.white.0,
            black: plan.black.0,
            points: record.result.white_half_points(),
            round: u64::from(plan.pairing.round) + 1,
            end: record.termination.as_str(),
            fault,
            opening: &opening.label,
            fen: &opening.fen,
            book: opening.moves.len(),
            plies: record.moves.len(),
            moves: uci.map_while(pack).collect(),
            score: { all.clone().enumerate() }
                .map(|(index, one)| score(one, is_black(index)))
                .collect(),
            depth: all.clone().map(|one| one.depth).collect(),
            time: all.clone().map(|one| one.elapsed_us / 1000).collect(),
            clock: all.map(|one| one.clock_ms.map(|ms| ms / 10)).collect(),
        };
        serde_json::to_string(&game).expect("numbers and texts")
    }
}

/// The score of a move from White's point of view.
fn score(one: &MoveRecord, is_black: bool) -> Option<i64> {
    /// More than any score in centipawns.
    const MATE: i64 = 100_000;
    let score: Score = one.score.as_deref()?.parse().ok()?;
    let score = match score.value {
        ScoreValue::Cp(cp) => i64::from(cp).clamp(-MATE * 9 / 10, MATE * 9 / 10),
        ScoreValue::Mate(moves) if moves > 0 => MATE - i64::from(moves).min(MATE / 10),
        ScoreValue::Mate(moves) => -MATE - i64::from(moves).max(-MATE / 10),
    };
    Some(if is_black { -score } else { score })
}

/// A move as two characters, one for each square; a promotion has `*q` before them. `None` if it is
/// not a move.
fn pack(uci: &str) -> Option<String> {
    const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let m: UciMove = uci.parse().ok()?;
    let [from, to] = [m.from, m.to].map(|square| char::from(SQUARES[square.index()]));
    Some(match m.promotion {
        None => format!("{from}{to}"),
        Some(piece) => format!("*{}{from}{to}", piece.to_char().to_ascii_lowercase()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EngineIndex, FaultKind};
    use crate::play::ledger::samples::{fault, record};

    #[test]
    fn moves_are_packed() {
        let rows = [
            ("a1h8", Some("A_")),
            ("e2e4", Some("Mc")),
            ("e7e8q", Some("*q08")),
            ("a2a1n", Some("*nIA")),
            ("e7e8k", None),
            ("e7e9", None),
            ("0000", None),
            ("e2", None),
            ("", None),
            ("é2e4", None),
        ];
        for (uci, expected) in rows {
            assert_eq!(pack(uci).as_deref(), expected, "{uci}");
        }
    }

    #[test]
    fn scores_are_those_of_white() {
        let of = |text: &str, is_black| {
            let one = MoveRecord {
                score: Some(text.to_owned()),
                ..MoveRecord::default()
            };
            score(&one, is_black)
        };
        let rows = [
            ("cp 31", Some(31)),
            ("cp -999999", Some(-90_000)),
            ("mate 3", Some(99_997)),
            ("mate -3", Some(-99_997)),
            ("mate 0", Some(-100_000)),
            ("cp 12 lowerbound", Some(12)),
            ("cp x", None),
            ("mate", None),
        ];
        for (text, expected) in rows {
            assert_eq!(of(text, false), expected, "{text}");
            assert_eq!(of(text, true), expected.map(|score| -score), "{text}");
        }
    }

    #[test]
    fn faults_and_the_last_games_remain() {
        let played = |game: u64, is_fault: bool| {
            let mut record = record(game, 2);
            record.fault = is_fault.then(|| fault(EngineIndex(0), FaultKind::Crash, ""));
            record
        };
        let mut games = PageGames::new("");
        for game in 0..10_000 {
            games.record(&played(game, game % 10 == 3));
        }
        assert_eq!((games.len(), games.total()), (MOST_PAGE_GAMES, 10_000));
        let faults: Vec<u64> = games.faults.iter().map(|(game, _)| *game).collect();
        assert_eq!(faults, (3..5000).step_by(10).collect::<Vec<_>>());
        assert_eq!(games.last.front().map(|(game, _)| *game), Some(8500));
        let data: serde_json::Value =
            serde_json::from_str(&games.data(&["</a>", "b"])).expect("JSON");
        assert_eq!(data["engines"][0], "</a>");
        let expected = Some(MOST_PAGE_GAMES);
        assert_eq!(data["games"].as_array().map(Vec::len), expected);
    }
}

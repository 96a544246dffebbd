//! Makes the built-in opening books, `selfplay/books/*.gz`.
//!
//! `make_openings balanced|uneven TOUCHSTONE STOCKFISH COUNT > FILE`
//!
//! Walks through the first eight plies of chess at random, guided by short searches of `touchstone`
//! over several moves: a move is taken only if its score lies within the band of its ply. The last
//! four plies offer more than one, so that a walk ends in up to 24 openings. An end is kept if both
//! engines, by a longer search, find it in their last band, and nothing has led to the same position
//! before.
//!
//! Every walk has its own stream of random numbers, and every search begins with an empty hash
//! table, so the same programs give the same book on every machine. One line per opening: number of
//! the walk, both scores in centipawns for the better side (balanced: for White), moves. Then
//!
//! `head -n 20000 FILE | cut -f 4 | sort | gzip -9n > selfplay/books/NAME.gz`

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use chacha20::ChaCha8Rng;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Color, Game, Position};
use rand::SeedableRng as _;
use rand::seq::{IndexedRandom as _, IteratorRandom as _};
use uci::grammar::{Go, PositionCommand, ScoreValue};
use uci::{Client, CommandLine, SessionEvent, Start};

const SEED: u64 = 1;
const PLIES: usize = 8;
/// Number of moves taken at each ply.
const BRANCHES: [usize; PLIES] = [1, 1, 1, 1, 2, 2, 2, 3];
/// Nodes of the search over several moves, and number of those moves.
const GLANCE: (u64, u32) = (10_000, 14);
/// Nodes of the searches that decide, by `touchstone` and by Stockfish.
const DEEP: (u64, u64) = (40_000, 25_000);
/// Longer than any search takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// What a book wants, in centipawns.
struct Book {
    /// The score of the end for the better side.
    goal: i32,
    /// How far a score may be from where a steady way to the goal would be, before the last ply.
    margin: i32,
    /// What `touchstone` and Stockfish must find in the end.
    bands: [RangeInclusive<i32>; 2],
    /// The better side.
    sides: &'static [Color],
}

const BALANCED: Book = Book {
    goal: 0,
    margin: 30,
    bands: [-25..=25, -25..=25],
    sides: &[Color::White],
};

/// Stockfish's centipawns are smaller, which its wider band allows for.
const UNEVEN: Book = Book {
    goal: 100,
    margin: 45,
    bands: [75..=125, 65..=155],
    sides: &[Color::White, Color::Black],
};

impl Book {
    /// The scores that a move at this ply, from 1, may have.
    fn band(&self, ply: usize) -> RangeInclusive<i32> {
        if ply == PLIES {
            return self.bands[0].clone();
        }
        let ply = i32::try_from(ply).expect("few plies");
        let there = self.goal * ply / i32::try_from(PLIES).expect("few plies");
        there - self.margin..=there + self.margin
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, touchstone, stockfish, count] = &arguments[..] else {
        bail!("usage: make_openings balanced|uneven TOUCHSTONE STOCKFISH COUNT > FILE");
    };
    let book = match name.as_str() {
        "balanced" => BALANCED,
        "uneven" => UNEVEN,
        _ => bail!("there is no book {name}"),
    };
    let mut maker = Maker {
        book,
        touchstone: Engine::start(touchstone)?,
        stockfish: Engine::start(stockfish)?,
        glances: HashMap::new(),
        ends: HashSet::new(),
    };
    let count: usize = count.parse().context("COUNT")?;
    for walk in 0.. {
        if maker.ends.len() >= count {
            break;
        }
        maker.walk(walk)?;
    }
    Ok(())
}

struct Maker {
    book: Book,
    touchstone: Engine,
    stockfish: Engine,
    /// The scores of moves in the first positions, which come again and again; for White.
    glances: HashMap<Vec<UciMove>, Vec<(UciMove, i32)>>,
    /// The keys of the positions of the openings so far.
    ends: HashSet<u64>,
}

impl Maker {
    fn walk(&mut self, walk: u64) -> Result<()> {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        rng.set_stream(walk);
        let better = *self.book.sides.choose(&mut rng).expect("not empty");
        let mut lines = vec![Vec::new()];
        for (ply, &branches) in (1..).zip(&BRANCHES) {
            let mut longer = Vec::new();
            for line in lines {
                let band = self.book.band(ply);
                let moves = self.glance(&line)?.into_iter();
                let fitting = moves.filter(|&(_, score)| band.contains(&seen_by(better, score)));
                for (m, _) in fitting.sample(&mut rng, branches) {
                    longer.push([line.as_slice(), &[m]].concat());
                }
            }
            lines = longer;
        }
        for line in lines {
            self.keep(&line, walk, better)?;
        }
        Ok(())
    }

    #[expect(clippy::print_stdout, reason = "the openings")]
    fn keep(&mut self, line: &[UciMove], walk: u64, better: Color) -> Result<()> {
        let mut game = Game::new(Position::startpos());
        for m in line {
            let m = m.to_move(game.position(), CastlingMode::Standard);
            game.play(m.context("a legal move")?)?;
        }
        let key = game.position().key();
        if self.ends.contains(&key) || game.outcome().is_some() {
            return Ok(());
        }
        let mut scores = Vec::new();
        let judges = [
            (&mut self.touchstone, DEEP.0),
            (&mut self.stockfish, DEEP.1),
        ];
        for ((engine, nodes), band) in judges.into_iter().zip(&self.book.bands) {
            let found = engine.search(line, nodes, 1)?;
            match found.first().map(|&(_, score)| seen_by(better, score)) {
                Some(score) if band.contains(&score) => scores.push(score.to_string()),
                _ => return Ok(()),
            }
        }
        self.ends.insert(key);
        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
        println!("{walk}\t{}\t{}", scores.join("\t"), moves.join(" "));
        Ok(())
    }

    fn glance(&mut self, line: &[UciMove]) -> Result<Vec<(UciMove, i32)>> {
        if let Some(known) = self.glances.get(line) {
            return Ok(known.clone());
        }
        let found = self.touchstone.search(line, GLANCE.0, GLANCE.1)?;
        if line.len() < PLIES / 2 {
            self.glances.insert(line.to_vec(), found.clone());
        }
        Ok(found)
    }
}

/// A score for White as one for this side.
fn seen_by(side: Color, score: i32) -> i32 {
    if side == Color::White { score } else { -score }
}

struct Engine {
    client: Client,
    several: u32,
}

impl Engine {
    fn start(program: &str) -> Result<Self> {
        let mut client = Client::start(&Start::new(CommandLine::new(program)))?;
        client.handshake(PATIENCE)?;
        client.set_option("Hash", Some("8"))?;
        Ok(Self { client, several: 1 })
    }

    /// The best moves after these, with their scores in centipawns for White; without moves that
    /// lead to mate.
    fn search(
        &mut self,
        moves: &[UciMove],
        nodes: u64,
        several: u32,
    ) -> Result<Vec<(UciMove, i32)>> {
        if several != self.several {
            self.client
                .set_option("MultiPV", Some(&several.to_string()))?;
            self.several = several;
        }
        self.client.new_game(PATIENCE)?;
        let position = PositionCommand {
            moves: moves.to_vec(),
            ..PositionCommand::default()
        };
        let go = Go {
            nodes: Some(nodes),
            ..Go::default()
        };
        let sign = if moves.len().is_multiple_of(2) { 1 } else { -1 };
        let mut found = HashMap::new();
        self.client.go(position, go, PATIENCE, |_, event| {
            if let SessionEvent::Info(info) = event
                && let (Some(score), Some(&m)) = (info.score, info.pv.first())
                && score.bound.is_none()
                && let ScoreValue::Cp(score) = score.value
            {
                found.insert(info.multipv.unwrap_or(1), (m, sign * score));
            }
        })?;
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable_by_key(|&(rank, _)| rank);
        Ok(found.into_iter().map(|(_, found)| found).collect())
    }
}

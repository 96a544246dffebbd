//! Searches for positions that show many faults at little cost, and for those that show a fault at all.
//!
//! Usage: `find_faults search|deep|bank standard|chess960|edge SECONDS SEED POOL [FILE...]`. `search` tries the positions of
//! the pool and of the files, then random ones and changes of earlier finds for so many seconds, and writes
//! to the pool the positions from which suites are best chosen, each with the depth that is worth counting.
//! `bank` prints a file of the bank from the pool.
//!
//! Positions are judged by prices: a fault has the price that it adds to the cheapest suite (see
//! `perft::faults::cover`), and a position is kept if the faults that it shows are worth more than it costs.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program that reads files and says how far it is"
)]

mod strict;

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::perft::Counter;
use chess::rules::{Bitboard, CastlingMode, Color, Piece, PieceType, Position, Setup, Square};
use epd::{Operand, Operation, Record};
use perft::faults::{
    Cover, Fault, FaultSet, Offer, Scope, Shown, bank, cover, cover_from, family_ranges,
};
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use strict::is_strict;
use testkit::positions::{random_start, thrown_position, wander};

/// What a position costs besides its leaf nodes.
const POSITION: u64 = 100;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Standard,
    Chess960,
    /// Positions that strict libraries refuse.
    Edge,
}

#[derive(Clone)]
struct Found {
    position: Position,
    depth: u32,
    cost: u64,
    faults: Vec<u32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, kind, seconds, seed, pool, files @ ..] = arguments.as_slice() else {
        return Err("usage: find_faults TASK KIND SECONDS SEED POOL [FILE...]".into());
    };
    let kind = match kind.as_str() {
        "standard" => Kind::Standard,
        "chess960" => Kind::Chess960,
        _ => Kind::Edge,
    };
    let mut given: Vec<(Position, u32)> = Vec::new();
    for path in std::iter::once(pool).chain(files) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        for line in text.lines() {
            if let Ok(record) = line.parse::<Record>() {
                let depth = record.perft_counts().last().map_or(1, |&(depth, _)| depth);
                given.push((*record.position(), depth));
            }
        }
    }
    given.retain(|(position, _)| fits(position, kind));
    if task == "bank" {
        write_bank(kind, &given);
        return Ok(());
    }
    let known = known(kind);
    let mut search = Search::new(kind, known);
    search.deep_only = task == "deep";
    let time = Duration::from_secs(seconds.parse()?);
    search.run(&given, time, seed.parse()?, pool)
}

/// Faults that need not be shown again.
fn known(kind: Kind) -> FaultSet {
    match kind {
        Kind::Standard => FaultSet::default(),
        Kind::Chess960 => bank(Scope::Standard).clone(),
        Kind::Edge => bank(Scope::Chess960).clone(),
    }
}

/// Prints a file of the bank: the positions of a cheap cover, each with the faults that none before it shows.
fn write_bank(kind: Kind, given: &[(Position, u32)]) {
    let search = Search::new(kind, known(kind));
    let mut pool = search.look_at(given);
    let offers: Vec<Offer> = pool.iter().map(offer).collect();
    let chosen: HashSet<usize> = cover(&offers).chosen.into_iter().collect();
    let mut index = 0;
    pool.retain(|_| {
        index += 1;
        chosen.contains(&(index - 1))
    });
    pool.sort_by_key(|one| (one.cost, fen::write(&one.position)));
    let mut seen = HashSet::new();
    println!(
        "# Positions that show faults of move generators; see `bank.rs`. Found by example `find_faults`."
    );
    for one in pool {
        let news = one.faults.iter().filter(|fault| seen.insert(**fault));
        let news: Vec<Fault> = news
            .filter_map(|&one| Fault::from_index(one as usize))
            .collect();
        if !news.is_empty() {
            let counts = counts(&one.position, one.depth, u64::MAX);
            println!("{}", record(one.position, &counts, &news));
        }
    }
}

fn fits(position: &Position, kind: Kind) -> bool {
    match kind {
        Kind::Standard => position.castling_mode() == CastlingMode::Standard && is_strict(position),
        Kind::Chess960 => is_strict(position),
        Kind::Edge => true,
    }
}

fn counts(position: &Position, last: u32, most: u64) -> Vec<u64> {
    let mut all = Vec::new();
    for depth in 1..=last {
        match Counter::new().count(position, depth) {
            Ok(nodes) if nodes <= most || depth == 1 => all.push(nodes),
            _ => break,
        }
        if all.last() == Some(&0) {
            break;
        }
    }
    all
}

fn number(fault: Fault) -> u32 {
    u32::try_from(fault.index()).expect("few")
}

/// The faults that show in three plies or more.
fn deep_faults() -> FaultSet {
    const FAMILIES: [&str; 8] = [
        "right-",
        "undo",
        "ends",
        "table",
        "castling-wrong",
        "king-square",
        "swap",
        "ep-",
    ];
    let is_deep = |name: &str| FAMILIES.iter().any(|family| name.starts_with(family));
    let ranges = family_ranges().filter(|(name, _)| is_deep(name));
    ranges
        .flat_map(|(_, range)| range)
        .filter_map(Fault::from_index)
        .collect()
}

struct Search {
    kind: Kind,
    known: FaultSet,
    /// Whether to try only positions for faults that show in three plies or more.
    deep_only: bool,
}

impl Search {
    fn new(kind: Kind, known: FaultSet) -> Self {
        Self {
            kind,
            known,
            deep_only: false,
        }
    }

    /// What the counts up to a depth show: of these faults, or of all.
    fn look(
        &self,
        shown: &mut Shown,
        position: &Position,
        depth: u32,
        cost: u64,
        wanted: Option<&FaultSet>,
    ) -> Found {
        let mut faults: Vec<u32> = Vec::new();
        for depth in 1..=depth {
            let all = shown.differences(position, depth, wanted).into_iter();
            let all = all.filter(|(fault, _)| !self.known.contains(*fault));
            faults.extend(all.map(|(fault, _)| number(fault)));
        }
        faults.sort_unstable();
        faults.dedup();
        Found {
            position: *position,
            depth,
            cost,
            faults,
        }
    }

    /// The faults worth a deep count: those that need one, and those that nothing shows yet.
    fn rare(&self, prices: &[f32]) -> FaultSet {
        let mut rare = deep_faults();
        for (index, &price) in prices.iter().enumerate() {
            let fault = Fault::from_index(index).expect("below the count");
            if price >= 5_000.0 && !self.known.contains(fault) {
                rare.insert(fault);
            }
        }
        rare
    }

    /// Most often a change of a position that needed three plies.
    fn deep_candidate(&self, start: Option<&Found>, rng: &mut ChaCha8Rng) -> Option<Position> {
        if let Some(one) = start.filter(|one| one.depth > 2)
            && rng.random_range(0..2) == 0
        {
            let position = changed(&one.position, self.kind, rng)?;
            return Some(position).filter(|position| fits(position, self.kind));
        }
        let position = candidate(start, self.kind, rng)?;
        Some(position).filter(|position| fits(position, self.kind))
    }

    fn look_at(&self, given: &[(Position, u32)]) -> Vec<Found> {
        given
            .par_iter()
            .map_init(Shown::default, |shown, (position, depth)| {
                let nodes: u64 = counts(position, *depth, u64::MAX).iter().sum();
                let wanted = (*depth > 3).then(deep_faults);
                self.look(shown, position, *depth, nodes + POSITION, wanted.as_ref())
            })
            .collect()
    }

    fn run(
        &self,
        given: &[(Position, u32)],
        time: Duration,
        seed: u64,
        path: &str,
    ) -> Result<(), Box<dyn Error>> {
        let begin = Instant::now();
        let mut pool = self.look_at(given);
        let mut tried: u64 = 0;
        let mut exact = Vec::new();
        for round in 0.. {
            let is_last = begin.elapsed() > time;
            let (prices, kept) = Self::price(&pool, round, &mut exact, is_last);
            pool = kept;
            write(path, &pool)?;
            if is_last {
                break;
            }
            let slice = Duration::from_secs(if round < 3 { 20 } else { 60 });
            let until = Instant::now() + slice.min(time);
            let found: Vec<(u64, Vec<Found>)> = (0..2_u64)
                .into_par_iter()
                .map(|thread| {
                    let mut rng = ChaCha8Rng::seed_from_u64(seed);
                    rng.set_stream(2 * round + thread);
                    self.try_until(until, &pool, &prices, &mut rng)
                })
                .collect();
            for (times, more) in found {
                tried += times;
                pool.extend(more);
            }
            eprintln!(
                "round {round}: {tried} positions tried, pool {}",
                pool.len()
            );
        }
        Ok(())
    }

    /// The prices of the faults, and the positions worth keeping.
    fn price(
        pool: &[Found],
        round: u64,
        exact: &mut Vec<f64>,
        is_last: bool,
    ) -> (Vec<f32>, Vec<Found>) {
        let offers: Vec<Offer> = pool.iter().map(offer).collect();
        let Cover {
            chosen,
            cost,
            lower_bound,
            prices,
        } = if is_last {
            cover(&offers)
        } else {
            cover_from(&offers, exact, 200)
        };
        exact.clone_from(&prices);
        let nodes: u64 = chosen
            .iter()
            .map(|&index| pool[index].cost - POSITION)
            .sum();
        let mut seen = HashSet::new();
        for found in pool {
            seen.extend(found.faults.iter().copied());
        }
        eprintln!(
            "round {round}: {} faults, {} positions, {nodes} nodes, cost {cost:.0}, bound {lower_bound:.0}",
            seen.len(),
            chosen.len()
        );
        let chosen: HashSet<usize> = chosen.into_iter().collect();
        let mut all = vec![0_f32; Fault::count()];
        for (price, &exact) in all.iter_mut().zip(&prices) {
            #[expect(clippy::cast_possible_truncation, reason = "a price")]
            {
                *price = exact as f32;
            }
        }
        let worth =
            |found: &Found| -> f32 { found.faults.iter().map(|&fault| all[fault as usize]).sum() };
        #[expect(clippy::cast_precision_loss, reason = "a price")]
        let mut order: Vec<(bool, f32, usize)> = pool
            .iter()
            .enumerate()
            .map(|(index, found)| {
                (
                    chosen.contains(&index),
                    worth(found) / found.cost as f32,
                    index,
                )
            })
            .collect();
        order.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
        let most = chosen.len() * 3 + 500;
        let kept = order
            .into_iter()
            .take(most)
            .map(|(_, _, index)| pool[index].clone());
        let kept = kept.collect();
        // What nobody shows yet is worth a whole position and more.
        for (number, price) in all.iter_mut().enumerate() {
            if !seen.contains(&u32::try_from(number).expect("few")) {
                *price = 5_000.0;
            }
        }
        (all, kept)
    }

    fn try_until(
        &self,
        until: Instant,
        pool: &[Found],
        prices: &[f32],
        rng: &mut ChaCha8Rng,
    ) -> (u64, Vec<Found>) {
        let mut shown = Shown::default();
        let rare = self.rare(prices);
        let mut prices = prices.to_vec();
        let (mut tried, mut found) = (0, Vec::<Found>::new());
        while Instant::now() < until {
            if self.deep_only || rng.random_range(0..5) == 0 {
                let start = pool.choose(rng);
                let Some(position) = self.deep_candidate(start, rng) else {
                    continue;
                };
                tried += 1;
                let most = [300, 1_000, 3_000][rng.random_range(0..3)];
                let nodes = counts(&position, 5, most);
                let cost = nodes.iter().sum::<u64>() + POSITION;
                let depth = u32::try_from(nodes.len()).expect("few");
                let one = self.look(&mut shown, &position, depth, cost, Some(&rare));
                let worth: f32 = one.faults.iter().map(|&fault| prices[fault as usize]).sum();
                #[expect(clippy::cast_precision_loss, reason = "a price")]
                if worth > 1.02 * cost as f32 {
                    for &fault in &one.faults {
                        let price = &mut prices[fault as usize];
                        *price = if *price >= 5_000.0 {
                            50.0
                        } else {
                            *price * 0.97
                        };
                    }
                    found.push(one);
                }
                continue;
            }
            let start = match found.choose(rng) {
                Some(one) if rng.random_range(0..4) == 0 => Some(one),
                _ => pool.choose(rng),
            };
            let Some(position) = candidate(start, self.kind, rng) else {
                continue;
            };
            if !fits(&position, self.kind) {
                continue;
            }
            tried += 1;
            let most = [200, 600, 1_500][rng.random_range(0..3)];
            let last = [2, 2, 2, 2, 2, 2, 3, 4][rng.random_range(0..8)];
            let nodes = counts(&position, last, most);
            let last = rng.random_range(1..=nodes.len());
            let last = if rng.random_range(0..2) == 0 {
                nodes.len()
            } else {
                last
            };
            let depths = if last == 1 { 1..=1 } else { last..=last };
            for depth in depths {
                let cost = nodes[..depth].iter().sum::<u64>() + POSITION;
                let depth = u32::try_from(depth).expect("few");
                let one = self.look(&mut shown, &position, depth, cost, None);
                let worth: f32 = one.faults.iter().map(|&fault| prices[fault as usize]).sum();
                #[expect(clippy::cast_precision_loss, reason = "a price")]
                if worth > 1.02 * cost as f32 {
                    for &fault in &one.faults {
                        // The same is found again and again otherwise.
                        let price = &mut prices[fault as usize];
                        *price = if *price >= 5_000.0 {
                            50.0
                        } else {
                            *price * 0.97
                        };
                    }
                    found.push(one);
                }
            }
        }
        (tried, found)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a cost")]
fn offer(found: &Found) -> Offer {
    Offer {
        cost: found.cost as f64,
        elements: found.faults.clone(),
    }
}

/// A random position, or a change of this one; `None` if that is illegal.
fn candidate(start: Option<&Found>, kind: Kind, rng: &mut ChaCha8Rng) -> Option<Position> {
    match start {
        Some(one) if rng.random_range(0..8) > 0 => changed(&one.position, kind, rng),
        _ if rng.random_range(0..2) == 0 => dense(rng),
        _ if rng.random_range(0..3) == 0 => {
            let start = random_start(rng, kind != Kind::Standard);
            let plies = rng.random_range(0..120);
            Some(wander(start, plies, rng))
        }
        _ => Some(thrown_position(rng)),
    }
}

fn dense(rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        setup.board[rng.random_range(0..64)] = Some(Piece::new(color, PieceType::King));
    }
    setup.side_to_move = *Color::ALL.choose(rng)?;
    let kinds = [(); 2].map(|()| PieceType::ALL[rng.random_range(0..5)]);
    let most = [rng.random_range(4..16), rng.random_range(0..8)];
    let mut best = Position::from_setup(setup.clone()).ok()?;
    for (color, most) in [setup.side_to_move, !setup.side_to_move]
        .into_iter()
        .zip(most)
    {
        for _ in 0..most {
            let kind = if rng.random_range(0..4) > 0 {
                *kinds.choose(rng)?
            } else {
                PieceType::ALL[rng.random_range(0..5)]
            };
            let square = rng.random_range(0..64);
            if setup.board[square].is_some() {
                continue;
            }
            setup.board[square] = Some(Piece::new(color, kind));
            match Position::from_setup(setup.clone()) {
                Ok(position) if is_strict(&position) => best = position,
                _ => setup.board[square] = None,
            }
        }
    }
    Some(best)
}

/// The position for the other side, or from left to right.
fn turned(setup: &Setup, to: impl Fn(Square) -> Square, exchange: bool) -> Setup {
    let color = |color: Color| if exchange { !color } else { color };
    let mut other = setup.clone();
    for square in Square::ALL {
        let piece = setup.piece_at(to(square));
        let piece = piece.map(|one| Piece::new(color(one.color), one.piece_type));
        other.board[square.index()] = piece;
    }
    other.side_to_move = color(setup.side_to_move);
    other.ep_square = setup.ep_square.map(&to);
    other.castling_rooks = setup.castling_rooks.into_iter().map(&to).collect();
    other
}

fn changed(position: &Position, kind: Kind, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut setup = position.to_setup();
    match rng.random_range(0..12) {
        0 => setup = turned(&setup, Square::flip_rank, true),
        1 => {
            setup = turned(&setup, |square| Square::ALL[square.index() ^ 7], false);
            setup.castling_rooks = castling_rooks(&setup, kind, rng);
        }
        2 => {
            let plies = rng.random_range(1..=2);
            return Some(wander(*position, plies, rng));
        }
        3 => {
            // Everything one step to a side.
            let step = *[(1, 0), (-1, 0), (0, 1), (0, -1)].choose(rng)?;
            let mut moved = Setup {
                board: [None; 64],
                ..setup.clone()
            };
            for square in Square::ALL {
                if let (Some(to), Some(piece)) =
                    (square.offset(step.0, step.1), setup.piece_at(square))
                {
                    moved.board[to.index()] = Some(piece);
                }
            }
            moved.ep_square = None;
            moved.castling_rooks = Bitboard::EMPTY;
            setup = moved;
        }
        _ => {
            for _ in 0..rng.random_range(1..=3) {
                let square = Square::ALL[rng.random_range(0..64)];
                let old = setup.board[square.index()].take();
                match rng.random_range(0..5) {
                    0 => setup.board[rng.random_range(0..64)] = old.or_else(|| any_piece(rng)),
                    1 | 2 => setup.board[square.index()] = any_piece(rng),
                    3 => {
                        let king = Piece::new(*Color::ALL.choose(rng)?, PieceType::King);
                        for one in &mut setup.board {
                            one.take_if(|piece| *piece == king);
                        }
                        setup.board[square.index()] = Some(king);
                    }
                    _ => {}
                }
            }
            if rng.random_range(0..6) == 0 {
                setup.side_to_move = !setup.side_to_move;
            }
        }
    }
    if rng.random_range(0..3) == 0 {
        setup.ep_square = None;
    }
    if rng.random_range(0..4) == 0 {
        let rank = if setup.side_to_move == Color::White {
            40
        } else {
            16
        };
        setup.ep_square = Some(Square::ALL[rank + rng.random_range(0..8)]);
    }
    if rng.random_range(0..2) == 0 {
        setup.castling_rooks = castling_rooks(&setup, kind, rng);
    }
    setup.halfmove_clock = match rng.random_range(0..24) {
        0 => *[49, 50, 98, 99, 100].choose(rng)?,
        1 if kind == Kind::Edge => *[101, 149, 150, 151].choose(rng)?,
        2..6 => 0,
        _ => setup.halfmove_clock,
    };
    if setup.ep_square.is_some() {
        setup.halfmove_clock = 0;
    }
    setup.fullmove_number = 1;
    let is_sound = |setup: &Setup| Position::from_setup(setup.clone()).ok();
    is_sound(&setup).or_else(|| {
        setup.ep_square = None;
        setup.castling_rooks = castling_rooks(&setup, kind, rng);
        is_sound(&setup)
    })
}

fn any_piece(rng: &mut ChaCha8Rng) -> Option<Piece> {
    let color = *Color::ALL.choose(rng)?;
    let kind = PieceType::ALL[rng.random_range(0..5)];
    Some(Piece::new(color, kind))
}

/// The rooks of some of the rights that the board allows, or of Chess960 up to one on each side of a king.
fn castling_rooks(setup: &Setup, kind: Kind, rng: &mut ChaCha8Rng) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let home = if color == Color::White { 0..8 } else { 56..64 };
        let is = |index: usize, kind| setup.board[index] == Some(Piece::new(color, kind));
        let Some(king) = home.clone().find(|&index| is(index, PieceType::King)) else {
            continue;
        };
        for side in [home.start..king, king + 1..home.end] {
            let of_side = side.filter(|&index| is(index, PieceType::Rook));
            let may = |&index: &usize| {
                kind != Kind::Standard || (king % 8 == 4 && [0, 7].contains(&(index % 8)))
            };
            let of_side: Vec<usize> = of_side.filter(may).collect();
            if let Some(&rook) = of_side.choose(rng)
                && rng.random_range(0..5) > 0
            {
                rooks |= Square::ALL[rook].bitboard();
            }
        }
    }
    rooks
}

fn write(pool: &str, found: &[Found]) -> Result<(), Box<dyn Error>> {
    let mut all: BTreeMap<String, &Found> = BTreeMap::new();
    for one in found {
        all.insert(format!("{} {}", fen::write(&one.position), one.depth), one);
    }
    let mut text = String::new();
    for one in all.values() {
        let counts = &counts(&one.position, one.depth, u64::MAX);
        text += Record::of_suite(one.position, None, &[], counts)?.text();
        text.push('\n');
    }
    std::fs::write(pool, text)?;
    Ok(())
}

/// A record of the bank: the position with its counts from depth 1 on, and its faults, in rising order.
///
/// # Panics
///
/// When the record cannot be written, which is a bug.
fn record(position: Position, counts: &[u64], faults: &[Fault]) -> Record {
    let mut words = Vec::new();
    for (name, range) in family_ranges() {
        let of_family = faults.iter().map(|fault| fault.index());
        let numbers: Vec<usize> = of_family
            .filter(|index| range.contains(index))
            .map(|index| index - range.start)
            .collect();
        let runs = numbers.chunk_by(|one, next| one + 1 == *next);
        let runs: Vec<String> = runs
            .map(|run| match run {
                [one] => one.to_string(),
                run => format!("{}-{}", run[0], run[run.len() - 1]),
            })
            .collect();
        if !runs.is_empty() {
            words.push(format!("{name}:{}", runs.join(",")));
        }
    }
    let record = Record::of_suite(position, None, &[], counts).expect("counts are plain");
    let mut operations = record.operations().to_vec();
    let list = vec![Operand::Text(words.join(" "))];
    operations.push(Operation::new("c0", list).expect("names are plain"));
    operations.sort_by(|a, b| a.opcode().cmp(b.opcode()));
    let mut record = Record::new(position);
    record
        .set_operations(operations)
        .expect("each depth comes once");
    record
}

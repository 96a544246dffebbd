//! Searches for positions that show every signature that is possible (`possible`), and for positions that
//! show many at little cost (`cheap`); writes them as EPD. See `perft coverage`.
//!
//! Usage: `find_signatures possible standard|chess960 MILLIONS SEED [FILE…]` tries so many positions, those of
//! the files first, and writes the fewest that show all that it found; of Chess960 only what standard chess
//! does not show. `src/suite/coverage/positions.epd` and `chess960.epd` were made so.
//!
//! `find_signatures cheap standard|chess960 ROUNDS SEED FILE…` looks for positions with which a suite that reaches
//! these signatures is cheaper than with those of the files alone, and writes the suite's positions: prices of
//! the signatures (see `coverage::cover`) show which positions would be worth more than they cost.
//!
//! Half of the positions are random: starts of games and pieces thrown onto the board, each followed by random
//! moves. The others are earlier finds with one or a few pieces changed, which finds rare signatures much
//! sooner.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a program that reads files and says how far it is"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write as _;

use chacha20::ChaCha8Rng;
use chess::perft::Counter;
use chess::rules::{Bitboard, CastlingMode, Color, Piece, PieceType, Position, Setup, Square};
use perft::coverage::{
    ALL_VIEWS, Cover, Offer, Signature, SignatureSet, cover, each_signature, levels, possible,
    shown,
};
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, mode, amount, seed, files @ ..] = arguments.as_slice() else {
        return Err(
            "usage: find_signatures possible|cheap standard|chess960 AMOUNT SEED [FILE...]".into(),
        );
    };
    let mode = match mode.as_str() {
        "standard" => CastlingMode::Standard,
        "chess960" => CastlingMode::Chess960,
        _ => return Err("standard or chess960 is missing".into()),
    };
    let (amount, seed): (u64, u64) = (amount.parse()?, seed.parse()?);
    let mut positions = Vec::new();
    for path in files {
        for line in std::fs::read_to_string(path)?.lines() {
            if let Ok(record) = line.parse::<epd::Record>() {
                positions.push(*record.position());
            }
        }
    }
    if mode == CastlingMode::Standard {
        positions.retain(|one| one.castling_mode() == CastlingMode::Standard);
    }
    match task.as_str() {
        "possible" => find_possible(mode, amount * 1_000_000, seed, &positions),
        "cheap" => find_cheap(mode, amount, seed, &positions),
        _ => Err("possible or cheap is missing".into()),
    }
}

/// Positions kept of each signature, so that there is something to choose from.
const KEPT: u8 = 16;

struct Search {
    seen: SignatureSet,
    /// How often each signature is kept.
    times: Vec<u8>,
    kept: Vec<Position>,
}

impl Search {
    /// Keeps a position that shows something new or rare, and its mirror images; returns whether something
    /// is new.
    fn try_position(&mut self, position: &Position) -> bool {
        let mut is_rare = false;
        each_signature(position, ALL_VIEWS, |one| {
            is_rare |= self.times[one.index()] < KEPT;
        });
        if !is_rare {
            return false;
        }
        let (before, mut is_useful) = (self.seen.count(), false);
        for one in images(position) {
            for signature in shown(&one) {
                self.seen.insert(signature);
                let times = &mut self.times[signature.index()];
                is_useful |= *times < KEPT;
                *times = times.saturating_add(1);
            }
            if is_useful {
                self.kept.push(one);
            }
        }
        self.seen.count() > before
    }
}

/// The position for the other side, and both from left to right, where castling does not forbid that.
fn images(position: &Position) -> Vec<Position> {
    let mut all = vec![*position, turned(position, Square::flip_rank, true)];
    if position.castling_rooks().is_empty() {
        let flip = |square: Square| Square::ALL[square.index() ^ 7];
        let flipped: Vec<Position> = all.iter().map(|one| turned(one, flip, false)).collect();
        all.extend(flipped);
    }
    all
}

/// The position with each piece on another square, and the colours exchanged or not.
fn turned(position: &Position, to: impl Fn(Square) -> Square, exchange: bool) -> Position {
    let setup = position.to_setup();
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
    Position::from_setup(other).expect("it is as legal as the other")
}

/// The position with some pieces put elsewhere, added, exchanged or removed; `None` if that is illegal.
fn changed(position: &Position, mode: CastlingMode, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut setup = position.to_setup();
    for _ in 0..rng.random_range(1..=3) {
        let square = Square::ALL[rng.random_range(0..64)];
        let old = setup.board[square.index()].take();
        match rng.random_range(0..4) {
            // Put elsewhere.
            0 => setup.board[rng.random_range(0..64)] = old.or_else(|| any_piece(rng)),
            1 | 2 => setup.board[square.index()] = any_piece(rng),
            _ => {}
        }
    }
    if rng.random_range(0..4) == 0 {
        setup.side_to_move = !setup.side_to_move;
    }
    setup.ep_square = None;
    if rng.random_range(0..3) == 0 {
        let rank = if setup.side_to_move == Color::White {
            40
        } else {
            16
        };
        setup.ep_square = Some(Square::ALL[rank + rng.random_range(0..8)]);
    }
    setup.castling_rooks = castling_rooks(&setup, mode, rng);
    if rng.random_range(0..8) == 0 {
        setup.halfmove_clock = rng.random_range(98..=151);
    }
    Position::from_setup(setup).ok()
}

fn any_piece(rng: &mut ChaCha8Rng) -> Option<Piece> {
    let color = *Color::ALL.choose(rng)?;
    Some(Piece::new(color, *PieceType::ALL.choose(rng)?))
}

/// The rooks of some of the rights that the board allows, or of Chess960 up to one on each side of a king.
fn castling_rooks(setup: &Setup, mode: CastlingMode, rng: &mut ChaCha8Rng) -> Bitboard {
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
                mode == CastlingMode::Chess960 || (king % 8 == 4 && [0, 7].contains(&(index % 8)))
            };
            let of_side: Vec<usize> = of_side.filter(may).collect();
            if let Some(&rook) = of_side.choose(rng)
                && rng.random_range(0..4) > 0
            {
                rooks |= Square::ALL[rook].bitboard();
            }
        }
    }
    rooks
}

/// A random position, or one of these with a few pieces changed; `None` if that is illegal.
fn candidate(kept: &[Position], mode: CastlingMode, rng: &mut ChaCha8Rng) -> Option<Position> {
    match kept.choose(rng) {
        Some(one) if rng.random_range(0..2) == 0 => changed(one, mode, rng),
        _ if rng.random_range(0..3) == 0 => {
            let is_chess960 = mode == CastlingMode::Chess960;
            Some(testkit::positions::random_start(rng, is_chess960))
        }
        _ => Some(testkit::positions::thrown_position(rng)),
    }
}

fn find_possible(
    mode: CastlingMode,
    wanted: u64,
    seed: u64,
    positions: &[Position],
) -> Result<(), Box<dyn Error>> {
    let mut search = Search {
        seen: SignatureSet::default(),
        times: vec![0; Signature::COUNT],
        kept: Vec::new(),
    };
    if mode == CastlingMode::Chess960 {
        for one in possible(CastlingMode::Standard).iter() {
            search.times[one.index()] = KEPT;
        }
    }
    for position in positions {
        search.try_position(position);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut tried, mut reported, mut last) = (0_u64, 0_u64, 0_u64);
    while tried < wanted {
        if tried >= reported {
            let (signatures, kept) = (search.seen.count(), search.kept.len());
            eprintln!(
                "{tried} positions, {signatures} signatures, {kept} kept, the last new one at {last}"
            );
            reported += wanted.div_ceil(20);
        }
        let Some(mut position) = candidate(&search.kept, mode, &mut rng) else {
            continue;
        };
        let most = if rng.random_range(0..2) == 0 { 60 } else { 4 };
        for _ in 0..rng.random_range(1..=most) {
            tried += 1;
            if search.try_position(&position) {
                last = tried;
            }
            let moves = position.legal_moves().to_vec();
            let Some(&m) = moves.choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
    let mut found = search.seen;
    if mode == CastlingMode::Chess960 {
        found = found.without(possible(CastlingMode::Standard));
    }
    let offer = |one: &Position| Offer {
        cost: 1.0,
        elements: shown_of(one, &found),
    };
    let offers: Vec<Offer> = search.kept.par_iter().map(offer).collect();
    let Cover {
        chosen,
        lower_bound,
        ..
    } = cover(&offers);
    let comment = format!(
        "{} positions that show the {} signatures that were found; of those that were kept, at least {} are needed.\n\
         # The last run tried {tried} positions, of which number {last} showed the last new signature.",
        chosen.len(),
        found.count(),
        lower_bound.ceil()
    );
    write(&comment, chosen.iter().map(|&index| search.kept[index]))
}

fn shown_of(position: &Position, wanted: &SignatureSet) -> Vec<u32> {
    let shown = shown(position).into_iter();
    let wanted = shown.filter(|&one| wanted.contains(one));
    wanted.map(Signature::number).collect()
}

/// Positions tried in a round.
const TRIES: u64 = 60_000;
/// The least worth of a position's own moves with which its deeper counts are looked at, which takes longer.
const LEAST_WORTH: f64 = 0.25;
/// Positions whose signatures are worth less than their cost by more than this are forgotten.
const MARGIN: f64 = 0.3;

/// A position with what its counts up to each depth show and cost.
struct Priced {
    position: Position,
    levels: Vec<Offer>,
}

impl Priced {
    fn new(position: &Position, wanted: &SignatureSet) -> Self {
        Self {
            position: *position,
            levels: levels(position, wanted),
        }
    }

    /// By how much its best level is worth more than it costs.
    fn gain(&self, prices: &[f64]) -> f64 {
        let worth = |one: &Offer| {
            one.elements
                .iter()
                .map(|&one| prices[one as usize])
                .sum::<f64>()
        };
        let gains = self.levels.iter().map(|one| worth(one) - one.cost);
        gains.fold(f64::NEG_INFINITY, f64::max)
    }
}

fn find_cheap(
    mode: CastlingMode,
    rounds: u64,
    seed: u64,
    positions: &[Position],
) -> Result<(), Box<dyn Error>> {
    let mut wanted = possible(mode).clone();
    if mode == CastlingMode::Chess960 {
        wanted = wanted.without(possible(CastlingMode::Standard));
    }
    let mut pool: Vec<Priced> = positions
        .par_iter()
        .map(|one| Priced::new(one, &wanted))
        .collect();
    for round in 0.. {
        let levels = pool.iter().enumerate();
        let (owners, offers): (Vec<usize>, Vec<Offer>) = levels
            .flat_map(|(index, one)| one.levels.iter().map(move |level| (index, level.clone())))
            .unzip();
        let best = cover(&offers);
        let chosen: BTreeSet<usize> = best.chosen.iter().map(|&one| owners[one]).collect();
        let (
            count,
            Cover {
                cost, lower_bound, ..
            },
        ) = (chosen.len(), &best);
        let comment = format!("{count} positions, cost {cost:.1}, at least {lower_bound:.1}");
        eprintln!("round {round}: {comment}, of {}", pool.len());
        if round == rounds {
            return write(&comment, chosen.iter().map(|&index| pool[index].position));
        }
        let mut index = 0..;
        pool.retain(|one| {
            let is_chosen = index.next().is_some_and(|one| chosen.contains(&one));
            is_chosen || one.gain(&best.prices) > -MARGIN
        });
        let kept: Vec<Position> = pool.iter().map(|one| one.position).collect();
        let find = |number| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(round * TRIES + number);
            let mut position = match rng.random_range(0..10) {
                0 => candidate(&[], mode, &mut rng)?,
                1 => *kept.choose(&mut rng)?,
                _ => changed(kept.choose(&mut rng)?, mode, &mut rng)?,
            };
            for _ in 0..rng.random_range(0..3) {
                let moves = position.legal_moves().to_vec();
                position = position.play_unchecked(*moves.choose(&mut rng)?);
            }
            // Draws by the clock are matters of few positions, which files have.
            let position = with_clock(&position, 0);
            is_promising(&position, &best.prices)
                .then(|| Priced::new(&position, &wanted))
                .filter(|one| one.gain(&best.prices) > 0.01)
        };
        let found: Vec<Priced> = (0..TRIES).into_par_iter().filter_map(find).collect();
        pool.extend(found);
    }
    Ok(())
}

/// Whether the moves of the position alone are worth a good part of what it costs.
fn is_promising(position: &Position, prices: &[f64]) -> bool {
    let price = |one: &Signature| prices.get(one.index()).copied();
    let worth: f64 = shown(position).iter().filter_map(price).sum();
    worth > LEAST_WORTH
}

/// The position with this halfmove clock, and a move number that fits it.
fn with_clock(position: &Position, clock: u32) -> Position {
    let mut setup = position.to_setup();
    setup.halfmove_clock = clock;
    setup.fullmove_number = 1 + clock.div_ceil(2);
    Position::from_setup(setup).expect("only clocks have changed")
}

fn write(comment: &str, positions: impl Iterator<Item = Position>) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "# {comment}\n\
         # cargo run --release -p touchstone-perft --example find_signatures {}\n",
        arguments.join(" ")
    )?;
    let counter = Counter::new();
    let mut lines = Vec::new();
    for position in positions {
        let clock = position.halfmove_clock();
        let position = with_clock(&position, if clock < 90 { 0 } else { clock });
        let count = counter.count(&position, 1)?;
        let record = epd::Record::of_suite(position, None, &[], &[count])?;
        lines.push(record.to_string());
    }
    lines.sort();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

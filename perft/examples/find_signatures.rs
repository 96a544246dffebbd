//! Searches for positions that show every signature that is possible, and writes the fewest that do:
//! `src/suite/coverage/positions.epd`.
//!
//! Usage: `find_signatures MILLIONS SEED [FILE]`; the positions of FILE, an earlier result, are tried
//! first. Half of the positions are random: starts of games and pieces thrown onto the board, each followed
//! by random moves. The others are kept ones with one or a few pieces changed, which finds rare signatures
//! much sooner. Of every position that is kept, the mirror images are kept as well.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a program that reads a file and says how far it is"
)]

use std::error::Error;
use std::io::Write as _;

use chess::notation::fen;
use chess::perft::Counter;
use chess::rules::{Bitboard, Color, Piece, PieceType, Position, Setup, Square};
use perft::coverage::{Signature, SignatureSet, cover, each_signature, signatures_at};
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

/// The depth of a count that shows every signature of its root.
const DEPTH: u32 = 3;
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
        let (mut is_new, mut is_rare) = (false, false);
        each_signature(position, DEPTH, |one| {
            is_new |= !self.seen.contains(one);
            is_rare |= self.times[one.index()] < KEPT;
        });
        if !is_rare {
            return false;
        }
        for one in images(position) {
            each_signature(&one, DEPTH, |signature| {
                self.seen.insert(signature);
                let times = &mut self.times[signature.index()];
                *times = times.saturating_add(1);
            });
            self.kept.push(one);
        }
        is_new
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
fn changed(position: &Position, rng: &mut ChaCha8Rng) -> Option<Position> {
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
    setup.castling_rooks = rooks_at_home(&setup, rng);
    Position::from_setup(setup).ok()
}

fn any_piece(rng: &mut ChaCha8Rng) -> Option<Piece> {
    let color = *Color::ALL.choose(rng)?;
    Some(Piece::new(color, *PieceType::ALL.choose(rng)?))
}

fn rooks_at_home(setup: &Setup, rng: &mut ChaCha8Rng) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let rank = if color == Color::White { 0 } else { 56 };
        let is = |index: usize, kind| setup.board[index] == Some(Piece::new(color, kind));
        for rook in [rank, rank + 7] {
            let may = is(rank + 4, PieceType::King) && is(rook, PieceType::Rook);
            if may && rng.random_range(0..4) > 0 {
                rooks |= Square::ALL[rook].bitboard();
            }
        }
    }
    rooks
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |what: &str| arguments.next().ok_or(format!("{what} is missing"));
    let (millions, seed): (u64, u64) = (number("MILLIONS")?.parse()?, number("SEED")?.parse()?);
    let mut search = Search {
        seen: SignatureSet::default(),
        times: vec![0; Signature::COUNT],
        kept: Vec::new(),
    };
    if let Some(path) = arguments.next() {
        for line in std::fs::read_to_string(path)?.lines() {
            if let Ok(record) = line.parse::<epd::Record>() {
                search.try_position(record.position());
            }
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let wanted = millions * 1_000_000;
    let (mut tried, mut shown, mut last) = (0_u64, 0_u64, 0_u64);
    while tried < wanted {
        if tried >= shown {
            let (signatures, kept) = (search.seen.count(), search.kept.len());
            eprintln!(
                "{tried} positions, {signatures} signatures, {kept} kept, the last new one at {last}"
            );
            shown += wanted.div_ceil(20);
        }
        let is_random = search.kept.is_empty() || rng.random_range(0..2) == 0;
        let mut position = if is_random {
            if rng.random_range(0..3) == 0 {
                testkit::positions::random_start(&mut rng, false)
            } else {
                testkit::positions::thrown_position(&mut rng)
            }
        } else {
            let one = *search.kept.choose(&mut rng).expect("there are some");
            let Some(position) = changed(&one, &mut rng) else {
                continue;
            };
            position
        };
        for _ in 0..rng.random_range(1..=if is_random { 60 } else { 4 }) {
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
    write(&search, wanted, seed, last)
}

fn write(search: &Search, tried: u64, seed: u64, last: u64) -> Result<(), Box<dyn Error>> {
    let kept = search.kept.iter();
    let shown: Vec<Vec<Signature>> = kept.map(|one| signatures_at(one, DEPTH)).collect();
    let chosen = cover(&search.seen, &shown);
    let mut out = std::io::stdout().lock();
    let (signatures, count) = (search.seen.count(), chosen.len());
    writeln!(
        out,
        "# {count} positions that show the {signatures} signatures of moves that were found. The last run tried {tried}\n\
         # positions, of which number {last} showed the last new one: cargo run --release -p touchstone-perft \\\n\
         # --example find_signatures {} {seed} perft/src/suite/coverage/positions.epd\n",
        tried / 1_000_000
    )?;
    let counter = Counter::new();
    let mut lines = Vec::new();
    for &index in &chosen {
        let position = &search.kept[index];
        let text = fen::write(position);
        let fields: Vec<&str> = text.split(' ').take(4).collect();
        let count = counter.count(position, 1)?;
        lines.push(format!("{} D1 {count};", fields.join(" ")));
    }
    lines.sort();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

//! Writes an opening book of random play, to measure reading with:
//! `cargo run --release -p touchstone-epd --example random_book -- 100000 > book.epd`.

use std::io::Write as _;

use chess::notation::san;
use chess::rules::{Move, Position};
use epd::{Operand, Operation, Record};

/// Plies of a game before the next begins.
const PLIES: u64 = 24;

/// The generator `xorshift64` of Marsaglia (2003); the book is the same everywhere.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn choose(position: &Position, state: &mut u64) -> Option<Move> {
    let moves = position.legal_moves().to_vec();
    let count = u64::try_from(moves.len()).expect("few");
    let index = next(state).checked_rem(count)?;
    moves.get(usize::try_from(index).expect("few")).copied()
}

fn main() -> anyhow::Result<()> {
    let count: u64 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut position = Position::startpos();
    for number in 1..=count {
        if number % PLIES == 0 {
            position = Position::startpos();
        }
        let Some(m) = choose(&position, &mut state) else {
            position = Position::startpos();
            continue;
        };
        let mut record = Record::new(position);
        let best = Operand::Word(san::write(m, &position));
        record.push(Operation::new("bm", vec![best])?)?;
        let id = Operand::Text(format!("book.{number:06}"));
        record.push(Operation::new("id", vec![id])?)?;
        writeln!(out, "{record}")?;
        position = position.play_unchecked(m);
    }
    out.flush()?;
    Ok(())
}

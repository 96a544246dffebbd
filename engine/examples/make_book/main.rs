//! Makes the opening book that is built into the engine: games of the engine with itself, from
//! first moves of many kinds, whose moves a deeper search has looked at once more.
//!
//! ```console
//! $ cargo run --release -p touchstone-engine --example make_book -- engine/book/touchstone.bin
//! ```
//!
//! `--seed N` and `--games N` make another book. The same numbers make the same book on every
//! machine: limits are positions searched, never time.

mod play;
mod think;

use std::process::ExitCode;

use chess::rules::{Color, Game};
use engine::book::{Book, BookBuilder};
use play::Played;
use rayon::prelude::*;
use think::Thinker;

/// How many plies of each game come into the book.
const BOOK_PLIES: usize = 16;
/// How many games a move must come from.
const MIN_GAMES: u32 = 2;

/// What is wanted.
struct Order {
    path: String,
    seed: u64,
    games: u64,
}

impl Order {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut path, mut seed, mut games) = (None, 6, 2000);
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let wanted = match argument.as_str() {
                "--seed" => &mut seed,
                "--games" => &mut games,
                _ if argument.starts_with('-') || path.is_some() => {
                    return Err(format!("'{argument}' is not understood"));
                }
                _ => {
                    path = Some(argument);
                    continue;
                }
            };
            let number = arguments.next().and_then(|text| text.parse().ok());
            *wanted = number.ok_or(format!("{argument} needs a number"))?;
        }
        let path = path.ok_or("where to write the book is missing")?;
        Ok(Self { path, seed, games })
    }
}

#[expect(clippy::print_stderr, reason = "progress and errors")]
fn main() -> ExitCode {
    let order = match Order::parse(std::env::args().skip(1)) {
        Ok(order) => order,
        Err(error) => {
            eprintln!("{error}\n\nmake_book [--seed N] [--games N] FILE");
            return ExitCode::from(2);
        }
    };
    eprintln!("seed {}, {} games", order.seed, order.games);
    let played: Vec<Played> = (0..order.games)
        .into_par_iter()
        .map_init(Thinker::new, |thinker, number| {
            play::play(thinker, order.seed, number, BOOK_PLIES)
        })
        .collect();
    let draft = build(played.iter().map(|one| (&one.game, one.winner)));
    eprintln!("{} entries before they are looked at again", draft.len());
    let book = sound(&played, &draft);
    eprintln!("{} entries, {} bytes", book.len(), book.as_bytes().len());
    write(&order.path, book.as_bytes())
}

fn build<'a>(games: impl Iterator<Item = (&'a Game, Option<Color>)>) -> Book {
    let mut builder = BookBuilder::new(BOOK_PLIES, MIN_GAMES);
    for (game, winner) in games {
        builder.add(game, winner);
    }
    builder.build()
}

/// The book of the games, each up to its first move that is not in the draft or that the deeper
/// search does not approve of.
fn sound(played: &[Played], draft: &Book) -> Book {
    let approved = think::approved(played.iter().map(|one| &one.game), draft);
    let cut: Vec<(Game, Option<Color>)> = played
        .iter()
        .map(|one| (think::cut(&one.game, &approved), one.winner))
        .collect();
    build(cut.iter().map(|(game, winner)| (game, *winner)))
}

#[expect(clippy::disallowed_methods, reason = "an example is an edge")]
#[expect(clippy::print_stderr, reason = "errors")]
fn write(path: &str, bytes: &[u8]) -> ExitCode {
    match std::fs::write(path, bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {path}: {error}");
            ExitCode::from(2)
        }
    }
}

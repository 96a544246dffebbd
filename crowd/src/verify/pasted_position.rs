//! Reads a position as people copy it from engines, suites, GUIs and web pages.

use chess::notation::fen::{self, ParseFenError};
use chess::rules::Position;

use super::tidy::{legal_move, tidy};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PastedPositionError {
    #[error(
        "there is no FEN; one looks like rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, and startpos stands for this one"
    )]
    Missing,
    #[error("{}", few(.0))]
    Fen(#[from] ParseFenError),
    #[error("move {number}, '{text}', is illegal in the position before it")]
    Move { number: usize, text: String },
}

/// Reads a position from a text with a FEN of four or six fields. It tolerates:
///
/// - any white space between fields, underscores instead of it, and typographic dashes;
/// - words before the FEN, such as `position fen` or the address of a web page, and quotes or brackets around it;
/// - `startpos` for the initial position;
/// - `moves` and moves after it, which are played;
/// - anything else after it, such as the operations of an EPD record.
///
/// # Errors
///
/// If there is no FEN, if it is wrong, or if a move after it is illegal.
pub fn read_pasted_position(text: &str) -> Result<Position, PastedPositionError> {
    // Lichess, for one, writes the blanks of a FEN in an address as underscores.
    let text = tidy(text).replace('_', " ");
    let quotes = ['"', '\'', '`', '[', ']', '(', ')', ',', ';'];
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(quotes));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let with_ranks = |least: usize| {
        let ranks = move |word: &&str| word.bytes().filter(|&b| b == b'/').count() >= least;
        words
            .iter()
            .position(|word| *word == "startpos" || ranks(word))
    };
    // A word with fewer slashes is a FEN that lacks ranks: its errors help more than that there is
    // no FEN.
    let begins = with_ranks(7).or_else(|| with_ranks(1));
    let begins = begins.ok_or(PastedPositionError::Missing)?;
    let (mut position, after) = if words[begins] == "startpos" {
        (Position::startpos(), begins + 1)
    } else {
        let ranks: Vec<&str> = words[begins].split('/').collect();
        let fields = &words[begins + 1..];
        let counters = fields.iter().skip(3).take(2).map(|word| digits(word));
        let counters: Vec<&str> = counters.take_while(|word| !word.is_empty()).collect();
        // In an address, the folders before the FEN look like further ranks.
        let mut record = ranks[ranks.len().saturating_sub(8)..].join("/");
        let three = fields.iter().take(3).copied();
        // An EPD record has four fields, with operations where a FEN has its counters.
        let given = if counters.len() == 2 { 5 } else { 3 };
        for field in three.chain(counters.into_iter().take(given - 3)) {
            record.push(' ');
            record.push_str(field);
        }
        (fen::parse(&record)?, begins + 1 + given)
    };
    let moves = words
        .iter()
        .skip(after)
        .skip_while(|word| **word != "moves");
    for (number, word) in (1..).zip(moves.skip(1)) {
        let played = legal_move(word, &position).and_then(|m| position.play(m).ok());
        position = played.ok_or_else(|| PastedPositionError::Move {
            number,
            text: (*word).to_owned(),
        })?;
    }
    Ok(position)
}

/// The first faults: one wrong field may have dozens.
fn few(error: &ParseFenError) -> String {
    let text = error.to_string();
    let faults: Vec<&str> = text.split("; ").collect();
    match faults.len() {
        0..=3 => text,
        more => format!("{}; and {} more", faults[..3].join("; "), more - 3),
    }
}

/// The digits at the beginning: what follows belongs to an address or is a quotation mark.
fn digits(word: &str) -> &str {
    let end = word.find(|c: char| !c.is_ascii_digit());
    &word[..end.unwrap_or(word.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn positions_are_read_as_they_are_copied() {
        let four = INITIAL.trim_end_matches(" 0 1");
        for text in [
            INITIAL.to_owned(),
            "startpos".to_owned(),
            format!(" position fen {INITIAL}\r\n"),
            format!("[FEN \"{INITIAL}\"]"),
            INITIAL.replace(' ', "\t"),
            INITIAL.replace(' ', "\u{a0} "),
            INITIAL.replace(" - ", " – "),
            format!("https://example.org/a/{INITIAL}?color=white").replace(' ', "_"),
            format!("{INITIAL} ;D1 20 ;D2 400"),
            format!("{four} bm e4; id \"1\";"),
        ] {
            let position = read_pasted_position(&text).expect(&text);
            assert_eq!(fen::write(&position), INITIAL, "{text}");
        }
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
        for text in [
            "position startpos moves e2e4 e7e5",
            &format!("{INITIAL} moves e4 e5"),
        ] {
            let position = read_pasted_position(text).expect(text);
            assert_eq!(fen::write(&position), after, "{text}");
        }
    }

    #[test]
    fn errors_are_about_what_was_given() {
        let table = "\
            : there is no FEN
            hello: there is no FEN
            startpos moves e2e4 e2e4: move 2, 'e2e4', is illegal
            8/8 w - -: placement, offset 0: 2 ranks, expected 8
            4k3/8/8/8/8/8/8/8 w - - 0 1: placement, offset 0: White has no king
            4k3/8/8/8/8/8/8/4K3: record, offset 0: 1 fields, expected 4 or 6
            /x/yyyy w - -: placement, offset 0: 3 ranks, expected 8";
        for line in table.lines() {
            let (text, expected) = line.trim_start().split_once(": ").expect("two parts");
            let error = read_pasted_position(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
            assert!(error.len() < 250, "{text}: {error}");
        }
    }
}

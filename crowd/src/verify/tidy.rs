//! Text as people paste it: typographic characters, output of a search, and piece letters of other languages.

use std::borrow::Cow;
use std::collections::BTreeSet;

use chess::rules::{Move, Position};
use uci::perft::{MoveMeaning, pasted_move};

use super::input::TextPlace;

/// A part of a text that could be a move, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextWord<'a> {
    pub(super) place: TextPlace,
    /// In bytes from the beginning of the text.
    pub(super) byte: usize,
    pub(super) text: &'a str,
}

/// King, queen, rook, bishop and knight in English, and as they are in other languages' SAN.
const ENGLISH: &str = "KQRBN";
const LANGUAGES: [&str; 7] = [
    "KDTLS", // German, Swedish
    "RDTFC", // French
    "RDTAC", // Spanish, Italian
    "RDTBC", // Portuguese
    "KDTLP", // Dutch
    "KHWGS", // Polish
    "KDVSJ", // Czech
];

/// Number of words that decide on the language of a text; each is read once per language.
const SAMPLE: usize = 300;

/// One form of the characters that programs and web pages use for the same thing. Lines that only a search prints
/// become empty.
pub(super) fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_of_a_search(line) {
            // The line stays, empty, so that the places of later words are right.
            tidy.push('\n');
        } else {
            tidy.extend(line.chars().filter_map(plain));
        }
    }
    tidy
}

/// Whether an engine prints this about itself or its search: the moves in it are no list.
fn is_of_a_search(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove" | "uciok" | "readyok") => true,
        Some("id") => matches!(words.next(), Some("name" | "author")),
        Some("option") => words.next() == Some("name"),
        // Some engines print their divide by `info string`.
        Some("info") => words.next().is_some_and(|word| word != "string"),
        _ => false,
    }
}

/// The usual character with the same meaning; none for those that are invisible.
fn plain(c: char) -> Option<char> {
    match c {
        // Word processors turn the hyphens of castling and of long notation into dashes.
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Some('-'),
        // Web pages and PDFs contain marks of direction, soft hyphens and blanks of no width. The
        // last two select how the figurine before them is drawn.
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'
        | '\u{feff}'
        | '\u{ad}'
        | '\u{fe0e}'
        | '\u{fe0f}' => None,
        '×' => Some('x'),
        // Figurines, White's and Black's: king, queen, rook, bishop, knight, pawn.
        '\u{2654}'..='\u{265f}' => "KQRBNPKQRBNP"
            .chars()
            .nth(usize::try_from(u32::from(c) - 0x2654).expect("one of twelve")),
        _ => Some(c),
    }
}

/// The words of a text that name a move, well or badly. Others are not even tried, such as `moves:`, a number, or the
/// name of a function around a move.
pub(super) fn words(text: &str) -> Vec<TextWord<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (line, full) in (1..).zip(text.split_inclusive('\n')) {
        let (mut byte, mut column) = (0, 1);
        for part in full.split(is_between) {
            let word = bare(part);
            if names_a_move(word) {
                // Splitting loses the offset of a part; the pointers have it.
                let at = part.as_ptr() as usize - full.as_ptr() as usize;
                let at = at + (word.as_ptr() as usize - part.as_ptr() as usize);
                column += full[byte..at].chars().count();
                byte = at;
                found.push(TextWord {
                    place: TextPlace { line, column },
                    byte: start + at,
                    text: word,
                });
            }
        }
        start += full.len();
    }
    found
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c.is_control() || ",;|[]{}<>\"'`“”‘’«»•·…".contains(c)
}

/// Without the number before a move, a bullet, brackets around it, and what follows it.
fn bare(part: &str) -> &str {
    let digits = part.trim_start_matches(|c: char| c.is_ascii_digit());
    let part = if digits.starts_with(['.', ')']) {
        digits
    } else {
        part
    };
    let part = part.trim_start_matches(['.', ')', '(', '-', '*', '+', '#', ':', '=']);
    let part = part.trim_end_matches(['.', ':', '-', '=', '!', '?']);
    if part.contains('(') {
        part
    } else {
        part.trim_end_matches(')')
    }
}

fn names_a_move(word: &str) -> bool {
    let is_castling = word.contains('-') && word.chars().all(|c| "Oo0-+#".contains(c));
    // Python prints objects with their address: `<LegalMoveGenerator at 0x7f1 (...)>`.
    let is_hexadecimal = word.starts_with("0x");
    // A FEN has a letter beside a digit, too.
    let is_placement = word.bytes().filter(|&b| b == b'/').count() > 1;
    let mut pairs = word.as_bytes().windows(2);
    let has_square = pairs.any(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit());
    is_castling || has_square && !is_hexadecimal && !is_placement
}

/// The text with English piece letters. Its language is the one in which most words are legal moves; pieces of other
/// languages are replaced letter by letter, so that all places stay what they are.
pub(super) fn in_english<'a>(text: &'a str, position: &Position) -> Cow<'a, str> {
    let words = words(text);
    let legal = |letters: Option<&str>| {
        let sample = words.iter().take(SAMPLE);
        let moves = sample.filter_map(|word| {
            let text = letters.map_or(Cow::Borrowed(word.text), |letters| {
                translate(word.text, letters).map_or(Cow::Borrowed(word.text), Cow::Owned)
            });
            legal_move(&text, position)
        });
        moves.collect::<BTreeSet<Move>>().len()
    };
    // Languages share letters, and most texts are English: it wins a tie.
    let mut best = (legal(None), None);
    for letters in LANGUAGES {
        let moves = legal(Some(letters));
        if moves > best.0 {
            best = (moves, Some(letters));
        }
    }
    let Some(letters) = best.1 else {
        return Cow::Borrowed(text);
    };
    let mut english = text.to_owned();
    for word in &words {
        if let Some(translated) = translate(word.text, letters) {
            english.replace_range(word.byte..word.byte + word.text.len(), &translated);
        }
    }
    Cow::Owned(english)
}

pub(super) fn legal_move(word: &str, position: &Position) -> Option<Move> {
    match pasted_move(word, position) {
        MoveMeaning::Legal(m) => Some(m),
        MoveMeaning::Illegal(_) | MoveMeaning::Unreadable => None,
    }
}

/// A move in SAN with English letters, of the same length; none if it has no piece letter.
fn translate(word: &str, letters: &str) -> Option<String> {
    let bytes = word.as_bytes();
    let end = word.trim_end_matches(['+', '#', ')']).len();
    let mut english = word.to_owned();
    let mut has_changed = false;
    for (at, letter) in word.char_indices() {
        let is_piece = at == 0
            && bytes
                .get(1)
                .is_some_and(|next| b"abcdefgh12345678x:-".contains(next));
        let is_promotion = at > 0 && at + 1 == end && b"=(/18".contains(&bytes[at - 1]);
        if let Some(index) = letters.find(letter)
            && (is_piece || is_promotion)
        {
            english.replace_range(at..=at, &ENGLISH[index..=index]);
            has_changed = true;
        }
    }
    has_changed.then_some(english)
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    #[test]
    fn words_are_found_among_everything_else() {
        let text = "Moves: 1. e4 2.Nf3 3) O-O\n* `a7a8(Q)`, [Move.from_uci('e2e4')] at 0x7f1 12... (Kd1) Nh9 2039";
        let found: Vec<String> = words(text)
            .iter()
            .map(|word| format!("{} {}", word.place, word.text))
            .collect();
        let expected = [
            "1:11 e4",
            "1:16 Nf3",
            "1:23 O-O",
            "2:4 a7a8(Q)",
            "2:30 e2e4",
            "2:54 Kd1",
            "2:59 Nh9",
        ];
        assert_eq!(found, expected);
        for word in words(text) {
            assert!(text[word.byte..].starts_with(word.text), "{word:?}");
        }
    }

    #[test]
    fn typographic_characters_have_a_plain_form() {
        let text =
            "\u{feff}e2–e4 e7×d8♛ O‑O♘\u{fe0e}f3\ninfo depth 1 pv e2e4\ninfo string e2e4 1\n";
        assert_eq!(tidy(text), "e2-e4 e7xd8Q O-ONf3\n\ninfo string e2e4 1\n");
    }

    #[test]
    fn pieces_may_be_those_of_another_language() {
        let position = fen::parse("4k3/P7/8/8/8/8/8/RNBQK2R w KQ - 0 1").expect("legal");
        for (text, english) in [
            (
                "Sc3 Ld2 Dd2 Ta2 Ke2 a8=S+ O-O",
                "Nc3 Bd2 Qd2 Ra2 Ke2 a8=N+ O-O",
            ),
            ("Cc3 Fd2 Dd2 Ta2 Re2 a8D", "Nc3 Bd2 Qd2 Ra2 Ke2 a8Q"),
            ("Sc3: 20\nWa2: 21\nGd2", "Nc3: 20\nRa2: 21\nBd2"),
            ("Nc3 Bd2 Qd2 Ra2 Ke2", "Nc3 Bd2 Qd2 Ra2 Ke2"),
            ("", ""),
        ] {
            assert_eq!(in_english(text, &position), english);
        }
    }
}

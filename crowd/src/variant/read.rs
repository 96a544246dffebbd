//! Reads a rules card from TOML. `docs/crowd-variants.md` describes the format.

use serde::Deserialize;
use toml::Spanned;

use super::shapes;
use super::{Card, Movement, Paragraphs, Picture, Piece, Placement, Promotion, Reach, Ways};
use crate::model::{BoardPlace, MoveParts, MoveText, is_hidden};

const SCHEMA: &str = "touchstone/rules-card/1";

/// The greatest size of a card, in bytes.
const LARGEST: usize = 64 * 1024;
const PIECES: usize = 26;
const MOVEMENTS: usize = 16;
const SECTIONS: usize = 20;
const PARAGRAPHS: usize = 12;
const ARROWS: usize = 16;
/// The greatest number of characters of an SVG path.
const PATH: usize = 4000;

/// Why a text is no rules card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct CardError {
    /// The line, from 1; for a fault of a piece or a section, where that begins.
    pub line: usize,
    /// The field and what is wrong with it.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCard {
    schema: Spanned<String>,
    variant: Spanned<String>,
    title: Spanned<String>,
    files: Spanned<u8>,
    ranks: Spanned<u8>,
    #[serde(default)]
    piece: Vec<Spanned<RawPiece>>,
    #[serde(default)]
    section: Vec<Spanned<RawSection>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPiece {
    letter: String,
    name: String,
    drawing: Option<String>,
    path: Option<String>,
    #[serde(default)]
    royal: bool,
    #[serde(default)]
    moves: Vec<RawMovement>,
    promotion: Option<RawPromotion>,
    #[serde(default)]
    drop_ranks: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMovement {
    leap: Option<[u8; 2]>,
    ride: Option<[u8; 2]>,
    #[serde(default)]
    free: bool,
    most: Option<u8>,
    ways: Option<Ways>,
    #[serde(default)]
    from: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPromotion {
    to: String,
    ranks: Vec<u8>,
    #[serde(default)]
    must: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSection {
    heading: String,
    text: String,
    picture: Option<RawPicture>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPicture {
    placement: String,
    #[serde(default)]
    arrows: Vec<String>,
    #[serde(default)]
    marks: Vec<String>,
    caption: String,
}

/// Reads and checks a card.
///
/// # Errors
///
/// If it is no TOML, lacks a field, or a field is not what it may be; with the line.
pub fn read_card(text: &str) -> Result<Card, CardError> {
    let line_of = |offset: usize| {
        let before = &text.as_bytes()[..offset.min(text.len())];
        before.split(|&byte| byte == b'\n').count()
    };
    let at = |offset: usize| {
        let line = line_of(offset);
        move |reason: String| CardError { line, reason }
    };
    if text.len() > LARGEST {
        return Err(at(0)(format!("a rules card has at most {LARGEST} bytes")));
    }
    let raw: RawCard = toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        at(offset)(error.message().to_owned())
    })?;
    let start = |offset: std::ops::Range<usize>| at(offset.start);
    if raw.schema.get_ref() != SCHEMA {
        let reason = format!("schema: '{SCHEMA}' is expected");
        return Err(start(raw.schema.span())(reason));
    }
    let side = |name: &str, number: &Spanned<u8>| {
        if (2..=BoardPlace::MOST).contains(number.get_ref()) {
            return Ok(*number.get_ref());
        }
        let reason = format!(
            "{name}: a number from 2 to {} is expected",
            BoardPlace::MOST
        );
        Err(start(number.span())(reason))
    };
    let mut card = Card {
        variant: variant(raw.variant.get_ref()).map_err(start(raw.variant.span()))?,
        title: line("title", raw.title.get_ref(), 60).map_err(start(raw.title.span()))?,
        files: side("files", &raw.files)?,
        ranks: side("ranks", &raw.ranks)?,
        pieces: Vec::new(),
        sections: Vec::new(),
    };
    if raw.piece.is_empty() || raw.piece.len() > PIECES {
        return Err(at(0)(format!("piece: 1 to {PIECES} kinds are expected")));
    }
    for raw in &raw.piece {
        let piece = piece(&card, raw.get_ref()).map_err(start(raw.span()))?;
        card.pieces.push(piece);
    }
    for (raw, piece) in raw.piece.iter().zip(&card.pieces) {
        let mut letters = piece.promotion.iter().flat_map(|it| it.to.chars());
        if let Some(other) = letters.find(|&letter| card.piece(letter).is_none()) {
            let letter = piece.letter;
            let reason = format!("piece '{letter}': promotion.to: there is no piece '{other}'");
            return Err(start(raw.span())(reason));
        }
    }
    if raw.section.is_empty() || raw.section.len() > SECTIONS {
        let reason = format!("section: 1 to {SECTIONS} parts of the rules are expected");
        return Err(at(0)(reason));
    }
    for raw in &raw.section {
        let section = section(&card, raw.get_ref()).map_err(start(raw.span()))?;
        card.sections.push(section);
    }
    Ok(card)
}

fn variant(text: &str) -> Result<String, String> {
    let is_good = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if (1..=40).contains(&text.len()) && text.bytes().all(is_good) {
        Ok(text.to_owned())
    } else {
        Err("variant: 1 to 40 letters, digits, '-' or '_' are expected".to_owned())
    }
}

/// A line of plain text, trimmed.
fn line(name: &str, text: &str, most: usize) -> Result<String, String> {
    let text = text.trim();
    let length = text.chars().count();
    if !(1..=most).contains(&length) {
        return Err(format!(
            "{name}: 1 to {most} characters are expected, it has {length}"
        ));
    }
    match text.chars().find(|&c| is_hidden(c)) {
        Some(c) => Err(format!("{name}: U+{:04X} cannot be shown", u32::from(c))),
        None => Ok(text.to_owned()),
    }
}

fn piece(card: &Card, raw: &RawPiece) -> Result<Piece, String> {
    let mut letters = raw.letter.chars();
    let letter = match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_lowercase() => letter,
        _ => return Err("piece: letter: one letter from a to z is expected".to_owned()),
    };
    let of = |reason: String| format!("piece '{letter}': {reason}");
    if card.piece(letter).is_some() {
        return Err(of("letter: another piece has it".to_owned()));
    }
    let path = match (raw.drawing.as_deref(), raw.path.as_deref()) {
        (Some(_), Some(_)) => Err("drawing: there is a path too".to_owned()),
        (Some("letter") | None, None) => Ok(None),
        (Some(name), None) => shapes::find(name).map_or_else(
            || {
                Err(format!(
                    "drawing: '{name}' is none of letter, {}",
                    shapes::names()
                ))
            },
            |path| Ok(Some(path.to_owned())),
        ),
        (None, Some(path)) => svg_path(path).map(Some),
    };
    if raw.moves.len() > MOVEMENTS {
        return Err(of(format!("moves: at most {MOVEMENTS} are expected")));
    }
    let moves = raw.moves.iter().zip(1..).map(|(movement, number)| {
        let read = read_movement(card, movement);
        read.map_err(|reason| of(format!("moves: number {number}: {reason}")))
    });
    let promotion = raw.promotion.as_ref().map(|raw| promotion(card, raw));
    Ok(Piece {
        letter,
        name: line("name", &raw.name, 32).map_err(of)?,
        path: path.map_err(of)?,
        royal: raw.royal,
        moves: moves.collect::<Result<_, _>>()?,
        promotion: promotion.transpose().map_err(of)?,
        drop_ranks: ranks(card, "drop_ranks", &raw.drop_ranks).map_err(of)?,
    })
}

/// Path data has letters of commands and numbers, and nothing that could be markup.
fn svg_path(path: &str) -> Result<String, String> {
    let path = path.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let is_good = |c: char| "MmLlHhVvCcSsQqTtAaZz .,+-".contains(c) || c.is_ascii_digit();
    if !path.starts_with(['M', 'm']) || path.len() > PATH {
        return Err(format!(
            "path: it begins with M and has at most {PATH} characters"
        ));
    }
    match path.chars().find(|&c| !is_good(c)) {
        Some(c) => Err(format!(
            "path: '{}' is no part of SVG path data",
            c.escape_default()
        )),
        None => Ok(path),
    }
}

fn ranks(card: &Card, name: &str, ranks: &[u8]) -> Result<Vec<u8>, String> {
    let mut ranks = ranks.to_vec();
    ranks.sort_unstable();
    ranks.dedup();
    match ranks.iter().find(|rank| !(1..=card.ranks).contains(rank)) {
        Some(rank) => Err(format!("{name}: the board has no rank {rank}")),
        None => Ok(ranks),
    }
}

fn promotion(card: &Card, raw: &RawPromotion) -> Result<Promotion, String> {
    let to = raw.to.clone();
    let is_letters = !to.is_empty() && to.bytes().all(|b| b.is_ascii_lowercase());
    let are_different = to.chars().all(|c| to.matches(c).count() == 1);
    if !is_letters || !are_different {
        return Err("promotion.to: different letters of pieces are expected".to_owned());
    }
    let on = ranks(card, "promotion.ranks", &raw.ranks)?;
    if on.is_empty() {
        return Err("promotion.ranks: at least one is expected".to_owned());
    }
    Ok(Promotion {
        to,
        ranks: on,
        must: raw.must,
    })
}

fn read_movement(card: &Card, raw: &RawMovement) -> Result<Movement, String> {
    let is_step = |(x, y): (u8, u8)| (x, y) != (0, 0) && x.max(y) < BoardPlace::MOST;
    let reach = match (raw.leap, raw.ride, raw.free) {
        (Some([x, y]), None, false) if raw.most.is_none() => Reach::Leap(x, y),
        (None, Some([x, y]), false) => Reach::Ride {
            step: (x, y),
            most: raw.most.unwrap_or(BoardPlace::MOST),
        },
        (None, None, true) if raw.most.is_none() && raw.ways.is_none() => Reach::Free,
        _ => {
            let forms = "leap = [x, y], ride = [x, y] with or without most, or free = true";
            return Err(format!("{forms} is expected"));
        }
    };
    match reach {
        Reach::Leap(x, y) | Reach::Ride { step: (x, y), .. } if !is_step((x, y)) => {
            Err("a step is at least one square and at most eleven each way".to_owned())
        }
        Reach::Ride { most, .. } if !(1..=BoardPlace::MOST).contains(&most) => Err(format!(
            "most: a number from 1 to {} is expected",
            BoardPlace::MOST
        )),
        reach => Ok(Movement {
            reach,
            ways: raw.ways.unwrap_or(Ways::All),
            from: ranks(card, "from", &raw.from)?,
        }),
    }
}

fn section(card: &Card, raw: &RawSection) -> Result<Paragraphs, String> {
    let heading = line("section: heading", &raw.heading, 80)?;
    let of = |reason: String| format!("section '{heading}': {reason}");
    let paragraphs = raw.text.split("\n\n").map(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    });
    let paragraphs: Vec<String> = paragraphs.filter(|text| !text.is_empty()).collect();
    if !(1..=PARAGRAPHS).contains(&paragraphs.len()) {
        return Err(of(format!(
            "text: 1 to {PARAGRAPHS} paragraphs are expected"
        )));
    }
    let text = paragraphs.iter().map(|text| line("text", text, 1000));
    let text = text.collect::<Result<_, _>>().map_err(of)?;
    let picture = raw.picture.as_ref().map(|raw| picture(card, raw));
    let picture = picture.transpose().map_err(of)?;
    Ok(Paragraphs {
        heading,
        text,
        picture,
    })
}

fn picture(card: &Card, raw: &RawPicture) -> Result<Picture, String> {
    // A picture needs no side to move.
    let full = if raw.placement.trim().contains(' ') {
        raw.placement.clone()
    } else {
        format!("{} w", raw.placement.trim())
    };
    let placement = Placement::read(card, &full)
        .map_err(|error| format!("picture.placement: column {}: {error}", error.column))?;
    if raw.arrows.len() > ARROWS || raw.marks.len() > usize::from(BoardPlace::MOST) * 12 {
        return Err(format!("picture: at most {ARROWS} arrows are expected"));
    }
    let arrow = |text: &String| match text.parse().map(|m: MoveText| m.wide_parts()) {
        Ok(MoveParts::Step { from, to, .. }) if card.has(from) && card.has(to) => Ok((from, to)),
        _ => Err(format!(
            "picture.arrows: '{text}' is not two squares of the board"
        )),
    };
    let mark = |text: &String| {
        let place = text.parse().ok().filter(|&place| card.has(place));
        place.ok_or_else(|| format!("picture.marks: '{text}' is no square of the board"))
    };
    Ok(Picture {
        board: placement.board,
        arrows: raw.arrows.iter().map(arrow).collect::<Result<_, _>>()?,
        marks: raw.marks.iter().map(mark).collect::<Result<_, _>>()?,
        caption: line("picture.caption", &raw.caption, 200)?,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Kings, pawns that may become kings and may be dropped, and a piece that goes anywhere.
    pub(in super::super) fn card(files: u8, ranks: u8) -> Card {
        let text = format!(
            "schema = \"touchstone/rules-card/1\"\nvariant = \"tiny\"\ntitle = \"Tiny\"\n\
             files = {files}\nranks = {ranks}\n\
             [[piece]]\nletter = \"k\"\nname = \"king\"\nroyal = true\nmoves = [{{ leap = [0, 1] }}]\n\
             [[piece]]\nletter = \"p\"\nname = \"pawn\"\n\
             moves = [{{ leap = [0, 1], ways = \"ahead\" }}]\n\
             promotion = {{ to = \"k\", ranks = [{ranks}] }}\ndrop_ranks = [1, 2]\n\
             [[piece]]\nletter = \"f\"\nname = \"fairy\"\nmoves = [{{ free = true }}]\n\
             [[section]]\nheading = \"Rules\"\ntext = \"None.\"\n"
        );
        read_card(&text).expect("a good card")
    }

    pub(in super::super) const CHESS_LIKE: &str = r#"
schema = "touchstone/rules-card/1"
variant = "chess"
title = "Chess"
files = 8
ranks = 8
[[piece]]
letter = "p"
name = "pawn"
drawing = "pawn"
moves = [
  { leap = [0, 1], ways = "ahead" },
  { leap = [1, 1], ways = "ahead" },
  { ride = [0, 1], most = 2, ways = "ahead", from = [2] },
]
promotion = { to = "nbrq", ranks = [8], must = true }
[[piece]]
letter = "n"
name = "knight"
moves = [{ leap = [1, 2] }]
[[piece]]
letter = "b"
name = "bishop"
moves = [{ ride = [1, 1] }]
[[piece]]
letter = "r"
name = "rook"
moves = [{ ride = [0, 1] }]
[[piece]]
letter = "q"
name = "queen"
path = "M0,0 L40 40z"
moves = [{ ride = [0, 1] }, { ride = [1, 1] }]
[[piece]]
letter = "k"
name = "king"
royal = true
moves = [{ leap = [0, 1] }, { leap = [1, 1] }]
[[section]]
heading = "As ever"
text = """
One.

Two
lines."""
picture = { placement = "8/8/8/8/4P3/8/8/8", arrows = ["e4e5"], marks = ["e5"], caption = "A step." }
"#;

    #[test]
    fn a_good_card_is_read() {
        let card = read_card(CHESS_LIKE).expect("good");
        assert_eq!((card.files, card.ranks, card.pieces.len()), (8, 8, 6));
        let section = &card.sections[0];
        assert_eq!(section.text, ["One.", "Two lines."]);
        let picture = section.picture.as_ref().expect("there is one");
        assert_eq!(picture.board.len(), 1);
        let queen = card.piece('q').expect("a queen");
        assert_eq!(queen.path.as_deref(), Some("M0,0 L40 40z"));
        assert!(card.piece('p').expect("a pawn").path.is_some());
    }

    #[test]
    fn every_fault_has_a_line_and_a_field() {
        for (old, new, line, part) in [
            ("card/1", "card/2", 2, "schema: "),
            ("files = 8", "files = 13", 5, "files: a number from 2 to 12"),
            ("files = 8", "files = 300", 5, "300"),
            ("files = 8", "file = 8", 5, "unknown field `file`"),
            ("title = \"Chess\"", "title = \"\"", 4, "title: 1 to 60"),
            ("\"chess\"", "\"a b\"", 3, "variant: "),
            ("letter = \"n\"", "letter = \"N\"", 17, "letter: one letter"),
            (
                "letter = \"n\"",
                "letter = \"p\"",
                17,
                "piece 'p': letter: another",
            ),
            (
                "\"pawn\"\nmoves",
                "\"prawn\"\nmoves",
                7,
                "drawing: 'prawn' is none of",
            ),
            ("M0,0 L40 40z", "M0<script>", 29, "path: '<' is no part"),
            ("M0,0 L40 40z", "L0 0", 29, "path: it begins with M"),
            ("leap = [1, 2]", "leap = [0, 0]", 17, "number 1: a step"),
            ("leap = [1, 2]", "leap = [1, 12]", 17, "number 1: a step"),
            ("leap = [1, 2]", "hop = [1, 2]", 20, "unknown field `hop`"),
            ("most = 2", "most = 0", 7, "number 3: most"),
            (
                "from = [2]",
                "from = [9]",
                7,
                "from: the board has no rank 9",
            ),
            (
                "ways = \"ahead\"",
                "ways = \"up\"",
                12,
                "unknown variant `up`",
            ),
            ("to = \"nbrq\"", "to = \"nbx\"", 7, "there is no piece 'x'"),
            ("to = \"nbrq\"", "to = \"nn\"", 7, "promotion.to: different"),
            ("ranks = [8]", "ranks = []", 7, "promotion.ranks: at least"),
            ("4P3", "4X3", 39, "picture.placement: column 10"),
            ("e4e5", "e4e9", 39, "picture.arrows: 'e4e9'"),
            ("[\"e5\"]", "[\"j5\"]", 39, "picture.marks: 'j5'"),
            ("A step.", "A\\u202e", 39, "picture.caption: U+202E"),
            ("= \"As ever\"", "= 3", 40, "expected a string"),
        ] {
            assert!(CHESS_LIKE.contains(old), "{old}");
            let text = CHESS_LIKE.replacen(old, new, 1);
            let error = read_card(&text).expect_err(new);
            assert!(error.reason.contains(part), "{new}: {error}");
            assert_eq!(error.line, line, "{new}: {error}");
        }
        let long = format!("{CHESS_LIKE}#{}", "x".repeat(LARGEST));
        assert!(read_card(&long).is_err());
        assert!(read_card("").is_err());
    }
}

//! A game as represented in PGN.

use std::{fmt, io};

use super::MAX_VARIATION_DEPTH;
use crate::notation::fen::{FenFault, ParseFenError};
use crate::notation::san::ParseSanError;
use crate::rules::{CastlingMode, Color, Game, Move, Position};

/// A game with its tags, moves and annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Where it begins in the text; line 1, column 1 for a game that was not parsed.
    pub place: Place,
    /// The tags in the order written, each name once.
    pub tags: Vec<(String, String)>,
    /// The starting position.
    pub start: Position,
    /// Whether it is a game of standard chess or Chess960.
    pub mode: CastlingMode,
    /// Faults tolerated in the FEN tag.
    pub fen_faults: Vec<FenFault>,
    /// The moves played.
    pub mainline: PgnLine,
    /// The result at the end of the movetext; `None` if missing.
    pub result: Option<PgnResult>,
}

impl PgnGame {
    /// Converts a played game: no tags, no comments, and the result if the game has ended without a
    /// claim, otherwise [`PgnResult::Unknown`].
    pub fn from_game(game: &Game, mode: CastlingMode) -> Self {
        Self {
            place: Place { line: 1, column: 1 },
            tags: Vec::new(),
            start: *game.start(),
            mode,
            fen_faults: Vec::new(),
            mainline: PgnLine {
                comments: Vec::new(),
                moves: game.moves().map(PgnMove::new).collect(),
            },
            result: Some(match game.outcome() {
                None => PgnResult::Unknown,
                Some(outcome) => PgnResult::of_winner(outcome.winner()),
            }),
        }
    }

    /// Sets a tag: replaces its value, or appends the tag if it is missing.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(found, _)| found == name) {
            Some((_, known)) => *known = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag_value(&self.tags, name)
    }

    /// The moves played, first to last.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.mainline.moves.iter().map(|one| one.played)
    }

    /// The positions of the game, from the starting position on: one more than there are moves.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let after = self.moves().scan(self.start, |position, m| {
            *position = position.play_unchecked(m);
            Some(*position)
        });
        std::iter::once(self.start).chain(after)
    }
}

pub(super) fn tag_value<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut tags = tags.iter();
    tags.find_map(|(found, value)| (found == name).then_some(value.as_str()))
}

/// A line of moves: those played, or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnLine {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<PgnMove>,
}

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move, legal in its position.
    pub played: Move,
    /// The numeric annotation glyphs; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    pub nags: Vec<u8>,
    /// The comments after the move, without their braces.
    pub comments: Vec<String>,
    /// Alternatives to this move.
    pub variations: Vec<PgnLine>,
}

impl PgnMove {
    /// A move without annotations.
    pub const fn new(played: Move) -> Self {
        Self {
            played,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }
}

/// The result of a game as written in PGN (8.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is in progress, was abandoned, or its result is unknown.
    Unknown,
}

impl PgnResult {
    /// Every result.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The result of a finished game: a win for `winner`, or a draw for `None`.
    pub const fn of_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    /// Reads a result; some write `1/2` for a draw.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::WhiteWins),
            "0-1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// A position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The first fault of a game, for which the whole game is given up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ParsePgnError {
    /// Where it lies.
    pub place: Place,
    /// What is wrong.
    pub reason: PgnReason,
}

/// Why a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum PgnReason {
    #[error("found {found}, expected {expected}")]
    Unexpected {
        found: String,
        expected: &'static str,
    },
    #[error("the comment is not closed, expected '}}'")]
    UnclosedComment,
    #[error("the variation is not closed, expected ')'")]
    UnclosedVariation,
    #[error("a variation before any move, expected a move to vary first")]
    VariationBeforeMove,
    #[error("more than {MAX_VARIATION_DEPTH} variations within one another")]
    TooDeep,
    #[error("the game is longer than {} bytes", super::MAX_GAME_BYTES)]
    TooLong,
    #[error("more than {} tags", super::MAX_TAGS)]
    TooManyTags,
    #[error("tag '{name}' is given twice")]
    RepeatedTag { name: String },
    #[error("'{found}' is not a numeric annotation glyph, expected $0 to $255")]
    Nag { found: String },
    #[error("'{found}' is a null move, expected a legal move")]
    NullMove { found: String },
    /// Not a move, or not a legal one.
    #[error(transparent)]
    San(#[from] ParseSanError),
    #[error("tag FEN: {0}")]
    Fen(#[from] ParseFenError),
    /// The tags say that there is a position, and do not give it.
    #[error("tag SetUp is \"1\", but there is no tag FEN")]
    SetUpWithoutFen,
    #[error("tag Variant is \"{found}\", expected standard chess or Chess960")]
    Variant { found: String },
}

/// Why [`super::PgnReader`] has no game to give.
#[derive(Debug, thiserror::Error)]
pub enum ReadPgnError {
    /// One game is faulty; reading continues with the next.
    #[error(transparent)]
    Game(#[from] ParsePgnError),
    /// The input failed; nothing more is read.
    #[error("cannot read on: {0}")]
    Io(#[from] io::Error),
}

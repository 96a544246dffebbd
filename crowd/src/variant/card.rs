//! The rules card of a variant, checked.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::BoardPlace;

/// The rules of a variant: what a board needs to draw its positions, what may be listed, and the text that people
/// read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Card {
    /// The name by which engines know the variant, as in the option `UCI_Variant`.
    pub variant: String,
    /// The title, shown to people.
    pub title: String,
    /// Number of files, from 2 to 12.
    pub files: u8,
    /// Number of ranks, from 2 to 12.
    pub ranks: u8,
    /// The kinds of pieces.
    pub pieces: Vec<Piece>,
    /// The text, in order.
    #[serde(skip)]
    pub sections: Vec<Paragraphs>,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its letter in lower case.
    pub letter: char,
    /// Its name, as in "the knight".
    pub name: String,
    /// An SVG path on a field of 40 by 40; without one, its letter is drawn.
    pub path: Option<String>,
    /// Whether the game is about it, as about a king: people miss its moves in other ways.
    #[serde(skip)]
    pub royal: bool,
    /// Where it goes on an empty board.
    #[serde(skip)]
    pub moves: Vec<Movement>,
    /// What it becomes.
    pub promotion: Option<Promotion>,
    /// The ranks on which it may be dropped, from 1 and as its owner counts them.
    pub drop_ranks: Vec<u8>,
}

/// A way in which a piece moves on an empty board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// How far.
    pub reach: Reach,
    /// In which directions.
    pub ways: Ways,
    /// Only from these ranks, as the mover counts them; from all if there is none.
    pub from: Vec<u8>,
}

/// How far a movement goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To every other square.
    Free,
    /// By so many files and ranks, the two in either order and in either direction.
    Leap(u8, u8),
    /// The same step, repeated up to a number of times.
    Ride {
        /// The two distances.
        step: (u8, u8),
        /// The greatest number of steps.
        most: u8,
    },
}

/// Directions, as the mover sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ways {
    /// All.
    All,
    /// Towards the opponent.
    Ahead,
    /// Away from the opponent.
    Back,
    /// Along the rank.
    Side,
}

/// Promotion on reaching a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Promotion {
    /// The letters of the pieces to choose from.
    pub to: String,
    /// The ranks, from 1 and as the owner counts them.
    pub ranks: Vec<u8>,
    /// Whether it may not stay what it is.
    pub must: bool,
}

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraphs {
    /// The heading.
    pub heading: String,
    /// The paragraphs; plain text.
    pub text: Vec<String>,
    /// A diagram that goes with it.
    pub picture: Option<Picture>,
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stand {
    /// The letter of its kind, in lower case.
    pub letter: char,
    /// Whose it is.
    pub white: bool,
}

impl Stand {
    /// The letter as a FEN has it: capital for White.
    pub fn sign(self) -> char {
        if self.white {
            self.letter.to_ascii_uppercase()
        } else {
            self.letter
        }
    }
}

/// A diagram with arrows and marked squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Who stands where.
    pub board: BTreeMap<BoardPlace, Stand>,
    /// From square to square.
    pub arrows: Vec<(BoardPlace, BoardPlace)>,
    /// Marked squares.
    pub marks: Vec<BoardPlace>,
    /// What it shows, in words.
    pub caption: String,
}

impl Card {
    /// The kind of piece with this letter, in lower case.
    pub fn piece(&self, letter: char) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// Whether a square is on the board.
    pub fn has(&self, place: BoardPlace) -> bool {
        place.file < self.files && place.rank < self.ranks
    }

    /// All squares, file by file.
    pub fn squares(&self) -> impl Iterator<Item = BoardPlace> + use<> {
        let ranks = self.ranks;
        (0..self.files).flat_map(move |file| (0..ranks).map(move |rank| BoardPlace { file, rank }))
    }

    /// The rank from 1, as one side counts it.
    pub fn rank_for(&self, place: BoardPlace, white: bool) -> u8 {
        if white {
            place.rank + 1
        } else {
            self.ranks - place.rank
        }
    }
}

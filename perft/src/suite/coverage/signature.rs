//! What kinds of moves there are: the conditions on which the faults of move generators depend.

use std::fmt;

/// What a move, or a position, is like under the conditions of one view, such as legality or effect.
///
/// A generator whose fault depends on the conditions of a view, and on nothing else, is caught by the
/// counts that reach the signature at which it is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(u32);

/// Conditions that are looked at together. One table of all conditions at once would have ten times as
/// many signatures, most of which no engine tells apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) name: &'static str,
    /// The least depth of a count in whose root a move of this kind shows: 1 if the move only has to be
    /// listed, 2 if it has to be made, 3 if it has to be answered as well.
    pub(crate) depth: u32,
    /// The values of each condition.
    conditions: &'static [&'static [&'static str]],
}

impl View {
    const fn count(&self) -> usize {
        let (mut count, mut index) = (1, 0);
        while index < self.conditions.len() {
            count *= self.conditions[index].len();
            index += 1;
        }
        count
    }
}

pub(super) const LEGALITY: usize = 0;
pub(super) const PLACE: usize = 1;
pub(super) const EFFECT: usize = 2;
pub(super) const THEIR_RIGHTS: usize = 3;
pub(super) const OWN_RIGHTS: usize = 4;
pub(super) const CASTLING: usize = 5;
pub(super) const STATE: usize = 6;
pub(super) const PIECES: usize = 7;
pub(super) const REPETITION: usize = 8;

/// Every view.
pub(crate) const VIEWS: [View; 9] = [
    View {
        name: "legality",
        depth: 1,
        conditions: &[&SIDES, &KINDS, &CHECKS, &PINS, &VERDICTS],
    },
    View {
        name: "place",
        depth: 1,
        conditions: &[&SIDES, &KINDS, &FILES, &RANKS, &["legal", "illegal"]],
    },
    View {
        name: "effect",
        depth: 2,
        conditions: &[&SIDES, &KINDS, &EFFECTS, &["not in check", "in check"]],
    },
    View {
        name: "their rights",
        depth: 2,
        conditions: &[&SIDES, &KINDS, &THEIR_LOSSES],
    },
    View {
        name: "own rights",
        depth: 3,
        conditions: &[&SIDES, &KINDS, &OWN_LOSSES],
    },
    View {
        name: "castling",
        depth: 1,
        conditions: &[&SIDES, &KINGS_FROM, &ROOKS_FROM, &VERDICTS],
    },
    View {
        name: "state",
        depth: 1,
        conditions: &[&SIDES, &STATES],
    },
    View {
        name: "pieces",
        depth: 1,
        conditions: &[&SIDES, &WHOSE, &PIECE_TYPES, &NUMBERS],
    },
    View {
        name: "repetition",
        depth: 5,
        conditions: &[&SIDES, &["repeats the position of four plies ago"]],
    },
];

const SIDES: [&str; 2] = ["white", "black"];

/// Indices into [`KINDS`]; the pieces are in the order of `PieceType`, the promotions in that of
/// `PieceType::PROMOTIONS`.
pub(super) mod kind {
    pub(in super::super) const PUSH: usize = 0;
    pub(in super::super) const DOUBLE_PUSH: usize = 6;
    /// And 5 for each moving piece, and 1 for each captured one.
    pub(in super::super) const CAPTURE: usize = 7;
    pub(in super::super) const EN_PASSANT: usize = 37;
    /// And 5 for each promotion, and 1 and 1 for each captured piece but pawns.
    pub(in super::super) const PROMOTION: usize = 38;
    pub(in super::super) const CASTLING: usize = 58;
}

#[rustfmt::skip]
const KINDS: [&str; 60] = [
    "pawn push", "knight", "bishop", "rook", "queen", "king", "double push",
    "pawn x pawn", "pawn x knight", "pawn x bishop", "pawn x rook", "pawn x queen",
    "knight x pawn", "knight x knight", "knight x bishop", "knight x rook", "knight x queen",
    "bishop x pawn", "bishop x knight", "bishop x bishop", "bishop x rook", "bishop x queen",
    "rook x pawn", "rook x knight", "rook x bishop", "rook x rook", "rook x queen",
    "queen x pawn", "queen x knight", "queen x bishop", "queen x rook", "queen x queen",
    "king x pawn", "king x knight", "king x bishop", "king x rook", "king x queen",
    "en passant",
    "promotion to queen", "promotion to queen x knight", "promotion to queen x bishop",
    "promotion to queen x rook", "promotion to queen x queen",
    "promotion to rook", "promotion to rook x knight", "promotion to rook x bishop",
    "promotion to rook x rook", "promotion to rook x queen",
    "promotion to bishop", "promotion to bishop x knight", "promotion to bishop x bishop",
    "promotion to bishop x rook", "promotion to bishop x queen",
    "promotion to knight", "promotion to knight x knight", "promotion to knight x bishop",
    "promotion to knight x rook", "promotion to knight x queen",
    "castling kingside", "castling queenside",
];

/// Indices into [`CHECKS`].
pub(super) mod check {
    pub(in super::super) const NONE: usize = 0;
    pub(in super::super) const PAWN: usize = 1;
    pub(in super::super) const KNIGHT: usize = 2;
    /// And 1 from a distance; the same of the three that follow.
    pub(in super::super) const BISHOP: usize = 3;
    pub(in super::super) const ROOK: usize = 5;
    pub(in super::super) const QUEEN_DIAGONAL: usize = 7;
    pub(in super::super) const QUEEN_STRAIGHT: usize = 9;
    pub(in super::super) const DOUBLE_PAWN: usize = 11;
    pub(in super::super) const DOUBLE_KNIGHT: usize = 12;
    pub(in super::super) const DOUBLE_SLIDERS: usize = 13;
}

const CHECKS: [&str; 14] = [
    "not in check",
    "in check by a pawn",
    "in check by a knight",
    "in check by a bishop in contact",
    "in check by a bishop from afar",
    "in check by a rook in contact",
    "in check by a rook from afar",
    "in check by a queen in contact on a diagonal",
    "in check by a queen from afar on a diagonal",
    "in check by a queen in contact on a file or rank",
    "in check by a queen from afar on a file or rank",
    "in double check by a pawn",
    "in double check by a knight",
    "in double check by two sliders",
];

/// Not pinned; moving along the pin, by its axis; leaving it.
const PINS: [&str; 9] = [
    "not pinned",
    "along its pin on the file",
    "along its pin on the rank",
    "along its pin on a diagonal like a1-h8",
    "along its pin on a diagonal like h1-a8",
    "off its pin on the file",
    "off its pin on the rank",
    "off its pin on a diagonal like a1-h8",
    "off its pin on a diagonal like h1-a8",
];

/// Indices into [`VERDICTS`].
pub(super) mod verdict {
    pub(in super::super) const LEGAL: usize = 0;
    pub(in super::super) const EXPOSES_KING: usize = 1;
    pub(in super::super) const EN_PASSANT_OPENS: usize = 2;
    /// And 1 for each kind of piece.
    pub(in super::super) const KING_INTO: usize = 3;
    pub(in super::super) const KING_STAYS_ON_LINE: usize = 9;
    pub(in super::super) const CASTLES_OUT_OF_CHECK: usize = 10;
    pub(in super::super) const CASTLES_THROUGH_CHECK: usize = 11;
    pub(in super::super) const CASTLES_INTO_CHECK: usize = 12;
    pub(in super::super) const CASTLING_UNCOVERS: usize = 13;
    pub(in super::super) const BLOCKED: usize = 14;
    pub(in super::super) const NO_RIGHT: usize = 15;
}

const VERDICTS: [&str; 16] = [
    "legal",
    "illegal: leaves its king in check",
    "illegal: removes a pawn from its king's line",
    "illegal: king attacked by a pawn",
    "illegal: king attacked by a knight",
    "illegal: king attacked by a bishop",
    "illegal: king attacked by a rook",
    "illegal: king attacked by a queen",
    "illegal: king attacked by a king",
    "illegal: king stays on the line of a check",
    "illegal: out of check",
    "illegal: through check",
    "illegal: into check",
    "illegal: the rook uncovers a check",
    "illegal: blocked",
    "illegal: without the right",
];

const FILES: [&str; 5] = [
    "from the a-file",
    "from the h-file",
    "to the a-file",
    "to the h-file",
    "within files b to g",
];
const RANKS: [&str; 2] = ["within ranks 2 to 7", "from or to rank 1 or 8"];

/// Indices into [`EFFECTS`].
pub(super) mod effect {
    pub(in super::super) const NO_CHECK: usize = 0;
    pub(in super::super) const DIRECT: usize = 1;
    pub(in super::super) const DISCOVERED: usize = 2;
    pub(in super::super) const DOUBLE: usize = 3;
    pub(in super::super) const MATE: usize = 4;
    pub(in super::super) const STALEMATE: usize = 5;
}

const EFFECTS: [&str; 6] = [
    "no check",
    "direct check",
    "discovered check",
    "double check",
    "mate",
    "stalemate",
];

const THEIR_LOSSES: [&str; 3] = [
    "takes no right",
    "takes the kingside right",
    "takes the queenside right",
];

const OWN_LOSSES: [&str; 5] = [
    "has no right",
    "keeps its rights",
    "loses the kingside right",
    "loses the queenside right",
    "loses both rights",
];

const KINGS_FROM: [&str; 8] = [
    "king from the a-file",
    "king from the b-file",
    "king from the c-file",
    "king from the d-file",
    "king from the e-file",
    "king from the f-file",
    "king from the g-file",
    "king from the h-file",
];
const ROOKS_FROM: [&str; 8] = [
    "rook from the a-file",
    "rook from the b-file",
    "rook from the c-file",
    "rook from the d-file",
    "rook from the e-file",
    "rook from the f-file",
    "rook from the g-file",
    "rook from the h-file",
];

/// Indices into [`STATES`].
pub(super) mod state {
    /// The least number of each class.
    pub(in super::super) const MOVES_FROM: [usize; 9] = [0, 1, 2, 8, 16, 32, 64, 128, 218];
    pub(in super::super) const CAPTURES_FROM: [usize; 5] = [0, 1, 8, 16, 32];
    pub(in super::super) const CLOCK_FROM: [usize; 5] = [0, 99, 100, 149, 150];

    /// And 1 for each class; the same of the two that follow.
    pub(in super::super) const MOVES: usize = 0;
    pub(in super::super) const CAPTURES: usize = MOVES + MOVES_FROM.len();
    pub(in super::super) const CLOCK: usize = CAPTURES + CAPTURES_FROM.len();
    pub(in super::super) const BARE_KINGS: usize = CLOCK + CLOCK_FROM.len();
    pub(in super::super) const ONE_KNIGHT: usize = BARE_KINGS + 1;
    pub(in super::super) const ONE_BISHOP: usize = BARE_KINGS + 2;
}

#[rustfmt::skip]
const STATES: [&str; 22] = [
    "no legal move", "one legal move", "2 to 7 legal moves", "8 to 15 legal moves", "16 to 31 legal moves",
    "32 to 63 legal moves", "64 to 127 legal moves", "128 to 217 legal moves", "218 legal moves",
    "no captures", "1 to 7 captures", "8 to 15 captures", "16 to 31 captures", "32 captures or more",
    "halfmove clock below 99", "halfmove clock at 99", "halfmove clock from 100 to 148",
    "halfmove clock at 149", "halfmove clock at 150 or more",
    "bare kings", "a knight and kings", "a bishop and kings",
];

const WHOSE: [&str; 2] = ["its own", "the other side's"];
/// In the order of `PieceType`, without the king.
const PIECE_TYPES: [&str; 5] = ["pawns", "knights", "bishops", "rooks", "queens"];
const NUMBERS: [&str; 11] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// Words of signatures, each with the tag of the suites that means the same.
const TAGS: [(&str, &str); 31] = [
    ("castling", "castling"),
    ("en passant", "ep"),
    ("double push", "double-push"),
    ("promotion", "promotion"),
    (" x ", "capture"),
    ("in check by", "evasion"),
    ("in double check", "double-check"),
    (" its pin on", "pin"),
    ("its pin on the file", "file-pin"),
    ("its pin on the rank", "rank-pin"),
    ("its pin on a diagonal", "diagonal-pin"),
    ("out of check", "out-of-check"),
    ("through check", "through-check"),
    ("into check", "into-check"),
    ("uncovers a check", "uncovered-check"),
    ("blocked", "blocked"),
    ("king attacked by", "kings"),
    ("stays on the line", "king-stays"),
    (", direct check", "gives-check"),
    (", discovered check", "discovered-check"),
    (", double check", "double-check"),
    (", mate", "mate"),
    ("stalemate", "stalemate"),
    (" right", "rights"),
    ("halfmove clock", "clock"),
    ("rook from the", "castling"),
    ("legal moves", "many-moves"),
    ("captures", "many-captures"),
    (" kings", "few-pieces"),
    ("its own, ", "many-pieces"),
    ("other side's, ", "many-pieces"),
];

/// The first number of each view.
const STARTS: [usize; VIEWS.len() + 1] = {
    let mut starts = [0; VIEWS.len() + 1];
    let mut view = 0;
    while view < VIEWS.len() {
        starts[view + 1] = starts[view] + VIEWS[view].count();
        view += 1;
    }
    starts
};

impl Signature {
    /// Every index is less than this; most signatures are impossible.
    pub const COUNT: usize = STARTS[VIEWS.len()];

    /// The signature of these values of the conditions of a view.
    pub(super) fn new(view: usize, values: &[usize]) -> Self {
        let conditions = VIEWS[view].conditions;
        debug_assert_eq!(conditions.len(), values.len());
        let number = conditions
            .iter()
            .zip(values)
            .fold(0, |number, (condition, &value)| {
                debug_assert!(value < condition.len());
                number * condition.len() + value
            });
        Self::from_index(STARTS[view] + number)
    }

    /// From 0 to `COUNT - 1`.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The index, as an element of sets to cover.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The signature of an index below `COUNT`.
    pub(super) fn from_index(index: usize) -> Self {
        debug_assert!(index < Self::COUNT);
        Self(u32::try_from(index).expect("there are fewer than a million"))
    }

    /// A short name for the ids of suites, such as `white-bishop-x-rook-along-its-pin-on-the-file`.
    pub(crate) fn name(self) -> String {
        let mut text = self.to_string();
        for usual in [
            ", not in check",
            ", not pinned",
            ", legal",
            ", within files b to g",
            ", within ranks 2 to 7",
        ] {
            text = text.replace(usual, "");
        }
        let is_sign = |c: char| !c.is_ascii_alphanumeric();
        let words = text.split(is_sign).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("-")
    }

    /// Its topics, in the words of the suites' tags.
    pub(crate) fn tags(self) -> impl Iterator<Item = &'static str> {
        let text = self.to_string();
        let named = TAGS
            .into_iter()
            .filter(move |(words, _)| text.contains(words));
        named.map(|(_, tag)| tag)
    }

    /// The least depth of a count in whose root it shows.
    pub(crate) fn depth(self) -> u32 {
        VIEWS[self.view()].depth
    }

    /// The value of a condition of its view, by the index of the condition.
    pub(super) fn value(self, condition: usize) -> usize {
        let conditions = VIEWS[self.view()].conditions;
        let number = self.index() - STARTS[self.view()];
        let below: usize = conditions[condition + 1..]
            .iter()
            .map(|one| one.len())
            .product();
        number / below % conditions[condition].len()
    }

    /// Whether it is that of illegal moves.
    pub(super) fn is_illegal(self) -> bool {
        match self.view() {
            LEGALITY => self.value(4) != verdict::LEGAL,
            PLACE => self.value(4) == 1,
            CASTLING => self.value(3) != verdict::LEGAL,
            _ => false,
        }
    }

    /// Index into [`VIEWS`].
    pub(crate) fn view(self) -> usize {
        STARTS.partition_point(|&start| start <= self.index()) - 1
    }
}

/// Such as `white bishop x rook, not in check, along its pin on the file, legal`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conditions = VIEWS[self.view()].conditions.iter();
        let values = conditions
            .enumerate()
            .map(|(index, all)| all[self.value(index)]);
        let values: Vec<&str> = values.collect();
        write!(f, "{} {}", values[0], values[1..].join(", "))
    }
}

//! A list compared with the rules, by kinds of moves.

use std::collections::{BTreeMap, BTreeSet};

use chess::rules::{PieceType, Position};
use serde::Serialize;
use utoipa::ToSchema;

use crate::candidates::{canonical, class_of, legal_texts, san_of};
use crate::model::{MoveClass, MoveText, words};

words! {
    /// Kinds of moves, as people see them. Each move has one kind: the last of these that fits.
    MoveKind {
        /// Any other move.
        Ordinary = "ordinary",
        /// A move to a square where an opponent's piece stands.
        Capture = "capture",
        /// A king move other than castling, with or without a capture.
        King = "king",
        /// Castling.
        Castling = "castling",
        /// A capture en passant.
        EnPassant = "en-passant",
        /// A pawn move to the last rank, with or without a capture.
        Promotion = "promotion",
    }
}

/// The kind of a move, legal or not.
pub(crate) fn kind_of(position: &Position, text: &MoveText) -> MoveKind {
    let (from, to, promotion) = text.parts();
    match class_of(position, text) {
        Some(MoveClass::Castling) => MoveKind::Castling,
        Some(MoveClass::EnPassant) => MoveKind::EnPassant,
        Some(MoveClass::Promotion) => MoveKind::Promotion,
        Some(MoveClass::King) => MoveKind::King,
        // Classes come from one side's pieces alone, so that only kinds know captures.
        Some(MoveClass::Ordinary) | None => {
            let them = position.by_color(!position.side_to_move());
            match position.piece_type_at(from) {
                // A move that is no candidate has no class; its form still shows its kind.
                _ if promotion.is_some() => MoveKind::Promotion,
                Some(PieceType::King) => MoveKind::King,
                _ if them.contains(to) => MoveKind::Capture,
                _ => MoveKind::Ordinary,
            }
        }
    }
}

/// A move in a result, with an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Shown {
    /// The move, as squares.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// In SAN, if it is legal; in UCI notation if only the crowd says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Why it is legal or illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A move of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScoredMove {
    /// The move, with an explanation if it was missed or is illegal.
    #[serde(flatten)]
    pub shown: Shown,
    /// Its kind.
    pub kind: MoveKind,
}

/// Counts of one kind of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct KindScore {
    /// The kind.
    pub kind: MoveKind,
    /// Number of legal moves of it.
    pub legal: u32,
    /// Number of those on the list.
    pub found: u32,
    /// Number of illegal moves of it on the list.
    pub wrong: u32,
}

/// What a list found, missed and got wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Score {
    /// Number of legal moves.
    pub legal: u32,
    /// Counts by kind, of the kinds that occur.
    pub kinds: Vec<KindScore>,
    /// Legal moves on the list, in its order.
    pub found: Vec<ScoredMove>,
    /// Legal moves that are not on the list.
    pub missed: Vec<ScoredMove>,
    /// Illegal moves on the list, in its order.
    pub wrong: Vec<ScoredMove>,
}

impl Score {
    /// Moves found less illegal ones, by which lists are compared; may be negative.
    pub fn points(&self) -> i64 {
        let count = |moves: &[ScoredMove]| i64::try_from(moves.len()).unwrap_or(i64::MAX);
        count(&self.found) - count(&self.wrong)
    }
}

/// A position with its answer, and the kind of each move of it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub position: Position,
    pub legal: BTreeMap<MoveText, MoveKind>,
}

/// Moves with their kinds.
type ByKind = Vec<(MoveText, MoveKind)>;

/// What of an answer is on a list, what is not, and what else is on the list, in its order.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    pub found: ByKind,
    pub missed: ByKind,
    pub wrong: ByKind,
}

impl Answer {
    /// An answer may not be that of the rules if a moderator decided for the crowd.
    pub fn new(position: Position, legal: impl IntoIterator<Item = MoveText>) -> Self {
        let legal = legal.into_iter().map(|text| {
            let kind = kind_of(&position, &text);
            (text, kind)
        });
        Self {
            legal: legal.collect(),
            position,
        }
    }

    pub fn by_rules(position: Position) -> Self {
        Self::new(position, legal_texts(&position))
    }

    /// Compares a list. A move that is given twice, or in two forms, counts once; one that is not a candidate is wrong
    /// as it was typed.
    pub fn compare(&self, given: &[MoveText]) -> Compared {
        let mut seen = BTreeSet::new();
        let mut compared = Compared::default();
        for text in given {
            let text = canonical(&self.position, text).unwrap_or_else(|_| text.clone());
            if seen.insert(text.clone()) {
                if let Some(&kind) = self.legal.get(&text) {
                    compared.found.push((text, kind));
                } else {
                    let kind = kind_of(&self.position, &text);
                    compared.wrong.push((text, kind));
                }
            }
        }
        let missed = self.legal.iter().filter(|(text, _)| !seen.contains(*text));
        compared.missed = missed.map(|(text, kind)| (text.clone(), *kind)).collect();
        compared
    }
}

impl Compared {
    /// Counts by kind, of the kinds that occur.
    pub fn kinds(&self) -> impl Iterator<Item = KindScore> {
        let kinds = MoveKind::ALL.into_iter().map(|kind| {
            let of_kind =
                |moves: &ByKind| count(moves.iter().filter(|(_, one)| *one == kind).count());
            KindScore {
                kind,
                legal: of_kind(&self.found) + of_kind(&self.missed),
                found: of_kind(&self.found),
                wrong: of_kind(&self.wrong),
            }
        });
        kinds.filter(|one| one.legal + one.wrong > 0)
    }
}

pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Compares a list with an answer, and explains what was missed or wrong.
pub fn score(answer: &Answer, given: &[MoveText], why: impl Fn(&MoveText) -> String) -> Score {
    let compared = answer.compare(given);
    let kinds = compared.kinds().collect();
    let scored = |moves: ByKind, is_legal: bool, is_explained: bool| {
        let scored = moves.into_iter().map(|(mv, kind)| ScoredMove {
            kind,
            shown: Shown {
                san: is_legal.then(|| san_of(&answer.position, &mv)),
                why: is_explained.then(|| why(&mv)),
                mv,
            },
        });
        scored.collect()
    };
    Score {
        legal: count(answer.legal.len()),
        kinds,
        found: scored(compared.found, true, false),
        missed: scored(compared.missed, true, true),
        wrong: scored(compared.wrong, false, true),
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;
    use crate::candidates::why;

    /// Castling on both sides, en passant, a promotion with and without a capture, a capture by the king.
    const RICH: &str = "1n2k3/P7/8/3pP3/8/8/r5q1/R3K1nR w KQ d6 0 1";

    fn at(text: &str) -> (Position, impl Fn(&str) -> MoveText) {
        let position = fen::parse(text).expect("a legal FEN");
        (position, |text: &str| text.parse().expect("a move"))
    }

    #[test]
    fn each_move_has_one_kind() {
        let (position, mv) = at(RICH);
        for (text, kind) in [
            ("h1h5", MoveKind::Ordinary),
            ("a1a2", MoveKind::Capture),
            ("e1d1", MoveKind::King),
            ("e1c1", MoveKind::Castling),
            ("e5d6", MoveKind::EnPassant),
            ("a7a8q", MoveKind::Promotion),
            ("a7b8n", MoveKind::Promotion),
            ("e1e8", MoveKind::King),
            ("h1g2", MoveKind::Capture),
            ("a3a4", MoveKind::Ordinary),
        ] {
            assert_eq!(kind_of(&position, &mv(text)), kind, "{text}");
        }
    }

    #[test]
    fn a_list_is_scored_by_kinds() {
        let (position, mv) = at("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1");
        let list = ["e1g1", "e1h1", "e5d6", "h1h8", "e1e3", "e8e7", "a1a2"].map(mv);
        let score = score(&Answer::by_rules(position), &list, |mv| why(&position, mv));
        assert_eq!(score.legal, 17);
        let texts = |moves: &[ScoredMove]| -> Vec<String> {
            moves.iter().map(|one| one.shown.mv.to_string()).collect()
        };
        // Castling in two forms counts once.
        assert_eq!(texts(&score.found), ["e1g1", "e5d6", "h1h8"]);
        let san = score
            .found
            .iter()
            .filter_map(|one| one.shown.san.as_deref());
        assert_eq!(san.collect::<Vec<_>>(), ["O-O", "exd6", "Rh8+"]);
        assert_eq!(texts(&score.wrong), ["e1e3", "e8e7", "a1a2"]);
        assert_eq!((score.missed.len(), score.points()), (14, 0));
        let kinds: Vec<_> = score
            .kinds
            .iter()
            .map(|k| (k.kind, k.legal, k.found, k.wrong))
            .collect();
        assert_eq!(
            kinds,
            [
                (MoveKind::Ordinary, 10, 1, 1),
                (MoveKind::King, 5, 0, 2),
                (MoveKind::Castling, 1, 1, 0),
                (MoveKind::EnPassant, 1, 1, 0),
            ]
        );
        let why = score.wrong[0].shown.why.as_deref();
        assert!(
            why.is_some_and(|why| why.starts_with("e1e3 is illegal: ")),
            "{why:?}"
        );
        assert!(score.missed.iter().all(|one| one.shown.why.is_some()));
    }
}

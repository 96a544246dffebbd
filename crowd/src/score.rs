//! A list compared with the rules, by kinds of moves.

use std::collections::BTreeSet;

use chess::rules::{PieceType, Position};
use serde::Serialize;
use utoipa::ToSchema;

use crate::candidates::{canonical, class_of, legal_texts, san_of, why};
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

/// Compares a list with the rules.
pub fn score(position: &Position, given: &[MoveText]) -> Score {
    let explained = |mv: &MoveText| why(position, mv);
    score_by(position, &legal_texts(position), given, explained)
}

/// Compares a list with an answer, which may not be that of the rules if a moderator decided for the crowd, and explains
/// what was missed or wrong. A move that is given twice, or in two forms, counts once; one that is not a candidate is
/// wrong as it was typed.
pub fn score_by(
    position: &Position,
    legal: &BTreeSet<MoveText>,
    given: &[MoveText],
    why: impl Fn(&MoveText) -> String,
) -> Score {
    let scored = |mv: &MoveText, is_explained: bool| ScoredMove {
        kind: kind_of(position, mv),
        shown: Shown {
            san: legal.contains(mv).then(|| san_of(position, mv)),
            why: is_explained.then(|| why(mv)),
            mv: mv.clone(),
        },
    };
    let mut seen = BTreeSet::new();
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for text in given {
        let text = canonical(position, text).unwrap_or_else(|_| text.clone());
        if legal.contains(&text) {
            found.extend(seen.insert(text.clone()).then(|| scored(&text, false)));
        } else {
            wrong.extend(seen.insert(text.clone()).then(|| scored(&text, true)));
        }
    }
    let missed = legal.difference(&seen).map(|mv| scored(mv, true));
    let missed: Vec<ScoredMove> = missed.collect();
    let of_kind = |moves: &[ScoredMove], kind| {
        let count = moves.iter().filter(|one| one.kind == kind).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    let kinds = MoveKind::ALL.into_iter().map(|kind| KindScore {
        kind,
        legal: of_kind(&found, kind) + of_kind(&missed, kind),
        found: of_kind(&found, kind),
        wrong: of_kind(&wrong, kind),
    });
    Score {
        legal: u32::try_from(legal.len()).unwrap_or(u32::MAX),
        kinds: kinds.filter(|one| one.legal + one.wrong > 0).collect(),
        found,
        missed,
        wrong,
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

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
}

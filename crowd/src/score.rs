//! A list compared with the rules, by kinds of moves.

use chess::rules::{PieceType, Position};
use serde::Serialize;
use utoipa::ToSchema;

use crate::candidates::{canonical, class_of, legal_texts};
use crate::model::{MoveClass, MoveText};
use crate::trust::{Results, Shown, results};

/// Kinds of moves, as people see them. Each move has one kind: the last of these that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MoveKind {
    /// Any other move.
    Ordinary,
    /// A move to a square where an opponent's piece stands.
    Capture,
    /// A king move other than castling, with or without a capture.
    King,
    Castling,
    EnPassant,
    /// A pawn move to the last rank, with or without a capture.
    Promotion,
}

impl MoveKind {
    /// Every kind, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::Ordinary,
        Self::Capture,
        Self::King,
        Self::Castling,
        Self::EnPassant,
        Self::Promotion,
    ];
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

/// Compares a list with the rules. A move that is given twice, or in two forms, counts once.
pub fn score(position: &Position, given: &[MoveText]) -> Score {
    let legal = legal_texts(position);
    score_of(position, results(position, &legal, given))
}

/// Sorts the results of a list by kinds.
pub fn score_of(position: &Position, results: Results) -> Score {
    let with_kind = |moves: Vec<Shown>| -> Vec<ScoredMove> {
        let of = |shown: Shown| ScoredMove {
            // Castling that is listed as king takes rook would look like a step of the king.
            kind: kind_of(
                position,
                &canonical(position, &shown.mv).unwrap_or_else(|_| shown.mv.clone()),
            ),
            shown,
        };
        moves.into_iter().map(of).collect()
    };
    let found = with_kind(results.found);
    let missed = with_kind(results.missed);
    let wrong = with_kind(results.wrong);
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
        legal: u32::try_from(found.len() + missed.len()).unwrap_or(u32::MAX),
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

    #[test]
    fn a_list_is_scored_by_kinds() {
        let (position, mv) = at("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1");
        let list = ["e1g1", "e1h1", "e5d6", "h1h8", "e1e3"].map(mv);
        let score = score(&position, &list);
        assert_eq!(score.legal, 17);
        let texts = |moves: &[ScoredMove]| -> Vec<String> {
            moves.iter().map(|one| one.shown.mv.to_string()).collect()
        };
        // Castling in two forms counts once.
        assert_eq!(texts(&score.found), ["e1g1", "e5d6", "h1h8"]);
        assert_eq!(texts(&score.wrong), ["e1e3"]);
        assert_eq!((score.missed.len(), score.points()), (14, 2));
        let kinds: Vec<_> = score
            .kinds
            .iter()
            .map(|k| (k.kind, k.legal, k.found, k.wrong))
            .collect();
        assert_eq!(
            kinds,
            [
                (MoveKind::Ordinary, 10, 1, 0),
                (MoveKind::King, 5, 0, 1),
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

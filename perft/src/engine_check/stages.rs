//! The stages of a growing move generator, in which the built-in suite `stages` is asked: the positions of
//! a stage need only its rules and those of the stages before, so that the first stage with a wrong count
//! is what its author has to write next.

/// One stage, as a tag names it: `6-pins`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RuleStage<'a> {
    /// From 1 on.
    pub(crate) number: u32,
    /// The rules that are new in it, with hyphens between words.
    pub(crate) name: &'a str,
}

impl<'a> RuleStage<'a> {
    pub(crate) fn from_tag(tag: &'a str) -> Option<Self> {
        let (number, name) = tag.split_once('-')?;
        let number = number.parse().ok()?;
        Some(Self { number, name })
    }
}

/// How far an engine has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StageProgress<'a> {
    /// The stages before the next one, in which no count is wrong.
    pub(crate) right: Vec<RuleStage<'a>>,
    /// The first stage with a wrong or missing answer, or one that was not asked.
    pub(crate) next: Option<RuleStage<'a>>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;

    use chess::notation::fen;
    use chess::rules::explain::{Rule, explain};
    use chess::rules::{Move, PieceType, Position};
    use epd::suites;

    use super::*;
    use crate::engine_check::hunt::{leaves_king_in_check, pseudo_legal};

    /// The least stage whose rules suffice to list the moves of a position, and why not less.
    fn least_stage(position: &Position) -> (u32, &'static str) {
        let moves = position.legal_moves();
        let king = position.king(position.side_to_move());
        let double = position.checkers().count() > 1;
        // Moves that only the safety of the king forbids; castling is not among them.
        let forbidden = pseudo_legal(position).into_iter();
        let forbidden = forbidden.filter(|&m| leaves_king_in_check(explain(position, m).rule()));
        let forbidden: Vec<_> = forbidden.collect();
        let ep = |&m| position.is_en_passant(m);
        let has = |kind| {
            position
                .occupied()
                .into_iter()
                .any(|square| position.piece_type_at(square) == Some(kind))
        };
        let is_pinned = |&m: &Move| {
            let rule = explain(position, m).rule();
            m.from() != king && (rule == Rule::Pinned || !position.is_check())
        };
        let needs = [
            (
                10,
                !position.castling_rooks().is_empty(),
                "a castling right",
            ),
            (
                9,
                moves
                    .iter()
                    .chain(&forbidden)
                    .any(|m| m.promotion().is_some()),
                "a promotion",
            ),
            (
                8,
                moves.iter().chain(&forbidden).any(ep),
                "a capture en passant",
            ),
            (7, double, "double check"),
            (6, forbidden.iter().any(is_pinned), "a pin"),
            (5, position.is_check() || !forbidden.is_empty(), "check"),
            (
                5,
                moves.iter().any(|&m| position.is_capture(m)),
                "a capture",
            ),
            (4, has(PieceType::Pawn), "a pawn"),
            (
                3,
                [PieceType::Bishop, PieceType::Rook, PieceType::Queen]
                    .into_iter()
                    .any(has),
                "a slider",
            ),
            (2, has(PieceType::Knight), "a knight"),
        ];
        let need = needs.into_iter().find(|&(_, is_needed, _)| is_needed);
        need.map_or((1, "kings"), |(stage, _, why)| (stage, why))
    }

    /// Visits each position of the tree whose moves are listed to count to a depth.
    fn visit<B>(
        position: &Position,
        depth: u32,
        look: &mut impl FnMut(&Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if depth == 0 {
            return ControlFlow::Continue(());
        }
        look(position)?;
        let moves = position.legal_moves();
        moves
            .iter()
            .try_for_each(|&m| visit(&position.play_unchecked(m), depth - 1, look))
    }

    /// To the depth of its counts, no position needs a rule of a later stage.
    #[test]
    fn a_stage_needs_no_rule_of_a_later_one() {
        let mut sizes: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for entry in suites::STAGES.parse().entries {
            let stage = entry
                .record
                .tags()
                .find_map(RuleStage::from_tag)
                .expect("a stage");
            let id = entry.record.id().expect("an id");
            let counts = entry.record.perft_counts();
            let depth = counts.iter().map(|&(depth, _)| depth).max();
            let mut most = 0;
            let beyond = visit(
                entry.record.position(),
                depth.expect("a count"),
                &mut |position| {
                    let (least, why) = least_stage(position);
                    most = most.max(least);
                    if least > stage.number {
                        ControlFlow::Break((fen::write(position), why))
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
            assert_eq!(beyond, ControlFlow::Continue(()), "{id}");
            let size = sizes.entry(stage.number).or_default();
            size.0 += 1;
            size.1 += usize::from(most == stage.number);
        }
        assert!(sizes.keys().copied().eq(1..=11), "{sizes:?}");
        for (stage, (positions, needing)) in sizes {
            assert!((6..=20).contains(&positions), "stage {stage}: {positions}");
            // Some show that a rule does not apply, and stage 11 has no rule of its own.
            assert!(
                needing * 2 > positions || stage == 11,
                "stage {stage}: {needing} of {positions}"
            );
        }
    }

    #[test]
    fn what_is_no_stage() {
        let tags = ["6-pins", "pins", "x-pins", "6"].map(RuleStage::from_tag);
        let pins = RuleStage {
            number: 6,
            name: "pins",
        };
        assert_eq!(tags, [Some(pins), None, None, None]);
    }
}

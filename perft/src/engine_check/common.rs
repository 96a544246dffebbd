//! Findings grouped by their cause: a generator that is wrong in one thing is wrong in many positions, and
//! breaks several rules there.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chess::rules::explain::{Rule, explain};
use chess::rules::{PieceType, Square};

use super::hunt::{
    HuntFault, HuntResult, MoveCategory, MoveClass, WrongMove, leaves_king_in_check,
};

/// A fault that shows in one or more positions.
#[derive(Clone, Debug)]
pub(crate) struct CommonFault<'a> {
    /// The finding nearest to the cause: of these, the one with the fewest pieces.
    pub(crate) finding: &'a HuntResult,
    /// The cases in which it shows.
    pub(crate) cases: Vec<usize>,
    /// The other forms in which it shows: `extra-move: pinned`.
    pub(crate) also: BTreeSet<String>,
    /// Whether all moves are counted that leave the king in check.
    pub(crate) is_pseudo_legal: bool,
    /// What all its findings share.
    marks: BTreeSet<CommonMark>,
}

/// Rules that a generator breaks in pseudo-legal moves: with this many of them, no single rule is at fault.
const PSEUDO_LEGAL: usize = 4;

/// Something that findings of one cause share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CommonMark {
    /// A move or an attack between two squares, in either direction.
    Squares(Square, Square),
    /// The same on any rank or file: two files or ranks, by their indices.
    Lane {
        is_rank: bool,
        from: usize,
        to: usize,
    },
    /// The king steps where a piece of this kind attacks.
    StepInto(PieceType),
    /// The legality of en passant.
    EnPassant,
}

/// The faults behind findings of cases, most frequent first.
pub(crate) fn common_faults<'a>(
    findings: impl Iterator<Item = (usize, &'a HuntResult)>,
) -> Vec<CommonFault<'a>> {
    let mut groups: BTreeMap<(&str, String), CommonFault<'a>> = BTreeMap::new();
    for (case, finding) in findings {
        let of_cause = finding.cause.map(|cause| cause.word(&finding.shown.route));
        let rule = || finding.rule().unwrap_or_default().to_owned();
        let key = (finding.fault.kind(), of_cause.unwrap_or_else(rule));
        let one = CommonFault {
            finding,
            cases: vec![case],
            also: BTreeSet::new(),
            is_pseudo_legal: false,
            marks: marks(finding),
        };
        match groups.entry(key) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(one);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => entry.get_mut().add(one),
        }
    }
    let mut faults: Vec<_> = groups.into_values().collect();
    merge_pseudo_legal(&mut faults);
    // What no cause explains belongs to the one cause that shows in the same way, if there is one.
    for kind in ["undo", "state-after-moves"] {
        let is_known = |fault: &&CommonFault<'_>| {
            fault.finding.fault.kind() == kind && fault.finding.cause.is_some()
        };
        if faults.iter().filter(is_known).count() == 1 {
            let is_it = |fault: &CommonFault<'_>| fault.finding.fault.kind() == kind;
            merge(&mut faults, |one, other| is_it(one) && is_it(other));
        }
    }
    merge(&mut faults, |one, other| {
        !one.marks.is_disjoint(&other.marks)
    });
    for fault in &mut faults {
        let own = fault.finding.form();
        fault.also.remove(&own);
        fault.cases.sort_unstable();
        fault.cases.dedup();
    }
    faults.sort_by_key(|fault| Reverse(fault.cases.len()));
    faults
}

/// Joins faults until no two of them belong together.
fn merge(
    faults: &mut Vec<CommonFault<'_>>,
    belong: impl Fn(&CommonFault<'_>, &CommonFault<'_>) -> bool,
) {
    let mut index = 0;
    while index < faults.len() {
        let (before, rest) = faults.split_at(index + 1);
        let one = &before[index];
        match rest.iter().position(|other| belong(one, other)) {
            Some(other) => {
                let other = faults.remove(index + 1 + other);
                faults[index].add(other);
            }
            None => index += 1,
        }
    }
}

/// Joins the faults that leave the king in check, if they break so many rules that the king's safety is
/// not looked at.
fn merge_pseudo_legal(faults: &mut Vec<CommonFault<'_>>) {
    let broken: BTreeSet<&str> = faults.iter().flat_map(CommonFault::pseudo_legal).collect();
    if broken.len() < PSEUDO_LEGAL {
        return;
    }
    merge(faults, |one, other| {
        !one.pseudo_legal().is_empty() && !other.pseudo_legal().is_empty()
    });
    for fault in faults.iter_mut() {
        fault.is_pseudo_legal = !fault.pseudo_legal().is_empty();
    }
}

impl CommonFault<'_> {
    fn add(&mut self, other: Self) {
        let pieces = |finding: &HuntResult| finding.shown.route.root().occupied().count();
        self.marks.retain(|mark| other.marks.contains(mark));
        let distance = |finding: &HuntResult| {
            let is_cause = finding.cause.is_some();
            let is_own = finding.is_by_itself(&self.marks);
            (!is_cause, !is_own, pieces(finding))
        };
        let forms = [self.finding.form(), other.finding.form()];
        if distance(other.finding) < distance(self.finding) {
            self.finding = other.finding;
        }
        self.also.extend(forms);
        self.also.extend(other.also);
        self.cases.extend(other.cases);
    }

    /// The broken rules by which its finding's illegal moves leave the king in check; none if another
    /// thing is wrong.
    fn pseudo_legal(&self) -> BTreeSet<&'static str> {
        let (HuntFault::Moves(moves) | HuntFault::UnknownMove(moves)) = &self.finding.fault else {
            return BTreeSet::new();
        };
        let position = self.finding.shown.position();
        let rule = |wrong: &WrongMove| match wrong {
            WrongMove::Extra { m, .. } => {
                let rule = explain(position, *m).rule();
                leaves_king_in_check(rule).then_some(rule.as_str())
            }
            _ => None,
        };
        let rules: Option<BTreeSet<_>> = moves.iter().map(rule).collect();
        rules.unwrap_or_default()
    }
}

impl HuntResult {
    /// The kind of the fault and the broken rule: `missing-move: castling`.
    pub(crate) fn form(&self) -> String {
        let kind = self.fault.kind();
        self.rule()
            .map_or_else(|| kind.to_owned(), |rule| format!("{kind}: {rule}"))
    }

    /// Whether the wrong move itself is between the squares of a mark.
    fn is_by_itself(&self, marks: &BTreeSet<CommonMark>) -> bool {
        let m = self
            .fault
            .wrong_moves()
            .first()
            .and_then(WrongMove::to_move);
        m.is_some_and(|m| {
            between(m.from(), m.to())
                .iter()
                .any(|mark| marks.contains(mark))
        })
    }
}

fn marks(finding: &HuntResult) -> BTreeSet<CommonMark> {
    let (HuntFault::Moves(wrong), None) = (&finding.fault, finding.cause) else {
        return BTreeSet::new();
    };
    let position = finding.shown.position();
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    let king = position.king(us);
    let mut marks = BTreeSet::new();
    let Some((wrong, m)) = wrong
        .first()
        .and_then(|wrong| Some((wrong, wrong.to_move()?)))
    else {
        return marks;
    };
    let explained = explain(position, m);
    let rule = explained.rule();
    let is_missing = matches!(wrong, WrongMove::Missing(_));
    let leaves_in_check = !explained.is_legal() && leaves_king_in_check(rule);
    if MoveClass::new(m, position).kind() == MoveCategory::EnPassant
        && (is_missing || leaves_in_check)
    {
        marks.insert(CommonMark::EnPassant);
    }
    let attackers = if is_missing {
        position.by_color(them)
    } else {
        explained.squares() & position.by_color(them) & !m.to().bitboard()
    };
    let is_of_king = m.from() == king;
    let is_castling_check = matches!(
        rule,
        Rule::CastlingIntoCheck | Rule::CastlingOutOfCheck | Rule::CastlingThroughCheck
    );
    if leaves_in_check || is_castling_check || is_missing && is_of_king {
        let targets = if is_castling_check {
            explained.squares() & !position.by_color(them)
        } else if is_of_king {
            m.to().bitboard()
        } else {
            king.bitboard()
        };
        for attacker in attackers {
            marks.extend(
                targets
                    .into_iter()
                    .flat_map(|target| between(attacker, target)),
            );
        }
    }
    if matches!(rule, Rule::KingIntoAttack | Rule::KingTakesProtected) {
        let kinds = attackers
            .into_iter()
            .filter_map(|square| position.piece_type_at(square));
        let kinds: BTreeSet<PieceType> = kinds.collect();
        let only = kinds.first().filter(|_| kinds.len() == 1);
        marks.extend(only.map(|&kind| CommonMark::StepInto(kind)));
    }
    if !leaves_in_check {
        marks.extend(between(m.from(), m.to()));
    }
    marks
}

fn between(one: Square, other: Square) -> Vec<CommonMark> {
    let mut marks = vec![CommonMark::Squares(one.min(other), one.max(other))];
    let lane = |is_rank, one: usize, other: usize| CommonMark::Lane {
        is_rank,
        from: one.min(other),
        to: one.max(other),
    };
    let (files, ranks) = (one.file().index(), one.rank().index());
    let (others, theirs) = (other.file().index(), other.rank().index());
    // Neighbours are no lane: every king steps there.
    if ranks == theirs && files.abs_diff(others) > 1 {
        marks.push(lane(true, files, others));
    }
    if files == others && ranks.abs_diff(theirs) > 1 {
        marks.push(lane(false, ranks, theirs));
    }
    marks
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use chess::notation::fen;
    use chess::rules::Move;

    use super::*;
    use crate::count::subject::{MoveMeaning, Subject};
    use crate::engine_check::hunt::toys::{changing, pseudo_legal, sound};
    use crate::engine_check::hunt::{CountQuestion, HuntLimits, hunt};

    /// What is found from positions, at depth 1.
    fn findings(subject: &mut dyn Subject, texts: &[&str]) -> Vec<HuntResult> {
        let question = |text: &&str| {
            let position = fen::parse(text).expect("legal");
            CountQuestion::by_fen(position, NonZeroU32::MIN)
        };
        let found = texts.iter().map(|text| {
            let found = hunt(subject, &question(text), HuntLimits::default());
            found.expect("it answers")
        });
        found.collect()
    }

    #[test]
    fn pseudo_legal_moves_are_one_fault() {
        let texts = [
            "4k3/8/8/8/8/4r3/4N3/4K3 w - - 0 1",
            "4k3/8/8/8/8/4r3/8/1N2K3 w - - 0 1",
            "4k3/8/8/8/8/3r4/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1",
            "8/8/8/8/8/4k3/8/4K3 w - - 0 1",
        ];
        let found = findings(&mut pseudo_legal(), &texts);
        let faults = common_faults(found.iter().enumerate());
        assert!(faults[0].is_pseudo_legal);
        assert_eq!((faults.len(), &*faults[0].cases), (1, &[0, 1, 2, 3, 4][..]));
        let few = common_faults(found.iter().take(2).enumerate());
        assert!(!few[0].is_pseudo_legal);
    }

    /// A table of knight steps without h1-g3: the step is missing, and checks by it are not seen.
    #[test]
    fn what_shares_its_squares_is_one_fault() {
        let mut subject = changing(sound(), |position, answer| {
            let step = Move::new(Square::H1, Square::G3);
            if position.piece_type_at(Square::H1) == Some(PieceType::Knight) {
                let rows = answer.rows.as_mut().expect("it has rows");
                rows.retain(|row| row.meaning != MoveMeaning::Legal(step));
                answer.total = answer.sum();
            }
            let is_knight = position.piece_type_at(Square::G3) == Some(PieceType::Knight);
            if is_knight && position.king(position.side_to_move()) == Square::H1 {
                let push = Move::new(Square::A4, Square::A5);
                let row = crate::count::subject::DivideRow {
                    text: push.to_string(),
                    meaning: MoveMeaning::Illegal(push),
                    nodes: 1,
                };
                answer.rows.as_mut().expect("it has rows").push(row);
                answer.total = answer.sum();
            }
        });
        let texts = [
            "8/8/8/8/8/8/2k1K3/7n b - - 0 1",
            "4k3/8/8/8/P7/6n1/8/7K w - - 0 1",
        ];
        let found = findings(&mut subject, &texts);
        let faults = common_faults(found.iter().enumerate());
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].finding.form(), "missing-move: legal");
        let also: Vec<&str> = faults[0].also.iter().map(String::as_str).collect();
        assert_eq!(also, ["extra-move: does-not-answer-check"]);
    }
}

//! The trace of one fault: the properties that must stay the same while positions change.

use chess::rules::explain::{Rule, explain};
use chess::rules::{Move, PieceType, Position, Rank, Square};

use super::fault::{CountPair, HuntEnd, HuntFault, NoMoves, NoReply, WrongMove, WrongRow};
use super::judge::{Asker, JudgedReply, Symptom, no_moves};
use super::question::CountQuestion;

/// The properties that identify a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trace {
    /// The list of moves is wrong in this way.
    Moves(WrongMoveClass),
    /// There are no rows, and the count is off in this direction by at most this much.
    Count {
        more: bool,
        by: u64,
    },
    /// The total is off in this direction, but the rows are right.
    Total {
        more: bool,
    },
    /// A position without moves is counted as one leaf.
    Mated(NoMoves),
    /// As `Mated`, but only when counted below another position.
    MatedBelow(NoMoves),
    /// A move of this class has a wrong row, although the position below it is counted correctly.
    Undo(MoveClass),
    Failed(NoReply),
    /// Rows are wrong at depth 1, where there is nothing below them.
    Rows,
}

/// A question at which the fault shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sighting {
    pub(super) question: CountQuestion,
    pub(super) counts: CountPair,
    pub(super) fault: HuntFault,
}

impl Trace {
    /// The trace of a wrong reply, given that no position below it is wrong by itself.
    pub(super) fn new(question: &CountQuestion, judged: &JudgedReply) -> Self {
        let position = question.position();
        let CountPair { ours, theirs } = judged.counts;
        let more = theirs.is_some_and(|theirs| theirs > ours);
        match &judged.symptom {
            Symptom::Failed(failure) => Self::Failed(NoReply::from_failure(failure)),
            Symptom::Moves(moves) => Self::Moves(WrongMoveClass::new(&moves[0], position)),
            Symptom::Total => Self::Total { more },
            Symptom::Mated(end) => Self::Mated(*end),
            Symptom::Count => Self::Count {
                more,
                by: theirs.unwrap_or(0).abs_diff(ours),
            },
            Symptom::Rows(_) if question.depth.get() == 1 => Self::Rows,
            Symptom::Rows(rows) => {
                let mated = rows.iter().find_map(|row| mated_below(position, row));
                mated.map_or_else(
                    || Self::Undo(MoveClass::new(rows[0].m, position)),
                    Self::MatedBelow,
                )
            }
        }
    }

    /// Asks whether the whole fault shows at a question: whatever the fault's kind requires to be
    /// right must be right.
    ///
    /// # Errors
    ///
    /// When a limit was reached or the run was cancelled.
    pub(super) fn look(
        &self,
        asker: &mut Asker<'_>,
        question: &CountQuestion,
    ) -> Result<Option<Sighting>, HuntEnd> {
        let Some(judged) = asker.judged(question)? else {
            return Ok(None);
        };
        let Some(sighting) = self.sighting(question, &judged) else {
            return Ok(None);
        };
        let must_be_right = sighting.must_be_right();
        for question in &must_be_right {
            if asker.judged(question)?.is_some() {
                return Ok(None);
            }
        }
        Ok(Some(sighting))
    }

    /// The fault as a reply shows it; `None` if the reply shows another.
    pub(super) fn sighting(
        &self,
        question: &CountQuestion,
        judged: &JudgedReply,
    ) -> Option<Sighting> {
        let mut fault = self.fault(question, judged)?;
        if !question.route.moves().is_empty() {
            fault = HuntFault::StateAfterMoves(Box::new(fault));
        }
        Some(Sighting {
            question: question.clone(),
            counts: judged.counts,
            fault,
        })
    }

    fn fault(&self, question: &CountQuestion, judged: &JudgedReply) -> Option<HuntFault> {
        let position = question.position();
        match (*self, &judged.symptom) {
            (Self::Moves(class), Symptom::Moves(moves)) => {
                first_of_class(class, moves, position).map(HuntFault::Moves)
            }
            (Self::Count { .. }, Symptom::Count | Symptom::Mated(_)) => {
                let fault = if question.depth.get() == 1 {
                    HuntFault::UnknownMove(Vec::new())
                } else {
                    HuntFault::WrongCount(Vec::new())
                };
                self.is_off(judged.counts).then_some(fault)
            }
            (Self::Total { .. }, Symptom::Total) => {
                self.is_off(judged.counts).then_some(HuntFault::WrongTotal)
            }
            (Self::Mated(wanted), &Symptom::Mated(end)) => {
                (wanted == end).then_some(HuntFault::CountsMated { end, after: None })
            }
            (Self::MatedBelow(end), Symptom::Rows(rows)) => rows
                .iter()
                .find(|row| mated_below(position, row) == Some(end))
                .map(|row| HuntFault::CountsMated {
                    end,
                    after: Some(row.m),
                }),
            (Self::Undo(class), Symptom::Rows(rows)) => rows
                .iter()
                .find(|row| MoveClass::new(row.m, position) == class)
                .filter(|_| question.depth.get() > 1)
                .map(|&row| HuntFault::Undo(row)),
            (Self::Failed(breakdown), Symptom::Failed(failure)) => (NoReply::from_failure(failure)
                == breakdown)
                .then(|| HuntFault::Failed(failure.clone())),
            (Self::Rows, Symptom::Rows(rows)) => {
                (question.depth.get() == 1).then(|| HuntFault::WrongCount(rows.clone()))
            }
            _ => None,
        }
    }

    /// Whether counts differ as this trace requires.
    fn is_off(&self, counts: CountPair) -> bool {
        let Some(theirs) = counts.theirs else {
            return false;
        };
        let is_more = theirs > counts.ours;
        match *self {
            Self::Count { more, by } => more == is_more && theirs.abs_diff(counts.ours) <= by,
            Self::Total { more } => more == is_more,
            _ => false,
        }
    }
}

impl Sighting {
    /// The questions that must be answered correctly for the fault to be of this kind.
    fn must_be_right(&self) -> Vec<CountQuestion> {
        let mut questions = Vec::new();
        let by_moves = !self.question.route.moves().is_empty();
        if by_moves {
            questions.push(self.question.by_last_moves(0));
        }
        let fault = match &self.fault {
            HuntFault::StateAfterMoves(inner) => inner,
            fault => fault,
        };
        if let HuntFault::Undo(WrongRow { m, .. }) = *fault {
            let by_moves = self.question.child(m);
            questions.extend(by_moves.as_ref().map(|child| child.by_last_moves(0)));
            questions.extend(by_moves);
        }
        questions
    }
}

/// Why the position below a row has no moves, if the row nevertheless counts it as one leaf.
pub(super) fn mated_below(position: &Position, row: &WrongRow) -> Option<NoMoves> {
    if (row.ours, row.theirs) == (0, 1) {
        no_moves(&position.play_unchecked(row.m))
    } else {
        None
    }
}

/// The wrong moves, those of a class first; `None` if the class does not occur.
fn first_of_class(
    class: WrongMoveClass,
    moves: &[WrongMove],
    position: &Position,
) -> Option<Vec<WrongMove>> {
    let (mut first, others): (Vec<_>, Vec<_>) = moves
        .iter()
        .cloned()
        .partition(|wrong| WrongMoveClass::new(wrong, position) == class);
    if first.is_empty() {
        return None;
    }
    first.extend(others);
    Some(first)
}

/// The kinds of moves for which generators have separate code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveCategory {
    Plain,
    DoubleStep,
    EnPassant,
    Castling,
    Promotion,
}

/// The properties that a move shares with others that break the same rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveClass {
    piece: Option<PieceType>,
    kind: MoveCategory,
    /// The rule that an illegal move breaks.
    broken: Option<Rule>,
}

/// The invariant of a wrong move: what is wrong with it, and the class of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrongMoveClass {
    kind: &'static str,
    class: Option<MoveClass>,
}

impl WrongMoveClass {
    pub(super) fn new(wrong: &WrongMove, position: &Position) -> Self {
        Self {
            kind: wrong.kind(),
            class: wrong.to_move().map(|m| MoveClass::new(m, position)),
        }
    }
}

impl MoveClass {
    /// The class of any move, legal or not.
    pub(crate) fn new(m: Move, position: &Position) -> Self {
        let piece = position.piece_type_at(m.from());
        let explained = explain(position, m);
        Self {
            piece,
            kind: kind_of(m, piece, position),
            broken: (!explained.is_legal()).then(|| explained.rule()),
        }
    }

    pub(crate) const fn kind(self) -> MoveCategory {
        self.kind
    }
}

fn kind_of(m: Move, piece: Option<PieceType>, position: &Position) -> MoveCategory {
    let files = files_apart(m.from(), m.to());
    let ranks = m.from().rank().index().abs_diff(m.to().rank().index());
    match piece {
        Some(PieceType::Pawn)
            if matches!(m.to().rank(), Rank::R1 | Rank::R8) || m.promotion().is_some() =>
        {
            MoveCategory::Promotion
        }
        Some(PieceType::Pawn) if ranks == 2 && files == 0 => MoveCategory::DoubleStep,
        Some(PieceType::Pawn) if files == 1 && position.piece_at(m.to()).is_none() => {
            MoveCategory::EnPassant
        }
        Some(PieceType::King) if is_castling(m, position) => MoveCategory::Castling,
        _ => MoveCategory::Plain,
    }
}

/// The king takes its own rook, or moves two files or more along its rank.
fn is_castling(m: Move, position: &Position) -> bool {
    let own = position.by_color(position.side_to_move());
    let own_rook = (own & position.by_type(PieceType::Rook)).contains(m.to());
    own_rook || (files_apart(m.from(), m.to()) > 1 && m.from().rank() == m.to().rank())
}

fn files_apart(a: Square, b: Square) -> usize {
    a.file().index().abs_diff(b.file().index())
}

//! Checks of an evaluation that need no reference.

use std::fmt;

use chess::rules::{File, Position, Setup, Square};
use clap::ValueEnum;
use serde::Serialize;

use super::ask::{EvalFailure, EvalReply};
use super::pattern::{ParsedEvaluation, WhiteScore};

/// A check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EvalCheck {
    /// With colours exchanged and the board flipped, the evaluation changes its sign
    Colours,
    /// With the board mirrored left to right, where neither side may castle, it is unchanged
    Sides,
    /// The evaluation does not exceed a bound, and is no mate if it is static
    Bounds,
    /// A fresh process, queried in reverse order, gives the same evaluation
    Determinism,
}

impl fmt::Display for EvalCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("no check is hidden");
        f.pad(value.get_name())
    }
}

#[derive(Clone, Debug)]
pub(crate) struct CheckRules {
    pub(crate) checks: Vec<EvalCheck>,
    /// Tolerated difference between evaluations that should be equal.
    pub(crate) tolerance_cp: u32,
    pub(crate) bound_cp: u32,
}

impl CheckRules {
    fn makes(&self, check: EvalCheck) -> bool {
        self.checks.contains(&check)
    }
}

/// A position derived from one of the suite for a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counterpart {
    of: usize,
    check: EvalCheck,
    position: Position,
}

/// The queries: the positions of the suites, then their counterparts; both again, to a fresh
/// process.
#[derive(Clone, Debug)]
pub(crate) struct EvalCheckPlan {
    positions: Vec<Position>,
    counterparts: Vec<Counterpart>,
    rules: CheckRules,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Index of the position in the suite.
    pub(crate) of: usize,
    pub(crate) check: EvalCheck,
    /// The position compared with; the suite's own if there is no other.
    pub(crate) counterpart: Position,
    pub(crate) found: ParsedEvaluation,
    /// The evaluation of the counterpart, from White's view.
    pub(crate) other: Option<ParsedEvaluation>,
    pub(crate) message: String,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct JudgedScore {
    /// Number of times each check was made.
    pub(crate) made: Vec<(EvalCheck, usize)>,
    pub(crate) violations: Vec<Violation>,
    /// Failed queries, with the index of the position in the suite.
    pub(crate) failures: Vec<(usize, EvalFailure)>,
    /// Whether the run was cancelled before all queries were made.
    pub(crate) is_interrupted: bool,
}

/// The queries that the checks of these positions need.
pub(crate) fn plan(positions: Vec<Position>, rules: CheckRules) -> EvalCheckPlan {
    let mut counterparts = Vec::new();
    for (of, position) in positions.iter().enumerate() {
        let setup = position.to_setup();
        let mut add = |check, setup| {
            // Mirroring preserves all validity rules but one: that a single move can have given the
            // check.
            if let Ok(position) = Position::from_setup(setup) {
                counterparts.push(Counterpart {
                    of,
                    check,
                    position,
                });
            }
        };
        if rules.makes(EvalCheck::Colours) {
            add(EvalCheck::Colours, setup.mirrored());
        }
        // Castling is not symmetric from left to right (FIDE Laws 3.8.2).
        if rules.makes(EvalCheck::Sides) && position.castling_rooks().is_empty() {
            add(EvalCheck::Sides, left_to_right(&setup));
        }
    }
    EvalCheckPlan {
        positions,
        counterparts,
        rules,
    }
}

/// The board mirrored left to right: a1 becomes h1.
fn left_to_right(setup: &Setup) -> Setup {
    let flip = |square: Square| {
        let file = File::ALL[7 - square.file().index()];
        Square::new(file, square.rank())
    };
    let mut mirror = setup.clone();
    for square in Square::ALL {
        mirror.board[flip(square).index()] = setup.piece_at(square);
    }
    mirror.ep_square = setup.ep_square.map(flip);
    mirror
}

impl EvalCheckPlan {
    pub(crate) fn questions(&self) -> Vec<Position> {
        let counterparts = self.counterparts.iter().map(|one| one.position);
        self.positions.iter().copied().chain(counterparts).collect()
    }

    /// The queries of the second run, to fresh processes, in reverse order: state that an engine
    /// carries from one position to the next then shows.
    pub(crate) fn questions_again(&self) -> Vec<Position> {
        if self.rules.makes(EvalCheck::Determinism) {
            self.positions.iter().rev().copied().collect()
        } else {
            Vec::new()
        }
    }

    /// Judges the answers of both runs. `is_static` means that no search was made, which could have
    /// found a mate.
    pub(crate) fn judge(
        &self,
        first: &[EvalReply],
        again: &[EvalReply],
        is_static: bool,
    ) -> JudgedScore {
        let mut judge = EvalJudge {
            rules: &self.rules,
            judged: JudgedScore::default(),
        };
        let (originals, counterparts) = first.split_at(self.positions.len());
        let originals = originals.iter().enumerate();
        let found: Vec<_> = originals
            .map(|(of, answer)| judge.take(of, answer))
            .collect();
        if self.rules.makes(EvalCheck::Bounds) {
            for (of, found) in found.iter().enumerate() {
                if let Some(found) = found {
                    judge.bounds(of, found, self.positions[of], is_static);
                }
            }
        }
        for (counterpart, answer) in self.counterparts.iter().zip(counterparts) {
            let other = judge.take(counterpart.of, answer);
            judge.compare(*counterpart, found[counterpart.of], other);
        }
        for (of, answer) in (0..self.positions.len()).rev().zip(again) {
            let other = judge.take(of, answer);
            let (check, position) = (EvalCheck::Determinism, self.positions[of]);
            judge.compare(
                Counterpart {
                    of,
                    check,
                    position,
                },
                found[of],
                other,
            );
        }
        judge
            .judged
            .violations
            .sort_by_key(|one| (one.of, one.check));
        judge.judged
    }
}

struct EvalJudge<'a> {
    rules: &'a CheckRules,
    judged: JudgedScore,
}

impl EvalJudge<'_> {
    /// The evaluation; records a failure if there is none.
    fn take<'b>(&mut self, of: usize, answer: &'b EvalReply) -> Option<&'b ParsedEvaluation> {
        match answer {
            Some(Ok(evaluation)) => return Some(evaluation),
            Some(Err(failure)) => self.judged.failures.push((of, failure.clone())),
            None => self.judged.is_interrupted = true,
        }
        None
    }

    fn count(&mut self, check: EvalCheck) {
        let mut made = self.judged.made.iter_mut();
        match made.find(|(known, _)| *known == check) {
            Some((_, made)) => *made += 1,
            None => self.judged.made.push((check, 1)),
        }
    }

    fn bounds(&mut self, of: usize, found: &ParsedEvaluation, position: Position, is_static: bool) {
        let (score, bound) = (found.score, self.rules.bound_cp);
        // An engine that reports no evaluation, as in check, has none to be compared.
        if score == WhiteScore::None {
            return;
        }
        self.count(EvalCheck::Bounds);
        let message = match score {
            WhiteScore::Cp(value) if value.unsigned_abs() > bound => {
                format!("{score}, expected at most {bound} cp")
            }
            WhiteScore::Mate(_) if is_static => format!("{score}, expected no mate"),
            _ => return,
        };
        self.judged.violations.push(Violation {
            of,
            check: EvalCheck::Bounds,
            counterpart: position,
            found: found.clone(),
            other: None,
            message,
        });
    }

    fn compare(
        &mut self,
        Counterpart {
            of,
            check,
            position,
        }: Counterpart,
        found: Option<&ParsedEvaluation>,
        other: Option<&ParsedEvaluation>,
    ) {
        let (Some(found), Some(other)) = (found, other) else {
            return;
        };
        if (found.score, other.score) == (WhiteScore::None, WhiteScore::None) {
            return;
        }
        self.count(check);
        let (seen, how) = match check {
            EvalCheck::Colours => (other.score.negated(), "with the colours exchanged"),
            EvalCheck::Sides => (other.score, "mirrored left to right"),
            _ => (other.score, "the second time"),
        };
        // A mate has no tolerance: its length is exact.
        let are_alike = match (found.score, seen) {
            (WhiteScore::Cp(one), WhiteScore::Cp(other)) => {
                one.abs_diff(other) <= self.rules.tolerance_cp
            }
            (one, other) => one == other,
        };
        if !are_alike {
            self.judged.violations.push(Violation {
                of,
                check,
                counterpart: position,
                found: found.clone(),
                other: Some(other.clone()),
                message: format!("{}, and {} {how}", found.score, other.score),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;
    use chess::rules::{Color, Rank};

    use super::*;

    fn rules() -> CheckRules {
        CheckRules {
            checks: EvalCheck::value_variants().to_vec(),
            tolerance_cp: 0,
            bound_cp: 1000,
        }
    }

    fn evaluation(score: WhiteScore) -> ParsedEvaluation {
        let raw = score.to_string();
        ParsedEvaluation { score, raw }
    }

    /// Judges an evaluation function; its second argument is true in the first run.
    fn judged(fens: &[&str], eval: impl Fn(&Position, bool) -> WhiteScore) -> JudgedScore {
        let positions = fens.iter().map(|text| fen::parse(text).unwrap()).collect();
        let plan = plan(positions, rules());
        let run = |questions: Vec<Position>, first| -> Vec<EvalReply> {
            let scores = questions.iter().map(|position| eval(position, first));
            scores.map(|score| Some(Ok(evaluation(score)))).collect()
        };
        let first = run(plan.questions(), true);
        let again = run(plan.questions_again(), false);
        plan.judge(&first, &again, true)
    }

    const ENDING: &str = "4k3/8/8/8/8/8/3P4/2N1K3 w - - 0 1";
    const CASTLING: &str = "4k3/8/8/8/8/8/8/4K2R b K - 0 1";

    fn squares(position: &Position) -> impl Iterator<Item = (Square, i32)> {
        Square::ALL.into_iter().filter_map(|square| {
            let piece = position.piece_at(square)?;
            let value = i32::try_from(piece.piece_type.index()).unwrap();
            let is_white = piece.color == Color::White;
            let value = if is_white { value } else { -value };
            Some((square, value))
        })
    }

    fn material(position: &Position) -> i32 {
        squares(position).map(|(_, value)| value).sum()
    }

    #[test]
    fn an_evaluation_that_is_none_is_not_checked() {
        let none = judged(&[ENDING, CASTLING], |_, _| WhiteScore::None);
        assert_eq!((none.made, none.violations), (Vec::new(), Vec::new()));
        // That it is there the first time alone is a difference.
        let changing = judged(&[CASTLING], |_, is_first| {
            if is_first {
                WhiteScore::Cp(0)
            } else {
                WhiteScore::None
            }
        });
        assert_eq!(changing.violations.len(), 1);
    }

    #[test]
    fn a_sound_evaluation_passes() {
        let judged = judged(&[ENDING, CASTLING], |position, _| {
            WhiteScore::Cp(material(position))
        });
        assert_eq!(judged.violations, []);
        let made = [
            (EvalCheck::Bounds, 2),
            (EvalCheck::Colours, 2),
            (EvalCheck::Sides, 1),
            (EvalCheck::Determinism, 2),
        ];
        assert_eq!(judged.made, made);
    }

    #[test]
    fn each_fault_is_found() {
        let check = |eval: fn(&Position, bool) -> i32, expected: &[&str]| {
            let judged = judged(&[ENDING, CASTLING], |position, first| {
                WhiteScore::Cp(eval(position, first))
            });
            let violations = judged.violations.iter();
            let found = violations.map(|one| format!("{} {}: {}", one.of, one.check, one.message));
            assert_eq!(found.collect::<Vec<_>>(), expected);
        };
        let tempo = [
            "0 colours: +6 cp, and +4 cp with the colours exchanged",
            "1 colours: +8 cp, and +2 cp with the colours exchanged",
        ];
        check(|position, _| material(position) + 5, &tempo);
        let by_file = |position: &Position, _: bool| {
            let worth = |(square, value): (Square, i32)| {
                value * i32::try_from(square.file().index()).unwrap()
            };
            squares(position).map(worth).sum()
        };
        let file = ["0 sides: +2 cp, and +5 cp mirrored left to right"];
        check(by_file, &file);
        let bounds = ["1 bounds: +1200 cp, expected at most 1000 cp"];
        check(|position, _| material(position) * 400, &bounds);
        let random = [
            "0 determinism: +1 cp, and +2 cp the second time",
            "1 determinism: +3 cp, and +4 cp the second time",
        ];
        let again = |position: &Position, first: bool| material(position) + i32::from(!first);
        check(again, &random);
    }

    #[test]
    fn a_static_mate_is_out_of_bounds() {
        let judged = judged(&[ENDING], |position, _| {
            let is_white = position.king(Color::White).rank() == Rank::R1;
            let mates = is_white && material(position) > 0;
            WhiteScore::Mate(if mates { 3 } else { -3 })
        });
        let messages = judged.violations.iter().map(|one| one.message.as_str());
        assert_eq!(messages.collect::<Vec<_>>(), ["mate 3, expected no mate"]);
    }

    #[test]
    fn mirrors_are_their_own_inverse() {
        let position = fen::parse("4k3/8/8/3pP3/8/8/1N6/4K3 w - d6 0 1").unwrap();
        let setup = position.to_setup();
        let mirrored = left_to_right(&setup);
        let text = fen::write(&Position::from_setup(mirrored.clone()).unwrap());
        assert_eq!(text, "3k4/8/8/3Pp3/8/8/6N1/3K4 w - e6 0 1");
        assert_eq!(left_to_right(&mirrored), setup);
    }

    #[test]
    fn a_failure_is_neither_agreement_nor_violation() {
        let plan = plan(vec![fen::parse(ENDING).unwrap()], rules());
        let (reason, transcript) = ("gone".to_owned(), String::new());
        let failure = EvalFailure { reason, transcript };
        let first = vec![Some(Err(failure)); plan.questions().len()];
        let judged = plan.judge(&first, &[None], true);
        assert!(judged.made.is_empty());
        assert_eq!(judged.failures.len(), 3);
        assert!(judged.is_interrupted);
    }
}

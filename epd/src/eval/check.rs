//! Checks of an evaluation that need no reference.

use std::fmt;

use chess::rules::{Position, Setup, Square};
use serde::Serialize;

use super::ask::Failure;
use super::run::Answer;
use super::score::{Evaluation, Score};

/// A check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Check {
    /// With colours exchanged and the board flipped, the evaluation changes its sign
    Colours,
    /// With the board mirrored left to right, where neither side may castle, it is unchanged
    Sides,
    /// The evaluation does not exceed a bound, and is no mate if it is static
    Bounds,
    /// A fresh process, queried in reverse order, gives the same evaluation
    Determinism,
}

impl Check {
    /// All checks.
    pub(crate) const ALL: [Self; 4] = [Self::Colours, Self::Sides, Self::Bounds, Self::Determinism];
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Colours => "colours",
            Self::Sides => "sides",
            Self::Bounds => "bounds",
            Self::Determinism => "determinism",
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The checks to make.
    pub(crate) checks: Vec<Check>,
    /// Tolerated difference between evaluations that should be equal.
    pub(crate) tolerance_cp: u32,
    /// The largest evaluation allowed.
    pub(crate) bound_cp: u32,
}

impl Rules {
    fn makes(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }
}

/// A position derived from one of the suite for a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counterpart {
    /// Index of the original position.
    of: usize,
    check: Check,
    position: Position,
}

/// The queries: the positions of the suites, then their counterparts; both again, to a fresh
/// process.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    positions: Vec<Position>,
    counterparts: Vec<Counterpart>,
    rules: Rules,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Index of the position in the suite.
    pub(crate) of: usize,
    pub(crate) check: Check,
    /// The position compared with; the suite's own if there is no other.
    pub(crate) counterpart: Position,
    pub(crate) found: Evaluation,
    /// The evaluation of the counterpart, from White's view.
    pub(crate) other: Option<Evaluation>,
    /// Description of the violation.
    pub(crate) message: String,
}

/// Result of the checks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// Number of times each check was made.
    pub(crate) made: Vec<(Check, usize)>,
    pub(crate) violations: Vec<Violation>,
    /// Failed queries, with the index of the position in the suite.
    pub(crate) failures: Vec<(usize, Failure)>,
    /// Whether the run was cancelled before all queries were made.
    pub(crate) is_interrupted: bool,
}

/// The queries that the checks of these positions need.
pub(crate) fn plan(positions: Vec<Position>, rules: Rules) -> Plan {
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
        if rules.makes(Check::Colours) {
            add(Check::Colours, setup.mirrored());
        }
        if rules.makes(Check::Sides) && position.castling_rooks().is_empty() {
            add(Check::Sides, left_to_right(&setup));
        }
    }
    Plan {
        positions,
        counterparts,
        rules,
    }
}

/// The board mirrored left to right: a1 becomes h1.
fn left_to_right(setup: &Setup) -> Setup {
    let flip = |square: Square| {
        let file = 7 - square.file().index();
        let files = i32::try_from(file).expect("a file is below 8")
            - i32::try_from(square.file().index()).expect("a file is below 8");
        square.offset(files, 0).expect("the file is on the board")
    };
    let mut mirror = setup.clone();
    for square in Square::ALL {
        mirror.board[flip(square).index()] = setup.piece_at(square);
    }
    mirror.ep_square = setup.ep_square.map(flip);
    mirror
}

impl Plan {
    /// The queries of the first run.
    pub(crate) fn questions(&self) -> Vec<Position> {
        let counterparts = self
            .counterparts
            .iter()
            .map(|counterpart| counterpart.position);
        self.positions.iter().copied().chain(counterparts).collect()
    }

    /// The queries of the second run, to fresh processes, in reverse order: state that an engine
    /// carries from one position to the next then shows.
    pub(crate) fn questions_again(&self) -> Vec<Position> {
        if self.rules.makes(Check::Determinism) {
            self.positions.iter().rev().copied().collect()
        } else {
            Vec::new()
        }
    }

    /// Judges the answers of both runs. `is_static` means that no search was made, which could have
    /// found a mate.
    pub(crate) fn judge(&self, first: &[Answer], again: &[Answer], is_static: bool) -> Judged {
        let mut judge = Judge {
            rules: &self.rules,
            judged: Judged::default(),
        };
        let mut found = Vec::with_capacity(self.positions.len());
        for (of, answer) in first[..self.positions.len()].iter().enumerate() {
            found.push(judge.take(of, answer));
        }
        if self.rules.makes(Check::Bounds) {
            let answered = found
                .iter()
                .enumerate()
                .filter_map(|(of, one)| Some((of, (*one)?)));
            judge.bounds(answered, &self.positions, is_static);
        }
        for (counterpart, answer) in self.counterparts.iter().zip(&first[self.positions.len()..]) {
            let other = judge.take(counterpart.of, answer);
            judge.compare(counterpart, found[counterpart.of], other);
        }
        for (of, answer) in (0..self.positions.len()).rev().zip(again) {
            let other = judge.take(of, answer);
            let position = self.positions[of];
            let counterpart = Counterpart {
                of,
                check: Check::Determinism,
                position,
            };
            judge.compare(&counterpart, found[of], other);
        }
        judge
            .judged
            .violations
            .sort_by_key(|one| (one.of, one.check));
        judge.judged
    }
}

struct Judge<'a> {
    rules: &'a Rules,
    judged: Judged,
}

impl Judge<'_> {
    /// The evaluation; records a failure if there is none.
    fn take<'b>(&mut self, of: usize, answer: &'b Answer) -> Option<&'b Evaluation> {
        match answer {
            Some(Ok(evaluation)) => return Some(evaluation),
            Some(Err(failure)) => self.judged.failures.push((of, failure.clone())),
            None => self.judged.is_interrupted = true,
        }
        None
    }

    fn count(&mut self, check: Check) {
        match self
            .judged
            .made
            .iter_mut()
            .find(|(known, _)| *known == check)
        {
            Some((_, made)) => *made += 1,
            None => self.judged.made.push((check, 1)),
        }
    }

    fn bounds<'b>(
        &mut self,
        answers: impl Iterator<Item = (usize, &'b Evaluation)>,
        positions: &[Position],
        is_static: bool,
    ) {
        let bound = self.rules.bound_cp;
        for (of, found) in answers {
            self.count(Check::Bounds);
            let message = match found.score {
                Score::Cp(value) if value.unsigned_abs() > bound => {
                    format!("{}, expected at most {bound} cp", found.score)
                }
                Score::Mate(_) if is_static => format!("{}, expected no mate", found.score),
                _ => continue,
            };
            self.judged.violations.push(Violation {
                of,
                check: Check::Bounds,
                counterpart: positions[of],
                found: found.clone(),
                other: None,
                message,
            });
        }
    }

    fn compare(
        &mut self,
        counterpart: &Counterpart,
        found: Option<&Evaluation>,
        other: Option<&Evaluation>,
    ) {
        let (Some(found), Some(other)) = (found, other) else {
            return;
        };
        self.count(counterpart.check);
        let seen = match counterpart.check {
            Check::Colours => other.score.negated(),
            _ => other.score,
        };
        if self.are_alike(found.score, seen) {
            return;
        }
        let message = match counterpart.check {
            Check::Colours => format!(
                "{}, and {} with the colours exchanged",
                found.score, other.score
            ),
            Check::Sides => format!(
                "{}, and {} mirrored left to right",
                found.score, other.score
            ),
            _ => format!("{}, and {} the second time", found.score, other.score),
        };
        self.judged.violations.push(Violation {
            of: counterpart.of,
            check: counterpart.check,
            counterpart: counterpart.position,
            found: found.clone(),
            other: Some(other.clone()),
            message,
        });
    }

    fn are_alike(&self, one: Score, other: Score) -> bool {
        match (one, other) {
            (Score::Cp(one), Score::Cp(other)) => one.abs_diff(other) <= self.rules.tolerance_cp,
            _ => one == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    fn rules() -> Rules {
        Rules {
            checks: Check::ALL.to_vec(),
            tolerance_cp: 0,
            bound_cp: 1000,
        }
    }

    fn evaluation(score: Score) -> Evaluation {
        let raw = score.to_string();
        Evaluation { score, raw }
    }

    /// Judges an evaluation function; its second argument is true in the first run.
    fn judged(fens: &[&str], eval: impl Fn(&Position, bool) -> Score) -> Judged {
        let positions = fens.iter().map(|text| fen::parse(text).unwrap()).collect();
        let plan = plan(positions, rules());
        let run = |questions: Vec<Position>, first| -> Vec<Answer> {
            questions
                .iter()
                .map(|position| Some(Ok(evaluation(eval(position, first)))))
                .collect()
        };
        plan.judge(
            &run(plan.questions(), true),
            &run(plan.questions_again(), false),
            true,
        )
    }

    const ENDING: &str = "4k3/8/8/8/8/8/3P4/2N1K3 w - - 0 1";
    const CASTLING: &str = "4k3/8/8/8/8/8/8/4K2R b K - 0 1";

    fn squares(position: &Position) -> impl Iterator<Item = (Square, i32)> {
        Square::ALL.into_iter().filter_map(|square| {
            let piece = position.piece_at(square)?;
            let sign = if piece.color == chess::rules::Color::White {
                1
            } else {
                -1
            };
            Some((
                square,
                sign * i32::try_from(piece.piece_type.index()).unwrap(),
            ))
        })
    }

    fn material(position: &Position) -> i32 {
        squares(position).map(|(_, value)| value).sum()
    }

    #[test]
    fn a_sound_evaluation_passes() {
        let judged = judged(&[ENDING, CASTLING], |position, _| {
            Score::Cp(material(position))
        });
        assert_eq!(judged.violations, []);
        let made = [
            (Check::Bounds, 2),
            (Check::Colours, 2),
            (Check::Sides, 1),
            (Check::Determinism, 2),
        ];
        assert_eq!(judged.made, made);
    }

    #[test]
    fn each_fault_is_found() {
        let found = |eval: fn(&Position, bool) -> Score| {
            let judged = judged(&[ENDING, CASTLING], eval);
            judged
                .violations
                .iter()
                .map(|one| format!("{} {}: {}", one.of, one.check, one.message))
                .collect::<Vec<_>>()
        };
        let tempo = |position: &Position, _| Score::Cp(material(position) + 5);
        assert_eq!(
            found(tempo),
            [
                "0 colours: +6 cp, and +4 cp with the colours exchanged",
                "1 colours: +8 cp, and +2 cp with the colours exchanged"
            ]
        );
        let file = |position: &Position, _| {
            Score::Cp(
                squares(position)
                    .map(|(square, value)| value * i32::try_from(square.file().index()).unwrap())
                    .sum(),
            )
        };
        assert_eq!(
            found(file),
            ["0 sides: +2 cp, and +5 cp mirrored left to right"]
        );
        let bounds = |position: &Position, _| Score::Cp(material(position) * 400);
        assert_eq!(
            found(bounds),
            ["1 bounds: +1200 cp, expected at most 1000 cp"]
        );
        let random =
            |position: &Position, first: bool| Score::Cp(material(position) + i32::from(!first));
        assert_eq!(
            found(random),
            [
                "0 determinism: +1 cp, and +2 cp the second time",
                "1 determinism: +3 cp, and +4 cp the second time"
            ]
        );
    }

    #[test]
    fn a_static_mate_is_out_of_bounds() {
        let judged = judged(&[ENDING], |position, _| {
            let is_white =
                position.king(chess::rules::Color::White).rank() == chess::rules::Rank::R1;
            Score::Mate(if is_white && material(position) > 0 {
                3
            } else {
                -3
            })
        });
        let words: Vec<_> = judged
            .violations
            .iter()
            .map(|one| one.message.as_str())
            .collect();
        assert_eq!(words, ["mate 3, expected no mate"]);
    }

    #[test]
    fn mirrors_are_their_own_inverse() {
        let setup = fen::parse("4k3/8/8/3pP3/8/8/1N6/4K3 w - d6 0 1")
            .unwrap()
            .to_setup();
        let mirrored = left_to_right(&setup);
        let text = fen::write(&Position::from_setup(mirrored.clone()).unwrap());
        assert_eq!(text, "3k4/8/8/3Pp3/8/8/6N1/3K4 w - e6 0 1");
        assert_eq!(left_to_right(&mirrored), setup);
    }

    #[test]
    fn a_failure_is_neither_agreement_nor_violation() {
        let plan = plan(vec![fen::parse(ENDING).unwrap()], rules());
        let failure = Failure {
            reason: "gone".to_owned(),
            transcript: String::new(),
        };
        let first = vec![Some(Err(failure)); plan.questions().len()];
        let judged = plan.judge(&first, &[None], true);
        assert!(judged.made.is_empty());
        assert_eq!(judged.failures.len(), 3);
        assert!(judged.is_interrupted);
    }
}

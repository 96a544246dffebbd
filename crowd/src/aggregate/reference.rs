//! The same model, slow and plain: a table of all workers and tasks, and products instead of sums of logarithms.

use proptest::prelude::*;

use super::em::{Fit, Given, NO, NoYes, Votes, YES, fit};

/// The probability of each answer, given the truth, of one worker; each is a row of two.
type Matrix = [NoYes; 2];

/// Task by worker: what was answered, if anything.
#[derive(Debug)]
struct AnswerTable {
    answers: Vec<Vec<Option<usize>>>,
    known: Vec<Option<usize>>,
    workers: usize,
}

impl AnswerTable {
    fn to_shares(&self, mut weights: Vec<NoYes>) -> Vec<NoYes> {
        for (weight, known) in weights.iter_mut().zip(&self.known) {
            let sum = weight[NO] + weight[YES];
            let certain = |is| f64::from(u8::from(*known == Some(is)));
            *weight = [NO, YES].map(|is| known.map_or(weight[is] / sum, |_| certain(is)));
        }
        weights
    }

    fn votes(&self) -> Vec<NoYes> {
        let count =
            |row: &[Option<usize>], answer| row.iter().filter(|one| **one == Some(answer)).count();
        let count = |row: &[Option<usize>], answer| {
            f64::from(u32::try_from(count(row, answer)).expect("few"))
        };
        let rows = self.answers.iter();
        self.to_shares(
            rows.map(|row| [NO, YES].map(|answer| count(row, answer)))
                .collect(),
        )
    }

    fn matrix(&self, worker: usize, truth: &[NoYes]) -> Matrix {
        let count = |answer, is: usize| -> f64 {
            let tasks = self.answers.iter().zip(truth);
            let of = tasks.filter(|(row, _)| row[worker] == Some(answer));
            let before = if answer == is { 0.8 } else { 0.2 };
            f64::max(of.map(|(_, truth)| truth[is]).sum(), 1e-10) + before
        };
        [NO, YES]
            .map(|answer| [NO, YES].map(|is| count(answer, is) / (count(NO, is) + count(YES, is))))
    }

    fn matrices(&self, truth: &[NoYes]) -> Vec<Matrix> {
        (0..self.workers)
            .map(|worker| self.matrix(worker, truth))
            .collect()
    }

    fn priors(truth: &[NoYes]) -> NoYes {
        let tasks = f64::from(u32::try_from(truth.len()).expect("few"));
        [NO, YES].map(|is| f64::max(truth.iter().map(|row| row[is]).sum::<f64>() / tasks, 1e-10))
    }

    fn truth(&self, matrices: &[Matrix], priors: NoYes) -> Vec<NoYes> {
        let weight = |row: &Vec<Option<usize>>, is: usize| {
            let said = row
                .iter()
                .zip(matrices)
                .filter_map(|(answer, matrix)| Some(matrix[(*answer)?][is]));
            said.fold(priors[is], |product, factor| product * factor)
        };
        let rows = self.answers.iter();
        self.to_shares(
            rows.map(|row| [NO, YES].map(|is| weight(row, is)))
                .collect(),
        )
    }

    fn bound(&self, truth: &[NoYes], matrices: &[Matrix]) -> f64 {
        let priors = Self::priors(truth);
        let (mut sum, mut count) = (0.0, 0.0);
        for (row, truth) in self.answers.iter().zip(truth) {
            for (answer, matrix) in row.iter().zip(matrices) {
                let Some(answer) = *answer else { continue };
                count += 1.0;
                sum += [NO, YES]
                    .map(|is| truth[is] * f64::ln(matrix[answer][is] * priors[is]))
                    .iter()
                    .sum::<f64>();
            }
        }
        let cells = truth.iter().flatten().map(|p| p.max(1e-10));
        (sum - cells.map(|p| p * p.ln()).sum::<f64>()) / count
    }

    fn fit(&self) -> Vec<NoYes> {
        let mut truth = self.votes();
        let mut before = f64::NEG_INFINITY;
        for _ in 0..100 {
            truth = self.truth(&self.matrices(&truth), Self::priors(&truth));
            let bound = self.bound(&truth, &self.matrices(&truth));
            if bound - before < 1e-5 {
                break;
            }
            before = bound;
        }
        truth
    }
}

fn fitted(table: &AnswerTable) -> Fit {
    let rows = table.answers.iter().enumerate();
    let given = rows.flat_map(|(task, row)| {
        let answers = row.iter().enumerate();
        answers.filter_map(move |(worker, answer)| {
            let answer = (*answer)?;
            Some(Given {
                task,
                worker,
                answer,
            })
        })
    });
    fit(&Votes {
        given: &given.collect::<Vec<_>>(),
        workers: table.workers,
        known: &table.known,
    })
}

/// Every task and worker has an answer: the first one's, and those to the first task.
fn tables() -> impl Strategy<Value = AnswerTable> {
    let answer = prop_oneof![2 => Just(None), 3 => Just(Some(NO)), 3 => Just(Some(YES))];
    let known = prop_oneof![3 => Just(None), 1 => Just(Some(NO)), 1 => Just(Some(YES))];
    let table = (1..9_usize, 1..30_usize).prop_flat_map(move |(workers, tasks)| {
        let row = prop::collection::vec(answer.clone(), workers);
        let rows = prop::collection::vec(row, tasks);
        (rows, prop::collection::vec(known.clone(), tasks))
    });
    table.prop_map(|(mut answers, known)| {
        let workers = answers[0].len();
        for answer in &mut answers[0] {
            *answer = answer.or(Some(YES));
        }
        for row in &mut answers {
            row[0] = row[0].or(Some(NO));
        }
        AnswerTable {
            answers,
            known,
            workers,
        }
    })
}

proptest! {
    #[test]
    fn the_model_agrees_with_the_plain_reference(table in tables()) {
        let ours = fitted(&table);
        for (ours, theirs) in ours.truth.iter().zip(table.fit()) {
            prop_assert!((ours[YES] - theirs[YES]).abs() < 1e-9, "{ours:?} {theirs:?}");
            prop_assert!((ours[NO] + ours[YES] - 1.0).abs() < 1e-12);
        }
        for reliability in ours.reliability {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&reliability));
        }
    }
}

/// Three workers always disagree with two: the majority is right until known answers show otherwise.
#[test]
fn known_answers_stand_and_change_who_is_believed() {
    let answers = |task: usize| {
        (0..5)
            .map(|worker| Some((task + usize::from(worker < 3)) % 2))
            .collect()
    };
    let table = |known: usize| AnswerTable {
        answers: (0..20).map(answers).collect(),
        known: (0..20)
            .map(|task| (task < known).then_some(task % 2))
            .collect(),
        workers: 5,
    };
    let (without, with) = (fitted(&table(0)), fitted(&table(10)));
    assert!(without.truth[15][YES] < 0.1 && with.truth[15][YES] > 0.9);
    assert!(with.truth[3][NO] <= 0.0 && with.truth[3][YES] >= 1.0);
    assert!(without.reliability[0] > 0.9 && with.reliability[0] < 0.2);
    assert!(without.reliability[4] < 0.2 && with.reliability[4] > 0.9);
}

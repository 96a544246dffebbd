//! The same model, slow and plain: products instead of sums of logarithms.

use proptest::prelude::*;

use super::em::{Fit, Given, NO, NoYes, Votes, YES, fit};

/// By worker, the probability of each answer (first index), given the truth (second); and that of each truth.
fn model(votes: &Votes, truth: &[NoYes]) -> (Vec<[NoYes; 2]>, NoYes) {
    let count = |worker: usize, answer: usize, is: usize| {
        let given = votes.given.iter();
        let given = given.filter(|one| (one.worker, one.answer) == (worker, answer));
        let before = if answer == is { 0.8 } else { 0.2 };
        f64::max(given.map(|one| truth[one.task][is]).sum(), 1e-10) + before
    };
    let share = |worker, answer, is| {
        count(worker, answer, is) / (count(worker, NO, is) + count(worker, YES, is))
    };
    let workers = 0..votes.workers;
    let workers = workers.map(|worker| [NO, YES].map(|a| [NO, YES].map(|is| share(worker, a, is))));
    let prior = |is: usize| truth.iter().map(|row| row[is]).sum::<f64>() / real(truth.len());
    let priors = [NO, YES].map(|is| f64::max(prior(is), 1e-10));
    (workers.collect(), priors)
}

fn real(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("few"))
}

fn slow(votes: &Votes) -> Vec<NoYes> {
    let by_task = |weights: &dyn Fn(&[&Given]) -> NoYes| -> Vec<NoYes> {
        let known = votes.known.iter().enumerate();
        let truth = known.map(|(task, known)| {
            let given = votes.given.iter().filter(|one| one.task == task);
            let [no, yes] = weights(&given.collect::<Vec<_>>());
            let certain = |is| f64::from(u8::from(*known == Some(is)));
            known.map_or([no / (no + yes), yes / (no + yes)], |_| {
                [NO, YES].map(certain)
            })
        });
        truth.collect()
    };
    let mut truth = by_task(&|given| {
        [NO, YES].map(|answer| real(given.iter().filter(|one| one.answer == answer).count()))
    });
    let mut before = f64::NEG_INFINITY;
    for _ in 0..100 {
        let (workers, priors) = model(votes, &truth);
        truth = by_task(&|given| {
            [NO, YES].map(|is| {
                let said = given.iter().map(|one| workers[one.worker][one.answer][is]);
                said.fold(priors[is], |product, factor| product * factor)
            })
        });
        let (workers, priors) = model(votes, &truth);
        let joint = votes.given.iter().flat_map(|one| {
            let said = workers[one.worker][one.answer];
            let truth = truth[one.task];
            [NO, YES].map(|is| truth[is] * f64::ln(said[is] * priors[is]))
        });
        let cells = truth.iter().flatten().map(|p| p.max(1e-10));
        let entropy = cells.map(|p| p * p.ln()).sum::<f64>();
        let bound = (joint.sum::<f64>() - entropy) / real(votes.given.len());
        if bound - before < 1e-5 {
            break;
        }
        before = bound;
    }
    truth
}

/// What each worker answered to each task, and what is known of it; every task and worker has an answer: the first one's,
/// and those to the first task.
type Table = (Vec<Vec<Option<usize>>>, Vec<Option<usize>>);

fn with<T>((answers, known): &Table, work: impl Fn(&Votes) -> T) -> T {
    let mut given = Vec::new();
    for (task, row) in answers.iter().enumerate() {
        for (worker, &answer) in row.iter().enumerate() {
            let answer = answer
                .or((worker == 0).then_some(NO))
                .or((task == 0).then_some(YES));
            given.extend(answer.map(|answer| Given {
                task,
                worker,
                answer,
            }));
        }
    }
    work(&Votes {
        given: &given,
        workers: answers[0].len(),
        known,
    })
}

fn tables() -> impl Strategy<Value = Table> {
    let answer = prop_oneof![2 => Just(None), 3 => Just(Some(NO)), 3 => Just(Some(YES))];
    let known = prop_oneof![3 => Just(None), 1 => Just(Some(NO)), 1 => Just(Some(YES))];
    (1..9_usize, 1..30_usize).prop_flat_map(move |(workers, tasks)| {
        let row = prop::collection::vec(answer.clone(), workers);
        let rows = prop::collection::vec(row, tasks);
        (rows, prop::collection::vec(known.clone(), tasks))
    })
}

proptest! {
    #[test]
    fn the_model_agrees_with_the_plain_reference(table in tables()) {
        let ours = with(&table, fit);
        for (ours, theirs) in ours.truth.iter().zip(with(&table, slow)) {
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
    let tasks = 0..20_usize;
    let answers =
        |task: usize| (0..5).map(move |worker| Some((task + usize::from(worker < 3)) % 2));
    let answers: Vec<Vec<_>> = tasks.clone().map(|task| answers(task).collect()).collect();
    let fitted = |known: usize| -> Fit {
        let known = tasks.clone().map(|task| (task < known).then_some(task % 2));
        with(&(answers.clone(), known.collect()), fit)
    };
    let (without, with) = (fitted(0), fitted(10));
    assert!(without.truth[15][YES] < 0.1 && with.truth[15][YES] > 0.9);
    assert!(with.truth[3][NO] <= 0.0 && with.truth[3][YES] >= 1.0);
    assert!(without.reliability[0] > 0.9 && with.reliability[0] < 0.2);
    assert!(without.reliability[4] < 0.2 && with.reliability[4] > 0.9);
}

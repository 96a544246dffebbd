//! Tests the rule against its formula, its randomness and order, and a function with a known
//! optimum.

use proptest::prelude::*;

use super::*;
use crate::tune::parameter::ParameterKind;

fn parameter(start: f64, c_end: f64, r_end: f64) -> Parameter {
    Parameter {
        name: "Margin".to_owned(),
        kind: ParameterKind::Float,
        start,
        min: 0.0,
        max: 100.0,
        c_end,
        r_end,
    }
}

fn wdl(wins: u64, draws: u64, losses: u64) -> Wdl {
    Wdl {
        wins,
        draws,
        losses,
    }
}

fn numbers(texts: &[String]) -> Vec<f64> {
    let numbers = texts.iter().map(|text| text.parse().expect("a number"));
    numbers.collect()
}

#[test]
fn the_gains_end_as_given() {
    let gains = Gains::usual(1000);
    let margin = parameter(50.0, 4.0, 0.01);
    assert!((gains.perturbation(&margin, 999) - 4.0).abs() < 1e-12);
    assert!((gains.step(&margin, 999) - 0.01 * 4.0).abs() < 1e-12);
    // By hand: 4 * 1000^0.101 and 0.01 * 16 * (1100 / 101)^0.602 / c_1.
    let c_1 = 8.036_7;
    assert!((gains.perturbation(&margin, 0) - c_1).abs() < 1e-3);
    let a_1 = 0.16 * (0.602 * (1100.0_f64 / 101.0).ln()).exp();
    assert!((gains.step(&margin, 0) - a_1 / c_1).abs() < 1e-5);
}

#[test]
fn a_won_pair_moves_towards_the_winner() {
    for seed in 0..50 {
        let mut spsa = Spsa::new(vec![parameter(50.0, 4.0, 0.01)], Gains::usual(10), seed, 1);
        let trial = spsa.trial(0).expect("the first");
        let (plus, minus) = (numbers(&trial.plus)[0], numbers(&trial.minus)[0]);
        assert!((plus + minus - 100.0).abs() < 1e-9, "{plus} {minus}");
        let step = spsa.gains().step(&spsa.parameters()[0], 0);
        spsa.apply(wdl(2, 0, 0));
        let moved = spsa.values()[0] - 50.0;
        assert!((moved.abs() - 2.0 * step).abs() < 1e-12, "{moved}");
        assert_eq!(moved > 0.0, plus > minus, "seed {seed}");
        spsa.apply(wdl(1, 3, 1));
        assert!((spsa.values()[0] - 50.0 - moved).abs() < 1e-15, "a draw");
    }
}

#[test]
fn an_iteration_begins_from_the_values_of_its_lag() {
    let margins = || vec![parameter(50.0, 4.0, 0.5)];
    let mut spsa = Spsa::new(margins(), Gains::usual(6), 3, 3);
    let middle = |trial: &Trial| f64::midpoint(numbers(&trial.plus)[0], numbers(&trial.minus)[0]);
    let mut values = vec![50.0];
    let mut seen = Vec::new();
    while spsa.done() < 6 {
        let done = spsa.done();
        for iteration in done..6 {
            let trial = spsa.trial(iteration);
            assert_eq!(trial.is_some(), iteration < done + 3, "{done} {iteration}");
            seen.extend(trial.map(|trial| (iteration, middle(&trial))));
        }
        assert_eq!(spsa.trial(6), None);
        spsa.apply(wdl(1, 1, 0));
        values.push(spsa.values()[0]);
        assert_eq!(spsa.trial(done), None, "it is done");
    }
    for (iteration, middle) in seen {
        let from = usize::try_from(iteration).expect("few").saturating_sub(2);
        let expected = values[from];
        assert!((middle - expected).abs() < 1e-9, "iteration {iteration}");
    }
}

#[test]
fn chance_is_that_of_the_seed_and_fair() {
    let margins = || vec![parameter(50.0, 4.0, 0.01), parameter(50.0, 4.0, 0.01)];
    let trials = |seed| {
        let spsa = Spsa::new(margins(), Gains::usual(10_000), seed, 10_000);
        let trials = (0..10_000).map(move |k| spsa.trial(k).expect("all begin at once"));
        trials.collect::<Vec<_>>()
    };
    assert_eq!(trials(1), trials(1));
    assert_ne!(trials(1), trials(2));
    let up = |trial: &Trial, index: usize| numbers(&trial.plus)[index] > 50.0;
    let trials = trials(1);
    // 10,000 fair coins: 5,000 with a deviation of 50.
    let count = |test: &dyn Fn(&Trial) -> bool| trials.iter().filter(|trial| test(trial)).count();
    let ups = count(&|trial| up(trial, 0));
    let same = count(&|trial| up(trial, 0) == up(trial, 1));
    assert!(ups.abs_diff(5000) < 250, "{ups}");
    assert!(same.abs_diff(5000) < 250, "{same}");
}

#[test]
fn whole_numbers_have_the_right_mean() {
    let margin = Parameter {
        kind: ParameterKind::Int,
        ..parameter(50.3, 4.2, 0.01)
    };
    let gains = Gains {
        gamma: 0.0,
        ..Gains::usual(10_000)
    };
    let spsa = Spsa::new(vec![margin], gains, 7, 10_000);
    let mut sum = 0.0;
    for iteration in 0..10_000 {
        let trial = spsa.trial(iteration).expect("all begin at once");
        let (plus, minus) = (numbers(&trial.plus)[0], numbers(&trial.minus)[0]);
        // 8.4 apart: 8 or 9 apart.
        assert!([8.0, 9.0].contains(&(plus - minus).abs()), "{plus} {minus}");
        sum += plus + minus;
    }
    // The deviation of a mean of 10,000 is below 4.3 / 100.
    let mean = sum / 20_000.0;
    assert!((mean - 50.3).abs() < 0.05, "{mean}");
}

/// Simulates pairs: the strength of a set of values in Elo falls with the square of the distance
/// from the optimum. Returns the last values.
fn tune(optimum: &[f64], starts: &[f64], seed: u64, lag: u64) -> Vec<f64> {
    let parameters = starts.iter().map(|&start| parameter(start, 8.0, 0.02));
    let iterations = 20_000;
    let mut spsa = Spsa::new(parameters.collect(), Gains::usual(iterations), seed, lag);
    let mut rng = ChaCha8Rng::seed_from_u64(!seed);
    let elo = |values: &[f64]| {
        let distances = values.iter().zip(optimum).map(|(value, best)| value - best);
        -distances
            .map(|distance| distance * distance / 25.0)
            .sum::<f64>()
    };
    let mut waiting = VecDeque::new();
    for iteration in 0..iterations {
        while let Some(trial) = spsa.trial(spsa.done() + waiting.len() as u64) {
            waiting.push_back(trial);
        }
        let trial = waiting.pop_front().expect("the next");
        assert_eq!(trial.iteration, iteration);
        let difference = elo(&numbers(&trial.plus)) - elo(&numbers(&trial.minus));
        let score = 1.0 / (1.0 + libm::pow(10.0, -difference / 400.0));
        let mut games = wdl(0, 0, 0);
        for _ in 0..2 {
            let number = to_f64(rng.next_u64() >> 11) / to_f64(1 << 53);
            // Half of the games between equals are drawn.
            if number < score * score {
                games.wins += 1;
            } else if number > 1.0 - (1.0 - score) * (1.0 - score) {
                games.losses += 1;
            } else {
                games.draws += 1;
            }
        }
        spsa.apply(games);
    }
    spsa.values().to_vec()
}

/// Why a distance of 12 is required. Elo falls by d^2/25, so that two values 2c = 16 apart around a
/// distance d differ by 4cd/25 = 1.28 d Elo. In a pair of games, 1.28 d * ln(10) / 400 = 0.00737 d
/// more are won than lost, and each moves the value by r*c = 0.16 in the end, by more before: a
/// pair moves it towards the optimum by 0.00118 d. Over 20,000 pairs the start value is forgotten
/// (e^-23). The result of a pair has a variance of 2 * 1/2 = 1, so that the noise of 0.16^2 =
/// 0.0256 per pair leads to a stationary variance of 0.0256 / (2 * 0.00118) = 10.8: a deviation of
/// 3.3. 12 is 3.6 of these, and the seeds are fixed.
#[test]
fn a_noisy_quadratic_is_climbed() {
    let (optimum, starts) = ([70.0, 30.0, 50.0], [20.0, 90.0, 50.0]);
    for lag in testkit::some(vec![1, 8, 64], 2) {
        let mut sums = [0.0; 3];
        for seed in 1..=4 {
            let values = tune(&optimum, &starts, seed, lag);
            for (index, (value, best)) in values.iter().zip(optimum).enumerate() {
                assert!(
                    (value - best).abs() < 12.0,
                    "lag {lag}, seed {seed}: {values:?}"
                );
                sums[index] += value;
            }
        }
        // The mean of four has a deviation of 1.65.
        for (sum, best) in sums.iter().zip(optimum) {
            assert!((sum / 4.0 - best).abs() < 6.0, "lag {lag}: {sums:?}");
        }
    }
}

proptest! {
    #[test]
    fn nothing_leaves_its_range(
        start in 0.0..=100.0_f64,
        c_end in 0.5..=100.0_f64,
        r_end in 0.0001..=1.0_f64,
        seed in any::<u64>(),
        lag in 1..20_u64,
        is_int in any::<bool>(),
        results in prop::collection::vec((0..4_u64, 0..4_u64), 1..60),
    ) {
        let mut margin = parameter(start, c_end, r_end);
        if is_int {
            margin.kind = ParameterKind::Int;
        }
        prop_assert_eq!(margin.check(), Ok(()));
        let gains = Gains::usual(results.len() as u64);
        let mut spsa = Spsa::new(vec![margin], gains, seed, lag);
        for (wins, losses) in results {
            let trial = spsa.trial(spsa.done()).expect("the next can always begin");
            for text in trial.plus.iter().chain(&trial.minus) {
                let value: f64 = text.parse().expect("a number");
                prop_assert!((0.0..=100.0).contains(&value), "{}", value);
                prop_assert!(!is_int || value.fract() == 0.0, "{}", value);
            }
            spsa.apply(wdl(wins, 0, losses));
            prop_assert!((0.0..=100.0).contains(&spsa.values()[0]));
        }
    }
}

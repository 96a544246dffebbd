//! Training on synthetic positions with known solutions.

use chacha20::ChaCha8Rng;
use engine::eval::Coefficients;
use rand::{RngExt, SeedableRng};

use super::data::Data;
use super::loss::USUAL;
use super::sample::{Sample, Weight};
use super::train::{Settings, Trained, train};
use super::{loss, sample};

const SETTINGS: Settings = Settings {
    seed: 5,
    epochs: 60,
    batch: 256,
    rate: 4.0,
    spread: 1000.0,
};

/// The true weights and their number.
fn truth() -> Vec<Weight> {
    let weight = |n: i32| [f64::from(n * 17 % 90 - 40), f64::from(n * 29 % 110 - 50)];
    (0..24).map(weight).collect()
}

/// A random position in which some weights count up to four times; the last weight never counts.
fn position(rng: &mut ChaCha8Rng) -> Sample {
    let mut counts = Vec::new();
    for index in 0..23 {
        let count = rng.random_range(-4..=4);
        if count != 0 && rng.random_bool(0.4) {
            counts.push((index, count));
        }
    }
    let coefficients = Coefficients {
        middle_game_parts: rng.random_range(0..=24),
        scale: if rng.random_bool(0.2) { 32 } else { 64 },
        counts,
    };
    Sample::new(coefficients, 0.5, None)
}

/// Positions whose points are exactly those expected with the true weights.
#[expect(clippy::cast_possible_truncation, reason = "seven digits are enough")]
fn positions(seed: u64, count: usize) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let truth = truth();
    let mut made = |_| {
        let mut sample = position(&mut rng);
        sample.target = loss::expected(USUAL, sample.value(&truth)) as f32;
        sample
    };
    (0..count).map(&mut made).collect()
}

fn data() -> Data {
    Data {
        training: positions(1, 6000),
        hold_out: positions(2, 600),
        games: 6600,
        training_games: 6000,
    }
}

fn start() -> Vec<Weight> {
    vec![[0.0; 2]; truth().len()]
}

fn trained(threads: usize) -> Trained {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().unwrap();
    pool.install(|| train(&data(), &start(), USUAL, SETTINGS, |_| {}))
}

#[test]
fn the_value_is_the_tapered_sum() {
    let coefficients = Coefficients {
        middle_game_parts: 18,
        scale: 32,
        counts: vec![(0, 2), (2, -1)],
    };
    let sample = Sample::new(coefficients, 1.0, None);
    let weights = [[100.0, 200.0], [7.0, 7.0], [40.0, 80.0]];
    // (2 * 100 - 40) * 18/24 + (2 * 200 - 80) * 6/24 * 32/64.
    assert!((sample.value(&weights) - 160.0).abs() < 1e-9);
    let rounded = sample::rounded(&[[1.5, -1.4]]);
    assert_eq!(sample::weights(&rounded), [[2.0, -1.0]]);
}

#[test]
fn the_gradient_is_that_of_small_differences() {
    let samples = positions(3, 1500);
    let chosen: Vec<u32> = (0..1500).collect();
    let mut weights = truth();
    for (weight, other) in weights.iter_mut().zip(truth().iter().rev()) {
        *weight = [weight[0] + other[1] / 3.0, weight[1] - other[0] / 2.0];
    }
    let gradient = loss::gradient(&samples, &chosen, &weights, USUAL);
    let step = 1e-3;
    for index in 0..weights.len() {
        for phase in 0..2 {
            let mut error = |step: f64| {
                let before = weights[index][phase];
                weights[index][phase] += step;
                let error = loss::error(&samples, &weights, USUAL);
                weights[index][phase] = before;
                error
            };
            let slope = (error(step) - error(-step)) / (2.0 * step);
            let found = gradient[index][phase];
            assert!(
                (slope - found).abs() < 1e-9,
                "{index}: {found}, expected {slope}"
            );
        }
    }
}

#[test]
fn the_weights_that_made_the_points_are_found() {
    let trained = trained(2);
    for (index, (found, expected)) in trained.weights.iter().zip(truth()).enumerate() {
        // The last weight counts nowhere and keeps its initial value.
        let expected = if index == 23 { [0.0; 2] } else { expected };
        for phase in 0..2 {
            let (found, expected) = (found[phase], expected[phase]);
            assert!(
                (found - expected).abs() < 1.5,
                "{index}: {found}, expected {expected}"
            );
        }
    }
    assert!(trained.best.errors.hold_out < trained.before.hold_out / 100.0);
}

#[test]
fn threads_change_nothing() {
    assert_eq!(trained(1), trained(2));
}

#[test]
fn a_weight_seen_seldom_stays_near_its_start() {
    let mut data = data();
    for sample in data.training.iter_mut().skip(20) {
        let kept = sample
            .counts
            .iter()
            .copied()
            .filter(|&(index, _)| index != 0);
        sample.counts = kept.collect();
    }
    let settings = Settings {
        spread: 2.0,
        ..SETTINGS
    };
    let trained = train(&data, &start(), USUAL, settings, |_| {});
    let distance = |index: usize| (trained.weights[index][0] / truth()[index][0]).abs();
    assert!(distance(0) < 0.5, "{}", distance(0));
    assert!(distance(1) > 0.5, "{}", distance(1));
}

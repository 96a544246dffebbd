//! Compares the gradient with finite differences and the quantised network with the original, and
//! runs a training that must converge.

use std::cmp::Ordering;

use chess::notation::fen;
use chess::notation::pgn::PgnResult;
use chess::rules::{Color, Position};
use engine::eval::{Evaluation, Network};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::model::{Model, SIZE, Slope};
use super::sample::Data;
use super::sample::{Aim, Sample};
use super::train::{Settings, mean_error, train};
use crate::line::Line;

const SCALE: i32 = 250;
const AIM: Aim = Aim {
    lambda: 1.0,
    scale: 250.0,
};

/// The side with more men wins.
fn winner(position: &Position) -> PgnResult {
    let [white, black] = Color::ALL.map(|color| position.by_color(color).count());
    match white.cmp(&black) {
        Ordering::Greater => PgnResult::WhiteWins,
        Ordering::Equal => PgnResult::Draw,
        Ordering::Less => PgnResult::BlackWins,
    }
}

/// Positions of random games with results that a network can learn.
fn lines(seed: u64, count: usize) -> Vec<Line> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut position = Position::startpos();
        for _ in 0..40 {
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
            let result = winner(&position);
            lines.push(Line {
                game: 1,
                position,
                result,
                score: None,
            });
        }
    }
    lines.truncate(count);
    lines
}

fn samples(lines: &[Line]) -> Vec<Sample> {
    lines
        .iter()
        .filter_map(|line| Sample::of(line, AIM))
        .collect()
}

#[test]
fn gradients_agree_with_finite_differences() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let model = Model::random(&mut rng);
    let sample = &samples(&lines(1, 30))[29];
    let mut slope = Slope::flat();
    model.learn(sample, &mut slope);
    let error = |model: &Model| (model.points(sample) - sample.target).powi(2);
    assert!((slope.error - f64::from(error(&model))).abs() < 1e-6);
    let (mut tried, mut moved) = (0, 0);
    // Every 97th parameter, of all layers.
    for index in (0..SIZE).step_by(97) {
        let shifted = |by: f32| {
            let mut other = model.clone();
            other.0[index] += by;
            error(&other)
        };
        let difference = (shifted(0.01) - shifted(-0.01)) / 0.02;
        let derivative = slope.gradient[index];
        assert!(
            (difference - derivative).abs() < 2e-3 + 0.05 * derivative.abs(),
            "{index}: {derivative}, by differences {difference}"
        );
        tried += 1;
        moved += usize::from(derivative != 0.0);
    }
    assert!(tried > 1000 && moved > 20, "{tried}, {moved}");
}

#[test]
fn training_does_not_depend_on_threads_and_agrees_with_the_engine() {
    let data = Data {
        training: samples(&lines(2, 20_000)),
        hold_out: samples(&lines(3, 1000)),
    };
    let settings = Settings {
        seed: 1,
        epochs: 4,
        batch: 256,
        rate: 0.003,
        decay: 0.01,
    };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("threads");
        pool.install(|| train(&data, settings, |_, _, _| {}))
    };
    let model = with(1);
    assert_eq!(model, with(3));
    let untaught = Model::random(&mut ChaCha8Rng::seed_from_u64(1));
    let [before, after] = [&untaught, &model].map(|model| mean_error(model, &data.hold_out));
    assert!(after < before / 3.0, "{before} to {after}");
    agrees_in_the_engine(&model);
}

/// The engine's integer arithmetic predicts nearly the same points.
fn agrees_in_the_engine(model: &Model) {
    let network = Network::new(model.quantized(SCALE));
    for line in &lines(4, 300) {
        let sample = Sample::of(line, AIM).expect("no more than 32 pieces");
        let value = f64::from(network.evaluate(&line.position)) / f64::from(SCALE);
        let points = 1.0 / (1.0 + (-value).exp());
        let expected = f64::from(model.points(&sample));
        assert!(
            (points - expected).abs() < 0.03,
            "{}: {points}, expected {expected}",
            fen::write(&line.position)
        );
    }
}

//! The network in floating point: forward pass and gradient.

use engine::eval::network::{
    BUCKETS, HIDDEN, INPUTS, OUTPUT_LIMIT, OUTPUT_UNIT, Row, UNIT, Weights,
};
use rand::{Rng, RngExt};

use super::sample::{Sample, sigmoid};

/// All parameters in one vector: inputs, bias, outputs of every bucket and side, output biases.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model(pub(super) Vec<f32>);

const BIAS: usize = INPUTS * HIDDEN;
const OUTPUTS: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUTS + BUCKETS * 2 * HIDDEN;
pub(super) const SIZE: usize = OUTPUT_BIAS + BUCKETS;
/// Limit on the weights, so that they fit their quantised integers.
const LIMIT: f32 = 1.98;

/// The activations of one perspective.
type Neurons = [f32; HIDDEN];

/// A gradient, with the sum of the squared errors.
#[derive(Clone, Debug)]
pub(super) struct Slope {
    pub(super) gradient: Vec<f32>,
    pub(super) error: f64,
}

impl Slope {
    pub(super) fn flat() -> Self {
        Self {
            gradient: vec![0.0; SIZE],
            error: 0.0,
        }
    }
}

impl Model {
    /// Initialises the parameters with small random numbers.
    pub(super) fn random(rng: &mut impl Rng) -> Self {
        let mut numbers: Vec<f32> = (0..SIZE).map(|_| rng.random_range(-0.06..0.06)).collect();
        // A positive bias, because a neuron below zero has no gradient.
        numbers[BIAS..OUTPUTS].fill_with(|| rng.random_range(0.0..0.4));
        numbers[OUTPUT_BIAS..].fill(0.0);
        Self(numbers)
    }

    /// The predicted points of the side to move.
    pub(super) fn points(&self, sample: &Sample) -> f32 {
        let sums = [0, 1].map(|side| self.sums(sample, side));
        points(sample, self.output(sample, &sums))
    }

    /// Adds the gradient of the squared error of a sample.
    pub(super) fn learn(&self, sample: &Sample, slope: &mut Slope) {
        let sums = [0, 1].map(|side| self.sums(sample, side));
        let points = points(sample, self.output(sample, &sums));
        let miss = points - sample.target;
        slope.error += f64::from(miss * miss);
        let of_output = 2.0 * miss * points * (1.0 - points) * sample.share;
        let gradient = &mut slope.gradient;
        gradient[OUTPUT_BIAS + usize::from(sample.bucket)] += of_output;
        for (side, sums) in sums.iter().enumerate() {
            let at = output_row(sample, side);
            let weights = neurons(&self.0, at);
            let outputs = neurons_mut(gradient, at);
            let mut of_sums = [0.0; HIDDEN];
            for i in 0..HIDDEN {
                let cut = sums[i].clamp(0.0, 1.0);
                outputs[i] += of_output * cut * cut;
                let moves = if sums[i] > 0.0 && sums[i] < 1.0 {
                    1.0
                } else {
                    0.0
                };
                of_sums[i] = moves * of_output * weights[i] * 2.0 * cut;
            }
            add(neurons_mut(gradient, BIAS), &of_sums);
            for input in sample.inputs(side) {
                add(neurons_mut(gradient, input * HIDDEN), &of_sums);
            }
        }
    }

    /// Clips parameters that have grown too large.
    pub(super) fn limit(&mut self) {
        for number in &mut self.0[..OUTPUT_BIAS] {
            *number = number.clamp(-LIMIT, LIMIT);
        }
    }

    /// Quantises the parameters for the engine.
    pub(super) fn quantized(&self, scale: i32) -> Weights {
        let row = |at: usize, unit: i16, limit: i16| {
            Row(neurons(&self.0, at).map(|number| rounded(number, unit).clamp(-limit, limit)))
        };
        let mut weights = Weights::zero();
        weights.scale = scale;
        weights.bias = row(BIAS, UNIT, i16::MAX);
        for (input, to) in weights.inputs.iter_mut().enumerate() {
            *to = row(input * HIDDEN, UNIT, i16::MAX);
        }
        for (index, to) in weights.outputs.as_flattened_mut().iter_mut().enumerate() {
            *to = row(OUTPUTS + index * HIDDEN, OUTPUT_UNIT, OUTPUT_LIMIT);
        }
        for (to, &number) in weights.output_bias.iter_mut().zip(&self.0[OUTPUT_BIAS..]) {
            #[expect(clippy::cast_possible_truncation, reason = "it is some thousands")]
            let parts = (number * f32::from(UNIT) * f32::from(OUTPUT_UNIT)).round() as i32;
            *to = parts;
        }
        weights
    }

    fn sums(&self, sample: &Sample, side: usize) -> Neurons {
        let mut sums = *neurons(&self.0, BIAS);
        for input in sample.inputs(side) {
            add(&mut sums, neurons(&self.0, input * HIDDEN));
        }
        sums
    }

    fn output(&self, sample: &Sample, sums: &[Neurons; 2]) -> f32 {
        let mut lanes = [0.0; HIDDEN];
        for (side, sums) in sums.iter().enumerate() {
            let weights = neurons(&self.0, output_row(sample, side));
            for i in 0..HIDDEN {
                let cut = sums[i].clamp(0.0, 1.0);
                lanes[i] += cut * cut * weights[i];
            }
        }
        let sum: f32 = lanes.iter().sum();
        sum + self.0[OUTPUT_BIAS + usize::from(sample.bucket)]
    }
}

/// Converts a network output to predicted points.
fn points(sample: &Sample, output: f32) -> f32 {
    sigmoid(sample.share * output)
}

fn output_row(sample: &Sample, side: usize) -> usize {
    OUTPUTS + (usize::from(sample.bucket) * 2 + side) * HIDDEN
}

fn neurons(numbers: &[f32], at: usize) -> &Neurons {
    numbers[at..].first_chunk().expect("a row is whole")
}

fn neurons_mut(numbers: &mut [f32], at: usize) -> &mut Neurons {
    numbers[at..].first_chunk_mut().expect("a row is whole")
}

fn add(sum: &mut Neurons, other: &Neurons) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum += other;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "weights are limited")]
fn rounded(number: f32, unit: i16) -> i16 {
    (number * f32::from(unit)).round() as i16
}

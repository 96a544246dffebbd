//! The network in floating point: forward pass, gradient and steps.
//!
//! The neurons are divided into slabs of [`WIDTH`], each with the weights to and from its neurons,
//! their gradient and Adam's means. Only the output connects them: its parts are summed up in the
//! order of the slabs. So each slab is the work of one thread at a time, nothing is shared or
//! reduced between threads, and their number does not affect the result. A slab's rows fit the
//! second-level cache, and only the rows of active inputs are read and written.
//!
//! With several king buckets, the weights of an input are the sum of a row for all buckets and one
//! of its own (a factoriser), added up before each step and in the exported network.

use chess::rules::cpu::{CpuSliders, Multiversioned};
use engine::eval::network::{
    BUCKETS, HIDDEN, INPUTS, KingBuckets, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT, WeightRow, Weights,
};
use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::adam::{Moments, NeuronColumns, Rate, WIDTH};
use super::sample::{Sample, SampleFeatures, sigmoid};
use super::vectors;

/// Size and king buckets of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NetworkShape {
    /// Neurons of a perspective, a multiple of [`WIDTH`].
    pub(super) hidden: usize,
    pub(super) kings: KingBuckets,
}

/// All parameters, and what is computed from them for some samples.
#[derive(Clone, Debug)]
pub(super) struct TrainedModel {
    pub(super) shape: NetworkShape,
    pub(super) slabs: Vec<Slab>,
    /// The output biases; the columns beyond are not used.
    pub(super) output_bias: Moments,
    gradient: NeuronColumns,
}

/// Some neurons of both perspectives.
#[derive(Clone, Debug)]
pub(super) struct Slab {
    /// Rows of all buckets, rows of each bucket if there are several, biases, output weights.
    pub(super) parameters: Moments,
    /// By bucket and input: the sums of the rows.
    inputs: Vec<NeuronColumns>,
    /// The gradient by bucket and input, of the biases, and of the output weights.
    gradient: Vec<NeuronColumns>,
    /// The neurons of each sample before activation, and their part of its output.
    sums: Vec<[NeuronColumns; 2]>,
    parts: Vec<f32>,
}

/// Number of samples whose neurons are kept between the passes.
const CHUNK: usize = 1024;
/// Limit on the weights, so that they fit their quantised integers.
const LIMIT: f32 = 1.98;
/// Limit on the weights of a king bucket, which are added to those of all buckets.
const OWN_LIMIT: f32 = 1.9;

impl TrainedModel {
    /// Initialises the parameters with small random numbers.
    pub(super) fn random(shape: NetworkShape, rng: &mut impl Rng) -> Self {
        let slabs = 0..shape.hidden / WIDTH;
        Self {
            shape,
            slabs: slabs.map(|_| Slab::random(&shape.kings, rng)).collect(),
            output_bias: Moments::new(vec![NeuronColumns::ZERO]),
            gradient: NeuronColumns::ZERO,
        }
    }

    /// Replaces the parameters by those of a network with one king bucket or the same ones. More
    /// neurons than it has are random and do not count yet.
    pub(super) fn start_from(&mut self, weights: &Weights) {
        for (slab, from) in self.slabs.iter_mut().zip((0..).step_by(WIDTH)) {
            slab.start_from(weights, from);
        }
        let biases = &mut self.output_bias.numbers[0].0;
        for (to, &parts) in biases.iter_mut().zip(&weights.output_bias) {
            #[expect(clippy::cast_precision_loss, reason = "it is some thousands")]
            let parts = parts as f32;
            *to = parts / f32::from(UNIT) / f32::from(OUTPUT_UNIT);
        }
    }

    /// Adds up the rows of all buckets and those of each one.
    pub(super) fn fold(&mut self) {
        self.slabs.par_iter_mut().for_each(Slab::fold);
    }

    /// Adds the gradient of the squared errors of some samples; returns their sum.
    pub(super) fn learn<'a>(
        &mut self,
        samples: impl Fn(usize) -> &'a Sample + Sync,
        count: usize,
    ) -> f64 {
        let mut error = 0.0;
        for from in (0..count).step_by(CHUNK) {
            let features = self.features(&samples, from, count);
            let mut slopes = Vec::new();
            for (features, output) in features.iter().zip(self.outputs(&features)) {
                let points = sigmoid(features.share * output);
                let miss = points - features.target;
                error += f64::from(miss * miss);
                // The derivative of (p - t)^2 by the output, with p' = p (1 - p) of the logistic
                // curve.
                let slope = 2.0 * miss * points * (1.0 - points) * features.share;
                self.gradient.0[usize::from(features.bucket)] += slope;
                slopes.push(slope);
            }
            self.slabs
                .par_iter_mut()
                .for_each(|slab| slab.backward(&features, &slopes));
        }
        error
    }

    /// The predicted points of the side to move, for each sample.
    pub(super) fn points(&mut self, samples: &[Sample]) -> Vec<f32> {
        let mut all = Vec::new();
        for from in (0..samples.len()).step_by(CHUNK) {
            let features = self.features(&|index| &samples[index], from, samples.len());
            let outputs = self.outputs(&features);
            let both = features.iter().zip(outputs);
            all.extend(both.map(|(features, output)| sigmoid(features.share * output)));
        }
        all
    }

    fn features<'a>(
        &self,
        samples: &(impl Fn(usize) -> &'a Sample + Sync),
        from: usize,
        count: usize,
    ) -> Vec<SampleFeatures> {
        let chunk = from..count.min(from + CHUNK);
        let of = |index| samples(index).features(&self.shape.kings);
        // Fewer samples would cost more in handing them out than in work.
        chunk.into_par_iter().with_min_len(128).map(of).collect()
    }

    /// The outputs of a chunk.
    fn outputs(&mut self, features: &[SampleFeatures]) -> Vec<f32> {
        self.slabs
            .par_iter_mut()
            .for_each(|slab| slab.forward(features));
        let output = |(index, features): (usize, &SampleFeatures)| {
            let parts = self.slabs.iter().map(|slab| slab.parts[index]);
            parts.sum::<f32>() + self.output_bias.numbers[0].0[usize::from(features.bucket)]
        };
        features.iter().enumerate().map(output).collect()
    }

    /// Moves the parameters against the gradient and clears it.
    pub(super) fn step(&mut self, rate: Rate) {
        self.slabs.par_iter_mut().for_each(|slab| slab.step(rate));
        self.output_bias
            .step(0, &self.gradient, rate, f32::INFINITY);
        self.gradient = NeuronColumns::ZERO;
    }

    /// Quantises the parameters for the engine.
    pub(super) fn quantized(&self, scale: i32) -> Weights {
        let NetworkShape { hidden, kings } = self.shape;
        let mut weights = Weights::zero(hidden.min(HIDDEN), kings);
        weights.scale = scale;
        for (slab, from) in self.slabs.iter().zip((0..).step_by(WIDTH)) {
            let fill = |to: &mut [i16; HIDDEN], columns: &NeuronColumns, unit: i16, limit: i16| {
                for (to, &number) in to[from..].iter_mut().zip(&columns.0) {
                    *to = rounded(number, unit).clamp(-limit, limit);
                }
            };
            let (bias, outputs) = slab.last_rows();
            fill(&mut weights.bias.0, bias, UNIT, i16::MAX);
            for (to, row) in weights.inputs.iter_mut().zip(&slab.inputs) {
                fill(&mut to.0, row, UNIT, i16::MAX);
            }
            for (to, row) in weights.outputs.as_flattened_mut().iter_mut().zip(outputs) {
                fill(&mut to.0, row, OUTPUT_UNIT, OUTPUT_LIMIT);
            }
        }
        let biases = &self.output_bias.numbers[0].0;
        for (to, &number) in weights.output_bias.iter_mut().zip(biases) {
            #[expect(clippy::cast_possible_truncation, reason = "it is some thousands")]
            let parts = (number * f32::from(UNIT) * f32::from(OUTPUT_UNIT)).round() as i32;
            *to = parts;
        }
        weights
    }
}

#[expect(clippy::cast_possible_truncation, reason = "weights are limited")]
fn rounded(number: f32, unit: i16) -> i16 {
    (number * f32::from(unit)).round() as i16
}

impl Slab {
    fn random(kings: &KingBuckets, rng: &mut impl Rng) -> Self {
        let count = kings.count();
        let mut rows = |count: usize, from: f32, to: f32| -> Vec<NeuronColumns> {
            let mut row = || NeuronColumns(std::array::from_fn(|_| rng.random_range(from..to)));
            (0..count).map(|_| row()).collect()
        };
        let mut numbers = rows(INPUTS, -0.06, 0.06);
        if count > 1 {
            numbers.resize((1 + count) * INPUTS, NeuronColumns::ZERO);
        }
        // A positive bias, because a neuron below zero has no gradient.
        numbers.extend(rows(1, 0.0, 0.4));
        numbers.extend(rows(2 * BUCKETS, -0.06, 0.06));
        let mut slab = Self {
            parameters: Moments::new(numbers),
            inputs: vec![NeuronColumns::ZERO; count * INPUTS],
            gradient: vec![NeuronColumns::ZERO; count * INPUTS + 1 + 2 * BUCKETS],
            sums: vec![[NeuronColumns::ZERO; 2]; CHUNK],
            parts: vec![0.0; CHUNK],
        };
        slab.fold();
        slab
    }

    /// Takes the weights of the neurons from number `from` on.
    fn start_from(&mut self, weights: &Weights, from: usize) {
        let neurons = WIDTH.min(weights.hidden.saturating_sub(from));
        let read = |to: &mut NeuronColumns, row: &WeightRow, unit: i16| {
            for (to, &number) in to.0[..neurons].iter_mut().zip(&row.0[from..]) {
                *to = f32::from(number) / f32::from(unit);
            }
        };
        let numbers = &mut self.parameters.numbers;
        let (shared, own) = numbers.split_at_mut(INPUTS);
        // The rows of all buckets are those of the network's first one, and the others differ.
        for (to, row) in shared.iter_mut().zip(&weights.inputs) {
            read(to, row, UNIT);
        }
        for (index, row) in weights.inputs.iter().enumerate().skip(INPUTS) {
            read(&mut own[index], row, UNIT);
            for column in 0..neurons {
                own[index].0[column] -= shared[index % INPUTS].0[column];
            }
        }
        let first = numbers.len() - 1 - 2 * BUCKETS;
        read(&mut numbers[first], &weights.bias, UNIT);
        let outputs = weights.outputs.as_flattened();
        for (to, row) in numbers[first + 1..].iter_mut().zip(outputs) {
            *to = NeuronColumns::ZERO;
            read(to, row, OUTPUT_UNIT);
        }
        self.fold();
    }

    /// The biases, and the output weights by bucket and side.
    fn last_rows(&self) -> (&NeuronColumns, &[NeuronColumns]) {
        let numbers = &self.parameters.numbers;
        let last = &numbers[numbers.len() - 1 - 2 * BUCKETS..];
        (&last[0], &last[1..])
    }

    /// The gradient by parameter: each input's row of all buckets has the sum of theirs.
    #[cfg(test)]
    pub(super) fn parameter_gradients(&self) -> Vec<NeuronColumns> {
        let (of_inputs, of_last) = self.gradient.split_at(self.inputs.len());
        let mut rows = vec![NeuronColumns::ZERO; INPUTS];
        for (index, row) in of_inputs.iter().enumerate() {
            rows[index % INPUTS].add(row);
        }
        if of_inputs.len() > INPUTS {
            rows.extend(of_inputs);
        }
        rows.extend(of_last);
        rows
    }

    #[inline(always)]
    fn fold(&mut self) {
        let numbers = &self.parameters.numbers;
        for (index, row) in self.inputs.iter_mut().enumerate() {
            *row = numbers[index % INPUTS];
            if numbers.len() > 2 * INPUTS {
                row.add(&numbers[INPUTS + index]);
            }
        }
    }

    fn forward(&mut self, features: &[SampleFeatures]) {
        vectors::run(ForwardTask {
            slab: self,
            features,
        });
    }

    fn backward(&mut self, features: &[SampleFeatures], slopes: &[f32]) {
        vectors::run(Backward {
            slab: self,
            features,
            slopes,
        });
    }

    fn step(&mut self, rate: Rate) {
        vectors::run(AdamStep { slab: self, rate });
    }
}

/// Computes the neurons of a chunk and their parts of the outputs.
struct ForwardTask<'a> {
    slab: &'a mut Slab,
    features: &'a [SampleFeatures],
}

impl Multiversioned for ForwardTask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: CpuSliders>(self, _: S) {
        let numbers = &self.slab.parameters.numbers;
        let last = &numbers[numbers.len() - 1 - 2 * BUCKETS..];
        let (inputs, all) = (&self.slab.inputs, &mut self.slab.sums);
        let places = all.iter_mut().zip(&mut self.slab.parts);
        for (features, (sums, part)) in self.features.iter().zip(places) {
            let mut lanes = [0.0_f32; LANES];
            for (side, sums) in sums.iter_mut().enumerate() {
                let mut sum = last[0];
                for &input in features.inputs(side) {
                    sum.add(&inputs[usize::from(input)]);
                }
                let weights = &last[1 + usize::from(features.bucket) * 2 + side];
                let (sum_lanes, _) = sum.0.as_chunks::<LANES>();
                let (weight_lanes, _) = weights.0.as_chunks::<LANES>();
                for (sums, weights) in sum_lanes.iter().zip(weight_lanes) {
                    for (lane, (sum, weight)) in lanes.iter_mut().zip(sums.iter().zip(weights)) {
                        // SCReLU: clipped to [0, 1] and squared.
                        let cut = sum.clamp(0.0, 1.0);
                        *lane += cut * cut * weight;
                    }
                }
                *sums = sum;
            }
            *part = lanes.iter().sum();
        }
    }
}

/// Number of partial sums of an output.
// Sixteen 32-bit numbers are a vector of AVX-512; one sum would wait for each addition.
const LANES: usize = 16;

/// Adds the gradient of a chunk.
struct Backward<'a> {
    slab: &'a mut Slab,
    features: &'a [SampleFeatures],
    /// The derivatives of the errors by the outputs.
    slopes: &'a [f32],
}

impl Multiversioned for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: CpuSliders>(self, _: S) {
        let numbers = &self.slab.parameters.numbers;
        let outputs = &numbers[numbers.len() - 2 * BUCKETS..];
        let rows = self.slab.inputs.len();
        let (of_inputs, of_last) = self.slab.gradient.split_at_mut(rows);
        let samples = self.features.iter().zip(self.slopes).zip(&self.slab.sums);
        for ((features, &slope), sums) in samples {
            for (side, sums) in sums.iter().enumerate() {
                let at = usize::from(features.bucket) * 2 + side;
                let (weights, of_output) = (&outputs[at], &mut of_last[1 + at]);
                let mut of_sums = NeuronColumns::ZERO;
                for i in 0..WIDTH {
                    let cut = sums.0[i].clamp(0.0, 1.0);
                    of_output.0[i] += slope * cut * cut;
                    // The derivative of the square is 2x; outside the clip nothing moves the
                    // output.
                    let moves = if sums.0[i] > 0.0 && sums.0[i] < 1.0 {
                        2.0 * slope
                    } else {
                        0.0
                    };
                    of_sums.0[i] = moves * weights.0[i] * cut;
                }
                of_last[0].add(&of_sums);
                for &input in features.inputs(side) {
                    of_inputs[usize::from(input)].add(&of_sums);
                }
            }
        }
    }
}

/// A step of Adam.
struct AdamStep<'a> {
    slab: &'a mut Slab,
    rate: Rate,
}

impl Multiversioned for AdamStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: CpuSliders>(self, _: S) {
        let Self { slab, rate } = self;
        let buckets = slab.inputs.len() / INPUTS;
        let parameters = &mut slab.parameters;
        let (of_inputs, of_last) = slab.gradient.split_at(slab.inputs.len());
        let mut sums = vec![NeuronColumns::ZERO; INPUTS];
        for (index, row) in of_inputs.iter().enumerate() {
            sums[index % INPUTS].add(row);
            if buckets > 1 {
                parameters.step(INPUTS + index, row, rate, OWN_LIMIT);
            }
        }
        for (input, sum) in sums.iter().enumerate() {
            parameters.step(input, sum, rate, LIMIT);
        }
        let first = parameters.numbers.len() - 1 - 2 * BUCKETS;
        for (row, gradient) in (first..).zip(of_last) {
            parameters.step(row, gradient, rate, LIMIT);
        }
        slab.gradient.fill(NeuronColumns::ZERO);
        slab.fold();
    }
}

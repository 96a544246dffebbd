//! Rows of parameters, and Adam (Kingma and Ba 2015).

/// Number of neurons of a slab.
pub(super) const WIDTH: usize = 64;

/// One number per neuron of a slab.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct NeuronColumns(pub(super) [f32; WIDTH]);

impl NeuronColumns {
    pub(super) const ZERO: Self = Self([0.0; WIDTH]);

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for i in 0..WIDTH {
            self.0[i] += other.0[i];
        }
    }
}

/// Parameters with the means of their gradients and of the squares.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moments {
    pub(super) numbers: Vec<NeuronColumns>,
    pub(super) means: Vec<NeuronColumns>,
    pub(super) squares: Vec<NeuronColumns>,
}

/// What a step depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// The learning rate, divided by the sum of weights that the means have had.
    step: f32,
    /// The inverse of that sum, of the squares.
    square: f32,
    /// Factor of the gradient: one by the number of samples.
    share: f32,
}

/// Adam's constants (Kingma and Ba 2015, algorithm 1).
const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Rate {
    /// The rate of step number `step`, from 1, over `count` samples.
    #[expect(clippy::cast_precision_loss, reason = "a batch is some thousands")]
    pub(super) fn new(rate: f32, step: u64, count: usize) -> Self {
        // Beyond, the powers are 0 anyway.
        let step = i32::try_from(step).unwrap_or(i32::MAX);
        Self {
            step: rate / (1.0 - MEAN.powi(step)),
            square: 1.0 / (1.0 - SQUARE.powi(step)),
            share: 1.0 / count as f32,
        }
    }
}

impl Moments {
    pub(super) fn new(numbers: Vec<NeuronColumns>) -> Self {
        let zero = vec![NeuronColumns::ZERO; numbers.len()];
        Self {
            numbers,
            means: zero.clone(),
            squares: zero,
        }
    }

    /// Moves a row against its gradient, within plus and minus `limit`.
    #[inline(always)]
    pub(super) fn step(&mut self, row: usize, gradient: &NeuronColumns, rate: Rate, limit: f32) {
        let numbers = &mut self.numbers[row].0;
        let (means, squares) = (&mut self.means[row].0, &mut self.squares[row].0);
        for i in 0..WIDTH {
            let slope = gradient.0[i] * rate.share;
            means[i] = MEAN * means[i] + (1.0 - MEAN) * slope;
            squares[i] = SQUARE * squares[i] + (1.0 - SQUARE) * slope * slope;
            let step = rate.step * means[i] / ((squares[i] * rate.square).sqrt() + EPSILON);
            numbers[i] = (numbers[i] - step).max(-limit).min(limit);
        }
    }
}

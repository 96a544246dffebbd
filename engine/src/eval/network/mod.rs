//! A small network beside the terms: it says by how much they are wrong.
//!
//! Each side sees which piece stands where, from its own edge and with its king on the left half;
//! 768 such inputs feed 128 neurons, the same for both sides. The squares of both sides' neurons, the
//! mover's first, give the value, with weights that depend on how many pieces are left. The form
//! is the field's: Yu Nasu's "Efficiently updatable neural-network-based evaluation functions for
//! computer shogi" (2018), and the chessprogramming wiki, "NNUE". It learns not the whole value but
//! what the terms lack: what they know it need not learn again. `docs/network.md` tells how one is
//! made; none comes with the program.
//!
//! All is integers: the same code, compiled for different CPUs, gives the same values.

mod accumulator;
mod layout;
mod vectors;
mod weights;

pub(crate) use accumulator::Accumulators;
pub use layout::{BUCKETS, HIDDEN, INPUTS, View, bucket};
pub use weights::{OUTPUT_LIMIT, OUTPUT_UNIT, ReadNetworkError, Row, UNIT, Weights};

use super::{Cache, Evaluation, Trace, touchstone};
use crate::rules::{Color, Position};
use vectors::{Task, Vectors};

/// The terms of [`Touchstone`](super::Touchstone), and a network that mends what they say.
///
/// ```
/// use engine::eval::network::Weights;
/// use engine::eval::{Evaluation, Network, Touchstone};
/// use engine::rules::Position;
///
/// // A network that knows nothing changes nothing.
/// let (network, position) = (Network::new(Weights::zero()), Position::startpos());
/// assert_eq!(network.evaluate(&position), Touchstone.evaluate(&position));
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    weights: Weights,
    fingerprint: u64,
    vectors: Vectors,
}

impl Network {
    /// A network with these numbers.
    pub fn new(weights: Weights) -> Self {
        Self {
            fingerprint: weights.fingerprint(),
            weights,
            vectors: Vectors::best(),
        }
    }

    /// The numbers.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What tells this network from others.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The same network for every way of reckoning that this CPU has, for tests that they agree.
    pub fn on_all_vectors(&self) -> Vec<Self> {
        let with = |vectors| Self {
            vectors,
            ..self.clone()
        };
        Vectors::all().into_iter().map(with).collect()
    }

    /// What the network itself says, in centipawns for the side to move.
    #[inline(always)]
    fn output(&self, position: &Position, ply: usize, accumulators: &mut Accumulators) -> i32 {
        accumulators.belong_to(self.fingerprint, &self.weights);
        self.vectors.run(Forward {
            weights: &self.weights,
            position,
            ply,
            accumulators,
        })
    }
}

impl Evaluation for Network {
    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_cached(position, 0, &mut Cache::new())
    }

    #[inline(always)]
    fn evaluate_cached(&self, position: &Position, ply: usize, cache: &mut Cache) -> i32 {
        let value = self.output(position, ply, &mut cache.accumulators);
        touchstone::with_network(position, &mut cache.pawns, value)
    }

    fn trace(&self, position: &Position) -> Trace {
        let value = self.output(position, 0, &mut Accumulators::new());
        touchstone::trace_with_network(position, value)
    }
}

/// A position for the network, to be compiled for every kind of vectors.
struct Forward<'a> {
    weights: &'a Weights,
    position: &'a Position,
    ply: usize,
    accumulators: &'a mut Accumulators,
}

impl Task for Forward<'_> {
    #[inline(always)]
    fn run(self) -> i32 {
        let Self {
            weights,
            position,
            ply,
            accumulators,
        } = self;
        let [white, black] = accumulators.sums(weights, position, ply);
        output(
            weights,
            bucket_of(position),
            position.side_to_move(),
            [white, black],
        )
    }
}

#[inline(always)]
fn bucket_of(position: &Position) -> usize {
    bucket(position.occupied().count() as usize)
}

/// A network has no more to say than this, in centipawns: with all that the terms can come to it
/// stays below the limit of evaluations.
const MOST: i64 = 2000;

/// The second layer: centipawns for the side to move, from the neurons of White and Black.
#[inline(always)]
fn output(weights: &Weights, bucket: usize, mover: Color, [white, black]: [&Row; 2]) -> i32 {
    let sides = match mover {
        Color::White => [white, black],
        Color::Black => [black, white],
    };
    let mut sum = 0;
    for (Row(side), Row(outputs)) in sides.into_iter().zip(&weights.outputs[bucket]) {
        for (&neuron, &weight) in side.iter().zip(outputs) {
            let cut = neuron.clamp(0, UNIT);
            sum += i32::from(cut * weight) * i32::from(cut);
        }
    }
    let unit = i32::from(UNIT);
    let parts = i64::from(sum / unit + weights.output_bias[bucket]);
    let value = parts * i64::from(weights.scale) / i64::from(unit * i32::from(OUTPUT_UNIT));
    i32::try_from(value.clamp(-MOST, MOST)).expect("cut to the limit")
}

//! A small NNUE evaluation.
//!
//! Each side sees the piece placement from its own edge and with its king on the left half; these
//! 768 inputs feed [`HIDDEN`] neurons with weights shared by both sides, a set for each bucket of
//! squares of the own king. `SCReLU` activations of both
//! perspectives, the side to move first, feed the output, whose weights depend on the number of
//! pieces. References: Yu Nasu, "Efficiently updatable neural-network-based evaluation functions
//! for computer shogi" (2018), and the chessprogramming wiki, "NNUE". `docs/network.md` describes
//! the training of networks, including the built-in one.
//!
//! All arithmetic is on integers, so that code compiled for different CPUs gives the same scores.

mod accumulator;
mod layout;
mod vectors;
mod weights;

use std::sync::{Arc, LazyLock};

pub(crate) use accumulator::Accumulators;
pub use layout::{BUCKETS, HIDDEN, INPUTS, KingBuckets, Perspective, bucket};
pub use weights::{OUTPUT_LIMIT, OUTPUT_UNIT, ReadNetworkError, UNIT, WeightRow, Weights};

use super::{Cache, EvalTrace, Evaluation, LIMIT, fade, lone_king};
use chess::rules::{Color, Position};
use vectors::{OutputKernel, VectorTask, Vectors};

/// The file of the built-in network.
static BUILT_IN: &[u8] = include_bytes!("../../../network/touchstone.net");

/// A network, supplemented by what it does not know: which end games are drawish, and how to mate a
/// lone king.
///
/// ```
/// use engine::eval::{Evaluation, Network};
/// use chess::rules::Position;
///
/// let network = Network::built_in();
/// // All is equal except the right to move, which is worth something.
/// assert!(network.evaluate(&Position::startpos()) > 0);
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    weights: Weights,
    fingerprint: u64,
    vectors: Vectors,
}

impl Network {
    /// Creates a network with these weights.
    pub fn new(weights: Weights) -> Self {
        Self {
            fingerprint: weights.fingerprint(),
            weights,
            vectors: Vectors::best(),
        }
    }

    /// The built-in network.
    pub fn built_in() -> Arc<Self> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let weights = Weights::from_bytes(BUILT_IN).expect("what is built in is a network");
            Arc::new(Network::new(weights))
        });
        Arc::clone(&NETWORK)
    }

    /// Whether a side has only its king. No network is asked then or trained on such positions: a few
    /// terms know how to mate.
    pub fn has_lone_king(position: &Position) -> bool {
        lone_king::strong_side(position).is_some()
    }

    /// The share of the network's score that is left, from 0 to 1, if `strong` is ahead: less in
    /// drawish end games.
    pub fn share(position: &Position, strong: Color) -> f32 {
        fade::share(position, strong)
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// A hash that identifies this network.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The same network for every vector implementation available on this CPU, to test that they
    /// agree.
    pub fn on_all_vectors(&self) -> Vec<Self> {
        let with = |vectors| Self {
            vectors,
            ..self.clone()
        };
        Vectors::all().into_iter().map(with).collect()
    }

    /// The forward pass of a position.
    #[inline(always)]
    fn forward<'a>(
        &'a self,
        position: &'a Position,
        ply: usize,
        accumulators: &'a mut Accumulators,
    ) -> Forward<'a> {
        accumulators.belong_to(self.fingerprint, &self.weights);
        Forward {
            weights: &self.weights,
            position,
            ply,
            accumulators,
        }
    }
}

impl Evaluation for Network {
    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_cached(position, 0, &mut Cache::new())
    }

    #[inline(always)]
    fn evaluate_cached(&self, position: &Position, ply: usize, cache: &mut Cache) -> i32 {
        if let Some(strong) = lone_king::strong_side(position) {
            return lone_king::evaluate(position, strong);
        }
        let forward = self.forward(position, ply, &mut cache.accumulators);
        self.vectors.run(Faded(forward))
    }

    fn trace(&self, position: &Position) -> EvalTrace {
        if let Some(strong) = lone_king::strong_side(position) {
            return lone_king::trace(position, strong);
        }
        let mut accumulators = Accumulators::new();
        let forward = self.forward(position, 0, &mut accumulators);
        fade::trace(position, self.vectors.run(forward))
    }
}

/// A forward pass, compiled for every kind of vectors.
struct Forward<'a> {
    weights: &'a Weights,
    position: &'a Position,
    ply: usize,
    accumulators: &'a mut Accumulators,
}

impl VectorTask for Forward<'_> {
    #[inline(always)]
    fn run<K: OutputKernel>(self, kernel: K) -> i32 {
        let Self {
            weights,
            position,
            ply,
            accumulators,
        } = self;
        let [white, black] = accumulators.sums(weights, position, ply);
        output(
            kernel,
            weights,
            bucket(position.occupied().count() as usize),
            position.side_to_move(),
            [white, black],
        )
    }
}

/// The same, scaled down in drawish end games.
struct Faded<'a>(Forward<'a>);

impl VectorTask for Faded<'_> {
    #[inline(always)]
    fn run<K: OutputKernel>(self, kernel: K) -> i32 {
        let position = self.0.position;
        fade::faded(position, self.0.run(kernel))
    }
}

/// The output layer: centipawns for the side to move from the accumulators of White and Black.
#[inline(always)]
fn output(
    kernel: impl OutputKernel,
    weights: &Weights,
    bucket: usize,
    mover: Color,
    [white, black]: [&WeightRow; 2],
) -> i32 {
    let sides = match mover {
        Color::White => [white, black],
        Color::Black => [black, white],
    };
    let mut sum = 0;
    for (side, weights) in sides.into_iter().zip(&weights.outputs[bucket]) {
        sum += kernel.weighted_squares(side, weights);
    }
    // The sum is in units of 1/(255² x 64), the bias in units of 1/(255 x 64).
    let unit = i32::from(UNIT);
    let parts = i64::from(sum / unit + weights.output_bias[bucket]);
    let value = parts * i64::from(weights.scale) / i64::from(unit * i32::from(OUTPUT_UNIT));
    let most = i64::from(LIMIT - 1);
    i32::try_from(value.clamp(-most, most)).expect("cut to the limit")
}

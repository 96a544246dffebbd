//! Vector instruction sets: code is compiled for each one, and chosen once.

#[cfg(target_arch = "x86_64")]
use chess::rules::cpu::PairProducts;
use chess::rules::cpu::{Avx2, Avx512, Avx512Vnni, CpuSliders, Multiversioned};

use super::weights::{UNIT, WeightRow};

/// A computation that is compiled for each vector instruction set.
pub(super) trait VectorTask {
    /// Runs the computation; mark it `#[inline(always)]`.
    fn run<K: OutputKernel>(self, kernel: K) -> i32;
}

/// The innermost loop of the output layer, which compilers do not vectorise equally well everywhere.
pub(super) trait OutputKernel: Copy {
    /// The sum of the squares of the neurons, cut to 0 to [`UNIT`], times their weights.
    #[inline(always)]
    fn weighted_squares(self, neurons: &WeightRow, weights: &WeightRow) -> i32 {
        let mut sum = 0;
        for (&neuron, &weight) in neurons.0.iter().zip(&weights.0) {
            let cut = neuron.clamp(0, UNIT);
            // `OUTPUT_LIMIT` keeps the first product within 16 bits: a vector holds twice as many.
            sum += i32::from(cut * weight) * i32::from(cut);
        }
        sum
    }
}

/// What the compiler makes of the loop: with AVX2 and NEON, the instructions that one would choose.
#[derive(Clone, Copy)]
struct Compiled;

impl OutputKernel for Compiled {}

#[cfg(target_arch = "x86_64")]
impl OutputKernel for Avx512 {
    #[inline(always)]
    fn weighted_squares(self, neurons: &WeightRow, weights: &WeightRow) -> i32 {
        by_pairs(self, neurons, weights)
    }
}

#[cfg(target_arch = "x86_64")]
impl OutputKernel for Avx512Vnni {
    #[inline(always)]
    fn weighted_squares(self, neurons: &WeightRow, weights: &WeightRow) -> i32 {
        by_pairs(self, neurons, weights)
    }
}

/// [`OutputKernel::weighted_squares`] in whole vectors of 512 bits.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn by_pairs(products: impl PairProducts, neurons: &WeightRow, weights: &WeightRow) -> i32 {
    let mut sums = [0; 16];
    let (neurons, _) = neurons.0.as_chunks::<32>();
    let (weights, _) = weights.0.as_chunks::<32>();
    for (neurons, weights) in neurons.iter().zip(weights) {
        let (mut cuts, mut weighted) = ([0; 32], [0; 32]);
        for i in 0..32 {
            cuts[i] = neurons[i].clamp(0, UNIT);
            weighted[i] = cuts[i] * weights[i];
        }
        sums = products.add_products(sums, &cuts, &weighted);
    }
    sums.iter().sum()
}

/// A vector instruction set of this CPU.
#[derive(Clone, Copy, Debug)]
pub(super) enum Vectors {
    /// The baseline of the architecture.
    Portable,
    /// 256-bit vectors.
    Avx2(Avx2),
    /// 512-bit vectors.
    Avx512(Avx512),
    /// 512-bit vectors, with products and sums of 16-bit numbers in one instruction.
    Vnni(Avx512Vnni),
}

impl Vectors {
    /// All available on this CPU, the fastest last.
    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        all.extend(Avx2::detect().map(Self::Avx2));
        all.extend(Avx512::detect().map(Self::Avx512));
        all.extend(Avx512Vnni::detect().map(Self::Vnni));
        all
    }

    /// The fastest available on this CPU.
    pub(super) fn best() -> Self {
        *Self::all().last().expect("every CPU has some")
    }

    #[inline(always)]
    pub(super) fn run<T: VectorTask>(self, task: T) -> i32 {
        match self {
            Self::Portable => portable(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => proof.run_plain(Vectored(task, Compiled)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(proof) => proof.run_plain(Vectored(task, proof)),
            #[cfg(target_arch = "x86_64")]
            Self::Vnni(proof) => proof.run_plain(Vectored(task, proof)),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2(_) | Self::Avx512(_) | Self::Vnni(_) => {
                unreachable!("nothing proves what is not there")
            }
        }
    }
}

#[inline(never)]
fn portable<T: VectorTask>(task: T) -> i32 {
    task.run(Compiled)
}

/// A task that needs vectors but no sliders.
struct Vectored<T, K>(T, K);

impl<T: VectorTask, K: OutputKernel> Multiversioned for Vectored<T, K> {
    type Output = i32;

    #[inline(always)]
    fn run<S: CpuSliders>(self, _: S) -> i32 {
        self.0.run(self.1)
    }
}

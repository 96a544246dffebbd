//! Inputs made of a corpus: the same for the same seed, target and number on every machine.

mod bytes;
mod tokens;

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::corpus;
use crate::target::Target;

/// The usual greatest length of an input.
const USUAL: usize = 4 << 10;
/// The greatest length of one input in [`LONG_EVERY`].
const LONG: usize = 64 << 10;
/// How many inputs there are to one that may be long.
const LONG_EVERY: u32 = 2_000;
/// The most changes of one input.
const MOST_CHANGES: u32 = 8;

/// Makes inputs for a target.
#[derive(Clone, Debug)]
pub struct Mutator {
    seed: u64,
    stream: u64,
    corpus: Vec<Vec<u8>>,
    words: &'static [&'static str],
}

impl Mutator {
    /// A mutator of the corpus and the words of a target.
    pub fn new(target: &Target, seed: u64) -> Self {
        Self {
            seed,
            stream: stream_of(target.name),
            corpus: corpus::entries(target.corpus),
            words: target.words,
        }
    }

    /// The entries of the corpus.
    pub fn corpus(&self) -> &[Vec<u8>] {
        &self.corpus
    }

    /// Input `number`.
    pub fn input(&self, number: u64) -> Vec<u8> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ number.rotate_left(32));
        rng.set_stream(self.stream);
        let most = if rng.random_ratio(1, LONG_EVERY) {
            LONG
        } else {
            USUAL
        };
        let mut input = self.beginning(&mut rng);
        for _ in 0..MOST_CHANGES {
            self.change(&mut input, most, &mut rng);
            input.truncate(most);
            // Half of all inputs have one change: most of those are still nearly sound.
            if rng.random() {
                break;
            }
        }
        input
    }

    /// An entry as it is, or, now and then, words in a row.
    fn beginning(&self, rng: &mut ChaCha8Rng) -> Vec<u8> {
        if rng.random_ratio(1, 16) {
            return self.sentence(rng);
        }
        self.corpus.choose(rng).cloned().unwrap_or_default()
    }

    fn sentence(&self, rng: &mut ChaCha8Rng) -> Vec<u8> {
        let mut sentence = Vec::new();
        for _ in 0..rng.random_range(0..24) {
            sentence.extend_from_slice(tokens::word(self.words, rng));
            sentence.extend(tokens::BLANKS.choose(rng).into_iter().copied().flatten());
        }
        sentence
    }

    fn change(&self, input: &mut Vec<u8>, most: usize, rng: &mut ChaCha8Rng) {
        match rng.random_range(0..8) {
            0..=2 => bytes::change(input, rng),
            3..=5 => tokens::change(input, self.words, rng),
            6 => bytes::repeat(input, most, rng),
            _ => {
                if let Some(other) = self.corpus.choose(rng) {
                    bytes::splice(input, other, rng);
                }
            }
        }
    }
}

/// A number for a name: FNV-1a, so that targets have inputs of their own.
fn stream_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Checked;

    const TARGET: Target = Target {
        name: "toy",
        corpus: "one 12 two\nthree, four; \"five\"\n",
        words: &["alpha", "beta"],
        check: |_| Ok(Checked::Read),
    };

    #[test]
    fn an_input_depends_on_seed_target_and_number_alone() {
        let mutator = Mutator::new(&TARGET, 1);
        let inputs: Vec<Vec<u8>> = (0..500).map(|number| mutator.input(number)).collect();
        let again = Mutator::new(&TARGET, 1);
        assert_eq!(again.input(499), inputs[499]);
        assert_ne!(Mutator::new(&TARGET, 2).input(499), inputs[499]);
        let other = Target {
            name: "other",
            ..TARGET
        };
        assert_ne!(Mutator::new(&other, 1).input(499), inputs[499]);
    }

    #[test]
    fn inputs_differ_and_are_bounded() {
        let mutator = Mutator::new(&TARGET, 7);
        let inputs: std::collections::BTreeSet<Vec<u8>> =
            (0..20_000).map(|number| mutator.input(number)).collect();
        assert!(inputs.len() > 10_000, "{}", inputs.len());
        assert!(inputs.iter().all(|input| input.len() <= LONG));
        assert!(inputs.iter().any(|input| input.len() == USUAL));
        assert!(
            inputs
                .iter()
                .any(|input| std::str::from_utf8(input).is_err())
        );
        for word in ["alpha", "18446744073709551616", "twotwo", "e\u{301}"] {
            let has = |input: &&Vec<u8>| String::from_utf8_lossy(input).contains(word);
            assert!(inputs.iter().any(|input| has(&input)), "{word}");
        }
    }
}

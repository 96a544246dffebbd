//! Inputs made of a corpus: the same for the same seed, target and number on every machine.

use std::ops::Range;

use chacha20::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

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
            // FNV-1a of the name: each target has inputs of its own.
            stream: target
                .name
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
                }),
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
        // An entry as it is, or, now and then, words in a row.
        let mut input = if rng.random_ratio(1, 16) {
            self.sentence(&mut rng)
        } else {
            self.corpus.choose(&mut rng).cloned().unwrap_or_default()
        };
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

    fn sentence(&self, rng: &mut ChaCha8Rng) -> Vec<u8> {
        let mut sentence = Vec::new();
        for _ in 0..rng.random_range(0..24) {
            sentence.extend_from_slice(word(self.words, rng));
            sentence.extend(BLANKS.choose(rng).into_iter().copied().flatten());
        }
        sentence
    }

    fn change(&self, input: &mut Vec<u8>, most: usize, rng: &mut ChaCha8Rng) {
        match rng.random_range(0..8) {
            0..=2 => change_bytes(input, rng),
            3..=5 => change_tokens(input, self.words, rng),
            6 => repeat(input, most, rng),
            _ => {
                if let Some(other) = self.corpus.choose(rng) {
                    splice(input, other, rng);
                }
            }
        }
    }
}

/// Bytes and texts that readers stumble over.
const ODD: &[&[u8]] = words![
    b"\0" b"\xff" b"\xc3" b"\xed\xa0\x80" b"\xf0\x9f" b"\xef\xbb\xbf" b"\r" b"\n" b"\r\n" b"\t" b"\x0b" b"\x1a"
    b"\x1b[31m" b"\x7f"
    // In UTF-8: spaces that are not ASCII, a combining accent, letters and digits whose case or
    // value is not that of ASCII, a change of direction, a character beyond the basic plane.
    b"\xc2\xa0" b"\xc2\x85" b"e\xcc\x81" b"\xc4\xb0" b"\xef\xbc\x91" b"\xd9\xa1" b"\xe2\x80\xae" b"\xf0\x9f\x98\x80"
];

/// Changes some bytes in one place.
fn change_bytes(input: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..=input.len());
    let range = range(input, rng);
    match rng.random_range(0..10) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << rng.random_range(0..8);
            }
        }
        1 => set(input, at, rng.random()),
        2 => set(input, at, rng.random_range(b' '..=b'~')),
        3 => input.insert(at, rng.random_range(b' '..=b'~')),
        4 | 5 => insert(input, at, ODD.choose(rng).copied().unwrap_or_default()),
        6 => drop(input.drain(range)),
        7 => {
            let copy = input[range].to_vec();
            insert(input, at, &copy);
        }
        8 => input.truncate(at),
        _ => {
            if let Some(last) = input.len().checked_sub(1) {
                input.swap(rng.random_range(0..=last), rng.random_range(0..=last));
            }
        }
    }
}

/// Repeats a short part as often as there is room, or half of that, or a quarter and so on.
fn repeat(input: &mut Vec<u8>, most: usize, rng: &mut ChaCha8Rng) {
    let range = range(input, rng);
    let part = input[range.clone()].to_vec();
    let room = most.saturating_sub(input.len()) / part.len().max(1);
    let times = room >> rng.random_range(0..12);
    insert(input, range.end, &part.repeat(times));
}

/// The beginning of one text and the end of another.
fn splice(input: &mut Vec<u8>, other: &[u8], rng: &mut ChaCha8Rng) {
    input.truncate(rng.random_range(0..=input.len()));
    input.extend_from_slice(&other[rng.random_range(0..=other.len())..]);
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

/// A part, short more often than long.
fn range(input: &[u8], rng: &mut ChaCha8Rng) -> Range<usize> {
    let from = rng.random_range(0..=input.len());
    let most = (input.len() - from) >> rng.random_range(0..6);
    from..from + rng.random_range(0..=most)
}

fn set(input: &mut [u8], at: usize, to: u8) {
    if let Some(byte) = input.get_mut(at) {
        *byte = to;
    }
}

/// Numbers at the edges of types, and texts that are nearly numbers.
const NUMBERS: &[&str] = words![
    "0" "-0" "1" "-1" "+5" "00" "007" "127" "255" "256" "65535" "65536" "2147483647" "-2147483648"
    "4294967295" "4294967296" "9007199254740993" "9223372036854775807" "-9223372036854775808"
    "18446744073709551615" "18446744073709551616" "999999999999999999999999999999" "1e308"
    "-1e999" "NaN" "inf" "0.1" "0x10"
];

/// What stands between words.
const BLANKS: [&[u8]; 8] = [b" ", b" ", b" ", b"", b"\n", b"\t", b", ", b"; "];

/// A word of the grammar, or a number.
fn word(words: &[&'static str], rng: &mut ChaCha8Rng) -> &'static [u8] {
    let of_the_grammar = words.choose(rng).filter(|_| rng.random_ratio(7, 8));
    let word = of_the_grammar.or_else(|| NUMBERS.choose(rng));
    word.map_or(b"", |word| word.as_bytes())
}

fn change_tokens(input: &mut Vec<u8>, words: &[&'static str], rng: &mut ChaCha8Rng) {
    let tokens = split(input);
    let (Some(one), Some(other)) = (tokens.choose(rng), tokens.choose(rng)) else {
        insert(input, 0, word(words, rng));
        return;
    };
    let (one, other) = (one.clone(), other.clone());
    match rng.random_range(0..7) {
        0 => drop(input.drain(one)),
        1 => {
            let copy = input[other].to_vec();
            insert(input, one.start, &copy);
        }
        2 => swap(input, one, other),
        3 => drop(input.splice(one, word(words, rng).iter().copied())),
        4 => {
            let blank = BLANKS.choose(rng).copied().unwrap_or_default();
            insert(input, one.end, &[blank, word(words, rng)].concat());
        }
        5 => {
            let mut token = input[other].to_vec();
            if rng.random() {
                token.make_ascii_uppercase();
            } else {
                token.make_ascii_lowercase();
            }
            drop(input.splice(one, token));
        }
        // Another number in the place of one.
        _ => {
            let is_number = |token: &&Range<usize>| input[token.start].is_ascii_digit();
            let numbers: Vec<&Range<usize>> = tokens.iter().filter(is_number).collect();
            if let Some(&place) = numbers.choose(rng) {
                let number = NUMBERS.choose(rng).copied().unwrap_or_default();
                input.splice(place.clone(), number.bytes());
            }
        }
    }
}

/// Runs of letters, of digits, of blanks, and single signs.
fn split(input: &[u8]) -> Vec<Range<usize>> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => 1,
        b' ' | b'\t' => 2,
        _ => 3,
    };
    let mut tokens: Vec<Range<usize>> = Vec::new();
    for (index, &byte) in input.iter().enumerate() {
        match tokens.last_mut() {
            Some(last) if class(byte) < 3 && class(input[last.start]) == class(byte) => {
                last.end = index + 1;
            }
            _ => tokens.push(index..index + 1),
        }
    }
    tokens
}

fn swap(input: &mut Vec<u8>, one: Range<usize>, other: Range<usize>) {
    let (first, second) = if one.start <= other.start {
        (one, other)
    } else {
        (other, one)
    };
    if first.end > second.start {
        return;
    }
    let parts = [
        &input[..first.start],
        &input[second.clone()],
        &input[first.end..second.start],
        &input[first],
        &input[second.end..],
    ];
    *input = parts.concat();
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

    #[test]
    fn tokens_are_runs_and_signs() {
        let text = b"ab1,  -\"x";
        let tokens: Vec<&[u8]> = split(text).into_iter().map(|token| &text[token]).collect();
        let expected: [&[u8]; 7] = [b"ab", b"1", b",", b"  ", b"-", b"\"", b"x"];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn tokens_are_swapped_in_either_order() {
        for (one, other) in [(0..2, 3..4), (3..4, 0..2)] {
            let mut text = b"ab c".to_vec();
            swap(&mut text, one, other);
            assert_eq!(text, b"c ab");
        }
    }
}

//! Changes that know words, numbers and signs apart.

use std::ops::Range;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use super::bytes::insert;

/// Numbers at the edges of types, and texts that are nearly numbers.
const NUMBERS: [&str; 28] = [
    "0",
    "-0",
    "1",
    "-1",
    "+5",
    "00",
    "007",
    "127",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "999999999999999999999999999999",
    "1e308",
    "-1e999",
    "NaN",
    "inf",
    "0.1",
    "0x10",
];

/// What stands between words.
pub(super) const BLANKS: [&[u8]; 8] = [b" ", b" ", b" ", b"", b"\n", b"\t", b", ", b"; "];

/// A word of the grammar, or a number.
pub(super) fn word(words: &[&'static str], rng: &mut ChaCha8Rng) -> &'static [u8] {
    let of_the_grammar = words.choose(rng).filter(|_| rng.random_ratio(7, 8));
    let word = of_the_grammar.or_else(|| NUMBERS.choose(rng));
    word.map_or(b"", |word| word.as_bytes())
}

/// Changes whole tokens.
pub(super) fn change(input: &mut Vec<u8>, words: &[&'static str], rng: &mut ChaCha8Rng) {
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
        5 => drop(input.splice(one, other_case(&input.clone()[other], rng))),
        _ => set_number(input, &tokens, rng),
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

fn other_case(token: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    if rng.random() {
        token.to_ascii_uppercase()
    } else {
        token.to_ascii_lowercase()
    }
}

/// Puts another number in the place of one.
fn set_number(input: &mut Vec<u8>, tokens: &[Range<usize>], rng: &mut ChaCha8Rng) {
    let is_number = |token: &&Range<usize>| input[token.start].is_ascii_digit();
    let numbers: Vec<&Range<usize>> = tokens.iter().filter(is_number).collect();
    if let Some(&place) = numbers.choose(rng) {
        let number = NUMBERS.choose(rng).copied().unwrap_or_default();
        input.splice(place.clone(), number.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

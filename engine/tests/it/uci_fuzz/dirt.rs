//! Commands made wrong, or only odd.

use chacha20::ChaCha8Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;

const NUMBERS: [&str; 10] = [
    "-1",
    "0",
    "1",
    "99999999999999999999999",
    "-99999999999999999999999",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967296",
    "1e3",
    "+5",
];

const WORDS: [&str; 16] = [
    "go", "stop", "position", "fen", "moves", "startpos", "value", "name", "depth", "nodes",
    "infinite", "ponder", "0000", "e1e1", "(none)", "é",
];

const BLANKS: [&str; 4] = ["\t", "  ", " \r ", "\u{b}"];

/// Changes a line in one way or several. What comes of it may still be sound.
pub(crate) fn soil(line: &str, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=rng.random_range(0..3) {
        bytes = match rng.random_range(0..3) {
            0 => soil_bytes(bytes, rng),
            1 => soil_spacing(&bytes, rng),
            _ => soil_words(&bytes, rng),
        };
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

fn soil_bytes(mut bytes: Vec<u8>, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let at = rng.random_range(0..=bytes.len());
    match rng.random_range(0..6) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, rng.random()),
        2 => drop(bytes.splice(at..at, [0xff, 0x00, 0xc3])),
        3 => bytes.make_ascii_uppercase(),
        4 => bytes.resize(rng.random_range(1..100_000), b'a'),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.random_range(0..8);
            }
        }
    }
    bytes
}

fn soil_spacing(bytes: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let blank = BLANKS.choose(rng).expect("there are some").as_bytes();
    match rng.random_range(0..5) {
        0 => [bytes, b"\r"].concat(),
        1 => [blank, bytes].concat(),
        2 => [bytes, blank].concat(),
        3 => words(bytes).join(blank),
        _ => words(bytes).concat(),
    }
}

fn soil_words(bytes: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut words = words(bytes);
    if words.is_empty() {
        return Vec::new();
    }
    let (one, other) = (
        rng.random_range(0..words.len()),
        rng.random_range(0..words.len()),
    );
    let number = NUMBERS.choose(rng).expect("there are some").as_bytes();
    let word = WORDS.choose(rng).expect("there are some").as_bytes();
    match rng.random_range(0..7) {
        0 => drop(words.remove(one)),
        1 => words.insert(one, words[other]),
        2 => words.swap(one, other),
        3 => words[one] = number,
        4 => words[one] = word,
        5 => words.insert(one, word),
        _ => {
            let tail = vec![words[one]; rng.random_range(1..2_000)];
            words.extend(tail);
        }
    }
    words.join(&b' ')
}

fn words(bytes: &[u8]) -> Vec<&[u8]> {
    let words = bytes.split(|&byte| byte == b' ');
    words.filter(|word| !word.is_empty()).collect()
}

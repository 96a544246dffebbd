//! Changes that know nothing of the grammar.

use std::ops::Range;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

/// Bytes and texts that readers stumble over.
const ODD: [&[u8]; 22] = [
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf0\x9f",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x0b",
    b"\x1a",
    b"\x1b[31m",
    b"\x7f",
    "\u{a0}".as_bytes(),
    "\u{85}".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{130}".as_bytes(),
    "\u{ff11}".as_bytes(),
    "\u{661}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{1f600}".as_bytes(),
];

/// Changes some bytes in one place.
pub(super) fn change(input: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..=input.len());
    let range = range(input, rng);
    match rng.random_range(0..10) {
        0 => flip(input, at, rng),
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
pub(super) fn repeat(input: &mut Vec<u8>, most: usize, rng: &mut ChaCha8Rng) {
    let range = range(input, rng);
    let part = input[range.clone()].to_vec();
    let room = most.saturating_sub(input.len()) / part.len().max(1);
    let times = room >> rng.random_range(0..12);
    insert(input, range.end, &part.repeat(times));
}

/// The beginning of one text and the end of another.
pub(super) fn splice(input: &mut Vec<u8>, other: &[u8], rng: &mut ChaCha8Rng) {
    input.truncate(rng.random_range(0..=input.len()));
    input.extend_from_slice(&other[rng.random_range(0..=other.len())..]);
}

pub(super) fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

/// A part, short more often than long.
fn range(input: &[u8], rng: &mut ChaCha8Rng) -> Range<usize> {
    let from = rng.random_range(0..=input.len());
    let most = (input.len() - from) >> rng.random_range(0..6);
    from..from + rng.random_range(0..=most)
}

fn flip(input: &mut [u8], at: usize, rng: &mut ChaCha8Rng) {
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << rng.random_range(0..8);
    }
}

fn set(input: &mut [u8], at: usize, to: u8) {
    if let Some(byte) = input.get_mut(at) {
        *byte = to;
    }
}

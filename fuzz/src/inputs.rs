//! Inputs made of the corpus of a target by a few changes, as a strategy of `proptest`, which takes changes
//! back as long as an input still fails.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::corpus;
use crate::target::FuzzTarget;

/// The usual greatest length of an input.
const USUAL: usize = 4 << 10;
/// The greatest length of one input in [`LONG_EVERY`].
const LONG: usize = 64 << 10;
/// How many inputs there are to one that may be long.
const LONG_EVERY: u32 = 2_000;
/// The most changes of one input.
const MOST_CHANGES: usize = 8;

/// A change of an input. Places are shares of it, so that each change fits any input.
#[derive(Clone, Debug)]
enum InputChange {
    /// Another byte.
    Set(Index, u8),
    /// A bit is turned over.
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(InputPart),
    Truncate(Index),
    SwapBytes(Index, Index),
    /// A part once more, or as often as fits, or half of that, a quarter and so on.
    Repeat(InputPart, u32),
    /// The beginning of the input and the end of another entry.
    Splice(Index, Vec<u8>, Index),
    /// A word, a number or nothing in the place of a token.
    Replace(Index, Vec<u8>),
    /// A blank and a word behind a token.
    Append(Index, Vec<u8>),
    /// A token before another one.
    CopyToken(Index, Index),
    SwapTokens(Index, Index),
    UpperCase(Index),
    LowerCase(Index),
}

/// From a place on, this share of what is left, divided by a power of two.
type InputPart = (Index, Index, u32);

/// Inputs for a target: entries of its corpus, or words in a row, with one change or several.
pub fn inputs(target: &FuzzTarget) -> impl Strategy<Value = Vec<u8>> + use<> {
    let entries = corpus::entries(target.corpus);
    let words = target.words;
    let sentence = vec((word(words), select(&BLANKS[..])), 0..24);
    let sentence = sentence.prop_map(|words| {
        let texts = words
            .into_iter()
            .flat_map(|(word, blank)| [word, blank.to_vec()]);
        texts.collect::<Vec<_>>().concat()
    });
    let text = prop_oneof![15 => select(entries.clone()), 1 => sentence];
    // Half of all inputs have one change: most of those are still nearly sound.
    let changes = prop_oneof![
        vec(change(words, entries.clone()), 1),
        vec(change(words, entries), 2..=MOST_CHANGES)
    ];
    let most = prop_oneof![LONG_EVERY - 1 => Just(USUAL), 1 => Just(LONG)];
    (text, changes, most).prop_map(|(mut text, changes, most)| {
        for change in changes {
            change.apply(&mut text, most);
            text.truncate(most);
        }
        text
    })
}

fn change(
    words: &'static [&'static str],
    entries: Vec<Vec<u8>>,
) -> impl Strategy<Value = InputChange> {
    use InputChange::{
        Append, CopyToken, Flip, Insert, LowerCase, Remove, Repeat, Replace, Set, Splice,
        SwapBytes, SwapTokens, Truncate, UpperCase,
    };
    let (at, part) = (any::<Index>, || (any::<Index>(), any::<Index>(), 0..6_u32));
    let printable = || b' '..=b'~';
    let bytes = prop_oneof![
        1 => (at(), 0..8_u8).prop_map(|(at, bit)| Flip(at, bit)),
        1 => (at(), any::<u8>()).prop_map(|(at, byte)| Set(at, byte)),
        1 => (at(), printable()).prop_map(|(at, byte)| Set(at, byte)),
        1 => (at(), printable()).prop_map(|(at, byte)| Insert(at, vec![byte])),
        2 => (at(), select(ODD)).prop_map(|(at, odd)| Insert(at, odd.to_vec())),
        1 => part().prop_map(Remove),
        1 => part().prop_map(|part| Repeat(part, u32::MAX)),
        1 => at().prop_map(Truncate),
        1 => (at(), at()).prop_map(|(one, other)| SwapBytes(one, other)),
    ];
    let appended = (select(&BLANKS[..]), word(words));
    let appended = appended.prop_map(|(blank, word)| [blank, &word].concat());
    let tokens = prop_oneof![
        1 => at().prop_map(|at| Replace(at, Vec::new())),
        1 => (at(), at()).prop_map(|(one, other)| CopyToken(one, other)),
        1 => (at(), at()).prop_map(|(one, other)| SwapTokens(one, other)),
        2 => (at(), word(words)).prop_map(|(at, word)| Replace(at, word)),
        1 => (at(), appended).prop_map(|(at, text)| Append(at, text)),
        1 => at().prop_map(UpperCase),
        1 => at().prop_map(LowerCase),
    ];
    prop_oneof![
        3 => bytes,
        3 => tokens,
        1 => (part(), 0..12_u32).prop_map(|(part, halvings)| Repeat(part, halvings)),
        1 => (at(), select(entries), at()).prop_map(|(at, other, from)| Splice(at, other, from)),
    ]
}

/// A word of the grammar, or a number.
fn word(words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![7 => select(words), 1 => select(NUMBERS)].prop_map(|word| word.as_bytes().to_vec())
}

impl InputChange {
    fn apply(self, input: &mut Vec<u8>, most: usize) {
        match self {
            Self::Set(at, byte) => {
                if !input.is_empty() {
                    *at.get_mut(input) = byte;
                }
            }
            Self::Flip(at, bit) => {
                if !input.is_empty() {
                    *at.get_mut(input) ^= 1 << bit;
                }
            }
            Self::Insert(at, bytes) => insert(input, at.index(input.len() + 1), &bytes),
            Self::Remove(part) => drop(input.drain(range(input, part))),
            Self::Truncate(at) => input.truncate(at.index(input.len() + 1)),
            Self::SwapBytes(one, other) => {
                if !input.is_empty() {
                    let length = input.len();
                    input.swap(one.index(length), other.index(length));
                }
            }
            Self::Repeat(part, halvings) => {
                let range = range(input, part);
                let part = input[range.clone()].to_vec();
                // Repeating stops where the input would have to be cut.
                let room = most.saturating_sub(input.len()) / part.len().max(1);
                let times = room.checked_shr(halvings).unwrap_or(0).max(1);
                insert(input, range.end, &part.repeat(times));
            }
            Self::Splice(at, other, from) => {
                input.truncate(at.index(input.len() + 1));
                input.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
            Self::Replace(..)
            | Self::Append(..)
            | Self::CopyToken(..)
            | Self::SwapTokens(..)
            | Self::UpperCase(_)
            | Self::LowerCase(_) => self.apply_to_tokens(input),
        }
    }

    fn apply_to_tokens(self, input: &mut Vec<u8>) {
        let tokens = split(input);
        if tokens.is_empty() {
            if let Self::Replace(_, word) | Self::Append(_, word) = self {
                *input = word;
            }
            return;
        }
        let token = |at: Index| at.get(&tokens).clone();
        match self {
            Self::Replace(at, word) => drop(input.splice(token(at), word)),
            Self::Append(at, text) => insert(input, token(at).end, &text),
            Self::CopyToken(from, to) => {
                let copy = input[token(from)].to_vec();
                insert(input, token(to).start, &copy);
            }
            Self::SwapTokens(one, other) => swap(input, token(one), token(other)),
            Self::UpperCase(at) => input[token(at)].make_ascii_uppercase(),
            Self::LowerCase(at) => input[token(at)].make_ascii_lowercase(),
            _ => {}
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

/// Numbers at the edges of types, and texts that are nearly numbers.
const NUMBERS: &[&str] = words![
    "0" "-0" "1" "-1" "+5" "00" "007" "127" "255" "256" "65535" "65536" "2147483647" "-2147483648"
    "4294967295" "4294967296" "9007199254740993" "9223372036854775807" "-9223372036854775808"
    "18446744073709551615" "18446744073709551616" "999999999999999999999999999999" "1e308"
    "-1e999" "NaN" "inf" "0.1" "0x10"
];

/// What stands between words.
const BLANKS: [&[u8]; 8] = [b" ", b" ", b" ", b"", b"\n", b"\t", b", ", b"; "];

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

/// A part, short more often than long.
fn range(input: &[u8], (from, length, halvings): InputPart) -> Range<usize> {
    let from = from.index(input.len() + 1);
    let most = (input.len() - from) >> halvings;
    from..from + length.index(most + 1)
}

/// Runs of letters, of digits, of blanks, and single signs.
fn split(input: &[u8]) -> Vec<Range<usize>> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        // The bytes of a character outside ASCII stay together in a token.
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => 1,
        b' ' | b'\t' => 2,
        _ => 3,
    };
    let is_one_run = |one: &u8, other: &u8| class(*one) < 3 && class(*one) == class(*other);
    let mut begin = 0;
    let tokens = input.chunk_by(is_one_run).map(|run| {
        let token = begin..begin + run.len();
        begin = token.end;
        token
    });
    tokens.collect()
}

fn swap(input: &mut Vec<u8>, one: Range<usize>, other: Range<usize>) {
    let (first, second) = if one.start <= other.start {
        (one, other)
    } else {
        (other, one)
    };
    // Both are the same token.
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
    use std::collections::BTreeSet;

    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    use super::*;
    use crate::InputVerdict;

    const TARGET: FuzzTarget = FuzzTarget {
        name: "toy",
        corpus: "one 12 two\nthree, four; \"five\"\n",
        words: &["alpha", "beta"],
        check: |_| Ok(InputVerdict::Read),
    };

    #[test]
    fn inputs_differ_and_are_bounded() {
        let (mut runner, strategy) = (TestRunner::deterministic(), inputs(&TARGET));
        let mut make = || strategy.new_tree(&mut runner).expect("an input").current();
        let inputs: BTreeSet<Vec<u8>> = (0..20_000).map(|_| make()).collect();
        assert!(inputs.len() > 10_000, "{}", inputs.len());
        assert!(inputs.iter().all(|input| input.len() <= LONG));
        assert!(inputs.iter().any(|input| input.len() == USUAL));
        assert!(
            inputs
                .iter()
                .any(|input| std::str::from_utf8(input).is_err())
        );
        for word in ["alpha", "18446744073709551616", "twotwo", "e\u{301}"] {
            let has = |input: &Vec<u8>| String::from_utf8_lossy(input).contains(word);
            assert!(inputs.iter().any(has), "{word}");
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

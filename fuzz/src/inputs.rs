//! Inputs made of the corpus of a target by a few changes, as a strategy of `proptest`, which takes changes
//! back as long as an input still fails.

use std::collections::BTreeSet;
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
    Replace(InputPlace, Vec<u8>),
    /// A part once more, or as often as fits, or half of that, a quarter and so on.
    Repeat(InputPlace, u32),
    /// The first before the second.
    Copy(InputPlace, InputPlace),
    Swap(InputPlace, InputPlace),
    UpperCase(InputPlace),
    LowerCase(InputPlace),
}

#[derive(Clone, Debug)]
enum InputPlace {
    Byte(Index),
    /// Between two bytes.
    Gap(Index),
    /// From a place on, this share of what is left, divided by a power of two.
    Part(Index, Index, u32),
    /// From a place to the end.
    Tail(Index),
    Token(Index),
    /// Right behind a token.
    Behind(Index),
}

/// Inputs for a target: entries of its corpus, or its words in a row, with one change or several.
pub fn inputs(target: &FuzzTarget) -> impl Strategy<Value = Vec<u8>> + use<> {
    let entries = corpus::entries(target.corpus);
    let words = words(&entries);
    let sentence = vec((word(&words), select(&BLANKS[..])), 0..24);
    let sentence = sentence.prop_map(|words| {
        let texts = words.into_iter();
        let texts = texts.flat_map(|(word, blank)| [word, blank.to_vec()]);
        texts.collect::<Vec<_>>().concat()
    });
    let text = prop_oneof![15 => select(entries.clone()), 1 => sentence];
    // Half of all inputs have one change: most of those are still nearly sound.
    let changes = prop_oneof![
        vec(change(&words, entries.clone()), 1),
        vec(change(&words, entries), 2..=MOST_CHANGES)
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

/// The words of a grammar: the different tokens of its corpus, and what stands between blanks.
fn words(entries: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut words = BTreeSet::new();
    for entry in entries {
        let tokens = split(entry).into_iter();
        words.extend(tokens.map(|token| entry[token].to_vec()));
        words.extend(entry.split(u8::is_ascii_whitespace).map(<[u8]>::to_vec));
    }
    words.into_iter().collect()
}

/// A word of the grammar, or a number.
fn word(words: &[Vec<u8>]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let numbers = select(NUMBERS).prop_map(|number| number.as_bytes().to_vec());
    prop_oneof![7 => select(words.to_vec()), 1 => numbers]
}

fn change(words: &[Vec<u8>], entries: Vec<Vec<u8>>) -> impl Strategy<Value = InputChange> + use<> {
    use InputChange::{Copy, LowerCase, Repeat, Replace, Swap, UpperCase};
    use InputPlace::{Behind, Byte, Gap, Part, Tail, Token};
    let at = any::<Index>;
    let token = || at().prop_map(Token);
    let part =
        || (at(), at(), 0..6_u32).prop_map(|(from, share, halvings)| Part(from, share, halvings));
    let place = prop_oneof![
        3 => at().prop_map(Byte),
        3 => at().prop_map(Gap),
        3 => token(),
        1 => part(),
        1 => at().prop_map(Tail),
    ];
    let text = prop_oneof![
        2 => (b' '..=b'~').prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => select(ODD).prop_map(<[u8]>::to_vec),
        3 => word(words),
        2 => Just(Vec::new()),
    ];
    let tail = (select(entries), at());
    let tail = tail.prop_map(|(entry, from)| entry[from.index(entry.len() + 1)..].to_vec());
    let appended = (select(&BLANKS[..]), word(words));
    let appended = appended.prop_map(|(blank, word)| [blank, &word].concat());
    prop_oneof![
        12 => (place, text).prop_map(|(place, text)| Replace(place, text)),
        1 => (at(), appended).prop_map(|(at, text)| Replace(Behind(at), text)),
        2 => (at(), tail).prop_map(|(at, text)| Replace(Tail(at), text)),
        2 => (part(), 0..12_u32).prop_map(|(part, halvings)| Repeat(part, halvings)),
        1 => (token(), token()).prop_map(|(one, other)| Copy(one, other)),
        1 => (token(), token()).prop_map(|(one, other)| Swap(one, other)),
        1 => (at(), at()).prop_map(|(one, other)| Swap(Byte(one), Byte(other))),
        1 => token().prop_map(UpperCase),
        1 => token().prop_map(LowerCase),
    ]
}

impl InputChange {
    fn apply(self, input: &mut Vec<u8>, most: usize) {
        match self {
            Self::Replace(place, text) => drop(input.splice(place.range(input), text)),
            Self::Repeat(place, halvings) => {
                let range = place.range(input);
                // Repeating stops where the input would have to be cut.
                let room = most.saturating_sub(input.len()) / range.len().max(1);
                let text = input[range.clone()].repeat((room >> halvings).max(1));
                input.splice(range.end..range.end, text);
            }
            Self::Copy(from, to) => {
                let text = input[from.range(input)].to_vec();
                let at = to.range(input).start;
                input.splice(at..at, text);
            }
            Self::Swap(one, other) => swap(input, one.range(input), other.range(input)),
            Self::UpperCase(place) => {
                let range = place.range(input);
                input[range].make_ascii_uppercase();
            }
            Self::LowerCase(place) => {
                let range = place.range(input);
                input[range].make_ascii_lowercase();
            }
        }
    }
}

impl InputPlace {
    fn range(self, input: &[u8]) -> Range<usize> {
        let gap = |at: Index| at.index(input.len() + 1);
        let token = |at: Index| {
            let tokens = split(input);
            let token = (!tokens.is_empty()).then(|| at.get(&tokens).clone());
            token.unwrap_or(0..0)
        };
        match self {
            Self::Byte(at) => gap(at)..(gap(at) + 1).min(input.len()),
            Self::Gap(at) => gap(at)..gap(at),
            Self::Part(from, share, halvings) => {
                let from = gap(from);
                let most = (input.len() - from) >> halvings;
                from..from + share.index(most + 1)
            }
            Self::Tail(at) => gap(at)..input.len(),
            Self::Token(at) => token(at),
            Self::Behind(at) => token(at).end..token(at).end,
        }
    }
}

/// Texts without commas between them, so that rustfmt leaves many of them on a line.
macro_rules! texts {
    ($($text:literal)+) => { &[$($text),+] };
}

/// Bytes and texts that readers stumble over.
const ODD: &[&[u8]] = texts![
    b"\0" b"\xff" b"\xc3" b"\xed\xa0\x80" b"\xf0\x9f" b"\xef\xbb\xbf" b"\r" b"\n" b"\r\n" b"\t" b"\x0b" b"\x1a"
    b"\x1b[31m" b"\x7f"
    // In UTF-8: spaces that are not ASCII, a combining accent, letters and digits whose case or
    // value is not that of ASCII, a change of direction, a character beyond the basic plane.
    b"\xc2\xa0" b"\xc2\x85" b"e\xcc\x81" b"\xc4\xb0" b"\xef\xbc\x91" b"\xd9\xa1" b"\xe2\x80\xae" b"\xf0\x9f\x98\x80"
];

/// Numbers at the edges of types, and texts that are nearly numbers.
const NUMBERS: &[&str] = texts![
    "0" "-0" "1" "-1" "+5" "00" "007" "127" "255" "256" "65535" "65536" "2147483647" "-2147483648"
    "4294967295" "4294967296" "9007199254740993" "9223372036854775807" "-9223372036854775808"
    "18446744073709551615" "18446744073709551616" "999999999999999999999999999999" "1e308"
    "-1e999" "NaN" "inf" "0.1" "0x10"
];

/// What stands between words.
const BLANKS: [&[u8]; 8] = [b" ", b" ", b" ", b"", b"\n", b"\t", b", ", b"; "];

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
    // They are the same token, or overlap.
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
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    use super::*;

    const TARGET: FuzzTarget = FuzzTarget {
        name: "toy",
        corpus: "one 12 two\nthree, four; \"five\"\n",
        check: |_| true,
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
        for word in ["four five", "18446744073709551616", "twotwo", "e\u{301}"] {
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

//! A fault: its number, its name, and sets of faults.

use std::fmt::Write as _;
use std::ops::Range;

use chess::rules::Color;

use super::families::{Effect, Family, ORDERS, Sides, families};

/// One way in which a move generator can be wrong: where a condition holds, something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault(pub(super) u32);

impl Fault {
    /// Number of combinations of conditions; many of them are impossible.
    pub fn count() -> usize {
        let last = families().last().expect("there are families");
        last.start as usize + last.count()
    }

    /// From 0 to `count() - 1`.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The fault of this index.
    pub fn from_index(index: usize) -> Option<Self> {
        let fault = u32::try_from(index).ok()?;
        (index < Self::count()).then_some(Self(fault))
    }

    pub(super) fn family(self) -> &'static Family {
        &families()[self.family_index()]
    }

    pub(super) fn family_index(self) -> usize {
        families().partition_point(|family| family.start <= self.0) - 1
    }

    /// The name of its family, such as `right-kept/rook-captured`.
    pub fn family_name(self) -> &'static str {
        self.family().name
    }

    /// The side for which the generator is wrong; `None` for both.
    pub fn side(self) -> Option<Color> {
        let family = self.family();
        let side = (self.0 - family.start) as usize / family.combinations();
        match family.sides {
            Sides::Shared => None,
            _ => Color::ALL.get(side).copied(),
        }
    }

    /// Of a fault of taking back: the order of [`ORDERS`] in which a generator with it makes moves.
    pub(super) fn order(self) -> Option<usize> {
        let family = self.family();
        let index = (self.0 - family.start) as usize % family.combinations();
        // The order is the last condition, which varies fastest.
        matches!(family.effect, Effect::Undoes(_)).then_some(index % ORDERS.len())
    }

    fn values(self) -> impl Iterator<Item = &'static str> {
        let family = self.family();
        let index = (self.0 - family.start) as usize % family.combinations();
        let values = family.values(index);
        family
            .conditions
            .iter()
            .zip(values)
            .map(|(names, value)| names[value])
    }

    /// Its name: that of the family, the values of the conditions, and the side if it is of one, such as
    /// `right-kept/rook-captured/queen/h8/asked` or `omits/ep-pair/west/black`.
    pub fn name(self) -> String {
        let mut name = self.family().name.to_owned();
        for value in self.values() {
            name.push('/');
            name += value;
        }
        if let Some(side) = self.side() {
            name += ["/white", "/black"][side.index()];
        }
        name
    }

    /// What a generator with this fault does, as a phrase.
    pub fn description(self) -> String {
        let mut text = String::new();
        let mut values = self.values();
        for (number, part) in self.family().about.split("{}").enumerate() {
            if number > 0 {
                text += values.next().unwrap_or_default();
            }
            text += part;
        }
        if let Some(side) = self.side() {
            write!(text, " ({side})").expect("a string can be written to");
        }
        text
    }
}

/// The families, each with its name and the numbers of its faults.
pub fn family_ranges() -> impl Iterator<Item = (&'static str, Range<usize>)> {
    families().iter().map(|family| {
        let start = family.start as usize;
        (family.name, start..start + family.count())
    })
}

/// A set of faults.
// Always of full length: with shorter ones, equal sets would compare as different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSet(Vec<u64>);

impl Default for FaultSet {
    fn default() -> Self {
        Self(vec![0; Fault::count().div_ceil(64)])
    }
}

impl FaultSet {
    /// Adds a fault; returns whether it is new.
    pub fn insert(&mut self, fault: Fault) -> bool {
        let (word, bit) = (fault.index() / 64, 1 << (fault.index() % 64));
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Whether the set contains a fault.
    pub fn contains(&self, fault: Fault) -> bool {
        self.0[fault.index() / 64] >> (fault.index() % 64) & 1 == 1
    }

    /// Number of faults.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds the faults of another set.
    pub fn add(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The faults that are not in another set.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let words = self.0.iter().zip(&other.0);
        Self(words.map(|(word, less)| word & !less).collect())
    }

    /// The faults in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Fault> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        let words = (0_u32..).zip(&self.0);
        words.flat_map(move |(index, &word)| bits(word).map(move |bit| Fault(64 * index + bit)))
    }
}

impl FromIterator<Fault> for FaultSet {
    fn from_iter<T: IntoIterator<Item = Fault>>(faults: T) -> Self {
        let mut set = Self::default();
        for fault in faults {
            set.insert(fault);
        }
        set
    }
}

/// The faults whose names fit a pattern: names in which `*` stands for any text, several joined by `+`.
///
/// # Errors
///
/// When a part fits no fault.
pub fn find(pattern: &str) -> Result<FaultSet, String> {
    let mut set = FaultSet::default();
    for part in pattern.split('+') {
        let literal = part.split('*').next().unwrap_or_default();
        // Names are made one by one, which takes time: families that cannot fit are left out.
        let is_near = |family: &&Family| {
            let common = literal.len().min(family.name.len());
            literal.as_bytes()[..common] == family.name.as_bytes()[..common]
        };
        let mut fits_any = false;
        for family in families().iter().filter(is_near) {
            let end = family.start + u32::try_from(family.count()).expect("few");
            for fault in (family.start..end).map(Fault) {
                if fits(part.as_bytes(), fault.name().as_bytes()) {
                    fits_any = true;
                    set.insert(fault);
                }
            }
        }
        if !fits_any {
            return Err(format!("no fault is called '{part}'"));
        }
    }
    Ok(set)
}

/// Whether a text fits a pattern in which `*` stands for any text.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern, text) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=text.len()).any(|length| fits(rest, &text[length..])),
        ([one, rest @ ..], [other, others @ ..]) => one == other && fits(rest, others),
        _ => false,
    }
}

//! The tables from which faults are made: conditions with their values, and what happens where they hold.
//!
//! A family asks of a move, or of what makes it illegal, which values its conditions have. Each
//! combination of values is a fault, or two or three where generators have code for each side.

mod attacks;
mod breaches;
mod castling;
mod en_passant;
mod moves;
mod positions;
mod residues;

use std::sync::LazyLock;

use chess::rules::Color;

use super::board::{Board, Change};
use super::scene::{Breach, Candidate, Scene, Violation};

pub(super) use positions::{Key, key};

/// The values of a family's conditions; conditions that it does not have are 0.
pub(super) type Values = [usize; 4];

/// Values of one to four conditions.
pub(super) fn at<const N: usize>(values: [usize; N]) -> Values {
    let mut all = [0; 4];
    all[..N].copy_from_slice(&values);
    all
}

/// The changes that a fault makes together.
pub(super) type Changes = [Option<Change>; 4];

/// One change, as it is of most faults.
pub(super) fn only(change: Change) -> Changes {
    [Some(change), None, None, None]
}

/// What a family's faults do, and where.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// A legal move is not listed.
    Omits(fn(&Scene<'_>, &Candidate, &mut Vec<Values>)),
    /// A legal move is listed twice.
    Repeats(fn(&Scene<'_>, &Candidate, &mut Vec<Values>)),
    /// An illegal move is listed if the fault overlooks everything that is wrong with it.
    Lists(fn(&Scene<'_>, &Candidate, &Violation) -> Option<Values>),
    /// The same, of moves that their pieces do not have.
    Breaks(fn(&Scene<'_>, &Candidate, Breach) -> Option<Values>),
    /// A move leaves something else behind than it should.
    Leaves(fn(&Scene<'_>, &Candidate, &Board, &mut Vec<(Values, Changes)>)),
    /// A move that is taken back leaves something behind.
    Unmakes(fn(&Scene<'_>, &Candidate, &Board, &mut Vec<(Values, Changes)>)),
    /// There are no moves, though there are.
    Ends(fn(&Scene<'_>, &[Board], &mut Vec<Values>)),
    /// A position without moves counts as a leaf.
    Counts(fn(&Scene<'_>, &mut Vec<Values>)),
    /// Counts are kept in a table whose key lacks something.
    Forgets,
}

/// For which sides a family has faults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    /// For White, for Black, and for both at once.
    Each,
    /// For White and for Black: their tables differ.
    Apart,
    /// For both at once: they share the table, or the condition names the side.
    Shared,
}

/// A family of faults.
pub(super) struct Family {
    /// Such as `right-kept/rook-captured`.
    pub(super) name: &'static str,
    /// What a generator with such a fault does, with `{}` for each condition's value.
    pub(super) about: &'static str,
    pub(super) conditions: &'static [&'static [&'static str]],
    pub(super) sides: Sides,
    pub(super) effect: Effect,
    /// Number of its first fault.
    pub(super) start: u32,
}

impl Family {
    const fn new(
        name: &'static str,
        about: &'static str,
        conditions: &'static [&'static [&'static str]],
        sides: Sides,
        effect: Effect,
    ) -> Self {
        Self {
            name,
            about,
            conditions,
            sides,
            effect,
            start: 0,
        }
    }

    /// Number of combinations of values.
    pub(super) fn combinations(&self) -> usize {
        self.conditions.iter().map(|values| values.len()).product()
    }

    pub(super) fn count(&self) -> usize {
        let sides = match self.sides {
            Sides::Each => 3,
            Sides::Apart => 2,
            Sides::Shared => 1,
        };
        sides * self.combinations()
    }

    fn index(&self, values: Values) -> usize {
        self.conditions
            .iter()
            .zip(values)
            .fold(0, |index, (names, value)| {
                debug_assert!(value < names.len(), "{}: {values:?}", self.name);
                index * names.len() + value
            })
    }

    /// The values of a combination.
    pub(super) fn values(&self, mut index: usize) -> Values {
        let mut values = [0; 4];
        for (place, names) in self.conditions.iter().enumerate().rev() {
            values[place] = index % names.len();
            index /= names.len();
        }
        values
    }

    /// The numbers of the faults with these values when a side is to move: for it, and for both.
    pub(super) fn numbers(&self, values: Values, us: Color) -> [Option<u32>; 2] {
        let (index, all) = (self.index(values), self.combinations());
        let number =
            |side: usize| Some(self.start + u32::try_from(side * all + index).expect("few"));
        match self.sides {
            Sides::Each => [number(us.index()), number(2)],
            Sides::Apart => [number(us.index()), None],
            Sides::Shared => [number(0), None],
        }
    }
}

/// All families, by the number of their first fault.
pub(super) fn families() -> &'static [Family] {
    static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
        let tables = [
            moves::FAMILIES,
            en_passant::FAMILIES,
            castling::FAMILIES,
            attacks::FAMILIES,
            breaches::FAMILIES,
            residues::FAMILIES,
            positions::FAMILIES,
        ];
        let mut start = 0;
        let mut place = |family: &Family| {
            let family = Family {
                start,
                ..Family::new(
                    family.name,
                    family.about,
                    family.conditions,
                    family.sides,
                    family.effect,
                )
            };
            start += u32::try_from(family.count()).expect("few");
            family
        };
        tables.into_iter().flatten().map(&mut place).collect()
    });
    &FAMILIES
}

//! The tables from which faults are made: conditions with their values, and what happens where they hold.
//!
//! A family asks of a move, or of what makes it illegal, which values its conditions have. Each
//! combination of values is a fault, or two or three where generators have code for each side.

/// Rows of a table of families: sides, effect, name, the conditions' values, and what a generator with such a
/// fault does, with `{}` for each value; then the question that finds the values. rustfmt leaves them as
/// they are.
macro_rules! families {
    ($($sides:ident $effect:ident $name:literal [$($values:expr),*] $about:literal => $ask:expr;)*) => {
        pub(super) const FAMILIES: &[Family] = &[$(Family {
            name: $name,
            about: $about,
            conditions: &[$(&$values),*],
            sides: Sides::$sides,
            effect: Effect::$effect($ask),
            start: 0,
        }),*];
    };
}

mod attacks;
mod breaches;
mod castling;
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

/// The order in which the listed moves are made: what one leaves behind shows in those made after it alone,
/// and no two generators list them alike.
pub(super) const ORDERS: [&str; 2] = ["first-to-last", "last-to-first"];

/// Values of one to four conditions.
#[expect(
    clippy::unnecessary_wraps,
    reason = "rows of tables end in it, after questions that have no answer for most moves"
)]
fn at<const N: usize>(values: [usize; N]) -> Option<Values> {
    let mut all = [0; 4];
    all[..N].copy_from_slice(&values);
    Some(all)
}

/// The values that a move has; some families have several for one.
#[derive(Default)]
pub(super) struct Hits(pub(super) Vec<Values>);

impl Hits {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "rows of tables end in it, after questions that have no answer for most moves"
    )]
    fn at<const N: usize>(&mut self, values: [usize; N]) -> Option<()> {
        self.0.extend(at(values));
        Some(())
    }
}

/// The changes that a fault makes together.
pub(super) type Changes = [Option<Change>; 4];

/// The values that a move has, each with what the fault leaves behind.
#[derive(Default)]
pub(super) struct Left(pub(super) Vec<(Values, Changes)>);

impl Left {
    fn at<const N: usize>(&mut self, values: [usize; N], change: Change) -> Option<()> {
        self.all(values, [Some(change), None, None])
    }

    fn all<const N: usize>(&mut self, values: [usize; N], all: [Option<Change>; 3]) -> Option<()> {
        let [first, second, third] = all;
        self.0.push((at(values)?, [first, second, third, None]));
        Some(())
    }
}

/// A question about a legal move: the values that it has.
pub(super) type AskMove = fn(&Scene<'_>, &Candidate, &mut Hits) -> Option<()>;
/// What a fault leaves behind after a legal move, which led to this position, or when it is taken back.
pub(super) type AskLeft = fn(&Scene<'_>, &Candidate, &Board, &mut Left) -> Option<()>;

/// What a family's faults do, and where.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// A legal move is not listed.
    Omits(AskMove),
    /// A legal move is listed twice.
    Repeats(AskMove),
    /// An illegal move is listed if the fault overlooks everything that is wrong with it.
    Lists(fn(&Scene<'_>, &Candidate, &Violation) -> Option<Values>),
    /// The same, of moves that their pieces do not have.
    Breaks(fn(&Scene<'_>, &Candidate, Breach) -> Option<Values>),
    /// A move leaves something else behind than it should.
    Leaves(AskLeft),
    /// A move that is taken back leaves something behind, which the moves made after it meet. The last condition
    /// is [`ORDERS`], whose value is not asked for: every such fault occurs in both.
    Undoes(AskLeft),
    /// There are no moves, though there are.
    Ends(fn(&Scene<'_>, &[Board], &mut Hits) -> Option<()>),
    /// A position without moves counts as a leaf.
    Counts(fn(&Scene<'_>) -> Option<Values>),
    /// Counts are kept in a table whose key lacks something.
    // The macro gives every family a question.
    Forgets(()),
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
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// Such as `right-kept/rook-captured`.
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) conditions: &'static [&'static [&'static str]],
    pub(super) sides: Sides,
    pub(super) effect: Effect,
    /// Number of its first fault.
    pub(super) start: u32,
}

impl Family {
    /// What a fault leaves behind when a move is taken back, if moves are made in this order of [`ORDERS`].
    pub(super) fn undone(
        &self,
        scene: &Scene<'_>,
        one: &Candidate,
        after: &Board,
        order: usize,
    ) -> Vec<(Values, Changes)> {
        let mut left = Left::default();
        if let Effect::Undoes(ask) = self.effect {
            ask(scene, one, after, &mut left);
        }
        for (values, _) in &mut left.0 {
            values[self.conditions.len() - 1] = order;
        }
        left.0
    }

    /// Number of combinations of values.
    pub(super) fn combinations(&self) -> usize {
        self.conditions.iter().map(|values| values.len()).product()
    }

    pub(super) fn count(&self) -> usize {
        self.combinations()
            * match self.sides {
                Sides::Each => 3,
                Sides::Apart => 2,
                Sides::Shared => 1,
            }
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
        let (mut index, mut all) = (0, 1);
        for (names, value) in self.conditions.iter().zip(values) {
            debug_assert!(value < names.len(), "{}: {values:?}", self.name);
            index = index * names.len() + value;
            all *= names.len();
        }
        let number = |side: usize| {
            u32::try_from(side * all + index)
                .map(|one| self.start + one)
                .ok()
        };
        // White's faults come first, then Black's, then those of both sides.
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
        // The bank's files do not depend on this order: they number faults within their family.
        let tables = [
            moves::FAMILIES,
            castling::FAMILIES,
            attacks::FAMILIES,
            breaches::FAMILIES,
            residues::FAMILIES,
            positions::FAMILIES,
        ];
        let mut all: Vec<Family> = tables.concat();
        let mut start = 0;
        for family in &mut all {
            family.start = start;
            start += u32::try_from(family.count()).expect("there are few");
        }
        all
    });
    &FAMILIES
}

//! Where the terms go: into a sum, or into a ledger with a row for each.

use super::term::Term;
use crate::eval::{Phased, Row};
use chess::rules::{ByColor, Color};

/// Takes the terms of an evaluation as they are found.
pub(super) trait Sink {
    /// Takes what a term gives to one side; a term may come several times.
    fn add(&mut self, term: Term, color: Color, value: Phased);
}

/// The sum as White sees it: all that a search needs.
#[derive(Default)]
pub(super) struct Sum(pub(super) Phased);

impl Sink for Sum {
    #[inline(always)]
    fn add(&mut self, _term: Term, color: Color, value: Phased) {
        match color {
            Color::White => self.0 += value,
            Color::Black => self.0 -= value,
        }
    }
}

/// Every term by itself.
#[derive(Default)]
pub(super) struct Ledger([ByColor<Phased>; Term::ALL.len()]);

impl Ledger {
    /// One row for each term.
    pub(super) fn into_rows(self) -> Vec<Row> {
        let row = |term: Term| Row {
            name: term.name(),
            sides: self.0[term as usize],
        };
        Term::ALL.map(row).into()
    }
}

impl Sink for Ledger {
    fn add(&mut self, term: Term, color: Color, value: Phased) {
        self.0[term as usize][color] += value;
    }
}

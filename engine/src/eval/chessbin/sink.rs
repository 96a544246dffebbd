//! Destinations of the terms: a sum, or a ledger with a row for each term.

use super::term::Term;
use crate::eval::{Phased, Row};
use chess::rules::{ByColor, Color};

/// Receives the terms of an evaluation.
pub(super) trait Sink {
    /// Adds a term's contribution for one side; a term may occur several times.
    fn add(&mut self, term: Term, color: Color, value: Phased);
}

/// The sum from White's point of view, which is all that a search needs.
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

/// Each term separately.
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

//! Writes the weights as the engine's Rust source file.

use std::io::{self, Write};

use engine::eval::{Field, Phased, Touchstone};

use super::data::Errors;

/// Maximal width of a line: that of `rustfmt`.
const LINE_WIDTH: usize = 100;
/// Weights in a row of a table that does not fit on one line: half a rank, since files are mirrored.
const ROW: usize = 4;

const HEADER: &str = "\
//! The weights of the evaluation, in centipawns. Written by `trainer fit` from games of the
//! engine with itself, see `docs/texel.md`; not to be changed by hand.
//!
";

const BEGIN: &str = "\
use super::layout::Weights;
use crate::eval::Phased;

/// A weight in the middle game and in the end game.
const fn s(middle_game: i32, end_game: i32) -> Phased {
    Phased::new(middle_game, end_game)
}

/// What every count of every term is worth. Tables by square have a row for each rank, the files
/// from the edge to the centre.
#[rustfmt::skip]
pub(super) const WEIGHTS: Weights = Weights {
";

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fitted {
    /// All weights in the order of the fields.
    pub(super) weights: Vec<Phased>,
    pub(super) seed: u64,
    pub(super) games: usize,
    pub(super) positions: usize,
    pub(super) before: Errors,
    pub(super) after: Errors,
}

pub(super) fn write(out: &mut impl Write, fitted: &Fitted) -> io::Result<()> {
    out.write_all(HEADER.as_bytes())?;
    let (seed, games, positions) = (fitted.seed, fitted.games, fitted.positions);
    writeln!(
        out,
        "//! Seed {seed}, {games} games, {positions} positions."
    )?;
    let (before, after) = (fitted.before, fitted.after);
    for (what, before, after) in [
        ("training", before.training, after.training),
        ("held-out", before.hold_out, after.hold_out),
    ] {
        let errors = format!("{before:.6} before, {after:.6} with these weights");
        writeln!(out, "//! Mean squared error of {what} positions: {errors}.")?;
    }
    writeln!(out)?;
    body(out, Touchstone::fields(), &fitted.weights)
}

/// Writes everything but the header.
fn body(out: &mut impl Write, fields: &[Field], weights: &[Phased]) -> io::Result<()> {
    out.write_all(BEGIN.as_bytes())?;
    for field in fields {
        let values = &weights[field.offset..field.offset + field.len];
        out.write_all(table(field.name, values).as_bytes())?;
    }
    writeln!(out, "}};")
}

/// The table of a term, on one line if that is short enough.
fn table(name: &str, values: &[Phased]) -> String {
    let value = |value: &Phased| format!("s({}, {})", value.middle_game, value.end_game);
    let row = |values: &[Phased]| values.iter().map(value).collect::<Vec<_>>().join(", ");
    let line = format!("    {name}: [{}],\n", row(values));
    if line.len() <= LINE_WIDTH + 1 {
        return line;
    }
    let rows = values
        .chunks(ROW)
        .map(|values| format!("        {},\n", row(values)));
    format!("    {name}: [\n{}    ],\n", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = include_str!("../../../engine/src/eval/touchstone/weights.rs");

    /// The committed file is as it would be written, and contains every field.
    #[test]
    fn the_weights_of_the_engine_are_written_as_they_are() {
        let mut text = Vec::new();
        body(&mut text, Touchstone::fields(), &Touchstone::weights()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(COMMITTED.ends_with(&text), "{text}");
    }

    #[test]
    fn the_header_says_where_the_weights_come_from() {
        let errors = |training| Errors {
            training,
            hold_out: 0.125,
        };
        let fitted = Fitted {
            weights: Touchstone::weights(),
            seed: 7,
            games: 2000,
            positions: 15_000,
            before: errors(0.25),
            after: errors(0.0625),
        };
        let mut text = Vec::new();
        write(&mut text, &fitted).unwrap();
        let text = String::from_utf8(text).unwrap();
        for part in [
            "Seed 7, 2000 games, 15000 positions.",
            "training positions: 0.250000 before, 0.062500 with",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let mut comments = text.lines().take_while(|line| line.starts_with("//!"));
        assert!(comments.all(|line| line.len() <= 100));
    }

    #[test]
    fn short_tables_stand_on_one_line() {
        let value = Phased::new(-1, 20);
        assert_eq!(table("space", &[value]), "    space: [s(-1, 20)],\n");
        let lines = |name| table(name, &[value; 7]).lines().count();
        assert_eq!((lines("space"), lines("a_field_with_a_long_name")), (1, 4));
    }
}

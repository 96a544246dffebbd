//! Evaluation traces: the contribution of each term for each side and phase.

use std::fmt;

use super::{Phase, Phased, Taper};
use chess::rules::{ByColor, Color};

/// The contribution of one term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRow {
    /// The term.
    pub name: &'static str,
    /// The score of each side from its own point of view: penalties are negative for both.
    pub sides: ByColor<Phased>,
}

impl TraceRow {
    /// White's score minus Black's.
    pub fn balance(&self) -> Phased {
        let [mut balance, black] = self.sides.0;
        balance -= black;
        balance
    }
}

/// An evaluation broken down into terms. `Display` prints an ASCII table of less than 80 columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalTrace {
    evaluation: &'static str,
    rows: Vec<TraceRow>,
    taper: Taper,
    scale: u8,
    side_to_move: Color,
}

impl EvalTrace {
    pub(super) fn new(
        evaluation: &'static str,
        rows: Vec<TraceRow>,
        taper: Taper,
        side_to_move: Color,
    ) -> Self {
        Self {
            evaluation,
            rows,
            taper,
            scale: WHOLE_END_GAME,
            side_to_move,
        }
    }

    /// The same with the end game scaled by `scale` 64ths.
    pub(super) fn scaled(self, scale: u8) -> Self {
        Self { scale, ..self }
    }

    /// All terms in a fixed order, including those that are zero.
    pub fn rows(&self) -> &[TraceRow] {
        &self.rows
    }

    /// The weights of the phases in this position.
    pub const fn taper(&self) -> Taper {
        self.taper
    }

    /// The end-game scale in 64ths: lower if an advantage does not win.
    pub const fn scale(&self) -> u8 {
        self.scale
    }

    /// The side to move.
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The sum of all rows; its balance is White's advantage.
    pub fn total(&self) -> TraceRow {
        let mut total = TraceRow {
            name: "total",
            sides: ByColor::default(),
        };
        for row in &self.rows {
            for color in Color::ALL {
                total.sides[color] += row.sides[color];
            }
        }
        total
    }

    /// The score in centipawns for the side to move.
    pub fn value(&self) -> i32 {
        self.value_for(self.side_to_move)
    }

    /// The score in centipawns from one side's point of view.
    pub fn value_for(&self, color: Color) -> i32 {
        let white = self.taper.blend_scaled(self.total().balance(), self.scale);
        match color {
            Color::White => white,
            Color::Black => -white,
        }
    }
}

const WHOLE_END_GAME: u8 = 64;

/// Maximal width of term names in the table.
const NAME_WIDTH: usize = 28;

impl fmt::Display for EvalTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = |phase| {
            if self.taper.phase() == Some(phase) {
                " (now)"
            } else {
                ""
            }
        };
        let [middle_game, end_game] = Phase::ALL.map(|phase| format!("{phase}{}", counts(phase)));
        writeln!(f, "{}, in centipawns", self.evaluation)?;
        writeln!(f)?;
        let name = "";
        writeln!(f, "{name:NAME_WIDTH$} |{middle_game:^22}|{end_game:^22}|")?;
        let sides = "  White  Black   Diff |";
        writeln!(f, "{:NAME_WIDTH$} |{sides}{sides}", "term")?;
        write_rule(f)?;
        for row in &self.rows {
            write_row(f, row)?;
        }
        write_rule(f)?;
        write_row(f, &self.total())?;
        writeln!(f)?;
        let (value, white) = (self.value(), self.value_for(Color::White));
        writeln!(f, "Phase that counts: {}", self.taper)?;
        if self.scale != WHOLE_END_GAME {
            writeln!(f, "End game that counts: {}/{WHOLE_END_GAME}", self.scale)?;
        }
        writeln!(f, "Value for White: {} pawns", Pawns(white))?;
        let mover = self.side_to_move;
        write!(
            f,
            "Value for the side to move, {mover}: {} pawns",
            Pawns(value)
        )
    }
}

fn write_rule(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (names, numbers) = ("-".repeat(NAME_WIDTH + 1), "-".repeat(22));
    writeln!(f, "{names}+{numbers}+{numbers}+")
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &TraceRow) -> fmt::Result {
    write!(f, "{:NAME_WIDTH$} |", row.name)?;
    let [white, black] = row.sides.0;
    for phase in Phase::ALL {
        let (white, black) = (white.at(phase), black.at(phase));
        write!(f, "{white:>7}{black:>7}{:>7} |", row.balance().at(phase))?;
    }
    writeln!(f)
}

/// Centipawns printed as pawns with a sign: `+1.25`.
struct Pawns(i32);

impl fmt::Display for Pawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0 {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", size / 100, size % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(taper: Taper, side_to_move: Color) -> EvalTrace {
        let rows = vec![
            TraceRow {
                name: "material",
                sides: ByColor([Phased::both(4065), Phased::both(3965)]),
            },
            TraceRow {
                name: "knights in the end game",
                sides: ByColor([Phased::new(0, -10), Phased::new(0, -20)]),
            },
        ];
        EvalTrace::new("Toy", rows, taper, side_to_move)
    }

    #[test]
    fn drawn_as_a_table() {
        let expected = "\
Toy, in centipawns

                             |     middle game      |    end game (now)    |
term                         |  White  Black   Diff |  White  Black   Diff |
-----------------------------+----------------------+----------------------+
material                     |   4065   3965    100 |   4065   3965    100 |
knights in the end game      |      0      0      0 |    -10    -20     10 |
-----------------------------+----------------------+----------------------+
total                        |   4065   3965    100 |   4055   3945    110 |

Phase that counts: end game
Value for White: +1.10 pawns
Value for the side to move, Black: -1.10 pawns";
        let table = trace(Taper::only(Phase::EndGame), Color::Black).to_string();
        assert_eq!(table, expected);
    }

    #[test]
    fn between_the_phases_neither_is_marked_and_a_scale_is_shown() {
        let trace = trace(Taper::middle_game(18), Color::White).scaled(32);
        // 100 in the middle game, 110 in the end game: 75 and a half of 27.5.
        assert_eq!((trace.scale(), trace.value()), (32, 88));
        let table = trace.to_string();
        assert!(!table.contains("now"), "{table}");
        for line in [
            "Phase that counts: middle game 18/24, end game 6/24",
            "End game that counts: 32/64",
            "Value for White: +0.88 pawns",
        ] {
            assert!(table.lines().any(|other| other == line), "{table}");
        }
    }

    #[test]
    fn pawns_have_a_sign_and_two_decimals() {
        let rows = [(0, "0.00"), (5, "+0.05"), (-5, "-0.05"), (-1234, "-12.34")];
        for (centipawns, expected) in rows {
            assert_eq!(Pawns(centipawns).to_string(), expected);
        }
    }
}

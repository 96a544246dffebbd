//! Formats results as text, one file for each command.

#[cfg(unix)]
pub mod compliance;
#[cfg(unix)]
pub mod live;
pub mod plan;
pub mod rate;
pub mod run;
pub mod simulate;
mod spread;
pub mod stats;
#[cfg(unix)]
pub mod summary;
pub mod tune;

use comfy_table::{CellAlignment, Table, presets};

use crate::model::Quarantine;
use crate::stats::{Estimate, elo};

/// Minimum number of games for an estimate of the time left: with fewer it is mostly noise.
const FEWEST_GAMES: u64 = 8;

const DASH: &str = "–";

/// A number with this many decimals, without a sign if it is zero; a dash if it is NaN.
fn decimals(number: f64, decimals: usize) -> String {
    if number.is_nan() {
        return DASH.to_owned();
    }
    let text = format!("{number:.decimals$}");
    let is_zero = text
        .bytes()
        .all(|byte| !byte.is_ascii_digit() || byte == b'0');
    match text.strip_prefix('-') {
        Some(text) if is_zero => text.to_owned(),
        _ => text,
    }
}

/// A rate with three significant figures: `0.123`, `52.5`, `526`, `12300`.
fn rate(number: f64) -> String {
    let text = format!("{number:.2e}");
    let parts = text.split_once('e');
    let exponent = parts.and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match (text.parse::<f64>(), exponent) {
        (Ok(rounded), Some(exponent)) if rounded != 0.0 => {
            let places = usize::try_from(2 - exponent).unwrap_or(0);
            decimals(rounded, places)
        }
        _ => decimals(number, 0),
    }
}

fn percent(part: f64) -> String {
    if part.is_nan() {
        return DASH.to_owned();
    }
    decimals(100.0 * part, 2) + "%"
}

/// Elo formatted by [`decimals`]; at the maximum, marked as a bound (`>` or `<`).
fn elo_number(number: f64, places: usize) -> String {
    if number.abs() < elo::MAX_ELO - 1e-6 || number.is_nan() {
        return decimals(number, places);
    }
    let end = decimals(elo::MAX_ELO.trunc(), 0);
    if number > 0.0 {
        format!(">{end}")
    } else {
        format!("<-{end}")
    }
}

/// A number and its interval; a dash for what is unknown.
fn interval(estimate: &Estimate, text: impl Fn(f64) -> String) -> String {
    let Estimate {
        value,
        lower,
        upper,
    } = *estimate;
    if value.is_nan() {
        DASH.to_owned()
    } else if lower.is_nan() || upper.is_nan() {
        format!("{} [{DASH}]", text(value))
    } else {
        format!("{} [{}, {}]", text(value), text(lower), text(upper))
    }
}

fn elo_interval(estimate: &Estimate, places: usize) -> String {
    interval(estimate, |number| elo_number(number, places))
}

/// A quarantined worker, with the reason.
fn quarantine(entry: &Quarantine) -> String {
    let Quarantine {
        worker,
        reason,
        games,
        kept,
    } = entry;
    let games = match games {
        0 => String::new(),
        games => format!(" ({} taken out: {kept})", count(*games, "game")),
    };
    format!("worker '{worker}': {reason}{games}")
}

/// `1 pair`, `2 pairs`.
pub(crate) fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Rows below a header; the first column is left-aligned, the others are right-aligned.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    for row in rows {
        table.add_row(row);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_have_no_sign() {
        assert_eq!(decimals(-0.001, 2), "0.00");
        assert_eq!(decimals(-0.01, 2), "-0.01");
    }

    #[test]
    fn rates_have_three_figures() {
        let rows = [
            (0.0123, "0.0123"),
            (0.12345, "0.123"),
            (9.996, "10.0"),
            (52.46, "52.5"),
            (525.8, "526"),
            (12_345.0, "12300"),
            (0.0, "0"),
        ];
        for (number, expected) in rows {
            assert_eq!(rate(number), expected);
        }
    }

    #[test]
    fn intervals() {
        let text = |value, lower, upper| {
            elo_interval(
                &Estimate {
                    value,
                    lower,
                    upper,
                },
                1,
            )
        };
        assert_eq!(text(1.0, -2.0, 4.0), "1.0 [-2.0, 4.0]");
        assert_eq!(text(300.0, 20.0, elo::MAX_ELO), "300.0 [20.0, >1199]");
        assert_eq!(text(-elo::MAX_ELO, f64::NAN, f64::NAN), "<-1199 [–]");
        assert_eq!(text(f64::NAN, 0.0, 0.0), "–");
    }
}

//! Formats results as text, one file for each command.

pub mod compliance;
pub mod live;
pub mod plan;
pub mod rate;
pub mod run;
pub mod simulate;
pub mod stats;
pub mod summary;
mod tournament;
pub mod tune;

pub(crate) use kit::output::counted as count;
use kit::table::text as table;

use crate::model::Quarantine;
use crate::stats::number::to_f64;
pub(crate) use crate::stats::spread::strength as strength_as_printed;
use crate::stats::{Estimate, SprtState, Wdl, elo};

/// Minimum number of games for an estimate of the time left: with fewer it is mostly noise.
const FEWEST_GAMES: u64 = 8;

const DASH: &str = "–";

/// A number with this many decimals, without a sign if it is zero; a dash if it is not finite.
fn decimals(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return DASH.to_owned();
    }
    let text = format!("{number:.decimals$}");
    let is_zero = text
        .bytes()
        .all(|byte| !byte.is_ascii_digit() || byte == b'0');
    match text.strip_prefix('-') {
        Some(text) if is_zero && number.is_finite() => text.to_owned(),
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
    if !value.is_finite() {
        DASH.to_owned()
    } else if lower.is_nan() || upper.is_nan() {
        text(value)
    } else {
        format!("{} [{}, {}]", text(value), text(lower), text(upper))
    }
}

/// Returns true for the text of a value that is known.
fn is_known(value: &str) -> bool {
    !value.is_empty() && value != DASH
}

pub(crate) fn elo_interval(estimate: &Estimate, places: usize) -> String {
    interval(estimate, |number| elo_number(number, places))
}

/// Normalised Elo with its interval.
pub(crate) fn nelo_interval(estimate: &Estimate) -> String {
    interval(estimate, |number| decimals(number, 2))
}

/// A quarantined worker, with the reason.
fn quarantine(entry: &Quarantine) -> String {
    let Quarantine {
        worker,
        reason,
        games,
        kept,
    } = entry;
    let games = match (games, kept.as_str()) {
        (0, _) => String::new(),
        (games, "") => format!(" ({} taken out)", count(*games, "game")),
        (games, kept) => format!(" ({} taken out: {kept})", count(*games, "game")),
    };
    format!("worker '{worker}': {reason}{games}")
}

/// `+12 =30 -8`.
fn wdl(games: Wdl) -> String {
    format!("+{} ={} -{}", games.wins, games.draws, games.losses)
}

/// Points from quarters of a point, the unit of Sonneborn-Berger scores.
fn quarters(quarter_points: u64) -> f64 {
    to_f64(quarter_points) / 4.0
}

const fn test_state(state: SprtState) -> &'static str {
    match state {
        SprtState::Running => "not decided",
        SprtState::AcceptedH0 => "H0 accepted",
        SprtState::AcceptedH1 => "H1 accepted",
        SprtState::Invalid => "invalid",
    }
}

/// Label of the estimate that is corrected for the stopping rule.
const fn after_stop(state: SprtState) -> &'static str {
    match state {
        SprtState::Running => "if stopped",
        SprtState::AcceptedH0 | SprtState::AcceptedH1 | SprtState::Invalid => "after stop",
    }
}

/// The text of a CSV table.
fn csv_text(writer: csv::Writer<Vec<u8>>) -> Result<String, csv::Error> {
    let bytes = writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A table of standings, in which a column of byes is shown only if there are any.
fn standings<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let byes = head.iter().position(|name| *name == "byes");
    let empty = byes.filter(|&byes| rows.iter().all(|row| row[byes] == "0"));
    let shown = |column: &usize| Some(*column) != empty;
    let head: Vec<&str> = (0..N).filter(shown).map(|column| head[column]).collect();
    let rows = rows.iter().map(|row| {
        let columns = (0..N).filter(shown);
        columns.map(|column| row[column].clone()).collect()
    });
    table(&head, 1.., rows)
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
        assert_eq!(text(-elo::MAX_ELO, f64::NAN, f64::NAN), "<-1199");
        assert_eq!(text(f64::NAN, 0.0, 0.0), "–");
    }
}

//! Graphs as the server draws them, for pages without scripts.

use kit::chart::{Chart, ChartNames};

use super::queries::Hour;

/// The log-likelihood ratio against games, with its bounds; empty without points.
pub(crate) fn llr(points: &[(u64, f64)], lower: f64, upper: f64) -> String {
    let Some(&(games, _)) = points.last() else {
        return String::new();
    };
    let values = || points.iter().map(|&(_, llr)| llr);
    let least = values().fold(lower, f64::min) - 0.2;
    let most = values().fold(upper, f64::max) + 0.2;
    let names = ChartNames {
        title: "Log-likelihood ratio against games",
        axes: ["games", "LLR"],
        least: [1.0, 0.0],
    };
    let mut chart = Chart::new(&names, [0.0, to_f64(games)], [least, most]);
    chart.rule("bound bad", lower, &format!("H0 at {lower:.2}"));
    chart.rule("bound good", upper, &format!("H1 at {upper:.2}"));
    chart.line("line a", points.iter().map(|&(x, y)| (to_f64(x), y)));
    if let Some(&(x, y)) = points.last() {
        chart.dot("dot a", to_f64(x), y);
    }
    chart.finish()
}

/// A number for each of the last hours as bars, the present hour at the right.
pub(crate) fn hours(title: &str, hours: &[Hour], value: impl Fn(&Hour) -> i64) -> String {
    let most = hours.iter().map(&value).max().unwrap_or(0).max(1);
    let names = ChartNames {
        title,
        axes: ["hours from now", "per hour"],
        least: [1.0, 1.0],
    };
    let span = f64::from(HOURS);
    let mut chart = Chart::new(&names, [-span, 0.0], [0.0, to_f64(most.unsigned_abs())]);
    for hour in hours {
        let end = -to_f64(hour.ago.unsigned_abs().into());
        let amount = value(hour);
        let text = match hour.ago {
            0 => format!("{amount} in this hour"),
            ago => format!("{amount} in the hour {ago} h ago"),
        };
        chart.bar(
            "bar length",
            [end - 1.0, end],
            to_f64(amount.unsigned_abs()),
            &text,
            "",
        );
    }
    chart.finish()
}

/// How many hours a graph of throughput shows.
pub(crate) const HOURS: u16 = 24;

#[expect(
    clippy::cast_precision_loss,
    reason = "a pixel is far coarser than the loss"
)]
const fn to_f64(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_drawn_with_its_bounds() {
        let svg = llr(&[(2, 0.1), (40, 1.5)], -2.94, 2.94);
        assert_eq!(svg.matches(r#"class="bound"#).count(), 2, "{svg}");
        assert!(svg.contains(r#"class="line a""#), "{svg}");
        assert!(svg.contains(">H0 at -2.94<"), "{svg}");
        assert_eq!(llr(&[], -2.94, 2.94), "");
    }

    #[test]
    fn hours_are_bars() {
        let given = [0, 5].map(|ago| Hour {
            ago,
            units: 3,
            games: 6,
        });
        let svg = hours("Games", &given, |hour| hour.games);
        assert_eq!(svg.matches("<rect").count(), 2, "{svg}");
    }
}

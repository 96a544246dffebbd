//! Formats a run for a pull request: the result in one line, a table, the rest collapsed.

use std::fmt::Write as _;

use kit::page::Tone;

use super::text;
use super::{CoupleSummary, RunReport};
use crate::model::EngineIndex;
use crate::report::{
    DASH, after_stop, count, decimals, elo_interval, is_known, nelo_interval, percent, quarters,
    test_state, tournament, wdl,
};

impl RunReport<'_> {
    /// Formats a comment for GitHub, GitLab or Forgejo.
    pub fn markdown(&self) -> String {
        let headline = self.headline();
        let sign = match headline.tone {
            Tone::Good => "✅",
            Tone::Bad => "❌",
            Tone::Open => "➖",
        };
        let mut text = format!("{sign} **{}**\n\n", escape(&headline.text));
        writeln!(
            text,
            "{} · {} · {}\n",
            escape(&self.subtitle()),
            self.progress(),
            escape(&self.state_line())
        )
        .expect(TAKES_ALL);
        if let Some(copies) = self.copies() {
            writeln!(text, "⚠ **{}**\n", escape(&copies)).expect(TAKES_ALL);
        }
        if let Some(couple) = self.summary.only_couple() {
            text += &self.markdown_strength(couple);
        } else if self.summary.result.games > 0 {
            text += &self.markdown_standings();
        }
        let result = &self.summary.result;
        let incidents = result.incidents.values().sum();
        for (number, more) in [
            (result.games_lost_by_faults(), ""),
            (incidents, " that cost no game"),
        ] {
            if number > 0 {
                writeln!(text, "\n⚠ {}{more}", count(number, "fault")).expect(TAKES_ALL);
            }
        }
        if self.summary.result.games > 0 {
            text += &self.markdown_details();
        }
        text
    }

    fn markdown_strength(&self, couple: &CoupleSummary) -> String {
        let mut rows = vec![["games".to_owned(), games(couple)]];
        if self.config.pairing.is_paired() {
            let pairs = couple.counted.pairs.0;
            rows.push(["pairs, 0 to 2 points".to_owned(), format!("{pairs:?}")]);
        }
        if let Some(strength) = &couple.strength {
            let row = |name: &str, value: String| [name.to_owned(), value];
            let all = [
                row("Elo", elo_interval(&strength.elo, 2)),
                row("nElo", nelo_interval(&strength.nelo)),
                row("LOS", percent(strength.los)),
            ];
            rows.extend(all.into_iter().filter(|[_, value]| is_known(value)));
        }
        if let Some(test) = &self.summary.result.test {
            let elos = test.design.hypotheses();
            let (llr, bounds) = (decimals(test.llr, 2), text::bounds(test));
            rows.push([
                format!("SPRT [{}, {}] {}", elos.elo0, elos.elo1, elos.model.name()),
                format!("LLR {llr} {bounds}, {}", test_state(test.state)),
            ]);
            if let Some(after) = &test.after_stop {
                let elo = elo_interval(&after.elo, 2);
                rows.push([format!("Elo {}", after_stop(test.state)), elo]);
            }
        }
        let [first, second] = self.names(couple).map(escape);
        markdown_table(&[format!("{first} against {second}"), String::new()], rows)
    }

    fn markdown_standings(&self) -> String {
        let head = [
            "",
            "engine",
            "points",
            "won, drawn, lost",
            "byes",
            "SB",
            "Elo",
        ]
        .map(str::to_owned);
        let rows = self
            .summary
            .result
            .standings
            .table()
            .into_iter()
            .map(|row| {
                let engine = &self.summary.engines[row.engine.0];
                [
                    row.rank.to_string(),
                    escape(self.name(row.engine)),
                    quarters(2 * row.half_points).to_string(),
                    wdl(engine.games()),
                    row.byes.to_string(),
                    quarters(row.sonneborn_berger_quarters).to_string(),
                    tournament::rating(self.summary.ratings.get(&row.engine)),
                ]
            });
        markdown_table(&head, rows)
    }

    fn markdown_details(&self) -> String {
        let mut text = "\n<details><summary>Details</summary>\n\n".to_owned();
        let head = ["ended by", "games"].map(str::to_owned);
        text += &markdown_table(
            &head,
            self.endings()
                .into_iter()
                .map(|(one, count)| [one, count.to_string()]),
        );
        let head = [
            "engine",
            "its own name",
            "limits",
            "ms a move",
            "knps",
            "depth",
            "least left, ms",
            "faults",
            "incidents",
        ];
        let result = &self.summary.result;
        let engines = self
            .config
            .engines
            .iter()
            .zip(&self.summary.engines)
            .enumerate();
        let rows = engines.map(|(index, (config, engine))| {
            let time = &engine.time;
            [
                escape(&config.name),
                escape(&text::ids(&engine.ids)),
                text::limits(&config.limits),
                text::maybe(time.mean_ms, 2),
                text::maybe(time.nodes_per_second.map(|nps| nps / 1000.0), 0),
                text::maybe(time.mean_depth, 1),
                time.least_left_ms
                    .map_or_else(|| DASH.to_owned(), |ms| ms.to_string()),
                text::by_name(&result.faults, EngineIndex(index)),
                text::by_name(&result.incidents, EngineIndex(index)),
            ]
        });
        text += "\n";
        text += &markdown_table(&head.map(str::to_owned), rows);
        if !self.summary.workers.is_empty() {
            let rows = self.worker_rows().into_iter();
            text += "\n";
            text += &markdown_table(
                &text::HEAD.map(str::to_owned),
                rows.map(|row| row.map(|cell| escape(&cell))),
            );
        }
        for note in self.notes() {
            writeln!(text, "\n{}", escape(&note)).expect(TAKES_ALL);
        }
        text + "\n</details>\n"
    }
}

const TAKES_ALL: &str = "a string takes all";

fn games(couple: &CoupleSummary) -> String {
    let games = couple.counted.games;
    format!("{}: {}, {}", games.games(), wdl(games), text::score(games))
}

/// The first column is left-aligned, the others are right-aligned.
fn markdown_table<const N: usize>(
    head: &[String; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut text = format!("| {} |\n|:--|{}\n", head.join(" | "), "--:|".repeat(N - 1));
    for row in rows {
        writeln!(text, "| {} |", row.join(" | ")).expect(TAKES_ALL);
    }
    text
}

/// Escapes a name that could be taken for markup, a table or a mention.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '@' => escaped += "&#64;",
            '\n' | '\r' => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => {
                escaped.extend(['\\', one]);
            }
            _ => escaped.push(one),
        }
    }
    escaped
}

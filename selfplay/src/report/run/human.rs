//! Formats a run for people, on a terminal.

use std::fmt::Write as _;

use super::{CoupleSummary, PairSummary, RunReport, text};
use crate::model::EngineIndex;
use crate::report::{
    DASH, count, decimals, elo_interval, interval, is_known, nelo_interval, percent, table,
    tournament, wdl,
};
use crate::stats::spread;

impl RunReport<'_> {
    pub fn human(&self) -> String {
        let mut text = self.head();
        let notes = self.notes();
        if self.config.engines.len() > 2 && !notes.is_empty() {
            text.push('\n');
        }
        for note in notes {
            writeln!(text, "{:<12} {note}", "note").expect("a string takes all");
        }
        if self.config.engines.len() > 2 && self.summary.result.games > 0 {
            write!(text, "\n{}", self.crosses()).expect("a string takes all");
        }
        if self.summary.result.games > 0 {
            write!(text, "\n{}", self.times()).expect("a string takes all");
        }
        if !self.summary.workers.is_empty() {
            let rows = self.worker_rows().into_iter().map(Vec::from);
            write!(text, "\n{}", table(&text::HEAD, 1.., rows)).expect("a string takes all");
        }
        if self.summary.result.games_lost_by_faults() > 0 {
            write!(text, "\n{}", self.fault_lines()).expect("a string takes all");
        }
        text::printable(&text)
    }

    /// Formats the part that changes during a run, in a few lines.
    pub fn live(&self) -> String {
        let mut text = self.head();
        if let Some(left) = self.time_left() {
            writeln!(text, "\n{left}").expect("a string takes all");
        }
        text::printable(&text)
    }

    fn head(&self) -> String {
        let mut text = String::new();
        let mut line = |label: &str, value: String| {
            writeln!(text, "{label:<12} {value}").expect("a string takes all");
        };
        line("run", format!("{}: {}", self.config.event, self.subtitle()));
        line("state", self.state_line());
        line("games", self.progress());
        if self.summary.result.games > 0 {
            let (distinct, games) = (self.summary.result.distinct, self.summary.result.games);
            line("distinct", format!("{distinct} of {games}"));
        }
        line("result", self.headline().text);
        if let Some(couple) = self.summary.only_couple() {
            self.strength_lines(couple, &mut line);
        }
        self.game_lines(&mut line);
        let result = &self.summary.result;
        for (index, engine) in self.config.engines.iter().enumerate() {
            let ids = &self.summary.engines[index].ids;
            if ids.len() > 1 {
                line("changed", format!("{}: {}", engine.name, text::ids(ids)));
            }
            let own = text::by_name(&result.faults, EngineIndex(index));
            if !own.is_empty() {
                line("faults", format!("{}: {own}", engine.name));
            }
            let incidents = text::by_name(&result.incidents, EngineIndex(index));
            if !incidents.is_empty() {
                let name = &engine.name;
                line("incidents", format!("{name}: {incidents} ({INCIDENTS})"));
            }
        }
        if self.config.engines.len() > 2 && self.summary.result.games > 0 {
            let (standings, ratings) = (&self.summary.result.standings, &self.summary.ratings);
            let table = tournament::text(standings, ratings, |engine| self.name(engine));
            write!(text, "\n{table}").expect("a string takes all");
        }
        text
    }

    fn strength_lines(&self, couple: &CoupleSummary, line: &mut impl FnMut(&str, String)) {
        let PairSummary { pairs, games, .. } = couple.counted;
        if self.config.pairing.is_paired() {
            line("pairs", format!("{} [{pairs}]", pairs.pairs()));
        }
        let score = text::score(games);
        line("score", format!("{score} ({})", wdl(games)));
        if let Some(strength) = &couple.strength {
            let odds = |number| decimals(number, 4);
            let odds = strength.pairs_ratio.as_ref().map(|one| interval(one, odds));
            let rows = [
                ("Elo", elo_interval(&strength.elo, 2)),
                ("nElo", nelo_interval(&strength.nelo)),
                ("LOS", percent(strength.los)),
                ("draw ratio", interval(&strength.draw_ratio, percent)),
                ("pair ratio", odds.unwrap_or_default()),
            ];
            for (label, value) in rows.into_iter().filter(|(_, value)| is_known(value)) {
                line(label, value);
            }
        }
        if let Some(test) = &self.summary.result.test {
            for (label, value) in text::test_lines(test) {
                line(label, value);
            }
        }
    }

    fn game_lines(&self, line: &mut impl FnMut(&str, String)) {
        let summary = self.summary;
        if summary.result.games == 0 {
            return;
        }
        let score = text::score(summary.white);
        let mut white = format!("{score} ({})", wdl(summary.white));
        if let Some(elo) = &summary.white_advantage {
            write!(white, ", worth {} Elo", elo_interval(elo, 1)).expect("a string takes all");
        }
        line("White", white);
        let ends = self.endings().into_iter();
        let ends: Vec<String> = ends.map(|(one, count)| format!("{one} {count}")).collect();
        line("ends", ends.join(", "));
        if let Some(lengths) = &summary.lengths {
            let (mean, least, most) = (lengths.mean, lengths.shortest, lengths.longest);
            let mean = decimals(mean, 1);
            line("plies", format!("{mean} on average, {least} to {most}"));
        }
    }

    fn crosses(&self) -> String {
        let is_paired = self.config.pairing.is_paired();
        let mut head = vec!["pairs", "won, drawn, lost", "score", "Elo", "LOS"];
        if is_paired {
            head.insert(3, "LL,LD,DD,WD,WW");
        } else {
            head[0] = "games";
        }
        let rows = self.summary.couples.iter().map(|couple| {
            let [first, second] = self.names(couple);
            let strength = couple.strength.as_ref();
            let dash = || DASH.to_owned();
            let mut row = vec![
                format!("{first} against {second}"),
                wdl(couple.counted.games),
                text::score(couple.counted.games),
                strength.map_or_else(dash, |one| elo_interval(&one.elo, 1)),
                strength.map_or_else(dash, |one| percent(one.los)),
            ];
            if is_paired {
                row.insert(3, couple.counted.pairs.to_string());
            }
            row
        });
        table(&head, 1.., rows)
    }

    fn times(&self) -> String {
        let head = [
            "time",
            "moves",
            "ms a move",
            "longest",
            "least left",
            "overstep",
            "knps",
            "depth",
        ];
        let engines = self.config.engines.iter().zip(&self.summary.engines);
        let rows = engines.enumerate().map(|(index, (config, engine))| {
            let time = &engine.time;
            let knps = time.nodes_per_second.map(|nps| nps / 1000.0);
            vec![
                config.name.clone(),
                time.moves.to_string(),
                text::maybe(time.mean_ms, 2),
                decimals(time.longest_ms, 1),
                time.least_left_ms
                    .map_or_else(|| DASH.to_owned(), |ms| ms.to_string()),
                self.overstep(EngineIndex(index)),
                text::maybe(knps, 0),
                text::maybe(time.mean_depth, 1),
            ]
        });
        table(&head, 1.., rows)
    }

    fn fault_lines(&self) -> String {
        let mut text = String::new();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
        line("games that ended by a fault:".to_owned());
        for fault in &self.summary.faults {
            let transcript = fault.transcript.as_ref().map(|path| format!(" ({path})"));
            line(format!(
                "  game {}, {} against {}: {}, {}{}",
                fault.game + 1,
                self.name(fault.engine),
                self.name(fault.opponent),
                fault.kind.as_str(),
                fault.detail,
                transcript.unwrap_or_default()
            ));
        }
        text
    }
}

const INCIDENTS: &str = "no game lost: failures/incidents.txt";

// Formats a run in one line, for `selfplay watch`.

impl RunReport<'_> {
    pub fn line(&self) -> String {
        let summary = self.summary;
        let mut parts = vec![self.progress()];
        match summary.only_couple() {
            Some(couple) => {
                let [first, second] = self.names(couple);
                let games = wdl(couple.counted.games);
                parts.push(format!("{first} against {second} {games}"));
                if let Some(strength) = &couple.strength
                    && spread::is_known(&couple.counted.counts())
                {
                    parts.push(format!("Elo {}", elo_interval(&strength.elo, 1)));
                    parts.push(format!("LOS {}", percent(strength.los)));
                }
            }
            None if summary.result.games > 0 => parts.push(self.headline().text),
            None => {}
        }
        if let Some(test) = &summary.result.test {
            let (llr, bounds) = (decimals(test.llr, 2), text::bounds(test));
            parts.push(format!("LLR {llr} {bounds}"));
        }
        let incidents = summary.result.incidents.values().sum();
        for (number, what) in [
            (summary.result.games_lost_by_faults(), "fault"),
            (incidents, "incident"),
        ] {
            if number > 0 {
                parts.push(count(number, what));
            }
        }
        if summary.result.distinct < summary.result.games {
            parts.push(format!("only {} distinct", summary.result.distinct));
        }
        parts.extend(self.time_left());
        text::printable(&parts.join(" | "))
    }
}

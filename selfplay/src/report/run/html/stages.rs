//! The bracket of a knockout and the rounds of a Swiss tournament.

use askama::Template;
use kit::page::PageSection;

use crate::model::{EngineIndex, TournamentFormat};
use crate::play::schedule::{Couple, Meeting, stages};
use crate::report::quarters;
use crate::report::run::RunReport;
use crate::stats::Wdl;

/// The stages; see the template `templates/stages.html`.
#[derive(Template)]
#[template(path = "stages.html")]
struct StagesHtml {
    is_bracket: bool,
    stages: Vec<Stage>,
}

/// A stage or round, with its meetings.
struct Stage {
    name: String,
    meetings: Vec<MeetingOf>,
}

/// Two engines and their points, with a link to their games.
#[derive(Default)]
struct MeetingOf {
    sides: Vec<StageSide>,
    href: Option<String>,
}

struct StageSide {
    name: String,
    points: String,
    is_through: bool,
}

impl RunReport<'_> {
    /// `None` for formats without stages.
    pub(super) fn stages_section(&self) -> Option<PageSection> {
        let (title, stages) = match self.config.format {
            TournamentFormat::Knockout => ("Bracket", self.bracket()),
            TournamentFormat::Swiss => ("Rounds", self.rounds()),
            _ => return None,
        };
        let html = StagesHtml {
            is_bracket: self.config.format == TournamentFormat::Knockout,
            stages,
        };
        let html = html.render().expect("writing to a string does not fail");
        Some(PageSection {
            title: title.to_owned(),
            own: html,
            ..PageSection::default()
        })
    }

    fn bracket(&self) -> Vec<Stage> {
        let summary = self.summary;
        let engines = self.config.engines.len();
        let stages = stages(
            engines,
            &summary.result.standings,
            summary.result.is_complete,
        );
        let stage = |meetings: Vec<Meeting>| Stage {
            name: match meetings.len() {
                1 => "Final".to_owned(),
                2 => "Semi-finals".to_owned(),
                4 => "Quarter-finals".to_owned(),
                meetings => format!("Round of {}", 2 * meetings),
            },
            meetings: meetings.iter().map(|one| self.meeting(one)).collect(),
        };
        stages.into_iter().map(stage).collect()
    }

    fn meeting(&self, meeting: &Meeting) -> MeetingOf {
        let [Some(first), Some(second)] = meeting.seats else {
            let engine = meeting.seats.into_iter().flatten().next();
            return engine.map(|engine| self.bye(engine)).unwrap_or_default();
        };
        let games = self.summary.result.standings.against(first, second);
        let of = Couple::new(first, second);
        MeetingOf {
            sides: [(first, games), (second, games.reversed())]
                .map(|(engine, games)| self.side(engine, games, meeting.survivor))
                .into(),
            href: Some(format!("#of={}&vs={}", of.first.0, of.second.0)),
        }
    }

    fn side(&self, engine: EngineIndex, games: Wdl, survivor: Option<EngineIndex>) -> StageSide {
        StageSide {
            name: self.name(engine).to_owned(),
            points: quarters(2 * games.half_points()).to_string(),
            is_through: survivor == Some(engine),
        }
    }

    fn bye(&self, engine: EngineIndex) -> MeetingOf {
        let side = StageSide {
            name: self.name(engine).to_owned(),
            points: "bye".to_owned(),
            is_through: true,
        };
        MeetingOf {
            sides: vec![side],
            href: None,
        }
    }

    fn rounds(&self) -> Vec<Stage> {
        let engines = self.config.engines.len();
        let rounds = self.summary.rounds.iter();
        let stage = |(round, couples): (&u32, &std::collections::BTreeMap<Couple, Wdl>)| {
            let mut meetings: Vec<MeetingOf> = couples
                .iter()
                .map(|(couple, &games)| MeetingOf {
                    sides: [(couple.first, games), (couple.second, games.reversed())]
                        .map(|(engine, games)| self.side(engine, games, None))
                        .into(),
                    href: Some(format!(
                        "#of={}&vs={}&round={}",
                        couple.first.0,
                        couple.second.0,
                        round + 1
                    )),
                })
                .collect();
            // Who is missing once all couples have met has the bye.
            if couples.len() == engines / 2 {
                let plays = |engine| {
                    let mut couples = couples.keys();
                    couples.any(|couple| [couple.first, couple.second].contains(&engine))
                };
                let free = (0..engines)
                    .map(EngineIndex)
                    .filter(|&engine| !plays(engine));
                meetings.extend(free.map(|engine| self.bye(engine)));
            }
            Stage {
                name: format!("Round {}", round + 1),
                meetings,
            }
        };
        rounds.map(stage).collect()
    }
}

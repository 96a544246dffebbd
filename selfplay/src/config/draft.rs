//! A run, as it was typed: everything may be missing.

use std::path::PathBuf;

use serde::Deserialize;

use super::engine::EngineDraft;
use super::rules::{DrawText, ResignText};
use crate::model::{BookFormat, BookOrder, Format, SprtModel};

/// What is said of a run, in a file or on the command line.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Draft {
    /// The system of a tournament.
    pub system: Option<Format>,
    /// How many pairs those who meet play.
    pub rounds: Option<u64>,
    /// Games at once.
    pub concurrency: Option<usize>,
    /// Whether each game has CPUs of its own.
    pub pin: Option<bool>,
    /// What all chance depends on.
    pub seed: Option<u64>,
    /// The tag Event.
    pub event: Option<String>,
    /// The tag Site.
    pub site: Option<String>,
    /// What holds for every engine that does not say otherwise.
    pub each: EngineDraft,
    /// The engines.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineDraft>,
    /// Where games begin.
    pub openings: OpeningsDraft,
    /// When games are ended before the rules end them.
    pub adjudication: AdjudicationDraft,
    /// The test.
    pub sprt: SprtDraft,
    /// How revisions are built.
    pub build: BuildDraft,
}

/// Where games begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct OpeningsDraft {
    /// The book.
    pub file: Option<PathBuf>,
    /// What is in it.
    pub format: Option<BookFormat>,
    /// In which order.
    pub order: Option<BookOrder>,
    /// How many are passed over.
    pub start: Option<u64>,
    /// How many plies of a game are played.
    pub plies: Option<u32>,
    /// Chess960 or double Chess960.
    pub variant: Option<Variant>,
}

/// Which chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// The chess everybody knows
    Standard,
    /// Chess960: the same of 960 first positions for both sides; with a book, castling as there
    Chess960,
    /// Double Chess960: a first position for each side
    Dfrc,
}

/// When games are ended early.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AdjudicationDraft {
    /// Lost games.
    pub resign: Option<ResignText>,
    /// Drawn games.
    pub draw: Option<DrawText>,
    /// The greatest length.
    pub max_moves: Option<u32>,
    /// Folders of endgame tables.
    pub tablebases: Vec<PathBuf>,
    /// At most so many pieces.
    pub tablebase_pieces: Option<u32>,
    /// Whether the tables' results are those without the fifty-move rule.
    pub tablebase_ignore_fifty: Option<bool>,
}

/// A test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SprtDraft {
    /// H0.
    pub elo0: Option<f64>,
    /// H1.
    pub elo1: Option<f64>,
    /// The chance to accept H1 wrongly.
    pub alpha: Option<f64>,
    /// The chance to accept H0 wrongly.
    pub beta: Option<f64>,
    /// The units.
    pub model: Option<SprtModel>,
}

/// How revisions are built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BuildDraft {
    /// The repository.
    pub repo: Option<PathBuf>,
    /// The command, for a shell.
    pub command: Option<String>,
    /// What it makes, from the root of the repository.
    pub artifact: Option<PathBuf>,
    /// Where what was built is kept.
    pub cache: Option<PathBuf>,
}

impl Draft {
    /// What is said here, and where nothing is said what `lower` says.
    ///
    /// An engine here that has the name of one of `lower`, or is the side of a match of that name, changes
    /// that one; others come behind. What
    /// is said here of all engines lies over what `lower` says of each.
    pub fn over(self, lower: Self) -> Self {
        let each = self.each.clone();
        let lower_engines = lower.engines.into_iter();
        let mut engines: Vec<EngineDraft> = lower_engines
            .map(|engine| each.clone().over(engine))
            .collect();
        for engine in self.engines {
            let is_same = |one: &&mut EngineDraft| {
                one.name.is_some() && one.name.as_deref() == engine.known_as()
            };
            match engines.iter_mut().find(is_same) {
                Some(place) => *place = engine.over(std::mem::take(place)),
                None => engines.push(engine),
            }
        }
        Self {
            system: self.system.or(lower.system),
            rounds: self.rounds.or(lower.rounds),
            concurrency: self.concurrency.or(lower.concurrency),
            pin: self.pin.or(lower.pin),
            seed: self.seed.or(lower.seed),
            event: self.event.or(lower.event),
            site: self.site.or(lower.site),
            each: self.each.over(lower.each),
            engines,
            openings: self.openings.over(lower.openings),
            adjudication: self.adjudication.over(lower.adjudication),
            sprt: self.sprt.over(lower.sprt),
            build: self.build.over(lower.build),
        }
    }
}

impl OpeningsDraft {
    fn over(self, lower: Self) -> Self {
        Self {
            file: self.file.or(lower.file),
            format: self.format.or(lower.format),
            order: self.order.or(lower.order),
            start: self.start.or(lower.start),
            plies: self.plies.or(lower.plies),
            variant: self.variant.or(lower.variant),
        }
    }
}

impl AdjudicationDraft {
    fn over(self, lower: Self) -> Self {
        Self {
            resign: self.resign.or(lower.resign),
            draw: self.draw.or(lower.draw),
            max_moves: self.max_moves.or(lower.max_moves),
            tablebases: if self.tablebases.is_empty() {
                lower.tablebases
            } else {
                self.tablebases
            },
            tablebase_pieces: self.tablebase_pieces.or(lower.tablebase_pieces),
            tablebase_ignore_fifty: self.tablebase_ignore_fifty.or(lower.tablebase_ignore_fifty),
        }
    }
}

impl SprtDraft {
    fn over(self, lower: Self) -> Self {
        Self {
            elo0: self.elo0.or(lower.elo0),
            elo1: self.elo1.or(lower.elo1),
            alpha: self.alpha.or(lower.alpha),
            beta: self.beta.or(lower.beta),
            model: self.model.or(lower.model),
        }
    }
}

impl BuildDraft {
    fn over(self, lower: Self) -> Self {
        Self {
            repo: self.repo.or(lower.repo),
            command: self.command.or(lower.command),
            artifact: self.artifact.or(lower.artifact),
            cache: self.cache.or(lower.cache),
        }
    }
}

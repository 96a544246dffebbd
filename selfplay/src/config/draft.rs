//! A run as typed: everything may be missing.

use std::path::PathBuf;

use serde::Deserialize;

use super::engine::EngineDraft;
use super::rules::{DrawText, ResignText};
use crate::model::{BookFormat, BookOrder, Format, SprtModel};

/// The configuration of a run, as given in a file or on the command line.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Draft {
    /// The system of a tournament.
    pub system: Option<Format>,
    /// Number of pairs per pairing.
    pub rounds: Option<u64>,
    /// Number of games at once.
    pub concurrency: Option<usize>,
    /// Whether each game is pinned to its own CPUs.
    pub pin: Option<bool>,
    /// The random seed.
    pub seed: Option<u64>,
    /// The PGN tag Event.
    pub event: Option<String>,
    /// The PGN tag Site.
    pub site: Option<String>,
    /// Defaults for every engine.
    pub each: EngineDraft,
    /// The engines, in their order.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineDraft>,
    /// The openings.
    pub openings: OpeningsDraft,
    /// Adjudication rules.
    pub adjudication: AdjudicationDraft,
    /// The sequential test.
    pub sprt: SprtDraft,
    /// How revisions are built.
    pub build: BuildDraft,
}

/// The openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct OpeningsDraft {
    /// The opening book.
    pub file: Option<PathBuf>,
    /// Format of the book.
    pub format: Option<BookFormat>,
    /// Order of the openings.
    pub order: Option<BookOrder>,
    /// Number of openings to skip.
    pub start: Option<u64>,
    /// Number of plies to play of each game of a PGN book.
    pub plies: Option<u32>,
    /// The chess variant.
    pub variant: Option<Variant>,
}

/// Chess variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Standard chess
    Standard,
    /// Chess960: the same one of 960 start positions for both sides; with a book, castling as there
    Chess960,
    /// Double Chess960: a start position for each side
    Dfrc,
}

/// Adjudication rules: when games are ended early.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AdjudicationDraft {
    /// When a game is adjudicated as lost.
    pub resign: Option<ResignText>,
    /// When a game is adjudicated as drawn.
    pub draw: Option<DrawText>,
    /// Number of moves by each side after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Folders of Syzygy tablebases.
    pub tablebases: Vec<PathBuf>,
    /// Maximum number of pieces of a position that is probed.
    pub tablebase_pieces: Option<u32>,
    /// Whether tablebase results ignore the fifty-move rule.
    pub tablebase_ignore_fifty: Option<bool>,
}

/// A sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SprtDraft {
    /// Difference in strength under H0, in the units of `model`.
    pub elo0: Option<f64>,
    /// Difference in strength under H1, in the units of `model`.
    pub elo1: Option<f64>,
    /// Probability of accepting H1 if H0 is true.
    pub alpha: Option<f64>,
    /// Probability of accepting H0 if H1 is true.
    pub beta: Option<f64>,
    /// Units of the bounds.
    pub model: Option<SprtModel>,
}

/// How revisions are built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BuildDraft {
    /// The repository of the revisions.
    pub repo: Option<PathBuf>,
    /// Build command, run by a shell.
    pub command: Option<String>,
    /// File that the build makes, relative to the root of the repository.
    pub artifact: Option<PathBuf>,
    /// Directory that keeps the builds.
    pub cache: Option<PathBuf>,
}

impl Draft {
    /// Overrides `lower`: its values are used only where this draft has none.
    ///
    /// An engine here with the name of one of `lower`, or with a match side of that name, overrides
    /// it; others are appended. Defaults for every engine here override the values of each engine
    /// of `lower`.
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

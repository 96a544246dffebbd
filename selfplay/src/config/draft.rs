//! A run as typed: everything may be missing.

use std::path::PathBuf;

use serde::Deserialize;

use super::engine::EngineDraft;
#[cfg(feature = "cli")]
use super::value::number;
use super::value::{AtOnce, DrawText, Margin, PgnText, PinSetting, ResignText, Time};
use crate::model::{
    BookFormat, BookOrder, EloModel, GamesPerOpening, TablebaseResults, TournamentFormat,
};

/// The configuration of a run, as given in a file or on the command line.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Draft {
    /// The system of a tournament.
    pub system: Option<TournamentFormat>,
    /// Number of pairs per pairing.
    pub rounds: Option<u64>,
    /// Number of games from an opening.
    pub games: Option<GamesPerOpening>,
    /// Whether colours are not swapped in the second game of a pairing.
    pub no_swap: Option<bool>,
    /// Whether the second engine of a pairing begins with White.
    pub reverse: Option<bool>,
    /// Number of engines of a gauntlet that play all others; of a knockout that keep their places in the
    /// bracket, while lots are drawn for the rest.
    pub seeds: Option<usize>,
    /// Pause between two games of a worker.
    pub wait: Option<Margin>,
    /// Number of games at once.
    pub concurrency: Option<AtOnce>,
    /// Which CPUs games are pinned to.
    pub pin: Option<PinSetting>,
    /// The random seed.
    pub seed: Option<u64>,
    /// The PGN tag Event, and the title of a test at a lab.
    pub event: Option<String>,
    /// The PGN tag Site.
    pub site: Option<String>,
    /// Whether the PVs of mate scores are checked.
    pub check_mate_pvs: Option<bool>,
    /// The form of games, and a second file for them.
    pub pgn: Option<PgnText>,
    /// File for the last position of each game.
    pub epd_output: Option<PathBuf>,
    /// Whether that file may exist.
    pub epd_append: Option<bool>,
    /// Whether the positions replace what is in that file.
    pub epd_overwrite: Option<bool>,
    /// File that the dialogue with engines is appended to: every line, after the seconds since the
    /// start, the engine's process and < or >.
    pub log: Option<PathBuf>,
    /// Defaults for every engine.
    pub each: EngineDraft,
    /// The engines, in their order.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineDraft>,
    pub timeouts: TimeoutsDraft,
    pub openings: OpeningsDraft,
    /// Adjudication rules.
    pub adjudication: AdjudicationDraft,
    /// The sequential test.
    pub sprt: SprtDraft,
    /// How revisions are built.
    pub build: BuildDraft,
}

/// How long to wait for an engine that is not searching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct TimeoutsDraft {
    /// Maximum time from uci to uciok [default: 30s]
    pub startup: Option<Time>,
    /// Maximum time from ucinewgame and isready to readyok [default: 60s]
    pub new_game: Option<Time>,
    /// Maximum time from any other isready to readyok [default: 10s]
    pub ready: Option<Time>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(clap::Args),
    command(next_help_heading = "Openings")
)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct OpeningsDraft {
    /// Opening book: balanced, uneven, none, or a file
    ///
    /// One of the two built-in ones, `balanced` or `uneven`; or a file: .epd, .fen, .pgn or Polyglot's
    /// .bin, plain or as .gz, .zst or .zip; or `none` for the start position, or those of Chess960
    /// [default: balanced; of Chess960: none].
    #[cfg_attr(
        feature = "cli",
        arg(long = "openings", value_name = "BOOK", id = "openings")
    )]
    pub file: Option<PathBuf>,
    /// Format of the book [default: by file name]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub format: Option<BookFormat>,
    /// Order of the openings [default: random]
    #[cfg_attr(feature = "cli", arg(long, hide_short_help = true))]
    pub order: Option<BookOrder>,
    /// Rounds in a row from each opening [default: 1]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub repeat: Option<u64>,
    /// Number of openings to skip in that order; beyond its end, it begins again [default: 0]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub start: Option<u64>,
    /// Plies to play of each game of a PGN book [default: all], or to follow a Polyglot book
    /// [default: 8]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub plies: Option<u32>,
    /// Chess variant [default: standard]
    #[cfg_attr(feature = "cli", arg(long, hide_short_help = true))]
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

/// When games are ended early.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(clap::Args),
    command(next_help_heading = "Adjudication (all off unless given)")
)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AdjudicationDraft {
    /// Adjudicate a loss: 'moves=3 score=400'
    ///
    /// `moves=3 score=400 two-sided=on`: the score, in centipawns, of so many moves in a row; two-sided
    /// if both engines must agree.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WORDS"))]
    pub resign: Option<ResignText>,
    /// Adjudicate a draw: 'from=40 moves=8 score=10'
    #[cfg_attr(feature = "cli", arg(long, value_name = "WORDS"))]
    pub draw: Option<DrawText>,
    /// Adjudicate a draw after this many full moves
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = number::<u32>, hide_short_help = true))]
    pub max_moves: Option<u32>,
    /// Adjudicate by the Syzygy tablebases in a folder
    ///
    /// Once for each folder.
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR", hide_short_help = true))]
    pub tablebases: Vec<PathBuf>,
    /// Probe only positions with at most this number of pieces
    #[cfg_attr(feature = "cli", arg(skip))]
    pub tablebase_pieces: Option<u32>,
    /// Results of tablebases that end a game: win (won and lost positions), draw, or both
    /// [default: both]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub tablebase_adjudicate: Option<TablebaseResults>,
    /// Count cursed wins (which the fifty-move rule turns into draws) as wins
    #[cfg_attr(feature = "cli", arg(skip))]
    pub tablebase_ignore_fifty: Option<bool>,
}

/// A sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(clap::Args),
    command(next_help_heading = "Test (of two engines)")
)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SprtDraft {
    /// H0: no stronger than this [default: 0]
    ///
    /// The new engine is stronger than the base by no more than this. Give both bounds, or neither.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "ELO", allow_negative_numbers = true)
    )]
    pub elo0: Option<f64>,
    /// H1: at least as strong as this [default: 5]
    ///
    /// The new engine is stronger than the base by at least this. Give both bounds, or neither.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "ELO", allow_negative_numbers = true)
    )]
    pub elo1: Option<f64>,
    /// Probability of a false pass [default: 0.05]
    ///
    /// That H1 is accepted if the true difference is elo0.
    #[cfg_attr(feature = "cli", arg(long, value_name = "P", hide_short_help = true))]
    pub alpha: Option<f64>,
    /// Probability of a false fail [default: 0.05]
    ///
    /// That H0 is accepted if the true difference is elo1.
    #[cfg_attr(feature = "cli", arg(long, value_name = "P", hide_short_help = true))]
    pub beta: Option<f64>,
    /// Units of elo0 and elo1 [default: logistic]
    #[cfg_attr(feature = "cli", arg(long, hide_short_help = true))]
    pub model: Option<EloModel>,
}

/// How revisions are built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(clap::Args),
    command(next_help_heading = "Revisions (cmd=rev:REF)")
)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BuildDraft {
    /// Repository of the revisions [default: here]
    ///
    /// With --lab, its name at the lab, which is needed there.
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR", hide_short_help = true))]
    pub repo: Option<PathBuf>,
    /// Build command for a revision, run by the shell
    #[cfg_attr(
        feature = "cli",
        arg(long = "build", value_name = "CMD", hide_short_help = true)
    )]
    pub command: Option<String>,
    /// File that the build makes, in the repository
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "PATH", hide_short_help = true)
    )]
    pub artifact: Option<PathBuf>,
    /// Directory that keeps the builds [default: touchstone in the user's cache]
    #[cfg_attr(feature = "cli", arg(skip))]
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
        // Only those of `lower` are completed: two of the same name here are a mistake, which is reported.
        let lower_count = engines.len();
        for engine in self.engines {
            let is_same = |one: &&mut EngineDraft| {
                one.name.is_some() && one.name.as_deref() == engine.known_as()
            };
            match engines[..lower_count].iter_mut().find(is_same) {
                Some(place) => *place = engine.over(std::mem::take(place)),
                None => engines.push(engine),
            }
        }
        Self {
            system: self.system.or(lower.system),
            rounds: self.rounds.or(lower.rounds),
            games: self.games.or(lower.games),
            no_swap: self.no_swap.or(lower.no_swap),
            reverse: self.reverse.or(lower.reverse),
            seeds: self.seeds.or(lower.seeds),
            wait: self.wait.or(lower.wait),
            concurrency: self.concurrency.or(lower.concurrency),
            pin: self.pin.or(lower.pin),
            seed: self.seed.or(lower.seed),
            event: self.event.or(lower.event),
            site: self.site.or(lower.site),
            check_mate_pvs: self.check_mate_pvs.or(lower.check_mate_pvs),
            pgn: self.pgn.or(lower.pgn),
            epd_output: self.epd_output.or(lower.epd_output),
            epd_append: self.epd_append.or(lower.epd_append),
            epd_overwrite: self.epd_overwrite.or(lower.epd_overwrite),
            log: self.log.or(lower.log),
            each: self.each.over(lower.each),
            engines,
            timeouts: self.timeouts.over(lower.timeouts),
            openings: self.openings.over(lower.openings),
            adjudication: self.adjudication.over(lower.adjudication),
            sprt: self.sprt.over(lower.sprt),
            build: self.build.over(lower.build),
        }
    }
}

/// `over` of a draft: its own values where it has them, else those of `lower`.
macro_rules! overlay {
    ($($draft:ident { $($field:ident),* $(; $list:ident)? })*) => { $(
        impl $draft {
            fn over(self, lower: Self) -> Self {
                Self {
                    $($field: self.$field.or(lower.$field),)*
                    $($list: if self.$list.is_empty() { lower.$list } else { self.$list },)?
                }
            }
        }
    )* };
}

overlay! {
    TimeoutsDraft { startup, new_game, ready }
    OpeningsDraft { file, format, order, repeat, start, plies, variant }
    AdjudicationDraft {
        resign, draw, max_moves, tablebase_pieces, tablebase_adjudicate, tablebase_ignore_fifty;
        tablebases
    }
    SprtDraft { elo0, elo1, alpha, beta, model }
    BuildDraft { repo, command, artifact, cache }
}

// Parses a configuration in TOML. Pure.

/// A file that is not a valid configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {reason}")]
pub struct ParseConfigError {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The fault, and what was expected.
    pub reason: String,
}

/// Parses the text of a file; `file` is its name in errors.
///
/// # Errors
///
/// When it is not TOML, or has an unknown key or an invalid value.
pub fn parse(text: &str, file: &str) -> Result<Draft, ParseConfigError> {
    let fault = |offset: usize, reason: &str| {
        let before = text.get(..offset).unwrap_or_default();
        // The parser counts bytes; a column of an editor is a character.
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        ParseConfigError {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column,
            reason: reason.trim_end_matches('.').replace('\n', ", "),
        }
    };
    let draft: Draft = toml::from_str(text).map_err(|error: toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start.min(text.len()));
        fault(offset, error.message())
    })?;
    let mut engines = std::iter::once(&draft.each).chain(&draft.engines);
    match engines.find_map(EngineDraft::twice) {
        Some((offset, reason)) => Err(fault(offset, reason)),
        None => Ok(draft),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BookOrder, TournamentFormat};

    const ALL: &str = r#"
system = "round-robin"
rounds = 10
games = 1
no-swap = true
reverse = true
wait = "250ms"
concurrency = 2
pin = "0-3"
seed = 7
event = "E"
site = "S"
pgn = "notation=lan"
check-mate-pvs = true
epd-output = "last.epd"
epd-append = true

[each]
tc = "10+0.1"
option.Threads = 1
option.Hash = 16

[[engine]]
cmd = "./one"
args = ["-a", "b c"]
env.X = "1"

[[engine]]
cmd = "./two"
args = "-a 'b c'"
st = 0.5
ponder = true
restart = "on"
startup = ["one"]

[openings]
file = "book.epd"
order = "sequential"
start = 3

[adjudication]
resign = { moves = 3, score = 400, two-sided = true }
draw = { from = 40, moves = 8, score = 10 }
max-moves = 200
tablebase-adjudicate = "draw"

[timeouts]
startup = "2m"
new-game = 5
ready = "100ms"

[sprt]
elo0 = 0
elo1 = 5.0
model = "normalized"

[build]
repo = "."
command = "make"
artifact = "engine"
"#;

    #[test]
    fn everything_is_read() {
        let draft = parse(ALL, "x").expect("a configuration");
        assert_eq!(draft.system, Some(TournamentFormat::RoundRobin));
        assert_eq!(draft.games, Some(GamesPerOpening::One));
        assert_eq!(draft.wait.map(|wait| wait.ms), Some(250));
        assert_eq!(draft.openings.order, Some(BookOrder::Sequential));
        assert_eq!(draft.engines[0].args, draft.engines[1].args);
        assert_eq!(draft.engines[1].movetime().map(|time| time.ms), Some(500));
        // In the order of the file.
        let names: Vec<_> = draft.each.option.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["Threads", "Hash"]);
        assert_eq!(draft.sprt.elo0, Some(0.0));
        let TimeoutsDraft {
            startup,
            new_game,
            ready,
        } = draft.timeouts;
        let times = [startup, new_game, ready].map(|time| time.map(|time| time.ms));
        assert_eq!(times, [Some(120_000), Some(5000), Some(100)]);
        assert_eq!(
            draft.adjudication.tablebase_adjudicate,
            Some(TablebaseResults::Draw)
        );
    }

    #[test]
    fn older_names_have_their_own_units() {
        let draft = parse("[each]\nst = 60\ntimemargin = 7", "f").expect("old keys");
        let each = draft.each.over(EngineDraft::default());
        assert_eq!(each.movetime.map(|time| time.ms), Some(60_000));
        assert_eq!(each.margin.map(|margin| margin.ms), Some(7));
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let rows = [
            ("rounds = x", "f:1:10: "),
            ("\n[each]\n  tc = \"10+\"", "f:3:8: "),
            (
                "[each]\nhash = 1",
                "f:2:1: unknown field `hash`, expected one of `cmd`, ",
            ),
            (
                "games = 3",
                "f:1:9: expected 1 or 2 games per opening instead of 3",
            ),
            (
                "rounds = \"many\"",
                "f:1:10: invalid type: string \"many\", expected u64",
            ),
            ("[[engine]]\nnodes = -1", "f:2:9: "),
            (
                "[each]\noption.Hash = 1\noption.hash = 2",
                "f:2:1: option.hash: given twice",
            ),
            (
                "[adjudication]\nresign = { moves = 1 }",
                "f:2:10: missing field `score`",
            ),
            (
                "[each]\nmargin = \"9ms\"\ntimemargin = 9",
                "f:3:14: margin and timemargin, expected one of them",
            ),
            (
                "[[engine]]\nst = 9\nmovetime = 9",
                "f:2:6: movetime and st, expected one of them",
            ),
            (
                "system = \"league\"",
                "f:1:10: unknown variant `league`, expected one of ",
            ),
        ];
        for (text, expected) in rows {
            let found = parse(text, "f").expect_err(text).to_string();
            assert!(found.starts_with(expected), "{found}");
            assert!(!found.contains('\n'), "{found}");
        }
    }
}

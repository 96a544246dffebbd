//! The table of all options.

use std::sync::LazyLock;

use engine::search::chessbin::Level;
use engine::search::touchstone::Parameters;
use engine::search::{Profile, Strength};
use uci::grammar::{EngineOption, OptionKind};

use super::Options;
use crate::file::BUILT_IN;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Definition {
    /// The declared name; `setoption` ignores case.
    pub(crate) name: &'static str,
    /// What a change entails besides storing the value.
    pub(crate) effect: Effect,
    pub(super) kind: OptionType,
}

/// What a change of an option entails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// None; the next search uses the new value.
    None,
    ResizeHash,
    ClearHash,
    LoadBook,
    /// Loads the network and clears the transposition table.
    LoadNetwork,
    OpenTables,
    /// Prints the seed of the book.
    ReportSeed,
    CheckFeatures,
    /// Changes the castling notation of the current game.
    ChangeCastlingText,
}

/// The type of an option, with its default and range, and the field of its value.
#[derive(Debug)]
pub(super) enum OptionType {
    Check(bool, fn(&mut Options) -> &mut bool),
    Spin(u32, u32, u32, Number),
    Combo(fn() -> Vec<&'static str>, fn(&mut Options) -> &mut String),
    Text(&'static str, fn(&mut Options) -> &mut String),
    Button,
}

/// Where the value of a spin option is.
#[derive(Debug)]
pub(super) enum Number {
    Option(fn(&mut Options) -> &mut u32),
    Parameter(fn(&mut Parameters) -> &mut u32),
}

impl Number {
    pub(super) fn field<'a>(&self, options: &'a mut Options) -> &'a mut u32 {
        match self {
            Self::Option(field) => field(options),
            Self::Parameter(field) => field(&mut options.parameters),
        }
    }
}

use OptionType::{Button, Check, Combo, Text};

const ELO: (u32, u32) = (*Strength::ELO.start(), *Strength::ELO.end());

/// The options in order of declaration. A spin has default, minimum and maximum; the first value of
/// a combo is its default.
#[rustfmt::skip]
static TABLE: [Definition; 20] = [
    row("Hash", Effect::ResizeHash, spin(16, 1, 65_536, |o| &mut o.hash)),
    row("Clear Hash", Effect::ClearHash, Button),
    row("Threads", Effect::None, spin(1, 1, 1024, |o| &mut o.threads)),
    row("Ponder", Effect::None, Check(false, |o| &mut o.ponder)),
    row("MultiPV", Effect::None, spin(1, 1, 256, |o| &mut o.multipv)),
    row("Move Overhead", Effect::None, spin(10, 0, 5000, |o| &mut o.move_overhead)),
    row("OwnBook", Effect::ReportSeed, Check(false, |o| &mut o.own_book)),
    row("Book", Effect::LoadBook, Text("", |o| &mut o.book)),
    row("SyzygyPath", Effect::OpenTables, Text("", |o| &mut o.syzygy_path)),
    row("SyzygyProbeDepth", Effect::None, spin(1, 1, 100, |o| &mut o.syzygy_probe_depth)),
    row("SyzygyProbeLimit", Effect::None, spin(7, 0, 7, |o| &mut o.syzygy_probe_limit)),
    row("Syzygy50MoveRule", Effect::None, Check(true, |o| &mut o.syzygy_fifty_moves)),
    row("EvalFile", Effect::LoadNetwork, Text(BUILT_IN, |o| &mut o.eval_file)),
    row("Profile", Effect::None, Combo(profiles, |o| &mut o.profile)),
    row("Level", Effect::None, Combo(levels, |o| &mut o.level)),
    row("Without", Effect::CheckFeatures, Text("", |o| &mut o.without)),
    row("UCI_Chess960", Effect::ChangeCastlingText, Check(false, |o| &mut o.chess960)),
    row("UCI_LimitStrength", Effect::None, Check(false, |o| &mut o.limit_strength)),
    row("UCI_Elo", Effect::None, spin(1500, ELO.0, ELO.1, |o| &mut o.elo)),
    row("UCI_ShowWDL", Effect::None, Check(false, |o| &mut o.show_wdl)),
];

/// In a build for tuning, the search parameters.
static TUNED: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let parameters = Parameters::OPTIONS.iter();
    let rows = parameters.map(|one| {
        let value = Number::Parameter(one.value);
        row(
            one.name,
            Effect::None,
            OptionType::Spin(one.default, one.min, one.max, value),
        )
    });
    rows.collect()
});

/// All options.
pub(super) fn definitions() -> impl Iterator<Item = &'static Definition> {
    TABLE.iter().chain(TUNED.iter())
}

/// A spin option: its default, minimum and maximum.
const fn spin(default: u32, min: u32, max: u32, field: fn(&mut Options) -> &mut u32) -> OptionType {
    OptionType::Spin(default, min, max, Number::Option(field))
}

const fn row(name: &'static str, effect: Effect, kind: OptionType) -> Definition {
    Definition { name, effect, kind }
}

fn profiles() -> Vec<&'static str> {
    Profile::ALL.into_iter().map(Profile::as_str).collect()
}

fn levels() -> Vec<&'static str> {
    Level::ALL.into_iter().map(Level::as_str).collect()
}

/// The declarations of all options, printed after `uci`.
pub(crate) fn declarations() -> impl Iterator<Item = EngineOption> {
    definitions().map(|option| EngineOption {
        name: option.name.to_owned(),
        kind: match option.kind {
            Check(default, _) => OptionKind::Check {
                default: Some(default),
            },
            OptionType::Spin(default, least, most, _) => OptionKind::Spin {
                default: Some(default.into()),
                min: Some(least.into()),
                max: Some(most.into()),
            },
            Combo(vars, _) => OptionKind::Combo {
                default: vars().first().map(|&var| var.to_owned()),
                vars: vars().into_iter().map(str::to_owned).collect(),
            },
            Text(default, _) => OptionKind::String {
                default: Some(default.to_owned()),
            },
            Button => OptionKind::Button,
        },
    })
}

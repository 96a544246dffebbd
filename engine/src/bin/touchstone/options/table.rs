//! The one table of all options.

use engine::search::{Profile, Strength};
use uci::grammar::{EngineOption, OptionKind};

use super::Options;
use crate::network::BUILT_IN;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Definition {
    /// The name, as it is declared. `setoption` may write it in any case.
    pub(crate) name: &'static str,
    /// What has to be done besides keeping the value.
    pub(crate) effect: Effect,
    pub(super) kind: Kind,
}

/// What a change of an option entails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: the next search reads the value.
    None,
    /// The table is allocated anew.
    ResizeHash,
    /// The table is emptied.
    ClearHash,
    /// The book is read.
    LoadBook,
    /// The network is read, and the table emptied.
    LoadNetwork,
    /// Endgame tables are opened.
    OpenTables,
    /// The user hears the seed of the book.
    TellSeed,
    /// The names of features are looked up.
    CheckFeatures,
    /// The moves of the game on the board are written otherwise.
    ChangeCastlingText,
}

/// The type of an option, with its default, its range, and where its value is kept.
#[derive(Debug)]
pub(super) enum Kind {
    Check(bool, fn(&mut Options) -> &mut bool),
    Spin(u32, u32, u32, fn(&mut Options) -> &mut u32),
    Combo(fn() -> Vec<&'static str>, fn(&mut Options) -> &mut String),
    Text(&'static str, fn(&mut Options) -> &mut String),
    Button,
}

/// All options, in the order in which they are declared. A spin has default, least and greatest
/// value; a combo begins with its default.
pub(super) static TABLE: [Definition; 19] = [
    row(
        "Hash",
        Effect::ResizeHash,
        Kind::Spin(16, 1, 65_536, |o| &mut o.hash),
    ),
    row("Clear Hash", Effect::ClearHash, Kind::Button),
    row(
        "Threads",
        Effect::None,
        Kind::Spin(1, 1, 1024, |o| &mut o.threads),
    ),
    row(
        "Ponder",
        Effect::None,
        Kind::Check(false, |o| &mut o.ponder),
    ),
    row(
        "MultiPV",
        Effect::None,
        Kind::Spin(1, 1, 256, |o| &mut o.multipv),
    ),
    row(
        "Move Overhead",
        Effect::None,
        Kind::Spin(10, 0, 5000, |o| &mut o.move_overhead),
    ),
    row(
        "OwnBook",
        Effect::TellSeed,
        Kind::Check(false, |o| &mut o.own_book),
    ),
    row("Book", Effect::LoadBook, Kind::Text("", |o| &mut o.book)),
    row(
        "SyzygyPath",
        Effect::OpenTables,
        Kind::Text("", |o| &mut o.syzygy_path),
    ),
    row(
        "SyzygyProbeDepth",
        Effect::None,
        Kind::Spin(1, 1, 100, |o| &mut o.syzygy_probe_depth),
    ),
    row(
        "SyzygyProbeLimit",
        Effect::None,
        Kind::Spin(7, 0, 7, |o| &mut o.syzygy_probe_limit),
    ),
    row(
        "Syzygy50MoveRule",
        Effect::None,
        Kind::Check(true, |o| &mut o.syzygy_fifty_moves),
    ),
    row(
        "EvalFile",
        Effect::LoadNetwork,
        Kind::Text(BUILT_IN, |o| &mut o.eval_file),
    ),
    row(
        "Profile",
        Effect::None,
        Kind::Combo(profiles, |o| &mut o.profile),
    ),
    row(
        "Without",
        Effect::CheckFeatures,
        Kind::Text("", |o| &mut o.without),
    ),
    row(
        "UCI_Chess960",
        Effect::ChangeCastlingText,
        Kind::Check(false, |o| &mut o.chess960),
    ),
    row(
        "UCI_LimitStrength",
        Effect::None,
        Kind::Check(false, |o| &mut o.limit_strength),
    ),
    row(
        "UCI_Elo",
        Effect::None,
        Kind::Spin(1500, *Strength::ELO.start(), *Strength::ELO.end(), |o| {
            &mut o.elo
        }),
    ),
    row(
        "UCI_ShowWDL",
        Effect::None,
        Kind::Check(false, |o| &mut o.show_wdl),
    ),
];

const fn row(name: &'static str, effect: Effect, kind: Kind) -> Definition {
    Definition { name, effect, kind }
}

fn profiles() -> Vec<&'static str> {
    Profile::ALL.into_iter().map(Profile::as_str).collect()
}

/// All options as they are declared after `uci`.
pub(crate) fn declarations() -> impl Iterator<Item = EngineOption> {
    TABLE.iter().map(Definition::declare)
}

impl Definition {
    /// How the option is declared.
    fn declare(&self) -> EngineOption {
        let kind = match &self.kind {
            Kind::Check(default, _) => OptionKind::Check {
                default: Some(*default),
            },
            Kind::Spin(default, least, most, _) => OptionKind::Spin {
                default: Some((*default).into()),
                min: Some((*least).into()),
                max: Some((*most).into()),
            },
            Kind::Combo(vars, _) => OptionKind::Combo {
                default: vars().first().map(|&var| var.to_owned()),
                vars: vars().into_iter().map(str::to_owned).collect(),
            },
            Kind::Text(default, _) => OptionKind::String {
                default: Some((*default).to_owned()),
            },
            Kind::Button => OptionKind::Button,
        };
        EngineOption {
            name: self.name.to_owned(),
            kind,
        }
    }
}

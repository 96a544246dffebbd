//! `setoption`: parses names and values.

use super::Options;
use super::table::{Definition, OptionType, definitions};

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionValue {
    Flag(bool),
    Number(u32),
    Text(String),
    Pressed,
}

#[derive(Debug)]
pub(crate) struct Setting {
    definition: &'static Definition,
    value: OptionValue,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SetOptionError {
    #[error("unknown option '{name}', expected one of: {known}")]
    Unknown { name: String, known: String },
    #[error("option {name}: invalid value '{value}', expected {expected}")]
    Value {
        name: &'static str,
        value: String,
        expected: String,
    },
    #[error("option {name}: missing value, expected {expected}")]
    Missing {
        name: &'static str,
        expected: String,
    },
}

impl Setting {
    /// Parses a `setoption`. Names and values are case-insensitive, except for string options.
    pub(crate) fn read(name: &str, value: Option<&str>) -> Result<Self, SetOptionError> {
        let named = |row: &&Definition| row.name.eq_ignore_ascii_case(name);
        let Some(definition) = definitions().find(named) else {
            let names: Vec<&str> = definitions().map(|row| row.name).collect();
            return Err(SetOptionError::Unknown {
                name: name.to_owned(),
                known: names.join(", "),
            });
        };
        let value = definition.read(value)?;
        Ok(Self { definition, value })
    }

    pub(crate) fn definition(&self) -> &'static Definition {
        self.definition
    }

    pub(crate) fn store(self, options: &mut Options) {
        match (&self.definition.kind, self.value) {
            (OptionType::Check(_, field), OptionValue::Flag(flag)) => *field(options) = flag,
            (OptionType::Spin(.., field), OptionValue::Number(number)) => {
                *field.field(options) = number;
            }
            (OptionType::Combo(_, field) | OptionType::Text(_, field), OptionValue::Text(text)) => {
                *field(options) = text;
            }
            (_, _) => {}
        }
    }
}

impl Definition {
    fn read(&self, value: Option<&str>) -> Result<OptionValue, SetOptionError> {
        if let OptionType::Button = self.kind {
            // Some GUIs send a value for a button.
            return Ok(OptionValue::Pressed);
        }
        let value = match (value, &self.kind) {
            (Some(value), _) => value,
            // Match runners configured with an empty string may omit the value.
            (None, OptionType::Text(..)) => "",
            (None, _) => {
                return Err(SetOptionError::Missing {
                    name: self.name,
                    expected: self.expected(),
                });
            }
        };
        self.kind.read(value).ok_or_else(|| SetOptionError::Value {
            name: self.name,
            value: value.to_owned(),
            expected: self.expected(),
        })
    }

    fn expected(&self) -> String {
        match &self.kind {
            OptionType::Check(..) => "true or false".to_owned(),
            OptionType::Spin(_, least, most, _) => format!("a number from {least} to {most}"),
            OptionType::Combo(vars, _) => vars().join(" or "),
            OptionType::Text(..) => "a text".to_owned(),
            OptionType::Button => "nothing".to_owned(),
        }
    }
}

impl OptionType {
    fn read(&self, value: &str) -> Option<OptionValue> {
        match self {
            Self::Check(..) => [false, true]
                .into_iter()
                .find(|flag| value.eq_ignore_ascii_case(&flag.to_string()))
                .map(OptionValue::Flag),
            Self::Spin(_, least, most, _) => value
                .parse()
                .ok()
                .filter(|number| (least..=most).contains(&number) && !value.starts_with('+'))
                .map(OptionValue::Number),
            Self::Combo(vars, _) => vars()
                .into_iter()
                .find(|var| var.eq_ignore_ascii_case(value))
                .map(|var| OptionValue::Text(var.to_owned())),
            Self::Text(..) => Some(OptionValue::Text(value.to_owned())),
            Self::Button => Some(OptionValue::Pressed),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chess::rules::CastlingMode;
    use engine::search::Profile;
    use uci::grammar::OptionKind;

    use super::*;
    use crate::options::declarations;

    fn set(options: &mut Options, name: &str, value: Option<&str>) -> Result<(), String> {
        let setting = Setting::read(name, value).map_err(|error| error.to_string())?;
        setting.store(options);
        Ok(())
    }

    #[test]
    fn every_option_takes_its_default_and_its_limits() {
        for option in declarations() {
            let mut options = Options::new();
            let mut take = |value: &str| {
                set(&mut options, &option.name.to_uppercase(), Some(value))
                    .unwrap_or_else(|error| panic!("{}: {error}", option.name));
            };
            match option.kind {
                OptionKind::Check { default } => {
                    take("TRUE");
                    take(&default.expect("declared").to_string());
                }
                OptionKind::Spin { default, min, max } => {
                    for value in [min, max, default] {
                        take(&value.expect("declared").to_string());
                    }
                }
                OptionKind::Combo { default, vars } => {
                    for var in vars {
                        take(&var.to_lowercase());
                    }
                    take(&default.expect("declared"));
                }
                OptionKind::String { default } => {
                    take("some text");
                    take(&default.expect("declared"));
                }
                OptionKind::Button => take(""),
            }
            assert_eq!(options, Options::new(), "{}", option.name);
        }
    }

    #[test]
    fn values_arrive() {
        let mut options = Options::new();
        assert_eq!(options.profile(), Profile::Touchstone);
        assert!(options.strength().is_none());
        for (name, value) in [
            ("hash", Some("32")),
            ("threads", Some("3")),
            ("multipv", Some("4")),
            ("uci_chess960", Some("true")),
            ("uci_showwdl", Some("true")),
            ("move overhead", Some("250")),
            ("ownbook", Some("true")),
            ("book", Some("a  b.bin")),
            ("syzygypath", Some("/a:/b")),
            ("profile", Some("chessbin")),
            ("UCI_LimitStrength", Some("true")),
            // A text without a value is empty.
            ("EvalFile", None),
        ] {
            assert_eq!(set(&mut options, name, value), Ok(()));
        }
        let numbers = (options.hash_mib(), options.threads(), options.multipv());
        assert_eq!(numbers, (32, 3, 4));
        assert_eq!(options.castling_mode(), CastlingMode::Chess960);
        assert!(options.show_wdl && options.own_book && options.strength().is_some());
        assert_eq!(options.move_overhead(), Duration::from_millis(250));
        assert_eq!(options.profile(), Profile::ChessBin);
        let texts = [&options.book, &options.syzygy_path, &options.eval_file];
        assert_eq!(texts, ["a  b.bin", "/a:/b", ""]);
    }

    #[test]
    fn invalid_values_are_explained_and_change_nothing() {
        #[rustfmt::skip]
        let rows = [
            ("Hash", Some("0"), "option Hash: invalid value '0', expected a number from 1 to 65536"),
            ("Hash", Some("65537"), "option Hash: invalid value '65537', expected a number from 1 to 65536"),
            ("Hash", Some("+1"), "option Hash: invalid value '+1', expected a number from 1 to 65536"),
            ("MultiPV", None, "option MultiPV: missing value, expected a number from 1 to 256"),
            ("Ponder", Some("yes"), "option Ponder: invalid value 'yes', expected true or false"),
            ("Level", Some("Easy"), "option Level: invalid value 'Easy', expected None or Medium or Hard"),
        ];
        let mut options = Options::new();
        for (name, value, expected) in rows {
            assert_eq!(set(&mut options, name, value), Err(expected.to_owned()));
        }
        // A build for tuning has more options.
        let unknown = set(&mut options, "Contempt", Some("1")).expect_err("unknown");
        let expected = "unknown option 'Contempt', expected one of: Hash, Clear Hash, Threads, Ponder, \
                        MultiPV, Move Overhead, OwnBook, Book, SyzygyPath, SyzygyProbeDepth, \
                        SyzygyProbeLimit, Syzygy50MoveRule, EvalFile, Profile, Level, Without, \
                        UCI_Chess960, UCI_LimitStrength, UCI_Elo, UCI_ShowWDL";
        assert!(unknown.starts_with(expected), "{unknown}");
        assert_eq!(options, Options::new());
    }
}

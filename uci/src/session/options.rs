//! Setting options, only declared ones and only to valid values.

use super::{Session, SessionError, State};
use crate::grammar::{Command, EngineOption, OptionKind};

impl Session {
    /// Finds an option by name, ignoring case; the first if there are several.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        let mut options = self.options.iter();
        options.find(|option| option.name.to_lowercase() == name.to_lowercase())
    }

    /// Sets an option; a button takes no value, or an empty one from callers with a text for each
    /// option. The name is sent as the engine spells it.
    ///
    /// # Errors
    ///
    /// When the engine is not idle, has no such option, or the value is outside the range that the
    /// engine has declared.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Command, SessionError> {
        self.require(&[State::Idle], "setoption")?;
        let Some(option) = self.option(name) else {
            let name = name.to_owned();
            return Err(SessionError::UnknownOption { name });
        };
        match option.kind.accept(value) {
            Ok(value) => Ok(Command::SetOption {
                name: option.name.clone(),
                value,
            }),
            Err(expected) => Err(SessionError::BadValue {
                name: option.name.clone(),
                value: value.unwrap_or_default().to_owned(),
                expected,
            }),
        }
    }
}

impl OptionKind {
    /// The value to send, or a description of the expected values.
    fn accept(&self, value: Option<&str>) -> Result<Option<String>, String> {
        let accepted = match (self, value) {
            (Self::Button, None | Some("")) => return Ok(None),
            (Self::Check { .. }, Some(value)) => ["true", "false"]
                .into_iter()
                .find(|known| known.eq_ignore_ascii_case(value))
                .map(str::to_owned),
            (Self::Spin { min, max, .. }, Some(value)) => value
                .parse::<i64>()
                .ok()
                .filter(|number| min.is_none_or(|min| min <= *number))
                .filter(|number| max.is_none_or(|max| *number <= max))
                .map(|number| number.to_string()),
            (Self::Combo { vars, .. }, Some(value)) => vars
                .iter()
                .find(|var| var.to_lowercase() == value.to_lowercase())
                .cloned(),
            (Self::String { .. }, Some(value)) => {
                (!value.contains(['\n', '\r'])).then(|| value.to_owned())
            }
            _ => None,
        };
        accepted.map(Some).ok_or_else(|| self.expected())
    }

    fn expected(&self) -> String {
        match self {
            Self::Button => "no value".to_owned(),
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => {
                let bound = |word: &str, bound: &Option<i64>| {
                    bound.map_or(String::new(), |bound| format!(" {word} {bound}"))
                };
                format!("a number{}{}", bound("from", min), bound("to", max))
            }
            Self::Combo { vars, .. } => format!("one of {}", vars.join(", ")),
            Self::String { .. } => "a text of one line".to_owned(),
        }
    }
}

//! Checks that an engine has the options to be tuned, and accepts all their values.

use uci::grammar::{EngineOption, OptionKind};

use super::parameter::{Parameter, ParameterKind};

/// Why an option of an engine cannot be tuned as requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionFault {
    /// The engine has not declared the option.
    #[error("parameter '{name}': the engine has no such option")]
    Unknown {
        /// Name of the parameter.
        name: String,
    },
    /// The option is not numeric.
    #[error("parameter '{name}': the option is of the type {found}, expected {expected}")]
    Type {
        /// Name of the parameter.
        name: String,
        /// Type of the option.
        found: &'static str,
        /// Types that can be tuned.
        expected: &'static str,
    },
    /// The option accepts only a part of the parameter's range.
    #[error("parameter '{name}': {bound} is {found}, but the option takes {takes}")]
    Range {
        /// Name of the parameter.
        name: String,
        /// `min` or `max`.
        bound: &'static str,
        /// The parameter's bound.
        found: String,
        /// The option's bound.
        takes: String,
    },
}

/// Compares a parameter with the options that an engine has declared.
pub(super) fn check(parameter: &Parameter, options: &[EngineOption]) -> Result<(), OptionFault> {
    let name = || parameter.name.clone();
    let is_it = |option: &&EngineOption| option.name.to_lowercase() == name().to_lowercase();
    let Some(option) = options.iter().find(is_it) else {
        return Err(OptionFault::Unknown { name: name() });
    };
    let (found, expected) = match (&option.kind, parameter.kind) {
        (OptionKind::String { .. }, _) => return Ok(()),
        (OptionKind::Spin { min, max, .. }, ParameterKind::Int) => {
            return check_range(parameter, *min, *max);
        }
        (OptionKind::Spin { .. }, ParameterKind::Float) => {
            ("spin", "string, or a parameter of int")
        }
        (OptionKind::Check { .. }, _) => ("check", "spin or string"),
        (OptionKind::Combo { .. }, _) => ("combo", "spin or string"),
        (OptionKind::Button, _) => ("button", "spin or string"),
    };
    Err(OptionFault::Type {
        name: name(),
        found,
        expected,
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "bounds of parameters are below 2^53, and no bound above is mistaken for one below"
)]
fn check_range(
    parameter: &Parameter,
    min: Option<i64>,
    max: Option<i64>,
) -> Result<(), OptionFault> {
    let too_low = min.filter(|&min| parameter.min < min as f64);
    let too_high = max.filter(|&max| parameter.max > max as f64);
    let (bound, found, takes) = match (too_low, too_high) {
        (Some(min), _) => ("min", parameter.min, format!("{min} or more")),
        (None, Some(max)) => ("max", parameter.max, format!("{max} or less")),
        (None, None) => return Ok(()),
    };
    Err(OptionFault::Range {
        name: parameter.name.clone(),
        bound,
        found: found.to_string(),
        takes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_must_take_every_value() {
        let option = |name: &str, kind| EngineOption {
            name: name.to_owned(),
            kind,
        };
        let spin = |min, max| OptionKind::Spin {
            default: None,
            min,
            max,
        };
        let options = [
            option("Margin", spin(Some(0), Some(100))),
            option("Free", spin(None, None)),
            option("Scale", OptionKind::String { default: None }),
            option("Ponder", OptionKind::Check { default: None }),
            option("Clear", OptionKind::Button),
        ];
        let rows = [
            ("name=margin,min=0,max=100,start=5", None),
            ("name=Free,min=-1000,max=1000,start=5", None),
            ("name=Scale,type=float,min=0,max=1,start=0.5", None),
            ("name=Scale,min=0,max=9,start=5", None),
            (
                "name=Margins,min=0,max=9,start=5",
                Some("parameter 'Margins': the engine has no such option"),
            ),
            (
                "name=Margin,min=-1,max=101,start=5",
                Some("parameter 'Margin': min is -1, but the option takes 0 or more"),
            ),
            (
                "name=Margin,min=0,max=101,start=5",
                Some("parameter 'Margin': max is 101, but the option takes 100 or less"),
            ),
            (
                "name=Margin,type=float,min=0,max=9,start=5",
                Some(
                    "parameter 'Margin': the option is of the type spin, expected string, or a \
                     parameter of int",
                ),
            ),
            (
                "name=Ponder,min=0,max=1,start=0",
                Some(
                    "parameter 'Ponder': the option is of the type check, expected spin or string",
                ),
            ),
            (
                "name=Clear,min=0,max=1,start=0",
                Some(
                    "parameter 'Clear': the option is of the type button, expected spin or string",
                ),
            ),
        ];
        for (text, expected) in rows {
            let parameter = text.parse().expect(text);
            let found = check(&parameter, &options)
                .err()
                .map(|fault| fault.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}

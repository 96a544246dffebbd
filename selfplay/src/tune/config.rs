//! The full configuration of a tuning, as stored with the results.

use serde::{Deserialize, Serialize};
use uci::grammar::{EngineOption, OptionKind};

use super::parameter::{Parameter, ParameterKind, check_list, start_options};
use super::spsa::{Gains, Spsa};
use crate::model::{
    Adjudication, EngineConfig, EngineIndex, OpeningSource, OutputConfig, PairingRules, Pinning,
    RunConfig, Timeouts, TournamentFormat,
};

/// The engine whose values are perturbed in the direction of the iteration.
pub const PLUS: EngineIndex = EngineIndex(0);
/// The engine whose values are perturbed in the opposite direction.
pub const MINUS: EngineIndex = EngineIndex(1);

pub const SCHEMA: &str = "touchstone/tune/1";

/// Contents of `config.json` in a run directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredConfig {
    pub schema: String,
    /// Length and CRC-32 of the engine's program, to detect changes.
    pub program: String,
    /// Length and CRC-32 of the opening book, to detect changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    pub config: TuneConfig,
}

/// A tuning: everything that determines its games and values, and the number of games at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneConfig {
    /// The engine, with the options that stay fixed.
    pub engine: EngineConfig,
    pub parameters: Vec<Parameter>,
    pub gains: Gains,
    /// Number of games of an iteration, which is even since they are played in pairs.
    pub games_per_iteration: u64,
    /// Maximum number of iterations under way at once.
    pub lag: u64,
    pub openings: OpeningSource,
    pub adjudication: Adjudication,
    #[serde(default, skip_serializing_if = "Timeouts::is_default")]
    pub timeouts: Timeouts,
    /// Number of games at once, which affects no result.
    pub concurrency: usize,
    /// Which CPUs games are played on, which affects no result.
    #[serde(default, skip_serializing_if = "is_auto")]
    pub pinning: Pinning,
    pub seed: u64,
}

fn is_auto(pinning: &Pinning) -> bool {
    *pinning == Pinning::Auto
}

/// What is wrong with a configuration, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TuneConfigError(String);

impl StoredConfig {
    /// A configuration in the form in which it is stored.
    pub fn new(config: TuneConfig, program: String, book: Option<String>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            program,
            book,
            config,
        }
    }

    /// Validates the schema and the configuration.
    pub fn check(&self) -> Result<(), TuneConfigError> {
        if self.schema != SCHEMA {
            let found = &self.schema;
            return Err(TuneConfigError(format!(
                "schema is '{found}', expected {SCHEMA}"
            )));
        }
        self.config.check()
    }
}

impl TuneConfig {
    pub fn check(&self) -> Result<(), TuneConfigError> {
        check_list(&self.parameters).map_err(|error| TuneConfigError(error.to_string()))?;
        for parameter in &self.parameters {
            parameter.check().map_err(|error| {
                TuneConfigError(format!("parameter '{}': {error}", parameter.name))
            })?;
        }
        let fixed = &self.engine.options;
        let is_tuned = |name: &str| {
            let mut parameters = self.parameters.iter();
            parameters.any(|parameter| parameter.name.to_lowercase() == name.to_lowercase())
        };
        if let Some((name, _)) = fixed.iter().find(|(name, _)| is_tuned(name)) {
            return Err(TuneConfigError(format!(
                "option '{name}' is set to a value and tuned as well"
            )));
        }
        let Gains {
            iterations,
            a_ratio,
            alpha,
            gamma,
        } = self.gains;
        let games = self.games_per_iteration;
        let is_pairs = (2..=1_000_000).contains(&games) && games.is_multiple_of(2);
        let is_ratio = |number| (0.0..=1.0).contains(&number);
        let at_once = self.concurrency;
        // Whether each is good, its name, what it is, and what was expected.
        let rows: [(bool, &str, &dyn ToString, &str); 7] = rows![
            (1..=1_000_000_000).contains(&iterations), "the number of iterations", &iterations => "1 to 1000000000";
            is_pairs, "the number of games of an iteration", &games => "an even number from 2 to 1000000";
            (1..=1_000_000).contains(&self.lag), "lag", &self.lag => "1 to 1000000";
            (1..=4096).contains(&at_once), "concurrency", &at_once => "1 to 4096";
            (0.0..=10.0).contains(&a_ratio), "the ratio of A", &a_ratio => "0 to 10";
            is_ratio(alpha), "alpha", &alpha => "0 to 1";
            is_ratio(gamma), "gamma", &gamma => "0 to 1";
        ];
        let wrong = rows.into_iter().find(|&(is_good, ..)| !is_good);
        wrong.map_or(Ok(()), |(_, key, found, expected)| {
            let found = found.to_string();
            Err(TuneConfigError(format!(
                "{key} is {found}, expected {expected}"
            )))
        })
    }

    /// The run of its games, between two copies of the engine, [`PLUS`] and [`MINUS`].
    pub(super) fn run(&self) -> RunConfig {
        let most = usize::try_from(self.most_at_once());
        RunConfig {
            schema: RunConfig::SCHEMA.to_owned(),
            format: TournamentFormat::Match,
            engines: [PLUS, MINUS].map(|index| self.engine(index)).to_vec(),
            rounds: self.games() / 2,
            pairing: PairingRules::default(),
            timeouts: self.timeouts,
            check_mate_pvs: false,
            openings: self.openings.clone(),
            adjudication: self.adjudication.clone(),
            sprt: None,
            // More workers would only wait for iterations to end.
            concurrency: most.map_or(self.concurrency, |most| most.min(self.concurrency)),
            pinning: self.pinning.clone(),
            seed: self.seed,
            // A tuning writes no PGN.
            event: String::new(),
            site: String::new(),
            output: OutputConfig::default(),
        }
    }

    /// One of the two engines. Options are in the order of the configuration: first the fixed ones,
    /// then the tuned ones.
    pub(super) fn engine(&self, index: EngineIndex) -> EngineConfig {
        let name = if index == PLUS { "plus" } else { "minus" };
        let tuned = start_options(&self.parameters);
        EngineConfig {
            name: format!("{} ({name})", self.engine.name),
            options: self.engine.options.iter().cloned().chain(tuned).collect(),
            ..self.engine.clone()
        }
    }

    pub fn begin(&self) -> Spsa {
        Spsa::new(self.parameters.clone(), self.gains, self.seed, self.lag)
    }

    pub fn games(&self) -> u64 {
        self.gains.iterations * self.games_per_iteration
    }

    /// Maximum number of games that can be under way at once.
    pub fn most_at_once(&self) -> u64 {
        self.lag.min(self.gains.iterations) * self.games_per_iteration
    }
}

// Checks that an engine has the options to be tuned, and accepts all their values.

/// Why an option of an engine cannot be tuned as requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("parameter '{name}': {reason}")]
pub struct OptionFault {
    name: String,
    reason: String,
}

/// Compares a parameter with the options that an engine has declared.
#[expect(
    clippy::cast_precision_loss,
    reason = "bounds of parameters are below 2^53, and no bound above is mistaken for one below"
)]
pub(super) fn check(parameter: &Parameter, options: &[EngineOption]) -> Result<(), OptionFault> {
    let name = &parameter.name;
    let reject = |reason| {
        let name = name.clone();
        Err(OptionFault { name, reason })
    };
    let is_it = |option: &&EngineOption| option.name.to_lowercase() == name.to_lowercase();
    let Some(option) = options.iter().find(is_it) else {
        return reject("the engine has no such option".to_owned());
    };
    let (found, expected) = match (&option.kind, parameter.kind) {
        // Only the engine knows which texts it takes.
        (OptionKind::String { .. }, _) => return Ok(()),
        (&OptionKind::Spin { min, max, .. }, ParameterKind::Int) => {
            return match (min, max) {
                (Some(least), _) if parameter.min < least as f64 => reject(format!(
                    "min is {}, but the option takes {least} or more",
                    parameter.min
                )),
                (_, Some(most)) if parameter.max > most as f64 => reject(format!(
                    "max is {}, but the option takes {most} or less",
                    parameter.max
                )),
                _ => Ok(()),
            };
        }
        (OptionKind::Spin { .. }, ParameterKind::Float) => {
            ("spin", "string, or a parameter of int")
        }
        (OptionKind::Check { .. }, _) => ("check", "spin or string"),
        (OptionKind::Combo { .. }, _) => ("combo", "spin or string"),
        (OptionKind::Button, _) => ("button", "spin or string"),
    };
    reject(format!(
        "the option is of the type {found}, expected {expected}"
    ))
}

#[cfg(test)]
pub(super) mod tests {
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
        let rows = rows![
            "name=margin,min=0,max=100,start=5" => None;
            "name=Free,min=-1000,max=1000,start=5" => None;
            "name=Scale,type=float,min=0,max=1,start=0.5" => None;
            "name=Scale,min=0,max=9,start=5" => None;
            "name=Margins,min=0,max=9,start=5" => Some("parameter 'Margins': the engine has no such option");
            "name=Margin,min=-1,max=101,start=5" =>
                Some("parameter 'Margin': min is -1, but the option takes 0 or more");
            "name=Margin,min=0,max=101,start=5" =>
                Some("parameter 'Margin': max is 101, but the option takes 100 or less");
            "name=Margin,type=float,min=0,max=9,start=5" =>
                Some("parameter 'Margin': the option is of the type spin, expected string, or a parameter of int");
            "name=Ponder,min=0,max=1,start=0" =>
                Some("parameter 'Ponder': the option is of the type check, expected spin or string");
            "name=Clear,min=0,max=1,start=0" =>
                Some("parameter 'Clear': the option is of the type button, expected spin or string");
        ];
        for (text, expected) in rows {
            let parameter = text.parse().expect(text);
            let found = check(&parameter, &options)
                .err()
                .map(|fault| fault.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    /// Two parameters, ten iterations of a pair each.
    pub(crate) fn config() -> TuneConfig {
        let parameter = |text: &str| text.parse().expect("a parameter");
        TuneConfig {
            engine: EngineConfig {
                name: "engine".to_owned(),
                options: vec![("Hash".to_owned(), "16".to_owned())],
                ..EngineConfig::default()
            },
            parameters: vec![
                parameter("name=Margin,start=20,min=0,max=100,r=0.1"),
                parameter("name=Scale,type=float,start=1,min=0,max=2"),
            ],
            gains: Gains::usual(10),
            games_per_iteration: 2,
            lag: 3,
            openings: OpeningSource::Startpos,
            adjudication: Adjudication::default(),
            timeouts: Timeouts::default(),
            concurrency: 2,
            pinning: Pinning::Off,
            seed: 1,
        }
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        let mut stored = StoredConfig::new(config(), "9-0".to_owned(), Some("12 bytes".to_owned()));
        // Digits that an imprecise float parser gets wrong in the last place.
        stored.config.parameters[1].r_end = 0.118_446_744_073_709_55;
        let text = serde_json::to_string(&stored).expect("written");
        let expected = Some(stored);
        assert_eq!(serde_json::from_str::<StoredConfig>(&text).ok(), expected);
    }

    #[test]
    fn invalid_settings_are_rejected() {
        let rejected = |change: fn(&mut TuneConfig)| {
            let mut config = config();
            change(&mut config);
            config.check().expect_err("no use").to_string()
        };
        let rows = rows![
            rejected(|config| config.gains.iterations = 0) =>
                "the number of iterations is 0, expected 1 to 1000000000";
            rejected(|config| config.games_per_iteration = 3) =>
                "the number of games of an iteration is 3, expected an even number from 2 to 1000000";
            rejected(|config| config.lag = 0) => "lag is 0, expected 1 to 1000000";
            rejected(|config| config.concurrency = 0) => "concurrency is 0, expected 1 to 4096";
            rejected(|config| config.gains.alpha = f64::NAN) => "alpha is NaN, expected 0 to 1";
            rejected(|config| config.parameters[1].r_end = 0.0) =>
                "parameter 'Scale': r_end is 0, expected more than 0, at most 1";
            rejected(|config| config.parameters[1].name = "margin".to_owned()) => "parameter 'margin' is given twice";
            rejected(|config| config.engine.options[0].0 = "MARGIN".to_owned()) =>
                "option 'MARGIN' is set to a value and tuned as well";
        ];
        for (error, message) in rows {
            assert_eq!(error, message);
        }
        let mut stored = StoredConfig::new(config(), "9-0".to_owned(), None);
        assert_eq!(stored.check(), Ok(()));
        stored.schema = "touchstone/run/1".to_owned();
        let error = stored.check().expect_err("another schema").to_string();
        assert_eq!(
            error,
            "schema is 'touchstone/run/1', expected touchstone/tune/1"
        );
    }
}

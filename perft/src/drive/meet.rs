//! The first meeting with an engine: who it is, and how it wants to be asked.

use std::time::Duration;

use engine::client::EngineError;

use super::dialect::Dialect;
use super::identify::{Speech, known_questions, learn_script, try_dialect};
use super::line::Line;
use super::wire::{NotReady, Start, Wire};
use super::{ask, script};
use crate::subject::Failure;

/// How long an engine may take for a question of a few thousand nodes, unless its dialect is named.
const PATIENCE: Duration = Duration::from_secs(3);
/// The same for a script, which has to be started.
const SCRIPT: Duration = Duration::from_secs(10);

/// What an engine is, as far as it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speaker {
    /// What it calls itself.
    pub name: Option<String>,
    /// How it is asked.
    pub dialect: Dialect,
    /// Whether it prints the counts below each move.
    pub divides: bool,
    /// Whether it has the option `UCI_Chess960`.
    pub chess960: bool,
}

/// How the first meeting with an engine went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It answers perft.
    Speaks(Speaker),
    /// It runs, but answers perft in no known way.
    SpeaksNoPerft {
        /// What it calls itself.
        name: Option<String>,
        /// The ways in which it was asked, and what it did instead of counting.
        tried: Vec<(Dialect, String)>,
    },
    /// It does not start, ends before it says anything, or does not take an option.
    Failed {
        /// Why.
        reason: String,
    },
}

/// Finds out how an engine is asked; `dialect` is the only one tried where it is given, and then each
/// question may take as long as `timeout`.
///
/// # Errors
///
/// The meeting, when it comes to nothing.
pub(crate) fn meet(
    start: &Start,
    dialect: Option<Dialect>,
    timeout: Duration,
) -> Result<(Speaker, Speech), Meeting> {
    if dialect == Some(Dialect::Script) {
        return meet_script(start, timeout.max(SCRIPT)).map_err(|instead| Meeting::SpeaksNoPerft {
            name: None,
            tried: vec![(Dialect::Script, instead)],
        });
    }
    let attempt = Attempt {
        start,
        dialects: &Dialect::SPOKEN
            .into_iter()
            .filter(|&known| dialect.is_none_or(|wanted| wanted == known))
            .collect::<Vec<_>>(),
        patience: dialect.map_or(PATIENCE, |_| timeout.max(PATIENCE)),
    };
    match Wire::open_uci(start) {
        Ok(wire) => attempt.by_uci(wire),
        Err(NotReady {
            error: EngineError::TimedOut { .. },
            ..
        }) => attempt.by_lines(),
        Err(not_ready) => {
            let ended = matches!(
                not_ready.error,
                EngineError::Ended { .. } | EngineError::ClosedStdout { .. }
            );
            let script = (ended && dialect.is_none())
                .then(|| meet_script(start, SCRIPT).ok())
                .flatten();
            script.ok_or_else(|| failed(&not_ready))
        }
    }
    .and_then(|met| refuse_options(start, met))
}

/// Options are set by UCI alone.
fn refuse_options(
    start: &Start,
    (speaker, speech): (Speaker, Speech),
) -> Result<(Speaker, Speech), Meeting> {
    match start.options.first() {
        Some((name, _)) if !speech.is_uci() => Err(Meeting::Failed {
            reason: format!("it speaks no UCI and has no option {name}"),
        }),
        _ => Ok((speaker, speech)),
    }
}

fn failed(reason: &impl ToString) -> Meeting {
    Meeting::Failed {
        reason: reason.to_string(),
    }
}

/// An engine that may speak one of several dialects.
struct Attempt<'a> {
    start: &'a Start,
    dialects: &'a [Dialect],
    /// How long a question may take.
    patience: Duration,
}

impl Attempt<'_> {
    fn by_uci(&self, wire: Wire) -> Result<(Speaker, Speech), Meeting> {
        let name = wire.client.id().name.clone();
        let chess960 = wire.client.option("UCI_Chess960").is_some();
        let mut wire = Some(wire);
        let mut tried = Vec::new();
        for &dialect in self.dialects {
            // A crash may be chance, and have nothing to do with the question: once more.
            for is_last in [false, true] {
                let mut port = match wire.take() {
                    Some(wire) => wire,
                    None => Wire::open_uci(self.start).map_err(|error| failed(&error))?,
                };
                match try_dialect(&mut port, dialect, true, self.patience) {
                    Ok(Ok(speech)) => return Ok((speaker(name, &speech, chess960), speech)),
                    Ok(Err(instead)) => {
                        tried.push((dialect, instead));
                        wire = Some(port);
                        break;
                    }
                    Err(ask::NoAnswer::Cancelled) => return Err(failed(&EngineError::Cancelled)),
                    Err(ask::NoAnswer::Ended) if !is_last => {}
                    Err(no_answer) => {
                        tried.push((dialect, broken_off(&mut port, no_answer)));
                        break;
                    }
                }
            }
        }
        Err(Meeting::SpeaksNoPerft { name, tried })
    }

    /// A program that does not know UCI, but may answer lines.
    fn by_lines(&self) -> Result<(Speaker, Speech), Meeting> {
        let mut tried = Vec::new();
        for &dialect in self.dialects {
            let mut wire = Wire::open(self.start).map_err(|error| failed(&error))?;
            match try_dialect(&mut wire, dialect, false, self.patience) {
                Ok(Ok(speech)) => return Ok((speaker(None, &speech, false), speech)),
                Ok(Err(instead)) => tried.push((dialect, instead)),
                Err(ask::NoAnswer::Cancelled) => return Err(failed(&EngineError::Cancelled)),
                Err(no_answer) => tried.push((dialect, broken_off(&mut wire, no_answer))),
            }
        }
        Err(Meeting::SpeaksNoPerft { name: None, tried })
    }
}

/// How an engine failed that did not come to rest after a question.
fn broken_off(wire: &mut Wire, no_answer: ask::NoAnswer) -> String {
    match no_answer {
        ask::NoAnswer::Ended => wire.how_it_ended(),
        _ => "it did not answer, nor say readyok when it was stopped".to_owned(),
    }
}

/// What it did instead, where it does not answer.
fn meet_script(start: &Start, patience: Duration) -> Result<(Speaker, Speech), String> {
    let answers: Result<Vec<Vec<Line>>, Failure> = known_questions()
        .map(|(route, depth)| script::call(start, &route, depth, patience).lines)
        .collect();
    let answers = answers.map_err(|failure| format!("it {failure}"))?;
    let format = learn_script(answers).ok_or("it said no counts")?;
    let speech = Speech {
        dialect: Dialect::Script,
        format,
        sync: ask::Sync::Silence,
    };
    Ok((speaker(None, &speech, false), speech))
}

fn speaker(name: Option<String>, speech: &Speech, chess960: bool) -> Speaker {
    Speaker {
        name,
        dialect: speech.dialect,
        divides: speech.format.has_rows(),
        chess960,
    }
}

//! From a run as configured on a command line to a test for a lab. Pure.

use std::collections::BTreeMap;

use chess::notation::{fen, uci_move};

use super::spec::{EngineSpec, LimitsSpec, OpeningsSpec, TestKind, TestSpec};
use crate::model::time_control::write_clock;
use crate::model::{
    EngineConfig, GamesPerOpening, Limits, Opening, OpeningSource, OutputConfig, Protocol,
    RunConfig, TournamentFormat,
};

/// The largest number of openings that are sent.
pub const MOST_OPENINGS: u64 = 50_000;

/// What identifies an engine's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineSource {
    /// A revision of a repository of the lab.
    Revision(String),
    /// The SHA-256 of a program that workers have.
    Sha256(String),
}

/// Something that a lab cannot do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: not possible on a lab")]
pub struct NotOnLabError(String);

impl TestSpec {
    /// The test of a run. `sources` has the engines by name; `openings` are those of a book of one's
    /// own, in the order in which they are played.
    ///
    /// # Errors
    /// The run needs something that a lab does not have.
    pub fn of_run(
        config: &RunConfig,
        sources: &BTreeMap<String, EngineSource>,
        openings: &[Opening],
    ) -> Result<Self, NotOnLabError> {
        check(config)?;
        let rounds = (!config.is_unlimited()).then_some(config.rounds);
        let kind = match (config.format, config.sprt) {
            (_, Some(bounds)) => TestKind::sprt(bounds, rounds),
            (TournamentFormat::Match, None) => TestKind::Match {
                rounds: config.rounds,
            },
            (format, None) => TestKind::Tournament {
                rounds,
                system: Some(format),
            },
        };
        let engines = config.engines.iter();
        let engines = engines.map(|engine| engine_spec(engine, sources));
        let engines: Vec<EngineSpec> = engines.collect::<Result<_, _>>()?;
        // One place for limits that all share.
        let shared = engines.first().and_then(|engine| engine.limits.clone());
        let are_shared = engines.iter().all(|engine| engine.limits == shared);
        let engines = engines.into_iter().map(|engine| EngineSpec {
            limits: engine.limits.filter(|_| !are_shared),
            ..engine
        });
        let limits = shared.unwrap_or_default();
        Ok(Self {
            // The event that nobody has chosen (`config::resolve`) would be a poor title.
            title: if config.event.starts_with("selfplay ") {
                String::new()
            } else {
                config.event.clone()
            },
            engines: engines.collect(),
            limits,
            openings: openings_spec(config, openings),
            seed: config.seed,
            adjudication: config.adjudication.clone(),
            ..Self::new(kind)
        })
    }
}

/// Rejects what a test has no field for.
fn check(config: &RunConfig) -> Result<(), NotOnLabError> {
    let pairing = config.pairing;
    let has = |is_so: fn(&EngineConfig) -> bool| config.engines.iter().any(is_so);
    let rows = [
        (
            pairing.games == GamesPerOpening::One,
            "one game from each opening",
        ),
        (pairing.no_swap, "no-swap"),
        (pairing.reverse, "reverse"),
        (pairing.seeds != 1, "several seeds of a gauntlet"),
        (pairing.wait_ms > 0, "wait"),
        (
            config.output != OutputConfig::default(),
            "pgn and epd-output",
        ),
        (
            config.timeouts != crate::model::Timeouts::default(),
            "timeouts",
        ),
        (config.check_mate_pvs, "check-mate-pvs"),
        (
            config.adjudication.tablebase.is_some(),
            "adjudication by tablebases",
        ),
        (
            has(|engine| engine.protocol != Protocol::Uci),
            "an engine that speaks XBoard's protocol",
        ),
        (has(|engine| engine.ponder), "pondering"),
        (has(|engine| !engine.startup.is_empty()), "startup lines"),
        (
            has(|engine| engine.command.directory.is_some()),
            "an engine's dir",
        ),
        (
            has(|engine| !engine.command.environment.is_empty()),
            "an engine's environment",
        ),
        (has(|engine| engine.limits.send_stop), "send-stop"),
        (
            has(|engine| engine.limits.move_timeout_ms.is_some()),
            "move-timeout",
        ),
    ];
    let found = rows.into_iter().find(|(is_so, _)| *is_so);
    found.map_or(Ok(()), |(_, what)| Err(NotOnLabError(what.to_owned())))
}

fn engine_spec(
    engine: &EngineConfig,
    sources: &BTreeMap<String, EngineSource>,
) -> Result<EngineSpec, NotOnLabError> {
    let name = &engine.name;
    let source = sources.get(name).cloned();
    let source =
        source.ok_or_else(|| NotOnLabError(format!("engine '{name}' without a program")))?;
    let (revision, sha256) = match source {
        EngineSource::Revision(revision) => (Some(revision), None),
        EngineSource::Sha256(sum) => (None, Some(sum)),
    };
    Ok(EngineSpec {
        name: Some(name.clone()),
        revision,
        sha256,
        arguments: engine.command.arguments.clone(),
        options: engine.options.iter().cloned().collect(),
        limits: Some(limits_spec(&engine.limits)),
        ..EngineSpec::default()
    })
}

fn limits_spec(limits: &Limits) -> LimitsSpec {
    LimitsSpec {
        tc: limits.clock.as_ref().map(|clock| write_clock(Some(clock))),
        movetime_ms: limits.movetime_ms,
        nodes: limits.nodes,
        depth: limits.depth,
        // A lab takes a missing margin for 0.
        margin_ms: Some(limits.margin_ms).filter(|&margin| margin > 0),
    }
}

fn openings_spec(config: &RunConfig, openings: &[Opening]) -> OpeningsSpec {
    let book = |book: &str| OpeningsSpec {
        book: book.to_owned(),
        ..OpeningsSpec::default()
    };
    match &config.openings {
        OpeningSource::Startpos => book("none"),
        OpeningSource::Chess960 => book("chess960"),
        OpeningSource::DoubleChess960 => book("dfrc"),
        OpeningSource::BuiltIn { book: name, .. } if openings.is_empty() => book(&name.to_string()),
        _ => OpeningsSpec {
            lines: openings.iter().map(line).collect(),
            chess960: config.openings.is_chess960(),
            // The openings are in the order in which they are played already.
            sequential: true,
            ..book("lines")
        },
    }
}

/// The position after the moves of an opening. Its moves are legal, as books are checked.
fn line(opening: &Opening) -> String {
    let Ok(mut position) = fen::parse(&opening.fen) else {
        return opening.fen.clone();
    };
    for text in &opening.moves {
        let played = uci_move::parse(text, &position, opening.castling_mode())
            .ok()
            .and_then(|m| position.play(m).ok());
        let Some(next) = played else { break };
        position = next;
    }
    fen::write(&position)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::config::{Contest, parse, resolve};

    fn config(more: &str, contest: Contest) -> RunConfig {
        let text = format!(
            "{more}\n[[engine]]\ncmd = './a'\ntc = '10+0.1'\nargs = ['--x']\noption.Hash = 16\n\
             [[engine]]\ncmd = './b'\nnodes = 500\n"
        );
        let draft = parse(&text, "f").expect("well formed");
        resolve(draft, contest).expect("a run")
    }

    fn sources(config: &RunConfig) -> BTreeMap<String, EngineSource> {
        let sum = |engine: &EngineConfig| {
            let source = EngineSource::Sha256("0".repeat(64));
            (engine.name.clone(), source)
        };
        config.engines.iter().map(sum).collect()
    }

    /// What comes back as a configuration is what was sent, but for programs.
    #[test]
    fn a_run_becomes_a_test_and_a_run_again() {
        let given = config(
            "seed = 7\nrounds = 40\nadjudication.max-moves = 90\nsprt.elo0 = 0.0\nsprt.elo1 = 3.0",
            Contest::Sprt,
        );
        let spec = TestSpec::of_run(&given, &sources(&given), &[]).expect("possible");
        assert_eq!(spec.check(), []);
        let speed = NonZeroU64::new(9).expect("more");
        let body = spec.job_body(&BTreeMap::new(), speed).expect("a run");
        let mut back = body.config;
        for (engine, given) in back.engines.iter_mut().zip(&given.engines) {
            engine.command.program.clone_from(&given.command.program);
        }
        back.event.clone_from(&given.event);
        assert_eq!(back, given);
        assert_eq!(body.speed, Some(speed), "one engine has a clock");
    }

    #[test]
    fn books_are_sent_as_positions() {
        let mut given = config("rounds = 4", Contest::Match);
        given.openings = OpeningSource::Book {
            path: "book.pgn".into(),
            format: crate::model::BookFormat::Pgn,
            order: crate::model::BookOrder::Random,
            start: 0,
            plies: None,
            chess960: false,
        };
        let opening = Opening {
            moves: vec!["e2e4".to_owned()],
            ..Opening::startpos()
        };
        let spec = TestSpec::of_run(&given, &sources(&given), &[opening]).expect("possible");
        let expected = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(spec.openings.lines, [expected]);
        assert_eq!(spec.check(), []);
        given.pairing.no_swap = true;
        let error = TestSpec::of_run(&given, &sources(&given), &[]).expect_err("no pairs");
        assert_eq!(error.to_string(), "no-swap: not possible on a lab");
    }
}

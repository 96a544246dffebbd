//! Configurations of runs: TOML as people write it, JSON as a run directory keeps it.

use std::io::Write as _;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use chess::notation::{fen, uci_move};
use chess::rules::CastlingMode;
use epd::MinSolved;
use kit::journal::{replay, to_line};
use kit::values::time;
use selfplay::config;
use selfplay::config::{Contest, DrawText, EngineDraft, ResignText, WordList, parse, resolve};
use selfplay::ledger::{Stored, pgn_game, read_record};
use selfplay::model::{
    BookFormat, BookOrder, GameRecord, Opening, OpeningSource, RunConfig, TimeControl,
};
use selfplay::openings::{OpeningError, Openings};
use selfplay::schedule::Schedule;
use selfplay::stats::{Pentanomial, Wdl};
use selfplay::time_control::{Clock, parse_clock, write_clock};
use selfplay::tune::config::{StoredConfig, TuneConfig};
use selfplay::tune::journal::Replay;
use selfplay::tune::parameter;
use selfplay::tune::parameter::Parameter;

use crate::corpus::entries;
use crate::target::{
    FuzzTarget, InputVerdict, ensure, judge, read_again, rejected, same, sound, text, text_again,
    within,
};

pub(super) const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "selfplay-toml",
        corpus: corpus!("selfplay_toml.txt"),
        words: words![
            "rounds" "system" "concurrency" "pin" "seed" "event" "site" "each" "[[engine]]" "cmd"
            "args" "name" "tc" "st" "nodes" "depth" "option" "env" "startup" "[openings]" "file"
            "format" "order" "start" "plies" "variant" "[adjudication]" "resign" "draw" "max-moves"
            "[sprt]" "elo0" "elo1" "alpha" "beta" "model" "[build]" "=" "'" "\"\"\"" "[" "]" "{" "}"
            "true" "\n" "swiss" "knockout" "gauntlet" "round-robin" "match" "1979-05-27"
        ],
        check: |bytes| {
            let text = text(bytes);
            let draft = match config::parse(&text, "f") {
                Ok(draft) => draft,
                Err(error) => {
                    within(text.as_bytes(), error.line, error.column)?;
                    return rejected(&error);
                }
            };
            let mut checked = InputVerdict::Rejected;
            // A draft may be sound for one kind of contest only.
            for contest in [Contest::Match, Contest::Sprt, Contest::Tournament] {
                match resolve(draft.clone(), contest) {
                    Ok(config) => {
                        checked = InputVerdict::Read;
                        check_config(&config)?;
                    }
                    Err(error) => drop(rejected(&error)?),
                }
            }
            Ok(checked)
        },
    },
    FuzzTarget {
        name: "run-config",
        corpus: corpus!("run_config.txt"),
        words: json_words![
            "schema" "touchstone/run/1" "touchstone/tune/1" "format" "rounds" "swiss" "knockout"
            "gauntlet" "match" "engines" "openings" "sprt" "concurrency" "seed"
        ],
        check: |bytes| {
            judge(
                Stored::from_json(&text(bytes), Path::new("config.json")),
                |stored| {
                    stored_again(&stored)?;
                    check_config(&stored.config)
                },
            )
        },
    },
    FuzzTarget {
        name: "time-control",
        corpus: corpus!("time_control.txt"),
        words: words![
            "40/" "60" "+" "0.6" ":" "inf" "1:30" "2147483.647" ".5" "/"
        ],
        check: |bytes| {
            let text = text(bytes);
            if let Err(error) = parse_clock(&text) {
                let columns = text.chars().count() + 1;
                ensure((1..=columns).contains(&error.column), || {
                    format!("column {} is not within the text", error.column)
                })?;
            }
            let read = |bytes: &[u8]| parse_clock(&crate::target::text(bytes));
            let clock = read_again(bytes, read, |clock| write_clock(clock.as_ref()))?;
            Ok(InputVerdict::from_read(clock.is_some()))
        },
    },
    FuzzTarget {
        name: "engine-words",
        corpus: corpus!("engine_words.txt"),
        words: words![
            "cmd=" "args=" "dir=" "name=" "env." "option." "Hash=" "tc=" "10+0.1" "st=" "nodes="
            "depth=" "timemargin=" "ponder=on" "restart=auto" "startup=" "'" "\"" "\\" "=" "moves="
            "score=" "two-sided=true" "from="
        ],
        check: |bytes| {
            let text = text(bytes);
            for error in [
                text.parse::<ResignText>().err(),
                text.parse::<DrawText>().err(),
                text.parse::<WordList>().err(),
            ] {
                error.map(|error| rejected(&error)).transpose()?;
            }
            let in_words = text.parse::<EngineDraft>();
            match EngineDraft::from_argument(&text) {
                Ok(draft) => {
                    let twice = draft.clone().over(draft.clone());
                    same("laid over itself", &twice, &draft)?;
                    Ok(InputVerdict::Read)
                }
                Err(error) => {
                    in_words.err().map(|error| rejected(&error)).transpose()?;
                    rejected(&error)
                }
            }
        },
    },
    FuzzTarget {
        name: "parameters",
        corpus: corpus!("parameters.txt"),
        words: words![
            "name=" "type=" "int" "float" "start=" "min=" "max=" "c=" "r=" "," "#" "\n" "0.002"
            "1e300" "-1e-300"
        ],
        check: |bytes| {
            let text = text(bytes);
            if let Ok(parameter) = text.parse::<Parameter>() {
                check_parameter(&parameter)?;
            }
            match parameter::read(&text) {
                Ok(list) => {
                    list.iter().try_for_each(check_parameter)?;
                    judge(parameter::check_list(&list), Ok)
                }
                Err(error) => rejected(&error),
            }
        },
    },
    FuzzTarget {
        name: "counts",
        corpus: corpus!("counts.txt"),
        words: words![
            "," "0" "1000000000000000" "95%" "%" "100%" "ms" "s" "m" "1.5"
        ],
        check: |bytes| {
            let text = text(bytes);
            let pairs: Option<Pentanomial> = text_again(&text)?;
            let games: Option<Wdl> = text_again(&text)?;
            if let Some(pairs) = pairs {
                // The counts may not fit together, which must not make it panic.
                pairs.can_be_made_of(games.unwrap_or_default());
                same("reversed twice", &pairs.reversed().reversed(), &pairs)?;
            }
            let part: Option<MinSolved> = text.parse().ok();
            let time = time(&text).ok();
            let is_read = pairs.is_some() || games.is_some() || part.is_some() || time.is_some();
            Ok(InputVerdict::from_read(is_read))
        },
    },
    FuzzTarget {
        name: "openings-epd",
        corpus: corpus!("openings_epd.txt"),
        words: words![
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR" "w" "b" "KQkq" "EBeb" "-" "e3" "0 1"
            "hmvc 99;" "fmvn 5;" "id \"a\";" "#" "\n" "\r\n" "\x1f\u{8b}"
        ],
        check: |bytes| check(bytes, BookFormat::Epd),
    },
    FuzzTarget {
        name: "openings-pgn",
        corpus: corpus!("openings_pgn.txt"),
        words: words![
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]" "[Variant \"Chess960\"]" "1." "e4" "Nf3"
            "Ng8" "O-O" "Qh4#" "(" ")" "{a}" "*" "1-0" "\n" "\r" "\n\n"
        ],
        check: |bytes| check(bytes, BookFormat::Pgn),
    },
    FuzzTarget {
        name: "ledger",
        corpus: corpus!("ledger.txt"),
        words: json_words![
            "plan" "game" "white" "black" "opening" "fen" "moves" "uci" "e2e4" "score" "cp 31" "mate -3"
            "result" "1-0" "1/2-1/2" "termination" "checkmate" "fault" "elapsed_us" "clock_ms"
        ],
        check: |bytes| {
            let write = |record: &GameRecord| serde_json::to_vec(record).expect("text and numbers");
            let Some(record) = read_again(bytes, read_record, write)? else {
                return Ok(InputVerdict::Rejected);
            };
            let engines = [record.plan.white, record.plan.black];
            if engines.iter().any(|engine| engine.0 >= RUN.engines.len()) {
                // Resuming and following refuse such a record; what comes after goes by it.
                return Ok(InputVerdict::Rejected);
            }
            if let Err(error) = pgn_game(&RUN, &record) {
                rejected(&error)?;
            }
            if let Err(error) = Schedule::resume(&RUN, [&record]) {
                rejected(&error)?;
            }
            Ok(InputVerdict::Read)
        },
    },
    FuzzTarget {
        name: "tune-config",
        corpus: corpus!("tune_config.txt"),
        words: json_words![
            "schema" "touchstone/tune/1" "config" "parameters" "gains" "iterations" "alpha" "lag"
            "int" "float";
            "1e308" "-1e308"
        ],
        check: |bytes| {
            let read = |bytes: &[u8]| serde_json::from_slice::<StoredConfig>(bytes);
            let write =
                |stored: &StoredConfig| serde_json::to_vec(stored).expect("text and numbers");
            let Some(stored) = read_again(bytes, read, write)? else {
                return Ok(InputVerdict::Rejected);
            };
            judge(stored.check(), |()| {
                // What a run computes before its first game must not panic either.
                let state = stored.config.begin();
                state.trial(1);
                state.values();
                stored.config.games();
                stored.config.most_at_once();
                Ok(())
            })
        },
    },
    FuzzTarget {
        name: "tune-journal",
        corpus: corpus!("tune_journal.txt"),
        words: words![
            "{\"iteration\":" "\"plus\":" "\"minus\":" "\"wins\":" "\"draws\":" "\"losses\":"
            "\"faults\":" "\"values\":" "}\n" "\n" "[" "]" "null"
        ],
        check: |bytes| {
            let read = |bytes: &[u8]| {
                let mut state = Replay::new(&TUNING);
                let read = replay(bytes, Path::new("journal"), &(), |record, place| {
                    state.take(record).map_err(|reason| place.error(reason))
                });
                read.map(|_| state)
            };
            judge(read(bytes), |replay| {
                let written: String = replay.records.iter().map(to_line).collect();
                let again = sound(read(written.as_bytes()))?;
                // The values of a line may be read off by one in the last place; they are only compared.
                same("records", &again.records.len(), &replay.records.len())?;
                same("values", &again.spsa.values(), &replay.spsa.values())
            })
        },
    },
];

/// What a run would do first: make its schedule, ask for some games, keep the configuration.
fn check_config(config: &RunConfig) -> Result<(), String> {
    stored_again(&Stored {
        config: config.clone(),
        book: None,
        programs: std::collections::BTreeMap::default(),
        revisions: std::collections::BTreeMap::default(),
        fleet: None,
        host: None,
        version: "0".to_owned(),
    })?;
    for engine in &config.engines {
        if let Some(control) = &engine.limits.clock {
            check_clock(control, Duration::from_millis(engine.limits.margin_ms));
        }
    }
    match Schedule::new(config) {
        Ok(mut schedule) => {
            schedule.total();
            // A few games only, since a schedule may have more than can ever be played.
            for _ in 0..8 {
                schedule.next();
            }
            Ok(())
        }
        Err(error) => rejected(&error).map(drop),
    }
}

/// A game of some moves, each as long as the clock lets it be.
fn check_clock(control: &TimeControl, margin: Duration) {
    let mut clock = Clock::new(control, margin);
    for _ in 0..100 {
        clock.remaining();
        // Half of the time left never oversteps, so many moves pass through the stages.
        let time = clock.until_flag() / 2;
        if clock.spend(time).is_err() {
            break;
        }
    }
}

fn stored_again(stored: &Stored) -> Result<(), String> {
    let Ok(written) = stored.to_json() else {
        return Ok(());
    };
    let again = sound(Stored::from_json(&written, Path::new("config.json")))?;
    same("read again", &again, stored)
}

/// A parameter is written as a line and read again; its settings stay in its range.
fn check_parameter(parameter: &Parameter) -> Result<(), String> {
    let line = parameter.to_line(parameter.start);
    // In a line, `#` begins a comment, and blanks around a name are cut off.
    let is_a_comment = parameter.name.contains('#') || parameter.name.trim() != parameter.name;
    let again = Parameter::from_line(&line);
    ensure(is_a_comment || again.as_ref() == Ok(parameter), || {
        format!("{line:?} is read as {again:?}, expected {parameter:?}")
    })?;
    for value in [parameter.min, parameter.start, parameter.max] {
        let setting = parameter.nearest(value);
        let number: f64 = setting
            .parse()
            .map_err(|_| format!("{setting} is no number"))?;
        ensure((parameter.min..=parameter.max).contains(&number), || {
            format!("{setting} is not within the range of {parameter:?}")
        })?;
    }
    Ok(())
}

/// Openings of a book that are looked at.
const LOOKED_AT: u64 = 16;

fn check(bytes: &[u8], format: BookFormat) -> Result<InputVerdict, String> {
    let failed = |error: std::io::Error| format!("no temporary file: {error}");
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    let mut checked = InputVerdict::Rejected;
    for (plies, chess960) in [(None, false), (Some(2), true)] {
        let book = book(file.path(), format, plies, chess960);
        match Openings::open(&book, 1) {
            Ok(openings) => {
                checked = InputVerdict::Read;
                check_openings(&openings)?;
            }
            Err(error) => check_error(bytes, &error)?,
        }
    }
    Ok(checked)
}

fn book(path: &Path, format: BookFormat, plies: Option<u32>, chess960: bool) -> OpeningSource {
    OpeningSource::Book {
        path: path.to_owned(),
        format,
        order: BookOrder::Random,
        start: 0,
        plies,
        chess960,
    }
}

fn check_openings(openings: &Openings) -> Result<(), String> {
    ensure(openings.fingerprint().is_some(), || "no sum".to_owned())?;
    for number in 0..openings.len().min(LOOKED_AT) {
        let opening = sound(openings.get(number))?;
        check_opening(&opening).map_err(|error| format!("{opening:?}: {error}"))?;
    }
    Ok(())
}

fn check_opening(opening: &Opening) -> Result<(), String> {
    let mut position = sound(fen::parse(&opening.fen))?;
    let mode = if opening.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    for text in &opening.moves {
        let m = sound(uci_move::parse(text, &position, mode))?;
        position = position.play_unchecked(m);
    }
    ensure(!position.legal_moves().is_empty(), || {
        "it is over".to_owned()
    })
}

/// A faulty opening has a line, which a book that is not packed has too.
fn check_error(bytes: &[u8], error: &OpeningError) -> Result<(), String> {
    rejected(error)?;
    let OpeningError::Faulty { line, .. } = error else {
        return Ok(());
    };
    let breaks = text(bytes).matches(['\n', '\r']).count() as u64;
    ensure(
        bytes.starts_with(b"\x1f\x8b") || (1..=breaks + 1).contains(line),
        || format!("line {line} of {breaks}"),
    )
}

/// A run of two engines, of which the records are.
static RUN: LazyLock<RunConfig> = LazyLock::new(|| {
    let text =
        "rounds = 100\n[each]\ntc = '10+0.1'\n[[engine]]\ncmd = './a'\n[[engine]]\ncmd = './b'\n";
    let draft = parse(text, "f").expect("well formed");
    resolve(draft, Contest::Match).expect("a match")
});

/// The first entry of the corpus, whose journal is the corpus of journals.
static TUNING: LazyLock<TuneConfig> = LazyLock::new(|| {
    let first = entries(corpus!("tune_config.txt")).swap_remove(0);
    let stored: StoredConfig = serde_json::from_slice(&first).expect("a sound configuration");
    stored.config
});

//! Configurations of runs, TOML as people write it, JSON as a run directory keeps it; journals, openings, tuning.

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
use crate::target::{FuzzTarget, judge, read_again, rejected, sound, text, text_again, within};

targets![
    selfplay_toml run_config time_control engine_words parameters counts openings_epd
    openings_pgn ledger tune_config tune_journal
];

fn selfplay_toml(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let draft = match config::parse(&text, "f") {
        Ok(draft) => draft,
        Err(error) => {
            within(text.as_bytes(), error.line, error.column);
            return rejected(&error);
        }
    };
    // A draft may be sound for one kind of contest only.
    let contests = [Contest::Match, Contest::Sprt, Contest::Tournament];
    let read = contests.map(|contest| {
        let config = resolve(draft.clone(), contest);
        judge(config, |config| check_config(&config))
    });
    read.contains(&true)
}

fn run_config(bytes: &[u8]) -> bool {
    let stored = Stored::from_json(&text(bytes), Path::new("config.json"));
    judge(stored, |stored| {
        stored_again(&stored);
        check_config(&stored.config);
    })
}

/// What a run would do first: make its schedule, ask for some games, keep the configuration.
fn check_config(config: &RunConfig) {
    stored_again(&Stored {
        config: config.clone(),
        book: None,
        programs: std::collections::BTreeMap::default(),
        revisions: std::collections::BTreeMap::default(),
        fleet: None,
        host: None,
        version: "0".to_owned(),
    });
    for engine in &config.engines {
        if let Some(control) = &engine.limits.clock {
            check_clock(control, Duration::from_millis(engine.limits.margin_ms));
        }
    }
    judge(Schedule::new(config), |mut schedule| {
        schedule.total();
        // A few games only, since a schedule may have more than can ever be played.
        for _ in 0..8 {
            schedule.next();
        }
    });
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

fn stored_again(stored: &Stored) {
    if let Ok(written) = stored.to_json() {
        let again = Stored::from_json(&written, Path::new("config.json"));
        assert_eq!(sound(again), *stored);
    }
}

fn time_control(bytes: &[u8]) -> bool {
    let input = text(bytes);
    if let Err(error) = parse_clock(&input) {
        let columns = 1..=input.chars().count() + 1;
        assert!(columns.contains(&error.column), "column {}", error.column);
    }
    let read = |bytes: &[u8]| parse_clock(&text(bytes));
    read_again(bytes, read, |clock| write_clock(clock.as_ref())).is_some()
}

fn engine_words(bytes: &[u8]) -> bool {
    let text = text(bytes);
    judge(text.parse::<ResignText>(), drop);
    judge(text.parse::<DrawText>(), drop);
    judge(text.parse::<WordList>(), drop);
    judge(text.parse::<EngineDraft>(), drop);
    judge(EngineDraft::from_argument(&text), |draft| {
        assert_eq!(draft.clone().over(draft.clone()), draft);
    })
}

fn parameters(bytes: &[u8]) -> bool {
    let text = text(bytes);
    judge(text.parse::<Parameter>(), |one| check_parameter(&one));
    let is_read = |list: Vec<Parameter>| {
        list.iter().for_each(check_parameter);
        judge(parameter::check_list(&list), drop)
    };
    parameter::read(&text).map_or_else(|error| rejected(&error), is_read)
}

/// A parameter is written as a line and read again; its settings stay in its range.
fn check_parameter(parameter: &Parameter) {
    let line = parameter.to_line(parameter.start);
    // In a line, `#` begins a comment, and blanks around a name are cut off.
    let is_a_comment = parameter.name.contains('#') || parameter.name.trim() != parameter.name;
    let again = Parameter::from_line(&line);
    if !is_a_comment {
        assert_eq!(again.as_ref(), Ok(parameter), "{line:?}");
    }
    for value in [parameter.min, parameter.start, parameter.max] {
        let setting = parameter.nearest(value);
        let number: f64 = setting.parse().expect("a number");
        let is_within = (parameter.min..=parameter.max).contains(&number);
        assert!(is_within, "{setting}: not in the range of {parameter:?}");
    }
}

fn counts(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let pairs: Option<Pentanomial> = text_again(&text);
    let games: Option<Wdl> = text_again(&text);
    if let Some(pairs) = pairs {
        // The counts may not fit together, which must not make it panic.
        pairs.can_be_made_of(games.unwrap_or_default());
        assert_eq!(pairs.reversed().reversed(), pairs);
    }
    let part = text.parse::<MinSolved>();
    pairs.is_some() || games.is_some() || part.is_ok() || time(&text).is_ok()
}

fn openings_epd(bytes: &[u8]) -> bool {
    check_book(bytes, BookFormat::Epd)
}

fn openings_pgn(bytes: &[u8]) -> bool {
    check_book(bytes, BookFormat::Pgn)
}

/// Openings of a book that are looked at.
const LOOKED_AT: u64 = 16;

fn check_book(bytes: &[u8], format: BookFormat) -> bool {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("it can be written");
    let mut is_read = false;
    for (plies, chess960) in [(None, false), (Some(2), true)] {
        let book = OpeningSource::Book {
            path: file.path().to_owned(),
            format,
            order: BookOrder::Random,
            start: 0,
            plies,
            chess960,
        };
        match Openings::open(&book, 1) {
            Ok(openings) => {
                is_read = true;
                assert!(openings.fingerprint().is_some(), "no sum");
                for number in 0..openings.len().min(LOOKED_AT) {
                    check_opening(&sound(openings.get(number)));
                }
            }
            Err(error) => check_error(bytes, &error),
        }
    }
    is_read
}

fn check_opening(opening: &Opening) {
    let mut position = sound(fen::parse(&opening.fen));
    let mode = if opening.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    for text in &opening.moves {
        let m = sound(uci_move::parse(text, &position, mode));
        position = position.play_unchecked(m);
    }
    let has_ended = position.legal_moves().is_empty();
    assert!(!has_ended, "{opening:?}: it is over");
}

/// A faulty opening has a line, which a book that is not packed has too.
fn check_error(bytes: &[u8], error: &OpeningError) {
    rejected(error);
    let is_packed = bytes.starts_with(b"\x1f\x8b");
    if let OpeningError::Faulty { line, .. } = error
        && !is_packed
    {
        let breaks = text(bytes).matches(['\n', '\r']).count() as u64;
        let is_within = (1..=breaks + 1).contains(line);
        assert!(is_within, "line {line} of {breaks}");
    }
}

fn ledger(bytes: &[u8]) -> bool {
    let write = |record: &GameRecord| serde_json::to_vec(record).expect("text and numbers");
    let Some(record) = read_again(bytes, read_record, write) else {
        return false;
    };
    let engines = [record.plan.white, record.plan.black];
    if engines.iter().any(|engine| engine.0 >= RUN.engines.len()) {
        // Resuming and following refuse such a record; what comes after goes by it.
        return false;
    }
    judge(pgn_game(&RUN, &record), drop);
    judge(Schedule::resume(&RUN, [&record]), drop);
    true
}

/// A run of two engines, of which the records are.
static RUN: LazyLock<RunConfig> = LazyLock::new(|| {
    let text =
        "rounds = 100\n[each]\ntc = '10+0.1'\n[[engine]]\ncmd = './a'\n[[engine]]\ncmd = './b'\n";
    let draft = parse(text, "f").expect("well formed");
    resolve(draft, Contest::Match).expect("a match")
});

fn tune_config(bytes: &[u8]) -> bool {
    let read = |bytes: &[u8]| serde_json::from_slice::<StoredConfig>(bytes);
    let write = |stored: &StoredConfig| serde_json::to_vec(stored).expect("text and numbers");
    read_again(bytes, read, write).is_some_and(|stored| {
        judge(stored.check(), |()| {
            // What a run computes before its first game must not panic either.
            let state = stored.config.begin();
            state.trial(1);
            state.values();
            stored.config.games();
            stored.config.most_at_once();
        })
    })
}

fn tune_journal(bytes: &[u8]) -> bool {
    let read = |bytes: &[u8]| {
        let mut state = Replay::new(&TUNING);
        let read = replay(bytes, Path::new("journal"), &(), |record, place| {
            state.take(record).map_err(|reason| place.error(reason))
        });
        read.map(|_| state)
    };
    judge(read(bytes), |replay| {
        let written: String = replay.records.iter().map(to_line).collect();
        let again = sound(read(written.as_bytes()));
        // The values of a line may be read off by one in the last place; they are only compared.
        assert_eq!(again.records.len(), replay.records.len());
        assert_eq!(again.spsa.values(), replay.spsa.values());
    })
}

/// The first entry of the corpus, whose journal is the corpus of journals.
static TUNING: LazyLock<TuneConfig> = LazyLock::new(|| {
    let first = entries(corpus!(tune_config)).swap_remove(0);
    let stored: StoredConfig = serde_json::from_slice(&first).expect("a sound configuration");
    stored.config
});

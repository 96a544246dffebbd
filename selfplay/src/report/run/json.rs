//! Formats a run as `touchstone/selfplay-report/1`.

use serde::Serialize;

use super::{
    CoupleSummary, CoursePoint, EngineSummary, Lengths, RunReport, TestResult, TimeUse, text,
};
use crate::fleet::worker_stats::WorkerStats;
use crate::model::{
    Adjudication, EngineId, EngineIndex, FaultKind, Limits, OpeningSource, Quarantine, SprtConfig,
    TournamentFormat,
};
use crate::report::quarters;
use crate::stats::number::twelve_digits;
use crate::stats::{Estimate, FastchessStrength, SprtState, Wdl};

pub const SCHEMA: &str = "touchstone/selfplay-report/1";

#[derive(Serialize)]
struct RunJson<'a> {
    schema: &'static str,
    headline: String,
    /// Where the run is stored, as it was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<&'a str>,
    event: &'a str,
    format: TournamentFormat,
    rounds: u64,
    seed: u64,
    concurrency: usize,
    openings_source: &'a OpeningSource,
    adjudication: &'a Adjudication,
    games: u64,
    scheduled: Option<u64>,
    distinct: u64,
    /// In a run of two engines with paired games.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_incomplete_pairs: Option<u64>,
    is_complete: bool,
    /// Whether an engine failed in every game.
    failed: bool,
    busy_ms: u64,
    games_per_minute: Option<f64>,
    engines: Vec<JsonEngine<'a>>,
    /// Of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'a str>,
    pairings: Vec<JsonCouple<'a>>,
    sprt: Option<JsonTest<'a>>,
    white: JsonWdl,
    white_advantage: Option<Estimate>,
    terminations: Vec<JsonCount>,
    faults: JsonFaults<'a>,
    plies: Option<&'a Lengths>,
    openings: JsonOpenings<'a>,
    course: Vec<JsonPoint>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workers: Vec<JsonWorker<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[serde(rename = "set_aside")]
    quarantined: &'a [Quarantine],
    notes: Vec<String>,
}

#[derive(Serialize)]
struct JsonWorker<'a> {
    name: &'a str,
    games: u64,
    pentanomial: [u64; 5],
    machine_faults: u64,
}

#[derive(Serialize)]
struct JsonWdl {
    #[serde(flatten)]
    games: Wdl,
    score: Option<f64>,
}

#[derive(Serialize)]
struct JsonEngine<'a> {
    name: &'a str,
    ids: &'a [EngineId],
    command: String,
    options: &'a [(String, String)],
    limits: &'a Limits,
    rank: Option<usize>,
    points: Option<f64>,
    sonneborn_berger: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byes: Option<u64>,
    games: JsonWdl,
    as_white: JsonWdl,
    as_black: JsonWdl,
    rating_group: Option<usize>,
    rating: Option<Estimate>,
    time: &'a TimeUse,
}

#[derive(Serialize)]
struct JsonCouple<'a> {
    first: &'a str,
    second: &'a str,
    games: JsonWdl,
    as_white: JsonWdl,
    as_black: JsonWdl,
    pentanomial: Option<[u64; 5]>,
    pentanomial_all: Option<[u64; 5]>,
    drawn_twice: Option<u64>,
    score: Option<f64>,
    elo: Option<Estimate>,
    nelo: Option<Estimate>,
    los: Option<f64>,
    draw_ratio: Option<Estimate>,
    pairs_ratio: Option<Estimate>,
    fastchess: Option<FastchessStrength>,
}

#[derive(Serialize)]
struct JsonTest<'a> {
    #[serde(flatten)]
    config: Option<&'a SprtConfig>,
    verdict: &'static str,
    invalid: Option<&'a str>,
    pairs: u64,
    llr: Option<f64>,
    lower_bound: Option<f64>,
    upper_bound: Option<f64>,
    post_stop_elo: Option<Estimate>,
    post_stop_los: Option<f64>,
}

#[derive(Serialize)]
struct JsonCount {
    name: &'static str,
    games: u64,
}

#[derive(Serialize)]
struct JsonFaults<'a> {
    total: u64,
    counts: Vec<JsonFaultCount<'a>>,
    #[serde(rename = "mishaps")]
    incidents: Vec<JsonFaultCount<'a>>,
    first: Vec<JsonFault<'a>>,
}

#[derive(Serialize)]
struct JsonFaultCount<'a> {
    engine: &'a str,
    kind: &'static str,
    games: u64,
}

#[derive(Serialize)]
struct JsonFault<'a> {
    game: u64,
    engine: &'a str,
    opponent: &'a str,
    kind: &'static str,
    detail: &'a str,
    transcript: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonOpenings<'a> {
    played: u64,
    white_won_both: u64,
    black_won_both: u64,
    one_sided: Vec<JsonOpening<'a>>,
}

#[derive(Serialize)]
struct JsonOpening<'a> {
    label: &'a str,
    white: JsonWdl,
}

#[derive(Serialize)]
struct JsonPoint {
    pairs: u64,
    elo: Option<f64>,
    elo_lower: Option<f64>,
    elo_upper: Option<f64>,
    llr: Option<f64>,
}

impl RunReport<'_> {
    pub fn json(&self) -> String {
        let (config, summary) = (self.config, self.summary);
        let engines = summary.engines.iter().enumerate();
        let engines = engines.map(|(index, one)| self.json_engine(index, one));
        let couples = summary.couples.iter();
        let terminations = summary.result.terminations.iter();
        let terminations = terminations.map(|(one, &games)| JsonCount {
            name: one.as_str(),
            games,
        });
        let json = RunJson {
            schema: SCHEMA,
            headline: self.headline().text,
            directory: self.place.map(|place| place.directory),
            event: &config.event,
            format: config.format,
            rounds: config.rounds,
            seed: config.seed,
            concurrency: config.concurrency,
            openings_source: &config.openings,
            adjudication: &config.adjudication,
            games: summary.result.games,
            scheduled: summary.result.scheduled,
            distinct: summary.result.distinct,
            in_incomplete_pairs: summary.result.in_incomplete_pairs,
            is_complete: summary.result.is_complete,
            failed: summary.result.is_void(),
            busy_ms: summary.pace.busy_ms,
            games_per_minute: summary.pace.games_per_minute.and_then(twelve_digits),
            engines: engines.collect(),
            winner: summary.result.champion.map(|engine| self.name(engine)),
            pairings: couples.map(|one| self.json_couple(one)).collect(),
            sprt: summary
                .result
                .test
                .as_ref()
                .map(|test| self.json_test(test)),
            white: wdl(summary.white),
            white_advantage: summary.white_advantage,
            terminations: terminations.collect(),
            faults: self.json_faults(),
            plies: summary.lengths.as_ref(),
            openings: self.json_openings(),
            course: summary.course.iter().map(point).collect(),
            workers: summary.workers.iter().map(worker).collect(),
            quarantined: &summary.result.quarantined,
            notes: self.notes(),
        };
        serde_json::to_string_pretty(&json).expect("numbers and texts") + "\n"
    }

    fn json_engine<'a>(&'a self, index: usize, engine: &'a EngineSummary) -> JsonEngine<'a> {
        let config = &self.config.engines[index];
        let rating = self.summary.ratings.get(&EngineIndex(index));
        let mut rows = self.summary.result.standings.table().into_iter();
        let row = rows.find(|row| row.engine == EngineIndex(index));
        JsonEngine {
            name: &config.name,
            ids: &engine.ids,
            command: text::command(config),
            options: &config.options,
            limits: &config.limits,
            rank: row.map(|row| row.rank),
            points: row.map(|row| quarters(2 * row.half_points)),
            sonneborn_berger: row.map(|row| quarters(row.sonneborn_berger_quarters)),
            byes: row.map(|row| row.byes).filter(|&byes| byes > 0),
            games: wdl(engine.games()),
            as_white: wdl(engine.as_white),
            as_black: wdl(engine.as_black),
            rating_group: rating.map(|rating| rating.group + 1),
            rating: rating.and_then(|rating| rating.elo),
            time: &engine.time,
        }
    }

    fn json_couple(&self, couple: &CoupleSummary) -> JsonCouple<'_> {
        let strength = couple.strength.as_ref();
        let is_paired = self.config.pairing.is_paired();
        JsonCouple {
            first: self.name(couple.couple.first),
            second: self.name(couple.couple.second),
            games: wdl(couple.games),
            as_white: wdl(couple.as_white),
            as_black: wdl(couple.as_black()),
            pentanomial: is_paired.then_some(couple.counted.pairs.0),
            pentanomial_all: is_paired.then_some(couple.all.pairs.0),
            drawn_twice: is_paired.then_some(couple.counted.drawn_twice),
            score: strength.and_then(|one| twelve_digits(one.score)),
            elo: strength.map(|one| one.elo),
            nelo: strength.map(|one| one.nelo),
            los: strength.and_then(|one| twelve_digits(one.los)),
            draw_ratio: strength.map(|one| one.draw_ratio),
            pairs_ratio: strength.and_then(|one| one.pairs_ratio),
            fastchess: strength.and_then(|_| self.fastchess_strength(couple)),
        }
    }

    fn json_test<'a>(&'a self, test: &'a TestResult) -> JsonTest<'a> {
        let [lower_bound, upper_bound] = test.bounds.map(twelve_digits);
        JsonTest {
            config: self.config.sprt.as_ref(),
            verdict: match test.state {
                SprtState::Running if self.summary.result.is_complete => "undecided",
                state => state.name(),
            },
            invalid: test.invalid.as_deref(),
            pairs: test.pairs,
            llr: twelve_digits(test.llr),
            lower_bound,
            upper_bound,
            post_stop_elo: test.after_stop.map(|after| after.elo),
            post_stop_los: test.after_stop.and_then(|after| twelve_digits(after.los)),
        }
    }

    fn json_faults(&self) -> JsonFaults<'_> {
        let (result, faults) = (&self.summary.result, &self.summary.faults);
        let count = |(&(engine, kind), &games)| JsonFaultCount {
            engine: self.name(engine),
            kind: FaultKind::as_str(kind),
            games,
        };
        let first = faults.iter().map(|fault| JsonFault {
            // From 1, as in all other formats, and as --game takes it.
            game: fault.game + 1,
            engine: self.name(fault.engine),
            opponent: self.name(fault.opponent),
            kind: fault.kind.as_str(),
            detail: &fault.detail,
            transcript: fault.transcript.as_deref(),
        });
        JsonFaults {
            total: result.games_lost_by_faults(),
            counts: result.faults.iter().map(count).collect(),
            incidents: result.incidents.iter().map(count).collect(),
            first: first.collect(),
        }
    }

    fn json_openings(&self) -> JsonOpenings<'_> {
        let openings = &self.summary.openings;
        let one_sided = openings.one_sided.iter().map(|one| JsonOpening {
            label: &one.label,
            white: wdl(one.white),
        });
        JsonOpenings {
            played: openings.played,
            white_won_both: openings.white_twice,
            black_won_both: openings.black_twice,
            one_sided: one_sided.collect(),
        }
    }
}

fn worker<'a>((name, stats): (&'a String, &WorkerStats)) -> JsonWorker<'a> {
    JsonWorker {
        name,
        games: stats.games,
        pentanomial: stats.pairs.0,
        machine_faults: stats.faults,
    }
}

fn wdl(games: Wdl) -> JsonWdl {
    let score = twelve_digits(games.score());
    JsonWdl { games, score }
}

fn point(point: &CoursePoint) -> JsonPoint {
    JsonPoint {
        pairs: point.pairs,
        elo: twelve_digits(point.elo.value),
        elo_lower: twelve_digits(point.elo.lower),
        elo_upper: twelve_digits(point.elo.upper),
        llr: point.llr.and_then(twelve_digits),
    }
}

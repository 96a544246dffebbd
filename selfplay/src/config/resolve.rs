//! From options as typed to the effective configuration: fills in defaults, validates everything.
//! Pure.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::draft::{AdjudicationDraft, Draft, OpeningsDraft, SprtDraft, Variant};
use super::engine::{EngineDraft, EngineSide, REVISION};
use super::value::{ClockSetting, PgnText};
use crate::model::time_control::MAX_TIME_MS;
use crate::model::{
    Adjudication, BookFormat, BookOrder, BuiltInBook, EngineCommand, EngineConfig, Limits,
    OpeningSource, OutputConfig, OutputFile, PairingRules, Pinning, Protocol, Restart, RunConfig,
    SprtConfig, TablebaseRule, Timeouts, TournamentFormat,
};
use crate::play::schedule::{Schedule, ScheduleError, draw_lots};
use crate::stats::{DesignError, SprtDesign};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contest {
    /// A fixed number of pairs between two engines.
    Match,
    /// Pairs between two engines until a sequential test is decided.
    Sprt,
    /// A tournament of two or more engines.
    Tournament,
}

type Result<T> = std::result::Result<T, ConfigError>;

/// Fills in what a first try of a match or a test may leave out, and returns it as options: how long
/// engines think, how many pairs they play, the bounds of a test.
pub fn fill_in(draft: &mut Draft, contest: Contest) -> Vec<String> {
    let mut options = Vec::new();
    let is_limited = |engine: &EngineDraft| {
        engine.tc.is_some()
            || engine.movetime().is_some()
            || engine.nodes.is_some()
            || engine.depth.is_some()
    };
    if !is_limited(&draft.each) && !draft.engines.iter().any(is_limited) {
        // The verdict of a test is to hold in longer games too; a match is a first look, in which a busy
        // machine costs no game.
        let (limits, typed) = match contest {
            Contest::Sprt => ("tc=8+0.08", "--tc 8+0.08"),
            Contest::Match | Contest::Tournament => {
                ("tc=2+0.02 margin=1s", "--tc 2+0.02 --margin 1s")
            }
        };
        let given = std::mem::take(&mut draft.each);
        draft.each = given.over(limits.parse().expect("limits"));
        options.push(typed.to_owned());
    }
    if contest == Contest::Match && draft.rounds.is_none() {
        const ROUNDS: u64 = 10;
        draft.rounds = Some(ROUNDS);
        options.push(format!("--rounds {ROUNDS}"));
    }
    if contest == Contest::Sprt && draft.sprt.elo0.is_none() && draft.sprt.elo1.is_none() {
        (draft.sprt.elo0, draft.sprt.elo1) = (Some(0.0), Some(5.0));
        options.push("--elo0 0 --elo1 5".to_owned());
    }
    options
}

fn missing<T>(text: impl Into<String>) -> Result<T> {
    Err(ConfigError::Missing(text.into()))
}

/// Fills in defaults and checks everything that does not depend on the machine. Programs stay as
/// typed.
pub fn resolve(draft: Draft, contest: Contest) -> Result<RunConfig> {
    let format = format(draft.system, contest)?;
    if draft.engines.is_empty() {
        return missing("no engines, expected the command of each, or `engine` in the file");
    }
    check_commands(&draft.engines, &draft.each)?;
    check_sides(&draft.engines, contest)?;
    let mut engines = engines(draft.engines, &draft.each)?;
    // A fixed default: the same command gives the same schedule again.
    let seed = draft.seed.unwrap_or(1);
    match (format, draft.seeds) {
        (TournamentFormat::Gauntlet, _) | (_, None) => {}
        // The seeded engines keep their places in the bracket, so lots are drawn for the others
        // only.
        (TournamentFormat::Knockout, Some(seeds)) if seeds <= engines.len() => {
            let others = engines.split_off(seeds);
            let lots = draw_lots(others.len(), seed);
            engines.extend(lots.into_iter().map(|lot| others[lot.0].clone()));
        }
        (TournamentFormat::Knockout, Some(seeds)) => {
            let most = engines.len();
            return missing(format!(
                "seeds is {seeds}, expected 0 to {most}, the engines"
            ));
        }
        _ => {
            return missing(
                "seeds are for a gauntlet or a knockout: expected one of these systems, or no seeds",
            );
        }
    }
    let config = RunConfig {
        schema: RunConfig::SCHEMA.to_owned(),
        format,
        rounds: rounds(draft.rounds, contest, format, engines.len())?,
        pairing: PairingRules {
            games: draft.games.unwrap_or_default(),
            no_swap: draft.no_swap.unwrap_or(false),
            reverse: draft.reverse.unwrap_or(false),
            seeds: draft
                .seeds
                .filter(|_| format == TournamentFormat::Gauntlet)
                .unwrap_or(1),
            repeat: draft.openings.repeat.unwrap_or(1),
            wait_ms: draft.wait.map_or(0, |wait| wait.ms),
        },
        engines,
        timeouts: Timeouts {
            startup_ms: draft.timeouts.startup.map(|time| time.ms),
            new_game_ms: draft.timeouts.new_game.map(|time| time.ms),
            ready_ms: draft.timeouts.ready.map(|time| time.ms),
        },
        check_mate_pvs: draft.check_mate_pvs.unwrap_or(false),
        openings: openings(draft.openings)?,
        adjudication: adjudication(draft.adjudication)?,
        sprt: sprt(draft.sprt, contest)?,
        concurrency: draft.concurrency.map_or(1, |games| games.0),
        pinning: draft.pin.map_or(Pinning::Auto, |pin| pin.0),
        seed,
        event: tag(
            "event",
            draft.event.unwrap_or_else(|| {
                let name = match contest {
                    Contest::Match => "selfplay match",
                    Contest::Sprt => "selfplay sprt",
                    Contest::Tournament => "selfplay tournament",
                };
                name.to_owned()
            }),
        )?,
        site: tag("site", draft.site.unwrap_or_else(|| "?".to_owned()))?,
        output: output(
            draft.pgn.unwrap_or_default(),
            draft.epd_output,
            draft.epd_append.unwrap_or(false),
            draft.epd_overwrite.unwrap_or(false),
        )?,
    };
    if config.pairing.repeat == 0 {
        return missing("openings: repeat is 0, expected 1 round from each, or more");
    }
    if contest == Contest::Sprt && !config.pairing.is_paired() {
        let option = if config.pairing.no_swap {
            "no-swap"
        } else {
            "games 1"
        };
        return missing(format!(
            "sprt: the test counts pairs of games with colours swapped, which there are not with \
             {option}: expected two games from each opening, or `selfplay match`"
        ));
    }
    // The schedule is made again when the run begins; here its errors come before any engine is
    // started.
    Schedule::new(&config)?;
    Ok(config)
}

/// Rejects control characters, which PGN tags cannot contain.
fn tag(key: &str, text: String) -> Result<String> {
    if text.chars().any(char::is_control) {
        return missing(format!("{key} is {text:?}, expected no control characters"));
    }
    Ok(text)
}

/// The lengths of the files are noted when the run begins.
fn output(
    pgn: PgnText,
    epd: Option<PathBuf>,
    appends_epd: bool,
    overwrites_epd: bool,
) -> Result<OutputConfig> {
    if (appends_epd || overwrites_epd) && epd.is_none() {
        return missing("epd-append or epd-overwrite without a file, expected epd-output");
    }
    if appends_epd && overwrites_epd {
        return missing("epd-append and epd-overwrite: expected one of them");
    }
    let file = |path, append, overwrite| OutputFile {
        path,
        append,
        overwrite,
        start: 0,
    };
    Ok(OutputConfig {
        pgn_file: pgn.file.map(|path| file(path, pgn.append, pgn.overwrite)),
        epd_file: epd.map(|path| file(path, appends_epd, overwrites_epd)),
        pgn: pgn.form,
    })
}

fn format(system: Option<TournamentFormat>, contest: Contest) -> Result<TournamentFormat> {
    match (contest, system) {
        (Contest::Match | Contest::Sprt, None | Some(TournamentFormat::Match)) => {
            Ok(TournamentFormat::Match)
        }
        (Contest::Match | Contest::Sprt, Some(_)) => {
            missing("a system is for tournaments: expected `selfplay match`, or no system")
        }
        (Contest::Tournament, Some(TournamentFormat::Match)) => {
            missing("the system is a match, expected round-robin, gauntlet, swiss or knockout")
        }
        (Contest::Tournament, system) => Ok(system.unwrap_or(TournamentFormat::RoundRobin)),
    }
}

fn rounds(
    rounds: Option<u64>,
    contest: Contest,
    format: TournamentFormat,
    engines: usize,
) -> Result<u64> {
    match (rounds, contest, format) {
        (Some(rounds), ..) => Ok(rounds),
        (None, Contest::Match, _) => {
            missing("the number of pairs is missing: expected --rounds N, or `rounds` in the file")
        }
        (None, Contest::Sprt, _) => Ok(RunConfig::UNTIL_DECIDED),
        (None, Contest::Tournament, TournamentFormat::Swiss) => {
            // The number of rounds that leaves one engine unbeaten, if the stronger always wins.
            Ok(u64::from(
                engines.max(2).next_power_of_two().trailing_zeros(),
            ))
        }
        (None, Contest::Tournament, _) => Ok(1),
    }
}

/// Rejects an argument with settings of an engine and no command, such as `send-stop=on`: its words
/// belong to the argument before it.
fn check_commands(engines: &[EngineDraft], each: &EngineDraft) -> Result<()> {
    let has_command = |engine: &EngineDraft| engine.cmd.is_some() || each.cmd.is_some();
    let mut before = "cmd=PROGRAM";
    for engine in engines {
        let argument = engine.argument.as_deref();
        if let Some(words) = argument.filter(|_| !has_command(engine)) {
            return missing(format!(
                "'{words}' is a setting without its engine: write both as one argument, {}",
                uci::quote_word(&format!("{before} {words}"))
            ));
        }
        before = argument.unwrap_or(before);
    }
    Ok(())
}

fn check_sides(engines: &[EngineDraft], contest: Contest) -> Result<()> {
    match (contest, engines) {
        (Contest::Match | Contest::Sprt, [only]) => match only.side {
            Some(_) => missing(
                "there is one engine, expected two: the new one, and the base it is compared with",
            ),
            None => missing("there is one engine, expected two"),
        },
        (Contest::Match | Contest::Sprt, [_, _]) => Ok(()),
        (Contest::Match | Contest::Sprt, _) => {
            let found = engines.len();
            missing(format!(
                "there are {found} engines, expected two, or `selfplay match`"
            ))
        }
        (Contest::Tournament, [_]) => missing("there is one engine, expected two or more"),
        (Contest::Tournament, _) => Ok(()),
    }
}

fn engines(drafts: Vec<EngineDraft>, each: &EngineDraft) -> Result<Vec<EngineConfig>> {
    let drafts: Vec<EngineDraft> = drafts
        .into_iter()
        .map(|draft| draft.over(each.clone()))
        .collect();
    let names = names(&drafts)?;
    let drafts = drafts.into_iter().zip(names);
    drafts.map(|(draft, name)| engine(draft, name)).collect()
}

fn engine(draft: EngineDraft, name: String) -> Result<EngineConfig> {
    let bad = |reason: String| {
        let name = name.clone();
        Err(ConfigError::Engine { name, reason })
    };
    if name.is_empty() || name.chars().any(char::is_control) {
        return bad("expected a name without control characters".to_owned());
    }
    let Some(program) = draft.cmd.filter(|cmd| !cmd.is_empty()) else {
        return bad("cmd is missing, expected the program to start".to_owned());
    };
    if program == REVISION {
        return bad("expected a revision after 'rev:', such as rev:HEAD".to_owned());
    }
    let is_unlimited = draft.tc == Some(ClockSetting(None));
    // With a clock as well, `movetime` only limits a move, and the clock needs no margin.
    let is_movetime = draft.movetime.is_some() && !matches!(draft.tc, Some(ClockSetting(Some(_))));
    let margin_ms = if is_movetime { MOVETIME_MARGIN_MS } else { 0 };
    let limits = Limits {
        clock: draft.tc.and_then(|clock| clock.0),
        movetime_ms: draft.movetime.map(|time| time.ms),
        nodes: draft.nodes,
        depth: draft.depth,
        margin_ms: draft.margin.map_or(margin_ms, |margin| margin.ms),
        move_timeout_ms: draft.move_timeout.map(|timeout| timeout.ms),
        send_stop: draft.send_stop.is_some_and(|on| on.0),
    };
    if is_unlimited && limits.is_none() {
        return bad(
            "tc=inf alone does not limit a search, expected movetime, nodes or depth with it"
                .to_owned(),
        );
    }
    let protocol = draft.proto.map_or(Protocol::Uci, |word| word.0);
    let checked = check_limits(&limits).and_then(|()| match protocol {
        Protocol::Uci => Ok(()),
        Protocol::Xboard => check_xboard(&limits),
    });
    if let Err(reason) = checked {
        return bad(reason);
    }
    if let Some(line) = draft
        .startup
        .iter()
        .find(|line| line.contains(['\n', '\r']))
    {
        return bad(format!("startup is {line:?}, expected one line"));
    }
    Ok(EngineConfig {
        name,
        command: EngineCommand {
            program: program.into(),
            arguments: draft.args.unwrap_or_default().0,
            directory: draft.dir,
            environment: draft.env.into_iter().collect(),
        },
        protocol,
        options: draft.option,
        startup: draft.startup,
        limits,
        ponder: draft.ponder.is_some_and(|ponder| ponder.0),
        restart: draft.restart.map_or(Restart::Auto, |restart| restart.0),
        argument: draft.argument,
    })
}

/// The margin of a time per move without another. Engines think until that time is over and move then:
/// Stockfish 15.1 is 0 to 8 ms late, Fairy-Stockfish up to 17 ms and Toga II up to 28 ms, on a machine that
/// does other work; without a margin they lose all games. Nobody gains time on a clock by it.
const MOVETIME_MARGIN_MS: u64 = 50;

fn check_limits(limits: &Limits) -> std::result::Result<(), String> {
    let Limits {
        nodes,
        depth,
        margin_ms,
        send_stop,
        ..
    } = limits;
    if limits.is_none() {
        return Err("no limit, expected one or more of tc, movetime, nodes and depth".to_owned());
    }
    for (key, value) in [("nodes", *nodes), ("depth", depth.map(u64::from))] {
        if value == Some(0) {
            return Err(format!("{key} is 0, expected more"));
        }
    }
    if *send_stop && nodes.is_none() && depth.is_none() {
        return Err("send-stop without nodes or depth, expected a limit to stop at".to_owned());
    }
    if *margin_ms > MAX_TIME_MS {
        return Err(format!(
            "margin is {margin_ms}, expected 0 to {MAX_TIME_MS} milliseconds"
        ));
    }
    Ok(())
}

/// Rejects limits that `XBoard`'s protocol cannot express. Whether an engine has a node limit is known
/// only once it runs.
fn check_xboard(limits: &Limits) -> std::result::Result<(), String> {
    let stages = limits.clock.as_ref().map_or(0, |clock| clock.stages.len());
    if stages > 1 {
        return Err(format!(
            "tc has {stages} stages, expected one: XBoard's `level` has no more"
        ));
    }
    if let Some(ms) = limits.movetime_ms.filter(|ms| ms % 1000 != 0) {
        return Err(format!(
            "movetime is {ms}ms, expected whole seconds: XBoard's `st` has no fractions"
        ));
    }
    if limits.clock.is_some() && limits.movetime_ms.is_some() {
        return Err(
            "tc and movetime, expected one of them: XBoard's protocol cannot combine them"
                .to_owned(),
        );
    }
    let is_timed = limits.clock.is_some() || limits.movetime_ms.is_some();
    if is_timed && limits.nodes.is_some() && !limits.send_stop {
        return Err(
            "nodes and a time limit, expected one of them, or send-stop=on: XBoard's protocol cannot \
             combine them"
                .to_owned(),
        );
    }
    Ok(())
}

fn openings(draft: OpeningsDraft) -> Result<OpeningSource> {
    let variant = draft.variant.unwrap_or(Variant::Standard);
    let is_standard = variant == Variant::Standard;
    let usual = if is_standard { DEFAULT_BOOK } else { NO_BOOK };
    let path = draft.file.unwrap_or_else(|| usual.into());
    // A built-in name always means that book; a file of the same name is written with `./`.
    if let Some(book) = path.to_str().and_then(BuiltInBook::named) {
        let fault = if !is_standard {
            Some("is of standard chess, expected none or a book of your own")
        } else if draft.format.is_some() || draft.plies.is_some() {
            Some("has a format and plies already, expected ./ before the name of a file")
        } else {
            None
        };
        return match fault {
            Some(fault) => missing(format!("openings: the built-in book {book} {fault}")),
            None => Ok(OpeningSource::BuiltIn {
                book,
                order: draft.order.unwrap_or(BookOrder::Random),
                start: draft.start.unwrap_or(0),
            }),
        };
    }
    if path == Path::new(NO_BOOK) {
        let details = [
            ("a book's format", draft.format.is_some()),
            ("an order", draft.order.is_some()),
            ("a start", draft.start.is_some()),
            ("plies", draft.plies.is_some()),
        ];
        if let Some((what, _)) = details.iter().find(|(_, is_given)| *is_given) {
            return missing(format!("openings: {what} without a book, expected a file"));
        }
        return Ok(match variant {
            Variant::Standard => OpeningSource::Startpos,
            Variant::Chess960 => OpeningSource::Chess960,
            Variant::Dfrc => OpeningSource::DoubleChess960,
        });
    }
    let name = path.display();
    let Some(format) = draft.format.or_else(|| book_format(&path)) else {
        let typed = path.to_string_lossy();
        let meant = kit::spelling::did_you_mean(&typed, ["balanced", "uneven", "none"]);
        return missing(format!(
            "openings: {name} may be anything, expected balanced, uneven, none, a name that ends in \
             .epd, .fen, .pgn or .bin (and .gz, .zst or .zip), or the book's format{meant}"
        ));
    };
    if draft.plies.is_some() && format == BookFormat::Epd {
        return missing("openings: plies of positions, expected a book of games (PGN, Polyglot)");
    }
    if !is_standard && format == BookFormat::Polyglot {
        return missing("openings: a Polyglot book is of standard chess, expected EPD or PGN");
    }
    Ok(OpeningSource::Book {
        path,
        format,
        order: draft.order.unwrap_or(BookOrder::Random),
        start: draft.start.unwrap_or(0),
        plies: draft.plies,
        chess960: !is_standard,
    })
}

/// The openings of standard chess, unless others are named.
const DEFAULT_BOOK: &str = "balanced";

/// In place of a book: the start positions of the variant.
const NO_BOOK: &str = "none";

/// The format that the name of a book shows.
pub fn book_format(path: &Path) -> Option<BookFormat> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let packed = [".gz", ".zst", ".zip"];
    let name = packed
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    match Path::new(name).extension()?.to_str()? {
        "epd" | "fen" => Some(BookFormat::Epd),
        "pgn" => Some(BookFormat::Pgn),
        "bin" => Some(BookFormat::Polyglot),
        _ => None,
    }
}

fn adjudication(draft: AdjudicationDraft) -> Result<Adjudication> {
    let zero = |key: &str| missing(format!("{key} is 0, expected more"));
    if draft.resign.is_some_and(|rule| rule.moves == 0) {
        return zero("adjudication: moves of resign");
    }
    if draft.draw.is_some_and(|rule| rule.moves == 0) {
        return zero("adjudication: moves of draw");
    }
    if draft.max_moves == Some(0) {
        return zero("adjudication: max-moves");
    }
    let is_tuned = draft.tablebase_pieces.is_some()
        || draft.tablebase_adjudicate.is_some()
        || draft.tablebase_ignore_fifty.is_some();
    if draft.tablebases.is_empty() && is_tuned {
        return missing("adjudication: rules for endgame tables, expected their folders");
    }
    let tablebase = (!draft.tablebases.is_empty()).then(|| TablebaseRule {
        paths: draft.tablebases,
        pieces: draft.tablebase_pieces,
        fifty_moves: !draft.tablebase_ignore_fifty.unwrap_or(false),
        results: draft.tablebase_adjudicate.unwrap_or_default(),
    });
    Ok(Adjudication {
        resign: draft.resign.map(Into::into),
        draw: draft.draw.map(Into::into),
        max_moves: draft.max_moves,
        tablebase,
    })
}

fn sprt(draft: SprtDraft, contest: Contest) -> Result<Option<SprtConfig>> {
    if contest != Contest::Sprt {
        return if draft == SprtDraft::default() {
            Ok(None)
        } else {
            missing("a test (sprt) is given: expected `selfplay sprt`, or no test")
        };
    }
    let (Some(elo0), Some(elo1)) = (draft.elo0, draft.elo1) else {
        return missing("sprt: elo0 or elo1 is missing, expected the bounds of the test");
    };
    let usual = SprtConfig::new([elo0, elo1], draft.model.unwrap_or_default());
    let config = SprtConfig {
        alpha: draft.alpha.unwrap_or(usual.alpha),
        beta: draft.beta.unwrap_or(usual.beta),
        ..usual
    };
    SprtDesign::try_from(&config)?;
    Ok(Some(config))
}

// Errors in the configuration of a run.

/// A configuration that does not describe a valid run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// An engine that is not fully or not validly described.
    #[error("engine '{name}': {reason}")]
    Engine { name: String, reason: String },
    #[error(
        "engines {first} and {second} are both named '{name}', expected a name of its own for each"
    )]
    SameName {
        /// Number of the first engine, from 1.
        first: usize,
        /// Number of the second engine, from 1.
        second: usize,
        name: String,
    },
    /// A value that is missing or has no meaning here.
    #[error("{0}")]
    Missing(String),
    #[error("sprt: {0}")]
    Sprt(#[from] DesignError),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

// Default names of engines. Pure.

/// The names of all engines. Given names must differ. Other engines are named after their program,
/// or their revision and its commit; if that name is taken, the two sides of a match are named
/// after their sides, and other engines get a number.
pub(super) fn names(drafts: &[EngineDraft]) -> Result<Vec<String>> {
    let given: Vec<Option<&str>> = drafts.iter().map(|one| one.name.as_deref()).collect();
    for (second, name) in given.iter().enumerate() {
        let Some(name) = name else { continue };
        if let Some(first) = given[..second].iter().position(|one| *one == Some(name)) {
            return Err(ConfigError::SameName {
                first: first + 1,
                second: second + 1,
                name: (*name).to_owned(),
            });
        }
    }
    let labels: Vec<String> = drafts.iter().map(label).collect();
    let mut names: Vec<String> = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        let label = &labels[index];
        let others = labels.iter().zip(&given).enumerate();
        let is_shared = others
            .filter(|(other, _)| *other != index)
            .any(|(_, (other, given))| given.unwrap_or(other) == label);
        let side = draft.side.filter(|_| is_shared).map(EngineSide::as_str);
        let is_free =
            |name: &String| !names.contains(name) && !given.contains(&Some(name.as_str()));
        let numbered = (2..).map(|number| format!("{label}-{number}"));
        let own = || {
            let side = side.map(ToOwned::to_owned).into_iter();
            let mut all = side.chain([label.clone()]).chain(numbered);
            all.find(is_free)
                .expect("there are more numbers than engines")
        };
        names.push(draft.name.clone().unwrap_or_else(own));
    }
    Ok(names)
}

/// Default name of an engine, regardless of the others.
fn label(draft: &EngineDraft) -> String {
    // The length to which git shortens hashes at least.
    const SHORT_HASH: usize = 7;
    let cmd = draft.cmd.as_deref().unwrap_or("?");
    let Some(reference) = cmd.strip_prefix(REVISION) else {
        let name = Path::new(cmd).file_stem().map(OsStr::to_string_lossy);
        return name.map_or_else(|| cmd.to_owned(), std::borrow::Cow::into_owned);
    };
    let Some(commit) = &draft.commit else {
        return reference.to_owned();
    };
    let short = commit.get(..SHORT_HASH).unwrap_or(commit);
    // The reference is a hash itself, and would only repeat the commit.
    if commit.starts_with(reference) {
        return short.to_owned();
    }
    format!("{reference}-{short}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;
    use crate::model::EloModel;

    /// The names of engines, the first two of which are the sides of a match.
    fn named(texts: &[&str]) -> Vec<String> {
        let mut drafts: Vec<EngineDraft> = texts
            .iter()
            .map(|text| text.parse().expect("an engine"))
            .collect();
        drafts[0].side = Some(EngineSide::New);
        drafts[1].side = Some(EngineSide::Base);
        for draft in &mut drafts {
            draft.commit = Some("0123456789abcdef".to_owned());
        }
        names(&drafts).expect("names that differ")
    }

    #[test]
    fn sides_are_called_by_what_tells_them_apart() {
        let rows = rows![
            ["cmd=x/new-engine", "cmd=y/old"] => ["new-engine", "old"];
            ["cmd=x/a", "cmd=y/a"] => ["new", "base"];
            ["cmd=x/a name=b", "cmd=y/b"] => ["b", "base"];
            ["cmd=a name=base", "cmd=base"] => ["base", "base-2"];
            ["cmd=rev:HEAD", "cmd=rev:v1"] => ["HEAD-0123456", "v1-0123456"];
            ["cmd=rev:01234567", "cmd=stockfish"] => ["0123456", "stockfish"];
            ["cmd=rev:HEAD", "cmd=rev:HEAD"] => ["new", "base"];
        ];
        for (texts, expected) in rows {
            assert_eq!(named(&texts), expected, "{texts:?}");
        }
        let three = named(&["cmd=a", "cmd=b", "cmd=a"]);
        assert_eq!(three, ["new", "b", "a"]);
    }

    fn resolved(text: &str, contest: Contest) -> std::result::Result<RunConfig, String> {
        let draft = parse(text, "f").expect("well formed");
        resolve(draft, contest).map_err(|error| error.to_string())
    }

    /// Two engines with limits, preceded by `text`.
    fn with_engines(text: &str) -> String {
        format!("{text}\n[each]\nnodes = 1\n[[engine]]\ncmd = './a'\n[[engine]]\ncmd = './b'\n")
    }

    #[test]
    fn a_knockout_draws_lots_behind_its_seeds() {
        let order = |seeds: &str| {
            let engines = (0..8).map(|number| format!("[[engine]]\ncmd = './e{number}'\n"));
            let engines: String = engines.collect();
            let text = format!("system = 'knockout'\n{seeds}\n[each]\nnodes = 1\n{engines}");
            let config = resolved(&text, Contest::Tournament).expect("a knockout");
            let names = config.engines.into_iter().map(|one| one.name);
            names.collect::<Vec<_>>()
        };
        let (plain, lots) = (order(""), order("seeds = 3"));
        assert_eq!(plain[..4], ["e0", "e1", "e2", "e3"]);
        assert_eq!(lots[..3], plain[..3]);
        assert_ne!(lots, plain);
        assert_eq!(order("seeds = 3"), lots, "by the seed");
        assert_eq!(order("seeds = 8"), plain);
    }

    #[test]
    fn defaults_are_filled_in() {
        let config = resolved(&with_engines("rounds = 3"), Contest::Match).expect("a match");
        assert_eq!((config.rounds, config.concurrency, config.seed), (3, 1, 1));
        let balanced = OpeningSource::BuiltIn {
            book: BuiltInBook::Balanced,
            order: BookOrder::Random,
            start: 0,
        };
        assert_eq!(config.openings, balanced);
        assert_eq!(config.adjudication, Adjudication::default());
        let names: Vec<_> = config.engines.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["a", "b"]);
        let text = with_engines("sprt = { elo0 = 0, elo1 = 5 }");
        let sprt = resolved(&text, Contest::Sprt)
            .expect("a test")
            .sprt
            .expect("a test");
        let expected = (0.05, 0.05, EloModel::Logistic);
        assert_eq!((sprt.alpha, sprt.beta, sprt.model), expected);
    }

    #[test]
    fn names_are_made_unique_unless_they_were_given() {
        let text = "rounds = 1\neach.nodes = 1\n\
                    engine = [{ cmd = 'x/a' }, { cmd = 'y/a' }, { cmd = 'z', name = 'a-2' }, { cmd = 'rev:v1' }]";
        let config = resolved(text, Contest::Tournament).expect("a tournament");
        let names: Vec<_> = config.engines.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["a", "a-3", "a-2", "v1"]);
    }

    #[test]
    fn a_time_per_move_alone_has_a_margin() {
        for (limits, expected) in [
            ("movetime = '100ms'", 50),
            ("movetime = '100ms', tc = 'inf'", 50),
            ("movetime = '100ms', margin = '0'", 0),
            ("movetime = '100ms', margin = '7ms'", 7),
            ("movetime = '100ms', tc = '1+0.1'", 0),
            ("tc = '1+0.1'", 0),
            ("nodes = 5", 0),
        ] {
            let text = format!(
                "rounds = 1\nengine = [{{ cmd = 'a', {limits} }}, {{ cmd = 'b', depth = 1 }}]"
            );
            let config = resolved(&text, Contest::Match).expect(limits);
            assert_eq!(config.engines[0].limits.margin_ms, expected, "{limits}");
        }
    }

    #[test]
    fn limits_of_xboard_engines() {
        let of = |limits: &str| {
            let text = format!(
                "rounds = 1\neach.proto = 'xboard'\nengine = [{{ cmd = 'a', {limits} }}, {{ cmd = 'b', depth = 1 }}]"
            );
            resolved(&text, Contest::Match).map(|config| config.engines[0].protocol)
        };
        let rows = rows![
            "tc = '40/90+0.6', depth = 9" => None;
            "movetime = '2s'" => None;
            "nodes = 5" => None;
            "tc = '5+1', nodes = 5, send-stop = true" => None;
            "tc = '40/60:20/30'" => Some("tc has 2 stages, expected one: XBoard's `level` has no more");
            "movetime = '500ms'" => Some("movetime is 500ms, expected whole seconds: XBoard's `st` has no fractions");
            "tc = '5+1', movetime = '1s'" =>
                Some("tc and movetime, expected one of them: XBoard's protocol cannot combine them");
            "tc = '5+1', nodes = 5" =>
                Some("nodes and a time limit, expected one of them, or send-stop=on: XBoard's protocol cannot combine them");
        ];
        for (limits, fault) in rows {
            let expected = fault.map_or(Ok(Protocol::Xboard), |fault| {
                Err(format!("engine 'a': {fault}"))
            });
            assert_eq!(of(limits), expected, "{limits}");
        }
        let unknown = "engine = [{ cmd = 'a', proto = 'x' }]";
        let error = parse(unknown, "f").expect_err("no protocol").to_string();
        assert!(
            error.contains("expected uci or xboard instead of 'x'"),
            "{error}"
        );
    }

    #[test]
    fn invalid_runs_are_explained() {
        let rows: Vec<&str> = include_str!("resolve/faults.txt").lines().skip(1).collect();
        for row in rows.chunks(2) {
            let (contest, text) = row[0].split_once(": ").expect("a contest");
            let contest = match contest {
                "match" => Contest::Match,
                "sprt" => Contest::Sprt,
                _ => Contest::Tournament,
            };
            let text = text.replace("; ", "\n");
            let with_two = text.strip_suffix('+').map(with_engines);
            let expected = row[1].trim_start();
            let found = resolved(&with_two.unwrap_or(text.clone()), contest).expect_err(expected);
            assert_eq!(found, expected);
        }
    }
}

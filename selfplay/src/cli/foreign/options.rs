//! The options of fastchess and cutechess-cli: one table of two dialects. Pure.
//!
//! Of fastchess as its `man.md` and `app/src/cli` describe it (74deac2), and of cutechess-cli as its manual
//! and `projects/cli/src` do (5e84232), both of July 2026.

use super::engines::{self, configurations};
use super::group::{GroupValue, OptionGroup, groups};
use super::plan::{ForeignBook, ForeignEngine, System, key_values};
use super::state::{ForeignState, Policy};
use super::{Program, saved};

/// An option of one program, or of both.
pub(super) struct OptionRow {
    pub(super) name: &'static str,
    of: Option<Program>,
    /// The options of ours that do the same, or what happens instead.
    pub(super) ours: &'static str,
    pub(super) read: OptionOutcome,
}

impl OptionRow {
    pub(super) fn is_of(&self, program: Program) -> bool {
        self.of.is_none_or(|of| of == program)
    }
}

/// What becomes of an option and its value.
pub(super) enum OptionOutcome {
    /// Without a value: a switch of ours.
    Switch(&'static str),
    /// Without a value: nothing, and a note if the text is not empty.
    Flag(&'static str),
    /// A number without effect here: a note.
    Ignored(&'static str),
    /// A text: the value of an option of ours.
    Text(&'static str),
    /// A whole number from the least: the value of an option of ours; without it if 0.
    Count(&'static str, u64),
    /// Milliseconds, likewise.
    Time(&'static str, u64),
    By(fn(&mut ForeignState, &OptionGroup<'_>) -> Result<(), String>),
}
use OptionOutcome::{By, Count, Flag, Ignored, Switch, Text, Time};

const fn both(name: &'static str, ours: &'static str, read: OptionOutcome) -> OptionRow {
    let of = None;
    OptionRow {
        name,
        of,
        ours,
        read,
    }
}

const fn fast(name: &'static str, ours: &'static str, read: OptionOutcome) -> OptionRow {
    let of = Some(Program::Fastchess);
    OptionRow {
        name,
        of,
        ours,
        read,
    }
}

const fn cute(name: &'static str, ours: &'static str, read: OptionOutcome) -> OptionRow {
    let of = Some(Program::Cutechess);
    OptionRow {
        name,
        of,
        ours,
        read,
    }
}

const SHOWN: &str = "progress is shown all the time";
const BOOK: &str =
    "--openings FILE, --order; format, start and plies below [openings] in the file of --config";
const NAMES: &str = "none: the names in engines.json";

/// Reads one option with its values.
pub(super) fn read(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let program = state.program;
    let mut own = OPTIONS.iter().filter(|row| row.is_of(program));
    let Some(row) = own.clone().find(|row| row.name == group.option) else {
        return Err(group.unknown(program.name(), own.by_ref().map(|row| row.name)));
    };
    let is_again = !state.given.insert(row.name);
    if is_again && !state.is_fastchess() && row.name != "-engine" {
        return Err(format!("{} is given twice, expected it once", row.name));
    }
    row.read(state, group)
}

/// All options.
#[rustfmt::skip]
pub(super) const OPTIONS: &[OptionRow] = &[
    both("-engine", "an argument for each engine", By(engines::engine)),
    both("-each", "--each", By(engines::each)),
    fast("-quick", "--each tc=10+0.1, --rounds 25000, --draw, --order random", By(quick)),
    fast("-concurrency", "--concurrency", By(concurrency)),
    cute("-concurrency", "--concurrency", Count("--concurrency", 1)),
    fast("-force-concurrency", "--force", Switch("--force")),
    fast("-rounds", "--rounds", By(|state, group| {
        state.rounds = Some(group.single()?.count(0)?);
        Ok(())
    })),
    cute("-rounds", "a part of --rounds", By(|state, group| {
        state.rounds = Some(group.single()?.count(1)?);
        Ok(())
    })),
    both("-games", "--games, and a part of --rounds", By(|state, group| {
        state.games = group.single()?.count(1)?;
        Ok(())
    })),
    both("-repeat", "the default: each opening is played twice", By(repeat)),
    fast("-sprt", "selfplay sprt --elo0, --elo1, --alpha, --beta, --model", By(sprt)),
    cute("-sprt", "selfplay sprt --elo0, --elo1, --alpha, --beta", By(sprt)),
    both("-tournament", "selfplay match --system", By(tournament)),
    both("-seeds", "`seeds` in the file of --config", By(|state, group| {
        let least = u64::from(state.is_fastchess());
        state.plan.seeds = Some(group.single()?.count(least)?);
        Ok(())
    })),
    both("-variant", "--variant chess960", By(variant)),
    both("-noswap", "`no-swap` in the file of --config", Switch("--no-swap")),
    both("-reverse", "`reverse` in the file of --config", Switch("--reverse")),
    both("-wait", "`wait` in the file of --config", Time("--wait", 0)),
    both("-draw", "--draw 'from= moves= score='", By(draw)),
    both("-resign", "--resign 'moves= score= two-sided='", By(resign)),
    fast("-maxmoves", "--max-moves", Count("--max-moves", 1)),
    cute("-maxmoves", "--max-moves", Count("--max-moves", 0)),
    both("-tb", "--tablebases", By(|state, group| {
        state.plan.set_tables(group.single()?.text);
        Ok(())
    })),
    both("-tbpieces", "`adjudication.tablebase-pieces` in the file of --config", By(|state, group| {
        let least = if state.is_fastchess() { 0 } else { 3 };
        let pieces = group.single()?.count(least)?;
        if pieces > 0 {
            state.plan.table_option("--tablebase-pieces", Some(pieces.to_string()));
        }
        Ok(())
    })),
    both("-tbignore50", "`adjudication.tablebase-ignore-fifty` in the file of --config", By(|state, group| {
        group.flag()?;
        state.plan.table_option("--tablebase-ignore-fifty", None);
        Ok(())
    })),
    fast("-tbadjudicate", "`adjudication.tablebase-adjudicate` in the file of --config", By(|state, group| {
        let what = match group.single()?.choice(&["BOTH", "WIN_LOSS", "DRAW"])? {
            "WIN_LOSS" => "win",
            "DRAW" => "draw",
            _ => "both",
        };
        state.plan.table_option("--tablebase-adjudicate", Some(what.to_owned()));
        Ok(())
    })),
    both("-openings", BOOK, By(openings)),
    cute("-bookmode", "none: it does not change the games", By(|state, group| {
        group.single()?.choice(&["ram", "disk"])?;
        state.plan.note("-bookmode has no counterpart: it does not change the games");
        Ok(())
    })),
    both("-srand", "--seed", By(|state, group| {
        let value = group.single()?;
        match state.program {
            Program::Fastchess => value.count(0)?,
            Program::Cutechess => value.number::<u32>("a whole number below 2^32")?.into(),
        };
        state.plan.option("--seed", value.text);
        Ok(())
    })),
    fast("-randomseed", "--seed, with a number of your own",
        Flag("-randomseed (of older versions): the seed is 1, or that of --seed")),
    fast("-pgnout", "--pgn", By(pgn)),
    cute("-pgnout", "--pgn", By(pgn_of_cutechess)),
    fast("-epdout", "`epd-output` and `epd-append` in the file of --config", By(epd)),
    cute("-epdout", "`epd-output` and `epd-append` in the file of --config", By(|state, group| {
        state.plan.option("--epd-output", group.single()?.text);
        state.plan.switch("--epd-append");
        Ok(())
    })),
    fast("-event", "--event", By(|state, group| {
        let text: String = group.values().map(|value| value.text).collect();
        state.plan.option("--event", text);
        Ok(())
    })),
    fast("-site", "`site` in the file of --config", By(|state, group| {
        let text: String = group.values().map(|value| value.text).collect();
        state.plan.option("--site", text);
        Ok(())
    })),
    cute("-event", "--event", Text("--event")),
    cute("-site", "`site` in the file of --config", Text("--site")),
    fast("-output", "selfplay report DIR --format fastchess", By(|state, group| {
        for value in state.values(group, ["format"], 1)?.into_iter().flatten() {
            value.choice(&["fastchess", "cutechess"])?;
            state.plan.note(format!(
                "-output format={} has no counterpart: the summary is printed at the end; `selfplay \
                 report DIR` prints it in other formats",
                value.text
            ));
        }
        Ok(())
    })),
    fast("-report", "pentanomial statistics, always", By(|state, group| {
        for value in state.values(group, ["penta"], 1)?.into_iter().flatten() {
            if !value.boolean()? {
                state.plan.note(
                    "-report penta=false: statistics and tests count pairs of games (pentanomial) \
                     all the same",
                );
            }
        }
        Ok(())
    })),
    both("-ratinginterval", SHOWN, Ignored(PROGRESS)),
    fast("-scoreinterval", SHOWN, Ignored(PROGRESS)),
    cute("-outcomeinterval", SHOWN, Ignored(PROGRESS)),
    fast("-autosaveinterval", "every game is saved when it ends",
        Ignored("-autosaveinterval has no counterpart: every game is saved when it ends")),
    fast("-config", "selfplay resume DIR", By(config)),
    both("-recover", "the default: a run continues after a crash", Flag("")),
    fast("-log", "`log` in the file of --config", By(log)),
    cute("-debug", "-v", By(|state, group| {
        match group.words {
            [] => {}
            _ if group.single()?.choice(&["all"]).is_ok() => state
                .plan
                .note("-debug all: `debug on` is not sent to the engines; all lines are printed"),
            _ => return Err(group.single()?.error("all, or no value")),
        }
        state.plan.switch("-v");
        Ok(())
    })),
    fast("-debug", "-v", By(|_, _| {
        Err("-debug: fastchess has no such option either; -v prints all lines".to_owned())
    })),
    fast("-use-affinity", "--pin", By(affinity)),
    fast("-check-mate-pvs", "`check-mate-pvs` in the file of --config", Switch("--check-mate-pvs")),
    fast("-show-latency", "--pgn latency=on", Flag(
        "-show-latency has no counterpart: with --pgn latency=on (-pgnout latency=true) the PGN has the \
         latency of each move")),
    fast("-crc32", "none: the ledger is checked when it is read", By(|state, group| {
        for value in state.values(group, ["pgn"], 1)?.into_iter().flatten() {
            if value.boolean()? {
                state.plan.note("-crc32 has no counterpart: the PGN can be rebuilt from the ledger");
            }
        }
        Ok(())
    })),
    fast("-testEnv", "none: output for frameworks is --format json",
        Flag("-testEnv has no counterpart: --format json prints results for programs")),
    fast("-strict", "--strict", Switch("--strict")),
    fast("-startup-ms", "`timeouts.startup` in the file of --config", Time("--startup-timeout", 1)),
    fast("-ucinewgame-ms", "`timeouts.new-game` in the file of --config", Time("--new-game-timeout", 1)),
    fast("-ping-ms", "`timeouts.ready` in the file of --config", Time("--ready-timeout", 1)),
    cute("-resultformat", "selfplay report DIR, selfplay rate", By(|state, group| {
        group.single()?;
        state.plan.note(
            "-resultformat has no counterpart: the summary has fixed columns; `selfplay report DIR` and \
             `selfplay rate` print others",
        );
        Ok(())
    })),
    cute("-engines", NAMES, By(list_engines)),
    cute("--engines", NAMES, By(list_engines)),
    fast("--compliance", "selfplay compliance", By(|_, _| {
        Err("--compliance: expected it as the first argument, then the engine".to_owned())
    })),
    both("-version", "--version", By(version)),
    both("--version", "--version", By(version)),
    both("-v", "--version", By(version)),
    fast("--v", "--version", By(version)),
    both("-help", "--help", By(help)),
    both("--help", "--help", By(help)),
];

const PROGRESS: &str = "-ratinginterval, -scoreinterval and -outcomeinterval have no counterpart: a status line \
     shows Elo and LLR, on a terminal all the time, else every 30 s";

impl OptionRow {
    pub(super) fn read(
        &self,
        state: &mut ForeignState,
        group: &OptionGroup<'_>,
    ) -> Result<(), String> {
        let plan = &mut state.plan;
        match self.read {
            By(read) => return read(state, group),
            Switch(ours) => {
                group.flag()?;
                plan.switch(ours);
            }
            Flag(note) => {
                group.flag()?;
                if !note.is_empty() {
                    plan.note(note);
                }
            }
            Ignored(note) => {
                group.single()?.count(0)?;
                plan.note(note);
            }
            Text(ours) => plan.option(ours, group.single()?.text),
            Count(ours, least) | Time(ours, least) => {
                let value = group.single()?;
                let count = value.count(least)?;
                plan.without(ours);
                if count > 0 {
                    let is_time = matches!(self.read, Time(..));
                    let text = if is_time {
                        value.milliseconds()?
                    } else {
                        count.to_string()
                    };
                    plan.option(ours, text);
                }
            }
        }
        Ok(())
    }
}

fn variant(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let value = group.single()?;
    let found = value.choice(&["standard", "fischerandom"]);
    state.plan.is_chess960 = found.map_err(|error| match state.program {
        Program::Fastchess => error,
        Program::Cutechess => error + ": there are no other variants here, cutechess-cli has them",
    })? == "fischerandom";
    Ok(())
}

fn tournament(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let systems: &[&'static str] = match state.program {
        Program::Fastchess => &["roundrobin", "gauntlet"],
        Program::Cutechess => &["round-robin", "gauntlet", "knockout", "pyramid"],
    };
    let system = group.single()?.choice(systems)?;
    if system == "pyramid" {
        let text = "-tournament pyramid: the same games as a round robin, in another order";
        state.plan.note(text);
    }
    state.plan.system = match system {
        "gauntlet" => System::Gauntlet,
        "knockout" => System::Knockout,
        _ => System::RoundRobin,
    };
    Ok(())
}

fn quick(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let before = state.plan.engines.len();
    for (key, value) in group.filled()?.pairs()? {
        match key {
            "cmd" => {
                let mut engine = ForeignEngine::default();
                engine.set("cmd", value.text);
                engine.set("tc", "10+0.1");
                state.add(engine);
            }
            "book" => {
                state.plan.book = Some(ForeignBook {
                    file: value.text.to_owned(),
                    is_random: true,
                    ..ForeignBook::default()
                });
            }
            _ => return Err(value.unknown_key(&["cmd", "book"])),
        }
    }
    if state.plan.engines.len() != before + 2 || state.plan.book.is_none() {
        return Err("-quick: expected cmd=ENGINE1 cmd=ENGINE2 book=BOOK".to_owned());
    }
    (state.games, state.rounds) = (2, Some(25_000));
    state.given.insert("-recover");
    let concurrency = state.machine.cpus.saturating_sub(2).max(1);
    state.plan.option("--concurrency", concurrency.to_string());
    state.plan.option("--draw", "from=30 moves=8 score=8");
    Ok(())
}

fn concurrency(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let value = group.single()?;
    let given: i64 = value.number("a whole number; 0 and less count from the number of CPUs")?;
    let cpus = i64::try_from(state.machine.cpus).unwrap_or(i64::MAX);
    let games = if given > 0 {
        given
    } else {
        cpus.saturating_add(given)
    };
    if games < 1 {
        let expected = format!("fewer CPUs to leave out: the machine has {cpus}");
        return Err(value.error(&expected));
    }
    state.plan.option("--concurrency", games.to_string());
    Ok(())
}

fn repeat(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let count = match group.words {
        [] => 2,
        _ => group.single()?.count(1)?,
    };
    // Another name of -games in fastchess.
    match state.program {
        Program::Fastchess => state.games = count,
        Program::Cutechess => state.repetitions = count,
    }
    Ok(())
}

fn sprt(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let keys = ["elo0", "elo1", "alpha", "beta", "model"];
    let is_fastchess = state.is_fastchess();
    let known = if is_fastchess { 5 } else { 4 };
    let [elo0, elo1, alpha, beta, model] = state.values(group, keys, known)?;
    let models = ["normalized", "logistic", "bayesian"];
    let model = match model {
        Some(value) => value.choice(&models)?,
        None if is_fastchess => "normalized",
        // Its bounds are logistic Elo, converted to BayesElo by the draws.
        None => "logistic",
    };
    let mut words = Vec::new();
    for (name, key, value, default) in [
        ("--elo0", "elo0", elo0, Some("0")),
        ("--elo1", "elo1", elo1, Some("0")),
        ("--alpha", "alpha", alpha, None),
        ("--beta", "beta", beta, None),
    ] {
        let value = group.needed(key, value, default.filter(|_| is_fastchess))?;
        value.real()?;
        words.push((name, value.text.to_owned()));
    }
    words.push(("--model", model.to_owned()));
    state.plan.sprt = Some(words);
    Ok(())
}

fn draw(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let [number, count, score] = state.values(group, ["movenumber", "movecount", "score"], 3)?;
    let default = |text| state.is_fastchess().then_some(text);
    let from = group.needed("movenumber", number, default("0"))?.count(0)?;
    let moves = group.needed("movecount", count, default("1"))?.count(1)?;
    let score = group.needed("score", score, default("0"))?.count(0)?;
    if from == 0 && !state.is_fastchess() {
        let text = "-draw movenumber=0 turns the rule off, as there";
        state.plan.note(text);
        return Ok(());
    }
    let words = format!("from={from} moves={moves} score={score}");
    state.plan.option("--draw", words);
    Ok(())
}

fn resign(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let [count, score, two_sided] = state.values(group, ["movecount", "score", "twosided"], 3)?;
    let is_fastchess = state.is_fastchess();
    let default = |text| is_fastchess.then_some(text);
    let least = u64::from(is_fastchess);
    let moves = group
        .needed("movecount", count, default("1"))?
        .count(least)?;
    let score = group.needed("score", score, default("0"))?.count(0)?;
    let is_two_sided = match two_sided {
        Some(value) if is_fastchess => value.boolean()?,
        // Anything else is false.
        value => value.is_some_and(|value| value.text == "true"),
    };
    if moves == 0 {
        let text = "-resign movecount=0 turns the rule off, as there";
        state.plan.note(text);
        return Ok(());
    }
    let two_sided = if is_two_sided { " two-sided=on" } else { "" };
    let words = format!("moves={moves} score={score}{two_sided}");
    state.plan.option("--resign", words);
    Ok(())
}

fn openings(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let keys = ["file", "format", "order", "plies", "start", "policy"];
    let is_fastchess = state.is_fastchess();
    let [file, format, order, plies, start, policy] = state.values(group, keys, keys.len())?;
    let file = group.needed("file", file, None)?;
    let choice = |value: Option<GroupValue<'_>>, words: &[&'static str]| {
        value.map(|value| value.choice(words)).transpose()
    };
    let order = choice(order, &["sequential", "random"])?;
    let mut book = ForeignBook {
        file: file.text.to_owned(),
        format: choice(format, &["epd", "pgn"])?,
        is_random: order == Some("random"),
        start: start.map_or(Ok(1), |value| value.count(1))?,
        // All plies, in fastchess.
        plies: plies
            .filter(|value| !is_fastchess || value.text != "-1")
            .map(|value| value.count(1))
            .transpose()?,
    };
    let policies: &[&'static str] = match state.program {
        Program::Fastchess => &["round"],
        Program::Cutechess => &["default", "encounter", "round"],
    };
    state.policy = match choice(policy, policies)? {
        Some("encounter") => Policy::Encounter,
        Some("round") if !is_fastchess => Policy::Round,
        _ => Policy::Default,
    };
    if !is_fastchess && book.format.is_none() && book.format_by_name().is_none() {
        book.format = Some("pgn");
    }
    state.plan.book = Some(book);
    Ok(())
}

/// What the PGN can have besides the moves, by both names.
const PGN_KEYS: [&str; 9] = [
    "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv", "timeleft", "latency", "min",
];

fn pgn(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let plan = &mut state.plan;
    let words = group.words;
    // Older versions took the name alone.
    let older = words.first().filter(|word| !word.contains('='));
    let rest = OptionGroup {
        words: &words[usize::from(older.is_some())..],
        ..*group
    };
    let mut file = older.map(|word| &**word);
    let mut append = true;
    let mut pairs = Vec::new();
    for (key, value) in rest.pairs()? {
        match key {
            "file" => file = Some(value.text),
            "append" => append = value.boolean()?,
            "notation" => pairs.push((key, value.choice(&["san", "lan", "uci"])?)),
            "match_line" => plan.note(
                "-pgnout match_line has no counterpart: lines of an engine are printed by -v, and \
                 those of games with faults are in DIR/failures",
            ),
            _ if PGN_KEYS.contains(&key) => {
                pairs.push((key, if value.boolean()? { "on" } else { "off" }));
            }
            _ => {
                let mut known = vec!["notation", "file", "append", "match_line"];
                known.extend(PGN_KEYS);
                return Err(value.unknown_key(&known));
            }
        }
    }
    match file {
        Some(file) => {
            let existing = if append { "append" } else { "overwrite" };
            pairs.extend([("file", file), (existing, "on")]);
        }
        None => plan.note("-pgnout without file=: the games are in games.pgn of the run directory"),
    }
    if !pairs.is_empty() {
        plan.option("--pgn", key_values(pairs));
    }
    Ok(())
}

fn pgn_of_cutechess(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let Some((file, modes)) = group.words.split_first() else {
        return Err("-pgnout has no value, expected a file".to_owned());
    };
    let mut pairs = vec![("file", &**file), ("append", "on")];
    for value in group.values().skip(1) {
        // Only finished games are recorded, in any case.
        if value.choice(&["min", "fi"])? == "min" {
            pairs.push(("min", "on"));
        }
    }
    if modes.len() > 2 {
        return Err("-pgnout: expected a file, then min or fi".to_owned());
    }
    state.plan.option("--pgn", key_values(pairs));
    Ok(())
}

fn epd(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let [file, append] = state.values(group, ["file", "append"], 2)?;
    let plan = &mut state.plan;
    if file.is_none() {
        plan.note("-epdout without file=: the positions are written to fastchess.epd");
    }
    plan.option(
        "--epd-output",
        file.map_or("fastchess.epd", |value| value.text),
    );
    let is_added = append.map_or(Ok(true), |value| value.boolean())?;
    plan.switch(if is_added {
        "--epd-append"
    } else {
        "--epd-overwrite"
    });
    Ok(())
}

/// Fastchess logs the dialogue with engines only with `engine=true`, and adds to the file by default.
fn log(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    group.filled()?;
    let keys = ["file", "level", "append", "compress", "realtime", "engine"];
    let [file, level, append, compress, realtime, engine] =
        state.values(group, keys, keys.len())?;
    let on =
        |value: Option<GroupValue<'_>>, default| value.map_or(Ok(default), |value| value.boolean());
    let (append, compress) = (on(append, true)?, on(compress, false)?);
    let has_engines = on(engine, false)?;
    on(realtime, true)?;
    let plan = &mut state.plan;
    if let Some(level) = level {
        level.choice(&["trace", "info", "warn", "err", "fatal"])?;
        plan.note("-log level= has no counterpart: messages go to standard error, all of them");
    }
    if realtime.is_some() {
        plan.note("-log realtime= has no counterpart: each line is written at once");
    }
    if compress {
        plan.note("-log compress has no counterpart: the log is plain text");
    }
    match file {
        Some(file) if has_engines => {
            plan.option("--log", file.text);
            if !append {
                plan.note("-log append=false: `log` of the file of --config always appends");
            }
        }
        _ => plan.note(
            "-log without file= and engine=true has no counterpart: messages go to standard error; `log` in \
             the file of --config names a file for the dialogue with engines",
        ),
    }
    Ok(())
}

/// A file takes the place of all options before it, as in fastchess.
fn config(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let mut file = None;
    let mut are_counted = true;
    for (key, value) in group.filled()?.pairs()? {
        match key {
            "file" => file = Some(value),
            "discard" if value.boolean()? => file = None,
            "discard" => {}
            "outname" => state.plan.note(
                "-config outname= has no counterpart: a run is stored in its directory (--output), and \
                 `selfplay resume DIR` resumes it",
            ),
            "stats" => are_counted = value.boolean()?,
            _ => return Err(value.unknown_key(&["file", "discard", "outname", "stats"])),
        }
    }
    let Some(file) = file else {
        return Ok(());
    };
    let bad = |error| format!("{} '{}': {error}", group.option, file.text);
    let text = (state.machine.read)(file.text.as_ref()).map_err(bad)?;
    let mut saved = saved::read(&text).map_err(bad)?;
    let mut loaded = ForeignState::new(state.program, state.machine.clone());
    let is_continued = are_counted && saved.games > 0;
    if is_continued {
        loaded.games_before = saved.games;
        // The file has the games before; so does fastchess.
        let words = saved
            .words
            .iter_mut()
            .filter(|word| **word == "append=false");
        words.for_each(|word| "append=true".clone_into(word));
    }
    for group in groups(&saved.words) {
        read(&mut loaded, &group).map_err(bad)?;
    }
    loaded.each = std::mem::take(&mut state.each);
    loaded.plan.notes.append(&mut state.plan.notes);
    *state = loaded;
    Ok(())
}

fn affinity(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    if group.words.is_empty() {
        state.plan.option("--pin", "on");
        return Ok(());
    }
    let value = group.single()?;
    if uci::cpus::parse_list(value.text).is_none() {
        return Err(value.error("a list of CPUs such as 3,5,7-11"));
    }
    state.plan.option("--pin", value.text);
    Ok(())
}

fn list_engines(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    group.flag()?;
    let known = configurations(&state.machine)?;
    let names: Vec<&str> = known.iter().map(|one| &*one.name).collect();
    Err(format!(
        "{} has no counterpart; the engines in engines.json are: {}",
        group.option,
        names.join(", ")
    ))
}

fn version(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    group.flag()?;
    state.ends = Some(vec!["--version".to_owned()]);
    Ok(())
}

fn help(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    group.flag()?;
    state.ends = Some(
        [state.program.command(), "--help"]
            .map(str::to_owned)
            .to_vec(),
    );
    Ok(())
}

//! Translates the arguments of cutechess-cli, as its manual and `projects/cli/src` describe them in
//! July 2026. Pure.

use std::collections::BTreeSet;

use super::configured::configurations;
use super::group::{Group, Row, Value, groups, row, switch};
use super::plan::{Book, Engine, Games, Machine, Plan, System, Translation, key_values, quoted};

/// When a new opening is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Policy {
    /// For each pair of engines, and after the repetitions.
    #[default]
    Default,
    /// For each pair of engines.
    Encounter,
    /// For each round.
    Round,
}

/// The extra keys of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Extra {
    book: Option<String>,
    /// In full moves.
    book_depth: Option<u64>,
    is_white_pov: bool,
}

/// What was read.
pub(super) struct State {
    plan: Plan,
    machine: Machine,
    extras: Vec<Extra>,
    each: Vec<String>,
    games: u64,
    rounds: u64,
    /// How often each opening is played.
    repetitions: u64,
    policy: Policy,
    is_adjudicated: bool,
    is_pyramid: bool,
    given: BTreeSet<&'static str>,
    /// Words of ours for options that end the line: help and version.
    ends: Option<Vec<String>>,
}

/// All options.
pub(super) const OPTIONS: &[Row<State>] = &[
    row("-engine", "an argument for each engine", engine),
    row("-each", "--each", |state, group| {
        if group.words.is_empty() {
            return Err("-each has no value, expected KEY=VALUE".to_owned());
        }
        state.each = group.words.to_vec();
        Ok(())
    }),
    row("-variant", "--variant chess960", variant),
    row("-concurrency", "--concurrency", |state, group| {
        let games = group.single()?.count(1)?;
        state.plan.option("--concurrency", games.to_string());
        Ok(())
    }),
    row("-draw", "--draw 'from= moves= score='", draw),
    row("-resign", "--resign 'moves= score= two-sided='", resign),
    row("-maxmoves", "--max-moves", |state, group| {
        let moves = group.single()?.count(0)?;
        if moves > 0 {
            state.plan.option("--max-moves", moves.to_string());
        }
        Ok(())
    }),
    row("-tb", "--tablebases", |state, group| {
        state.plan.set_tables(group.single()?.text);
        Ok(())
    }),
    row("-tbpieces", "--tablebase-pieces", |state, group| {
        let pieces = Some(group.single()?.count(3)?.to_string());
        state.plan.table_option("--tablebase-pieces", pieces);
        Ok(())
    }),
    row("-tbignore50", "--tablebase-ignore-fifty", |state, group| {
        group.flag()?;
        state.plan.table_option("--tablebase-ignore-fifty", None);
        Ok(())
    }),
    row("-tournament", "selfplay tournament --system", tournament),
    row("-event", "--event", |state, group| {
        let text = group.single()?.text;
        state.plan.option("--event", text);
        Ok(())
    }),
    row(
        "-games",
        "--games, and a part of --rounds",
        |state, group| {
            state.games = group.single()?.count(1)?;
            Ok(())
        },
    ),
    row("-rounds", "a part of --rounds", |state, group| {
        state.rounds = group.single()?.count(1)?;
        Ok(())
    }),
    row(
        "-sprt",
        "selfplay sprt --elo0, --elo1, --alpha, --beta",
        sprt,
    ),
    row(
        "-ratinginterval",
        "progress is shown all the time",
        interval,
    ),
    row(
        "-outcomeinterval",
        "progress is shown all the time",
        interval,
    ),
    row("-debug", "-v", |state, group| {
        match group.words {
            [] => {}
            _ if group.single()?.choice(&["all"]).is_ok() => state
                .plan
                .note("-debug all: `debug on` is not sent to the engines; all lines are printed"),
            _ => return Err(group.single()?.error("all, or no value")),
        }
        state.plan.switch("-v");
        Ok(())
    }),
    row(
        "-openings",
        "--openings, --book-format, --order, --plies, --start",
        openings,
    ),
    row(
        "-bookmode",
        "none: it does not change the games",
        |state, group| {
            group.single()?.choice(&["ram", "disk"])?;
            state
                .plan
                .note("-bookmode has no counterpart: it does not change the games");
            Ok(())
        },
    ),
    row("-pgnout", "--pgn", pgn),
    row("-epdout", "--epd-output, --epd-append", |state, group| {
        let file = group.single()?.text;
        state.plan.option("--epd-output", file);
        state.plan.switch("--epd-append");
        Ok(())
    }),
    row(
        "-recover",
        "the default: a run continues after a crash",
        |_, group| group.flag(),
    ),
    row(
        "-repeat",
        "the default: each opening is played twice",
        |state, group| {
            state.repetitions = match group.words {
                [] => 2,
                _ => group.single()?.count(1)?,
            };
            Ok(())
        },
    ),
    row("-noswap", "--no-swap", switch!("--no-swap")),
    row("-reverse", "--reverse", switch!("--reverse")),
    row("-seeds", "--seeds", |state, group| {
        state.plan.seeds = Some(group.single()?.count(0)?);
        Ok(())
    }),
    row("-site", "--site", |state, group| {
        let text = group.single()?.text;
        state.plan.option("--site", text);
        Ok(())
    }),
    row("-srand", "--seed", |state, group| {
        let seed: u32 = group.single()?.number("a whole number below 2^32")?;
        state.plan.option("--seed", seed.to_string());
        Ok(())
    }),
    row("-wait", "--wait", |state, group| {
        let value = group.single()?;
        if value.count(0)? > 0 {
            state.plan.option("--wait", value.milliseconds()?);
        }
        Ok(())
    }),
    row(
        "-resultformat",
        "selfplay report DIR, selfplay rate",
        |state, group| {
            group.single()?;
            state.plan.note(
                "-resultformat has no counterpart: the summary has fixed columns; `selfplay report \
             DIR` and `selfplay rate` print others",
            );
            Ok(())
        },
    ),
    row(
        "-engines",
        "none: the names in engines.json",
        |state, group| {
            group.flag()?;
            let known = configurations(&state.machine)?;
            let names: Vec<&str> = known.iter().map(|one| &*one.name).collect();
            Err(format!(
                "-engines has no counterpart; the engines in engines.json are: {}",
                names.join(", ")
            ))
        },
    ),
    row(
        "--engines",
        "none: the names in engines.json",
        |state, group| {
            group.flag()?;
            let known = configurations(&state.machine)?;
            let names: Vec<&str> = known.iter().map(|one| &*one.name).collect();
            Err(format!(
                "--engines has no counterpart; the engines in engines.json are: {}",
                names.join(", ")
            ))
        },
    ),
    row("-version", "--version", version),
    row("--version", "--version", version),
    row("-v", "--version", version),
    row("-help", "--help", help),
    row("--help", "--help", help),
];

/// Keys of `-engine` and `-each`, with those of ours.
pub(super) const ENGINE_KEYS: [(&str, &str); 22] = [
    ("conf", "the keys of an engine of engines.json"),
    ("name", "name"),
    ("cmd", "cmd"),
    ("dir", "dir, and a path in cmd"),
    ("arg", "args"),
    ("initstr", "startup"),
    (
        "stderr",
        "none: standard error of an engine is in the transcript of a game with a fault",
    ),
    ("restart", "restart"),
    ("trust", "none: an error"),
    ("proto", "proto"),
    ("tc", "tc"),
    ("st", "movetime"),
    ("timemargin", "margin"),
    ("book", "--openings FILE.bin, if all engines have the same"),
    ("bookdepth", "--plies, twice as many"),
    ("whitepov", "none: an error with -draw or -resign"),
    ("depth", "depth"),
    ("nodes", "nodes"),
    ("ponder", "ponder"),
    (
        "tscale",
        "--startup-timeout, --new-game-timeout, --ready-timeout",
    ),
    ("debug", "none: `debug on` is not sent"),
    ("option.NAME", "option.NAME"),
];

/// Translates a line without the name of the program.
pub(super) fn translate(words: &[String], machine: Machine) -> Result<Translation, String> {
    let mut state = State::new(machine);
    for group in groups(words) {
        state.read(&group)?;
        if let Some(words) = state.ends {
            let notes = Vec::new();
            return Ok(Translation { words, notes });
        }
    }
    state.finish()
}

/// The words of ours for one option, as far as they do not depend on others.
pub(super) fn translate_option(words: &[String], machine: Machine) -> Option<Vec<String>> {
    let mut state = State::new(machine);
    for group in groups(words) {
        state.read(&group).ok()?;
    }
    let words = std::mem::take(&mut state.each);
    let group = Group {
        option: "-each",
        words: &words,
    };
    let mut each = Engine::default();
    read_engine(&mut state, &group, &mut each, &mut Extra::default()).ok()?;
    state.plan.each = each;
    if let Some(book) = &mut state.plan.book {
        book.settle().ok()?;
    }
    let words = state.plan.own_words(false);
    (!words.is_empty()).then_some(words)
}

impl State {
    fn new(machine: Machine) -> Self {
        Self {
            plan: Plan::default(),
            machine,
            extras: Vec::new(),
            each: Vec::new(),
            games: 1,
            rounds: 1,
            repetitions: 1,
            policy: Policy::Default,
            is_adjudicated: false,
            is_pyramid: false,
            given: BTreeSet::new(),
            ends: None,
        }
    }

    fn read(&mut self, group: &Group<'_>) -> Result<(), String> {
        let Some(row) = OPTIONS.iter().find(|row| row.name == group.option) else {
            let names = OPTIONS.iter().map(|row| row.name);
            return Err(group.unknown("cutechess-cli", names));
        };
        if !self.given.insert(row.name) && row.name != "-engine" {
            return Err(format!("{} is given twice, expected it once", row.name));
        }
        (row.read)(self, group)
    }

    fn finish(mut self) -> Result<Translation, String> {
        if self.plan.system == System::Knockout && self.given.contains("-rounds") {
            return Err("-rounds in a knockout: expected -games, or another system".to_owned());
        }
        self.finish_engines()?;
        self.take_books()?;
        if self.is_adjudicated && self.extras.iter().any(|extra| extra.is_white_pov) {
            return Err(
                "whitepov has no counterpart: -draw and -resign would see scores with the wrong \
                 sign; expected a line without it, or without them"
                    .to_owned(),
            );
        }
        if let Some(book) = &mut self.plan.book {
            book.settle()?;
            if book.is_random && !self.given.contains("-srand") {
                self.plan.note(
                    "without -srand, cutechess-cli shuffles the book anew each time; here the seed \
                     is 1, or that of --seed",
                );
            }
        }
        self.count_games()?;
        self.note_differences();
        self.plan.finish()
    }

    /// Sets the keys of `-each` in every engine, after those of the engine itself.
    fn finish_engines(&mut self) -> Result<(), String> {
        let words = std::mem::take(&mut self.each);
        let group = Group {
            option: "-each",
            words: &words,
        };
        let mut each = Engine::default();
        read_engine(self, &group, &mut each, &mut Extra::default())?;
        for index in 0..self.plan.engines.len() {
            let mut engine = std::mem::take(&mut self.plan.engines[index]);
            let mut extra = std::mem::take(&mut self.extras[index]);
            read_engine(self, &group, &mut engine, &mut extra)?;
            let clock = engine.get("tc").filter(|&clock| clock != "inf");
            if clock.is_some() && engine.get("movetime").is_some() {
                return Err("tc and st together: expected one of them".to_owned());
            }
            // A path begins in the directory.
            if let Some(path) = engine.program_in_directory() {
                let is_path = |cmd: &str| cmd.contains(std::path::is_separator);
                if engine.get("cmd").is_some_and(is_path) || (self.machine.is_file)(&path) {
                    engine.set("cmd", path.to_string_lossy());
                }
            }
            self.plan.engines[index] = engine;
            self.extras[index] = extra;
        }
        self.plan.share(&each);
        Ok(())
    }

    /// A Polyglot book of all engines is the book of the run.
    fn take_books(&mut self) -> Result<(), String> {
        let book = |extra: &Extra| (extra.book.clone(), extra.book_depth);
        let Some((file, depth)) = self.extras.first().map(book) else {
            return Ok(());
        };
        if self.extras.iter().all(|extra| extra.book.is_none()) {
            return Ok(());
        }
        let (Some(file), true) = (
            file,
            self.extras
                .windows(2)
                .all(|two| book(&two[0]) == book(&two[1])),
        ) else {
            return Err(
                "book has no counterpart for some engines only: expected the same book= and \
                 bookdepth= for all, as in -each"
                    .to_owned(),
            );
        };
        if self.plan.book.is_some() {
            return Err(
                "book and -openings together have no counterpart: expected one of them".to_owned(),
            );
        }
        self.plan.polyglot = Some((file, depth.map(|moves| moves.saturating_mul(2))));
        Ok(())
    }

    /// From games per encounter, rounds and repetitions to rounds of one or two games.
    fn count_games(&mut self) -> Result<(), String> {
        let is_match = self.plan.engines.len() == 2 && self.plan.system != System::Knockout;
        let has_openings = self.plan.book.is_some() || self.plan.polyglot.is_some();
        let total = self.games.saturating_mul(self.rounds);
        // In a match, repetitions run across encounters.
        let series = if is_match { total } else { self.games };
        let repetitions = match self.policy {
            Policy::Default => self.repetitions.min(series),
            Policy::Encounter => series,
            Policy::Round => self.games,
        };
        let is_random = self.plan.is_chess960;
        let repetitions = if has_openings || is_random {
            repetitions
        } else {
            // Every game begins with the start position, so that only the number counts.
            repetitions.min(2)
        };
        if repetitions > 2 {
            return Err(format!(
                "{} has no counterpart: an opening would be played {repetitions} times, here at \
                 most twice",
                if self.policy == Policy::Default {
                    "-repeat"
                } else {
                    "-openings policy"
                }
            ));
        }
        let pairs = |games: u64| games.div_ceil(2);
        let rounds = match repetitions {
            2 if is_match => pairs(total),
            2 => pairs(self.games).saturating_mul(self.rounds),
            _ => total,
        };
        if repetitions == 2 && series % 2 == 1 {
            self.plan.note(format!(
                "{series} games with each opening twice is an odd number: one more is played"
            ));
        }
        self.plan.games = Some(Games {
            rounds,
            are_single: repetitions != 2,
        });
        Ok(())
    }

    /// What is otherwise than in cutechess-cli.
    fn note_differences(&mut self) {
        let count = self.plan.engines.len();
        let plan = &mut self.plan;
        if self.is_pyramid {
            plan.note("-tournament pyramid: the same games as a round robin, in another order");
        }
        if plan.system == System::Knockout {
            plan.note(
                "-tournament knockout: the bracket follows the order of the engines (cutechess-cli \
                 draws lots behind the first -seeds), and all games of a meeting are played",
            );
            plan.seeds = None;
        } else if count > 2 && self.policy != Policy::Round {
            plan.note(
                "all pairings of a round play the same opening (as with policy=round); \
                 cutechess-cli takes a new one for each pairing",
            );
        }
        if plan.polyglot.is_some() {
            plan.note(
                "book=: cutechess-cli's engines draw their moves from the book by weight, to its end \
                 without bookdepth=; here both follow a line, each line as often, 8 plies without it",
            );
        }
        let is_of_games =
            plan.book.as_ref().is_some_and(Book::has_moves) || plan.polyglot.is_some();
        if is_of_games && plan.has_option("--max-moves") {
            plan.note(
                "-maxmoves: cutechess-cli counts the moves of the opening, here they do not count",
            );
        }
        if is_of_games && plan.has_option("--draw") {
            plan.note(
                "-draw movenumber: cutechess-cli counts from the end of the opening, here its moves \
                 count",
            );
        }
        if plan.sprt.is_some() {
            plan.note(
                "-sprt: the test counts pairs of games (pentanomial); cutechess-cli counts games",
            );
        }
        if !self.given.contains("-recover") {
            plan.note(
                "without -recover, cutechess-cli stops after a crash; here the engine loses the \
                 game, and the run continues",
            );
        }
    }
}

fn engine(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    if group.words.is_empty() {
        return Err("-engine has no value, expected KEY=VALUE".to_owned());
    }
    let mut engine = Engine::default();
    let mut extra = Extra::default();
    read_engine(state, group, &mut engine, &mut extra)?;
    state.plan.engines.push(engine);
    state.extras.push(extra);
    Ok(())
}

fn read_engine(
    state: &mut State,
    group: &Group<'_>,
    engine: &mut Engine,
    extra: &mut Extra,
) -> Result<(), String> {
    for value in group.values() {
        let (key, value) = value.split();
        match key {
            "conf" => {
                let known = configurations(&state.machine)?;
                let Some(one) = known.iter().find(|one| one.name == value.text) else {
                    let names: Vec<&str> = known.iter().map(|one| &*one.name).collect();
                    let expected = format!("an engine of engines.json: {}", names.join(", "));
                    return Err(value.error(&expected));
                };
                *engine = one.engine(&value)?;
                *extra = Extra {
                    is_white_pov: one.whitepov,
                    ..Extra::default()
                };
            }
            "name" | "cmd" | "dir" => engine.set(key, value.text),
            // One argument each.
            "arg" => {
                let word = quoted(value.text);
                let before = engine.get("args").map(str::to_owned);
                engine.set(
                    "args",
                    before.map_or(word.clone(), |args| format!("{args} {word}")),
                );
            }
            "initstr" => {
                for line in value.text.split("\\n") {
                    engine.add("startup", line);
                }
            }
            "stderr" => state.plan.note(
                "stderr has no counterpart: what an engine prints on standard error is in the \
                 transcripts of games with faults (DIR/failures)",
            ),
            "restart" => {
                let mode = match value.choice(&["auto", "on", "off"])? {
                    "on" => "on",
                    _ => "auto",
                };
                engine.set("restart", mode);
            }
            "trust" => {
                return Err(value.unsupported(
                    "results that an engine claims are never accepted; leave it out",
                ));
            }
            "proto" => match value.choice(&["uci", "xboard"])? {
                "xboard" => engine.set("proto", "xboard"),
                _ => engine.remove("proto"),
            },
            "tc" => engine.set("tc", value.clock()?),
            "st" => engine.set("movetime", value.seconds()?),
            "timemargin" => engine.set("margin", value.milliseconds()?),
            "book" => extra.book = Some(value.text.to_owned()),
            "bookdepth" => extra.book_depth = Some(value.count(1)?),
            "whitepov" => {
                extra.is_white_pov = true;
                state.plan.note(
                    "whitepov has no counterpart: scores in the PGN keep the sign that the engine \
                     reports",
                );
            }
            "depth" => engine.set("depth", value.count(1)?.to_string()),
            "nodes" => engine.set("nodes", value.count(1)?.to_string()),
            "ponder" => engine.set("ponder", "on"),
            "tscale" => {
                value.real()?;
                state.plan.note(
                    "tscale has no counterpart: --startup-timeout, --new-game-timeout and \
                     --ready-timeout set how long an engine may take",
                );
            }
            "debug" => state
                .plan
                .note("debug has no counterpart: `debug on` is not sent; -v prints all lines"),
            _ if key.len() > "option.".len() && key.starts_with("option.") => {
                engine.set(key, value.text);
            }
            _ => return Err(value.unknown_key(&ENGINE_KEYS.map(|(key, _)| key))),
        }
    }
    Ok(())
}

fn variant(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let value = group.single()?;
    match value.text {
        "standard" => Ok(()),
        "fischerandom" => {
            state.plan.is_chess960 = true;
            Ok(())
        }
        _ => Err(value.error(
            "standard or fischerandom: there are no other variants here, cutechess-cli has them",
        )),
    }
}

fn tournament(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let systems = ["round-robin", "gauntlet", "knockout", "pyramid"];
    let system = group.single()?.choice(&systems)?;
    state.is_pyramid = system == "pyramid";
    state.plan.system = match system {
        "gauntlet" => System::Gauntlet,
        "knockout" => System::Knockout,
        _ => System::RoundRobin,
    };
    Ok(())
}

/// The values of all these keys; a default is behind `=`.
fn values<'a, const N: usize>(
    group: &Group<'a>,
    keys: [&'static str; N],
) -> Result<[Option<Value<'a>>; N], String> {
    let mut found = [None; N];
    for (key, value) in group.pairs()? {
        let Some(index) = keys.iter().position(|known| *known == key) else {
            return Err(value.unknown_key(&keys));
        };
        if found[index].replace(value).is_some() {
            return Err(value.error("each key once"));
        }
    }
    Ok(found)
}

fn needed<'a>(group: &Group<'_>, key: &str, value: Option<Value<'a>>) -> Result<Value<'a>, String> {
    value.ok_or_else(|| format!("{}: {key} is missing, expected {key}=VALUE", group.option))
}

fn draw(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let [number, count, score] = values(group, ["movenumber", "movecount", "score"])?;
    let from = needed(group, "movenumber", number)?.count(0)?;
    let moves = needed(group, "movecount", count)?.count(1)?;
    let score = needed(group, "score", score)?.count(0)?;
    if from == 0 {
        state
            .plan
            .note("-draw movenumber=0 turns the rule off, as there");
        return Ok(());
    }
    state.is_adjudicated = true;
    let words = format!("from={from} moves={moves} score={score}");
    state.plan.option("--draw", words);
    Ok(())
}

fn resign(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let [count, score, two_sided] = values(group, ["movecount", "score", "twosided"])?;
    let moves = needed(group, "movecount", count)?.count(0)?;
    let score = needed(group, "score", score)?.count(0)?;
    let two_sided = two_sided.is_some_and(|value| value.text == "true");
    if moves == 0 {
        state
            .plan
            .note("-resign movecount=0 turns the rule off, as there");
        return Ok(());
    }
    state.is_adjudicated = true;
    let two_sided = if two_sided { " two-sided=on" } else { "" };
    let words = format!("moves={moves} score={score}{two_sided}");
    state.plan.option("--resign", words);
    Ok(())
}

fn sprt(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    const KEYS: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];
    const OPTIONS: [&str; 4] = ["--elo0", "--elo1", "--alpha", "--beta"];
    let mut words = Vec::new();
    let found = values(group, KEYS)?;
    for ((key, name), value) in KEYS.into_iter().zip(OPTIONS).zip(found) {
        let value = needed(group, key, value)?;
        value.real()?;
        words.push((name, value.text.to_owned()));
    }
    // Its bounds are logistic Elo, converted to BayesElo by the draws.
    words.push(("--model", "logistic".to_owned()));
    state.plan.sprt = Some(words);
    Ok(())
}

fn interval(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    group.single()?.count(0)?;
    state.plan.note(
        "-ratinginterval and -outcomeinterval have no counterpart: a status line shows Elo and \
         LLR, on a terminal all the time, else every 30 s",
    );
    Ok(())
}

fn openings(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let keys = ["file", "format", "order", "plies", "start", "policy"];
    let [file, format, order, plies, start, policy] = values(group, keys)?;
    let file = needed(group, "file", file)?;
    let format = format
        .map(|value| value.choice(&["epd", "pgn"]))
        .transpose()?;
    let order = order
        .map(|value| value.choice(&["sequential", "random"]))
        .transpose()?;
    let plies = plies.map(|value| value.count(1)).transpose()?;
    let start = start.map(|value| value.count(1)).transpose()?;
    let policies = ["default", "encounter", "round"];
    let policy = policy.map(|value| value.choice(&policies)).transpose()?;
    state.policy = match policy {
        Some("encounter") => Policy::Encounter,
        Some("round") => Policy::Round,
        _ => Policy::Default,
    };
    let mut book = Book {
        file: file.text.to_owned(),
        format,
        is_random: order == Some("random"),
        start: start.unwrap_or(1),
        plies,
    };
    if format.is_none() && book.settle().is_err() {
        book.format = Some("pgn");
    }
    state.plan.book = Some(book);
    Ok(())
}

fn pgn(state: &mut State, group: &Group<'_>) -> Result<(), String> {
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

fn version(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    group.flag()?;
    state.ends = Some(vec!["--version".to_owned()]);
    Ok(())
}

fn help(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    group.flag()?;
    state.ends = Some(["cutechess", "--help"].map(str::to_owned).to_vec());
    Ok(())
}

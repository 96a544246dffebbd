//! Translates the arguments of fastchess, as its `man.md` and `app/src/cli` describe them in July
//! 2026 (74deac2). Pure.

use super::group::{Group, Row, Value, flag_note, groups, row, some_pairs, switch};
use super::output;
use super::plan::{Book, Engine, Games, Machine, Plan, System, Translation, quoted};
/// What was read.
pub(super) struct State {
    plan: Plan,
    machine: Machine,
    /// The words of all `-each`.
    each: Vec<String>,
    /// Games of each round, as given: other numbers than 1 and 2 are exchanged with the rounds.
    games: u64,
    rounds: Option<u64>,
    has_recover: bool,
    has_seed: bool,
    /// Words of ours for options that end the line: help and version.
    ends: Option<Vec<String>>,
}

/// All options.
pub(super) const OPTIONS: &[Row<State>] = &[
    row("-engine", "an argument for each engine", engine),
    row("-each", "--each", each),
    row(
        "-quick",
        "--each tc=10+0.1, --rounds 25000, --draw, --order random",
        quick,
    ),
    row("-concurrency", "--concurrency", concurrency),
    row("-force-concurrency", "--force", switch!("--force")),
    row("-rounds", "--rounds", |state, group| {
        state.rounds = Some(group.single()?.count(0)?);
        Ok(())
    }),
    row("-games", "--games", |state, group| {
        state.games = group.single()?.count(1)?;
        Ok(())
    }),
    row(
        "-repeat",
        "the default: each opening is played twice",
        repeat,
    ),
    row(
        "-sprt",
        "selfplay sprt --elo0, --elo1, --alpha, --beta, --model",
        sprt,
    ),
    row(
        "-tournament",
        "selfplay tournament --system",
        |state, group| {
            state.plan.system = match group.single()?.choice(&["roundrobin", "gauntlet"])? {
                "gauntlet" => System::Gauntlet,
                _ => System::RoundRobin,
            };
            Ok(())
        },
    ),
    row("-seeds", "--seeds", |state, group| {
        state.plan.seeds = Some(group.single()?.count(1)?);
        Ok(())
    }),
    row("-variant", "--variant chess960", |state, group| {
        let variant = group.single()?.choice(&["standard", "fischerandom"])?;
        state.plan.is_chess960 = variant == "fischerandom";
        Ok(())
    }),
    row("-noswap", "--no-swap", switch!("--no-swap")),
    row("-reverse", "--reverse", switch!("--reverse")),
    row("-wait", "--wait", |state, group| {
        let value = group.single()?;
        state.plan.without("--wait");
        if value.count(0)? > 0 {
            state.plan.option("--wait", value.milliseconds()?);
        }
        Ok(())
    }),
    row("-draw", "--draw 'from= moves= score='", draw),
    row("-resign", "--resign 'moves= score= two-sided='", resign),
    row("-maxmoves", "--max-moves", |state, group| {
        let moves = group.single()?.count(1)?;
        state.plan.option("--max-moves", moves.to_string());
        Ok(())
    }),
    row("-tb", "--tablebases", |state, group| {
        state.plan.set_tables(group.single()?.text);
        Ok(())
    }),
    row("-tbpieces", "--tablebase-pieces", |state, group| {
        let pieces = group.single()?.count(0)?;
        if pieces > 0 {
            let pieces = Some(pieces.to_string());
            state.plan.table_option("--tablebase-pieces", pieces);
        }
        Ok(())
    }),
    row("-tbignore50", "--tablebase-ignore-fifty", |state, group| {
        group.flag()?;
        state.plan.table_option("--tablebase-ignore-fifty", None);
        Ok(())
    }),
    row("-tbadjudicate", "--tablebase-adjudicate", |state, group| {
        let what = match group.single()?.choice(&["BOTH", "WIN_LOSS", "DRAW"])? {
            "WIN_LOSS" => "win",
            "DRAW" => "draw",
            _ => "both",
        };
        let what = Some(what.to_owned());
        state.plan.table_option("--tablebase-adjudicate", what);
        Ok(())
    }),
    row(
        "-openings",
        "--openings, --book-format, --order, --plies, --start",
        openings,
    ),
    row("-srand", "--seed", |state, group| {
        let seed = group.single()?.count(0)?;
        state.has_seed = true;
        state.plan.option("--seed", seed.to_string());
        Ok(())
    }),
    row(
        "-randomseed",
        "--seed, with a number of your own",
        flag_note!("-randomseed (of older versions): the seed is 1, or that of --seed"),
    ),
    row("-pgnout", "--pgn", |state, group| {
        output::pgn(&mut state.plan, group)
    }),
    row("-epdout", "--epd-output, --epd-append", |state, group| {
        output::epd(&mut state.plan, group)
    }),
    row("-event", "--event", |state, group| {
        let text: String = group.values().map(|value| value.text).collect();
        state.plan.option("--event", text);
        Ok(())
    }),
    row("-site", "--site", |state, group| {
        let text: String = group.values().map(|value| value.text).collect();
        state.plan.option("--site", text);
        Ok(())
    }),
    row(
        "-output",
        "selfplay report DIR --format fastchess",
        |state, group| {
            for (key, value) in group.pairs()? {
                match key {
                    "format" => value.choice(&["fastchess", "cutechess"])?,
                    _ => return Err(value.unknown_key(&["format"])),
                };
                state.plan.note(format!(
                "-output format={} has no counterpart: the summary is printed at the end; `selfplay \
                 report DIR` prints it in other formats",
                value.text
            ));
            }
            Ok(())
        },
    ),
    row(
        "-report",
        "pentanomial statistics, always",
        |state, group| {
            for (key, value) in group.pairs()? {
                if key != "penta" {
                    return Err(value.unknown_key(&["penta"]));
                }
                if !value.boolean()? {
                    state.plan.note(
                    "-report penta=false: statistics and tests count pairs of games (pentanomial) \
                     all the same",
                );
                }
            }
            Ok(())
        },
    ),
    row(
        "-ratinginterval",
        "progress is shown all the time",
        |state, group| {
            group.single()?.count(0)?;
            state.plan.note(PROGRESS);
            Ok(())
        },
    ),
    row(
        "-scoreinterval",
        "progress is shown all the time",
        |state, group| {
            group.single()?.count(0)?;
            state.plan.note(PROGRESS);
            Ok(())
        },
    ),
    row(
        "-autosaveinterval",
        "every game is saved when it ends",
        |state, group| {
            group.single()?.count(0)?;
            state
                .plan
                .note("-autosaveinterval has no counterpart: every game is saved when it ends");
            Ok(())
        },
    ),
    row("-config", "selfplay resume DIR", config),
    row(
        "-recover",
        "the default: a run continues after a crash",
        |state, group| {
            group.flag()?;
            state.has_recover = true;
            Ok(())
        },
    ),
    row("-log", "--log, --log-append", |state, group| {
        output::log(&mut state.plan, group)
    }),
    row("-use-affinity", "--pin, --cpus", affinity),
    row(
        "-check-mate-pvs",
        "--check-mate-pvs",
        switch!("--check-mate-pvs"),
    ),
    row(
        "-show-latency",
        "--pgn latency=on",
        flag_note!(
            "-show-latency has no counterpart: with --pgn latency=on (-pgnout latency=true) the \
             PGN has the latency of each move"
        ),
    ),
    row(
        "-crc32",
        "none: the ledger is checked when it is read",
        |state, group| {
            for (key, value) in group.pairs()? {
                if key != "pgn" {
                    return Err(value.unknown_key(&["pgn"]));
                }
                if value.boolean()? {
                    state
                        .plan
                        .note("-crc32 has no counterpart: the PGN can be rebuilt from the ledger");
                }
            }
            Ok(())
        },
    ),
    row(
        "-testEnv",
        "none: output for frameworks is --format json",
        flag_note!("-testEnv has no counterpart: --format json prints results for programs"),
    ),
    row("-strict", "--max-faults 0", |state, group| {
        group.flag()?;
        state.plan.option("--max-faults", "0");
        state.plan.note(
            "-strict: the run ends (exit code 3) when a game is lost by a fault; other warnings \
             are recorded and do not end it",
        );
        Ok(())
    }),
    row("-startup-ms", "--startup-timeout", |state, group| {
        let value = group.single()?;
        value.count(1)?;
        state
            .plan
            .option("--startup-timeout", value.milliseconds()?);
        Ok(())
    }),
    row("-ucinewgame-ms", "--new-game-timeout", |state, group| {
        let value = group.single()?;
        value.count(1)?;
        state
            .plan
            .option("--new-game-timeout", value.milliseconds()?);
        Ok(())
    }),
    row("-ping-ms", "--ready-timeout", |state, group| {
        let value = group.single()?;
        value.count(1)?;
        state.plan.option("--ready-timeout", value.milliseconds()?);
        Ok(())
    }),
    row("--compliance", "selfplay compliance", compliance),
    row("-debug", "-v", |_, _| {
        Err("-debug: fastchess has no such option either; -v prints all lines".to_owned())
    }),
    row("-version", "--version", version),
    row("--version", "--version", version),
    row("-v", "--version", version),
    row("--v", "--version", version),
    row("-help", "--help", help),
    row("--help", "--help", help),
];

const PROGRESS: &str = "-ratinginterval and -scoreinterval have no counterpart: a status line shows Elo and LLR, on a \
     terminal all the time, else every 30 s";

/// Keys of `-engine` and `-each`, with those of ours.
pub(super) const ENGINE_KEYS: [(&str, &str); 13] = [
    ("cmd", "cmd"),
    ("name", "name"),
    ("args", "args"),
    ("tc", "tc"),
    ("timemargin", "margin"),
    ("st", "movetime"),
    ("nodes", "nodes"),
    ("restart", "restart"),
    ("plies", "depth"),
    ("depth", "depth"),
    ("proto", "none: UCI is the default"),
    ("dir", "dir, and a path in cmd"),
    ("option.NAME", "option.NAME"),
];

/// Translates a line without the name of the program.
pub(super) fn translate(words: &[String], machine: Machine) -> Result<Translation, String> {
    // Read by fastchess itself, with everything behind it.
    if let [first, rest @ ..] = words
        && first == "--compliance"
    {
        return compliance_of(rest);
    }
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
    let each = std::mem::take(&mut state.each);
    state.plan.each = state.read_each(&each, Engine::default()).ok()?;
    if let Some(book) = &mut state.plan.book {
        book.settle().ok()?;
    }
    let mut words = state.plan.own_words(false);
    if let Some(rounds) = state.rounds {
        words.extend(["--rounds".to_owned(), rounds.to_string()]);
    }
    if state.games == 1 {
        words.extend(["--games", "1"].map(str::to_owned));
    }
    (!words.is_empty()).then_some(words)
}

impl State {
    fn new(machine: Machine) -> Self {
        Self {
            plan: Plan::default(),
            machine,
            each: Vec::new(),
            games: 2,
            rounds: None,
            has_recover: false,
            has_seed: false,
            ends: None,
        }
    }

    fn read(&mut self, group: &Group<'_>) -> Result<(), String> {
        match OPTIONS.iter().find(|row| row.name == group.option) {
            Some(row) => (row.read)(self, group),
            None => Err(group.unknown("fastchess", OPTIONS.iter().map(|row| row.name))),
        }
    }

    fn finish(mut self) -> Result<Translation, String> {
        if self.rounds.is_none() && self.plan.sprt.is_some() {
            self.plan
                .note("without -rounds, fastchess plays 2 rounds, also with -sprt");
        }
        let [mut rounds, mut games] = [self.rounds.unwrap_or(2), self.games];
        // Exchanged by fastchess, too.
        if games > 2 {
            std::mem::swap(&mut games, &mut rounds);
            let text =
                format!("-games {rounds} is -rounds {rounds}, as there: a round has 1 or 2 games");
            self.plan.note(text);
        }
        if !(1..=2).contains(&games) {
            return Err(format!(
                "-games {rounds} -rounds {games}: expected 1 or 2 games in a round"
            ));
        }
        if rounds == 0 {
            if self.plan.sprt.is_none() {
                return Err("-rounds 0: expected 1 or more".to_owned());
            }
            rounds = 500_000;
        }
        self.plan.games = Some(Games {
            rounds,
            are_single: games == 1,
        });
        self.finish_engines()?;
        if self.plan.is_chess960 && self.plan.book.is_none() {
            return Err(
                "-variant fischerandom without -openings: expected a book; `selfplay match \
                 --variant chess960` plays the 960 start positions without one"
                    .to_owned(),
            );
        }
        if let Some(book) = &mut self.plan.book {
            book.settle()?;
            if book.is_random && !self.has_seed {
                self.plan.note(
                    "without -srand, fastchess shuffles the book anew each time; here the seed is \
                     1, or that of --seed",
                );
            }
        }
        if self.plan.engines.len() > 2 {
            self.plan.note(
                "all pairings of a round play the same opening; fastchess takes a new one for each \
                 pairing",
            );
        }
        let seeds = self.plan.seeds.unwrap_or(1);
        if self.plan.system == System::Gauntlet && seeds > 1 {
            self.plan.note(format!(
                "-seeds {seeds}: fastchess's seeds play each other too; here each plays the other \
                 engines only"
            ));
        }
        if !self.has_recover {
            self.plan.note(
                "without -recover, fastchess stops after a crash; here the engine loses the game, \
                 and the run continues",
            );
        }
        self.plan.finish()
    }

    /// An engine with the words of `-each`, which override its own.
    fn read_each(&mut self, words: &[String], mut engine: Engine) -> Result<Engine, String> {
        let group = Group {
            option: "-each",
            words,
        };
        for (key, value) in group.pairs()? {
            engine_key(&mut self.plan, &mut engine, key, value)?;
        }
        Ok(engine)
    }

    fn finish_engines(&mut self) -> Result<(), String> {
        let words = std::mem::take(&mut self.each);
        let each = self.read_each(&words, Engine::default())?;
        for index in 0..self.plan.engines.len() {
            let engine = std::mem::take(&mut self.plan.engines[index]);
            let mut engine = self.read_each(&words, engine)?;
            let clock = engine.get("tc").filter(|&clock| clock != "inf");
            if clock.is_some() && engine.get("movetime").is_some() {
                return Err("tc and st together: expected one of them".to_owned());
            }
            // The program is looked for in the directory.
            if let Some(path) = engine.program_in_directory() {
                engine.set("cmd", path.to_string_lossy());
            }
            self.plan.engines[index] = engine;
        }
        self.plan.share(&each);
        Ok(())
    }
}

fn engine(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let mut engine = Engine::default();
    for (key, value) in some_pairs(group)? {
        engine_key(&mut state.plan, &mut engine, key, value)?;
    }
    state.plan.engines.push(engine);
    Ok(())
}

fn each(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    some_pairs(group)?;
    state.each.extend_from_slice(group.words);
    Ok(())
}

fn engine_key(
    plan: &mut Plan,
    engine: &mut Engine,
    key: &str,
    value: Value<'_>,
) -> Result<(), String> {
    match key {
        "cmd" | "name" | "dir" | "args" => engine.set(key, value.text),
        "tc" => {
            engine.remove("movetime");
            if engine.get("margin").is_some() {
                plan.note("fastchess forgets a timemargin that stands before tc; here it holds");
            }
            engine.set("tc", value.clock()?);
        }
        "st" => engine.set("movetime", value.seconds()?),
        "timemargin" => engine.set("margin", value.milliseconds()?),
        "nodes" => engine.set("nodes", value.count(1)?.to_string()),
        "plies" | "depth" => engine.set("depth", value.count(1)?.to_string()),
        "restart" => {
            let mode = match value.choice(&["on", "off"])? {
                "on" => "on",
                _ => "auto",
            };
            engine.set("restart", mode);
        }
        "proto" => {
            value.choice(&["uci"])?;
        }
        _ if key.len() > "option.".len() && key.starts_with("option.") => {
            engine.set(key, value.text);
        }
        _ => return Err(value.unknown_key(&ENGINE_KEYS.map(|(key, _)| key))),
    }
    Ok(())
}

fn quick(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let mut count = 0;
    for (key, value) in some_pairs(group)? {
        match key {
            "cmd" => {
                let mut engine = Engine::default();
                engine.set("cmd", value.text);
                engine.set("tc", "10+0.1");
                state.plan.engines.push(engine);
                count += 1;
            }
            "book" => {
                state.plan.book = Some(Book {
                    file: value.text.to_owned(),
                    is_random: true,
                    ..Book::default()
                });
            }
            _ => return Err(value.unknown_key(&["cmd", "book"])),
        }
    }
    if count != 2 || state.plan.book.is_none() {
        return Err("-quick: expected cmd=ENGINE1 cmd=ENGINE2 book=BOOK".to_owned());
    }
    (state.games, state.rounds) = (2, Some(25_000));
    state.has_recover = true;
    let concurrency = state.machine.cpus.saturating_sub(2).max(1);
    let plan = &mut state.plan;
    plan.option("--concurrency", concurrency.to_string());
    plan.option("--draw", "from=30 moves=8 score=8");
    Ok(())
}

fn concurrency(state: &mut State, group: &Group<'_>) -> Result<(), String> {
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

fn repeat(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    state.games = match group.words {
        [] => 2,
        _ => group.single()?.count(1)?,
    };
    Ok(())
}

fn sprt(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let [mut elo0, mut elo1] = ["0", "0"];
    let [mut alpha, mut beta] = [None; 2];
    let mut model = "normalized";
    for (key, value) in some_pairs(group)? {
        let text = value.text;
        match key {
            "model" => model = value.choice(&["normalized", "logistic", "bayesian"])?,
            "elo0" | "elo1" | "alpha" | "beta" => {
                value.real()?;
                match key {
                    "elo0" => elo0 = text,
                    "elo1" => elo1 = text,
                    "alpha" => alpha = Some(text),
                    _ => beta = Some(text),
                }
            }
            _ => return Err(value.unknown_key(&["elo0", "elo1", "alpha", "beta", "model"])),
        }
    }
    let (Some(alpha), Some(beta)) = (alpha, beta) else {
        return Err("-sprt: alpha or beta is missing, expected both, such as 0.05".to_owned());
    };
    let words = [
        ("--elo0", elo0),
        ("--elo1", elo1),
        ("--alpha", alpha),
        ("--beta", beta),
        ("--model", model),
    ];
    let words = words.map(|(name, value)| (name, value.to_owned()));
    state.plan.sprt = Some(words.to_vec());
    Ok(())
}

fn draw(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let [mut from, mut moves, mut score] = [0, 1, 0];
    for (key, value) in some_pairs(group)? {
        match key {
            "movenumber" => from = value.count(0)?,
            "movecount" => moves = value.count(1)?,
            "score" => score = value.count(0)?,
            _ => return Err(value.unknown_key(&["movenumber", "movecount", "score"])),
        }
    }
    let words = format!("from={from} moves={moves} score={score}");
    state.plan.option("--draw", words);
    Ok(())
}

fn resign(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let [mut moves, mut score] = [1, 0];
    let mut two_sided = "";
    for (key, value) in some_pairs(group)? {
        match key {
            "movecount" => moves = value.count(1)?,
            "score" => score = value.count(0)?,
            "twosided" if value.boolean()? => two_sided = " two-sided=on",
            "twosided" => two_sided = "",
            _ => return Err(value.unknown_key(&["movecount", "score", "twosided"])),
        }
    }
    let words = format!("moves={moves} score={score}{two_sided}");
    state.plan.option("--resign", words);
    Ok(())
}

fn openings(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let mut book = Book::default();
    for (key, value) in some_pairs(group)? {
        match key {
            "file" => value.text.clone_into(&mut book.file),
            "format" => book.format = Some(value.choice(&["epd", "pgn"])?),
            "order" => book.is_random = value.choice(&["sequential", "random"])? == "random",
            "plies" if value.text == "-1" => book.plies = None,
            "plies" => book.plies = Some(value.count(1)?),
            "start" => book.start = value.count(1)?,
            "policy" => {
                value.choice(&["round"])?;
            }
            _ => {
                let known = ["file", "format", "order", "plies", "start", "policy"];
                return Err(value.unknown_key(&known));
            }
        }
    }
    if book.file.is_empty() {
        return Err("-openings: file is missing, expected file=BOOK".to_owned());
    }
    state.plan.book = Some(book);
    Ok(())
}

fn config(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    let mut file = None;
    let mut is_discarded = false;
    for (key, value) in some_pairs(group)? {
        match key {
            "file" => file = Some(value),
            "discard" => is_discarded = value.boolean()?,
            "outname" => {}
            "stats" => {
                value.boolean()?;
            }
            _ => return Err(value.unknown_key(&["file", "discard", "outname", "stats"])),
        }
    }
    if let Some(file) = file.filter(|_| !is_discarded) {
        return Err(file.unsupported(
            "a run of fastchess cannot be resumed; `selfplay resume DIR` resumes one of selfplay",
        ));
    }
    state.plan.note(
        "-config has no counterpart: a run is stored in its directory (--output), and `selfplay \
         resume DIR` resumes it",
    );
    Ok(())
}

fn affinity(state: &mut State, group: &Group<'_>) -> Result<(), String> {
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

fn compliance(_: &mut State, _: &Group<'_>) -> Result<(), String> {
    Err("--compliance: expected it as the first argument, then the engine".to_owned())
}

fn compliance_of(words: &[String]) -> Result<Translation, String> {
    if words.is_empty() {
        return Err("--compliance has no value, expected an engine".to_owned());
    }
    let engine: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let engine = engine.join(" ");
    Ok(Translation {
        words: vec!["compliance".to_owned(), engine],
        notes: Vec::new(),
    })
}

fn version(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    group.flag()?;
    state.ends = Some(vec!["--version".to_owned()]);
    Ok(())
}

fn help(state: &mut State, group: &Group<'_>) -> Result<(), String> {
    group.flag()?;
    state.ends = Some(["fastchess", "--help"].map(str::to_owned).to_vec());
    Ok(())
}

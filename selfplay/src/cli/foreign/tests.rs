//! Tables of lines and their translations, and of lists of options from the manuals.

use std::collections::BTreeSet;

use clap::{Args as _, Subcommand as _};

use super::line::{translate, translate_option};
use super::options::OPTIONS;
use super::plan::{ForeignMachine, SETTINGS, Translation, split_settings};
use super::{Program, engines};

/// What cutechess-cli keeps of engines.
const CONFIGURED: &str = r#"[
    {"name": "Fruit", "command": "./fruit", "protocol": "uci", "workingDirectory": "fruit 2",
     "initStrings": ["one", "two"], "ponder": true, "restart": "on", "options": [
        {"name": "Hash", "type": "spin", "value": 64, "default": 16},
        {"name": "Own Book", "type": "check", "value": false, "default": true},
        {"name": "Style", "type": "combo", "value": "Normal", "default": "Normal"}]},
    {"name": "Crafty", "command": "crafty", "protocol": "xboard"},
    {"name": "Stockfish", "command": "stockfish", "protocol": "uci", "stderrFile": "x"},
    {"name": "Sloppy", "command": "sloppy", "protocol": "xboard", "whitepov": true},
    {"name": "Trusted", "command": "x", "protocol": "uci", "validateClaims": false}
]"#;

/// A run of fastchess after three games.
const SAVED: &str = r#"{
    "resign": {"enabled": true, "move_count": 6, "score": 500, "twosided": false},
    "draw": {"enabled": false, "move_count": 1, "move_number": 0, "score": 0},
    "maxmoves": {"enabled": true, "move_count": 90},
    "tb_adjudication": {"enabled": false, "ignore_50_move_rule": false, "max_pieces": 0, "syzygy_dirs": ""},
    "opening": {"file": "b.epd", "format": 0, "order": 1, "plies": -1, "start": 5},
    "pgn": {"file": "g.pgn", "notation": 2, "append_file": false, "event_name": "An Event", "site": "?",
        "track_nodes": true, "track_seldepth": false, "track_nps": false, "track_hashfull": false,
        "track_tbhits": false, "track_timeleft": false, "track_latency": false, "track_pv": false,
        "min": false, "crc": false},
    "epd": {"file": "", "append_file": true},
    "sprt": {"enabled": false, "elo0": 0.0, "elo1": 2.5, "alpha": 0.05, "beta": 0.1, "model": "logistic"},
    "type": 0, "gauntlet_seeds": 1, "variant": 0, "concurrency": 2, "force_concurrency": false, "wait": 0,
    "games": 2, "rounds": 10, "recover": true, "noswap": false, "reverse": false, "affinity": false,
    "check_mate_pvs": true, "seed": 42,
    "engines": [
        {"name": "A", "cmd": "./a", "dir": "", "args": "-x y", "restart": true, "options": [["Hash", "16"]],
         "limit": {"tc": {"time": 5000, "increment": 50, "fixed_time": 0, "moves": 40, "timemargin": 10},
            "nodes": 0, "plies": 0}},
        {"name": "B", "cmd": "./b", "dir": "", "args": "", "restart": false, "options": [],
         "limit": {"tc": {"time": 0, "increment": 0, "fixed_time": 250, "moves": 0, "timemargin": 0},
            "nodes": 7, "plies": 0}}],
    "stats": {"A vs B": {"wins": 1, "losses": 0, "draws": 2, "penta_WW": 1}}
}"#;

fn machine() -> ForeignMachine {
    ForeignMachine {
        cpus: 8,
        engines: Some(CONFIGURED.to_owned()),
        is_file: |_| false,
        read: |path| match path.to_str() {
            Some("run.json") => Ok(SAVED.to_owned()),
            Some("test.json") => Ok(SAVED.replace(r#"false, "elo0""#, r#"true, "elo0""#)),
            Some("empty.json") => Ok("{}".to_owned()),
            _ => Err("No such file".to_owned()),
        },
    }
}

const FASTCHESS: Program = Program::Fastchess;
const CUTECHESS: Program = Program::Cutechess;

fn words(line: &str) -> Vec<String> {
    uci::split_words(line).expect("closed quotation marks")
}

fn translated(program: Program, line: &str) -> Translation {
    let found = translate(program, &words(line), machine());
    let found = found.unwrap_or_else(|error| panic!("{line}: {error}"));
    for note in &found.notes {
        check_names(note, line);
    }
    found
}

fn definition() -> clap::Command {
    let definition = kit::cli::Common::augment_args(clap::Command::new("selfplay"));
    crate::cli::Command::augment_subcommands(definition)
}

fn add_options(command: &clap::Command, options: &mut BTreeSet<String>) {
    let names = command.get_arguments().filter_map(clap::Arg::get_long);
    options.extend(names.map(|name| format!("--{name}")));
    for command in command.get_subcommands() {
        add_options(command, options);
    }
}

/// The commands and options of ours that a text names exist, and so do the keys of our file. It may repeat
/// the words of a line.
#[track_caller]
fn check_names(text: &str, line: &str) {
    let definition = definition();
    let mut options = BTreeSet::new();
    add_options(&definition, &mut options);
    options.extend(line.split_whitespace().map(str::to_owned));
    // Options of the other programs may begin with two dashes as well.
    options.extend(OPTIONS.iter().map(|row| row.name.to_owned()));
    let is_separator = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let words = text.split(is_separator);
    for word in words.filter(|word| word.starts_with("--") && !word.ends_with('-')) {
        assert!(options.contains(word), "{word} is unknown: {text}");
    }
    for (place, name) in text.match_indices("selfplay ") {
        let (before, rest) = (&text[..place], &text[place + name.len()..]);
        if !(before.is_empty() || before.ends_with('`') || before.ends_with(", ")) {
            continue;
        }
        let command = rest.split(is_separator).next().unwrap_or_default();
        let is_known = command.is_empty() || definition.find_subcommand(command).is_some();
        assert!(is_known, "'selfplay {command}' is unknown: {text}");
    }
    if let Some((keys, _)) = text.split_once(" in the file of --config") {
        for key in keys.split('`').skip(1).step_by(2) {
            let is_known = SETTINGS.iter().any(|(_, known)| *known == key);
            assert!(is_known, "the key {key} is unknown: {text}");
        }
    }
}

#[test]
fn what_stands_for_an_option_exists() {
    for row in OPTIONS {
        check_names(row.ours, "");
    }
}

#[track_caller]
fn check(program: Program, rows: &[(&str, &str)]) {
    for (line, expected) in rows {
        let found = translated(program, line);
        assert_eq!(found.words, words(expected), "{line}");
        accept(found.words);
    }
}

/// The words are a command line of ours, and a file.
#[track_caller]
fn accept(words: Vec<String>) {
    let (words, settings) = split_settings(words);
    crate::config::parse(&settings, "settings").expect("a configuration");
    // These are answered in place of a run.
    if matches!(
        words.last().map(String::as_str),
        Some("--version" | "--help")
    ) {
        return;
    }
    let definition = definition();
    let line = std::iter::once("selfplay").chain(words.iter().map(|word| &**word));
    if let Err(error) = definition.try_get_matches_from(line) {
        panic!("{words:?}: {error}");
    }
}

#[test]
fn lines_of_fastchess_are_translated() {
    check(
        FASTCHESS,
        &rows![
            "-engine cmd=./new name=New -engine cmd=./base name=Base -openings file=book.epd format=epd \
             order=random -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4 -recover -srand 7" =>
                "match 'cmd=./new name=New' 'cmd=./base name=Base' --each 'tc=60+0.6 option.Hash=64' \
                 --rounds 200 --openings book.epd --order random --concurrency 4 --seed 7";
            "-engine cmd=./new nodes=2000000 -engine cmd=./base nodes=1000000 -each tc=300+5 -sprt elo0=-1.75 \
             elo1=0.25 alpha=0.05 beta=0.1 -rounds 100000 -openings file=b.pgn plies=16 start=5 -resign \
             movecount=3 score=600 -draw movenumber=34 movecount=8 score=20" =>
                "sprt 'cmd=./new nodes=2000000' 'cmd=./base nodes=1000000' --each 'tc=300+5' --elo0 \
                 -1.75 --elo1 0.25 --alpha 0.05 --beta 0.1 --model normalized --rounds 100000 --openings b.pgn \
                 --order sequential --start 4 --plies 16 --resign 'moves=3 score=600' --draw 'from=34 moves=8 \
                 score=20'";
            "-sprt elo1=5 alpha=0.05 beta=0.05 model=bayesian -engine cmd=a -engine cmd=b -each st=0.5 timemargin=30" =>
                "sprt 'cmd=a' 'cmd=b' --each 'movetime=500ms margin=30ms' --elo0 0 --elo1 5 --alpha \
                 0.05 --beta 0.05 --model bayesian --rounds 2 --openings none";
            "-sprt elo1=5 alpha=0.05 beta=0.05 model=logistic -rounds 0 -engine cmd=a -engine cmd=b -each st=1" =>
                "sprt 'cmd=a' 'cmd=b' --each 'movetime=1s' --elo0 0 --elo1 5 --alpha 0.05 --beta 0.05 \
                 --model logistic --rounds 500000 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=inf nodes=5000 -games 1" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=inf nodes=5000' --games 1 --rounds 2 --openings none";
            "-engine cmd=a -engine cmd=b -each depth=6 -games 500" =>
                "match 'cmd=a' 'cmd=b' --each 'depth=6' --rounds 500 --openings none";
            "-engine cmd=a -engine cmd=b -each plies=6 -repeat 1 -noswap -reverse -wait 500" =>
                "match 'cmd=a' 'cmd=b' --each 'depth=6' --games 1 --rounds 2 --openings none --no-swap \
                 --reverse --wait 500ms";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=5+0.05 -tournament roundrobin -openings file=book.epd" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=5+0.05' --rounds 2 \
                 --openings book.epd --order sequential";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=5+0.05 -tournament gauntlet -seeds 2 -games 1 -rounds 7" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=5+0.05' --system gauntlet \
                 --seeds 2 --games 1 --rounds 7 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=5 -tournament gauntlet -seeds 1" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=5' --rounds 2 --openings none";
            "-engine cmd=a name=x tc=5 option.Hash=8 nodes=9 -engine cmd=a name=x tc=6 option.hash=9 -each \
             tc=1:30+1 option.HASH=16" =>
                "match 'cmd=a name=x nodes=9' 'cmd=a name=x_2' --each 'tc=90+1 option.HASH=16' --rounds \
                 2 --openings none";
            "-each cmd=engine nodes=1 -engine name=a -engine name=b option.Hash=1" =>
                "match 'name=a' 'name=b option.Hash=1' --each 'cmd=engine nodes=1' --rounds 2 \
                 --openings none";
            "-engine cmd=a st=1 -engine cmd=b tc=40/1:30+0.5 -each timemargin=0" =>
                "match 'cmd=a movetime=1s' 'cmd=b tc=40/90+0.5' --each 'margin=0ms' --rounds 2 \
                 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -tbpieces 5 -tbignore50" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -variant fischerandom -openings file=frc.epd \
             order=sequential policy=round plies=8 start=1" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings frc.epd --order sequential \
                 --variant chess960";
            "-engine cmd=a -engine cmd=b -each tc=1 -variant standard -openings file=book.txt format=pgn plies=-1" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings book.txt --book-format pgn \
                 --order sequential";
            "-engine cmd=a -engine cmd=b -each tc=1 -openings file=book.pgn format=epd" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings book.pgn --book-format epd \
                 --order sequential";
            "-engine cmd=a -engine cmd=b -each tc=1 -openings file=b.epd order=random" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings b.epd --order random";
            "-engine cmd=a -engine cmd=b -each tc=1 -pgnout" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -log file=f.log level=warn" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -ratinginterval 0 -scoreinterval 1 -autosaveinterval 0 \
             -report penta=false -output format=cutechess -show-latency -testEnv -crc32 pgn=true -config \
             outname=c.json stats=true -randomseed" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings none";
            "-engine cmd=x -each option.Ponder=false -config file=run.json -concurrency 1" =>
                "match 'name=A cmd=./a \"args=-x y\" restart=on tc=40/5+0.05 margin=10ms option.Hash=16' \
                 'name=B cmd=./b nodes=7 movetime=250ms margin=0ms' --each 'option.Ponder=false' --rounds 9 \
                 --openings b.epd --order sequential --start 5 --resign 'moves=6 score=500' --max-moves 90 \
                 --pgn 'notation=uci nodes=on seldepth=off nps=off hashfull=off tbhits=off timeleft=off \
                 latency=off pv=off min=off file=g.pgn append=on' --event 'An Event' --site ? \
                 --concurrency 1 --check-mate-pvs --seed 42";
            "-config file=test.json stats=false -pgnout file=h.pgn -srand 1" =>
                "sprt 'name=A cmd=./a \"args=-x y\" restart=on tc=40/5+0.05 margin=10ms option.Hash=16' \
                 'name=B cmd=./b nodes=7 movetime=250ms margin=0ms' --elo0 0.0 --elo1 2.5 --alpha 0.05 \
                 --beta 0.1 --model logistic --rounds 10 --openings b.epd --order sequential --start 4 \
                 --resign 'moves=6 score=500' --max-moves 90 --pgn 'file=h.pgn append=on' --event 'An Event' \
                 --site ? --concurrency 2 --check-mate-pvs --seed 1";
            "-engine cmd=a -engine cmd=b -each tc=1 -config file=c.json discard=true" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings none";
            "-quick cmd=./new cmd=./base book=book.epd" =>
                "match 'cmd=./new tc=10+0.1' 'cmd=./base tc=10+0.1' --rounds 25000 --openings book.epd \
                 --order random --concurrency 6 --draw 'from=30 moves=8 score=8'";
            "-quick cmd=./new cmd=./base book=book.pgn -rounds 10 -concurrency 2" =>
                "match 'cmd=./new tc=10+0.1' 'cmd=./base tc=10+0.1' --rounds 10 --openings book.pgn \
                 --order random --concurrency 2 --draw 'from=30 moves=8 score=8'";
            "--compliance ./engine --uci \"a b\"" =>
                "compliance './engine --uci \"a b\"'";
            "-version" =>
                "--version";
            "-help" =>
                "fastchess --help";
        ],
    );
}

#[test]
fn lines_of_cutechess_are_translated() {
    check(
        CUTECHESS,
        &rows![
            "-engine cmd=sloppy -engine cmd=sloppy -each proto=xboard tc=40/60 -rounds 10" =>
                "match 'cmd=sloppy' 'cmd=sloppy' --each 'proto=xboard tc=40/60' --games 1 --rounds 10 \
                 --openings none";
            "-engine cmd=a -engine cmd=b -each proto=uci tc=8+0.08 -games 2 -rounds 1000 -repeat -openings \
             file=b.epd format=epd order=random -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1" =>
                "sprt 'cmd=a' 'cmd=b' --each 'tc=8+0.08' --elo0 0 --elo1 5 --alpha 0.05 --beta 0.1 \
                 --model logistic --rounds 1000 --openings b.epd --order random";
            "-engine cmd=a -engine cmd=b -each tc=1 -games 640 -repeat -openings file=b.epd format=epd start=19" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 320 --openings b.epd --order sequential \
                 --start 18";
            "-engine cmd=a -engine cmd=b -each tc=1 -rounds 971 -repeat -openings file=b.pgn plies=16" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 486 --openings b.pgn --order sequential \
                 --plies 16";
            "-engine cmd=a -engine cmd=b -each tc=1 -games 100 -repeat 1 -openings file=b.epd" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --games 1 --rounds 100 --openings b.epd --order \
                 sequential";
            "-engine cmd=a -engine cmd=b -each tc=1 -games 2 -rounds 5 -openings file=b.epd policy=round" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 5 --openings b.epd --order sequential";
            "-engine cmd=a -engine cmd=b -each tc=1 -rounds 6 -noswap -reverse" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --games 1 --rounds 6 --openings none --no-swap \
                 --reverse";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1 -games 2 -rounds 5 -openings file=b.pgn" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=1' --games 1 --rounds 10 \
                 --openings b.pgn --order sequential";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1 -games 2 -rounds 5 -repeat -openings \
             file=b.pgn policy=round" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=1' --rounds 5 --openings \
                 b.pgn --order sequential";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1 -games 4 -repeat -tournament gauntlet -seeds 2 \
             -openings file=b.pgn" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=1' --system gauntlet \
                 --seeds 2 --rounds 2 --openings b.pgn --order sequential";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1 -tournament pyramid -games 2 -repeat" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=1' --rounds 1 --openings none";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1 -tournament knockout -games 4 -repeat -seeds 2 \
             -openings file=b.pgn" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=1' --system knockout --seeds 2 \
                 --rounds 2 --openings b.pgn --order sequential";
            "-engine cmd=a -engine cmd=b -each tc=1 -tournament knockout" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --system knockout --seeds 0 --games 1 --rounds 1 \
                 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -games 8 -repeat 4 -openings file=b.epd" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 4 --openings b.epd --order sequential --repeat 2";
            "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1 -games 3 -rounds 2 -repeat 3 -openings \
             file=b.epd" =>
                "match 'cmd=a' 'cmd=b' 'cmd=c' --each 'tc=1' --games 1 --rounds 6 --openings b.epd --order \
                 sequential --repeat 3";
            "-engine cmd=a -engine cmd=b -each tc=1 -games 4 -openings file=b.epd policy=encounter" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings b.epd --order sequential --repeat 2";
            "-engine cmd=a -engine cmd=b -each tc=1 -tournament gauntlet -games 2 -repeat -rounds 3" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 3 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -draw movenumber=0 movecount=4 score=8 -resign movecount=0 \
             score=500 -maxmoves 0" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --games 1 --rounds 1 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -variant fischerandom -games 2 -rounds 4 -repeat" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 4 --openings none --variant chess960";
            "-engine cmd=a -engine cmd=b -each tc=1 -variant fischerandom -openings file=f.epd format=epd -games \
             2 -repeat" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 1 --openings f.epd --order sequential \
                 --variant chess960";
            "-engine cmd=a name=x -engine cmd=b name=x -each tc=1" =>
                "match 'cmd=a name=x' 'cmd=b name=x_2' --each 'tc=1' --games 1 --rounds 1 --openings none";
            "-version" =>
                "--version";
        ],
    );
}

// As fishtest and OpenBench write them, and scripts with configured engines.
#[test]
fn lines_of_frameworks_are_translated() {
    check(
        FASTCHESS,
        &rows![
            "-testEnv -recover -repeat -games 2 -rounds 64 -ratinginterval 1 -scoreinterval 1 \
             -autosaveinterval 0 -report penta=true -pgnout notation=san file=g.pgn -crc32 pgn=true -site \
             https://example.org/1 -event \"Batch 1\" -srand 3 -resign movecount=3 score=600 -draw \
             movenumber=34 movecount=8 score=20 -variant standard -concurrency 8 -openings file=b.epd \
             format=epd order=random start=33 -engine name=New tc=10.5+0.1 cmd=new option.Hash=16 -engine \
             name=Base tc=10.5+0.1 cmd=base option.Hash=16 -each proto=uci option.Threads=1" =>
                "match 'name=New tc=10.5+0.1 cmd=new option.Hash=16' 'name=Base tc=10.5+0.1 cmd=base \
                 option.Hash=16' --each 'option.Threads=1' --rounds 64 --openings b.epd --order random --start 32 \
                 --pgn 'notation=san file=g.pgn append=on' --site https://example.org/1 --event 'Batch 1' --seed 3 \
                 --resign 'moves=3 score=600' --draw 'from=34 moves=8 score=20' --concurrency 8";
            "-repeat -recover -variant fischerandom -testEnv -concurrency 4 -rounds 64 -engine cmd=new \
             proto=uci tc=8.71+0.09 timemargin=250 option.Threads=1 name=N -engine cmd=base proto=uci \
             tc=8.71+0.09 timemargin=250 option.Threads=1 name=B -openings file=frc.epd format=epd \
             order=random start=19777 -srand 944" =>
                "match 'cmd=new tc=8.71+0.09 margin=250ms option.Threads=1 name=N' 'cmd=base \
                 tc=8.71+0.09 margin=250ms option.Threads=1 name=B' --rounds 64 --openings frc.epd --order random \
                 --start 19776 --variant chess960 --concurrency 4 --seed 944";
        ],
    );
    check(
        CUTECHESS,
        &rows![
            "-repeat -recover -variant standard -concurrency 4 -games 64 -resign movecount=3 score=400 -engine \
             cmd=new proto=uci tc=8.71+0.09 timemargin=250 option.Threads=1 name=N -engine cmd=base proto=uci \
             tc=8.71+0.09 timemargin=250 option.Threads=1 name=B -openings file=b.epd format=epd order=random \
             start=77 -srand 944" =>
                "match 'cmd=new tc=8.71+0.09 margin=250ms option.Threads=1 name=N' 'cmd=base \
                 tc=8.71+0.09 margin=250ms option.Threads=1 name=B' --rounds 32 --openings b.epd --order random \
                 --start 76 --concurrency 4 --resign 'moves=3 score=400' --seed 944";
            "-engine conf=Crafty -engine conf=Stockfish -each tc=inf/8+0.08 -games 2 -rounds 50 -repeat \
             -resultformat wide2 -ratinginterval 10 -recover -tournament gauntlet -openings file=b.epd \
             format=epd -maxmoves 400" =>
                "match 'cmd=crafty name=Crafty proto=xboard' 'cmd=stockfish name=Stockfish' --each \
                 'tc=8+0.08' --rounds 50 --openings b.epd --order sequential --max-moves 400";
        ],
    );
}

/// Options behind those of two engines, and what they add.
#[test]
fn options_are_translated() {
    const ENGINES: &str = "-engine cmd=a -engine cmd=b -each tc=1";
    const OURS: &str = "match 'cmd=a' 'cmd=b' --each 'tc=1'";
    let fastchess = rows![
        "-resign movecount=5 score=600 twosided=true -draw movecount=3 -maxmoves 150" =>
            "--resign 'moves=5 score=600 two-sided=on' --draw 'from=0 moves=3 score=0' --max-moves 150";
        "-tb /a -tbadjudicate BOTH -tbpieces 0" => "--tablebases /a --tablebase-adjudicate both";
        "-tb /a -tbadjudicate DRAW" => "--tablebases /a --tablebase-adjudicate draw";
        "-pgnout file=g.pgn notation=uci append=false nodes=true seldepth=true nps=true hashfull=true \
         tbhits=true pv=true timeleft=true latency=true min=false match_line=x" =>
            "--pgn 'notation=uci nodes=on seldepth=on nps=on hashfull=on tbhits=on pv=on timeleft=on latency=on \
             min=off file=g.pgn overwrite=on'";
        "-pgnout notation=lan min=true" => "--pgn 'notation=lan min=on'";
        "-pgnout \"my games.pgn\" notation=san" => "--pgn 'notation=san \"file=my games.pgn\" append=on'";
        "-epdout file=e.epd append=false -event My match -site here" =>
            "--epd-output e.epd --epd-overwrite --event Mymatch --site here";
        "-epdout" => "--epd-output fastchess.epd --epd-append";
        "-log file=f.log level=trace engine=true realtime=false" => "--log f.log";
        "-log file=f.log engine=true append=false compress=true" => "--log f.log";
        "-log file=f.log level=trace" => "";
        "-concurrency -1" => "--concurrency 7";
        "-concurrency 0" => "--concurrency 8";
        "-concurrency 99 -force-concurrency" => "--concurrency 99 --force";
        "-use-affinity" => "--pin on";
        "-use-affinity 3,5,7-11" => "--pin 3,5,7-11";
        "-startup-ms 20000 -ucinewgame-ms 1500 -ping-ms 1 -check-mate-pvs -strict" =>
            "--startup-timeout 20s --new-game-timeout 1500ms --ready-timeout 1ms --check-mate-pvs --strict";
    ];
    let cutechess = rows![
        "-draw movenumber=40 movecount=4 score=8 -resign movecount=4 score=500 twosided=true -maxmoves 400 \
         -tb /a;/b -tbpieces 5 -tbignore50" =>
            "--tablebases /a --tablebases /b --tablebase-pieces 5 --tablebase-ignore-fifty --draw 'from=40 \
             moves=4 score=8' --resign 'moves=4 score=500 two-sided=on' --max-moves 400";
        "-concurrency 3 -event \"E 1\" -site S -srand 5 -wait 100 -pgnout g.pgn min fi -epdout e.epd" =>
            "--concurrency 3 --event 'E 1' --site S --seed 5 --wait 100ms --pgn 'file=g.pgn append=on min=on' \
             --epd-output e.epd --epd-append";
        "-recover -ratinginterval 10 -outcomeinterval 10 -resultformat wide2 -bookmode disk -debug" => "-v";
        "-debug all -variant standard -pgnout g.pgn" => "-v --pgn 'file=g.pgn append=on'";
    ];
    for (line, added) in fastchess {
        let expected = format!("{OURS} --rounds 2 --openings none {added}");
        check(FASTCHESS, &[(&format!("{ENGINES} {line}"), &expected)]);
    }
    for (line, added) in cutechess {
        let expected = format!("{OURS} --games 1 --rounds 1 --openings none {added}");
        check(CUTECHESS, &[(&format!("{ENGINES} {line}"), &expected)]);
    }
}

// Paths are joined as on the machine.
#[cfg(unix)]
#[test]
fn directories_are_translated() {
    check(
        FASTCHESS,
        &rows![
            "-engine dir=old cmd=engine \"name=Old One\" \"args=-a \\\"b c\\\"\" -engine dir=new/ cmd=./engine \
             restart=on \"option.Skill Level=3\" -each st=0.25 restart=off proto=uci" =>
                "match \"dir=old cmd=old/engine \\\"name=Old One\\\" 'args=-a \\\"b c\\\"'\" 'dir=new/ \
                 cmd=new/engine \"option.Skill Level=3\"' --each 'movetime=250ms restart=auto' --rounds 2 --openings \
                 none";
            "-engine cmd=/opt/a dir=/tmp -engine cmd=b -each dir=./x tc=3" =>
                "match 'cmd=/opt/a' 'cmd=./x/b' --each 'dir=./x tc=3' --rounds 2 --openings none";
            "-engine cmd=a -engine cmd=b -each tc=1 -resign score=900 twosided=false -tb /a:/b;/c -tbpieces 6 \
             -tbignore50 -tbadjudicate WIN_LOSS" =>
                "match 'cmd=a' 'cmd=b' --each 'tc=1' --rounds 2 --openings none --tablebases /a \
                 --tablebases /b --tablebases /c --tablebase-pieces 6 --tablebase-ignore-fifty \
                 --tablebase-adjudicate win --resign 'moves=1 score=900'";
        ],
    );
    check(
        CUTECHESS,
        &rows![
            "-engine name=Atak cmd=Atak32.exe dir=C:/eatak proto=xboard -engine cmd=glaurung proto=uci \
             option.Threads=1 -each tc=40/1:30+1" =>
                "match 'name=Atak cmd=Atak32.exe dir=C:/eatak proto=xboard' 'cmd=glaurung \
                 option.Threads=1' --each 'tc=40/90+1' --games 1 --rounds 1 --openings none";
            "-engine conf=Fruit -engine conf=Crafty -engine conf=Stockfish -engine conf=Sloppy -each tc=4 \
             book=book.bin -games 2 -rounds 10 -repeat" =>
                "match '\"cmd=fruit 2/fruit\" name=Fruit \"dir=fruit 2\" startup=one startup=two \
                 ponder=on restart=on option.Hash=64 \"option.Own Book=false\"' 'cmd=crafty name=Crafty \
                 proto=xboard' 'cmd=stockfish name=Stockfish' 'cmd=sloppy name=Sloppy \
                 proto=xboard' --each 'tc=4' --rounds 10 --openings book.bin";
            "-engine cmd=a arg=-t2 \"arg=--weights=my net\" \"initstr=uci\\nisready\" stderr=e.txt ponder \
             whitepov debug tscale=2 -engine cmd=b restart=off initstr=x -each tc=inf nodes=9 depth=3 restart=on \
             arg=-v" =>
                "match \"cmd=a 'args=-t2 \\\"--weights=my net\\\" -v' startup=uci startup=isready ponder=on\" \
                 'cmd=b startup=x args=-v' --each 'tc=inf nodes=9 depth=3 restart=on' --games 1 --rounds 1 \
                 --openings none";
            "-engine cmd=./a dir=x -engine cmd=b dir=y -each st=0.25 timemargin=1500 book=p.bin bookdepth=6" =>
                "match 'cmd=x/a dir=x' 'cmd=b dir=y' --each 'movetime=250ms margin=1500ms' --games 1 \
                 --rounds 1 --openings p.bin --plies 12";
        ],
    );
}

#[test]
fn a_book_of_the_engines_is_followed_otherwise() {
    let line = "-engine cmd=a -engine cmd=b -each tc=1 book=p.bin -recover -maxmoves 90";
    let notes = translated(CUTECHESS, line).notes;
    let begins = |start: &str| notes.iter().any(|note| note.starts_with(start));
    assert!(begins("book=: cutechess-cli's engines draw"), "{notes:?}");
    assert!(begins("-maxmoves: cutechess-cli counts"), "{notes:?}");
}

const TWO: &str = "-engine cmd=a -engine cmd=b -each tc=1 -recover";

#[test]
fn what_has_no_counterpart_is_noted() {
    let fastchess = rows![
        "-rounds 1" => &[][..];
        "-sprt elo1=5 alpha=0.1 beta=0.1" => &["without -rounds, fastchess plays 2 rounds"];
        "-games 9" => &["-games 9 is -rounds 9"];
        "-openings file=b.epd order=random -srand 1" => &[];
        "-openings file=b.epd order=random" => &["without -srand, fastchess shuffles"];
        "-engine cmd=c" => &["all pairings of a round play the same opening"];
        "-tbpieces 5 -tbignore50" => &["options of tablebases have no effect without -tb"];
        "-ratinginterval 0 -scoreinterval 5" => &["-ratinginterval, -scoreinterval and"];
        "-autosaveinterval 0" => &["-autosaveinterval has no counterpart: every game is saved"];
        "-report penta=true" => &[];
        "-report penta=false" => &["-report penta=false: "];
        "-output format=cutechess" => &["-output format=cutechess has no counterpart"];
        "-show-latency" => &["-show-latency has no counterpart"];
        "-testEnv" => &["-testEnv has no counterpart"];
        "-strict" => &[];
        "-openings file=b.epd plies=8" => &["-openings plies= has no effect"];
        "-openings file=b.pgn plies=8" => &[];
        "-config file=run.json" => &["fastchess forgets", "-config: the 3 games of the file do not count here; 9 rounds are left"];
        "-crc32 pgn=false" => &[];
        "-crc32 pgn=true" => &["-crc32 has no counterpart"];
        "-config outname=x.json stats=false" => &["-config outname= has no counterpart"];
        "-config file=c.json discard=true" => &[];
        "-randomseed" => &["-randomseed (of older versions)"];
        "-pgnout file=x match_line=y" => &["-pgnout match_line has no counterpart"];
        "-pgnout nodes=true" => &["-pgnout without file="];
        "-epdout" => &["-epdout without file="];
        "-log file=x" => &["-log without file= and engine=true has no counterpart"];
        "-log engine=true" => &["-log without file= and engine=true has no counterpart"];
        "-log file=x engine=true append=false" => &["-log append=false: "];
        "-log file=x engine=true compress=true level=info realtime=true" =>
            &["-log compress has no counterpart", "-log level= has no", "-log realtime= has no"];
        "-engine cmd=c -tournament gauntlet -seeds 2" => &["all pairings", "-seeds 2: fastchess's seeds play"];
        "-each timemargin=5 tc=2" => &["fastchess forgets a timemargin that stands before tc"];
        "-each option.Net=A=1 option.net=2" => &["option.net= is given twice for one engine"];
        "-engine cmd=c name=x -engine cmd=d name=x" => &["several engines are named 'x'", "all pairings"];
    ];
    let cutechess = rows![
        "-rounds 1" => &[][..];
        "-ratinginterval 1 -outcomeinterval 1" => &["-ratinginterval, -scoreinterval and"];
        "-resultformat wide2" => &["-resultformat has no counterpart"];
        "-bookmode ram" => &["-bookmode has no counterpart"];
        "-debug" => &[];
        "-debug all" => &["-debug all: "];
        "-rounds 3 -repeat -openings file=b.epd" => &["3 games with each opening twice"];
        "-openings file=b.epd order=random" => &["without -srand, cutechess-cli shuffles"];
        "-sprt elo0=0 elo1=5 alpha=0.1 beta=0.1" => &["-sprt: the test counts pairs"];
        "-openings file=b.pgn -maxmoves 90 -draw movenumber=9 movecount=1 score=1" =>
            &["-maxmoves: cutechess-cli counts", "-draw movenumber: cutechess-cli counts"];
        "-openings file=b.epd -maxmoves 90" => &[];
        "-engine cmd=c -tournament pyramid" => &["-tournament pyramid", "all pairings"];
        "-engine cmd=c -openings file=b.pgn policy=round" => &[];
        "-engine cmd=c -tournament knockout" => &["-tournament knockout"];
        "-draw movenumber=0 movecount=1 score=1" => &["-draw movenumber=0 turns the rule off"];
        "-resign movecount=0 score=1" => &["-resign movecount=0 turns the rule off"];
        "-engine cmd=c tscale=2 debug stderr=x whitepov" =>
            &["tscale has", "debug has", "stderr has", "whitepov has", "all pairings"];
    ];
    for (program, rows) in [(FASTCHESS, &fastchess[..]), (CUTECHESS, &cutechess)] {
        for (line, expected) in rows {
            let mut notes = translated(program, &format!("{TWO} {line}")).notes;
            let mut missing = expected.to_vec();
            missing.retain(|text| {
                let place = notes.iter().position(|note| note.starts_with(text));
                place.map(|place| notes.remove(place)).is_none()
            });
            assert!(
                missing.is_empty() && notes.is_empty(),
                "{line}: {missing:?} {notes:?}"
            );
        }
        let without = TWO.replace(" -recover", "");
        let notes = translated(program, &without).notes;
        assert!(notes[0].starts_with("without -recover, "), "{notes:?}");
    }
}

fn check_errors(program: Program, rows: &[(&str, &str)]) {
    for (line, expected) in rows {
        match translate(program, &words(line), machine()) {
            Ok(found) => panic!("{line}: {:?}", found.words),
            Err(error) => {
                assert_eq!(error, *expected, "{line}");
                check_names(&error, line);
            }
        }
    }
}

#[test]
fn lines_that_fastchess_rejects_are_explained() {
    let rows = rows![
        "-engine cmd=a" => "the line has 1 -engine, expected two or more";
        "-rounds 1" => "the line has 0 -engine, expected two or more";
        "-sprt elo1=5 alpha=0.1 beta=0.1 -engine cmd=a -engine cmd=b -engine cmd=c" =>
            "-sprt with 3 engines: expected two, in a match";
        "-rounds" => "-rounds has no value, expected one";
        "-rounds 1 2" => "-rounds '2': expected one value only";
        "-rounds x" => "-rounds 'x': expected a whole number from 0";
        "-rounds -1" => "-rounds '-1': expected a whole number from 0";
        "-recover yes" => "-recover 'yes': expected no value";
        "-engine" => "-engine has no value, expected KEY=VALUE";
        "-engine cmd" => "-engine 'cmd': expected KEY=VALUE";
        "-engine cmd=" => "-engine 'cmd=': expected KEY=VALUE";
        "-engine cmd=a hash=1" =>
            "-engine 'hash=1': expected one of the keys cmd, name, args, tc, timemargin, st, nodes, restart, \
             plies, depth, proto, dir, option.NAME";
        "-engine cmd=a option.=1" =>
            "-engine 'option.=1': expected one of the keys cmd, name, args, tc, timemargin, st, nodes, restart, \
             plies, depth, proto, dir, option.NAME";
        "-engine cmd=a proto=xboard" => "-engine 'proto=xboard': expected uci";
        "-engine cmd=a restart=auto" => "-engine 'restart=auto': expected on or off";
        "-engine cmd=a nodes=0" => "-engine 'nodes=0': expected a whole number from 1";
        "-engine cmd=a st=0" => "-engine 'st=0': expected seconds, such as 0.5, at least a millisecond";
        "-engine cmd=a timemargin=-1" => "-engine 'timemargin=-1': expected a whole number from 0";
        "-engine cmd=a tc=1 st=1 -engine cmd=b" => "tc and st together: expected one of them";
        "-engine cmd=a tc=1 -engine cmd=b -each st=1" => "tc and st together: expected one of them";
        "-games 5 -rounds 3" => "-games 5 -rounds 3: expected 1 or 2 games in a round";
        "-rounds 0 -engine cmd=a -engine cmd=b" => "-rounds 0: expected 1 or more";
        "-concurrency -8" => "-concurrency '-8': expected fewer CPUs to leave out: the machine has 8";
        "-concurrency auto" =>
            "-concurrency 'auto': expected a whole number; 0 and less count from the number of CPUs";
        "-sprt elo0=0 elo1=5" => "-sprt: alpha is missing, expected alpha=VALUE";
        "-sprt elo0=x" => "-sprt 'elo0=x': expected a number";
        "-sprt elo0=inf" => "-sprt 'elo0=inf': expected a number";
        "-sprt model=elo" => "-sprt 'model=elo': expected normalized or logistic or bayesian";
        "-sprt h0=1" => "-sprt 'h0=1': expected one of the keys elo0, elo1, alpha, beta, model";
        "-draw movecount=0" => "-draw 'movecount=0': expected a whole number from 1";
        "-draw moves=1" => "-draw 'moves=1': expected one of the keys movenumber, movecount, score";
        "-resign score=-1" => "-resign 'score=-1': expected a whole number from 0";
        "-resign twosided=on" => "-resign 'twosided=on': expected true or false";
        "-maxmoves 0" => "-maxmoves '0': expected a whole number from 1";
        "-tbadjudicate WIN" => "-tbadjudicate 'WIN': expected BOTH or WIN_LOSS or DRAW";
        "-tournament swiss" => "-tournament 'swiss': expected roundrobin or gauntlet";
        "-variant atomic" => "-variant 'atomic': expected standard or fischerandom";
        "-variant fischerandom -engine cmd=a -engine cmd=b" =>
            "-variant fischerandom without -openings: expected a book; `selfplay match --variant chess960` \
             plays the 960 start positions without one";
        "-openings format=epd" => "-openings: file is missing, expected file=VALUE";
        "-openings file=b start=0" => "-openings 'start=0': expected a whole number from 1";
        "-openings file=b order=shuffled" => "-openings 'order=shuffled': expected sequential or random";
        "-openings file=b policy=encounter" => "-openings 'policy=encounter': expected round";
        "-openings file=book -engine cmd=a -engine cmd=b" =>
            "-openings file=book: the format is not known, expected format=epd or format=pgn";
        "-quick cmd=a book=b" => "-quick: expected cmd=ENGINE1 cmd=ENGINE2 book=BOOK";
        "-quick cmd=a cmd=b" => "-quick: expected cmd=ENGINE1 cmd=ENGINE2 book=BOOK";
        "-pgnout file=x nodes=yes" => "-pgnout 'nodes=yes': expected true or false";
        "-pgnout notation=fen" => "-pgnout 'notation=fen': expected san or lan or uci";
        "-pgnout min=true speed=true" =>
            "-pgnout 'speed=true': expected one of the keys notation, file, append, match_line, nodes, \
             seldepth, nps, hashfull, tbhits, pv, timeleft, latency, min";
        "-log level=debug" => "-log 'level=debug': expected trace or info or warn or err or fatal";
        "-config file=c.json" => "-config 'c.json': No such file";
        "-config file=empty.json" =>
            "-config 'empty.json': /resign/enabled is missing, expected a file that fastchess has saved";
        "-config file=test.json" =>
            "-config: the test of the file has 3 games, which have to be played here: expected stats=false, \
             which begins it anew";
        "-config file=run.json -rounds 1" => "-config: all 1 rounds of the file are played";
        "-use-affinity 1-x" => "-use-affinity '1-x': expected a list of CPUs such as 3,5,7-11";
        "-startup-ms 0" => "-startup-ms '0': expected a whole number from 1";
        "-debug" =>
            "-debug: fastchess has no such option either; -v prints all lines";
        "--compliance" => "--compliance has no value, expected an engine";
        "-rounds 1 --compliance a" => "--compliance: expected it as the first argument, then the engine";
        "-round 5" => "fastchess has no option -round: did you mean -rounds?";
        "--engine cmd=a" => "fastchess has no option --engine: did you mean -engine?";
        "-outcomeinterval 5" => "fastchess has no option -outcomeinterval";
        "-x 1" => "fastchess has no option -x";
        "-o run" =>
            "fastchess has no option -o: that of selfplay stands before the line of fastchess";
        "match" => "'match' is no option of fastchess, expected -OPTION first";
    ];
    check_errors(FASTCHESS, &rows);
}

#[test]
fn lines_that_cutechess_rejects_are_explained() {
    let rows = rows![
        "-engine cmd=a" => "the line has 1 -engine, expected two or more";
        "-each tc=1 -each tc=2" => "-each is given twice, expected it once";
        "-each" => "-each has no value, expected KEY=VALUE";
        "-engine conf=None" =>
            "-engine 'conf=None': expected an engine of engines.json: Fruit, Crafty, Stockfish, Sloppy, Trusted";
        "-engine conf=Trusted" =>
            "-engine 'conf=Trusted' has no counterpart: it has validateClaims off, and results that an engine \
             claims are never accepted";
        "-engine cmd=a trust" =>
            "-engine 'trust' has no counterpart: results that an engine claims are never accepted; leave it out";
        "-engine cmd=a threads=1" =>
            "-engine 'threads=1': expected one of the keys conf, name, cmd, dir, arg, initstr, stderr, restart, \
             trust, proto, tc, st, timemargin, book, bookdepth, whitepov, depth, nodes, ponder, tscale, debug, \
             option.NAME";
        "-engine cmd=a proto=cecp" => "-engine 'proto=cecp': expected uci or xboard";
        "-engine cmd=a tc=hg60" =>
            "-engine 'tc=hg60' has no counterpart: there are no hourglass clocks";
        "-engine cmd=a tscale=x" => "-engine 'tscale=x': expected a number";
        "-engine cmd=a -engine cmd=b -each tc=1 st=1" => "tc and st together: expected one of them";
        "-engine cmd=a book=x.bin -engine cmd=b" =>
            "book has no counterpart for some engines only: expected the same book= and bookdepth= for all, as \
             in -each";
        "-engine cmd=a -engine cmd=b -each book=x.bin -openings file=b.pgn" =>
            "book and -openings together have no counterpart: expected one of them";
        "-engine cmd=a whitepov -engine cmd=b -resign movecount=3 score=500" =>
            "whitepov has no counterpart: -draw and -resign would see scores with the wrong sign; expected a \
             line without it, or without them";
        "-variant atomic" =>
            "-variant 'atomic': expected standard or fischerandom: there are no other variants here, \
             cutechess-cli has them";
        "-tournament swiss" =>
            "-tournament 'swiss': expected round-robin or gauntlet or knockout or pyramid";
        "-engine cmd=a -engine cmd=b -tournament knockout -rounds 2" =>
            "-rounds in a knockout: expected -games, or another system";
        "-draw movenumber=1 score=1" => "-draw: movecount is missing, expected movecount=VALUE";
        "-draw movenumber=1 movenumber=1" => "-draw 'movenumber=1': expected each key once";
        "-resign movecount=1" => "-resign: score is missing, expected score=VALUE";
        "-sprt elo0=0 elo1=5 alpha=0.1" => "-sprt: beta is missing, expected beta=VALUE";
        "-sprt elo0=0 elo1=5 alpha=0.1 beta=0.1 model=logistic" =>
            "-sprt 'model=logistic': expected one of the keys elo0, elo1, alpha, beta";
        "-engine cmd=a -engine cmd=b -engine cmd=c -games 6 -repeat 4 -openings file=b.epd" =>
            "-repeat 4 has no counterpart with -games 6: expected a multiple of it";
        "-openings order=random" => "-openings: file is missing, expected file=VALUE";
        "-pgnout" => "-pgnout has no value, expected a file";
        "-pgnout g.pgn max" => "-pgnout 'max': expected min or fi";
        "-pgnout g.pgn min fi min" => "-pgnout: expected a file, then min or fi";
        "-tbpieces 2" => "-tbpieces '2': expected a whole number from 3";
        "-srand -1" => "-srand '-1': expected a whole number below 2^32";
        "-debug none" => "-debug 'none': expected all, or no value";
        "-engines" =>
            "-engines has no counterpart; the engines in engines.json are: Fruit, Crafty, Stockfish, Sloppy, \
             Trusted";
        "-reapeat" => "cutechess-cli has no option -reapeat: did you mean -repeat?";
        "-use-affinity" => "cutechess-cli has no option -use-affinity";
    ];
    check_errors(CUTECHESS, &rows);
    let without = ForeignMachine {
        engines: None,
        ..machine()
    };
    let error = translate(CUTECHESS, &words("-engine conf=Fruit"), without).expect_err("no file");
    assert!(
        error.starts_with("there is no engines.json, expected it in "),
        "{error}"
    );
}

/// The options that the manual of fastchess describes, and those of its keys.
const MANUAL_OF_FASTCHESS: &str = "-version -help -quick -concurrency -force-concurrency -rounds -games -repeat \
    -sprt -tournament -seeds -variant -noswap -reverse -wait -each -engine -draw -resign -maxmoves -tb -tbpieces \
    -tbignore50 -tbadjudicate -openings -srand -output -pgnout -epdout -event -site -ratinginterval \
    -scoreinterval -report -config -recover -autosaveinterval --compliance -crc32 -check-mate-pvs -show-latency \
    -testEnv -strict -log -use-affinity -startup-ms -ucinewgame-ms -ping-ms";
const ENGINES_OF_FASTCHESS: &str =
    "cmd name args tc timemargin st nodes restart plies depth proto dir option.NAME";
/// What its parser accepts besides, and an option of older versions.
const MORE_OF_FASTCHESS: &str = "--version -v --v --help -debug -randomseed";

/// The options that the manual of cutechess-cli describes, and those of its keys.
const MANUAL_OF_CUTECHESS: &str = "-engine -each -variant -concurrency -draw -resign -maxmoves -tb -tbpieces \
    -tbignore50 -tournament -event -games -rounds -sprt -ratinginterval -outcomeinterval -debug -openings \
    -bookmode -pgnout -epdout -recover -repeat -noswap -reverse -seeds -site -srand -wait -resultformat -version \
    -help -engines";
const ENGINES_OF_CUTECHESS: &str = "conf name cmd dir stderr proto tc option.NAME arg initstr restart trust st \
    timemargin book bookdepth whitepov ponder depth nodes tscale debug";
const MORE_OF_CUTECHESS: &str = "--version -v --help --engines";

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    names
}

fn listed<'a>(names: &[&'a str]) -> Vec<&'a str> {
    sorted(names.iter().flat_map(|names| names.split_whitespace()))
}

#[test]
fn every_option_of_the_manuals_is_in_a_table() {
    let names = |program| {
        let rows = OPTIONS.iter().filter(|row| row.is_of(program));
        sorted(rows.map(|row| row.name))
    };
    let expected = listed(&[MANUAL_OF_FASTCHESS, MORE_OF_FASTCHESS]);
    assert_eq!(names(FASTCHESS), expected);
    let keys = sorted(engines::FASTCHESS.iter().copied());
    assert_eq!(keys, listed(&[ENGINES_OF_FASTCHESS]));
    let expected = listed(&[MANUAL_OF_CUTECHESS, MORE_OF_CUTECHESS]);
    assert_eq!(names(CUTECHESS), expected);
    let keys = sorted(engines::CUTECHESS.iter().copied());
    assert_eq!(keys, listed(&[ENGINES_OF_CUTECHESS]));
}

/// The page compares both programs option by option.
#[test]
fn every_option_is_documented() {
    let page = include_str!("../../../../docs/from-fastchess.md");
    for line in page.lines() {
        check_names(line, "");
    }
    let (_, tables) = page.split_once("\n## fastchess").expect("a part");
    let (fast, cute) = tables
        .split_once("\n## cutechess-cli")
        .expect("another part");
    let (cute, _) = cute.split_once("\n### Games").expect("a section");
    // What is between backticks in the first cell of each row, up to its value.
    let documented = |part: &'static str| -> Vec<&'static str> {
        let rows = part.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.filter_map(|row| row.split(" | ").next());
        let texts = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        sorted(texts.filter_map(|text| text.split([' ', '=']).next()))
    };
    let expected = [MANUAL_OF_FASTCHESS, MORE_OF_FASTCHESS, ENGINES_OF_FASTCHESS];
    assert_eq!(documented(fast), listed(&expected));
    let expected = [MANUAL_OF_CUTECHESS, MORE_OF_CUTECHESS, ENGINES_OF_CUTECHESS];
    assert_eq!(documented(cute), listed(&expected));
}

#[test]
fn one_option_alone_has_a_counterpart() {
    let rows = rows![
        "-rounds 100" => Some("--rounds 100");
        "-games 1" => Some("--games 1");
        "-games 2" => None;
        "-repeat" => None;
        "-engine cmd=a name=b" => Some("'cmd=a name=b'");
        "-each tc=1:30 option.Hash=4" => Some("--each 'tc=90 option.Hash=4'");
        "-openings file=x.epd format=epd order=random" => Some("--openings x.epd --order random");
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05" =>
            Some("--elo0 0 --elo1 5 --alpha 0.05 --beta 0.05 --model normalized");
        "-concurrency 3" => Some("--concurrency 3");
        "-tb /x" => Some("--tablebases /x");
        "-concurrency x" => None;
    ];
    for (line, expected) in rows {
        let found = translate_option(FASTCHESS, &words(line), machine());
        assert_eq!(found, expected.map(words), "{line}");
    }
    let found = translate_option(CUTECHESS, &words("-each st=1 ponder"), machine());
    assert_eq!(found, Some(words("--each 'movetime=1s ponder=on'")));
}

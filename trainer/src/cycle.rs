//! `trainer loop`: a round of self-play, training and a match of the new network.
//!
//! Each stage leaves files in the folder of the round and is skipped if they are there, so an
//! interrupted round resumes where it stopped: in the file of games, the epoch or the pair. The
//! exit code says whether the network is accepted.
#![expect(
    clippy::disallowed_methods,
    reason = "the match is played by another program"
)]

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;

use kit::Exit;

use crate::evaluator::Evaluator;
use crate::files::TrainerError;
use crate::game::{Games, PlayPlan};
use crate::network::TrainRecipe;
use crate::play::play_here;
use crate::{Say, files, network, within};

/// Parses the options of a training.
fn recipe(words: &str) -> Result<TrainRecipe, String> {
    use clap::Parser as _;

    #[derive(clap::Parser)]
    #[command(no_binary_name = true, disable_help_flag = true)]
    struct Training {
        #[command(flatten)]
        recipe: TrainRecipe,
    }
    let training = Training::try_parse_from(words.split_whitespace());
    // The message of clap ends with blank lines, and stands within another message here.
    let training = training.map_err(|error| error.to_string().trim_end().to_owned())?;
    Ok(training.recipe)
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CycleOptions {
    /// Folder of the round; it is resumed if it exists
    #[arg(value_name = "FOLDER")]
    folder: String,

    /// Positions of earlier rounds, to train on too
    ///
    /// Binary files of positions of earlier rounds, to train on too.
    #[arg(value_name = "POSITIONS")]
    earlier: Vec<String>,

    /// Number of files of games
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = within(1..=1_000_000_u64))]
    files: u64,

    /// Games per file
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = within(1..=100_000_000_u64))]
    games: u64,

    /// Random seed of the first file
    ///
    /// Training and match; the files have this and the following.
    #[arg(long, value_name = "N", default_value_t = 1)]
    first_seed: u64,

    /// Nodes per move of self-play
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = within(2..=1_000_000_u64))]
    nodes: u64,

    /// Network to start from [default: built in]
    ///
    /// It plays the games, and the new one is tested against it; by default the built-in one.
    #[arg(long, value_name = "FILE")]
    network: Option<String>,

    /// Engine of the match
    #[arg(long, value_name = "PATH", default_value = "touchstone")]
    engine: String,

    /// More arguments of selfplay sprt
    ///
    /// More arguments of `selfplay sprt`, separated by spaces.
    #[arg(
        long,
        value_name = "WORDS",
        allow_hyphen_values = true,
        default_value = "--nodes 4000 --elo0 0 --elo1 10"
    )]
    sprt: String,

    /// More arguments of trainer network
    ///
    /// How to train, as options separated by spaces. Example: `--train '--epochs 8 --rate 0.0005'`.
    #[arg(
        long,
        value_name = "WORDS",
        allow_hyphen_values = true,
        default_value = "",
        value_parser = recipe
    )]
    train: TrainRecipe,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    lab: queue::lab::LabArgs,
}

/// Runs what is left of a round. It differs if the new network is not accepted.
pub(crate) fn run(options: &CycleOptions, say: Say<'_>) -> anyhow::Result<Exit> {
    run_with("selfplay", options, say)
}

/// Runs a round whose match is played by this program.
fn run_with(selfplay: &str, options: &CycleOptions, say: Say<'_>) -> anyhow::Result<Exit> {
    let folder = Path::new(&options.folder);
    fs::create_dir_all(folder).map_err(files::at(&options.folder))?;
    let in_folder = |name: &str| folder.join(name).to_string_lossy().into_owned();
    // Before hours of games: the network can be read, and another program is there.
    Evaluator::new(options.network.as_deref())?;
    run_program(Command::new(selfplay).args(["--version"]), 0..=0)?;

    let mut positions = options.earlier.clone();
    positions.extend(play_games(options, &in_folder, say)?);

    let new = in_folder("new.net");
    // The file is renamed into place when it is complete, so its existence says that the stage is
    // done.
    if !Path::new(&new).exists() {
        let training = network::TrainOptions {
            files: positions,
            output: new.clone(),
            recipe: options.train.clone(),
        };
        network::run(&training, say)?;
    }

    Ok(play_match(selfplay, options, &new, &in_folder("match"))?)
}

/// Plays the games whose files are missing; the names of all files.
fn play_games(
    options: &CycleOptions,
    in_folder: &dyn Fn(&str) -> String,
    say: Say<'_>,
) -> anyhow::Result<Vec<String>> {
    let files = usize::try_from(options.files).unwrap_or(usize::MAX);
    let seeds: Vec<u64> = (options.first_seed..).take(files).collect();
    let file = |&seed: &u64| (seed, in_folder(&format!("games-{seed}.bin")));
    let all: Vec<(u64, String)> = seeds.iter().map(file).collect();
    let is_missing = |(_, output): &&(u64, String)| !Path::new(output).exists();
    let missing: Vec<_> = all.iter().filter(is_missing).cloned().collect();
    let games = |seed| Games {
        count: options.games,
        network: options.network.clone(),
        plan: PlayPlan {
            seed,
            nodes: options.nodes,
        },
    };
    #[cfg(feature = "fleet")]
    if let Some(url) = &options.lab.lab {
        if !missing.is_empty() {
            play_there(
                options,
                url,
                &games(options.first_seed),
                &seeds,
                &missing,
                say,
            )?;
        }
        return Ok(all.into_iter().map(|(_, output)| output).collect());
    }
    for (seed, output) in &missing {
        play_here(&games(*seed), output, say)?;
    }
    Ok(all.into_iter().map(|(_, output)| output).collect())
}

/// Has a lab play the games of a round. Its test is that of the whole round, and its name is kept in the folder, so that
/// it is the same one after an interruption.
#[cfg(feature = "fleet")]
fn play_there(
    options: &CycleOptions,
    url: &str,
    games: &Games,
    seeds: &[u64],
    missing: &[(u64, String)],
    say: Say<'_>,
) -> anyhow::Result<()> {
    use std::io::Write as _;

    use anyhow::Context as _;

    use crate::lab::{LabGames, TrainingLab};

    if options.lab.no_wait {
        let message = "--no-wait: a round trains on its games, and waits for them";
        return Err(kit::BadInput(message.to_owned()).into());
    }
    // Ctrl-C ends the program at once: nothing is lost, for the test is with the lab.
    let interrupt = kit::Interrupt::default();
    let lab = TrainingLab::connect(url, &interrupt, say)?;
    let asked = LabGames::new(games, seeds)?;
    let kept = Path::new(&options.folder).join("lab-test");
    let name = kept.to_string_lossy().into_owned();
    let test = match fs::read_to_string(&kept) {
        Ok(test) => test.trim().to_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let test = lab.submit(&asked, false)?.expect("it is waited for");
            files::write(&name, |file| {
                file.write_all(test.as_bytes()).map_err(files::at(&name))
            })?;
            test
        }
        Err(error) => return Err(files::at(&name)(error).into()),
    };
    let written = lab.write(&test, &asked, missing);
    written
        .with_context(|| format!("the games of {name}; without this file, they are asked for anew"))
}

/// Plays or resumes the match.
#[expect(
    clippy::disallowed_methods,
    reason = "the match is played by another program"
)]
fn play_match(
    selfplay: &str,
    options: &CycleOptions,
    new: &str,
    folder: &str,
) -> Result<Exit, TrainerError> {
    let mut command = Command::new(selfplay);
    // `selfplay` refuses to begin a run in a folder that exists, and only `resume` continues one.
    if Path::new(folder).exists() {
        command.args(["resume", folder]);
    } else {
        let engine = quoted(&options.engine);
        // The engine's own name of the network that is built in, as its option `EvalFile` takes it.
        let base = options.network.as_deref().unwrap_or("<built-in>");
        let words = |name: &str, file: &str| {
            format!("cmd={engine} name={name} option.EvalFile={}", quoted(file))
        };
        command.args(["sprt", "--output", folder]);
        command.args(["--seed", &options.first_seed.to_string()]);
        command.args([words("new", new), words("base", base)]);
        command.args(["-j", &rayon::current_num_threads().to_string()]);
        command.args(options.sprt.split_whitespace());
    }
    // Exit code 1 of `selfplay sprt` says that H1 was not accepted, which is a result and no failure.
    match run_program(&mut command, 0..=1)? {
        0 => Ok(Exit::Agreed),
        _ => Ok(Exit::Differs),
    }
}

/// Runs a program to its end; it reports in this terminal. Other exit codes are failures.
fn run_program(command: &mut Command, codes: RangeInclusive<i32>) -> Result<i32, TrainerError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(files::at(&program))?;
    let code = status.code().filter(|code| codes.contains(code));
    code.ok_or(TrainerError::Program { program, status })
}

/// A word for the option of an engine, quoted as for a shell.
fn quoted(word: &str) -> String {
    // A quote cannot be escaped within single quotes of a POSIX shell: it ends them and begins them
    // anew.
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted() {
        assert_eq!(quoted("a b's"), r"'a b'\''s'");
    }

    /// Stands for `selfplay`: writes its arguments down, and ends with the code in a file.
    #[cfg(unix)]
    const MATCH: &str = r#"#!/bin/sh
echo "$@" >> "${0%/*}/arguments"
[ "$1" != sprt ] || mkdir "$3"
[ "$1" != --version ] || exit "$(cat "${0%/*}/version")"
exit "$(cat "${0%/*}/code")"
"#;

    #[test]
    #[cfg(unix)]
    fn a_round_resumes_where_it_stopped() {
        use std::os::unix::fs::PermissionsExt as _;

        use clap::Parser as _;

        #[derive(clap::Parser)]
        struct Arguments {
            #[command(flatten)]
            options: CycleOptions,
        }

        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let text = |name: &str| path(name).display().to_string();
        fs::write(path("selfplay"), MATCH).expect("new");
        let runs = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path("selfplay"), runs).expect("ours");
        let words = "round --files 2 --games 40 --nodes 2 --first-seed 7";
        let words = words.split(' ').map(str::to_owned);
        let others = ["--train", "--epochs 1 --hidden 64"].map(str::to_owned);
        let words: Vec<String> = words.chain([text("round")]).chain(others).collect();
        let options = Arguments::try_parse_from(words).expect("sound").options;
        let round = |code: &str| {
            fs::write(path("code"), code).expect("ours");
            run_with(&text("selfplay"), &options, &|_| {}).map_err(|error| error.to_string())
        };

        fs::write(path("version"), "1").expect("new");
        let error = round("0").expect_err("another program");
        assert!(error.contains("selfplay failed: exit status: 1"), "{error}");
        assert!(!path("round/games-7.bin").exists());
        fs::write(path("version"), "0").expect("ours");
        let error = round("3").expect_err("the match fails");
        assert!(error.contains("selfplay failed: exit status: 3"), "{error}");
        let made = ["games-7.bin", "games-8.bin", "new.net"].map(|name| path("round").join(name));
        let first = made.each_ref().map(|path| fs::read(path).expect("made"));
        assert_eq!(round("1"), Ok(Exit::Differs));
        // A file that is missing is made again, the same one; what is there is kept.
        fs::remove_file(&made[1]).expect("there");
        assert_eq!(round("0"), Ok(Exit::Agreed));
        let last = made.each_ref().map(|path| fs::read(path).expect("made"));
        assert!(first == last);

        let arguments = fs::read_to_string(path("arguments")).expect("written");
        let lines: Vec<&str> = arguments
            .lines()
            .filter(|line| *line != "--version")
            .collect();
        let (folder, new) = (text("round/match"), text("round/new.net"));
        let expected = format!(
            "sprt --output {folder} --seed 7 cmd='touchstone' name=new option.EvalFile='{new}' \
             cmd='touchstone' name=base option.EvalFile='<built-in>' -j {} --nodes 4000 --elo0 0 \
             --elo1 10",
            rayon::current_num_threads()
        );
        let resumed = format!("resume {folder}");
        assert_eq!(lines, [expected, resumed.clone(), resumed]);
    }
}

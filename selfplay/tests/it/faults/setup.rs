//! How engines are set up, and what is wrong before the first game.

use selfplay::model::{EngineConfig, Restart};
use uci::Cancel;

use super::bed::{Bed, PATIENT, config, unclocked};

fn bed(white: EngineConfig) -> Bed {
    let black = config("other", unclocked(), &["--seed=2"]);
    Bed::of(white, black, PATIENT, &Cancel::new())
}

fn with_options(options: &[(&str, &str)]) -> EngineConfig {
    let options = options
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    EngineConfig {
        options: options.collect(),
        ..config("one", unclocked(), &["--seed=1"])
    }
}

#[test]
fn options_and_start_up_lines_are_sent_in_order() {
    let mut white = with_options(&[("hash", "64"), ("Clear Hash", ""), ("Hash", "32")]);
    white.startup = vec!["debug on".to_owned(), "hello".to_owned()];
    let mut bed = bed(white);
    bed.white.verify(false).expect("all is right");
    assert_eq!(bed.white.id().name.as_deref(), Some("Faulty Engine"));
    bed.play(5);
    let transcript = bed.white.transcript();
    let sent: Vec<&str> = transcript
        .lines()
        .filter_map(|line| line.split_once("> ").map(|(_, text)| text))
        .take(8)
        .collect();
    let expected = "debug on; hello; uci; setoption name Hash value 64; setoption name Clear Hash; \
                    setoption name Hash value 32; ucinewgame; isready";
    assert_eq!(sent.join("; "), expected);
}

#[test]
fn options_that_do_not_fit_are_errors_before_the_first_game() {
    let rows = rows![
        [("Hahs", "64")] => "engine 'one': the engine has no option 'Hahs'";
        [("Hash", "4096")] => "engine 'one': option 'Hash' cannot be \"4096\", expected a number from 1 to 1024";
        [("Hash", "")] => "engine 'one': option 'Hash' cannot be \"\", expected a number from 1 to 1024";
        [("Clear Hash", "1")] => "engine 'one': option 'Clear Hash' cannot be \"1\", expected no value";
    ];
    for (options, expected) in rows {
        let mut bed = bed(with_options(&options));
        let error = bed.white.verify(false).expect_err("it does not fit");
        assert_eq!(error.to_string(), expected);
        let error = bed.try_play(5).expect_err("no game can be played");
        assert_eq!(error.to_string(), format!("one: {expected}"));
        assert_eq!(bed.white.process_id(), None);
        assert_eq!(bed.black.process_id(), None);
    }
}

#[test]
fn engines_are_started_anew_when_asked_for() {
    for (restart, is_new) in [(Restart::On, true), (Restart::Auto, false)] {
        let mut white = with_options(&[("Hash", "64")]);
        white.restart = restart;
        let mut bed = bed(white);
        bed.play(5);
        let first = bed.white.process_id().expect("it runs");
        let next = bed.play(5);
        assert_eq!(next.record.incidents, []);
        assert_eq!(bed.white.process_id() != Some(first), is_new, "{restart:?}");
        let transcript = bed.white.transcript();
        assert_eq!(transcript.matches("> uci\n").count(), 1);
        assert_eq!(transcript.matches("name Hash value 64").count(), 1);
    }
}

#[test]
fn the_environment_and_the_folder_are_the_engine_s() {
    let flags = ["--print-surroundings=GREETING"];
    let mut engine = config("surrounded", unclocked(), &flags);
    let folder = tempfile::tempdir().expect("a folder");
    engine.command.directory = Some(folder.path().to_owned());
    let variables = [("GREETING", "hello there")];
    engine.command.environment = variables
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let mut bed = bed(engine);
    let played = bed.play(5);
    assert_eq!(played.record.fault, None);
    let transcript = bed.white.transcript();
    assert!(
        transcript.contains(&format!("< {}\n", folder.path().display()))
            && transcript.contains("< hello there\n"),
        "{transcript}"
    );
}

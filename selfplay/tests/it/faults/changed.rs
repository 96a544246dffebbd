//! Engines that are replaced, or that call themselves something else, between two games.

#![expect(
    clippy::disallowed_methods,
    reason = "tests replace programs between games"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use selfplay::game::GameError;
use selfplay::model::{EngineConfig, FaultKind, Restart};
use selfplay::player::{PlayerError, RunPrograms, fingerprint};

use super::bed::{Bed, PATIENT, config, unclocked};
use crate::common::scripted_engine;

/// An engine that is a file of its own, and restarted for each game.
fn copied(folder: &Path) -> EngineConfig {
    let program = folder.join("copy");
    fs::copy(scripted_engine(), &program).expect("a copy");
    let mut engine = config("copy", unclocked(), &[]);
    engine.command.program = program;
    engine.restart = Restart::On;
    engine
}

/// Puts other bytes in the place of a program, as a linker does.
fn replace(program: &Path, bytes: &[u8]) {
    let new = program.with_extension("new");
    fs::write(&new, bytes).expect("new");
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).expect("ours");
    fs::rename(&new, program).expect("in one step");
}

#[test]
fn a_replaced_program_plays_no_game_under_the_old_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let white = copied(folder.path());
    let program = white.command.program.clone();
    let bytes = fs::read(&program).expect("there");
    let mut bed = Bed::against_honest(white, PATIENT);
    assert_eq!(bed.play(2).record.incidents, []);
    // The same program in another file.
    replace(&program, &bytes);
    assert_eq!(bed.play(2).record.incidents, []);
    replace(&program, &[&bytes[..], b"x"].concat());
    let Err(GameError::Player { engine, source }) = bed.try_play(2) else {
        panic!("it has played");
    };
    let PlayerError::Changed(change) = &source else {
        panic!("{source}");
    };
    assert_eq!((&*engine, &change.path), ("copy", &program));
    assert!(change.modified.is_some());
    assert_eq!(change.now, fingerprint(&program).ok());
    assert_eq!(bed.white.process_id(), None);
    // Nor does it lose one because it is being replaced.
    fs::remove_file(&program).expect("ours");
    let gone = bed.try_play(2).expect_err("it is gone").to_string();
    assert!(gone.contains(" is gone; "), "{gone}");
}

#[test]
fn a_change_that_is_allowed_is_recorded_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let white = copied(folder.path());
    let program = white.command.program.clone();
    let before = fingerprint(&program).expect("there");
    let sums = BTreeMap::from([("copy".to_owned(), before.clone())]);
    let mut bed = Bed::against_honest(white.clone(), PATIENT);
    let programs = RunPrograms::new(&[white], &sums, BTreeMap::new(), true, None);
    bed.white.compare_with(programs);
    let bytes = fs::read(&program).expect("there");
    replace(&program, &[&bytes[..], b"x"].concat());
    let now = fingerprint(&program).expect("there");
    let incidents = bed.play(2).record.incidents;
    let [incident] = &incidents[..] else {
        panic!("{incidents:?}");
    };
    let expected = (0, FaultKind::ChangedEngine);
    assert_eq!((incident.engine.0, incident.kind), expected);
    let what = format!("has changed from {before} to {now}, written ");
    assert!(incident.detail.contains(&what), "{incident:?}");
    assert_eq!(bed.play(2).record.incidents, []);
}

#[test]
fn another_name_after_a_restart_is_an_incident() {
    let folder = tempfile::tempdir().expect("a folder");
    let (script, version) = (folder.path().join("engine"), folder.path().join("version"));
    let text = format!(
        "#!/bin/sh\n'{}' | sed -u \"s/^id name .*/id name Script $(cat '{}')/\"\n",
        scripted_engine().display(),
        version.display()
    );
    fs::write(&version, "1").expect("new");
    replace(&script, text.as_bytes());
    let mut white = config("script", unclocked(), &[]);
    white.command.program = script;
    white.restart = Restart::On;
    let mut bed = Bed::against_honest(white, PATIENT);
    let first = bed.play(2).record;
    assert_eq!(first.incidents, []);
    assert_eq!(first.ids[0].name.as_deref(), Some("Script 1"));
    assert_eq!(first.ids[1].name.as_deref(), Some("Faulty Engine"));
    fs::write(&version, "2").expect("ours");
    let second = bed.play(2).record;
    assert_eq!(second.ids[0].name.as_deref(), Some("Script 2"));
    let incidents = second.incidents.iter();
    let incidents: Vec<_> = incidents.map(|one| (one.kind, &*one.detail)).collect();
    let detail = "it was started as 'Script 2', and was 'Script 1' before";
    assert_eq!(incidents, [(FaultKind::ChangedEngine, detail)]);
    assert_eq!(bed.play(2).record.incidents, []);
}

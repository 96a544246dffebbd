//! Engines of every kind of bad manners: each ends with the right error, and leaves nothing behind.
//!
//! The engine is `examples/scripted_engine`. The deadlines are generous: no test depends on speed.

use std::env::consts::EXE_SUFFIX;
use std::fmt::Debug;
use std::thread::sleep;
use std::time::{Duration, Instant};

use testkit::processes::{assert_gone, exists};
use uci::grammar::{Go, Info, Message, PositionCommand, Reply};
use uci::{
    Cancel, Client, CommandLine, Engine, EngineError, EngineEvent, LineDirection, MAX_LINE,
    Process, Received, SendError, SessionEvent, SessionState, Start,
};

/// Time for what should come.
const PLENTY: Duration = testkit::HANG;
/// Time for what should not come.
const LITTLE: Duration = Duration::from_millis(300);

const KILLED: &str = if cfg!(unix) {
    "was killed by signal 9 (SIGKILL)"
} else {
    "was killed"
};
const ABORTED: &str = if cfg!(unix) {
    "was killed by signal 6 (SIGABRT)"
} else {
    "crashed with exception 0xC0000409 (abort or stack buffer overrun)"
};

fn fake(flags: &[&str]) -> CommandLine {
    let command = CommandLine::new(testkit::programs::scripted_engine()).argument("--first-move");
    command.arguments(flags)
}

fn start(flags: &[&str]) -> Client {
    Client::start(&Start::new(fake(flags))).expect("the fake engine starts")
}

/// An engine whose handshake is done.
fn idle(flags: &[&str]) -> Client {
    let mut client = start(flags);
    client.handshake(PLENTY).expect("a handshake");
    client
}

fn startpos() -> PositionCommand {
    PositionCommand::default()
}

fn depth_1() -> Go {
    Go {
        depth: Some(1),
        ..Go::default()
    }
}

fn infinite() -> Go {
    Go {
        infinite: true,
        ..Go::default()
    }
}

#[expect(clippy::disallowed_methods, reason = "deadlines are set here")]
fn within(time: Duration) -> Instant {
    Instant::now() + time
}

/// The best move of a search of depth 1.
fn go(client: &mut Client, timeout: Duration) -> Result<Reply, EngineError> {
    let searched = client.go(startpos(), depth_1(), timeout, |_, _| {})?;
    Ok(searched.best_move.reply)
}

/// Asserts that the engine answers a search with its first move.
#[track_caller]
fn plays(client: &mut Client) {
    assert_eq!(go(client, PLENTY).ok(), Some(first_move()));
}

/// Asserts that a call fails with this message.
#[track_caller]
fn fails<T: Debug>(result: Result<T, EngineError>, expected: &str) {
    assert_eq!(result.expect_err(expected).to_string(), expected);
}

fn first_move() -> Reply {
    let position = chess::rules::Position::startpos();
    let m = position.legal_moves()[0];
    let m = chess::notation::uci_move::write(m, &position, chess::rules::CastlingMode::Standard);
    Reply::Move(m.parse().expect("a move"))
}

/// The next line, which must come.
fn line(client: &mut Client) -> String {
    match client.next_line(within(PLENTY)).expect("readable") {
        Received::Line(line) => line.text,
        other => panic!("{other:?} in place of a line\n{}", client.transcript()),
    }
}

fn pid_of(client: &Client) -> u32 {
    client.process().id()
}

#[test]
fn a_good_engine_is_driven_by_uci() {
    let mut client = start(&[]);
    assert_eq!(client.state(), SessionState::New);
    client.handshake(PLENTY).expect("a handshake");
    assert_eq!(client.id().name.as_deref(), Some("Faulty Engine"));
    assert_eq!(client.options().len(), 6);
    client.set_option("hash", Some("64")).expect("it has Hash");
    let pressed = client.set_option("Clear Hash", None);
    pressed.expect("it has a button");
    let unknown = client.set_option("Contempt", Some("1"));
    fails(unknown, "the engine has no option 'Contempt'");
    client.new_game(PLENTY).expect("it gets ready");
    let mut infos: Vec<Info> = Vec::new();
    let searched = client.go(startpos(), depth_1(), PLENTY, |_, event| {
        if let SessionEvent::Info(info) = event {
            infos.push((**info).clone());
        }
    });
    let searched = searched.expect("a best move");
    assert_eq!(searched.best_move.reply, first_move());
    assert!(searched.started <= searched.ended);
    assert_eq!(infos.len(), 1);
    assert_eq!(infos[0].depth, Some(1));
    let transcript = client.transcript();
    let sent = transcript.entries();
    let sent = sent.filter(|entry| entry.direction == LineDirection::Sent);
    let sent: Vec<&str> = sent.map(|entry| &*entry.text).collect();
    let expected = [
        "uci",
        "setoption name Hash value 64",
        "setoption name Clear Hash",
        "ucinewgame",
        "isready",
        "position startpos",
        "go depth 1",
    ];
    assert_eq!(sent, expected);
    let pid = pid_of(&client);
    let farewell = client.quit(PLENTY);
    assert!(farewell.exit.is_success() && !farewell.was_killed);
    assert!(!exists(pid), "it is reaped");
}

#[test]
fn a_good_engine_is_driven_line_by_line() {
    let mut client = start(&[]);
    let lines = ["position startpos moves e2e4", "go perft 2"];
    client.send_lines(&lines).expect("it reads");
    let rows = std::iter::repeat_with(|| line(&mut client));
    let rows = rows.take_while(|line| line != "Nodes searched: 600");
    assert_eq!(rows.filter(|line| line.contains(": ")).count(), 20);
    let two_lines = client.send_line("isready\nquit");
    fails(two_lines, "\"isready\\nquit\" is more than one line");
    let handshake = client.handshake(PLENTY);
    handshake.expect("it lives, and the rest is passed over");
}

#[test]
fn a_search_ends_by_stop() {
    let mut client = idle(&[]);
    let started = client.start_search(startpos(), infinite(), PLENTY);
    started.expect("it reads");
    let early = client.synchronise(PLENTY);
    fails(early, "cannot send isready while a search is under way");
    client.stop(PLENTY).expect("it reads");
    let mut event = client.next_event(within(PLENTY)).expect("it lives");
    while let Some((_, SessionEvent::Info(_))) = event {
        event = client.next_event(within(PLENTY)).expect("it lives");
    }
    assert!(matches!(
        event,
        Some((_, SessionEvent::BestMove { stopped: true, .. }))
    ));
    client.synchronise(PLENTY).expect("it is idle");
}

#[test]
fn what_cannot_be_started_says_why() {
    let started = Client::start(&Start::new(CommandLine::new("./no such engine")));
    let error = started.expect_err("there is none").to_string();
    let command = uci::quote_word("./no such engine");
    assert!(
        error.starts_with(&format!("cannot start {command}: ")),
        "{error}"
    );
    if cfg!(unix) {
        assert!(
            error.ends_with(": No such file or directory (os error 2)"),
            "{error}"
        );
    }
    let folder = fake(&[]).directory("/no/such/folder");
    let started = Client::start(&Start::new(folder));
    assert!(matches!(started, Err(EngineError::Start { .. })));
}

#[test]
fn crashes_are_distinguished() {
    fails(
        start(&["--crash-at-start=1"]).handshake(PLENTY),
        "the engine ended with exit code 1 before uciok",
    );
    let rows = [
        ("panic", "ended with exit code 101"),
        ("abort", ABORTED),
        ("3", "ended with exit code 3"),
        ("0", "ended with exit code 0"),
    ];
    for (how, exit) in rows {
        let mut client = idle(&[&format!("--crash={how}")]);
        let pid = pid_of(&client);
        let expected = format!("the engine {exit} before bestmove");
        fails(go(&mut client, PLENTY), &expected);
        assert_eq!(client.state(), SessionState::Ended);
        assert!(!exists(pid), "it is reaped");
        if how == "panic" {
            let transcript = client.transcript().to_string();
            assert!(transcript.contains("! as asked"), "{transcript}");
        }
        fails(client.send_line("isready"), &format!("the engine {exit}"));
    }
}

#[test]
fn silence_ends_by_the_deadline() {
    for flag in ["--silent", "--deaf", "--no-uciok", "--slow-uciok=60000"] {
        let mut client = start(&[flag]);
        let error = client.handshake(LITTLE).expect_err(flag);
        assert_eq!(error.to_string(), "no uciok within 0.3 s", "{flag}");
        assert_eq!(client.state(), SessionState::Failed);
    }
    let mut client = idle(&["--hang-on-isready"]);
    fails(client.synchronise(LITTLE), "no readyok within 0.3 s");
    for flag in ["--hang", "--late=60000"] {
        let error = go(&mut idle(&[flag]), LITTLE).expect_err(flag);
        assert_eq!(error.to_string(), "no bestmove within 0.3 s", "{flag}");
    }
}

#[test]
fn a_slow_handshake_is_waited_for() {
    let mut client = start(&["--slow-uciok=200"]);
    client.handshake(PLENTY).expect("it comes");
}

#[test]
fn a_stop_that_is_ignored_ends_by_the_deadline() {
    let mut client = idle(&["--ignore-stop"]);
    let searched = client.go(startpos(), infinite(), LITTLE, |_, _| {});
    fails(searched, "no bestmove within 0.3 s");
    client.stop(LITTLE).expect("it reads");
    let event = client.next_event(within(PLENTY));
    fails(event, "no bestmove after stop within 0.3 s");
    assert_eq!(client.state(), SessionState::Failed);
}

#[test]
fn a_quit_that_is_ignored_ends_by_force() {
    let client = idle(&["--ignore-quit"]);
    let pid = pid_of(&client);
    let farewell = client.quit(LITTLE);
    assert!(farewell.was_killed);
    let exit = farewell.exit.to_string();
    assert_eq!(exit, KILLED);
    assert!(!exists(pid), "it is reaped");
}

#[test]
fn best_moves_come_as_they_are() {
    let illegal = go(&mut idle(&["--illegal-move"]), PLENTY).expect("a best move");
    assert_eq!(illegal.to_string(), "a1a1");
    plays(&mut idle(&["--late=100"]));
    let mut client = idle(&["--no-final-newline"]);
    plays(&mut client);
    let end = client.next_line(within(PLENTY)).expect("readable");
    assert_eq!(end, Received::Eof);
}

#[test]
fn a_second_best_move_is_a_surprise() {
    let mut client = idle(&["--repeat"]);
    plays(&mut client);
    let event = client.next_event(within(PLENTY)).expect("it lives");
    let Some((_, SessionEvent::Surprise(Message::BestMove(_)))) = event else {
        panic!("{event:?} in place of a surprise");
    };
    client.synchronise(PLENTY).expect("it is idle");
}

#[test]
fn a_closed_output_is_not_an_ended_engine() {
    let mut client = idle(&["--close-stdout-at-start"]);
    fails(
        client.synchronise(PLENTY),
        "the engine closed its standard output before readyok, but lives on",
    );
    assert!(exists(pid_of(&client)));
}

#[test]
fn a_closed_input_is_an_error() {
    let mut client = idle(&["--close-stdin-at-start"]);
    assert_eq!(line(&mut client), "info string closed");
    // A process that another test is just starting may hold the pipe for a moment. A minute of these lines fits
    // into a pipe.
    let mut sends = (0..6000).map(|_| {
        sleep(Duration::from_millis(10));
        client.send_line("isready")
    });
    let sent = sends.find(Result::is_err).expect("a closed input");
    fails(sent, "the engine has closed its standard input");
}

#[test]
fn a_flood_ends_by_the_deadline() {
    let mut client = idle(&["--flood"]);
    let started = client.start_search(startpos(), depth_1(), LITTLE);
    started.expect("it reads");
    line(&mut client);
    let mut events = std::iter::repeat_with(|| client.next_event(within(PLENTY)));
    let end = events.find(Result::is_err).expect("it floods on");
    fails(end, "no bestmove within 0.3 s");
    let farewell = client.quit(LITTLE);
    assert!(farewell.was_killed);
}

#[test]
fn an_engine_that_does_not_read_is_given_up() {
    let mut client = start(&["--deaf"]);
    client.set_send_timeout(LITTLE);
    // No pipe is that large.
    let sent = client.send_line(&"x".repeat(1 << 20));
    fails(sent, "the engine did not read its standard input for 0.3 s");
    let sent = client.send_line("isready");
    assert!(matches!(sent, Err(EngineError::Send(SendError::Closed))));
}

/// An engine that floods us does not read; what it prints meanwhile is bounded by waiting.
#[test]
fn an_engine_that_writes_and_does_not_read_is_given_up() {
    let mut client = idle(&["--flood"]);
    client.set_send_timeout(LITTLE);
    client.send_line("go").expect("it reads");
    let sent = client.send_line(&"x".repeat(1 << 20));
    fails(sent, "the engine did not read its standard input for 0.3 s");
}

#[test]
fn standard_error_never_blocks() {
    let mut client = idle(&["--stderr=3000000"]);
    plays(&mut client);
    assert!(!client.quit(PLENTY).was_killed);
}

#[test]
fn the_end_of_standard_error_is_kept() {
    let command = fake(&["--stderr-lines=20000"]);
    let mut process = Process::start(&command, Cancel::new()).expect("it starts");
    let exit = process.wait(within(PLENTY));
    assert!(exit.is_some_and(|exit| exit.is_success()));
    let lines = process.stderr();
    assert_eq!(lines.last().map(|line| &*line.text), Some("line 19999"));
    let bytes: usize = lines.iter().map(|line| line.text.len() + 1).sum();
    assert!((64_000..=65_536).contains(&bytes), "{bytes} bytes");
}

#[test]
fn long_lines_are_cut() {
    let mut client = idle(&["--long-line=3000000"]);
    client.send_line("go depth 1").expect("it reads");
    let Received::Line(long) = client.next_line(within(PLENTY)).expect("readable") else {
        panic!("no line");
    };
    assert_eq!(long.text.len(), MAX_LINE);
    assert_eq!(long.cut, 3_000_000 - MAX_LINE);
    assert!(line(&mut client).starts_with("info depth 1 "));
    plays(&mut idle(&["--long-line=3000000"]));
}

#[test]
fn garbage_is_passed_over() {
    let mut client = idle(&["--garbage"]);
    plays(&mut client);
    let transcript = client.transcript().to_string();
    assert!(transcript.contains("\\u{0}\\u{1b}[31m"), "{transcript}");
}

#[test]
fn children_of_an_engine_die_with_it() {
    let start = |flags: &[&str]| {
        let mut client = idle(&[&["--leave-child-at-start"], flags].concat());
        let line = line(&mut client);
        let ids = line.strip_prefix("info string child ").expect("a child");
        let (child, _) = ids.split_once(" of ").expect("two ids");
        let pid = child.parse::<u32>().expect("a number");
        (client, pid)
    };
    let (client, pid) = start(&[]);
    assert!(exists(pid));
    drop(client);
    assert_gone(pid);

    let (client, pid) = start(&[]);
    let exit = client.quit(PLENTY).exit;
    assert!(
        exit.is_success(),
        "it quits by itself, though its pipe stays open"
    );
    assert_gone(pid);

    let (mut client, pid) = start(&["--crash=3"]);
    let crashed = "the engine ended with exit code 3 before bestmove";
    fails(go(&mut client, PLENTY), crashed);
    assert_gone(pid);
}

#[test]
fn work_can_be_cancelled() {
    let cancel = Cancel::new();
    let start = Start {
        cancel: cancel.clone(),
        ..Start::new(fake(&[]))
    };
    let mut client = Client::start(&start).expect("it starts");
    client.handshake(PLENTY).expect("a handshake");
    let canceller = std::thread::spawn(move || cancel.set());
    let searched = client.go(startpos(), infinite(), PLENTY, |_, _| {});
    fails(searched, "cancelled");
    canceller.join().expect("no panic");
    let line = client.next_line(within(PLENTY)).expect("readable");
    assert_eq!(line, Received::Cancelled);
}

#[test]
fn directory_and_environment_are_set() {
    let folder = tempfile::Builder::new().prefix("Möwe & Söhne ").tempdir();
    let folder = folder.expect("a folder");
    let place = folder.path().canonicalize().expect("it exists");
    let command = fake(&["--print-surroundings=FAKE_SETTING"])
        .directory(folder.path())
        .variable("FAKE_SETTING", "a \"ß\" b");
    let mut client = Client::start(&Start::new(command)).expect("it starts");
    let printed = std::path::PathBuf::from(line(&mut client)).canonicalize();
    assert_eq!(printed.expect("it exists"), place);
    assert_eq!(line(&mut client), "a \"ß\" b");
    client.send_line("quit").expect("it reads");
    let end = client.next_line(within(PLENTY)).expect("readable");
    assert_eq!(end, Received::Eof);
    let ended = client.ended().to_string();
    assert_eq!(ended, "the engine ended with exit code 0");
}

#[test]
fn times_without_end_are_times() {
    let mut client = start(&[]);
    client.set_send_timeout(Duration::MAX);
    client.handshake(Duration::MAX).expect("a handshake");
    assert!(go(&mut client, Duration::MAX).is_ok());
    assert!(client.quit(Duration::MAX).exit.is_success());
}

#[test]
fn a_deadline_in_the_past_ends_at_once() {
    let mut client = start(&[]);
    let now = within(Duration::ZERO);
    assert_eq!(client.next_line(now).expect("readable"), Received::TimedOut);
}

#[test]
fn taking_turns_changes_nothing_but_the_cost() {
    for on in [false, true] {
        let mut client = start(&[]);
        client.take_turns(on);
        client.handshake(PLENTY).expect("a handshake");
        for _ in 0..20 {
            plays(&mut client);
        }
        let started = client.start_written_search("position startpos", &depth_1(), PLENTY);
        started.expect("it is idle");
        let mut infos = 0;
        loop {
            match client.next_news(within(PLENTY)).expect("it answers") {
                Some(EngineEvent::Info(line)) => {
                    assert!(line.text.starts_with("info depth 1"), "{}", line.text);
                    infos += 1;
                }
                Some(EngineEvent::Event(_, SessionEvent::BestMove { best_move, .. })) => {
                    assert_eq!(best_move.reply, first_move());
                    break;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(infos, 1);
        client.announce_game(PLENTY).expect("it is idle");
        client.wait_until_ready().expect("it answers");
        client.wait_until_ready().expect("it is ready already");
        assert!(client.process().received_bytes() > 0);
        let mut flood = start(&["--flood"]);
        flood.take_turns(on);
        flood.handshake(PLENTY).expect("a handshake");
        assert!(go(&mut flood, LITTLE).is_err());
        assert!(client.quit(PLENTY).exit.is_success());
    }
}

#[test]
fn texts_are_sent_as_they_are() {
    let mut client = idle(&[]);
    client.send_text("isre").expect("sent");
    client.send_text("ady\r\nisready\n").expect("sent");
    assert_eq!(
        [line(&mut client), line(&mut client)],
        ["readyok", "readyok"]
    );
    let transcript = client.transcript().to_string();
    assert!(transcript.contains("> ady\\r\\nisready\\n"), "{transcript}");
}

/// A program's name without `.exe`, in a folder with blanks and other letters, relative to another.
#[test]
fn programs_are_found_however_they_are_called() {
    let folder = tempfile::Builder::new().prefix("Möwe & Söhne ").tempdir();
    let folder = folder.expect("a folder");
    let inner = folder.path().join("läufer b5");
    std::fs::create_dir(&inner).expect("a folder");
    let (program, name) = (fake(&[]).program, inner.join(format!("fähig{EXE_SUFFIX}")));
    // A copy could not be started while a process that another test is starting has it open for writing.
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, name).expect("a link");
    #[cfg(windows)]
    std::fs::copy(program, name).expect("a copy");
    let plain = CommandLine::new(inner.join("fähig"));
    let relative = CommandLine::new("./läufer b5/fähig").directory(folder.path());
    for command in [plain, relative] {
        let command = command.argument("--first-move");
        let mut client = Client::start(&Start::new(command)).expect("it starts");
        client.handshake(PLENTY).expect("a handshake");
        plays(&mut client);
    }
}

#[test]
fn carriage_returns_end_lines() {
    let mut client = idle(&["--garbage"]);
    client.send_line("isready").expect("it reads");
    assert_eq!(line(&mut client), "readyok");
}

/// The program that drives the engine is killed, and cannot clean up.
#[test]
fn engines_die_with_the_program_that_drives_them() {
    let folder = std::path::PathBuf::from(fake(&[]).program);
    let folder = folder.parent().expect("a folder");
    let engine = fake(&["--leave-child-at-start", "--hang", "--ignore-quit"]).to_string();
    for _ in 0..3 {
        let program = CommandLine::new(folder.join(format!("analyse{EXE_SUFFIX}")));
        let mut program = Client::start(&Start::new(program.argument(&engine))).expect("built");
        let ids = line(&mut program);
        let ids = ids
            .split_once("child ")
            .and_then(|(_, ids)| ids.split_once(" of "));
        let (child, engine) = ids.expect("it prints what the engine does");
        let ids: [u32; 2] = [child, engine].map(|id| id.parse().expect("a number"));
        assert!(ids.iter().all(|&id| exists(id)));
        // Not by its driver, which would kill its descendants too.
        testkit::processes::kill(program.process().id());
        for id in ids {
            assert_gone(id);
        }
    }
}

/// A running engine is killed after a fault with all its children; the next question starts another.
#[test]
fn an_engine_is_started_when_it_is_needed_and_again_after_a_fault() {
    let mut engine = Engine::new(Start {
        options: vec![("Hash".to_owned(), Some("2".to_owned()))],
        ..Start::new(fake(&[]))
    });
    assert!(engine.client().is_none() && engine.transcript().is_empty());
    let client = engine.ready().expect("it starts");
    plays(client);
    let first = client.process().id();
    assert_eq!(engine.ready().expect("it runs").process().id(), first);
    engine.kill();
    assert_gone(first);
    // The reason of a fault is in the dialogue, which outlives the process.
    let transcript = engine.transcript();
    let sent: Vec<&str> = transcript
        .lines()
        .filter_map(|line| line.split_once("> "))
        .map(|(_, sent)| sent)
        .collect();
    let expected = [
        "uci",
        "setoption name Hash value 2",
        "ucinewgame",
        "isready",
    ];
    assert_eq!(sent[..4], expected, "{transcript}");
    let client = engine.ready().expect("it starts again");
    assert_ne!(client.process().id(), first);
    plays(client);
}

/// Three starts in a row that fail are all: each may take a minute.
#[test]
fn an_engine_that_does_not_start_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let once = folder.path().join("once").display().to_string();
    let mut engine = Engine::new(Start::new(fake(&["--crash-on-uci", "7", "--once", &once])));
    assert!(matches!(engine.ready(), Err(EngineError::Ended { .. })));
    assert!(engine.transcript().contains("> uci"));
    plays(engine.ready().expect("the second start is a good one"));
    let mut engine = Engine::new(Start::new(fake(&["--crash-on-uci", "7"])));
    for _ in 0..3 {
        assert!(matches!(engine.ready(), Err(EngineError::Ended { .. })));
    }
    let given_up = engine.ready().map(drop);
    assert!(matches!(given_up, Err(EngineError::GivenUp { starts: 3 })));
    assert!(engine.client().is_none(), "no process was started");
}

/// What an engine writes before it ends during its start is often the only explanation.
#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "a test writes a script")]
fn the_last_words_of_an_engine_that_does_not_start_are_in_the_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("engine");
    let script = "#!/bin/sh\necho 'libfoo.so: cannot open' >&2\nexit 127\n";
    std::fs::write(&path, script).expect("new");
    let ready = |path: &std::path::Path| {
        let mut engine = Engine::new(Start::new(CommandLine::new(path)));
        engine.ready().map(drop).expect_err("no engine").to_string()
    };
    let begin = format!(
        "cannot start {}: it is not an executable file",
        path.display()
    );
    assert!(ready(&path).starts_with(&begin), "{}", ready(&path));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("ours");
    let expected = "the engine ended with exit code 127 before uciok: libfoo.so: cannot open";
    assert_eq!(ready(&path), expected);
    let error = ready(std::path::Path::new("no-such-engine"));
    let expected = "cannot start no-such-engine: program 'no-such-engine' is not in PATH";
    assert_eq!(error, expected);
}

/// Once it has not answered its greeting, it is not waited for a second time.
#[test]
fn an_engine_of_the_other_protocol_is_named() {
    let mut engine = Engine::new(Start::new(fake(&["--xboard"])));
    let error = engine.ready().map(drop).expect_err("it speaks XBoard's");
    assert_eq!(error.to_string(), "it speaks XBoard's protocol, not UCI");
    let error = engine.ready().map(drop).expect_err("given up");
    assert_eq!(error.to_string(), "not started again: its start has failed");
}

/// Some load a network first: it is waited for, after the other protocol was tried.
#[test]
fn an_engine_that_is_late_is_not_given_up() {
    let mut engine = Engine::new(Start::new(fake(&["--dialect", "slow-start"])));
    let name = engine.ready().map(|client| client.id().name.clone());
    assert_eq!(
        name.expect("it is only slow").as_deref(),
        Some("Faulty Engine")
    );
}

/// An option that the engine lacks is an error of its start, not a line that it ignores.
#[test]
fn an_engine_without_an_option_is_not_ready() {
    let mut engine = Engine::new(Start {
        options: vec![("No such option".to_owned(), None)],
        ..Start::new(fake(&[]))
    });
    let error = engine.ready().map(drop).expect_err("it has no such option");
    assert!(error.to_string().contains("No such option"), "{error}");
}

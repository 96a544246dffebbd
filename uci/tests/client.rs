//! Engines of every kind of bad manners: each ends with the right error, and leaves nothing behind.
//!
//! The engine is `examples/scripted_engine`. The deadlines are generous: no test depends on speed.
#![cfg(unix)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};
use uci::grammar::{Go, Info, PositionCommand, Reply, StartPosition};
use uci::{
    Cancel, Client, CommandLine, Direction, EngineError, Event, MAX_LINE, News, Process, Received,
    SendError, State, Surprise, Wait,
};

/// Time for what should come.
const PLENTY: Duration = Duration::from_mins(1);
/// Time for what should not come.
const LITTLE: Duration = Duration::from_millis(300);

fn fake(flags: &[&str]) -> CommandLine {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("target/debug/deps/test");
    let path: PathBuf = folder.join("examples/scripted_engine");
    assert!(
        path.exists(),
        "{} is missing: cargo build -p touchstone-testkit --examples",
        path.display()
    );
    flags.iter().fold(
        CommandLine::new(path).argument("--first-move"),
        CommandLine::argument,
    )
}

fn start(flags: &[&str]) -> Client {
    Client::start(&fake(flags), Cancel::new()).expect("the fake engine starts")
}

/// An engine whose handshake is done.
fn idle(flags: &[&str]) -> Client {
    let mut client = start(flags);
    client.handshake(PLENTY).expect("a handshake");
    client
}

fn startpos() -> PositionCommand {
    PositionCommand {
        start: StartPosition::Startpos,
        moves: Vec::new(),
    }
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

/// The best move of a search of depth 1, or the text of the error.
fn go(client: &mut Client, timeout: Duration) -> Result<Reply, String> {
    client
        .go(startpos(), depth_1(), timeout, |_, _| {})
        .map(|searched| searched.best_move.reply)
        .map_err(|error| error.to_string())
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

fn lives(pid: i32) -> bool {
    let pid = Pid::from_raw(pid).expect("a process has a number");
    test_kill_process(pid).is_ok()
}

fn pid_of(client: &Client) -> i32 {
    i32::try_from(client.process().id()).expect("numbers of processes are small")
}

#[test]
fn a_good_engine_is_driven_by_uci() {
    let mut client = start(&[]);
    assert_eq!(client.state(), State::New);
    client.handshake(PLENTY).expect("a handshake");
    assert_eq!(client.id().name.as_deref(), Some("Faulty Engine"));
    assert_eq!(client.options().len(), 6);
    client.set_option("hash", Some("64")).expect("it has Hash");
    client
        .set_option("Clear Hash", None)
        .expect("it has a button");
    let error = client
        .set_option("Contempt", Some("1"))
        .expect_err("no such option");
    assert_eq!(error.to_string(), "the engine has no option 'Contempt'");
    client.new_game(PLENTY).expect("it gets ready");
    let mut infos: Vec<Info> = Vec::new();
    let searched = client
        .go(startpos(), depth_1(), PLENTY, |_, event| {
            if let Event::Info(info) = event {
                infos.push((**info).clone());
            }
        })
        .expect("a best move");
    assert_eq!(searched.best_move.reply, first_move());
    assert!(searched.started <= searched.ended);
    assert_eq!(infos.len(), 1);
    assert_eq!(infos[0].depth, Some(1));
    let transcript = client.transcript();
    let sent: Vec<&str> = transcript
        .entries()
        .filter(|entry| entry.direction == Direction::Sent)
        .map(|entry| &*entry.text)
        .collect();
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
    assert!(!lives(pid), "it is reaped");
}

#[test]
fn a_good_engine_is_driven_line_by_line() {
    let mut client = start(&[]);
    client
        .send_line("position startpos moves e2e4")
        .expect("it reads");
    client.send_line("go perft 2").expect("it reads");
    let mut moves = 0;
    loop {
        let line = line(&mut client);
        if line == "Nodes searched: 600" {
            break;
        }
        moves += usize::from(line.contains(": "));
    }
    assert_eq!(moves, 20);
    let error = client.send_line("isready\nquit").expect_err("two lines");
    assert_eq!(
        error.to_string(),
        "\"isready\\nquit\" is more than one line"
    );
    client
        .handshake(PLENTY)
        .expect("it lives, and the rest is passed over");
}

#[test]
fn a_search_ends_by_stop() {
    let mut client = idle(&[]);
    client
        .start_search(startpos(), infinite(), PLENTY)
        .expect("it reads");
    client
        .synchronise(PLENTY)
        .expect_err("a search is under way");
    client.stop(PLENTY).expect("it reads");
    let mut event = client.next_event(within(PLENTY)).expect("it lives");
    while let Some((_, Event::Info(_))) = event {
        event = client.next_event(within(PLENTY)).expect("it lives");
    }
    assert!(matches!(
        event,
        Some((_, Event::BestMove { stopped: true, .. }))
    ));
    client.synchronise(PLENTY).expect("it is idle");
}

#[test]
fn what_cannot_be_started_says_why() {
    let error = Client::start(&CommandLine::new("./no such engine"), Cancel::new());
    assert_eq!(
        error.expect_err("it does not exist").to_string(),
        "cannot start './no such engine': No such file or directory (os error 2)"
    );
    let folder = fake(&[]).directory("/no/such/folder");
    assert!(matches!(
        Client::start(&folder, Cancel::new()),
        Err(EngineError::Start { .. })
    ));
}

#[test]
fn crashes_are_distinguished() {
    let error = start(&["--crash-at-start=1"])
        .handshake(PLENTY)
        .expect_err("it ends");
    assert_eq!(
        error.to_string(),
        "the engine ended with exit code 1 before uciok"
    );
    let rows = [
        ("panic", "ended with exit code 101"),
        ("abort", "was killed by signal 6 (SIGABRT)"),
        ("3", "ended with exit code 3"),
        ("0", "ended with exit code 0"),
    ];
    for (how, exit) in rows {
        let mut client = idle(&[&format!("--crash={how}")]);
        let pid = pid_of(&client);
        let expected = format!("the engine {exit} before bestmove");
        assert_eq!(go(&mut client, PLENTY), Err(expected));
        assert_eq!(client.state(), State::Ended);
        assert!(!lives(pid), "it is reaped");
        if how == "panic" {
            let transcript = client.transcript().to_string();
            assert!(transcript.contains("! as asked"), "{transcript}");
        }
        let error = client.send_line("isready").expect_err("it is dead");
        assert_eq!(error.to_string(), format!("the engine {exit}"));
    }
}

#[test]
fn silence_ends_by_the_deadline() {
    let late = |wait: &str| format!("no {wait} within 0.3 s");
    for flag in ["--silent", "--deaf", "--no-uciok", "--slow-uciok=60000"] {
        let mut client = start(&[flag]);
        let error = client.handshake(LITTLE).expect_err("no uciok");
        assert_eq!(error.to_string(), late("uciok"), "{flag}");
        assert_eq!(client.state(), State::Failed);
    }
    let mut client = idle(&["--hang-on-isready"]);
    let error = client.synchronise(LITTLE).expect_err("no readyok");
    assert_eq!(error.to_string(), late("readyok"));
    assert_eq!(go(&mut idle(&["--hang"]), LITTLE), Err(late("bestmove")));
    assert_eq!(
        go(&mut idle(&["--late=60000"]), LITTLE),
        Err(late("bestmove"))
    );
}

#[test]
fn a_slow_handshake_is_waited_for() {
    let mut client = start(&["--slow-uciok=200"]);
    client.handshake(PLENTY).expect("it comes");
}

#[test]
fn a_stop_that_is_ignored_ends_by_the_deadline() {
    let mut client = idle(&["--ignore-stop"]);
    let error = client
        .go(startpos(), infinite(), LITTLE, |_, _| {})
        .expect_err("it searches on");
    assert!(matches!(
        error,
        EngineError::TimedOut {
            wait: Wait::BestMove,
            ..
        }
    ));
    client.stop(LITTLE).expect("it reads");
    let error = client
        .next_event(within(PLENTY))
        .expect_err("it searches on");
    assert_eq!(error.to_string(), "no bestmove after stop within 0.3 s");
    assert_eq!(client.state(), State::Failed);
}

#[test]
fn a_quit_that_is_ignored_ends_by_force() {
    let client = idle(&["--ignore-quit"]);
    let pid = pid_of(&client);
    let farewell = client.quit(LITTLE);
    assert!(farewell.was_killed);
    assert_eq!(
        farewell.exit.to_string(),
        "was killed by signal 9 (SIGKILL)"
    );
    assert!(!lives(pid), "it is reaped");
}

#[test]
fn best_moves_come_as_they_are() {
    assert_eq!(
        go(&mut idle(&["--illegal-move"]), PLENTY),
        Ok(Reply::Move("a1a1".parse().expect("well formed")))
    );
    assert_eq!(go(&mut idle(&["--late=100"]), PLENTY), Ok(first_move()));
    let mut client = idle(&["--no-final-newline"]);
    assert_eq!(go(&mut client, PLENTY), Ok(first_move()));
    assert_eq!(
        client.next_line(within(PLENTY)).expect("readable"),
        Received::Eof
    );
}

#[test]
fn a_second_best_move_is_a_surprise() {
    let mut client = idle(&["--repeat"]);
    assert_eq!(go(&mut client, PLENTY), Ok(first_move()));
    let event = client.next_event(within(PLENTY)).expect("it lives");
    let Some((_, Event::Surprise { surprise, .. })) = event else {
        panic!("{event:?} in place of a surprise");
    };
    assert_eq!(surprise, Surprise::BestMove);
    client.synchronise(PLENTY).expect("it is idle");
}

#[test]
fn a_closed_output_is_not_an_ended_engine() {
    let mut client = idle(&["--close-stdout-at-start"]);
    let error = client.synchronise(PLENTY).expect_err("nothing can come");
    assert_eq!(
        error.to_string(),
        "the engine closed its standard output before readyok, but lives on"
    );
    assert!(lives(pid_of(&client)));
}

#[test]
fn a_closed_input_is_an_error() {
    let mut client = idle(&["--close-stdin-at-start"]);
    assert_eq!(line(&mut client), "info string closed");
    let error = client.send_line("isready").expect_err("nobody reads");
    assert_eq!(
        error.to_string(),
        "the engine has closed its standard input"
    );
}

#[test]
fn a_flood_ends_by_the_deadline() {
    let mut client = idle(&["--flood"]);
    let mut lines = 0_u64;
    let error = client
        .go(startpos(), depth_1(), LITTLE, |_, _| lines += 1)
        .expect_err("no best move");
    assert_eq!(error.to_string(), "no bestmove within 0.3 s");
    assert!(lines > 0);
    let farewell = client.quit(LITTLE);
    assert!(farewell.was_killed);
}

#[test]
fn an_engine_that_does_not_read_is_given_up() {
    let mut client = start(&["--deaf"]);
    client.set_send_timeout(LITTLE);
    let long = "x".repeat(1 << 20);
    let error = client.send_line(&long).expect_err("no pipe is that large");
    assert_eq!(
        error.to_string(),
        "the engine did not read its standard input for 0.3 s"
    );
    let error = client
        .send_line("isready")
        .expect_err("half a line has gone");
    assert!(matches!(error, EngineError::Send(SendError::Closed)));
}

/// An engine that floods us does not read; what it prints meanwhile is bounded by waiting.
#[test]
fn an_engine_that_writes_and_does_not_read_is_given_up() {
    let mut client = idle(&["--flood"]);
    client.set_send_timeout(LITTLE);
    client.send_line("go").expect("it reads");
    let error = client
        .send_line(&"x".repeat(1 << 20))
        .expect_err("it does not read");
    assert!(matches!(
        error,
        EngineError::Send(SendError::TimedOut { .. })
    ));
}

#[test]
fn standard_error_never_blocks() {
    let mut client = idle(&["--stderr=3000000"]);
    assert_eq!(go(&mut client, PLENTY), Ok(first_move()));
    let farewell = client.quit(PLENTY);
    assert!(!farewell.was_killed);
}

#[test]
fn the_end_of_standard_error_is_kept() {
    let script = "i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done";
    let command = CommandLine::new("/bin/sh").argument("-c").argument(script);
    let mut process = Process::start(&command, Cancel::new()).expect("a shell");
    assert!(
        process
            .wait(within(PLENTY))
            .is_some_and(|exit| exit.is_success())
    );
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
    let mut client = idle(&["--long-line=3000000"]);
    assert_eq!(go(&mut client, PLENTY), Ok(first_move()));
}

#[test]
fn garbage_is_passed_over() {
    let mut client = idle(&["--garbage"]);
    assert_eq!(go(&mut client, PLENTY), Ok(first_move()));
    let transcript = client.transcript().to_string();
    assert!(transcript.contains("\\u{0}\\u{1b}[31m"), "{transcript}");
}

#[test]
fn children_of_an_engine_die_with_it() {
    let child = |client: &mut Client| {
        let line = line(client);
        let number = line.strip_prefix("info string child ").expect("a child");
        number.parse::<i32>().expect("a number")
    };
    let mut client = idle(&["--leave-child-at-start"]);
    let pid = child(&mut client);
    assert!(lives(pid));
    drop(client);
    assert_gone(pid);

    let mut client = idle(&["--leave-child-at-start"]);
    let pid = child(&mut client);
    let farewell = client.quit(PLENTY);
    assert!(
        farewell.exit.is_success(),
        "it quits by itself, though its pipe stays open"
    );
    assert_gone(pid);

    let mut client = idle(&["--leave-child-at-start", "--crash=3"]);
    let pid = child(&mut client);
    let crashed = "the engine ended with exit code 3 before bestmove".to_owned();
    assert_eq!(go(&mut client, PLENTY), Err(crashed));
    assert_gone(pid);
}

/// A killed grandchild is reaped by another process than ours, when that comes to it.
fn assert_gone(pid: i32) {
    let deadline = within(PLENTY);
    while lives(pid) && !is_zombie(pid) {
        assert!(within(Duration::ZERO) < deadline, "{pid} lives on");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[expect(clippy::disallowed_methods, reason = "the state of a process")]
fn is_zombie(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| stat.contains(") Z "))
}

#[test]
fn work_can_be_cancelled() {
    let cancel = Cancel::new();
    let mut client = Client::start(&fake(&[]), cancel.clone()).expect("it starts");
    client.handshake(PLENTY).expect("a handshake");
    let canceller = std::thread::spawn({
        let cancel = cancel.clone();
        move || cancel.set()
    });
    let error = client
        .go(startpos(), infinite(), PLENTY, |_, _| {})
        .expect_err("cancelled");
    assert_eq!(error.to_string(), "cancelled");
    canceller.join().expect("no panic");
    assert_eq!(
        client.next_line(within(PLENTY)).expect("readable"),
        Received::Cancelled
    );
}

#[test]
fn directory_and_environment_are_set() {
    let command = CommandLine::new("/bin/sh")
        .argument("-c")
        .argument("pwd; echo $FAKE_SETTING")
        .directory("/")
        .variable("FAKE_SETTING", "a b");
    let mut client = Client::start(&command, Cancel::new()).expect("a shell");
    assert_eq!(line(&mut client), "/");
    assert_eq!(line(&mut client), "a b");
    assert_eq!(
        client.next_line(within(PLENTY)).expect("readable"),
        Received::Eof
    );
    assert_eq!(
        client.ended().to_string(),
        "the engine ended with exit code 0"
    );
}

#[test]
fn times_without_end_are_times() {
    let mut client = start(&[]);
    client.set_send_timeout(Duration::MAX);
    client.handshake(Duration::MAX).expect("a handshake");
    assert_eq!(go(&mut client, Duration::MAX), Ok(first_move()));
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
            assert_eq!(go(&mut client, PLENTY), Ok(first_move()));
        }
        client
            .start_written_search("position startpos", "go depth 1", PLENTY)
            .expect("it is idle");
        let mut infos = 0;
        loop {
            match client.next_news(within(PLENTY)).expect("it answers") {
                Some(News::Info(line)) => {
                    assert!(line.text.starts_with("info depth 1"), "{}", line.text);
                    infos += 1;
                }
                Some(News::Event(_, Event::BestMove { best_move, .. })) => {
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
    for _ in 0..2 {
        let Ok(Received::Line(line)) = client.next_line(within(PLENTY)) else {
            panic!("no line");
        };
        assert_eq!(line.text, "readyok");
    }
    let transcript = client.transcript().to_string();
    assert!(transcript.contains("> ady\\r\\nisready\\n"), "{transcript}");
}

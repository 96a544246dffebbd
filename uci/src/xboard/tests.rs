//! Whole dialogues with a session, without a process.

use std::time::{Duration, Instant};

use super::{XboardCommand, XboardSession};
use crate::grammar::{Command, Go, Message, Reply};
use crate::{ClaimKind, SessionError, SessionEvent, SessionState, Wait};

const SECOND: Duration = Duration::from_secs(1);

/// A session, and the time of its dialogue.
struct Bed {
    session: XboardSession,
    now: Instant,
}

fn written(commands: &[XboardCommand]) -> Vec<String> {
    commands.iter().map(ToString::to_string).collect()
}

impl Bed {
    fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "any time will do")]
        let now = Instant::now();
        let mut session = XboardSession::default();
        let commands = session.handshake(now, 2 * SECOND, 30 * SECOND);
        let commands = commands.expect("nothing was sent");
        assert_eq!(written(&commands), ["xboard", "protover 2"]);
        Self { session, now }
    }

    /// After the handshake with an engine of these features.
    fn with(features: &str) -> Self {
        let mut bed = Self::new();
        let event = bed.line(&format!("feature {features} done=1"));
        assert_eq!(event, SessionEvent::HandshakeDone);
        bed.session.take_replies();
        bed
    }

    fn line(&mut self, line: &str) -> SessionEvent {
        self.session.line(line, self.now)
    }

    fn announce(&mut self, chess960: bool) -> Vec<String> {
        let commands = self
            .session
            .announce_game(chess960, false, self.now, SECOND);
        written(&commands.expect("idle"))
    }

    fn try_go(&mut self, position: &str, go: &str) -> Result<Vec<String>, SessionError> {
        let Ok(Command::Position(position)) = format!("position {position}").parse() else {
            panic!("{position}");
        };
        let Ok(Command::Go(go)) = format!("go {go}").trim().parse::<Command>() else {
            panic!("{go}");
        };
        let go: Go = go;
        let commands = self.session.go(&position, &go, self.now, Duration::MAX)?;
        Ok(written(&commands))
    }

    #[track_caller]
    fn go(&mut self, position: &str, go: &str, expected: &[&str]) {
        assert_eq!(self.try_go(position, go).expect("idle"), expected);
    }

    /// The answer to a line that ends the search.
    #[track_caller]
    fn reply(&mut self, line: &str) -> Reply {
        match self.line(line) {
            SessionEvent::BestMove { best_move, .. } => best_move.reply,
            event => panic!("{line}: {event:?}"),
        }
    }

    #[track_caller]
    fn moves(&mut self, line: &str, expected: &str) {
        assert_eq!(self.reply(line).to_string(), expected, "{line}");
    }
}

#[test]
fn a_game_is_sent_move_by_move() {
    let mut bed = Bed::with("ping=1 setboard=1 usermove=1 colors=0");
    assert_eq!(
        bed.announce(false),
        ["new", "force", "post", "easy", "ping 1"]
    );
    assert_eq!(bed.session.waiting(), Some(Wait::Pong));
    assert_eq!(
        bed.line("pong 7"),
        SessionEvent::Other(Message::Other("pong 7".to_owned()))
    );
    assert_eq!(bed.line("pong 1"), SessionEvent::Ready);
    bed.go(
        "startpos moves e2e4 e7e5",
        "wtime 10000 btime 9870 winc 100 binc 100",
        &[
            "level 0 0:10 0.1",
            "usermove e2e4",
            "usermove e7e5",
            "time 1000",
            "otim 987",
            "go",
        ],
    );
    // GNU Chess prints its move in two ways.
    bed.moves("3. ... g1f3", "g1f3");
    assert!(matches!(
        bed.line("My move is : g1f3"),
        SessionEvent::Other(_)
    ));
    bed.go(
        "startpos moves e2e4 e7e5 g1f3 b8c6",
        "wtime 9009 btime 8000 winc 100 binc 100",
        &["time 900", "otim 800", "usermove b8c6"],
    );
    bed.moves("move Bb5", "f1b5");
    assert_eq!(bed.session.state(), SessionState::Idle);
    assert_eq!(
        written(&bed.session.end_game("1-0 {mate}")),
        ["force", "result 1-0 {mate}"]
    );
    assert_eq!(bed.session.end_game("1-0"), []);
}

#[test]
fn limits_are_sent_with_the_first_move() {
    let rows = rows![
        "", "wtime 60000 btime 60000 movestogo 40" => vec!["level 40 1 0", "time 6000", "otim 6000"];
        "", "movetime 3000" => vec!["st 3", "time 300", "otim 300"];
        "", "depth 6" => vec!["level 0 600 0", "sd 6", "time 3600000", "otim 3600000"];
        "", "wtime 500 btime 5000 depth 6" => vec!["level 0 0:01 0", "sd 6", "time 50", "otim 500"];
        "nps=1", "nodes 5000" => vec!["nps 5000", "st 1", "time 100", "otim 100"];
        "time=0", "movetime 3000" => vec!["st 3"];
        "nps=0", "nodes 5000" => vec!["level 0 600 0", "time 3600000", "otim 3600000"];
    ];
    for (features, go, expected) in rows {
        let mut bed = Bed::with(features);
        bed.announce(false);
        // Without ping, the engine counts as ready at once.
        assert_eq!(bed.session.state(), SessionState::Idle);
        bed.go("startpos", go, &[&expected[..], &["go"]].concat());
        bed.moves("move e2e4", "e2e4");
        // Only the clocks are sent again.
        let commands = bed.try_go("startpos moves e2e4 e7e5", go).expect("idle");
        assert!(
            commands
                .iter()
                .all(|one| !one.starts_with("level") && !one.starts_with('s'))
        );
    }
}

#[test]
fn black_gets_its_own_clock() {
    let mut bed = Bed::with("setboard=1");
    bed.announce(false);
    bed.go(
        "fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
        "wtime 2000 btime 70000 binc 10",
        &[
            "level 0 1:10 0.01",
            "setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "time 7000",
            "otim 200",
            "go",
        ],
    );
}

#[test]
fn without_setboard_pieces_are_put_one_by_one() {
    let mut bed = Bed::with("ping=0");
    bed.announce(false);
    bed.go(
        "fen 4k3/8/8/8/8/8/4P3/R3K3 b Q - 0 1",
        "movetime 1000",
        &[
            "st 1", "a2a3", "edit", "#", "Ra1", "Ke1", "Pe2", "c", "Ke8", ".", "time 100",
            "otim 100", "go",
        ],
    );
    let rows = rows![
        "fen r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1" => "these castling rights";
        "fen 4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1" => "the en passant square";
    ];
    for (position, what) in rows {
        let mut bed = Bed::with("");
        bed.announce(false);
        let error = bed
            .try_go(position, "movetime 1000")
            .expect_err(what)
            .to_string();
        let expected = format!(
            "the engine has no feature setboard, and its command edit cannot express {what} of "
        );
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn chess960_castles_in_san() {
    let fen = "fen r3k2r/8/8/8/8/8/8/R3K1R1 w GAha - 0 1";
    let mut bed = Bed::with(r#"setboard=1 variants="normal, fischerandom""#);
    assert_eq!(bed.session.check(true, false), Ok(()));
    assert_eq!(
        bed.announce(true),
        ["new", "variant fischerandom", "force", "post", "easy"]
    );
    let commands = bed.try_go(fen, "movetime 1000").expect("idle");
    assert_eq!(
        commands[1],
        "setboard r3k2r/8/8/8/8/8/8/R3K1R1 w GAha - 0 1"
    );
    bed.moves("move O-O", "e1g1");
    bed.go(
        &format!("{fen} moves e1g1 e8a8"),
        "movetime 1000",
        &["time 100", "otim 100", "O-O-O"],
    );
    let mut bed = Bed::with(r#"variants="normal,crazyhouse""#);
    assert_eq!(
        bed.session.check(true, false),
        Err(SessionError::NoFischerandom)
    );
    assert_eq!(
        bed.session.check(false, true),
        Err(SessionError::NoNodeLimit)
    );
    bed.announce(false);
}

#[test]
fn moves_in_every_notation() {
    let fen = "fen r3k3/6P1/8/8/8/2N5/8/R3K1N1 w Q - 0 1";
    let rows = rows![
        "move g7g8q" => "g7g8q";
        "move g7g8Q" => "g7g8q";
        "move g7g8=n" => "g7g8n";
        "move g8=R+" => "g7g8r";
        "move Nce2" => "c3e2";
        "move e1c1" => "e1c1";
        "move O-O-O" => "e1c1";
        "move 0-0-0" => "e1c1";
        "1. ... Kf1" => "e1f1";
    ];
    for (line, expected) in rows {
        let mut bed = Bed::with("setboard=1");
        bed.announce(false);
        bed.try_go(fen, "movetime 1000").expect("idle");
        bed.moves(line, expected);
    }
    let illegal = |text: &str| Reply::Illegal(text.to_owned());
    let rows = rows![
        "move Nd2" => illegal("Nd2");
        "move Ne2" => illegal("Ne2");
        "move e1e3" => Reply::Move("e1e3".parse().expect("a move"));
        "move ???" => Reply::Unreadable("???".to_owned());
        "move" => Reply::Unreadable(String::new());
    ];
    for (line, expected) in rows {
        let mut bed = Bed::with("setboard=1");
        bed.announce(false);
        bed.try_go(fen, "movetime 1000").expect("idle");
        assert_eq!(bed.reply(line), expected, "{line}");
    }
    let mut bed = Bed::with("san=1");
    bed.announce(false);
    let commands = bed.try_go("startpos moves g1f3 b8c6", "movetime 1000");
    assert_eq!(commands.expect("idle")[1..3], ["Nf3", "Nc6"]);
}

#[test]
fn features_may_pause_for_less_than_at_first() {
    let mut bed = Bed::new();
    assert_eq!(bed.session.deadline(), Some(bed.now + 10 * SECOND));
    bed.now += SECOND;
    bed.line("feature ping=1");
    assert_eq!(bed.session.deadline(), Some(bed.now + 2 * SECOND));
    bed.line("feature done=0");
    assert_eq!(bed.session.deadline(), Some(bed.now + 29 * SECOND));
}

#[test]
fn features_are_answered_and_the_handshake_ends() {
    let mut bed = Bed::new();
    assert_eq!(
        bed.line("Welcome to the engine"),
        SessionEvent::Other(Message::Other("Welcome to the engine".to_owned()))
    );
    assert_eq!(
        bed.line(r#"feature done=0 myname="Old 1""#),
        SessionEvent::Declared
    );
    bed.now += 20 * SECOND;
    assert_eq!(bed.session.tick(bed.now), Ok(None));
    let event =
        bed.line(r#"feature ping=1 telepathy=1 memory=1 smp=1 egt="syzygy, scorpio" reuse=0"#);
    assert_eq!(event, SessionEvent::Declared);
    let replies = written(&bed.session.take_replies());
    assert_eq!(
        replies.join(", "),
        "accepted done, accepted myname, accepted ping, rejected telepathy, \
        accepted memory, accepted smp, accepted egt, accepted reuse"
    );
    assert_eq!(bed.line("feature done=1"), SessionEvent::HandshakeDone);
    assert_eq!(bed.session.identity().name.as_deref(), Some("Old 1"));
    assert!(!bed.session.can_be_reused());
    let set = |name, value| {
        bed.session
            .set_option(name, Some(value))
            .map(|one| one.to_string())
    };
    let rows = rows![
        "memory", "64" => Ok("memory 64".to_owned());
        "Hash", "64" => Ok("memory 64".to_owned());
        "threads", "2" => Ok("cores 2".to_owned());
        "egtpath syzygy", "/a b" => Ok("egtpath syzygy /a b".to_owned());
        "Threads", "0" => Err("option 'cores' cannot be \"0\", expected a number from 1".to_owned());
        "Skill", "1" => Err("the engine has no option 'Skill'".to_owned());
    ];
    for (name, value, expected) in rows {
        assert_eq!(
            set(name, value).map_err(|error| error.to_string()),
            expected
        );
    }
}

#[test]
fn options_are_written_with_their_values() {
    let bed = Bed::with(
        r#"option="Book -check 1" option="Clear -button" option="Hash -spin 16 1 64" option="Style -combo Solid /// *Wild" memory=1"#,
    );
    let rows = rows![
        "book", Some("true") => "option Book=1";
        "Book", Some("0") => "option Book=0";
        "Clear", None => "option Clear";
        "Hash", Some("32") => "option Hash=32";
        "Style", Some("wild") => "option Style=Wild";
    ];
    for (name, value, expected) in rows {
        let command = bed.session.set_option(name, value).expect(name);
        assert_eq!(command.to_string(), expected);
    }
}

#[test]
fn an_engine_without_features_is_ready_after_some_silence() {
    let mut bed = Bed::new();
    assert_eq!(bed.session.deadline(), Some(bed.now + 10 * SECOND));
    bed.line("Chess");
    assert_eq!(bed.session.tick(bed.now + 9 * SECOND), Ok(None));
    assert_eq!(
        bed.session.tick(bed.now + 10 * SECOND),
        Ok(Some(SessionEvent::HandshakeDone))
    );
    assert_eq!(bed.session.state(), SessionState::Idle);
    // Features count whenever they come.
    assert_eq!(bed.line("feature ping=1 done=1"), SessionEvent::Declared);
    assert_eq!(
        bed.announce(false).last().map(String::as_str),
        Some("ping 1")
    );
}

#[test]
fn an_engine_that_rejects_protover_has_no_features() {
    for line in [
        "Error (unknown command): protover",
        "Error (unknown command): protover 2",
        "Illegal move: protover 2",
    ] {
        let mut bed = Bed::new();
        assert_eq!(bed.line(line), SessionEvent::HandshakeDone, "{line}");
        // Once is enough.
        assert!(matches!(bed.line(line), SessionEvent::Other(_)), "{line}");
    }
    let mut bed = Bed::new();
    bed.line("Error (unknown command): xboard");
    assert_eq!(bed.session.state(), SessionState::Handshaking);
}

#[test]
fn overdue_answers() {
    let mut bed = Bed::new();
    bed.line("feature done=0");
    let late = bed.now + 30 * SECOND;
    assert_eq!(bed.session.tick(late), Err((Wait::Features, 30 * SECOND)));
    let mut bed = Bed::with("ping=1");
    bed.announce(false);
    assert_eq!(
        bed.session.tick(bed.now + SECOND),
        Err((Wait::Pong, SECOND))
    );
    assert_eq!(bed.session.state(), SessionState::Failed);
    let mut bed = Bed::with("");
    bed.announce(false);
    bed.try_go("startpos", "depth 3").expect("idle");
    assert_eq!(
        bed.session
            .stop(bed.now, SECOND)
            .expect("it searches")
            .to_string(),
        "?"
    );
    assert_eq!(
        bed.session.tick(bed.now + SECOND),
        Err((Wait::MoveAfterStop, SECOND))
    );
}

/// An engine that plays White, and has been asked for its second move.
fn playing() -> Bed {
    let mut bed = Bed::with("");
    bed.announce(false);
    bed.try_go("startpos", "depth 3").expect("idle");
    bed.moves("move e2e4", "e2e4");
    bed.try_go("startpos moves e2e4 e7e5", "depth 3")
        .expect("idle");
    bed
}

#[test]
fn claims_during_a_search() {
    let rows = rows![
        "resign" => ClaimKind::Resigned;
        "0-1 {White resigns}" => ClaimKind::Resigned;
        "computer resigns" => ClaimKind::Resigned;
        "White resigns" => ClaimKind::Resigned;
        "Black mates" => ClaimKind::Resigned;
        "opponent mates" => ClaimKind::Resigned;
        "Illegal move: e7e5" => ClaimKind::RejectedMove;
        "illegal move: e7e5" => ClaimKind::RejectedMove;
        "Illegal move (in check): e7e5" => ClaimKind::RejectedMove;
        "Illegal move: e7e5 (in check)" => ClaimKind::RejectedMove;
        "Illegal move: usermove e7e5." => ClaimKind::RejectedMove;
        "Illegal move 'e7e5'" => ClaimKind::RejectedMove;
        "Error (unknown command): e7e5" => ClaimKind::RejectedMove;
    ];
    for (line, kind) in rows {
        let SessionEvent::Claim(claim) = playing().line(line) else {
            panic!("{line}");
        };
        assert_eq!((claim.kind, &*claim.text), (kind, line));
    }
    for line in [
        "Illegal move: time",
        "Error (unknown command): otim",
        "Illegal move: e7e6",
        "Illegal move",
        "offer draw",
        "tellics resign",
        "Hint: d2d4",
        "1-1",
    ] {
        let event = playing().line(line);
        assert_eq!(event, SessionEvent::Other(Message::Other(line.to_owned())));
    }
}

#[test]
fn a_result_counts_if_no_move_follows() {
    for line in [
        "1-0 {White mates}",
        "1/2-1/2 {Draw by repetition}",
        "White mates",
        "Black resigns",
        "computer mates",
        "checkmate",
        "Draw",
        "game is a draw",
    ] {
        let mut bed = playing();
        assert!(matches!(bed.line(line), SessionEvent::Other(_)));
        assert_eq!(bed.session.deadline(), Some(bed.now + SECOND));
        assert_eq!(bed.session.tick(bed.now), Ok(None));
        let Ok(Some(SessionEvent::Claim(claim))) = bed.session.tick(bed.now + SECOND) else {
            panic!("{line}");
        };
        assert_eq!((claim.kind, &*claim.text), (ClaimKind::Result, line));
    }
}

#[test]
fn a_result_after_a_move_counts_if_the_game_goes_on() {
    for is_before in [true, false] {
        let mut bed = playing();
        let claim = "1/2-1/2 {Draw by repetition}";
        if is_before {
            bed.line(claim);
        }
        bed.moves("move d2d4", "d2d4");
        if !is_before {
            bed.line(claim);
        }
        assert_eq!(bed.session.deadline(), None);
        assert_eq!(bed.session.tick(bed.now + SECOND), Ok(None));
        bed.try_go("startpos moves e2e4 e7e5 d2d4 e5d4", "depth 3")
            .expect("idle");
        let event = bed.session.tick(bed.now);
        assert!(
            matches!(event, Ok(Some(SessionEvent::Claim(_)))),
            "{event:?}"
        );
    }
    // A new game forgets it.
    let mut bed = playing();
    bed.moves("move d2d4", "d2d4");
    bed.line("1-0 {White mates}");
    bed.announce(false);
    bed.line("1-0 {White mates}");
    bed.try_go("startpos", "depth 3").expect("idle");
    assert_eq!(bed.session.tick(bed.now + SECOND), Ok(None));
}

#[test]
fn extra_moves_are_surprises_and_change_nothing() {
    let mut bed = playing();
    bed.moves("move d2d4", "d2d4");
    assert!(matches!(
        bed.line("move d2d4"),
        SessionEvent::Surprise(Message::BestMove(_))
    ));
    bed.go(
        "startpos moves e2e4 e7e5 d2d4 e5d4",
        "depth 3",
        &["time 3600000", "otim 3600000", "e5d4"],
    );
}

#[test]
fn thinking_is_info_with_the_moves_of_the_board() {
    let mut bed = playing();
    let rows = rows![
        "9 35 12 4800 2. Nf3 Nc6 3. Bb5 a6?" => " depth 9 score cp 35 upperbound nodes 4800 time 120 pv g1f3 b8c6 f1b5 a7a6";
        "9 35 12 4800 g1f3 Nc6 (book)" => " depth 9 score cp 35 nodes 4800 time 120 pv g1f3 b8c6";
        "9 100002 12 4800\tBc4" => " depth 9 score mate 2 nodes 4800 time 120 pv f1c4";
    ];
    for (line, expected) in rows {
        let SessionEvent::Info(info) = bed.line(line) else {
            panic!("{line}");
        };
        assert_eq!(info.to_string(), expected);
    }
}

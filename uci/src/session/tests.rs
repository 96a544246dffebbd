//! Complete dialogues, without a process.

use super::*;
use crate::grammar::Reply;

/// A session with a manual clock.
struct Talk {
    session: Session,
    now: Instant,
}

const SECOND: Duration = Duration::from_secs(1);

impl Talk {
    fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "any time will do")]
        let now = Instant::now();
        let session = Session::default();
        Self { session, now }
    }

    /// A session after the handshake.
    fn idle() -> Self {
        let mut talk = Self::new();
        talk.session.handshake(talk.now, SECOND).expect("new");
        for line in [
            "id name Fake 1",
            "id author Nobody",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Style type combo default Solid var Solid var Very Risky",
            "option name Book File type string default <empty>",
            "option name Contempt type spin default 0",
        ] {
            assert_eq!(talk.session.line(line), SessionEvent::Declared);
        }
        assert_eq!(talk.session.line("uciok"), SessionEvent::HandshakeDone);
        talk
    }

    fn searching() -> Self {
        let mut talk = Self::idle();
        let commands = talk.go(Go::default()).expect("idle");
        assert_eq!(commands, ["position startpos", "go"]);
        talk
    }

    fn go(&mut self, go: Go) -> Result<[String; 2], SessionError> {
        let position = PositionCommand::default();
        let commands = self.session.go(position, go, self.now, SECOND)?;
        Ok(commands.map(|command| command.to_string()))
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Result<String, String> {
        self.session
            .set_option(name, value)
            .map(|command| command.to_string())
            .map_err(|error| error.to_string())
    }

    /// Asserts that a line is unexpected and changes nothing.
    fn surprise(&mut self, line: &str) {
        let state = self.session.state();
        let event = self.session.line(line);
        assert_eq!(event, SessionEvent::Surprise(Message::parse(line)));
        assert_eq!(self.session.state(), state, "a surprise changes nothing");
    }

    /// The best move of a line, and whether the search was stopped.
    fn best_move(&mut self, line: &str) -> (Reply, bool) {
        match self.session.line(line) {
            SessionEvent::BestMove { best_move, stopped } => (best_move.reply, stopped),
            other => panic!("{line} gave {other:?}"),
        }
    }

    /// Advances the clock by a second, and returns what was overdue.
    fn a_second_later(&mut self) -> Option<(Wait, Duration)> {
        assert_eq!(self.session.tick(self.now), None);
        self.now += SECOND;
        self.session.tick(self.now)
    }
}

fn e2e4() -> Reply {
    Reply::Move("e2e4".parse().expect("a move"))
}

#[test]
fn a_game_s_dialogue() {
    let mut talk = Talk::new();
    let (now, session) = (talk.now, &mut talk.session);
    assert_eq!(session.handshake(now, SECOND), Ok(Command::Uci));
    assert_eq!(session.deadline(), Some(now + SECOND));
    let noise = Message::Other("Fake 1 by Nobody".into());
    assert_eq!(session.line("Fake 1 by Nobody"), SessionEvent::Other(noise));
    assert_eq!(session.line(" id name  Fake 1\r"), SessionEvent::Declared);
    assert_eq!(session.line("uciok"), SessionEvent::HandshakeDone);
    assert_eq!(session.identity().name.as_deref(), Some("Fake 1"));
    assert_eq!(session.identity().author, None);
    assert_eq!(session.deadline(), None);

    assert_eq!(session.new_game(), Ok(Command::UciNewGame));
    assert_eq!(session.synchronise(now, SECOND), Ok(Command::IsReady));
    assert_eq!(session.waiting(), Some(Wait::ReadyOk));
    assert_eq!(session.line("readyok"), SessionEvent::Ready);

    talk.go(Go::default()).expect("idle");
    let info = talk.session.line("info depth 1");
    assert!(matches!(info, SessionEvent::Info(info) if info.depth == Some(1)));
    assert_eq!(talk.best_move("bestmove e2e4"), (e2e4(), false));
    assert_eq!(talk.session.state(), SessionState::Idle);

    assert_eq!(talk.session.quit(talk.now, SECOND), Command::Quit);
    assert_eq!(talk.session.eof(), Some(Wait::Exit));
    assert_eq!(talk.session.state(), SessionState::Ended);
    assert_eq!(talk.session.eof(), None);
}

#[test]
fn a_stopped_search_says_so() {
    let mut talk = Talk::searching();
    assert_eq!(talk.session.stop(talk.now, SECOND), Ok(Command::Stop));
    assert_eq!(talk.session.waiting(), Some(Wait::BestMoveAfterStop));
    assert_eq!(talk.best_move("bestmove e2e4"), (e2e4(), true));
    assert_eq!(talk.session.state(), SessionState::Idle);
}

#[test]
fn a_late_search_can_be_stopped_but_once() {
    let mut talk = Talk::searching();
    assert_eq!(talk.a_second_later(), Some((Wait::BestMove, SECOND)));
    assert_eq!(talk.session.deadline(), None, "it is reported once");
    assert_eq!(talk.a_second_later(), None);
    assert_eq!(talk.session.stop(talk.now, SECOND), Ok(Command::Stop));
    let overdue = Some((Wait::BestMoveAfterStop, SECOND));
    assert_eq!(talk.a_second_later(), overdue);
    assert_eq!(talk.session.state(), SessionState::Failed);
    talk.surprise("bestmove e2e4");
    let error = talk.go(Go::default()).expect_err("it has failed");
    let expected = "cannot send go while an answer is overdue";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_late_best_move_before_stop_still_counts() {
    let mut talk = Talk::searching();
    talk.a_second_later();
    assert_eq!(talk.best_move("bestmove e2e4"), (e2e4(), false));
}

#[test]
fn pondering_ends_by_hit() {
    let mut talk = Talk::searching();
    talk.now += SECOND / 2;
    let hit = talk.session.ponderhit(talk.now, SECOND);
    assert_eq!(hit, Ok(Command::PonderHit));
    assert_eq!(talk.session.deadline(), Some(talk.now + SECOND));
    assert_eq!(talk.best_move("bestmove e2e4"), (e2e4(), false));
}

#[test]
fn a_search_without_limit_has_no_deadline() {
    let mut talk = Talk::idle();
    let (position, go) = (PositionCommand::default(), Go::default());
    let commands = talk.session.go(position, go, talk.now, Duration::MAX);
    assert!(commands.is_ok());
    assert_eq!(talk.session.deadline(), None);
}

#[test]
fn an_unread_answer_gets_a_grace_period() {
    let mut talk = Talk::idle();
    talk.session.synchronise(talk.now, SECOND).expect("idle");
    let due = talk.now + SECOND;
    talk.session.put_off(talk.now, SECOND / 2);
    assert_eq!(talk.session.deadline(), Some(due), "it is due later anyway");
    talk.now += SECOND * 7;
    talk.session.put_off(talk.now, SECOND / 2);
    let put_off = Some(talk.now + SECOND / 2);
    assert_eq!(talk.session.deadline(), put_off);
    talk.session.put_off(talk.now, SECOND * 60);
    let put_off = Some(talk.now + SECOND);
    assert_eq!(talk.session.deadline(), put_off, "no more than it had");
    assert_eq!(talk.a_second_later(), Some((Wait::ReadyOk, SECOND)));
}

#[test]
fn what_comes_unasked_changes_nothing() {
    let mut talk = Talk::new();
    talk.surprise("uciok");
    talk.surprise("id name Early");
    talk.session.handshake(talk.now, SECOND).expect("new");
    talk.surprise("readyok");
    talk.surprise("bestmove e2e4");

    let mut talk = Talk::idle();
    talk.surprise("uciok");
    talk.surprise("bestmove e2e4");
    talk.surprise("option name New type button");
    assert!(talk.session.option("New").is_none());
    talk.session.synchronise(talk.now, SECOND).expect("idle");
    talk.surprise("bestmove e2e4");
    assert_eq!(talk.session.line("readyok"), SessionEvent::Ready);

    let mut talk = Talk::searching();
    talk.surprise("readyok");
    talk.best_move("bestmove e2e4");
    talk.surprise("bestmove d2d4");
}

#[test]
fn answers_that_do_not_come_end_the_session() {
    let mut talk = Talk::new();
    talk.session.handshake(talk.now, SECOND).expect("new");
    assert_eq!(talk.a_second_later(), Some((Wait::UciOk, SECOND)));
    talk.surprise("uciok");
    assert_eq!(talk.session.state(), SessionState::Failed);

    let mut talk = Talk::idle();
    talk.session.synchronise(talk.now, SECOND).expect("idle");
    assert_eq!(talk.a_second_later(), Some((Wait::ReadyOk, SECOND)));
    talk.surprise("readyok");
    assert_eq!(talk.session.quit(talk.now, SECOND), Command::Quit);
    assert_eq!(talk.a_second_later(), Some((Wait::Exit, SECOND)));
}

#[test]
fn the_end_of_output_says_what_was_waited_for() {
    assert_eq!(Talk::searching().session.eof(), Some(Wait::BestMove));
    assert_eq!(Talk::idle().session.eof(), None);
}

#[test]
fn requests_out_of_turn_are_rejected() {
    let now = Talk::new().now;
    let text = |result: Result<Command, SessionError>| result.expect_err("rejected").to_string();
    let idle = || Talk::idle().session;
    let searching = || Talk::searching().session;
    let mut stopping = searching();
    stopping.stop(now, SECOND).expect("searching");
    let mut ended = idle();
    ended.eof();
    let hash = Some("1");
    let rows = rows![
        Session::default().synchronise(now, SECOND) => "cannot send isready while nothing has been sent";
        Session::default().set_option("Hash", hash) => "cannot send setoption while nothing has been sent";
        idle().stop(now, SECOND) => "cannot send stop while the engine is idle";
        idle().ponderhit(now, SECOND) => "cannot send ponderhit while the engine is idle";
        idle().handshake(now, SECOND) => "cannot send uci while the engine is idle";
        searching().set_option("Hash", hash) => "cannot send setoption while a search is under way";
        stopping.stop(now, SECOND) => "cannot send stop while a stopped search has not ended";
        ended.new_game() => "cannot send ucinewgame while the engine's output has ended";
    ];
    for (result, expected) in rows {
        assert_eq!(text(result), expected);
    }
    let perft = Go {
        perft: Some(3),
        ..Go::default()
    };
    assert_eq!(Talk::idle().go(perft), Err(SessionError::Perft));
}

#[test]
fn options_are_set_as_the_engine_has_them() {
    let mut talk = Talk::idle();
    let rows = rows![
        "hash", Some("64") => "setoption name Hash value 64";
        "HASH", Some("01024") => "setoption name Hash value 1024";
        "clear hash", None => "setoption name Clear Hash";
        "clear hash", Some("") => "setoption name Clear Hash";
        "clear hash", Some("true") => "setoption name Clear Hash";
        "Ponder", Some("TRUE") => "setoption name Ponder value true";
        "Style", Some("very risky") => "setoption name Style value Very Risky";
        "Book File", Some("a  b") => "setoption name Book File value a  b";
        "Book File", Some("") => "setoption name Book File value <empty>";
        "Contempt", Some("-999999") => "setoption name Contempt value -999999";
    ];
    for (name, value, expected) in rows {
        assert_eq!(talk.set(name, value).as_deref(), Ok(expected));
    }
}

#[test]
fn options_that_cannot_be_set_say_why() {
    let mut talk = Talk::idle();
    let rows = rows![
        "Threads", Some("1") => "the engine has no option 'Threads'";
        "Hash", Some("0") => "option 'Hash' cannot be \"0\", expected a number from 1 to 1024";
        "Hash", Some("x") => "option 'Hash' cannot be \"x\", expected a number from 1 to 1024";
        "Hash", None => "option 'Hash' cannot be \"\", expected a number from 1 to 1024";
        "Contempt", Some("1.5") => "option 'Contempt' cannot be \"1.5\", expected a number";
        "Clear Hash", Some("1") => "option 'Clear Hash' cannot be \"1\", expected no value";
        "Ponder", Some("on") => "option 'Ponder' cannot be \"on\", expected true or false";
        "Style", Some("Wild") => "option 'Style' cannot be \"Wild\", expected one of Solid, Very Risky";
        "Book File", Some("a\nquit") =>
            "option 'Book File' cannot be \"a\\nquit\", expected a text of one line";
    ];
    for (name, value, expected) in rows {
        assert_eq!(talk.set(name, value), Err(expected.to_owned()));
    }
}

//! Lines of UCI, in both directions.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use engine::search::touchstone::Features;
use engine::search::{Profile, Strength};
use uci::grammar::{Command, Go, Message, PositionCommand};
use uci::xboard::XboardSession;
use uci::{CommandLine, Session, SessionEvent, SessionState};

use crate::target::{FuzzTarget, judge, sound, text, text_again};

targets![uci_command uci_message xboard_message option_values command_line];

fn uci_command(bytes: &[u8]) -> bool {
    let text = text(bytes);
    if let Err(error) = text.parse::<Command>() {
        assert_eq!(error.line, text);
        assert!(text.is_char_boundary(error.column - 1), "{error}");
    }
    text_again::<Command>(&text).is_some()
}

/// Nothing an engine says is rejected, but all is understood the same when it is said properly.
fn uci_message(bytes: &[u8]) -> bool {
    let message = Message::parse(&text(bytes));
    assert_eq!(Message::parse(&message.to_string()), message);
    !matches!(message, Message::Other(_))
}

/// An input is what an engine prints: before the end of the handshake, and in a search. What it thinks is an
/// info of UCI.
fn xboard_message(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let mut session = XboardSession::default();
    sound(session.handshake(*NOW, Duration::from_secs(1), Duration::from_secs(1)));
    let mut is_read = false;
    for line in text.lines() {
        if session.state() == SessionState::Handshaking && line.starts_with("move") {
            session.line("feature done=1", *NOW);
            sound(session.announce_game(false, false, *NOW, Duration::ZERO));
            session.line("pong 1", *NOW);
            let position = PositionCommand::default();
            sound(session.go(&position, &Go::default(), *NOW, Duration::ZERO));
        }
        match session.line(line, *NOW) {
            SessionEvent::Other(_) => continue,
            SessionEvent::Info(info) => {
                let written = format!("info{info}");
                assert_eq!(Message::parse(&written), Message::Info(info));
            }
            _ => {}
        }
        is_read = true;
    }
    is_read
}

/// An input is what an engine declares and what is set then, a line each, in any order.
fn option_values(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let mut session = Session::default();
    sound(session.handshake(*NOW, Duration::from_secs(1)));
    let (declared, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("option"));
    for line in declared {
        session.line(line);
    }
    session.line("uciok");
    let mut is_read = false;
    for line in rest {
        check_word(line);
        if let Ok(Command::SetOption { name, value }) = line.parse() {
            check_word(value.as_deref().unwrap_or_default());
            is_read |= is_set(&mut session, &name, value.as_deref());
        }
    }
    is_read
}

/// What an option takes it takes again as it is sent, and the command for it is read as itself: but for names with
/// the word `value`, which UCI forbids.
fn is_set(session: &mut Session, name: &str, value: Option<&str>) -> bool {
    judge(session.set_option(name, value), |command| {
        let Command::SetOption { name, value } = &command else {
            panic!("{command} sets nothing");
        };
        if name.split_whitespace().all(|word| word != "value") {
            assert_eq!(command.to_string().parse(), Ok(command.clone()));
        }
        let again = sound(session.set_option(name, value.as_deref()));
        assert_eq!(again, command, "set again");
    })
}

/// Values of our own options.
fn check_word(text: &str) {
    judge(text.parse::<Profile>(), |profile| {
        assert_eq!(profile.as_str().parse(), Ok(profile));
    });
    judge(Features::TOUCHSTONE.without(text), |features| {
        assert_eq!(features.without(text), Ok(features));
    });
    if let Ok(elo) = text.parse() {
        let strength = Strength::from_elo(elo);
        assert_eq!(
            strength.is_some(),
            Strength::ELO.contains(&elo),
            "Elo {elo}"
        );
    }
}

fn command_line(bytes: &[u8]) -> bool {
    judge(text(bytes).parse::<CommandLine>(), |line| {
        let written = line.to_string();
        // A NUL can be written in no shell.
        if !written.contains('\0') {
            assert_eq!(written.parse(), Ok(line));
        }
    })
}

/// No clock is needed: nothing is waited for.
static NOW: LazyLock<Instant> = LazyLock::new(now);

#[expect(clippy::disallowed_methods, reason = "a session wants some time")]
fn now() -> Instant {
    Instant::now()
}

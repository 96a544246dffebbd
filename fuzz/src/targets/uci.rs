//! Lines of UCI, in both directions.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use engine::search::touchstone::Features;
use engine::search::{Profile, Strength};
use uci::grammar::{Command, Go, Message, PositionCommand};
use uci::xboard::XboardSession;
use uci::{CommandLine, Session, SessionEvent, SessionState};

use crate::target::{
    FuzzTarget, InputVerdict, ensure, judge, rejected, same, sound, text, text_again,
};

pub(super) const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "uci-command",
        corpus: corpus!("uci_command.txt"),
        words: words![
            "uci" "debug" "on" "off" "isready" "ucinewgame" "register" "later" "name" "code"
            "setoption" "value" "<empty>" "position" "startpos" "fen" "moves" "go" "wtime" "btime"
            "winc" "binc" "movestogo" "depth" "nodes" "mate" "movetime" "perft" "infinite" "ponder"
            "searchmoves" "stop" "ponderhit" "quit" "e2e4" "e7e8q" "0000"
        ],
        check: |bytes| {
            let text = text(bytes);
            if let Err(error) = text.parse::<Command>() {
                same("line of the error", &error.line.as_str(), &&*text)?;
                ensure(text.is_char_boundary(error.column - 1), || {
                    format!("column {} does not lie within the line", error.column)
                })?;
            }
            let read = text_again::<Command>(&text)?;
            Ok(InputVerdict::from_read(read.is_some()))
        },
    },
    FuzzTarget {
        name: "uci-message",
        corpus: corpus!("uci_message.txt"),
        words: words![
            "id" "name" "author" "uciok" "readyok" "bestmove" "ponder" "(none)" "0000" "resign"
            "info" "depth" "seldepth" "multipv" "score" "cp" "mate" "lowerbound" "upperbound" "wdl"
            "nodes" "nps" "hashfull" "tbhits" "sbhits" "cpuload" "time" "pv" "currmove"
            "currmovenumber" "refutation" "currline" "string" "option" "type" "check" "spin" "combo"
            "button" "default" "min" "max" "var" "<empty>" "copyprotection" "registration"
            "checking" "ok" "error" "e2e4" "-31"
        ],
        // Nothing an engine says is rejected, but all is understood the same when it is said properly.
        check: |bytes| {
            let text = text(bytes);
            let message = Message::parse(&text);
            let written = message.to_string();
            same("read again", &Message::parse(&written), &message)?;
            Ok(match message {
                Message::Other(_) => InputVerdict::Rejected,
                _ => InputVerdict::Read,
            })
        },
    },
    FuzzTarget {
        name: "xboard-message",
        corpus: corpus!("xboard_message.txt"),
        words: words![
            "feature" "ping=1" "done=1" "done=0" "san=1" "variants=\"normal,fischerandom\"" "option=\"" "\""
            "-spin" "-check" "-combo" "-button" " /// " "*" "pong" "move" "e2e4" "e7e8q" "O-O" "Nf3" "1." "..."
            "resign" "1-0" "0-1" "1/2-1/2" "{mate}" "Illegal move:" "9 35 12 4800" "100003" "-100002" "\t" "!" "?"
            "\n"
        ],
        // An input is what an engine prints: before the end of the handshake, and in a search. What it thinks is an
        // info of UCI.
        check: |bytes| {
            let text = text(bytes);
            let mut session = XboardSession::default();
            sound(session.handshake(*NOW, Duration::from_secs(1), Duration::from_secs(1)))?;
            let mut checked = InputVerdict::Rejected;
            for line in text.lines() {
                if session.state() == SessionState::Handshaking && line.starts_with("move") {
                    session.line("feature done=1", *NOW);
                    sound(session.announce_game(false, false, *NOW, Duration::ZERO))?;
                    session.line("pong 1", *NOW);
                    let position = PositionCommand::default();
                    sound(session.go(&position, &Go::default(), *NOW, Duration::ZERO))?;
                }
                match session.line(line, *NOW) {
                    SessionEvent::Other(_) => {}
                    SessionEvent::Info(info) => {
                        let written = format!("info{info}");
                        same("as UCI", &Message::parse(&written), &Message::Info(info))?;
                        checked = InputVerdict::Read;
                    }
                    _ => checked = InputVerdict::Read,
                }
            }
            Ok(checked)
        },
    },
    FuzzTarget {
        name: "option-values",
        corpus: corpus!("option_values.txt"),
        words: words![
            "option name" "setoption name" "value" "type" "spin" "check" "combo" "string" "button"
            "default" "min" "max" "var" "<empty>" "Hash" "true" "TRUE" "false" "null_move" "futility"
            "Touchstone" "\n"
        ],
        // An input is what an engine declares and what is set then, a line each, in any order.
        check: |bytes| {
            let text = text(bytes);
            let mut session = Session::default();
            sound(session.handshake(*NOW, Duration::from_secs(1)))?;
            let (declared, rest): (Vec<&str>, Vec<&str>) =
                text.lines().partition(|line| line.starts_with("option"));
            for line in declared {
                session.line(line);
            }
            session.line("uciok");
            let mut checked = InputVerdict::Rejected;
            for line in rest {
                check_word(line)?;
                if let Ok(Command::SetOption { name, value }) = line.parse() {
                    check_word(value.as_deref().unwrap_or_default())?;
                    if is_set(&mut session, &name, value.as_deref())? {
                        checked = InputVerdict::Read;
                    }
                }
            }
            Ok(checked)
        },
    },
    FuzzTarget {
        name: "command-line",
        corpus: corpus!("command_line.txt"),
        words: words![
            "./engine" "--flag" "\"" "'" "\\" "\\ " "#" "$HOME" "a b" "''"
        ],
        check: |bytes| {
            judge(text(bytes).parse::<CommandLine>(), |line| {
                let written = line.to_string();
                // A NUL can be written in no shell.
                if written.contains('\0') {
                    return Ok(());
                }
                same("read again", &written.parse(), &Ok(line))
            })
        },
    },
];

/// No clock is needed: nothing is waited for.
static NOW: LazyLock<Instant> = LazyLock::new(now);

#[expect(clippy::disallowed_methods, reason = "a session wants some time")]
fn now() -> Instant {
    Instant::now()
}

/// What an option takes it takes again as it is sent, and the command for it is read as itself: but for names with
/// the word `value`, which UCI forbids.
fn is_set(session: &mut Session, name: &str, value: Option<&str>) -> Result<bool, String> {
    let command = match session.set_option(name, value) {
        Ok(command) => command,
        Err(error) => {
            rejected(&error)?;
            return Ok(false);
        }
    };
    let Command::SetOption { name, value } = &command else {
        return Err(format!("{command} sets nothing"));
    };
    if name.split_whitespace().all(|word| word != "value") {
        same(
            "read again",
            &command.to_string().parse(),
            &Ok(command.clone()),
        )?;
    }
    let again = sound(session.set_option(name, value.as_deref()))?;
    same("set again", &again, &command)?;
    Ok(true)
}

/// Values of our own options.
fn check_word(text: &str) -> Result<(), String> {
    match text.parse::<Profile>() {
        Ok(profile) => same("profile", &profile.as_str().parse(), &Ok(profile))?,
        Err(error) => drop(rejected(&error)?),
    }
    match Features::TOUCHSTONE.without(text) {
        Ok(features) => same("without twice", &features.without(text), &Ok(features))?,
        Err(error) => drop(rejected(&error)?),
    }
    if let Ok(elo) = text.parse() {
        let is_within = Strength::ELO.contains(&elo);
        ensure(Strength::from_elo(elo).is_some() == is_within, || {
            format!("Elo {elo}")
        })?;
    }
    Ok(())
}

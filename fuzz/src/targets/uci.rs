//! Lines of UCI, in both directions.

use uci::grammar::{Command, Message};

use super::corpus;
use crate::target::{Checked, Target, ensure, same, text, text_again};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "uci-command",
        corpus: corpus!("uci_command.txt"),
        words: &[
            "uci",
            "debug",
            "on",
            "off",
            "isready",
            "ucinewgame",
            "register",
            "later",
            "name",
            "code",
            "setoption",
            "value",
            "<empty>",
            "position",
            "startpos",
            "fen",
            "moves",
            "go",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "depth",
            "nodes",
            "mate",
            "movetime",
            "perft",
            "infinite",
            "ponder",
            "searchmoves",
            "stop",
            "ponderhit",
            "quit",
            "e2e4",
            "e7e8q",
            "0000",
        ],
        check: check_command,
    },
    Target {
        name: "uci-message",
        corpus: corpus!("uci_message.txt"),
        words: &[
            "id",
            "name",
            "author",
            "uciok",
            "readyok",
            "bestmove",
            "ponder",
            "(none)",
            "0000",
            "resign",
            "info",
            "depth",
            "seldepth",
            "multipv",
            "score",
            "cp",
            "mate",
            "lowerbound",
            "upperbound",
            "wdl",
            "nodes",
            "nps",
            "hashfull",
            "tbhits",
            "sbhits",
            "cpuload",
            "time",
            "pv",
            "currmove",
            "currmovenumber",
            "refutation",
            "currline",
            "string",
            "option",
            "type",
            "check",
            "spin",
            "combo",
            "button",
            "default",
            "min",
            "max",
            "var",
            "<empty>",
            "copyprotection",
            "registration",
            "checking",
            "ok",
            "error",
            "e2e4",
            "-31",
        ],
        check: check_message,
    },
];

fn check_command(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    if let Err(error) = text.parse::<Command>() {
        same("line of the error", &error.line.as_str(), &&*text)?;
        ensure(text.is_char_boundary(error.column - 1), || {
            format!("column {} does not lie within the line", error.column)
        })?;
    }
    let read = text_again::<Command>(&text)?;
    Ok(Checked::of(read.is_some()))
}

/// Nothing an engine says is refused, but all is understood the same when it is said properly.
fn check_message(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let message = Message::parse(&text);
    let written = message.to_string();
    same("read again", &Message::parse(&written), &message)?;
    Ok(match message {
        Message::Other(_) => Checked::Refused,
        _ => Checked::Read,
    })
}

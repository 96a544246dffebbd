//! `XBoard`'s protocol, version 2: the same moves, and misbehaviours of its own.

use std::io;
use std::process::ExitCode;

use chess::notation::{fen, san, uci_move};
use chess::rules::{CastlingMode, Color, Outcome, Position};
use uci::grammar::Go;

use crate::bank::Protocol;
use crate::engine::Engine;
use crate::flags::Xboard;
use crate::process::Next;
use crate::search::now;

impl Engine {
    /// Obeys what belongs to the protocol.
    pub(crate) fn obey_xboard(&mut self, how: Xboard, line: &str) -> Option<io::Result<Next>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "protover" => return Some(self.introduce_xboard(how)),
            "ping" => {
                return Some(match self.misbehave("ready") {
                    Ok(Next::Read) if how != Xboard::NoPong => self.say(&[format!("pong {rest}")]),
                    next => next,
                });
            }
            "new" => {
                self.board.start_from(Position::startpos());
                self.color = Some(Color::Black);
            }
            "variant" => self.board.set_chess960(rest == "fischerandom"),
            "force" | "result" => self.color = None,
            "setboard" => match fen::parse(rest) {
                Ok(position) => self.board.start_from(position),
                Err(_) => return Some(self.say(&["tellusererror Illegal position"])),
            },
            "go" => {
                self.color = Some(self.board.position().side_to_move());
                return Some(self.think_xboard());
            }
            "?" if self.waiting.take().is_some() => return Some(self.find_move(&Go::default())),
            "quit" if !self.flags.always.ignore_quit => {
                return Some(Ok(Next::End(ExitCode::SUCCESS)));
            }
            "usermove" => return Some(self.hear_xboard(how, rest)),
            "xboard" | "accepted" | "rejected" | "random" | "post" | "nopost" | "hard" | "easy"
            | "level" | "st" | "sd" | "time" | "otim" | "computer" => {}
            _ if self.board.play_any(line).is_some() => return Some(self.turn_xboard()),
            _ => return None,
        }
        Some(Ok(Next::Read))
    }

    fn introduce_xboard(&self, how: Xboard) -> io::Result<Next> {
        let more = match how {
            Xboard::Old => return self.say(&["Chess"]),
            Xboard::Busy => return self.say(&["feature done=0 ping=1"]),
            Xboard::San => " san=1",
            Xboard::Once => " reuse=0",
            Xboard::Nps => {
                " nps=1 memory=1 smp=1 option=\"Style -combo Solid /// *Wild\" option=\"Margin -spin 5 0 100\""
            }
            _ => "",
        };
        let name = "feature myname=\"Faulty XBoard Engine\" variants=\"normal,fischerandom\"";
        self.say(&[
            name.to_owned(),
            format!("feature ping=1 setboard=1 usermove=1 colors=0{more} done=1"),
        ])
    }

    /// The opponent has moved.
    fn hear_xboard(&mut self, how: Xboard, text: &str) -> io::Result<Next> {
        if how == Xboard::Reject && self.color.is_some() {
            return self.say(&[format!("Illegal move: {text}")]);
        }
        if self.board.play_any(text).is_none() {
            return self.say(&[format!("Illegal move: {text}")]);
        }
        self.turn_xboard()
    }

    fn turn_xboard(&mut self) -> io::Result<Next> {
        if self.color == Some(self.board.position().side_to_move()) {
            return self.think_xboard();
        }
        Ok(Next::Read)
    }

    fn think_xboard(&mut self) -> io::Result<Next> {
        if self.flags.always.ignore_limits.is_some() {
            self.waiting = Some(now());
            return self.say(&["1 1 0 20 e2e4", "30 1 10 5000000 e2e4"]);
        }
        self.find_move(&Go::default())
    }

    /// How it speaks the protocol, if it does.
    pub(crate) fn xboard(&self) -> Option<Xboard> {
        let is_dialect = self.dialect.protocol == Protocol::Xboard;
        let sound = is_dialect.then_some(Xboard::Sound);
        self.flags.xboard.or(sound)
    }

    /// Prints the move, after what the search finds, or something in its place if that is due.
    pub(crate) fn answer_xboard(&mut self, how: Xboard) -> io::Result<Next> {
        let is_due = self.is_due;
        let side = self.board.position().side_to_move();
        let [win, loss] = match side {
            Color::White => ["1-0 {White mates}", "0-1 {White resigns}"],
            Color::Black => ["0-1 {Black mates}", "1-0 {Black resigns}"],
        };
        let instead = match how {
            Xboard::Resign if is_due => Some("resign"),
            Xboard::Lose if is_due => Some(loss),
            Xboard::ClaimWin if is_due => Some(win),
            Xboard::IllegalSan if is_due => Some("move Nd5"),
            _ => None,
        };
        if let Some(line) = instead {
            return self.say(&[line]);
        }
        let Some((best, _)) = self.board.choose(&self.flags.play, self.margin) else {
            return Ok(Next::Read);
        };
        let score = self.flags.play.score;
        let position = *self.board.position();
        let m = uci_move::parse(&best, &position, position.castling_mode());
        let m = m.or_else(|_| uci_move::parse(&best, &position, CastlingMode::Chess960));
        let m = m.expect("it is legal");
        let name = san::write(m, &position);
        let thinking = match how {
            Xboard::Odd => vec![
                "# thinking".to_owned(),
                format!("1 {score} 0 20 1. {name}?"),
                format!(" 2. +{score} 0 -20 {name} a1a1"),
                format!("2\t{score}\t1\t20\t7\t9000\t3\t{name}"),
                "3 knights".to_owned(),
                "tellics whisper hello".to_owned(),
            ],
            _ => vec![format!("2 {score} 1 20 {best}")],
        };
        self.say(&thinking)?;
        self.board.play_any(&name).expect("it is legal");
        let mut lines = vec![match how {
            Xboard::Old => format!("{}. ... {best}", self.board.position().fullmove_number()),
            Xboard::San => format!("move {name}"),
            _ if position.is_castling(m) => format!("move {name}"),
            _ => format!("move {best}"),
        }];
        let outcome = match self.board.game().outcome() {
            Some(Outcome::Checkmate { .. }) => Some(win),
            Some(_) => Some("1/2-1/2 {Draw}"),
            None => self.board.game().claimable_draw().map(|_| "1/2-1/2 {Draw}"),
        };
        match how {
            Xboard::ClaimDraw if is_due => lines.push("1/2-1/2 {Draw by repetition}".to_owned()),
            Xboard::ClaimRight => lines.extend(outcome.map(str::to_owned)),
            _ => {}
        }
        self.say(&lines)
    }
}

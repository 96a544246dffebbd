//! `XBoard`'s protocol, version 2: the same moves, and misbehaviours of its own.

use std::io;
use std::process::ExitCode;

use chess::notation::{fen, san, uci_move};
use chess::rules::{CastlingMode, Color, Outcome, Position};
use uci::grammar::Go;

use crate::engine::{Engine, now};
use crate::flags::{AtTurn, Xboard};
use crate::process::Next;

impl Engine {
    pub(crate) fn obey_xboard(&mut self, how: Xboard, line: &str) -> io::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "protover" => self.introduce_xboard(how)?,
            "ping" if self.flags.start.hang_on_isready => crate::process::hang(),
            "ping" if how != Xboard::NoPong => self.flags.say_lines(&[format!("pong {rest}")])?,
            "new" => {
                self.board.start_from(Position::startpos());
                self.color = Some(Color::Black);
            }
            "variant" => self.board.set_chess960(rest == "fischerandom"),
            "force" | "result" => self.color = None,
            "setboard" => match fen::parse(rest) {
                Ok(position) => self.board.start_from(position),
                Err(_) => self.flags.say_lines(&["tellusererror Illegal position"])?,
            },
            "go" => {
                self.color = Some(self.board.position().side_to_move());
                return self.think_xboard();
            }
            "?" if self.waiting.take().is_some() => return self.find_move(&Go::default()),
            "quit" if !self.flags.always.ignore_quit => return Ok(Next::End(ExitCode::SUCCESS)),
            "usermove" => return self.hear_xboard(how, rest),
            _ if how == Xboard::Old && self.board.play(line).is_some() => {
                return self.turn_xboard();
            }
            _ => {}
        }
        Ok(Next::Read)
    }

    fn introduce_xboard(&self, how: Xboard) -> io::Result<()> {
        let more = match how {
            Xboard::Old => return self.flags.say_lines(&["Chess"]),
            Xboard::Busy => return self.flags.say_lines(&["feature done=0 ping=1"]),
            Xboard::San => " san=1",
            Xboard::Once => " reuse=0",
            Xboard::Nps => {
                " nps=1 memory=1 smp=1 option=\"Style -combo Solid /// *Wild\" option=\"Margin -spin 5 0 100\""
            }
            _ => "",
        };
        let name = "feature myname=\"Faulty XBoard Engine\" variants=\"normal,fischerandom\"";
        self.flags.say_lines(&[
            name.to_owned(),
            format!("feature ping=1 setboard=1 usermove=1 colors=0{more} done=1"),
        ])
    }

    /// The opponent has moved.
    fn hear_xboard(&mut self, how: Xboard, text: &str) -> io::Result<Next> {
        if how == Xboard::Reject && self.color.is_some() {
            self.flags.say_lines(&[format!("Illegal move: {text}")])?;
            return Ok(Next::Read);
        }
        if self.board.play(text).is_none() {
            self.flags.say_lines(&[format!("Illegal move: {text}")])?;
            return Ok(Next::Read);
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
            self.flags
                .say_lines(&["1 1 0 20 e2e4", "30 1 10 5000000 e2e4"])?;
            return Ok(Next::Read);
        }
        self.find_move(&Go::default())
    }

    /// Prints the move, after what the search finds, or misbehaves if that is due.
    pub(crate) fn answer_xboard(
        &mut self,
        how: Xboard,
        is_due: bool,
        turn: &AtTurn,
    ) -> io::Result<Next> {
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
            _ if turn.illegal_move => Some("move a1a1"),
            _ if turn.empty_move => Some("move"),
            _ => None,
        };
        if let Some(line) = instead {
            self.flags.say_lines(&[line])?;
            return Ok(Next::Read);
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
        self.flags.say_lines(&thinking)?;
        self.board.play(&name).expect("it is legal");
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
        self.flags.say_lines(&lines)?;
        if turn.exit_after_move {
            return Ok(Next::End(ExitCode::SUCCESS));
        }
        Ok(Next::Read)
    }
}

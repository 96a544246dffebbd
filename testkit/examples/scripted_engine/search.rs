//! Searches: how `go` and `stop` are answered.

use std::io;
use std::time::{Duration, Instant};

use chess::notation::uci_move;
use chess::rules::Position;
use uci::grammar::Go;

use crate::breach::Breach;
use crate::count;
use crate::engine::{DEAD, Engine};
use crate::flags::{Always, IgnoreLimits};
use crate::process::{Done, Next, hang, is_due, say};
use crate::tunable;

impl Engine {
    pub(crate) fn go(&mut self, go: &Go) -> io::Result<Next> {
        assert!(!self.is_lost, "only legal moves are sent before a search");
        if self.flags.always.repeat_late {
            say(self.answered.as_bytes())?;
        }
        if self.has(Breach::NeedsNewGame) && !self.has_new_game {
            return Ok(Next::Read);
        }
        if let Some(how) = self.flags.always.ignore_limits {
            self.waiting = Some(now());
            if how == IgnoreLimits::Loud {
                self.say(&[
                    "info depth 1 score cp 1 nodes 20 pv e2e4",
                    "info depth 30 score cp 1 nodes 5000000 pv e2e4",
                ])?;
            }
            return Ok(Next::Read);
        }
        if go.ponder && self.flags.always.early {
            return self.answer(go);
        }
        let is_deaf = match self.flags.breach {
            Some(Breach::DeafToDepth) => go.depth.is_some(),
            Some(Breach::Slow) => go.depth.is_some_and(|depth| depth > 4),
            Some(Breach::DeafToNodes) => go.nodes.is_some(),
            Some(Breach::DeafToMovetime) => go.movetime_ms.is_some(),
            Some(Breach::DeafToWtime) => go.wtime_ms.is_some(),
            Some(Breach::DeafToWinc) => go.winc_ms.is_some(),
            Some(Breach::DeafToMovestogo) => go.movestogo.is_some(),
            Some(Breach::DeafToMate) => go.mate.is_some(),
            _ => false,
        };
        if go.wtime_ms.is_none() && self.has(Breach::ClockOnly) {
            hang();
        }
        let is_hasty = match self.flags.breach {
            Some(Breach::Impatient) => true,
            Some(Breach::ImpatientIfForced) => self.board.position().legal_move_count() == 1,
            Some(Breach::ImpatientPonderer) => go.ponder,
            _ => false,
        };
        if is_deaf || (go.infinite || go.ponder) && !is_hasty {
            self.waiting = Some(now());
            if !self.flags.play.first_move {
                self.say(&["info depth 1 score cp 1 nodes 1"])?;
            }
            return Ok(Next::Read);
        }
        if go.nodes == Some(1) && self.has(Breach::NoOneNode)
            || self.has(Breach::BookOnly) && *self.board.position() != Position::startpos()
        {
            return Ok(DEAD);
        }
        let has_little = go.wtime_ms.is_some_and(|clock| clock <= 100);
        let has_few = go.movetime_ms.is_some_and(|time| time <= 100);
        if has_little && self.has(Breach::NoMoveYet)
            || (has_little || has_few) && self.has(Breach::NoMoveInTime)
        {
            self.say(&["bestmove a8a8"])?;
            return Ok(Next::Read);
        }
        let has_clock = go.wtime_ms.is_some() || go.movetime_ms.is_some();
        if has_clock && self.has(Breach::Unpunctual) {
            let clock = go.wtime_ms.and_then(|time| u64::try_from(time).ok());
            let time = go.movetime_ms.max(clock).unwrap_or(0);
            std::thread::sleep(Duration::from_millis(time + 400));
        }
        if let (Some(clock), Some(increment)) = (go.wtime_ms, go.winc_ms)
            && self.has(Breach::SpendsIncrement)
        {
            let clock = u64::try_from(clock).unwrap_or(0);
            std::thread::sleep(Duration::from_millis(clock / 2 + increment));
        }
        self.find_move(go)
    }

    /// Ends a search that waits for `stop` or `ponderhit`, if there is one.
    pub(crate) fn stop(&mut self, always: &Always) -> io::Result<Next> {
        if std::mem::take(&mut self.is_searching) {
            self.is_ending = true;
            self.say(&["bestmove e2e4"])?;
        }
        match self.waiting {
            None if self.has(Breach::IdleStop) => return self.say(&["bestmove e2e4"]),
            None => {}
            Some(_) if always.ignore_stop => {}
            Some(since)
                if self.has(Breach::LostStop) && since.elapsed() < Duration::from_millis(20) => {}
            Some(since)
                if self.has(Breach::NoMoveYet) && since.elapsed() < Duration::from_millis(20) =>
            {
                self.waiting = None;
                self.say(&["bestmove a8a8"])?;
            }
            Some(_) => {
                self.waiting = None;
                if self.has(Breach::SlowStop) {
                    std::thread::sleep(Duration::from_millis(400));
                }
                if always.double {
                    self.answer(&Go::default())?;
                    return self.answer(&Go::default());
                }
                return self.find_move(&Go::default());
            }
        }
        Ok(Next::Read)
    }

    /// Searches and answers, or misbehaves instead.
    pub(crate) fn find_move(&mut self, go: &Go) -> io::Result<Next> {
        self.asked += 1;
        self.has_searched = true;
        std::thread::sleep(self.flags.play.sleep);
        let steps = self.flags.misbehaviours.at("turn");
        let misbehaves = !steps.is_empty() || self.flags.xboard.is_some();
        self.is_due =
            self.asked == self.flags.at && misbehaves && is_due(self.flags.once.as_deref());
        let steps = if self.is_due { &steps[..] } else { &[] };
        match self.perform(steps, go)? {
            Done::End(code) => Ok(Next::End(code)),
            Done::Answered => Ok(Next::Read),
            Done::Usual => self.answer(go),
        }
    }

    /// The move to play, if there is one, and the reply that it expects.
    pub(crate) fn best(&self, go: &Go) -> Option<(String, Option<String>)> {
        if !self.shows_moves() {
            return self.board.choose(&self.flags.play, self.margin);
        }
        let game = self.board.game();
        let is_drawn = self.has(Breach::NoDraws) && game.claimable_draw().is_some();
        let best = self.moves(go).into_iter().next().filter(|_| !is_drawn);
        best.map(|best| (best, None))
    }

    /// Prints the move, after what the search finds.
    pub(crate) fn answer(&mut self, go: &Go) -> io::Result<Next> {
        if let Some(how) = self.xboard() {
            return self.answer_xboard(how);
        }
        let mut text = String::new();
        if self.shows_moves() {
            self.think(go)?;
        } else {
            let score = self.flags.play.optimum.map_or(self.flags.play.score, |_| {
                let position = self.board.position();
                tunable::balance(position, position.side_to_move())
            });
            let score = match self.flags.play.mate {
                Some(moves) => format!("mate {moves}"),
                None => format!("cp {score}"),
            };
            text = format!("info depth 2 seldepth 3 score {score} nodes 20 pv e2e4\n");
        }
        self.answered = match self.best(go) {
            None if self.has(Breach::NoEnd) => return Ok(DEAD),
            None => "bestmove (none)\n".to_owned(),
            Some((mut best, expected)) => {
                if self.has(Breach::CapitalPromotion) && best.len() == 5 {
                    best = format!("{}{}", &best[..4], best[4..].to_uppercase());
                }
                let expected =
                    expected.or(self.has(Breach::IllegalPonder).then(|| "a1a1".to_owned()));
                let ponder = expected.map_or_else(String::new, |m| format!(" ponder {m}"));
                format!("bestmove {best}{ponder}\n")
            }
        };
        // In one write: the second comes before anybody can move.
        let times = if self.flags.always.repeat { 2 } else { 1 };
        say((text + &self.answered.repeat(times)).as_bytes())?;
        if self.has(Breach::Afterthought) {
            say(b"info string that was hard\n")?;
        }
        if self.has(Breach::DoubleBestmove) {
            std::thread::sleep(Duration::from_millis(100));
            say(self.answered.as_bytes())?;
        }
        Ok(Next::Read)
    }

    /// Prints infos for each depth and PV, and takes its time.
    #[expect(clippy::print_stderr, reason = "as asked")]
    fn think(&self, go: &Go) -> io::Result<()> {
        let time = go.movetime_ms.filter(|_| !self.has(Breach::Hasty));
        let time = Duration::from_millis(time.unwrap_or(0) * 3 / 4);
        if self.has(Breach::HeldBack) {
            std::thread::sleep(time);
        }
        let is_wasteful = self.has(Breach::Wasteful);
        let depth = go.depth.unwrap_or(3) * if is_wasteful { 3 } else { 1 };
        let nodes = go.nodes.unwrap_or(100) * if is_wasteful { 400 } else { 1 };
        let score = match self.flags.breach {
            Some(Breach::NoScore) => String::new(),
            Some(Breach::Moody) => format!(" score cp {}", self.asked),
            _ => format!(" score cp {}", self.flags.play.score),
        };
        let more = match self.flags.breach {
            Some(Breach::DecimalTime) => " time 0.5",
            Some(Breach::OddInfo) => " temperature 40",
            _ => " time 0",
        };
        let mut pvs = self.moves(go);
        if self.has(Breach::OtherPv) {
            pvs.reverse();
        }
        pvs.truncate(self.multipv);
        let end = if self.has(Breach::IllegalPv) {
            " a1a1"
        } else {
            ""
        };
        for depth in 1..=depth {
            for (rank, pv) in (1..).zip(&pvs) {
                self.say(&[format!(
                    "info depth {depth} multipv {rank}{score} nodes {nodes}{more} pv {pv}{end}"
                )])?;
            }
        }
        if self.has(Breach::Chatty) {
            say(b"I think I am winning\n")?;
        }
        if self.has(Breach::Complaining) {
            eprintln!("I think I am losing");
        }
        if !self.has(Breach::HeldBack) {
            std::thread::sleep(time);
        }
        Ok(())
    }

    /// Whether a search shows a list of moves, and plays the first of them.
    fn shows_moves(&self) -> bool {
        self.flags.play.first_move || self.flags.count.lists.is_some()
    }

    fn moves(&self, go: &Go) -> Vec<String> {
        let mut moves = if self.flags.count.lists.is_some() {
            let position = self.board.position();
            let mode = position.castling_mode();
            let counted = count::count(&self.does, &self.board.route(), 1, 1);
            let moves = counted.rows.into_iter();
            moves
                .map(|(m, _)| uci_move::write(m, position, mode))
                .collect()
        } else {
            self.board.moves(self.flags.breach)
        };
        let only: Vec<String> = go.searchmoves.iter().map(ToString::to_string).collect();
        if !only.is_empty() && !self.has(Breach::NoSearchmoves) {
            moves.retain(|m| only.contains(m));
        }
        moves
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a stop that comes at once is recognised"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

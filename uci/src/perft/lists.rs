//! Lists of legal moves by plain UCI, of engines that have no perft: the moves that a search of one
//! ply considers. Counts are then ours to add up, from lists after moves.

use std::collections::BTreeMap;
use std::time::Duration;

use chess::notation::uci_move::{self, UciMove};
use chess::rules::{Bitboard, Color, Move, PieceType, Position, Square, attacks};

use super::answer::{MoveMeaning, Route};
use super::ask::{Incoming, NoAnswer, Port, REST, is_ready, no_answer};
use super::spelling::meaning;
use crate::grammar::{Message, Reply, ScoreValue};

/// Number of lines that are asked for by `MultiPV`: no position has more legal moves (218 are the
/// most known, R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1).
pub(super) const MOST_MOVES: i128 = 256;
/// Time limit for one search of one ply.
pub(super) const ONE_SEARCH: Duration = Duration::from_secs(5);
/// The reason, in part, why there is no list of an engine that does not obey `depth`, or whose
/// search of captures does not end.
pub(super) const LATE_SEARCH: &str = "no bestmove of go depth 1";
/// The clock at which a game is drawn if a player claims it (FIDE 9.3): some engines stop there.
const CLAIMED: u32 = 100;

/// How an engine's search shows which moves it takes for legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveSource {
    /// The first moves of the lines of `go depth 1`, with `MultiPV` as large as the engine allows.
    MultiPv,
    /// `go depth 1 searchmoves M`, for every move M that a piece could make if kings could be
    /// taken: M is legal if it is the answer.
    SearchMoves,
    /// The reply to `go depth 1` alone: an illegal one is seen, a missing move is not.
    Replies,
}

/// Why there is no list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoList {
    /// The search says too little, for this reason: the engine is not at fault.
    NotListed(String),
    /// The same, of a search that goes on although it was stopped: the engine has to be started anew.
    GoesOn(String),
    NoAnswer(NoAnswer),
}

/// A search of one ply: what it has shown until `bestmove`.
#[derive(Debug, Default)]
struct OnePlySearch {
    /// The first move of the last line of each rank.
    lines: BTreeMap<u32, UciMove>,
    has_mate_in_one: bool,
    /// The reply; `None` if the engine found no move.
    reply: Option<UciMove>,
}

/// Asks an engine for lists of moves.
pub(super) struct MoveLists<'a> {
    pub(super) port: &'a mut dyn Port,
    pub(super) source: MoveSource,
    /// Number of lines that the engine prints at most.
    pub(super) most_lines: usize,
    /// Whether it says that it has no move where there is none: some move all the same, and some
    /// are silent. Otherwise such a position counts as one without moves.
    pub(super) knows_end: bool,
    /// When all lists have to be there.
    pub(super) deadline: Duration,
}

impl MoveLists<'_> {
    /// The divide of a position: the moves that the engine lists, each with the leaf nodes below it,
    /// as lines `e2e4: 20`. What is below an illegal move is not asked, and counts as one leaf.
    /// `position` writes the line that sets up a route.
    ///
    /// # Errors
    ///
    /// When one of the lists is missing. Unless the engine gave no answer, it is idle.
    pub(super) fn divide(
        &mut self,
        route: &Route,
        depth: u32,
        position: &dyn Fn(&Route) -> String,
    ) -> Result<Vec<String>, NoList> {
        let rows = self.rows(route, depth, position)?;
        let lines = rows.iter().map(|(m, nodes)| format!("{m}: {nodes}"));
        Ok(lines.collect())
    }

    fn rows(
        &mut self,
        route: &Route,
        depth: u32,
        position: &dyn Fn(&Route) -> String,
    ) -> Result<Vec<(UciMove, u64)>, NoList> {
        let moves = self.list(route, &position(route))?;
        let mut rows = Vec::new();
        for m in moves {
            let nodes = match legal(m, route.position()) {
                Some(legal) if depth > 1 => {
                    let route = route.then(legal);
                    if self.knows_end || route.position().legal_move_count() > 0 {
                        let below = self.rows(&route, depth - 1, position)?;
                        below.iter().map(|(_, nodes)| nodes).sum()
                    } else {
                        0
                    }
                }
                _ => 1,
            };
            rows.push((m, nodes));
        }
        Ok(rows)
    }

    /// The moves that the engine takes for legal.
    fn list(&mut self, route: &Route, set_up: &str) -> Result<Vec<UciMove>, NoList> {
        self.port.send(set_up);
        let at = route.position();
        let legal_moves = at.legal_moves().len();
        let not_listed = |why: &str| Err(NoList::NotListed(why.to_owned()));
        let found = self.search("go depth 1")?;
        // `a1a1` and the like mean that there is no move, as `0000` does.
        let Some(reply) = found.reply.filter(|reply| reply.from != reply.to) else {
            let is_drawn = at.halfmove_clock() >= CLAIMED || at.is_insufficient_material();
            if legal_moves > 0 && is_drawn {
                return not_listed("it does not move in a drawn position");
            }
            return Ok(Vec::new());
        };
        let is_legal = |m: &UciMove| legal(*m, at).is_some();
        let mut moves = match self.source {
            MoveSource::MultiPv => {
                let moves: Vec<UciMove> = found.lines.into_values().collect();
                match moves.len() {
                    lines if lines >= legal_moves => moves,
                    _ if !moves.iter().all(is_legal) => moves,
                    // Some move at once if there is only one move.
                    0 if legal_moves == 1 => vec![reply],
                    0 if is_legal(&reply) => return not_listed("it moves without a search"),
                    lines if lines >= self.most_lines => {
                        return not_listed("its MultiPV is too small");
                    }
                    _ if found.has_mate_in_one => return not_listed("it stops at a mate in one"),
                    _ => moves,
                }
            }
            MoveSource::SearchMoves => {
                let mut moves = Vec::new();
                for m in candidates(at) {
                    self.port.send(set_up);
                    let found = self.search(&format!("go depth 1 searchmoves {m}"))?;
                    if found.reply == Some(m) {
                        moves.push(m);
                    }
                }
                moves
            }
            MoveSource::Replies => written_moves(at),
        };
        // An illegal reply is seen even where it stands in no list.
        if !is_legal(&reply) && !moves.contains(&reply) {
            moves.push(reply);
        }
        Ok(moves)
    }

    /// Searches, and waits for `bestmove`.
    fn search(&mut self, go: &str) -> Result<OnePlySearch, NoList> {
        let deadline = self.deadline.min(self.port.now() + ONE_SEARCH);
        self.port.send(go);
        let mut found = OnePlySearch::default();
        loop {
            let left = deadline.saturating_sub(self.port.now());
            match self.port.hear(left) {
                Incoming::Line(text) => match Message::parse(&text) {
                    Message::Info(info) => {
                        let is_mate = |value| matches!(value, ScoreValue::Mate(1));
                        let score = info.score.map(|score| score.value);
                        found.has_mate_in_one |= score.is_some_and(is_mate);
                        if let Some(&m) = info.pv.first() {
                            found.lines.insert(info.multipv.unwrap_or(1), m);
                        }
                    }
                    Message::BestMove(best) => {
                        if let Reply::Move(m) = best.reply {
                            found.reply = Some(m);
                        }
                        return Ok(found);
                    }
                    _ => {}
                },
                Incoming::Nothing => {
                    // A search that has gone astray is stopped, so that the next question finds an
                    // idle engine.
                    self.port.send("stop");
                    return Err(self.late_search());
                }
                other => return Err(NoList::NoAnswer(no_answer(&other))),
            }
        }
    }

    /// The result of a search that was stopped. With nine queens on a side a search of one ply may
    /// take minutes, in which some engines do not look at their input: as long as it prints lines, it
    /// does not hang.
    fn late_search(&mut self) -> NoList {
        let seconds = ONE_SEARCH.as_secs();
        let why = format!("{LATE_SEARCH} within {seconds} s");
        let rest = self.port.now() + REST;
        self.port.send("isready");
        let mut goes_on = false;
        loop {
            match self.port.hear(rest.saturating_sub(self.port.now())) {
                Incoming::Line(text) if is_ready(&text) => return NoList::NotListed(why),
                Incoming::Line(_) => goes_on = true,
                Incoming::Nothing if goes_on => return NoList::GoesOn(why),
                other => return NoList::NoAnswer(no_answer(&other)),
            }
        }
    }
}

/// The legal move that is written so.
fn legal(m: UciMove, position: &Position) -> Option<Move> {
    match meaning(&m.to_string(), position, position.castling_mode()) {
        MoveMeaning::Legal(m) => Some(m),
        MoveMeaning::Illegal(_) | MoveMeaning::Unreadable => None,
    }
}

fn written_moves(position: &Position) -> Vec<UciMove> {
    let write = |m| {
        let text = uci_move::write(m, position, position.castling_mode());
        text.parse().expect("it was written as a move")
    };
    position.legal_moves().into_iter().map(write).collect()
}

/// The legal moves, and those that would be legal if the king could be left in check, if a king
/// could castle at any time, and if every pawn could capture on an empty square.
fn candidates(position: &Position) -> Vec<UciMove> {
    let us = position.side_to_move();
    let mut candidates = written_moves(position);
    for from in position.by_color(us) {
        for to in targets(position, from) {
            let is_pawn = position.piece_type_at(from) == Some(PieceType::Pawn);
            let kinds: &[Option<PieceType>] = if is_pawn && [0, 7].contains(&to.rank().index()) {
                &[
                    Some(PieceType::Queen),
                    Some(PieceType::Rook),
                    Some(PieceType::Bishop),
                    Some(PieceType::Knight),
                ]
            } else {
                &[None]
            };
            let from_to = |&promotion| UciMove {
                from,
                to,
                promotion,
            };
            candidates.extend(kinds.iter().map(from_to));
        }
    }
    candidates.sort_unstable_by_key(ToString::to_string);
    candidates.dedup();
    candidates
}

fn targets(position: &Position, from: Square) -> Bitboard {
    let us = position.side_to_move();
    let occupied = position.occupied();
    let set = |steps: &[(i32, i32)]| -> Bitboard {
        let squares = steps.iter();
        let squares = squares.filter_map(|&(files, ranks)| from.offset(files, ranks));
        squares.collect()
    };
    let targets = match position.piece_type_at(from).expect("a piece of ours") {
        PieceType::Knight => attacks::knight(from),
        PieceType::Bishop => attacks::bishop(from, occupied),
        PieceType::Rook => attacks::rook(from, occupied),
        PieceType::Queen => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
        // Two files aside is castling in standard chess.
        PieceType::King => attacks::king(from) | set(&[(-2, 0), (2, 0)]),
        PieceType::Pawn => {
            let forward = if us == Color::White { 1 } else { -1 };
            attacks::pawn(us, from) | set(&[(0, forward), (0, 2 * forward)])
        }
    };
    targets & !position.by_color(us)
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;
    use crate::perft::ask::scripted::{Scripted, lines};

    const PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    const DRAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 100 90";
    const MATED: &str = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
    const SIX_LINES: &str = "info depth 1 multipv 1 score cp 20 pv e2e4 e8e7
        info depth 1 multipv 2 score cp 10 pv e2e3
        info depth 1 multipv 3 score cp 9 pv e1d1
        info depth 1 multipv 4 score cp 8 pv e1f1
        info depth 1 multipv 5 score cp 7 pv e1d2
        info depth 1 multipv 6 score cp 6 pv e1f2
        bestmove e2e4";

    /// The divide at depth 1 of an engine that answers each `go` by a function.
    fn listed(
        source: MoveSource,
        fen_text: &str,
        answer: impl FnMut(&str) -> String,
    ) -> Result<String, NoList> {
        let mut answer = answer;
        let mut port = Scripted::new(|line| match line {
            "isready" => lines("readyok"),
            line if line.starts_with("go ") => lines(&answer(line)),
            _ => Vec::new(),
        });
        let mut lists = MoveLists {
            port: &mut port,
            source,
            most_lines: 6,
            knows_end: true,
            deadline: Duration::from_mins(1),
        };
        let route = Route::by_fen(fen::parse(fen_text).expect("legal"));
        let rows = lists.divide(&route, 1, &|_| "position".to_owned())?;
        Ok(rows.join(" "))
    }

    /// A search that does not end, and does not stop: what it prints meanwhile tells it from a hang.
    #[test]
    fn a_search_goes_on_or_hangs() {
        let after_stop = |text: &'static str| {
            let mut port = Scripted::new(|line| match line {
                "isready" => lines(text),
                _ => Vec::new(),
            });
            let mut lists = MoveLists {
                port: &mut port,
                source: MoveSource::MultiPv,
                most_lines: 6,
                knows_end: true,
                deadline: Duration::from_mins(1),
            };
            lists.late_search()
        };
        let why = || "no bestmove of go depth 1 within 5 s".to_owned();
        assert_eq!(after_stop("info currmove e2e4"), NoList::GoesOn(why()));
        assert_eq!(
            after_stop("bestmove e2e4\nreadyok"),
            NoList::NotListed(why())
        );
        assert_eq!(after_stop(""), NoList::NoAnswer(NoAnswer::TimedOut));
    }

    fn not_listed(why: &str) -> Result<String, NoList> {
        Err(NoList::NotListed(why.to_owned()))
    }

    #[test]
    fn all_lines_of_a_search_are_the_list() {
        let by_lines = |fen, text: &str| listed(MoveSource::MultiPv, fen, |_| text.to_owned());
        let six = "e2e4: 1 e2e3: 1 e1d1: 1 e1f1: 1 e1d2: 1 e1f2: 1";
        assert_eq!(by_lines(PAWN, SIX_LINES).as_deref(), Ok(six));
        // The last line of each rank counts.
        let changed = format!("info multipv 6 pv e1f2\n{SIX_LINES}");
        assert_eq!(by_lines(PAWN, &changed).as_deref(), Ok(six));
        let few = "info multipv 1 score cp 1 pv e2e4\ninfo multipv 2 pv e2e5\nbestmove e2e4";
        assert_eq!(by_lines(PAWN, few).as_deref(), Ok("e2e4: 1 e2e5: 1"));
        let missing = "info multipv 1 score cp 1 pv e2e4\nbestmove e2e4";
        assert_eq!(by_lines(PAWN, missing).as_deref(), Ok("e2e4: 1"));
    }

    #[test]
    fn what_says_too_little_is_no_list() {
        let by_lines = |fen, text: &str| listed(MoveSource::MultiPv, fen, |_| text.to_owned());
        let mate = "info multipv 1 score mate 1 pv e2e4\nbestmove e2e4";
        assert_eq!(
            by_lines(PAWN, mate),
            not_listed("it stops at a mate in one")
        );
        let at_once = by_lines(PAWN, "bestmove e2e4");
        assert_eq!(at_once, not_listed("it moves without a search"));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let cut = SIX_LINES.replace("e1d1", "d2d4").replace("e1f1", "d2d3");
        let cut = cut.replace("e1d2", "c2c4").replace("e1f2", "c2c3");
        assert_eq!(
            by_lines(start, &cut),
            not_listed("its MultiPV is too small")
        );
        let drawn = by_lines(DRAWN, "bestmove a8a8");
        assert_eq!(drawn, not_listed("it does not move in a drawn position"));
        let late = by_lines(PAWN, "info depth 9 pv e2e4");
        assert_eq!(late, not_listed("no bestmove of go depth 1 within 5 s"));
        assert_eq!(by_lines(MATED, "bestmove (none)").as_deref(), Ok(""));
        // Where the game goes on, no move is a fault.
        assert_eq!(by_lines(PAWN, "bestmove 0000").as_deref(), Ok(""));
    }

    #[test]
    fn a_move_is_legal_if_it_is_the_answer_to_itself() {
        let answer = |line: &str| {
            let asked = line
                .strip_prefix("go depth 1 searchmoves ")
                .unwrap_or("e2e4");
            // It lacks e1d1, and castles where there is no rook.
            let legal = ["e2e3", "e2e4", "e1f1", "e1d2", "e1f2", "e1g1"];
            let best = if legal.contains(&asked) {
                asked
            } else {
                "e2e4"
            };
            format!("bestmove {best}")
        };
        let rows = listed(MoveSource::SearchMoves, PAWN, answer);
        let five = "e1d2: 1 e1f1: 1 e1f2: 1 e1g1: 1 e2e3: 1 e2e4: 1";
        assert_eq!(rows.as_deref(), Ok(five));
    }

    /// All moves are ours but an illegal one.
    #[test]
    fn of_replies_only_an_illegal_one_is_seen() {
        let reply = |text: &'static str| listed(MoveSource::Replies, PAWN, |_| text.to_owned());
        let rows = |text| reply(text).map(|rows| rows.split(' ').count() / 2);
        assert_eq!(rows("bestmove e2e4"), Ok(6));
        assert_eq!(rows("bestmove e2e5"), Ok(7));
        assert_eq!(rows("bestmove (none)"), Ok(0));
    }
}

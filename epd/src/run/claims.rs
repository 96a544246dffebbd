//! Judges every mate that a search announces, not only the one that solves a position: how far is
//! the last one from the known mate, and does each PV end as announced?
//!
//! The rules are those of `matecheck.py` of [matetrack](https://github.com/vondele/matetrack), so
//! that its figures can be compared with ours.

use std::{fmt, iter};

use chess::notation::uci_move::UciMove;
use chess::notation::{fen, san};
use chess::rules::{CastlingMode, ClaimableDraw, Color, Game, Move, Outcome, Position};
use serde::{Deserialize, Serialize};
use uci::grammar::{Info, ScoreValue};

use super::goal::MateGoal;
use super::known::{Known, MateAfter};

/// Centipawns from which Stockfish's scores stand for a win by the tablebases: 20000 less the
/// longest distance to them, 246 plies.
pub(crate) const TABLEBASE_WIN: i32 = 19_754;

/// What is wrong with an announced mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MateIssueKind {
    /// It is announced for the side that gets mated.
    WrongSign,
    /// It is shorter than the known one.
    Better,
    /// Its PV does not end in mate after the announced number of moves.
    BadPv,
    /// The endgame tables have another result, for the position or in its PV.
    Tables,
}

impl MateIssueKind {
    pub(crate) const ALL: [Self; 4] = [Self::WrongSign, Self::Better, Self::BadPv, Self::Tables];

    /// Its name in reports and for `--fail-on`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::WrongSign => "wrong-sign",
            Self::Better => "better",
            Self::BadPv => "bad-pv",
            Self::Tables => "tables",
        }
    }
}

/// An announced mate with something wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MateIssue {
    pub(crate) kind: MateIssueKind,
    /// The rank of the PV, from 1; others only with `MultiPV`.
    pub(crate) rank: u32,
    /// The number of moves as the engine announced it, negative if the side to move is mated; 0 for
    /// the score of a tablebase win, which has no number.
    pub(crate) announced: i32,
    pub(crate) reason: String,
    /// The PV as the engine wrote it.
    pub(crate) pv: Vec<String>,
}

/// The mate with which a search ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FoundMate {
    /// Number of moves, without a sign.
    pub(crate) moves: u32,
    /// Whether its PV is legal and ends in mate after that number of moves.
    pub(crate) proved: bool,
    /// The depth and the nodes with which it was announced last.
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
}

/// All mates that a search announced for a position whose mate is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MateClaims {
    /// The mate of the right side that the last score announces.
    pub(crate) found: Option<FoundMate>,
    /// Whether the last score is that of a won tablebase position, for the right side.
    pub(crate) tablebase_win: bool,
    pub(crate) issues: Vec<MateIssue>,
    /// What was announced, to be judged by what else is known.
    #[serde(skip)]
    pub(crate) recorder: ClaimRecorder,
}

/// Records the scores of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClaimRecorder {
    /// Each announced mate and tablebase win, once.
    announcements: Vec<Announcement>,
    last: Option<LastScore>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Announcement {
    rank: u32,
    score: Announced,
    pv: Vec<UciMove>,
    /// What follows its moves, if it cannot be a move.
    rest: Option<String>,
}

/// A decisive score, negative if the side to move loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Announced {
    /// In so many moves.
    Mate(i32),
    /// The centipawns of a tablebase win.
    TablebaseWin(i32),
}

impl Announced {
    fn is_win(self) -> bool {
        let (Self::Mate(number) | Self::TablebaseWin(number)) = self;
        number > 0
    }

    /// The number of moves of a mate.
    fn moves(self) -> Option<i32> {
        match self {
            Self::Mate(moves) => Some(moves),
            Self::TablebaseWin(_) => None,
        }
    }
}

/// Formats as `mate in 3`, `mated in 3` or `score 19990`.
impl fmt::Display for Announced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Mate(moves) => f.write_str(&name(i64::from(moves))),
            Self::TablebaseWin(centipawns) => write!(f, "score {centipawns}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastScore {
    /// Index of the announcement.
    Mate {
        index: usize,
        moves: i32,
    },
    Cp(i32),
}

impl ClaimRecorder {
    /// Records a line, and the nodes reported so far. The first PV alone has the score of the search.
    /// A bound is no announcement, but replaces the score before.
    pub(crate) fn info(&mut self, info: &Info, nodes: Option<u64>) {
        let Some(score) = info.score else {
            return;
        };
        let rank = info.multipv.unwrap_or(1);
        let last = match score.value {
            _ if score.bound.is_some() => None,
            // The side to move is mated already.
            ScoreValue::Mate(0) => None,
            ScoreValue::Cp(centipawns) => {
                if centipawns.unsigned_abs() >= TABLEBASE_WIN.unsigned_abs() {
                    self.announce(rank, Announced::TablebaseWin(centipawns), info);
                }
                Some(LastScore::Cp(centipawns))
            }
            ScoreValue::Mate(moves) => {
                let index = self.announce(rank, Announced::Mate(moves), info);
                Some(LastScore::Mate { index, moves })
            }
        };
        if rank == 1 {
            (self.last, self.depth, self.nodes) = (last, info.depth, nodes);
        }
    }

    /// Records an announcement; returns its index.
    fn announce(&mut self, rank: u32, score: Announced, info: &Info) -> usize {
        let is_known = |known: &Announcement| {
            (known.rank, known.score) == (rank, score)
                && (&known.pv, &known.rest) == (&info.pv, &info.pv_rest)
        };
        let index = self.announcements.iter().position(is_known);
        index.unwrap_or_else(|| {
            self.announcements.push(Announcement {
                rank,
                score,
                pv: info.pv.clone(),
                rest: info.pv_rest.clone(),
            });
            self.announcements.len() - 1
        })
    }

    /// Judges the scores by the known mate of the position.
    pub(crate) fn judge(
        &self,
        wanted: MateGoal,
        position: &Position,
        mode: CastlingMode,
    ) -> MateClaims {
        self.judge_by(&Known::default(), wanted, position, mode)
    }

    /// Judges the scores by the known mate of the position, those after its moves, and tables.
    pub(crate) fn judge_by(
        &self,
        known: &Known,
        wanted: MateGoal,
        position: &Position,
        mode: CastlingMode,
    ) -> MateClaims {
        let is_right = |score: i32| match wanted {
            MateGoal::Mates(_) => score > 0,
            MateGoal::Mated(_) => score < 0,
        };
        let mut claims = MateClaims::default();
        let mut proved = Vec::with_capacity(self.announcements.len());
        for one in &self.announcements {
            let issues = one.issues(known, wanted, position, mode);
            let is_fault = |(kind, _): &(MateIssueKind, String)| {
                matches!(kind, MateIssueKind::BadPv | MateIssueKind::Tables)
            };
            proved.push(!issues.iter().any(is_fault));
            let issues = issues.into_iter().map(|(kind, reason)| MateIssue {
                kind,
                rank: one.rank,
                announced: one.score.moves().unwrap_or_default(),
                reason,
                pv: { one.pv.iter().map(ToString::to_string) }
                    .chain(one.rest.clone())
                    .collect(),
            });
            claims.issues.extend(issues);
        }
        match self.last {
            Some(LastScore::Mate { index, moves }) if is_right(moves) => {
                claims.found = Some(FoundMate {
                    moves: moves.unsigned_abs(),
                    proved: proved[index],
                    depth: self.depth,
                    nodes: self.nodes,
                });
            }
            Some(LastScore::Cp(score)) => {
                claims.tablebase_win =
                    is_right(score) && score.unsigned_abs() >= TABLEBASE_WIN.unsigned_abs();
            }
            _ => {}
        }
        claims.recorder = self.clone();
        claims
    }
}

impl Announcement {
    /// What is wrong with it, with the reasons.
    fn issues(
        &self,
        known: &Known,
        wanted: MateGoal,
        position: &Position,
        mode: CastlingMode,
    ) -> Vec<(MateIssueKind, String)> {
        let Self {
            rank,
            score,
            pv,
            rest,
        } = self;
        if score.moves().is_none() && known.tables.is_none() {
            return Vec::new();
        }
        let name = match rank {
            1 => score.to_string(),
            _ => format!("PV {rank}: {score}"),
        };
        let after = known.after(position, pv, mode);
        let root = match wanted {
            MateGoal::Mates(moves) => i64::from(moves.get()),
            MateGoal::Mated(moves) => -i64::from(moves.get()),
        };
        // What is known of its first move is known better than what is known of the best one.
        let expected = after.map_or(Some(root), |after| after.moves);
        let what = match after {
            Some(MateAfter { moves, first }) => {
                let what = moves.map_or_else(|| "no mate".to_owned(), self::name);
                format!("{what} after {}", san::write(first, position))
            }
            None => wanted.to_string(),
        };
        // Another move than the best one may lose, and faster than need be.
        let counts = *rank == 1 || score.is_win() || after.is_some();
        let mut issues = Vec::new();
        if expected.is_some_and(|expected| (expected > 0) != score.is_win()) {
            if counts {
                let reason = format!("{name} announced, but known is {what}");
                issues.push((MateIssueKind::WrongSign, reason));
            }
        } else if let Some(moves) = score.moves() {
            let is_shorter = |known: i64| u64::from(moves.unsigned_abs()) < known.unsigned_abs();
            if counts && expected.is_none_or(is_shorter) {
                let reason = format!("{name} announced, known is {what}");
                issues.push((MateIssueKind::Better, reason));
            }
            if let Some(fault) = pv_fault(position, (pv, rest.as_deref()), moves, mode) {
                let reason = format!("{name} announced, but {fault}");
                issues.push((MateIssueKind::BadPv, reason));
            }
        }
        let winner = if score.is_win() {
            position.side_to_move()
        } else {
            !position.side_to_move()
        };
        // What another move than the best one loses to says nothing of the position before it.
        let is_other = *rank > 1 && !score.is_win();
        let mut line = positions(position, pv, mode);
        let first = line.next().filter(|_| !is_other).and_then(|first| {
            let too_short = || known.too_short(position, plies(score.moves()?));
            known.not_won(iter::once(first), winner).or_else(too_short)
        });
        if let Some(fault) = first.or_else(|| known.not_won(line, winner)) {
            let reason = format!("{name} announced, but {fault}");
            issues.push((MateIssueKind::Tables, reason));
        }
        issues
    }
}

/// A position, and those after the moves of a PV up to the first illegal one.
fn positions(
    position: &Position,
    pv: &[UciMove],
    mode: CastlingMode,
) -> impl Iterator<Item = Position> {
    let after = pv.iter().scan(*position, move |position, text| {
        *position = position.play_unchecked(text.to_move(position, mode)?);
        Some(*position)
    });
    iter::once(*position).chain(after)
}

/// The plies of an announced mate: the mating side moves first and last.
fn plies(announced: i32) -> u32 {
    let plies = announced.unsigned_abs().saturating_mul(2);
    plies.saturating_sub(u32::from(announced > 0))
}

/// Formats as `mate in 3` or `mated in 3`.
fn name(announced: i64) -> String {
    let how = if announced > 0 { "mate" } else { "mated" };
    format!("{how} in {}", announced.unsigned_abs())
}

/// Why a PV is not the announced mate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum PvFault {
    #[error("its PV has {}, expected {expected}", plies_text(*.plies))]
    Length { plies: usize, expected: usize },
    #[error("move {number} of its PV, {text}, is not legal in {fen}")]
    Illegal {
        number: usize,
        text: String,
        fen: String,
    },
    #[error("its PV lets the mated side claim a draw by {rule} in {fen}")]
    Draw { rule: &'static str, fen: String },
    #[error("its PV does not end in mate, but in {fen}")]
    NoMate { fen: String },
}

fn plies_text(plies: usize) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// Plays a PV by the rules: each move is legal, the side that gets mated can never claim a draw,
/// and the last ply of the announced number mates.
fn pv_fault(
    position: &Position,
    (pv, rest): (&[UciMove], Option<&str>),
    announced: i32,
    mode: CastlingMode,
) -> Option<PvFault> {
    let winner: Color = if announced > 0 {
        position.side_to_move()
    } else {
        !position.side_to_move()
    };
    let mut game = Game::new(*position);
    for (&text, number) in pv.iter().zip(1..) {
        if game.position().side_to_move() != winner
            && let Some(rule) = claim(&mut game)
        {
            let fen = fen::write(game.position());
            return Some(PvFault::Draw { rule, fen });
        }
        let played = text.to_move(game.position(), mode);
        if played.is_none_or(|m| game.play(m).is_err()) {
            let (text, fen) = (text.to_string(), fen::write(game.position()));
            return Some(PvFault::Illegal { number, text, fen });
        }
    }
    if let Some(word) = rest {
        return Some(PvFault::Illegal {
            number: pv.len() + 1,
            text: word.to_owned(),
            fen: fen::write(game.position()),
        });
    }
    let (plies, expected) = (pv.len(), plies(announced) as usize);
    if plies != expected {
        return Some(PvFault::Length { plies, expected });
    }
    let fen = || fen::write(game.position());
    (game.position().outcome() != Some(Outcome::Checkmate { winner }))
        .then(|| PvFault::NoMate { fen: fen() })
}

/// The rule by which the side to move may claim a draw, now or with a move that it intends to play
/// (FIDE 9.2.1, 9.3.1).
fn claim(game: &mut Game) -> Option<&'static str> {
    let rule = |draw| match draw {
        ClaimableDraw::ThreefoldRepetition => "threefold repetition",
        ClaimableDraw::FiftyMoves => "the fifty-move rule",
    };
    if let Some(draw) = game.claimable_draw() {
        return Some(rule(draw));
    }
    // A position can be the same for the third time no sooner than after eight plies.
    if game.position().halfmove_clock() < 7 {
        return None;
    }
    let moves: Vec<Move> = game.position().legal_moves().into_iter().collect();
    moves.into_iter().find_map(|m| {
        game.play(m).expect("a move of the list is legal");
        let draw = game.claimable_draw();
        game.undo();
        draw.map(rule)
    })
}

/// The PV of an issue in SAN as far as it is legal, then as the engine wrote it.
pub(crate) fn readable_pv(issue: &MateIssue, position: &Position, mode: CastlingMode) -> String {
    let mut position = *position;
    let mut words = Vec::with_capacity(issue.pv.len());
    let mut is_legal = true;
    for word in &issue.pv {
        let m = word.parse::<UciMove>().ok();
        match m.and_then(|text| text.to_move(&position, mode)) {
            Some(m) if is_legal => {
                words.push(san::write(m, &position));
                position = position.play_unchecked(m);
            }
            _ => {
                is_legal = false;
                words.push(word.clone());
            }
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    #[cfg(feature = "oracles")]
    use tablebase::Tablebase;
    use uci::grammar::Message;

    use super::*;
    use crate::rows::rows;
    use crate::text::Suite;

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    const CORNER: &str = "7k/8/6K1/8/8/8/8/R7 b - - 0 1";

    /// Moves of the mate that was found, with `?` if it is not proved, then the issues; ` / ` separates the lines that
    /// the engine prints.
    fn summary(more: &Known, fen: &str, known: i32, lines: &str) -> String {
        let position = fen::parse(fen).expect("legal");
        let moves = NonZeroU32::new(known.unsigned_abs()).expect("not 0");
        let wanted = if known > 0 {
            MateGoal::Mates(moves)
        } else {
            MateGoal::Mated(moves)
        };
        let mut recorder = ClaimRecorder::default();
        for (line, nodes) in lines.split(" / ").zip(1..) {
            let Message::Info(info) = Message::parse(&format!("info {line}")) else {
                panic!("{line} is no info");
            };
            recorder.info(&info, Some(nodes));
        }
        let claims = recorder.judge_by(more, wanted, &position, CastlingMode::Standard);
        let mut text = match claims.found {
            Some(found) if found.proved => found.moves.to_string(),
            Some(found) => format!("{}?", found.moves),
            None if claims.tablebase_win => "tablebase".to_owned(),
            None => "-".to_owned(),
        };
        for issue in &claims.issues {
            text = format!("{text}; {}: {}", issue.kind.as_str(), issue.reason);
        }
        text
    }

    /// Compares the summaries of a position with a known mate; a row has the lines and the summary.
    fn check(fen: &str, known: i32, table: &str) {
        for [lines, expected] in rows(table) {
            let found = summary(&Known::default(), fen, known, lines);
            assert_eq!(found, expected, "{lines}");
        }
    }

    #[test]
    fn the_last_exact_score_counts() {
        let table = "
score mate 1 pv a1a8 | 1
score cp 300 pv a1a8 / score mate 1 pv a1a8 | 1
score mate 1 pv a1a8 / score cp 900 pv a1a8 | -
score mate 1 pv a1a8 / depth 9 nodes 100 | 1
score mate 1 pv a1a8 / score mate 1 lowerbound pv a1a8 | -
score mate 1 lowerbound pv a1a8 | -
score cp 19760 pv a1a8 | tablebase
score cp 19753 pv a1a8 | -
score cp -20000 pv a1a8 | -
score mate 0 | -";
        check(BACK_RANK, 1, table);
    }

    #[test]
    fn every_line_is_checked_but_a_repeated_one_once() {
        let table = "score mate 2 pv a1a8 / score mate 2 pv a1a8 / score mate 1 pv a1a8 | 1; better: mate in 2 announced, \
                     known is mate in 3; bad-pv: mate in 2 announced, but its PV has 1 ply, expected 3; better: mate \
                     in 1 announced, known is mate in 3";
        check(BACK_RANK, 3, table);
        let table = "score mate -4 pv e1d2 g8f8 / score mate 1 pv a1a8 | 1; wrong-sign: mated in 4 announced, but known \
                     is mate in 1";
        check(BACK_RANK, 1, table);
    }

    #[test]
    fn mated_positions() {
        let table = "
score mate -1 pv h8g8 a1a8 | 1
score mate -1 pv h8g8 a1b1 | 1?; bad-pv: mated in 1 announced, but its PV does not end in mate, but in \
6k1/8/6K1/8/8/8/8/1R6 b - - 2 2
score mate 1 pv h8g8 | -; wrong-sign: mate in 1 announced, but known is mated in 1
score cp -19999 pv h8g8 | tablebase";
        check(CORNER, -1, table);
    }

    #[test]
    fn a_pv_must_be_of_the_announced_length_and_legal() {
        let table = "
score mate 1 pv e1d2 g8h8 a1a8 | 1?; bad-pv: mate in 1 announced, but its PV has 3 plies, expected 1
score mate 1 | 1?; bad-pv: mate in 1 announced, but its PV has 0 plies, expected 1
score mate 1 pv a1a8 h9h9 nodes 3 | 1?; bad-pv: mate in 1 announced, but move 2 of its PV, h9h9, is not legal in \
R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1
score mate 1 pv a1h8 | 1?; bad-pv: mate in 1 announced, but move 1 of its PV, a1h8, is not legal in \
6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        check(BACK_RANK, 1, table);
    }

    #[test]
    fn the_mated_side_may_not_be_able_to_claim_a_draw() {
        // The fifty moves are over after the next move of Black.
        let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 98 80";
        let table = "score mate 2 pv e1d2 g8h8 a1a8 | 2?; bad-pv: mate in 2 announced, but its PV lets the mated side \
                     claim a draw by the fifty-move rule in 6k1/5ppp/8/8/8/8/3K4/R7 b - - 99 80";
        check(fen, 2, table);
        check(fen, 1, "score mate 1 pv a1a8 | 1");
        let again = "score mate 5 pv e1d2 g8h8 d2e1 h8g8 e1d2 g8h8 d2e1 h8g8 a1a8";
        let text = summary(&Known::default(), BACK_RANK, 5, again);
        assert!(text.contains("threefold repetition"), "{text}");
    }

    /// Other lines than the first are checked, but do not count as found; they may lose.
    #[test]
    fn other_lines_of_multipv() {
        let table = "
multipv 1 score mate 1 pv a1a8 / multipv 2 score mate 2 pv e1d2 g8h8 a1a8 | 1
multipv 1 score mate 1 pv a1a8 / multipv 2 score mate -3 pv e1d2 | 1
multipv 1 score mate 1 pv a1a8 / multipv 2 score mate 2 pv e1d2 | 1; bad-pv: PV 2: mate in 2 announced, but its \
PV has 1 ply, expected 3";
        check(BACK_RANK, 1, table);
        let table = "multipv 1 score cp 5 pv e1d2 / multipv 2 score mate 1 pv a1a8 | -; better: PV 2: mate in 1 \
                     announced, known is mate in 2";
        check(BACK_RANK, 2, table);
        let table = "multipv 1 score mate -1 pv h8g8 a1a8 / multipv 2 score mate 1 pv h8g8 | 1; wrong-sign: PV 2: mate in \
                     1 announced, but known is mated in 1";
        check(CORNER, -1, table);
    }

    fn known_after(text: &str) -> Result<Known, String> {
        let mut known = Known::default();
        let suite = Suite::parse_repaired("after.epd", text.as_bytes());
        let added = known.add_mates(&suite);
        added.map(|()| known).map_err(|error| error.to_string())
    }

    /// The mates after the first moves are known for three of them, and for one that there is none; of
    /// two lines with the same position the shorter mate counts.
    #[test]
    fn other_lines_are_judged_by_the_mates_after_their_first_moves() {
        let text = "# as matetrack writes them\n\
                    6k1/5ppp/8/8/8/8/3K4/R7 b - - bm #-4; PV: g8h8;\n\
                    6k1/5ppp/8/8/8/8/3K4/R7 b - - bm #-1; PV: g8h8 a1a8;\n\
                    6k1/5ppp/8/8/8/8/4K3/R7 b - - bm #3;\n\
                    6k1/R4ppp/8/8/8/8/8/4K3 b - -\n";
        let known = known_after(text).expect("it is readable");
        // The second line, and what is wrong with it; `a1a2` is not listed.
        let table = "
score mate 2 pv e1d2 g8h8 a1a8 | 1
score mate 1 pv e1d2 | 1; better: PV 2: mate in 1 announced, known is mate in 2 after Kd2; bad-pv: PV 2: mate in 1 \
announced, but its PV does not end in mate, but in 6k1/5ppp/8/8/8/8/3K4/R7 b - - 1 1
score mate -3 pv e1d2 | 1; wrong-sign: PV 2: mated in 3 announced, but known is mate in 2 after Kd2
score mate 1 pv e1e2 | 1; wrong-sign: PV 2: mate in 1 announced, but known is mated in 3 after Ke2
score mate -2 pv e1e2 | 1; better: PV 2: mated in 2 announced, known is mated in 3 after Ke2; bad-pv: PV 2: mated in \
2 announced, but its PV has 1 ply, expected 4
score mate 2 pv a1a7 g8h8 a7a8 | 1; better: PV 2: mate in 2 announced, known is no mate after Ra7
score mate -3 pv a1a2 | 1";
        for [line, expected] in rows(table) {
            let lines = format!("multipv 1 score mate 1 pv a1a8 / multipv 2 {line}");
            let found = summary(&known, BACK_RANK, 1, &lines);
            assert_eq!(found, expected, "{line}");
        }
        // The first PV too, where the engine plays another move than the best.
        let first = summary(&known, BACK_RANK, 1, "score mate 1 pv e1d2");
        assert!(first.contains("known is mate in 2 after Kd2"), "{first}");
        let fault = known_after("6k1/5ppp/8/8/8/8/3K4/R7 b - - bm #x;\n").expect_err("no number");
        assert!(fault.starts_with("after.epd:1: "), "{fault}");
        let fault = known_after("\nno record\n").expect_err("no record");
        assert!(fault.starts_with("after.epd:2: "), "{fault}");
    }

    /// The tables that `scripts/test` puts into `.venv`.
    #[cfg(feature = "oracles")]
    #[test]
    fn the_tables_contradict() {
        const ROOK: &str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
        const NEAR: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/syzygy");
        let tables = Tablebase::open(folder).expect("scripts/test installs them");
        let mut known = known_after("").expect("there is nothing to read");
        known.tables = Some(tables);
        let table = "
16 | score mate 16 pv b2b7 | 16?; bad-pv: mate in 16 announced, but its PV has 1 ply, expected 31
16 | score mate 16 pv b2b3 | 16?; bad-pv: mate in 16 announced, but its PV has 1 ply, expected 31; tables: mate in 16 \
announced, but the tables give Black a draw in 8/8/8/8/8/1Rk5/8/K7 b - - 1 1
15 | score mate 15 pv b2b7 | 15?; bad-pv: mate in 15 announced, but its PV has 1 ply, expected 29; tables: mate in 15 \
announced, but by the tables the next capture, pawn move or mate is 31 plies away
16 | score mate -4 pv b2b7 | -; wrong-sign: mated in 4 announced, but known is mate in 16; tables: mated in 4 \
announced, but the tables give White a win in ROOK
16 | score cp 19990 pv b2b7 | tablebase
16 | score cp 19990 pv b2b3 | tablebase; tables: score 19990 announced, but the tables give Black a draw in \
8/8/8/8/8/1Rk5/8/K7 b - - 1 1
16 | score cp -19990 pv b2b7 | -; wrong-sign: score -19990 announced, but known is mate in 16; tables: score -19990 \
announced, but the tables give White a win in ROOK";
        for [mate, lines, expected] in rows(&table.replace("ROOK", ROOK)) {
            let mate = mate.parse().expect("a number");
            assert_eq!(summary(&known, ROOK, mate, lines), expected, "{lines}");
        }
        // Another move than the best may lose, but this one does not.
        let table = "
score mate 2 pv f6g6 h8g8 a1a8 | 2
score mate 2 pv f6g6 h8g8 a1a8 / multipv 2 score mate -3 pv a1a8 | 2; tables: PV 2: mated in 3 announced, but the \
tables give Black a loss in R6k/8/5K2/8/8/8/8/8 b - - 1 1";
        for [lines, expected] in rows(table) {
            assert_eq!(summary(&known, NEAR, 2, lines), expected, "{lines}");
        }
        // No table covers it.
        let found = summary(&known, BACK_RANK, 1, "score mate 1 pv a1a8");
        assert_eq!(found, "1");
    }

    #[test]
    fn a_pv_is_readable_as_far_as_it_is_legal() {
        let issue = MateIssue {
            kind: MateIssueKind::BadPv,
            rank: 1,
            announced: 2,
            reason: String::new(),
            pv: ["a1a8", "e1e2", "g8h8"].map(str::to_owned).to_vec(),
        };
        let position = fen::parse(BACK_RANK).expect("legal");
        let text = readable_pv(&issue, &position, CastlingMode::Standard);
        assert_eq!(text, "Ra8# e1e2 g8h8");
    }
}

//! Proves, on positions with known counts, how an engine is to be asked and which parts of its
//! answers can be used. Nothing unproved is used.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::time::Duration;

use chess::notation::fen::{self, CastlingText, FenStyle};
use chess::notation::uci_move;
use chess::perft::Counter;
use chess::rules::{CastlingMode, Position};

use crate::perft::answer::Route;
use crate::perft::ask::{AnswerEnd, AnswerPatience, Expected, Tried, has_number};
use crate::perft::form::{AnswerForm, FormSample, Learnt, learn};
use crate::perft::known::{KnownPositions, KnownRoute};
use crate::perft::lists::{LATE_SEARCH, MoveSource};
use crate::perft::question::Ask;
use crate::perft::spelling::{CastlingSpelling, Spelling};

/// Positions whose moves are also listed whole by an engine that prints few lines.
const OF_FEW_MOVES: [&str; 4] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
    "8/1p6/8/2P5/8/k7/8/2K5 b - - 0 1",
];
/// Checkmate and stalemate.
const FINISHED: [&str; 2] = [
    "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
];
/// Time limit for the answer to a search where the game is over: some are silent.
const END_OF_GAME: Duration = Duration::from_secs(1);
/// Number of questions about the first position, which is the start position unless it is of lone kings.
const OF_STARTPOS: usize = 3;

/// A Chess960 position with many castling rights, in which castling is not possible.
const CHESS960: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
const CASTLINGS_960: [KnownRoute; 1] = [(
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "e1g1 e8b8",
    1,
)];

/// The proven way to ask an engine and to read its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    pub(super) ask: Ask,
    pub(super) form: AnswerForm,
    pub(super) sync: AnswerEnd,
    pub(super) spelling: Spelling,
    pub(super) calibration: Calibration,
    /// The notation of castling rights in Chess960.
    pub(super) chess960: CastlingText,
    /// Whether answers are printed on standard error.
    pub(super) on_stderr: bool,
    /// Whether the engine is asked before any `uci`, as one whose perft is in its console.
    pub(super) is_console: bool,
    /// For lists by `MultiPV`: the number of lines that the engine prints at most.
    pub(super) most_lines: usize,
}

/// The proven abilities of an engine; only these are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is proved by itself")]
pub struct Calibration {
    /// Counts positions given by FEN.
    pub fen: bool,
    /// Plays moves after a position. An engine that speaks UCI has to: it is asked although it was not proved.
    pub moves: bool,
    /// Plays promotions, as for `moves`.
    pub promotions: bool,
    /// Plays castling moves, as for `moves`.
    pub castling: bool,
    /// Accepts Chess960 positions.
    pub chess960: bool,
    /// Plays castling moves in Chess960.
    pub castling_960: bool,
    /// Its rows are the legal moves.
    pub rows: bool,
    /// For lists of moves: it says that there is no move in checkmate and stalemate.
    pub finished: bool,
    /// Prints totals.
    pub totals: bool,
    /// A sentence on each part that is not used, with the reason.
    pub limits: Vec<String>,
}

impl Dialect {
    /// The proven abilities.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// The way in which it is asked.
    pub fn ask(&self) -> &Ask {
        &self.ask
    }

    /// Records that answers are printed on standard error.
    pub(super) fn read_from_stderr(&mut self) {
        self.on_stderr = true;
        let note = "answers are read from standard error".to_owned();
        self.calibration.limits.insert(0, note);
    }

    /// Whether the engine is addressed in UCI.
    pub(super) fn is_uci(&self) -> bool {
        !self.ask.is_program() && !self.is_console
    }

    /// How moves are listed, if the engine is asked for moves and not for counts.
    pub fn moves_by(&self) -> Option<MoveSource> {
        self.ask.moves_by()
    }

    /// The line that sets up a position.
    pub(super) fn position_line(&self, route: &Route) -> String {
        self.question(route, NonZeroU32::MIN).swap_remove(0)
    }

    /// The lines to send, or the arguments of the program. If a move is not proved to be
    /// understood, we play the moves up to it: the FEN is then that of the position after the last
    /// such move.
    pub fn question(&self, route: &Route, depth: NonZeroU32) -> Vec<String> {
        let route = self.as_far_as_proved(route);
        let fen = fen_text(route.root(), self.chess960);
        let moves = self.spelling.moves(&route);
        self.ask.fill(&fen, &moves, depth)
    }

    /// Whether all moves of a route are sent as moves.
    pub fn sends_moves(&self, route: &Route) -> bool {
        self.as_far_as_proved(route).moves().len() == route.moves().len()
    }

    fn as_far_as_proved(&self, route: &Route) -> Route {
        if !self.ask.takes_moves() || !self.calibration.moves {
            return Route::by_fen(*route.position());
        }
        let mut left = Route::by_fen(*route.root());
        for &m in route.moves() {
            let position = *left.position();
            let is_proved = if position.is_castling(m) {
                match position.castling_mode() {
                    CastlingMode::Standard => self.calibration.castling,
                    CastlingMode::Chess960 => self.calibration.castling_960,
                }
            } else {
                m.promotion().is_none() || self.calibration.promotions
            };
            left = left.then(m);
            if !is_proved {
                left = Route::by_fen(*left.position());
            }
        }
        left
    }
}

/// A question of the calibration.
pub(super) struct CalibrationQuestion<'a> {
    /// Lines to send, or arguments.
    pub(super) lines: &'a [String],
    pub(super) expected: Expected,
    /// For lists of moves: how they are asked for.
    pub(super) moves_by: Option<MoveSource>,
    pub(super) route: &'a Route,
    pub(super) depth: u32,
    /// The line that sets up a route.
    pub(super) position: &'a dyn Fn(&Route) -> String,
}

/// The engine under calibration.
pub(super) trait Respondent {
    /// Asks a question.
    ///
    /// # Errors
    ///
    /// When there is no answer; the respondent is ready for the next question nevertheless.
    fn put(
        &mut self,
        asked: &CalibrationQuestion<'_>,
        patience: AnswerPatience,
    ) -> Result<Tried, Lost>;

    /// Switches Chess960 on or off for the following positions.
    fn set_chess960(&mut self, on: bool);

    /// Ends an engine that goes on with an answer.
    fn abandon(&mut self);

    /// How the end of an answer is detected, given whether `readyok` always came last.
    fn sync(&self, ready_came_last: bool) -> AnswerEnd;
}

/// Why a calibration question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// The user ended the run.
    Cancelled,
    /// The engine ended, with this status.
    Ended(String),
    /// The engine cannot be restarted.
    Gone(String),
    /// The answer was late, and the engine did not become idle.
    Late,
    /// The engine printed more than any answer, and went on.
    Endless,
}

/// Why a way to ask is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unproved {
    /// The engine was late and did not become idle, even at the first question.
    Stuck {
        /// The missing reaction.
        reason: String,
    },
    /// The engine printed without end, even at the first question.
    Endless {
        /// What it did, and the question.
        reason: String,
    },
    /// The engine does something else.
    Otherwise {
        /// A short description.
        reason: String,
        /// The last lines sent, and its output.
        raw: Vec<String>,
    },
    /// The engine knows perft, but ends, does not answer, or lists moves that cannot be its counts.
    Broken { reason: String, raw: Vec<String> },
    /// `uciok` arrived during a question: it is a UCI engine that starts slowly.
    LateUciok,
    /// The engine cannot be restarted.
    Gone(String),
    /// The user ended the run.
    Cancelled,
}

/// Time limits of the questions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patiences {
    /// For the first question, to which there may be no answer at all.
    pub(super) first: AnswerPatience,
    /// For the others about the start position, of a few thousand nodes.
    pub(super) second: Duration,
    /// For any other question.
    pub(super) rest: Duration,
}

/// The reason of an engine that searches at words that it does not know.
pub(super) const SEARCHED: &str = "it searched";
/// Maximum number of unanswered positions: an engine may crash or hang because of its bugs.
const MOST_LOST: usize = 5;
/// Fewer lines are a count of each depth, more are a log.
const MOST_DEPTHS: usize = 100;
/// Number of lines of an answer to show.
const SHOWN: usize = 6;

/// Proves that an engine can be asked in this way, and which parts of its answers can be used.
///
/// # Errors
///
/// When counting, or reading a FEN, cannot be proved.
pub(super) fn calibrate(
    respondent: &mut dyn Respondent,
    ask: &Ask,
    has_chess960: bool,
    patience: Patiences,
    known: KnownPositions,
) -> Result<Dialect, Unproved> {
    let knows_rules = known == KnownPositions::EveryRule;
    let must_play_moves =
        knows_rules && ask.has_uci_position() && respondent.sync(true) != AnswerEnd::Silence;
    let mut exchange = Exchange {
        respondent,
        ask,
        known,
        must_play_moves,
        patience,
        samples: Vec::new(),
        lost: Vec::new(),
        is_known: false,
        ready_came_last: true,
        spelling: Spelling::UCI,
        chess960: CastlingText::Shredder,
        calibration: Calibration::default(),
        last: Vec::new(),
        previous: None,
    };
    let Learnt { form, misread } = if ask.moves_by().is_some() {
        exchange.prove_lists()?
    } else {
        exchange.prove_counts()?
    };
    exchange.is_known = true;
    exchange.calibration = Calibration {
        fen: true,
        finished: exchange.calibration.finished,
        // Of replies, all but one of the moves are ours.
        rows: form.lists_moves() && ask.moves_by() != Some(MoveSource::Replies),
        totals: form.has_total(),
        ..Calibration::default()
    };
    if let Some((index, text)) = misread {
        let sample = &exchange.samples[index];
        let limit = format!(
            "rows are not used: {text}, though the count is right, in perft {} of {}",
            sample.depth,
            fen::write(&sample.position)
        );
        exchange.limit(limit);
    } else if form.has_rows() && !form.lists_moves() {
        exchange.limit("rows are not used: too few of the known answers have the legal moves");
    }
    exchange.prove_moves(&form)?;
    if has_chess960 && knows_rules {
        exchange.prove_chess960(&form)?;
    }
    let mut calibration = exchange.calibration;
    if ask.moves_by().is_some() {
        let reasons: BTreeSet<String> = exchange.lost.drain(..).map(|(_, how)| how).collect();
        let limits = reasons
            .into_iter()
            .map(|how| format!("not every known position is listed: {how}"));
        calibration.limits.extend(limits);
    }
    for (question, how) in exchange.lost {
        let said = format!("a known question has no answer: {how}, asked '{question}'");
        calibration.limits.push(said);
    }
    Ok(Dialect {
        ask: ask.clone(),
        form,
        sync: exchange.respondent.sync(exchange.ready_came_last),
        spelling: exchange.spelling,
        calibration,
        chess960: exchange.chess960,
        on_stderr: false,
        is_console: false,
        most_lines: 0,
    })
}

/// The calibration questions so far, with their results.
struct Exchange<'a> {
    respondent: &'a mut dyn Respondent,
    ask: &'a Ask,
    known: KnownPositions,
    /// Whether the engine speaks UCI, in which a position may be followed by moves.
    must_play_moves: bool,
    patience: Patiences,
    samples: Vec<FormSample>,
    /// Unanswered questions, with the reasons.
    lost: Vec<(String, String)>,
    /// Whether the format of the answers is known.
    is_known: bool,
    ready_came_last: bool,
    spelling: Spelling,
    chess960: CastlingText,
    /// What is proved so far.
    calibration: Calibration,
    /// The last question and its answer, for reports.
    last: Vec<String>,
    /// The previous position, which an engine counts again if it has ignored the new one.
    previous: Option<Position>,
}

impl Exchange<'_> {
    /// Proves that the engine counts, and learns the format of its answers.
    fn prove_counts(&mut self) -> Result<Learnt, Unproved> {
        self.put_known()?;
        let Some(learnt) = learn(&self.samples) else {
            return Err(self.unproved(&self.no_form()));
        };
        let form = &learnt.form;
        if let Some(reason) = self.other_depth(|sample, count| read(form, sample) == Some(count)) {
            return Err(self.unproved(&reason));
        }
        if let Some(reason) = self.no_fen(form) {
            return Err(self.unproved(&reason));
        }
        Ok(learnt)
    }

    /// Proves that what a search shows are the legal moves. An engine under test may be wrong in
    /// some positions, but not in most of them: each has few kinds of moves.
    fn prove_lists(&mut self) -> Result<Learnt, Unproved> {
        let form = AnswerForm::of_lists();
        let (mut exact, mut asked) = (0, 0);
        let known = self.known.counted().iter().map(|known| known.0);
        for text in known.chain(OF_FEW_MOVES) {
            let position = fen::parse(text).expect("the known positions are legal");
            if let Some(tried) = self.put(&Route::by_fen(position), 1)? {
                let sample = FormSample::new(position, 1, tried.lines);
                asked += 1;
                exact += usize::from(sample.is_exact(&form));
                self.samples.push(sample);
            } else if asked == 0 && self.first_lost().starts_with(LATE_SEARCH) {
                return Err(self.unproved(&self.first_lost()));
            }
        }
        if exact < OF_FEW_MOVES.len() || exact * 2 <= asked {
            let why = format!("in {exact} of {asked} known positions its moves are the legal ones");
            return Err(self.unproved(&why));
        }
        let rest = std::mem::replace(&mut self.patience.rest, END_OF_GAME);
        self.calibration.finished = true;
        for text in FINISHED {
            let position = fen::parse(text).expect("the known positions are legal");
            let tried = self.put(&Route::by_fen(position), 1)?;
            if tried.is_none_or(|tried| !tried.lines.is_empty()) {
                self.calibration.finished = false;
                break;
            }
        }
        self.patience.rest = rest;
        Ok(Learnt {
            form,
            misread: None,
        })
    }

    /// Asks the calibration questions. Stops early if the engine shows no sign of counting.
    fn put_known(&mut self) -> Result<(), Unproved> {
        for (text, depths) in self.known.counted() {
            let position = fen::parse(text).expect("the known positions are legal");
            for &depth in *depths {
                let route = Route::by_fen(position);
                match self.put(&route, depth)? {
                    Some(tried) => {
                        let sample = FormSample::new(position, depth, tried.lines);
                        // Neither what is asked for, nor one ply more or less.
                        let is_near = |depth: u32| prints(&sample, count(&position, depth));
                        let is_strange = depth > 1 && !(depth - 1..=depth + 1).any(is_near);
                        self.samples.push(sample);
                        if is_strange && !self.samples.iter().any(is_plausible) {
                            break;
                        }
                    }
                    // The first crash may be chance, but not the second.
                    None if self.samples.is_empty() && self.lost.len() < 2 => {}
                    None if self.samples.is_empty() => {
                        return Err(self.unproved(&self.first_lost()));
                    }
                    None => break,
                }
            }
            if let Some(why) = self.is_hopeless() {
                return Err(self.unproved(why));
            }
        }
        Ok(())
    }

    /// Why no further question is worth its time, after those about one position.
    fn is_hopeless(&mut self) -> Option<&'static str> {
        let start = Position::startpos();
        let first = self.samples.first()?.position;
        let (of_first, of_others): (Vec<&FormSample>, Vec<&FormSample>) =
            (self.samples.iter()).partition(|sample| sample.position == first);
        if !self.samples.iter().any(is_plausible) {
            return Some("its answers have none of the known counts in them");
        }
        let goes_on = |sample: &&FormSample| {
            sample.lines.len() < MOST_DEPTHS
                && (sample.depth + 1..=sample.depth + 2)
                    .all(|depth| prints(sample, count(&first, depth)))
        };
        if of_first.iter().any(goes_on) {
            self.respondent.abandon();
            return Some("it counts depth after depth, without end");
        }
        let is_of_start = |sample: &&FormSample| {
            prints(sample, count(&start, sample.depth)) && !prints(sample, sample.count())
        };
        if !of_others.is_empty() && of_others.iter().all(is_of_start) {
            return Some("it counts the start position, whatever FEN it is given");
        }
        None
    }

    /// Asks one question; `None` if it is not answered.
    fn put(&mut self, route: &Route, depth: u32) -> Result<Option<Tried>, Unproved> {
        let depth = NonZeroU32::new(depth).expect("no known depth is 0");
        let fen_of = if self.ask.takes_moves() {
            route.root()
        } else {
            route.position()
        };
        let fen = fen_text(fen_of, self.chess960);
        let question = self.ask.fill(&fen, &self.spelling.moves(route), depth);
        let expected = Expected {
            count: count(route.position(), depth.get()),
            moves: route.position().legal_moves().len(),
        };
        let patience = if self.samples.is_empty() {
            self.patience.first
        } else {
            let is_of_startpos = self.samples.len() < OF_STARTPOS;
            let Patiences { second, rest, .. } = self.patience;
            let answer = if is_of_startpos { second } else { rest };
            AnswerPatience {
                answer,
                silence: answer,
            }
        };
        let asked = question.join(" / ");
        self.last = vec![format!("> {asked}")];
        let position = |route: &Route| {
            let fen = fen_text(route.root(), self.chess960);
            let moves = self.spelling.moves(route);
            self.ask.fill(&fen, &moves, depth).swap_remove(0)
        };
        let question = CalibrationQuestion {
            lines: &question,
            expected,
            moves_by: self.ask.moves_by(),
            route,
            depth: depth.get(),
            position: &position,
        };
        match self.respondent.put(&question, patience) {
            Ok(tried) => {
                let shown = tried.lines.len().saturating_sub(SHOWN);
                let lines = tried.lines[shown..].iter();
                self.last.extend(lines.map(|line| format!("< {line}")));
                if tried.lines.is_empty() {
                    let last = tried.last.iter().map(|line| format!("< {line}"));
                    self.last.extend(last);
                }
                self.ready_came_last &= tried.ready_came_last;
                if tried.late_uciok {
                    return Err(Unproved::LateUciok);
                }
                if tried.searched && self.is_known {
                    return self.lose(asked, SEARCHED.to_owned());
                }
                if tried.searched {
                    return Err(self.unproved(SEARCHED));
                }
                if tried.refused && self.samples.is_empty() {
                    return Err(self.unproved("it does not know the command"));
                }
                if tried.last.is_some() || expected.moves == 0 {
                    return Ok(Some(tried));
                }
                let how = "it printed nothing".to_owned();
                if self.samples.len() < OF_STARTPOS {
                    return Err(self.unproved(&how));
                }
                self.lose(asked, how)
            }
            Err(Lost::Cancelled) => Err(Unproved::Cancelled),
            Err(Lost::Gone(how)) => Err(Unproved::Gone(how)),
            Err(Lost::Ended(how)) => self.lose(asked, how),
            Err(Lost::Endless) => {
                let how = "it did not stop printing".to_owned();
                if self.samples.is_empty() {
                    let reason = format!("{how}, asked '{asked}'");
                    return Err(Unproved::Endless { reason });
                }
                self.lose(asked, how)
            }
            Err(Lost::Late) => {
                let seconds = patience.answer.as_secs_f64();
                let how = format!("no answer, nor readyok after stop, within {seconds} s");
                if self.samples.is_empty() {
                    let reason = format!("{how}, asked '{asked}'");
                    return Err(Unproved::Stuck { reason });
                }
                self.lose(asked, how)
            }
        }
    }

    fn lose(&mut self, asked: String, how: String) -> Result<Option<Tried>, Unproved> {
        self.lost.push((asked, how));
        // Later losses only reduce what is proved.
        let is_by_moves = self.ask.moves_by().is_some();
        if self.lost.len() >= MOST_LOST && !self.is_known && !is_by_moves {
            return Err(self.unproved(&self.first_lost()));
        }
        Ok(None)
    }

    fn first_lost(&self) -> String {
        let lost = self.lost.first();
        lost.map_or_else(String::new, |(asked, how)| {
            format!("{how}, asked '{asked}'")
        })
    }

    fn unproved(&self, reason: &str) -> Unproved {
        let (reason, raw) = (reason.to_owned(), self.last.clone());
        let lists_moves = self.samples.iter().any(|sample| sample.rows_at_most() > 0);
        if self.lost.is_empty() && !lists_moves {
            Unproved::Otherwise { reason, raw }
        } else {
            Unproved::Broken { reason, raw }
        }
    }

    /// The error message if no answer format fits the counts.
    fn no_form(&self) -> String {
        if !self.lost.is_empty() {
            return self.first_lost();
        }
        let other_depth = self.other_depth(prints);
        other_depth.unwrap_or_else(|| "its numbers are not the known counts".to_owned())
    }

    /// Whether it counts to a different depth, as some interpret the question.
    fn other_depth(&self, counts: impl Fn(&FormSample, u64) -> bool) -> Option<String> {
        let deep: Vec<&FormSample> = self.samples.iter().filter(|one| one.depth > 1).collect();
        let is_off = |offset: i32| {
            let is_it = |sample: &&FormSample| {
                let depth = sample.depth.saturating_add_signed(offset);
                counts(sample, count(&sample.position, depth))
            };
            deep.len() > 1 && deep.iter().all(is_it)
        };
        if is_off(1) {
            Some("it counts one ply more than it is asked for".to_owned())
        } else if is_off(-1) {
            Some("it counts one ply less than it is asked for".to_owned())
        } else {
            None
        }
    }

    /// Why it is not proved that the engine counts a position given by FEN.
    fn no_fen(&self, form: &AnswerForm) -> Option<String> {
        let start = Position::startpos();
        let others = self.samples.iter();
        let samples: Vec<&FormSample> = others.filter(|sample| sample.position != start).collect();
        let (mut right, mut of_start) = (Vec::new(), 0);
        for &sample in &samples {
            let count_of_start = count(&start, sample.depth);
            let answer = read(form, sample);
            if answer == Some(count_of_start) {
                of_start += 1;
            }
            if form.bears_out(sample) {
                right.push(sample.count());
            }
        }
        right.sort_unstable();
        right.dedup();
        if right.len() >= 2 {
            return None;
        }
        Some(if of_start * 2 > samples.len() {
            "it counts the start position, whatever FEN it is given".to_owned()
        } else {
            "it counts the start position, but no other known position".to_owned()
        })
    }

    /// Records that a part is not used, and why.
    fn limit(&mut self, limit: impl Into<String>) {
        self.calibration.limits.push(limit.into());
    }

    /// Proves that moves are played, and in which notation.
    fn prove_moves(&mut self, form: &AnswerForm) -> Result<(), Unproved> {
        if !self.ask.takes_moves() {
            self.limit("moves are not used: this way to ask has no place for them");
            return Ok(());
        }
        let unused = "moves are not used, positions are given by FEN";
        let plain = self.prove_kind(form, self.known.plain(), &[Spelling::UCI], unused)?;
        self.calibration.moves = plain.is_some();
        if plain.is_none() {
            return Ok(());
        }
        let spellings = Spelling::PROMOTIONS.map(|promotion| Spelling {
            promotion,
            ..Spelling::UCI
        });
        let unused = "promotions are not given as moves";
        if let Some(spelling) =
            self.prove_kind(form, self.known.promotions(), &spellings, unused)?
        {
            self.calibration.promotions = true;
            self.spelling.promotion = spelling.promotion;
        }
        let spellings = Spelling::CASTLINGS.map(|castling| Spelling {
            castling,
            ..Spelling::UCI
        });
        let unused = "castling is not given as a move";
        if let Some(spelling) = self.prove_kind(form, self.known.castlings(), &spellings, unused)? {
            self.calibration.castling = true;
            self.spelling.castling = spelling.castling;
        }
        Ok(())
    }

    fn prove_chess960(&mut self, form: &AnswerForm) -> Result<(), Unproved> {
        self.respondent.set_chess960(true);
        let position = fen::parse(CHESS960).expect("the known positions are legal");
        for castling in [CastlingText::Shredder, CastlingText::XFen] {
            self.chess960 = castling;
            // Some crash on one notation and accept the other.
            let Some(tried) = self.put(&Route::by_fen(position), 2)? else {
                continue;
            };
            if form.bears_out(&FormSample::new(position, 2, tried.lines)) {
                self.calibration.chess960 = true;
                break;
            }
        }
        if !self.calibration.chess960 {
            self.limit(format!(
                "Chess960 is not used: it does not count {CHESS960} in either notation of the castling rights"
            ));
        } else if self.calibration.moves {
            let spelling = Spelling {
                castling: CastlingSpelling::ByMode,
                ..self.spelling
            };
            let unused = "castling of Chess960 is not given as a move";
            let castling = self.prove_kind(form, &CASTLINGS_960, &[spelling], unused)?;
            self.calibration.castling_960 = castling.is_some();
        }
        self.respondent.set_chess960(false);
        if self.calibration.chess960 && !self.comes_back(form)? {
            self.calibration.chess960 = false;
            self.calibration.castling_960 = false;
            self.limit(
                "Chess960 is not used: with UCI_Chess960 false again, standard positions are \
                 counted otherwise than before",
            );
        }
        Ok(())
    }

    /// Whether standard positions are still counted correctly after Chess960 positions.
    fn comes_back(&mut self, form: &AnswerForm) -> Result<bool, Unproved> {
        let is_right = |sample: &FormSample| read(form, sample) == Some(sample.count());
        let before: Vec<(Position, u32)> = (self.samples.iter())
            .filter(|sample| sample.depth == 2 && is_right(sample))
            .map(|sample| (sample.position, sample.depth))
            .collect();
        for (position, depth) in before {
            let again = self.put(&Route::by_fen(position), depth)?;
            if !again.is_some_and(|tried| is_right(&FormSample::new(position, depth, tried.lines)))
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first notation in which a kind of move is played. If none is proved, the kind is
    /// `unused`, for a reason. An answer that is wrong, but differs from the count without the move,
    /// proves that the move was played; whether correctly is left to the test itself. So is whether
    /// an engine that speaks UCI plays it at all, unless it does not answer.
    fn prove_kind(
        &mut self,
        form: &AnswerForm,
        probes: &[KnownRoute],
        spellings: &[Spelling],
        unused: &str,
    ) -> Result<Option<Spelling>, Unproved> {
        let before = self.spelling;
        let mut ignored = None;
        let mut taken = None;
        let mut lost = None;
        for &spelling in spellings {
            // After a crash or timeout in one notation, the others are not tried.
            if lost.is_some() {
                break;
            }
            for &(root, moves, depth) in probes {
                self.spelling = spelling;
                let played = self.probe(form, &route(root, moves), depth);
                self.spelling = before;
                match played? {
                    Played::Rightly => return Ok(Some(spelling)),
                    Played::Somehow => taken = taken.or(Some(spelling)),
                    Played::Not(why) => {
                        ignored.get_or_insert(why);
                    }
                    Played::Lost(how) => {
                        lost.get_or_insert(how);
                    }
                }
            }
        }
        if let Some(why) = ignored
            .as_ref()
            .filter(|_| taken.is_none() && self.must_play_moves)
        {
            let limit = format!("moves are asked as in UCI, though {why}");
            self.limit(limit);
            taken = spellings.first().copied();
        }
        // Without a probe, the kind is not proved, but no fault of the engine either.
        if let Some(why) = ignored.or(lost).filter(|_| taken.is_none()) {
            self.limit(format!("{unused}: {why}"));
        }
        Ok(taken)
    }

    /// Whether the moves of a route are played. A count equal to that without the moves may be
    /// chance at one depth, but not at two.
    fn probe(&mut self, form: &AnswerForm, route: &Route, depth: u32) -> Result<Played, Unproved> {
        let previous = self.previous.replace(*route.position());
        let mut ignored = None;
        for depth in [depth, depth + 1] {
            let Some(tried) = self.put(route, depth)? else {
                let how = self.lost.last().map_or("", |(_, how)| how);
                return Ok(Played::Lost(how.to_owned()));
            };
            let sample = FormSample::new(*route.position(), depth, tried.lines);
            let Some(printed) = read(form, &sample) else {
                let last = tried.last.unwrap_or_default();
                return Ok(Played::Not(format!("it printed '{}'", last.trim())));
            };
            if printed == sample.count() {
                return Ok(Played::Rightly);
            }
            let written = self.spelling.moves(route);
            match as_if_not_played(route, &written, depth, printed, previous) {
                Some(why) => ignored = Some(why),
                None => return Ok(Played::Somehow),
            }
        }
        Ok(ignored.map_or(Played::Somehow, Played::Not))
    }
}

/// What an engine did with moves.
enum Played {
    /// Its count after them is correct.
    Rightly,
    /// Its count is wrong, but differs from the one without them.
    Somehow,
    /// It ignores them, for this reason.
    Not(String),
    /// There is no answer, for this reason.
    Lost(String),
}

/// The explanation, if a count is that of an earlier position: before one of the moves, of the
/// previous question, or of the start.
fn as_if_not_played(
    route: &Route,
    written: &[String],
    depth: u32,
    printed: u64,
    previous: Option<Position>,
) -> Option<String> {
    let mut position = *route.root();
    for (index, &m) in route.moves().iter().enumerate() {
        if printed == count(&position, depth) {
            return Some(format!(
                "it answers as if {} had not been played",
                written[index..].join(" ")
            ));
        }
        position = position.play_unchecked(m);
    }
    if previous.is_some_and(|previous| printed == count(&previous, depth)) {
        return Some(format!(
            "it counts the position before once more, not the one after {}",
            written.join(" ")
        ));
    }
    let of_start = printed == count(&Position::startpos(), depth);
    of_start.then(|| format!("it counts the start position after {}", written.join(" ")))
}

/// The FEN of a position, with the castling rights of Chess960 in the given notation.
fn fen_text(position: &Position, chess960: CastlingText) -> String {
    let castling = match position.castling_mode() {
        CastlingMode::Standard => CastlingText::XFen,
        CastlingMode::Chess960 => chess960,
    };
    let ep = fen::EnPassantMode::Always;
    fen::write_with(position, FenStyle { ep, castling })
}

fn route(root: &str, moves: &str) -> Route {
    let root = fen::parse(root).expect("the known positions are legal");
    let mode = root.castling_mode();
    moves
        .split_whitespace()
        .fold(Route::by_fen(root), |route, word| {
            let m =
                uci_move::parse(word, route.position(), mode).expect("the known moves are legal");
            route.then(m)
        })
}

/// The count of a sample in a format.
fn read(form: &AnswerForm, sample: &FormSample) -> Option<u64> {
    let mode = sample.position.castling_mode();
    let answer = form.read_lines(&sample.lines, sample.depth, &sample.position, mode);
    answer.count()
}

fn count(position: &Position, depth: u32) -> u64 {
    let count = Counter::new().count(position, depth);
    count.expect("the known positions are small")
}

/// Whether an answer resembles a count: the correct number, nearly so, or enough rows.
fn is_plausible(sample: &FormSample) -> bool {
    let right = sample.count();
    (right.saturating_sub(2)..=right + 2).any(|count| prints(sample, count))
        || sample.rows_at_most() * 5 >= sample.divide.len() * 3
}

fn prints(sample: &FormSample, count: u64) -> bool {
    sample.lines.iter().any(|line| has_number(line, count))
}

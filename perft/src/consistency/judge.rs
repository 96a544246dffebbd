//! Asks a question and compares the answer with ours.

use chess::notation::uci_move;
use chess::rules::{Bitboard, CastlingMode, CastlingSide, Color, Move, Position};
use uci::Until;
use uci::grammar::Message;

use super::display::{Display, listed_moves};
use super::fen_fields::wrong_parts;
use super::outcome::{ConsistencyFault, ConsistencySymptom, Reproduction};
use super::question::{ConsistencyQuestion, LineSubject, ListedMoves, MoveFeature, PositionForm};
use crate::count::subject::{Failure, Route};

/// The search of [`ConsistencyQuestion::Search`]: short, but it makes and unmakes moves.
pub(super) const SEARCH: &str = "go depth 2";

/// An engine with the form in which it is asked.
pub(super) struct Judge<'a> {
    pub(super) subject: &'a mut dyn LineSubject,
    pub(super) form: PositionForm,
    /// Number of questions asked so far.
    pub(super) questions: u64,
}

/// The answer to a question, compared with ours.
#[derive(Clone, Debug, Default)]
pub(super) struct JudgedAnswer {
    pub(super) symptoms: Vec<ConsistencySymptom>,
    /// What was printed of the first route.
    pub(super) display: Display,
    /// Whether there was something to compare: two keys, what is printed before and after a search, or a
    /// list. FEN and checkers of the display are compared whenever they are printed.
    pub(super) is_compared: bool,
    /// Whether the engine has played the move that it found, as only `position` should.
    pub(super) plays_its_move: bool,
}

/// Of something that was compared.
impl FromIterator<ConsistencySymptom> for JudgedAnswer {
    fn from_iter<T: IntoIterator<Item = ConsistencySymptom>>(symptoms: T) -> Self {
        Self {
            symptoms: symptoms.into_iter().collect(),
            is_compared: true,
            ..Self::default()
        }
    }
}

/// What is expected of two keys.
const SAME_KEY: &str = "the same key";

impl Judge<'_> {
    pub(super) fn judge(
        &mut self,
        question: &ConsistencyQuestion,
    ) -> Result<JudgedAnswer, Failure> {
        match question {
            ConsistencyQuestion::Display(route) => self.judge_display(route),
            ConsistencyQuestion::Orders(routes) => self.judge_keys(routes, |one, other| {
                (one != other).then_some(ConsistencyFault::TranspositionKey)
            }),
            ConsistencyQuestion::Pair(routes) => {
                let kind = difference(routes[0].position(), routes[1].position());
                self.judge_keys(routes, |one, other| kind.filter(|_| one == other))
            }
            ConsistencyQuestion::Search(route) => self.judge_search(route),
            ConsistencyQuestion::List(set, route) => self.judge_list(*set, route),
        }
    }

    /// What is printed of a route's position.
    pub(super) fn display(&mut self, route: &Route) -> Result<Display, Failure> {
        self.display_after(&[self.form.position(route)])
    }

    /// What is printed on the last `position …` of these and on `d`, together.
    fn display_after(&mut self, lines: &[String]) -> Result<Display, Failure> {
        let mut printed = self.set_up(lines)?;
        printed.extend(self.asked()?);
        Ok(Display::read(&printed))
    }

    /// Sends lines `position …`, and returns what is printed on the last.
    pub(super) fn set_up(&mut self, lines: &[String]) -> Result<Vec<String>, Failure> {
        self.questions += 1;
        let mut printed = Vec::new();
        for line in lines {
            printed = self.subject.ask(line, Until::Ready)?;
        }
        Ok(printed)
    }

    /// What is printed on `d`: nothing if only `position` prints.
    pub(super) fn asked(&mut self) -> Result<Vec<String>, Failure> {
        match &self.form.ask {
            Some(ask) => self.subject.ask(ask, Until::Ready),
            None => Ok(Vec::new()),
        }
    }

    /// The lines that were sent before `d`, to be pasted into the engine, and what it prints then.
    fn evidence(&self, sent: &[String], printed: String) -> Reproduction {
        self.evidence_of(sent.iter().chain(&self.form.ask), printed)
    }

    fn evidence_of<'a>(
        &self,
        sent: impl IntoIterator<Item = &'a String>,
        printed: String,
    ) -> Reproduction {
        let mut lines = Vec::new();
        // The lines are for a fresh engine, in which the option is not set yet.
        if self.form.mode == CastlingMode::Chess960 {
            lines.push("setoption name UCI_Chess960 value true".to_owned());
        }
        lines.extend(sent.into_iter().cloned());
        Reproduction { lines, printed }
    }

    fn judge_display(&mut self, route: &Route) -> Result<JudgedAnswer, Failure> {
        let by_moves = [self.form.position(route)];
        let display = self.display_after(&by_moves)?;
        let mut symptoms = self.state_symptoms(&by_moves, route.position(), &display);
        let mut is_compared = false;
        // Without moves, there is no second way to the position.
        if let Some(key) = &display.key
            && !route.moves().is_empty()
        {
            let fresh = self.fresh_answer(route, key)?;
            symptoms.extend(fresh.symptoms);
            is_compared = fresh.is_compared;
        }
        Ok(JudgedAnswer {
            symptoms,
            display,
            is_compared,
            ..JudgedAnswer::default()
        })
    }

    /// FEN and checkers as printed after some lines, against ours.
    fn state_symptoms(
        &self,
        lines: &[String],
        position: &Position,
        display: &Display,
    ) -> Vec<ConsistencySymptom> {
        let mut symptoms = Vec::new();
        if let Some(text) = &display.fen {
            for part in wrong_parts(text, position) {
                let ours = self.form.fen(position);
                let shown = self.evidence(lines, format!("Fen: {text}"));
                let expected = format!("Fen: {ours}");
                symptoms.push(ConsistencySymptom::new(
                    ConsistencyFault::Fen(part),
                    expected,
                    vec![shown],
                ));
            }
        }
        if let Some(checkers) = display.checkers
            && checkers != position.checkers()
        {
            let line = |set: Bitboard| {
                let squares = set.into_iter().map(|square| format!(" {square}"));
                format!("Checkers:{}", squares.collect::<String>())
            };
            let shown = self.evidence(lines, line(checkers));
            let expected = line(position.checkers());
            symptoms.push(ConsistencySymptom::new(
                ConsistencyFault::Checkers,
                expected,
                vec![shown],
            ));
        }
        symptoms
    }

    /// The same position given by FEN: its FEN and checkers against ours, its key against the one by
    /// moves.
    fn fresh_answer(&mut self, route: &Route, key: &str) -> Result<JudgedAnswer, Failure> {
        let position = route.position();
        // An engine that ignores the FEN shall not still have the same position.
        let lines = [
            "position startpos".to_owned(),
            format!("position fen {}", self.form.fen(position)),
        ];
        let fresh = self.display_after(&lines)?;
        let mut symptoms = self.state_symptoms(&lines, position, &fresh);
        // If nobody can capture on the square of a double step, engines differ in whether it is set,
        // and may differ from themselves: after the move, but not from a FEN.
        let is_ambiguous = position.ep_square() != position.legal_ep_square();
        let fresh_key = fresh.key.filter(|_| !is_ambiguous);
        let is_compared = fresh_key.is_some();
        if let Some(fresh) = fresh_key
            && fresh != key
        {
            let by_moves = self.evidence(&[self.form.position(route)], format!("Key: {key}"));
            let by_fen = self.evidence(&lines, format!("Key: {fresh}"));
            let evidence = vec![by_moves, by_fen];
            symptoms.push(ConsistencySymptom {
                cause: MoveFeature::of_last(route),
                ..ConsistencySymptom::new(
                    ConsistencyFault::IncrementalKey,
                    SAME_KEY.to_owned(),
                    evidence,
                )
            });
        }
        Ok(JudgedAnswer {
            symptoms,
            is_compared,
            ..JudgedAnswer::default()
        })
    }

    fn judge_keys(
        &mut self,
        routes: &[Route; 2],
        fault: impl Fn(&str, &str) -> Option<ConsistencyFault>,
    ) -> Result<JudgedAnswer, Failure> {
        let mut evidence = Vec::new();
        let mut keys = Vec::new();
        for route in routes {
            if let Some(key) = self.display(route)?.key {
                let position = self.form.position(route);
                evidence.push(self.evidence(&[position], format!("Key: {key}")));
                keys.push(key);
            }
        }
        let kind = match keys.as_slice() {
            [one, other] => fault(one, other),
            _ => None,
        };
        let expected = |kind| match kind {
            ConsistencyFault::TranspositionKey => SAME_KEY,
            _ => "different keys",
        };
        let symptom =
            kind.map(|kind| ConsistencySymptom::new(kind, expected(kind).to_owned(), evidence));
        Ok(JudgedAnswer::from_iter(symptom))
    }

    fn judge_search(&mut self, route: &Route) -> Result<JudgedAnswer, Failure> {
        let position = *route.position();
        // UCI does not say what a search answers where no move is legal.
        if position.legal_move_count() == 0 {
            return Ok(JudgedAnswer::default());
        }
        let line = self.form.position(route);
        self.set_up(std::slice::from_ref(&line))?;
        // What is printed on `position` has no counterpart after the search.
        let before = Display::read(&self.asked()?);
        self.questions += 1;
        let searched = self.subject.ask(SEARCH, Until::BestMove)?;
        let after = Display::read(&self.asked()?);
        match before.agrees_with(&after) {
            None => return Ok(JudgedAnswer::default()),
            Some(true) => return Ok(JudgedAnswer::from_iter([])),
            Some(false) => {}
        }
        let best = searched.last().and_then(|line| match Message::parse(line) {
            Message::BestMove(best) => self.parse(&best.reply.to_string(), &position),
            _ => None,
        });
        if let Some(best) = best {
            // An engine that plays the move it has found still knows its position.
            self.set_up(&[self.form.position(&route.then(best))])?;
            if Display::read(&self.asked()?) == after {
                return Ok(JudgedAnswer {
                    plays_its_move: true,
                    ..JudgedAnswer::default()
                });
            }
        }
        let shown = |display: &Display| {
            let fen = display.fen.iter().map(|fen| format!("Fen: {fen}"));
            let key = display.key.iter().map(|key| format!("Key: {key}"));
            fen.chain(key).collect::<Vec<_>>().join(", ")
        };
        let first = self.evidence(&[line], shown(&before));
        // This is sent after the lines of the first.
        let second = self.evidence(&[SEARCH.to_owned()], shown(&after));
        let expected = "the same lines".to_owned();
        let symptom =
            ConsistencySymptom::new(ConsistencyFault::Search, expected, vec![first, second]);
        Ok(JudgedAnswer::from_iter([symptom]))
    }

    fn judge_list(&mut self, set: ListedMoves, route: &Route) -> Result<JudgedAnswer, Failure> {
        let position = *route.position();
        let command = format!("list {}", set.as_str());
        let line = self.form.position(route);
        self.set_up(std::slice::from_ref(&line))?;
        let printed = self.subject.ask(&command, Until::Ready)?;
        let Some(listed) = listed_moves(&printed) else {
            return Ok(JudgedAnswer::default());
        };
        let mut ours: Vec<Move> = position.legal_moves().to_vec();
        ours.retain(|&m| set.contains(m, &position));
        let mut missing = ours.clone();
        let mut faults = Vec::new();
        let mut seen = Vec::new();
        for text in &listed {
            match self.parse(text, &position) {
                None => faults.push(format!("{text} is not legal")),
                Some(m) if seen.contains(&m) => faults.push(format!("{text} is listed twice")),
                Some(m) => {
                    if !set.contains(m, &position) && !set.tolerates(m) {
                        faults.push(format!("{text} does not belong to it"));
                    }
                    missing.retain(|&one| one != m);
                    seen.push(m);
                }
            }
        }
        let write = |m: &Move| uci_move::write(*m, &position, self.form.mode);
        faults.extend(missing.iter().map(|m| format!("{} is missing", write(m))));
        let ours: Vec<String> = ours.iter().map(write).collect();
        let evidence = self.evidence_of([&line, &command], format!("moves: {}", listed.join(" ")));
        let expected = format!("moves: {}; {}", ours.join(" "), faults.join(", "));
        let symptom =
            ConsistencySymptom::new(ConsistencyFault::List(set), expected, vec![evidence]);
        Ok(JudgedAnswer::from_iter(
            (!faults.is_empty()).then_some(symptom),
        ))
    }

    /// A legal move, with castling in either notation.
    fn parse(&self, text: &str, position: &Position) -> Option<Move> {
        let text = text.to_ascii_lowercase();
        let other = match self.form.mode {
            CastlingMode::Standard => CastlingMode::Chess960,
            CastlingMode::Chess960 => CastlingMode::Standard,
        };
        [self.form.mode, other]
            .iter()
            .find_map(|&mode| uci_move::parse(&text, position, mode).ok())
    }
}

/// How two positions differ, as their keys must; `None` if engines may take them for the same. Clocks
/// make no difference, an en passant square only where the capture is legal, and of two rooks on one
/// side of the king it makes none which may castle: no game has both positions.
pub(super) fn difference(one: &Position, other: &Position) -> Option<ConsistencyFault> {
    let has_same_pieces = one.to_setup().board == other.to_setup().board;
    let has_same_side = one.side_to_move() == other.side_to_move();
    let has_same_rights = rights(one) == rights(other);
    let has_same_ep = one.legal_ep_square() == other.legal_ep_square();
    match (has_same_side, has_same_rights, has_same_ep) {
        _ if !has_same_pieces => Some(ConsistencyFault::KeyCollision),
        (true, true, true) => None,
        (true, false, true) => Some(ConsistencyFault::KeyIgnoresCastling),
        (true, true, false) => Some(ConsistencyFault::KeyIgnoresEp),
        (false, true, true) => Some(ConsistencyFault::KeyIgnoresSide),
        // Which of several differences the key ignores is not known.
        _ => Some(ConsistencyFault::KeyCollision),
    }
}

/// The sides to which each colour may castle.
fn rights(position: &Position) -> Vec<(Color, CastlingSide)> {
    let rights = Color::ALL.into_iter().flat_map(|color| {
        let king = position.king(color);
        let rooks = position.castling_rooks() & position.by_color(color);
        let side = move |rook| (color, CastlingSide::new(king, rook));
        rooks.into_iter().map(side)
    });
    rights.collect()
}

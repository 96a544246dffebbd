//! Plays random games and checks the engine after every move.

use chacha20::ChaCha8Rng;
use chess::notation::fen::{self, CastlingText};
use chess::rules::{Bitboard, CastlingMode, Move, Position, Setup};
use kit::Progress;
use rand::SeedableRng as _;
use uci::Until;

use super::display::{Display, listed_moves};
use super::fen_fields::{FenPart, wrong_parts};
use super::judge::{Judge, SEARCH, difference};
use super::keys::HashKeys;
use super::moves::random_move;
use super::outcome::{
    Aspect, ConsistencyFault, ConsistencyFinding, ConsistencyOutcome, ConsistencySymptom,
    FirstDisplay, Unanswered,
};
use super::question::{ConsistencyQuestion, LineSubject, ListedMoves, PositionForm};
use super::shrink::{Example, shrink};
use crate::count::subject::{Failure, Route};

/// A search is made after every so many plies: it takes longer than other questions.
const PLIES_PER_SEARCH: usize = 8;
/// Failures after which no further game is begun: each may cost the time limit.
const MOST_INCIDENTS: usize = 3;

/// Here a draw may be claimed: engines need not count any further.
const MOST_HALFMOVES: u32 = 100;

/// A position in check with captures, for the first question about each list.
const IN_CHECK: &str = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
/// A position whose castling rights need Chess960.
const CHESS960: &str = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";

/// What is checked.
#[derive(Clone, Debug)]
pub(crate) struct ConsistencyPlan {
    /// The first position of each game.
    pub(crate) starts: Vec<Position>,
    /// Maximum number of plies in a game.
    pub(crate) plies: usize,
    pub(crate) seed: u64,
    pub(crate) mode: CastlingMode,
    /// The commands that may print the position, in the order in which they are tried.
    pub(crate) asks: Vec<String>,
}

/// Checks an engine. The outcome is complete unless the run was cancelled.
pub(crate) fn check(
    subject: &mut dyn LineSubject,
    command: &str,
    plan: &ConsistencyPlan,
    progress: &Progress,
) -> ConsistencyOutcome {
    let form = PositionForm {
        mode: plan.mode,
        castling: CastlingText::XFen,
        ask: plan.asks.first().cloned(),
    };
    let mut run = ConsistencyRun {
        judge: Judge {
            subject,
            form,
            questions: 0,
        },
        keys: HashKeys::default(),
        outcome: ConsistencyOutcome::new(command, plan.seed, plan.starts.len()),
    };
    run.outcome.ask = plan.asks.first().cloned().unwrap_or_default();
    // The only failure that ends a run is the user's.
    let ended = run
        .probe(&plan.asks)
        .and_then(|()| match run.outcome.start {
            FirstDisplay::Displays => run.play(plan, progress),
            _ => Ok(()),
        });
    let mut outcome = run.outcome;
    outcome.interrupted = ended.is_err();
    outcome.questions = run.judge.questions;
    outcome.drop_explained();
    outcome
}

/// The user has ended the run.
struct RunCancelled;

struct ConsistencyRun<'a> {
    judge: Judge<'a>,
    keys: HashKeys,
    outcome: ConsistencyOutcome,
}

impl ConsistencyRun<'_> {
    /// Finds out what the engine prints at all, before anything is judged.
    fn probe(&mut self, asks: &[String]) -> Result<(), RunCancelled> {
        let first = self.first_display(asks);
        let transcript = self.judge.subject.transcript();
        match first {
            Err(Failure::Cancelled) => return Err(RunCancelled),
            Err(failure) => {
                self.outcome.start = FirstDisplay::Failed {
                    failure,
                    transcript,
                };
            }
            Ok(display) if display.is_empty() => {
                self.outcome.start = FirstDisplay::NoDisplay { transcript };
            }
            Ok(_) => {
                if self.judge.form.mode == CastlingMode::Chess960 {
                    self.probe_castling()?;
                }
                self.probe_search()?;
                self.probe_lists()?;
            }
        }
        Ok(())
    }

    /// Chooses the first of these commands that prints something: none of them if only `position` does.
    fn first_display(&mut self, asks: &[String]) -> Result<Display, Failure> {
        let start = Route::by_fen(Position::startpos());
        let on_position = self.judge.set_up(&[self.judge.form.position(&start)])?;
        for ask in asks {
            self.judge.form.ask = Some(ask.clone());
            let display = Display::read(&self.judge.asked()?);
            if !display.is_empty() {
                self.outcome.ask.clone_from(ask);
                return Ok(display);
            }
        }
        self.judge.form.ask = None;
        Ok(Display::read(&on_position))
    }

    /// Chooses the notation of castling rights in Chess960 that the engine reads.
    fn probe_castling(&mut self) -> Result<(), RunCancelled> {
        let position = fen::parse(CHESS960).expect("a legal position");
        let without_rights = Setup {
            castling_rooks: Bitboard::EMPTY,
            ..position.to_setup()
        };
        let without_rights = Position::from_setup(without_rights).expect("a legal position");
        // Shredder-FEN comes first: unlike X-FEN, it names every rook by its file.
        for castling in [CastlingText::Shredder, CastlingText::XFen] {
            self.judge.form.castling = castling;
            let [with, without] = [position, without_rights]
                .map(|position| self.judge.display(&Route::by_fen(position)));
            match (with, without) {
                (Err(Failure::Cancelled), _) | (_, Err(Failure::Cancelled)) => {
                    return Err(RunCancelled);
                }
                (Ok(with), Ok(without)) => {
                    let is_read = match &with.fen {
                        Some(fen) => !wrong_parts(fen, &position).contains(&FenPart::Castling),
                        // Without a FEN, a key that depends on the rights shows that they are read.
                        None => with.key != without.key,
                    };
                    if is_read {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn probe_search(&mut self) -> Result<(), RunCancelled> {
        if self.judge.form.ask.is_none() {
            let ask = &self.outcome.ask;
            let why = format!("the engine prints on 'position' only, and nothing on '{ask}'");
            self.outcome.give_up(Aspect::Search, why);
            return Ok(());
        }
        let set_up = self.judge.set_up(&["position startpos".to_owned()]);
        // An engine that does not search yet can be checked all the same.
        match set_up.and_then(|_| self.judge.subject.ask(SEARCH, Until::BestMove)) {
            Ok(_) => Ok(()),
            Err(Failure::Cancelled) => Err(RunCancelled),
            Err(failure) => {
                let why = format!("'{SEARCH}' has no answer: the engine {failure}");
                self.outcome.give_up(Aspect::Search, why);
                Ok(())
            }
        }
    }

    /// Asks once for each list, for an engine may not know the command, or crash on it.
    fn probe_lists(&mut self) -> Result<(), RunCancelled> {
        let mut failed = None;
        for set in ListedMoves::ALL {
            let command = format!("list {}", set.as_str());
            // After a failure, the other lists are not tried: each may cost the time limit.
            if failed.is_none() {
                let set_up = self.judge.set_up(&[format!("position fen {IN_CHECK}")]);
                match set_up.and_then(|_| self.judge.subject.ask(&command, Until::Ready)) {
                    Ok(printed) if listed_moves(&printed).is_some() => continue,
                    Ok(_) => {}
                    Err(Failure::Cancelled) => return Err(RunCancelled),
                    Err(failure) => failed = Some(format!("on '{command}', the engine {failure}")),
                }
            }
            let why = failed.clone();
            let why = why.unwrap_or_else(|| format!("the engine does not know '{command}'"));
            self.outcome.give_up(Aspect::List(set), why);
        }
        Ok(())
    }

    fn play(&mut self, plan: &ConsistencyPlan, progress: &Progress) -> Result<(), RunCancelled> {
        progress.begin(plan.starts.len() as u64, "games");
        for (game, start) in (1..).zip(&plan.starts) {
            if self.outcome.incidents.len() >= MOST_INCIDENTS {
                break;
            }
            // Every game has its own stream: it depends neither on the others nor on the engine.
            let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
            rng.set_stream(game as u64);
            let mut route = Route::by_fen(*start);
            for ply in 0..=plan.plies {
                if let Err(failure) = self.check_position(&mut route, ply, game) {
                    self.incident(&route, failure)?;
                    break;
                }
                self.outcome.positions += 1;
                let is_over = route.position().halfmove_clock() >= MOST_HALFMOVES;
                match random_move(&mut rng, route.position()) {
                    Some(m) if !is_over => route = route.then(m),
                    _ => break,
                }
            }
            self.outcome.games += 1;
            progress.advance(1);
        }
        self.judge_keys()
    }

    fn incident(&mut self, route: &Route, failure: Failure) -> Result<(), RunCancelled> {
        if failure == Failure::Cancelled {
            return Err(RunCancelled);
        }
        self.outcome.incidents.push(Unanswered {
            lines: vec![self.judge.form.position(route)],
            failure,
            transcript: self.judge.subject.transcript(),
        });
        Ok(())
    }

    /// Checks the position at the end of a route. After a fault the game goes on from the position's
    /// FEN, so that the same fault does not show in every position that follows.
    fn check_position(
        &mut self,
        route: &mut Route,
        ply: usize,
        game: usize,
    ) -> Result<(), Failure> {
        let position = *route.position();
        let question = ConsistencyQuestion::Display(route.clone());
        let judged = self.judge.judge(&question)?;
        if let Some(fen) = &judged.display.fen {
            self.outcome.count(Aspect::Fen);
            // FEN: the clocks are the fifth and the sixth field.
            if fen.split_whitespace().count() >= 6 {
                self.outcome.count(Aspect::Clocks);
            }
        }
        if judged.display.checkers.is_some() {
            self.outcome.count(Aspect::Checkers);
        }
        if judged.is_compared {
            self.outcome.count(Aspect::IncrementalKey);
        }
        let is_incremental =
            |symptom: &ConsistencySymptom| symptom.kind == ConsistencyFault::IncrementalKey;
        let is_key_sound = !judged.symptoms.iter().any(is_incremental);
        let mut symptoms: Vec<(ConsistencyQuestion, ConsistencySymptom)> = Vec::new();
        symptoms.extend(
            judged
                .symptoms
                .into_iter()
                .map(|one| (question.clone(), one)),
        );
        // A wrong key would differ from all others: the fault is reported once, as incremental.
        if let Some(key) = judged.display.key.filter(|_| is_key_sound) {
            self.keys.note(&key, route);
            self.outcome.count(Aspect::DistinctKeys);
            self.compare_neighbour(route, &key, ply)?;
            for other in other_orders(route) {
                let Some(other_key) = self.judge.display(&other)?.key else {
                    continue;
                };
                self.outcome.count(Aspect::TranspositionKey);
                if other_key != key {
                    let question = ConsistencyQuestion::Orders([route.clone(), other]);
                    // The judge asks again, to have the evidence.
                    let judged = self.judge.judge(&question)?;
                    symptoms.extend(
                        judged
                            .symptoms
                            .into_iter()
                            .map(|one| (question.clone(), one)),
                    );
                }
            }
        }
        let mut others = Vec::new();
        if ply.is_multiple_of(PLIES_PER_SEARCH) && position.legal_move_count() > 0 {
            others.push((Aspect::Search, ConsistencyQuestion::Search(route.clone())));
        }
        for set in ListedMoves::ALL {
            // Outside of check, there is nothing to evade.
            if set != ListedMoves::Evasions || position.is_check() {
                others.push((
                    Aspect::List(set),
                    ConsistencyQuestion::List(set, route.clone()),
                ));
            }
        }
        for (aspect, question) in others {
            if self.outcome.is_given_up(aspect) {
                continue;
            }
            let judged = self.judge.judge(&question)?;
            if judged.is_compared {
                self.outcome.count(aspect);
            }
            if judged.plays_its_move {
                let why = "the engine plays the move that it finds".to_owned();
                self.outcome.give_up(aspect, why);
            }
            symptoms.extend(
                judged
                    .symptoms
                    .into_iter()
                    .map(|one| (question.clone(), one)),
            );
        }
        if !symptoms.is_empty() {
            *route = Route::by_fen(position);
        }
        for (question, symptom) in symptoms {
            self.found(question, symptom, game)?;
        }
        Ok(())
    }

    /// Compares the key with that of a position which differs in one thing only.
    fn compare_neighbour(&mut self, route: &Route, key: &str, ply: usize) -> Result<(), Failure> {
        let position = route.position();
        let neighbours = neighbours(position);
        // All are compared in the course of a game; en passant captures are too rare to wait.
        let index = match position.legal_ep_square() {
            Some(_) => 0,
            None => ply % neighbours.len().max(1),
        };
        let Some(&neighbour) = neighbours.get(index) else {
            return Ok(());
        };
        // Neighbours that engines may take for the same show nothing.
        let Some(kind) = difference(position, &neighbour) else {
            return Ok(());
        };
        let other = Route::by_fen(neighbour);
        if let Some(other_key) = self.judge.display(&other)?.key {
            self.outcome.count(Aspect::DistinctKeys);
            self.keys
                .compare(kind, [route.clone(), other], other_key == key);
        }
        Ok(())
    }

    /// Records a fault with its shortest example, unless one like it is known.
    fn found(
        &mut self,
        question: ConsistencyQuestion,
        symptom: ConsistencySymptom,
        game: usize,
    ) -> Result<(), Failure> {
        let mut known = self.outcome.findings.iter();
        if known.any(|finding| symptom.is_explained_by(&finding.symptom)) {
            return Ok(());
        }
        let mut example = Example {
            question,
            symptom,
            is_steady: false,
        };
        let shrunk = shrink(&mut self.judge, &mut example);
        // What was found is kept even if shrinking was cancelled.
        self.outcome.findings.push(ConsistencyFinding {
            symptom: example.symptom,
            question: example.question,
            game,
            is_steady: example.is_steady,
        });
        shrunk
    }

    /// Judges equal keys, now that the width of the keys is known.
    fn judge_keys(&mut self) -> Result<(), RunCancelled> {
        for verdict in self.keys.verdicts() {
            let bits = self.keys.bits();
            let count = verdict.equal.count;
            if !verdict.is_fault() {
                self.outcome.notes.push(format!(
                    "{count} pairs of different positions have equal keys, which chance explains: \
                     the keys have {bits:.0} bits"
                ));
                continue;
            }
            let question = ConsistencyQuestion::Pair(verdict.equal.routes);
            match self.judge.judge(&question) {
                Err(failure) => self.incident(&question.routes()[0], failure)?,
                Ok(judged) => {
                    for symptom in judged.symptoms {
                        // The two positions may be of two games, so none is named (0).
                        let ended = self.found(question.clone(), symptom, 0);
                        // Shrinking fails only when it is cancelled.
                        ended.map_err(|_| RunCancelled)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl ConsistencyOutcome {
    /// Removes findings whose cause is a part of another's: a key that captures leave wrong is also
    /// wrong after a capture that ends a castling right.
    fn drop_explained(&mut self) {
        let all = self.findings.clone();
        self.findings.retain(|finding| {
            let explains = |other: &ConsistencyFinding| {
                other.symptom != finding.symptom && finding.symptom.is_explained_by(&other.symptom)
            };
            !all.iter().any(explains)
        });
    }
}

/// Positions that differ from this one in the en passant square where a capture is legal, in one
/// castling right, or in the side to move.
fn neighbours(position: &Position) -> Vec<Position> {
    let setup = position.to_setup();
    let mut setups = Vec::new();
    if position.legal_ep_square().is_some() {
        setups.push(Setup {
            ep_square: None,
            ..setup.clone()
        });
    }
    for rook in position.castling_rooks() {
        setups.push(Setup {
            castling_rooks: setup.castling_rooks & !rook.bitboard(),
            ..setup.clone()
        });
    }
    // FEN: the en passant square belongs to the side to move, and cannot stay for the other.
    if setup.ep_square.is_none() {
        setups.push(Setup {
            side_to_move: !setup.side_to_move,
            ..setup.clone()
        });
    }
    let setups = setups.into_iter();
    setups
        // With the other side to move, the king of the first may be left in check.
        .filter_map(|setup| Position::from_setup(setup).ok())
        .collect()
}

/// The same game with the moves of one side in its last four plies exchanged, if that is legal and
/// leads to the same position.
fn other_orders(route: &Route) -> Vec<Route> {
    let Some((before, &[a, b, c, d])) = route.moves().split_last_chunk::<4>() else {
        return Vec::new();
    };
    let play = |last: [Move; 4]| {
        let mut other = Route::by_fen(*route.root());
        for &m in before.iter().chain(&last) {
            if !other.position().is_legal(m) {
                return None;
            }
            other = other.then(m);
        }
        (other.position() == route.position() && last != [a, b, c, d]).then_some(other)
    };
    [[c, b, a, d], [a, d, c, b]]
        .into_iter()
        .filter_map(play)
        .collect()
}

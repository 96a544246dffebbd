//! A move generator with faults: the plain reference for [`super::shown`], and a subject for tests.

use std::collections::HashMap;
use std::num::NonZeroU32;

use chess::perft::MAX_DEPTH;
use chess::rules::{CastlingSide, Color, Move, PieceType, Position};

use super::board::{Board, How, Step};
use super::families::{Changes, Effect, Family, Key, Values, families, key};
use super::fault::{Fault, FaultSet};
use super::scene::{Candidate, Include, Scene};
use crate::count::subject::{Answer, DivideRow, Failure, MoveMeaning, Route, Subject};

/// Limits on a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The count stops once it exceeds this many leaf nodes.
    pub leaves: u64,
    /// The count stops once more moves than this have been made.
    pub made: u64,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Self = Self {
        leaves: u64::MAX,
        made: u64::MAX,
    };
}

/// A generator that is right but for some faults. Whatever they are, every count ends.
#[derive(Clone, Debug)]
pub struct Faulty {
    faults: FaultSet,
    /// The families with a fault, by index.
    active: Vec<usize>,
    include: Include,
    /// What the keys of its table lack, if it has one.
    left_out: Vec<usize>,
    board: Board,
    history: Vec<Board>,
    table: HashMap<Key, u64>,
    left: Budget,
}

impl Faulty {
    /// A generator with these faults, at the start position.
    pub fn new(faults: FaultSet) -> Self {
        let mut active: Vec<usize> = faults.iter().map(Fault::family_index).collect();
        active.dedup();
        let all = families();
        let lists = |&index: &usize| {
            let effect = &all[index].effect;
            matches!(effect, Effect::Lists(_) | Effect::Breaks(_))
        };
        let is_table = |fault: &Fault| matches!(fault.family().effect, Effect::Forgets);
        let tables = faults.iter().filter(is_table);
        let left_out = tables.map(|fault| (fault.0 - fault.family().start) as usize);
        Self {
            include: if active.iter().any(lists) {
                Include::All
            } else {
                Include::Legal
            },
            left_out: left_out.collect(),
            board: Board::new(&Position::startpos()),
            history: Vec::new(),
            table: HashMap::new(),
            left: Budget::UNLIMITED,
            active,
            faults,
        }
    }

    /// A generator with one fault.
    pub fn with(fault: Fault) -> Self {
        Self::new(std::iter::once(fault).collect())
    }

    /// A generator without faults.
    pub fn sound() -> Self {
        Self::new(FaultSet::default())
    }

    /// Sets up a position as a FEN does: nothing of what was before remains.
    pub fn set(&mut self, position: &Position) {
        self.board = Board::new(position);
        self.history.clear();
    }

    /// Plays legal moves, as `position … moves …` does: what a faulty move leaves behind stays.
    pub fn play(&mut self, moves: &[Move]) {
        for &m in moves {
            let scene = Scene::new(&self.board, Include::Legal, 0);
            let known = scene.candidates.iter().find(|one| one.step.to_move() == m);
            let next = match known {
                Some(one) => {
                    let mut next = self.board.make(one.step, one.kind);
                    self.leave(&scene, one, &mut next);
                    next
                }
                // What a fault has left behind does not have the move, but it is played all the same.
                None => self.board.make(step_of(&self.board, m), 0),
            };
            let before = std::mem::replace(&mut self.board, next);
            self.history.push(before);
        }
    }

    /// Goes on without faults: what they have left behind stays.
    pub fn heal(&mut self) {
        let board = self.board;
        *self = Self {
            history: std::mem::take(&mut self.history),
            board,
            ..Self::sound()
        };
    }

    /// Counts the leaf nodes below a position, which is set up first. A count beyond 64 bits saturates at
    /// [`u64::MAX`]; depths beyond [`MAX_DEPTH`] are cut to it.
    pub fn perft(&mut self, position: &Position, depth: u32) -> u64 {
        self.set(position);
        self.count_here(depth)
    }

    /// Like [`Faulty::perft`], from the current position.
    pub fn count_here(&mut self, depth: u32) -> u64 {
        self.left = Budget::UNLIMITED;
        self.begin(depth)
    }

    /// Like [`Faulty::perft`], but stops when the budget is spent: `None` if too many moves had to be made,
    /// a count above `leaves` is a lower bound.
    pub fn perft_within(&mut self, position: &Position, depth: u32, budget: Budget) -> Option<u64> {
        self.set(position);
        self.left = Budget {
            leaves: budget.leaves.saturating_add(1),
            ..budget
        };
        let nodes = self.begin(depth);
        (nodes > budget.leaves || self.left.made > 0).then_some(nodes)
    }

    fn begin(&mut self, depth: u32) -> u64 {
        self.table.clear();
        let mut path = std::mem::take(&mut self.history);
        let nodes = self.count(self.board, depth.min(MAX_DEPTH), &mut path);
        self.history = path;
        nodes
    }

    /// The moves of a position, which is set up first, and the leaf nodes below each, as they are listed.
    pub fn divide(&mut self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        self.set(position);
        self.divide_here(depth)
    }

    /// Like [`Faulty::divide`], from the current position.
    pub fn divide_here(&mut self, depth: u32) -> Vec<(Move, u64)> {
        self.left = Budget::UNLIMITED;
        self.table.clear();
        let Some(below) = depth.min(MAX_DEPTH).checked_sub(1) else {
            return Vec::new();
        };
        let mut path = std::mem::take(&mut self.history);
        let board = self.board;
        let scene = Scene::new(&board, self.include, below + 1);
        let mut rows = Vec::new();
        self.each_child(&scene, &path.clone(), |generator, one, next, times| {
            path.push(board);
            for _ in 0..times {
                rows.push((one.step.to_move(), generator.count(next, below, &mut path)));
            }
            path.pop();
        });
        self.history = path;
        rows
    }

    fn count(&mut self, board: Board, depth: u32, path: &mut Vec<Board>) -> u64 {
        if depth == 0 {
            self.left.leaves = self.left.leaves.saturating_sub(1);
            return 1;
        }
        let has_table = !self.left_out.is_empty() && depth > 1;
        let key = has_table.then(|| key(&board, depth, &self.left_out));
        if let Some(&nodes) = key.as_ref().and_then(|key| self.table.get(key)) {
            return nodes;
        }
        let scene = Scene::new(&board, self.include, depth);
        let mut nodes: u64 = 0;
        if depth == 1 {
            nodes = self.list(&scene, path).map(|(_, times)| times).sum();
            self.left.leaves = self.left.leaves.saturating_sub(nodes);
        } else {
            path.push(board);
            let above = path.len() - 1;
            let history = path[..above].to_vec();
            self.each_child(&scene, &history, |generator, _, next, times| {
                for _ in 0..times {
                    nodes = nodes.saturating_add(generator.count(next, depth - 1, path));
                }
            });
            path.pop();
        }
        if scene.legal.is_empty() && nodes == 0 && self.counts_ended(&scene) {
            nodes = 1;
        }
        if let Some(key) = key {
            self.table.insert(key, nodes);
        }
        nodes
    }

    /// Calls `take` with each listed move, the position after it, and how often it is listed.
    fn each_child(
        &mut self,
        scene: &Scene<'_>,
        path: &[Board],
        mut take: impl FnMut(&mut Self, &Candidate, Board, u64),
    ) {
        let listed: Vec<(Candidate, u64)> = self
            .list(scene, path)
            .map(|(one, times)| (*one, times))
            .collect();
        let mut now = *scene.board;
        for (one, times) in listed {
            if self.left.leaves == 0 || self.left.made == 0 {
                return;
            }
            self.left.made -= 1;
            if !now.still_lists(one.step) {
                continue;
            }
            let mut next = now.make(one.step, one.kind);
            self.leave(scene, &one, &mut next);
            take(self, &one, next, times);
            self.unmake(scene, &one, &next, &mut now);
        }
    }

    /// The listed moves, and how often each is.
    fn list<'s>(
        &'s self,
        scene: &'s Scene<'_>,
        path: &[Board],
    ) -> impl Iterator<Item = (&'s Candidate, u64)> + use<'s> {
        let mut ends = Vec::new();
        for family in self.active() {
            if let Effect::Ends(ask) = family.effect {
                let mut values = Vec::new();
                ask(scene, path, &mut values);
                ends.extend(
                    values
                        .into_iter()
                        .filter(|&one| self.has(family, one, scene.us)),
                );
            }
        }
        let candidates = if ends.is_empty() {
            &scene.candidates[..]
        } else {
            &[]
        };
        candidates.iter().filter_map(move |one| {
            let times = self.times(scene, one);
            (times > 0).then_some((one, times))
        })
    }

    fn times(&self, scene: &Scene<'_>, one: &Candidate) -> u64 {
        if !one.is_legal() {
            let overlooks = |family: &Family, why| {
                let values = overlooked(family, scene, one, why);
                values.is_some_and(|values| self.has(family, values, scene.us))
            };
            let mut violations = scene.why(one).iter();
            return u64::from(
                violations.all(|why| self.active().any(|family| overlooks(family, why))),
            );
        }
        let mut times = 1;
        let mut values = Vec::new();
        for family in self.active() {
            values.clear();
            match family.effect {
                Effect::Omits(ask) | Effect::Repeats(ask) => ask(scene, one, &mut values),
                _ => continue,
            }
            if values
                .iter()
                .any(|&values| self.has(family, values, scene.us))
            {
                times = match family.effect {
                    Effect::Omits(_) => return 0,
                    _ => 2,
                };
            }
        }
        times
    }

    fn active(&self) -> impl Iterator<Item = &'static Family> + '_ {
        self.active.iter().map(|&index| &families()[index])
    }

    fn has(&self, family: &Family, values: Values, us: Color) -> bool {
        let numbers = family.numbers(values, us).into_iter().flatten();
        numbers
            .into_iter()
            .any(|number| self.faults.contains(Fault(number)))
    }

    fn leave(&self, scene: &Scene<'_>, one: &Candidate, next: &mut Board) {
        for family in self.active() {
            if let Effect::Leaves(ask) = family.effect {
                let mut all = Vec::new();
                ask(scene, one, next, &mut all);
                for (_, changes) in all
                    .into_iter()
                    .filter(|&(one, _)| self.has(family, one, scene.us))
                {
                    apply(changes, next, scene.board);
                }
            }
        }
    }

    fn unmake(&self, scene: &Scene<'_>, one: &Candidate, next: &Board, now: &mut Board) {
        for family in self.active() {
            if let Effect::Unmakes(ask) = family.effect {
                let mut all = Vec::new();
                ask(scene, one, next, &mut all);
                for (_, changes) in all
                    .into_iter()
                    .filter(|&(one, _)| self.has(family, one, scene.us))
                {
                    apply(changes, now, next);
                }
            }
        }
    }

    fn counts_ended(&self, scene: &Scene<'_>) -> bool {
        self.active().any(|family| {
            let mut values = Vec::new();
            if let Effect::Counts(ask) = family.effect {
                ask(scene, &mut values);
            }
            values
                .into_iter()
                .any(|values| self.has(family, values, scene.us))
        })
    }
}

/// The values with which a family overlooks a violation.
pub(super) fn overlooked(
    family: &Family,
    scene: &Scene<'_>,
    one: &Candidate,
    why: &super::scene::Violation,
) -> Option<Values> {
    match (family.effect, why) {
        (Effect::Lists(ask), _) => ask(scene, one, why),
        (Effect::Breaks(ask), super::scene::Violation::Breach(breach)) => ask(scene, one, *breach),
        _ => None,
    }
}

/// Applies changes in their order.
pub(super) fn apply(changes: Changes, board: &mut Board, other: &Board) {
    for change in changes.into_iter().flatten() {
        board.change(change, other);
    }
}

/// A legal move of a real game, on a board that may have become another.
fn step_of(board: &Board, m: Move) -> Step {
    let (from, to) = (m.from(), m.to());
    let us = board.side_to_move;
    let piece = board.at(from).map(|piece| piece.piece_type);
    let how = match (m.promotion(), piece) {
        (Some(promotion), _) => How::Promotion(promotion),
        (None, Some(PieceType::King)) if board.of(us).contains(to) => {
            How::Castling(CastlingSide::new(from, to))
        }
        (None, Some(PieceType::Pawn)) if from.index().abs_diff(to.index()) == 16 => How::DoublePush,
        (None, Some(PieceType::Pawn)) if from.file() != to.file() && board.at(to).is_none() => {
            How::EnPassant
        }
        _ => How::Plain,
    };
    Step { from, to, how }
}

/// Castling is king takes rook.
impl Subject for Faulty {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        self.set(route.root());
        self.play(route.moves());
        let legal = route.position().legal_moves();
        let rows = self.divide_here(depth.get()).into_iter();
        let rows: Vec<DivideRow> = rows
            .map(|(m, nodes)| DivideRow {
                text: m.to_string(),
                meaning: if legal.contains(&m) {
                    MoveMeaning::Legal(m)
                } else {
                    MoveMeaning::Illegal(m)
                },
                nodes,
            })
            .collect();
        let total = if rows.is_empty() {
            self.count_here(depth.get())
        } else {
            rows.iter()
                .fold(0, |sum: u64, row| sum.saturating_add(row.nodes))
        };
        Ok(Answer {
            total: Some(total),
            rows: Some(rows),
        })
    }
}

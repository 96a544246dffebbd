//! A move generator with faults: the plain reference for [`super::shown`], and a subject for tests.

use std::collections::HashMap;
use std::num::NonZeroU32;

use chess::perft::MAX_DEPTH;
use chess::rules::{CastlingSide, Color, Move, PieceType, Position};

use super::board::{Board, How, Step};
use super::families::{Changes, Effect, Family, Hits, Key, Left, Values, key};
use super::fault::{Fault, FaultSet};
use super::scene::{Candidate, Include, Scene, Violation};
use crate::count::subject::{Answer, DivideRow, Failure, MoveMeaning, Route, Subject};

/// A generator that is right but for some faults. Whatever they are, every count ends.
#[derive(Clone)]
pub struct Faulty {
    faults: FaultSet,
    /// The families with a fault.
    active: Vec<&'static Family>,
    include: Include,
    /// What the keys of its table lack, if it has one.
    left_out: Vec<usize>,
    /// In which of the two orders it makes the moves that it lists: in that of the list, if its faults have both.
    order: usize,
    board: Board,
    /// The positions before this one.
    path: Vec<Board>,
    table: HashMap<Key, u64>,
}

impl Faulty {
    /// A generator with these faults, at the start position.
    pub fn new(faults: FaultSet) -> Self {
        let mut active: Vec<&Family> = faults.iter().map(Fault::family).collect();
        // Sets are sorted by number, so faults of one family are neighbours.
        active.dedup_by_key(|family| family.start);
        let lists =
            |family: &&Family| matches!(family.effect, Effect::Lists(_) | Effect::Breaks(_));
        let has_illegal = active.iter().any(lists);
        let order = faults
            .iter()
            .filter_map(Fault::order)
            .min()
            .unwrap_or_default();
        let is_table = |fault: &Fault| matches!(fault.family().effect, Effect::Forgets(()));
        let tables = faults.iter().filter(is_table);
        Self {
            // To list illegal moves takes time, and no other fault needs them.
            include: if has_illegal {
                Include::All
            } else {
                Include::Legal
            },
            left_out: tables
                .map(|fault| (fault.0 - fault.family().start) as usize)
                .collect(),
            order,
            board: Board::new(&Position::startpos()),
            path: Vec::new(),
            table: HashMap::new(),
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
        self.path.clear();
    }

    /// Plays legal moves, as `position … moves …` does: what a faulty move leaves behind stays.
    pub fn play(&mut self, moves: &[Move]) {
        for &m in moves {
            let scene = Scene::new(&self.board, Include::Legal, 0);
            let known = scene.candidates.iter().find(|one| one.step.to_move() == m);
            let next = match known {
                Some(one) => self.make(&scene, one, &self.board),
                // What a fault has left behind does not have the move, but it is played all the same.
                None => self.board.make(step_of(&self.board, m), 0),
            };
            self.path.push(std::mem::replace(&mut self.board, next));
        }
    }

    /// Counts the leaf nodes below a position, which is set up first. A count beyond 64 bits saturates at
    /// [`u64::MAX`]; depths beyond [`MAX_DEPTH`] are cut to it.
    pub fn perft(&mut self, position: &Position, depth: u32) -> u64 {
        self.set(position);
        self.count_here(depth)
    }

    /// Like [`Faulty::perft`], from the current position.
    fn count_here(&mut self, depth: u32) -> u64 {
        // A count must not depend on those made before.
        self.table.clear();
        self.count(depth.min(MAX_DEPTH))
    }

    /// The moves of the current position and the leaf nodes below each, as they are listed.
    pub fn divide_here(&mut self, depth: u32) -> Vec<(Move, u64)> {
        // A count must not depend on those made before.
        self.table.clear();
        let board = self.board;
        match depth.min(MAX_DEPTH) {
            0 => Vec::new(),
            depth => self.rows(&Scene::new(&board, self.include, depth)),
        }
    }

    fn count(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let board = self.board;
        let has_table = !self.left_out.is_empty() && depth > 1;
        let key = has_table.then(|| key(&board, depth, &self.left_out));
        if let Some(&nodes) = key.as_ref().and_then(|key| self.table.get(key)) {
            return nodes;
        }
        let scene = Scene::new(&board, self.include, depth);
        let rows = self.rows(&scene);
        let counts_ended = || {
            self.active.iter().any(|family| match family.effect {
                Effect::Counts(ask) => {
                    ask(&scene).is_some_and(|one| self.has(family, one, scene.us))
                }
                _ => false,
            })
        };
        let nodes = if rows.is_empty() && scene.legal.is_empty() {
            u64::from(counts_ended())
        } else {
            rows.iter()
                .fold(0, |sum: u64, &(_, nodes)| sum.saturating_add(nodes))
        };
        if let Some(key) = key {
            self.table.insert(key, nodes);
        }
        nodes
    }

    /// The listed moves, and the leaf nodes below each.
    fn rows(&mut self, scene: &Scene<'_>) -> Vec<(Move, u64)> {
        let mut listed = self.list(scene);
        if self.order == 1 {
            listed.reverse();
        }
        let mut rows = Vec::with_capacity(listed.len());
        let mut now = *scene.board;
        for (one, times) in listed {
            if !now.still_lists(one.step) {
                continue;
            }
            for _ in 0..times {
                rows.push((one.step.to_move(), 1));
            }
            if scene.depth > 1 {
                let next = self.make(scene, &one, &now);
                let start = rows.len() - times;
                for row in &mut rows[start..] {
                    self.path.push(std::mem::replace(&mut self.board, next));
                    row.1 = self.count(scene.depth - 1);
                    self.board = self.path.pop().expect("it was put there above");
                }
                for family in &self.active {
                    let changes = family.undone(scene, &one, &next, self.order);
                    self.leave(family, changes, scene.us, &next, &mut now);
                }
            }
        }
        rows
    }

    /// The listed moves, and how often each is.
    fn list(&self, scene: &Scene<'_>) -> Vec<(Candidate, usize)> {
        let ends = self.active.iter().any(|family| {
            let mut hits = Hits::default();
            if let Effect::Ends(ask) = family.effect {
                ask(scene, &self.path, &mut hits);
            }
            hits.0
                .into_iter()
                .any(|one| self.has(family, one, scene.us))
        });
        let times = |one: &Candidate| (*one, self.times(scene, one));
        let all = scene.candidates.iter().filter(|_| !ends).map(times);
        all.filter(|&(_, times)| times > 0).collect()
    }

    fn times(&self, scene: &Scene<'_>, one: &Candidate) -> usize {
        if !one.is_legal() {
            let is_overlooked = |why: &Violation| {
                self.active.iter().any(|family| {
                    let values = overlooked(family, scene, one, why);
                    values.is_some_and(|values| self.has(family, values, scene.us))
                })
            };
            // A move that breaks several rules is listed only if all of them are overlooked.
            return usize::from(scene.why(one).iter().all(is_overlooked));
        }
        let mut times = 1;
        for family in &self.active {
            let mut hits = Hits::default();
            let with = match family.effect {
                Effect::Omits(ask) => {
                    ask(scene, one, &mut hits);
                    0
                }
                Effect::Repeats(ask) => {
                    ask(scene, one, &mut hits);
                    2
                }
                _ => continue,
            };
            if hits
                .0
                .into_iter()
                .any(|values| self.has(family, values, scene.us))
            {
                // What one fault omits no other repeats, and two that repeat it list it twice.
                times = times.min(1) * with;
            }
        }
        times
    }

    fn has(&self, family: &Family, values: Values, us: Color) -> bool {
        let mut numbers = family.numbers(values, us).into_iter().flatten();
        numbers.any(|number| self.faults.contains(Fault(number)))
    }

    /// The position after a move, made on a board that may have become another than the scene's.
    fn make(&self, scene: &Scene<'_>, one: &Candidate, now: &Board) -> Board {
        let right = now.make(one.step, one.kind);
        let mut next = right;
        // Faults look at the right position, not at what another one has done to it.
        for family in &self.active {
            let mut left = Left::default();
            if let Effect::Leaves(ask) = family.effect {
                ask(scene, one, &right, &mut left);
            }
            self.leave(family, left.0, scene.us, scene.board, &mut next);
        }
        next
    }

    /// Does to a board what the faults of a family do, which may restore what was on another board.
    fn leave(
        &self,
        family: &Family,
        changes: Vec<(Values, Changes)>,
        us: Color,
        other: &Board,
        board: &mut Board,
    ) {
        for (values, changes) in changes {
            if self.has(family, values, us) {
                apply(changes, board, other);
            }
        }
    }
}

/// The values with which a family overlooks a violation.
pub(super) fn overlooked(
    family: &Family,
    scene: &Scene<'_>,
    one: &Candidate,
    why: &Violation,
) -> Option<Values> {
    match (family.effect, why) {
        (Effect::Lists(ask), _) => ask(scene, one, why),
        (Effect::Breaks(ask), Violation::Breach(breach)) => ask(scene, one, *breach),
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
    let piece = board.at(from).map(|piece| piece.piece_type);
    let takes_own = board.by_color(board.side_to_move).contains(to);
    let how = match (m.promotion(), piece) {
        (Some(promotion), _) => How::Promotion(promotion),
        // In our moves, castling is king takes rook.
        (None, Some(PieceType::King)) if takes_own => How::Castling(CastlingSide::new(from, to)),
        // A double push is two ranks of eight squares.
        (None, Some(PieceType::Pawn)) if from.index().abs_diff(to.index()) == 16 => How::DoublePush,
        // Only en passant takes something from an empty square.
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
        // A mate may count as a leaf, though it has no rows.
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

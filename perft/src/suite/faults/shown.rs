//! Which faults a count shows, all at once: one walk that adds up by how much each fault changes the count.
//!
//! The difference below a move is that of the position after it, unless a fault touches the move itself.
//! A fault that omits the move takes its whole count away; one that lists an illegal move adds what a
//! generator with the fault counts below; one that leaves something behind adds the difference between
//! that position and the right one. The result is exact: [`super::generator`] counts the same.

use chess::rules::Position;

use super::board::Board;
use super::families::{Changes, Effect, Family, Values, families, key};
use super::fault::{Fault, FaultSet};
use super::generator::{Faulty, apply, overlooked};
use super::scene::{Candidate, Include, Scene, count_legal};
use crate::count::subject::Route;

/// What is looked for.
struct Filter<'a> {
    faults: Wanted<'a>,
    /// The families with a fault among them, by what they do.
    omits: Vec<&'static Family>,
    lists: Vec<&'static Family>,
    leaves: Vec<&'static Family>,
    unmakes: Vec<&'static Family>,
    others: Vec<&'static Family>,
}

enum Wanted<'a> {
    All,
    Set(&'a FaultSet),
    /// Sorted.
    Few(&'a [u32]),
}

impl<'a> Filter<'a> {
    fn new(faults: Wanted<'a>) -> Self {
        let mut filter = Self {
            faults,
            omits: Vec::new(),
            lists: Vec::new(),
            leaves: Vec::new(),
            unmakes: Vec::new(),
            others: Vec::new(),
        };
        let all = families();
        match &filter.faults {
            Wanted::All => all.iter().for_each(|family| filter.add(family)),
            Wanted::Set(set) => {
                let mut indices: Vec<usize> = set.iter().map(Fault::family_index).collect();
                indices.dedup();
                indices
                    .into_iter()
                    .for_each(|index| filter.add(&all[index]));
            }
            Wanted::Few(few) => {
                let mut indices: Vec<usize> = few
                    .iter()
                    .map(|&number| Fault(number).family_index())
                    .collect();
                indices.dedup();
                indices
                    .into_iter()
                    .for_each(|index| filter.add(&all[index]));
            }
        }
        filter
    }

    fn add(&mut self, family: &'static Family) {
        match family.effect {
            Effect::Omits(_) | Effect::Repeats(_) => self.omits.push(family),
            Effect::Lists(_) | Effect::Breaks(_) => self.lists.push(family),
            Effect::Leaves(_) => self.leaves.push(family),
            Effect::Unmakes(_) => self.unmakes.push(family),
            Effect::Ends(_) | Effect::Counts(_) | Effect::Forgets => self.others.push(family),
        }
    }

    fn wants(&self, number: u32) -> bool {
        match self.faults {
            Wanted::All => true,
            Wanted::Set(set) => set.contains(Fault(number)),
            Wanted::Few(few) => few.binary_search(&number).is_ok(),
        }
    }

    fn numbers(
        &self,
        family: &Family,
        values: Values,
        scene: &Scene<'_>,
    ) -> impl Iterator<Item = u32> {
        let numbers = family.numbers(values, scene.us);
        numbers
            .map(|number| number.filter(|&one| self.wants(one)))
            .into_iter()
            .flatten()
    }
}

/// The differences found below a position.
#[derive(Clone, Default)]
struct Differences {
    /// By fault; 0 for all that are not in `touched`.
    by: Vec<i64>,
    /// Each fault at least once.
    touched: Vec<u32>,
}

impl Differences {
    fn add(&mut self, fault: u32, difference: i64) {
        let sum = &mut self.by[fault as usize];
        if *sum == 0 {
            self.touched.push(fault);
        }
        *sum += difference;
    }

    fn take(&mut self) -> Vec<(u32, i64)> {
        let mut all = Vec::with_capacity(self.touched.len());
        for fault in self.touched.drain(..) {
            let difference = std::mem::take(&mut self.by[fault as usize]);
            if difference != 0 {
                all.push((fault, difference));
            }
        }
        all
    }
}

/// Finds the faults that counts show; its memory is used again for the next.
pub struct Shown {
    /// By depth.
    levels: Vec<Differences>,
    /// What a fault does to the move at hand, by fault: valid where the stamp is that of the move.
    marks: Vec<(u32, Mark)>,
    stamp: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Nothing,
    Omits,
    Repeats,
    /// What the move, or one before it, left behind is counted apart.
    Apart,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            marks: vec![(0, Mark::Nothing); Fault::count()],
            stamp: 0,
        }
    }
}

/// A legal move that was made, and its count.
struct Made<'s> {
    scene: &'s Scene<'s>,
    one: &'s Candidate,
    next: Board,
    count: u64,
    depth: u32,
    filter: &'s Filter<'s>,
    /// What faults do to it, and the difference that this makes.
    touches: Vec<(u32, Mark, i64)>,
}

/// A position that a fault of taking back has changed.
struct Changed {
    fault: u32,
    family: &'static Family,
    board: Board,
}

impl Shown {
    /// The faults with which a count differs, with the differences, in no order; all of them, or those of
    /// a set.
    pub fn differences(
        &mut self,
        position: &Position,
        depth: u32,
        wanted: Option<&FaultSet>,
    ) -> Vec<(Fault, i64)> {
        let filter = Filter::new(wanted.map_or(Wanted::All, Wanted::Set));
        let board = Board::new(position);
        while self.levels.len() <= depth as usize {
            self.levels.push(Differences {
                by: vec![0; Fault::count()],
                touched: Vec::new(),
            });
        }
        let count = self.walk(&board, depth, &filter, &mut Vec::new());
        let level = &mut self.levels[depth as usize];
        let all = level.take().into_iter();
        let mut all: Vec<(Fault, i64)> = all.map(|(number, by)| (Fault(number), by)).collect();
        for fault in forgetting(&board, depth, &filter) {
            let counted = Faulty::with(fault).perft(position, depth);
            if counted != count {
                all.push((fault, counted.cast_signed() - count.cast_signed()));
            }
        }
        all
    }

    /// Counts, and leaves the differences at the level of this depth.
    fn walk(
        &mut self,
        board: &Board,
        depth: u32,
        filter: &Filter<'_>,
        path: &mut Vec<Board>,
    ) -> u64 {
        if depth == 0 {
            return 1;
        }
        let scene = Scene::new(board, Include::All, depth);
        let mut total = 0;
        let mut changed: Vec<Changed> = Vec::new();
        path.push(*board);
        for one in &scene.candidates {
            if one.is_legal() {
                total += self.legal(&scene, one, depth, filter, path, &mut changed);
            } else {
                self.illegal(&scene, one, depth, filter, path);
            }
        }
        path.pop();
        let level = depth as usize;
        let mut values = Vec::new();
        for &family in &filter.others {
            values.clear();
            match family.effect {
                Effect::Ends(ask) => ask(&scene, path, &mut values),
                Effect::Counts(ask) if scene.legal.is_empty() => ask(&scene, &mut values),
                _ => {}
            }
            for &values in &values {
                for fault in filter.numbers(family, values, &scene) {
                    let difference = match family.effect {
                        // Whatever is wrong below is not counted either.
                        Effect::Ends(_) => {
                            -u64::cast_signed(total) - self.levels[level].by[fault as usize]
                        }
                        _ => 1,
                    };
                    if difference != 0 {
                        self.levels[level].add(fault, difference);
                    }
                }
            }
        }
        total
    }

    fn stamp(&mut self) {
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.marks.fill((0, Mark::Nothing));
            1
        });
    }

    /// Marks a fault; returns whether it was not marked yet.
    fn mark(&mut self, fault: u32, mark: Mark) -> bool {
        let stamp = self.stamp;
        let old = &mut self.marks[fault as usize];
        let is_new = old.0 != stamp;
        if is_new {
            *old = (stamp, mark);
        }
        is_new
    }

    fn mark_of(&self, fault: u32) -> Mark {
        match self.marks[fault as usize] {
            (stamp, mark) if stamp == self.stamp => mark,
            _ => Mark::Nothing,
        }
    }

    fn legal(
        &mut self,
        scene: &Scene<'_>,
        one: &Candidate,
        depth: u32,
        filter: &Filter<'_>,
        path: &mut Vec<Board>,
        changed: &mut Vec<Changed>,
    ) -> u64 {
        let level = depth as usize;
        let next = scene.board.make(one.step, one.kind);
        let count = self.walk(&next, depth - 1, filter, path);
        let below = self.levels[level - 1].take();
        let mut made = Made {
            scene,
            one,
            next,
            count,
            depth,
            filter,
            touches: Vec::new(),
        };
        let signed = count.cast_signed();
        let mut values = Vec::new();
        for &family in &filter.omits {
            values.clear();
            let (mark, difference) = match family.effect {
                Effect::Omits(ask) => {
                    ask(scene, one, &mut values);
                    (Mark::Omits, -signed)
                }
                Effect::Repeats(ask) => {
                    ask(scene, one, &mut values);
                    (Mark::Repeats, signed)
                }
                _ => continue,
            };
            for &values in &values {
                for fault in filter.numbers(family, values, scene) {
                    made.touches.push((fault, mark, difference));
                }
            }
        }
        if depth > 1 {
            self.left_behind(&mut made, path);
            self.taken_back(&mut made, path, changed);
        }
        self.stamp();
        for (fault, mark, difference) in made.touches {
            if self.mark(fault, mark) && difference != 0 {
                self.levels[level].add(fault, difference);
            }
        }
        for (fault, difference) in below {
            match self.mark_of(fault) {
                Mark::Nothing => self.levels[level].add(fault, difference),
                Mark::Repeats => self.levels[level].add(fault, 2 * difference),
                Mark::Omits | Mark::Apart => {}
            }
        }
        count
    }

    /// Faults that leave something else behind than this position.
    fn left_behind(&mut self, made: &mut Made<'_>, path: &mut Vec<Board>) {
        let Made {
            scene,
            one,
            next,
            filter,
            ..
        } = *made;
        // The same is often left behind by faults of several families.
        let mut groups: Vec<(Changes, Vec<u32>)> = Vec::new();
        let mut left = Vec::new();
        for &family in &filter.leaves {
            left.clear();
            if let Effect::Leaves(ask) = family.effect {
                ask(scene, one, &next, &mut left);
            }
            for &(values, changes) in &left {
                for fault in filter.numbers(family, values, scene) {
                    match groups.iter_mut().find(|(others, _)| *others == changes) {
                        Some((_, faults)) => faults.push(fault),
                        None => groups.push((changes, vec![fault])),
                    }
                }
            }
        }
        for (changes, mut faults) in groups {
            let mut board = next;
            apply(changes, &mut board, scene.board);
            if board == next {
                continue;
            }
            faults.sort_unstable();
            faults.dedup();
            let (counted, differences) = self.count_with(&board, made.depth - 1, &faults, path);
            let mut differences = differences.into_iter().peekable();
            for &fault in &faults {
                let own = differences.next_if(|&(one, _)| one == fault);
                let difference = counted.cast_signed() + own.map_or(0, |(_, own)| own);
                made.touches
                    .push((fault, Mark::Apart, difference - made.count.cast_signed()));
            }
        }
    }

    /// The count of a position by a generator without faults, and by how much it differs with each of these.
    fn count_with(
        &mut self,
        board: &Board,
        depth: u32,
        faults: &[u32],
        path: &mut Vec<Board>,
    ) -> (u64, Vec<(u32, i64)>) {
        let is_about_making = |&fault: &u32| {
            matches!(
                Fault(fault).family().effect,
                Effect::Leaves(_) | Effect::Unmakes(_)
            )
        };
        if depth == 1 && faults.iter().all(is_about_making) {
            return (count_legal(board), Vec::new());
        }
        let count = self.walk(board, depth, &Filter::new(Wanted::Few(faults)), path);
        let mut differences = self.levels[depth as usize].take();
        differences.sort_unstable();
        (count, differences)
    }

    /// Faults of taking moves back: those that this move begins, and those that moves before it began.
    fn taken_back(
        &mut self,
        made: &mut Made<'_>,
        path: &mut Vec<Board>,
        changed: &mut Vec<Changed>,
    ) {
        let Made {
            scene,
            one,
            next,
            filter,
            depth,
            ..
        } = *made;
        // Faults that have left the same behind are counted together.
        let mut groups: Vec<(Board, Vec<u32>)> = Vec::new();
        let mut left = Vec::new();
        for other in changed.iter_mut() {
            if !other.board.still_lists(one.step) {
                let difference = -made.count.cast_signed();
                made.touches.push((other.fault, Mark::Apart, difference));
                continue;
            }
            let after = other.board.make(one.step, one.kind);
            match groups.iter_mut().find(|(board, _)| *board == after) {
                Some((_, faults)) => faults.push(other.fault),
                None => groups.push((after, vec![other.fault])),
            }
            left.clear();
            if let Effect::Unmakes(ask) = other.family.effect {
                ask(scene, one, &after, &mut left);
            }
            for &(values, changes) in &left {
                let mut numbers = filter.numbers(other.family, values, scene);
                if numbers.any(|number| number == other.fault) {
                    apply(changes, &mut other.board, &after);
                }
            }
        }
        for (after, mut faults) in groups {
            faults.sort_unstable();
            let (counted, differences) = self.count_with(&after, depth - 1, &faults, path);
            let mut differences = differences.into_iter().peekable();
            for fault in faults {
                let own = differences.next_if(|&(one, _)| one == fault);
                let difference = counted.cast_signed() + own.map_or(0, |(_, own)| own);
                let difference = difference - made.count.cast_signed();
                made.touches.push((fault, Mark::Apart, difference));
            }
        }
        for &family in &filter.unmakes {
            let mut begun = Vec::new();
            if let Effect::Unmakes(ask) = family.effect {
                ask(scene, one, &next, &mut begun);
            }
            for (values, changes) in begun {
                for fault in filter.numbers(family, values, scene) {
                    let is_known = |one: &Changed| one.fault == fault;
                    let mut board = *scene.board;
                    apply(changes, &mut board, &next);
                    if board != *scene.board && !changed.iter().any(is_known) {
                        changed.push(Changed {
                            fault,
                            family,
                            board,
                        });
                    }
                }
            }
        }
    }

    /// Faults that list an illegal move.
    fn illegal(
        &mut self,
        scene: &Scene<'_>,
        one: &Candidate,
        depth: u32,
        filter: &Filter<'_>,
        path: &mut Vec<Board>,
    ) {
        let [first, rest @ ..] = scene.why(one) else {
            return;
        };
        let mut faults = Vec::new();
        for &family in &filter.lists {
            let Some(values) = overlooked(family, scene, one, first) else {
                continue;
            };
            let is_same = |why| overlooked(family, scene, one, why) == Some(values);
            if rest.iter().all(is_same) {
                faults.extend(filter.numbers(family, values, scene));
            }
        }
        if faults.is_empty() {
            return;
        }
        let level = depth as usize;
        if depth == 1 {
            for fault in faults {
                self.levels[level].add(fault, 1);
            }
            return;
        }
        faults.sort_unstable();
        let next = scene.board.make(one.step, one.kind);
        let (count, differences) = self.count_with(&next, depth - 1, &faults, path);
        let mut differences = differences.into_iter().peekable();
        for fault in faults {
            let own = differences.next_if(|&(one, _)| one == fault);
            let difference = count.cast_signed() + own.map_or(0, |(_, own)| own);
            if difference != 0 {
                self.levels[level].add(fault, difference);
            }
        }
    }
}

/// The faults that a generator can have in making the moves of a route alone, such that the count at its end
/// differs: moves are often played by code of their own.
pub fn shown_behind(route: &Route, depth: u32) -> Vec<Fault> {
    let filter = Filter::new(Wanted::All);
    let mut board = Board::new(route.root());
    let mut touched = Vec::new();
    for &m in route.moves() {
        let scene = Scene::new(&board, Include::Legal, 0);
        let Some(one) = scene.candidates.iter().find(|one| one.step.to_move() == m) else {
            return Vec::new();
        };
        let next = board.make(one.step, one.kind);
        let mut left = Vec::new();
        for family in &filter.leaves {
            if let Effect::Leaves(ask) = family.effect {
                left.clear();
                ask(&scene, one, &next, &mut left);
                for &(values, changes) in &left {
                    let mut after = next;
                    apply(changes, &mut after, &board);
                    if after != next {
                        touched.extend(filter.numbers(family, values, &scene).map(Fault));
                    }
                }
            }
        }
        board = next;
    }
    touched.sort_unstable();
    touched.dedup();
    let mut sound = Faulty::sound();
    sound.set(route.root());
    sound.play(route.moves());
    let right = sound.count_here(depth);
    touched.retain(|&fault| {
        let mut faulty = Faulty::with(fault);
        faulty.set(route.root());
        faulty.play(route.moves());
        faulty.heal();
        faulty.count_here(depth) != right
    });
    touched
}

/// The faults of tables that may show: two positions differ in what the key lacks alone, and in their counts.
fn forgetting(board: &Board, depth: u32, filter: &Filter<'_>) -> Vec<Fault> {
    let mut tables = filter
        .others
        .iter()
        .filter(|family| matches!(family.effect, Effect::Forgets));
    let Some(&family) = tables.next().filter(|_| depth > 2) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    gather(board, depth, &mut all);
    let numbers = (0..family.count()).filter(|&what| {
        let mut seen = std::collections::HashMap::new();
        filter.wants(family.start + u32::try_from(what).expect("few"))
            && all.iter().any(|(board, depth, count)| {
                *seen.entry(key(board, *depth, &[what])).or_insert(*count) != *count
            })
    });
    let number = |what: usize| Fault(family.start + u32::try_from(what).expect("few"));
    numbers.map(number).collect()
}

/// The positions below this one that a table would keep, with their counts.
fn gather(board: &Board, depth: u32, all: &mut Vec<(Board, u32, u64)>) -> u64 {
    if depth == 1 {
        return count_legal(board);
    }
    let scene = Scene::new(board, Include::Legal, depth);
    let children = scene.candidates.iter();
    let count = children
        .map(|one| gather(&board.make(one.step, one.kind), depth - 1, all))
        .sum();
    all.push((*board, depth, count));
    count
}

//! Which faults a count shows, all at once: one walk that adds up by how much each fault changes the count.
//!
//! The difference below a move is that of the position after it, unless a fault touches the move itself.
//! A fault that omits the move takes its whole count away; one that lists an illegal move adds what a
//! generator with the fault counts below; one that leaves something behind adds the difference between
//! that position and the right one. The result is exact: [`super::generator`] counts the same.

use std::collections::HashMap;

use chess::rules::Position;

use super::board::Board;
use super::families::{Changes, Effect, Family, Hits, Left, Values, families, key};
use super::fault::{Fault, FaultSet};
use super::generator::{Faulty, apply, overlooked};
use super::scene::{Candidate, Include, Scene, count_legal};

/// What is looked for.
struct FaultFilter<'a> {
    faults: Wanted<'a>,
    /// The families with a fault among them, by what they do.
    omits: Vec<&'static Family>,
    lists: Vec<&'static Family>,
    leaves: Vec<&'static Family>,
    undoes: Vec<&'static Family>,
    others: Vec<&'static Family>,
}

enum Wanted<'a> {
    All,
    Set(&'a FaultSet),
    /// Sorted.
    Few(&'a [u32]),
}

impl<'a> FaultFilter<'a> {
    fn new(faults: Wanted<'a>) -> Self {
        let of = |faults: &mut dyn Iterator<Item = Fault>| {
            let mut all: Vec<&Family> = faults.map(Fault::family).collect();
            all.dedup_by_key(|family| family.start);
            all
        };
        let all = match &faults {
            Wanted::All => families().iter().collect(),
            Wanted::Set(set) => of(&mut set.iter()),
            Wanted::Few(few) => of(&mut few.iter().map(|&number| Fault(number))),
        };
        let having =
            |is: fn(&Effect) -> bool| all.iter().copied().filter(|one| is(&one.effect)).collect();
        Self {
            faults,
            omits: having(|effect| matches!(effect, Effect::Omits(_) | Effect::Repeats(_))),
            lists: having(|effect| matches!(effect, Effect::Lists(_) | Effect::Breaks(_))),
            leaves: having(|effect| matches!(effect, Effect::Leaves(_))),
            undoes: having(|effect| matches!(effect, Effect::Undoes(_))),
            others: having(|effect| {
                matches!(
                    effect,
                    Effect::Ends(_) | Effect::Counts(_) | Effect::Forgets(())
                )
            }),
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
#[derive(Clone)]
struct Differences {
    /// By fault; 0 for all that are not in `touched`.
    by: Vec<i64>,
    /// Each fault at least once.
    touched: Vec<u32>,
}

impl Differences {
    fn add(&mut self, fault: u32, difference: i64) {
        let sum = &mut self.by[fault as usize];
        if *sum == 0 && difference != 0 {
            self.touched.push(fault);
        }
        *sum += difference;
    }

    fn take(&mut self) -> Vec<(u32, i64)> {
        let take = |fault| (fault, std::mem::take(&mut self.by[fault as usize]));
        let all = self.touched.drain(..).map(take);
        // A fault that was touched twice has nothing left the second time.
        all.filter(|&(_, difference)| difference != 0).collect()
    }
}

/// Finds the faults that counts show; its memory is used again for the next.
#[derive(Default)]
pub struct Shown {
    /// By depth.
    levels: Vec<Differences>,
    /// What a fault does to the move at hand, by fault: valid where the stamp is that of the move.
    marks: Vec<(u32, Below)>,
    stamp: u32,
}

/// What becomes of the difference below a move.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Below {
    #[default]
    Once,
    /// The move is omitted, or what it or one before it left behind is counted apart.
    Never,
    /// The move is listed twice.
    Twice,
}

/// A legal move that was made, its count and the differences below it.
struct MadeMove<'s> {
    scene: &'s Scene<'s>,
    one: &'s Candidate,
    next: Board,
    count: i64,
    below: Vec<(u32, i64)>,
    filter: &'s FaultFilter<'s>,
    /// What faults do to it, and the difference that this makes.
    touches: Vec<(u32, Below, i64)>,
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
        let filter = FaultFilter::new(wanted.map_or(Wanted::All, Wanted::Set));
        let board = Board::new(position);
        self.marks.resize(Fault::count(), (0, Below::Once));
        let empty = || Differences {
            by: vec![0; Fault::count()],
            touched: Vec::new(),
        };
        if self.levels.len() <= depth as usize {
            self.levels.resize_with(depth as usize + 1, empty);
        }
        let count = self.walk(&board, depth, &filter, &mut Vec::new());
        let all = self.levels[depth as usize].take().into_iter();
        let mut all: Vec<(Fault, i64)> = all.map(|(number, by)| (Fault(number), by)).collect();
        // What a table forgets depends on the order of all counts: the plain generator makes them.
        for fault in forgetting(&board, depth, &filter) {
            let counted = Faulty::with(fault).perft(position, depth).cast_signed();
            if counted != count {
                all.push((fault, counted - count));
            }
        }
        all
    }

    /// Counts, and leaves the differences at the level of this depth.
    fn walk(
        &mut self,
        board: &Board,
        depth: u32,
        filter: &FaultFilter<'_>,
        path: &mut Vec<Board>,
    ) -> i64 {
        if depth == 0 {
            return 1;
        }
        let scene = Scene::new(board, Include::All, depth);
        let mut all_made = Vec::new();
        path.push(*board);
        for one in &scene.candidates {
            if one.is_legal() {
                all_made.push(self.legal(&scene, one, filter, path));
            } else {
                self.illegal(&scene, one, filter, path);
            }
        }
        // At the last ply, no move is made or taken back.
        if depth > 1 && !filter.undoes.is_empty() {
            let mut changed = Vec::new();
            for made in &mut all_made {
                self.taken_back(made, 0, path, &mut changed);
            }
            changed.clear();
            for made in all_made.iter_mut().rev() {
                self.taken_back(made, 1, path, &mut changed);
            }
        }
        path.pop();
        let total: i64 = all_made.iter().map(|made| made.count).sum();
        for made in all_made {
            self.add_up(made);
        }
        let level = &mut self.levels[depth as usize];
        for &family in &filter.others {
            let mut hits = Hits::default();
            match family.effect {
                Effect::Ends(ask) => {
                    ask(&scene, path, &mut hits);
                }
                Effect::Counts(ask) if scene.legal.is_empty() => hits.0.extend(ask(&scene)),
                _ => {}
            }
            for fault in hits
                .0
                .into_iter()
                .flat_map(|values| filter.numbers(family, values, &scene))
            {
                let difference = match family.effect {
                    // Whatever is wrong below is not counted either.
                    Effect::Ends(_) => -total - level.by[fault as usize],
                    _ => 1,
                };
                level.add(fault, difference);
            }
        }
        total
    }

    /// Makes a legal move, and finds what faults do to it apart from those of taking moves back.
    fn legal<'s>(
        &mut self,
        scene: &'s Scene<'s>,
        one: &'s Candidate,
        filter: &'s FaultFilter<'s>,
        path: &mut Vec<Board>,
    ) -> MadeMove<'s> {
        let level = scene.depth as usize;
        let next = scene.board.make(one.step, one.kind);
        let count = self.walk(&next, scene.depth - 1, filter, path);
        let below = self.levels[level - 1].take();
        let mut made = MadeMove {
            scene,
            one,
            next,
            count,
            below,
            filter,
            touches: Vec::new(),
        };
        let mut hits = Hits::default();
        for &family in &filter.omits {
            hits.0.clear();
            let (mark, difference) = match family.effect {
                Effect::Omits(ask) => {
                    ask(scene, one, &mut hits);
                    (Below::Never, -count)
                }
                Effect::Repeats(ask) => {
                    ask(scene, one, &mut hits);
                    (Below::Twice, count)
                }
                _ => continue,
            };
            for &values in &hits.0 {
                let faults = filter.numbers(family, values, scene);
                made.touches
                    .extend(faults.map(|fault| (fault, mark, difference)));
            }
        }
        // At the last ply, nobody looks at what a move leaves behind.
        if scene.depth > 1 {
            self.left_behind(&mut made, path);
        }
        made
    }

    /// Adds what faults do to a move and the differences below it to the level of its position.
    fn add_up(&mut self, made: MadeMove<'_>) {
        let level = made.scene.depth as usize;
        // A new stamp makes all marks invalid at once.
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.marks.fill((0, Below::Once));
            1
        });
        for (fault, mark, difference) in made.touches {
            let old = &mut self.marks[fault as usize];
            // A fault that touches a move in several ways changes its count once.
            if old.0 != self.stamp {
                *old = (self.stamp, mark);
                self.levels[level].add(fault, difference);
            }
        }
        for (fault, difference) in made.below {
            let times = match self.marks[fault as usize] {
                (stamp, Below::Never) if stamp == self.stamp => 0,
                (stamp, Below::Twice) if stamp == self.stamp => 2,
                _ => 1,
            };
            self.levels[level].add(fault, times * difference);
        }
    }

    /// Faults that leave something else behind than this position.
    fn left_behind(&mut self, made: &mut MadeMove<'_>, path: &mut Vec<Board>) {
        let MadeMove {
            scene,
            one,
            next,
            filter,
            ..
        } = *made;
        // The same is often left behind by faults of several families.
        let mut groups: Vec<(Changes, Vec<u32>)> = Vec::new();
        let mut left = Left::default();
        for &family in &filter.leaves {
            left.0.clear();
            if let Effect::Leaves(ask) = family.effect {
                ask(scene, one, &next, &mut left);
            }
            for &(values, changes) in &left.0 {
                let faults = filter.numbers(family, values, scene);
                match groups.iter_mut().find(|(others, _)| *others == changes) {
                    Some((_, group)) => group.extend(faults),
                    None => groups.push((changes, faults.collect())),
                }
            }
        }
        for (changes, faults) in groups {
            let mut board = next;
            apply(changes, &mut board, scene.board);
            if board != next && !faults.is_empty() {
                let count = made.count;
                let counts = self
                    .count_with(&board, scene.depth - 1, faults, path)
                    .into_iter();
                made.touches
                    .extend(counts.map(|(fault, other)| (fault, Below::Never, other - count)));
            }
        }
    }

    /// What generators with each of these faults count.
    fn count_with(
        &mut self,
        board: &Board,
        depth: u32,
        mut faults: Vec<u32>,
        path: &mut Vec<Board>,
    ) -> Vec<(u32, i64)> {
        faults.sort_unstable();
        faults.dedup();
        let is_about_making = |&fault: &u32| {
            matches!(
                Fault(fault).family().effect,
                Effect::Leaves(_) | Effect::Undoes(_)
            )
        };
        // Such faults do not show at the last ply, where no move is made.
        if depth == 1 && faults.iter().all(is_about_making) {
            let count = count_legal(board).cast_signed();
            return faults.into_iter().map(|fault| (fault, count)).collect();
        }
        let count = self.walk(board, depth, &FaultFilter::new(Wanted::Few(&faults)), path);
        let mut differences = self.levels[depth as usize].take();
        // Both lists are in the order of the faults.
        differences.sort_unstable();
        let mut differences = differences.into_iter().peekable();
        let mut count_of = |fault| {
            let own = differences.next_if(|&(one, _)| one == fault);
            (fault, count + own.map_or(0, |(_, own)| own))
        };
        faults.into_iter().map(&mut count_of).collect()
    }

    /// Faults of taking moves back, where moves are made in an order: those that this move begins, and those
    /// that moves made before it began.
    fn taken_back(
        &mut self,
        made: &mut MadeMove<'_>,
        order: usize,
        path: &mut Vec<Board>,
        changed: &mut Vec<Changed>,
    ) {
        let MadeMove {
            scene,
            one,
            next,
            filter,
            ..
        } = *made;
        // Faults that have left the same behind are counted together.
        let mut groups: Vec<(Board, Vec<u32>)> = Vec::new();
        for other in changed.iter_mut() {
            if !other.board.still_lists(one.step) {
                made.touches.push((other.fault, Below::Never, -made.count));
                continue;
            }
            let after = other.board.make(one.step, one.kind);
            match groups.iter_mut().find(|(board, _)| *board == after) {
                Some((_, faults)) => faults.push(other.fault),
                None => groups.push((after, vec![other.fault])),
            }
            for (values, changes) in other.family.undone(scene, one, &after, order) {
                let mut numbers = filter.numbers(other.family, values, scene);
                if numbers.any(|number| number == other.fault) {
                    apply(changes, &mut other.board, &after);
                }
            }
        }
        for (after, faults) in groups {
            let count = made.count;
            let counts = self
                .count_with(&after, scene.depth - 1, faults, path)
                .into_iter();
            made.touches
                .extend(counts.map(|(fault, other)| (fault, Below::Never, other - count)));
        }
        for &family in &filter.undoes {
            for (values, changes) in family.undone(scene, one, &next, order) {
                let mut board = *scene.board;
                apply(changes, &mut board, &next);
                for fault in filter.numbers(family, values, scene) {
                    let is_known = |one: &Changed| one.fault == fault;
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
        filter: &FaultFilter<'_>,
        path: &mut Vec<Board>,
    ) {
        let [first, rest @ ..] = scene.why(one) else {
            return;
        };
        let mut faults = Vec::new();
        for &family in &filter.lists {
            // One fault has to overlook all that is wrong with the move.
            if let Some(values) = overlooked(family, scene, one, first)
                && rest
                    .iter()
                    .all(|why| overlooked(family, scene, one, why) == Some(values))
            {
                faults.extend(filter.numbers(family, values, scene));
            }
        }
        let level = scene.depth as usize;
        if level == 1 {
            for &fault in &faults {
                self.levels[1].add(fault, 1);
            }
        } else if !faults.is_empty() {
            let next = scene.board.make(one.step, one.kind);
            for (fault, count) in self.count_with(&next, scene.depth - 1, faults, path) {
                self.levels[level].add(fault, count);
            }
        }
    }
}

/// The faults of tables that may show: two positions differ in what the key lacks alone, and in their counts.
fn forgetting(board: &Board, depth: u32, filter: &FaultFilter<'_>) -> Vec<Fault> {
    let is_table = |family: &&&Family| matches!(family.effect, Effect::Forgets(()));
    // Tables keep counts of two plies and more, and the first position has one key.
    let Some(family) = filter.others.iter().find(is_table).filter(|_| depth > 2) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    gather(board, depth, &mut all);
    let faults = (family.start..).map(Fault).take(family.count()).enumerate();
    let may_show = |&(what, fault): &(usize, Fault)| {
        let mut seen = HashMap::new();
        filter.wants(fault.0)
            && all.iter().any(|(board, depth, count)| {
                *seen.entry(key(board, *depth, &[what])).or_insert(*count) != *count
            })
    };
    faults.filter(may_show).map(|(_, fault)| fault).collect()
}

/// The positions from this one on that a table would keep, with their counts.
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

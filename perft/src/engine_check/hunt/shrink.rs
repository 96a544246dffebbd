//! Removes parts of the position while the fault still shows.

use chess::rules::{Move, Position};

use super::ask::Asker;
use super::class::MoveClass;
use super::fault::Breakdown;
use super::finding::End;
use super::parts::{Part, parts_of, without};
use super::question::Question;
use super::trace::{Sighting, Trace};
use crate::subject::Route;

/// Makes a sighting as small as possible: least depth first, then the fewest parts. At the end, no
/// single part can be removed. If asking ends early, the smallest sighting so far remains.
///
/// # Errors
///
/// When asking ended before shrinking was complete.
pub(super) fn shrink(
    asker: &mut Asker<'_>,
    trace: &Trace,
    sighting: &mut Sighting,
) -> Result<(), End> {
    let mut shrinker = Shrinker {
        asker,
        trace,
        sighting,
    };
    shrinker.lower_depth()?;
    if *trace == Trace::Failed(Breakdown::NoAnswer) {
        shrinker.keep_few()?;
    }
    shrinker.remove_parts()?;
    while shrinker.lower_depth()? {
        shrinker.remove_parts()?;
    }
    Ok(())
}

struct Shrinker<'h, 'a> {
    asker: &'h mut Asker<'a>,
    trace: &'h Trace,
    sighting: &'h mut Sighting,
}

impl Shrinker<'_, '_> {
    /// Replaces the sighting by a smaller question if the fault shows there.
    fn take_if_wrong(&mut self, question: &Question) -> Result<bool, End> {
        let found = self.trace.look(self.asker, question)?;
        Ok(found.map(|found| *self.sighting = found).is_some())
    }

    fn lower_depth(&mut self) -> Result<bool, End> {
        for depth in self.sighting.question.smaller_depths() {
            if self.take_if_wrong(&self.sighting.question.at_depth(depth))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes ever smaller groups of parts, finally one by one until none can be removed.
    fn remove_parts(&mut self) -> Result<(), End> {
        let mut size = self.parts().len();
        while size > 0 {
            let removed = self.remove_groups(size)?;
            if size > 1 || !removed {
                size /= 2;
            }
        }
        Ok(())
    }

    fn remove_groups(&mut self, size: usize) -> Result<bool, End> {
        let mut removed = false;
        for group in self.parts().chunks(size) {
            removed |= self.remove(group)?;
        }
        Ok(removed)
    }

    fn remove(&mut self, parts: &[Part]) -> Result<bool, End> {
        let route = &self.sighting.question.route;
        match without(route.root(), parts).and_then(|root| same_moves_from(&root, route)) {
            Some(route) => {
                let depth = self.sighting.question.depth;
                self.take_if_wrong(&Question { route, depth })
            }
            None => Ok(false),
        }
    }

    /// Tries positions with hardly any pieces. Where each sighting costs a timeout and each miss
    /// next to nothing, this is cheaper than removing parts.
    fn keep_few(&mut self) -> Result<(), End> {
        let is_piece = |part: &Part| matches!(part, Part::Piece(_));
        let pieces: Vec<Part> = self.parts().into_iter().filter(is_piece).collect();
        for count in 0..=2 {
            for kept in combinations(&pieces, count) {
                let others: Vec<Part> = pieces
                    .iter()
                    .copied()
                    .filter(|part| !kept.contains(part))
                    .collect();
                if self.remove(&others)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn parts(&self) -> Vec<Part> {
        parts_of(self.sighting.question.route.root())
    }
}

/// The same moves from a smaller root, if they are legal there and of the same class.
pub(super) fn same_moves_from(root: &Position, route: &Route) -> Option<Route> {
    let mut old = *route.root();
    let mut smaller = Route::by_fen(*root);
    for &m in route.moves() {
        if !is_same_move(m, &old, smaller.position()) {
            return None;
        }
        old = old.play_unchecked(m);
        smaller = smaller.then(m);
    }
    Some(smaller)
}

fn is_same_move(m: Move, old: &Position, new: &Position) -> bool {
    new.is_legal(m) && MoveClass::of(m, old) == MoveClass::of(m, new)
}

/// All combinations of up to two of the parts.
fn combinations(parts: &[Part], count: usize) -> Vec<Vec<Part>> {
    match count {
        0 => vec![Vec::new()],
        1 => parts.iter().map(|&part| vec![part]).collect(),
        _ => parts
            .iter()
            .enumerate()
            .flat_map(|(index, &first)| {
                parts[index + 1..]
                    .iter()
                    .map(move |&second| vec![first, second])
            })
            .collect(),
    }
}

//! The largest number of couples that can be formed at once: maximum matching in a graph.
//!
//! Source: J. Edmonds, "Paths, trees, and flowers", Canadian Journal of Mathematics 17 (1965), in
//! the form with blossom bases: a search from each free vertex for an augmenting path, in which odd
//! cycles are contracted to their base.

use std::collections::VecDeque;

/// The size of a maximum matching of the vertices `0..vertices`; `joined` is symmetric.
pub(super) fn maximum_matching(vertices: usize, joined: impl Fn(usize, usize) -> bool) -> usize {
    let mut search = MatchingSearch::new(vertices);
    (0..vertices)
        // Each vertex is tried once: one without an augmenting path never gets one later.
        .filter(|&root| search.mate[root].is_none() && search.augment(root, &joined))
        .count()
}

struct MatchingSearch {
    mate: Vec<Option<usize>>,
    /// The vertex from which each vertex was reached.
    parent: Vec<Option<usize>>,
    /// The base of the blossom that contains a vertex, or the vertex itself.
    base: Vec<usize>,
    is_outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl MatchingSearch {
    fn new(vertices: usize) -> Self {
        Self {
            mate: vec![None; vertices],
            parent: Vec::new(),
            base: Vec::new(),
            is_outer: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    /// Searches for an augmenting path from a free vertex and flips it.
    fn augment(&mut self, root: usize, joined: &impl Fn(usize, usize) -> bool) -> bool {
        let vertices = self.mate.len();
        self.parent = vec![None; vertices];
        self.base = (0..vertices).collect();
        self.is_outer = vec![false; vertices];
        self.is_outer[root] = true;
        self.queue = VecDeque::from([root]);
        while let Some(vertex) = self.queue.pop_front() {
            for other in (0..vertices).filter(|&other| other != vertex && joined(vertex, other)) {
                if let Some(end) = self.visit(root, vertex, other) {
                    self.turn_over(end);
                    return true;
                }
            }
        }
        false
    }

    /// Follows one edge from an outer vertex. Returns the end of an augmenting path, if this is it.
    fn visit(&mut self, root: usize, vertex: usize, other: usize) -> Option<usize> {
        if self.base[vertex] == self.base[other] || self.mate[vertex] == Some(other) {
            return None;
        }
        let is_outer = self.mate[other].is_some_and(|mate| self.parent[mate].is_some());
        // The edge joins two outer vertices, so it closes an odd cycle: a blossom.
        if other == root || is_outer {
            self.shrink(vertex, other);
        } else if self.parent[other].is_none() {
            self.parent[other] = Some(vertex);
            let Some(mate) = self.mate[other] else {
                return Some(other);
            };
            self.is_outer[mate] = true;
            self.queue.push_back(mate);
        }
        None
    }

    /// Contracts the odd cycle that the edge between two outer vertices closes.
    fn shrink(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut in_blossom = vec![false; self.mate.len()];
        self.mark(one, base, other, &mut in_blossom);
        self.mark(other, base, one, &mut in_blossom);
        for vertex in 0..self.mate.len() {
            if in_blossom[self.base[vertex]] {
                self.base[vertex] = base;
                if !self.is_outer[vertex] {
                    self.is_outer[vertex] = true;
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    /// Where the paths of two outer vertices to the root meet.
    fn common_base(&self, one: usize, other: usize) -> usize {
        let mut on_way = vec![false; self.mate.len()];
        let mut vertex = self.base[one];
        on_way[vertex] = true;
        while let Some(next) = self.towards_root(vertex) {
            vertex = next;
            on_way[vertex] = true;
        }
        vertex = self.base[other];
        while !on_way[vertex] {
            vertex = self
                .towards_root(vertex)
                .expect("both ways end at the root");
        }
        vertex
    }

    /// The next outer base on the path to the root; `None` at the root.
    fn towards_root(&self, base: usize) -> Option<usize> {
        let parent = self.parent[self.mate[base]?]?;
        Some(self.base[parent])
    }

    /// Marks the blossoms on the path from an outer vertex to the base and stores the way back
    /// around the cycle.
    fn mark(&mut self, from: usize, base: usize, child: usize, in_blossom: &mut [bool]) {
        let (mut vertex, mut child) = (from, child);
        while self.base[vertex] != base {
            let mate = self.mate[vertex].expect("an outer vertex other than the root has a mate");
            in_blossom[self.base[vertex]] = true;
            in_blossom[self.base[mate]] = true;
            self.parent[vertex] = Some(child);
            child = mate;
            vertex = self.parent[mate].expect("an inner vertex was reached from an outer one");
        }
    }

    /// Flips an augmenting path, from its free end back to the root.
    fn turn_over(&mut self, end: usize) {
        let mut next = Some(end);
        while let Some(vertex) = next {
            let partner = self.parent[vertex].expect("the path leads back to the root");
            next = self.mate[partner];
            self.mate[vertex] = Some(partner);
            self.mate[partner] = Some(vertex);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The reference: tries every way to form couples.
    fn by_trial(free: &[usize], joined: &impl Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = free.split_first() else {
            return 0;
        };
        let partners = rest.iter().filter(|&&other| joined(first, other));
        let with = partners.map(|&other| {
            let left: Vec<usize> = rest.iter().copied().filter(|&one| one != other).collect();
            1 + by_trial(&left, joined)
        });
        with.max().unwrap_or(0).max(by_trial(rest, joined))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn agrees_with_trying_all(vertices in 0..10_usize, edges in prop::collection::vec(any::<bool>(), 45), density in 0..3_u8) {
            let edge = |one: usize, other: usize| {
                let (low, high) = (one.min(other), one.max(other));
                let index = high * high.saturating_sub(1) / 2 + low;
                // Sparse graphs have the blossoms.
                edges[index] && (density > 0 || (low + high) % 2 == 1 || high - low == 2)
            };
            let all: Vec<usize> = (0..vertices).collect();
            prop_assert_eq!(maximum_matching(vertices, edge), by_trial(&all, &edge));
        }
    }

    #[test]
    fn flowers() {
        let check = |vertices: usize, edges: &[(usize, usize)], expected: usize| {
            let joined =
                |one, other| edges.contains(&(one, other)) || edges.contains(&(other, one));
            assert_eq!(maximum_matching(vertices, joined), expected, "{edges:?}");
        };
        // A path into a triangle.
        check(4, &[(0, 1), (1, 2), (2, 3), (1, 3)], 2);
        // A pentagon with three stems: two of its corners find no partner.
        let pentagon = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)];
        check(8, &[&pentagon[..], &[(0, 5), (2, 6), (3, 7)]].concat(), 3);
        check(6, &[&pentagon[..], &[(0, 5)]].concat(), 3);
        // Two triangles joined by a bridge.
        check(
            6,
            &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)],
            3,
        );
    }
}

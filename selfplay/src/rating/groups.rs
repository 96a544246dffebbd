//! Groups of engines that can be compared with one another.

use super::table::Table;

/// Strongly connected components, by engine: from each engine of a group, every other of it can be
/// reached along "did not lose all games against". They are numbered from the top: no engine scored
/// against one of a group with a lower number.
///
/// S. R. Kosaraju's algorithm, in M. Sharir, "A strong-connectivity algorithm", Computers and
/// Mathematics with Applications 7 (1981), without recursion. Ratings are finite exactly within
/// these groups: L. R. Ford, "Solution of a ranking problem from binary comparisons", American
/// Mathematical Monthly 64 (1957).
pub(super) fn groups(table: &Table) -> Vec<usize> {
    let count = table.names.len();
    let mut scored_against = vec![Vec::new(); count];
    let mut conceded_to = vec![Vec::new(); count];
    for (&(white, black), score) in &table.scores {
        let mut edge = |from: usize, to: usize| {
            scored_against[from].push(to);
            conceded_to[to].push(from);
        };
        if score.white_wins + score.draws > 0.0 {
            edge(white, black);
        }
        if score.black_wins + score.draws > 0.0 {
            edge(black, white);
        }
    }
    let mut finished = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for start in 0..count {
        walk(start, &scored_against, &mut seen, &mut finished);
    }
    let mut groups = vec![0; count];
    let mut seen = vec![false; count];
    let mut number = 0;
    for &start in finished.iter().rev() {
        let mut members = Vec::new();
        walk(start, &conceded_to, &mut seen, &mut members);
        for &member in &members {
            groups[member] = number;
        }
        number += usize::from(!members.is_empty());
    }
    groups
}

/// Appends all unseen vertices reachable from `start`, in postorder.
fn walk(start: usize, edges: &[Vec<usize>], seen: &mut [bool], finished: &mut Vec<usize>) {
    if seen[start] {
        return;
    }
    seen[start] = true;
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.pop() {
        match edges[node].get(next) {
            Some(&to) => {
                path.push((node, next + 1));
                if !seen[to] {
                    seen[to] = true;
                    path.push((to, 0));
                }
            }
            None => finished.push(node),
        }
    }
}

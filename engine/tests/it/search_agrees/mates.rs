//! Mates: one that is reported is there, and with `go mate` one that is there is reported.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Game, Position};
use engine::search::{
    MATE, Profile, SearchLimits, SearchRequest, SearchResult, Searcher, mate_distance,
};
use rand::{RngExt, SeedableRng};

use super::games::{few_pieces, hunt, random_game};
use super::reference::{is_draw, line_of};
use testkit::scale;

const SEED: u64 = 20_261_125;

/// Whether a mate is forced so many plies after a line, by trying everything; nothing where that takes
/// more nodes. With an odd number the side to move mates, with an even one it is mated.
fn is_forced(line: &mut Vec<Position>, plies: u32, nodes: &mut u64) -> Option<bool> {
    let position = line[line.len() - 1];
    let moves = position.legal_moves();
    let defends = plies.is_multiple_of(2);
    if moves.is_empty() || plies == 0 {
        return Some(defends && moves.is_empty() && position.is_check());
    }
    for &m in &moves {
        *nodes = nodes.checked_sub(1)?;
        let next = position.play_unchecked(m);
        line.push(next);
        // Checkmate comes before any draw.
        let is_over = is_draw(line) && next.legal_move_count() > 0;
        let mates = if is_over {
            Some(false)
        } else {
            is_forced(line, plies - 1, nodes)
        };
        line.pop();
        // One move is enough to mate, and one to escape.
        if mates? != defends {
            return Some(!defends);
        }
    }
    Some(defends)
}

fn search(searcher: &mut Searcher, game: &Game, limits: &SearchLimits) -> SearchResult {
    let request = SearchRequest::new(game, limits);
    searcher.search(Profile::Touchstone, request, &mut |_| {})
}

/// A limit of so many nodes for so many threads.
fn nodes(nodes: u64, threads: usize) -> SearchLimits {
    SearchLimits {
        threads,
        ..SearchLimits::to_nodes(nodes)
    }
}

#[test]
fn mates_in_three_are_proved_where_they_are_and_nowhere_else() {
    println!("seed {SEED}");
    let wanted = scale(32, 320);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let (mut compared, mut there) = (0, [0; 4]);
    while compared < wanted {
        let moves = rng.random_range(1..=3);
        let game = if rng.random_bool(0.3) {
            random_game(&mut rng, u64::from(moves) % 3)
        } else {
            hunt(&mut rng)
        };
        let Some(expected) = is_forced(&mut line_of(&game), 2 * moves - 1, &mut 60_000) else {
            continue;
        };
        // What a search that proves nothing leaves in the table must not mislead.
        search(&mut searcher, &game, &nodes(2_000, 1));
        let limits = SearchLimits {
            mate: Some(moves),
            threads: rng.random_range(1..=2),
            ..SearchLimits::default()
        };
        let found = search(&mut searcher, &game, &limits);
        let most = i32::try_from(moves).expect("few");
        let is_reported = mate_distance(found.value).is_some_and(|it| (1..=most).contains(&it));
        let text = fen::write(game.position());
        assert_eq!(is_reported, expected, "in {moves}, {found:?}: {text}");
        compared += 1;
        there[moves as usize] += u64::from(expected);
    }
    println!("{compared} compared, mates in 1, 2, 3: {:?}", &there[1..]);
    assert!(there[1..].iter().all(|&count| count * 100 > wanted));
}

#[test]
fn a_mate_that_is_reported_is_there() {
    println!("seed {SEED}");
    let wanted = scale(20, 200);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 1);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let (mut shown, mut too_large, mut of_us) = (0, 0, 0);
    let mut number = 0;
    while shown < wanted {
        number += 1;
        let game = match number % 4 {
            0 => random_game(&mut rng, 0),
            1 => random_game(&mut rng, 3),
            _ => few_pieces(&mut rng, 7),
        };
        let count = rng.random_range(1..=4_000);
        let threads = if number % 5 == 0 { 3 } else { 1 };
        let found = search(&mut searcher, &game, &nodes(count, threads));
        if mate_distance(found.value).is_none() || MATE - found.value.abs() > 8 {
            continue;
        }
        // We may be mated sooner than reported, never later or not at all.
        let plies = (MATE - found.value.abs()).unsigned_abs();
        match is_forced(&mut line_of(&game), plies, &mut 400_000) {
            Some(is_true) => {
                let text = fen::write(game.position());
                assert!(is_true, "{found:?} after {count} nodes: {text}");
                shown += 1;
                of_us += u64::from(found.value < 0);
            }
            None => too_large += 1,
        }
    }
    println!("{shown} shown, {of_us} of us, {too_large} too large");
    assert!(of_us * 10 > shown && too_large * 2 < shown);
}
